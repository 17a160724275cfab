//! What is known of pairs of numbers and pointers: how far one is above another, and how much of an object lies behind a pointer.
//!
//! * `terms`: what bounds are about; `kept`: the bounds of a state, with what its cells say; `distances`: what follows from both.
//! * `expressions`: expressions as multiples of terms, and what is known of them; `sums`: sums of two terms, `len + n <= cap`;
//!   `middles`: what lies between two; `filled`: how many elements of an array are set; `stays`: what of that
//!   stays where bytes are written as a whole, or moved, of which `spelled` says how far; `offsets`: where in its object a pointer points.
//! * `copies`: what is known of values on their way into cells; `learned`: what comparisons and passed checks say; `calls`: what goes into
//!   functions and comes out of them.
//! * `compared`, `in_step`: candidates for bounds, by what a program compares and by what moves in step as a loop goes round.
//!
//! See: Miné, "A new numerical abstract domain based on difference-bound matrices", Sect. 3 and 4.

mod calls;
mod compared;
mod copies;
mod distances;
mod expressions;
mod filled;
mod in_step;
mod kept;
mod learned;
mod middles;
mod offsets;
mod spelled;
mod stays;
mod sums;
mod terms;

pub use compared::Compared;
pub use filled::{Filled, index_variables};
pub use middles::may_be_middle;
pub use spelled::Spelled;
pub use terms::{Bounds, Cell, Copied, Linear, Term};
