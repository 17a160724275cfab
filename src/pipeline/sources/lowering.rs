//! What is asked of lowering.

use crate::frontend::lower::{ErrorLabel, LowerOptions};
use crate::ir::CheckKind;
use std::collections::BTreeSet;

/// What the checks that are off by default need from lowering.
pub fn lower_options(checks: &BTreeSet<CheckKind>) -> LowerOptions {
    LowerOptions {
        unsigned_overflow: checks.contains(&CheckKind::UnsignedOverflow),
        conversion: checks.contains(&CheckKind::Conversion),
        index_bounds: checks.contains(&CheckKind::IndexBound),
        error_label: if checks.contains(&CheckKind::UnreachCall) { ErrorLabel::InTasks } else { ErrorLabel::Nowhere },
        error_functions_run: !checks.contains(&CheckKind::UnreachCall),
        ..LowerOptions::default()
    }
}

/// How facts are made: with every kind of check site.
pub fn every_check() -> LowerOptions {
    LowerOptions {
        unsigned_overflow: true,
        conversion: true,
        index_bounds: true,
        error_label: ErrorLabel::InTasks,
        ..LowerOptions::default()
    }
}
