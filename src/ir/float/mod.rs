//! Numbers of floating types, bit for bit as on x86-64: IEEE 754 binary32, binary64 and binary128, and the 80-bit format of the x87.
//!
//! * [`real`]: a number and its bits, what kind of number it is, conversions.
//! * [`arithmetic`]: operators, rounded once to nearest, ties to even; `fma`, square roots, remainders.
//! * [`parts`]: whole and fractional parts, exponents, neighbours.
//! * [`decimal`]: exact decimal digits. [`text`]: numbers read from text.
//!
//! The numbers of the wide formats come from `rustc_apfloat`, LLVM's software arithmetic in Rust; those of `float` and `double`
//! from the machine where it has the operation.
mod arithmetic;
mod decimal;
mod parts;
mod real;
mod text;

#[cfg(test)]
mod tests;

pub use decimal::Decimal;
pub use parts::Rounding;
pub use real::Real;
