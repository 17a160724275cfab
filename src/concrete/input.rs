//! Inputs: what a run asks its environment for, and the log that lets it be run again.

use super::streams::Reading;
use crate::ir::{AllocId, FloatKind, FuncId, InputId, IntKind, VarId};
use serde::{Deserialize, Serialize};

/// Where an input enters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InputPlace {
    /// An input statement.
    Site(InputId),
    /// A parameter of the entry function, by number.
    Parameter(FuncId, u32),
    /// The first bytes of what a parameter of the entry function points to, with zeros behind them.
    Behind(FuncId, u32),
    /// All bytes of what a parameter of the entry function points to.
    Counted(FuncId, u32),
    /// What a function without a body returns. See [`Limits::outside`].
    ///
    /// [`Limits::outside`]: super::Limits::outside
    Returned(FuncId),
    /// Bytes of an object that no unit defines: variable and offset.
    External(VarId, u64),
    /// Bytes of an object that nothing was written to, with their offset. See [`Limits::unwritten`].
    ///
    /// [`Limits::unwritten`]: super::Limits::unwritten
    Unwritten(Unwritten, u64),
}

/// An object that nothing was written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Unwritten {
    Variable(VarId),
    Block(AllocId),
}

/// The type of a scalar input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputType {
    Int(IntKind),
    Float(FloatKind),
}

/// A request for a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScalarRequest {
    pub place: InputPlace,
    /// How many inputs this place has asked for before.
    pub occurrence: u32,
    pub ty: InputType,
    /// Bounds of an integer.
    pub low: i128,
    pub high: i128,
    /// What the input is in most executions, where that is known: all that was handed over was written. Within the bounds; 0 or what is nearest otherwise.
    pub usual: i128,
    /// Bounds of a float, when the program gives them.
    pub float_range: Option<(f64, f64)>,
    /// Where in which file it is, if it is in one.
    pub reading: Option<Reading>,
}

/// An input's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum InputValue {
    Int(i128),
    Float(f64),
    Bytes(Vec<u8>),
    /// Whether an allocation fails.
    Fails(bool),
    Arguments(Arguments),
}

/// The arguments of `main`, without terminators.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Arguments {
    pub argv: Vec<Vec<u8>>,
    pub envp: Vec<Vec<u8>>,
}

/// Where the value of an input comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// Whoever gives inputs chooses it.
    #[default]
    Chosen,
    /// The same, and it is what it is in most executions: all that was handed over was written.
    Usual,
    /// It follows from the content of a file.
    Follows,
    /// A text that is scanned has it.
    Scanned,
    /// So many units of bytes that came from this place of a file on.
    Length { file: usize, at: u64, unit: u64 },
    /// It is, or starts with, the byte at a place of a file; files are numbered by the order in which a run first reads them. Of a character it may be
    /// the end, too.
    File { file: usize, at: u64 },
}

/// One consumed input.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct InputRecord {
    pub place: InputPlace,
    pub occurrence: u32,
    pub value: InputValue,
    /// The bounds that an integer was chosen from; none where another input rests on it.
    pub range: Option<(i128, i128)>,
    pub source: Source,
}

/// Equal inputs may be told in different ways: which file is known matters to who chooses them.
impl PartialEq for InputRecord {
    fn eq(&self, other: &InputRecord) -> bool {
        let InputRecord { place, occurrence, value, range, source: _ } = self;
        (place, occurrence, value, range) == (&other.place, &other.occurrence, &other.value, &other.range)
    }
}

impl InputRecord {
    /// Bytes of memory that it takes, roughly.
    pub fn bytes(&self) -> u64 {
        let owned = match &self.value {
            InputValue::Int(_) | InputValue::Float(_) | InputValue::Fails(_) => 0,
            InputValue::Bytes(bytes) => bytes.len(),
            InputValue::Arguments(a) => a.argv.iter().chain(&a.envp).map(|s| s.len() + size_of::<Vec<u8>>()).sum(),
        };
        (size_of::<InputRecord>() + owned) as u64
    }
}

/// Chooses the inputs of a run. Integers outside the asked range are moved to its nearest end.
pub trait InputSource {
    /// A number of the asked type.
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue;
    /// `len` bytes; fewer are filled up with zeros, more are cut.
    fn bytes(&mut self, place: InputPlace, occurrence: u32, len: usize, reading: Option<Reading>) -> Vec<u8>;
    /// What stands in a file at a place, up to so many bytes and fewer only at its end; None where that is not settled before it is read.
    fn ahead(&mut self, _reading: Reading, _most: usize) -> Option<Vec<u8>> {
        None
    }
    /// Whether the inputs of the scan that begins are what a text made them that was known when they were chosen.
    fn settles_scan(&self) -> bool {
        false
    }
    /// Whether the allocation fails.
    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool;
    /// The program's arguments.
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments;
}

/// What is usual: zeros (or what is nearest) where nothing else is; no failures, a program name and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Defaults;

impl InputSource for Defaults {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        match request.ty {
            InputType::Int(_) => InputValue::Int(request.usual),
            InputType::Float(_) => InputValue::Float(0.0),
        }
    }
    fn bytes(&mut self, _: InputPlace, _: u32, _: usize, _: Option<Reading>) -> Vec<u8> {
        Vec::new()
    }
    fn fails(&mut self, _: InputPlace, _: u32) -> bool {
        false
    }
    fn arguments(&mut self, _: InputPlace, _: u32) -> Arguments {
        Arguments { argv: vec![b"program".to_vec()], envp: Vec::new() }
    }
}

/// A fixed list of inputs, consumed in order; defaults behind its end or where a kind does not fit.
#[derive(Clone, Debug, Default)]
pub struct Script {
    /// With whether a text that is scanned has it.
    values: Vec<(InputValue, bool)>,
    next: usize,
    /// Whether a request did not fit the list.
    pub strayed: bool,
}

impl Script {
    /// The inputs of a log.
    pub fn replay(log: &[InputRecord]) -> Script {
        let values = log.iter().map(|r| (r.value.clone(), r.source == Source::Scanned)).collect();
        Script { values, next: 0, strayed: false }
    }
    /// A list of values.
    pub fn of(values: Vec<InputValue>) -> Script {
        Script { values: values.into_iter().map(|value| (value, false)).collect(), next: 0, strayed: false }
    }
    fn next(&mut self) -> Option<InputValue> {
        let value = self.values.get(self.next).map(|(value, _)| value.clone());
        self.next += 1;
        self.strayed |= value.is_none();
        value
    }
}

impl InputSource for Script {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        match (self.next(), request.ty) {
            (Some(v @ InputValue::Int(_)), InputType::Int(_)) => v,
            (Some(v @ InputValue::Float(_)), InputType::Float(_)) => v,
            _ => {
                self.strayed = true;
                Defaults.scalar(request)
            }
        }
    }
    fn bytes(&mut self, _: InputPlace, _: u32, _: usize, _: Option<Reading>) -> Vec<u8> {
        match self.next() {
            Some(InputValue::Bytes(b)) => b,
            _ => {
                self.strayed = true;
                Vec::new()
            }
        }
    }
    fn settles_scan(&self) -> bool {
        self.values.get(self.next).is_some_and(|(_, scanned)| *scanned)
    }
    fn fails(&mut self, _: InputPlace, _: u32) -> bool {
        match self.next() {
            Some(InputValue::Fails(f)) => f,
            _ => {
                self.strayed = true;
                false
            }
        }
    }
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        match self.next() {
            Some(InputValue::Arguments(a)) => a,
            _ => {
                self.strayed = true;
                Defaults.arguments(place, occurrence)
            }
        }
    }
}
