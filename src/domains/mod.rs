//! Abstract domains: sets of numbers, pointers and values, with their upper and lower operators.
//!
//! * [`congruence`]: `rem + modulus Z`.
//! * [`interval`]: intervals of mathematical integers.
//! * [`int`]: their reduced product, less one number; [`mod@int_type`] wraps it into C types; [`arithmetic`], [`bitwise`] and [`compare`]
//!   are its transfer functions.
//! * [`float`]: intervals of doubles, with NaN.
//! * [`pointer`](mod@pointer): sets of targets; [`value`]: what a scalar cell holds; [`hull`]: the least one around many.
//!
//! * [`difference`]: how far terms are above others, where no interval says it.
//!
//! * [`lower`]: lower operators of all of these, which under-approximate; [`cell`]: states over cells with phi, [`cell_eval`] and
//!   [`cell_refine`]: expressions over them, [`cell_lower`]: the same backwards, [`cell_set`]: several at once.
//!
//! The empty set is `None` of an `Option`; every element proper stands for at least one number.
//! See: Miné, "Tutorial on Static Inference of Numeric Invariants by Abstract Interpretation", Sect. 4.5 and 4.8.
pub mod arithmetic;
pub mod bitwise;
pub mod cell;
pub mod cell_eval;
pub mod cell_lower;
pub mod cell_refine;
pub mod cell_set;
pub mod compare;
pub mod congruence;
pub mod difference;
pub mod float;
pub mod hull;
pub mod int;
pub mod int_type;
pub mod interval;
pub mod lower;
pub mod pointer;
pub mod value;

#[cfg(test)]
mod cell_laws;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod lower_laws;
#[cfg(test)]
mod paper_examples;

pub use difference::{Differences, Multiple};
pub use float::Float;
pub use hull::Hull;
pub use int::Int;
pub use int_type::IntType;
pub use interval::Interval;
pub use pointer::{BaseId, Pointers};
pub use value::Value;
