//! The stages of `check` in their order, and why each stands where it does.

use super::args::{CheckArgs, InputArgs, LimitArgs};
use super::check::Results;
use super::entry::find_entry;
use super::input::{load, lower_options};
use super::stages::Clock;
use crate::ir::CheckKind;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// What is to be analysed and how.
#[derive(Debug)]
pub struct Plan {
    input: InputArgs,
    limits: LimitArgs,
    entry: String,
    checks: BTreeSet<CheckKind>,
}

impl Plan {
    /// The plan that the user's arguments stand for.
    pub fn new(args: &CheckArgs, checks: &BTreeSet<CheckKind>) -> Plan {
        Plan {
            input: args.input.clone(),
            limits: args.limits.clone(),
            entry: args.entry.clone(),
            checks: checks.clone(),
        }
    }

    /// Runs every stage, handing over to `results` as soon as one has something.
    pub fn run(&self, clock: &Clock, results: &Mutex<Results>) {
        let hand_over = |put: &dyn Fn(&mut Results)| put(&mut results.lock().expect("holders of results do not panic"));
        let options = lower_options(&self.checks);
        let loaded = match load(&self.input, options, self.limits.jobs, clock.left(), &|stage| clock.enter(stage)) {
            Ok(loaded) => Arc::new(loaded),
            Err(error) => return results.lock().expect("holders of results do not panic").failed = Some(error),
        };
        hand_over(&|r| r.loaded = Some(Arc::clone(&loaded)));
        let entry = match find_entry(&loaded.program, &self.entry) {
            Ok(entry) => entry,
            Err(error) => return results.lock().expect("holders of results do not panic").failed = Some(error),
        };
        hand_over(&|r| r.entry = Some(entry));
    }
}
