//! Sums of program variables case by case: which branch was taken, and whether the machine's arithmetic was that of numbers.
//!
//! A solver that multiplies out bits finds it hard to see that `(x - 1) + (y + 1) <= z` says what `x + y <= z` says, where
//! `x - 1` may wrap, and harder where `x` and `y` are choices between branches. Here choices are lifted over sums, wrapping
//! is split off as a condition, and what is left is one normal form, so that before and after a turn the formulas are
//! often the same term.

use super::polynomial::{Polynomial, is_zero, sum_of};
use crate::smt::{self, Op, Term, TermPool};

/// A number, by case.
#[derive(Clone)]
enum Cased {
    /// The number where all conditions hold; elsewhere it is not said here.
    Leaf {
        number: Polynomial,
        conditions: Vec<Term>,
    },
    Choice(Term, Box<Cased>, Box<Cased>),
}

/// Cases of one number.
const MOST_CASES: usize = 24;
/// How deep terms are looked into.
const DEEPEST: u32 = 48;

/// How the bits of a term are read as a number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As they are, modulo the width of the sum.
    Whole,
    Signed,
    Unsigned,
}

impl Cased {
    fn number(number: Polynomial) -> Cased {
        Cased::Leaf { number, conditions: Vec::new() }
    }

    fn cases(&self) -> usize {
        match self {
            Cased::Leaf { .. } => 1,
            Cased::Choice(_, a, b) => a.cases() + b.cases(),
        }
    }

    /// What is left where the condition holds, or does not.
    fn under(&self, condition: Term, holds: bool) -> Cased {
        match self {
            Cased::Leaf { .. } => self.clone(),
            Cased::Choice(c, a, b) if *c == condition => (if holds { a } else { b }).under(condition, holds),
            Cased::Choice(c, a, b) => {
                Cased::Choice(*c, Box::new(a.under(condition, holds)), Box::new(b.under(condition, holds)))
            }
        }
    }

    /// `a + factor * b`; None where there would be too many cases.
    fn plus(&self, other: &Cased, factor: u128) -> Option<Cased> {
        self.with(other, &|a, b| Some(a.clone().add(b, factor))).filter(|c| c.cases() <= MOST_CASES)
    }

    fn times(&self, other: &Cased) -> Option<Cased> {
        self.with(other, &|a, b| a.multiply(b)).filter(|c| c.cases() <= MOST_CASES)
    }

    fn with(&self, other: &Cased, combine: &dyn Fn(&Polynomial, &Polynomial) -> Option<Polynomial>) -> Option<Cased> {
        if self.cases() * other.cases() > MOST_CASES * MOST_CASES {
            return None;
        }
        Some(match (self, other) {
            (Cased::Choice(c, a, b), _) => {
                let yes = a.with(&other.under(*c, true), combine)?;
                Cased::Choice(*c, Box::new(yes), Box::new(b.with(&other.under(*c, false), combine)?))
            }
            (Cased::Leaf { .. }, Cased::Choice(c, a, b)) => {
                let yes = self.with(a, combine)?;
                Cased::Choice(*c, Box::new(yes), Box::new(self.with(b, combine)?))
            }
            (Cased::Leaf { number: x, conditions: p }, Cased::Leaf { number: y, conditions: q }) => {
                let mut conditions = p.clone();
                conditions.extend(q.iter().filter(|c| !p.contains(c)));
                Cased::Leaf { number: combine(x, y)?, conditions }
            }
        })
    }

    fn given(mut self, condition: Term) -> Cased {
        match &mut self {
            Cased::Leaf { conditions, .. } => {
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
                self
            }
            Cased::Choice(c, a, b) => {
                let (a, b) = (a.clone().given(condition), b.clone().given(condition));
                Cased::Choice(*c, Box::new(a), Box::new(b))
            }
        }
    }
}

/// Whether the sum is 0, modulo its width.
pub fn zero(pool: &mut TermPool, sum: Term) -> Term {
    let plain = is_zero(pool, sum);
    by_case(pool, sum, plain, &|pool, width, number| {
        let (term, constant) = sum_of(pool, width, number);
        let negated = pool.bv(width, constant.wrapping_neg());
        pool.eq(term, negated)
    })
}

/// Whether the sum, which does not overflow, is not above 0.
pub fn not_positive(pool: &mut TermPool, sum: Term) -> Term {
    let width = pool.sort(sum).width().expect("a sum has bits");
    let nothing = pool.bv(width, 0);
    let plain = pool.bv_sle(sum, nothing);
    by_case(pool, sum, plain, &|pool, width, number| {
        if !number.fits(pool, width) {
            return plain;
        }
        let (term, constant) = sum_of(pool, width, number);
        let negated = pool.bv(width, constant.wrapping_neg());
        pool.bv_sle(term, negated)
    })
}

fn by_case(
    pool: &mut TermPool,
    sum: Term,
    plain: Term,
    formula: &dyn Fn(&mut TermPool, u32, &Polynomial) -> Term,
) -> Term {
    let width = pool.sort(sum).width().expect("a sum has bits");
    let mut reader = Reader { pool, width };
    let cased = reader.read(sum, Reading::Whole, DEEPEST);
    build(pool, width, &cased, plain, formula)
}

fn build(
    pool: &mut TermPool,
    width: u32,
    cased: &Cased,
    plain: Term,
    formula: &dyn Fn(&mut TermPool, u32, &Polynomial) -> Term,
) -> Term {
    match cased {
        Cased::Leaf { number, conditions } => {
            let here = formula(pool, width, number);
            let exact = pool.and(conditions);
            pool.ite(exact, here, plain)
        }
        Cased::Choice(condition, a, b) => {
            let (a, b) = (build(pool, width, a, plain, formula), build(pool, width, b, plain, formula));
            pool.ite(*condition, a, b)
        }
    }
}

struct Reader<'p> {
    pool: &'p mut TermPool,
    /// Of the sum.
    width: u32,
}

impl Reader<'_> {
    fn read(&mut self, term: Term, reading: Reading, depth: u32) -> Cased {
        let cased = if depth == 0 { None } else { self.look_into(term, reading, depth - 1) };
        cased.unwrap_or_else(|| {
            let whole = self.pool.resize(self.width, reading == Reading::Signed, term);
            Cased::number(Polynomial::atom(whole))
        })
    }

    fn look_into(&mut self, term: Term, reading: Reading, depth: u32) -> Option<Cased> {
        let args = self.pool.args(term).to_vec();
        let op = self.pool.op(term);
        match (op, &args[..]) {
            (Op::BitVec(bits), _) => Some(Cased::number(Polynomial::constant(match reading {
                Reading::Signed => bits.signed() as u128,
                Reading::Whole | Reading::Unsigned => bits.unsigned(),
            }))),
            (Op::Ite, &[condition, then, otherwise]) => {
                let (a, b) = (self.read(then, reading, depth), self.read(otherwise, reading, depth));
                let (a, b) = (a.under(condition, true), b.under(condition, false));
                Some(Cased::Choice(condition, Box::new(a), Box::new(b))).filter(|c| c.cases() <= MOST_CASES)
            }
            (Op::SignExtend(_), &[inner]) if reading != Reading::Unsigned => {
                Some(self.read(inner, Reading::Signed, depth))
            }
            (Op::ZeroExtend(_), &[inner]) => Some(self.read(inner, Reading::Unsigned, depth)),
            (Op::BvAdd, &[a, b]) => match (reading, self.large(b), self.large(a)) {
                // Adding what is nearly all ones is subtracting.
                (Reading::Unsigned, Some(negated), _) => self.difference(a, negated, reading, depth),
                (Reading::Unsigned, None, Some(negated)) => self.difference(b, negated, reading, depth),
                _ => {
                    let sum = self.read(a, reading, depth).plus(&self.read(b, reading, depth), 1)?;
                    let overflows = match reading {
                        Reading::Whole => return Some(sum),
                        Reading::Signed => self.pool.bv_sadd_overflows(a, b),
                        Reading::Unsigned => self.pool.bv_uadd_overflows(a, b),
                    };
                    Some(sum.given(self.pool.not(overflows)))
                }
            },
            (Op::BvSub, &[a, b]) => self.difference(a, b, reading, depth),
            (Op::BvNeg, &[a]) if reading != Reading::Unsigned => {
                let width = self.pool.sort(a).width()?;
                let zero = self.pool.bv(width, 0);
                self.difference(zero, a, reading, depth)
            }
            (Op::BvMul, &[a, b]) => {
                let product = self.read(a, reading, depth).times(&self.read(b, reading, depth))?;
                let overflows = match reading {
                    Reading::Whole => return Some(product),
                    // The overflow of variables' products is harder than what it spares.
                    _ if self.pool.constant(a).is_none() && self.pool.constant(b).is_none() => return None,
                    Reading::Signed => self.pool.bv_smul_overflows(a, b),
                    Reading::Unsigned => self.pool.bv_umul_overflows(a, b),
                };
                Some(product.given(self.pool.not(overflows)))
            }
            _ => None,
        }
    }

    fn difference(&mut self, a: Term, b: Term, reading: Reading, depth: u32) -> Option<Cased> {
        let difference = self.read(a, reading, depth).plus(&self.read(b, reading, depth), u128::MAX)?;
        let overflows = match reading {
            Reading::Whole => return Some(difference),
            Reading::Signed => self.pool.bv_ssub_overflows(a, b),
            Reading::Unsigned => self.pool.bv_usub_overflows(a, b),
        };
        Some(difference.given(self.pool.not(overflows)))
    }

    /// The negation of a constant whose highest bit is set.
    fn large(&mut self, term: Term) -> Option<Term> {
        let Some(smt::Value::BitVec(bits)) = self.pool.constant(term) else { return None };
        (bits.signed() < 0).then(|| self.pool.bv(bits.width(), bits.unsigned().wrapping_neg()))
    }
}

#[cfg(test)]
mod tests {
    use super::{not_positive, zero};
    use crate::smt::{Assignment, BitVec, Sort, Term, TermPool, Value};
    use proptest::prelude::*;

    /// A term over `x`, `y` (8 bits) and `p`, by a list of steps.
    fn grow(pool: &mut TermPool, steps: &[(u8, usize, usize, u8)]) -> Term {
        let mut made = vec![pool.variable("x", Sort::BitVec(8)), pool.variable("y", Sort::BitVec(8))];
        for (op, a, b, k) in steps {
            let (a, b) = (made[a % made.len()], made[b % made.len()]);
            let k = pool.bv(8, u128::from(*k));
            let next = match op % 8 {
                0 => pool.bv_add(a, b),
                1 => pool.bv_sub(a, b),
                2 => pool.bv_add(a, k),
                3 => pool.bv_mul(a, k),
                4 => pool.bv_neg(a),
                5 => pool.bv_sub(k, a),
                6 => {
                    let less = pool.bv_slt(a, b);
                    pool.ite(less, b, k)
                }
                _ => {
                    let p = pool.variable("p", Sort::Bool);
                    pool.ite(p, a, b)
                }
            };
            made.push(next);
        }
        made[made.len() - 1]
    }

    proptest! {
        #[test]
        fn cases_say_what_the_sum_says(
            left in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>(), any::<u8>()), 1..7),
            right in prop::collection::vec((any::<u8>(), any::<usize>(), any::<usize>(), any::<u8>()), 1..7),
            signed in any::<bool>(),
            values in prop::collection::vec((any::<u8>(), any::<u8>(), any::<bool>()), 8),
        ) {
            let mut pool = TermPool::new();
            let (a, b) = (grow(&mut pool, &left), grow(&mut pool, &right));
            let (wide_a, wide_b) = (pool.resize(12, signed, a), pool.resize(12, signed, b));
            let sum = pool.bv_sub(wide_a, wide_b);
            let narrow = pool.bv_sub(a, b);
            let (low, high) = (not_positive(&mut pool, sum), zero(&mut pool, narrow));
            let whole = zero(&mut pool, sum);
            let (x, y) = (pool.variable("x", Sort::BitVec(8)), pool.variable("y", Sort::BitVec(8)));
            let p = pool.variable("p", Sort::Bool);
            for (vx, vy, vp) in values {
                let mut assignment = Assignment::default();
                assignment.set(x, Value::BitVec(BitVec::new(8, u128::from(vx))));
                assignment.set(y, Value::BitVec(BitVec::new(8, u128::from(vy))));
                assignment.set(p, Value::Bool(vp));
                let number = pool.evaluate(sum, &assignment).unwrap().as_bits().unwrap().signed();
                prop_assert_eq!(pool.holds(low, &assignment).unwrap(), number <= 0);
                prop_assert_eq!(pool.holds(whole, &assignment).unwrap(), number == 0);
                let short = pool.evaluate(narrow, &assignment).unwrap().as_bits().unwrap().signed();
                prop_assert_eq!(pool.holds(high, &assignment).unwrap(), short == 0);
            }
        }
    }

    #[test]
    fn a_step_that_cannot_wrap_leaves_the_formula_as_it_is() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.variable(name, Sort::BitVec(32)));
        let one = pool.bv(32, 1);
        let (less, more) = (pool.bv_sub(x, one), pool.bv_add(y, one));
        let mut formula = |x, y| {
            let [x, y, z] = [x, y, z].map(|t| pool.resize(40, true, t));
            let sum = pool.bv_add(x, y);
            let sum = pool.bv_sub(sum, z);
            not_positive(&mut pool, sum)
        };
        let (before, after) = (formula(x, y), formula(less, more));
        let parts = pool.subterms(&[after]);
        assert!(parts.contains(&before));
    }
}
