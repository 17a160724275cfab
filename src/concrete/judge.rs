//! Checks, judged exactly as [`crate::ir::check`] says.

use super::machine::{Machine, Step};
use super::memory::Pointee;
use super::object::{Life, ObjectKind, Raw};
use super::outcome::{ABORTED, Outcome};
use super::prepare::Home;
use super::scalar::Class;
use super::trace::Event;
use super::value::Value;
use crate::ir::{
    AccessMode, BinaryOp, Check, CheckKind, Expr, FloatKind, IntKind, Place, PlaceBase, SiteId, Type, TypeId,
};

/// Which site of a check failed; None where the front end has ruled failure out.
pub(super) type Failure = Option<SiteId>;

/// Why a pointer cannot be used for an access.
enum Fault {
    Null,
    Dangling,
    Bounds,
    Indeterminate,
}

impl<'p> Machine<'p> {
    /// Judges a check: the failure, if any.
    pub(super) fn judge(&mut self, check: &'p Check) -> Step<Option<Failure>> {
        match check {
            Check::Access { ptr, size, mode, null, dangling, bounds } => {
                let pointer = self.eval(ptr)?;
                let size = self.eval_length(size)?;
                let fault = self.judge_access(pointer, size, *mode)?;
                self.doubt(fault.is_some(), pointer);
                Ok(fault.map(|f| site_of(&f, *null, *dangling, *bounds)))
            }
            Check::Terminated { ptr, char_size, max, null, dangling, uninit, bounds } => {
                let pointer = self.eval(ptr)?;
                let max = match max {
                    Some(max) => Some(self.eval_length(max)?),
                    None => None,
                };
                let fault = self.judge_terminated(pointer, *char_size, max, uninit.is_some())?;
                self.doubt(fault.is_some(), pointer);
                match fault {
                    Some(Fault::Indeterminate) => {
                        self.flags.indeterminate |= self.open_read;
                        Ok(Some(*uninit))
                    }
                    fault => Ok(fault.map(|f| site_of(&f, *null, *dangling, *bounds))),
                }
            }
            Check::Initialized { site, place } => {
                let fails = !self.judge_initialized(place)?;
                self.flags.indeterminate |= fails && self.open_read;
                Ok(fails.then_some(Some(*site)))
            }
            Check::NonZero { site, divisor } => {
                let divisor = self.eval(divisor)?;
                let zero = match divisor {
                    Value::Float(x) => x.is_zero(),
                    other => !self.is_true(other),
                };
                Ok(zero.then_some(Some(*site)))
            }
            Check::NoOverflow { site, op, lhs, rhs, ty } => {
                let fits = self.judge_overflow(*op, lhs, rhs, *ty)?;
                Ok((!fits).then_some(Some(*site)))
            }
            Check::Fits { site, value, to, bits } => {
                let value_ty = value.ty;
                let value = self.eval(value)?;
                let fits = self.judge_fits(value, value_ty, *to, *bits)?;
                Ok((!fits).then_some(Some(*site)))
            }
            Check::ShiftCount { site, count, width } => {
                let count = self.eval_int(count)?;
                Ok((!(0..i128::from(*width)).contains(&count)).then_some(Some(*site)))
            }
            Check::SameObject { site, lhs, rhs } => {
                let (a, b) = (self.eval(lhs)?, self.eval(rhs)?);
                let same = self.same_object(a, b);
                if !same && (self.is_given(a) || self.is_given(b)) {
                    return self.undecided("whether pointers of the caller lead to one object");
                }
                self.doubt(!same, a);
                self.doubt(!same, b);
                Ok((!same).then_some(Some(*site)))
            }
            Check::Freeable { ptr, double, invalid } => {
                let pointer = self.eval(ptr)?;
                let failure = self.judge_freeable(pointer, *double, *invalid);
                self.doubt(failure.is_some(), pointer);
                Ok(failure)
            }
            Check::Callable { ptr, null } => {
                let pointer = self.eval(ptr)?;
                let callable = matches!(self.pointee(pointer), Pointee::Function(_, 0));
                self.flags.indeterminate |= pointer == Value::Undef;
                self.doubt(!callable, pointer);
                Ok((!callable).then_some(Some(*null)))
            }
            Check::Holds { site, cond } => {
                let cond = self.eval(cond)?;
                Ok((!self.is_true(cond)).then_some(Some(*site)))
            }
        }
    }

    /// Notes that a check that `fails` because of the pointer proves nothing where the pointer is a number that was read and may be
    /// an address that left the program before.
    fn doubt(&mut self, fails: bool, pointer: Value) {
        let is_number = matches!(pointer, Value::Int(_, origin) if !self.memory.is_pointer(origin));
        self.flags.layout_dependent |= fails && self.addresses_out && is_number;
    }

    /// Whether the run is to go past the error at the site; what has no value gets one then.
    pub(super) fn goes_past(&mut self, check: &'p Check, site: SiteId) -> bool {
        let kind = self.program.sites[site].kind;
        if !self.past.sites.contains(&site) || !kind.may_be_passed() || !self.enabled[kind as usize] {
            return false;
        }
        // Machines stop there.
        if matches!(check, Check::NoOverflow { op: BinaryOp::Div | BinaryOp::Rem, .. }) {
            return false;
        }
        if kind == CheckKind::UninitRead {
            let Check::Initialized { place, .. } = check else { return false };
            let scalar = self.prepared.scalar(place.ty);
            if scalar.class != Class::Int {
                return false;
            }
            let Ok(resolved) = self.resolve_place(place) else { return false };
            let number = i128::from_le_bytes([self.past.fill; 16]);
            let Ok(()) = self.store(resolved, Value::int(scalar.wrap(number))) else { return false };
        }
        if !self.passed.contains(&site) {
            self.passed.push(site);
        }
        self.trace.push(self.span, Event::Failed(site));
        true
    }

    /// What a failure does: ends the run, is noted, or is passed over because its kind is not enabled. An assertion ends the program,
    /// enabled or not.
    pub(super) fn settle(&mut self, failure: Failure) -> Step<()> {
        let Some(site) = failure else { return self.stuck("a check failed that cannot fail") };
        let kind = self.program.sites[site].kind;
        if self.enabled[kind as usize] {
            if kind.continues() && !self.ends_at_any_error {
                if !self.continued.contains(&site) {
                    self.continued.push(site);
                }
                return Ok(());
            }
            self.trace.push(self.span, Event::Failed(site));
            return Err(Box::new(Outcome::Error { site, span: self.program.sites[site].span }));
        }
        if kind == CheckKind::Assertion {
            return Err(Box::new(Outcome::Exit(ABORTED)));
        }
        let stuck = matches!(kind, CheckKind::DivByZero | CheckKind::VlaBound | CheckKind::LibraryDomain);
        if stuck || kind.is_memory() {
            return self.stuck(format!("a check of kind {} failed, which is not enabled", kind.name()));
        }
        Ok(())
    }

    fn judge_access(&mut self, pointer: Value, size: u64, mode: AccessMode) -> Step<Option<Fault>> {
        if size == 0 {
            return Ok(None);
        }
        let (slot, offset) = match self.pointee(pointer) {
            Pointee::Object { slot, offset } => (slot, offset),
            Pointee::Gone => return Ok(Some(Fault::Dangling)),
            Pointee::Indeterminate => {
                self.flags.indeterminate = true;
                return Ok(Some(Fault::Null));
            }
            Pointee::Null | Pointee::Invalid | Pointee::Function(..) => return Ok(Some(Fault::Null)),
        };
        let object = self.memory.object(slot);
        if object.kind == ObjectKind::Environment {
            return self.undecided("access to an object of the environment");
        }
        if mode == AccessMode::Write && object.constant.is_all() {
            self.flags.constant_met = true;
            return Ok(Some(Fault::Null));
        }
        if object.life == Life::Dead {
            return Ok(Some(Fault::Dangling));
        }
        if offset < 0 || offset + i128::from(size) > i128::from(object.size) {
            if object.fill == super::object::Fill::External && object.size == 0 {
                return self.undecided("access to an object of unknown size");
            }
            return self.beyond(slot, offset);
        }
        let spared = mode == AccessMode::Read || !object.constant.touched(offset as u64, size);
        self.flags.constant_met |= !spared;
        Ok((!spared).then_some(Fault::Null))
    }

    /// What an access outside of an object is: of one that the caller gives, which may start earlier or be larger, nothing is known.
    fn beyond(&self, slot: u32, offset: i128) -> Step<Option<Fault>> {
        let given = matches!(self.memory.object(slot).kind, ObjectKind::Given { .. });
        if self.is_roomy(slot) || (given && offset < 0) {
            return self.undecided("access beyond what the caller is taken to give");
        }
        Ok(Some(Fault::Bounds))
    }

    fn judge_terminated(
        &mut self,
        pointer: Value,
        char_size: u8,
        max: Option<u64>,
        determinate: bool,
    ) -> Step<Option<Fault>> {
        if max == Some(0) {
            return Ok(None);
        }
        let size = u64::from(char_size);
        if let Some(fault) = self.judge_access(pointer, 1, AccessMode::Read)? {
            return Ok(Some(fault));
        }
        let Pointee::Object { slot, offset } = self.pointee(pointer) else { return Ok(Some(Fault::Null)) };
        let mut at = offset as u64;
        let mut read = 0;
        loop {
            if max == Some(read) {
                return Ok(None);
            }
            if at + size > self.memory.object(slot).size {
                return self.beyond(slot, offset);
            }
            if determinate && self.memory.object(slot).load(at as usize, usize::from(char_size)) == Raw::Indeterminate {
                return Ok(Some(Fault::Indeterminate));
            }
            if self.character(slot, at, char_size)? == 0 {
                return Ok(None);
            }
            at += size;
            read += 1;
        }
    }

    fn judge_initialized(&mut self, place: &'p Place) -> Step<bool> {
        if let PlaceBase::Var(var) = place.base
            && let Home::Register(r) = self.prepared.home(var)
        {
            return Ok(self.registers[self.frame().registers + r as usize] != Value::Undef);
        }
        let resolved = self.resolve_place(place)?;
        let super::machine::Target::Memory { slot, at } = resolved.target else { return Ok(true) };
        let scalar = self.prepared.scalar(place.ty);
        let raw = match place.bits {
            Some(bits) => self.memory.object(slot).load_bits(at, bits),
            None => self.memory.object(slot).load(at, scalar.stored()),
        };
        Ok(raw != Raw::Indeterminate)
    }

    fn judge_overflow(&mut self, op: BinaryOp, lhs: &'p Expr, rhs: &'p Expr, ty: TypeId) -> Step<bool> {
        let (lhs, rhs) = (self.eval(lhs)?, self.eval(rhs)?);
        let Some(kind) = self.program.types.as_int(ty) else { return self.undecided("overflow of a non-integer") };
        let scalar = self.prepared.scalar(ty);
        let (Value::Int(a, p), Value::Int(b, q)) = (lhs, rhs) else {
            let (a, b) = (self.observe(lhs), self.observe(rhs));
            return Ok(fits_exactly(op, a, b, scalar.is_u128(), self.program.types.int_range(kind)));
        };
        let fits = fits_exactly(op, a, b, scalar.is_u128(), self.program.types.int_range(kind));
        // Address arithmetic that stays in the type does so in every usual layout.
        if (!p.is_none() || !q.is_none()) && (!fits || !matches!(op, BinaryOp::Add | BinaryOp::Sub)) {
            self.flags.layout_dependent = true;
        }
        Ok(fits)
    }

    fn judge_fits(&mut self, value: Value, from: TypeId, to: TypeId, bits: Option<u8>) -> Step<bool> {
        let Some(kind) = self.program.types.as_int(to) else { return Ok(true) };
        let (mut low, mut high) = self.program.types.int_range(kind);
        if let Some(width) = bits.filter(|w| *w < 127) {
            (low, high) = if kind.signed() {
                (-(1i128 << (width.max(1) - 1)), (1i128 << (width.max(1) - 1)) - 1)
            } else {
                (0, (1i128 << width) - 1)
            };
        }
        if matches!(self.program.types.get(from), Type::Float(_)) {
            let float = self.prepared.scalar(from).float().unwrap_or(FloatKind::Double);
            let x = self.observe_float(value, float);
            return Ok(match kind {
                // The ends of its range are kept as bits.
                IntKind::UInt128 => x.to_unsigned().is_some(),
                _ => x.to_int().is_some_and(|v| (low..=high).contains(&v)),
            });
        }
        let v = match value {
            // A whole address in an integer type of at least its size.
            Value::Int(v, origin) => {
                if origin.is_unspecified() || !(low..=high).contains(&v) {
                    self.note_shown(origin);
                }
                v
            }
            other => self.observe(other),
        };
        let from_u128 = self.prepared.scalar(from).is_u128();
        if self.prepared.scalar(to).is_u128() && bits.is_none() {
            return Ok(from_u128 || v >= 0);
        }
        Ok(!(from_u128 && v < 0) && (low..=high).contains(&v))
    }

    fn same_object(&mut self, a: Value, b: Value) -> bool {
        match (a, b) {
            (Value::Int(x, p), Value::Int(y, q)) => match (self.memory.is_pointer(p), self.memory.is_pointer(q)) {
                (true, true) => {
                    let same = p.object == q.object;
                    self.flags.layout_dependent |= !same && self.may_share_bytes(p, q, i128::MIN..=i128::MAX);
                    same
                }
                (false, false) => x == 0 && y == 0,
                _ => {
                    self.flags.layout_dependent |=
                        (!p.is_none() && !self.memory.is_pointer(p)) || (!q.is_none() && !self.memory.is_pointer(q));
                    false
                }
            },
            _ => {
                self.flags.indeterminate = true;
                false
            }
        }
    }

    fn judge_freeable(&mut self, pointer: Value, double: SiteId, invalid: SiteId) -> Option<Failure> {
        match self.pointee(pointer) {
            Pointee::Null => None,
            Pointee::Object { slot, offset: 0 } if self.memory.is_freeable(slot) => {
                (self.memory.object(slot).life == Life::Dead).then_some(Some(double))
            }
            Pointee::Indeterminate => {
                self.flags.indeterminate = true;
                Some(Some(invalid))
            }
            _ => Some(Some(invalid)),
        }
    }
}

fn site_of(fault: &Fault, null: Option<SiteId>, dangling: Option<SiteId>, bounds: SiteId) -> Failure {
    match fault {
        Fault::Null => null,
        Fault::Dangling => dangling,
        Fault::Bounds | Fault::Indeterminate => Some(bounds),
    }
}

/// Whether the mathematical result lies in the type. A remainder overflows with its quotient (C11 6.5.5p6).
fn fits_exactly(op: BinaryOp, a: i128, b: i128, unsigned_128: bool, (low, high): (i128, i128)) -> bool {
    if unsigned_128 {
        let (a, b) = (a as u128, b as u128);
        return match op {
            BinaryOp::Add => a.checked_add(b).is_some(),
            BinaryOp::Sub => a.checked_sub(b).is_some(),
            BinaryOp::Mul => a.checked_mul(b).is_some(),
            _ => true,
        };
    }
    let exact = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return true,
        BinaryOp::Div | BinaryOp::Rem => a.checked_div(b),
        _ => return true,
    };
    exact.is_some_and(|v| (low..=high).contains(&v))
}
