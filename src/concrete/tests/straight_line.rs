//! Assignments, loops, calls, inputs, limits.

use super::builder::Builder;
use crate::concrete::{Fuel, InputValue, Limits, Outcome, Script, Value};
use crate::ir::*;

fn add(b: &Builder, x: Expr, y: Expr) -> Expr {
    Expr::binary(BinaryOp::Add, x, y, b.int)
}

#[test]
fn a_loop_sums_its_counter() {
    let mut b = Builder::new();
    let (i, sum) = (b.local(b.int), b.local(b.int));
    b.set(i, b.num(0));
    b.set(sum, b.num(0));
    let (head, body, exit) = (b.new_block(), b.new_block(), b.new_block());
    b.end(Terminator::Goto(head));
    b.block = head;
    let cond = Expr::binary(BinaryOp::Lt, b.get(i), b.num(10), b.int);
    b.end(Terminator::Branch { cond, then_to: body, else_to: exit });
    b.block = body;
    b.set(sum, add(&b, b.get(sum), b.get(i)));
    b.set(i, add(&b, b.get(i), b.num(1)));
    b.end(Terminator::Goto(head));
    b.block = exit;
    b.ret(b.get(sum));
    assert_eq!(b.result(), 45);
}

#[test]
fn signed_arithmetic_wraps_when_nothing_judges_it() {
    let mut b = Builder::new();
    b.ret(add(&b, b.num(i32::MAX.into()), b.num(1)));
    assert_eq!(b.result(), i32::MIN.into());
}

#[test]
fn recursion_keeps_each_frames_variables() {
    let mut b = Builder::new();
    let r = b.local(b.int);
    b.call(Some(r), Callee::Direct(FuncId(1)), vec![b.num(10)]);
    b.ret(b.get(r));
    let (fib, params) = b.function("fib", b.int, &[b.int]);
    let n = params[0];
    let (x, y) = (b.local(b.int), b.local(b.int));
    let (small, large) = (b.new_block(), b.new_block());
    let cond = Expr::binary(BinaryOp::Lt, b.get(n), b.num(2), b.int);
    b.end(Terminator::Branch { cond, then_to: small, else_to: large });
    b.block = small;
    b.ret(b.get(n));
    b.block = large;
    b.call(Some(x), Callee::Direct(fib), vec![Expr::binary(BinaryOp::Sub, b.get(n), b.num(1), b.int)]);
    b.call(Some(y), Callee::Direct(fib), vec![Expr::binary(BinaryOp::Sub, b.get(n), b.num(2), b.int)]);
    b.ret(add(&b, b.get(x), b.get(y)));
    assert_eq!(b.result(), 55);
}

#[test]
fn endless_recursion_ends_at_the_depth_limit() {
    let mut b = Builder::new();
    b.call(None, Callee::Direct(FuncId(0)), vec![]);
    b.ret(b.num(0));
    assert_eq!(b.run().outcome, Outcome::OutOfFuel(Fuel::CallDepth));
}

#[test]
fn an_endless_loop_ends_at_the_statement_limit() {
    let mut b = Builder::new();
    b.end(Terminator::Goto(BlockId(0)));
    let run = b.run_with(&mut Script::default(), &Limits { statements: 1000, ..Limits::default() });
    assert_eq!((run.outcome, run.statements), (Outcome::OutOfFuel(Fuel::Statements), 1000));
}

#[test]
fn a_function_without_a_body_leaves_the_run_undecided() {
    let mut b = Builder::new();
    b.call(None, Callee::Direct(FuncId(1)), vec![]);
    b.ret(b.num(0));
    let (g, _) = b.function("g", b.int, &[]);
    b.program.functions[g].blocks = Default::default();
    assert_eq!(b.run().outcome, Outcome::Undecided("function 'g' has no body".into()));
}

#[test]
fn an_indirect_call_calls_what_the_pointer_holds() {
    let mut b = Builder::new();
    let (p, r) = (b.local(b.ptr), b.local(b.int));
    b.set(p, Expr { kind: ExprKind::FuncAddr(FuncId(1)), ty: b.ptr });
    b.call(Some(r), Callee::Indirect(b.get(p)), vec![]);
    b.ret(b.get(r));
    b.function("g", b.int, &[]);
    b.ret(b.num(7));
    assert_eq!(b.result(), 7);
}

#[test]
fn inputs_come_from_the_script_and_are_logged_with_their_range() {
    let mut b = Builder::new();
    let x = b.local(b.int);
    let input = b.input_site();
    let (dest, low, high) = (b.place(x), b.num(0), b.num(9));
    b.stmt(StmtKind::Input { input, dest, range: Some((low, high)) });
    b.ret(b.get(x));
    let run = b.run_with(&mut Script::of(vec![InputValue::Int(12)]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(Value::int(9))));
    assert_eq!((run.inputs[0].value.clone(), run.inputs[0].range), (InputValue::Int(9), Some((0, 9))));
    let again = b.run_with(&mut Script::replay(&run.inputs), &Limits::default());
    assert_eq!(again.outcome, run.outcome);
}

#[test]
fn a_false_assumption_ends_the_run() {
    let mut b = Builder::new();
    b.stmt(StmtKind::Assume { cond: b.num(0) });
    b.ret(b.num(0));
    assert_eq!(b.run().outcome, Outcome::Assumption);
}

#[test]
fn exit_ends_the_program_with_its_status() {
    let mut b = Builder::new();
    b.end(Terminator::Exit(Some(b.num(3))));
    assert_eq!(b.run().outcome, Outcome::Exit(3));
}

#[test]
fn a_switch_takes_the_range_that_holds_the_value() {
    let mut b = Builder::new();
    let (one, other) = (b.new_block(), b.new_block());
    let cases = vec![Case { low: -5, high: 5, target: one }];
    b.end(Terminator::Switch { value: b.num(-3), cases, default: other });
    b.block = one;
    b.ret(b.num(1));
    b.block = other;
    b.ret(b.num(2));
    assert_eq!(b.result(), 1);
}

#[test]
fn deep_expressions_are_evaluated_or_refused() {
    for (depth, runs) in [(390, true), (5_000, false)] {
        let mut b = Builder::new();
        let x = b.local(b.ptr);
        b.set(x, b.addr(x, 0));
        let mut e = b.get(x);
        for _ in 0..depth / 2 {
            e = Expr::load(Place::deref(e, b.ptr));
        }
        b.ret(Expr::binary(BinaryOp::Eq, e, b.addr(x, 0), b.int));
        match b.run().outcome {
            Outcome::Returned(Some(v)) => assert!(runs && v == Value::int(1)),
            other => assert!(!runs && matches!(other, Outcome::Undecided(_)), "{other:?}"),
        }
    }
}
