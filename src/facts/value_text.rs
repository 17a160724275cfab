//! Values in C terms: facts number them, people want to read them.
use super::{FactStore, Sym, Symbols};
use rustc_hash::FxHashMap;

/// Values that are made of values are spelled so deep.
const DEEPEST: usize = 6;

/// What a value is made of, as one fact says.
#[derive(Clone, Copy, Debug)]
enum Made {
    Variable(Sym),
    Address(Sym, i64),
    Function(Sym),
    Loaded(u32),
    Moved(u32, i64),
    Stepped(u32, i64),
    Computed(u32),
    Allocated(Sym),
    Result(Sym, i64),
    Parameter(Sym, i64, i64),
    Argument(Sym),
    Unknown(Sym),
    Outside,
}

/// How to spell the values of a program.
#[derive(Clone, Debug, Default)]
pub struct ValueText {
    made: FxHashMap<u32, Made>,
    symbols: Symbols,
}

impl ValueText {
    /// As the facts say; of several facts about a value the first counts.
    pub fn of(facts: &FactStore) -> ValueText {
        let mut text = ValueText { made: FxHashMap::default(), symbols: facts.symbols.clone() };
        let mut add = |value: super::column::Value, made| {
            text.made.entry(value.0).or_insert(made);
        };
        facts.variable_value.iter().for_each(|r| add(r.value, Made::Variable(r.variable.0)));
        facts.address_value.iter().for_each(|r| add(r.value, Made::Address(r.variable.0, r.bytes.0)));
        facts.function_value.iter().for_each(|r| add(r.value, Made::Function(r.function.0)));
        facts.loaded.iter().for_each(|r| add(r.value, Made::Loaded(r.pointer.0)));
        facts.moved.iter().for_each(|r| add(r.value, Made::Moved(r.source.0, r.bytes.0)));
        facts.stepped.iter().for_each(|r| add(r.value, Made::Stepped(r.source.0, r.stride.0)));
        facts.computed.iter().for_each(|r| add(r.value, Made::Computed(r.source.0)));
        facts.allocated.iter().for_each(|r| add(r.value, Made::Allocated(r.allocation.0)));
        facts.result.iter().for_each(|r| add(r.value, Made::Result(r.call.0, r.offset.0)));
        facts.parameter_value.iter().for_each(|r| add(r.value, Made::Parameter(r.function.0, r.index, r.offset.0)));
        facts.program_arguments.iter().for_each(|r| add(r.value, Made::Argument(r.name)));
        facts.unknown_result.iter().for_each(|r| add(r.value, Made::Unknown(r.function.0)));
        facts.outside_value.iter().for_each(|r| add(r.value, Made::Outside));
        text
    }

    /// The value in C terms, as far as it is deep; None for a number that is no value of the facts.
    pub fn spell(&self, value: u32) -> Option<String> {
        self.at_depth(value, 0)
    }

    fn at_depth(&self, value: u32, depth: usize) -> Option<String> {
        let made = *self.made.get(&value)?;
        if depth > DEEPEST {
            return Some("...".to_owned());
        }
        let inner = |value| self.at_depth(value, depth + 1).unwrap_or_else(|| "?".to_owned());
        let name = |symbol| self.symbols.resolve(symbol);
        let plus = |text: String, bytes: i64| match bytes {
            0 => text,
            n if n < 0 => format!("{text}-{}", n.unsigned_abs()),
            n => format!("{text}+{n}"),
        };
        Some(match made {
            Made::Variable(v) => name(v).to_string(),
            Made::Address(v, bytes) => plus(format!("&{}", name(v)), bytes),
            Made::Function(f) => format!("&{}", name(f)),
            Made::Loaded(p) => match self.made.get(&p) {
                Some(Made::Address(v, 0)) => name(*v).to_string(),
                _ => format!("*({})", inner(p)),
            },
            Made::Moved(s, bytes) => plus(inner(s), bytes),
            Made::Stepped(s, stride) => format!("{}+{stride}k", inner(s)),
            Made::Computed(s) => format!("f({})", inner(s)),
            Made::Allocated(a) => name(a).to_string(),
            Made::Result(c, offset) => plus(format!("result of {}", name(c)), offset),
            Made::Parameter(f, index, offset) => plus(format!("parameter {index} of {}", name(f)), offset),
            Made::Argument(n) => name(n).to_string(),
            Made::Unknown(f) => format!("unknown in {}", name(f)),
            Made::Outside => "<outside>".to_owned(),
        })
    }
}
