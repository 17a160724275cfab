//! Programs as they are, all sites on, and how much of them was understood.

use crate::ir::Program;
use crate::pipeline::sources::load::UNIT_LIMIT;
use crate::pipeline::sources::lowering::every_check;
use crate::pipeline::sources::{Loaded, load};
use crate::pipeline::{Error, Sources};

/// Loads a program for a measurement.
pub fn load_quietly(sources: &Sources) -> Result<Loaded, Error> {
    load(sources, every_check(), 1, UNIT_LIMIT, &|_| ())
}

/// Functions whose body was lowered, and functions with a body in the source.
pub fn lowered_functions(program: &Program) -> (usize, usize) {
    let lowered = program.functions.iter().filter(|f| f.has_body() && f.failed.is_none() && !f.library).count();
    let failed = program.functions.iter().filter(|f| f.failed.is_some()).count();
    (lowered, lowered + failed)
}
