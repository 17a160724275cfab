//! Bytes: pointers in memory, partial initialization, bit-fields, what addresses show.

use super::builder::Builder;
use crate::concrete::{Flags, Outcome, Value};
use crate::ir::*;

fn byte_of(b: &Builder, var: VarId, i: i64) -> Place {
    Place { base: PlaceBase::Var(var), offset: i, ty: b.uchar, bits: None }
}

#[test]
fn a_pointer_copied_byte_by_byte_still_points() {
    let mut b = Builder::new();
    let (x, p, q) = (b.local(b.int), b.local(b.ptr), b.local(b.ptr));
    b.set(p, b.addr(x, 0));
    for i in 0..8 {
        let value = Expr::load(byte_of(&b, p, i));
        let to = byte_of(&b, q, i);
        b.assign(to, value);
    }
    let place = Place::deref(b.get(q), b.int);
    b.assign(place, b.num(5));
    b.ret(b.get(x));
    let run = b.run();
    assert_eq!((run.outcome, run.flags), (Outcome::Returned(Some(Value::int(5))), Flags::default()));
}

#[test]
fn a_pointer_through_an_integer_and_back_still_points() {
    let mut b = Builder::new();
    let (x, n) = (b.local(b.long), b.local(b.long));
    b.set(n, b.addr(x, 0).cast(b.long));
    let moved = Expr::binary(BinaryOp::Add, b.get(n), Expr::int(4, b.long), b.long);
    b.set(x, Expr::int(0, b.long));
    let place = Place::deref(moved.cast(b.ptr), b.int);
    b.assign(place, b.num(1));
    b.ret(Expr::binary(BinaryOp::Shr, b.get(x), b.num(32), b.long).cast(b.int));
    let run = b.run();
    assert_eq!((run.outcome, run.flags), (Outcome::Returned(Some(Value::int(1))), Flags::default()));
}

#[test]
fn hashing_an_address_makes_the_run_layout_dependent() {
    let mut b = Builder::new();
    let x = b.local(b.long);
    let n = b.addr(x, 0).cast(b.long);
    b.ret(Expr::binary(BinaryOp::Rem, n, Expr::int(31, b.long), b.long).cast(b.int));
    let run = b.run();
    assert!(matches!(run.outcome, Outcome::Returned(_)));
    assert!(run.flags.layout_dependent);
}

#[test]
fn distinct_objects_have_distinct_addresses_in_every_layout() {
    let mut b = Builder::new();
    let (x, y) = (b.local(b.int), b.local(b.int));
    b.ret(Expr::binary(BinaryOp::Eq, b.addr(x, 0), b.addr(y, 0), b.int));
    let run = b.run();
    assert_eq!((run.outcome, run.flags), (Outcome::Returned(Some(Value::int(0))), Flags::default()));
    let mut b = Builder::new();
    let (x, y) = (b.local(b.int), b.local(b.int));
    b.ret(Expr::binary(BinaryOp::Eq, b.addr(x, 4), b.addr(y, 0), b.int));
    assert!(b.run().flags.layout_dependent, "the end of one may be the start of the other");
}

#[test]
fn a_partly_initialized_record_is_copied_as_it_is() {
    let mut b = Builder::new();
    let array = b.program.types.array(b.int, Some(2));
    let (x, y) = (b.local(array), b.local(array));
    let second = |var, b: &Builder| Place { base: PlaceBase::Var(var), offset: 4, ty: b.int, bits: None };
    let place = second(x, &b);
    b.assign(place, b.num(9));
    b.set(y, b.get(x));
    let first_site = b.site(CheckKind::UninitRead);
    let second_site = b.site(CheckKind::UninitRead);
    let place = second(y, &b);
    b.check(Check::Initialized { site: second_site, place: place.clone() });
    let first = Place { offset: 0, ..place };
    b.check(Check::Initialized { site: first_site, place: first });
    b.ret(b.num(0));
    assert_eq!(b.run().error(), Some(first_site));
}

#[test]
fn a_bit_field_is_read_by_its_signedness_and_leaves_its_neighbours() {
    let mut b = Builder::new();
    let x = b.local(b.int);
    let field = |offset, width| Place {
        base: PlaceBase::Var(x),
        offset: 0,
        ty: TypeTable::new(DataModel::Lp64).int(IntKind::Int),
        bits: Some(BitRange { offset, width }),
    };
    b.assign(field(0, 5), b.num(-1));
    let (low, high) = (b.site(CheckKind::UninitRead), b.site(CheckKind::UninitRead));
    b.check(Check::Initialized { site: low, place: field(0, 5) });
    b.assign(field(5, 11), b.num(1000));
    b.assign(field(0, 5), b.num(15));
    let sum = Expr::binary(BinaryOp::Mul, Expr::load(field(0, 5)), Expr::load(field(5, 11)), b.int);
    let out = b.local(b.int);
    b.set(out, sum);
    b.check(Check::Initialized { site: high, place: field(16, 1) });
    b.ret(b.num(0));
    assert_eq!(b.run().error(), Some(high), "the other bits are still indeterminate");
    b.program.functions[FuncId(0)].blocks[BlockId(0)].stmts.pop();
    b.ret(b.get(out));
    assert_eq!(b.result(), 15 * 1000);
}

#[test]
fn static_initializers_hold_at_entry() {
    let mut b = Builder::new();
    let array = b.program.types.array(b.ptr, Some(2));
    let (table, target) = (b.global(array), b.global(b.int));
    b.program.variables[target].init =
        vec![Initializer { offset: 0, ty: b.int, bits: None, value: StaticValue::Int(-7) }];
    b.program.variables[table].init =
        vec![Initializer { offset: 8, ty: b.ptr, bits: None, value: StaticValue::AddrOf(target, 0) }];
    let pointer = Expr::load(Place { base: PlaceBase::Var(table), offset: 8, ty: b.ptr, bits: None });
    b.ret(Expr::load(Place::deref(pointer, b.int)));
    assert_eq!(b.result(), -7);
}

#[test]
fn the_low_bits_of_a_heap_address_are_those_of_its_offset() {
    let mut b = Builder::new();
    let p = b.local(b.ptr);
    b.alloc(p, 64);
    let moved = Expr { kind: ExprKind::PtrAdd(Box::new(b.get(p)), Box::new(Expr::int(5, b.long))), ty: b.ptr };
    b.ret(Expr::binary(BinaryOp::And, moved.cast(b.long), Expr::int(7, b.long), b.long).cast(b.int));
    let run = b.run();
    assert_eq!((run.outcome, run.flags), (Outcome::Returned(Some(Value::int(5))), Flags::default()));
}
