//! The passes of an analysis under one clock: a worker does them, a supervisor waits for it no longer than the user allows.
//!
//! The worker is told the time by deadlines and should keep them; when it does not, or memory runs out, the supervisor goes on
//! with what the worker has handed over so far.

use super::error::Error;
use super::listener::Listener;
use super::parallel::STACK;
use super::profile::WholeLimits;
use crate::datalog::{Limits, Watch};
use crate::engines::limits::Share;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often memory and time are looked at.
pub const TICK: Duration = Duration::from_millis(25);

/// The clock of a run.
pub struct Clock {
    listener: Arc<dyn Listener>,
    start: Instant,
    limit: Duration,
    /// The part of it that passes may plan with.
    planned: Share,
    /// Kilobytes.
    memory_limit: Option<u64>,
    stage: Mutex<String>,
    /// What the pass has to say of itself.
    note: Mutex<String>,
}

/// How the passes ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// All are done.
    Finished,
    /// A limit was reached in a pass: which limit, what was going on.
    Stopped { limit: String, stage: String },
    /// A pass panicked; the user has been told.
    Panicked { stage: String },
}

/// The limit that Ctrl-C stands for.
const INTERRUPTED: &str = "Ctrl-C";

impl Ended {
    /// Why the passes were ended early, if they were.
    pub fn why(&self) -> Option<String> {
        match self {
            Ended::Finished => None,
            Ended::Stopped { stage, .. } if self.is_interrupted() => Some(format!("interrupted while {stage}")),
            Ended::Stopped { limit, stage } => Some(format!("{limit} reached while {stage}")),
            Ended::Panicked { stage } => Some(format!("internal error while {stage}")),
        }
    }
    /// Why there is not even a program.
    pub fn without_program(&self) -> Error {
        match self {
            Ended::Panicked { .. } => Error::Panicked,
            Ended::Stopped { .. } => Error::Nothing(self.why().unwrap_or_default()),
            Ended::Finished => Error::Internal("no program and no reason".to_owned()),
        }
    }
    /// Whether it was Ctrl-C.
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Ended::Stopped { limit, .. } if limit == INTERRUPTED)
    }
}

impl Clock {
    /// Starts now.
    pub fn new(limits: &WholeLimits, listener: Arc<dyn Listener>) -> Clock {
        Clock {
            listener,
            start: Instant::now(),
            limit: limits.time,
            planned: limits.planned,
            memory_limit: limits.memory.map(|mb| mb * 1024),
            stage: Mutex::new("start".to_owned()),
            note: Mutex::default(),
        }
    }
    /// Who hears what goes on.
    pub fn listener(&self) -> &dyn Listener {
        &*self.listener
    }
    /// When the passes must be done.
    pub fn deadline(&self) -> Instant {
        self.start + self.planned.of(self.limit)
    }
    /// What is left for the passes.
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
    /// What is going on.
    pub fn stage(&self) -> String {
        self.stage.lock().expect("no holder panics").clone()
    }
    /// What is going on, and what it says of itself.
    fn told(&self) -> String {
        let note = self.note.lock().expect("no holder panics");
        let stage = self.stage();
        if note.is_empty() { stage } else { format!("{stage}: {note}") }
    }
    /// What the pass at work has to say of itself.
    pub fn note(&self, text: String) {
        *self.note.lock().expect("no holder panics") = text;
    }
    /// Something else begins.
    pub fn enter(&self, stage: &str) {
        self.note(String::new());
        stage.clone_into(&mut self.stage.lock().expect("no holder panics"));
    }
    /// The limit that is exceeded, in words.
    pub fn exceeded(&self) -> Option<String> {
        if self.listener.is_interrupted() {
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
pub fn supervise(clock: &Arc<Clock>, work: impl FnOnce(&Arc<Clock>) + Send + 'static) -> Ended {
    // Whoever waits for Ctrl-C does so from the first question on.
    clock.listener.is_interrupted();
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
    let ended = loop {
        clock.listener.stage(&clock.told());
        match receiver.recv_timeout(TICK) {
            Ok(()) => break Ended::Finished,
            Err(RecvTimeoutError::Disconnected) => break Ended::Panicked { stage: clock.stage() },
            Err(RecvTimeoutError::Timeout) => {
                if let Some(limit) = clock.exceeded() {
                    break Ended::Stopped { limit, stage: clock.stage() };
                }
            }
        }
    };
    clock.listener.done();
    ended
}

/// Memory of this process that is in use, where the system tells.
fn resident_kilobytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::listener::Nobody;
    use crate::pipeline::profile::Profile;

    fn clock(seconds: f64) -> Arc<Clock> {
        let limits = WholeLimits { time: Duration::from_secs_f64(seconds), ..Profile::default().run };
        Arc::new(Clock::new(&limits, Arc::new(Nobody)))
    }

    #[test]
    fn work_that_ends_is_waited_for() {
        assert_eq!(supervise(&clock(60.0), |_| ()), Ended::Finished);
    }

    #[test]
    fn work_that_does_not_end_is_left_at_the_limit() {
        let clock = clock(0.1);
        let ended = supervise(&clock, |clock| {
            clock.enter("sleeping");
            std::thread::sleep(Duration::from_secs(600));
        });
        assert_eq!(ended, Ended::Stopped { limit: "time limit of 0.1 s".into(), stage: "sleeping".into() });
        assert!(clock.start.elapsed() < Duration::from_secs(300));
    }

    #[test]
    fn a_panic_is_told_with_its_stage() {
        let ended = supervise(&clock(60.0), |clock| {
            clock.enter("falling");
            panic!("on purpose");
        });
        assert_eq!(ended, Ended::Panicked { stage: "falling".into() });
    }

    #[test]
    fn memory_is_measured_and_limited() {
        assert!(resident_kilobytes().is_some_and(|kb| kb > 500));
        let clock = Clock { memory_limit: Some(1), ..Clock::new(&Profile::default().run, Arc::new(Nobody)) };
        assert_eq!(clock.exceeded().as_deref(), Some("memory limit of 0 MB"));
    }
}
