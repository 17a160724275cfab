//! Expressions and checks of numbers of at most 64 bits and of pointers as code: operations in a row that take their operands from a stack.
//!
//! Most that runs evaluate is such. The code is made once per program and does nothing but read ([`quick`](super::quick)); whatever it has no answer to is
//! evaluated as always, so that all it says is what [`evaluate`](super::evaluate) and [`judge`](super::judge) say.

use super::prepare::{Home, Prepared};
use super::scalar::{Class, Scalar};
use crate::ir::{
    AccessMode, BinaryOp, Block, Check, Expr, ExprKind, Place, PlaceBase, Stmt, StmtKind, Terminator, TypeId, UnaryOp,
};

/// Operands that wait while another one is computed.
pub(super) const WAITING: usize = 8;

/// One operation on the last value, and on what waits.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// A number.
    Int(i64),
    /// The integer in a register of the frame.
    Register(u32),
    /// The pointer in a register of the frame.
    PointerRegister(u32),
    /// A byte of a static object.
    Static(u32, i64),
    /// A byte of an object of the frame.
    Local(u32, i64),
    /// The pointer to the last byte.
    Address,
    /// The integer so many bytes behind the last byte.
    Load(i64, Scalar),
    /// The same of a byte of a static object, of an object of the frame, and so many bytes behind what a pointer in a register leads to.
    LoadStatic(u32, i64, Scalar),
    LoadLocal(u32, i64, Scalar),
    LoadBy(u32, i64, Scalar),
    /// The pointer so many bytes behind the last byte.
    LoadPointer(i64),
    /// Lets the last value wait.
    Wait,
    /// Of the value that has waited, and the last.
    Binary(BinaryOp, Scalar),
    /// Of the last value, and a number.
    WithInt(BinaryOp, Scalar, i64),
    /// Of the last value, and a register.
    WithRegister(BinaryOp, Scalar, u32),
    Negate(Scalar),
    Complement(Scalar),
    Convert(Scalar),
    /// Of two pointers.
    Compare(BinaryOp),
    /// Bytes between two pointers.
    Distance(Scalar),
    /// The pointer that has waited, by the last number of bytes.
    Move,
    MoveBy(i64),
    /// The integer that a pointer is.
    Number(Scalar),
    /// Whether a pointer is not NULL.
    IsSet,
    /// The pointer that an integer is.
    Pointer,

    // Checks: the last value is whether they hold.
    /// Whether so many bytes at the last pointer may be accessed.
    Accessible(i64, AccessMode),
    /// The same at the pointer that has waited; the last value says how many.
    AccessibleBy(AccessMode),
    /// Whether a register has a value.
    HasValue(u32),
    /// Whether so many bytes behind the last byte are plain ones, or those of a pointer.
    HoldsValue(i64, u8),
    /// Whether the result of an operation stays in the type.
    Stays(BinaryOp, Scalar),
    /// Whether a number of the first type is one of the second.
    Fits(Scalar, Scalar),
    /// Whether the last number lies below this one, and not below 0.
    Below(i64),
    /// Whether two pointers lead to one object.
    OneObject,
}

/// Code, and what its value is.
#[derive(Clone, Debug)]
pub(super) struct Code {
    pub ops: Box<[Op]>,
    pub class: Class,
}

/// Where a scalar is written to.
#[derive(Clone, Debug)]
pub(super) enum To {
    /// A register of the frame.
    Register(u32),
    /// The byte that the code gives.
    Byte(Code),
    /// Where evaluation says.
    Elsewhere,
}

/// What a statement, or what ends a block, evaluates; None where that is evaluated as always.
#[derive(Clone, Debug, Default)]
pub(super) enum Quick {
    #[default]
    None,
    /// The value, and where it is written to.
    Assign(Option<Code>, To),
    /// Whether the check holds.
    Check(Code),
    /// What is decided, or returned.
    Value(Code),
    /// The arguments of a call.
    Arguments(Box<[Option<Code>]>),
}

impl Quick {
    /// The code of an argument, by its number.
    pub fn argument(&self, number: usize) -> Option<&Code> {
        match self {
            Quick::Arguments(all) => all[number].as_ref(),
            _ => None,
        }
    }
    /// The code of the one value that is decided or returned.
    pub fn value(&self) -> Option<&Code> {
        match self {
            Quick::Value(code) => Some(code),
            _ => None,
        }
    }
}

/// Of each statement of a block, and of its end.
pub(super) fn of_block(prepared: &Prepared<'_>, block: &Block) -> Box<[Quick]> {
    let end = match &block.terminator {
        Terminator::Branch { cond: e, .. } | Terminator::Return(Some(e)) => value(prepared, e).map(Quick::Value),
        _ => None,
    };
    let stmts = block.stmts.iter().map(|stmt| of_stmt(prepared, stmt).unwrap_or_default());
    stmts.chain([end.unwrap_or_default()]).collect()
}

fn of_stmt(prepared: &Prepared<'_>, stmt: &Stmt) -> Option<Quick> {
    match &stmt.kind {
        StmtKind::Assign { place, value: assigned } => {
            let is_scalar = prepared.scalar(place.ty).class != Class::NotScalar;
            is_scalar.then(|| Quick::Assign(value(prepared, assigned), to(prepared, place).unwrap_or(To::Elsewhere)))
        }
        StmtKind::Check(check) => {
            let mut maker = Maker::of(prepared);
            maker.check(check)?;
            Some(Quick::Check(maker.made(Class::Bool)))
        }
        StmtKind::Assume { cond } => value(prepared, cond).map(Quick::Value),
        StmtKind::Call { args, .. } if !args.is_empty() => {
            Some(Quick::Arguments(args.iter().map(|arg| value(prepared, arg)).collect()))
        }
        _ => None,
    }
}

fn value(prepared: &Prepared<'_>, expr: &Expr) -> Option<Code> {
    let mut maker = Maker::of(prepared);
    let class = prepared.scalar(expr.ty).class;
    maker.value(expr)?;
    Some(maker.made(class))
}

fn to(prepared: &Prepared<'_>, place: &Place) -> Option<To> {
    let mut maker = Maker::of(prepared);
    if let Some(r) = maker.register(place) {
        return Some(To::Register(r));
    }
    maker.byte(place)?;
    if behind(place) != 0 {
        maker.ops.push(Op::MoveBy(place.offset));
    }
    Some(To::Byte(maker.made(Class::Pointer)))
}

/// Makes code.
struct Maker<'a, 'p> {
    prepared: &'a Prepared<'p>,
    ops: Vec<Op>,
    /// How many values wait.
    waiting: usize,
}

impl<'a, 'p> Maker<'a, 'p> {
    fn of(prepared: &'a Prepared<'p>) -> Maker<'a, 'p> {
        Maker { prepared, ops: Vec::new(), waiting: 0 }
    }

    fn made(self, class: Class) -> Code {
        Code { ops: self.ops.into(), class }
    }

    fn scalar(&self, ty: TypeId) -> Scalar {
        self.prepared.scalar(ty)
    }

    fn register(&self, place: &Place) -> Option<u32> {
        match (&place.base, place.bits) {
            (PlaceBase::Var(var), None) => match self.prepared.home(*var) {
                Home::Register(r) => Some(r),
                Home::Frame(_) | Home::Static(_) => None,
            },
            _ => None,
        }
    }

    fn value(&mut self, expr: &Expr) -> Option<()> {
        match self.scalar(expr.ty).class {
            Class::Int | Class::Bool => self.integer(expr),
            Class::Pointer => self.pointer(expr),
            Class::Float(_) | Class::NotScalar => None,
        }
    }

    /// Code for two values, and an operation on them.
    fn both(&mut self, a: &Expr, b: &Expr, op: Op) -> Option<()> {
        self.value(a)?;
        self.ops.push(Op::Wait);
        self.waiting += 1;
        if self.waiting > WAITING {
            return None;
        }
        self.value(b)?;
        self.waiting -= 1;
        self.ops.push(op);
        Some(())
    }

    fn integer(&mut self, expr: &Expr) -> Option<()> {
        let s = self.scalar(expr.ty);
        if !s.is_small() {
            return None;
        }
        match &expr.kind {
            ExprKind::Int(number) => self.ops.push(Op::Int(*number as i64)),
            ExprKind::Load(place) => match self.register(place) {
                Some(r) => self.ops.push(Op::Register(r)),
                None => {
                    self.byte(place)?;
                    let load = match self.ops.pop()? {
                        Op::Static(slot, at) => Op::LoadStatic(slot, at, s),
                        Op::Local(i, at) => Op::LoadLocal(i, at, s),
                        Op::PointerRegister(r) => Op::LoadBy(r, behind(place), s),
                        other => {
                            self.ops.push(other);
                            Op::Load(behind(place), s)
                        }
                    };
                    self.ops.push(load);
                }
            },
            ExprKind::Binary(op, a, b) => {
                let s = self.scalar(a.ty);
                if s.class == Class::Pointer {
                    return if op.is_comparison() { self.both(a, b, Op::Compare(*op)) } else { None };
                }
                match &b.kind {
                    ExprKind::Int(number) if self.scalar(b.ty).is_small() => {
                        self.integer(a)?;
                        self.ops.push(Op::WithInt(*op, s, *number as i64));
                    }
                    ExprKind::Load(place) if self.scalar(b.ty).is_small() && self.register(place).is_some() => {
                        self.integer(a)?;
                        self.ops.push(Op::WithRegister(*op, s, self.register(place)?));
                    }
                    _ => return self.both(a, b, Op::Binary(*op, s)),
                }
            }
            ExprKind::Cast(inner) => {
                let from = self.scalar(inner.ty);
                self.value(inner)?;
                match from.class {
                    Class::Pointer if s.class == Class::Bool => self.ops.push(Op::IsSet),
                    Class::Pointer => self.ops.push(Op::Number(s)),
                    _ if keeps(from, s) => {}
                    _ => self.ops.push(Op::Convert(s)),
                }
            }
            ExprKind::Unary(op, inner) => {
                self.integer(inner)?;
                self.ops.push(match op {
                    UnaryOp::Neg => Op::Negate(s),
                    UnaryOp::BitNot => Op::Complement(s),
                });
            }
            ExprKind::PtrDiff(a, b) => self.both(a, b, Op::Distance(s))?,
            _ => return None,
        }
        Some(())
    }

    fn pointer(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Load(place) => match self.register(place) {
                Some(r) => self.ops.push(Op::PointerRegister(r)),
                None => {
                    self.byte(place)?;
                    self.ops.push(Op::LoadPointer(behind(place)));
                }
            },
            ExprKind::PtrAdd(base, bytes) => match bytes.kind {
                ExprKind::Int(number) => {
                    self.pointer(base)?;
                    self.ops.push(Op::MoveBy(number as i64));
                }
                _ => return self.both(base, bytes, Op::Move),
            },
            ExprKind::AddrOf(var, offset) => {
                self.ops.push(match self.prepared.home(*var) {
                    Home::Static(slot) => Op::Static(slot, *offset),
                    Home::Frame(i) => Op::Local(i, *offset),
                    Home::Register(_) => return None,
                });
                self.ops.push(Op::Address);
            }
            ExprKind::Int(number) => self.ops.push(Op::Int(self.prepared.pointer.converted(*number as i64))),
            ExprKind::Cast(inner) if self.scalar(inner.ty).class == Class::Pointer => self.pointer(inner)?,
            ExprKind::Cast(inner) => {
                self.integer(inner)?;
                self.ops.push(Op::Pointer);
            }
            _ => return None,
        }
        Some(())
    }

    /// The byte from which the place is counted: that of a variable with the offset, and what a pointer leads to without.
    fn byte(&mut self, place: &Place) -> Option<()> {
        match (&place.base, place.bits) {
            (PlaceBase::Var(var), None) => self.ops.push(match self.prepared.home(*var) {
                Home::Static(slot) => Op::Static(slot, place.offset),
                Home::Frame(i) => Op::Local(i, place.offset),
                Home::Register(_) => return None,
            }),
            (PlaceBase::Deref(pointer), None) => self.pointer(pointer)?,
            (_, Some(_)) => return None,
        }
        Some(())
    }

    fn check(&mut self, check: &Check) -> Option<()> {
        match check {
            Check::Access { ptr, size, mode, .. } => match size.kind {
                ExprKind::Int(size) => {
                    self.pointer(ptr)?;
                    self.ops.push(Op::Accessible(i64::try_from(size).ok()?, *mode));
                }
                _ => self.both(ptr, size, Op::AccessibleBy(*mode))?,
            },
            Check::Initialized { place, .. } => match self.register(place) {
                Some(r) => self.ops.push(Op::HasValue(r)),
                None => {
                    let stored = self.scalar(place.ty).stored();
                    self.byte(place)?;
                    self.ops.push(Op::HoldsValue(behind(place), u8::try_from(stored).ok().filter(|size| *size <= 8)?));
                }
            },
            Check::NonZero { divisor: e, .. } | Check::Holds { cond: e, .. } => {
                self.value(e)?;
                if self.scalar(e.ty).class == Class::Pointer {
                    self.ops.push(Op::IsSet);
                }
            }
            Check::NoOverflow { op, lhs, rhs, ty, .. } => {
                let s = self.scalar(*ty);
                let is_said =
                    s.is_small() && !s.is_u64() && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                self.both(lhs, rhs, Op::Stays(*op, s)).filter(|()| is_said)?;
            }
            Check::Fits { value, to, bits: None, .. } => {
                let (from, to) = (self.scalar(value.ty), self.scalar(*to));
                self.integer(value).filter(|()| to.is_small())?;
                self.ops.push(Op::Fits(from, to));
            }
            Check::ShiftCount { count, width, .. } => {
                self.integer(count)?;
                self.ops.push(Op::Below(i64::from(*width)));
            }
            Check::SameObject { lhs, rhs, .. } => self.both(lhs, rhs, Op::OneObject)?,
            Check::Fits { .. } | Check::Terminated { .. } | Check::Freeable { .. } | Check::Callable { .. } => {
                return None;
            }
        }
        Some(())
    }
}

/// How many bytes a place lies behind its byte.
fn behind(place: &Place) -> i64 {
    if matches!(place.base, PlaceBase::Deref(_)) { place.offset } else { 0 }
}

/// Whether all numbers of a type are the same bits in the other.
fn keeps(from: Scalar, to: Scalar) -> bool {
    let is_wider = to.size > from.size && (to.signed || !from.signed);
    to.class == Class::Int && (is_wider || (to.size == from.size && (to.signed == from.signed || to.size == 8)))
}

/// Integers in 64 bits: those of narrower types as they are, those of `unsigned` 64 bits by their bits.
impl Scalar {
    /// Whether these are integers of at most 64 bits.
    #[inline]
    pub(super) fn is_small(self) -> bool {
        matches!(self.class, Class::Int | Class::Bool) && self.size <= 8
    }
    #[inline]
    pub(super) fn is_u64(self) -> bool {
        self.size == 8 && !self.signed
    }
    /// The bits of a number of any type as one of this type.
    #[inline]
    pub(super) fn converted(self, bits: i64) -> i64 {
        self.wrap(bits.into()) as i64
    }
    /// The number that these bits are of this type.
    #[inline]
    pub(super) fn number(self, bits: i64) -> i128 {
        if self.is_u64() { i128::from(bits as u64) } else { i128::from(bits) }
    }
}
