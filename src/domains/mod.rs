//! Abstract domains: sets of numbers, pointers and values, with their upper operators.
//!
//! * [`congruence`]: `rem + modulus Z`.
//! * [`interval`]: intervals of mathematical integers.
//! * [`int`]: their reduced product; [`mod@int_type`] wraps it into C types; [`arithmetic`], [`bitwise`] and [`compare`]
//!   are its transfer functions.
//! * [`float`]: intervals of doubles, with NaN.
//! * [`pointer`](mod@pointer): sets of targets; [`value`]: what a scalar cell holds.
//!
//! The empty set is `None` of an `Option`; every element proper stands for at least one number.
//! See: Miné, "Tutorial on Static Inference of Numeric Invariants by Abstract Interpretation", Sect. 4.5 and 4.8.
pub mod arithmetic;
pub mod bitwise;
pub mod compare;
pub mod congruence;
pub mod float;
pub mod int;
pub mod int_type;
pub mod interval;
pub mod pointer;
pub mod value;

#[cfg(test)]
mod laws;

pub use float::Float;
pub use int::Int;
pub use int_type::IntType;
pub use interval::Interval;
pub use pointer::{BaseId, Pointers};
pub use value::Value;
