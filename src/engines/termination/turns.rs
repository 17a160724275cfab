//! The relation between the states at a loop's head and at the same head a turn later.

use super::super::cpa::unwinding::{Invariants, Unrolling, WholeTurn, unroll};
use super::super::invariant::guess::Candidates;
use super::super::task::query::Reply;
use super::super::task::{Budget, Query};
use crate::encode::{Automaton, Encoder, NodeId, State};
use crate::ir::CheckKind;
use crate::smt::Term;

/// All turns of all loops, of any execution that satisfies the invariants at loop heads.
pub struct Turns<'a, 'p> {
    pub encoder: Encoder<'a, 'p>,
    pub turns: Vec<WholeTurn>,
}

impl Turns<'_, '_> {
    /// Whether the turns are all that executions do: nothing is left out, and no access errs unless that is known.
    pub fn are_whole(&mut self, no_access_errs: bool, budget: &Budget) -> Result<(), String> {
        let mut query = Query::new();
        let failures = self.encoder.failures.iter().map(|f| (f.condition, "an access may err"));
        let gaps = self.encoder.gaps.iter().map(|g| (g.condition, g.reason.as_str()));
        let doubts: Vec<(Term, String)> =
            gaps.chain(failures.filter(|_| !no_access_errs)).map(|(t, why)| (t, why.to_owned())).collect();
        let any: Vec<Term> = doubts.iter().map(|(t, _)| *t).collect();
        let any = self.encoder.pool.or(&any);
        match query.check(&self.encoder, &[any], budget) {
            Reply::Unsat => Ok(()),
            Reply::Unknown(why) => Err(format!("solver: {why}")),
            Reply::Sat => {
                let terms: Vec<Term> = doubts.iter().map(|(t, _)| *t).collect();
                let values = query.values(&self.encoder, &terms).map_err(|e| e.to_string())?;
                let met = values.iter().zip(&doubts).find(|(v, _)| v.as_bool() == Some(true));
                Err(met.map_or("something is not encoded".to_owned(), |(_, (_, why))| why.clone()))
            }
        }
    }
}

/// Proved invariants, taken for granted.
struct Granted<'c> {
    invariants: &'c Candidates,
    always: Term,
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

/// The turns; failures of `kinds` on the way are in the encoder.
///
/// # Errors
/// A loop with several entries, or the budget is spent.
pub fn turns<'a, 'p>(
    automaton: &'a Automaton<'p>,
    kinds: &[CheckKind],
    invariants: &Candidates,
    budget: &Budget,
) -> Result<Turns<'a, 'p>, String> {
    if automaton.order.is_irreducible() {
        return Err("a loop that is entered at several places".to_owned());
    }
    let mut encoder = Encoder::new(automaton, kinds);
    let mut granted = Granted { invariants, always: encoder.pool.bool(true) };
    let unrolled = unroll(&mut encoder, Unrolling { base: 0, window: true }, &mut granted, budget);
    if unrolled.aborted {
        return Err("budget, while turns were encoded".to_owned());
    }
    Ok(Turns { encoder, turns: unrolled.turns })
}
