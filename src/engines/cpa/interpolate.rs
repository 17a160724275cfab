//! Sequence interpolants for infeasible paths from loop head to loop head.
//!
//! Four strategies. *Backward*: weakest preconditions of the violation, restricted to the conjuncts that an unsatisfiable core
//! needs. *Forward*: the strongest postcondition as a conjunction of given predicates. *Cubes*: see [`cubes`](super::cubes).
//! *Synthesis*: see [`synthesis`](super::synthesis).
//! The first three make sequences that are inductive by construction; every sequence is checked before it is used.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.5 (refinement, interpolants).

use super::blocks::{Blocks, Place};
use super::cubes::by_cubes;
use super::synthesis::by_synthesis;
use crate::encode::{NodeId, State};
use crate::engines::task::query::Reply;
use crate::engines::task::{Budget, Query};
use crate::smt::{Op, Term, TermPool};
use std::collections::BTreeMap;

/// A path: heads in the order in which control comes to them, and the concrete state at each.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    pub heads: Vec<NodeId>,
    pub states: Vec<State>,
}

/// Predicates over frames.
pub type Atoms = BTreeMap<NodeId, Vec<Term>>;

/// Which strategy made a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strategy {
    Backward,
    Forward,
    Cubes,
    Synthesis,
}

impl Strategy {
    /// Cheapest first.
    pub const ALL: [Strategy; 4] = [Strategy::Backward, Strategy::Forward, Strategy::Cubes, Strategy::Synthesis];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Backward => "backward",
            Strategy::Forward => "forward",
            Strategy::Cubes => "cubes",
            Strategy::Synthesis => "synthesis",
        }
    }
}

/// What interpolation may draw on.
#[derive(Clone, Debug)]
pub struct Guide {
    /// Guessed predicates.
    pub atoms: Atoms,
    /// In the order in which they are tried.
    pub strategies: Vec<Strategy>,
}

impl Guide {
    /// All strategies, cheapest first.
    pub fn of(atoms: Atoms) -> Guide {
        Guide { atoms, strategies: Strategy::ALL.to_vec() }
    }
}

/// Conjunctions of formulas over the frames of the trail's heads.
#[derive(Clone, Debug)]
pub struct Sequence {
    pub strategy: Strategy,
    pub formulas: Vec<Vec<Term>>,
}

/// The conjuncts of a formula, also of negated disjunctions.
pub fn conjuncts(pool: &mut TermPool, formula: Term) -> Vec<Term> {
    let (mut open, mut found) = (vec![formula], Vec::new());
    while let Some(t) = open.pop() {
        match pool.op(t) {
            Op::And => open.extend_from_slice(pool.args(t)),
            Op::Not if pool.op(pool.args(t)[0]) == Op::Or => {
                let parts = pool.args(pool.args(t)[0]).to_vec();
                for part in parts {
                    open.push(pool.not(part));
                }
            }
            Op::Bool(true) => {}
            _ => found.push(t),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Interpolants for a trail whose last block cannot take the way to `failure`, a condition over the last frame: the first
/// sequence that passes the check.
pub fn interpolate(
    blocks: &mut Blocks<'_, '_>,
    query: &mut Query,
    trail: &Trail,
    failure: Term,
    guide: &Guide,
    budget: &Budget,
) -> Option<Sequence> {
    for &strategy in &guide.strategies {
        let made = match strategy {
            Strategy::Backward => backward(blocks, query, trail, failure, budget),
            Strategy::Forward => forward(blocks, query, trail, failure, &guide.atoms, budget),
            Strategy::Cubes => by_cubes(blocks, query, trail, failure, &guide.atoms, budget),
            Strategy::Synthesis => by_synthesis(blocks, trail, failure, budget),
        };
        let Some(formulas) = made else { continue };
        let sequence = Sequence { strategy, formulas };
        if is_inductive(blocks, &sequence, trail, failure, budget) {
            return Some(sequence);
        }
    }
    None
}

fn place_before(trail: &Trail, i: usize) -> Place {
    i.checked_sub(1).map(|before| trail.heads[before])
}

/// From the violation to the start: what must not hold at each head.
fn backward(
    blocks: &mut Blocks<'_, '_>,
    query: &mut Query,
    trail: &Trail,
    failure: Term,
    budget: &Budget,
) -> Option<Vec<Vec<Term>>> {
    let mut wanted = conjuncts(&mut blocks.encoder.pool, failure);
    let mut formulas = Vec::new();
    for i in (0..trail.heads.len()).rev() {
        let (head, state) = (trail.heads[i], &trail.states[i]);
        let candidates: Vec<Term> = wanted.iter().copied().filter(|t| blocks.is_over_frame(head, *t)).collect();
        let concrete: Vec<Term> = candidates.iter().map(|t| blocks.instantiate(head, *t, state)).collect();
        let mut asked = vec![blocks.encoder.path(state)];
        asked.extend(&concrete);
        if query.check(&blocks.encoder, &asked, budget) != Reply::Unsat {
            return None;
        }
        let core = query.core();
        // None is needed where the path is infeasible before this head.
        let needed: Vec<Term> =
            candidates.iter().zip(&concrete).filter(|(_, c)| core.contains(c)).map(|(t, _)| *t).collect();
        let all = blocks.encoder.pool.and(&needed);
        let excluded = blocks.encoder.pool.not(all);
        formulas.push(vec![excluded]);
        // The way to `needed` from the head before.
        let arrival = blocks.blocks.get(&place_before(trail, i))?.arrivals.get(&head)?.clone();
        let path = blocks.encoder.path(&arrival);
        wanted = conjuncts(&mut blocks.encoder.pool, path);
        for t in needed {
            let t = blocks.instantiate(head, t, &arrival);
            wanted.extend(conjuncts(&mut blocks.encoder.pool, t));
        }
    }
    formulas.reverse();
    Some(formulas)
}

/// From the start to the violation: the given predicates that hold.
fn forward(
    blocks: &mut Blocks<'_, '_>,
    query: &mut Query,
    trail: &Trail,
    failure: Term,
    atoms: &Atoms,
    budget: &Budget,
) -> Option<Vec<Vec<Term>>> {
    let mut formulas: Vec<Vec<Term>> = Vec::new();
    for (i, head) in trail.heads.iter().enumerate() {
        let arrival = blocks.blocks.get(&place_before(trail, i))?.arrivals.get(head)?.clone();
        let mut premise = formulas.last().cloned().unwrap_or_default();
        premise.push(blocks.encoder.path(&arrival));
        let candidates = atoms.get(head).cloned().unwrap_or_default();
        formulas.push(implied(blocks, query, &premise, *head, candidates, &arrival, budget)?);
    }
    let mut last = formulas.last().cloned().unwrap_or_default();
    last.push(failure);
    (query.check(&blocks.encoder, &last, budget) == Reply::Unsat).then_some(formulas)
}

/// The candidates that hold in `arrival` whenever the premise does: those that no model of the premise violates.
fn implied(
    blocks: &mut Blocks<'_, '_>,
    query: &mut Query,
    premise: &[Term],
    head: NodeId,
    mut candidates: Vec<Term>,
    arrival: &State,
    budget: &Budget,
) -> Option<Vec<Term>> {
    loop {
        let there: Vec<Term> = candidates.iter().map(|t| blocks.instantiate(head, *t, arrival)).collect();
        let all = blocks.encoder.pool.and(&there);
        let mut asked = premise.to_vec();
        asked.push(blocks.encoder.pool.not(all));
        match query.check(&blocks.encoder, &asked, budget) {
            Reply::Unsat => return Some(candidates),
            Reply::Unknown(_) => return None,
            Reply::Sat => {
                let values = query.values(&blocks.encoder, &there).ok()?;
                let before = candidates.len();
                let kept = candidates.into_iter().zip(values).filter(|(_, v)| v.as_bool() == Some(true));
                candidates = kept.map(|(t, _)| t).collect();
                if candidates.len() == before {
                    return None;
                }
            }
        }
    }
}

/// The check of a sequence, whoever made it: each formula follows from the one before, and the last excludes the violation.
pub fn is_inductive(
    blocks: &mut Blocks<'_, '_>,
    sequence: &Sequence,
    trail: &Trail,
    failure: Term,
    budget: &Budget,
) -> bool {
    let mut query = Query::new();
    let mut before: Vec<Term> = Vec::new();
    for (i, head) in trail.heads.iter().enumerate() {
        let Some(arrival) = blocks.blocks.get(&place_before(trail, i)).and_then(|b| b.arrivals.get(head)).cloned()
        else {
            return false;
        };
        let formula = blocks.encoder.pool.and(&sequence.formulas[i]);
        if !blocks.is_over_frame(*head, formula) {
            return false;
        }
        let there = blocks.instantiate(*head, formula, &arrival);
        let mut asked = before;
        asked.push(blocks.encoder.path(&arrival));
        asked.push(blocks.encoder.pool.not(there));
        if query.check(&blocks.encoder, &asked, budget) != Reply::Unsat {
            return false;
        }
        before = vec![formula];
    }
    before.push(failure);
    query.check(&blocks.encoder, &before, budget) == Reply::Unsat
}
