//! The analyzer in an editor, over the Language Server Protocol.
//!
//! * [`serve`](mod@serve): the conversation with the editor; one thread answers, another, the [`worker`], analyses what was opened,
//!   edited or saved.
//! * [`options`]: what it is told when it starts.
//! * [`study`]: the project that a file belongs to, and what an analysis found of it.
//! * [`diagnostics`]: findings at their lines; [`told`]: those that were told last, moved with an edit. [`hover`]: values and targets of a variable. [`actions`]: what can be done.
//! * [`text`]: names of files and columns of lines as the protocol has them.
//!
//! See: Microsoft, "Language Server Protocol Specification 3.17".
pub mod actions;
pub mod diagnostics;
pub mod hover;
pub mod options;
pub mod serve;
pub mod study;
pub mod text;
pub mod told;
pub mod worker;

pub use options::Options;
pub use serve::serve;
