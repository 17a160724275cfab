//! The stages of an analysis under one clock: a worker does them, a supervisor waits for it no longer than the user allows.
//!
//! The worker is told the time by deadlines and should keep them; when it does not, or memory runs out, the supervisor goes on
//! with what the worker has handed over so far.

use super::args::LimitArgs;
use super::interrupt;
use super::parallel::STACK;
use super::progress::Progress;
use crate::datalog::{Limits, Watch};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The part of the time limit that stages may plan with; the rest is for the report.
const PLANNED: f64 = 0.92;
/// How often memory and time are looked at.
pub const TICK: Duration = Duration::from_millis(25);

/// The clock of a run.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    limit: Duration,
    /// Kilobytes.
    memory_limit: Option<u64>,
    stage: Mutex<String>,
    /// What the stage has to say of itself.
    note: Mutex<String>,
}

/// How the stages ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// All are done.
    Finished,
    /// A limit was reached in a stage: which limit, which stage.
    Stopped { limit: String, stage: String },
    /// A stage panicked; the user has been told.
    Panicked { stage: String },
}

/// The limit that Ctrl-C stands for.
const INTERRUPTED: &str = "Ctrl-C";

impl Ended {
    /// Why the stages were ended early, if they were.
    pub fn why(&self) -> Option<String> {
        match self {
            Ended::Finished => None,
            Ended::Stopped { stage, .. } if self.is_interrupted() => Some(format!("interrupted while {stage}")),
            Ended::Stopped { limit, stage } => Some(format!("{limit} reached while {stage}")),
            Ended::Panicked { stage } => Some(format!("internal error while {stage}")),
        }
    }
    /// Whether it was Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Ended::Stopped { limit, .. } if limit == INTERRUPTED)
    }
}

impl Clock {
    /// Starts now.
    pub fn new(limits: &LimitArgs) -> Clock {
        Clock {
            start: Instant::now(),
            limit: Duration::from_secs_f64(limits.time_limit),
            memory_limit: limits.memory_limit.map(|mb| mb * 1024),
            stage: Mutex::new("start".to_owned()),
            note: Mutex::default(),
        }
    }
    /// When the stages must be done.
    pub fn deadline(&self) -> Instant {
        self.start + self.limit.mul_f64(PLANNED)
    }
    /// What is left for the stages.
    pub fn left(&self) -> Duration {
        self.deadline().saturating_duration_since(Instant::now())
    }
    /// The limit that rules come close to, in words; they stop a little before the run is.
    pub fn nearly_exceeded(&self) -> Option<String> {
        let limit = self.memory_limit?;
        let near = limit - limit / 20;
        (resident_kilobytes()? > near).then(|| format!("memory limit of {} MB", limit / 1024))
    }
    /// The limits that rules keep from now on; they may be satisfied so often.
    pub fn rule_limits(self: &Arc<Self>, derivations: u64) -> Limits {
        let clock = Arc::clone(self);
        let watch = Watch(Arc::new(move || clock.nearly_exceeded()));
        Limits { time: Some(self.left()), derivations: Some(derivations), watch: Some(watch) }
    }
    /// The stage at work.
    pub fn stage(&self) -> String {
        self.stage.lock().expect("no holder panics").clone()
    }
    /// The stage at work and what it says of itself.
    fn told(&self) -> String {
        let note = self.note.lock().expect("no holder panics");
        let stage = self.stage();
        if note.is_empty() { stage } else { format!("{stage}: {note}") }
    }
    /// What the stage at work has to say of itself.
    pub fn note(&self, text: String) {
        *self.note.lock().expect("no holder panics") = text;
    }
    /// Another stage begins.
    pub fn enter(&self, stage: &str) {
        self.note(String::new());
        stage.clone_into(&mut self.stage.lock().expect("no holder panics"));
    }
    /// The limit that is exceeded, in words.
    pub fn exceeded(&self) -> Option<String> {
        if interrupt::raised() {
            return Some(INTERRUPTED.to_owned());
        }
        if self.start.elapsed() >= self.limit {
            return Some(format!("time limit of {} s", self.limit.as_secs_f64()));
        }
        let limit = self.memory_limit?;
        (resident_kilobytes()? > limit).then(|| format!("memory limit of {} MB", limit / 1024))
    }
}

/// Runs `work` on a thread with a deep stack and waits for it, at most as long as the clock's limits allow.
/// A worker that is not done by then is left to itself.
pub fn supervise(clock: &Arc<Clock>, progress: &Progress, work: impl FnOnce(&Arc<Clock>) + Send + 'static) -> Ended {
    interrupt::watch();
    let (sender, receiver) = channel();
    let theirs = Arc::clone(clock);
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            work(&theirs);
            // The supervisor may have stopped waiting.
            let _ = sender.send(());
        })
        .expect("the system starts threads");
    loop {
        progress.stage(&clock.told());
        match receiver.recv_timeout(TICK) {
            Ok(()) => return Ended::Finished,
            Err(RecvTimeoutError::Disconnected) => return Ended::Panicked { stage: clock.stage() },
            Err(RecvTimeoutError::Timeout) => {
                if let Some(limit) = clock.exceeded() {
                    return Ended::Stopped { limit, stage: clock.stage() };
                }
            }
        }
    }
}

/// Memory of this process that is in use, where the system tells.
fn resident_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(seconds: f64, megabytes: Option<u64>) -> Arc<Clock> {
        let limits = LimitArgs { time_limit: seconds, jobs: 1, memory_limit: megabytes, seed: 0 };
        Arc::new(Clock::new(&limits))
    }

    #[test]
    fn work_that_ends_is_waited_for() {
        assert_eq!(supervise(&clock(60.0, None), &Progress::new(true), |_| ()), Ended::Finished);
    }

    #[test]
    fn work_that_does_not_end_is_left_at_the_limit() {
        let clock = clock(0.1, None);
        let ended = supervise(&clock, &Progress::new(true), |clock| {
            clock.enter("sleeping");
            std::thread::sleep(Duration::from_secs(600));
        });
        assert_eq!(ended, Ended::Stopped { limit: "time limit of 0.1 s".into(), stage: "sleeping".into() });
        assert!(clock.start.elapsed() < Duration::from_secs(300));
    }

    #[test]
    fn a_panic_is_told_with_its_stage() {
        let ended = supervise(&clock(60.0, None), &Progress::new(true), |clock| {
            clock.enter("falling");
            panic!("on purpose");
        });
        assert_eq!(ended, Ended::Panicked { stage: "falling".into() });
    }

    #[test]
    fn memory_is_measured_and_limited() {
        assert!(resident_kilobytes().is_some_and(|kb| kb > 500));
        let clock = Clock {
            memory_limit: Some(1),
            ..Clock::new(&LimitArgs { time_limit: 60.0, jobs: 1, memory_limit: None, seed: 0 })
        };
        assert_eq!(clock.exceeded().as_deref(), Some("memory limit of 0 MB"));
    }
}
