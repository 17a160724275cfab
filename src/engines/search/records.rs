//! Records of files, as a program reads them: what it reads from one call of a function to the next call at the same place is a record, and all that start
//! there are of one kind. Whole records are repeated, left out, moved, and taken over from other files.
//!
//! See: Pham, Böhme, Santosa, Căciulescu, Roychoudhury, "Smart Greybox Fuzzing", Sect. 3 (changes of whole parts of a file). There a description of the
//! format tells the parts; here the program's calls do.

use super::random::Random;
use crate::base::{Idx, Span};
use crate::concrete::{InputRecord, Machine, Observer, Source};
use crate::ir::program::ENTRY;
use crate::ir::{BlockId, FuncId, Stmt, StmtKind};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Records of one kind, and of all kinds, whose starts are kept of one run.
const OF_A_KIND: usize = 256;
const OF_ALL: usize = 1024;
/// The first bytes of a record say what it is.
const TOLD_BY: usize = 4;
/// A record is repeated so often at most by one change, as a power of two.
const TWICE: usize = 2;

/// Records of one kind in one file.
#[derive(Clone, Debug)]
struct Kind {
    /// What tells the kind: the calls that were being made.
    key: u64,
    /// How many these are.
    depth: usize,
    file: usize,
    /// In ascending order.
    starts: Vec<usize>,
}

/// Where the records of a run's files start, of those first that are read by fewer calls one in the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Records(Vec<Kind>);

impl Records {
    /// Bytes of memory, roughly.
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|kind| size_of::<Kind>() as u64 + size_of_val(&*kind.starts) as u64).sum()
    }

    /// These, of a run that goes on from a place on the way of one with the `earlier` ones, with those until there.
    pub fn with_earlier(mut self, earlier: &Records) -> Records {
        let mut first: FxHashMap<usize, usize> = FxHashMap::default();
        for kind in &self.0 {
            let start = kind.starts[0];
            first.entry(kind.file).and_modify(|first| *first = start.min(*first)).or_insert(start);
        }
        for old in &earlier.0 {
            let until = first.get(&old.file).copied().unwrap_or(usize::MAX);
            let before = old.starts.iter().copied().take_while(|start| *start < until);
            match self.0.iter_mut().find(|kind| kind.key == old.key && kind.file == old.file) {
                Some(kind) => drop(kind.starts.splice(0..0, before)),
                None => {
                    let starts: Vec<usize> = before.collect();
                    self.0.extend((!starts.is_empty()).then(|| Kind { starts, ..old.clone() }));
                }
            }
        }
        self.0.sort_by_key(|kind| (kind.depth, kind.file, kind.starts[0]));
        self
    }

    /// Single records of these files, those first that are read by fewer calls one in the other: the file, where it lies there, and what tells it from
    /// others: how it begins, and how the ones before and behind it begin.
    pub fn single<'a>(&'a self, files: &'a [Vec<u8>]) -> impl Iterator<Item = (usize, Range<usize>, u64)> + 'a {
        let of_kind = |kind: &'a Kind| {
            let content = files.get(kind.file)?;
            let count = kind.starts.partition_point(|start| *start < content.len());
            let begins = |part: Range<usize>| &content[part.start..part.end.min(part.start + TOLD_BY)];
            let record =
                move |i: usize| kind.starts[i]..kind.starts[..count].get(i + 1).copied().unwrap_or(content.len());
            Some((0..count).map(move |i| {
                let [before, after] = [i.checked_sub(1), (i + 1 < count).then_some(i + 1)];
                let told_by = [before, Some(i), after].map(|i| i.map(|i| begins(record(i))));
                let mut hasher = FxHasher::default();
                (kind.file, told_by).hash(&mut hasher);
                (kind.file, record(i), hasher.finish())
            }))
        };
        self.0.iter().filter_map(of_kind).flatten()
    }

    /// One or more records of a file of this length that follow each other.
    fn pick(&self, file: usize, len: usize, random: &mut Random) -> Option<(&Kind, Range<usize>)> {
        let kinds: Vec<&Kind> = self.0.iter().filter(|kind| kind.file == file && kind.starts[0] < len).collect();
        let at = random.below(kinds.len().max(1)).min(random.below(kinds.len().max(1)));
        let kind = *kinds.get(at)?;
        let count = kind.starts.partition_point(|start| *start < len);
        let first = random.below(count);
        let more = random.below(count - first).min(random.below(count - first));
        let end = kind.starts[..count].get(first + more + 1).copied().unwrap_or(len);
        Some((kind, kind.starts[first]..end))
    }

    /// Changes a file by whole records, some of them from another file with its own records; whether it has any.
    pub fn change(
        &self,
        (file, content): (usize, &mut Vec<u8>),
        (others, from): (&Records, &[Vec<u8>]),
        random: &mut Random,
    ) -> bool {
        let Some((kind, part)) = self.pick(file, content.len(), random) else { return false };
        let place = random.pick(&kind.starts).copied().unwrap_or(0).min(content.len());
        match random.below(8) {
            0..4 => {
                let again = content[part.clone()].repeat(1 << random.below(TWICE));
                content.splice(part.end..part.end, again);
            }
            4 => drop(content.drain(part)),
            5 => {
                let moved = content[part].to_vec();
                content.splice(place..place, moved);
            }
            _ => {
                let alike = others.0.iter().filter(|other| other.key == kind.key);
                let alike: Vec<&Kind> = alike.collect();
                let Some(other) = random.pick(&alike) else { return false };
                let one = Records(vec![(*other).clone()]);
                let Some(theirs) = from.get(other.file) else { return false };
                let Some((_, new)) = one.pick(other.file, theirs.len(), random) else { return false };
                let old = if random.one_in(2) { place..place } else { part };
                content.splice(old, theirs[new].iter().copied());
            }
        }
        true
    }
}

/// Notes where the records of a run start.
#[derive(Debug)]
pub(super) struct NotingRecords {
    /// Where the last call was made.
    call: Span,
    /// Of each call that is being made, what tells the kind of the record that it reads, and whether it has begun one.
    calls: Vec<(u64, bool)>,
    /// Inputs that were looked at.
    looked_at: Option<usize>,
    /// Of each kind, by its key and file.
    kinds: FxHashMap<(u64, usize), Kind>,
    count: usize,
}

impl NotingRecords {
    pub fn new() -> NotingRecords {
        NotingRecords { call: Span::NONE, calls: Vec::new(), looked_at: None, kinds: FxHashMap::default(), count: 0 }
    }

    pub fn into_records(self) -> Records {
        let mut kinds: Vec<Kind> = self.kinds.into_values().collect();
        kinds.sort_by_key(|kind| (kind.depth, kind.file, kind.starts[0], kind.key));
        Records(kinds)
    }

    /// What it knows of calls that were made before it began to watch.
    fn catch_up(&mut self, machine: &Machine<'_>) {
        self.looked_at.get_or_insert(machine.inputs_so_far().len());
        let depth = machine.call_stack().count();
        self.calls.truncate(depth);
        for function in machine.call_stack().skip(self.calls.len()) {
            let key = key(self.calls.last(), function.index());
            self.calls.push((key, true));
        }
    }

    fn note(&mut self, (key, depth): (u64, usize), (file, at): (usize, usize)) {
        if self.count >= OF_ALL {
            return;
        }
        let kind = self.kinds.entry((key, file)).or_insert_with(|| Kind { key, depth, file, starts: Vec::new() });
        if kind.starts.len() < OF_A_KIND && kind.starts.last().is_none_or(|last| *last < at) {
            kind.starts.push(at);
            self.count += 1;
        }
    }
}

/// What tells a kind of record that is read within a call.
fn key(within: Option<&(u64, bool)>, by: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    (within.map(|(key, _)| key), by).hash(&mut hasher);
    hasher.finish()
}

/// A place of the program's text.
fn place(span: Span) -> (usize, u32, u32) {
    (span.file.index(), span.line, span.column)
}

/// The place in a file that an input comes from.
fn place_of(input: &InputRecord) -> Option<(usize, usize)> {
    match input.source {
        Source::File { file, at } | Source::Length { file, at, .. } => Some((file, usize::try_from(at).ok()?)),
        _ => None,
    }
}

impl Observer for NotingRecords {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        if block != ENTRY {
            return;
        }
        self.catch_up(machine);
        self.calls.pop();
        let key = key(self.calls.last(), (function.index(), place(self.call)));
        self.calls.push((key, false));
    }

    fn before_statement<'p>(&mut self, stmt: &'p Stmt, _: &mut Machine<'p>) {
        if matches!(stmt.kind, StmtKind::Call { .. }) {
            self.call = stmt.span;
        }
    }

    fn after_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        let inputs = machine.inputs_so_far().len();
        if self.looked_at == Some(inputs) {
            return;
        }
        self.catch_up(machine);
        let new = self.looked_at.replace(inputs).unwrap_or(inputs);
        let Some(from) = machine.inputs_so_far()[new..].iter().find_map(place_of) else { return };
        for depth in 0..self.calls.len() {
            let (key, begun) = &mut self.calls[depth];
            if !std::mem::replace(begun, true) {
                let key = *key;
                self.note((key, depth), from);
            }
        }
        // A function that reads several records itself does so by the same statement.
        let key = key(self.calls.last(), place(stmt.span));
        self.note((key, self.calls.len()), from);
    }
}
