//! Single changes of kept cases, each made for an aim: one after the other, before anything is left to chance.
//!
//! See: Aschermann et al., "REDQUEEN", Sect. 3.1 (what compared values suggest is tried exhaustively, once). An aim that was met is dropped, and each has so many
//! trials at most: what was compared need not come from where it stands.

use super::aims::{Aims, Mark};
use super::case::Case;
use super::hints::{behind, encodings};
use super::mutate::places_of;
use super::random::Random;
use super::readings::{Place, Wish};
use super::solved;
use crate::concrete::{InputRecord, InputValue};
use crate::engines::backward;
use rustc_hash::{FxHashMap, FxHashSet};

/// Trials for one edge or text, over all cases.
const OF_AN_EDGE: u32 = 300;
/// Trials for an error at one place, over all cases: there are many places.
const OF_AN_ERROR: u32 = 80;
/// Trials for one aim of one case.
const OF_A_CASE: usize = 16;
/// Places that one number or text is tried at.
const PLACES: usize = 6;
/// Bytes of a file that are looked through, and places that are taken note of.
const LOOKED_THROUGH: usize = 4096;
const NOTED: usize = 64;
/// Bytes that a reading may miss.
const MISSING: usize = 1 << 14;
/// Trials planned with one case.
const PLANNED: usize = 2048;
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
    /// What a solver suggests.
    Solved(Vec<backward::Change>),
}

/// Trials that wait, and how many were made for each aim.
#[derive(Default)]
pub(super) struct Trials {
    waiting: Vec<Trial>,
    made: FxHashMap<Mark, u32>,
    /// What runs have shown to be equal.
    pub same: FxHashSet<Mark>,
}

impl Trials {
    /// Plans the changes of a case, which is kept under this number, that its aims suggest, and what its run, which took these
    /// inputs, has asked for in vain.
    pub fn plan(
        &mut self,
        aims: &Aims<'_>,
        inputs: &[InputRecord],
        (number, case): (usize, &Case),
        random: &mut Random,
    ) {
        let mut plan = Plan { number, planned: Vec::new(), of_marks: FxHashMap::default() };
        let longest = case.files.iter().map(|file| file.len() as i128).max();
        for aim in &aims.numbers {
            if !self.has_room(&plan, aim.mark) {
                continue;
            }
            for (input, record) in case.inputs.iter().enumerate() {
                if record.value == InputValue::Int(aim.found) && fits(record, aim.wanted) {
                    plan.add(aim.mark, [Change::Number { input, value: aim.wanted }]);
                }
            }
            let read = aim
                .read
                .filter(|(place, _)| case.files.get(place.file).is_some_and(|file| place.at + place.len <= file.len()));
            if let Some((Place { file, at, len }, _)) = read {
                let new = aim.wanted.to_le_bytes()[..len].to_vec();
                plan.add(aim.mark, [Change::File { file, at, len, new }]);
            }
            if read.is_some_and(|(_, is_certain)| is_certain) {
                continue;
            }
            for (found, wanted) in encodings(aim.found, aim.wanted) {
                plan.add(aim.mark, replaced(case, &found, &wanted, random));
            }
            let mut more = Default::default();
            longest.into_iter().for_each(|length| behind(aim.found, aim.wanted, length, &mut more));
            for new in more {
                plan.add(aim.mark, appended(case, &new));
            }
        }
        for (mark, found, wanted) in &aims.texts {
            if !self.has_room(&plan, *mark) {
                continue;
            }
            let shorter = found.len().min(wanted.len());
            for found in [found, &found[..shorter]] {
                plan.add(*mark, replaced(case, found, wanted, random));
            }
            if found.is_empty() {
                plan.add(*mark, appended(case, wanted));
            }
        }
        for (mark, border) in &aims.borders {
            for count in aims.counts.iter().rev().take(COUNTS) {
                if !self.has_room(&plan, *mark) {
                    break;
                }
                for (found, wanted) in encodings(*count, border + 1) {
                    plan.add(*mark, replaced(case, &found, &wanted, random).into_iter().take(2));
                }
            }
        }
        for record in inputs {
            let mark = Mark::Whole(record.place);
            if self.has_room(&plan, mark) {
                plan.add(mark, completed(case, record, random));
            }
        }
        let mut planned = plan.planned;
        planned.retain(|trial| {
            let made = self.made.entry(trial.mark).or_default();
            *made += 1;
            *made <= most(trial.mark)
        });
        // The last to wait is the first to be tried.
        planned.reverse();
        self.waiting.append(&mut planned);
        let beyond = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..beyond);
    }

    /// Plans what a solver suggests for a case.
    pub fn plan_solved(&mut self, number: usize, mark: Mark, changes: Vec<backward::Change>) {
        self.waiting.push(Trial { case: number, change: Change::Solved(changes), mark });
    }

    /// Whether more may be tried for an aim.
    fn has_room(&self, plan: &Plan, mark: Mark) -> bool {
        plan.planned.len() < PLANNED
            && self.made.get(&mark).is_none_or(|made| *made < most(mark))
            && plan.of_marks.get(&mark).is_none_or(|of_mark| *of_mark < OF_A_CASE)
    }

    /// Whether none wait.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Forgets how often anything was tried.
    pub fn begin_again(&mut self) {
        self.made.clear();
    }

    /// The next case to try: the change of a kept one whose aim nobody has met; the aim, and whether a solver suggests it.
    pub fn next(&mut self, kept: &[Case], is_met: impl Fn(Mark) -> bool) -> Option<(Case, Mark, bool)> {
        while let Some(trial) = self.waiting.pop() {
            let is_over = |mark: Mark| is_met(mark) || self.same.contains(&mark);
            let Some(case) = kept.get(trial.case).filter(|_| !is_over(trial.mark)) else { continue };
            let mut case = Case { from: Some(trial.case), ..case.clone() };
            let is_solved = matches!(trial.change, Change::Solved(_));
            trial.change.make(&mut case);
            return Some((case, trial.mark, is_solved));
        }
        None
    }
}

/// Trials for one aim, over all cases.
fn most(mark: Mark) -> u32 {
    if matches!(mark, Mark::Error(_)) { OF_AN_ERROR } else { OF_AN_EDGE }
}

/// The trials of one case.
struct Plan {
    number: usize,
    planned: Vec<Trial>,
    of_marks: FxHashMap<Mark, usize>,
}

impl Plan {
    fn add(&mut self, mark: Mark, changes: impl IntoIterator<Item = Change>) {
        for change in changes {
            let of_mark = self.of_marks.entry(mark).or_default();
            *of_mark += 1;
            if *of_mark <= OF_A_CASE {
                self.planned.push(Trial { case: self.number, change, mark });
            }
        }
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
            Change::Solved(changes) => solved::make(&changes, case),
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
        for at in some_of(noted(content, found), random) {
            changes.push(Change::File { file, at, len, new: wanted.to_vec() });
        }
    }
    for (input, record) in case.inputs.iter().enumerate() {
        let InputValue::Arguments(arguments) = &record.value else { continue };
        for (word, content) in arguments.argv.iter().enumerate().skip(1) {
            for at in some_of(noted(content, found), random) {
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

/// The changes that have as much come as a reading has asked for.
fn completed(case: &Case, record: &InputRecord, random: &mut Random) -> Vec<Change> {
    let Some(Wish { file, asked: Some(asked), came, .. }) = Wish::of(record) else { return Vec::new() };
    let missing = asked.saturating_sub(came);
    let (true, Some(content)) = ((1..=MISSING).contains(&missing), case.files.get(file)) else { return Vec::new() };
    let any = (0..missing).map(|_| random.bits() as u8).collect();
    let behind = |new| Change::File { file, at: content.len(), len: 0, new };
    [vec![0; missing], vec![1; missing], any].map(behind).into()
}

/// Where the bytes stand, as far as that is looked for.
fn noted(content: &[u8], bytes: &[u8]) -> Vec<usize> {
    places_of(&content[..content.len().min(LOOKED_THROUGH)], bytes).take(NOTED).collect()
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
