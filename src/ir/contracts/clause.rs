//! Generated from `facts/contracts.dl` and `facts/contracts/`: [`Clause`] and [`BUILT_IN`].
include!(concat!(env!("OUT_DIR"), "/contracts.rs"));

/// What is built in of a function; nothing of one that has no contract.
pub fn built_in(function: &str) -> &'static [Clause] {
    BUILT_IN.binary_search_by_key(&function, |(name, _)| name).map_or(&[], |at| BUILT_IN[at].1)
}
