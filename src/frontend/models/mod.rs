//! Library functions by contract: what a call of one becomes when the program does not define it.
//!
//! A model places the checks of its arguments at the call, then the effects: inputs, allocations, copies, or a
//! [`LibFn`](crate::ir::LibFn). [`contract`] has the vocabulary; a file per header family has the models; [`table`] lists the
//! functions whose contract is a line; `getopt.c` is a model as C text; [`dispatch`] finds the one for a name.
mod atomic;
mod callback;
mod computed;
mod contract;
mod dispatch;
mod file;
mod getopt;
mod input;
mod memory;
mod numbers;
mod output;
mod process;
mod record;
mod strings;
mod table;
mod token;
mod verifier;

pub(crate) use contract::LibraryCall;
pub(crate) use dispatch::is_modelled;

use dispatch::Model;

/// Library functions whose model is C text, which is lowered as one more unit where they are called.
pub(crate) const TEXTS: [(&str, &str); 1] = [("getopt", include_str!("getopt.c"))];

/// Whether that is the name under which a model's text stands in the program's sources.
pub(crate) fn is_text(file: &str) -> bool {
    TEXTS.iter().any(|(name, _)| text_file(name) == file)
}

/// The name of a model's text in the program's sources.
pub(crate) fn text_file(function: &str) -> String {
    format!("<{function}>")
}

#[cfg(test)]
mod tests;
