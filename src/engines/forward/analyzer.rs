//! What one analysis carries along: the program, its bases, what is known of functions, and the verdicts so far.

use super::bases::{Base, Bases};
use super::contexts::Contexts;
use super::derived::Derived;
use super::extent::Extents;
use super::functions::{FunctionInfo, Functions};
use super::noted::Noted;
use super::options::Options;
use super::reads::Asked;
use super::refine::Refiner;
use super::shared::Shared;
use super::state::State;
use super::verdicts::{Unfollowed, Verdicts};
use crate::base::IndexVec;
use crate::domains::BaseId;
use crate::ir::{BlockId, CallId, CheckKind, FuncId, Place, Program};
use crate::memory::Memory;
use crate::verdict::Reason;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// A function that is being analysed.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    pub function: FuncId,
    /// The call that led to it; None for the entry.
    pub call: Option<CallId>,
}

/// What a function does from one entry state.
pub struct Summary {
    /// The call that it is of, where it names blocks by that.
    pub call: Option<CallId>,
    pub entry: State,
    /// None when it never returns.
    pub exit: Option<State>,
    /// Whether its sites have been judged from this entry.
    pub recorded: bool,
    /// What was asked for of objects.
    pub reads: Vec<Asked>,
}

/// What becomes of calls of functions with bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calls {
    /// They are followed, but for recursive ones, which are joined.
    Followed,
    /// They are joined, but for those of short functions, which are followed.
    Joined,
    /// The same, but only arguments and results go in and out: memory is what the relations say that calls may change.
    Apart,
    /// The same, and memory is shared by all of them: what each object may hold at any call or return.
    Shared,
    /// They stand for what they may change: functions are judged each for itself.
    Skipped,
}

impl Calls {
    /// Whether calls come together, but for those of short functions.
    pub fn are_joined(self) -> bool {
        self == Calls::Joined || self.pass_no_state()
    }
    /// Whether joined calls pass no state on, in or out, but for arguments and results.
    pub fn pass_no_state(self) -> bool {
        matches!(self, Calls::Apart | Calls::Shared)
    }
}

/// An analysis under way.
pub struct Analyzer<'p, 'o> {
    pub program: &'p Program,
    pub memory: &'p Memory,
    pub options: &'o Options<'o>,
    pub bases: Bases,
    pub functions: Functions<'p>,
    pub stack: Vec<Activation>,
    pub summaries: FxHashMap<FuncId, Vec<Summary>>,
    pub verdicts: Verdicts,
    /// Whether sites are being judged: the states are the final ones.
    pub recording: bool,
    /// States at blocks, joined over all contexts.
    pub invariants: FxHashMap<FuncId, IndexVec<BlockId, Option<State>>>,
    pub noted: Noted,
    pub steps: u64,
    /// What judging took, per check.
    pub judging: BTreeMap<CheckKind, Duration>,
    pub started: Instant,
    /// Functions that also run from states that are not followed, and why.
    pub from_anywhere: Vec<(FuncId, Unfollowed)>,
    /// Set while such a function is analysed, unless executions start in it.
    pub unfollowed: Option<Unfollowed>,
    /// Set when the analysis was given up: why.
    pub aborted: Option<Reason>,
    pub calls: Calls,
    /// How many statements may be executed, and how long after the start.
    pub limits: (u64, Duration),
    pub contexts: Contexts,
    pub shared: Shared,
    pub extents: Extents<'p>,
    /// Of which nothing is known, once it was asked for.
    pub unknown: Option<State>,
    /// Whether what is being analysed starts from a state of which nothing is known.
    pub anywhere: bool,
    /// Whether this round judges sites, but where loops' invariants are sought.
    pub judges: bool,
}

/// The state inside a block.
#[derive(Clone, Debug)]
pub struct Flow {
    pub state: State,
    /// Places judged to hold determinate values, since the last write.
    pub determinate: Vec<Place>,
    /// Places that hold the same value, since the one was copied to the other.
    pub copies: Vec<(Place, Place)>,
    /// Numbers that were computed from others, since the last write to one of them.
    pub derived: Vec<Derived>,
    /// The temporary that holds the result of the last allocation, and the block.
    pub allocated: Option<(Place, BaseId)>,
    /// The next `realloc` succeeds: where it fails others go on.
    pub resizes: bool,
}

impl Flow {
    /// The start of a block.
    pub fn new(state: State) -> Flow {
        Flow {
            state,
            determinate: Vec::new(),
            copies: Vec::new(),
            derived: Vec::new(),
            allocated: None,
            resizes: false,
        }
    }
}

impl<'p, 'o> Analyzer<'p, 'o> {
    /// An analysis of `program` that has not begun.
    pub fn new(program: &'p Program, memory: &'p Memory, options: &'o Options<'o>, calls: Calls) -> Self {
        let functions = Functions::new(memory);
        let mut bases = Bases::new(program);
        bases.returns_addresses = memory.returns_addresses();
        if calls == Calls::Shared {
            bases.count_reads();
        }
        Analyzer {
            program,
            memory,
            options,
            bases,
            verdicts: Verdicts::new(program),
            functions,
            stack: Vec::new(),
            summaries: FxHashMap::default(),
            recording: true,
            invariants: FxHashMap::default(),
            noted: Noted::default(),
            steps: 0,
            judging: BTreeMap::new(),
            started: Instant::now(),
            from_anywhere: Vec::new(),
            unfollowed: None,
            aborted: None,
            calls,
            limits: (options.steps, options.time_limit),
            contexts: Contexts::default(),
            shared: Shared::default(),
            extents: Extents::new(program, memory),
            unknown: None,
            anywhere: false,
            judges: true,
        }
    }
    /// To restrict `flow`.
    pub fn refiner<'a>(&'a self, flow: &'a mut Flow) -> Refiner<'a> {
        Refiner {
            program: self.program,
            bases: &self.bases,
            state: &mut flow.state,
            determinate: &flow.determinate,
            copies: &flow.copies,
            derived: &flow.derived,
            extents: &self.extents,
        }
    }
    /// To read `flow`.
    pub fn view<'a>(&'a self, flow: &'a Flow) -> super::evaluate::View<'a> {
        super::evaluate::View {
            program: self.program,
            bases: &self.bases,
            state: &flow.state,
            determinate: &flow.determinate,
            alone: false,
        }
    }
    /// What is known of a function with a body.
    pub fn info(&mut self, f: FuncId) -> Rc<FunctionInfo> {
        self.functions.info(self.program, &self.bases, f)
    }
    /// The function that is being analysed.
    pub fn current(&self) -> Activation {
        *self.stack.last().expect("statements are executed inside an activation")
    }
    /// The id of a base.
    pub fn base(&mut self, base: Base) -> BaseId {
        self.bases.id(base)
    }
    /// Counts a statement; says whether to go on.
    pub fn tick(&mut self) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(256) {
            self.look_at_the_clock();
        }
        self.aborted.is_none()
    }
    fn look_at_the_clock(&mut self) {
        let (steps, time) = self.limits;
        if self.steps > steps {
            self.aborted.get_or_insert_with(|| Reason::Budget(format!("{steps} statements")));
        }
        if self.started.elapsed() > time {
            self.aborted.get_or_insert_with(|| Reason::Budget(format!("{} s", time.as_secs_f32())));
        }
        if self.options.interrupt.is_raised() {
            self.aborted.get_or_insert_with(|| Reason::Budget("interrupted".into()));
        }
        if let Some(progress) = self.options.progress
            && self.steps.is_multiple_of(65_536)
        {
            let function = self.stack.last().map_or("", |a| self.program.functions[a.function].name.as_str());
            progress(self.steps, function);
        }
    }
    /// Notes that `f`, and what it may call, also runs from states that are not followed here, those of `call` if it is one: later, from any
    /// state.
    pub fn give_up(&mut self, f: FuncId, reason: &Reason, call: Option<CallId>) {
        let looks = self.recording || !self.judges;
        if looks && self.calls != Calls::Skipped && !self.from_anywhere.iter().any(|(g, _)| *g == f) {
            self.from_anywhere.push((f, Unfollowed { reason: reason.clone(), call }));
        }
    }
    /// Notes that not all states are analysed in which `f`, and what it may call, runs.
    pub fn lose(&mut self, f: FuncId, reason: &Reason) {
        let all = self.memory.reachable_from(f);
        self.verdicts.lose(all, reason);
    }
    /// What the program starts with.
    pub fn first_state(&self) -> State {
        let mut state = State::default();
        for &base in self.bases.statics() {
            state.set(base, self.bases.initial(base).expect("a variable holds something").clone());
        }
        state
    }
    /// A state of which nothing is known; always the same, so that what copies share stays shared.
    pub fn any_state(&mut self) -> State {
        if self.unknown.is_none() {
            let mut state = self.first_state();
            state.spoil_program(&self.bases);
            self.unknown = Some(state);
        }
        self.unknown.clone().unwrap_or_default()
    }
    /// Analyses the functions that were given up, from states of which nothing is known. Executions start in `entries`.
    pub fn follow_given_up(&mut self, entries: &[FuncId]) {
        let mut next = 0;
        while let Some((f, unfollowed)) = self.from_anywhere.get(next).cloned() {
            next += 1;
            if self.aborted.is_some() || !self.program.functions[f].has_body() {
                self.lose(f, &unfollowed.reason);
                continue;
            }
            self.unfollowed = Some(unfollowed).filter(|_| !entries.contains(&f));
            self.enter_from_anywhere(f);
            self.unfollowed = None;
        }
    }
    /// Analyses a function from a state of which nothing is known.
    pub fn enter_from_anywhere(&mut self, f: FuncId) {
        let mut state = self.any_state();
        self.bind_unknown(&mut state, f, true);
        if self.calls == Calls::Shared {
            self.share_changes(f);
        }
        self.anywhere = true;
        self.enter(f, None, state);
        self.anywhere = false;
    }
    /// Notes the same of what the library may call at any time, handlers of signals above all.
    pub fn give_up_called_later(&mut self) {
        let reason = Reason::Unsupported("the library may call it at any time".into());
        for &f in self.memory.called_later() {
            self.give_up(f, &reason, None);
        }
    }
    /// Notes the same of every function whose address is taken: anyone may call it.
    pub fn give_up_callbacks(&mut self, reason: &Reason) {
        for &f in self.memory.taken() {
            self.give_up(f, reason, None);
        }
    }
}
