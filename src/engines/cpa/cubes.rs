//! Interpolants from models: what a path must not come to is enumerated, a model at a time, and each model is widened to a
//! cube of literals of which the way so far needs only a few. The interpolant is that none of the cubes holds.
//!
//! No conjunct of a block's formula has to be over the frame alone, so that blocks with inputs and many branches, as loops
//! around state machines are, have interpolants too.

use super::blocks::Blocks;
use super::interpolate::{Atoms, Trail};
use crate::encode::{Cell, NodeId, State, Value};
use crate::engines::invariant::guess::constants;
use crate::engines::task::query::Reply;
use crate::engines::task::{Budget, Query};
use crate::smt::{BitVec, Op, Term, TermPool};
use std::collections::BTreeSet;

/// Cubes of one interpolant.
const MOST_CUBES: usize = 80;
/// Variables of which each two are compared.
const PAIRED: usize = 6;
/// Guessed predicates that serve as literals.
const GUESSED: usize = 60;
/// Literals that are tried to be left out, one by one.
const DROPPED: usize = 12;

/// From the violation to the start: at each head the cubes that must not hold.
pub fn by_cubes(
    blocks: &mut Blocks<'_, '_>,
    query: &mut Query,
    trail: &Trail,
    failure: Term,
    atoms: &Atoms,
    budget: &Budget,
) -> Option<Vec<Vec<Term>>> {
    let constants = constants(blocks.encoder.program);
    let mut bad = failure;
    let mut formulas: Vec<Vec<Term>> = Vec::new();
    for i in (0..trail.heads.len()).rev() {
        let (head, state) = (trail.heads[i], &trail.states[i]);
        let guessed = atoms.get(&head).map_or(&[][..], |list| &list[..list.len().min(GUESSED)]);
        let literals = Literals::at(blocks, head, guessed);
        let mut search =
            Search { blocks: &mut *blocks, query: &mut *query, head, state, constants: &constants, budget };
        formulas.push(search.exclude(bad, &literals)?);
        if let Some(before) = i.checked_sub(1) {
            let arrival = blocks.blocks.get(&Some(trail.heads[before]))?.arrivals.get(&head)?.clone();
            let path = blocks.encoder.path(&arrival);
            let formula = blocks.encoder.pool.and(formulas.last()?);
            let there = blocks.instantiate(head, formula, &arrival);
            let broken = blocks.encoder.pool.not(there);
            bad = blocks.encoder.pool.and(&[path, broken]);
        }
    }
    formulas.reverse();
    Some(formulas)
}

/// A scalar of a frame.
#[derive(Clone, Copy)]
struct Scalar {
    term: Term,
    signed: bool,
    /// Whether its loop gives it constants only: the state of a machine, which has no order to other variables.
    is_state: bool,
}

/// What cubes are made of.
struct Literals {
    scalars: Vec<Scalar>,
    /// Comparisons of two variables.
    pairs: Vec<Term>,
    guessed: Vec<Term>,
}

impl Literals {
    fn at(blocks: &mut Blocks<'_, '_>, head: NodeId, guessed: &[Term]) -> Literals {
        let variables: Vec<(Cell, Term)> = blocks
            .frames
            .get(&Some(head))
            .map(|f| f.variables.iter().map(|(c, t)| (*c, *t)).collect())
            .unwrap_or_default();
        let back = blocks.blocks.get(&Some(head)).and_then(|b| b.arrivals.get(&head)).cloned();
        let program = blocks.encoder.program;
        let mut scalars = Vec::new();
        for (cell, term) in variables {
            let Some(kind) = program.types.as_int(program.variables[cell.variable].ty) else { continue };
            let signed = program.types.int_range(kind).0 < 0;
            let next = back.as_ref().and_then(|state| state.scalar(cell));
            let is_state = matches!(next, Some(Value::Bits(next)) if takes_constants(&blocks.encoder.pool, next, term));
            scalars.push(Scalar { term, signed, is_state });
        }
        let numbers: Vec<Scalar> = scalars.iter().filter(|s| !s.is_state).take(PAIRED).copied().collect();
        let mut pairs = Vec::new();
        let pool = &mut blocks.encoder.pool;
        for (n, a) in numbers.iter().enumerate() {
            for b in &numbers[n + 1..] {
                if pool.sort(a.term) == pool.sort(b.term) && a.signed == b.signed {
                    pairs.push(at_most(pool, a.signed, a.term, b.term));
                    pairs.push(at_most(pool, a.signed, b.term, a.term));
                }
            }
        }
        Literals { scalars, pairs, guessed: guessed.to_vec() }
    }
}

/// Whether `next` is a choice among constants and `own`, and not `own` alone.
fn takes_constants(pool: &TermPool, next: Term, own: Term) -> bool {
    let (mut open, mut seen, mut constant) = (vec![next], BTreeSet::new(), false);
    while let Some(t) = open.pop() {
        if t == own || !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::Ite => open.extend_from_slice(&pool.args(t)[1..]),
            Op::BitVec(_) => constant = true,
            _ => return false,
        }
    }
    constant
}

fn at_most(pool: &mut TermPool, signed: bool, a: Term, b: Term) -> Term {
    if signed { pool.bv_sle(a, b) } else { pool.bv_ule(a, b) }
}

/// A bound on a scalar, as a model has it.
#[derive(Clone, Copy)]
struct Bound {
    scalar: Scalar,
    width: u32,
    value: i128,
    upper: bool,
}

impl Bound {
    fn term(self, pool: &mut TermPool) -> Term {
        let value = pool.bv(self.width, self.value as u128);
        let (low, high) = if self.upper { (self.scalar.term, value) } else { (value, self.scalar.term) };
        at_most(pool, self.scalar.signed, low, high)
    }
}

/// A literal of a cube.
#[derive(Clone, Copy)]
enum Literal {
    Term(Term),
    Bound(Bound),
}

impl Literal {
    fn term(self, pool: &mut TermPool) -> Term {
        match self {
            Literal::Term(t) => t,
            Literal::Bound(b) => b.term(pool),
        }
    }
}

/// The interpolant at one head.
struct Search<'s, 'a, 'p> {
    blocks: &'s mut Blocks<'a, 'p>,
    query: &'s mut Query,
    head: NodeId,
    /// What the path comes to the head with.
    state: &'s State,
    constants: &'s BTreeSet<i128>,
    budget: &'s Budget,
}

impl Search<'_, '_, '_> {
    /// Formulas that hold in the state and together exclude `bad`.
    fn exclude(&mut self, bad: Term, literals: &Literals) -> Option<Vec<Term>> {
        let mut formulas: Vec<Term> = Vec::new();
        for _ in 0..MOST_CUBES {
            let mut asked = formulas.clone();
            asked.push(bad);
            match self.query.check(&self.blocks.encoder, &asked, self.budget) {
                Reply::Unsat => return Some(formulas),
                Reply::Unknown(_) => return None,
                Reply::Sat => {}
            }
            let cube = self.cube(literals)?;
            let terms: Vec<Term> = cube.into_iter().map(|l| l.term(&mut self.blocks.encoder.pool)).collect();
            let all = self.blocks.encoder.pool.and(&terms);
            formulas.push(self.blocks.encoder.pool.not(all));
        }
        None
    }

    /// Literals of the last model that the state excludes together; simple ones first.
    fn cube(&mut self, literals: &Literals) -> Option<Vec<Literal>> {
        let (bounds, terms) = self.of_model(literals)?;
        let of_states = bounds.iter().filter(|b| b.scalar.is_state).map(|b| Literal::Bound(*b));
        let pairs = terms[..literals.pairs.len()].iter().map(|t| Literal::Term(*t));
        let mut chosen: Vec<Literal> = of_states.chain(pairs).collect();
        let guessed: Vec<Literal> = terms[literals.pairs.len()..].iter().map(|t| Literal::Term(*t)).collect();
        let others: Vec<Literal> = bounds.iter().filter(|b| !b.scalar.is_state).map(|b| Literal::Bound(*b)).collect();
        for more in [Vec::new(), guessed, others] {
            chosen.extend(more);
            if let Some(core) = self.excluded(&chosen)? {
                let needed = self.leave_out(core)?;
                return self.widen(needed);
            }
        }
        None
    }

    /// The bounds and the other literals that the last model satisfies.
    fn of_model(&mut self, literals: &Literals) -> Option<(Vec<Bound>, Vec<Term>)> {
        let others: Vec<Term> = literals.pairs.iter().chain(&literals.guessed).copied().collect();
        let mut asked: Vec<Term> = literals.scalars.iter().map(|s| s.term).collect();
        asked.extend(&others);
        let values = self.query.values(&self.blocks.encoder, &asked).ok()?;
        let (of_scalars, of_others) = values.split_at(literals.scalars.len());
        let mut bounds = Vec::new();
        for (scalar, value) in literals.scalars.iter().zip(of_scalars) {
            let bits: BitVec = value.as_bits()?;
            let value = if scalar.signed { bits.signed() } else { bits.unsigned() as i128 };
            let width = self.blocks.encoder.pool.sort(scalar.term).width()?;
            bounds.extend([true, false].map(|upper| Bound { scalar: *scalar, width, value, upper }));
        }
        let mut terms = Vec::new();
        for (term, value) in others.into_iter().zip(of_others) {
            terms.push(if value.as_bool() == Some(true) { term } else { self.blocks.encoder.pool.not(term) });
        }
        Some((bounds, terms))
    }

    /// Those of the literals that contradict the state; nothing when they do not. None when that is not known.
    fn excluded(&mut self, literals: &[Literal]) -> Option<Option<Vec<Literal>>> {
        let mut asked = vec![self.blocks.encoder.path(self.state)];
        for literal in literals {
            let term = literal.term(&mut self.blocks.encoder.pool);
            asked.push(self.blocks.instantiate(self.head, term, self.state));
        }
        match self.query.check(&self.blocks.encoder, &asked, self.budget) {
            Reply::Sat => Some(None),
            Reply::Unknown(_) => None,
            Reply::Unsat => {
                let core: BTreeSet<Term> = self.query.core().into_iter().collect();
                Some(Some(
                    literals.iter().zip(&asked[1..]).filter(|(_, t)| core.contains(t)).map(|(l, _)| *l).collect(),
                ))
            }
        }
    }

    /// The literals without those that are not needed.
    fn leave_out(&mut self, mut literals: Vec<Literal>) -> Option<Vec<Literal>> {
        let mut at = 0;
        for _ in 0..DROPPED {
            if at >= literals.len() {
                break;
            }
            let mut fewer = literals.clone();
            fewer.remove(at);
            match self.excluded(&fewer)? {
                Some(core) => literals = core,
                None => at += 1,
            }
        }
        Some(literals)
    }

    /// Bounds moved to the next constant of the program, where the state is excluded still: the cube grows.
    fn widen(&mut self, mut literals: Vec<Literal>) -> Option<Vec<Literal>> {
        for i in 0..literals.len() {
            let Literal::Bound(bound) = literals[i] else { continue };
            let next = match bound.upper {
                true => self.constants.range(bound.value..).next(),
                false => self.constants.range(..=bound.value).next_back(),
            };
            let Some(value) = next.copied().filter(|v| *v != bound.value) else { continue };
            let kept = std::mem::replace(&mut literals[i], Literal::Bound(Bound { value, ..bound }));
            if !self.is_of_type(bound, value) || self.excluded(&literals)?.is_none() {
                literals[i] = kept;
            }
        }
        Some(literals)
    }

    /// Whether the scalar can have the value.
    fn is_of_type(&self, bound: Bound, value: i128) -> bool {
        let bits = BitVec::new(bound.width, value as u128);
        value == if bound.scalar.signed { bits.signed() } else { bits.unsigned() as i128 }
    }
}
