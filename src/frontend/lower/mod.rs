//! From the AST of parsed units to one linked IR program.
//!
//! The way of a unit: [`function`] and [`declaration`] take external declarations; [`types`], [`attributes`], [`enumeration`] and [`record`] (with [`spelling`], for what types do not keep of their names) give C types
//! and layouts; [`stmt`] makes control flow, [`body`] holds it while it grows, [`passed`] finds the declarations that jumps pass over; [`expr`], [`operators`], [`mod@pointer`], [`conditional`], [`call`]
//! and [`convert`] turn expressions into pure IR expressions, hoisting side effects, of which [`effects`] says what they change; [`access`] places the checks of memory
//! accesses, [`subscript`] those of indices; [`init`] flattens initializers, [`content`] says what constant ones make of each byte; [`link`] joins the units' names, [`composite`] the types of their declarations and [`unify`] their records, [`weak`] says which definition counts, [`mismatch`] takes back what uses another unit's things as what they are not; [`fold`], [`literal`] and [`constancy`] know constants;
//! [`needs`] says which names a unit has for others and wants of them; [`library_body`] gives bodies to library functions whose address is used; [`hooks`] calls what runs without a call in the source; [`jumps`] makes `setjmp` and `longjmp` branches and returns; [`vector`] takes GNU C's vectors apart, [`complex`] complex numbers; [`withdraw`] takes back what broken C made malformed.
//!
//! See: ISO/IEC 9899:2011 (N1570), clauses cited as C11, and the GNU C extensions of the GCC manual.
mod access;
mod attributes;
mod body;
mod call;
mod complex;
mod composite;
mod conditional;
mod constancy;
mod content;
mod context;
mod convert;
mod declaration;
mod effects;
mod enumeration;
mod error;
mod expr;
mod fold;
mod function;
mod hooks;
mod init;
mod jumps;
mod library_body;
mod link;
mod literal;
mod mismatch;
mod needs;
mod operators;
mod passed;
mod pointer;
mod record;
mod scope;
mod spelling;
mod stmt;
mod subscript;
mod symbols;
mod text;
mod types;
mod unify;
mod unit;
mod vector;
mod visit;
mod weak;
mod withdraw;

pub(crate) use access::AccessSites;
pub(crate) use context::Lowerer;
pub use context::{ErrorLabel, LowerOptions};
pub use error::LowerError;
pub(crate) use error::Lowered;
pub use needs::{UnitNames, unit_names};
pub use unit::{defines_main, lower};
