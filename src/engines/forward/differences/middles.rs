//! The middle of two numbers, as searches take it: `low + (high - low) / 2` and `(low + high) / 2` lie between them.

use super::super::evaluate::View;
use super::terms::{Cell, Copied, Term};
use crate::domains::{Int, Multiple, arithmetic};
use crate::ir::{BinaryOp, Expr, ExprKind};

/// The number that `e` is a part of, rounded, and how many such parts it has, by its form.
fn whole(e: &Expr) -> Option<(&Expr, i128)> {
    let ExprKind::Binary(op, whole, by) = &e.kind else { return None };
    let parts = match (op, by.as_int()?) {
        (BinaryOp::Div, by) => by,
        (BinaryOp::Shr, by @ 0..64) => 1 << by,
        _ => return None,
    };
    (parts >= 1).then_some((whole, parts))
}

/// `low`, `high` and `taken`, and `k`, where the sum of two has the form `low + (high - taken) / k`.
fn form<'e>(a: &'e Expr, b: &'e Expr) -> Option<([&'e Expr; 3], i128)> {
    [(a, b), (b, a)].into_iter().find_map(|(low, part)| {
        let (whole, parts) = whole(part)?;
        let ExprKind::Binary(BinaryOp::Sub, high, taken) = &whole.kind else { return None };
        Some(([low, &**high, &**taken], parts))
    })
}

/// Two numbers that a third lies between.
struct Ends<'e> {
    low: &'e Expr,
    high: &'e Expr,
    /// Whether it is below the higher one.
    is_below: bool,
}

/// Whether the sum of two may be a middle, by its form.
pub fn may_be_middle(a: &Expr, b: &Expr) -> bool {
    form(a, b).is_some()
}

impl View<'_> {
    /// The two numbers that `a + b` lies between where it is their middle.
    fn between<'e>(&self, a: &'e Expr, b: &'e Expr) -> Option<Ends<'e>> {
        let ([low, high, taken], parts) = form(a, b)?;
        let least = self.least_above(high, low).filter(|least| *least >= 0)?;
        (self.linear(low)? == self.linear(taken)?).then_some(Ends { low, high, is_below: least > 0 && parts > 1 })
    }

    /// How far one number is above another at least.
    fn least_above(&self, high: &Expr, low: &Expr) -> Option<i128> {
        let t = self.int_type(low.ty)?;
        let (x, y) = (self.numbers(&self.eval(low), t), self.numbers(&self.eval(high), t));
        Some(self.subtracted(high, low, arithmetic::sub(y, x))?.lo())
    }

    /// What is left of `all`, which the sum `a + b` may be, where it is the middle of two.
    pub(super) fn in_the_middle(&self, a: &Expr, b: &Expr, all: Option<Int>) -> Option<Int> {
        let Some((ends, t)) = self.between(a, b).zip(self.int_type(a.ty)) else { return all };
        let number = |end: &Expr| self.numbers(&self.eval(end), t);
        let (lo, hi) = (number(ends.low).lo(), number(ends.high).hi() - i128::from(ends.is_below));
        all.unwrap_or(Int::TOP).clamp(lo, hi)
    }

    /// What is known of the middle of two numbers: that it lies between them.
    pub(super) fn middle_terms(&self, e: &Expr) -> Vec<Copied> {
        let Some(t) = self.int_type(e.ty).filter(|t| !t.boolean) else { return Vec::new() };
        let ends = match &e.kind {
            ExprKind::Cast(a) => {
                let from = self.int_type(a.ty).filter(|_| !self.program.types.is_pointer(a.ty));
                let fits = from.is_some_and(|from| self.numbers(&self.eval(a), from).interval().leq(t.bounds()));
                return if fits { self.middle_terms(a) } else { Vec::new() };
            }
            ExprKind::Binary(BinaryOp::Add, a, b) => self.between(a, b),
            _ => whole(e).filter(|(_, parts)| *parts == 2).and_then(|(sum, _)| self.of_sum(sum)),
        };
        let Some(Ends { low, high, is_below }) = ends else { return Vec::new() };
        let named = |end: &Expr| self.linear(end).filter(|end| !end.is_constant());
        let copied = |of: Multiple<Term>, least, most| Copied { term: Term::Number(Cell::New), of, least, most };
        let above = named(low).map(|low| copied(low.of, Some(low.plus), None));
        let below = named(high).map(|high| copied(high.of, None, Some(high.plus - i128::from(is_below))));
        above.into_iter().chain(below).collect()
    }

    /// The two numbers that half of `sum`, which does not wrap, lies between. Below 0 it may be rounded up to the higher one.
    fn of_sum<'e>(&self, sum: &'e Expr) -> Option<Ends<'e>> {
        let ExprKind::Binary(BinaryOp::Add, a, b) = &sum.kind else { return None };
        let t = self.int_type(sum.ty)?;
        let (x, y) = (self.numbers(&self.eval(a), t), self.numbers(&self.eval(b), t));
        t.passed_exactly(arithmetic::add(x, y))?;
        [(&**a, &**b, x), (&**b, &**a, y)].into_iter().find_map(|(low, high, number)| {
            let least = self.least_above(high, low).filter(|least| *least >= 0)?;
            Some(Ends { low, high, is_below: least > 0 && number.lo() >= 0 })
        })
    }
}
