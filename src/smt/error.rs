//! What can go wrong between a term and an answer.

use super::op::Op;
use super::sort::Sort;

/// Every failure of this room. An undecided query is no failure: see [`Answer::Unknown`](super::Answer::Unknown).
#[derive(Debug, thiserror::Error)]
pub enum SmtError {
    /// An operator was applied to arguments of sorts that it does not take.
    #[error("{op:?} cannot be applied to arguments of sorts {sorts:?}")]
    IllSorted { op: Op, sorts: Vec<Sort> },
    /// A name was declared with one sort and asked for with another.
    #[error("symbol `{name}` has sort {declared}, not {asked}")]
    SymbolSort { name: String, declared: Sort, asked: Sort },
    /// SMT-LIB can quote neither `|` nor `\`, and no solver takes a zero byte.
    #[error("symbol {name:?} cannot be written in SMT-LIB")]
    SymbolSpelling { name: String },
    /// Evaluation met a variable that the assignment gives no value.
    #[error("variable `{name}` has no value")]
    Unassigned { name: String },
    /// A solver keeps translations of one pool's terms and was handed another pool.
    #[error("the solver was started with another term pool")]
    ForeignPool,
    /// A limit or an interrupt ended the translation of a query; what is translated is kept.
    #[error("stopped while terms were translated")]
    Stopped,
    /// Values were asked for without a satisfiable answer just before.
    #[error("no model: the last answer was not sat, or assertions changed since")]
    NoModel,
    /// A core was asked for without an unsatisfiable answer just before.
    #[error("no unsat core: the last answer was not unsat, or assertions changed since")]
    NoCore,
    /// The solver's answer cannot be understood.
    #[error("{solver}: unexpected answer `{text}`")]
    Reply { solver: String, text: String },
    /// The solver itself reported an error.
    #[error("{solver}: {message}")]
    Backend { solver: String, message: String },
}

/// Results of this room.
pub type Result<T> = std::result::Result<T, SmtError>;
