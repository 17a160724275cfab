//! Recurrent sets: from every state in one, the loop's next turn leads into it again, if each input is what it was when the run
//! was last asked for it. A run that has come into one never ends, or never leaves a loop inside.
//!
//! See: Gupta et al., "Proving Non-termination" (recurrent sets). We differ in that sets are guessed from the end of a long run
//! and sifted as invariants are.

use super::super::invariant::guess::{Candidates, Effort, guess};
use super::super::invariant::predicate::{Predicate, strongest};
use super::super::task::query::Reply;
use super::super::task::{Budget, Query};
use super::doubt::Doubt;
use super::endless::EndlessRun;
use super::turns::turns;
use crate::concrete::{InputPlace, InputValue, Run};
use crate::encode::encoder::InputTerm;
use crate::encode::{Automaton, Encoder, NodeId};
use crate::ir::{BlockId, CheckKind, FuncId};
use crate::smt::Term;
use rustc_hash::FxHashMap;

/// A recurrent set that holds the last state that the run was seen in at `place`: the head and its predicates in C.
///
/// # Errors
/// Why none was found.
pub fn recurrent(
    automaton: &Automaton<'_>,
    run: &EndlessRun,
    place: (FuncId, BlockId),
    budget: &Budget,
) -> Result<(NodeId, Vec<String>), Doubt> {
    let heads = heads_of(automaton, place)?;
    let mut last = run.tails.clone();
    last.retain(|at, _| *at == place);
    let mut why = Doubt::Open(String::new());
    for effort in [Effort::Little, Effort::More] {
        let mut candidates = guess(automaton, &last, &[], effort);
        let mut found = Vec::new();
        for head in &heads {
            match closed(automaton, *head, &candidates.remove(head).unwrap_or_default(), run, budget) {
                Ok(kept) => found.push((*head, strongest(automaton.program, &kept))),
                Err(reason) => why = reason,
            }
        }
        if found.len() == heads.len()
            && let Some((head, kept)) = found.into_iter().next()
        {
            return Ok((head, kept.iter().map(|p| p.in_c(automaton.program)).collect()));
        }
    }
    Err(why)
}

/// Activations that one place of the program may be in.
const MOST_HEADS: usize = 4;

/// The nodes that stand for the head the run was at: each must have its set, as it is not known which the run was at.
fn heads_of(automaton: &Automaton<'_>, place: (FuncId, BlockId)) -> Result<Vec<NodeId>, Doubt> {
    let is_there = |node: &NodeId| {
        let node = &automaton.nodes[*node];
        node.is_block_start() && (node.function, node.block) == place
    };
    let there: Vec<NodeId> = automaton.heads().into_iter().filter(is_there).collect();
    match there.len() {
        0 => Err("the loop that does not end has no head of its own".into()),
        1..=MOST_HEADS => Ok(there),
        _ => Err("the loop that does not end is in a function called from many places".into()),
    }
}

/// That inputs in a turn are what the run was given last: for one who may choose them, once and for all, by place.
fn steady(encoder: &mut Encoder<'_, '_>, turn: std::ops::Range<usize>, run: &Run) -> Vec<Term> {
    let given: FxHashMap<InputPlace, &InputValue> = run.inputs.iter().map(|i| (i.place, &i.value)).collect();
    let mut chosen = Vec::new();
    let inputs = encoder.inputs[turn].to_vec();
    for input in inputs {
        match (&input.term, given.get(&input.place)) {
            (InputTerm::Int(term, _), Some(InputValue::Int(n))) => {
                let width = encoder.pool.sort(*term).width().unwrap_or(8);
                let value = encoder.pool.bv_signed(width, *n);
                chosen.push(encoder.pool.eq(*term, value));
            }
            (InputTerm::Fails(term), Some(InputValue::Fails(fails))) => {
                chosen.push(if *fails { *term } else { encoder.pool.not(*term) });
            }
            _ => {}
        }
    }
    chosen
}

/// The largest part of the candidates that a turn preserves, if every state in it makes a whole turn.
fn closed(
    automaton: &Automaton<'_>,
    head: NodeId,
    candidates: &[Predicate],
    run: &EndlessRun,
    budget: &Budget,
) -> Result<Vec<Predicate>, Doubt> {
    let kinds: Vec<CheckKind> = CheckKind::defaults().collect();
    let mut turns = turns(automaton, &kinds, &Candidates::default(), budget)?;
    let encoder = &mut turns.encoder;
    let mut states = turns.turns.iter().filter(|turn| turn.head == head).peekable();
    let Some(first) = states.peek() else { return Err("the loop makes no whole turn".into()) };
    let mut before = first.before.clone();
    let last = turns.turns.iter().filter(|turn| turn.head == head).map(|turn| turn.inputs.end).max().unwrap_or(0);
    let mut start = vec![encoder.path(&before)];
    start.extend(steady(encoder, first.inputs.start..last, &run.run));
    let here: Vec<Term> = candidates.iter().map(|p| p.term(encoder, &mut before)).collect();
    let mut ends = Vec::new();
    for turn in states {
        let mut after = turn.after.clone();
        let taken = encoder.path(&after);
        ends.push((taken, candidates.iter().map(|p| p.term(encoder, &mut after)).collect::<Vec<Term>>()));
    }
    // Control that stays in a loop inside is not lost.
    let order = &encoder.automaton.order;
    let inner = turns.turns.iter().filter(|turn| turn.head != head && order.is_inside(turn.head, head));
    let stays: Vec<Term> = inner.map(|turn| encoder.path(&turn.after)).collect();
    let mut sieve = Sieve { alive: vec![true; candidates.len()], start, here, ends, stays, query: Query::new() };
    sieve.sift(encoder, budget)?;
    sieve.covers(encoder, head, budget)?;
    Ok(candidates.iter().zip(&sieve.alive).filter(|(_, alive)| **alive).map(|(p, _)| p.clone()).collect())
}

struct Sieve {
    alive: Vec<bool>,
    /// Control is at the head, and inputs are what they are chosen to be.
    start: Vec<Term>,
    /// The candidates there.
    here: Vec<Term>,
    /// By way back to the head: that it is taken, and the candidates behind it.
    ends: Vec<(Term, Vec<Term>)>,
    /// Turns of loops inside.
    stays: Vec<Term>,
    query: Query,
}

impl Sieve {
    /// Control is at the head in the set.
    fn inside(&self) -> Vec<Term> {
        self.start.iter().copied().chain(self.alive_of(&self.here)).collect()
    }

    /// Those of the candidates' terms that are still believed.
    fn alive_of(&self, terms: &[Term]) -> impl Iterator<Item = Term> {
        terms.iter().zip(&self.alive).filter(|(_, alive)| **alive).map(|(term, _)| *term)
    }

    fn sift(&mut self, encoder: &mut Encoder<'_, '_>, budget: &Budget) -> Result<(), Doubt> {
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
                Reply::Unknown(why) => return Err(Doubt::Solver(why)),
                Reply::Sat => self.drop_broken(encoder)?,
            }
        }
    }

    fn drop_broken(&mut self, encoder: &Encoder<'_, '_>) -> Result<(), Doubt> {
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
        if dropped { Ok(()) } else { Err("a model that leaves nothing".into()) }
    }

    /// Shows, to a solver that has seen nothing else, that from every state in the set control comes back to the set, and
    /// that no check fails on the way.
    fn covers(&self, encoder: &mut Encoder<'_, '_>, head: NodeId, budget: &Budget) -> Result<(), Doubt> {
        let mut back = self.stays.clone();
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
            Reply::Sat => Err("the long run may end".into()),
            Reply::Unknown(why) => Err(Doubt::Solver(why)),
        }
    }
}
