//! Paths and boxes as formulas over bit-vectors. Nothing is shared with the evaluation on boxes but the terms.

use super::range::Bounds;
use super::term::{Node, TRUTH, TermId, Terms, VarNo};
use crate::domains::{IntType, Interval};
use crate::ir::BinaryOp;
use crate::smt::{Solver, Sort, Term, TermPool, Value};
use rustc_hash::FxHashMap;

/// Formulas of one set of terms.
#[derive(Default)]
pub struct Formulas {
    pub pool: TermPool,
    known: FxHashMap<TermId, Term>,
    variables: FxHashMap<VarNo, Term>,
}

impl Formulas {
    /// The variable.
    pub fn variable(&mut self, terms: &Terms, v: VarNo) -> Term {
        let width = terms.variables()[v].ty.bits;
        let pool = &mut self.pool;
        *self.variables.entry(v).or_insert_with(|| pool.variable(&format!("{v}"), Sort::BitVec(width)))
    }

    /// All conditions of a path hold.
    pub fn path(&mut self, terms: &Terms, conditions: &[(TermId, bool)]) -> Term {
        for term in terms.cone(conditions.iter().map(|c| c.0)) {
            if !self.known.contains_key(&term) {
                let formula = self.translate(terms, term);
                self.known.insert(term, formula);
            }
        }
        let all: Vec<Term> = conditions
            .iter()
            .map(|(term, expected)| {
                let holds = self.truth(self.known[term]);
                if *expected { holds } else { self.pool.not(holds) }
            })
            .collect();
        self.pool.and(&all)
    }

    /// Every variable that has been translated lies in its bounds.
    pub fn inside(&mut self, terms: &Terms, bounds: &Bounds) -> Term {
        let mut variables: Vec<VarNo> = self.variables.keys().copied().collect();
        variables.sort_unstable();
        self.between(terms, &variables, &|v| bounds[v])
    }

    /// These variables lie in their bounds.
    pub fn between(&mut self, terms: &Terms, variables: &[VarNo], bounds: &dyn Fn(VarNo) -> Interval) -> Term {
        let mut all = Vec::new();
        for &v in variables {
            let x = self.variable(terms, v);
            let IntType { bits, signed, .. } = terms.variables()[v].ty;
            let bounds = bounds(v);
            let (low, high) = (self.pool.bv_signed(bits, bounds.lo), self.pool.bv_signed(bits, bounds.hi));
            let pool = &mut self.pool;
            all.extend(match signed {
                true => [pool.bv_sle(low, x), pool.bv_sle(x, high)],
                false => [pool.bv_ule(low, x), pool.bv_ule(x, high)],
            });
        }
        self.pool.and(&all)
    }

    /// The values of these variables in the solver's model.
    pub fn values(
        &mut self,
        terms: &Terms,
        solver: &mut dyn Solver,
        variables: &[VarNo],
    ) -> Option<Vec<(VarNo, i128)>> {
        let symbols: Vec<Term> = variables.iter().map(|v| self.variable(terms, *v)).collect();
        let values = solver.values(&self.pool, &symbols).ok()?;
        let number = |(v, value): (&VarNo, Value)| {
            let Value::BitVec(bits) = value else { return None };
            let signed = terms.variables()[*v].ty.signed;
            Some((*v, if signed { bits.signed() } else { bits.unsigned() as i128 }))
        };
        variables.iter().zip(values).map(number).collect()
    }

    /// A number as a truth value.
    fn truth(&mut self, number: Term) -> Term {
        let width = self.pool.sort(number).width().expect("numbers are bit-vectors");
        let zero = self.pool.bv(width, 0);
        self.pool.ne(number, zero)
    }

    /// A truth value as a number.
    fn number(&mut self, truth: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
        self.pool.ite(truth, one, zero)
    }

    /// A term whose operands are known.
    fn translate(&mut self, terms: &Terms, term: TermId) -> Term {
        let t = terms.get(term);
        match t.node {
            Node::Input(v) => self.variable(terms, v),
            Node::Const(n) => self.pool.bv_signed(t.ty.bits, n),
            Node::Not(a) => self.pool.bv_not(self.known[&a]),
            Node::Convert(a) => {
                let (x, from) = (self.known[&a], terms.ty(a));
                if t.ty.boolean {
                    let truth = self.truth(x);
                    self.number(truth, t.ty.bits)
                } else {
                    self.pool.resize(t.ty.bits, from.signed, x)
                }
            }
            Node::Binary(op, a, b) => self.binary(terms, op, a, b),
            Node::Fits(op, a, b) => {
                let (x, y) = (self.known[&a], self.known[&b]);
                let overflows = self.overflows(op, x, y, terms.ty(a).signed);
                let fits = self.pool.not(overflows);
                self.number(fits, TRUTH.bits)
            }
        }
    }

    fn binary(&mut self, terms: &Terms, op: BinaryOp, a: TermId, b: TermId) -> Term {
        let (x, signed) = (self.known[&a], terms.ty(a).signed);
        if let (BinaryOp::Shl | BinaryOp::Shr, Some(n)) = (op, terms.constant_of(b)) {
            let by = self.pool.bv(terms.ty(a).bits, n.unsigned_abs());
            return match (op, signed) {
                (BinaryOp::Shl, _) => self.pool.bv_shl(x, by),
                (_, true) => self.pool.bv_ashr(x, by),
                (_, false) => self.pool.bv_lshr(x, by),
            };
        }
        let y = self.known[&b];
        let pool = &mut self.pool;
        let truth = match (op, signed) {
            (BinaryOp::Add, _) => return pool.bv_add(x, y),
            (BinaryOp::Sub, _) => return pool.bv_sub(x, y),
            (BinaryOp::Mul, _) => return pool.bv_mul(x, y),
            (BinaryOp::Div, true) => return pool.bv_sdiv(x, y),
            (BinaryOp::Div, false) => return pool.bv_udiv(x, y),
            (BinaryOp::Rem, true) => return pool.bv_srem(x, y),
            (BinaryOp::Rem, false) => return pool.bv_urem(x, y),
            (BinaryOp::And, _) => return pool.bv_and(x, y),
            (BinaryOp::Or, _) => return pool.bv_or(x, y),
            (BinaryOp::Xor, _) => return pool.bv_xor(x, y),
            (BinaryOp::Shl | BinaryOp::Shr, _) => unreachable!("shift counts are constants"),
            (BinaryOp::Eq, _) => pool.eq(x, y),
            (BinaryOp::Ne, _) => pool.ne(x, y),
            (BinaryOp::Lt, true) => pool.bv_slt(x, y),
            (BinaryOp::Le, true) => pool.bv_sle(x, y),
            (BinaryOp::Gt, true) => pool.bv_slt(y, x),
            (BinaryOp::Ge, true) => pool.bv_sle(y, x),
            (BinaryOp::Lt, false) => pool.bv_ult(x, y),
            (BinaryOp::Le, false) => pool.bv_ule(x, y),
            (BinaryOp::Gt, false) => pool.bv_ult(y, x),
            (BinaryOp::Ge, false) => pool.bv_ule(y, x),
        };
        self.number(truth, TRUTH.bits)
    }

    fn overflows(&mut self, op: BinaryOp, x: Term, y: Term, signed: bool) -> Term {
        let pool = &mut self.pool;
        match (op, signed) {
            (BinaryOp::Add, true) => pool.bv_sadd_overflows(x, y),
            (BinaryOp::Add, false) => pool.bv_uadd_overflows(x, y),
            (BinaryOp::Sub, true) => pool.bv_ssub_overflows(x, y),
            (BinaryOp::Sub, false) => pool.bv_usub_overflows(x, y),
            (BinaryOp::Mul, true) => pool.bv_smul_overflows(x, y),
            (BinaryOp::Mul, false) => pool.bv_umul_overflows(x, y),
            (BinaryOp::Div | BinaryOp::Rem, true) => pool.bv_sdiv_overflows(x, y),
            _ => pool.bool(false),
        }
    }
}
