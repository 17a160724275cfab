//! The properties of verification tasks, as kinds of check sites.

use crate::ir::CheckKind;

/// What must hold of every execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Control reaches no error function or label, and no assertion fails.
    UnreachCall,
    /// No signed operation leaves its type, and no left shift does.
    NoOverflow,
    /// Every access is to a live object with room, every `free` is of a live block, and no block is lost (assumption C19).
    ValidMemsafety,
    /// Every execution ends.
    Termination,
    /// Every execution ends, or some signed operation in it leaves its type, behind which C says nothing.
    TerminationOrOverflow,
}

impl Property {
    /// The kinds of check sites that violate it.
    pub fn kinds(self) -> &'static [CheckKind] {
        match self {
            Property::UnreachCall => &[CheckKind::UnreachCall, CheckKind::Assertion],
            Property::NoOverflow => &[CheckKind::SignedOverflow, CheckKind::ShiftOverflow],
            Property::ValidMemsafety => &[
                CheckKind::NullDeref,
                CheckKind::OutOfBounds,
                CheckKind::UseAfterFree,
                CheckKind::DoubleFree,
                CheckKind::InvalidFree,
            ],
            // Executions that err are not judged; whether there are any is asked along the way.
            Property::Termination => {
                &[CheckKind::NullDeref, CheckKind::OutOfBounds, CheckKind::UseAfterFree, CheckKind::DoubleFree]
            }
            Property::TerminationOrOverflow => &[
                CheckKind::NullDeref,
                CheckKind::OutOfBounds,
                CheckKind::UseAfterFree,
                CheckKind::DoubleFree,
                CheckKind::SignedOverflow,
            ],
        }
    }
    /// Whether a run that loses a block violates it.
    pub fn tracks_memory(self) -> bool {
        self == Property::ValidMemsafety
    }
    /// Whether it is about how executions end.
    pub fn is_termination(self) -> bool {
        matches!(self, Property::Termination | Property::TerminationOrOverflow)
    }
    /// The kinds of its check sites that say nothing of memory.
    pub fn arithmetic_kinds(self) -> &'static [CheckKind] {
        match self {
            Property::NoOverflow => &[CheckKind::SignedOverflow, CheckKind::ShiftOverflow],
            Property::TerminationOrOverflow => &[CheckKind::SignedOverflow],
            Property::UnreachCall | Property::ValidMemsafety | Property::Termination => &[],
        }
    }
}
