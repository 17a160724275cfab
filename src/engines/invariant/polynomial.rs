//! Polynomials over bit-vector terms, modulo their width: sums of products in one normal form, so that equations which differ
//! by the rules of rings alone are one term, where a solver would have to multiply bits.

use crate::smt::{self, BitVec, Op, Term, TermPool};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Products, sorted, with their factors.
#[derive(Clone, Debug, Default)]
pub struct Polynomial {
    parts: BTreeMap<Vec<Term>, u128>,
}

/// Products that a polynomial may have; longer ones are left as they are.
const MOST_PARTS: usize = 200;

impl Polynomial {
    /// A number.
    pub fn constant(value: u128) -> Polynomial {
        Polynomial { parts: BTreeMap::from([(Vec::new(), value)]) }
    }
    /// What is not looked into.
    pub fn atom(term: Term) -> Polynomial {
        Polynomial { parts: BTreeMap::from([(vec![term], 1)]) }
    }
    /// `self + factor * other`.
    pub fn add(mut self, other: &Polynomial, factor: u128) -> Polynomial {
        for (product, f) in &other.parts {
            let slot = self.parts.entry(product.clone()).or_insert(0);
            *slot = slot.wrapping_add(f.wrapping_mul(factor));
        }
        self
    }
    /// Whether all that it can be, with any of its parts on the other side of a comparison, fits so many bits with a sign.
    pub fn fits(&self, pool: &TermPool, width: u32) -> bool {
        let mut most = 0u128;
        for (product, factor) in &self.parts {
            let bits = match product[..] {
                [] => 0,
                [atom] => match pool.op(atom) {
                    Op::SignExtend(by) | Op::ZeroExtend(by) => width - by,
                    _ => width,
                },
                _ => return false,
            };
            let factor = BitVec::new(width, *factor).signed().unsigned_abs();
            let part = factor.checked_mul(1 << bits.min(127));
            match part.and_then(|part| most.checked_add(part)) {
                Some(sum) => most = sum,
                None => return false,
            }
        }
        width <= 128 && most < 1 << (width - 1)
    }
    /// The product, unless it is too long.
    pub fn multiply(&self, other: &Polynomial) -> Option<Polynomial> {
        if self.parts.len() * other.parts.len() > MOST_PARTS {
            return None;
        }
        let mut result = Polynomial::default();
        for (p, f) in &self.parts {
            for (q, g) in &other.parts {
                let mut product: Vec<Term> = p.iter().chain(q).copied().collect();
                product.sort_unstable();
                let slot = result.parts.entry(product).or_insert(0);
                *slot = slot.wrapping_add(f.wrapping_mul(*g));
            }
        }
        Some(result)
    }
}

/// Whether the term is 0, in normal form: what is added on one side, what is subtracted on the other.
pub fn is_zero(pool: &mut TermPool, term: Term) -> Term {
    let width = pool.sort(term).width().expect("only bit-vectors are polynomials");
    let mut known = FxHashMap::default();
    for t in pool.subterms(&[term]) {
        if pool.sort(t).width() == Some(width) {
            let polynomial = of(pool, t, &known);
            known.insert(t, polynomial);
        }
    }
    let polynomial = known.remove(&term).unwrap_or_default();
    let (added, subtracted) = (build(pool, width, &polynomial, true), build(pool, width, &polynomial, false));
    pool.eq(added, subtracted)
}

/// The polynomial without its constant as a term, and the constant.
pub fn sum_of(pool: &mut TermPool, width: u32, polynomial: &Polynomial) -> (Term, u128) {
    let mut rest = polynomial.clone();
    let constant = rest.parts.remove(&Vec::new()).unwrap_or(0);
    let (added, subtracted) = (build(pool, width, &rest, true), build(pool, width, &rest, false));
    (pool.bv_sub(added, subtracted), constant)
}

fn of(pool: &TermPool, term: Term, known: &FxHashMap<Term, Polynomial>) -> Polynomial {
    let args = pool.args(term);
    let arg = |i: usize| known.get(&args[i]);
    let made = match pool.op(term) {
        Op::BitVec(bits) => Some(Polynomial::constant(bits.unsigned())),
        Op::BvAdd => arg(0).zip(arg(1)).map(|(a, b)| a.clone().add(b, 1)),
        Op::BvSub => arg(0).zip(arg(1)).map(|(a, b)| a.clone().add(b, u128::MAX)),
        Op::BvNeg => arg(0).map(|a| Polynomial::default().add(a, u128::MAX)),
        Op::BvMul => arg(0).zip(arg(1)).and_then(|(a, b)| a.multiply(b)),
        Op::BvShl => match (arg(0), pool.constant(args[1])) {
            (Some(a), Some(smt::Value::BitVec(by))) if by.unsigned() < 128 => {
                Some(Polynomial::default().add(a, 1 << by.unsigned()))
            }
            _ => None,
        },
        _ => None,
    };
    made.filter(|p| p.parts.len() <= MOST_PARTS).unwrap_or_else(|| Polynomial::atom(term))
}

/// The sum of the parts with positive factors, or of the others without their sign.
fn build(pool: &mut TermPool, width: u32, polynomial: &Polynomial, positive: bool) -> Term {
    let mut total: Option<Term> = None;
    for (product, factor) in &polynomial.parts {
        let factor = BitVec::new(width, *factor).signed();
        if factor == 0 || (factor > 0) != positive {
            continue;
        }
        let mut part: Option<Term> = None;
        for term in product {
            part = Some(part.map_or(*term, |p| pool.bv_mul(p, *term)));
        }
        let magnitude = factor.unsigned_abs();
        let part = match part {
            Some(p) if magnitude == 1 => p,
            Some(p) if magnitude.is_power_of_two() => {
                let by = pool.bv(width, u128::from(magnitude.trailing_zeros()));
                pool.bv_shl(p, by)
            }
            Some(p) => {
                let factor = pool.bv(width, magnitude);
                pool.bv_mul(p, factor)
            }
            None => pool.bv(width, magnitude),
        };
        total = Some(total.map_or(part, |t| pool.bv_add(t, part)));
    }
    total.unwrap_or_else(|| pool.bv(width, 0))
}

#[cfg(test)]
mod tests {
    use super::is_zero;
    use crate::smt::{Sort, TermPool};

    #[test]
    fn the_step_of_a_sum_is_the_sum() {
        let mut pool = TermPool::new();
        let (i, s) = (pool.variable("i", Sort::BitVec(32)), pool.variable("s", Sort::BitVec(32)));
        // 2 s - i (i - 1), before and after s += i, i += 1.
        let mut formula = |s, i| {
            let (one, two) = (pool.bv(32, 1), pool.bv(32, 2));
            let less = pool.bv_sub(i, one);
            let (double, product) = (pool.bv_mul(two, s), pool.bv_mul(i, less));
            let difference = pool.bv_sub(double, product);
            let (next_s, next_i) = (pool.bv_add(s, i), pool.bv_add(i, one));
            (is_zero(&mut pool, difference), next_s, next_i)
        };
        let (before, next_s, next_i) = formula(s, i);
        let (after, ..) = formula(next_s, next_i);
        assert_eq!(before, after);
        assert_eq!(pool.constant(before), None);
    }
}
