//! Walks over what statements, checks and terminators evaluate.

use super::{Callee, Check, Expr, Place, PlaceBase, StmtKind, Terminator};

impl Place {
    /// The pointer expression in front of the place, if it is behind a pointer.
    pub fn pointer(&self) -> Option<&Expr> {
        match &self.base {
            PlaceBase::Var(_) => None,
            PlaceBase::Deref(e) => Some(e),
        }
    }
}

impl Check {
    /// The outermost expressions that the check evaluates; for `Initialized` the pointer in front of its place.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Check::Access { ptr, size, .. } => vec![ptr, size],
            Check::Terminated { ptr, max, .. } => std::iter::once(ptr).chain(max).collect(),
            Check::Initialized { place, .. } => place.pointer().into_iter().collect(),
            Check::NonZero { divisor: e, .. }
            | Check::Fits { value: e, .. }
            | Check::ShiftCount { count: e, .. }
            | Check::Freeable { ptr: e, .. }
            | Check::Callable { ptr: e, .. }
            | Check::Holds { cond: e, .. } => vec![e],
            Check::NoOverflow { lhs, rhs, .. } | Check::SameObject { lhs, rhs, .. } => vec![lhs, rhs],
        }
    }
}

impl StmtKind {
    /// The places that the statement itself assigns, in order.
    pub fn written_places(&self) -> Vec<&Place> {
        match self {
            StmtKind::ProgramArgs { argc, argv, envp, .. } => [argc, argv].into_iter().chain(envp).collect(),
            kind => kind.dest().into_iter().collect(),
        }
    }
    /// The outermost expressions that the statement evaluates, the pointers in front of written places included.
    pub fn exprs(&self) -> Vec<&Expr> {
        let mut exprs: Vec<&Expr> = self.written_places().into_iter().filter_map(Place::pointer).collect();
        match self {
            StmtKind::Check(check) => exprs.extend(check.exprs()),
            StmtKind::Assign { value: e, .. }
            | StmtKind::Assume { cond: e }
            | StmtKind::Alloc { size: e, .. }
            | StmtKind::Free { ptr: e }
            | StmtKind::VaStart { list: e }
            | StmtKind::VaArg { list: e, .. }
            | StmtKind::VaEnd { list: e } => exprs.push(e),
            StmtKind::Call { callee, args, .. } => {
                if let Callee::Indirect(e) = callee {
                    exprs.push(e);
                }
                exprs.extend(args);
            }
            StmtKind::Lib { args, .. } => exprs.extend(args),
            StmtKind::Input { range, .. } => exprs.extend(range.iter().flat_map(|(low, high)| [low, high])),
            StmtKind::InputBytes { ptr: a, len: b, .. }
            | StmtKind::Realloc { ptr: a, size: b, .. }
            | StmtKind::VaCopy { dest: a, source: b } => exprs.extend([a, b]),
            StmtKind::LibraryCall { .. }
            | StmtKind::StorageLive(_)
            | StmtKind::StorageDead(_)
            | StmtKind::ProgramArgs { .. }
            | StmtKind::Unsupported { .. } => {}
        }
        exprs
    }
}

impl Terminator {
    /// The expression that the terminator evaluates, if any.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Terminator::Branch { cond: e, .. }
            | Terminator::Switch { value: e, .. }
            | Terminator::IndirectGoto { target: e, .. } => Some(e),
            Terminator::Return(e) | Terminator::Exit(e) => e.as_ref(),
            Terminator::Goto(_) | Terminator::Unreachable => None,
        }
    }
}
