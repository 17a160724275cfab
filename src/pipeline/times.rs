//! What a run has taken, by stage and by check. Told on standard error: reports depend on the input alone.

use crate::ir::CheckKind;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// Columns of the names of checks, and of seconds.
const NAME: usize = 18;
const SECONDS: usize = 12;

/// What a run has taken.
#[derive(Clone, Debug, Default)]
pub struct Times {
    /// Stages in the order in which they ended; some work at the same time.
    pub stages: Vec<(&'static str, Duration)>,
    /// What judging took, over all abstract states and rounds.
    pub judging: BTreeMap<CheckKind, Duration>,
    /// What growing the inputs of failing runs took, most of it the solver's.
    pub growing: BTreeMap<CheckKind, Duration>,
}

impl Times {
    /// Another stage has ended, or another part of it.
    pub fn add(&mut self, stage: &'static str, time: Duration) {
        match self.stages.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, sum)) => *sum += time,
            None => self.stages.push((stage, time)),
        }
    }

    /// Adds times per check to others.
    pub fn join(into: &mut BTreeMap<CheckKind, Duration>, more: &BTreeMap<CheckKind, Duration>) {
        for (check, time) in more {
            *into.entry(*check).or_default() += *time;
        }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stage = |(name, time): &(&'static str, Duration)| format!("{name} {:.2} s", time.as_secs_f64());
        let stages: Vec<String> = self.stages.iter().map(stage).collect();
        write!(f, "time: {}", stages.join(", "))?;
        let checks: std::collections::BTreeSet<&CheckKind> = self.judging.keys().chain(self.growing.keys()).collect();
        if checks.is_empty() {
            return Ok(());
        }
        write!(f, "\n{:NAME$}{:>SECONDS$}{:>SECONDS$}", "seconds per check", "judging", "inputs")?;
        let of = |map: &BTreeMap<CheckKind, Duration>, check| map.get(check).copied().unwrap_or_default().as_secs_f64();
        for check in checks {
            let (judging, growing) = (of(&self.judging, check), of(&self.growing, check));
            write!(f, "\n{:NAME$}{judging:>SECONDS$.2}{growing:>SECONDS$.2}", check.name())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_stage_are_added_up() {
        let mut times = Times::default();
        let second = Duration::from_secs(1);
        times.add("parsing", second);
        times.add("runs", second / 2);
        times.add("parsing", second);
        Times::join(&mut times.growing, &[(CheckKind::Shift, second)].into());
        assert_eq!(
            times.to_string(),
            "time: parsing 2.00 s, runs 0.50 s\nseconds per check      judging      inputs\nshift                     0.00        1.00"
        );
    }
}
