//! The typed, read-only view of the memory relations that engines ask. Nothing else reads raw relations.
//!
//! * [`location`]: objects, places in them, and sets of places.
//! * [`view`]: [`Memory`], built from a program, and its questions about functions, calls and loops.
//! * [`targets`]: what pointers point to. [`describe`]: objects and places in words.
//!
//! All answers hold for every execution at once (the relations do not tell points of a function apart) and are upper
//! bounds: what is absent cannot happen, under the assumptions of docs/assumptions.md.
pub mod describe;
pub mod location;
pub mod targets;
pub mod view;

pub use location::{Base, Location, LocationSet};
pub use targets::Targets;
pub use view::{Memory, Statistics};

#[cfg(test)]
mod annotated_tests;
#[cfg(test)]
mod case_tests;
