//! Forward analysis: an over-approximation of all executions, by abstract interpretation of the IR.
//!
//! * [`options`] and [`result`]: what it takes and gives; [`verdicts`]: what it says of each check site.
//! * `shape`, `cells`, `fill`, `object`, `bases`, `state`, `tree`: memory, from scalars in bytes up to whole states with sharing; `zeros`: where strings end;
//!   `copied`: bytes of one object in another; `sorted`: elements in another order.
//! * `evaluate`: expressions; `refine`, `refine_floats`: backward, restricting a state by a condition; `derived`: what a number says of those that it was
//!   computed from; `judge`: check sites; `doubt`: why one may fail, in words of C.
//! * `texts`: which pointers stand inside strings; `strings`: what that is learnt from; `differences`: how far numbers are above others,
//!   what two of them make together, and what lies behind pointers.
//! * `paths`: what accesses that went well say of pointers and of the memory behind them; `reach`: how that is learnt, and used;
//!   `living`: what joins would lose of it.
//! * `execute`, `bytes`, `lifetime`: statements, copies of bytes, blocks and variables that come and go; `library`, `float_function`, `parsed`, `format`,
//!   `call`: library functions, numbers that texts give, what `printf` writes, calls with the caller's state; `option_index`: where `getopt` stands.
//! * `extent`: which objects something may change of which no more is known than the relations say; `damage`: what was changed so; `targets`:
//!   where values lead.
//! * `order`, `iterate`: weak topological order, unrolling, widening and narrowing, from what an earlier analysis found; `functions`: what they need.
//! * `waiting`: states in front of a block, together or apart.
//! * `implications`: what one cell says of another, where ways have met; `marks`: numbers that the program asks for in a variable;
//!   `stops`: where widening stops.
//! * `noted`: what places and pointers are, for analyses that come after this one.
//! * `contexts`: calls that are joined instead of followed, to a fixpoint; `shared`: the memory that they share; `reads`: to whom it matters
//!   where that grows; `arguments`: what calls are given.
//! * `analyzer`: what one analysis carries along. `contains`, `watch`: the invariants against runs of
//!   the interpreter.
//!
//! A site is `safe` when no state of the last pass fails its check, and that pass confirmed every loop invariant.
//! Calls are followed first; recursive ones are joined. Where that costs more than a glance may, the analysis begins again with nothing
//! but arguments and results going in and out of calls, those of short functions apart, which ends for most programs; then with
//! memory that all of them share, one content an object; and at last with all that calls may reach going in and out. Each knows something
//! that others do not: what one of them excludes is excluded. Functions that run from
//! states which are not followed (calls from outside) are analysed from states of which nothing is known; what the budget does not
//! cover even so is judged function by function, calls standing for what they may change (`alone`), and what is too long even for
//! that makes its sites `unknown`.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2-2.3 and 3 (cells, recency);
//! Cousot, Cousot, "Abstract Interpretation: A Unified Lattice Model", Sect. 9 (widening). We analyse calls in the
//! caller's state, and keep bytes without a cell in a fill instead of top.
mod alone;
mod analyzer;
mod arguments;
mod bases;
mod bytes;
mod call;
mod cells;
mod contains;
mod contexts;
mod copied;
mod damage;
mod derived;
mod differences;
mod doubt;
mod evaluate;
mod execute;
mod extent;
mod fill;
mod float_function;
mod format;
mod functions;
mod implications;
mod iterate;
mod judge;
mod library;
mod lifetime;
mod lists;
mod living;
mod marks;
mod noted;
mod object;
mod option_index;
pub mod options;
mod order;
mod parsed;
mod paths;
mod reach;
mod reads;
mod refine;
mod refine_floats;
pub mod result;
mod shape;
mod shared;
mod sorted;
mod state;
mod stops;
mod strings;
mod targets;
mod texts;
mod tree;
pub mod verdicts;
mod waiting;
mod watch;
mod zeros;

pub use analyzer::Calls;
pub use bases::{Base, Bases};
pub use noted::Noted;
pub use options::Options;
pub use result::{ForwardResult, Start, ValueAt, analyze, analyze_from, analyze_functions};
pub use verdicts::{SiteVerdict, Unfollowed};
pub use watch::{Comparison, compare, compare_calls, compare_functions};
