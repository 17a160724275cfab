//! Library functions, each exactly by its contract in [`crate::ir::LibFn`].
//!
//! * [`dispatch`]: from a statement to the function that does it.
//! * [`bytes`]: memory and strings.
//! * [`numbers`]: numbers in strings, integers' bits, checked arithmetic.
//! * [`format`](mod@format): what `printf` writes; [`format_float`] its floats.
//! * [`math`]: floating-point functions.
//! * [`sort`] is `qsort`.
mod bytes;
mod dispatch;
mod format;
mod format_float;
mod math;
mod numbers;
mod sort;

pub use math::nearly;
pub use numbers::classify;
