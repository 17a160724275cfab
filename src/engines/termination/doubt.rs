//! Why it is not known whether loops end.

use std::fmt;

/// Why a loop, a recursion or a whole program is not shown to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Time or questions ran out; while what.
    Budget(Option<&'static str>),
    /// The solver gave no answer; what it said.
    Solver(String),
    /// An access may be wrong, and what follows it is anything.
    AccessMayErr,
    /// What was tried is no proof, or something on the way is not followed; what.
    Open(String),
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::Budget(None) => f.write_str("budget"),
            Doubt::Budget(Some(doing)) => write!(f, "budget, while {doing}"),
            Doubt::Solver(why) => write!(f, "solver: {why}"),
            Doubt::AccessMayErr => f.write_str("an access may err"),
            Doubt::Open(what) => f.write_str(what),
        }
    }
}

impl From<String> for Doubt {
    fn from(what: String) -> Doubt {
        Doubt::Open(what)
    }
}

impl From<&str> for Doubt {
    fn from(what: &str) -> Doubt {
        Doubt::Open(what.to_owned())
    }
}
