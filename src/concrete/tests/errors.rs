//! Checks: each kind fails where it must, in the order of its sites, and nowhere else.

use super::builder::Builder;
use crate::concrete::{Flags, Limits, Outcome, Script, Value};
use crate::ir::*;

#[test]
fn division_by_zero_errs_at_its_site() {
    let mut b = Builder::new();
    let site = b.site(CheckKind::DivByZero);
    b.check(Check::NonZero { site, divisor: b.num(0) });
    b.ret(b.num(0));
    assert_eq!(b.run().error(), Some(site));
}

#[test]
fn overflow_is_judged_without_bounds() {
    for (op, lhs, rhs, errs) in [
        (BinaryOp::Add, i32::MAX, 1, true),
        (BinaryOp::Add, i32::MAX, 0, false),
        (BinaryOp::Sub, 0, i32::MIN, true),
        (BinaryOp::Mul, 1 << 16, 1 << 15, true),
        (BinaryOp::Mul, -(1 << 16), 1 << 15, false),
        (BinaryOp::Div, i32::MIN, -1, true),
        (BinaryOp::Rem, i32::MIN, -1, true),
        (BinaryOp::Div, i32::MIN, 0, false),
    ] {
        let mut b = Builder::new();
        let site = b.site(CheckKind::SignedOverflow);
        let (l, r) = (b.num(lhs.into()), b.num(rhs.into()));
        b.check(Check::NoOverflow { site, op, lhs: l, rhs: r, ty: b.int });
        b.ret(b.num(0));
        assert_eq!(b.run().error().is_some(), errs, "{lhs} {} {rhs}", op.symbol());
    }
}

#[test]
fn a_check_that_continues_is_noted_and_passed() {
    let mut b = Builder::new();
    let site = b.site(CheckKind::UnsignedOverflow);
    let uint = b.program.types.int(IntKind::UInt);
    let check =
        Check::NoOverflow { site, op: BinaryOp::Sub, lhs: Expr::int(0, uint), rhs: Expr::int(1, uint), ty: uint };
    b.check(check);
    b.ret(b.num(4));
    let limits = Limits { checks: CheckKind::ALL.to_vec(), ..Limits::default() };
    let run = b.run_with(&mut Script::default(), &limits);
    assert_eq!((run.outcome, run.continued), (Outcome::Returned(Some(Value::int(4))), vec![site]));
    assert_eq!(b.run().continued, vec![], "not enabled by default");
}

#[test]
fn an_access_is_judged_null_then_dangling_then_bounds() {
    // Each program makes a pointer differently; the expected failing site is given by its number.
    type Make = fn(&mut Builder, VarId);
    let cases: [(&str, Make, Option<usize>); 8] = [
        ("null", |b, p| b.set(p, Expr::int(0, b.ptr)), Some(0)),
        ("a number", |b, p| b.set(p, Expr::int(1234, b.ptr)), Some(0)),
        ("a function", |b, p| b.set(p, Expr { kind: ExprKind::FuncAddr(FuncId(0)), ty: b.ptr }), Some(0)),
        (
            "freed",
            |b, p| {
                b.alloc(p, 4);
                b.stmt(StmtKind::Free { ptr: b.get(p) });
            },
            Some(1),
        ),
        ("too small", |b, p| b.alloc(p, 3), Some(2)),
        ("just right", |b, p| b.alloc(p, 4), None),
        (
            "before the object",
            |b, p| {
                let x = b.local(b.long);
                b.set(p, b.addr(x, -1));
            },
            Some(2),
        ),
        (
            "out of scope",
            |b, p| {
                let x = b.local(b.int);
                b.set(p, b.addr(x, 0));
                b.stmt(StmtKind::StorageDead(x));
            },
            Some(1),
        ),
    ];
    for (name, make, expected) in cases {
        let mut b = Builder::new();
        let p = b.local(b.ptr);
        make(&mut b, p);
        let sites = b.access(b.get(p), 4, AccessMode::Read);
        b.ret(b.num(0));
        let run = b.run();
        assert_eq!(run.error(), expected.map(|i| sites[i]), "{name}: {:?}", run.outcome);
        assert_eq!(run.flags, Flags::default(), "{name}");
    }
}

#[test]
fn a_write_to_a_literal_fails_the_null_site() {
    let mut b = Builder::new();
    let array = b.program.types.array(b.uchar, Some(4));
    let literal = b.variable(array, Storage::Literal);
    let read = b.access(b.addr(literal, 0), 4, AccessMode::Read);
    let write = b.access(b.addr(literal, 0), 4, AccessMode::Write);
    b.ret(b.num(0));
    let error = b.run().error();
    assert_eq!(error, Some(write[0]));
    assert_ne!(error, Some(read[0]));
}

#[test]
fn the_address_of_a_returned_functions_variable_dangles() {
    let mut b = Builder::new();
    let (p, q) = (b.local(b.ptr), b.local(b.int));
    b.call(Some(p), Callee::Direct(FuncId(1)), vec![]);
    // The slot is used again by another call before the access.
    b.call(Some(q), Callee::Direct(FuncId(2)), vec![]);
    let sites = b.access(b.get(p), 4, AccessMode::Read);
    b.ret(b.num(0));
    b.function("g", b.ptr, &[]);
    let x = b.local(b.int);
    b.ret(b.addr(x, 0));
    b.function("h", b.int, &[]);
    let y = b.local(b.int);
    let place = Place::deref(b.addr(y, 0), b.int);
    b.assign(place, b.num(1));
    b.ret(b.num(0));
    assert_eq!(b.run().error(), Some(sites[1]));
}

#[test]
fn freeing_is_judged_by_where_the_pointer_points() {
    for (moved, twice, expected) in [(0, false, None), (1, false, Some(0)), (0, true, Some(1))] {
        let mut b = Builder::new();
        let p = b.local(b.ptr);
        b.alloc(p, 8);
        let (invalid, double) = (b.site(CheckKind::InvalidFree), b.site(CheckKind::DoubleFree));
        if twice {
            b.stmt(StmtKind::Free { ptr: b.get(p) });
        }
        let moved = Expr { kind: ExprKind::PtrAdd(Box::new(b.get(p)), Box::new(Expr::int(moved, b.long))), ty: b.ptr };
        b.check(Check::Freeable { ptr: moved, double, invalid });
        b.ret(b.num(0));
        assert_eq!(b.run().error(), expected.map(|i| [invalid, double][i]));
    }
}

#[test]
fn an_indeterminate_scalar_fails_its_check_or_flags_the_run() {
    let mut b = Builder::new();
    let x = b.local(b.int);
    let site = b.site(CheckKind::UninitRead);
    let place = b.place(x);
    b.check(Check::Initialized { site, place });
    let sum = Expr::binary(BinaryOp::Add, b.get(x), b.num(1), b.int);
    b.ret(sum);
    assert_eq!(b.run().error(), Some(site));
    let run = b.run_with(&mut Script::default(), &Limits { checks: vec![], ..Limits::default() });
    assert_eq!(run.outcome, Outcome::Returned(Some(Value::int(1))));
    assert!(run.flags.indeterminate);
}

#[test]
fn a_disabled_memory_check_leaves_the_run_stuck() {
    let mut b = Builder::new();
    b.access(Expr::int(0, b.ptr), 4, AccessMode::Read);
    b.ret(b.num(0));
    let run = b.run_with(&mut Script::default(), &Limits { checks: vec![], ..Limits::default() });
    assert!(matches!(run.outcome, Outcome::Stuck(_)), "{:?}", run.outcome);
}

#[test]
fn a_string_must_end_in_its_object_or_before_the_limit() {
    for (size, max, errs) in [(3, None, true), (4, None, false), (3, Some(3), false), (3, Some(4), true)] {
        let mut b = Builder::new();
        let array = b.program.types.array(b.uchar, Some(size));
        let s = b.global(array);
        let mut bytes = b"abc\0".to_vec();
        bytes.truncate(size as usize);
        b.program.variables[s].init =
            vec![Initializer { offset: 0, ty: array, bits: None, value: StaticValue::Bytes(bytes) }];
        let bounds = b.site(CheckKind::OutOfBounds);
        let (ptr, max) = (b.addr(s, 0), max.map(|m| b.length(m)));
        b.check(Check::Terminated { ptr, char_size: 1, max, null: None, dangling: None, uninit: None, bounds });
        b.ret(b.num(0));
        assert_eq!(b.run().error().is_some(), errs);
    }
}
