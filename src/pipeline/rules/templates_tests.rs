//! Every invariant that is kept of a loop holds in every run: candidates from runs, strings and the shipped templates, sifted, shown again, and then
//! held against the interpreter at every arrival at the loop's head.

use super::templates::{Shipped, TemplateRules};
use crate::base::SourceMap;
use crate::concrete::{Limits as RunLimits, Machine, Observer, Pointer, Prepared, Value as Concrete};
use crate::datalog::Limits;
use crate::encode::automaton::{Bounds, ROOT};
use crate::encode::{Automaton, Cell};
use crate::engines::invariant::guess::{Candidates, Effort, guess};
use crate::engines::invariant::holds::holds;
use crate::engines::invariant::predicate::Predicate;
use crate::engines::invariant::prove::prove;
use crate::engines::invariant::recheck::recheck;
use crate::engines::invariant::strings::add_strings;
use crate::engines::invariant::trace::{Tables, Varied, trace};
use crate::engines::search::dictionary::Dictionary;
use crate::engines::task::{Budget, Property, Task};
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{BlockId, CheckKind, DataModel, FuncId, IntKind, Program, Type, TypeId, VarId};
use crate::memory::Memory;
use crate::pipeline::listener::Nobody;
use crate::pipeline::profile::Profile;
use std::time::Duration;

/// Loops that end after few turns or many, over numbers, arrays, strings and pointers, in functions that are called from several places.
const PROGRAMS: [&str; 8] = [
    "int main(void) { int s = 0; for (int i = 0; i < 20; i++) s += i & 3; return s; }",
    "int main(void) { unsigned char c = 250; unsigned n = 0; while (rand()) { c += 3; n += 6; } return c + n; }",
    "int main(void) { char a[8], b[8]; int i; for (i = 0; i < 8; i++) a[i] = rand(); a[7] = 0;
        char *p = a, *q = b; while ((*q++ = *p++)) ; return b[0]; }",
    "int main(void) { int a[6], i, j, n = rand(); if (n < 0 || n > 6) return 0;
        for (i = 0; i < n; i++) { a[i] = i; for (j = 0; j <= i; j++) a[j] += 1; } return i; }",
    "static int count(const char *s) { int n = 0; while (s[n]) n++; return n; }
     int main(void) { char s[5] = \"abc\"; int n = count(s); s[1] = 0; return n + count(s); }",
    "static int level; static void up(int by) { while (by > 0) { level += 2; by--; } }
     int main(void) { up(rand() & 7); level++; up(3); return level; }",
    "int main(void) { int x = rand(), y = 0; while (x > 0 && y < 50) { if (rand()) x -= 2; else { x--; y++; } } return y; }",
    "int main(void) { int n = rand() & 15, *a = malloc(16 * sizeof(int)), *p = a; if (!a) return 1;
        while (p < a + n) *p++ = n; free(a); return 0; }",
];

fn program(source: &str) -> Program {
    let head = "int rand(void);\nvoid *malloc(unsigned long);\nvoid free(void *);\n";
    let unit = PreprocessedUnit { file: "a.c".into(), text: format!("{head}{source}").into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    lower(&parsed, DataModel::Lp64, sources, LowerOptions::default())
}

fn budget() -> Budget {
    Budget::of(Duration::from_secs(600))
}

/// Candidates from everywhere.
/// More than the rules for candidates need.
fn plenty() -> Limits {
    Profile::default().summaries.candidate_limits(Duration::from_secs(600))
}

fn candidates(program: &Program, automaton: &Automaton<'_>, entry: FuncId) -> Candidates {
    let tables = trace(automaton, entry, 30, &budget());
    let mut candidates = guess(automaton, &tables, &[], Effort::More);
    add_strings(automaton, &mut candidates);
    let rules =
        TemplateRules::new(&[], Shipped::All).expect("the shipped templates are right").expect("there are some");
    let templates = rules.candidates(program, &plenty(), &Nobody).expect("they come to an end");
    templates.instantiate(automaton, &tables, &mut candidates);
    candidates
}

/// Looks at what holds where runs come to loop heads.
struct Watcher<'w, 'p> {
    automaton: &'w Automaton<'p>,
    invariants: &'w Candidates,
    /// Formulas that were looked at and hold.
    held: usize,
    violated: Option<String>,
}

impl Observer for Watcher<'_, '_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        let nodes = &self.automaton.nodes;
        let is_here =
            |head| nodes[head].function == function && nodes[head].block == block && nodes[head].is_block_start();
        let mut violated = None;
        // A head for every chain of calls: the run is at one of them.
        for (_, list) in self.invariants.iter().filter(|(head, _)| is_here(**head)) {
            let said: Vec<Option<bool>> = list.iter().map(|p| holds_in(machine, p)).collect();
            match said.iter().position(|said| *said == Some(false)) {
                None => {
                    self.held += said.iter().flatten().count();
                    return;
                }
                Some(at) => violated = Some(list[at].in_c(machine.program())),
            }
        }
        self.violated = self.violated.take().or(violated);
    }
}

/// Whether the formula holds of the machine's state; None where that depends on what nothing was written to.
fn holds_in(machine: &Machine<'_>, predicate: &Predicate) -> Option<bool> {
    match predicate {
        Predicate::ZeroFollows { string, index, bytes } => {
            let (slot, at) = place(machine, *string, *index, *bytes)?;
            let (Some(slot), Ok(at)) = (slot, u64::try_from(at)) else { return Some(false) };
            let step = u64::from(*bytes);
            let ty = character(machine.program(), *bytes)?;
            let places = (at..machine.view(slot).size)
                .step_by(*bytes as usize)
                .filter(|at| at + step <= machine.view(slot).size);
            let read: Vec<_> = places.map(|at| machine.read_object(slot, at, ty)).collect();
            let is_zero = |value: &Option<Concrete>| value.and_then(Concrete::as_int) == Some(0);
            let is_known = |value: &Option<Concrete>| value.and_then(Concrete::as_int).is_some();
            let found = at % step == 0 && read.iter().any(is_zero);
            (found || read.iter().all(is_known)).then_some(found)
        }
        Predicate::Within { string, index, bytes } => {
            let (slot, at) = place(machine, *string, *index, *bytes)?;
            let is_within = |slot| machine.view(slot).live && (0..=i128::from(machine.view(slot).size)).contains(&at);
            Some(slot.is_some_and(is_within))
        }
        Predicate::Or(parts) => {
            let said: Vec<Option<bool>> = parts.iter().map(|part| holds_in(machine, part)).collect();
            let known = said.iter().all(|s| *s == Some(false)).then_some(false);
            if said.contains(&Some(true)) { Some(true) } else { known }
        }
        _ => holds(machine.program(), predicate, &|v| number(machine, v)),
    }
}

/// What a variable is at the moment: of a pointer, how far it is into its object.
fn number(machine: &Machine<'_>, v: VarId) -> Option<i128> {
    let program = machine.program();
    let value = machine.read_variable(v, 0, program.variables[v].ty)?;
    match (program.types.get(program.variables[v].ty), value) {
        (Type::Pointer(_), Concrete::Int(..)) => match machine.pointer(value) {
            Pointer::Null => Some(0),
            Pointer::Object { offset, .. } => Some(offset),
            _ => None,
        },
        (_, Concrete::Int(n, origin)) if origin.is_none() => Some(n),
        _ => None,
    }
}

/// The object that a text points into, if it is one, and how far.
fn place(machine: &Machine<'_>, string: Cell, index: Option<Cell>, bytes: u8) -> Option<(Option<u32>, i128)> {
    let ty = machine.program().variables[string.variable].ty;
    let (slot, offset) = if matches!(machine.program().types.get(ty), Type::Array(..)) {
        (Some(machine.object_of(string.variable)?.slot), 0)
    } else {
        match machine.pointer(machine.read_variable(string.variable, 0, ty)?) {
            Pointer::Object { slot, offset, .. } => (Some(slot), offset),
            Pointer::Null | Pointer::Gone => (None, 0),
            _ => return None,
        }
    };
    let by = index.map_or(Some(0), |index| number(machine, index.variable))?;
    Some((slot, offset + by * i128::from(bytes)))
}

/// An integer type of so many bytes.
fn character(program: &Program, bytes: u8) -> Option<TypeId> {
    let is_it = |ty: &Type| matches!(ty, Type::Int(kind) if *kind != IntKind::Bool);
    let size = |id| program.types.size_of(id) == Some(u64::from(bytes));
    program.types.iter().find(|(id, ty)| is_it(ty) && size(*id)).map(|(id, _)| id)
}

/// What some run of the program violates of `invariants`, and how many formulas were looked at and hold.
fn against_runs(
    program: &Program,
    automaton: &Automaton<'_>,
    entry: FuncId,
    invariants: &Candidates,
) -> (Option<String>, usize) {
    let (prepared, dictionary) = (Prepared::new(program), Dictionary::of(program));
    let limits = RunLimits { statements: 20_000, trace: 0, checks: CheckKind::ALL.to_vec(), ..RunLimits::default() };
    let mut watcher = Watcher { automaton, invariants, held: 0, violated: None };
    for number in 0..60 {
        prepared.run(entry, &mut Varied::new(&dictionary, number), &limits, &mut watcher);
    }
    (watcher.violated, watcher.held)
}

#[test]
fn what_is_kept_is_shown_again_and_holds_in_every_run() {
    for source in PROGRAMS {
        let program = program(source);
        let entry = program.function_named("main").expect("there is a main");
        let memory = Memory::of(&program);
        let automaton = Automaton::new(&program, &memory, entry, Bounds::default()).expect("it is small");
        let task = Task::new(&program, &memory, entry, Property::ValidMemsafety);
        let candidates = candidates(&program, &automaton, entry);
        let invariants = prove(&task, &automaton, &candidates, 0, &budget()).invariants;
        let again = recheck(&automaton, task.property.kinds(), &invariants, 0, &budget());
        assert!(again.dropped.is_empty(), "{source}: {:?}", again.dropped);
        assert!(again.count() > 0, "{source}");
        let (violated, held) = against_runs(&program, &automaton, entry, &again.kept);
        assert_eq!(violated, None, "{source}");
        assert!(held >= 60, "{source}: {held}");
    }
}

#[test]
fn the_shipped_templates_guess_what_the_loops_suggest() {
    let guessed = |source: &str| {
        let program = program(source);
        let rules = TemplateRules::new(&[], Shipped::All).expect("they are right").expect("there are some");
        let templates = rules.candidates(&program, &plenty(), &Nobody).expect("they come to an end");
        let entry = program.function_named("main").expect("there is a main");
        let memory = Memory::of(&program);
        let automaton = Automaton::new(&program, &memory, entry, Bounds::default()).expect("it is small");
        let mut all = Candidates::default();
        templates.instantiate(&automaton, &Tables::default(), &mut all);
        all.values().flatten().map(|p| p.in_c(&program)).collect::<Vec<String>>()
    };
    let has =
        |guessed: &[String], formula: &str| assert!(guessed.iter().any(|g| g == formula), "{formula}: {guessed:?}");
    has(&guessed(PROGRAMS[0]), "(long long)(i) <= 20");
    let copy = guessed(PROGRAMS[2]);
    [
        "0 <= (long long)(i)",
        "(long long)(i) <= 7",
        "offset of p == offset of q",
        "p is within its object",
        "a zero follows p",
    ]
    .iter()
    .for_each(|formula| has(&copy, formula));
    has(&guessed(PROGRAMS[3]), "(long long)(j) <= (long long)(i)");
    has(&guessed(PROGRAMS[4]), "a zero follows s + n");
}

#[test]
fn what_does_not_hold_is_seen_in_a_run() {
    let program = program(PROGRAMS[2]);
    let entry = program.function_named("main").expect("there is a main");
    let memory = Memory::of(&program);
    let automaton = Automaton::new(&program, &memory, entry, Bounds::default()).expect("it is small");
    let cell = |name: &str| {
        let variable = program.variables.iter_enumerated().find(|(_, v)| v.name == name).expect("it is there").0;
        Cell { context: ROOT, variable }
    };
    let violated = |predicate: Predicate| {
        let heads = automaton.heads();
        heads.iter().any(|head| {
            let alone = Candidates::from([(*head, vec![predicate.clone()])]);
            against_runs(&program, &automaton, entry, &alone).0.is_some()
        })
    };
    let (a, p) = (cell("a"), cell("p"));
    assert!(!violated(Predicate::at_most(cell("i"), 8)) && violated(Predicate::at_most(cell("i"), 7)));
    assert!(!violated(Predicate::at_most(p, 8)) && violated(Predicate::at_most(p, 0)));
    let within = |bytes| Predicate::Within { string: a, index: Some(cell("i")), bytes };
    assert!(!violated(within(1)) && violated(within(2)));
    // A wide character begins at even places only.
    let zero_follows = |bytes| Predicate::ZeroFollows { string: p, index: None, bytes };
    assert!(!violated(zero_follows(1)) && violated(zero_follows(2)));
}
