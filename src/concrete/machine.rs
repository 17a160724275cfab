//! The state of a run: memory, registers, frames, what was consumed and written; and the queries on it.

use super::input::{InputPlace, InputRecord, InputSource, InputValue, Source};
use super::memory::{Memory, Pointee, Shortage};
use super::object::{Byte, Life, ObjectKind, Raw, Region};
use super::outcome::{Flags, Fuel, Limits, Outcome, Past};
use super::prepare::{Home, Prepared};
use super::scalar::{Class, Scalar};
use super::trace::Trace;
use super::value::{Origin, Value};
use crate::base::{Idx, Span};
use crate::ir::{
    BitRange, BlockId, CheckKind, FloatKind, FuncId, Function, InputId, Program, Real, SiteId, TypeId, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// The result of a step: a value, or the end of the run.
pub(super) type Step<T> = Result<T, Box<Outcome>>;

/// Where a scalar or aggregate is read from or written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Register(usize),
    Memory { slot: u32, at: usize },
}

/// A place with its address evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolved {
    pub target: Target,
    pub ty: TypeId,
    pub bits: Option<BitRange>,
}

/// An argument behind the named ones, or any argument on its way.
#[derive(Clone, Debug)]
pub(super) enum Argument {
    Scalar(Value, TypeId),
    Aggregate(Region),
}

/// A function's activation, with its body at hand.
#[derive(Clone, Debug)]
pub(super) struct Frame<B> {
    pub function: FuncId,
    pub body: B,
    pub block: BlockId,
    /// The statement to run next.
    pub next: usize,
    pub registers: usize,
    pub locals: usize,
    /// What the result goes to.
    pub dest: Option<Resolved>,
    /// Whether the host waits for the result.
    pub for_host: bool,
    pub variadic: Vec<Argument>,
    /// Slots of what lives until the frame ends: `alloca` blocks and `va_list` arguments.
    pub owned: Vec<u32>,
}

/// A run's state.
pub struct Machine<'p> {
    pub(super) prepared: &'p Prepared<'p>,
    pub(super) program: &'p Program,
    pub(super) memory: Memory,
    pub(super) registers: Vec<Value>,
    pub(super) locals: Vec<u32>,
    pub(super) frames: Vec<Frame<&'p Function>>,
    pub(super) va_lists: Vec<Vec<Argument>>,
    pub(super) flags: Flags,
    pub(super) inputs: &'p mut dyn InputSource,
    pub(super) log: Vec<InputRecord>,
    /// Bytes that the log may still grow by.
    pub(super) log_left: u64,
    /// How often each input site has been asked.
    pub(super) site_occurrences: Vec<u32>,
    pub(super) other_occurrences: FxHashMap<InputPlace, u32>,
    pub(super) trace: Trace,
    pub(super) output: Vec<u8>,
    pub(super) output_limit: usize,
    /// Statements that it may execute in all, and those that are left.
    pub(super) fuel_given: u64,
    pub(super) fuel: u64,
    /// Readings that may give nothing but the end of a file once more, in all, and those that are left.
    pub(super) ends_given: u32,
    pub(super) ends_left: u32,
    /// Characters that library functions have read.
    pub(super) characters: u64,
    pub(super) call_depth: usize,
    pub(super) enabled: [bool; CheckKind::ALL.len()],
    pub(super) continued: Vec<SiteId>,
    pub(super) past: Arc<Past>,
    pub(super) passed: Vec<SiteId>,
    /// See [`Limits::unwritten`].
    pub(super) unwritten: bool,
    /// Whether a value was read that C leaves open: what it is stored to afterwards is not told from what is indeterminate.
    pub(super) open_read: bool,
    /// Registers to which an indeterminate value was stored: they are no inputs.
    pub(super) spoiled: FxHashSet<usize>,
    /// Of copied bytes that nothing was written to.
    pub(super) names: super::unwritten::Names,
    /// See [`Limits::ends_at_any_error`].
    pub(super) ends_at_any_error: bool,
    /// See [`Limits::outside`].
    pub(super) outside: bool,
    /// See [`Limits::leaps`]; None where none are made.
    pub(super) leaps: Option<super::leap::Leaps>,
    /// Whether bytes of addresses were taken out of the program: what is read may be pointers again.
    pub(super) addresses_out: bool,
    /// See [`Limits::lost`]; None where blocks are not tracked.
    pub(super) tracking: Option<super::lost::Tracking>,
    pub(super) streams: super::streams::Streams,
    /// The first input consumed that stands for a computation nobody describes.
    pub(super) approximate: Option<InputId>,
    /// What the call of `scanf` or kin under way takes, where its text is known.
    pub(super) scanned: Option<super::scan::Scanned>,
    /// Whether the inputs of the scan under way are what a text made them, in an earlier run.
    pub(super) scan_is_settled: bool,
    /// See [`Limits::extents`].
    pub(super) extents: Arc<crate::ir::entry::Extents>,
    /// What the caller has given whose bytes are inputs.
    pub(super) given: Vec<(InputPlace, u32)>,
    pub(super) span: Span,
    /// What the entry function, or a function that the host called, returned.
    pub(super) host_result: Option<Value>,
}

/// What a pointer value points to, for observers.
#[derive(Clone, Debug, PartialEq)]
pub enum Pointer {
    Null,
    /// A number that is no object's address.
    Invalid,
    Indeterminate,
    Function(FuncId),
    /// A label of a function.
    Label(FuncId, BlockId),
    /// An object by its slot; `offset` may be outside.
    Object {
        slot: u32,
        live: bool,
        offset: i128,
    },
    /// A variable that no longer exists.
    Gone,
}

/// An object, for observers.
#[derive(Clone, Copy, Debug)]
pub struct ObjectView<'m> {
    pub slot: u32,
    pub kind: &'m ObjectKind,
    pub live: bool,
    /// Bytes.
    pub size: u64,
}

impl<'p> Machine<'p> {
    pub(super) fn new(prepared: &'p Prepared<'p>, inputs: &'p mut dyn InputSource, limits: &Limits) -> Machine<'p> {
        let mut memory = prepared.initial.clone();
        if limits.past.downward {
            memory.give_downward();
        }
        memory.limit = limits.memory.saturating_add(memory.used());
        let mut enabled = [false; CheckKind::ALL.len()];
        for kind in &limits.checks {
            enabled[*kind as usize] = true;
        }
        Machine {
            prepared,
            program: prepared.program,
            memory,
            registers: Vec::new(),
            locals: Vec::new(),
            frames: Vec::new(),
            va_lists: Vec::new(),
            flags: Flags::default(),
            inputs,
            log: Vec::new(),
            log_left: limits.inputs,
            site_occurrences: vec![0; prepared.program.inputs.len()],
            other_occurrences: FxHashMap::default(),
            trace: Trace::new(limits.trace),
            output: Vec::new(),
            output_limit: limits.output,
            fuel_given: limits.statements,
            fuel: limits.statements,
            ends_given: limits.ends,
            ends_left: limits.ends,
            characters: 0,
            call_depth: limits.call_depth,
            enabled,
            continued: Vec::new(),
            past: limits.past.clone(),
            passed: Vec::new(),
            unwritten: limits.unwritten,
            open_read: false,
            spoiled: FxHashSet::default(),
            names: super::unwritten::Names::default(),
            ends_at_any_error: limits.ends_at_any_error,
            outside: limits.outside,
            leaps: limits.leaps.then(super::leap::Leaps::default),
            addresses_out: false,
            tracking: limits.lost.then(super::lost::Tracking::default),
            streams: super::streams::Streams::default(),
            approximate: None,
            scanned: None,
            scan_is_settled: false,
            extents: limits.extents.clone(),
            given: Vec::new(),
            span: Span::NONE,
            host_result: None,
        }
    }

    // Ends of a run.

    pub(super) fn undecided<T>(&self, reason: impl Into<String>) -> Step<T> {
        Err(Box::new(Outcome::Undecided(reason.into())))
    }
    pub(super) fn stuck<T>(&self, reason: impl Into<String>) -> Step<T> {
        Err(Box::new(Outcome::Stuck(reason.into())))
    }
    pub(super) fn out_of<T>(&self, fuel: Fuel) -> Step<T> {
        Err(Box::new(Outcome::OutOfFuel(fuel)))
    }
    pub(super) fn granted<T>(&self, result: Result<T, Shortage>) -> Step<T> {
        result.map_err(|shortage| {
            Box::new(match shortage {
                Shortage::Limit => Outcome::OutOfFuel(Fuel::Memory),
                Shortage::Addresses => Outcome::Undecided("an object does not fit the address space".into()),
            })
        })
    }

    // Representation.

    #[inline]
    pub(super) fn scalar(&self, ty: TypeId) -> Scalar {
        self.prepared.scalar(ty)
    }
    #[inline]
    pub(super) fn frame(&self) -> &Frame<&'p Function> {
        self.frames.last().expect("a frame is active while a program runs")
    }
    #[inline]
    pub(super) fn frame_mut(&mut self) -> &mut Frame<&'p Function> {
        self.frames.last_mut().expect("a frame is active while a program runs")
    }
    /// The number of `value`, an indeterminate one read as 0; what it shows of an address is noted.
    #[inline]
    pub(super) fn observe(&mut self, value: Value) -> i128 {
        match value {
            Value::Int(v, origin) => {
                self.note_shown(origin);
                v
            }
            Value::Undef => {
                self.flags.indeterminate = true;
                0
            }
            Value::Float(v) => v.to_int().unwrap_or(0),
        }
    }
    /// Notes that a number of this origin was looked at.
    #[inline]
    pub(super) fn note_shown(&mut self, origin: Origin) {
        if origin.is_unspecified() {
            self.flags.approximated = true;
        } else if !origin.is_none() {
            self.flags.layout_dependent = true;
        }
    }
    #[inline]
    pub(super) fn observe_float(&mut self, value: Value, kind: FloatKind) -> Real {
        match value {
            Value::Float(v) => v.to_kind(kind),
            Value::Undef => {
                self.flags.indeterminate = true;
                Real::zero(kind)
            }
            Value::Int(v, _) => Real::of_int(kind, v, false),
        }
    }
    /// What `value` points to. A number that came from an address in a way that lost its object is looked up.
    pub(super) fn pointee(&mut self, value: Value) -> Pointee {
        if let Value::Int(_, origin) = value
            && !origin.is_none()
            && !self.memory.is_pointer(origin)
        {
            // A piece of an address, such as its low half.
            self.flags.layout_dependent = true;
        }
        self.resolve(value)
    }
    /// What a value read as a pointer points to; where the run depends on addresses, numbers that are some do so too.
    fn resolve(&self, value: Value) -> Pointee {
        match self.memory.resolve(value) {
            Pointee::Invalid if self.flags.layout_dependent => {
                let found = value.as_int().and_then(|address| self.memory.find(address));
                found.map_or(Pointee::Invalid, |v| self.memory.resolve(v))
            }
            pointee => pointee,
        }
    }
    /// The slot of a variable's object in the current frame.
    pub(super) fn slot_of(&self, var: VarId) -> Option<u32> {
        match self.prepared.home(var) {
            Home::Static(slot) => Some(slot),
            Home::Frame(i) => Some(self.locals[self.frame().locals + i as usize]),
            Home::Register(_) => None,
        }
    }

    // What observers may ask.

    /// The program that runs.
    pub fn program(&self) -> &'p Program {
        self.program
    }
    /// How many functions are active.
    pub fn depth(&self) -> usize {
        self.frames.len()
    }
    /// The active functions, outermost first.
    pub fn call_stack(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.frames.iter().map(|f| f.function)
    }
    /// Statements and terminators executed, or begun, so far.
    pub fn statements(&self) -> u64 {
        self.fuel_given - self.fuel
    }
    /// The inputs consumed so far.
    pub fn inputs_so_far(&self) -> &[InputRecord] {
        &self.log
    }
    /// The scalar of type `ty` at `offset` of a static variable, or of one of the current function.
    /// None when those bytes do not lie in it, it is not alive, or its content is unknown.
    pub fn read_variable(&self, var: VarId, offset: u64, ty: TypeId) -> Option<Value> {
        let variable = &self.program.variables[var];
        if variable.owner().is_some_and(|owner| owner != self.frame().function) {
            return None;
        }
        match self.prepared.home(var) {
            Home::Register(r) => {
                let same = offset == 0 && ty == variable.ty;
                let value = self.registers[self.frame().registers + r as usize];
                (same && !(self.open_read && value == Value::Undef)).then_some(value)
            }
            _ => self.read_object(self.slot_of(var)?, offset, ty),
        }
    }
    /// The object of a static variable, or of one of the current function; None for those that nothing points to.
    pub fn object_of(&self, var: VarId) -> Option<ObjectView<'_>> {
        let owner = self.program.variables[var].owner();
        if owner.is_some_and(|owner| owner != self.frame().function) {
            return None;
        }
        self.slot_of(var).map(|slot| self.view(slot))
    }
    /// The scalar of type `ty` at `offset` of an object.
    pub fn read_object(&self, slot: u32, offset: u64, ty: TypeId) -> Option<Value> {
        let scalar = self.scalar(ty);
        let object = self.memory.object(slot);
        let end = offset.checked_add(u64::from(scalar.size))?;
        if scalar.class == Class::NotScalar || object.life == Life::Dead || end > object.size {
            return None;
        }
        Some(match object.load(offset as usize, scalar.stored()) {
            Raw::Indeterminate => Value::Undef,
            Raw::Open | Raw::External => return None,
            Raw::Number(bits, origin) => decode(scalar, bits, origin),
            Raw::Mixed(bits) => decode(scalar, bits, Origin::NONE),
        })
    }
    /// The bytes of an object from `offset` on, up to its end; none of one that lives no longer.
    pub fn bytes(&self, slot: u32, offset: i128) -> impl Iterator<Item = Byte> + '_ {
        let object = self.memory.object(slot);
        let end = if object.life == Life::Dead { 0 } else { object.size };
        let start = u64::try_from(offset).unwrap_or(end);
        (start..end).map(|at| object.seen(at as usize))
    }
    /// The object in a slot.
    pub fn view(&self, slot: u32) -> ObjectView<'_> {
        let object = self.memory.object(slot);
        ObjectView { slot, kind: &object.kind, live: object.life == Life::Live, size: object.size }
    }
    /// What a value points to.
    pub fn pointer(&self, value: Value) -> Pointer {
        match self.resolve(value) {
            Pointee::Null => Pointer::Null,
            Pointee::Invalid => Pointer::Invalid,
            Pointee::Indeterminate => Pointer::Indeterminate,
            Pointee::Gone => Pointer::Gone,
            Pointee::Function(f, 0) => Pointer::Function(f),
            Pointee::Function(f, n) => match usize::try_from(n - 1) {
                Ok(b) if b < self.program.functions[f].blocks.len() => Pointer::Label(f, BlockId::new(b)),
                _ => Pointer::Invalid,
            },
            Pointee::Object { slot, offset } => {
                Pointer::Object { slot, live: self.memory.object(slot).life == Life::Live, offset }
            }
        }
    }

    // Inputs.

    pub(super) fn occurrence(&mut self, place: InputPlace) -> u32 {
        let count = match place {
            InputPlace::Site(input) => &mut self.site_occurrences[input.index()],
            other => self.other_occurrences.entry(other).or_insert(0),
        };
        let now = *count;
        *count += 1;
        now
    }
    /// Notes a consumed input, as long as the log has room.
    pub(super) fn record(
        &mut self,
        place: InputPlace,
        occurrence: u32,
        value: InputValue,
        range: Option<(i128, i128)>,
    ) -> Step<()> {
        let record = InputRecord { place, occurrence, value, range, source: Source::Chosen };
        match self.log_left.checked_sub(record.bytes()) {
            Some(left) => self.log_left = left,
            None => return self.out_of(Fuel::Inputs),
        }
        self.trace.push(self.span, super::trace::Event::Input(self.log.len() as u32));
        self.log.push(record);
        Ok(())
    }
}

/// The value of loaded bytes.
pub(super) fn decode(scalar: Scalar, bits: u128, origin: Origin) -> Value {
    match scalar.float() {
        Some(kind) => Value::Float(Real::of_bits(kind, bits)),
        None => Value::Int(scalar.wrap(bits as i128), origin),
    }
}
