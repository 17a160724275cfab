//! What an expression is as a value, whoever numbers the values.

use super::leaves::carries_address;
use super::offsets::Offset;
use super::values::Key;
use crate::facts::column;
use crate::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Program, TypeId, TypeTable, UnaryOp, VarId};

/// Gives values their numbers.
pub trait Numbering {
    /// The number of `key`; None if it has none and is not to get one.
    fn get(&mut self, key: Key) -> Option<column::Value>;
    /// Whether the variable is a value, not memory.
    fn holds_value(&self, v: VarId) -> bool;
    /// The number `value` is converted to a pointer.
    fn converted(&mut self, value: column::Value);
    /// `value`, a pointer to void or characters, is converted to a pointer to `pointee`.
    fn viewed(&mut self, value: column::Value, pointee: TypeId);
}

impl<N: Numbering> Numbering for &mut N {
    fn get(&mut self, key: Key) -> Option<column::Value> {
        (**self).get(key)
    }
    fn holds_value(&self, v: VarId) -> bool {
        (**self).holds_value(v)
    }
    fn converted(&mut self, value: column::Value) {
        (**self).converted(value);
    }
    fn viewed(&mut self, value: column::Value, pointee: TypeId) {
        (**self).viewed(value, pointee);
    }
}

/// Whether `e` is a pointer as a number, no more: conversions back give the pointer.
fn converts_pointer(types: &TypeTable, mut e: &Expr) -> bool {
    while let ExprKind::Cast(inner) = &e.kind {
        if types.is_pointer(inner.ty) {
            return true;
        }
        e = inner;
    }
    false
}

/// Reads expressions as values. The outer `Option` of a result is None when a number is missing, the inner one when
/// the expression holds no address.
pub struct Flatten<'p, N> {
    pub program: &'p Program,
    pub numbering: N,
}

impl<N: Numbering> Flatten<'_, N> {
    /// `base` moved by what `offset` says.
    pub fn shift(&mut self, base: column::Value, offset: Offset) -> Option<column::Value> {
        let moved = match offset.constant {
            0 => base,
            bytes => self.numbering.get(Key::Moved(base, bytes))?,
        };
        match offset.stride {
            0 => Some(moved),
            stride => self.numbering.get(Key::Stepped(moved, stride)),
        }
    }

    /// The value of `e`, if it may hold an address. Arithmetic on numbers keeps an address only where it adds to,
    /// subtracts from or masks one.
    pub fn of(&mut self, e: &Expr) -> Option<Option<column::Value>> {
        if !carries_address(self.program, e.ty) {
            return Some(None);
        }
        let key = match &e.kind {
            ExprKind::AddrOf(v, bytes) => Key::Address(*v, *bytes),
            ExprKind::FuncAddr(f) => Key::Function(*f),
            ExprKind::Load(place) => return self.of_place(place),
            ExprKind::Cast(inner) => {
                let types = &self.program.types;
                let becomes = types.is_pointer(e.ty) && !types.is_pointer(inner.ty);
                let value = if becomes { self.of_number(inner)? } else { self.of(inner)? };
                if let Some(value) = value
                    && becomes
                    && !converts_pointer(types, inner)
                {
                    self.numbering.converted(value);
                }
                if let (Some(value), Some(pointee)) = (value, self.new_view(inner.ty, e.ty)) {
                    self.numbering.viewed(value, pointee);
                }
                return Some(value);
            }
            ExprKind::PtrAdd(p, by) => {
                let Some(pointer) = self.of(p)? else {
                    // Behind NULL or a number, the offset is the address.
                    let number = self.of_number(by)?;
                    number.into_iter().for_each(|value| self.numbering.converted(value));
                    return Some(number);
                };
                let offset = self.step(p, e, Offset::of(&self.program.types, by));
                return self.shift(pointer, offset.in_one_move()).map(Some);
            }
            ExprKind::Unary(UnaryOp::Neg | UnaryOp::BitNot, a) => match self.of(a)? {
                Some(a) => Key::Computed(a, None),
                None => return Some(None),
            },
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, a, b) => {
                match (self.of(a)?, self.of(b)?) {
                    (Some(a), b) => Key::Computed(a, b),
                    (None, Some(b)) => Key::Computed(b, None),
                    (None, None) => return Some(None),
                }
            }
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::LabelAddr(_)
            | ExprKind::PtrDiff(..)
            | ExprKind::Binary(..) => return Some(None),
        };
        self.numbering.get(key).map(Some)
    }

    /// The value of a number that becomes a pointer: that of what it is computed from in any way, if that may hold an address.
    fn of_number(&mut self, e: &Expr) -> Option<Option<column::Value>> {
        match self.of(e)? {
            None => self.of_operands(e),
            value => Some(value),
        }
    }

    fn of_operands(&mut self, e: &Expr) -> Option<Option<column::Value>> {
        let operands = match &e.kind {
            ExprKind::Binary(_, a, b) | ExprKind::PtrDiff(a, b) => vec![a, b],
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => vec![a],
            _ => return Some(None),
        };
        let mut all: Option<column::Value> = None;
        for operand in operands {
            all = match (all, self.of_number(operand)?) {
                (Some(a), Some(b)) => Some(self.numbering.get(Key::Computed(a, Some(b)))?),
                (None, Some(a)) => Some(self.numbering.get(Key::Computed(a, None))?),
                (all, None) => all,
            };
        }
        Some(all)
    }

    /// What a pointer of type `to` points to, if one of type `from` only says where.
    fn new_view(&self, from: TypeId, to: TypeId) -> Option<TypeId> {
        let types = &self.program.types;
        let plain = types.pointee(from).is_some_and(|t| types.size_of(t).is_none_or(|n| n == 1));
        types.pointee(to).filter(|t| plain && types.size_of(*t).is_some_and(|n| n > 1))
    }

    /// `p + 1` and `p - 1` on a pointer that is read from a variable or memory are how programs walk arrays: any
    /// number of elements, so that a walk is one place and not a place per element.
    fn step(&self, p: &Expr, moved: &Expr, offset: Offset) -> Offset {
        let types = &self.program.types;
        let element = types.pointee(p.ty).and_then(|t| types.size_of(t)).map(u64::cast_signed);
        let walks = offset.stride == 0 && Some(offset.constant.abs()) == element && offset.constant != 0;
        if walks && moved.ty == p.ty && matches!(p.without_casts().kind, ExprKind::Load(_)) {
            return Offset { constant: 0, stride: offset.constant.abs() };
        }
        offset
    }

    /// What a place of a type that carries addresses holds.
    fn of_place(&mut self, place: &Place) -> Option<Option<column::Value>> {
        if let PlaceBase::Var(v) = place.base
            && self.numbering.holds_value(v)
        {
            return match place.offset {
                0 => self.numbering.get(Key::Variable(v)).map(Some),
                _ => Some(None),
            };
        }
        let Some(pointer) = self.address(place)? else { return Some(None) };
        let key = match self.program.types.is_pointer(place.ty) {
            true => Key::Loaded(pointer),
            false => Key::LoadedNumber(pointer),
        };
        self.numbering.get(key).map(Some)
    }

    /// The address of a place in memory; None for variables that are values, and behind a number that is no pointer.
    pub fn address(&mut self, place: &Place) -> Option<Option<column::Value>> {
        match &place.base {
            PlaceBase::Var(v) if self.numbering.holds_value(*v) => Some(None),
            PlaceBase::Var(v) => self.numbering.get(Key::Address(*v, place.offset)).map(Some),
            PlaceBase::Deref(p) => {
                let Some(pointer) = self.of(p)? else { return Some(None) };
                self.shift(pointer, Offset { constant: place.offset, stride: 0 }).map(Some)
            }
        }
    }
}
