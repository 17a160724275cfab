//! One function from one entry state: loops unrolled while they cannot end, then iterated to a fixpoint.
//!
//! States are pushed along edges into the inboxes of blocks and taken out in weak topological order. While a loop's
//! invariant is sought, nothing leaves the loop and nothing is judged; when it is found, one more pass judges the sites
//! and sends states out. That pass is the certificate: it checks, independently of how the invariant was found, that
//! the states which come back to the head are inside it.

use super::analyzer::{Analyzer, Calls, Flow};
use super::bases::Bases;
use super::functions::FunctionInfo;
use super::order::Component;
use super::state::State;
use super::waiting::Waiting;
use crate::base::IndexVec;
use crate::domains::Value;
use crate::ir::program::ENTRY;
use crate::ir::{Block, BlockId, Expr, FuncId, StmtKind, Terminator};
use crate::verdict::Reason;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::rc::Rc;

/// Joins before widening.
const DELAY: usize = 2;
/// Iterations after which thresholds are not used any more.
const PATIENCE: usize = 8;
/// Of so many thresholds one is used in the next iteration: what does not stop at the first goes on in strides.
const STRIDE: usize = 4;
/// So many thresholds are all used.
const FEW: usize = 30;
/// Iterations after which what still changes is forgotten.
const LATE: usize = 24;
/// So often a smaller invariant is made larger again before it is given up.
const TRIES: usize = 2;
/// Iterations after which the analysis is given up.
const MOST: usize = 400;

/// So often executions part in one block: where a `realloc` fails and where it does not.
const FORKS: usize = 3;

/// Where an analysis of a function is: the turns of the loops that it is in, outer ones first, and the head of the loop that it comes to.
pub type Way = (Vec<(BlockId, Turn)>, BlockId);

/// Turns of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    Unrolled(usize),
    /// All that are left.
    Other,
}

/// So many invariants of a function are kept for its next analysis, at most.
const KEPT: usize = 256;

/// Invariants of a function's loops, by where they were asked for.
pub type Invariants = FxHashMap<Way, State>;

/// A function's analysis under way.
struct Run {
    function: FuncId,
    info: Rc<FunctionInfo>,
    inbox: IndexVec<BlockId, Waiting>,
    exit: Option<State>,
    /// Heads of the loops whose invariants are being sought, outer ones first.
    seeking: Vec<BlockId>,
    /// Heads of the loops that are being unrolled, outer ones first, and whether anything left them in this iteration.
    unrolling: Vec<(BlockId, bool)>,
    /// Per open loop with the head that is the key: states that enter it at other blocks.
    beside: FxHashMap<BlockId, Vec<(BlockId, State)>>,
    /// How many loops are open.
    depth: usize,
    /// The loops that are open, and which of their turns is under way.
    turns: Vec<(BlockId, Turn)>,
    /// What loops inside the one whose invariant is being sought had for theirs in its last round: the next ones hold more.
    found: FxHashMap<BlockId, State>,
    /// Invariants from an earlier analysis, of less, and what this one found.
    earlier: Invariants,
    latest: Invariants,
    /// Whether a round of such a loop is under way.
    rounds: bool,
    /// Statements that unrolling may still take.
    spare: u64,
}

impl Run {
    /// Where control is when it comes to the loop with this head.
    fn way_to(&self, head: BlockId) -> Way {
        (self.turns.clone(), head)
    }
}

/// Takes the states that wait in the blocks of a loop's body.
fn take_waiting(run: &mut Run, body: &[Component], bases: &Bases, into: &mut Vec<(BlockId, State)>) {
    for c in body {
        let (Component::Block(b) | Component::Loop(b, _)) = c;
        into.extend(run.inbox[*b].take(bases).map(|state| (*b, state)));
        if let Component::Loop(_, inner) = c {
            take_waiting(run, inner, bases, into);
        }
    }
}

impl Analyzer<'_, '_> {
    /// The states in which `f` returns when entered in `entry`, parameters set; None when it does not return.
    pub(super) fn run(&mut self, f: FuncId, entry: State) -> Option<State> {
        self.run_again(f, entry, &mut Invariants::default())
    }

    /// The same, beginning in loops with the invariants that an analysis of less had found; they are those of this one behind it.
    pub(super) fn run_again(&mut self, f: FuncId, entry: State, invariants: &mut Invariants) -> Option<State> {
        let info = self.info(f);
        let blocks = self.program.functions[f].blocks.len();
        let mut run = Run {
            function: f,
            info: info.clone(),
            inbox: IndexVec::from_elem(Waiting::default(), blocks),
            exit: None,
            seeking: Vec::new(),
            unrolling: Vec::new(),
            turns: Vec::new(),
            beside: FxHashMap::default(),
            depth: 0,
            found: FxHashMap::default(),
            earlier: std::mem::take(invariants),
            latest: Invariants::default(),
            rounds: false,
            spare: match self.calls {
                Calls::Followed => 60_000,
                Calls::Joined | Calls::Apart | Calls::Shared => 4_000,
                Calls::Skipped => 30_000,
            },
        };
        let mut entry = entry;
        for &v in &info.held {
            let base = self.bases.variable(v);
            if !entry.mentions(base) {
                entry.set(base, self.bases.initial(base).expect("a variable holds something").clone());
            }
        }
        entry.forget_each(&info.dying[ENTRY]);
        run.inbox[ENTRY].join(entry, &self.bases);
        self.components(&mut run, &info.order.components);
        *invariants = run.latest;
        if self.aborted.is_some() { None } else { run.exit }
    }

    fn components(&mut self, run: &mut Run, components: &[Component]) {
        for c in components {
            match c {
                Component::Block(b) => {
                    for state in run.inbox[*b].take_each() {
                        self.block(run, *b, state);
                    }
                }
                Component::Loop(head, body) => self.stabilize(run, *head, body),
            }
            if self.aborted.is_some() {
                return;
            }
        }
    }

    /// One way through a loop, from `state` at the head and from what enters beside it.
    fn once(&mut self, run: &mut Run, head: BlockId, body: &[Component], state: State) {
        self.enter_beside(run, head);
        self.block(run, head, state);
        self.components(run, body);
    }

    fn enter_beside(&self, run: &mut Run, head: BlockId) {
        for (b, state) in run.beside.get(&head).into_iter().flatten() {
            run.inbox[*b].join(state.clone(), &self.bases);
        }
    }

    fn stabilize(&mut self, run: &mut Run, head: BlockId, body: &[Component]) {
        run.depth += 1;
        let mut beside = Vec::new();
        take_waiting(run, body, &self.bases, &mut beside);
        if beside.is_empty() {
            self.stabilize_inside(run, head, body);
        } else {
            run.beside.insert(head, beside);
            self.stabilize_irreducible(run, head, body);
            run.beside.remove(&head);
        }
        run.depth -= 1;
    }

    /// A loop that control enters beside its head (`goto` or `case` into it): what enters there is in every way through.
    fn stabilize_irreducible(&mut self, run: &mut Run, head: BlockId, body: &[Component]) {
        if run.inbox[head].is_empty() {
            let recording = std::mem::replace(&mut self.recording, false);
            run.seeking.push(head);
            self.enter_beside(run, head);
            self.components(run, body);
            run.seeking.pop();
            self.recording = recording;
            if run.inbox[head].is_empty() && self.aborted.is_none() {
                self.enter_beside(run, head);
                self.components(run, body);
            }
        }
        if let Some(start) = run.inbox[head].take(&self.bases) {
            self.certify(run, head, body, start);
        }
    }

    fn stabilize_inside(&mut self, run: &mut Run, head: BlockId, body: &[Component]) {
        if let Some(rest) = self.unroll(run, head, body) {
            self.certify(run, head, body, rest);
        }
    }

    /// Finds an invariant around `rest`, judges the sites in it, and checks it.
    fn certify(&mut self, run: &mut Run, head: BlockId, body: &[Component], rest: State) {
        // Calls that are refused when the budget runs out during the last pass enlarge its states: then it is repeated.
        const ATTEMPTS: usize = 3;
        if let Some(known) = self.known_invariant(run, head, &rest) {
            let back = self.last_pass(run, head, body, &known, run.rounds);
            if self.aborted.is_some() || back.is_none_or(|b| b.leq(&known, &self.bases)) {
                return;
            }
        }
        let mut rest = rest;
        for _ in 0..ATTEMPTS {
            let Some(invariant) = self.find_invariant(run, head, body, &rest) else { return };
            // The last pass starts from less than the rounds did.
            let back = self.last_pass(run, head, body, &invariant, false);
            if self.aborted.is_some() {
                return;
            }
            let returns = back.as_ref().is_none_or(|b| b.leq(&invariant, &self.bases));
            if returns && rest.leq(&invariant, &self.bases) {
                return;
            }
            rest = back.map_or(rest.clone(), |b| rest.join(&b, &self.bases)).join(&invariant, &self.bases);
        }
        if self.recording {
            self.distrust(run.function);
        }
    }

    /// One way through the loop from an invariant, which is kept, with sites judged; what comes back to the head. `rounds`: whether loops
    /// inside begin with what they had in the last round.
    fn last_pass(
        &mut self,
        run: &mut Run,
        head: BlockId,
        body: &[Component],
        invariant: &State,
        rounds: bool,
    ) -> Option<State> {
        if run.rounds {
            run.found.insert(head, invariant.clone());
        } else if run.latest.len() < KEPT {
            run.latest.insert(run.way_to(head), invariant.clone());
        }
        let outside = std::mem::replace(&mut run.rounds, rounds);
        run.turns.push((head, Turn::Other));
        self.once(run, head, body, invariant.clone());
        run.turns.pop();
        run.rounds = outside;
        run.inbox[head].take(&self.bases)
    }

    /// What was an invariant of the loop before, if it holds `rest`: most likely it still is one.
    fn known_invariant(&self, run: &Run, head: BlockId, rest: &State) -> Option<State> {
        let known = if run.rounds { run.found.get(&head) } else { None };
        let known = known.or_else(|| run.earlier.get(&run.way_to(head)));
        known.filter(|known| rest.leq(known, &self.bases)).cloned()
    }

    /// Seeks an invariant around `rest`; nothing is judged meanwhile.
    fn find_invariant(&mut self, run: &mut Run, head: BlockId, body: &[Component], rest: &State) -> Option<State> {
        let recording = std::mem::replace(&mut self.recording, false);
        let earlier = run.rounds.then(|| run.found.remove(&head)).flatten();
        let earlier = earlier.or_else(|| run.earlier.get(&run.way_to(head)).cloned());
        let found = std::mem::take(&mut run.found);
        let rounds = std::mem::replace(&mut run.rounds, true);
        run.seeking.push(head);
        run.turns.push((head, Turn::Other));
        let invariant = self.seek(run, head, body, rest, earlier);
        run.turns.pop();
        run.seeking.pop();
        (run.rounds, run.found) = (rounds, found);
        self.recording = recording;
        invariant
    }

    /// Runs iterations one by one as long as the loop cannot end in them; what is left to be iterated.
    fn unroll(&mut self, run: &mut Run, head: BlockId, body: &[Component]) -> Option<State> {
        // Each undecided iteration costs as much as a round of the fixpoint, once per round of the loops around it.
        let most = usize::from(run.depth == 1);
        let mut undecided = 0;
        let turns = self.memory.strategy().turns(run.function, head).unwrap_or(self.options.unroll);
        // Where the turn before might have ended the loop, its state at the head.
        let mut before: Option<State> = None;
        for turn in 0..turns {
            let mut state = run.inbox[head].take(&self.bases)?;
            if let Some(before) = before.take() {
                let after = state.clone();
                state.relate_moved(&self.bases, &before, &after);
            }
            if undecided > most || run.spare == 0 {
                return Some(state);
            }
            let steps = self.steps;
            run.unrolling.push((head, false));
            run.turns.push((head, Turn::Unrolled(turn)));
            self.once(run, head, body, state.clone());
            run.turns.pop();
            if run.unrolling.pop().is_some_and(|u| u.1) && !run.inbox[head].is_empty() {
                undecided += 1;
                before = Some(state);
            }
            run.spare = run.spare.saturating_sub(self.steps - steps);
            if self.aborted.is_some() {
                return None;
            }
        }
        run.inbox[head].take(&self.bases)
    }

    /// A set of states at `head` that holds `start` and that the loop does not leave. `earlier`: one for less, perhaps.
    fn seek(
        &mut self,
        run: &mut Run,
        head: BlockId,
        body: &[Component],
        start: &State,
        earlier: Option<State>,
    ) -> Option<State> {
        let thresholds = &run.info.clone().thresholds;
        let was_narrowed = earlier.is_some();
        let mut invariant = earlier.map_or(start.clone(), |earlier| earlier.join(start, &self.bases));
        for round in 0.. {
            self.once(run, head, body, invariant.clone());
            let Some(back) = run.inbox[head].take(&self.bases) else { break };
            if self.aborted.is_some() {
                return None;
            }
            if back.leq(&invariant, &self.bases) {
                if was_narrowed && round == 0 {
                    return Some(invariant);
                }
                run.rounds = false;
                return Some(self.narrow(run, head, body, start, invariant, back));
            }
            let mut next = invariant.join(&back, &self.bases);
            if round == 0 {
                next.relate(&self.bases, [&invariant, &back]);
                if !was_narrowed {
                    next.relate_moved(&self.bases, &invariant, &back);
                }
            }
            invariant = match round {
                0..DELAY => next,
                DELAY..PATIENCE => invariant.widen(&next, &self.bases, &sparse(thresholds, round - DELAY)),
                PATIENCE..LATE => invariant.widen(&next, &self.bases, &[]),
                LATE..MOST => invariant.collapse(&back, &self.bases),
                _ => {
                    self.aborted = Some(Reason::Budget("a loop does not converge".into()));
                    return None;
                }
            };
        }
        Some(invariant)
    }

    /// A smaller invariant, if a decreasing step gives one.
    fn narrow(
        &mut self,
        run: &mut Run,
        head: BlockId,
        body: &[Component],
        start: &State,
        invariant: State,
        back: State,
    ) -> State {
        let rounds = if run.depth == 1 { 2 } else { 1 };
        let (mut best, mut back) = (invariant, back);
        for _ in 0..rounds {
            let mut next = start.join(&back, &self.bases);
            let mut tries = 0;
            // What one step does not reach may come in once more.
            back = loop {
                *next.bounds_mut() = best.bounds().clone();
                if tries > TRIES || next.same(&best) || !next.leq(&best, &self.bases) {
                    return best;
                }
                self.once(run, head, body, next.clone());
                let again = run.inbox[head].take(&self.bases);
                if self.aborted.is_some() {
                    return best;
                }
                match again {
                    None => return next,
                    Some(again) if again.leq(&next, &self.bases) => break again,
                    Some(again) => next = next.join(&again, &self.bases),
                }
                tries += 1;
            };
            best = next;
        }
        best
    }

    fn block(&mut self, run: &mut Run, b: BlockId, state: State) {
        let program = self.program;
        if self.recording && self.options.keep_invariants {
            self.keep(run.function, b, &state);
        }
        let block = &program.functions[run.function].blocks[b];
        self.go_on(run, block, (0, 0), Flow::new(state));
    }

    /// Executes a block from a statement on. `forks`: how often executions have parted in it so far.
    fn go_on(&mut self, run: &mut Run, block: &Block, (from, forks): (usize, usize), mut flow: Flow) {
        for (i, stmt) in block.stmts.iter().enumerate().skip(from) {
            if self.recording && self.steps < self.options.keep_places {
                self.note_statement(&flow, stmt);
            }
            if !self.tick() {
                return;
            }
            if let StmtKind::Realloc { dest, size, .. } = &stmt.kind
                && forks < FORKS
                && self.asks_for_bytes(&flow, size)
            {
                let mut failed = Flow::new(flow.state.clone());
                self.store(&mut failed, dest, Value::constant(0));
                flow.resizes = true;
                self.go_on(run, block, (i + 1, forks + 1), failed);
            }
            if !self.execute(&mut flow, stmt) {
                return;
            }
        }
        if self.recording && self.steps < self.options.keep_places {
            self.note_terminator(&flow, &block.terminator);
        }
        if self.tick() {
            self.terminate(run, flow, &block.terminator);
        }
    }

    /// Whether a size is not 0: of no bytes, some libraries free the old block and give NULL (C11 7.22.3p1).
    fn asks_for_bytes(&self, flow: &Flow, size: &Expr) -> bool {
        let view = self.view(flow);
        view.numbers(&view.eval(size), view.address_type()).lo() > 0
    }

    fn keep(&mut self, f: FuncId, b: BlockId, state: &State) {
        let blocks = self.program.functions[f].blocks.len();
        let kept = self.invariants.entry(f).or_insert_with(|| IndexVec::from_elem(None, blocks));
        kept[b] = Some(match kept[b].take() {
            None => state.clone(),
            Some(old) => old.join(state, &self.bases),
        });
    }

    fn terminate(&mut self, run: &mut Run, mut flow: Flow, terminator: &Terminator) {
        match terminator {
            Terminator::Goto(b) => self.push(run, *b, flow.state),
            Terminator::Branch { cond, then_to, else_to } => {
                let mut side = flow.clone();
                if self.refiner(&mut side).assume(cond, true) {
                    self.drop_failed_allocation(&mut side);
                    self.push(run, *then_to, side.state);
                }
                if self.refiner(&mut flow).assume(cond, false) {
                    self.drop_failed_allocation(&mut flow);
                    self.push(run, *else_to, flow.state);
                }
            }
            Terminator::Switch { value, cases, default } => {
                for (to, state) in self.switch(&flow, value, cases, *default) {
                    self.push(run, to, state);
                }
            }
            Terminator::IndirectGoto { labels, .. } => {
                for b in labels {
                    self.push(run, *b, flow.state.clone());
                }
            }
            Terminator::Return(value) => {
                self.leave(&mut flow, value.as_ref());
                run.unrolling.iter_mut().for_each(|u| u.1 = true);
                if run.seeking.is_empty() {
                    // What they say of others is said before ways meet.
                    flow.state.forget_each(&run.info.unseen);
                    run.exit = Some(match run.exit.take() {
                        None => flow.state,
                        Some(old) => old.join(&flow.state, &self.bases),
                    });
                }
            }
            Terminator::Exit(_) | Terminator::Unreachable => run.unrolling.iter_mut().for_each(|u| u.1 = true),
        }
    }

    fn push(&mut self, run: &mut Run, to: BlockId, state: State) {
        let order = &run.info.order;
        for (head, left) in &mut run.unrolling {
            *left |= !order.is_in_loop(to, *head);
        }
        if run.seeking.last().is_some_and(|&head| !order.is_in_loop(to, head)) {
            return;
        }
        let mut state = state;
        state.forget_each(&run.info.dying[to]);
        if run.info.apart[to] {
            run.inbox[to].stand_apart(state, &self.bases);
        } else {
            run.inbox[to].join(state, &self.bases);
        }
    }

    /// Notes that an invariant did not pass its check.
    fn distrust(&mut self, f: FuncId) {
        let reason = Reason::Unsupported("an invariant was not confirmed".into());
        self.lose(f, &reason);
        let callers: Vec<FuncId> = self.stack.iter().map(|a| a.function).collect();
        for c in callers {
            self.lose(c, &reason);
        }
    }
}

/// Thresholds for the given iteration of those that use them.
fn sparse(thresholds: &[i128], iteration: usize) -> Cow<'_, [i128]> {
    if thresholds.len() < FEW || iteration == 0 {
        return thresholds.into();
    }
    let stride = STRIDE.pow(iteration as u32);
    thresholds.iter().copied().skip(stride / 2).step_by(stride).collect()
}
