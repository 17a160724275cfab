//! Generated from `facts/contracts.dl` and `facts/contracts/`: [`Clause`] and [`BUILT_IN`].
include!(concat!(env!("OUT_DIR"), "/contracts.rs"));
