//! States in the middle of a run, from which runs that are given the same up to there go on.

use super::execute::Observer;
use super::input::{InputPlace, InputRecord, InputSource};
use super::lost::Tracking;
use super::machine::{Argument, Frame, Machine, Resolved};
use super::memory::Memory;
use super::outcome::{Flags, Limits, Outcome, Run};
use super::prepare::Prepared;
use super::scan::Scanned;
use super::streams::Streams;
use super::unwritten::Names;
use super::value::Value;
use crate::base::Span;
use crate::ir::{BlockId, FuncId, InputId, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of a run before a statement.
#[derive(Clone, Debug)]
pub struct Snapshot {
    memory: Memory,
    registers: Vec<Value>,
    locals: Vec<u32>,
    frames: Vec<Active>,
    va_lists: Vec<Vec<Argument>>,
    flags: Flags,
    log: Vec<InputRecord>,
    /// Bytes of the log.
    logged: u64,
    site_occurrences: Vec<u32>,
    other_occurrences: FxHashMap<InputPlace, u32>,
    output: Vec<u8>,
    statements: u64,
    ends: u32,
    characters: u64,
    continued: Vec<SiteId>,
    passed: Vec<SiteId>,
    open_read: bool,
    spoiled: FxHashSet<usize>,
    names: Names,
    addresses_out: bool,
    tracking: Option<Tracking>,
    streams: Streams,
    approximate: Option<InputId>,
    scanned: Option<Scanned>,
    given: Vec<(InputPlace, u32)>,
    span: Span,
}

/// A function's activation.
#[derive(Clone, Debug)]
struct Active {
    function: FuncId,
    block: BlockId,
    next: usize,
    registers: usize,
    locals: usize,
    dest: Option<Resolved>,
    variadic: Vec<Argument>,
    owned: Vec<u32>,
}

impl Snapshot {
    /// Statements that the run has executed so far.
    pub fn statements(&self) -> u64 {
        self.statements
    }
    /// Bytes of memory, roughly and at most: contents are shared until somebody writes them.
    pub fn bytes(&self) -> u64 {
        let log: u64 = self.log.iter().map(InputRecord::bytes).sum();
        self.memory.used() + log + (self.registers.len() * size_of::<Value>()) as u64
    }
}

impl Machine<'_> {
    /// Statements that the run has executed so far.
    pub fn statements(&self) -> u64 {
        self.limits.0 - self.fuel
    }

    /// The state before the statement that an observer is told of ([`Observer::before_statement`]); None where the host waits for a function's result, or
    /// where the run leaps.
    pub fn snapshot(&mut self) -> Option<Snapshot> {
        if self.leaps.is_some() || self.frames.iter().any(|frame| frame.for_host) {
            return None;
        }
        self.memory.share();
        let mut frames: Vec<Active> = self.frames.iter().map(Active::of).collect();
        // The statement counts as begun.
        frames.last_mut()?.next -= 1;
        Some(Snapshot {
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            locals: self.locals.clone(),
            frames,
            va_lists: self.va_lists.clone(),
            flags: self.flags,
            log: self.log.clone(),
            logged: self.limits.2 - self.log_left,
            site_occurrences: self.site_occurrences.clone(),
            other_occurrences: self.other_occurrences.clone(),
            output: self.output.clone(),
            statements: self.statements() - 1,
            ends: self.limits.1 - self.ends_left,
            characters: self.characters,
            continued: self.continued.clone(),
            passed: self.passed.clone(),
            open_read: self.open_read,
            spoiled: self.spoiled.clone(),
            names: self.names.clone(),
            addresses_out: self.addresses_out,
            tracking: self.tracking.clone(),
            streams: self.streams.clone(),
            approximate: self.approximate,
            scanned: self.scanned.clone(),
            given: self.given.clone(),
            span: self.span,
        })
    }

    fn restore(&mut self, from: &Snapshot) {
        let limit = self.memory.limit;
        self.memory = from.memory.clone();
        self.memory.limit = limit;
        self.registers.clone_from(&from.registers);
        self.locals.clone_from(&from.locals);
        self.frames = from
            .frames
            .iter()
            .map(|active| Frame {
                function: active.function,
                body: &self.program.functions[active.function],
                block: active.block,
                next: active.next,
                registers: active.registers,
                locals: active.locals,
                dest: active.dest,
                for_host: false,
                variadic: active.variadic.clone(),
                owned: active.owned.clone(),
            })
            .collect();
        self.va_lists.clone_from(&from.va_lists);
        self.flags = from.flags;
        self.log.clone_from(&from.log);
        self.log_left = self.limits.2.saturating_sub(from.logged);
        self.site_occurrences.clone_from(&from.site_occurrences);
        self.other_occurrences.clone_from(&from.other_occurrences);
        self.output.clone_from(&from.output);
        self.fuel = self.limits.0.saturating_sub(from.statements);
        self.ends_left = self.limits.1.saturating_sub(from.ends);
        self.characters = from.characters;
        self.continued.clone_from(&from.continued);
        self.passed.clone_from(&from.passed);
        self.open_read = from.open_read;
        self.spoiled.clone_from(&from.spoiled);
        self.names = from.names.clone();
        self.addresses_out = from.addresses_out;
        self.tracking = from.tracking.clone();
        self.streams = from.streams.clone();
        self.approximate = from.approximate;
        self.scanned = from.scanned.clone();
        self.given.clone_from(&from.given);
        self.span = from.span;
    }
}

impl Active {
    fn of(frame: &Frame<'_>) -> Active {
        Active {
            function: frame.function,
            block: frame.block,
            next: frame.next,
            registers: frame.registers,
            locals: frame.locals,
            dest: frame.dest,
            variadic: frame.variadic.clone(),
            owned: frame.owned.clone(),
        }
    }
}

impl Prepared<'_> {
    /// Goes on from where a run of `entry` was, within `limits` that differ in nothing but how much a run may take; `inputs` are asked for what comes
    /// behind. The statements of the run are those of both parts; its trace is that of the second.
    pub fn resume<O: Observer>(
        &self,
        (entry, from): (FuncId, &Snapshot),
        inputs: &mut dyn InputSource,
        limits: &Limits,
        observer: &mut O,
    ) -> Run {
        let mut machine = Machine::new(self, inputs, limits);
        machine.restore(from);
        let outcome = match machine.run_frames(1, observer) {
            Ok(()) => Outcome::Returned(machine.host_result.take()),
            Err(outcome) => *outcome,
        };
        machine.into_run(entry, outcome)
    }
}
