use super::*;
use crate::ir::{DataModel, IntKind, Place, TypeId, VarId};

struct Sample {
    types: TypeTable,
    long: TypeId,
}

impl Sample {
    fn new() -> Sample {
        let types = TypeTable::new(DataModel::Lp64);
        let long = types.int(IntKind::Long);
        Sample { types, long }
    }
    fn n(&self, v: i128) -> Expr {
        Expr::int(v, self.long)
    }
    fn index(&self, kind: IntKind) -> Expr {
        Expr::load(Place::var(VarId(0), self.types.int(kind)))
    }
    fn op(&self, op: BinaryOp, a: Expr, b: Expr) -> Expr {
        let ty = a.ty;
        Expr::binary(op, a, b, ty)
    }
}

#[test]
fn a_scaled_index_plus_a_constant_is_a_class_of_offsets() {
    let s = Sample::new();
    let i = s.index(IntKind::Int).cast(s.long);
    let e = s.op(BinaryOp::Add, s.op(BinaryOp::Mul, i, s.n(24)), s.n(8));
    assert_eq!(Offset::of(&s.types, &e), Offset { constant: 8, stride: 24 });
}

#[test]
fn a_constant_is_itself() {
    let s = Sample::new();
    let e = s.op(BinaryOp::Mul, s.n(-3), s.n(8));
    assert_eq!(Offset::of(&s.types, &e), Offset { constant: -24, stride: 0 });
}

#[test]
fn strides_of_unsigned_arithmetic_survive_only_as_powers_of_two() {
    let s = Sample::new();
    let u = |k| s.op(BinaryOp::Mul, s.index(IntKind::ULong), Expr::int(k, s.types.int(IntKind::ULong)));
    assert_eq!(Offset::of(&s.types, &u(16)), Offset { constant: 0, stride: 16 });
    assert_eq!(Offset::of(&s.types, &u(24)), Offset::ANY);
}

#[test]
fn a_product_of_two_unknowns_is_anything() {
    let s = Sample::new();
    let e = s.op(BinaryOp::Mul, s.index(IntKind::Long), s.index(IntKind::Long));
    assert_eq!(Offset::of(&s.types, &e), Offset::ANY);
}
