//! All loops of a program, a row each.

use super::super::forward::{self, ForwardResult, SiteVerdict, ValueAt};
use super::super::invariant::guess::{Candidates, Effort, guess};
use super::super::invariant::prove::inductive;
use super::super::invariant::recheck::Rechecks;
use super::super::invariant::trace::{Tables, trace, trace_at};
use super::super::k_induction::induct;
use super::super::task::{Budget, Property, Query, Task};
use super::doubt::Doubt;
use super::endless::endless;
use super::local::{Function, Hints};
use super::rank::rank;
use super::recur::recurrent;
use super::row::{Ends, LoopRow, Rows, confirm, row};
use super::turns::{Cycle, Turns, turns};
use crate::base::Idx;
use crate::concrete::Run;
use crate::datalog::Limits;
use crate::encode::calls::{only_calls_itself, reachable};
use crate::encode::{Automaton, NodeId};
use crate::ir::{BinaryOp, BlockId, Cfg, Check, CheckKind, FuncId, Program, SiteId, Stmt, StmtKind};
use crate::memory::{Memory, Setting};
use std::collections::BTreeSet;
use std::time::Instant;

/// What was found out.
#[derive(Clone, Debug)]
pub struct Summary {
    /// By place.
    pub loops: Vec<LoopRow>,
    /// Whether the loops are all that executions do; else what was not followed.
    pub whole: Result<(), Doubt>,
    /// A run that never ends.
    pub endless: Option<Run>,
    /// How the invariants fared when they were shown again.
    pub rechecks: Rechecks,
}

/// Loop heads at which a run is taken to go on for ever.
const PLACES: usize = 4;

/// Turns of the windows by which accesses are shown to be right; those of one turn alone are asked about before.
const WINDOWS: [u32; 2] = [1, 2];

/// What is wanted of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Whether they end.
    Ends,
    /// Also what holds at their heads, of all of them soon: loops that are hard may stay open.
    Summaries,
}

impl Wanted {
    /// Solvers that have been told nothing.
    pub(super) fn query(self) -> Query {
        match self {
            Wanted::Ends => Query::new(),
            Wanted::Summaries => Query::searching(),
        }
    }
}

/// Judges the loops that executions from the task's entry come to.
pub fn summarize(task: &Task<'_>, wanted: Wanted, budget: &Budget) -> Summary {
    let mut work = Work {
        task,
        wanted,
        rechecks: Rechecks::default(),
        functions: Vec::new(),
        tables: None,
        values: None,
        no_access_errs: false,
        once: None,
        budget: budget.clone(),
        rows: Rows::default(),
    };
    work.rank_functions();
    let mut whole = work.local_doubt().map_or(Ok(()), Err);
    let mut endless = None;
    // Whether all was followed is not worth the whole program where only its loops are asked about.
    if !work.all_done() || (whole.is_err() && wanted == Wanted::Ends) {
        match Automaton::new(task.program, task.memory, task.entry, task.limits.bounds()) {
            Ok(automaton) => {
                let followed = work.rank_all(&automaton);
                if wanted == Wanted::Ends {
                    whole = whole.or(followed);
                }
                endless = work.find_endless(&automaton);
            }
            Err(why) => whole = whole.or(Err(why.into())),
        }
    }
    if wanted == Wanted::Summaries {
        work.add_invariants();
    }
    let mut loops = work.united();
    loops.sort_by(|a, b| (a.span, &a.function).cmp(&(b.span, &b.function)));
    Summary { loops, whole, endless, rechecks: work.all_rechecks() }
}

struct Work<'w, 'p> {
    task: &'w Task<'p>,
    wanted: Wanted,
    /// Of the whole program's automaton.
    rechecks: Rechecks,
    functions: Vec<Function<'p>>,
    /// What runs show at the functions' loop heads, when they have been made.
    tables: Option<Tables>,
    /// What the forward analysis says of values, when it has been asked.
    values: Option<Vec<ValueAt>>,
    /// It also says that no access errs.
    no_access_errs: bool,
    /// Loops of which no execution takes a second turn, when that has been asked.
    once: Option<BTreeSet<(FuncId, BlockId)>>,
    budget: Budget,
    /// Of the whole program's automaton.
    rows: Rows,
}

impl<'p> Work<'_, 'p> {
    /// Ranks every function by itself, without and with invariants.
    fn rank_functions(&mut self) {
        for function in reachable(self.task.program, self.task.memory, self.task.entry) {
            self.functions.push(Function::new(self.task, function));
        }
        let (task, wanted, budget) = (self.task, self.wanted, self.budget.share(0.3));
        self.each_open(&budget, |function, share| function.rank_alone(task, wanted, share));
        let budget = self.budget.share(0.3);
        self.each_open(&budget, |function, share| function.rank(task, wanted, None, share));
        if self.all_done() {
            return;
        }
        for effort in [Effort::Little, Effort::More] {
            let (tables, values) = self.hints();
            self.end_those_without_turns();
            let hints = Hints { tables: &tables, values: &values, effort };
            let budget = self.budget.share(0.3);
            self.each_open(&budget, |function, share| function.rank(task, wanted, Some(hints), share));
            (self.tables, self.values) = (Some(tables), Some(values));
        }
    }

    /// What runs and the forward analysis show; taken, to be put back.
    fn hints(&mut self) -> (Tables, Vec<ValueAt>) {
        self.ask_forward();
        let tables = self.tables.take().unwrap_or_else(|| {
            let places: Vec<(FuncId, BlockId)> = self.functions.iter().flat_map(Function::places).collect();
            trace_at(
                self.task.program,
                places.into_iter(),
                self.task.entry,
                self.task.limits.observed_runs,
                &self.budget.share(0.05),
            )
        });
        (tables, self.values.take().unwrap_or_default())
    }

    /// What holds at the heads of all loops.
    fn add_invariants(&mut self) {
        let (tables, values) = self.hints();
        let hints = Hints { tables: &tables, values: &values, effort: Effort::Little };
        let (task, budget) = (self.task, self.budget.share(0.5));
        let all = self.functions.len();
        for (n, function) in self.functions.iter_mut().enumerate() {
            function.add_invariants(task, hints, &budget.share(2.0 / (all - n + 1) as f64));
        }
        let budget = self.budget.clone();
        for (n, function) in self.functions.iter_mut().enumerate() {
            function.confirm_invariants(task, &budget.share(2.0 / (all - n + 1) as f64));
        }
    }

    /// How invariants fared, those of functions by themselves and those of the whole program.
    fn all_rechecks(&self) -> Rechecks {
        let mut all = self.rechecks.clone();
        self.functions.iter().for_each(|function| all.unite(&function.rechecks));
        all
    }

    /// Does `work` for every function that is not done, each with its share of the budget.
    fn each_open(&mut self, budget: &Budget, mut work: impl FnMut(&mut Function<'p>, &Budget)) {
        let mut open: Vec<&mut Function<'p>> = self.functions.iter_mut().filter(|f| !f.is_done()).collect();
        let all = open.len();
        for (n, function) in open.iter_mut().enumerate() {
            if budget.is_spent() {
                return;
            }
            work(function, &budget.share(2.0 / (all - n + 1) as f64));
        }
    }

    fn all_done(&self) -> bool {
        self.functions.iter().all(Function::is_done)
    }

    fn ask_forward(&mut self) {
        if self.values.is_some() {
            return;
        }
        let limit = self.budget.left().mul_f64(0.15);
        let limits = self.task.limits;
        let mut options = forward::Options {
            interrupt: self.budget.interrupt(),
            keep_invariants: true,
            ..limits.analysis.options(limit)
        };
        if self.wanted == Wanted::Summaries {
            options.steps = limits.loop_statements;
        }
        let forward = forward::analyze(self.task.program, self.task.memory, self.task.entry, &options);
        let errs = |(site, verdict): (SiteId, &SiteVerdict)| {
            let kind = self.task.program.sites[site].kind;
            let is_taken = kind.is_memory() || matches!(kind, CheckKind::PointerCompare | CheckKind::PointerDiff);
            is_taken && !matches!(verdict, SiteVerdict::Safe(_) | SiteVerdict::Unreachable)
        };
        self.no_access_errs = forward.incomplete.is_none() && !forward.verdicts.iter_enumerated().any(errs);
        self.values = Some(forward.value_at(self.task.program));
    }

    /// Notes that loops end of which no execution takes a second turn.
    fn end_those_without_turns(&mut self) {
        if self.once.is_none() {
            let places: Vec<(FuncId, BlockId)> = self.functions.iter().flat_map(Function::places).collect();
            self.once = Some(taken_once(self.task, &places, &self.budget.share(0.1)));
        }
        let once = self.once.iter().flatten().copied().collect();
        self.functions.iter_mut().for_each(|function| function.end_where(&once));
    }

    /// Why the functions by themselves are not all that executions do.
    fn local_doubt(&mut self) -> Option<Doubt> {
        let memory = self.task.memory;
        let recursion = |f: FuncId| {
            let name = &self.task.program.functions[f].name;
            (memory.is_recursive(f) && !only_calls_itself(memory, f))
                .then(|| Doubt::Open(format!("recursion of '{name}' through other functions")))
        };
        let through = reachable(self.task.program, memory, self.task.entry).into_iter().find_map(recursion);
        let function = self.functions.iter().find_map(|f| f.doubt().or_else(|| f.descent.clone().err()));
        let outside = memory.leaves_program(self.task.entry).then(|| Doubt::from("code that is not known is called"));
        let doubt = outside.or(through).or(function);
        if doubt.is_some() {
            return doubt;
        }
        self.ask_forward();
        (!self.no_access_errs).then_some(Doubt::AccessMayErr)
    }

    /// Tries to rank every loop of the whole program, with more and more invariants; whether all that executions do was followed, if
    /// that is asked.
    fn rank_all(&mut self, automaton: &Automaton<'p>) -> Result<(), Doubt> {
        self.ask_forward();
        let values = self.values.take().unwrap_or_default();
        let known: BTreeSet<(FuncId, BlockId)> = self.ranked_places();
        let tables = trace(automaton, self.task.entry, self.task.limits.observed_runs, &self.budget.share(0.05));
        // Where only loops are asked about, nobody asks about the whole.
        let is_asked = self.wanted == Wanted::Ends;
        let mut whole = if is_asked { Err(Doubt::Budget(None)) } else { Ok(()) };
        let kinds = self.task.property.kinds();
        for effort in [Effort::Little, Effort::More, Effort::Most] {
            let mut candidates = guess(automaton, &tables, &values, effort);
            self.task.templates.instantiate(automaton, &tables, &mut candidates);
            let shown = inductive(self.wanted.query(), self.task, automaton, &candidates, 0, &self.budget.share(0.3));
            let mut turns = turns(automaton, kinds, &shown, &self.budget.share(0.3));
            if whole.is_err() {
                let budget = self.budget.share(0.3);
                let no_access_errs = self.no_access_errs;
                whole = turns.as_mut().map_err(|why| why.clone()).and_then(|t| t.are_whole(no_access_errs, &budget));
                if whole == Err(Doubt::AccessMayErr) && self.nothing_errs(automaton, &candidates) {
                    whole = Ok(());
                }
            }
            let (budget, before) = (self.budget.share(0.4), self.rows.ranked());
            let done = self.rank_with(automaton, &mut turns, &known, &shown, &budget);
            let is_stuck = !is_asked && self.rows.ranked() == before;
            if (done && whole.is_ok()) || is_stuck || self.budget.is_spent() {
                break;
            }
        }
        self.values = Some(values);
        whole
    }

    /// Whether no access errs and nothing is left out, by induction over longer and longer windows.
    fn nothing_errs(&self, automaton: &Automaton<'p>, candidates: &Candidates) -> bool {
        // Whatever overflows do.
        let task = Task { property: Property::Termination, ..*self.task };
        WINDOWS.into_iter().any(|k| {
            let budget = self.budget.share(0.2);
            induct(&task, automaton, candidates, k, &budget, &budget).is_ok()
        })
    }

    /// Loops that functions by themselves show to end.
    fn ranked_places(&self) -> BTreeSet<(FuncId, BlockId)> {
        let rows = self.functions.iter().flat_map(Function::rows);
        rows.filter(|(_, row)| row.is_ranked()).map(|(place, _)| place).collect()
    }

    /// Ranks the loops that are not ranked yet; whether all are now.
    fn rank_with(
        &mut self,
        automaton: &Automaton<'p>,
        turns: &mut Result<Turns<'_, 'p>, Doubt>,
        known: &BTreeSet<(FuncId, BlockId)>,
        invariants: &Candidates,
        budget: &Budget,
    ) -> bool {
        let (mut query, mut rows) = (self.wanted.query(), Vec::new());
        for head in automaton.heads() {
            let node = &automaton.nodes[head];
            if known.contains(&(node.function, node.block)) || self.rows.is_ranked(head) {
                continue;
            }
            let (start, asked) = (Instant::now(), query.asked);
            let ends = match turns {
                Ok(turns) => rank_one(turns, head, &mut query, &budget.share(0.5)),
                Err(why) => Ends::Unknown(why.clone()),
            };
            let mut row = row(automaton, head, ends, invariants);
            (row.queries, row.time) = (query.asked - asked, start.elapsed());
            rows.push((head, row));
        }
        let always = self.wanted == Wanted::Summaries && !rows.is_empty();
        confirm((self.task, automaton, invariants), &mut rows, always, &self.budget.share(0.5), &mut self.rechecks);
        let done = rows.iter().all(|(_, row)| row.is_ranked());
        rows.into_iter().for_each(|(head, row)| self.rows.add(head, row));
        done
    }

    /// A run that never ends, if some loop is not ranked.
    fn find_endless(&mut self, automaton: &Automaton<'p>) -> Option<Run> {
        if self.united().iter().all(LoopRow::is_ranked) && self.functions.iter().all(|f| f.descent.is_ok()) {
            return None;
        }
        let runs = endless(automaton, self.task.entry, self.task.limits.endless_runs, &self.budget.share(0.3));
        let mut tried = Vec::new();
        for run in runs {
            for place in run.heads.iter().take(PLACES) {
                if tried.iter().filter(|at| *at == place).count() > 2 {
                    continue;
                }
                tried.push(*place);
                if let Ok((head, set)) = recurrent(automaton, &run, *place, &self.budget.share(0.3)) {
                    if let Some(row) = self.rows.get_mut(head) {
                        row.ends = Ends::No(set);
                    }
                    return Some(run.run);
                }
            }
        }
        None
    }

    /// A row for every loop, from where most is known of it.
    fn united(&self) -> Vec<LoopRow> {
        let mut all = self.rows.clone().by_place();
        for (place, local) in self.functions.iter().flat_map(Function::rows) {
            let whole = all.get(&place).filter(|_| !local.is_ranked()).cloned();
            let mut row = whole.unwrap_or_else(|| local.clone());
            if row.ends != local.ends {
                row.queries += local.queries;
                row.time += local.time;
            }
            all.insert(place, row);
        }
        all.into_values().collect()
    }
}

/// Those of the loops at `places` of which no execution takes a second turn, as the forward analysis says of the program as machines run it:
/// where numbers wrap, and what nothing was written to holds anything. Nothing is said where an execution that goes on is one whose
/// states the analysis leaves out.
fn taken_once(task: &Task<'_>, places: &[(FuncId, BlockId)], budget: &Budget) -> BTreeSet<(FuncId, BlockId)> {
    let program = as_machines_run_it(task);
    let options = forward::Options {
        interrupt: budget.interrupt(),
        keep_invariants: true,
        steps: task.limits.loop_statements,
        ..task.limits.analysis.options(budget.left())
    };
    let memory = Memory::build(
        &program,
        &Setting {
            entries: &forward::Start::Function(task.entry).entries(&program),
            bounds: &task.limits.analysis.bounds(),
        },
        &Limits { time: Some(budget.left()), ..Limits::default() },
    );
    let forward = forward::analyze(&program, &memory, task.entry, &options);
    let goes_on = |(site, verdict): (SiteId, &SiteVerdict)| {
        let ends = program.sites[site].kind.is_fatal();
        !ends && !matches!(verdict, SiteVerdict::Safe(_) | SiteVerdict::Unreachable)
    };
    if forward.verdicts.iter_enumerated().any(goes_on) {
        return BTreeSet::new();
    }
    places.iter().copied().filter(|(f, head)| !comes_back(&program, &forward, *f, *head)).collect()
}

/// The program without the checks behind which machines go on with a number of the type.
fn as_machines_run_it(task: &Task<'_>) -> Program {
    let mut program = task.program.clone();
    let ends = |kind: CheckKind| task.property.arithmetic_kinds().contains(&kind);
    let kinds: Vec<CheckKind> = program.sites.iter().map(|site| site.kind).collect();
    let stays = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Check(check) if check.sites().any(|site| ends(kinds[site.index()])) => true,
        StmtKind::Check(check) => match &**check {
            Check::NoOverflow { op, .. } => !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul),
            Check::Initialized { .. } => false,
            _ => true,
        },
        _ => true,
    };
    for block in program.functions.iter_mut().flat_map(|function| function.blocks.iter_mut()) {
        block.stmts.retain(stays);
    }
    program
}

/// Whether an execution may come to a loop's first block once more from a block behind it.
fn comes_back(program: &Program, forward: &ForwardResult, function: FuncId, head: BlockId) -> bool {
    let cfg = Cfg::of(&program.functions[function]);
    let (mut behind, mut open) = (BTreeSet::new(), vec![head]);
    while let Some(block) = open.pop() {
        open.extend(cfg.successors(block).iter().copied().filter(|next| behind.insert(*next)));
    }
    cfg.predecessors(head).iter().any(|from| behind.contains(from) && forward.comes_to(function, *from))
}

fn rank_one(turns: &mut Turns<'_, '_>, head: NodeId, query: &mut Query, budget: &Budget) -> Ends {
    match rank(turns, Cycle::Loop(head), query, budget) {
        Ok(measures) => Ends::Yes(measures.iter().map(|m| m.in_c(turns.encoder.program)).collect()),
        Err(why) => Ends::Unknown(why),
    }
}
