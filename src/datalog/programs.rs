//! Generated from `rules/`: a module per program, [`column`](mod@column), [`record`] and [`row`] types of what rules declare, [`catalog`],
//! [`PROGRAMS`] and [`FILES`].
include!(concat!(env!("OUT_DIR"), "/programs.rs"));
