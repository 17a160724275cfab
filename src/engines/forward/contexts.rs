//! Calls that are not followed: a function's runs from all states in which such calls enter it, as one.
//!
//! The states are joined, and the function is analysed from what comes out; where it calls itself, what it returns with so far is
//! taken, and whoever took less than it turns out to return with is analysed again, until nothing grows. Chains end by widening.
//! Nothing is judged meanwhile: another round judges the sites, and confirms that no state comes to an entry that was not there.
//!
//! See: Seidl, Vogler, "Three Improvements to the Top-Down Solver" (the solver on demand, with what influences what);
//! Sharir, Pnueli, "Two Approaches to Interprocedural Data Flow Analysis" (the functional approach).

use super::analyzer::{Activation, Analyzer, Calls};
use super::bases::{Base, Bases};
use super::iterate::Invariants;
use super::reads::Asked;
use super::shared::Growth;
use super::state::State;
use crate::domains::{BaseId, Pointers};
use crate::ir::{AllocId, CallId, FuncId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Times that states grow by joins before they are widened, before widening passes thresholds over, and before what still grows is
/// forgotten.
const DELAY: usize = 3;
const PATIENCE: usize = 8;
const LATE: usize = 12;
/// Times after which anything may be anywhere.
const LAST: usize = 18;

/// Which calls of a function are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Context {
    pub function: FuncId,
    /// Where it is called; None: calls from all places are one.
    pub call: Option<CallId>,
    /// Whether what calls it runs from states of which nothing is known.
    pub anywhere: bool,
}

/// What is known of a context.
struct Node {
    entry: State,
    /// States to be entered from that `entry` does not hold.
    waiting: Option<State>,
    /// None as long as it is not seen to return.
    exit: Option<State>,
    /// What its loops had for invariants when it was analysed last.
    invariants: Invariants,
    /// How often the one and the other grew.
    entries: usize,
    exits: usize,
    /// Whether `exit` is what `entry` leads to with what callees return with now.
    stable: bool,
    /// How much of what grew in shared memory had done so when it was analysed last.
    seen: usize,
    /// What was asked for of objects then.
    reads: FxHashSet<Asked>,
    /// Whether it is being analysed.
    running: bool,
    /// Whether the sites have been judged.
    recorded: bool,
    /// Contexts that took `exit` as it is; None: where executions start.
    users: BTreeSet<Option<Context>>,
    /// Contexts are analysed again in this order: those that were done first come first, callees before their callers.
    rank: usize,
}

impl Node {
    fn new(entry: State) -> Node {
        Node {
            entry,
            waiting: None,
            exit: None,
            invariants: Invariants::default(),
            entries: 0,
            exits: 0,
            stable: false,
            seen: 0,
            reads: FxHashSet::default(),
            running: false,
            recorded: false,
            users: BTreeSet::new(),
            rank: usize::MAX,
        }
    }
}

/// All contexts of an analysis.
#[derive(Default)]
pub struct Contexts {
    nodes: BTreeMap<Context, Node>,
    /// The one at work; None: where executions start.
    current: Option<Context>,
    /// Functions of contexts whose exits grew, in order.
    grown: Vec<FuncId>,
    /// How many contexts have been analysed.
    ranks: usize,
    /// Functions that control may come to from others.
    reached: FxHashMap<FuncId, Rc<FxHashSet<FuncId>>>,
    /// Whether each call of a function is followed since it is short.
    short: FxHashMap<FuncId, bool>,
    /// Whether an exit grew that had been taken where executions start.
    start_is_behind: bool,
}

impl Contexts {
    /// How many exits grew so far.
    pub fn growth(&self) -> usize {
        self.grown.len()
    }
    /// Nothing has been judged.
    pub fn forget_judgements(&mut self) {
        self.nodes.values_mut().for_each(|node| node.recorded = false);
    }
    /// All contexts are to be analysed again.
    pub fn doubt(&mut self) {
        self.nodes.values_mut().for_each(|node| node.stable = false);
    }
    /// A round begins: executions start again.
    pub fn start(&mut self) {
        self.start_is_behind = false;
    }
    /// Executions start again in another round: they may have used what grew.
    pub fn starts_again(&mut self) {
        self.start_is_behind = true;
    }
    /// Whether nothing that was used has grown since.
    pub fn are_settled(&self) -> bool {
        !self.start_is_behind && self.nodes.values().all(|node| node.stable)
    }
}

/// `old` and more, such that chains end. `sources`: how many states may come together before something goes round.
fn grown(old: &State, more: &State, (times, sources): (usize, usize), bases: &Bases, thresholds: &[i128]) -> State {
    const MOST: usize = 8;
    let joined = || {
        let mut all = old.join(more, bases);
        // What two callers' states say of each other in turn would come and go.
        if times > 1 {
            all.keep_implications_of(old);
        }
        all
    };
    match times.saturating_sub(sources.min(MOST)) {
        0..DELAY => joined(),
        DELAY..PATIENCE => old.widen(&joined(), bases, thresholds),
        PATIENCE..LATE => old.widen(&joined(), bases, &[]),
        LATE..LAST => old.collapse(more, bases),
        _ => {
            let mut all = old.collapse(more, bases);
            all.spoil_program(bases);
            all
        }
    }
}

impl<'p> Analyzer<'p, '_> {
    /// The functions that control may come to from `f`, itself included.
    pub(super) fn reached_from(&mut self, f: FuncId) -> Rc<FxHashSet<FuncId>> {
        let memory = self.memory;
        let reached = self.contexts.reached.entry(f);
        reached.or_insert_with(|| Rc::new(memory.reachable_from(f).into_iter().collect())).clone()
    }

    /// Whether exits that grew since `growth` may be among what `f` uses.
    pub(super) fn has_grown_below(&mut self, f: FuncId, growth: usize) -> bool {
        if growth == self.contexts.grown.len() {
            return false;
        }
        let reached = self.reached_from(f);
        self.contexts.grown[growth..].iter().any(|g| reached.contains(g))
    }

    /// A summary of `f` is used: what it was made of is used here too.
    pub(super) fn use_summary(&mut self, f: FuncId) {
        if self.contexts.nodes.is_empty() {
            return;
        }
        let user = self.contexts.current;
        let reached = self.reached_from(f);
        for (context, node) in &mut self.contexts.nodes {
            if reached.contains(&context.function) {
                node.users.insert(user);
            }
        }
    }

    /// Whether calls of `f` are joined where they need not be.
    pub(super) fn is_joined(&mut self, f: FuncId) -> bool {
        self.calls.are_joined() && !self.is_short(f)
    }

    /// Whether `f` is so short, with all that it calls, that each call of it is followed.
    pub(super) fn is_short(&mut self, f: FuncId) -> bool {
        /// Statements, each counted once or for each way of calls that leads to it.
        const SHORT: usize = 150;
        const EXPANDED: u64 = 300;
        if let Some(&known) = self.contexts.short.get(&f) {
            return known;
        }
        let program = self.program;
        let length = |g: &FuncId| program.functions[*g].length();
        let is_long = self.reached_from(f).iter().map(length).sum::<usize>() > SHORT;
        let short = !is_long && !self.memory.is_recursive(f) && self.functions.expanded(program, f) <= EXPANDED;
        self.contexts.short.insert(f, short);
        short
    }

    /// Whether blocks of the function under way have names of their own for each call of it: where calls are joined, those of wrappers
    /// have.
    pub(super) fn tells_callers_apart(&self, alloc: AllocId) -> bool {
        !self.calls.are_joined() || self.memory.wraps(self.current().function, alloc)
    }

    /// Whether what a call of a function makes is named by that call, and other calls of it make other blocks.
    pub(super) fn names_blocks_by_call(&mut self, f: FuncId) -> bool {
        let touched = self.functions.touched(&self.bases, f);
        touched.allocs.iter().any(|alloc| self.memory.wraps(f, *alloc))
    }

    /// Which context a call belongs to.
    pub(super) fn context(&self, f: FuncId, call: CallId) -> Context {
        let by_place = !self.calls.pass_no_state()
            && !self.memory.is_recursive(f)
            && self.functions.called_at(self.program, f) <= self.options.places;
        let call = Some(call).filter(|_| by_place);
        // Where calls are apart, memory is any in all of them.
        Context { function: f, call, anywhere: self.anywhere && self.calls != Calls::Apart }
    }

    /// The part of a caller's state that goes into a call of `f` where other runs of `f` may be under way: its own variables, and
    /// those of functions that it may come to, stand for the last run only. The caller's are set aside, and pointers to them are any.
    pub(super) fn without_earlier_runs(&mut self, state: &mut State, f: FuncId) {
        if self.memory.is_recursive(f) {
            let earlier = self.earlier_runs(f);
            state.forget_all(earlier);
        }
    }

    /// After a call of `f`: what [`Self::without_earlier_runs`] sets aside may point to a block that was the last of its allocation, and is
    /// one of the older ones now.
    pub(super) fn age_blocks_of_earlier_runs(&mut self, state: &mut State, f: FuncId) {
        if !self.memory.is_recursive(f) {
            return;
        }
        let touched = self.functions.touched(&self.bases, f);
        let blocks: Vec<BaseId> = touched.allocs.iter().flat_map(|&a| self.bases.blocks_of(a)).copied().collect();
        for block in blocks {
            if self.bases.is_last_block(block) && state.mentions(block) {
                let older = self.older(block);
                state.spread(block, older);
            }
        }
    }

    /// Lets pointers to what [`Self::without_earlier_runs`] sets aside be any.
    pub(super) fn open_pointers_to_earlier_runs(&mut self, state: &mut State, f: FuncId) {
        if self.memory.is_recursive(f) {
            let earlier = self.earlier_runs(f);
            state.replace_pointers(|pointers| match pointers.targets().iter().any(|t| earlier(t.0)) {
                true => Some(Pointers::any()),
                false => None,
            });
        }
    }

    /// Which bases are variables of `f`, or of functions that control may come to from it.
    fn earlier_runs(&mut self, f: FuncId) -> impl Fn(BaseId) -> bool + use<'p> {
        let (reached, program) = (self.reached_from(f), self.program);
        move |base: BaseId| {
            let owner = program.variables.get(VarId(base.0)).and_then(|variable| variable.owner());
            owner.is_some_and(|owner| reached.contains(&owner))
        }
    }

    /// What a call in `context` returns with when `part`, parameters set, is what it may read or change; as far as it is known yet.
    pub(super) fn enter_context(&mut self, context: Context, part: State) -> Option<State> {
        /// Times that a new context is analysed before those that wait for it go on.
        const AT_ONCE: usize = 8;
        let nodes = &mut self.contexts.nodes;
        if let Some(node) = nodes.get_mut(&context) {
            if !part.leq(&node.entry, &self.bases) {
                node.waiting = Some(node.waiting.take().map_or(part.clone(), |old| old.join(&part, &self.bases)));
                node.stable = false;
            }
        } else {
            nodes.insert(context, Node::new(part));
            // Where executions start, what is called settles first.
            let at_once = if self.stack.is_empty() { 1 } else { AT_ONCE };
            for _ in 0..at_once {
                self.analyse(context, false);
                if self.aborted.is_some() || self.contexts.nodes.get(&context).is_none_or(|node| node.stable) {
                    break;
                }
            }
            let node = self.contexts.nodes.get_mut(&context)?;
            node.rank = self.contexts.ranks;
            self.contexts.ranks += 1;
        }
        let (current, recording) = (self.contexts.current, self.recording);
        let node = self.contexts.nodes.get_mut(&context)?;
        node.users.insert(current);
        if recording && !node.running && !std::mem::replace(&mut node.recorded, true) {
            self.analyse(context, true);
        }
        self.contexts.nodes.get(&context)?.exit.clone()
    }

    /// Analyses contexts until nothing in them grows: long functions when all shorter ones have settled.
    pub(super) fn settle_contexts(&mut self) {
        /// Statements of the longest functions that are short; long ones differ where they are twice as long.
        const SHORT: usize = 256;
        loop {
            self.notice_growth();
            let length =
                |context: &Context| (self.program.functions[context.function].length() / SHORT).checked_ilog2();
            let unstable = self.contexts.nodes.iter().filter(|(_, node)| !node.stable);
            let mut work: Vec<(Option<u32>, usize, Context)> =
                unstable.map(|(context, node)| (length(context), node.rank, *context)).collect();
            work.sort_unstable();
            let Some(&(shortest, ..)) = work.first() else { return };
            for (_, _, context) in work.into_iter().take_while(|(length, ..)| *length == shortest) {
                if self.contexts.nodes.get(&context).is_some_and(|node| !node.stable) {
                    self.analyse(context, false);
                }
                if self.aborted.is_some() {
                    return;
                }
            }
        }
    }

    /// Where widening stops: at what matters in a context, and where control comes from.
    fn thresholds_of(&mut self, context: Context) -> Vec<i128> {
        let users = self.contexts.nodes.get(&context).into_iter().flat_map(|node| node.users.iter().flatten());
        let functions: Vec<FuncId> = users.map(|user| user.function).chain([context.function]).collect();
        self.all_thresholds(functions)
    }

    /// The thresholds of these functions, sorted.
    pub(super) fn all_thresholds(&mut self, functions: Vec<FuncId>) -> Vec<i128> {
        let mut all: Vec<i128> = functions.into_iter().flat_map(|g| self.info(g).thresholds.clone()).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Analyses a context once, from what is known now.
    fn analyse(&mut self, context: Context, recording: bool) {
        let f = context.function;
        let thresholds = self.thresholds_of(context);
        let Some(node) = self.contexts.nodes.get_mut(&context) else { return };
        if let Some(more) = node.waiting.take() {
            // A call may come from several contexts.
            let sources = if context.call.is_some() { 2 } else { self.functions.called_at(self.program, f) };
            node.entry = grown(&node.entry, &more, (node.entries, sources), &self.bases, &thresholds);
            node.entries += 1;
        }
        (node.stable, node.running, node.seen) = (true, true, self.shared.grown.len());
        let mut entry = node.entry.clone();
        let mut invariants = std::mem::take(&mut node.invariants);
        let recording = std::mem::replace(&mut self.recording, recording);
        let anywhere = std::mem::replace(&mut self.anywhere, context.anywhere);
        let shares = self.shares();
        if shares {
            entry = self.shared_entry(f, &entry);
        }
        let current = self.contexts.current.replace(context);
        let outer_reads = self.bases.reads.take();
        let stack = std::mem::replace(&mut self.stack, vec![Activation { function: f, call: context.call }]);
        let exit = self.run_again(f, entry.clone(), &mut invariants).map(|exit| self.end_frame(f, &entry, exit));
        self.stack = stack;
        self.contexts.current = current;
        let reads = self.bases.reads.take();
        self.bases.reads.add(&outer_reads);
        self.anywhere = anywhere;
        self.recording = recording;
        let exit = exit.filter(|_| self.aborted.is_none()).map(|exit| {
            if shares && self.functions.called_at(self.program, f) == 0 {
                // Nobody is left to be told.
                self.result_part(f, &exit)
            } else if shares {
                self.share_exit(f, &exit)
            } else if self.calls.pass_no_state() {
                self.only_result(f, &exit)
            } else {
                exit
            }
        });
        let Some(node) = self.contexts.nodes.get_mut(&context) else { return };
        node.running = false;
        node.invariants = invariants;
        node.reads = reads.into_iter().collect();
        let Some(exit) = exit.filter(|_| self.aborted.is_none()) else { return };
        node.exit = Some(match &node.exit {
            None => exit,
            Some(old) if exit.leq(old, &self.bases) => return,
            Some(old) => grown(old, &exit, (node.exits, 0), &self.bases, &thresholds),
        });
        node.exits += 1;
        let users = std::mem::take(&mut node.users);
        self.contexts.grown.push(f);
        for user in users {
            match user {
                None => self.contexts.start_is_behind = true,
                Some(user) => {
                    if let Some(node) = self.contexts.nodes.get_mut(&user) {
                        (node.stable, node.recorded) = (false, false);
                    }
                }
            }
        }
        self.drop_summaries_above(f);
    }

    /// What `f` returns; its variables have ended.
    pub(super) fn result_part(&mut self, f: FuncId, exit: &State) -> State {
        let (info, base) = (self.info(f), self.base(Base::Result));
        let bases = &self.bases;
        let blocks = info.stack_allocs.iter().flat_map(|a| bases.blocks_of(*a));
        let ended: Vec<BaseId> = info.pointed.iter().chain(blocks).copied().collect();
        let mut result = exit.part([base]);
        result.paths_mut().end(&|extent| ended.iter().any(|b| extent.has(bases, *b)));
        result
    }

    /// The same with names for nothing.
    fn only_result(&mut self, f: FuncId, exit: &State) -> State {
        let (mut result, base) = (self.result_part(f, exit), self.base(Base::Result));
        let bases = &self.bases;
        if result.mentions(base) {
            result.learn(bases, base, |o| o.map_values(|v| *v = bases.unnamed(v)));
        }
        result
    }

    /// Contexts to which what grew in shared memory may matter are analysed again.
    fn notice_growth(&mut self) {
        let grown = self.shared.grown.len();
        let behind: Vec<(Context, usize)> = self
            .contexts
            .nodes
            .iter()
            .filter(|(context, node)| node.seen < grown && !context.anywhere)
            .map(|(context, node)| (*context, node.seen))
            .collect();
        for (context, seen) in behind {
            let Some(node) = self.contexts.nodes.get_mut(&context) else { continue };
            let reads = std::mem::take(&mut node.reads);
            let matters = self.shared.grown[seen..].iter().any(|growth| growth.matters_to(&reads));
            if let Some(node) = self.contexts.nodes.get_mut(&context) {
                (node.seen, node.reads) = (grown, reads);
                if matters {
                    (node.stable, node.recorded) = (false, false);
                }
            }
        }
    }

    /// Ends the summaries of functions that may use what grew: in calls of theirs that are joined, and damage behind any call.
    pub(super) fn drop_summaries_of_sharers(&mut self, growth: Growth) {
        let functions: Vec<FuncId> = self.summaries.keys().copied().collect();
        for g in functions {
            let reached = self.reached_from(g);
            let uses = match growth {
                Growth::Damage => reached.iter().any(|f| *f != g),
                Growth::Content(_) | Growth::Object(_) => reached.iter().any(|f| self.is_joined(*f)),
            };
            if uses || self.memory.is_recursive(g) {
                self.summaries.remove(&g);
            }
        }
    }

    /// Ends the summaries that may have been made of what `f` returned with so far.
    fn drop_summaries_above(&mut self, f: FuncId) {
        let functions: Vec<FuncId> = self.summaries.keys().copied().collect();
        for g in functions {
            if self.reached_from(g).contains(&f) {
                self.summaries.remove(&g);
            }
        }
    }
}
