//! A small program for the tests of this room: `main` counts `x` to 10 in a loop, behind a check, and returns `*p`.

use super::program::CallSite;
use super::*;
use crate::base::{IndexVec, SourceMap, Span};

/// The program and the variables `x`, `p` and `t` of its `main`.
pub struct Sample {
    pub program: Program,
    pub x: VarId,
    pub p: VarId,
    pub t: VarId,
}

/// Blocks: 0 entry, 1 loop header, 2 loop body, 3 exit.
pub fn counting_loop() -> Sample {
    let mut types = TypeTable::new(DataModel::Lp64);
    let int = types.int(IntKind::Int);
    let int_ptr = types.pointer(int);
    let fn_type =
        types.intern(Type::Function(FnType { result: int, params: vec![], variadic: false, prototyped: true }));
    let mut sources = SourceMap::default();
    let file = sources.intern("count.c");
    let at = |line| Span { file, line, column: 5 };
    let mut program = Program::new(types, sources);
    let main = FuncId(0);
    let mut local = |name: &str, ty, storage, address_taken| {
        let size = if ty == int { 4 } else { 8 };
        let (name, span) = (name.to_owned(), at(2));
        let init = vec![];
        program.variables.push(Variable {
            name,
            ty,
            storage,
            span,
            size,
            constant: ConstantBytes::None,
            defined: true,
            system: false,
            init,
            address_taken,
        })
    };
    let x = local("x", int, Storage::Local(main), true);
    let p = local("p", int_ptr, Storage::Local(main), false);
    let t = local("t", int, Storage::Temp(main), false);
    let site = |kind| CheckSite { kind, function: main, span: at(4), subject: "x + 1".into() };
    let overflow = program.sites.push(site(CheckKind::SignedOverflow));
    let load_x = || Expr::load(Place::var(x, int));
    let one = || Expr::int(1, int);
    let assign = |place, value| StmtKind::Assign { place, value };
    let stmt = |kind| Stmt { kind, span: at(4) };
    let block = |kinds: Vec<StmtKind>, terminator| Block {
        stmts: kinds.into_iter().map(stmt).collect(),
        terminator,
        span: at(5),
        keyword: None,
    };
    let address = Expr { kind: ExprKind::AddrOf(x, 0), ty: int_ptr };
    let less = Expr::binary(BinaryOp::Lt, load_x(), Expr::int(10, int), int);
    let sum = Expr::binary(BinaryOp::Add, load_x(), one(), int);
    let no_overflow = Check::NoOverflow { site: overflow, op: BinaryOp::Add, lhs: load_x(), rhs: one(), ty: int };
    let load_p = Expr::load(Place::var(p, int_ptr));
    let blocks = [
        block(
            vec![
                StmtKind::StorageLive(x),
                assign(Place::var(x, int), Expr::int(0, int)),
                assign(Place::var(p, int_ptr), address),
            ],
            Terminator::Goto(BlockId(1)),
        ),
        block(vec![], Terminator::Branch { cond: less, then_to: BlockId(2), else_to: BlockId(3) }),
        block(
            vec![
                StmtKind::Check(Box::new(no_overflow)),
                assign(Place::var(t, int), sum),
                assign(Place::var(x, int), Expr::load(Place::var(t, int))),
            ],
            Terminator::Goto(BlockId(1)),
        ),
        block(vec![], Terminator::Return(Some(Expr::load(Place::deref(load_p, int))))),
    ];
    program.functions.push(Function {
        name: "main".into(),
        ty: fn_type,
        linkage: Linkage::External,
        span: at(1),
        params: vec![],
        locals: vec![x, p, t],
        blocks: blocks.into_iter().collect::<IndexVec<_, _>>(),
        noreturn: false,
        failed: None,
        undeclared: false,
        system: false,
        library: false,
    });
    Sample { program, x, p, t }
}

/// A call table entry in `main`.
pub fn call_in_main() -> CallSite {
    CallSite { function: FuncId(0), span: Span::NONE }
}
