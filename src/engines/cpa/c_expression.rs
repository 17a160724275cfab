//! Formulas over a loop head's variables as expressions of C that mean what was proved, for tools that read invariants.
//!
//! Bit-vectors become unsigned arithmetic in the narrowest type of 32 or 64 bits that holds them, cut where a term is narrower, so that
//! evaluation is defined everywhere. What C cannot say is left out where the formula gets weaker by that.

use crate::smt::{self, Op, Sort, Term, TermPool};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A longer text is no help to anybody.
const LONGEST: usize = 4000;

/// What a variable is called, and whether its type is signed.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub signed: bool,
}

/// The conjuncts that C can say of a formula over the variables that `names` has.
pub fn conjuncts_in_c(pool: &TermPool, formula: Term, names: &FxHashMap<Term, Name>) -> Vec<String> {
    let printer = Printer { pool, names, known: RefCell::default(), weaker: RefCell::default() };
    let parts = if pool.op(formula) == Op::And { pool.args(formula) } else { &[formula] };
    parts.iter().filter_map(|part| printer.weakened(*part)).collect()
}

/// How a term is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum As {
    Truth,
    Unsigned,
    Signed,
}

struct Printer<'a> {
    pool: &'a TermPool,
    names: &'a FxHashMap<Term, Name>,
    known: RefCell<FxHashMap<(Term, As), Option<String>>>,
    /// What is left of formulas.
    weaker: RefCell<FxHashMap<Term, Option<String>>>,
}

impl Printer<'_> {
    /// The formula, or one that follows from it; None when nothing is left.
    fn weakened(&self, formula: Term) -> Option<String> {
        if let Some(known) = self.weaker.borrow().get(&formula) {
            return known.clone();
        }
        let parts = |terms: &[Term]| terms.iter().map(|t| self.weakened(*t)).collect::<Vec<_>>();
        let text = match self.pool.op(formula) {
            Op::Bool(true) => None,
            Op::And => {
                let kept: Vec<String> = parts(self.pool.args(formula)).into_iter().flatten().collect();
                (!kept.is_empty()).then(|| joined(&kept, "&&"))
            }
            Op::Or => {
                let all: Option<Vec<String>> = parts(self.pool.args(formula)).into_iter().collect();
                all.map(|all| joined(&all, "||"))
            }
            _ => self.read(formula, As::Truth),
        };
        let text = text.filter(|t| t.len() <= LONGEST);
        self.weaker.borrow_mut().insert(formula, text.clone());
        text
    }

    fn read(&self, term: Term, how: As) -> Option<String> {
        if let Some(known) = self.known.borrow().get(&(term, how)) {
            return known.clone();
        }
        let text = match how {
            As::Truth => self.truth(term),
            As::Unsigned => self.unsigned(term),
            As::Signed => self.signed(term),
        };
        let text = text.filter(|t| t.len() <= LONGEST);
        self.known.borrow_mut().insert((term, how), text.clone());
        text
    }

    /// 1 or 0.
    fn truth(&self, term: Term) -> Option<String> {
        let args = self.pool.args(term);
        let infix = |how: As, sign: &str| {
            let parts = args.iter().map(|a| self.read(*a, how)).collect::<Option<Vec<_>>>()?;
            Some(joined(&parts, sign))
        };
        match self.pool.op(term) {
            Op::Bool(value) => Some(i32::from(value).to_string()),
            Op::Not => Some(format!("!{}", self.read(args[0], As::Truth)?)),
            Op::And => infix(As::Truth, "&&"),
            Op::Or => infix(As::Truth, "||"),
            Op::Eq => match self.pool.sort(args[0]) {
                Sort::Bool => infix(As::Truth, "=="),
                Sort::BitVec(_) if args.iter().any(|a| self.is_signed_name(*a)) => infix(As::Signed, "=="),
                Sort::BitVec(_) => infix(As::Unsigned, "=="),
            },
            Op::BvUlt => infix(As::Unsigned, "<"),
            Op::BvUle => infix(As::Unsigned, "<="),
            Op::BvSlt => infix(As::Signed, "<"),
            Op::BvSle => infix(As::Signed, "<="),
            Op::Ite => self.choice(args, As::Truth),
            _ => None,
        }
    }

    fn choice(&self, args: &[Term], how: As) -> Option<String> {
        let (condition, yes, no) = (self.read(args[0], As::Truth)?, self.read(args[1], how)?, self.read(args[2], how)?);
        Some(format!("({condition} ? {yes} : {no})"))
    }

    fn is_signed_name(&self, term: Term) -> bool {
        self.names.get(&term).is_some_and(|name| name.signed)
    }

    /// The bits as a number without a sign.
    fn unsigned(&self, term: Term) -> Option<String> {
        let width = self.width(term)?;
        if let Some(name) = self.names.get(&term) {
            return Some(if name.signed {
                format!("({}){}", unsigned_type(width), name.text)
            } else {
                name.text.clone()
            });
        }
        if let Some(smt::Value::BitVec(bits)) = self.pool.constant(term) {
            return Some(number(bits.unsigned(), width));
        }
        let args = self.pool.args(term);
        let infix = |sign: &str| {
            let parts = args.iter().map(|a| self.operand(*a, width)).collect::<Option<Vec<_>>>()?;
            Some(joined(&parts, sign))
        };
        match self.pool.op(term) {
            Op::BvAnd => infix("&"),
            Op::BvOr => infix("|"),
            Op::BvXor => infix("^"),
            Op::BvAdd => Some(cut(&infix("+")?, width)),
            Op::BvSub => Some(cut(&infix("-")?, width)),
            Op::BvMul => Some(cut(&infix("*")?, width)),
            Op::BvNeg => Some(cut(&format!("({} - {})", number(0, width), self.operand(args[0], width)?), width)),
            Op::BvNot => Some(cut(&format!("(~{})", self.operand(args[0], width)?), width)),
            Op::BvUdiv if self.is_below(args[1], 1, u128::MAX) => infix("/"),
            Op::BvUrem if self.is_below(args[1], 1, u128::MAX) => infix("%"),
            Op::BvShl if self.is_below(args[1], 0, width.into()) => Some(cut(&infix("<<")?, width)),
            Op::BvLshr if self.is_below(args[1], 0, width.into()) => infix(">>"),
            Op::ZeroExtend(_) => self.operand(args[0], width),
            Op::SignExtend(_) => {
                let extended = format!("({}){}", arithmetic_type(width), self.read(args[0], As::Signed)?);
                Some(cut(&format!("({extended})"), width))
            }
            Op::Extract { low, .. } => {
                let whole = self.operand(args[0], self.width(args[0])?)?;
                let shifted = if low == 0 { whole } else { format!("({whole} >> {low})") };
                Some(if width == 32 { format!("(unsigned int){shifted}") } else { cut(&shifted, width) })
            }
            Op::Concat => {
                let (high, low) = (self.operand(args[0], width)?, self.operand(args[1], width)?);
                Some(format!("(({high} << {}) | {low})", self.width(args[1])?))
            }
            Op::Ite => self.choice(args, As::Unsigned),
            _ => None,
        }
    }

    /// The bits in two's complement.
    fn signed(&self, term: Term) -> Option<String> {
        let width = self.width(term)?;
        if let Some(name) = self.names.get(&term).filter(|name| name.signed) {
            return Some(name.text.clone());
        }
        if let Some(smt::Value::BitVec(bits)) = self.pool.constant(term) {
            return Some(signed_number(bits.signed(), width));
        }
        match self.pool.op(term) {
            Op::SignExtend(_) => {
                Some(format!("({}){}", signed_type(width), self.read(self.pool.args(term)[0], As::Signed)?))
            }
            Op::Ite => self.choice(self.pool.args(term), As::Signed),
            _ if matches!(width, 8 | 16 | 32 | 64) => {
                Some(format!("({}){}", signed_type(width), self.read(term, As::Unsigned)?))
            }
            _ => {
                let (sign, ty) = (number(1 << (width - 1), width), signed_type(width));
                let bits = self.operand(term, width)?;
                Some(format!("(({ty})({bits} ^ {sign}) - ({ty}){sign})"))
            }
        }
    }

    /// The bits as an operand of arithmetic for `width` bits.
    fn operand(&self, term: Term, width: u32) -> Option<String> {
        let text = self.read(term, As::Unsigned)?;
        // Narrower types would be promoted to `int`, which overflows.
        let fits = arithmetic_type(self.width(term)?) == arithmetic_type(width);
        let is_promoted = !matches!(self.width(term)?, 32 | 64) && self.pool.constant(term).is_none();
        Some(if fits && !is_promoted { text } else { format!("({}){text}", arithmetic_type(width)) })
    }

    /// Whether the term is a constant from `low` to below `high`.
    fn is_below(&self, term: Term, low: u128, high: u128) -> bool {
        match self.pool.constant(term) {
            Some(smt::Value::BitVec(bits)) => (low..high).contains(&bits.unsigned()),
            _ => false,
        }
    }

    /// Bits of a term that C's types hold.
    fn width(&self, term: Term) -> Option<u32> {
        self.pool.sort(term).width().filter(|w| (1..=64).contains(w))
    }
}

fn joined(parts: &[String], sign: &str) -> String {
    match parts {
        [one] => one.clone(),
        _ => format!("({})", parts.join(&format!(" {sign} "))),
    }
}

/// `text`, of the arithmetic type, without the bits above.
fn cut(text: &str, width: u32) -> String {
    match width {
        32 | 64 => text.to_owned(),
        8 | 16 => format!("({}){text}", unsigned_type(width)),
        _ => format!("({text} & {})", number((1 << width) - 1, width)),
    }
}

fn number(value: u128, width: u32) -> String {
    format!("{value}{}", if width > 32 { "ULL" } else { "U" })
}

fn signed_number(value: i128, width: u32) -> String {
    let suffix = if width > 32 { "LL" } else { "" };
    let least = if width > 32 { i128::from(i64::MIN) } else { i128::from(i32::MIN) };
    match value {
        // The least number has no constant of its type.
        v if v == least => format!("({}{suffix} - 1)", v + 1),
        v if v < 0 => format!("({v}{suffix})"),
        v => format!("{v}{suffix}"),
    }
}

fn unsigned_type(width: u32) -> &'static str {
    match width {
        8 => "unsigned char",
        16 => "unsigned short",
        _ => arithmetic_type(width),
    }
}

fn signed_type(width: u32) -> &'static str {
    match width {
        8 => "signed char",
        16 => "short",
        ..=32 => "int",
        _ => "long long",
    }
}

fn arithmetic_type(width: u32) -> &'static str {
    if width > 32 { "unsigned long long" } else { "unsigned int" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(formula: impl FnOnce(&mut TermPool, [Term; 3]) -> Term) -> Vec<String> {
        let mut pool = TermPool::new();
        let (i, u, c) = (
            pool.variable("i", Sort::BitVec(32)),
            pool.variable("u", Sort::BitVec(32)),
            pool.variable("c", Sort::BitVec(8)),
        );
        let name = |text: &str, signed| Name { text: text.to_owned(), signed };
        let names = [(i, name("i", true)), (u, name("u", false)), (c, name("c", true))].into_iter().collect();
        let formula = formula(&mut pool, [i, u, c]);
        conjuncts_in_c(&pool, formula, &names)
    }

    #[test]
    fn comparisons_have_the_signs_that_were_meant() {
        let of = told(|pool, [i, u, _]| {
            let (minus, ten) = (pool.bv_signed(32, -1), pool.bv(32, 10));
            let parts = [
                pool.bv_sle(minus, i),
                pool.bv_ult(i, ten),
                pool.bv_ule(u, ten),
                pool.bv_slt(u, ten),
                pool.eq(i, minus),
            ];
            pool.and(&parts)
        });
        for text in ["((-1) <= i)", "((unsigned int)i < 10U)", "(u <= 10U)", "((int)u < 10)"] {
            assert!(of.contains(&text.to_owned()), "{text} {of:?}");
        }
    }

    #[test]
    fn arithmetic_wraps_as_bits_do() {
        let of = told(|pool, [i, u, c]| {
            let sum = pool.bv_add(i, u);
            let wide = pool.resize(33, true, i);
            let (one, double) = (pool.bv(33, 1), pool.bv_add(wide, wide));
            let product = pool.bv_mul(c, c);
            let eight = pool.bv(8, 8);
            let parts = [pool.eq(sum, u), pool.bv_sle(double, one), pool.bv_ult(product, eight)];
            pool.and(&parts)
        });
        assert!(
            of.iter()
                .any(|t| t
                    .contains("(unsigned char)((unsigned int)(unsigned char)c * (unsigned int)(unsigned char)c) < 8U")),
            "{of:?}"
        );
        assert!(of.iter().any(|t| t.contains("& 8589934591ULL")), "{of:?}");
    }

    #[test]
    fn what_c_cannot_say_weakens_and_never_strengthens() {
        let half = |negated: bool| {
            told(|pool, [i, _, _]| {
                let (other, ten) = (pool.variable("hidden", Sort::BitVec(32)), pool.bv(32, 10));
                let (known, unknown) = (pool.bv_slt(i, ten), pool.bv_slt(i, other));
                let both = pool.and(&[known, unknown]);
                if negated { pool.not(both) } else { both }
            })
        };
        assert_eq!(half(false), ["(i < 10)"]);
        assert!(half(true).is_empty());
    }
}
