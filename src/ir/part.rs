//! A part of a program as text: the bodies of some functions, and whatever they name, down to the initializers of variables
//! and the layouts of records.
//!
//! All that has a number in the program gets another one, in the order in which the text comes to it, from an entry on. Where two
//! programs have a part with the same text, the things in it correspond one by one, and executions from the entry that
//! stay in the part's functions are the same in both, whatever else the programs hold.

use super::positions::{named, without_positions};
use super::program::CallSite;
use super::{
    AllocId, AllocSite, CallId, CheckSite, FuncId, Function, InputId, InputSite, Program, RecordId, SiteId, TypeId,
    VarId,
};
use crate::base::{Idx, Span};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt::{self, Debug, Write};

/// What has a number, by the letters that it is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Variable,
    Function,
    Call,
    Input,
    Alloc,
    Type,
    Record,
    Site,
}

impl Kind {
    const COUNT: usize = 8;

    fn of(letters: &str) -> Option<Kind> {
        Some(match letters {
            "v" => Kind::Variable,
            "f" => Kind::Function,
            "call" => Kind::Call,
            "in" => Kind::Input,
            "alloc" => Kind::Alloc,
            "t" => Kind::Type,
            "rec" => Kind::Record,
            "site" => Kind::Site,
            _ => return None,
        })
    }
}

/// A number of one kind.
pub trait Numbered: Idx {
    /// Which.
    const KIND: Kind;
}

macro_rules! numbered {
    ($($id:ident $kind:ident),+) => {$(
        impl Numbered for $id {
            const KIND: Kind = Kind::$kind;
        }
    )+};
}
numbered!(VarId Variable, FuncId Function, CallId Call, InputId Input, AllocId Alloc, TypeId Type, RecordId Record, SiteId Site);

/// How the numbers of a part and those of its program correspond.
#[derive(Debug, Default)]
pub struct Part {
    /// By kind, the program's numbers in the order of the part's.
    met: [Vec<u32>; Kind::COUNT],
    known: FxHashMap<(Kind, u32), u32>,
}

impl Part {
    /// The number in the part of what has a number in the program; None where the part does not have it.
    pub fn inside<T: Numbered>(&self, id: T) -> Option<T> {
        self.known.get(&(T::KIND, id.index() as u32)).map(|n| T::new(*n as usize))
    }

    /// The number in the program of what has a number in the part.
    pub fn outside<T: Numbered>(&self, id: T) -> Option<T> {
        self.met[T::KIND as usize].get(id.index()).map(|n| T::new(*n as usize))
    }

    /// The number of something, given when it is met first; and whether it was.
    fn meet(&mut self, kind: Kind, number: u32) -> (u32, bool) {
        let met = &mut self.met[kind as usize];
        let mut new = false;
        let own = *self.known.entry((kind, number)).or_insert_with(|| {
            new = true;
            met.push(number);
            met.len() as u32 - 1
        });
        (own, new)
    }
}

impl Program {
    /// Writes the part of the program that is met from `entry` on to `out`. `is_in`: whether the part has the body of a
    /// function, given by its numbers in the program and in the part.
    pub fn write_part(
        &self,
        entry: FuncId,
        is_in: &dyn Fn(FuncId, FuncId) -> bool,
        out: &mut impl Write,
    ) -> Result<Part, fmt::Error> {
        let mut writer = Writer { program: self, is_in, out, part: Part::default(), work: VecDeque::new() };
        writer.put(&(self.types.model, entry, &self.contracts))?;
        while let Some((kind, number)) = writer.work.pop_front() {
            writer.describe(kind, number)?;
        }
        Ok(writer.part)
    }
}

struct Writer<'a, W> {
    program: &'a Program,
    is_in: &'a dyn Fn(FuncId, FuncId) -> bool,
    out: &'a mut W,
    part: Part,
    /// What was named and is not yet described.
    work: VecDeque<(Kind, u32)>,
}

impl<W: Write> Writer<'_, W> {
    fn describe(&mut self, kind: Kind, number: u32) -> fmt::Result {
        let (program, at) = (self.program, number as usize);
        // Every field is named, so that none is forgotten.
        match kind {
            Kind::Type => self.put(program.types.get(TypeId::new(at))),
            Kind::Record => {
                let record = &program.types.records[RecordId::new(at)];
                self.put(&(named(&record.name), record.is_union, &record.layout))
            }
            Kind::Variable => {
                let mut variable = program.variables[VarId::new(at)].clone();
                variable.span = Span::NONE;
                self.put(&variable)
            }
            Kind::Function => self.function(FuncId::new(at)),
            Kind::Site => {
                let CheckSite { kind, function, span: _, subject } = &program.sites[SiteId::new(at)];
                self.put(&(kind, function, subject))
            }
            Kind::Input => {
                let InputSite { name, function, span: _, approximate, excluded } = &program.inputs[InputId::new(at)];
                self.put(&(name, function, approximate, excluded))
            }
            Kind::Call => {
                let CallSite { function, span: _ } = &program.calls[CallId::new(at)];
                self.put(function)
            }
            Kind::Alloc => {
                let AllocSite { name, kind, function, span: _ } = &program.allocs[AllocId::new(at)];
                self.put(&(name, kind, function))
            }
        }
    }

    /// What callers see of a function, and its body if the part has it.
    fn function(&mut self, id: FuncId) -> fmt::Result {
        let function = &self.program.functions[id];
        let own = self.part.inside(id).expect("what is described was met");
        if (self.is_in)(id, own) {
            return self.put(&without_positions(function));
        }
        let Function {
            name,
            ty,
            linkage,
            span: _,
            params: _,
            locals: _,
            blocks,
            noreturn,
            failed,
            library,
            undeclared: _,
            system: _,
        } = function;
        // Where other objects lie depends on its own address and those of its labels.
        let room = (1 + blocks.len()).div_ceil(16);
        self.put(&(name, ty, linkage, noreturn, failed, library, function.has_body(), room))
    }

    /// Writes the text of something with the part's numbers.
    fn put(&mut self, what: &dyn Debug) -> fmt::Result {
        let text = format!("{what:?}\n");
        let mut rest = text.as_str();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '"' => string_length(rest),
                c if is_of_word(c) => rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()),
                c => c.len_utf8(),
            };
            let (token, behind) = rest.split_at(length);
            rest = behind;
            match number(token) {
                Some((kind, number)) => {
                    let (own, new) = self.part.meet(kind, number);
                    if new {
                        self.work.push_back((kind, number));
                    }
                    write!(self.out, "{kind:?}{own}")?;
                }
                None => self.out.write_str(token)?,
            }
        }
        Ok(())
    }
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Bytes of the quoted string that `text` starts with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// What a word stands for, if it is a number of something.
fn number(word: &str) -> Option<(Kind, u32)> {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    Some((Kind::of(letters)?, word[letters.len()..].parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SourceMap;
    use crate::frontend::lower::{LowerOptions, lower};
    use crate::frontend::parse::parse_units;
    use crate::frontend::preprocess::PreprocessedUnit;
    use crate::ir::DataModel;

    const SOURCE: &str = "\
struct pair { int few; int many; };
static int first = 1, second = 2, far = 3;
static int *where = &far;
static int other(int n) { return n + second; }
static int apart(int n) { return n / 2; }
static int one(struct pair *p) { return p->many + first + *where; }
static int two(int n) { return n + first; }
int main(void) { struct pair p = {1, 2}; if (p.few) return one(&p) + two(3); return other(4) + apart(5); }
";

    fn program(source: &str) -> Program {
        let unit = PreprocessedUnit { file: "a.c".into(), text: source.as_bytes().to_vec(), diagnostics: Vec::new() };
        let mut sources = SourceMap::default();
        let parsed = parse_units(&[unit], 1, &mut sources);
        let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
        assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
        program
    }

    /// The part with the bodies of these functions.
    fn part(program: &Program, bodies: &[&str]) -> (String, Part) {
        let main = program.function_named("main").expect("there is a main");
        let mut text = String::new();
        let is_in = |f: FuncId, _| bodies.contains(&program.functions[f].name.as_str());
        let part = program.write_part(main, &is_in, &mut text).expect("text can be written");
        (text, part)
    }

    /// Whether the part is the same after a change of the source.
    fn is_same(from: &str, to: &str) -> bool {
        let changed = SOURCE.replace(from, to);
        assert_ne!(changed, SOURCE, "{from}");
        let bodies = ["main", "one", "two"];
        part(&program(SOURCE), &bodies).0 == part(&program(&changed), &bodies).0
    }

    #[test]
    fn what_the_part_does_not_name_does_not_matter() {
        for (from, to) in [
            ("return n + second", "return n - second"),
            ("second = 2", "second = 7"),
            ("return n / 2;", "static int count; count++; return n / 3;"),
            ("static int apart", "int added(void) { return first = 5; }\nstatic int apart"),
            ("static int other", "struct more { long x; } more;\nstatic int other"),
            ("\nint main", "\n\n/* A comment. */ int main"),
        ] {
            assert!(is_same(from, to), "{from} -> {to}");
        }
    }

    #[test]
    fn whatever_the_part_names_matters() {
        for (from, to) in [
            ("return n + first", "return n - first"),
            ("first = 1", "first = 0"),
            ("far = 3", "far = 4"),
            ("where = &far", "where = &second"),
            ("int few; int many;", "int many; int few;"),
            ("int few; int many;", "int few; long many;"),
            ("static int apart(int n)", "static int apart(long n)"),
            ("other(4) + apart(5)", "apart(5) + other(4)"),
        ] {
            assert!(!is_same(from, to), "{from} -> {to}");
        }
    }

    #[test]
    fn one_thing_is_told_from_two_that_look_alike() {
        let source = |last: &str| {
            format!(
                "int use(int *);\nint main(void) {{ static int x; use(&x); {{ static int x; use(&x); {last} return 0; }}"
            )
        };
        // The two variables `x` are alike; the last call has the outer one, or the inner one.
        let [outer, inner, moved] =
            ["} use(&x);", "use(&x); }", "}\n\nuse(&x);"].map(|last| part(&program(&source(last)), &["main"]).0);
        assert_ne!(outer, inner);
        assert_eq!(outer, moved);
    }

    #[test]
    fn numbers_are_found_both_ways() {
        let (first, moved) =
            (program(SOURCE), program(&SOURCE.replace("static int *where", "int more;\nstatic int *where")));
        let bodies = ["main", "one", "two"];
        let ((_, before), (_, now)) = (part(&first, &bodies), part(&moved, &bodies));
        let mut compared = 0;
        for (site, judged) in first.sites.iter_enumerated() {
            let there = before.inside(site).map(|own: SiteId| now.outside(own).expect("the parts correspond"));
            let is_in = bodies.contains(&first.functions[judged.function].name.as_str());
            assert_eq!(there.is_some(), is_in, "{judged:?}");
            if let Some(there) = there {
                let (a, b) = (judged, &moved.sites[there]);
                assert_eq!((a.kind, &a.subject), (b.kind, &b.subject));
                compared += 1;
            }
        }
        assert!(compared > 3, "{compared}");
    }

    #[test]
    fn text_in_quotes_has_no_numbers() {
        assert_eq!(string_length("\"a \\\" v1\" v2"), 9);
        assert_eq!(string_length("\"\\\\\" v2"), 4);
        assert_eq!(number("v12"), Some((Kind::Variable, 12)));
        assert_eq!(["v", "12", "bb3", "file0", "x1", "v1a", "1v1"].map(number), [None; 7]);
    }
}
