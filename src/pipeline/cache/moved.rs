//! Results of a program that has moved since: its comments, blank lines or line breaks have changed, and nothing that runs.
//!
//! The key is the whole program's intermediate representation without positions. Verdicts carry over site by site; the places
//! that they name are looked up among the program's positions then and now, which correspond one by one. Where one place has
//! become two, or is none of them, nothing is recalled.

use super::record::Record;
use crate::base::Span;
use crate::ir::Program;
use crate::verdict::{Doubt, Erring, Failure, Location, Verdict, locate};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// How the forward analysis names blocks of memory.
const BLOCK: &str = "the block of ";
const LINE: &str = " at line ";

/// What engines say of a program, and where all its parts stood.
#[derive(Debug, Serialize, Deserialize)]
pub struct MovedRecord {
    record: Record,
    positions: Vec<(u32, u32, u32)>,
    files: Vec<String>,
    /// The allocating functions and the lines of their calls, for the names of blocks.
    blocks: Vec<(String, u32)>,
}

impl MovedRecord {
    /// What is kept of `program`, whose positions are `spans`.
    pub fn of(record: Record, program: &Program, spans: &[Span]) -> MovedRecord {
        MovedRecord {
            record,
            positions: spans.iter().map(|span| (span.file.0, span.line, span.column)).collect(),
            files: program.sources.files().map(|(_, name)| name.to_owned()).collect(),
            blocks: blocks(program),
        }
    }

    /// The record for `program`, which differs from the one that it was made of in its positions alone.
    pub fn for_program(mut self, program: &Program, spans: &[Span]) -> Option<Record> {
        if self.positions.len() != spans.len() || self.blocks.len() != program.allocs.len() {
            return None;
        }
        let moves = Moves::new(&self, program, spans)?;
        self.record.change(
            |verdict| moves.verdict(verdict),
            |erring| moves.erring(erring),
            |doubt| moves.doubt(doubt),
        )?;
        Some(self.record)
    }
}

fn blocks(program: &Program) -> Vec<(String, u32)> {
    program.allocs.iter().map(|site| (site.name.clone(), site.span.line)).collect()
}

/// From places to where they are now; None for those that have become several.
#[derive(Debug, Default)]
struct Moves {
    places: FxHashMap<Location, Option<Location>>,
    blocks: FxHashMap<(String, u32), Option<u32>>,
}

/// Notes that `from` is `to` now.
fn note<K: std::hash::Hash + Eq, V: PartialEq>(map: &mut FxHashMap<K, Option<V>>, from: K, to: V) {
    let is_other = map.get(&from).is_some_and(|known| known.as_ref() != Some(&to));
    map.insert(from, (!is_other).then_some(to));
}

impl Moves {
    fn new(kept: &MovedRecord, program: &Program, spans: &[Span]) -> Option<Moves> {
        let mut moves = Moves::default();
        for ((file, line, column), span) in kept.positions.iter().zip(spans) {
            let file = kept.files.get(*file as usize)?.clone();
            note(&mut moves.places, Location { file, line: *line, column: *column }, locate(program, *span));
        }
        for (from, (_, line)) in kept.blocks.iter().zip(blocks(program)) {
            note(&mut moves.blocks, from.clone(), line);
        }
        Some(moves)
    }

    /// Changes a place to where it is now.
    fn place(&self, location: &mut Location) -> Option<()> {
        // What is no place stays none.
        if location.line > 0 {
            *location = self.places.get(location)?.clone()?;
        }
        Some(())
    }

    /// Changes the lines that a text names.
    fn text(&self, text: &mut String) -> Option<()> {
        if !text.contains(BLOCK) {
            return Some(());
        }
        let mut parts = text.split(BLOCK);
        let mut all = parts.next()?.to_owned();
        for part in parts {
            let (name, rest) = part.split_once(LINE)?;
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let line = (*self.blocks.get(&(name.to_owned(), rest[..digits].parse().ok()?))?)?;
            all.push_str(&format!("{BLOCK}{name}{LINE}{line}{}", &rest[digits..]));
        }
        *text = all;
        Some(())
    }

    fn failure(&self, failure: &mut Failure) -> Option<()> {
        failure.precondition.iter_mut().try_for_each(|input| self.place(&mut input.location))?;
        failure.trace.iter_mut().try_for_each(|step| self.place(&mut step.location))
    }

    /// Changes the places in a verdict.
    fn verdict(&self, verdict: &mut Verdict) -> Option<()> {
        match verdict {
            Verdict::Definite(failure) => self.failure(failure),
            Verdict::Possible(text) => self.text(text),
            Verdict::Safe(certificate) | Verdict::Unreachable(certificate) => self.text(&mut certificate.invariant),
            Verdict::Unknown(_) => Some(()),
        }
    }

    /// Changes the places in what keeps a site open.
    fn doubt(&self, doubt: &mut Doubt) -> Option<()> {
        doubt.at.as_mut().map_or(Some(()), |at| self.place(at))?;
        self.text(&mut doubt.words)
    }

    /// Changes the places in what runs say.
    fn erring(&self, erring: &mut Erring) -> Option<()> {
        match erring {
            Erring::Certain(failure) => self.failure(failure),
            Erring::Doubtful(_) => Some(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32) -> Location {
        Location { file: "a.c".into(), line, column: 5 }
    }

    #[test]
    fn places_that_became_several_are_refused() {
        let mut moves = Moves::default();
        note(&mut moves.places, place(3), place(7));
        note(&mut moves.places, place(3), place(7));
        note(&mut moves.places, place(4), place(8));
        note(&mut moves.places, place(4), place(9));
        note(&mut moves.places, place(4), place(9));
        let moved = |line| {
            let mut location = place(line);
            moves.place(&mut location).map(|()| location.line)
        };
        assert_eq!([moved(3), moved(4), moved(5), moved(0)], [Some(7), None, None, Some(0)]);
    }

    #[test]
    fn lines_of_blocks_are_changed_in_texts() {
        let mut moves = Moves::default();
        note(&mut moves.blocks, ("malloc".to_owned(), 3), 33);
        note(&mut moves.blocks, ("malloc".to_owned(), 33), 3);
        let moved = |text: &str| {
            let mut text = text.to_owned();
            moves.text(&mut text).map(|()| text)
        };
        let (before, after) = (
            "p: the block of malloc at line 3 + [0, 3], the block of malloc at line 33",
            "p: the block of malloc at line 33 + [0, 3], the block of malloc at line 3",
        );
        assert_eq!(moved(before).as_deref(), Some(after));
        assert_eq!(moved("the block of calloc at line 3"), None);
        assert_eq!(moved("40").as_deref(), Some("40"));
    }
}
