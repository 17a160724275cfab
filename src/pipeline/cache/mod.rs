//! What earlier runs found out, so that what has not changed is not analysed again.
//!
//! * [`recall`]: what is asked for and kept. [`key`]: a digest of everything that results depend on. [`folder`]: files by key, whole and undamaged or not at all.
//! * [`record`]: the results of engines, and of rules, as bytes; [`moved`]: of a program whose lines have moved since.
//! * [`searched`]: what a search found, for programs with the same functions that its runs entered.
//! * [`remarks`]: what is said of them.
//! * [`whole`]: a report from end to end, for runs that ask for the same of the same text.
//!
//! Whatever goes wrong here costs time, never a result: what cannot be read is computed, what cannot be written is not kept.
pub mod folder;
pub mod key;
pub mod moved;
pub mod recall;
pub mod record;
pub mod remarks;
pub mod searched;
pub mod whole;

pub use recall::Cache;
