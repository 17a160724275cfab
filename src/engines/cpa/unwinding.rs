//! The composite of location, loop bound and path formula that unrolls loops: bounded model checking and k-induction.
//!
//! Without a window, every loop is followed for `base` turns. With one, it is followed for `base` turns and then, from a
//! state after any number of turns, for a window of `base` turns that are taken to be right and one more that is
//! judged; loops are left from the turns of the base and from the window's last.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.4 and 4.1-4.2, Algorithm 3. We differ in
//! that several loops are unrolled with windows of their own, inner ones inside the turns of outer ones.

use super::algorithm::{Cpa, Explored, explore};
use super::loop_bound::{Step, Turn, Turns, rank, step};
use crate::encode::automaton::START;
use crate::encode::havoc::Writes;
use crate::encode::{Encoder, NodeId, State};
use crate::engines::invariant::leap::Landing;
use crate::engines::task::Budget;
use crate::smt::Term;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;

/// How loops are unrolled.
#[derive(Clone, Copy, Debug)]
pub struct Unrolling {
    pub base: u32,
    pub window: bool,
}

/// What comes to the head of a loop and must satisfy its invariants.
#[derive(Clone, Debug)]
pub struct Arrival {
    pub head: NodeId,
    /// Control comes here in a state that `values` of the candidates speak of.
    pub condition: Term,
    /// The candidates' terms in the arriving state, in their order.
    pub candidates: Vec<Term>,
}

/// A turn of a loop, the judged one of its window.
#[derive(Clone, Debug)]
pub struct WholeTurn {
    pub head: NodeId,
    /// At the head as the turn begins.
    pub before: State,
    /// At the head again; its path is that of the whole turn.
    pub after: State,
    /// The encoder's inputs that the turn may ask for.
    pub inputs: Range<usize>,
}

/// What may be assumed at a loop's head.
pub trait Invariants {
    /// The terms that the candidates at `head` are in `state`, in a fixed order.
    fn terms(&mut self, encoder: &mut Encoder<'_, '_>, head: NodeId, state: &mut State) -> Vec<Term>;
    /// The variables that switch them on, in the same order.
    fn switches(&self, head: NodeId) -> Vec<Term>;
}

/// No invariants.
pub struct Nothing;

impl Invariants for Nothing {
    fn terms(&mut self, _: &mut Encoder<'_, '_>, _: NodeId, _: &mut State) -> Vec<Term> {
        Vec::new()
    }
    fn switches(&self, _: NodeId) -> Vec<Term> {
        Vec::new()
    }
}

/// The unrolled program: its failures, gaps and inputs are in the encoder.
#[derive(Debug, Default)]
pub struct Unrolled {
    /// By loop: control would take more turns of it than are followed.
    pub beyond: Vec<(NodeId, Term)>,
    pub arrivals: Vec<Arrival>,
    /// By the way control takes back to the head.
    pub turns: Vec<WholeTurn>,
    /// Where executions begin.
    pub start: State,
    /// Where loops are leapt over, by entry.
    pub landings: Vec<Landing>,
    /// Whether the budget, or the limit of terms, ended the unrolling.
    pub aborted: bool,
    /// The abstract states in the order in which they were expanded.
    #[cfg(test)]
    pub visited: Vec<(NodeId, Turns)>,
}

/// Unrolls the automaton of `encoder`.
pub fn unroll<'a, 'p>(
    encoder: &mut Encoder<'a, 'p>,
    unrolling: Unrolling,
    invariants: &mut dyn Invariants,
    budget: &Budget,
) -> Unrolled {
    let state = encoder.initial();
    let loops = Loops { within: None, turns: &BTreeMap::new() };
    unroll_from(encoder, START, state, loops, unrolling, invariants, budget)
}

/// Unrolls the automaton of `encoder`, each loop for as many turns as `turns` says of its head, others for none.
pub fn unroll_each<'a, 'p>(encoder: &mut Encoder<'a, 'p>, turns: &BTreeMap<NodeId, u32>, budget: &Budget) -> Unrolled {
    let state = encoder.initial();
    let loops = Loops { within: None, turns };
    unroll_from(encoder, START, state, loops, Unrolling { base: 0, window: false }, &mut Nothing, budget)
}

/// The turns of one loop of an open automaton, from any state.
pub fn unroll_loop<'a, 'p>(encoder: &mut Encoder<'a, 'p>, head: NodeId, budget: &Budget) -> Unrolled {
    let state = encoder.anywhere();
    let loops = Loops { within: Some(head), turns: &BTreeMap::new() };
    unroll_from(encoder, head, state, loops, Unrolling { base: 0, window: true }, &mut Nothing, budget)
}

/// Which loops are followed, and how far.
struct Loops<'t> {
    /// Control that leaves this loop is not followed.
    within: Option<NodeId>,
    /// Turns of the base of single loops; the others have those of [`Unrolling`].
    turns: &'t BTreeMap<NodeId, u32>,
}

/// Unrolls from `state` at `first`.
fn unroll_from<'a, 'p>(
    encoder: &mut Encoder<'a, 'p>,
    first: NodeId,
    state: State,
    loops: Loops<'_>,
    unrolling: Unrolling,
    invariants: &mut dyn Invariants,
    budget: &Budget,
) -> Unrolled {
    let start = state.clone();
    let mut cpa = Unwinding {
        encoder,
        unrolling,
        loops,
        invariants,
        budget: budget.clone(),
        writes: FxHashMap::default(),
        begun: FxHashMap::default(),
        result: Unrolled { start, ..Unrolled::default() },
    };
    let initial = cpa.go_to(None, Vec::new(), first, state);
    cpa.result.aborted = explore(&mut cpa, initial) == Explored::Aborted;
    cpa.result
}

struct Unwinding<'e, 'a, 'p> {
    encoder: &'e mut Encoder<'a, 'p>,
    unrolling: Unrolling,
    loops: Loops<'e>,
    invariants: &'e mut dyn Invariants,
    budget: Budget,
    writes: FxHashMap<NodeId, std::rc::Rc<Writes<'p>>>,
    /// By head: the state in which the judged turn begins, and the inputs asked for before.
    begun: FxHashMap<NodeId, (State, usize)>,
    result: Unrolled,
}

/// Location, turns and path formula.
struct Unwound {
    node: NodeId,
    turns: Turns,
    state: State,
}

impl Unrolled {
    /// When control would take more turns than are followed, of any loop.
    pub fn beyond_any(&self, encoder: &mut Encoder<'_, '_>) -> Term {
        let all: Vec<Term> = self.beyond.iter().map(|(_, condition)| *condition).collect();
        encoder.pool.or(&all)
    }
}

impl Cpa for Unwinding<'_, '_, '_> {
    type State = Unwound;
    type Key = Vec<u32>;

    fn key(&self, state: &Unwound) -> Vec<u32> {
        rank(self.encoder.automaton, &state.turns, state.node)
    }

    fn transfer(&mut self, mut unwound: Unwound) -> Vec<Unwound> {
        let node = unwound.node;
        #[cfg(test)]
        self.result.visited.push((node, unwound.turns.clone()));
        if unwound.turns.last() == Some(&(node, Turn::Window(self.unrolling.base))) {
            self.begun.insert(node, (unwound.state.clone(), self.encoder.inputs.len()));
        }
        let failures = self.encoder.failures.len();
        self.encoder.run_node(&mut unwound.state, node);
        if self.is_assumed(&unwound.turns) {
            self.encoder.failures.truncate(failures);
        }
        if self.encoder.is_dead(&unwound.state) {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (edge, state) in self.encoder.leave_node(&unwound.state, node) {
            let to = self.encoder.automaton.nodes[node].edges[edge].to;
            if self.loops.within.is_some_and(|head| !self.encoder.automaton.order.is_inside(to, head)) {
                continue;
            }
            all.extend(self.go_to(Some(node), unwound.turns.clone(), to, state));
        }
        all
    }

    fn merge(&mut self, new: &Unwound, old: &Unwound) -> Option<Unwound> {
        let state = self.encoder.join(&old.state, &new.state);
        Some(Unwound { node: old.node, turns: old.turns.clone(), state })
    }

    fn stop(&mut self, _: &Unwound) -> bool {
        false
    }

    fn abort(&mut self) -> bool {
        self.encoder.pool.len() > self.budget.effort().encoded || self.budget.is_spent()
    }
}

impl Unwinding<'_, '_, '_> {
    /// Whether the turns are taken to be right: some loop is in its window, but not in the last turn.
    fn is_assumed(&self, turns: &[(NodeId, Turn)]) -> bool {
        turns.iter().any(|(_, turn)| matches!(turn, Turn::Window(n) if *n < self.unrolling.base))
    }

    /// Turns of the loop's base.
    fn base(&self, head: NodeId) -> u32 {
        self.loops.turns.get(&head).copied().unwrap_or(self.unrolling.base)
    }

    /// The abstract states that come to `to` along an edge.
    fn go_to(&mut self, from: Option<NodeId>, turns: Turns, to: NodeId, state: State) -> Vec<Unwound> {
        let automaton = self.encoder.automaton;
        let left = match from {
            Some(from) => step(automaton, &turns, from, to),
            None if automaton.order.is_head(to) => Step::Enter(turns.clone()),
            None => Step::Same(turns.clone()),
        };
        match left {
            Step::Same(kept) => {
                // A window is left from its last turn only: earlier ones are covered by other windows and the base.
                if self.is_assumed(&turns[kept.len()..]) {
                    return Vec::new();
                }
                vec![Unwound { node: to, turns: kept, state }]
            }
            Step::Enter(kept) | Step::Back(kept) if self.is_assumed(&turns[kept.len()..]) => Vec::new(),
            Step::Enter(kept) => self.enter(kept, to, state),
            Step::Back(kept) => self.come_back(kept, to, state),
        }
    }

    fn enter(&mut self, turns: Turns, head: NodeId, mut state: State) -> Vec<Unwound> {
        let turn = |t| turns.iter().copied().chain([(head, t)]).collect::<Turns>();
        if !self.unrolling.window {
            if self.base(head) == 0 {
                let path = self.encoder.path(&state);
                self.result.beyond.push((head, path));
                return Vec::new();
            }
            return vec![Unwound { node: head, turns: turn(Turn::Base(0)), state }];
        }
        if !self.is_assumed(&turns) {
            self.arrive(head, &mut state);
        }
        let writes = match self.writes.get(&head) {
            Some(writes) => writes.clone(),
            None => {
                let writes = std::rc::Rc::new(self.encoder.loop_writes(head));
                self.writes.insert(head, writes.clone());
                writes
            }
        };
        let mut later = self.encoder.havoc(&state, &writes);
        let in_window = (self.unrolling.base > 0).then(|| self.encoder.any_condition("window"));
        if let Some(in_window) = in_window {
            self.encoder.assume(&mut later, in_window);
        }
        self.assume_invariants(head, &mut later);
        let landing = Landing { head, state: later.clone(), written: writes.cells().collect() };
        self.result.landings.push(landing);
        let mut all = vec![Unwound { node: head, turns: turn(Turn::Window(0)), state: later }];
        if let Some(in_window) = in_window {
            let in_base = self.encoder.pool.not(in_window);
            self.encoder.assume(&mut state, in_base);
            all.push(Unwound { node: head, turns: turn(Turn::Base(0)), state });
        }
        all
    }

    fn come_back(&mut self, mut turns: Turns, head: NodeId, mut state: State) -> Vec<Unwound> {
        let Some((_, turn)) = turns.pop() else { return Vec::new() };
        let base = self.base(head);
        let judged = self.unrolling.window && !self.is_assumed(&turns);
        let next = match turn {
            Turn::Base(n) => {
                if judged {
                    self.arrive(head, &mut state);
                }
                (n + 1 < base).then_some(Turn::Base(n + 1))
            }
            Turn::Window(n) if n < base => {
                self.assume_invariants(head, &mut state);
                Some(Turn::Window(n + 1))
            }
            Turn::Window(_) => {
                if judged {
                    self.arrive(head, &mut state);
                    if let Some((before, first)) = self.begun.get(&head).cloned() {
                        let inputs = first..self.encoder.inputs.len();
                        self.result.turns.push(WholeTurn { head, before, after: state.clone(), inputs });
                    }
                }
                None
            }
        };
        match next {
            Some(next) => {
                turns.push((head, next));
                vec![Unwound { node: head, turns, state }]
            }
            None => {
                if !self.unrolling.window {
                    let path = self.encoder.path(&state);
                    self.result.beyond.push((head, path));
                }
                Vec::new()
            }
        }
    }

    fn arrive(&mut self, head: NodeId, state: &mut State) {
        let candidates = self.invariants.terms(self.encoder, head, state);
        let condition = self.encoder.path(state);
        if !candidates.is_empty() {
            self.result.arrivals.push(Arrival { head, condition, candidates });
        }
    }

    fn assume_invariants(&mut self, head: NodeId, state: &mut State) {
        let candidates = self.invariants.terms(self.encoder, head, state);
        let switches = self.invariants.switches(head);
        for (switch, candidate) in switches.into_iter().zip(candidates) {
            let holds = self.encoder.pool.implies(switch, candidate);
            self.encoder.assume(state, holds);
        }
    }
}
