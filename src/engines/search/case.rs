//! Inputs that runs start from, and changes of them.

use super::dictionary::Dictionary;
use super::mutate::{Hint, LONGEST_FILE, Mutator, places_of};
use super::random::Random;
use super::records::Records;
use crate::concrete::{InputPlace, InputRecord, InputValue, Run, Source};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// How often a file is changed by whole records: once in so many times.
const BY_RECORDS: usize = 8;
/// How often it is an allocation of which another outcome is tried: once in so many times.
const FAILS: usize = 4;

/// The inputs of a run: contents of files, and what does not come from files.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    pub inputs: Vec<InputRecord>,
    /// In the order in which the run comes to them.
    pub files: Vec<Vec<u8>>,
    /// What its comparisons suggest for files and words of the command line.
    pub hints: Arc<Vec<Hint>>,
    /// The same for other inputs: a number, and one to have in its place.
    pub numbers: Arc<Vec<(i128, i128)>>,
    /// Where the records of its files start.
    pub records: Arc<Records>,
    /// Statements of its run.
    pub statements: u64,
    /// Whether its run goes past errors that are known.
    pub past: bool,
    /// Whether its run shows something new only as it reads on at the ends of files.
    pub goes_on: bool,
    /// The kept case that it was made of by changes.
    pub from: Option<usize>,
}

impl Case {
    /// The inputs of a run that was made with these files.
    pub fn of(run: &Run, mut files: Vec<Vec<u8>>) -> Case {
        files.truncate(run.files.len());
        files.extend(run.files[files.len()..].iter().map(|file| file.content()));
        Case {
            inputs: run.inputs.iter().filter(|r| r.source == Source::Chosen).cloned().collect(),
            files,
            statements: run.statements,
            past: !run.passed.is_empty(),
            ..Case::default()
        }
    }

    /// Bytes of memory, roughly.
    pub fn bytes(&self) -> u64 {
        let files: u64 = self.files.iter().map(|f| f.len() as u64).sum();
        files + self.inputs.iter().map(InputRecord::bytes).sum::<u64>() + self.records.bytes()
    }

    /// All that a comparison may have seen, files first.
    pub fn contents(&self) -> Vec<&[u8]> {
        let words = self.inputs.iter().filter_map(|record| match &record.value {
            InputValue::Arguments(arguments) => Some(arguments.argv.iter().map(Vec::as_slice)),
            _ => None,
        });
        self.files.iter().map(Vec::as_slice).chain(words.flatten()).collect()
    }

    /// Changes it; the inputs to choose anew come out.
    pub fn change(
        &mut self,
        dictionary: &Dictionary,
        other: &Case,
        random: &mut Random,
    ) -> FxHashSet<(InputPlace, u32)> {
        let mut changed = FxHashSet::default();
        let has_files = !self.files.is_empty();
        if has_files && (self.inputs.is_empty() || !random.one_in(4)) {
            let at = random.below(self.files.len());
            let records = self.records.clone();
            let theirs = (&*other.records, &*other.files);
            if random.one_in(BY_RECORDS) && records.change((at, &mut self.files[at]), theirs, random) {
                self.files[at].truncate(LONGEST_FILE);
                return changed;
            }
            let other: &[u8] = random.pick(&other.files).map_or(&[], Vec::as_slice);
            Mutator { dictionary, hints: &self.hints, other }.mutate(&mut self.files[at], random);
            if !random.one_in(8) {
                return changed;
            }
        }
        if !self.hints.is_empty() && random.one_in(3) && self.take_hint(random) {
            return changed;
        }
        if !self.numbers.is_empty() && random.one_in(3) {
            self.take_number(random);
            return changed;
        }
        let fails = |record: &&InputRecord| matches!(record.value, InputValue::Fails(_));
        let (fail, others): (Vec<&InputRecord>, Vec<&InputRecord>) = self.inputs.iter().partition(fails);
        for _ in 0..=random.below(3) {
            let from = if others.is_empty() || (!fail.is_empty() && random.one_in(FAILS)) { &fail } else { &others };
            changed.extend(random.pick(from).map(|r| (r.place, r.occurrence)));
        }
        changed
    }

    /// Whether an input is that number.
    pub fn has_number(&self, number: i128) -> bool {
        self.inputs.iter().any(|record| record.value == InputValue::Int(number))
    }

    /// Has an input be the number, or one beside it, that it is compared with.
    fn take_number(&mut self, random: &mut Random) {
        let Some(&(found, wanted)) = random.pick(&self.numbers) else { return };
        let such = self.inputs.iter_mut().filter(|record| record.value == InputValue::Int(found));
        let mut such: Vec<&mut InputRecord> = such.collect();
        if !such.is_empty() {
            let at = random.below(such.len());
            such[at].value = InputValue::Int(wanted.saturating_add(random.between(-1, 1)));
        }
    }

    /// Puts what a comparison suggests into a word of the command line; whether there was a place for it.
    fn take_hint(&mut self, random: &mut Random) -> bool {
        let Some(hint) = random.pick(&self.hints).cloned() else { return false };
        for record in &mut self.inputs {
            let InputValue::Arguments(arguments) = &mut record.value else { continue };
            for word in &mut arguments.argv {
                let at = places_of(word, &hint.found).next();
                if let Some(at) = at {
                    word.splice(at..at + hint.found.len(), hint.wanted.iter().copied().filter(|byte| *byte != 0));
                    return true;
                }
            }
        }
        false
    }
}
