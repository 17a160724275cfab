//! The conditions under which checks pass or fail as in the run.

use super::expression::plain_number;
use super::shadow::Shadow;
use super::steer::{Turn, Way};
use super::term::TermId;
use super::trail::{Trail, WIDE};
use crate::concrete::{Machine, Pointer};
use crate::domains::IntType;
use crate::ir::{BinaryOp, Check, Expr, SiteId, TypeId};

impl Trail<'_> {
    /// Notes why the check passes, or fails.
    pub fn check<'p>(&mut self, machine: &mut Machine<'p>, check: &'p Check) {
        let Some(failed) = machine.peek_check(check) else { return self.lose("a check that is not judged") };
        let before = self.conditions.len();
        match check {
            Check::Access { ptr, size, bounds, .. } => self.access(machine, ptr, size, failed, *bounds),
            Check::Terminated { ptr, char_size, max, .. } => self.terminated(machine, ptr, *char_size, max.as_ref()),
            Check::Initialized { place, .. } => {
                self.spot(machine, place);
            }
            Check::NonZero { divisor, .. } => match self.expr(machine, divisor) {
                Some(Shadow::Int(t)) => self.decide(t),
                other => self.fix_any(other),
            },
            Check::NoOverflow { op, lhs, rhs, ty, .. } => self.no_overflow(machine, *op, lhs, rhs, *ty),
            Check::Fits { value, to, bits, .. } => self.fits(machine, value, *to, *bits),
            Check::ShiftCount { count, width, .. } => match self.expr(machine, count) {
                Some(Shadow::Int(t)) => self.decide_range(t, 0, i128::from(*width) - 1),
                other => self.fix_any(other),
            },
            Check::SameObject { lhs, rhs, .. } => {
                for e in [lhs, rhs] {
                    match self.expr(machine, e) {
                        // Which object it is does not depend on inputs.
                        Some(Shadow::Pointer(_)) | None => {}
                        other => self.fix_any(other),
                    }
                }
            }
            Check::Freeable { ptr, .. } => self.freeable(machine, ptr),
            Check::Callable { ptr, .. } => {
                let shadow = self.expr(machine, ptr);
                self.fix_any(shadow);
            }
            Check::Holds { cond, .. } => self.branch(machine, cond),
        }
        match (failed, self.open) {
            (None, Some(open)) => {
                let sites: Vec<SiteId> = check.sites().filter(|site| open(Way::Fails(*site))).collect();
                let turn = Turn::Not(self.conditions.len());
                sites.into_iter().for_each(|site| self.fork(Way::Fails(site), before, turn));
            }
            (Some(site), _) if self.target == Some(site) && self.lost.is_none() => self.done = true,
            _ => {}
        }
    }

    /// The condition is on this path what it is in the run.
    pub fn branch<'p>(&mut self, machine: &mut Machine<'p>, cond: &'p Expr) {
        match self.expr(machine, cond) {
            Some(Shadow::Int(t)) => self.decide(t),
            other => self.fix_any(other),
        }
    }

    /// A value as a term of numbers without bounds.
    fn wide<'p>(&mut self, machine: &mut Machine<'p>, e: &'p Expr, shadow: &Option<Shadow>) -> Option<TermId> {
        self.operand(machine, e, shadow, WIDE)
    }

    fn access<'p>(
        &mut self,
        machine: &mut Machine<'p>,
        ptr: &'p Expr,
        size: &'p Expr,
        failed: Option<SiteId>,
        bounds: SiteId,
    ) {
        let (p, n) = (self.expr(machine, ptr), self.expr(machine, size));
        let target = self.offset(machine, ptr, &p);
        let object_size = target.and_then(|(slot, _)| self.shadows.sizes.get(&machine.object_id(slot)).copied());
        if p.is_none() && n.is_none() && object_size.is_none() {
            return;
        }
        let (Some((slot, offset)), Some(count)) = (target, self.wide(machine, size, &n)) else {
            self.fix_any(p);
            return self.fix_any(n);
        };
        // An access of no bytes always passes.
        self.decide_against(BinaryOp::Gt, count, 0);
        if self.terms.value(count) <= 0 || (failed.is_some() && failed != Some(bounds)) {
            return;
        }
        let length = machine.view(slot).size;
        let length = match object_size {
            Some(t) => self.terms.convert(t, WIDE),
            None => self.terms.constant(i128::from(length), WIDE),
        };
        let offset = self.terms.convert(offset, WIDE);
        let end = self.terms.binary(BinaryOp::Add, offset, count);
        let inside = self.terms.binary(BinaryOp::Le, end, length);
        if failed.is_none() {
            self.decide_against(BinaryOp::Ge, offset, 0);
            self.decide(inside);
        } else if self.terms.value(offset) < 0 {
            self.decide_against(BinaryOp::Ge, offset, 0);
        } else {
            self.decide(inside);
        }
    }

    /// The characters up to the end that the check saw are what they are: zero or not.
    fn terminated<'p>(&mut self, machine: &mut Machine<'p>, ptr: &'p Expr, char_size: u8, max: Option<&'p Expr>) {
        let max = match max {
            Some(max) => {
                let shadow = self.expr(machine, max);
                self.fix_any(shadow);
                let Some(n) = machine.peek(max).and_then(plain_number) else { return self.lose("a length") };
                u64::try_from(n).unwrap_or(u64::MAX)
            }
            None => u64::MAX,
        };
        let Some((slot, at)) = self.target_of(machine, ptr) else { return };
        self.text(machine, slot, at, char_size, max);
    }

    /// Notes of the characters from `at` on, up to the first zero or `max`, whether they are zero.
    pub fn text(&mut self, machine: &Machine<'_>, slot: u32, at: u64, char_size: u8, max: u64) {
        let object = machine.object_id(slot);
        if let Some(size) = self.shadows.sizes.get(&object).copied() {
            self.fix(&Shadow::Int(size));
        }
        let step = u64::from(char_size);
        for i in 0..max {
            let start = at + i * step;
            let Some(number) = machine.raw_number(slot, start, char_size) else { return };
            let spot = crate::concrete::Spot::Memory { object, at: start };
            let shadow = self.shadows.read(self.terms, spot, step, Some(number as i128));
            match self.unless_fixed(shadow) {
                Some(Shadow::Int(t)) => self.decide(t),
                other => self.fix_any(other),
            }
            self.watch_size();
            if number == 0 || self.lost.is_some() {
                return;
            }
        }
    }

    fn no_overflow<'p>(&mut self, machine: &mut Machine<'p>, op: BinaryOp, lhs: &'p Expr, rhs: &'p Expr, ty: TypeId) {
        let shadows = [self.expr(machine, lhs), self.expr(machine, rhs)];
        if shadows.iter().all(Option::is_none) {
            return;
        }
        if let Some(ty) = self.int_type(machine, ty)
            && let Some(a) = self.operand(machine, lhs, &shadows[0], ty)
            && let Some(b) = self.operand(machine, rhs, &shadows[1], ty)
        {
            let fits = self.terms.fits(op, a, b);
            return self.decide(fits);
        }
        shadows.into_iter().for_each(|s| self.fix_any(s));
    }

    fn fits<'p>(&mut self, machine: &mut Machine<'p>, value: &'p Expr, to: TypeId, bits: Option<u8>) {
        let shadow = self.expr(machine, value);
        let to = self.int_type(machine, to);
        let (Some(Shadow::Int(t)), Some(to)) = (&shadow, to) else { return self.fix_any(shadow) };
        let to = bits.map_or(to, |b| IntType { bits: u32::from(b.max(1)), signed: to.signed, boolean: false });
        let bounds = to.bounds();
        self.decide_range(*t, bounds.lo, bounds.hi);
    }

    fn freeable<'p>(&mut self, machine: &mut Machine<'p>, ptr: &'p Expr) {
        let shadow = self.expr(machine, ptr);
        let pointee = machine.peek(ptr).map(|v| machine.pointer(v));
        match (&shadow, pointee) {
            // No block starts anywhere but at its start.
            (Some(Shadow::Pointer(t)), Some(Pointer::Object { .. })) => self.decide_against(BinaryOp::Eq, *t, 0),
            _ => self.fix_any(shadow),
        }
    }
}
