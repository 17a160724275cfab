//! Loops and recursion judged function by function: each function is called in any state, calls of others have any of
//! their effects. What is shown so holds in every program around the function.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 5.4 and 6.4: one turn of one loop at a
//! time, from any state, with few invariants. We differ in that small callees are followed.

use super::super::forward::ValueAt;
use super::super::invariant::guess::{Candidates, Effort, guess};
use super::super::invariant::prove::inductive;
use super::super::invariant::recheck::{Rechecks, recheck};
use super::super::invariant::trace::Tables;
use super::super::task::{Budget, Query, Task};
use super::doubt::Doubt;
use super::rank::rank;
use super::row::{Ends, LoopRow, Rows, confirm, row};
use super::summary::Wanted;
use super::turns::{Cycle, Turns, turns, turns_anywhere};
use crate::encode::automaton::ROOT;
use crate::encode::{Automaton, NodeId};
use crate::ir::{BlockId, FuncId};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

/// What runs and the forward analysis show.
#[derive(Clone, Copy)]
pub struct Hints<'h> {
    pub tables: &'h Tables,
    pub values: &'h [ValueAt],
    pub effort: Effort,
}

/// A function by itself.
pub struct Function<'p> {
    name: String,
    automaton: Result<Automaton<'p>, String>,
    rows: Rows,
    /// What was shown to hold at its loops' heads.
    proved: Candidates,
    /// The invariants that it was ranked with last.
    used: Option<Candidates>,
    /// How that fared when it was shown again.
    pub rechecks: Rechecks,
    /// What falls from call to call of the function by itself; why that is not known.
    pub descent: Result<Vec<String>, Doubt>,
}

impl<'p> Function<'p> {
    /// Nothing is known yet.
    pub fn new(task: &Task<'p>, function: FuncId) -> Self {
        let name = task.program.functions[function].name.clone();
        let descent = if !task.memory.is_recursive(function) {
            Ok(Vec::new())
        } else {
            Err(format!("recursion of '{name}'").into())
        };
        Function {
            name,
            automaton: Automaton::of_function(task.program, task.memory, function),
            rows: Rows::default(),
            proved: Candidates::default(),
            used: None,
            rechecks: Rechecks::default(),
            descent,
        }
    }

    /// The heads of the function's own loops.
    fn heads(&self) -> Vec<NodeId> {
        let Ok(automaton) = &self.automaton else { return Vec::new() };
        automaton.heads().into_iter().filter(|head| automaton.nodes[*head].context == ROOT).collect()
    }

    /// The blocks that its loops begin with.
    pub fn places(&self) -> Vec<(FuncId, BlockId)> {
        let Ok(automaton) = &self.automaton else { return Vec::new() };
        let node = |head: NodeId| &automaton.nodes[head];
        self.heads().into_iter().map(|head| (node(head).function, node(head).block)).collect()
    }

    /// Whether its loops and its recursion end.
    pub fn is_done(&self) -> bool {
        self.descent.is_ok() && self.automaton.is_ok() && self.heads().iter().all(|head| self.rows.is_ranked(*head))
    }

    /// Why not all that its runs do is followed, if that is seen at once.
    pub fn doubt(&self) -> Option<Doubt> {
        match &self.automaton {
            Ok(automaton) => automaton.cuts().next().map(Doubt::from),
            Err(why) => Some(why.as_str().into()),
        }
    }

    /// What is known of its loops.
    pub fn rows(&self) -> BTreeMap<(FuncId, BlockId), LoopRow> {
        self.rows.clone().by_place()
    }

    /// Notes that loops end of which no execution takes a second turn, whose first blocks `once` has.
    pub fn end_where(&mut self, once: &BTreeSet<(FuncId, BlockId)>) {
        let heads = self.heads();
        let Ok(automaton) = &self.automaton else { return };
        for head in heads {
            let node = &automaton.nodes[head];
            if !self.rows.is_ranked(head) && once.contains(&(node.function, node.block)) {
                self.rows.add(head, row(automaton, head, Ends::Yes(Vec::new()), &Candidates::default()));
            }
        }
    }

    /// Ranks its loops one by one, each from any state.
    pub fn rank_alone(&mut self, task: &Task<'p>, wanted: Wanted, budget: &Budget) {
        let heads = self.heads();
        let Ok(automaton) = &self.automaton else { return };
        for (n, head) in heads.iter().enumerate() {
            let (start, mut query) = (Instant::now(), wanted.query());
            let share = budget.share(2.0 / (heads.len() - n + 1) as f64);
            let mut turns = turns_anywhere(automaton, *head, task.property.arithmetic_kinds(), &share);
            let ends = measures(&mut turns, Cycle::Loop(*head), &mut query, &share);
            let ends = ends.map_or_else(Ends::Unknown, Ends::Yes);
            let mut row = row(automaton, *head, ends, &Candidates::default());
            (row.queries, row.time) = (query.asked, start.elapsed());
            self.rows.add(*head, row);
        }
    }

    /// Looks for what holds at the loops' heads, if nothing is known to at some.
    pub fn add_invariants(&mut self, task: &Task<'p>, hints: Hints<'_>, budget: &Budget) {
        let Ok(automaton) = &self.automaton else { return };
        if !self.rows.lacks_invariants() {
            return;
        }
        let begun = Instant::now();
        let candidates = candidates(task, automaton, hints);
        let invariants = inductive(Wanted::Summaries.query(), task, automaton, &candidates, 0, budget);
        unite(&mut self.proved, invariants);
        self.rows.spend(begun.elapsed());
    }

    /// Shows again what was shown to hold at the loops' heads, and has nothing else in the rows.
    pub fn confirm_invariants(&mut self, task: &Task<'p>, budget: &Budget) {
        let Ok(automaton) = &self.automaton else { return };
        let begun = Instant::now();
        let again = recheck(automaton, task.property.kinds(), &self.proved, 0, budget);
        self.rechecks = Rechecks::default();
        self.rechecks.add(automaton, &again);
        self.rows.set_invariants(automaton, &again.kept);
        self.rows.spend(begun.elapsed());
    }

    /// Ranks what is not ranked yet, with invariants among what `hints` suggest.
    pub fn rank(&mut self, task: &Task<'p>, wanted: Wanted, hints: Option<Hints<'_>>, budget: &Budget) {
        let heads = self.heads();
        let Ok(automaton) = &self.automaton else { return };
        if heads.is_empty() && self.descent.is_ok() {
            return;
        }
        let begun = Instant::now();
        let invariants = match hints {
            None => Candidates::default(),
            Some(hints) => {
                let candidates = candidates(task, automaton, hints);
                inductive(wanted.query(), task, automaton, &candidates, 0, &budget.share(0.5))
            }
        };
        if self.used.as_ref() == Some(&invariants) {
            return; // Nothing was learnt.
        }
        self.used = Some(invariants.clone());
        let mut turns = turns(automaton, task.property.kinds(), &invariants, &budget.share(0.5));
        let open: Vec<NodeId> = heads.into_iter().filter(|head| !self.rows.is_ranked(*head)).collect();
        // What the loops have in common is theirs in equal parts.
        let common = begun.elapsed() / u32::try_from(open.len().max(1)).unwrap_or(u32::MAX);
        let (mut query, mut rows) = (wanted.query(), Vec::new());
        for (n, head) in open.iter().enumerate() {
            let (start, asked) = (Instant::now(), query.asked);
            let share = budget.share(2.0 / (open.len() - n + 1) as f64);
            let ends = measures(&mut turns, Cycle::Loop(*head), &mut query, &share);
            let mut row = row(automaton, *head, ends.map_or_else(Ends::Unknown, Ends::Yes), &invariants);
            (row.queries, row.time) = (query.asked - asked, start.elapsed() + common);
            rows.push((*head, row));
        }
        let was_open = self.descent.is_err();
        if was_open {
            let why = |why: Doubt| Doubt::Open(format!("recursion of '{}': {why}", self.name));
            self.descent = measures(&mut turns, Cycle::Recursion, &mut query, &budget.share(0.5)).map_err(why);
        }
        let by_descent = was_open && self.descent.is_ok();
        let used = (task, automaton, &invariants);
        if hints.is_some() && !confirm(used, &mut rows, by_descent, budget, &mut self.rechecks) && by_descent {
            self.descent = Err(format!("recursion of '{}': the invariants are not confirmed", self.name).into());
        }
        rows.into_iter().for_each(|(head, row)| self.rows.add(head, row));
        unite(&mut self.proved, invariants);
    }
}

/// What runs, the forward analysis and rules suggest.
fn candidates(task: &Task<'_>, automaton: &Automaton<'_>, hints: Hints<'_>) -> Candidates {
    let mut candidates = guess(automaton, hints.tables, hints.values, hints.effort);
    task.templates.instantiate(automaton, hints.tables, &mut candidates);
    candidates
}

/// Adds `more` to what is known. What is inductive by itself is so together.
fn unite(known: &mut Candidates, more: Candidates) {
    for (head, list) in more {
        let here = known.entry(head).or_default();
        for predicate in list {
            if !here.contains(&predicate) {
                here.push(predicate);
            }
        }
    }
}

/// What falls in every turn, in C.
fn measures(
    turns: &mut Result<Turns<'_, '_>, Doubt>,
    cycle: Cycle,
    query: &mut Query,
    budget: &Budget,
) -> Result<Vec<String>, Doubt> {
    let turns = turns.as_mut().map_err(|why| why.clone())?;
    let measures = rank(turns, cycle, query, budget)?;
    Ok(measures.iter().map(|m| m.in_c(turns.encoder.program)).collect())
}
