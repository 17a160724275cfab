//! SMT-LIB 2 text: writing terms and commands, reading answers.
//!
//! * [`symbol`] - names, quoted and kept apart from SMT-LIB's own
//! * [`layout`] - a term as text whose length is linear in the DAG's size
//! * [`script`] - the commands of an incremental session
//! * [`sexpr`] - S-expressions, and values read from them
//!
//! See: C. Barrett, P. Fontaine, C. Tinelli, "The SMT-LIB Standard: Version 2.7".

mod layout;
mod script;
mod sexpr;
mod symbol;

pub(super) use script::Script;
pub(super) use sexpr::{Reader, Sexpr, value};
