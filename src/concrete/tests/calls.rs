//! Variable arguments, the arguments of `main`, sorting, objects that others define, and the 32-bit data model.

use super::builder::Builder;
use crate::concrete::{Arguments, Flags, InputPlace, InputValue, Limits, Outcome, Script, Value};
use crate::ir::*;

/// Makes the function that the builder is at take further arguments.
fn make_variadic(b: &mut Builder) {
    let Type::Function(f) = b.program.types.get(b.program.functions[b.function].ty).clone() else { panic!() };
    b.program.functions[b.function].ty = b.program.types.intern(Type::Function(FnType { variadic: true, ..f }));
}

fn sum_of_two(model: DataModel, first: Expr, second: fn(&Builder) -> Expr) -> Outcome {
    let mut b = Builder::with(model);
    let r = b.local(b.int);
    let args = vec![first, second(&b)];
    b.call(Some(r), Callee::Direct(FuncId(1)), args);
    b.ret(b.get(r));
    b.function("sum", b.int, &[]);
    make_variadic(&mut b);
    let record = b.program.types.array(b.long, Some(3));
    let (list, again) = (b.local(record), b.local(record));
    let (x, y, z) = (b.local(b.int), b.local(b.int), b.local(b.int));
    b.stmt(StmtKind::VaStart { list: b.addr(list, 0) });
    let dest = b.place(x);
    b.stmt(StmtKind::VaArg { list: b.addr(list, 0), dest });
    b.stmt(StmtKind::VaCopy { dest: b.addr(again, 0), source: b.addr(list, 0) });
    for (from, to) in [(list, y), (again, z)] {
        let dest = b.place(to);
        b.stmt(StmtKind::VaArg { list: b.addr(from, 0), dest });
    }
    let first = Expr::binary(BinaryOp::Mul, b.get(x), b.num(100), b.int);
    let rest = Expr::binary(BinaryOp::Add, b.get(y), b.get(z), b.int);
    b.ret(Expr::binary(BinaryOp::Add, first, rest, b.int));
    b.run().outcome
}

#[test]
fn copies_of_an_argument_list_walk_on_their_own() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let b = Builder::with(model);
        let outcome = sum_of_two(model, b.num(3), |b| b.num(4));
        assert_eq!(outcome, Outcome::Returned(Some(Value::int(308))), "{model:?}");
    }
}

#[test]
fn an_argument_taken_as_another_type_leaves_the_run_undecided() {
    let outcome = sum_of_two(DataModel::Lp64, Builder::new().num(3), |b| Expr {
        kind: ExprKind::Float(Real::double(1.5)),
        ty: b.program.types.float(FloatKind::Double),
    });
    assert!(matches!(outcome, Outcome::Undecided(_)), "{outcome:?}");
}

#[test]
fn an_argument_list_of_a_returned_function_is_not_followed() {
    let mut b = Builder::new();
    let record = b.program.types.array(b.long, Some(3));
    let list = b.global(record);
    let x = b.local(b.int);
    b.call(None, Callee::Direct(FuncId(1)), vec![b.num(1)]);
    let dest = b.place(x);
    b.stmt(StmtKind::VaArg { list: b.addr(list, 0), dest });
    b.ret(b.get(x));
    b.function("start", b.int, &[]);
    make_variadic(&mut b);
    b.stmt(StmtKind::VaStart { list: b.addr(list, 0) });
    b.ret(b.num(0));
    assert!(matches!(b.run().outcome, Outcome::Undecided(_)));
}

#[test]
fn the_arguments_of_main_are_strings_with_a_null_behind() {
    let mut b = Builder::new();
    let (main, params) = b.function("main", b.int, &[b.int, b.ptr]);
    let input = b.input_site();
    let (argc, argv) = (b.place(params[0]), b.place(params[1]));
    b.stmt(StmtKind::ProgramArgs { input, argc, argv, envp: None });
    let at = |b: &Builder, bytes: i128| Expr {
        kind: ExprKind::PtrAdd(Box::new(b.get(params[1])), Box::new(Expr::int(bytes, b.long))),
        ty: b.ptr,
    };
    let second = Expr::load(Place::deref(at(&b, 8), b.ptr));
    let letter = Expr::load(Place::deref(second, b.uchar)).cast(b.int);
    let last = Expr::load(Place::deref(at(&b, 16), b.ptr));
    let ends = Expr::binary(BinaryOp::Eq, last, Expr::int(0, b.ptr), b.int);
    let product = Expr::binary(BinaryOp::Mul, letter, b.get(params[0]), b.int);
    b.ret(Expr::binary(BinaryOp::Add, product, ends, b.int));
    let arguments = Arguments { argv: vec![b"p".to_vec(), b"A".to_vec()], envp: vec![] };
    let run = crate::concrete::run(
        &b.program,
        main,
        &mut Script::of(vec![InputValue::Arguments(arguments)]),
        &Limits::default(),
    );
    assert_eq!((run.outcome, run.flags), (Outcome::Returned(Some(Value::int(2 * 65 + 1))), Flags::default()));
}

#[test]
fn sorting_calls_the_comparison_and_keeps_equal_elements_in_order() {
    let mut b = Builder::new();
    let array = b.program.types.array(b.int, Some(4));
    let a = b.local(array);
    let element = |b: &Builder, i: i64| Place { base: PlaceBase::Var(a), offset: 4 * i, ty: b.int, bits: None };
    for (i, v) in [32, 11, 31, 12].into_iter().enumerate() {
        let place = element(&b, i as i64);
        b.assign(place, b.num(v));
    }
    let compare = Expr { kind: ExprKind::FuncAddr(FuncId(1)), ty: b.ptr };
    let args = vec![b.addr(a, 0), b.length(4), b.length(4), compare];
    b.stmt(StmtKind::Lib { function: LibFn::Sort, dest: None, args });
    let digits = (0..4).fold(b.num(0), |n, i| {
        let shifted = Expr::binary(BinaryOp::Mul, n, b.num(100), b.int);
        Expr::binary(BinaryOp::Add, shifted, Expr::load(element(&b, i)), b.int)
    });
    b.ret(digits);
    // Compares the tens alone.
    let (_, params) = b.function("compare", b.int, &[b.ptr, b.ptr]);
    let tens =
        |b: &Builder, p| Expr::binary(BinaryOp::Div, Expr::load(Place::deref(b.get(p), b.int)), b.num(10), b.int);
    b.ret(Expr::binary(BinaryOp::Sub, tens(&b, params[0]), tens(&b, params[1]), b.int));
    assert_eq!(b.result(), 11_12_32_31);
}

#[test]
fn the_content_of_an_undefined_object_is_an_input() {
    let mut b = Builder::new();
    let x = b.global(b.int);
    b.program.variables[x].defined = false;
    b.ret(Expr::binary(BinaryOp::Add, b.get(x), b.get(x), b.int));
    let run = b.run_with(&mut Script::of(vec![InputValue::Int(21)]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(Value::int(42))), "read once, then known");
    assert!(run.flags.extern_dependent && run.inputs[0].place == InputPlace::External(x, 0));
    let p = b.global(b.ptr);
    b.program.variables[p].defined = false;
    b.ret(Expr::load(Place::deref(b.get(p), b.int)));
    assert!(matches!(b.run().outcome, Outcome::Undecided(_)));
}

#[test]
fn parameters_of_the_entry_function_are_inputs() {
    let mut b = Builder::new();
    let (g, params) = b.function("g", b.int, &[b.uchar]);
    b.ret(b.get(params[0]).cast(b.int));
    let run = crate::concrete::run(&b.program, g, &mut Script::of(vec![InputValue::Int(300)]), &Limits::default());
    assert_eq!(run.outcome, Outcome::Returned(Some(Value::int(255))), "moved into the type's range");
    assert_eq!(run.inputs[0].range, Some((0, 255)));
}

#[test]
fn pointers_of_the_32_bit_model_take_four_bytes() {
    let mut b = Builder::with(DataModel::Ilp32);
    let array = b.program.types.array(b.ptr, Some(2));
    let (a, x) = (b.local(array), b.local(b.int));
    let second = Place { base: PlaceBase::Var(a), offset: 4, ty: b.ptr, bits: None };
    let value = b.addr(x, 0);
    b.assign(second.clone(), value);
    // The bytes behind the first pointer are the second, whole.
    let number = Expr::load(Place { ty: b.long, ..second });
    let place = Place::deref(number.cast(b.ptr), b.int);
    b.assign(place, b.num(6));
    b.ret(b.get(x));
    let run = b.run();
    assert_eq!((run.outcome, run.flags), (Outcome::Returned(Some(Value::int(6))), Flags::default()));
}

#[test]
fn half_an_address_makes_the_run_layout_dependent() {
    let mut b = Builder::new();
    let (x, n) = (b.local(b.int), b.local(b.int));
    b.set(n, b.addr(x, 0).cast(b.int));
    let [null, ..] = b.access(b.get(n).cast(b.ptr), 4, AccessMode::Write);
    b.ret(b.num(0));
    let run = b.run();
    assert!(run.flags.layout_dependent, "{:?} {null}", run.outcome);
}
