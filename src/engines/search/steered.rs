//! The inputs of a run: those of an earlier run, changed here and there, and a manner of choosing the others.

use super::dictionary::Dictionary;
use super::files::Files;
use super::random::Random;
use crate::concrete::{
    Arguments, Defaults, InputPlace, InputRecord, InputSource, InputType, InputValue, Reading, ScalarRequest,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// How inputs that the earlier run does not give are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Zeros, or what is nearest.
    Plain,
    /// From the dictionary.
    Random,
    /// One value for all that can have it but for the first so many.
    Same(i128, u32),
}

/// How often rare things happen in a run of random manner: in one run of so many, and then one allocation of so many fails.
const RARE: usize = 4;
const FAILS: usize = 16;

/// The inputs of a log by place and occurrence. Most runs ask for them in its order.
#[derive(Debug)]
struct Known<'a> {
    log: &'a [InputRecord],
    /// Behind the one that was asked for last.
    next: usize,
    /// Made when a run asks in another order.
    places: Option<FxHashMap<(InputPlace, u32), usize>>,
}

impl<'a> Known<'a> {
    fn get(&mut self, place: InputPlace, occurrence: u32) -> Option<&'a InputValue> {
        let log = self.log;
        let is_next = log.get(self.next).is_some_and(|record| (record.place, record.occurrence) == (place, occurrence));
        let at = if is_next {
            self.next
        } else {
            let all = || log.iter().enumerate().map(|(at, record)| ((record.place, record.occurrence), at)).collect();
            *self.places.get_or_insert_with(all).get(&(place, occurrence))?
        };
        self.next = at + 1;
        Some(&log[at].value)
    }
}

/// An input source that follows the log of an earlier run except where it is told to change it.
#[derive(Debug)]
pub struct Steered<'a> {
    known: Known<'a>,
    /// Inputs to choose anew.
    changed: FxHashSet<(InputPlace, u32)>,
    manner: Manner,
    dictionary: &'a Dictionary,
    random: Random,
    /// Whether rare things happen in a run of random manner, too: allocations fail, less is written than was handed over.
    with_rare: bool,
    /// What the inputs that are read from files are, whatever the log says.
    files: Option<Files<'a>>,
}

impl<'a> Steered<'a> {
    /// Follows `log` except at `changed`.
    pub fn new(
        log: &'a [InputRecord],
        changed: FxHashSet<(InputPlace, u32)>,
        manner: Manner,
        dictionary: &'a Dictionary,
        mut random: Random,
    ) -> Steered<'a> {
        let known = Known { log, next: 0, places: None };
        let with_rare = manner == Manner::Random && random.one_in(RARE);
        Steered { known, changed, manner, dictionary, random, with_rare, files: None }
    }

    /// With these contents of files.
    pub fn with_files(self, files: &'a [Vec<u8>]) -> Steered<'a> {
        Steered { files: Some(Files(files)), ..self }
    }

    /// The earlier value and whether it is to be changed; None when there is none.
    fn earlier(&mut self, place: InputPlace, occurrence: u32) -> (Option<&'a InputValue>, bool) {
        let known = self.known.get(place, occurrence);
        (known, !self.changed.is_empty() && self.changed.contains(&(place, occurrence)))
    }
}

/// The inputs of a log, plain ones where it has none.
pub fn plain_inputs(log: &[InputRecord]) -> Steered<'_> {
    static EMPTY: Dictionary = Dictionary::EMPTY;
    Steered::new(log, FxHashSet::default(), Manner::Plain, &EMPTY, Random::new(0))
}

/// Inputs from the dictionary; other ones for every seed.
pub fn random_inputs(dictionary: &Dictionary, seed: u64) -> Steered<'_> {
    Steered::new(&[], FxHashSet::default(), Manner::Random, dictionary, Random::new(seed))
}

impl InputSource for Steered<'_> {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        if let (Some(files), Some(reading)) = (self.files, request.reading) {
            return InputValue::Int(files.number(reading, request.low, request.high));
        }
        let manner = self.manner;
        if let Manner::Same(_, others @ 1..) = &mut self.manner {
            *others -= 1;
        }
        let (earlier, change) = self.earlier(request.place, request.occurrence);
        // Where something else than zero is usual, it stays so.
        let is_as_usual = !self.with_rare && request.usual != 0i128.clamp(request.low, request.high);
        let fits = |v: &InputValue| {
            matches!(
                (v, request.ty),
                (InputValue::Int(_), InputType::Int(_)) | (InputValue::Float(_), InputType::Float(_))
            )
        };
        if let (Some(value), false) = (earlier.filter(|v| fits(v)), change) {
            return value.clone();
        }
        if let (Some(InputValue::Int(old)), InputType::Int(_)) = (earlier, request.ty) {
            let old = *old;
            if self.random.one_in(2) {
                let value = self.dictionary.neighbour(&mut self.random, old, request.low, request.high);
                return InputValue::Int(value);
            }
        }
        match (request.ty, manner) {
            (_, Manner::Plain) if !change => Defaults.scalar(request),
            (InputType::Int(_), _) if !change && is_as_usual => Defaults.scalar(request),
            (InputType::Int(_), Manner::Same(value, 0)) if !change => InputValue::Int(value),
            (InputType::Int(_), _) => {
                InputValue::Int(self.dictionary.number(&mut self.random, request.low, request.high))
            }
            (InputType::Float(_), _) => InputValue::Float(self.dictionary.float(&mut self.random)),
        }
    }

    fn bytes(&mut self, place: InputPlace, occurrence: u32, len: usize, reading: Option<Reading>) -> Vec<u8> {
        if let (Some(files), Some(reading)) = (self.files, reading) {
            return files.bytes(reading, len);
        }
        let (earlier, change) = self.earlier(place, occurrence);
        let earlier = match earlier {
            Some(InputValue::Bytes(bytes)) if !change => return bytes.clone(),
            Some(InputValue::Bytes(bytes)) if !bytes.is_empty() => Some(bytes.clone()),
            _ => None,
        };
        match earlier {
            Some(mut bytes) if self.random.one_in(2) => {
                let at = self.random.below(bytes.len());
                if self.random.one_in(2) {
                    bytes[at] = self.dictionary.byte(&mut self.random);
                } else {
                    bytes.splice(at..at, self.dictionary.bytes(&mut self.random, len - bytes.len().min(len)));
                    bytes.truncate(len);
                }
                bytes
            }
            _ if change || self.manner == Manner::Random => self.dictionary.bytes(&mut self.random, len),
            _ => match self.manner {
                Manner::Same(value, _) => value.to_string().into_bytes(),
                _ => Vec::new(),
            },
        }
    }

    fn ahead(&mut self, reading: Reading, most: usize) -> Option<Vec<u8>> {
        self.files.map(|files| files.bytes(reading, most))
    }

    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool {
        match self.earlier(place, occurrence) {
            (Some(InputValue::Fails(fails)), change) => *fails != change,
            (_, change) => change || (self.with_rare && self.random.one_in(FAILS)),
        }
    }

    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        match self.earlier(place, occurrence) {
            (Some(InputValue::Arguments(arguments)), false) => return arguments.clone(),
            (Some(InputValue::Arguments(arguments)), true) => {
                let mut arguments = arguments.clone();
                let word = self.dictionary.word(&mut self.random);
                match self.random.below(arguments.argv.len() + 1) {
                    0 => drop(arguments.argv.pop()),
                    i if i == arguments.argv.len() => arguments.argv.push(word),
                    i => arguments.argv[i] = word,
                }
                return arguments;
            }
            _ => {}
        }
        let mut arguments = Defaults.arguments(place, occurrence);
        if self.manner != Manner::Plain {
            for _ in 0..self.random.below(4) {
                arguments.argv.push(self.dictionary.word(&mut self.random));
            }
        }
        arguments
    }
}
