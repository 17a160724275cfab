//! What an analysis knows besides its findings, for readers of the sources.

use super::Location;

/// What is known of functions, their variables and loops.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Insight {
    /// Those with a body, by place.
    pub functions: Vec<FunctionInsight>,
    /// Static variables of no function, by name.
    pub globals: Vec<VariableInsight>,
    /// By place.
    pub loops: Vec<LoopInsight>,
    /// What is not there, and why.
    pub missing: Vec<String>,
}

/// A function and its variables.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionInsight {
    pub name: String,
    /// Where it begins.
    pub location: Location,
    /// The last line with a statement of it.
    pub last_line: u32,
    /// Those of which something is known, by name.
    pub variables: Vec<VariableInsight>,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableInsight {
    pub name: String,
    /// By line.
    pub bounds: Vec<Bounds>,
    /// What it may point to anywhere; the rules did not say of others.
    pub targets: Vec<String>,
}

/// The numbers that a part of a variable may hold whenever control is at a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bounds {
    pub line: u32,
    /// Bytes from the variable's start.
    pub offset: i64,
    pub low: i128,
    pub high: i128,
}

/// A loop.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopInsight {
    pub location: Location,
    pub function: String,
    /// Whether it ends: `yes`, `no` or `unknown`.
    pub ends: &'static str,
    /// The numbers that fall, the states that are not left, or why nothing is known.
    pub argument: String,
    pub invariants: Vec<String>,
}
