//! How long engines may work, and how others stop them earlier.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long an engine may work. Clones and shares of a budget are stopped together.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Instant,
    stopped: Arc<AtomicBool>,
}

impl Budget {
    /// From now on so long.
    pub fn of(time: Duration) -> Budget {
        Budget::until(Instant::now() + time)
    }
    /// Until then.
    pub fn until(deadline: Instant) -> Budget {
        Budget { deadline, stopped: Arc::default() }
    }
    /// What is left.
    pub fn left(&self) -> Duration {
        if self.stopped.load(Ordering::Relaxed) {
            Duration::ZERO
        } else {
            self.deadline.saturating_duration_since(Instant::now())
        }
    }
    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.left().is_zero()
    }
    /// This budget or `time` from now on, whichever is less.
    pub fn at_most(&self, time: Duration) -> Budget {
        self.ending(self.deadline.min(Instant::now() + time))
    }
    /// A part of what is left.
    pub fn share(&self, part: f64) -> Budget {
        self.ending(Instant::now() + self.left().mul_f64(part))
    }
    /// Ends it now, for all who work on it or a share: what they could find is wanted no more. A query that a solver is
    /// at goes on to its own limit.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    fn ending(&self, deadline: Instant) -> Budget {
        Budget { deadline, stopped: Arc::clone(&self.stopped) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_stopped_with_the_whole() {
        let budget = Budget::of(Duration::from_secs(3600));
        let share = budget.share(0.5);
        assert!(share.left() > Duration::ZERO && share.left() <= Duration::from_secs(1800));
        assert!(share.at_most(Duration::from_secs(1)).left() <= Duration::from_secs(1));
        budget.stop();
        assert!(share.is_spent() && budget.at_most(Duration::from_secs(1)).is_spent());
    }
}
