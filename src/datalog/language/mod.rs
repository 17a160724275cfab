//! The rule language: from text to checked, stratified rules. Also compiled into the build script, so it
//! uses nothing but `std` and `thiserror`; rendering with source excerpts is in `datalog::render`.
//!
//! The stages, in order; each has its own error enum in [`error`] and collects all its errors:
//!
//! 1. [`load`](mod@load) reads a file and what it includes ([`lexer`], [`parser`]) into one [`ast::Program`].
//! 2. [`resolve`] looks at declarations: names, types, storage.
//! 3. [`types`] gives every term a type; [`binding`] checks that every variable is bound.
//! 4. [`strata`] orders relations so that negation and aggregates look at finished relations only.
//! 5. [`lower`] turns checked rules into [`core`], the form that executors run and the generator prints;
//!    [`schedule`] orders the literals of a rule.
//!
//! Beside them, [`ground`] reads files that hold facts alone.
//!
//! See: S. Abiteboul, R. Hull, V. Vianu, Foundations of Databases, ch. 12 and 15.2 (stratification);
//! the Souffle language reference for the dialect.
pub mod ast;
pub mod binding;
pub mod core;
pub mod error;
pub mod ground;
pub mod lexer;
pub mod load;
pub mod lower;
pub mod parser;
pub mod resolve;
pub mod schedule;
pub mod strata;
pub mod text;
pub mod types;

pub use error::{Diagnostic, Severity};
pub use load::{Loader, check, load};
