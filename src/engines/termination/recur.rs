//! Recurrent sets: from every state in one, whatever the inputs, the loop's next turn leads into it again. A run that has come
//! into one never ends.
//!
//! See: Gupta et al., "Proving Non-termination" (recurrent sets). We differ in that sets are guessed from the end of a long run
//! and sifted as invariants are.

use super::super::invariant::guess::{Candidates, Effort, guess};
use super::super::invariant::predicate::{Predicate, strongest};
use super::super::task::query::Reply;
use super::super::task::{Budget, Query};
use super::endless::EndlessRun;
use super::turns::turns;
use crate::encode::{Automaton, Encoder, NodeId};
use crate::ir::CheckKind;
use crate::smt::Term;

/// A recurrent set that holds the last state that the run was seen in at `head`: its predicates in C.
///
/// # Errors
/// Why none was found.
pub fn recurrent(
    automaton: &Automaton<'_>,
    run: &EndlessRun,
    budget: &Budget,
) -> Result<(NodeId, Vec<String>), String> {
    let head = head_of(automaton, run)?;
    let mut last = run.tails.clone();
    last.retain(|place, _| *place == run.head);
    let mut why = String::new();
    for effort in [Effort::Little, Effort::More] {
        let candidates = guess(automaton, &last, &[], effort).remove(&head).unwrap_or_default();
        match closed(automaton, head, &candidates, budget) {
            Ok(kept) => {
                let kept = strongest(automaton.program, &kept);
                return Ok((head, kept.iter().map(|p| p.in_c(automaton.program)).collect()));
            }
            Err(reason) => why = reason,
        }
    }
    Err(why)
}

/// The only node that stands for the head the run was at, of a loop without loops inside.
fn head_of(automaton: &Automaton<'_>, run: &EndlessRun) -> Result<NodeId, String> {
    let heads = automaton.heads();
    let is_there = |node: &NodeId| {
        let node = &automaton.nodes[*node];
        node.is_block_start() && (node.function, node.block) == run.head
    };
    let mut there = heads.iter().copied().filter(is_there);
    let (Some(head), None) = (there.next(), there.next()) else {
        return Err("the loop that does not end is in a function called from several places".to_owned());
    };
    if heads.iter().any(|other| *other != head && automaton.order.is_inside(*other, head)) {
        return Err("the loop that does not end has loops inside".to_owned());
    }
    Ok(head)
}

/// The largest part of the candidates that a turn preserves, if every state in it makes a whole turn.
fn closed(
    automaton: &Automaton<'_>,
    head: NodeId,
    candidates: &[Predicate],
    budget: &Budget,
) -> Result<Vec<Predicate>, String> {
    let kinds: Vec<CheckKind> = CheckKind::defaults().collect();
    let mut turns = turns(automaton, &kinds, &Candidates::default(), budget)?;
    let encoder = &mut turns.encoder;
    let mut states = turns.turns.iter().filter(|turn| turn.head == head).peekable();
    let Some(first) = states.peek() else { return Err("the loop makes no whole turn".to_owned()) };
    let mut before = first.before.clone();
    let start = encoder.path(&before);
    let here: Vec<Term> = candidates.iter().map(|p| p.term(encoder, &mut before)).collect();
    let mut ends = Vec::new();
    for turn in states {
        let mut after = turn.after.clone();
        let taken = encoder.path(&after);
        ends.push((taken, candidates.iter().map(|p| p.term(encoder, &mut after)).collect::<Vec<Term>>()));
    }
    let mut sieve = Sieve { alive: vec![true; candidates.len()], start, here, ends, query: Query::new() };
    sieve.sift(encoder, budget)?;
    sieve.covers(encoder, head, budget)?;
    Ok(candidates.iter().zip(&sieve.alive).filter(|(_, alive)| **alive).map(|(p, _)| p.clone()).collect())
}

struct Sieve {
    alive: Vec<bool>,
    /// Control is at the head.
    start: Term,
    /// The candidates there.
    here: Vec<Term>,
    /// By way back to the head: that it is taken, and the candidates behind it.
    ends: Vec<(Term, Vec<Term>)>,
    query: Query,
}

impl Sieve {
    /// Control is at the head in the set.
    fn inside(&self) -> Vec<Term> {
        std::iter::once(self.start).chain(self.alive_of(&self.here)).collect()
    }

    /// Those of the candidates' terms that are still believed.
    fn alive_of(&self, terms: &[Term]) -> impl Iterator<Item = Term> {
        terms.iter().zip(&self.alive).filter(|(_, alive)| **alive).map(|(term, _)| *term)
    }

    fn sift(&mut self, encoder: &mut Encoder<'_, '_>, budget: &Budget) -> Result<(), String> {
        loop {
            let mut left = Vec::new();
            for (taken, there) in &self.ends {
                let all = encoder.pool.and(&self.alive_of(there).collect::<Vec<_>>());
                let broken = encoder.pool.not(all);
                left.push(encoder.pool.and(&[*taken, broken]));
            }
            let leaves = encoder.pool.or(&left);
            let mut formulas = self.inside();
            formulas.push(leaves);
            match self.query.check(encoder, &formulas, &budget.share(0.3)) {
                Reply::Unsat => return Ok(()),
                Reply::Unknown(why) => return Err(format!("solver: {why}")),
                Reply::Sat => self.drop_broken(encoder)?,
            }
        }
    }

    fn drop_broken(&mut self, encoder: &Encoder<'_, '_>) -> Result<(), String> {
        let terms: Vec<Term> = self.ends.iter().flat_map(|(taken, there)| [&[*taken], &there[..]].concat()).collect();
        let values = self.query.values(encoder, &terms).map_err(|e| e.to_string())?;
        let mut values = values.iter().map(|v| v.as_bool() == Some(true));
        let mut dropped = false;
        for _ in &self.ends {
            let taken = values.next() == Some(true);
            for alive in &mut self.alive {
                let holds = values.next() == Some(true);
                if taken && !holds {
                    dropped |= *alive;
                    *alive = false;
                }
            }
        }
        if dropped { Ok(()) } else { Err("a model that leaves nothing".to_owned()) }
    }

    /// Shows, to a solver that has seen nothing else, that from every state in the set control comes back to the set, and
    /// that no check fails on the way.
    fn covers(&self, encoder: &mut Encoder<'_, '_>, head: NodeId, budget: &Budget) -> Result<(), String> {
        let mut back = Vec::new();
        for (taken, there) in &self.ends {
            back.push(encoder.pool.and(&std::iter::once(*taken).chain(self.alive_of(there)).collect::<Vec<_>>()));
        }
        let back = encoder.pool.or(&back);
        let mut lost = vec![encoder.pool.not(back)];
        let inside = |node: NodeId| encoder.automaton.order.is_inside(node, head);
        lost.extend(encoder.failures.iter().filter(|f| inside(f.node)).map(|f| f.condition));
        let lost = encoder.pool.or(&lost);
        let mut formulas = self.inside();
        formulas.push(lost);
        match Query::new().check(encoder, &formulas, budget) {
            Reply::Unsat => Ok(()),
            Reply::Sat => Err("the long run may end".to_owned()),
            Reply::Unknown(why) => Err(format!("solver: {why}")),
        }
    }
}
