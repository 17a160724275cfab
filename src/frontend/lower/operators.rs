//! Operators with their check sites: arithmetic, shifts, comparisons, pointer arithmetic, assignment (C11 6.5.3-6.5.16).

use super::access::LValue;
use super::context::Lowerer;
use super::effects::Effects;
use super::error::{LowerError, Lowered};
use super::fold;
use super::subscript::Use;
use super::text;
use crate::base::Span;
use crate::ir::{BinaryOp, Check, CheckKind, Expr, ExprKind, IntKind, Real, StmtKind, Type, TypeId, UnaryOp};
use lang_c::ast::{self, BinaryOperator as B, Expression, UnaryOperator as U};
use lang_c::span::Node;

impl Lowerer<'_> {
    pub(super) fn unary(&mut self, u: &ast::UnaryOperatorExpression, wanted: bool, span: Span) -> Lowered<Expr> {
        match u.operator.node {
            U::Address => self.address_of(&u.operand, span),
            U::Indirection => {
                let subject = text::prefixed("*", &u.operand);
                let ptr = self.rvalue(&u.operand)?;
                let Some(ty) = self.program.types.pointee(ptr.ty) else {
                    return LowerError::invalid(span, "`*` of what is no pointer");
                };
                if let Type::Function(_) = self.program.types.get(ty) {
                    return Ok(ptr);
                }
                let l = self.deref(ptr, ty, subject);
                self.load(l, span)
            }
            U::Plus => {
                let e = self.rvalue(&u.operand)?;
                Ok(self.promote(e))
            }
            U::Minus => {
                let e = self.rvalue(&u.operand)?;
                if let Some(value) = self.vector_unary(UnaryOp::Neg, &e, span)? {
                    return Ok(value);
                }
                if let Some(value) = self.complex_unary(UnaryOp::Neg, &e, span)? {
                    return Ok(value);
                }
                let e = self.promote(e);
                match self.program.types.get(e.ty) {
                    Type::Float(_) => Ok(fold::unary(&self.program.types, UnaryOp::Neg, e)),
                    Type::Int(_) => {
                        let subject = text::prefixed("-", &u.operand);
                        let zero = Expr::int(0, e.ty);
                        self.check_overflow(BinaryOp::Sub, &zero, &e, &subject, span)?;
                        Ok(fold::unary(&self.program.types, UnaryOp::Neg, e))
                    }
                    _ => LowerError::invalid(span, "`-` of what is no number"),
                }
            }
            U::Complement => {
                let e = self.rvalue(&u.operand)?;
                if let Some(value) = self.vector_unary(UnaryOp::BitNot, &e, span)? {
                    return Ok(value);
                }
                if let Some(value) = self.complex_unary(UnaryOp::BitNot, &e, span)? {
                    return Ok(value);
                }
                let e = self.promote(e);
                if self.program.types.as_int(e.ty).is_none() {
                    return LowerError::unsupported(span, "`~` of what is no integer");
                }
                Ok(fold::unary(&self.program.types, UnaryOp::BitNot, e))
            }
            U::Negate => {
                if self.has_control_flow(&u.operand) {
                    let value = self.boolean_by_branches(&u.operand, span)?;
                    return self.compare_zero(BinaryOp::Eq, value, span);
                }
                let e = self.rvalue(&u.operand)?;
                self.compare_zero(BinaryOp::Eq, e, span)
            }
            U::PreIncrement | U::PreDecrement | U::PostIncrement | U::PostDecrement => self.step(u, wanted, span),
        }
    }

    fn address_of(&mut self, operand: &Node<Expression>, span: Span) -> Lowered<Expr> {
        // `&f` and `&*f` of functions are the functions' addresses.
        if let Expression::Identifier(i) = &operand.node
            && let Some(super::scope::Symbol::Function(_)) = self.scopes.lookup(&i.node.name)
        {
            return self.rvalue(operand);
        }
        let l = self.lvalue_used(operand, Use::Address)?;
        if l.place.bits.is_some() {
            return LowerError::invalid(span, "a bit-field has no address");
        }
        let ty = l.ty;
        if let Expression::Identifier(i) = &operand.node
            && self.absent.contains(&i.node.name)
        {
            let pointer = self.program.types.pointer(ty);
            return Ok(self.perhaps_absent(&i.node.name, pointer, span));
        }
        Ok(self.address(&l.place, ty))
    }

    fn step(&mut self, u: &ast::UnaryOperatorExpression, wanted: bool, span: Span) -> Lowered<Expr> {
        let op = match u.operator.node {
            U::PreIncrement | U::PostIncrement => BinaryOp::Add,
            _ => BinaryOp::Sub,
        };
        let post = matches!(u.operator.node, U::PostIncrement | U::PostDecrement);
        let l = self.lvalue(&u.operand)?;
        let l = self.pinned(l, span)?;
        let ty = l.ty;
        let mut old = self.load(l.clone(), span)?;
        if post && wanted {
            old = self.hold(old, span)?;
        }
        let subject = format!("{}{}", l.subject, if op == BinaryOp::Add { "++" } else { "--" });
        let new = match self.program.types.get(ty) {
            Type::Pointer(_) => {
                let one = self.int_const(1);
                self.pointer_plus(old.clone(), one, op == BinaryOp::Sub, &subject, span)?
            }
            Type::Float(kind) => {
                let one = Expr { kind: ExprKind::Float(Real::new(*kind, 1.0)), ty };
                fold::binary(&self.program.types, op, old.clone(), one, ty)
            }
            _ => {
                let promoted = self.promote(old.clone());
                let one = Expr::int(1, promoted.ty);
                let sum = self.arithmetic(op, promoted, one, &subject, span)?;
                self.convert(sum, ty, span)?
            }
        };
        let stored = self.store(l, new, wanted && !post, span)?;
        Ok(if post { old } else { stored })
    }

    /// The lvalue with its pointer evaluated once.
    fn pinned(&mut self, mut l: LValue, span: Span) -> Lowered<LValue> {
        if let crate::ir::PlaceBase::Deref(p) = l.place.base {
            let p = self.hold(*p, span)?;
            l.place.base = crate::ir::PlaceBase::Deref(Box::new(p));
        }
        Ok(l)
    }

    pub(super) fn binary(&mut self, b: &ast::BinaryOperatorExpression, wanted: bool, span: Span) -> Lowered<Expr> {
        match &b.operator.node {
            B::Index => {
                let subject = text::binary(&b.lhs, &b.operator.node, &b.rhs);
                let l = self.element(b, Use::Value, subject, span)?;
                self.load(l, span)
            }
            B::LogicalAnd | B::LogicalOr => self.logical(b, span),
            B::Assign => self.assign(b, wanted, span),
            op => match compound(op) {
                Some(op) => self.assign_compound(b, op, wanted, span),
                None => {
                    let subject = text::binary(&b.lhs, op, &b.rhs);
                    let lhs = self.rvalue(&b.lhs)?;
                    // A later side effect in the right operand must not change what the left one read.
                    let lhs = if Effects::of(&b.rhs).is_none() { lhs } else { self.hold_if_open(lhs, span)? };
                    let rhs = self.rvalue(&b.rhs)?;
                    self.apply(plain(op), lhs, rhs, &subject, span)
                }
            },
        }
    }

    fn hold_if_open(&mut self, e: Expr, span: Span) -> Lowered<Expr> {
        let is_value = self.program.types.is_scalar(e.ty) || matches!(self.program.types.get(e.ty), Type::Record(_));
        if self.body.is_none() || !is_value { Ok(e) } else { self.hold(e, span) }
    }

    /// `lhs op rhs` on any operands that C allows.
    pub(super) fn apply(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr, subject: &str, span: Span) -> Lowered<Expr> {
        if let Some(value) = self.vector_binary(op, (&lhs, &rhs), subject, span)? {
            return Ok(value);
        }
        if let Some(value) = self.complex_binary(op, (&lhs, &rhs), subject, span)? {
            return Ok(value);
        }
        let types = &self.program.types;
        let (p, q) = (types.is_pointer(lhs.ty), types.is_pointer(rhs.ty));
        match op {
            _ if op.is_comparison() && (p || q) => self.compare_pointers(op, lhs, rhs, subject, span),
            BinaryOp::Add if p => self.pointer_plus(lhs, rhs, false, subject, span),
            BinaryOp::Add if q => self.pointer_plus(rhs, lhs, false, subject, span),
            BinaryOp::Sub if p && q => self.pointer_difference(lhs, rhs, subject, span),
            BinaryOp::Sub if p => self.pointer_plus(lhs, rhs, true, subject, span),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(op, lhs, rhs, subject, span),
            _ => {
                let (lhs, rhs) = self.usual(lhs, rhs, span)?;
                if op.is_comparison() {
                    return Ok(fold::binary(&self.program.types, op, lhs, rhs, self.int_type()));
                }
                self.arithmetic(op, lhs, rhs, subject, span)
            }
        }
    }

    /// Arithmetic on operands of one type, with its sites.
    pub(crate) fn arithmetic(
        &mut self,
        op: BinaryOp,
        lhs: Expr,
        rhs: Expr,
        subject: &str,
        span: Span,
    ) -> Lowered<Expr> {
        let ty = lhs.ty;
        let is_int = self.program.types.as_int(ty).is_some();
        if !is_int && matches!(op, BinaryOp::Rem | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            return LowerError::invalid(span, format!("`{}` on floating operands", op.symbol()));
        }
        if is_int {
            if matches!(op, BinaryOp::Div | BinaryOp::Rem) && rhs.as_int().is_none_or(|v| v == 0) && self.body.is_some()
            {
                let site = self.site(CheckKind::DivByZero, subject, span);
                let check = Check::NonZero { site, divisor: rhs.clone() };
                self.emit(StmtKind::Check(Box::new(check)), span)?;
            }
            self.check_overflow(op, &lhs, &rhs, subject, span)?;
        }
        Ok(fold::binary(&self.program.types, op, lhs, rhs, ty))
    }

    fn check_overflow(&mut self, op: BinaryOp, lhs: &Expr, rhs: &Expr, subject: &str, span: Span) -> Lowered<()> {
        let Some(kind) = self.program.types.as_int(lhs.ty) else { return Ok(()) };
        let can_leave = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => true,
            BinaryOp::Div | BinaryOp::Rem => {
                let least = self.program.types.int_range(kind).0;
                kind.signed() && rhs.as_int().is_none_or(|v| v == -1) && lhs.as_int().is_none_or(|v| v == least)
            }
            _ => false,
        };
        if !can_leave || self.body.is_none() || (!kind.signed() && !self.options.unsigned_overflow) {
            return Ok(());
        }
        if let (Some(a), Some(b)) = (lhs.as_int(), rhs.as_int()) {
            let exact = match op {
                BinaryOp::Add => a.checked_add(b),
                BinaryOp::Sub => a.checked_sub(b),
                BinaryOp::Mul => a.checked_mul(b),
                BinaryOp::Div | BinaryOp::Rem => a.checked_div(b),
                _ => None,
            };
            let (low, high) = self.program.types.int_range(kind);
            if exact.is_some_and(|v| low <= v && v <= high) {
                return Ok(());
            }
        }
        let check_kind = if kind.signed() { CheckKind::SignedOverflow } else { CheckKind::UnsignedOverflow };
        let site = self.site(check_kind, subject, span);
        let check = Check::NoOverflow { site, op, lhs: lhs.clone(), rhs: rhs.clone(), ty: lhs.ty };
        self.emit(StmtKind::Check(Box::new(check)), span)
    }

    fn shift(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr, subject: &str, span: Span) -> Lowered<Expr> {
        let (lhs, rhs) = (self.promote(lhs), self.promote(rhs));
        let Some(kind) = self.program.types.as_int(lhs.ty) else {
            return LowerError::invalid(span, "a shift of what is no integer");
        };
        if self.program.types.as_int(rhs.ty).is_none() {
            return LowerError::invalid(span, "a shift by what is no integer");
        }
        let width = self.program.types.int_bits(kind);
        let plain = rhs.as_int().is_some_and(|n| 0 <= n && n < i128::from(width));
        if !plain && self.body.is_some() {
            let site = self.site(CheckKind::Shift, subject, span);
            let check = Check::ShiftCount { site, count: rhs.clone(), width };
            self.emit(StmtKind::Check(Box::new(check)), span)?;
        }
        if op == BinaryOp::Shl && kind.signed() && self.body.is_some() && !self.options.left_shifts_defined {
            self.check_left_shift(kind, &lhs, &rhs, subject, span)?;
        }
        let ty = lhs.ty;
        Ok(fold::binary(&self.program.types, op, lhs, rhs, ty))
    }

    /// Nothing is shifted into or past the sign, and what is shifted is not negative (C11 6.5.7p4): as an unsigned number, it is
    /// at most the type's greatest value shifted right by as much. Shifted by more than there are bits, it is 0.
    fn check_left_shift(&mut self, kind: IntKind, lhs: &Expr, rhs: &Expr, subject: &str, span: Span) -> Lowered<()> {
        let (types, truth) = (&self.program.types, self.int_type());
        let (signed, unsigned) = (lhs.ty, types.int(kind.to_unsigned()));
        let width = i128::from(types.int_bits(kind));
        let plain = rhs.as_int().is_some_and(|n| (0..width).contains(&n));
        let count = match plain {
            true => rhs.clone(),
            false => fold::binary(types, BinaryOp::And, rhs.clone(), Expr::int(width - 1, rhs.ty), rhs.ty),
        };
        let greatest = Expr::int(types.int_range(kind).1, signed);
        let most = fold::binary(types, BinaryOp::Shr, greatest, count, signed);
        let (value, most) = (fold::cast(types, lhs.clone(), unsigned), fold::cast(types, most, unsigned));
        let mut cond = fold::binary(types, BinaryOp::Le, value, most, truth);
        if !plain {
            let counted = types.as_int(rhs.ty).map_or(rhs.ty, |kind| types.int(kind.to_unsigned()));
            let count = fold::cast(types, rhs.clone(), counted);
            let usual = fold::binary(types, BinaryOp::Lt, count, Expr::int(width, counted), truth);
            let nothing = fold::binary(types, BinaryOp::Eq, lhs.clone(), Expr::int(0, signed), truth);
            let all_lost = fold::binary(types, BinaryOp::Or, usual, nothing, truth);
            cond = fold::binary(types, BinaryOp::And, cond, all_lost, truth);
        }
        if cond.as_int().is_some_and(|holds| holds != 0) {
            return Ok(());
        }
        let site = self.site(CheckKind::ShiftOverflow, subject, span);
        self.emit(StmtKind::Check(Box::new(Check::Holds { site, cond })), span)
    }

    fn compare_pointers(&mut self, op: BinaryOp, lhs: Expr, rhs: Expr, subject: &str, span: Span) -> Lowered<Expr> {
        let (lhs, rhs) = self.unify_pointers(lhs, rhs, span)?;
        if !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            self.check_same_object(CheckKind::PointerCompare, &lhs, &rhs, subject, span)?;
        }
        Ok(fold::binary(&self.program.types, op, lhs, rhs, self.int_type()))
    }

    fn check_same_object(&mut self, kind: CheckKind, lhs: &Expr, rhs: &Expr, subject: &str, span: Span) -> Lowered<()> {
        let same = matches!((&lhs.kind, &rhs.kind), (ExprKind::AddrOf(a, _), ExprKind::AddrOf(b, _)) if a == b);
        let constants = lhs.as_int().is_some() && rhs.as_int().is_some();
        if same || constants || self.body.is_none() {
            return Ok(());
        }
        let site = self.site(kind, subject, span);
        let check = Check::SameObject { site, lhs: lhs.clone(), rhs: rhs.clone() };
        self.emit(StmtKind::Check(Box::new(check)), span)
    }

    fn pointer_difference(&mut self, lhs: Expr, rhs: Expr, subject: &str, span: Span) -> Lowered<Expr> {
        let Some(elem) = self.program.types.pointee(lhs.ty) else { unreachable!("both are pointers") };
        self.check_same_object(CheckKind::PointerDiff, &lhs, &rhs, subject, span)?;
        let ty = self.program.types.ptrdiff_type();
        let size = self.size_expr(elem, span)?;
        let bytes = match (&lhs.kind, &rhs.kind) {
            (ExprKind::AddrOf(a, m), ExprKind::AddrOf(b, n)) if a == b => Expr::int(i128::from(m - n), ty),
            (ExprKind::Int(a), ExprKind::Int(b)) => Expr::int(self.program.types.wrap(IntKind::LongLong, a - b), ty),
            _ => {
                let rhs = Expr { ty: lhs.ty, ..fold::cast(&self.program.types, rhs, lhs.ty) };
                Expr { kind: ExprKind::PtrDiff(Box::new(lhs), Box::new(rhs)), ty }
            }
        };
        let types = &self.program.types;
        let size = fold::cast(types, size, ty);
        Ok(if size.as_int() == Some(1) { bytes } else { fold::binary(types, BinaryOp::Div, bytes, size, ty) })
    }

    fn assign(&mut self, b: &ast::BinaryOperatorExpression, wanted: bool, span: Span) -> Lowered<Expr> {
        let l = self.lvalue(&b.lhs)?;
        // A call or assignment on the right may change what the left side's address is computed from.
        let l = if self.may_move(&l.place, &Effects::of(&b.rhs)) { self.pinned(l, span)? } else { l };
        let value = self.copied_value(&b.rhs)?;
        if !self.program.types.is_scalar(l.ty) && !matches!(self.program.types.get(l.ty), Type::Record(_)) {
            return LowerError::invalid(span, "not assignable");
        }
        let value = self.convert_assigned(value, l.ty, span)?;
        self.store(l, value, wanted, span)
    }

    fn assign_compound(
        &mut self,
        b: &ast::BinaryOperatorExpression,
        op: BinaryOp,
        wanted: bool,
        span: Span,
    ) -> Lowered<Expr> {
        let subject = text::binary(&b.lhs, &b.operator.node, &b.rhs);
        let l = self.lvalue(&b.lhs)?;
        let l = self.pinned(l, span)?;
        let rhs = self.rvalue(&b.rhs)?;
        let old = self.load(l.clone(), span)?;
        let value = self.apply(op, old, rhs, &subject, span)?;
        let value = self.convert_assigned(value, l.ty, span)?;
        self.store(l, value, wanted, span)
    }

    /// The type of `a ? b : c` (C11 6.5.15) for scalars.
    pub(super) fn choice_type(&mut self, a: &Expr, b: &Expr, span: Span) -> Lowered<TypeId> {
        let types = &self.program.types;
        match (types.get(a.ty), types.get(b.ty)) {
            // Integers are promoted also where both have one type (C11 6.5.15p5).
            (Type::Int(_), Type::Int(_)) => {
                let (a, _) = self.discarded(|s| s.usual(a.clone(), b.clone(), span))?;
                Ok(a.ty)
            }
            _ if a.ty == b.ty => Ok(a.ty),
            (Type::Pointer(_), Type::Int(_)) => Ok(a.ty),
            (Type::Int(_), Type::Pointer(_)) => Ok(b.ty),
            (Type::Pointer(_), Type::Pointer(_)) => {
                let null = |e: &Expr| e.as_int() == Some(0);
                Ok(match (null(a), null(b)) {
                    (true, false) => b.ty,
                    (false, true) => a.ty,
                    _ if a.ty == types.void_ptr() => a.ty,
                    _ if b.ty == types.void_ptr() => b.ty,
                    _ => a.ty,
                })
            }
            (Type::Void, _) | (_, Type::Void) => Ok(types.void()),
            (Type::Record(_), Type::Record(_)) => Ok(a.ty),
            _ => {
                let (a, _) = self.discarded(|s| s.usual(a.clone(), b.clone(), span))?;
                Ok(a.ty)
            }
        }
    }
}

/// The plain operator of a compound assignment.
pub(super) fn compound(op: &B) -> Option<BinaryOp> {
    Some(match op {
        B::AssignMultiply => BinaryOp::Mul,
        B::AssignDivide => BinaryOp::Div,
        B::AssignModulo => BinaryOp::Rem,
        B::AssignPlus => BinaryOp::Add,
        B::AssignMinus => BinaryOp::Sub,
        B::AssignShiftLeft => BinaryOp::Shl,
        B::AssignShiftRight => BinaryOp::Shr,
        B::AssignBitwiseAnd => BinaryOp::And,
        B::AssignBitwiseXor => BinaryOp::Xor,
        B::AssignBitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}

/// The IR's operator for one that has nothing special.
fn plain(op: &B) -> BinaryOp {
    match op {
        B::Multiply => BinaryOp::Mul,
        B::Divide => BinaryOp::Div,
        B::Modulo => BinaryOp::Rem,
        B::Plus => BinaryOp::Add,
        B::Minus => BinaryOp::Sub,
        B::ShiftLeft => BinaryOp::Shl,
        B::ShiftRight => BinaryOp::Shr,
        B::Less => BinaryOp::Lt,
        B::Greater => BinaryOp::Gt,
        B::LessOrEqual => BinaryOp::Le,
        B::GreaterOrEqual => BinaryOp::Ge,
        B::Equals => BinaryOp::Eq,
        B::NotEquals => BinaryOp::Ne,
        B::BitwiseAnd => BinaryOp::And,
        B::BitwiseXor => BinaryOp::Xor,
        B::BitwiseOr => BinaryOp::Or,
        _ => unreachable!("indexing, logic and assignment are lowered elsewhere"),
    }
}
