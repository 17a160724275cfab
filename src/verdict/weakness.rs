//! Check sites in the terms of the Common Weakness Enumeration.

use crate::base::IndexVec;
use crate::ir::{AccessMode, Check, CheckKind, Program, SiteId, StmtKind};

/// An entry of the Common Weakness Enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Weakness {
    /// The number behind `CWE-`.
    pub number: u16,
    /// Its title in the enumeration.
    pub title: &'static str,
}

/// The weakness that a failing check stands for; accesses out of bounds are told apart by `mode`. None where the
/// enumeration has no entry: `unreach-call` is the user's own demand.
pub fn weakness(check: CheckKind, mode: Option<AccessMode>) -> Option<Weakness> {
    let (number, title) = match check {
        CheckKind::DivByZero => (369, "Divide By Zero"),
        CheckKind::SignedOverflow | CheckKind::UnsignedOverflow => (190, "Integer Overflow or Wraparound"),
        CheckKind::Conversion | CheckKind::FloatConversion => (681, "Incorrect Conversion between Numeric Types"),
        CheckKind::Shift | CheckKind::ShiftOverflow => (1335, "Incorrect Bitwise Shift of Integer"),
        CheckKind::VlaBound => (1284, "Improper Validation of Specified Quantity in Input"),
        CheckKind::IndexBound => (129, "Improper Validation of Array Index"),
        CheckKind::NullDeref => (476, "NULL Pointer Dereference"),
        CheckKind::OutOfBounds => match mode {
            Some(AccessMode::Read) => (125, "Out-of-bounds Read"),
            Some(AccessMode::Write) => (787, "Out-of-bounds Write"),
            None => (119, "Improper Restriction of Operations within the Bounds of a Memory Buffer"),
        },
        CheckKind::UseAfterFree => (416, "Use After Free"),
        CheckKind::DoubleFree => (415, "Double Free"),
        CheckKind::InvalidFree => (763, "Release of Invalid Pointer or Reference"),
        CheckKind::UninitRead => (457, "Use of Uninitialized Variable"),
        CheckKind::PointerDiff => (469, "Use of Pointer Subtraction to Determine Size"),
        CheckKind::PointerCompare => (758, "Reliance on Undefined, Unspecified, or Implementation-Defined Behavior"),
        CheckKind::LibraryDomain => (628, "Function Call with Incorrectly Specified Arguments"),
        CheckKind::Assertion => (617, "Reachable Assertion"),
        CheckKind::UnreachCall => return None,
    };
    Some(Weakness { number, title })
}

/// The weakness of every site of the program.
pub fn weaknesses(program: &Program) -> IndexVec<SiteId, Option<Weakness>> {
    let mut modes: IndexVec<SiteId, Option<AccessMode>> = program.sites.iter().map(|_| None).collect();
    let statements = program.functions.iter().flat_map(|f| f.blocks.iter()).flat_map(|b| &b.stmts);
    for statement in statements {
        let StmtKind::Check(check) = &statement.kind else { continue };
        match **check {
            Check::Access { bounds, mode, .. } => modes[bounds] = Some(mode),
            Check::Terminated { bounds, .. } => modes[bounds] = Some(AccessMode::Read),
            _ => {}
        }
    }
    program.sites.iter_enumerated().map(|(site, s)| weakness(s.kind, modes[site])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_out_of_bounds_differ() {
        let number = |mode| weakness(CheckKind::OutOfBounds, mode).map(|w| w.number);
        assert_eq!(
            [None, Some(AccessMode::Read), Some(AccessMode::Write)].map(number),
            [Some(119), Some(125), Some(787)]
        );
    }

    #[test]
    fn only_the_users_own_demand_has_no_entry() {
        let without: Vec<_> = CheckKind::ALL.iter().filter(|k| weakness(**k, None).is_none()).collect();
        assert_eq!(without, [&CheckKind::UnreachCall]);
    }
}
