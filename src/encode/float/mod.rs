//! Floating-point numbers as bit-vectors: IEEE 754's operations on sign, exponent and significand, rounded to nearest with ties to even.
//!
//! * [`number`]: formats, a number's parts, comparisons.
//! * [`round`]: from an exact sign, exponent and significand to the number of a format.
//! * [`arithmetic`]: sums, products, quotients, square roots.
//! * [`convert`]: whole numbers, integers, other formats.
//! * [`operations`]: what of this expressions, checks and library functions of the IR use.
//!
//! All of it is terms over bit-vectors, so that both solvers have it. Bits of what is no number are any such bits: C and IEEE 754 leave
//! them open. `_Float128` is not followed: its values are any values.
//!
//! See: Brain, Schanda, Sun, "Building Better Bit-Blasting for Floating-Point Problems", Sect. 3 (unpack, compute, round, pack). We
//! divide and take roots digit by digit.
mod arithmetic;
mod convert;
mod number;
mod operations;
mod round;

#[cfg(test)]
mod tests;

pub use number::{Format, Number};
