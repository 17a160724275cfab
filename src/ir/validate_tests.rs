use super::super::sample::{Sample, call_in_main, counting_loop};
use super::*;
use crate::ir::{BinaryOp, IntKind, Linkage};

fn main_block(s: &mut Sample, b: u32) -> &mut Block {
    &mut s.program.functions[FuncId(0)].blocks[BlockId(b)]
}

/// What validation says after `change`.
#[track_caller]
fn check(change: impl FnOnce(&mut Sample), wanted: &[&str]) {
    let mut sample = counting_loop();
    change(&mut sample);
    let said: Vec<String> = validate(&sample.program).iter().map(|v| v.to_string()).collect();
    assert_eq!(said, wanted);
}

#[test]
fn a_well_formed_program_has_no_violations() {
    check(|_| {}, &[]);
}

#[test]
fn a_jump_to_a_missing_block_is_found() {
    check(|s| main_block(s, 0).terminator = Terminator::Goto(BlockId(9)), &["function main, bb0: bb9 does not exist"]);
}

#[test]
fn a_site_judged_twice_is_found() {
    check(
        |s| {
            let again = main_block(s, 2).stmts[0].clone();
            main_block(s, 2).stmts.push(again);
        },
        &["function main: site0 is used 2 times"],
    );
}

#[test]
fn a_site_never_judged_is_found() {
    check(
        |s| {
            main_block(s, 2).stmts.remove(0);
        },
        &["function main: site0 is used 0 times"],
    );
}

#[test]
fn a_call_of_no_statement_is_found() {
    check(
        |s| {
            s.program.calls.push(call_in_main());
        },
        &["function main: call0 is used 0 times"],
    );
}

#[test]
fn a_site_of_another_kind_than_its_check_is_found() {
    check(
        |s| s.program.sites[SiteId(0)].kind = CheckKind::Shift,
        &["function main, bb2: site0 of kind shift in such a check"],
    );
}

#[test]
fn operands_of_different_types_are_found() {
    check(
        |s| {
            let (int, long) = (s.program.types.int(IntKind::Int), s.program.types.int(IntKind::Long));
            let sum = Expr::binary(BinaryOp::Add, Expr::int(1, int), Expr::int(1, long), int);
            main_block(s, 3).terminator = Terminator::Return(Some(sum));
        },
        &["function main, bb3: int + long gives int"],
    );
}

#[test]
fn an_assignment_across_types_is_found() {
    check(
        |s| {
            let long = s.program.types.int(IntKind::Long);
            let place = Place::var(s.t, s.program.types.int(IntKind::Int));
            let kind = StmtKind::Assign { place, value: Expr::int(1, long) };
            main_block(s, 0).stmts[1].kind = kind;
        },
        &["function main, bb0: assigns long to a place of int"],
    );
}

#[test]
fn a_constant_outside_its_type_is_found() {
    check(
        |s| {
            let int = s.program.types.int(IntKind::Int);
            main_block(s, 3).terminator = Terminator::Return(Some(Expr::int(1 << 40, int)));
        },
        &["function main, bb3: constant 1099511627776 of type int"],
    );
}

#[test]
fn a_local_that_its_function_does_not_list_is_found() {
    check(
        |s| {
            s.program.functions[FuncId(0)].locals.pop();
        },
        &["variable t#2: listed 0 times by its function f0"],
    );
}

#[test]
fn initializers_that_overlap_or_leave_the_object_are_found() {
    check(
        |s| {
            let int = s.program.types.int(IntKind::Int);
            let init = |offset| Initializer { offset, ty: int, bits: None, value: StaticValue::Int(1) };
            let mut global = s.program.variables[s.x].clone();
            global.storage = Storage::Global(Linkage::External);
            global.name = "g".into();
            global.init = vec![init(0), init(2)];
            s.program.variables.push(global);
        },
        &["variable g#3: initializer at +2 of 4 bytes leaves the object", "variable g#3: initializers overlap"],
    );
}

#[test]
fn an_aggregate_inside_an_expression_is_found() {
    check(
        |s| {
            let int = s.program.types.int(IntKind::Int);
            let pair = s.program.types.array(int, Some(1));
            let mut place = Place::var(s.x, pair);
            place.offset = 0;
            let inner = Expr { kind: ExprKind::Cast(Box::new(Expr::load(place))), ty: int };
            main_block(s, 3).terminator = Terminator::Return(Some(inner));
        },
        &["function main, bb3: int[1] loaded inside an expression"],
    );
}
