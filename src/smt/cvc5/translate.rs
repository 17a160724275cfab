//! Terms to libcvc5's terms, each once, and its values back.

use ::cvc5::Kind;
use rustc_hash::FxHashMap;

use super::super::bits::BitVec;
use super::super::error::{Result, SmtError};
use super::super::memo::Memo;
use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::sort::Sort;
use super::super::value::Value;
use super::session::backend;

/// The terms of one pool that one solver knows.
#[derive(Default)]
pub(super) struct Translation {
    made: Memo<cvc5::Term>,
    maker: Maker,
}

/// Makes libcvc5's terms and sorts.
#[derive(Default)]
struct Maker {
    manager: cvc5::TermManager,
    sorts: FxHashMap<Sort, cvc5::Sort>,
}

impl Translation {
    pub(super) fn manager(&self) -> &cvc5::TermManager {
        &self.maker.manager
    }

    /// A symbol of a grammar: what rules stand for. One sort has one.
    pub(super) fn symbol(&mut self, sort: Sort) -> Result<cvc5::Term> {
        let name = format!("symbol {sort}");
        let sort = self.maker.sort(sort)?;
        self.maker.manager.mk_var(sort, &name).map_err(backend)
    }

    /// An operator without parameters, of libcvc5's own terms.
    pub(super) fn make(&mut self, op: Op, args: &[&cvc5::Term]) -> Result<cvc5::Term> {
        let args: Vec<cvc5::Term> = args.iter().map(|a| (*a).clone()).collect();
        self.maker.manager.mk_term(kind(op), &args).map_err(backend)
    }

    /// The translation of `term`, when it has one already.
    pub(super) fn known(&self, term: Term) -> Option<&cvc5::Term> {
        self.made.known(term)
    }

    /// The translation of `term`.
    pub(super) fn term(&mut self, pool: &TermPool, term: Term) -> Result<cvc5::Term> {
        self.made.term(pool, term, |term, args| self.maker.apply(pool, term, args))
    }
}

impl Maker {
    fn sort(&mut self, sort: Sort) -> Result<cvc5::Sort> {
        if let Some(known) = self.sorts.get(&sort) {
            return Ok(known.clone());
        }
        let made = match sort {
            Sort::Bool => self.manager.boolean_sort(),
            Sort::BitVec(width) => self.manager.mk_bv_sort(width).map_err(backend)?,
        };
        self.sorts.insert(sort, made.clone());
        Ok(made)
    }

    fn constant(&mut self, value: Value) -> cvc5::Result<cvc5::Term> {
        match value {
            Value::Bool(b) => Ok(self.manager.mk_boolean(b)),
            Value::BitVec(bits) => self.manager.mk_bv_from_str(bits.width(), &format!("{:x}", bits.unsigned()), 16),
        }
    }

    fn apply(&mut self, pool: &TermPool, term: Term, args: &[cvc5::Term]) -> Result<cvc5::Term> {
        let indexed = |kind, indices: &[u32], manager: &mut cvc5::TermManager| {
            manager.mk_op(kind, indices).and_then(|op| manager.mk_term_from_op(op, args))
        };
        let manager = &mut self.manager;
        let made = match pool.op(term) {
            Op::Variable(_) => {
                let sort = self.sort(pool.sort(term))?;
                self.manager.mk_const(sort, pool.name(term).unwrap_or_default())
            }
            Op::Bool(b) => self.constant(Value::Bool(b)),
            Op::BitVec(bits) => self.constant(Value::BitVec(bits)),
            // libcvc5's junctions take at least two arguments; ours have, once simplified.
            Op::Extract { high, low } => indexed(Kind::BitvectorExtract, &[high, low], manager),
            Op::ZeroExtend(by) => indexed(Kind::BitvectorZeroExtend, &[by], manager),
            Op::SignExtend(by) => indexed(Kind::BitvectorSignExtend, &[by], manager),
            op => manager.mk_term(kind(op), args),
        };
        made.map_err(backend)
    }
}

/// libcvc5's name of an operator without parameters.
pub(super) fn kind(op: Op) -> Kind {
    match op {
        Op::Not => Kind::Not,
        Op::And => Kind::And,
        Op::Or => Kind::Or,
        Op::Eq => Kind::Equal,
        Op::Ite => Kind::Ite,
        Op::BvNot => Kind::BitvectorNot,
        Op::BvNeg => Kind::BitvectorNeg,
        Op::BvAnd => Kind::BitvectorAnd,
        Op::BvOr => Kind::BitvectorOr,
        Op::BvXor => Kind::BitvectorXor,
        Op::BvAdd => Kind::BitvectorAdd,
        Op::BvSub => Kind::BitvectorSub,
        Op::BvMul => Kind::BitvectorMult,
        Op::BvUdiv => Kind::BitvectorUdiv,
        Op::BvUrem => Kind::BitvectorUrem,
        Op::BvSdiv => Kind::BitvectorSdiv,
        Op::BvSrem => Kind::BitvectorSrem,
        Op::BvShl => Kind::BitvectorShl,
        Op::BvLshr => Kind::BitvectorLshr,
        Op::BvAshr => Kind::BitvectorAshr,
        Op::BvUlt => Kind::BitvectorUlt,
        Op::BvUle => Kind::BitvectorUle,
        Op::BvSlt => Kind::BitvectorSlt,
        Op::BvSle => Kind::BitvectorSle,
        Op::BvUmulo => Kind::BitvectorUmulo,
        Op::BvSmulo => Kind::BitvectorSmulo,
        Op::Concat => Kind::BitvectorConcat,
        Op::Variable(_) | Op::Bool(_) | Op::BitVec(_) | Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => {
            unreachable!("{op:?} has parameters and is translated by itself")
        }
    }
}

/// A value term of this sort, read back.
pub(super) fn value(term: &cvc5::Term, sort: Sort) -> Result<Value> {
    let unexpected = || SmtError::Reply { solver: "cvc5".to_owned(), text: term.to_string() };
    match sort {
        Sort::Bool if term.is_boolean_value() => Ok(Value::Bool(term.boolean_value().map_err(backend)?)),
        Sort::BitVec(width) if term.is_bv_value() => {
            let digits = term.bv_value(16).map_err(backend)?;
            let bits = u128::from_str_radix(&digits, 16).map_err(|_| unexpected())?;
            Ok(Value::BitVec(BitVec::new(width, bits)))
        }
        _ => Err(unexpected()),
    }
}
