//! Conditions evaluated on boxes, in the domain of integers: whether all points of a box take the path.

use super::term::{Node, TermId, Terms, VarNo};
use crate::base::{Idx, IndexVec};
use crate::domains::arithmetic::{self, Quotient};
use crate::domains::cell_lower::bisect;
use crate::domains::{Int, IntType, Interval, bitwise, compare};
use crate::ir::BinaryOp;
use rustc_hash::FxHashMap;

/// A box: the bounds of every variable.
pub type Bounds = IndexVec<VarNo, Interval>;

/// The conditions that speak of one variable, with all terms below them.
#[derive(Debug)]
pub struct Concern {
    conditions: Vec<(TermId, bool)>,
    cone: Vec<TermId>,
}

/// The conditions by variable; those without a variable are left out.
pub fn concerns(terms: &Terms, conditions: &[(TermId, bool)]) -> FxHashMap<VarNo, Concern> {
    let mut by_variable: FxHashMap<VarNo, Vec<(TermId, bool)>> = FxHashMap::default();
    for condition in conditions {
        for term in terms.cone(std::iter::once(condition.0)) {
            if let Node::Input(v) = terms.get(term).node {
                let list = by_variable.entry(v).or_default();
                if list.last() != Some(condition) {
                    list.push(*condition);
                }
            }
        }
    }
    let concern = |conditions: Vec<(TermId, bool)>| {
        let cone = terms.cone(conditions.iter().map(|c| c.0));
        Concern { conditions, cone }
    };
    by_variable.into_iter().map(|(v, conditions)| (v, concern(conditions))).collect()
}

impl Concern {
    /// Steps that one evaluation takes.
    pub fn cost(&self) -> u64 {
        self.cone.len() as u64
    }
    /// Whether all conditions hold at every point of the box, as far as the domain can tell.
    pub fn holds(&self, terms: &Terms, bounds: &Bounds) -> bool {
        let mut values: FxHashMap<TermId, Int> = FxHashMap::default();
        for &term in &self.cone {
            let value = evaluate(terms, term, &values, bounds);
            values.insert(term, value);
        }
        self.conditions.iter().all(|(term, expected)| values[term].as_constant() == Some(i128::from(*expected)))
    }
}

fn evaluate(terms: &Terms, term: TermId, values: &FxHashMap<TermId, Int>, bounds: &Bounds) -> Int {
    let t = terms.get(term);
    match t.node {
        Node::Input(v) => Int::range(bounds[v].lo, bounds[v].hi),
        Node::Const(n) => Int::constant(n),
        Node::Not(a) => t.ty.wrap(bitwise::not(values[&a])),
        Node::Convert(a) => t.ty.wrap(values[&a]),
        Node::Binary(op, a, b) => binary(op, values[&a], values[&b], t.ty),
        Node::Fits(op, a, b) => fits(op, values[&a], values[&b], terms.ty(a)),
    }
}

fn binary(op: BinaryOp, a: Int, b: Int, ty: IntType) -> Int {
    match op {
        BinaryOp::Add => ty.wrap_result(arithmetic::add(a, b)),
        BinaryOp::Sub => ty.wrap_result(arithmetic::sub(a, b)),
        BinaryOp::Mul => ty.wrap_result(arithmetic::mul(a, b)),
        BinaryOp::Div => quotient(arithmetic::div(a, b), ty),
        BinaryOp::Rem => quotient(arithmetic::rem(a, b), ty),
        BinaryOp::And => ty.wrap(bitwise::and(a, b)),
        BinaryOp::Or => ty.wrap(bitwise::or(a, b)),
        BinaryOp::Xor => ty.wrap(bitwise::xor(a, b)),
        BinaryOp::Shl => ty.wrap_result(bitwise::shl(a, b)),
        BinaryOp::Shr => ty.wrap(bitwise::shr(a, b)),
        op => compare::truth(op, a, b).as_int().unwrap_or(Int::range(0, 1)),
    }
}

/// A quotient by what is not 0; a condition of the path excludes 0.
fn quotient(q: Quotient, ty: IntType) -> Int {
    match q {
        Quotient::Some(value) => ty.wrap(value),
        Quotient::Undefined | Quotient::Any => ty.top(),
    }
}

/// Whether the exact result lies in the type: 1, 0, or either.
fn fits(op: BinaryOp, a: Int, b: Int, ty: IntType) -> Int {
    let some = |q| match q {
        Quotient::Some(value) => Some(value),
        _ => None,
    };
    let exact = match op {
        BinaryOp::Add => arithmetic::add(a, b),
        BinaryOp::Sub => arithmetic::sub(a, b),
        BinaryOp::Mul => arithmetic::mul(a, b),
        BinaryOp::Div | BinaryOp::Rem if b.contains(0) => None,
        BinaryOp::Div | BinaryOp::Rem => some(arithmetic::div(a, b)),
        _ => None,
    };
    let Some(exact) = exact else { return Int::range(0, 1) };
    let bounds = ty.bounds();
    if exact.interval().leq(bounds) {
        Int::constant(1)
    } else if exact.interval().meet(bounds).is_none() {
        Int::constant(0)
    } else {
        Int::range(0, 1)
    }
}

/// The box of the run's point, and of all bounds of variables that are not in `run`.
pub fn point(terms: &Terms) -> Bounds {
    terms.variables().iter().map(|v| Interval::constant(v.value)).collect::<Vec<_>>().into_iter().fold(
        Bounds::new(),
        |mut all, i| {
            all.push(i);
            all
        },
    )
}

/// The greatest interval around `bounds[v]` that bisection finds, within the variable's range, such that the box still holds.
/// `steps` are taken from.
pub fn grow(terms: &Terms, bounds: &mut Bounds, v: VarNo, concern: &Concern, steps: &mut u64) {
    let (low, high) = (terms.variables()[v].low, terms.variables()[v].high);
    let start = bounds[v];
    let mut holds = |bounds: &mut Bounds, candidate: Interval| {
        let cost = concern.cost();
        if *steps < cost {
            return false;
        }
        *steps -= cost;
        let before = std::mem::replace(&mut bounds[v], candidate);
        let holds = concern.holds(terms, bounds);
        bounds[v] = before;
        holds
    };
    if holds(bounds, Interval { lo: low, hi: high }) {
        bounds[v] = Interval { lo: low, hi: high };
        return;
    }
    // The point itself may be beyond the domain (a multiple of something, say); then nothing grows.
    if !holds(bounds, start) {
        return;
    }
    let hi = bisect(start.hi, high, |hi| holds(bounds, Interval { lo: start.lo, hi }));
    let lo = -bisect(-start.lo, -low, |lo| holds(bounds, Interval { lo: -lo, hi }));
    bounds[v] = Interval { lo, hi };
}

/// How many variables a box has that are not points.
pub fn width(bounds: &Bounds) -> usize {
    (0..bounds.len()).filter(|i| bounds[VarNo::new(*i)].lo < bounds[VarNo::new(*i)].hi).count()
}
