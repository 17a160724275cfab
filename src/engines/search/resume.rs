//! Runs that go on from the middle of a kept one. A program that fills tables, or reads a long header, before it comes to what was changed would do so anew in each
//! run; so states of kept runs are held on to, and a run that is given the same up to one of them starts there.
//!
//! See: Schumilo, Aschermann, Jemmett, Abbasi, Holz, "Nyx-Net: Network Fuzzing with Incremental Snapshots", Sect. 3. Whether a run may go on from a state is not
//! guessed from what was changed: its inputs are asked what the kept run has asked up to there, and must answer the same.

use super::again::{Within, run_from};
use super::case::Case;
use super::coverage::{Edges, Taken};
use super::driver::Search;
use super::goals::Progress;
use super::random::Random;
use super::steered::Manner;
use super::watch::Both;
use crate::concrete::{
    Arguments, InputPlace, InputSource, InputValue, Machine, Observer, Reading, Run, ScalarRequest, Snapshot,
};
use crate::ir::{BlockId, FuncId, Stmt, StmtKind};
use rustc_hash::FxHashSet;
use std::cell::RefCell;

/// Statements of a run that is worth it, and the parts of one run: states are as far apart.
const LONG: u64 = 2000;
const PARTS: u64 = 6;
/// Bytes of all states that are held on to.
const ROOM: u64 = 1 << 28;

/// A question of a run, and its answer.
#[derive(Debug)]
enum Asked {
    Scalar(ScalarRequest, InputValue),
    Bytes((InputPlace, u32, usize, Option<Reading>), Vec<u8>),
    Ahead((Reading, usize), Option<Vec<u8>>),
    Fails((InputPlace, u32), bool),
    Arguments((InputPlace, u32), Arguments),
}

impl Asked {
    /// Whether these inputs answer the same.
    fn again(&self, inputs: &mut dyn InputSource) -> bool {
        match self {
            Asked::Scalar(request, value) => inputs.scalar(request) == *value,
            Asked::Bytes((place, occurrence, len, reading), bytes) => {
                inputs.bytes(*place, *occurrence, *len, *reading) == *bytes
            }
            Asked::Ahead((reading, most), bytes) => inputs.ahead(*reading, *most) == *bytes,
            Asked::Fails((place, occurrence), fails) => inputs.fails(*place, *occurrence) == *fails,
            Asked::Arguments((place, occurrence), arguments) => inputs.arguments(*place, *occurrence) == *arguments,
        }
    }
}

/// Inputs that note what they are asked.
pub(super) struct Asking<'a> {
    pub inputs: &'a mut dyn InputSource,
    pub asked: &'a Questions,
}

/// What a run has asked so far.
#[derive(Debug, Default)]
pub(super) struct Questions(RefCell<Vec<Asked>>);

impl Asking<'_> {
    fn note<T: Clone>(&mut self, answer: T, asked: impl FnOnce(T) -> Asked) -> T {
        self.asked.0.borrow_mut().push(asked(answer.clone()));
        answer
    }
}

impl InputSource for Asking<'_> {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        let answer = self.inputs.scalar(request);
        self.note(answer, |answer| Asked::Scalar(request.clone(), answer))
    }
    fn bytes(&mut self, place: InputPlace, occurrence: u32, len: usize, reading: Option<Reading>) -> Vec<u8> {
        let answer = self.inputs.bytes(place, occurrence, len, reading);
        self.note(answer, |answer| Asked::Bytes((place, occurrence, len, reading), answer))
    }
    fn ahead(&mut self, reading: Reading, most: usize) -> Option<Vec<u8>> {
        let answer = self.inputs.ahead(reading, most);
        self.note(answer, |answer| Asked::Ahead((reading, most), answer))
    }
    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool {
        let answer = self.inputs.fails(place, occurrence);
        self.note(answer, |answer| Asked::Fails((place, occurrence), answer))
    }
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        let answer = self.inputs.arguments(place, occurrence);
        self.note(answer, |answer| Asked::Arguments((place, occurrence), answer))
    }
}

/// A state of a kept run.
#[derive(Debug)]
pub(super) struct Stop {
    snapshot: Snapshot,
    edges: Taken,
    /// Questions before it.
    asked: usize,
}

/// The states of a kept run, in order, and what it has asked.
#[derive(Debug)]
pub(super) struct Stops {
    asked: Vec<Asked>,
    stops: Vec<Stop>,
}

/// Takes the states of a run, before it reads.
pub(super) struct Stopping<'a> {
    asked: &'a Questions,
    edges: Edges,
    apart: u64,
    room: u64,
    last: u64,
    stops: Vec<Stop>,
}

impl<'a> Stopping<'a> {
    /// For the run of a case; it takes none of a short run, and none for which there is no room.
    pub fn of(case: &Case, asked: &'a Questions, held: u64) -> Stopping<'a> {
        let apart = if case.past || case.statements < LONG { u64::MAX } else { case.statements / PARTS };
        let room = ROOM.saturating_sub(held);
        let apart = if room == 0 { u64::MAX } else { apart };
        Stopping { asked, edges: Edges::default(), apart, room, last: 0, stops: Vec::new() }
    }

    /// What it has taken.
    pub fn into_stops(self) -> Vec<Stop> {
        self.stops
    }
}

impl Observer for Stopping<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        if self.apart != u64::MAX {
            self.edges.enter_block(function, block, machine);
        }
    }

    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        let reads = matches!(stmt.kind, StmtKind::Input { .. } | StmtKind::InputBytes { .. });
        if !reads || self.apart == u64::MAX || machine.statements() - self.last < self.apart {
            return;
        }
        let Some(snapshot) = machine.snapshot() else { return };
        self.last = machine.statements();
        self.room = self.room.saturating_sub(snapshot.bytes());
        if self.room == 0 {
            self.apart = u64::MAX;
            return;
        }
        self.stops.push(Stop { snapshot, edges: self.edges.taken(), asked: self.asked.0.borrow().len() });
    }
}

impl Search<'_> {
    /// Bytes that are held on to beside the states of this run; no room is left where these are held already.
    pub(super) fn held_for(&self, number: usize) -> u64 {
        if self.stops.contains_key(&number) { ROOM } else { self.held }
    }

    /// Holds on to the states of a kept run.
    pub(super) fn hold(&mut self, number: usize, stops: Vec<Stop>, asked: Questions) {
        let Some(last) = stops.last() else { return };
        let mut asked = asked.0.into_inner();
        asked.truncate(last.asked);
        self.held += stops.iter().map(|stop| stop.snapshot.bytes()).sum::<u64>();
        self.stops.insert(number, Stops { asked, stops });
    }

    /// A run of a case: with these inputs chosen anew, in this manner, of at most so many statements.
    pub(super) fn run_case(
        &mut self,
        case: &Case,
        changed: FxHashSet<(InputPlace, u32)>,
        manner: Manner,
        (statements, progress): (u64, Option<&mut Progress<'_>>),
    ) -> Run {
        let seed = self.random.bits();
        let mut edges = self.edges.take().unwrap_or_default();
        edges.clear();
        let source = || self.source(case, changed.clone(), manner, Random::new(seed));
        let stops = case.base.filter(|_| !case.past).and_then(|base| self.stops.get(&base));
        let stop = stops.and_then(|stops| {
            let mut inputs = source();
            let same = stops.asked.iter().take_while(|asked| asked.again(&mut inputs)).count();
            stops.stops.iter().rev().find(|stop| stop.asked <= same)
        });
        let mut inputs = source();
        if let (Some(stops), Some(stop)) = (stops, stop) {
            for asked in &stops.asked[..stop.asked] {
                asked.again(&mut inputs);
            }
            edges.go_on_from(&stop.edges);
        }
        let within = Within { ends: self.options.runs.ends, statements, past: self.past_of(case), ..Within::trace(0) };
        let from = stop.map(|stop| &stop.snapshot);
        let run = match progress {
            Some(progress) => {
                let mut both = Both(&mut edges, progress);
                run_from(self.prepared, (self.entry, from), &mut inputs, self.options, within, &mut both)
            }
            None => run_from(self.prepared, (self.entry, from), &mut inputs, self.options, within, &mut edges),
        };
        // What was asked again costs about as much as a statement each.
        let spared = stop.map_or(0, |stop| stop.snapshot.statements().saturating_sub(stop.asked as u64));
        self.edges = Some(edges);
        self.count(&run);
        self.outcome.statements -= spared.min(run.statements - 1);
        run
    }
}
