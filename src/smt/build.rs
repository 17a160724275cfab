//! Builders: one method for each operator, and for what is shortly written with them.
//!
//! Ill-sorted arguments are a mistake of the calling code, never of a user: these methods panic on them.
//! [`TermPool::try_apply`] returns the error instead.

use super::bits::BitVec;
use super::op::{Op, Term};
use super::pool::TermPool;
use super::sort::Sort;
use super::value::Value;

/// Builders that are one operator.
macro_rules! operators {
    ($($(#[$doc:meta])* $name:ident ($($arg:ident),*) = $op:ident;)*) => {
        impl TermPool {
            $($(#[$doc])* #[track_caller] pub fn $name(&mut self, $($arg: Term),*) -> Term {
                self.apply(Op::$op, &[$($arg),*])
            })*
        }
    };
}

operators! {
    /// Negation.
    not(a) = Not;
    /// Equality, at any sort.
    eq(a, b) = Eq;
    /// `then` where `condition` holds, else `otherwise`.
    ite(condition, then, otherwise) = Ite;
    /// Bitwise complement.
    bv_not(a) = BvNot;
    /// Two's complement negation.
    bv_neg(a) = BvNeg;
    /// Bitwise conjunction.
    bv_and(a, b) = BvAnd;
    /// Bitwise disjunction.
    bv_or(a, b) = BvOr;
    /// Bitwise exclusive disjunction.
    bv_xor(a, b) = BvXor;
    /// Sum, wrapping.
    bv_add(a, b) = BvAdd;
    /// Difference, wrapping.
    bv_sub(a, b) = BvSub;
    /// Product, wrapping.
    bv_mul(a, b) = BvMul;
    /// Unsigned quotient; all ones when `b` is 0.
    bv_udiv(a, b) = BvUdiv;
    /// Unsigned remainder; `a` when `b` is 0.
    bv_urem(a, b) = BvUrem;
    /// Signed quotient, truncated, wrapping; 1 or all ones when `b` is 0.
    bv_sdiv(a, b) = BvSdiv;
    /// Signed remainder with the sign of `a`; `a` when `b` is 0.
    bv_srem(a, b) = BvSrem;
    /// Shift left; 0 when `b` is the width or more.
    bv_shl(a, b) = BvShl;
    /// Shift right, zeros coming in.
    bv_lshr(a, b) = BvLshr;
    /// Shift right, copies of the sign coming in.
    bv_ashr(a, b) = BvAshr;
    /// `a < b`, unsigned.
    bv_ult(a, b) = BvUlt;
    /// `a <= b`, unsigned.
    bv_ule(a, b) = BvUle;
    /// `a < b`, signed.
    bv_slt(a, b) = BvSlt;
    /// `a <= b`, signed.
    bv_sle(a, b) = BvSle;
    /// Whether `a * b` wraps, unsigned.
    bv_umul_overflows(a, b) = BvUmulo;
    /// Whether `a * b` wraps, signed.
    bv_smul_overflows(a, b) = BvSmulo;
    /// `high` above `low`.
    concat(high, low) = Concat;
}

impl TermPool {
    /// [`try_apply`](Self::try_apply) for code that keeps to the sorts.
    ///
    /// # Panics
    /// On ill-sorted arguments.
    #[track_caller]
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        self.try_apply(op, args).unwrap_or_else(|e| panic!("ill-formed term: {e}"))
    }

    /// The variable `name`; the same term each time.
    ///
    /// # Panics
    /// Where [`try_variable`](Self::try_variable) errs.
    #[track_caller]
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        self.try_variable(name, sort).unwrap_or_else(|e| panic!("ill-formed variable: {e}"))
    }

    /// A variable that no other call returns, named after `stem`.
    ///
    /// # Panics
    /// Where [`try_variable`](Self::try_variable) errs.
    #[track_caller]
    pub fn fresh_variable(&mut self, stem: &str, sort: Sort) -> Term {
        self.try_fresh_variable(stem, sort).unwrap_or_else(|e| panic!("ill-formed variable: {e}"))
    }

    /// A truth value.
    pub fn bool(&mut self, value: bool) -> Term {
        self.value(Value::Bool(value))
    }

    /// The `width` low bits of `bits`.
    #[track_caller]
    pub fn bv(&mut self, width: u32, bits: u128) -> Term {
        self.value(Value::BitVec(BitVec::new(width, bits)))
    }

    /// The `width` low bits of the two's complement of `value`.
    #[track_caller]
    pub fn bv_signed(&mut self, width: u32, value: i128) -> Term {
        self.value(Value::BitVec(BitVec::from_signed(width, value)))
    }

    /// Conjunction of any number of formulas.
    #[track_caller]
    pub fn and(&mut self, formulas: &[Term]) -> Term {
        self.apply(Op::And, formulas)
    }

    /// Disjunction of any number of formulas.
    #[track_caller]
    pub fn or(&mut self, formulas: &[Term]) -> Term {
        self.apply(Op::Or, formulas)
    }

    /// `premise` implies `conclusion`.
    #[track_caller]
    pub fn implies(&mut self, premise: Term, conclusion: Term) -> Term {
        let negated = self.not(premise);
        self.or(&[negated, conclusion])
    }

    /// Disequality, at any sort.
    #[track_caller]
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// The bits `low..=high` of `a`, bit 0 the least.
    #[track_caller]
    pub fn extract(&mut self, high: u32, low: u32, a: Term) -> Term {
        self.apply(Op::Extract { high, low }, &[a])
    }

    /// `by` zeros above `a`.
    #[track_caller]
    pub fn zero_extend(&mut self, by: u32, a: Term) -> Term {
        self.apply(Op::ZeroExtend(by), &[a])
    }

    /// `by` copies of the sign above `a`.
    #[track_caller]
    pub fn sign_extend(&mut self, by: u32, a: Term) -> Term {
        self.apply(Op::SignExtend(by), &[a])
    }

    /// `a` cut or extended to `width` bits, as C converts integers: `signed` says how to read `a`.
    #[track_caller]
    pub fn resize(&mut self, width: u32, signed: bool, a: Term) -> Term {
        let from = self.sort(a).width().expect("only bit-vectors are resized");
        if width <= from {
            self.extract(width - 1, 0, a)
        } else if signed {
            self.sign_extend(width - from, a)
        } else {
            self.zero_extend(width - from, a)
        }
    }

    /// Whether `a + b` wraps, unsigned.
    #[track_caller]
    pub fn bv_uadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let sum = self.bv_add(a, b);
        self.bv_ult(sum, a)
    }

    /// Whether `a - b` wraps, unsigned.
    #[track_caller]
    pub fn bv_usub_overflows(&mut self, a: Term, b: Term) -> Term {
        self.bv_ult(a, b)
    }

    /// Whether `a + b` wraps, signed: the sum's sign differs from both.
    #[track_caller]
    pub fn bv_sadd_overflows(&mut self, a: Term, b: Term) -> Term {
        let sum = self.bv_add(a, b);
        let (left, right) = (self.bv_xor(sum, a), self.bv_xor(sum, b));
        let both = self.bv_and(left, right);
        self.bv_sign(both)
    }

    /// Whether `a - b` wraps, signed: the operands' signs differ, and the difference's from `a`'s.
    #[track_caller]
    pub fn bv_ssub_overflows(&mut self, a: Term, b: Term) -> Term {
        let difference = self.bv_sub(a, b);
        let (operands, result) = (self.bv_xor(a, b), self.bv_xor(a, difference));
        let both = self.bv_and(operands, result);
        self.bv_sign(both)
    }

    /// Whether `-a` wraps, signed.
    #[track_caller]
    pub fn bv_neg_overflows(&mut self, a: Term) -> Term {
        let width = self.sort(a).width().expect("only bit-vectors are negated");
        let least = self.value(Value::BitVec(BitVec::signed_min(width)));
        self.eq(a, least)
    }

    /// Whether `a / b` (and C's `a % b`) wraps, signed.
    #[track_caller]
    pub fn bv_sdiv_overflows(&mut self, a: Term, b: Term) -> Term {
        let width = self.sort(b).width().expect("only bit-vectors are divided");
        let minus_one = self.value(Value::BitVec(BitVec::ones(width)));
        let (least, by_minus_one) = (self.bv_neg_overflows(a), self.eq(b, minus_one));
        self.and(&[least, by_minus_one])
    }

    /// Whether the highest bit of `a` is 1.
    #[track_caller]
    pub fn bv_sign(&mut self, a: Term) -> Term {
        let width = self.sort(a).width().expect("only bit-vectors have a sign");
        let zero = self.bv(width, 0);
        self.bv_slt(a, zero)
    }
}
