//! Library functions by contract: what a call of one becomes when the program does not define it.
//!
//! What facts can say stands in `facts/contracts/`: [`table`] lowers calls of functions of which they say all, [`clauses`] those by the
//! contracts of users. A model in Rust is for what facts cannot say. It places the checks of its arguments at the call, then the
//! effects: inputs, allocations, copies, or a [`LibFn`](crate::ir::LibFn); [`contract`] has the vocabulary, and [`dispatch`] finds the one for a name:
//!
//! * formats, which say what arguments are: [`output`], [`scan`];
//! * contents that follow from arguments, or bound the result: [`memory`], [`strings`], [`token`], [`numbers`], [`reals`], [`atomic`], [`computed`];
//! * input with a length of its own: [`input`], [`mod@file`], [`socket`], [`ready`]; texts for a buffer: [`into`]; records with members in
//!   bounds: [`record`], [`clock`]; names of hosts and addresses: [`names`]; patterns and their matches: [`patterns`]; [`multibyte`] characters;
//! * what the library keeps from one call to the next: [`kept`], [`signals`]; the [`streams`] that are open at first;
//! * calls of the program's functions: [`callback`], [`thread`]; its end, its errors, its environment: [`process`], [`child`], [`messages`], [`verifier`];
//! * [`getopt`] and its kin, whose model is C text (`getopt.c`).
mod atomic;
mod callback;
mod child;
mod clauses;
mod clock;
mod computed;
mod contract;
mod descriptor;
mod dispatch;
mod file;
mod getopt;
mod input;
mod into;
mod kept;
mod memory;
mod messages;
mod multibyte;
mod names;
mod numbers;
mod output;
mod patterns;
mod process;
mod ready;
mod reals;
mod record;
mod scan;
mod signals;
mod socket;
mod streams;
mod strings;
mod table;
mod thread;
mod token;
mod verifier;

pub(crate) use clauses::settle_contracts;
pub(crate) use contract::LibraryCall;
pub(crate) use dispatch::is_modelled;
pub(crate) use kept::USES_MATTER;
pub(crate) use reals::takes_any_number;
pub(crate) use streams::open_standard_streams;
pub(crate) use verifier::{is_another, is_error_function};

use dispatch::Model;

/// A model of functions as C text, which is lowered as one more unit where one of them is called.
pub(crate) struct Text {
    /// What its file is called in the program's sources.
    pub file: &'static str,
    /// The functions by name, with their types as [`TypeTable::describe`](crate::ir::TypeTable::describe) has them: a function that is declared
    /// otherwise is another one.
    pub functions: &'static [(&'static str, &'static str)],
    pub text: &'static str,
}

/// The library functions whose model is C text.
pub(crate) const TEXTS: [Text; 1] = [Text {
    file: "<getopt>",
    functions: &[
        ("getopt", "int (int, char * *, char *)"),
        ("getopt_long", "int (int, char * *, char *, struct option *, int *)"),
        ("getopt_long_only", "int (int, char * *, char *, struct option *, int *)"),
    ],
    text: include_str!("getopt.c"),
}];

/// Whether the model of a library function is C text: its calls are calls of that.
pub(crate) fn has_text(function: &str) -> bool {
    TEXTS.iter().flat_map(|text| text.functions).any(|(name, _)| *name == function)
}

/// Whether that is the name of a model's text in the program's sources.
pub(crate) fn is_text(file: &str) -> bool {
    TEXTS.iter().any(|text| text.file == file)
}

#[cfg(test)]
mod null_tests;
#[cfg(test)]
mod tests;
