//! Tests over hand-built IR.
mod builder;
mod calls;
mod errors;
mod memory;
mod scalars;
mod straight_line;
