//! The encoder against the interpreter, and the engines of `verify` on programs with known answers.

mod corners;
mod encoder;
mod engines;
mod floats;
mod leaps;
mod lost;
mod lost_runs;
mod memory;
mod program;
mod shifts;
mod unwritten;
