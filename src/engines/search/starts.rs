//! Places on the way of kept runs from which runs on changed inputs go on, so that what comes before the change is not run again.
//!
//! Nothing is taken on trust: what the kept run asked for until such a place is asked of the changed inputs, too, and the run goes on from the last
//! place until which all answers are the same. So it comes to what it comes to from the start, only sooner.

use super::again::Within;
use super::coverage::{Edges, EdgesSoFar};
use super::steered::Steered;
use crate::concrete::{
    Arguments, Frozen, InputPlace, InputRecord, InputSource, InputValue, Machine, Observer, Past, Reading,
    ScalarRequest,
};
use crate::ir::{BlockId, FuncId, Stmt, StmtKind};
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;

/// Places kept of one run, and statements between two of them at least.
const OF_A_RUN: u64 = 12;
const BETWEEN: u64 = 2000;

/// What was asked of an input source, and what it said.
#[derive(Clone, Debug)]
enum Asked {
    Scalar(ScalarRequest, InputValue),
    Bytes(InputPlace, u32, usize, Option<Reading>, Vec<u8>),
    Ahead(Reading, usize, Option<Vec<u8>>),
    Fails(InputPlace, u32, bool),
    Arguments(InputPlace, u32, Arguments),
}

impl Asked {
    /// Whether another source says the same; it goes on behind what is asked.
    fn is_answered_alike(&self, source: &mut Steered<'_>) -> bool {
        match self {
            Asked::Scalar(request, said) => source.scalar(request) == *said,
            Asked::Bytes(place, occurrence, len, reading, said) => {
                source.bytes(*place, *occurrence, *len, *reading) == *said
            }
            Asked::Ahead(reading, most, said) => source.ahead(*reading, *most) == *said,
            Asked::Fails(place, occurrence, said) => source.fails(*place, *occurrence) == *said,
            Asked::Arguments(place, occurrence, said) => source.arguments(*place, *occurrence) == *said,
        }
    }

    fn bytes(&self) -> u64 {
        let owned = match self {
            Asked::Scalar(..) | Asked::Fails(..) | Asked::Ahead(_, _, None) => 0,
            Asked::Bytes(.., said) | Asked::Ahead(_, _, Some(said)) => said.len(),
            Asked::Arguments(.., said) => said.argv.iter().chain(&said.envp).map(Vec::len).sum(),
        };
        (size_of::<Asked>() + owned) as u64
    }
}

/// Notes what a run asks of a source.
pub(super) struct Noting<'a, 's> {
    source: Steered<'s>,
    asked: Vec<Asked>,
    /// How many that are, for those who watch the run.
    count: &'a Cell<usize>,
}

impl<'a, 's> Noting<'a, 's> {
    pub fn new(source: Steered<'s>, count: &'a Cell<usize>) -> Noting<'a, 's> {
        Noting { source, asked: Vec::new(), count }
    }

    fn note(&mut self, asked: Asked) {
        self.asked.push(asked);
        self.count.set(self.asked.len());
    }
}

impl InputSource for Noting<'_, '_> {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        let said = self.source.scalar(request);
        self.note(Asked::Scalar(*request, said.clone()));
        said
    }
    fn bytes(&mut self, place: InputPlace, occurrence: u32, len: usize, reading: Option<Reading>) -> Vec<u8> {
        let said = self.source.bytes(place, occurrence, len, reading);
        self.note(Asked::Bytes(place, occurrence, len, reading, said.clone()));
        said
    }
    fn ahead(&mut self, reading: Reading, most: usize) -> Option<Vec<u8>> {
        let said = self.source.ahead(reading, most);
        self.note(Asked::Ahead(reading, most, said.clone()));
        said
    }
    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool {
        let said = self.source.fails(place, occurrence);
        self.note(Asked::Fails(place, occurrence, said));
        said
    }
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        let said = self.source.arguments(place, occurrence);
        self.note(Asked::Arguments(place, occurrence, said.clone()));
        said
    }
}

/// A place on the way of a run.
struct Start {
    frozen: Frozen,
    /// The edges until then.
    edges: EdgesSoFar,
    /// How much was asked until then.
    asked: usize,
    /// How many statements have read inputs until then.
    read: usize,
}

impl Start {
    fn bytes(&self) -> u64 {
        self.frozen.bytes() + self.edges.bytes()
    }
}

/// How many statements apart places of a run are that takes so many.
pub(super) fn between(statements: u64) -> u64 {
    (statements / OF_A_RUN).max(BETWEEN)
}

/// Keeps places of a run under way: before inputs are read, each some way behind the other.
pub(super) struct Freezing<'a> {
    edges: &'a mut Edges,
    count: &'a Cell<usize>,
    between: u64,
    /// Bytes that all may take.
    left: u64,
    starts: Vec<Arc<Start>>,
    /// How much was asked before each statement that reads inputs, and statements until then.
    read: Vec<(usize, u64)>,
}

impl<'a> Freezing<'a> {
    /// Of a run, so many statements apart at least.
    pub fn new(edges: &'a mut Edges, count: &'a Cell<usize>, between: u64, most_bytes: u64) -> Freezing<'a> {
        Freezing { edges, count, between, left: most_bytes, starts: Vec::new(), read: Vec::new() }
    }
}

impl Observer for Freezing<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        self.edges.enter_block(function, block, machine);
    }

    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        if !matches!(stmt.kind, StmtKind::Input { .. } | StmtKind::InputBytes { .. }) {
            return;
        }
        let read = self.read.len();
        self.read.push((self.count.get(), machine.statements()));
        let last = self.starts.last().map_or(0, |start| start.frozen.statements());
        if self.left == 0 || machine.statements() < last + self.between || !machine.may_freeze() {
            return;
        }
        let start = Start { frozen: machine.freeze(), edges: self.edges.so_far(), asked: self.count.get(), read };
        self.left = self.left.saturating_sub(start.bytes());
        if self.left > 0 {
            self.starts.push(Arc::new(start));
        }
    }
}

/// The places of one case's run. Those that it has in common with another's are shared.
pub(super) struct Starts {
    asked: Vec<Asked>,
    starts: Vec<Arc<Start>>,
    read: Vec<(usize, u64)>,
    /// What it consumed until the last place.
    log: Vec<InputRecord>,
    /// The errors that the run has gone past.
    past: Arc<Past>,
    /// Bytes besides the places.
    bytes: u64,
}

impl Starts {
    /// The places that were kept of a run which asked for this, consumed these inputs and went past these errors.
    pub fn new(noting: Noting<'_, '_>, freezing: Freezing<'_>, inputs: &[InputRecord], past: Arc<Past>) -> Starts {
        let (Freezing { starts, read, .. }, asked) = (freezing, noting.asked);
        let log = inputs[..starts.last().map_or(0, |start| start.frozen.consumed())].to_vec();
        let consumed: u64 = log.iter().map(InputRecord::bytes).sum();
        let bytes = consumed + asked.iter().map(Asked::bytes).sum::<u64>() + size_of_val(&*read) as u64;
        Starts { asked, starts, read, log, past, bytes }
    }

    /// Notes and keeps, for a run that goes on from this place, what this one was asked and kept until there.
    pub fn copy_until(&self, place: Option<usize>, noting: &mut Noting<'_, '_>, freezing: &mut Freezing<'_>) {
        let Some(start) = place.map(|place| &self.starts[place]) else { return };
        noting.asked.extend_from_slice(&self.asked[..start.asked]);
        noting.count.set(start.asked);
        freezing.starts.extend(self.starts.iter().take_while(|other| other.asked <= start.asked).cloned());
        freezing.read.extend_from_slice(&self.read[..start.read]);
    }

    /// Bytes of the places that no other run has.
    fn own_bytes(&self) -> u64 {
        let own = self.starts.iter().filter(|start| Arc::strong_count(start) == 1);
        self.bytes + own.map(|start| start.bytes()).sum::<u64>()
    }

    /// How a run begins on inputs from such a source within these bounds.
    pub fn begin<'s>(&self, source: impl Fn() -> Steered<'s>, within: &Within) -> Begin<'_, 's> {
        let mut tried = source();
        let alike = self.asked.iter().take_while(|asked| asked.is_answered_alike(&mut tried)).count();
        let read = self.read.partition_point(|(asked, _)| *asked <= alike);
        let differs = read.checked_sub(1).map(|read| self.read[read].1);
        let fits = |start: &Arc<Start>| {
            let Start { frozen, asked, .. } = &**start;
            *asked <= alike && frozen.ends() <= within.ends && frozen.statements() <= within.statements
        };
        let place = self.starts.iter().rposition(fits).filter(|_| *self.past == *within.past);
        let last = place.map(|place| &self.starts[place]);
        let mut source = source();
        if let Some(start) = last {
            // It was asked this before, and goes on behind.
            let is_alike = self.asked[..start.asked].iter().all(|asked| asked.is_answered_alike(&mut source));
            debug_assert!(is_alike, "a source answers alike each time");
        }
        Begin { place, last: last.map(|start| (&start.frozen, &start.edges)), log: &self.log, source, differs }
    }
}

/// How a run begins.
pub(super) struct Begin<'k, 's> {
    /// The number of the place from which it goes on.
    pub place: Option<usize>,
    /// The place from which it goes on, and the edges until then.
    pub last: Option<(&'k Frozen, &'k EdgesSoFar)>,
    /// What the kept run consumed.
    pub log: &'k [InputRecord],
    /// Behind what was asked until then.
    pub source: Steered<'s>,
    /// Statements until it first may get another answer than the kept run, where that is known.
    pub differs: Option<u64>,
}

impl<'k, 's> Begin<'k, 's> {
    /// From a place of these where there is one, else at the start; `edges` are those until then.
    pub fn of(
        starts: Option<&'k Starts>,
        source: impl Fn() -> Steered<'s>,
        within: &Within,
        edges: &mut Edges,
    ) -> Begin<'k, 's> {
        let begin = match starts {
            Some(starts) => starts.begin(source, within),
            None => Begin { place: None, last: None, log: &[], source: source(), differs: None },
        };
        if let Some((_, so_far)) = begin.last {
            edges.go_on(so_far);
        }
        begin
    }

    /// The state from which it goes on, and what was consumed until then.
    pub fn state(&self) -> Option<(&'k Frozen, &'k [InputRecord])> {
        self.last.map(|(frozen, _)| (frozen, self.log))
    }
}

/// The places of all cases, as far as there is room: those that were found first go first.
#[derive(Default)]
pub(super) struct AllStarts {
    of_cases: FxHashMap<usize, Arc<Starts>>,
    oldest_first: VecDeque<usize>,
    bytes: u64,
}

impl AllStarts {
    /// Those of a kept case.
    pub fn of(&self, case: usize) -> Option<Arc<Starts>> {
        self.of_cases.get(&case).cloned()
    }

    /// Keeps those of a case; all may take so many bytes.
    pub fn keep(&mut self, case: usize, starts: Starts, most_bytes: u64) {
        self.bytes += starts.own_bytes();
        match self.of_cases.insert(case, Arc::new(starts)) {
            Some(before) => self.bytes -= before.own_bytes(),
            None => self.oldest_first.push_back(case),
        }
        while self.bytes > most_bytes
            && let Some(first) = self.oldest_first.pop_front()
        {
            self.bytes -= self.of_cases.remove(&first).map_or(0, |starts| starts.own_bytes());
        }
    }
}
