//! A build recorded as a compilation database: programs of the compilers' names stand first on the path of the build, note how
//! they are called, and call the compilers.
//!
//! * [`wrappers`]: these programs, and what they have noted. [`commands`]: what a call compiles, and what it links.
//! * [`database`]: the files that are written.
pub mod commands;
pub mod database;
pub mod wrappers;
