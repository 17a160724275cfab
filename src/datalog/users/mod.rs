//! Users' rules on top of the built-in ones.
//!
//! * [`compose`](mod@compose): files and queries, with everything built in, as one checked program.
//! * [`declare`]: declarations for relations that a query leaves undeclared.
//! * [`private`]: relations that built-in checks have for themselves.
//! * [`columns`](mod@columns): what the columns of a relation hold.
pub mod columns;
pub mod compose;
pub mod declare;
pub mod private;

pub use columns::{ColumnType, columns};
pub use compose::{Composed, Source, SourceKind, compose};
