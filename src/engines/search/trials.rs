//! Single changes of kept cases, each made for an aim: one after the other, before anything is left to chance.
//!
//! See: Aschermann et al., "REDQUEEN", Sect. 3.1 (what compared values suggest is tried exhaustively, once). An aim that was met is dropped, and each has so many
//! trials at most: what was compared need not come from where it stands.

use super::aims::{Aims, Mark};
use super::case::Case;
use super::hints::{behind, encodings};
use super::mutate::places_of;
use super::random::Random;
use crate::concrete::{InputRecord, InputValue};
use rustc_hash::FxHashMap;

/// Trials for one aim, over all cases.
const OF_AN_AIM: u32 = 600;
/// Trials for one aim of one case.
const OF_A_CASE: usize = 48;
/// Places that one number or text is tried at.
const PLACES: usize = 12;
/// Trials that wait.
const WAITING: usize = 1 << 14;
/// Numbers that borders are tried in the place of.
const COUNTS: usize = 24;

/// A change that may bring a run where none has been.
struct Trial {
    /// The kept case that it changes.
    case: usize,
    change: Change,
    mark: Mark,
}

enum Change {
    /// Other bytes in a file: `len` of them are replaced.
    File { file: usize, at: usize, len: usize, new: Vec<u8> },
    /// The same in a word of an input that is a command line.
    Word { input: usize, word: usize, at: usize, len: usize, new: Vec<u8> },
    /// Another number.
    Number { input: usize, value: i128 },
}

/// Trials that wait, and how many were made for each aim.
#[derive(Default)]
pub(super) struct Trials {
    waiting: Vec<Trial>,
    made: FxHashMap<Mark, u32>,
}

impl Trials {
    /// Plans the changes of a case, which is kept under this number, that its aims suggest. `numbers`: what else it compares.
    pub fn plan(&mut self, aims: &Aims<'_>, number: usize, case: &Case, random: &mut Random) {
        let mut planned = Vec::new();
        let mut of_marks: FxHashMap<Mark, usize> = FxHashMap::default();
        let mut add = |mark: Mark, change: Change| {
            let of_mark = of_marks.entry(mark).or_default();
            *of_mark += 1;
            if *of_mark <= OF_A_CASE {
                planned.push(Trial { case: number, change, mark });
            }
        };
        let longest = case.files.iter().map(|file| file.len() as i128).max();
        for aim in &aims.numbers {
            for (input, record) in case.inputs.iter().enumerate() {
                if record.value == InputValue::Int(aim.found) && fits(record, aim.wanted) {
                    add(aim.mark, Change::Number { input, value: aim.wanted });
                }
            }
            for (found, wanted) in encodings(aim.found, aim.wanted) {
                replaced(case, &found, &wanted, random).into_iter().for_each(|change| add(aim.mark, change));
            }
            let mut more = Default::default();
            longest.into_iter().for_each(|length| behind(aim.found, aim.wanted, length, &mut more));
            for new in more {
                appended(case, &new).into_iter().for_each(|change| add(aim.mark, change));
            }
        }
        for (mark, found, wanted) in &aims.texts {
            let shorter = found.len().min(wanted.len());
            for found in [found, &found[..shorter]] {
                replaced(case, found, wanted, random).into_iter().for_each(|change| add(*mark, change));
            }
            if found.is_empty() {
                appended(case, wanted).into_iter().for_each(|change| add(*mark, change));
            }
        }
        for (mark, border) in &aims.borders {
            for count in aims.counts.iter().rev().take(COUNTS) {
                for (found, wanted) in encodings(*count, border + 1) {
                    replaced(case, &found, &wanted, random).into_iter().take(2).for_each(|change| add(*mark, change));
                }
            }
        }
        planned.retain(|trial| {
            let made = self.made.entry(trial.mark).or_default();
            *made += 1;
            *made <= OF_AN_AIM
        });
        // The last to wait is the first to be tried.
        planned.reverse();
        self.waiting.append(&mut planned);
        let beyond = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..beyond);
    }

    /// The next case to try: the change of a kept one whose aim nobody has met.
    pub fn next(&mut self, kept: &[Case], is_met: impl Fn(Mark) -> bool) -> Option<Case> {
        while let Some(trial) = self.waiting.pop() {
            let Some(case) = kept.get(trial.case).filter(|_| !is_met(trial.mark)) else { continue };
            let mut case = Case { inputs: case.inputs.clone(), files: case.files.clone(), ..Case::default() };
            trial.change.make(&mut case);
            return Some(case);
        }
        None
    }
}

impl Change {
    fn make(self, case: &mut Case) {
        match self {
            Change::File { file, at, len, new } => drop(case.files[file].splice(at..at + len, new)),
            Change::Word { input, word, at, len, new } => {
                if let InputValue::Arguments(arguments) = &mut case.inputs[input].value {
                    arguments.argv[word].splice(at..at + len, new);
                }
            }
            Change::Number { input, value } => case.inputs[input].value = InputValue::Int(value),
        }
    }
}

fn fits(record: &InputRecord, value: i128) -> bool {
    record.range.is_none_or(|(low, high)| (low..=high).contains(&value))
}

/// The changes that put other bytes where these stand.
fn replaced(case: &Case, found: &[u8], wanted: &[u8], random: &mut Random) -> Vec<Change> {
    let mut changes = Vec::new();
    if found.is_empty() || found == wanted {
        return changes;
    }
    let len = found.len();
    for (file, content) in case.files.iter().enumerate() {
        for at in some_of(places_of(content, found).collect(), random) {
            changes.push(Change::File { file, at, len, new: wanted.to_vec() });
        }
    }
    for (input, record) in case.inputs.iter().enumerate() {
        let InputValue::Arguments(arguments) = &record.value else { continue };
        for (word, content) in arguments.argv.iter().enumerate().skip(1) {
            for at in some_of(places_of(content, found).collect(), random) {
                let new = wanted.iter().copied().filter(|byte| *byte != 0).collect();
                changes.push(Change::Word { input, word, at, len, new });
            }
        }
    }
    changes
}

/// The changes that put bytes behind the end of a file.
fn appended(case: &Case, new: &[u8]) -> Vec<Change> {
    let files = case.files.iter().enumerate();
    files.map(|(file, content)| Change::File { file, at: content.len(), len: 0, new: new.to_vec() }).collect()
}

/// The first and the last places, and some between them where there are many.
fn some_of(mut places: Vec<usize>, random: &mut Random) -> Vec<usize> {
    if places.len() > PLACES {
        let rest = places.split_off(PLACES / 3);
        let last = rest.len() - PLACES / 3;
        let between = &rest[..last];
        places.extend(&rest[last..]);
        places.extend((0..PLACES / 3).filter_map(|_| random.pick(between)));
    }
    places
}
