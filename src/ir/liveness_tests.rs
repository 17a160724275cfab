use super::super::sample::counting_loop;
use super::*;
use crate::ir::{FuncId, IntKind, Stmt};

fn live_in(change: impl FnOnce(&mut Function)) -> (Vec<Vec<VarId>>, VarId, VarId) {
    let mut sample = counting_loop();
    change(&mut sample.program.functions[FuncId(0)]);
    let f = &sample.program.functions[FuncId(0)];
    let live = Liveness::of(&sample.program, f, &Cfg::of(f));
    (f.blocks.indices().map(|b| live.live_in(b).to_vec()).collect(), sample.p, sample.t)
}

#[test]
fn a_pointer_read_behind_a_loop_lives_through_it() {
    let (live, p, _) = live_in(|_| {});
    assert_eq!(live, [vec![], vec![p], vec![p], vec![p]]);
}

#[test]
fn a_variable_whose_address_is_taken_is_always_live() {
    let sample = counting_loop();
    let f = &sample.program.functions[FuncId(0)];
    let live = Liveness::of(&sample.program, f, &Cfg::of(f));
    assert!(!live.tracks(sample.x) && live.is_live_in(BlockId(0), sample.x));
    assert!(live.tracks(sample.t) && !live.is_live_in(BlockId(2), sample.t));
}

#[test]
fn a_partial_write_does_not_end_liveness() {
    let sample = counting_loop();
    let (p, short) = (sample.p, sample.program.types.int(IntKind::Short));
    let write = |ty, value| StmtKind::Assign { place: Place::var(p, ty), value };
    let put = |f: &mut Function, kind| {
        let span = f.span;
        f.blocks[BlockId(3)].stmts.push(Stmt { kind, span });
    };
    let (live, ..) = live_in(|f| put(f, write(short, Expr::int(0, short))));
    assert_eq!(live[3], [p]);
    let ptr = sample.program.variables[p].ty;
    let (live, ..) = live_in(|f| put(f, write(ptr, Expr::int(0, ptr))));
    assert!(live[3].is_empty());
}
