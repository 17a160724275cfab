//! Every relation that engines ask matters: where it is empty, a verdict or a result is another one.

use super::forward::{Calls, Options, SiteVerdict, analyze};
use super::task::{Budget, Property, Task};
use super::termination::{Ends, Wanted, summarize};
use crate::base::SourceMap;
use crate::datalog::programs::{effects, memory};
use crate::datalog::{Limits, RunError};
use crate::facts::emit::emit;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{DataModel, FuncId, Program};
use crate::memory::Memory;
use std::time::Duration;

fn program(source: &str) -> Program {
    let declared =
        "void *malloc(unsigned long); void free(void *); int rand(void); void outside(void); void keep(int *); int *give(void);
        typedef void (*handler)(int); handler signal(int, handler);";
    let text = format!("{declared}\n{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    lower(&parsed, DataModel::Lp64, sources, LowerOptions::default())
}

/// What rules make of a program, to be changed.
struct Derived {
    by_type: effects::Results,
    by_targets: memory::Results,
}

/// The program's main function, with relations that are changed. `layers`: 2 for those by types and by targets, 1 for those by types alone.
fn with_memory<T>(source: &str, layers: u8, change: Change, of: impl Fn(&Program, &Memory, FuncId) -> T) -> T {
    let program = program(source);
    let emitted = emit(&program);
    let run = |facts: &_| -> Result<Derived, RunError> {
        let limits = Limits::default();
        Ok(Derived { by_type: effects::run(facts, &limits)?, by_targets: memory::run(facts, &limits)? })
    };
    let mut derived = run(&emitted.facts).expect("the rules end");
    change(&mut derived);
    let none = || RunError::Derivations { relation: "points_to".into() };
    let by_targets = if layers == 2 { Ok(derived.by_targets) } else { Err(none()) };
    let memory = Memory::new(&program, emitted, derived.by_type, by_targets, Vec::new());
    of(&program, &memory, program.function_named("main").expect("there is a main"))
}

/// Verdicts with calls followed, joined, and sharing memory.
fn verdicts(program: &Program, memory: &Memory, main: FuncId) -> Vec<SiteVerdict> {
    let of = |calls| analyze(program, memory, main, &Options { calls, ..Options::default() }).verdicts;
    let all = [None, Some(Calls::Joined), Some(Calls::Shared)].map(of);
    all.iter().flat_map(|verdicts| verdicts.iter().cloned()).collect()
}

/// How the program's loops end, and whether all that they do is followed.
fn ends(program: &Program, memory: &Memory, main: FuncId) -> (Vec<Ends>, Result<(), String>) {
    let task = Task::new(program, memory, main, Property::Termination);
    let summary = summarize(&task, Wanted::Ends, &Budget::of(Duration::from_secs(20)));
    let ends = summary.loops.into_iter().map(|row| row.ends).collect();
    (ends, summary.whole.map_err(|why| why.to_string()))
}

/// Whether engines say the same of the program whether or not its relations are changed.
fn is_idle(source: &str, layers: u8, change: Change) -> bool {
    let with = |change| with_memory(source, layers, change, verdicts);
    let ends_with = |change| with_memory(source, layers, change, ends);
    with(|_| ()) == with(change) && ends_with(|_| ()) == ends_with(change)
}

type Change = fn(&mut Derived);

/// A call that is not followed, since code outside makes it, and what `body` does in it.
fn unfollowed(body: &str, after: &str) -> String {
    format!(
        "static int v = 1; static int *p = &v; static int *block;
         static void turn(void) {{ {body} }} void (*f)(void) = turn;
         int main(void) {{ int x = 1; block = malloc(4); if (!block) return 0; *block = 1;
             outside(); {after} return 0; }}"
    )
}

#[test]
fn relations_by_targets_matter() {
    let called = "static int v = 1; static void zero(void) { v = 0; } static void (*f)(void) = zero;
        int main(int argc, char **argv) { void (**g)(void) = argc > 9 ? (void (**)(void))argv : &f; (*g)(); return 1 / v; }";
    let back = "int v = 1; void zero(void) { v = 0; } void (*f)(void) = zero;
        int main(void) { outside(); return 1 / v; }";
    let loops = "static int n; static void down(void); static void up(void) { if (n > 0) { n = n - 1; down(); } }
        static void down(void) { for (int i = 0; i < 3; i++) n = n - i; if (rand()) up(); }
        int main(void) { n = rand(); up(); return 0; }";
    let unknown =
        "static int x = 1; int main(int argc, char **argv) { int *q = argc > 9 ? (int *)argv[1] : &x; keep(&x);
        return 1 / x; }";
    let through = "int main(void) { int x = 1; keep(&x); int *q = give(); x = 1; *q = 0; return 1 / x; }";
    let wrapped = "static int *get(unsigned long n) { int *p = malloc(n); return p; }
        int main(void) { int *a = get(8), *b = get(4), *c = get(4); if (a) a[1] = 1; return 0; }";
    let back_again = "long write(int, const void *, unsigned long); long read(int, void *, unsigned long);
        int main(void) { int x = 1, *p = &x, *q; write(1, &p, 8); if (read(0, &q, 8) == 8) *q = 0; return 1 / x; }";
    let gone = "static int *block; static int use(int n) { if (n > 0) return use(n - 1); return *block; }
        int main(void) { block = malloc(4); if (!block) return 0; *block = 1; free(block); return use(rand()); }";
    let made_for = "static int *block; static int *raw(int n) { int *p = malloc(n); return p; }
        static int *make(int n) { int *p = raw(n); if (p) *p = n; return p; }
        static void turn(void) { free(block); } void (*f)(void) = turn;
        int main(void) { block = make(4); if (!block) return 0; outside(); return *block; }";
    let cases: [(&str, String, Change); 13] = [
        ("addresses_return", back_again.into(), |d| d.by_targets.addresses_return.clear()),
        ("wraps", wrapped.into(), |d| d.by_targets.wraps.clear()),
        ("call_edge", called.into(), |d| d.by_targets.call_edge.clear()),
        ("points_to", through.into(), |d| d.by_targets.points_to = Default::default()),
        ("may_write", unfollowed("*p = 0;", "x = 1 / v;"), |d| d.by_targets.may_write = Default::default()),
        ("may_free", unfollowed("free(block);", "x = *block;"), |d| d.by_targets.may_free = Default::default()),
        ("freed_before", gone.into(), |d| d.by_targets.freed_before = Default::default()),
        ("block_of_call", made_for.into(), |d| d.by_targets.block_of_call.clear()),
        ("outside_calls", back.into(), |d| d.by_targets.outside_calls.clear()),
        ("outside_reaches", unknown.into(), |d| d.by_targets.outside_reaches.clear()),
        ("unknown_call", back.into(), |d| d.by_targets.unknown_call.clear()),
        ("enters", loops.into(), |d| d.by_targets.enters.clear()),
        ("comes_to", loops.into(), |d| d.by_targets.comes_to = Default::default()),
    ];
    let idle = |(_, source, empty): &(&str, String, Change)| is_idle(source, 2, *empty);
    let idle: Vec<&str> = cases.iter().filter(|case| idle(case)).map(|case| case.0).collect();
    assert_eq!(idle, [""; 0], "these do not matter");
}

#[test]
fn relations_by_type_matter() {
    let named = "static int v = 1; static void zero(void) { v = 0; } int main(void) { zero(); return 1 / v; }";
    let made = "static int *make(int n) { int *p = malloc(4); if (p) *p = n; return p; }
        int main(void) { int *kept = 0; for (int i = 0; i < 2; i++) { int *new = make(1 - i); if (!new) return 0;
            if (kept) return 1 / *new; kept = new; } return 0; }";
    let later =
        "static int v = 1; static void stop(int n) { v = 1 / n; } int main(void) { signal(2, stop); return v; }";
    let called = "static int v = 1; static void zero(void) { v = 0; } static void (*f)(void) = zero;
        int main(int argc, char **argv) { void (**g)(void) = argc > 9 ? (void (**)(void))argv : &f; (*g)(); return 1 / v; }";
    let loops = "static int n; static void down(void); static void up(void) { if (n > 0) { n = n - 1; down(); } }
        static void down(void) { for (int i = 0; i < 3; i++) n = n - i; if (rand()) up(); }
        int main(void) { n = rand(); up(); return 0; }";
    let leaves =
        "static int v = 1; void zero(void) { v = 0; } void (*f)(void) = zero; static void go(void) { outside(); }
        int main(void) { go(); return 1 / v; }";
    let taken = "static int use(int n) { return 1 / n; } int (*f)(int) = use;
        int main(void) { __asm__(\"nop\"); return use(2); }";
    let set = "static int step = 1; static void stop(void) { step = 0; }
        static void work(void) { int i = 0; while (i < 10) i += step; }
        int main(void) { if (rand()) stop(); work(); return 0; }";
    let elsewhere = "static int n; static void step(void) { n = n - 1; } static void (*f)(void) = step;
        int main(int argc, char **argv) { void (**g)(void) = argc > 9 ? (void (**)(void))argv : &f;
            n = argc; while (n > 0) (*g)(); return 0; }";
    let through = "static void put(int *q) { *q = 0; }
        int main(void) { int *p = give(), *q = give(); if (*p <= 0) return 0; put(q); return 1 / *p; }";
    let release = "static void drop(int *q) { free(q); }
        int main(void) { int *p = give(), *q = give(); *p = 1; drop(q); return *p; }";
    let options = "int getopt(int, char *const *, const char *); extern int optind;
        int main(int argc, char **argv) { if (argc < 1) return 0; while (getopt(argc, argv, \"a\") != -1) ; return 1 / (argc - optind + 1); }";
    let cases: [(&str, u8, &str, Change); 14] = [
        ("option_index", 2, options, |d| d.by_type.option_index.clear()),
        ("takes_options", 2, options, |d| d.by_type.takes_options.clear()),
        ("may_write_through", 1, through, |d| d.by_type.may_write_through.clear()),
        ("may_release", 1, release, |d| d.by_type.may_release.clear()),
        ("may_call_unknown", 1, elsewhere, |d| d.by_type.may_call_unknown.clear()),
        ("may_name", 2, named, |d| d.by_type.may_name = Default::default()),
        ("may_allocate_by", 2, made, |d| d.by_type.may_allocate_by = Default::default()),
        ("called_later", 2, later, |d| d.by_type.called_later.clear()),
        ("may_leave_program", 2, leaves, |d| d.by_type.may_leave_program.clear()),
        ("call_edge_by_type", 1, called, |d| d.by_type.call_edge_by_type.clear()),
        ("function_taken", 1, taken, |d| d.by_type.function_taken.clear()),
        ("may_enter", 1, loops, |d| d.by_type.may_enter.clear()),
        ("may_come_to", 1, loops, |d| d.by_type.may_come_to = Default::default()),
        ("may_set", 1, set, |d| d.by_type.may_set = Default::default()),
    ];
    let idle = |(_, layers, source, empty): &(&str, u8, &str, Change)| is_idle(source, *layers, *empty);
    let idle: Vec<&str> = cases.iter().filter(|case| idle(case)).map(|case| case.0).collect();
    assert_eq!(idle, [""; 0], "these do not matter");
}
