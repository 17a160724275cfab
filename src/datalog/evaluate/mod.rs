//! The set-propagating evaluator: runs checked programs at run time, tuples by indexed joins and sets by
//! difference propagation.
//!
//! * [`value`] words for values; [`rows`] and [`id_set`] hold them; [`graph`] lets sets flow.
//! * [`table`] a relation; [`plan`] a rule made ready; [`join`] runs it, [`image`] set by set; [`functor`] computes.
//! * [`history`] when what was found.
//! * [`fixpoint`] the strata; [`database`] what goes in and comes out; [`session`] programs one after the other.
pub mod database;
pub mod fixpoint;
pub mod functor;
pub mod graph;
pub mod history;
pub mod id_set;
pub mod image;
pub mod join;
pub mod plan;
pub mod rows;
pub mod session;
pub mod table;
pub mod value;

pub use database::{Database, Input, View};
pub use fixpoint::evaluate;
pub use id_set::IdSet;
pub use session::Session;
