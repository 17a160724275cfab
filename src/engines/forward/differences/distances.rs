//! Distances by way of sums: `len + n <= cap`, as it is known, and terms that are no farther apart than their parts together.

use super::terms::{Linear, Term};
use crate::domains::Multiple;
use crate::domains::difference::{Range, Reached, Within};

/// What bounds and cells say of how far terms are apart.
pub(super) struct Distances<'d, R> {
    pub within: Within<'d, Term, R>,
    /// The sums that bounds are about.
    pub sums: &'d [Multiple<Term>],
}

/// How far the parts of a sum are above all others, or below them.
struct Parts(Reached<Term>, Reached<Term>);

impl<R: Fn(Multiple<Term>) -> Range> Distances<'_, R> {
    fn sums(&self) -> impl Iterator<Item = Term> {
        self.sums.iter().filter(|m| m.times == 1).map(|m| m.term)
    }

    /// How far `a` is above `b` at most.
    pub fn between(&self, a: Linear, b: Linear) -> Option<i128> {
        let direct = self.within.bound(a.of, b.of);
        let least = direct.into_iter().chain(self.by_sums(a.of, b.of)).min();
        least?.checked_add(a.plus.checked_sub(b.plus)?)
    }

    /// The same by what is known of sums: those are no farther apart than their parts together, and terms as far as with the same added.
    fn by_sums(&self, a: Multiple<Term>, b: Multiple<Term>) -> Option<i128> {
        // Of one number its cell says enough.
        let alone = |a: Term, b: Term| a == Term::Zero && !b.is_sum();
        if self.sums.is_empty() || a.times != 1 || b.times != 1 || alone(a.term, b.term) || alone(b.term, a.term) {
            return None;
        }
        let (a, b) = (a.term, b.term);
        let whole = self.of_parts_over(parts(a), b).into_iter().chain(self.over_parts(a, parts(b)));
        let low = self.sums().filter_map(|sum| self.over_parts(sum, (b, beside(a, sum)?)));
        let high = self.sums().filter_map(|sum| self.of_parts_over((a, beside(b, sum)?), sum));
        whole.chain(low).chain(high).min()
    }

    /// How far two terms together are above a third, by a sum that is known from there.
    fn of_parts_over(&self, low: (Term, Term), high: Term) -> Option<i128> {
        let bounds = self.within.linked_below(Multiple::one(high));
        let linked = |sum: Term| Some((self.within.linked(&bounds, Multiple::one(sum))?, parts(sum)));
        let mut linked = self.sums().filter_map(linked).peekable();
        linked.peek()?;
        let below = |term| self.within.below(Multiple::one(term));
        let low = Parts(below(low.0), below(low.1));
        let apart = |a: &Reached<Term>, b| self.within.over(a, Multiple::one(b));
        linked.filter_map(|(bound, sum)| low.to(sum, apart)?.checked_add(bound)).min()
    }

    /// How far a term is above two others together, by a sum that is known from there.
    fn over_parts(&self, low: Term, high: (Term, Term)) -> Option<i128> {
        let bounds = self.within.linked_above(Multiple::one(low));
        let linked = |sum: Term| Some((self.within.linked(&bounds, Multiple::one(sum))?, parts(sum)));
        let mut linked = self.sums().filter_map(linked).peekable();
        linked.peek()?;
        let above = |term| self.within.above(Multiple::one(term));
        let high = Parts(above(high.0), above(high.1));
        let apart = |b: &Reached<Term>, a| self.within.under(Multiple::one(a), b);
        linked.filter_map(|(bound, sum)| high.to(sum, apart)?.checked_add(bound)).min()
    }
}

impl Parts {
    /// How far two others together are from these, one by one, whichever with which.
    fn to(&self, (x, y): (Term, Term), apart: impl Fn(&Reached<Term>, Term) -> Option<i128>) -> Option<i128> {
        let each = |x, y| apart(&self.0, x)?.checked_add(apart(&self.1, y)?);
        each(x, y).into_iter().chain(each(y, x)).min()
    }
}

/// The parts of a sum; of another term, that and nothing.
fn parts(term: Term) -> (Term, Term) {
    match term {
        Term::Sum(x, y) => (x.term(), y.term()),
        term => (term, Term::Zero),
    }
}

/// What is added to a term in a sum.
fn beside(term: Term, sum: Term) -> Option<Term> {
    match parts(sum) {
        (x, y) if x == term => Some(y),
        (x, y) if y == term => Some(x),
        _ => None,
    }
}
