//! The encoder against the interpreter, and the engines of `verify` on programs with known answers.

mod constructs;
mod corners;
mod encoder;
mod engines;
mod floats;
mod leaps;
mod lost;
mod lost_runs;
mod memory;
mod only_run;
mod program;
mod shifts;
mod unwritten;
