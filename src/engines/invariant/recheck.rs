//! Invariants shown to be inductive once more: a new encoding of the program in which they are assumed outright, without the switches by
//! which candidates are sifted, and solvers that have been told nothing, the one first that came last before.

use super::guess::Candidates;
use super::predicate::Predicate;
use crate::base::Span;
use crate::encode::{Automaton, Encoder, NodeId, State};
use crate::engines::cpa::unwinding::{Arrival, Invariants, Unrolling, unroll};
use crate::engines::task::query::Reply;
use crate::engines::task::{Budget, Query};
use crate::ir::CheckKind;
use crate::smt::Term;
use std::collections::BTreeMap;

/// Invariants that are taken for granted.
pub struct Granted<'c> {
    pub invariants: &'c Candidates,
    /// The term that is true.
    pub always: Term,
}

impl Invariants for Granted<'_> {
    fn terms(&mut self, encoder: &mut Encoder<'_, '_>, head: NodeId, state: &mut State) -> Vec<Term> {
        let list = self.invariants.get(&head).map_or(&[][..], |l| l);
        list.iter().map(|p| p.term(encoder, state)).collect()
    }
    fn switches(&self, head: NodeId) -> Vec<Term> {
        vec![self.always; self.invariants.get(&head).map_or(0, Vec::len)]
    }
}

/// What came of it.
#[derive(Clone, Debug, Default)]
pub struct Rechecked {
    /// The invariants that were shown again.
    pub kept: Candidates,
    /// Those that were not, and why.
    pub dropped: Vec<(NodeId, Predicate, String)>,
    pub queries: u64,
}

/// What came of all of them, for reports.
#[derive(Clone, Debug, Default)]
pub struct Rechecks {
    /// Invariants that were shown again.
    pub invariants: usize,
    pub queries: u64,
    /// Those that were not: place, formula, reason.
    pub dropped: Vec<(Span, String, String)>,
}

impl Rechecks {
    /// Adds what came of the loops of one automaton.
    pub fn add(&mut self, automaton: &Automaton<'_>, found: &Rechecked) {
        self.invariants += found.count();
        self.queries += found.queries;
        let told = found
            .dropped
            .iter()
            .map(|(head, predicate, why)| (automaton.span(*head), predicate.in_c(automaton.program), why.clone()));
        self.dropped.extend(told);
    }

    /// Adds what came of others.
    pub fn unite(&mut self, others: &Rechecks) {
        self.invariants += others.invariants;
        self.queries += others.queries;
        self.dropped.extend(others.dropped.iter().cloned());
    }
}

impl Rechecked {
    /// How many invariants were shown again.
    pub fn count(&self) -> usize {
        self.kept.values().map(Vec::len).sum()
    }
}

/// Shows that `invariants` are inductive over windows of `base` turns where the checks of `kinds` pass. One that fails is dropped, and the rest is
/// asked about again without it, so that what is kept is inductive by itself.
pub fn recheck(
    automaton: &Automaton<'_>,
    kinds: &[CheckKind],
    invariants: &Candidates,
    base: u32,
    budget: &Budget,
) -> Rechecked {
    let mut found = Rechecked { kept: invariants.clone(), ..Rechecked::default() };
    while found.count() > 0 {
        let failed = failing(automaton, kinds, &found.kept, base, budget, &mut found.queries);
        if failed.is_empty() {
            break;
        }
        let mut kept = Candidates::default();
        for (head, list) in std::mem::take(&mut found.kept) {
            for (at, predicate) in list.into_iter().enumerate() {
                match failed.get(&(head, at)) {
                    Some(why) => found.dropped.push((head, predicate, why.clone())),
                    None => kept.entry(head).or_default().push(predicate),
                }
            }
        }
        found.kept = kept;
    }
    found
}

/// Those that are not shown to hold after a turn in which all do, and why.
fn failing(
    automaton: &Automaton<'_>,
    kinds: &[CheckKind],
    invariants: &Candidates,
    base: u32,
    budget: &Budget,
    queries: &mut u64,
) -> BTreeMap<(NodeId, usize), String> {
    let all = || invariants.iter().flat_map(|(head, list)| (0..list.len()).map(|at| (*head, at)));
    let each = |why: &str| all().map(|key| (key, why.to_owned())).collect();
    if automaton.order.is_irreducible() {
        return each("a loop that is entered at several places");
    }
    let mut encoder = Encoder::new(automaton, kinds);
    encoder.ends_clean = false;
    let mut granted = Granted { invariants, always: encoder.pool.bool(true) };
    let unrolled = unroll(&mut encoder, Unrolling { base, window: true }, &mut granted, budget);
    if unrolled.aborted {
        return each("budget, while loops were unrolled");
    }
    let mut query = Query::certifying();
    let mut failed = BTreeMap::new();
    let mut by_head = Vec::new();
    for (head, list) in invariants {
        let here: Vec<&Arrival> = unrolled.arrivals.iter().filter(|arrival| arrival.head == *head).collect();
        let violated: Vec<Term> = (0..list.len()).map(|at| violation(&mut encoder, &here, at)).collect();
        by_head.push((head, violated));
    }
    let all: Vec<Term> = by_head.iter().flat_map(|(_, violated)| violated).copied().collect();
    let any = encoder.pool.or(&all);
    if query.check(&encoder, &[any], &budget.share(0.5)) == Reply::Unsat {
        by_head.clear();
    }
    for (head, violated) in by_head {
        let any = encoder.pool.or(&violated);
        if query.check(&encoder, &[any], budget) == Reply::Unsat {
            continue;
        }
        for (at, violation) in violated.into_iter().enumerate() {
            match query.check(&encoder, &[violation], budget) {
                Reply::Unsat => {}
                Reply::Sat => drop(failed.insert((*head, at), "a turn leads out of it".to_owned())),
                Reply::Unknown(why) => drop(failed.insert((*head, at), format!("solver: {why}"))),
            }
        }
    }
    *queries += query.asked;
    failed
}

/// Control comes to the head in a state in which invariant number `at` does not hold.
fn violation(encoder: &mut Encoder<'_, '_>, arrivals: &[&Arrival], at: usize) -> Term {
    let mut all = Vec::new();
    for arrival in arrivals {
        let broken = encoder.pool.not(arrival.candidates[at]);
        all.push(encoder.pool.and(&[arrival.condition, broken]));
    }
    encoder.pool.or(&all)
}

#[cfg(test)]
mod tests {
    use super::super::predicate::Predicate;
    use super::*;
    use crate::base::SourceMap;
    use crate::encode::Cell;
    use crate::encode::automaton::{Bounds, ROOT};
    use crate::frontend::lower::{LowerOptions, lower};
    use crate::frontend::parse::parse_units;
    use crate::frontend::preprocess::PreprocessedUnit;
    use crate::ir::DataModel;
    use crate::memory::Memory;
    use std::time::Duration;

    /// Of the formulas `i <= n` for these `n`, those that are kept of the loop `for (i = 0; i < 10; i++)`.
    fn kept(bounds: &[i128]) -> (Vec<String>, usize) {
        let text = "int main(void) { int i = 0; while (i < 10) i++; return i; }".into();
        let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
        let mut sources = SourceMap::default();
        let parsed = parse_units(&[unit], 1, &mut sources);
        let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
        let entry = program.function_named("main").expect("there is a main");
        let memory = Memory::of(&program);
        let automaton = Automaton::new(&program, &memory, entry, Bounds::default()).expect("it is small");
        let i = program.variables.indices().find(|v| program.variables[*v].name == "i").expect("there is an i");
        let cell = Cell { context: ROOT, variable: i };
        let list = bounds.iter().map(|bound| Predicate::at_most(cell, *bound)).collect();
        let candidates = Candidates::from([(automaton.heads()[0], list)]);
        let found = recheck(&automaton, &[], &candidates, 0, &Budget::of(Duration::from_secs(60)));
        let kept = found.kept.values().flatten().map(|p| p.in_c(&program)).collect();
        (kept, found.dropped.len())
    }

    #[test]
    fn what_is_inductive_is_kept_and_what_is_not_is_dropped() {
        assert_eq!(kept(&[10]), (vec!["(long long)(i) <= 10".to_owned()], 0));
        assert_eq!(kept(&[9]), (vec![], 1));
    }

    #[test]
    fn what_only_the_dropped_would_have_shown_is_dropped_too() {
        // From i <= 4, which fails, i <= 5 follows a turn later.
        assert_eq!(kept(&[4, 5, 10]), (vec!["(long long)(i) <= 10".to_owned()], 2));
    }
}
