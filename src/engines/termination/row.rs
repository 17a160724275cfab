//! What is known of a loop.

use super::super::invariant::guess::Candidates;
use super::super::invariant::predicate::strongest;
use super::super::invariant::recheck::{Rechecks, recheck};
use super::super::invariant::told::{Said, tell};
use super::super::task::answer::LoopInvariant;
use super::super::task::{Budget, Task};
use super::doubt::Doubt;
use crate::base::Span;
use crate::encode::{Automaton, NodeId};
use crate::ir::{BlockId, FuncId};
use std::collections::BTreeMap;
use std::time::Duration;

/// Whether a loop ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ends {
    /// Always: the measures that fall, the first the most significant, in C; none if no turn is followed by another.
    Yes(Vec<String>),
    /// Not on every input: what holds from some turn on, in C.
    No(Vec<String>),
    /// Not decided: why.
    Unknown(Doubt),
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

impl LoopRow {
    /// Whether the loop is known to end.
    pub fn is_ranked(&self) -> bool {
        matches!(self.ends, Ends::Yes(_))
    }
}

/// The row of the loop of `head`, which `invariants` hold of.
pub fn row(automaton: &Automaton<'_>, head: NodeId, ends: Ends, invariants: &Candidates) -> LoopRow {
    let node = &automaton.nodes[head];
    let program = automaton.program;
    let function = program.functions[node.function].name.clone();
    let span = automaton.span(head);
    let invariants = formulas(automaton, head, invariants);
    LoopRow { function, head: (node.function, node.block), span, ends, invariants, queries: 0, time: Duration::ZERO }
}

fn formulas(automaton: &Automaton<'_>, head: NodeId, invariants: &Candidates) -> Vec<LoopInvariant> {
    let of_head = invariants.get(&head).map_or(&[][..], |list| list);
    let said = strongest(automaton.program, of_head).iter().map(|p| Said::of(automaton, head, p)).collect();
    tell(automaton, &[(head, said)].into_iter().collect())
}

/// Shows again the invariants that `rows` were made with, if a loop was ranked with them or that is wanted `always`; whether all were shown. If
/// not, no loop counts as ranked by their help. What was not shown is in no row.
pub fn confirm(
    (task, automaton, invariants): (&Task<'_>, &Automaton<'_>, &Candidates),
    rows: &mut [(NodeId, LoopRow)],
    always: bool,
    budget: &Budget,
    rechecks: &mut Rechecks,
) -> bool {
    if !(always || rows.iter().any(|(_, row)| row.is_ranked())) {
        return true;
    }
    let again = recheck(automaton, task.property.kinds(), invariants, 0, budget);
    rechecks.add(automaton, &again);
    for (head, row) in rows {
        if !again.dropped.is_empty() && row.is_ranked() {
            row.ends = Ends::Unknown("the invariants are not confirmed".into());
        }
        row.invariants = formulas(automaton, *head, &again.kept);
    }
    again.dropped.is_empty()
}

/// The rows of one automaton's loops, by head.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    rows: BTreeMap<NodeId, LoopRow>,
}

impl Rows {
    /// Whether the loop is known to end.
    pub fn is_ranked(&self, head: NodeId) -> bool {
        self.rows.get(&head).is_some_and(LoopRow::is_ranked)
    }
    /// How many loops are known to end.
    pub fn ranked(&self) -> usize {
        self.rows.values().filter(|row| row.is_ranked()).count()
    }
    /// Puts a row in the place of an earlier one, whose cost is added to it.
    pub fn add(&mut self, head: NodeId, mut row: LoopRow) {
        if let Some(earlier) = self.rows.get(&head) {
            row.queries += earlier.queries;
            row.time += earlier.time;
            if let (Ends::Unknown(now), Ends::Unknown(before)) = (&mut row.ends, &earlier.ends)
                && matches!(now, Doubt::Budget(_))
            {
                now.clone_from(before);
            }
        }
        self.rows.insert(head, row);
    }
    /// Whether a loop has none.
    pub fn lacks_invariants(&self) -> bool {
        self.rows.values().any(|row| row.invariants.is_empty())
    }
    /// Adds time that all loops took together.
    pub fn spend(&mut self, time: Duration) {
        let each = time / u32::try_from(self.rows.len().max(1)).unwrap_or(u32::MAX);
        self.rows.values_mut().for_each(|row| row.time += each);
    }
    /// Notes these invariants in the place of all others.
    pub fn set_invariants(&mut self, automaton: &Automaton<'_>, invariants: &Candidates) {
        for (head, row) in &mut self.rows {
            row.invariants = formulas(automaton, *head, invariants);
        }
    }
    /// The row of a head.
    pub fn get_mut(&mut self, head: NodeId) -> Option<&mut LoopRow> {
        self.rows.get_mut(&head)
    }
    /// One row for the heads that are the same place of the program: it ends if it does at all of them.
    pub fn by_place(self) -> BTreeMap<(FuncId, BlockId), LoopRow> {
        let mut all: BTreeMap<(FuncId, BlockId), LoopRow> = BTreeMap::new();
        for row in self.rows.into_values() {
            match all.get_mut(&row.head) {
                Some(earlier) => earlier.unite(row),
                None => drop(all.insert(row.head, row)),
            }
        }
        all
    }
}

impl LoopRow {
    fn unite(&mut self, other: LoopRow) {
        self.queries += other.queries;
        self.time += other.time;
        self.invariants.retain(|i| other.invariants.contains(i));
        let worse = |ends: &Ends| match ends {
            Ends::Yes(_) => 0,
            Ends::Unknown(_) => 1,
            Ends::No(_) => 2,
        };
        if worse(&other.ends) > worse(&self.ends) {
            self.ends = other.ends;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Idx;

    fn open(why: Doubt) -> LoopRow {
        let head = (FuncId::new(0), BlockId::new(0));
        let (function, span, ends) = ("f".to_owned(), Span::NONE, Ends::Unknown(why));
        LoopRow { function, head, span, ends, invariants: Vec::new(), queries: 1, time: Duration::ZERO }
    }

    #[test]
    fn that_time_ran_out_says_less_than_what_was_found_out_before() {
        let found = || Doubt::Open("no measure that is tried falls in every turn".to_owned());
        // What begins with the same word is a reason as good as any.
        let odd = || Doubt::Open("budget is a variable that grows".to_owned());
        for (later, kept) in
            [(Doubt::Budget(None), found()), (odd(), odd()), (Doubt::AccessMayErr, Doubt::AccessMayErr)]
        {
            let (mut rows, head) = (Rows::default(), NodeId::new(0));
            rows.add(head, open(found()));
            rows.add(head, open(later));
            assert_eq!(rows.get_mut(head).expect("it was added").ends, Ends::Unknown(kept));
        }
    }
}
