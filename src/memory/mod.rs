//! The typed, read-only view of the memory relations that engines ask. Nothing else reads raw relations.
//!
//! * [`view`]: [`Memory`], built from a program: it answers from the best of its two layers.
//! * [`effects`]: the layer that is always there, by text and types.
//! * [`points_to`]: the layer by sets of targets. [`targets`]: what pointers point to; [`location`]: objects, places in them, and
//!   sets of places; [`describe`]: both in words.
//! * [`strategy`]: how calls, functions and loops are to be analysed.
//! * [`ids`]: between symbols and indices. [`run`](mod@run): what rule programs took.
//!
//! All answers hold for every execution at once (the relations do not tell points of a function apart) and are upper
//! bounds: what is absent cannot happen, under the assumptions of docs/assumptions.md.
pub mod describe;
pub mod effects;
pub mod ids;
pub mod location;
pub mod points_to;
pub mod run;
pub mod strategy;
pub mod targets;
pub mod view;

pub use location::{Base, Location, LocationSet};
pub use points_to::{Changes, PointsTo, Statistics};
pub use run::RuleRun;
pub use strategy::Strategy;
pub use targets::Targets;
pub use view::{Memory, Setting, Written};

#[cfg(test)]
mod annotated_tests;
#[cfg(test)]
mod case_tests;
#[cfg(test)]
mod returned_tests;
