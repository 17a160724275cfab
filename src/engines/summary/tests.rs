//! Sites that are open, twins that differ in one fact, and what is proved held against runs.

use super::sites::{Judgement, judge_sites};
use crate::base::SourceMap;
use crate::concrete::InputValue;
use crate::engines::invariant::template::Templates;
use crate::engines::limits::SiteLimits;
use crate::engines::task::Budget;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{CheckKind, DataModel, Program, SiteId};
use crate::memory::Memory;
use std::collections::BTreeSet;
use std::time::Duration;

fn program(source: &str) -> Program {
    let text = format!("int rand(void);\nint outside(void);\n{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let options = LowerOptions { unwritten_inputs: true, ..LowerOptions::default() };
    let program = lower(&parsed, DataModel::Lp64, sources, options);
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    program
}

fn judgement(program: &Program, kind: CheckKind) -> (BTreeSet<SiteId>, Judgement) {
    let entry = program.function_named("main").expect("there is a main");
    let asked = program.sites.iter_enumerated().filter(|(_, site)| site.kind == kind).map(|(id, _)| id).collect();
    let judgement = judge_sites(
        (program, &Memory::of(program)),
        entry,
        &asked,
        &[],
        Templates::NONE,
        (&SiteLimits::default(), &Budget::of(Duration::from_secs(60))),
    );
    (asked, judgement)
}

/// Whether no access leaves its object; what fails is suspected.
fn bounds_hold(source: &str) -> bool {
    let (asked, judgement) = judgement(&program(source), CheckKind::OutOfBounds);
    let safe = asked.iter().all(|site| judgement.safe.contains_key(site));
    assert!(safe || !judgement.suspects.is_empty(), "{judgement:?}");
    safe
}

const COPY: &str = "int main(void) { char from[6], to[TO]; int i = 0; from[5] = 0;
    while (from[i] != 0) { to[i] = from[i]; i++; }
    to[i] = 0; return to[0]; }";

#[test]
fn a_copy_stays_in_a_buffer_that_is_as_large_and_leaves_a_smaller_one() {
    assert!(bounds_hold(&COPY.replace("TO", "6")));
    assert!(!bounds_hold(&COPY.replace("TO", "5")));
}

/// A loop that no number of turns ends, over a string that ends.
const SCAN: &str = "int main(void) { char s[8]; int i = 0; END
    while (outside()) { if (s[i] == 0) i = 0; else i++; }
    return s[i]; }";

#[test]
fn that_a_zero_follows_bounds_an_index_in_a_loop_without_end() {
    assert!(bounds_hold(&SCAN.replace("END", "s[7] = 0;")));
    assert!(!bounds_hold(&SCAN.replace("END", "")));
}

const WALK: &str = "int main(void) { char s[8]; char *p = s; END
    while (outside()) { if (*p == 0) p = s; else p++; }
    return *p; }";

#[test]
fn that_a_zero_follows_bounds_a_pointer_in_a_loop_without_end() {
    assert!(bounds_hold(&WALK.replace("END", "s[7] = 0;")));
    assert!(!bounds_hold(&WALK.replace("END", "")));
}

/// As many bytes as an input says, no more than its range has.
const RECEIVE: &str = "long read(int, void *, unsigned long);
    int main(void) { char s[6]; int i = 0; long n = read(0, s, COUNT); if (n < 0) return 1; s[n] = 0;
    while (s[i] != 0) i++;
    return i > n ? s[6 + i] : 0; }";

#[test]
fn inputs_of_any_length_leave_what_lies_behind_them() {
    assert!(bounds_hold(&RECEIVE.replace("COUNT", "5")));
    assert!(!bounds_hold(&RECEIVE.replace("COUNT", "6")));
}

/// What is suspected is a run that the interpreter repeats: its inputs are as long as they are taken to be.
#[test]
fn inputs_that_are_suspected_have_their_length() {
    let source = "long read(int, void *, unsigned long);
        int main(void) { char s[6]; long n = read(0, s, 6); int a[4] = { 0 };
        if (n == 3 && s[0] == 'x' && s[2] == 'y') return a[n + 1];
        return 0; }";
    let program = program(source);
    let (_, judgement) = judgement(&program, CheckKind::OutOfBounds);
    let [inputs] = judgement.suspects.values().collect::<Vec<_>>()[..] else { panic!("{judgement:?}") };
    // What `s` holds before is an input, too.
    assert!(
        matches!(inputs.last(), Some(InputValue::Bytes(read)) if matches!(read[..], [b'x', _, b'y'])),
        "{inputs:?}"
    );
}

/// A line has no end but its own.
#[test]
fn inputs_are_only_what_functions_can_read() {
    let source = |byte: &str| {
        format!(
            "char *fgets(char *, int, void *); extern void *stdin;
            int main(void) {{ char s[6], t[2] = {{ 0 }}; if (!fgets(s, 6, stdin)) return 0;
            return t[s[0] == 'a' && s[1] == {byte} && s[2] == 'c' ? 2 : 1]; }}"
        )
    };
    assert!(bounds_hold(&source("'\\n'")));
    assert!(!bounds_hold(&source("'b'")));
}

/// A short loop in a longer one: neither is unrolled further than it goes.
const NESTED: &str = "int main(void) { int a[3] = { 0 }, sum = 0, i, j, n = rand(); if (n < 0 || n > 30) return 1;
    for (i = 0; i < n; i++) for (j = 0; j < LAST; j++) sum += a[j] + i;
    return a[sum < 0]; }";

#[test]
fn loops_are_unrolled_each_to_its_end() {
    let safe = |last: &str| {
        let (_, judgement) = judgement(&program(&NESTED.replace("LAST", last)), CheckKind::OutOfBounds);
        judgement.suspects.is_empty() && judgement.safe.len() == 2
    };
    assert!(safe("3"));
    assert!(!safe("4"));
}

const OUTSIDE: &str = "STORAGE int at = 1; int outside(void);
    int main(void) { int a[4]; at = 2; outside(); return a[at]; }";

#[test]
fn code_outside_writes_the_variables_that_it_can_name() {
    assert!(bounds_hold(&OUTSIDE.replace("STORAGE", "static")));
    assert!(!bounds_hold(&OUTSIDE.replace("STORAGE", "")));
}

const GIVEN: &str = "void take(int *); static int at = 1; static int other;
    int main(void) { int a[4]; at = 2; take(&WHICH); outside(); return a[at]; }";

#[test]
fn code_outside_that_was_given_an_address_may_write_what_pointers_reach() {
    assert!(!bounds_hold(&GIVEN.replace("WHICH", "at")));
    assert!(bounds_hold(&GIVEN.replace("WHICH", "other")));
}

#[test]
fn sites_behind_one_that_errs_are_judged_all_the_same() {
    let source = "int main(void) { int a[4], b[4], i = rand(); a[i] = 1; return b[i]; }";
    let (asked, judgement) = judgement(&program(source), CheckKind::OutOfBounds);
    assert_eq!((asked.len(), judgement.safe.len(), judgement.suspects.len()), (2, 1, 1));
}

#[test]
fn numbers_that_are_no_addresses_lead_to_no_object() {
    let holds = |pointers: &str| {
        let source = format!("int main(void) {{ char a[2], *p, *q; {pointers} return p < q; }}");
        let (asked, judgement) = judgement(&program(&source), CheckKind::PointerCompare);
        assert_eq!(asked.len(), 1);
        !judgement.safe.is_empty()
    };
    assert!(holds("p = a; q = a + 1;"));
    assert!(holds("p = 0; q = 0;"));
    assert!(!holds("p = (char *)5; q = (char *)6;"));
    assert!(!holds("p = 0; q = (char *)6;"));
    assert!(!holds("p = (char *)-1; q = p;"));
}

const CALLED_BACK: &str = "static int at = 1; static int a[4];
    static void use(int i) { a[i] = at; }
    void (*keep)(int);
    int main(void) { KEEP use(1); return 0; }";

#[test]
fn nothing_is_said_where_code_outside_may_call_functions() {
    let safe = |keep: &str| {
        let (_, judgement) = judgement(&program(&CALLED_BACK.replace("KEEP", keep)), CheckKind::OutOfBounds);
        !judgement.safe.is_empty()
    };
    assert!(safe("keep = 0; outside();"));
    assert!(safe("keep = use;"));
    assert!(!safe("keep = use; outside();"));
}

/// Whether nothing divides by zero in `main` with this body, behind these declarations.
fn divisions_hold(outside: &str, body: &str) -> bool {
    let source = format!("{outside} int main(void) {{ int n = rand(); {body} }}");
    let (asked, judgement) = judgement(&program(&source), CheckKind::DivByZero);
    assert!(!asked.is_empty());
    judgement.safe.len() == asked.len()
}

#[test]
fn nothing_is_said_behind_what_is_not_followed() {
    let deep = "static int f(int n) { return n <= 0 ? 0 : f(n - 1) + 1; }";
    assert!(!divisions_hold(deep, "return 10 / (f(n) - 50);"));
    assert!(divisions_hold(deep, "return 10 / (f(n & 3) - 50);"));
    let within = "static int d; static void f(int n) { d++; d = d / (d - 6) ? d : d; if (n > 0) f(n - 1); }";
    assert!(!divisions_hold(within, "f(n); return 0;"));
    let more = "static int g(int n, ...) { return n * 2; }";
    assert!(!divisions_hold(more, "return 10 / (g(n & 63, 1) - 50);"));
    let jump = "void *to[2] = { &&a, &&b }; goto *to[n & 1]; a: return 1; b: return 10 / ((n & 63) - 51);";
    assert!(!divisions_hold("", jump));
}

#[test]
fn copies_of_truth_values_have_all_their_bits() {
    let both = "struct S { _Bool b; }; union U { struct S s; unsigned char c; };";
    let copied = |last: &str| format!("union U u, v; u.c = n & 7; v.s = u.s; return 10 / (v.c - {last});");
    assert!(!divisions_hold(both, &copied("7")));
    assert!(divisions_hold(both, &copied("8")));
    // What is read as a truth value on one way may be any byte on the other.
    let read = |last: &str| {
        format!("union U u[2]; outside_fills(u); int x = u[1].c; return x < 2 ? u[1].s.b : 10 / (x - {last});")
    };
    let both = format!("{both} void outside_fills(union U *);");
    assert!(!divisions_hold(&both, &read("7")));
    assert!(divisions_hold(&both, &read("1")));
}

#[test]
fn an_array_of_another_file_has_any_length() {
    assert!(!divisions_hold("extern int a[];", "a[2] = 1; return 10 / (n - 7);"));
    assert!(divisions_hold("extern int a[2];", "a[2] = 1; return 10 / (n - 7);"));
}
