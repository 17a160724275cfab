//! The `smt` room.
