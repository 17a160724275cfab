//! How long engines may work, and how others stop them earlier.

use crate::engines::limits::Effort;
use crate::smt::Interrupt;
use std::time::{Duration, Instant};

/// How long an engine may work, and how hard its questions may be. Clones and shares of a budget are stopped together.
#[derive(Clone, Debug)]
pub struct Budget {
    deadline: Instant,
    stopped: Interrupt,
    effort: Effort,
}

impl Budget {
    /// From now on so long.
    pub fn of(time: Duration) -> Budget {
        Budget::until(Instant::now() + time)
    }
    /// Until then.
    pub fn until(deadline: Instant) -> Budget {
        Budget { deadline, stopped: Interrupt::default(), effort: Effort::ANY }
    }
    /// The same time for questions that are no harder than this.
    pub fn with(self, effort: Effort) -> Budget {
        Budget { effort, ..self }
    }
    /// How hard questions may be.
    pub fn effort(&self) -> Effort {
        self.effort
    }
    /// What is left.
    pub fn left(&self) -> Duration {
        if self.stopped.is_raised() { Duration::ZERO } else { self.deadline.saturating_duration_since(Instant::now()) }
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
    /// Ends it now, for all who work on it or a share: what they could find is wanted no more. Queries that solvers are
    /// at end soon, too.
    pub fn stop(&self) {
        self.stopped.raise();
    }

    /// The switch that [`stop`](Self::stop) raises, for those who cannot ask the budget.
    pub fn interrupt(&self) -> Interrupt {
        self.stopped.clone()
    }

    fn ending(&self, deadline: Instant) -> Budget {
        Budget { deadline, stopped: self.stopped.clone(), effort: self.effort }
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
