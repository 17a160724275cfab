//! How the values of expressions depend on inputs.

use super::shadow::Shadow;
use super::term::TermId;
use super::trail::Trail;
use crate::concrete::{Machine, Pointer, Spot, Value};
use crate::domains::IntType;
use crate::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Type, UnaryOp};

impl Trail<'_> {
    /// How the expression's value depends on inputs; None when it does not.
    pub fn expr<'p>(&mut self, machine: &mut Machine<'p>, e: &'p Expr) -> Option<Shadow> {
        let shadow = match &e.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::AddrOf(..)
            | ExprKind::FuncAddr(_)
            | ExprKind::LabelAddr(_) => None,
            ExprKind::Load(place) => self.load(machine, e, place),
            ExprKind::Unary(op, inner) => {
                let shadow = self.expr(machine, inner)?;
                match (&shadow, self.int_type(machine, e.ty)) {
                    (Shadow::Int(t), Some(ty)) if self.terms.ty(*t) == ty => Some(Shadow::Int(match op {
                        UnaryOp::BitNot => self.terms.not(*t),
                        UnaryOp::Neg => {
                            let zero = self.terms.constant(0, ty);
                            self.terms.binary(BinaryOp::Sub, zero, *t)
                        }
                    })),
                    _ => Shadow::opaque(std::iter::once(&shadow)),
                }
            }
            ExprKind::Cast(inner) => {
                let shadow = self.expr(machine, inner);
                self.as_type(machine, shadow, e.ty)
            }
            ExprKind::Binary(op, lhs, rhs) => self.binary(machine, *op, lhs, rhs),
            ExprKind::PtrAdd(pointer, bytes) => self.moved(machine, pointer, bytes),
            ExprKind::PtrDiff(lhs, rhs) => {
                let (a, b) = (self.expr(machine, lhs), self.expr(machine, rhs));
                let both = [a, b];
                let any = Shadow::opaque(both.iter().flatten())?;
                let ty = self.int_type(machine, e.ty);
                let offsets = self.offsets(machine, (lhs, &both[0]), (rhs, &both[1]));
                match (offsets, ty) {
                    (Some((a, b)), Some(ty)) => {
                        let difference = self.terms.binary(BinaryOp::Sub, a, b);
                        Some(Shadow::Int(self.terms.convert(difference, ty)))
                    }
                    _ => Some(any),
                }
            }
        };
        self.unless_fixed(shadow)
    }

    fn load<'p>(&mut self, machine: &mut Machine<'p>, e: &'p Expr, place: &'p Place) -> Option<Shadow> {
        if let PlaceBase::Deref(pointer) = &place.base {
            let shadow = self.expr(machine, pointer);
            self.fix_any(shadow);
        }
        let spot = machine.locate(place)?;
        let size = self.size(machine, place.ty);
        if let Some(bits) = place.bits {
            // A field is a part of its unit.
            let Spot::Memory { object, at } = spot else { return None };
            let cells = self.shadows.overlapping(object, at, at + bits.end_bytes());
            let shadow = Shadow::opaque(cells.iter().map(|(_, c)| &c.shadow));
            return self.unless_fixed(shadow);
        }
        if let Spot::Memory { object, at } = spot
            && self.shadows.overlapping(object, at, at + size).is_empty()
        {
            return None;
        }
        let concrete = machine.peek(e);
        let number = concrete.and_then(plain_number);
        let shadow = self.shadows.read(self.terms, spot, size, number);
        let shadow = self.as_type(machine, shadow, e.ty);
        self.agree(shadow, concrete)
    }

    /// A value as a term of a type: its shadow, or the constant that it is; None when it is no plain number.
    pub fn operand<'p>(
        &mut self,
        machine: &mut Machine<'p>,
        e: &'p Expr,
        shadow: &Option<Shadow>,
        ty: IntType,
    ) -> Option<TermId> {
        match shadow {
            Some(Shadow::Int(t)) => Some(self.terms.convert(*t, ty)),
            Some(_) => None,
            None => {
                let value = machine.peek(e).and_then(plain_number)?;
                Some(self.terms.constant(value, ty))
            }
        }
    }

    fn binary<'p>(&mut self, machine: &mut Machine<'p>, op: BinaryOp, lhs: &'p Expr, rhs: &'p Expr) -> Option<Shadow> {
        let shadows = [self.expr(machine, lhs), self.expr(machine, rhs)];
        let any = Shadow::opaque(shadows.iter().flatten())?;
        if matches!(machine.program().types.get(lhs.ty), Type::Pointer(_)) {
            let offsets = self.offsets(machine, (lhs, &shadows[0]), (rhs, &shadows[1]));
            return match offsets {
                Some((a, b)) if op.is_comparison() => Some(Shadow::Int(self.terms.binary(op, a, b))),
                _ => Some(any),
            };
        }
        let Some(ty) = self.int_type(machine, lhs.ty) else { return Some(any) };
        let Some(a) = self.operand(machine, lhs, &shadows[0], ty) else { return Some(any) };
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            if let Some(count) = &shadows[1] {
                self.fix(count);
            }
            let count = machine.peek(rhs).and_then(plain_number).filter(|n| (0..i128::from(ty.bits)).contains(n));
            return match count {
                Some(n) => Some(Shadow::Int(self.terms.with_number(op, a, n))),
                None => Some(any),
            };
        }
        match self.operand(machine, rhs, &shadows[1], ty) {
            Some(b) => Some(Shadow::Int(self.terms.binary(op, a, b))),
            None => Some(any),
        }
    }

    /// A pointer's offset as a term; None when it points to no object.
    pub fn offset<'p>(
        &mut self,
        machine: &mut Machine<'p>,
        e: &'p Expr,
        shadow: &Option<Shadow>,
    ) -> Option<(u32, TermId)> {
        let value = machine.peek(e)?;
        let Pointer::Object { slot, offset, .. } = machine.pointer(value) else { return None };
        let ty = IntType::signed(machine.program().types.pointer_size() as u32 * 8);
        let term = match shadow {
            None => self.terms.constant(offset, ty),
            Some(Shadow::Pointer(t)) => *t,
            Some(_) => return None,
        };
        if self.terms.value(term) != offset {
            self.lose("a pointer that is not understood");
        }
        Some((slot, term))
    }

    /// The offsets of two pointers to the same object.
    fn offsets<'p>(
        &mut self,
        machine: &mut Machine<'p>,
        (lhs, a): (&'p Expr, &Option<Shadow>),
        (rhs, b): (&'p Expr, &Option<Shadow>),
    ) -> Option<(TermId, TermId)> {
        let (s, a) = self.offset(machine, lhs, a)?;
        let (t, b) = self.offset(machine, rhs, b)?;
        (s == t).then_some((a, b))
    }

    fn moved<'p>(&mut self, machine: &mut Machine<'p>, pointer: &'p Expr, bytes: &'p Expr) -> Option<Shadow> {
        let shadows = [self.expr(machine, pointer), self.expr(machine, bytes)];
        let any = Shadow::opaque(shadows.iter().flatten())?;
        let Some((_, offset)) = self.offset(machine, pointer, &shadows[0]) else { return Some(any) };
        let ty = self.terms.ty(offset);
        match self.operand(machine, bytes, &shadows[1], ty) {
            Some(n) => Some(Shadow::Pointer(self.terms.binary(BinaryOp::Add, offset, n))),
            None => Some(any),
        }
    }
}

/// The number, if it is no part of an address.
pub fn plain_number(value: Value) -> Option<i128> {
    match value {
        Value::Int(n, origin) if origin.is_none() => Some(n),
        _ => None,
    }
}
