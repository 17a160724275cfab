//! One property of a program, and the answers that engines give.
//!
//! * [`property`]: what is asked. [`answer`]: what is said, with its evidence, or [`obstacle`]: why nothing is. [`budget`]: how long it may take.
//! * [`replay`]: the judge of counterexamples. [`query`]: questions to the solver about one encoding.
pub mod answer;
pub mod budget;
pub mod obstacle;
pub mod property;
pub mod query;
pub mod replay;

pub use answer::{Answer, Counterexample, Proof};
pub use budget::Budget;
pub use obstacle::Obstacle;
pub use property::Property;
pub use query::Query;

use super::invariant::template::Templates;
use crate::engines::limits::TaskLimits;
use crate::ir::{FuncId, Program};
use crate::memory::Memory;

/// A program and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Task<'p> {
    pub program: &'p Program,
    /// What the relations say of it.
    pub memory: &'p Memory,
    pub entry: FuncId,
    pub property: Property,
    /// What rules guess of its loops.
    pub templates: &'p Templates,
    /// Of the random choices of runs.
    pub seed: u64,
    /// What engines may count up to.
    pub limits: &'p TaskLimits,
}

impl<'p> Task<'p> {
    /// Nothing is guessed by rules, and the limits are the usual ones.
    pub fn new(program: &'p Program, memory: &'p Memory, entry: FuncId, property: Property) -> Self {
        Task { program, memory, entry, property, templates: Templates::NONE, seed: 0, limits: TaskLimits::USUAL }
    }
}
