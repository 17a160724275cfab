//! A run's state at some place on its way, from which other runs go on.
//!
//! What a machine does follows from the program and from what it was answered: a run that would get the same answers up to a place is in the same state there.
//! So it need not be made again from the start. See: Schumilo, Aschermann, Jemmett, Abbasi, Holz, "Nyx-Net: Network Fuzzing with Incremental Snapshots"
//! (states are kept at places on the way, each for the inputs read so far).

use super::input::{InputPlace, InputRecord, InputSource};
use super::leap::Leaps;
use super::lost::Tracking;
use super::machine::{Argument, Frame, Machine};
use super::memory::Memory;
use super::outcome::{Flags, Limits};
use super::prepare::Prepared;
use super::scan::Scanned;
use super::streams::Streams;
use super::trace::Trace;
use super::unwritten::Names;
use super::value::Value;
use crate::base::Span;
use crate::ir::{InputId, SiteId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The state of a run before a statement. See [`Prepared::resume`].
#[derive(Clone, Debug)]
pub struct Frozen {
    memory: Memory,
    registers: Vec<Value>,
    locals: Vec<u32>,
    frames: Vec<Frame<()>>,
    va_lists: Vec<Vec<Argument>>,
    flags: Flags,
    /// How many inputs it had consumed.
    consumed: usize,
    log_left: u64,
    site_occurrences: Vec<u32>,
    other_occurrences: FxHashMap<InputPlace, u32>,
    trace: Trace,
    output: Vec<u8>,
    statements: u64,
    ends: u32,
    characters: u64,
    continued: Vec<SiteId>,
    passed: Vec<SiteId>,
    open_read: bool,
    spoiled: FxHashSet<usize>,
    names: Names,
    leaps: Option<Leaps>,
    addresses_out: bool,
    tracking: Option<Tracking>,
    streams: Streams,
    approximate: Option<InputId>,
    scanned: Option<Scanned>,
    scan_is_settled: bool,
    given: Vec<(InputPlace, u32)>,
    span: Span,
    /// Bytes of memory that no state before it has.
    bytes: u64,
}

impl Frozen {
    /// Statements and terminators executed until then.
    pub fn statements(&self) -> u64 {
        self.statements
    }

    /// Readings until then that gave nothing but the end of a file once more.
    pub fn ends(&self) -> u32 {
        self.ends
    }

    /// Inputs consumed until then.
    pub fn consumed(&self) -> usize {
        self.consumed
    }

    /// Bytes that it takes besides the states before it on the way of its run, roughly.
    pub fn bytes(&self) -> u64 {
        let small = self.registers.len() * size_of::<Value>() + self.site_occurrences.len() * size_of::<u32>();
        self.bytes + self.output.len() as u64 + small as u64
    }
}

impl<B> Frame<B> {
    /// The same activation with another thing in the place of its body.
    fn with<C>(&self, body: C) -> Frame<C> {
        let Frame { function, body: _, block, next, registers, locals, dest, for_host, ref variadic, ref owned } =
            *self;
        Frame {
            function,
            body,
            block,
            next,
            registers,
            locals,
            dest,
            for_host,
            variadic: variadic.clone(),
            owned: owned.clone(),
        }
    }
}

impl Machine<'_> {
    /// Whether the machine knows all of its state: no library function waits for a result, and the statement is not the first of a loop, where leaps are
    /// considered before it.
    pub fn may_freeze(&self) -> bool {
        let is_head = self.leaps.is_some() && self.frame().next <= 1 && self.prepared.heads[self.block_number()];
        !is_head && !self.frames.iter().any(|frame| frame.for_host)
    }

    /// The state before the statement that is about to run: to be called by observers, before the statement, where the machine [may freeze].
    ///
    /// [may freeze]: Machine::may_freeze
    pub fn freeze(&mut self) -> Frozen {
        let bytes = self.memory.share();
        let Machine {
            // What is the same in all runs that go on from here.
            prepared: _,
            program: _,
            inputs: _,
            output_limit: _,
            call_depth: _,
            enabled: _,
            past: _,
            unwritten: _,
            ends_at_any_error: _,
            outside: _,
            extents: _,
            host_result: _,
            ref memory,
            ref registers,
            ref locals,
            ref frames,
            ref va_lists,
            flags,
            ref log,
            log_left,
            ref site_occurrences,
            ref other_occurrences,
            ref trace,
            ref output,
            fuel_given,
            fuel,
            ends_given,
            ends_left,
            characters,
            ref continued,
            ref passed,
            open_read,
            ref spoiled,
            ref names,
            ref leaps,
            addresses_out,
            ref tracking,
            ref streams,
            approximate,
            ref scanned,
            scan_is_settled,
            ref given,
            span,
        } = *self;
        let mut frames: Vec<Frame<()>> = frames.iter().map(|frame| frame.with(())).collect();
        // The statement has been fetched and paid for.
        if let Some(frame) = frames.last_mut() {
            frame.next -= 1;
        }
        Frozen {
            memory: memory.clone(),
            registers: registers.clone(),
            locals: locals.clone(),
            frames,
            va_lists: va_lists.clone(),
            flags,
            consumed: log.len(),
            log_left,
            site_occurrences: site_occurrences.clone(),
            other_occurrences: other_occurrences.clone(),
            trace: trace.clone(),
            output: output.clone(),
            statements: fuel_given - fuel - 1,
            ends: ends_given - ends_left,
            characters,
            continued: continued.clone(),
            passed: passed.clone(),
            open_read,
            spoiled: spoiled.clone(),
            names: names.clone(),
            leaps: leaps.clone(),
            addresses_out,
            tracking: tracking.clone(),
            streams: streams.clone(),
            approximate,
            scanned: scanned.clone(),
            scan_is_settled,
            given: given.clone(),
            span,
            bytes,
        }
    }
}

impl<'p> Machine<'p> {
    /// A machine in this state, of a run that consumed these inputs. What has been used up of limits stays so.
    pub(super) fn thaw(
        (frozen, log): (&Frozen, &[InputRecord]),
        prepared: &'p Prepared<'p>,
        inputs: &'p mut dyn InputSource,
        limits: &Limits,
    ) -> Machine<'p> {
        let functions = &prepared.program.functions;
        let frozen = frozen.clone();
        Machine {
            memory: frozen.memory,
            registers: frozen.registers,
            locals: frozen.locals,
            frames: frozen.frames.iter().map(|frame| frame.with(&functions[frame.function])).collect(),
            va_lists: frozen.va_lists,
            flags: frozen.flags,
            log: log[..frozen.consumed].to_vec(),
            log_left: frozen.log_left,
            site_occurrences: frozen.site_occurrences,
            other_occurrences: frozen.other_occurrences,
            trace: frozen.trace,
            output: frozen.output,
            fuel: limits.statements.saturating_sub(frozen.statements),
            ends_left: limits.ends.saturating_sub(frozen.ends),
            characters: frozen.characters,
            continued: frozen.continued,
            passed: frozen.passed,
            open_read: frozen.open_read,
            spoiled: frozen.spoiled,
            names: frozen.names,
            leaps: frozen.leaps,
            addresses_out: frozen.addresses_out,
            tracking: frozen.tracking,
            streams: frozen.streams,
            approximate: frozen.approximate,
            scanned: frozen.scanned,
            scan_is_settled: frozen.scan_is_settled,
            given: frozen.given,
            span: frozen.span,
            ..Machine::new(prepared, inputs, limits)
        }
    }
}
