//! What every room needs: dense indices, source positions, the source map, diagnostics.
//!
//! * [`index`]: typed `u32` indices and the vectors they index.
//! * [`source`]: files and positions in them.
//! * [`diagnostic`]: what the tool says about its input, before any rendering.
pub mod diagnostic;
pub mod index;
pub mod source;

pub use diagnostic::{Diagnostic, Severity};
pub use index::{Idx, IndexVec};
pub use source::{FileId, SourceMap, Span};
