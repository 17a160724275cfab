//! Counts of many checked programs, made by several threads.

use std::fmt;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What came of checking some programs.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub programs: usize,
    /// Programs with some precondition.
    pub with: usize,
    pub preconditions: usize,
    /// Points that were run.
    pub points: usize,
    /// Preconditions with more points than are run.
    pub too_large: usize,
    /// Points that do not err, in words.
    pub wrong: Vec<String>,
}

impl Tally {
    /// The counts of one program.
    pub fn of_program(self) -> Tally {
        Tally { programs: 1, with: usize::from(self.preconditions > 0), ..self }
    }
    /// Adds other counts.
    pub fn add(&mut self, other: Tally) {
        self.programs += other.programs;
        self.with += other.with;
        self.preconditions += other.preconditions;
        self.points += other.points;
        self.too_large += other.too_large;
        self.wrong.extend(other.wrong);
    }
    /// Panics at a point that does not err.
    pub fn expect_none_wrong(&self) {
        if let Some(first) = self.wrong.first() {
            panic!("{} counterexamples; the first: {first}", self.wrong.len());
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally { programs, with, preconditions, points, too_large, wrong } = self;
        let counterexamples = wrong.len();
        write!(
            f,
            "{programs} programs, {with} with preconditions, {preconditions} preconditions ({too_large} more are too \
             large), {points} points run, {counterexamples} counterexamples"
        )
    }
}

/// The counts of all seeds, on all processors.
pub fn tally_all(seeds: Range<u64>, check: impl Fn(u64) -> Tally + Sync) -> Tally {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let (next, all) = (AtomicU64::new(seeds.start), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let tally = check(seed);
                    all.lock().expect("no holder panics").add(tally);
                }
            });
        }
    });
    all.into_inner().expect("no holder panics")
}
