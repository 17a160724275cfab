//! Places and their checks: what an lvalue designates, reads and writes, addresses.

use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use crate::base::Span;
use crate::ir::{
    AccessMode, Check, CheckKind, Expr, ExprKind, IntKind, LibFn, Place, PlaceBase, SiteId, StmtKind, Type, TypeId,
};

/// What an lvalue designates: a place, and its C type, which differs from the place's for bit-fields of `_Bool` or in packed records.
#[derive(Clone, Debug)]
pub(super) struct LValue {
    pub place: Place,
    pub ty: TypeId,
    /// In C terms, for messages.
    pub subject: String,
    /// For members of unions: the bytes of the union that a store leaves open, by their distance from the place.
    pub rest: Vec<(i64, u64)>,
    /// For a member that is an array: how many elements it has, of its record's last any number.
    pub elements: Option<u64>,
}

/// Sites of an access, by what can go wrong with its pointer.
pub(crate) struct AccessSites {
    pub null: Option<SiteId>,
    pub dangling: Option<SiteId>,
    pub bounds: SiteId,
}

impl Lowerer<'_> {
    /// What `ptr` points to, as an lvalue of type `ty`.
    pub(super) fn deref(&self, ptr: Expr, ty: TypeId, subject: String) -> LValue {
        let place = match ptr.kind {
            ExprKind::AddrOf(v, offset) => Place { base: PlaceBase::Var(v), offset, ty, bits: None },
            ExprKind::PtrAdd(p, n) if n.as_int().is_some_and(|n| i64::try_from(n).is_ok()) => {
                let offset = n.as_int().expect("matched above") as i64;
                Place { base: PlaceBase::Deref(p), offset, ty, bits: None }
            }
            kind => Place::deref(Expr { kind, ty: ptr.ty }, ty),
        };
        LValue { place, ty, subject, rest: Vec::new(), elements: None }
    }

    /// The address of a place, of type pointer to `ty`.
    pub(crate) fn address(&mut self, place: &Place, ty: TypeId) -> Expr {
        let pointer = self.program.types.pointer(ty);
        match &place.base {
            PlaceBase::Var(v) => Expr { kind: ExprKind::AddrOf(*v, place.offset), ty: pointer },
            PlaceBase::Deref(p) => {
                let types = &self.program.types;
                let bytes = Expr::int(i128::from(place.offset), types.ptrdiff_type());
                fold::ptr_add(types, (**p).clone(), bytes, pointer)
            }
        }
    }

    /// The place shifted by `offset` bytes, as a `ty`.
    pub(super) fn shifted(&self, place: &Place, offset: u64, ty: TypeId) -> Place {
        let offset = place.offset.wrapping_add(offset as i64);
        Place { base: place.base.clone(), offset, ty, bits: None }
    }

    /// Whether the place lies inside its variable by the program's text.
    fn plainly_inside(&self, place: &Place, size: u64) -> bool {
        match place.base {
            PlaceBase::Var(v) => {
                let v = &self.program.variables[v];
                let total = if v.defined { v.size } else { self.program.types.size_of(v.ty).unwrap_or(0) };
                place.offset >= 0 && (place.offset as u64).checked_add(size).is_some_and(|end| end <= total)
            }
            PlaceBase::Deref(_) => false,
        }
    }

    /// Emits the checks of an access to `place` and returns the place that the access uses.
    pub(super) fn checked(&mut self, place: Place, subject: &str, mode: AccessMode, span: Span) -> Lowered<Place> {
        let bytes = self.program.types.size_of(place.ty).unwrap_or(0);
        let bytes = place.bits.map_or(bytes, |b| b.unit_bytes(bytes));
        if self.plainly_inside(&place, bytes) && (mode == AccessMode::Read || !self.touches_constant(&place, bytes)) {
            return Ok(place);
        }
        if self.body.is_none() {
            return Err(LowerError::NotConstant { span });
        }
        let ptr = self.address(&place, place.ty);
        let size = self.size_const(bytes);
        self.check_access(ptr, size, mode, subject, span)?;
        Ok(match place.base {
            PlaceBase::Var(v) if !self.plainly_inside(&place, bytes) => {
                let ty = self.program.types.pointer(place.ty);
                let ptr = Expr { kind: ExprKind::AddrOf(v, place.offset), ty };
                Place { base: PlaceBase::Deref(Box::new(ptr)), offset: 0, ..place }
            }
            _ => place,
        })
    }

    /// Whether a write of `size` bytes to the place, which lies inside its variable, meets constant ones.
    fn touches_constant(&self, place: &Place, size: u64) -> bool {
        place.as_var().is_some_and(|v| self.program.variables[v].constant.touched(place.offset as u64, size))
    }

    /// Emits the check that `size` bytes (of `size_t`) at `ptr` can be accessed.
    pub(crate) fn check_access(
        &mut self,
        ptr: Expr,
        size: Expr,
        mode: AccessMode,
        subject: &str,
        span: Span,
    ) -> Lowered<()> {
        if size.as_int() == Some(0) {
            return Ok(());
        }
        let AccessSites { null, dangling, bounds } = self.access_sites(&ptr, mode, subject, span);
        self.emit(StmtKind::Check(Box::new(Check::Access { ptr, size, mode, null, dangling, bounds })), span)
    }

    /// New sites for an access through `ptr`: a named variable is never NULL and, while it can be named, never dead.
    pub(crate) fn access_sites(&mut self, ptr: &Expr, mode: AccessMode, subject: &str, span: Span) -> AccessSites {
        let named = named_object(ptr);
        let writes_constant =
            mode == AccessMode::Write && named.is_some_and(|v| !self.program.variables[v].constant.is_none());
        let null = (named.is_none() || writes_constant).then(|| self.site(CheckKind::NullDeref, subject, span));
        let dangling = named.is_none().then(|| self.site(CheckKind::UseAfterFree, subject, span));
        let bounds = self.site(CheckKind::OutOfBounds, subject, span);
        AccessSites { null, dangling, bounds }
    }

    /// The value of an lvalue: loads scalars and records; arrays and functions decay.
    pub(super) fn load(&mut self, l: LValue, span: Span) -> Lowered<Expr> {
        self.load_for(l, false, span)
    }

    /// The same; `copied`: the value is only stored elsewhere, which through a pointer is defined for indeterminate values
    /// too, as no type here has trap representations (C11 6.2.6.1p5, 6.3.2.1p2).
    pub(super) fn load_for(&mut self, l: LValue, copied: bool, span: Span) -> Lowered<Expr> {
        match *self.program.types.get(l.ty) {
            Type::Array(elem, _) | Type::Vla(elem, _) => {
                let e = self.address(&l.place, elem);
                Ok(e)
            }
            Type::Void => Ok(Expr { kind: ExprKind::Int(0), ty: l.ty }),
            Type::Function(_) => Ok(self.address(&l.place, l.ty)),
            Type::Int(_) | Type::Float(_) | Type::Pointer(_) => {
                let place = self.checked(l.place, &l.subject, AccessMode::Read, span)?;
                if !copied || place.as_var().is_some() {
                    self.check_initialized(&place, &l.subject, span)?;
                }
                Ok(Expr::load(place))
            }
            _ => {
                self.size_of(l.ty, span)?;
                let place = self.checked(l.place, &l.subject, AccessMode::Read, span)?;
                Ok(Expr::load(place))
            }
        }
    }

    /// Reads of locals that no declaration initializes and reads through pointers are judged, except of characters inside
    /// objects, which C code copies freely (C11 6.2.6.1p5).
    fn check_initialized(&mut self, place: &Place, subject: &str, span: Span) -> Lowered<()> {
        let is_character = self.program.types.size_of(place.ty) == Some(1);
        let judged = match place.base {
            PlaceBase::Var(v) if self.program.types.is_scalar(self.program.variables[v].ty) => {
                self.uninitialized.contains(&v)
            }
            PlaceBase::Var(v) => self.uninitialized.contains(&v) && !is_character,
            PlaceBase::Deref(_) => !is_character,
        };
        if judged {
            self.body(span)?;
            let site = self.site(CheckKind::UninitRead, subject, span);
            self.emit(StmtKind::Check(Box::new(Check::Initialized { site, place: place.clone() })), span)?;
        }
        Ok(())
    }

    /// Writes `value`, of the lvalue's C type, with the checks of the write; returns the value that the lvalue then has.
    /// `wanted`: somebody uses that value.
    pub(super) fn store(&mut self, l: LValue, value: Expr, wanted: bool, span: Span) -> Lowered<Expr> {
        let place = self.checked(l.place, &l.subject, AccessMode::Write, span)?;
        let mut open = Vec::new();
        for (distance, len) in l.rest {
            let start = Place { offset: place.offset.wrapping_add(distance), bits: None, ..place.clone() };
            let ptr = self.address(&start, self.program.types.int(IntKind::UChar));
            // The store may change what the address is computed from.
            open.push((self.hold(ptr, span)?, len));
        }
        let value = self.store_checked(place, l.ty, value, wanted, span)?;
        for (ptr, len) in open {
            self.leave_open(ptr, len, span)?;
        }
        Ok(value)
    }

    /// Bytes get values that C leaves open.
    pub(super) fn leave_open(&mut self, ptr: Expr, len: u64, span: Span) -> Lowered<()> {
        let ptr = fold::cast(&self.program.types, ptr, self.program.types.void_ptr());
        let args = vec![ptr, self.size_const(len)];
        self.emit(StmtKind::Lib { function: LibFn::LeaveOpen, dest: None, args }, span)
    }

    fn store_checked(&mut self, place: Place, ty: TypeId, value: Expr, wanted: bool, span: Span) -> Lowered<Expr> {
        let Some(bits) = place.bits else {
            let scalar = self.program.types.is_scalar(ty);
            let value = if scalar && wanted { self.stable(value, &place, span)? } else { value };
            self.emit(StmtKind::Assign { place: place.clone(), value: value.clone() }, span)?;
            return Ok(if scalar { value } else { Expr::load(place) });
        };
        if self.options.conversion && self.program.types.as_int(ty) != Some(IntKind::Bool) {
            let site =
                self.site(CheckKind::Conversion, format!("conversion to a bit-field of {} bits", bits.width), span);
            let check = Check::Fits { site, value: value.clone(), to: place.ty, bits: Some(bits.width) };
            self.emit(StmtKind::Check(Box::new(check)), span)?;
        }
        let value = fold::cast(&self.program.types, value, place.ty);
        self.emit(StmtKind::Assign { place: place.clone(), value }, span)?;
        Ok(Expr::load(place))
    }

    /// `value` in a form that keeps its value after `place` is written: a temporary unless that is plain.
    fn stable(&mut self, value: Expr, place: &Place, span: Span) -> Lowered<Expr> {
        let mut loads = false;
        value.walk(&mut |e| loads |= matches!(e.kind, ExprKind::Load(_)));
        let temp_target =
            place.as_var().is_some_and(|v| matches!(self.program.variables[v].storage, crate::ir::Storage::Temp(_)));
        if !loads || temp_target { Ok(value) } else { self.hold(value, span) }
    }
}

/// The variable that a pointer points into by the program's text.
fn named_object(ptr: &Expr) -> Option<crate::ir::VarId> {
    match &ptr.kind {
        ExprKind::AddrOf(v, _) => Some(*v),
        ExprKind::PtrAdd(p, _) => named_object(p),
        ExprKind::Cast(p) => named_object(p),
        _ => None,
    }
}
