//! Checks: under which condition each fails. Failures of the kinds asked for are noted; after any fatal check, control
//! goes on only where it passed.

use super::automaton::{ContextId, NodeId};
use super::encoder::{Encoder, Failure};
use super::state::State;
use super::value::{BASE_BITS, Shape, Value};
use crate::ir::{AccessMode, BinaryOp, Check, CheckKind, Expr, SiteId, TypeId};
use crate::smt::Term;

impl Encoder<'_, '_> {
    /// Judges a check in `state`.
    pub(super) fn check(&mut self, state: &mut State, context: ContextId, node: NodeId, check: &Check) {
        if self.is_open() {
            return self.take_to_pass(state, context, check);
        }
        let sites: Vec<SiteId> = check.sites().collect();
        let kinds: Vec<CheckKind> = sites.iter().map(|s| self.program.sites[*s].kind).collect();
        let asked = kinds.iter().any(|k| self.kinds.contains(k));
        // Executions that the interpreter lets go on after the failure of a check that nobody asked for.
        let fatal = kinds.iter().any(|k| k.is_fatal());
        if !asked && !fatal {
            return;
        }
        let Some(fails) = self.failure(state, context, check) else {
            return self.give_up(state, "a check that is not encoded");
        };
        if self.is_false(fails) {
            return;
        }
        if asked {
            let path = self.path(state);
            let condition = self.pool.and(&[path, fails]);
            let site = sites.iter().zip(&kinds).find(|(_, k)| self.kinds.contains(k)).map_or(sites[0], |(s, _)| *s);
            if !self.is_false(condition) {
                self.failures.push(Failure { site, node, condition });
            }
        }
        if !asked && kinds.iter().any(|k| k.is_memory()) {
            // Machines go on after a stray access, in a way that C does not say: no proof may count on either.
            return self.gap(state, fails, "an access may err that the property does not speak of");
        }
        if !asked {
            self.end_at_failure(state, fails, &kinds);
        }
        let continues = kinds.iter().all(|k| k.continues());
        if !continues {
            let passes = self.pool.not(fails);
            self.assume(state, passes);
        }
    }

    /// When the check fails; None where that cannot be said.
    pub(super) fn failure(&mut self, state: &mut State, context: ContextId, check: &Check) -> Option<Term> {
        Some(match check {
            Check::Access { ptr, size, mode, .. } => {
                let pointer = self.eval(state, context, ptr);
                let Value::Bits(size) = self.eval(state, context, size) else { return None };
                self.access_fails(state, pointer, size, *mode)?
            }
            Check::Terminated { ptr, char_size, max, .. } => {
                let pointer = self.eval(state, context, ptr);
                self.terminated_fails(state, pointer, u64::from(*char_size), max.is_some())?
            }
            Check::Initialized { .. } => return None,
            Check::NonZero { divisor, .. } => {
                let holds = self.truth(state, context, divisor);
                self.pool.not(holds)
            }
            Check::NoOverflow { op, lhs, rhs, ty, .. } => self.overflows(state, context, *op, lhs, rhs, *ty)?,
            Check::Fits { value, to, bits, .. } => self.does_not_fit(state, context, value, *to, *bits)?,
            Check::ShiftCount { count, width, .. } => {
                let signed = self.shape(count.ty)?.signed();
                let Value::Bits(count) = self.eval(state, context, count) else { return None };
                let bits = self.pool.sort(count).width()?;
                let limit = self.pool.bv(bits, u128::from(*width));
                let below = self.pool.bv_ult(count, limit);
                let outside = self.pool.not(below);
                let _ = signed; // Negative counts are large unsigned ones.
                outside
            }
            Check::SameObject { lhs, rhs, .. } => {
                let (a, b) = (self.eval(state, context, lhs), self.eval(state, context, rhs));
                let (Value::Pointer { base: p, offset: m }, Value::Pointer { base: q, offset: n }) = (a, b) else {
                    return None;
                };
                let (differ, one) = (self.pool.ne(p, q), self.may_be_one_literal(p, q, i128::MIN..=i128::MAX));
                let (guess, two) = (self.any_condition("literals"), self.pool.not(one));
                let apart = self.pool.or(&[two, guess]);
                let apart = self.pool.and(&[differ, apart]);
                // Of numbers that are no addresses, two NULLs alone are alike.
                let none = self.pool.bv(BASE_BITS, 0);
                let (no_object, is_null, is_null_too) = (self.pool.eq(p, none), self.is_null(p, m), self.is_null(q, n));
                let nulls = self.pool.and(&[is_null, is_null_too]);
                let something = self.pool.not(nulls);
                let numbers = self.pool.and(&[no_object, something]);
                self.pool.or(&[apart, numbers])
            }
            Check::Freeable { ptr, .. } => {
                let pointer = self.eval(state, context, ptr);
                self.not_freeable(state, pointer)?
            }
            Check::Callable { ptr, .. } => {
                let Value::Pointer { base, offset } = self.eval(state, context, ptr) else { return None };
                let first = self.pool.bv(BASE_BITS, u128::from(super::encoder::FUNCTIONS));
                let (below, zero) = (self.pool.bv_ult(base, first), self.address(0));
                let inside = self.pool.ne(offset, zero);
                self.pool.or(&[below, inside])
            }
            Check::Holds { cond, .. } => {
                let holds = self.truth(state, context, cond);
                self.pool.not(holds)
            }
        })
    }

    /// When `size` bytes from the pointer on may not be accessed; gaps where the object is not known.
    fn access_fails(&mut self, state: &mut State, pointer: Value, size: Term, mode: AccessMode) -> Option<Term> {
        let Value::Pointer { base, offset } = pointer else { return None };
        let mut candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        candidates.objects.retain(|id| state.object(*id).is_some());
        let mut passes = Vec::new();
        for &id in &candidates.objects {
            let Some(object) = state.object(id).cloned() else { continue };
            let here = self.is_object_number(base, id);
            let inside = self.is_inside(offset, size, object.size);
            let allowed = match mode {
                AccessMode::Read => self.pool.bool(true),
                AccessMode::Write => self.spares_constants(&object.constant, offset, size),
            };
            passes.push(self.pool.and(&[here, object.live, inside, allowed]));
        }
        if self.is_open() && !candidates.others.is_empty() {
            let known: Vec<Term> = candidates.objects.iter().map(|id| self.is_object_number(base, *id)).collect();
            let (known, somewhere) = (self.pool.or(&known), self.lies_somewhere(offset, size));
            let none = self.is_null(base, offset);
            let (unknown, some) = (self.pool.not(known), self.pool.not(none));
            passes.push(self.pool.and(&[unknown, some, somewhere]));
        }
        let width = self.pool.sort(size).width()?;
        let zero = self.pool.bv(width, 0);
        passes.push(self.pool.eq(size, zero));
        let passes = self.pool.or(&passes);
        Some(self.pool.not(passes))
    }

    /// `offset + size <= limit`, without wrapping; all are unsigned, so that negative offsets are large.
    fn is_inside(&mut self, offset: Term, size: Term, limit: Term) -> Term {
        let size = self.pool.resize(self.pointer_bits(), false, size);
        let fits = self.pool.bv_ule(size, limit);
        let last = self.pool.bv_sub(limit, size);
        let below = self.pool.bv_ule(offset, last);
        self.pool.and(&[fits, below])
    }

    /// Strings: the pointer must be to a live object with room in which a zero follows, as far as that is encoded.
    fn terminated_fails(&mut self, state: &mut State, pointer: Value, bytes: u64, limited: bool) -> Option<Term> {
        let size = self.address(i128::from(bytes));
        let fails = self.access_fails(state, pointer, size, AccessMode::Read)?;
        if self.is_open() || !self.kinds.contains(&CheckKind::OutOfBounds) {
            return Some(fails);
        }
        match self.zero_follows(state, pointer, bytes).filter(|_| !limited) {
            Some(follows) => {
                let unterminated = self.pool.not(follows);
                Some(self.pool.or(&[fails, unterminated]))
            }
            None => {
                let unknown = self.pool.not(fails);
                self.gap(state, unknown, "a string's end");
                Some(fails)
            }
        }
    }

    fn not_freeable(&mut self, state: &mut State, pointer: Value) -> Option<Term> {
        let Value::Pointer { base, offset } = pointer else { return None };
        let candidates = self.candidates(base);
        self.refuse_others(state, &candidates, base);
        if self.is_open() {
            return None;
        }
        let mut passes = vec![self.is_null(base, offset)];
        let zero = self.address(0);
        let at_start = self.pool.eq(offset, zero);
        for id in candidates.objects {
            let Some(object) = state.object(id).cloned() else { continue };
            if object.heap {
                let here = self.is_object_number(base, id);
                passes.push(self.pool.and(&[here, object.live, at_start]));
            }
        }
        let passes = self.pool.or(&passes);
        Some(self.pool.not(passes))
    }

    fn overflows(
        &mut self,
        state: &mut State,
        context: ContextId,
        op: BinaryOp,
        lhs: &Expr,
        rhs: &Expr,
        ty: TypeId,
    ) -> Option<Term> {
        let (from, to) = (self.shape(lhs.ty)?, self.shape(ty)?);
        let (a, b) = (self.eval(state, context, lhs), self.eval(state, context, rhs));
        let (Value::Bits(a), Value::Bits(b)) = (a, b) else { return None };
        if from != to || self.shape(rhs.ty)? != to || matches!(to, Shape::Float { .. }) {
            return None;
        }
        let p = &mut self.pool;
        Some(match (op, to.signed()) {
            (BinaryOp::Add, true) => p.bv_sadd_overflows(a, b),
            (BinaryOp::Add, false) => p.bv_uadd_overflows(a, b),
            (BinaryOp::Sub, true) => p.bv_ssub_overflows(a, b),
            (BinaryOp::Sub, false) => p.bv_usub_overflows(a, b),
            (BinaryOp::Mul, true) => p.bv_smul_overflows(a, b),
            (BinaryOp::Mul, false) => p.bv_umul_overflows(a, b),
            (BinaryOp::Div | BinaryOp::Rem, true) => p.bv_sdiv_overflows(a, b),
            (BinaryOp::Div | BinaryOp::Rem, false) => p.bool(false),
            _ => return None,
        })
    }

    fn does_not_fit(
        &mut self,
        state: &mut State,
        context: ContextId,
        value: &Expr,
        to: TypeId,
        bits: Option<u8>,
    ) -> Option<Term> {
        let from = self.shape(value.ty)?;
        let to = self.shape(to)?;
        let value = self.eval(state, context, value);
        let width = match (bits, to) {
            (Some(b), _) => u32::from(b),
            (None, Shape::Bool) => 1,
            (None, shape) => shape.width(),
        };
        if let Shape::Float { kind, .. } = from {
            return Some(self.float_does_not_fit(value, kind, width, to.signed()));
        }
        let Value::Bits(t) = value else { return None };
        // Cut and extended again, and no change of sign on the way.
        let wide = from.width();
        let p = &mut self.pool;
        let cut = if width < wide { p.extract(width - 1, 0, t) } else { t };
        let back = p.resize(wide, to.signed(), cut);
        let changed = p.ne(back, t);
        let negative = p.bv_sign(t);
        Some(match (from.signed(), to.signed()) {
            (true, false) => p.or(&[changed, negative]),
            (false, true) if width <= wide => {
                let back = p.resize(wide, false, cut);
                let (cut_off, sign) = (p.ne(back, t), p.bv_sign(cut));
                p.or(&[cut_off, sign])
            }
            _ => changed,
        })
    }
}
