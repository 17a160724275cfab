//! Pure expressions. Every conversion is explicit; operand types of an operator agree except where said.

use super::{BlockId, FuncId, Place, Real, TypeId, VarId};
use std::cmp::Ordering;

/// An expression and its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
}

/// What an expression computes.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer, or (with a pointer type) the address of that number: 0 is NULL, others are invalid pointers.
    Int(i128),
    /// A floating constant of the expression's type.
    Float(Real),
    /// The address of a variable plus constant bytes.
    AddrOf(VarId, i64),
    /// The address of a function.
    FuncAddr(FuncId),
    /// GNU `&&label`, in the function it stands in.
    LabelAddr(BlockId),
    /// The value at a place. Of record or array type only as the whole right side of an assignment, an argument or a returned value.
    Load(Box<Place>),
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic and bit operators: operands and result of one type, except that a shift count has its own.
    /// Comparisons: operands of one type (integers, floats or pointers), result `int` 0 or 1.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Conversion to `ty` from any scalar (C11 6.3.1, 6.3.2.3): wraps, truncates or keeps the pointer.
    Cast(Box<Expr>),
    /// A pointer moved by a signed number of bytes of type `ptrdiff_t`. Never an error by itself; the result keeps its base.
    PtrAdd(Box<Expr>, Box<Expr>),
    /// Bytes between two pointers of one object, of type `ptrdiff_t`.
    PtrDiff(Box<Expr>, Box<Expr>),
}

/// Unary operators on integers and floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`
    Neg,
    /// `~x`
    BitNot,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// Towards zero.
    Div,
    /// Sign of the dividend.
    Rem,
    And,
    Or,
    Xor,
    /// Bits pushed out are lost, also of signed operands.
    Shl,
    /// Arithmetic for signed operands.
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// Whether the result is a truth value of type `int`.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
    /// Whether the comparison holds between operands that are ordered so; false of other operators.
    #[inline]
    pub fn holds_between(self, ordering: Ordering) -> bool {
        match self {
            BinaryOp::Eq => ordering.is_eq(),
            BinaryOp::Ne => ordering.is_ne(),
            BinaryOp::Lt => ordering.is_lt(),
            BinaryOp::Le => ordering.is_le(),
            BinaryOp::Gt => ordering.is_gt(),
            BinaryOp::Ge => ordering.is_ge(),
            _ => false,
        }
    }
    /// The comparison that holds exactly when this one does not (on integers and pointers).
    pub fn negate(self) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match self {
            Eq => Ne,
            Ne => Eq,
            Lt => Ge,
            Le => Gt,
            Gt => Le,
            Ge => Lt,
            _ => return None,
        })
    }
    /// The comparison with its operands exchanged.
    pub fn swap(self) -> BinaryOp {
        use BinaryOp::*;
        match self {
            Lt => Gt,
            Le => Ge,
            Gt => Lt,
            Ge => Le,
            op => op,
        }
    }
    /// The C token.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            And => "&",
            Or => "|",
            Xor => "^",
            Shl => "<<",
            Shr => ">>",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
}

impl Expr {
    /// An integer constant of type `ty`; the caller has wrapped it.
    pub fn int(value: i128, ty: TypeId) -> Expr {
        Expr { kind: ExprKind::Int(value), ty }
    }
    /// The value at `place`.
    pub fn load(place: Place) -> Expr {
        let ty = place.ty;
        Expr { kind: ExprKind::Load(Box::new(place)), ty }
    }
    /// `lhs op rhs` of type `ty`.
    pub fn binary(op: BinaryOp, lhs: Expr, rhs: Expr, ty: TypeId) -> Expr {
        Expr { kind: ExprKind::Binary(op, Box::new(lhs), Box::new(rhs)), ty }
    }
    /// Conversion to `ty`; nothing when it is of that type already.
    pub fn cast(self, ty: TypeId) -> Expr {
        if self.ty == ty { self } else { Expr { kind: ExprKind::Cast(Box::new(self)), ty } }
    }
    /// The integer constant, if it is one.
    pub fn as_int(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Int(v) => Some(v),
            _ => None,
        }
    }
    /// The expression without the conversions around it.
    pub fn without_casts(&self) -> &Expr {
        let mut inner = self;
        while let ExprKind::Cast(of) = &inner.kind {
            inner = of;
        }
        inner
    }
    /// Calls `visit` on this expression and all below it, outermost first; goes through places into pointer expressions.
    pub fn walk<'a>(&'a self, visit: &mut impl FnMut(&'a Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::AddrOf(..)
            | ExprKind::FuncAddr(_)
            | ExprKind::LabelAddr(_) => {}
            ExprKind::Load(place) => {
                if let super::PlaceBase::Deref(p) = &place.base {
                    p.walk(visit);
                }
            }
            ExprKind::Unary(_, e) | ExprKind::Cast(e) => e.walk(visit),
            ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::PtrDiff(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
        }
    }
}
