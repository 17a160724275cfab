//! Statements, blocks and terminators of the control-flow graph.

use super::{AllocId, CallId, Check, Expr, FuncId, InputId, LibFn, Place, VarId};
use crate::base::Span;

crate::new_index! {
    /// A basic block of one function; block 0 is the entry.
    pub struct BlockId = "bb";
}

/// A statement and where it stands in the source.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// The name under which a statement says that an assertion begins whose check stands where its condition is 0.
pub const ASSERT: &str = "assert";

/// What a statement does. Expressions are evaluated before anything is written.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// Judges sites; on failure of one that does not `continue`, execution ends in the error state.
    Check(Box<Check>),
    /// Writes `value` (of `place.ty`, bit-fields: of the unit's type, cut to the width). Record and array values copy all bytes, indeterminate ones too; what padding then holds is open.
    Assign { place: Place, value: Expr },
    /// Only executions with `cond` (an `int`) not 0 go on; the others never existed.
    Assume { cond: Expr },
    /// Calls a function of the program, one without a body, or through a pointer. Arguments of record type are loads.
    Call { call: CallId, dest: Option<Place>, callee: Callee, args: Vec<Expr> },
    /// Calls a library function by its contract ([`LibFn`]); its checks stand before it.
    Lib { function: LibFn, dest: Option<Place>, args: Vec<Expr> },
    /// A call of the library function `name`, which the program does not define, begins here. Does nothing: the arguments were evaluated before, its
    /// checks and effects are the statements that follow, if it has any.
    LibraryCall { name: String, args: Vec<Expr> },
    /// `dest` (an integer or float scalar) gets an input value in `[low, high]` (of `dest.ty`; None: the type's range).
    Input { input: InputId, dest: Place, range: Option<(Expr, Expr)> },
    /// `len` bytes (of `size_t`) from `ptr` on get input values.
    InputBytes { input: InputId, ptr: Expr, len: Expr },
    /// `dest` gets the address of a new block of `size` bytes (of `size_t`), or NULL if `fails` and the input says so or the size exceeds `PTRDIFF_MAX`.
    /// `zeroed`: all bytes 0, else indeterminate.
    Alloc { alloc: AllocId, dest: Place, size: Expr, zeroed: bool, fails: Option<InputId> },
    /// Resizes: as `Alloc` plus copy of the smaller size plus `Free` of `ptr`, unless it fails; `ptr` NULL: as `Alloc`. `ptr`'s checks stand before.
    Realloc { alloc: AllocId, dest: Place, ptr: Expr, size: Expr, fails: InputId },
    /// Ends the lifetime of the block at `ptr`; nothing for NULL. Checks stand before.
    Free { ptr: Expr },
    /// The variable's lifetime begins (anew), its bytes indeterminate. Locals that have none in the body live from entry.
    StorageLive(VarId),
    /// The variable's lifetime ends until the next `StorageLive`.
    StorageDead(VarId),
    /// `va_start` on the `va_list` object at `list`: the arguments behind the named ones.
    VaStart { list: Expr },
    /// `va_arg`: `dest` gets the next argument, read as `dest.ty`.
    VaArg { list: Expr, dest: Place },
    /// `va_copy`.
    VaCopy { dest: Expr, source: Expr },
    /// `va_end`.
    VaEnd { list: Expr },
    /// The arguments of `main`: `argc` gets an input >= 0, `argv` an array of that many pointers to zero-terminated input strings with a NULL behind, `envp` likewise.
    ProgramArgs { input: InputId, argc: Place, argv: Place, envp: Option<Place> },
    /// Something the front end cannot express: every engine must give up precision here (any memory reachable may
    /// change, `dest` gets anything); the interpreter stops undecided.
    Unsupported { what: String, dest: Option<Place> },
}

/// Whom a call calls.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    Direct(FuncId),
    /// A pointer to a function, checked before by [`Check::Callable`].
    Indirect(Expr),
}

/// A range of `switch` values.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub low: i128,
    pub high: i128,
    pub target: BlockId,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    Goto(BlockId),
    /// `cond` is any scalar; not 0 goes to `then_to`.
    Branch {
        cond: Expr,
        then_to: BlockId,
        else_to: BlockId,
    },
    /// The case that holds `value` (ranges do not overlap), else the default.
    Switch {
        value: Expr,
        cases: Vec<Case>,
        default: BlockId,
    },
    /// GNU `goto *target` to one of the function's labels whose address is taken.
    IndirectGoto {
        target: Expr,
        labels: Vec<BlockId>,
    },
    /// Returns to the caller; None also from functions with a result when control falls off the end (then indeterminate).
    Return(Option<Expr>),
    /// The program ends (`exit`, `abort`), with this status.
    Exit(Option<Expr>),
    /// Control cannot come here (after a function that never returns, `__builtin_unreachable`).
    Unreachable,
}

/// Statements run in order, then the terminator.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub terminator: Terminator,
    /// Where the terminator stands.
    pub span: Span,
    /// The loop statement whose turns begin here: the place of its `while`, `do` or `for`.
    pub keyword: Option<Span>,
}

impl Terminator {
    /// Successor blocks in order; may repeat.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Goto(b) => vec![*b],
            Terminator::Branch { then_to, else_to, .. } => vec![*then_to, *else_to],
            Terminator::Switch { cases, default, .. } => {
                cases.iter().map(|c| c.target).chain(std::iter::once(*default)).collect()
            }
            Terminator::IndirectGoto { labels, .. } => labels.clone(),
            Terminator::Return(_) | Terminator::Exit(_) | Terminator::Unreachable => vec![],
        }
    }
}

impl StmtKind {
    /// The place that gets the statement's scalar or aggregate result, if any.
    pub fn dest(&self) -> Option<&Place> {
        match self {
            StmtKind::Assign { place, .. } => Some(place),
            StmtKind::Call { dest, .. } | StmtKind::Lib { dest, .. } | StmtKind::Unsupported { dest, .. } => {
                dest.as_ref()
            }
            StmtKind::Input { dest, .. }
            | StmtKind::Alloc { dest, .. }
            | StmtKind::Realloc { dest, .. }
            | StmtKind::VaArg { dest, .. } => Some(dest),
            _ => None,
        }
    }
}
