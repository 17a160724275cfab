//! What searches of one program that run side by side tell each other: the inputs of runs that show something new, and that one of them is over.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz", Sect. 10 (several instances take over each other's queues).

use super::case::Case;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by searches with different seeds.
#[derive(Debug, Default)]
pub struct Exchange {
    /// With the seed of the search that has kept it.
    cases: Mutex<Vec<(u64, Case)>>,
    over: AtomicBool,
}

impl Exchange {
    /// Offers a case that a search has kept.
    pub(super) fn give(&self, seed: u64, case: &Case) {
        // Numbers of kept cases mean nothing to others, and suggestions are found again.
        let Case { inputs, files, past, goes_on, statements, .. } = case.clone();
        let case = Case { inputs, files, past, goes_on, statements, ..Case::default() };
        self.cases.lock().expect("no holder panics").push((seed, case));
    }

    /// The next case of another search, behind so many that were looked at.
    pub(super) fn take(&self, seed: u64, looked_at: &mut usize) -> Option<Case> {
        let cases = self.cases.lock().expect("no holder panics");
        let own = cases[*looked_at..].iter().take_while(|(of, _)| *of == seed).count();
        *looked_at += own;
        let (_, case) = cases.get(*looked_at)?;
        *looked_at += 1;
        Some(case.clone())
    }

    /// Has all searches end.
    pub fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether they are to end.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }
}
