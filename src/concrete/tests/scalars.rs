//! `benc` and `bdec`: round trips, and arithmetic against Rust's.

use super::builder::Builder;
use crate::concrete::object::{Fill, Object, ObjectKind, Raw};
use crate::concrete::{ObjectId, Origin, Outcome, Value};
use crate::ir::*;
use proptest::prelude::*;

fn binary(op: BinaryOp, a: i128, b: i128, kind: IntKind) -> Outcome {
    let mut builder = Builder::new();
    let ty = builder.program.types.int(kind);
    let e = Expr::binary(op, Expr::int(a, ty), Expr::int(b, ty), if op.is_comparison() { builder.int } else { ty });
    builder.ret(e);
    builder.run().outcome
}

fn number(v: impl Into<i128>) -> Outcome {
    Outcome::Returned(Some(Value::int(v.into())))
}

proptest! {
    #[test]
    fn bytes_give_back_what_was_stored(value: u128, size in prop::sample::select(vec![1usize, 2, 4, 8, 16]), at in 0usize..20) {
        let mut object = Object::new(ObjectKind::Arguments, 40, Fill::Indeterminate);
        object.store(at, size, value, Origin::NONE);
        let kept = if size == 16 { value } else { value & ((1 << (8 * size)) - 1) };
        prop_assert_eq!(object.load(at, size), Raw::Number(kept, Origin::NONE));
        prop_assert_eq!(object.load(at + 1, size), Raw::Indeterminate);
    }

    #[test]
    fn bit_fields_give_back_what_was_stored(a: u64, b: u64, offset in 0u8..40, width in 1u8..24) {
        let mut object = Object::new(ObjectKind::Arguments, 8, Fill::Zero);
        let low = BitRange { offset: 0, width: offset.max(1) };
        let high = BitRange { offset: offset.max(1), width };
        object.store_bits(0, low, Some(a.into()));
        object.store_bits(0, high, Some(b.into()));
        prop_assert_eq!(object.load_bits(0, low), Raw::Number(u128::from(a & ((1 << low.width) - 1)), Origin::NONE));
        prop_assert_eq!(object.load_bits(0, high), Raw::Number(u128::from(b & ((1 << width) - 1)), Origin::NONE));
    }

    #[test]
    fn addresses_keep_their_object(address: u64, slot in 0u32..9, at in 0usize..9) {
        let mut object = Object::new(ObjectKind::Arguments, 16, Fill::Zero);
        let origin = Origin { object: ObjectId { slot, generation: 3 }, first: 0, len: 8 };
        object.store(at, 8, address.into(), origin);
        prop_assert_eq!(object.load(at, 8), Raw::Number(address.into(), origin));
        let region = object.region(at, 8);
        let mut other = Object::new(ObjectKind::Arguments, 8, Fill::Indeterminate);
        other.store_region(0, &region);
        prop_assert_eq!(other.load(0, 8), Raw::Number(address.into(), origin));
        let half = Origin { first: 4, len: 4, ..origin };
        prop_assert_eq!(other.load(4, 4), Raw::Number(u128::from(address >> 32), half));
    }

    #[test]
    fn int_arithmetic_is_that_of_the_machine(a: i32, b: i32) {
        let (x, y) = (i128::from(a), i128::from(b));
        let kind = IntKind::Int;
        prop_assert_eq!(binary(BinaryOp::Add, x, y, kind), number(a.wrapping_add(b)));
        prop_assert_eq!(binary(BinaryOp::Sub, x, y, kind), number(a.wrapping_sub(b)));
        prop_assert_eq!(binary(BinaryOp::Mul, x, y, kind), number(a.wrapping_mul(b)));
        prop_assert_eq!(binary(BinaryOp::Xor, x, y, kind), number(a ^ b));
        prop_assert_eq!(binary(BinaryOp::Lt, x, y, kind), number(i32::from(a < b)));
        if b != 0 && (a, b) != (i32::MIN, -1) {
            prop_assert_eq!(binary(BinaryOp::Div, x, y, kind), number(a / b));
            prop_assert_eq!(binary(BinaryOp::Rem, x, y, kind), number(a % b));
        }
    }

    #[test]
    fn wide_unsigned_arithmetic_is_that_of_the_machine(a: u64, b: u64, wide_a: u128, wide_b: u128) {
        let (x, y) = (i128::from(a), i128::from(b));
        prop_assert_eq!(binary(BinaryOp::Mul, x, y, IntKind::ULong), number(a.wrapping_mul(b)));
        prop_assert_eq!(binary(BinaryOp::Gt, x, y, IntKind::ULong), number(i32::from(a > b)));
        let (x, y) = (wide_a as i128, wide_b as i128);
        let kind = IntKind::UInt128;
        prop_assert_eq!(binary(BinaryOp::Lt, x, y, kind), number(i32::from(wide_a < wide_b)));
        prop_assert_eq!(binary(BinaryOp::Mul, x, y, kind), number(wide_a.wrapping_mul(wide_b) as i128));
        if let Some(quotient) = wide_a.checked_div(wide_b) {
            prop_assert_eq!(binary(BinaryOp::Div, x, y, kind), number(quotient as i128));
        }
    }
}
