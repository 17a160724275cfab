//! The relation between the states at a loop's head and at the same head a turn later.

use super::super::bmc::reachable_gap;
use super::super::cpa::unwinding::{Unrolling, WholeTurn, unroll, unroll_loop};
use super::super::invariant::guess::Candidates;
use super::super::invariant::recheck::Granted;
use super::super::task::query::Reply;
use super::super::task::{Budget, Query};
use super::doubt::Doubt;
use crate::encode::automaton::START;
use crate::encode::{Automaton, Encoder, Failure, NodeId};
use crate::ir::CheckKind;
use crate::smt::Term;

/// All turns of all loops, of any execution that satisfies the invariants at loop heads.
pub struct Turns<'a, 'p> {
    pub encoder: Encoder<'a, 'p>,
    pub turns: Vec<WholeTurn>,
    /// From the function's start to where it calls itself.
    pub descents: Vec<WholeTurn>,
    /// The first so many gaps of the encoder are those of executions: control may come back from any of them.
    pub gaps: usize,
    /// Whether nothing is left out, when that has been found out.
    followed: Option<Result<(), Doubt>>,
}

/// What executions may go round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cycle {
    Loop(NodeId),
    /// The calls of the function that stands by itself.
    Recursion,
}

impl Cycle {
    /// Those of the turns, or of the descents, that go round.
    pub fn turns<'t>(
        self,
        turns: &'t [WholeTurn],
        descents: &'t [WholeTurn],
    ) -> impl Iterator<Item = &'t WholeTurn> + use<'t> {
        let (turns, descents) = match self {
            Cycle::Loop(_) => (turns, &descents[..0]),
            Cycle::Recursion => (&turns[..0], descents),
        };
        turns.iter().filter(move |turn| self == Cycle::Loop(turn.head)).chain(descents)
    }
}

impl Turns<'_, '_> {
    /// Whether nothing that executions do is left out.
    ///
    /// # Errors
    /// What is, or may be.
    pub fn is_followed(&mut self, query: &mut Query, budget: &Budget) -> Result<(), Doubt> {
        if let Some(known) = &self.followed {
            return known.clone();
        }
        let conditions: Vec<Term> = self.encoder.gaps[..self.gaps].iter().map(|gap| gap.condition).collect();
        let any = self.encoder.pool.or(&conditions);
        let followed = match query.check(&self.encoder, &[any], budget) {
            Reply::Unsat => Ok(()),
            Reply::Unknown(why) => return Err(Doubt::Solver(why)),
            Reply::Sat => Err(reachable_gap(&self.encoder, query).to_string().into()),
        };
        self.followed.insert(followed).clone()
    }

    /// Whether the turns are all that executions do: nothing is left out, and no access errs unless that is known. Overflows
    /// are not asked about: executions with some are judged, or they are not meant.
    pub fn are_whole(&mut self, no_access_errs: bool, budget: &Budget) -> Result<(), Doubt> {
        let mut query = Query::new();
        let is_access = |f: &&Failure| self.encoder.program.sites[f.site].kind != CheckKind::SignedOverflow;
        let failures = self.encoder.failures.iter().filter(is_access).map(|f| (f.condition, Doubt::AccessMayErr));
        let gaps = self.encoder.gaps.iter().map(|g| (g.condition, Doubt::from(g.reason.as_str())));
        let doubts: Vec<(Term, Doubt)> = gaps.chain(failures.filter(|_| !no_access_errs)).collect();
        let any: Vec<Term> = doubts.iter().map(|(t, _)| *t).collect();
        let any = self.encoder.pool.or(&any);
        match query.check(&self.encoder, &[any], budget) {
            Reply::Unsat => Ok(()),
            Reply::Unknown(why) => Err(Doubt::Solver(why)),
            Reply::Sat => {
                let terms: Vec<Term> = doubts.iter().map(|(t, _)| *t).collect();
                let values = query.values(&self.encoder, &terms).map_err(|e| e.to_string())?;
                let met = values.iter().zip(&doubts).find(|(v, _)| v.as_bool() == Some(true));
                Err(met.map_or("something is not encoded".into(), |(_, (_, why))| why.clone()))
            }
        }
    }
}

/// The turns of one loop of a function by itself, from any state, in which the checks of `kinds` pass.
///
/// # Errors
/// As [`turns`].
pub fn turns_anywhere<'a, 'p>(
    automaton: &'a Automaton<'p>,
    head: NodeId,
    kinds: &[CheckKind],
    budget: &Budget,
) -> Result<Turns<'a, 'p>, Doubt> {
    if automaton.order.is_irreducible() {
        return Err("a loop that is entered at several places".into());
    }
    // Control that is not followed lies in no loop of the automaton's, and may come back to this one all the same.
    if let Some(why) = automaton.cut_behind(head) {
        return Err(why.into());
    }
    let mut encoder = Encoder::new(automaton, kinds);
    let unrolled = unroll_loop(&mut encoder, head, budget);
    if unrolled.aborted {
        return Err(Doubt::Budget(Some("turns were encoded")));
    }
    let gaps = encoder.gaps.len();
    Ok(Turns { encoder, turns: unrolled.turns, descents: Vec::new(), gaps, followed: None })
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
) -> Result<Turns<'a, 'p>, Doubt> {
    if automaton.order.is_irreducible() {
        return Err("a loop that is entered at several places".into());
    }
    let mut encoder = Encoder::new(automaton, kinds);
    let mut granted = Granted { invariants, always: encoder.pool.bool(true) };
    let unrolled = unroll(&mut encoder, Unrolling { base: 0, window: true }, &mut granted, budget);
    if unrolled.aborted {
        return Err(Doubt::Budget(Some("turns were encoded")));
    }
    let gaps = encoder.gaps.len();
    let descents = encoder.descents.iter();
    let descents = descents
        .map(|after| WholeTurn { head: START, before: unrolled.start.clone(), after: after.clone(), inputs: 0..0 })
        .collect();
    Ok(Turns { encoder, turns: unrolled.turns, descents, gaps, followed: None })
}
