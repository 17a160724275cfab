//! What is taken to be given to the function that executions start in, where that is not `main`.

use super::FuncId;
use rustc_hash::FxHashMap;

/// Bytes of what a pointer leads to where nobody says how many they are.
pub const ROOM: u64 = 1 << 20;

/// Parameters that count what others point to: the function and the pointer's number, and the count's.
pub type Extents = FxHashMap<(FuncId, u32), u32>;
