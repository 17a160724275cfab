//! Makes the inputs of a failing run small: what can be left out while the same goes wrong is left out.
//!
//! See: Zeller, Hildebrandt, "Simplifying and Isolating Failure-Inducing Input" (halves, then smaller parts).

use super::case::Case;
use crate::concrete::{InputRecord, InputValue};
use std::ops::Range;

/// Tries cases: what they take, if the same goes wrong, is their inputs again.
pub(super) struct Reducer<T> {
    /// The case of a run on these inputs that goes wrong in the same way; None where it does not, or may not be tried any more.
    pub errs: T,
    /// Inputs that are tried without.
    pub records: usize,
    /// The smallest part that a file is tried without, as one in so many of the whole; at least a byte.
    pub parts: usize,
}

impl<T: FnMut(&Case) -> Option<Case>> Reducer<T> {
    /// The smallest case that was found.
    pub fn reduce(&mut self, mut best: Case) -> Case {
        self.drop_records(&mut best);
        self.drop_arguments(&mut best);
        self.shrink_numbers(&mut best);
        self.shorten_files(&mut best);
        for file in 0..best.files.len() {
            self.make_plain(&mut best, file);
        }
        self.shorten_arguments(&mut best);
        best
    }

    /// Takes the case if it goes wrong, too.
    fn take(&mut self, best: &mut Case, other: &Case) -> bool {
        match (self.errs)(other) {
            Some(case) => {
                *best = case;
                true
            }
            None => false,
        }
    }

    /// Defaults in the place of inputs that do not come from files, the latest first.
    fn drop_records(&mut self, best: &mut Case) {
        for i in (0..best.inputs.len().min(self.records)).rev() {
            let Some(record) = best.inputs.get(i) else { continue };
            let key = (record.place, record.occurrence);
            let mut without = best.clone();
            without.inputs.retain(|r| (r.place, r.occurrence) != key);
            self.take(best, &without);
        }
    }

    /// Numbers nearer to 0.
    fn shrink_numbers(&mut self, best: &mut Case) {
        let mut left = self.records;
        for i in (0..best.inputs.len()).rev() {
            let mut refused = 0;
            while let Some(InputRecord { value: InputValue::Int(value), .. }) = best.inputs.get(i)
                && left > 0
                && value.abs_diff(refused) > 1
            {
                left -= 1;
                let between = refused + (value - refused) / 2;
                let mut smaller = best.clone();
                smaller.inputs[i].value = InputValue::Int(between);
                if !self.take(best, &smaller) {
                    refused = between;
                }
            }
        }
    }

    /// Fewer arguments of the program.
    fn drop_arguments(&mut self, best: &mut Case) {
        for i in 0..best.inputs.len() {
            // A program without its own name is a curiosity that helps nobody.
            let mut word = argv(best, i).map_or(0, Vec::len);
            while word > 1 {
                word -= 1;
                let mut fewer = best.clone();
                if let Some(argv) = argv_mut(&mut fewer, i).filter(|argv| word < argv.len()) {
                    argv.remove(word);
                    self.take(best, &fewer);
                }
            }
        }
    }

    /// Shorter arguments.
    fn shorten_arguments(&mut self, best: &mut Case) {
        for i in 0..best.inputs.len() {
            for word in 1..argv(best, i).map_or(0, Vec::len) {
                let mut part = argv(best, i).and_then(|argv| argv.get(word)).map_or(0, Vec::len);
                while part > 0 {
                    let mut at = 0;
                    while let Some(length) = argv(best, i).and_then(|argv| argv.get(word)).map(Vec::len)
                        && at < length
                    {
                        let mut shorter = best.clone();
                        if let Some(word) = argv_mut(&mut shorter, i).and_then(|argv| argv.get_mut(word)) {
                            word.drain(at..(at + part).min(length));
                        }
                        at += if self.take(best, &shorter) { 0 } else { part };
                    }
                    part /= 2;
                }
            }
        }
    }

    /// The case with shorter files.
    pub fn shorten_files(&mut self, best: &mut Case) {
        for file in 0..best.files.len() {
            self.shorten(best, file);
        }
    }

    /// A file without parts: halves, then quarters, and so on.
    fn shorten(&mut self, best: &mut Case, file: usize) {
        let Some(length) = best.files.get(file).map(Vec::len) else { return };
        let mut part = length.next_power_of_two();
        while part > length / self.parts {
            let mut at = 0;
            while file < best.files.len() && at < best.files[file].len() {
                let end = (at + part).min(best.files[file].len());
                let without = self.replaced(best, file, at..end, &[]);
                at += if without { 0 } else { part };
            }
            part /= 2;
        }
    }

    /// A file with zeros in digits, and plain letters, where it does not matter.
    fn make_plain(&mut self, best: &mut Case, file: usize) {
        const PLAIN: usize = 256;
        let mut at = 0;
        while file < best.files.len() && at < best.files[file].len().min(PLAIN) {
            let byte = best.files[file][at];
            let plain = if byte.is_ascii_digit() { b'0' } else { b'A' };
            if byte != plain && byte != b'\n' && byte != 0 {
                self.replaced(best, file, at..at + 1, &[plain]);
            }
            at += 1;
        }
    }

    fn replaced(&mut self, best: &mut Case, file: usize, range: Range<usize>, with: &[u8]) -> bool {
        let mut other = best.clone();
        other.files[file].splice(range, with.iter().copied());
        self.take(best, &other)
    }
}

fn argv(case: &Case, i: usize) -> Option<&Vec<Vec<u8>>> {
    match case.inputs.get(i) {
        Some(InputRecord { value: InputValue::Arguments(arguments), .. }) => Some(&arguments.argv),
        _ => None,
    }
}

fn argv_mut(case: &mut Case, i: usize) -> Option<&mut Vec<Vec<u8>>> {
    match case.inputs.get_mut(i) {
        Some(InputRecord { value: InputValue::Arguments(arguments), .. }) => Some(&mut arguments.argv),
        _ => None,
    }
}
