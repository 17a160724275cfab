//! All loops of a program, a row each.

use super::super::forward::{self, SiteVerdict, ValueAt};
use super::super::invariant::guess::{Candidates, Effort, guess};
use super::super::invariant::predicate::strongest;
use super::super::invariant::prove::prove;
use super::super::invariant::trace::trace;
use super::super::task::answer::LoopInvariant;
use super::super::task::{Budget, Query, Task};
use super::endless::endless;
use super::rank::rank;
use super::recur::recurrent;
use super::turns::{Turns, turns};
use crate::base::Span;
use crate::concrete::Run;
use crate::encode::automaton::Bounds;
use crate::encode::{Automaton, NodeId};
use crate::ir::{BlockId, FuncId, SiteId};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Whether a loop ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Always: the measures that fall, the first the most significant, in C.
    Yes(Vec<String>),
    /// Not on every input: what holds from some turn on, in C.
    No(Vec<String>),
    /// Not decided: why.
    Unknown(String),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct LoopRow {
    pub function: String,
    /// The block that every turn begins with.
    pub head: (FuncId, BlockId),
    pub span: Span,
    pub ends: Ends,
    /// What holds whenever control is at the head.
    pub invariants: Vec<LoopInvariant>,
    /// Questions to the solver.
    pub queries: u64,
    pub time: Duration,
}

/// What was found out.
#[derive(Clone, Debug)]
pub struct Summary {
    /// By place.
    pub loops: Vec<LoopRow>,
    /// Whether the loops are all that executions do; else what was not followed.
    pub whole: Result<(), String>,
    /// A run that never ends.
    pub endless: Option<Run>,
}

/// Runs that are made to see some that do not end.
const RUNS: usize = 60;

/// Judges the loops that executions from the task's entry come to.
pub fn summarize(task: &Task<'_>, budget: &Budget) -> Summary {
    let nothing = |why: String| Summary { loops: Vec::new(), whole: Err(why), endless: None };
    let automaton = match Automaton::new(task.program, task.entry, Bounds::default()) {
        Ok(automaton) => automaton,
        Err(why) => return nothing(why),
    };
    let mut work =
        Work { task, automaton: &automaton, budget: budget.clone(), values: Vec::new(), rows: BTreeMap::new() };
    let whole = work.rank_all();
    let endless = work.find_endless();
    let mut loops: Vec<LoopRow> = work.rows.into_values().collect();
    loops.sort_by(|a, b| (a.span, &a.function).cmp(&(b.span, &b.function)));
    Summary { loops: united(loops), whole, endless }
}

struct Work<'w, 'p> {
    task: &'w Task<'p>,
    automaton: &'w Automaton<'p>,
    budget: Budget,
    /// What the forward analysis says of values.
    values: Vec<ValueAt>,
    rows: BTreeMap<NodeId, LoopRow>,
}

impl<'p> Work<'_, 'p> {
    /// Tries to rank every loop, with more and more invariants; whether all that executions do was followed.
    fn rank_all(&mut self) -> Result<(), String> {
        let limit = self.budget.left().mul_f64(0.15);
        let options = forward::Options { time_limit: limit, keep_invariants: true, ..forward::Options::default() };
        let forward = forward::analyze(self.task.program, self.task.entry, &options);
        self.values = forward.value_at(self.task.program);
        let errs = |(site, verdict): (SiteId, &SiteVerdict)| {
            let is_memory = self.task.program.sites[site].kind.is_memory();
            is_memory && !matches!(verdict, SiteVerdict::Safe(_) | SiteVerdict::Unreachable)
        };
        let no_access_errs = forward.incomplete.is_none() && !forward.verdicts.iter_enumerated().any(errs);
        let tables = trace(self.automaton, self.task.entry, 150, &self.budget.share(0.05));
        let mut whole = Err("budget".to_owned());
        let kinds = self.task.property.kinds();
        for effort in [Effort::Little, Effort::More, Effort::Most] {
            let candidates = guess(self.automaton, &tables, &self.values, effort);
            let shown = prove(self.task, self.automaton, &candidates, 0, &self.budget.share(0.3));
            let mut turns = turns(self.automaton, kinds, &shown.invariants, &self.budget.share(0.3));
            if whole.is_err() {
                let budget = self.budget.share(0.3);
                whole = turns.as_mut().map_err(|why| why.clone()).and_then(|t| t.are_whole(no_access_errs, &budget));
            }
            let done = self.rank_with(&mut turns, &shown.invariants, &self.budget.share(0.4));
            if (done && whole.is_ok()) || self.budget.is_spent() {
                break;
            }
        }
        whole
    }

    /// Ranks the loops that are not ranked yet; whether all are now.
    fn rank_with(
        &mut self,
        turns: &mut Result<Turns<'_, 'p>, String>,
        invariants: &Candidates,
        budget: &Budget,
    ) -> bool {
        let mut query = Query::new();
        for head in self.automaton.heads() {
            if self.rows.get(&head).is_some_and(|row| matches!(row.ends, Ends::Yes(_))) {
                continue;
            }
            let (start, asked) = (Instant::now(), query.asked);
            let ends = match turns {
                Ok(turns) => self.rank_one(turns, head, &mut query, &budget.share(0.5)),
                Err(why) => Ends::Unknown(why.clone()),
            };
            let row = self.row(head, ends, invariants);
            let earlier = self.rows.insert(head, row);
            let row = self.rows.get_mut(&head).expect("it was just inserted");
            row.queries = query.asked - asked + earlier.as_ref().map_or(0, |e| e.queries);
            row.time = start.elapsed() + earlier.map_or(Duration::ZERO, |e| e.time);
        }
        self.rows.values().all(|row| matches!(row.ends, Ends::Yes(_)))
    }

    fn rank_one(&self, turns: &mut Turns<'_, 'p>, head: NodeId, query: &mut Query, budget: &Budget) -> Ends {
        match rank(turns, head, query, budget) {
            Ok(measures) => Ends::Yes(measures.iter().map(|m| m.in_c(self.task.program)).collect()),
            Err(why) => Ends::Unknown(why),
        }
    }

    fn row(&self, head: NodeId, ends: Ends, invariants: &Candidates) -> LoopRow {
        let node = &self.automaton.nodes[head];
        let at = (node.function, node.block);
        let function = self.task.program.functions[node.function].name.clone();
        let span = self.automaton.span(head);
        let of_head = invariants.get(&head).map_or(&[][..], |list| list);
        let invariants = strongest(self.task.program, of_head)
            .iter()
            .map(|p| LoopInvariant { span, function: function.clone(), formula: p.in_c(self.task.program) })
            .collect();
        LoopRow { function, head: at, span, ends, invariants, queries: 0, time: Duration::ZERO }
    }

    /// A run that never ends, if some loop is not ranked.
    fn find_endless(&mut self) -> Option<Run> {
        if self.rows.values().all(|row| matches!(row.ends, Ends::Yes(_))) {
            return None;
        }
        let runs = endless(self.automaton, self.task.entry, RUNS, &self.budget.share(0.3));
        let mut tried = Vec::new();
        for run in runs {
            if tried.iter().filter(|head| **head == run.head).count() > 2 {
                continue;
            }
            tried.push(run.head);
            if let Ok((head, set)) = recurrent(self.automaton, &run, &self.budget.share(0.5)) {
                if let Some(row) = self.rows.get_mut(&head) {
                    row.ends = Ends::No(set);
                }
                return Some(run.run);
            }
        }
        None
    }
}

/// One row for a loop that several activations run: it ends if it does in all of them.
fn united(rows: Vec<LoopRow>) -> Vec<LoopRow> {
    let mut all: Vec<LoopRow> = Vec::new();
    for row in rows {
        match all.last_mut() {
            Some(last) if last.span == row.span && last.function == row.function => {
                last.queries += row.queries;
                last.time += row.time;
                last.invariants.retain(|i| row.invariants.contains(i));
                let worse = |ends: &Ends| match ends {
                    Ends::Yes(_) => 0,
                    Ends::Unknown(_) => 1,
                    Ends::No(_) => 2,
                };
                if worse(&row.ends) > worse(&last.ends) {
                    last.ends = row.ends;
                }
            }
            _ => all.push(row),
        }
    }
    all
}
