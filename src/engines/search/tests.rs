//! The search against small programs whose errors are known.

use super::{SearchOptions, SearchOutcome, search};
use crate::base::SourceMap;
use crate::concrete::{Outcome, Script, run};
use crate::engines::limits::{BoxLimits, RunLimits};
use crate::engines::task::Budget;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{CheckKind, DataModel, Program, SiteId};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

pub(super) fn program(source: &str) -> Program {
    let text = format!("int rand(void);\nvoid *malloc(unsigned long);\nvoid free(void *);\n{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    program
}

pub(super) fn options(seed: u64) -> SearchOptions {
    SearchOptions {
        checks: CheckKind::defaults().collect(),
        unwritten: false,
        leaps: false,
        lost: false,
        seed,
        statements: 5_000_000,
        patience: 2000,
        directed: 0,
        patience_for_goals: 0,
        extents: Arc::default(),
        questions: 0,
        one: false,
        budget: Budget::of(Duration::from_secs(600)),
        open: Arc::default(),
        exchange: None,
        entered: Arc::default(),
        runs: RunLimits::default(),
        boxes: BoxLimits::default(),
    }
}

/// The kinds found, in order of sites; every one must have been replayed and must err again from its log.
fn found(source: &str) -> Vec<CheckKind> {
    found_by(0, source)
}

fn found_by(seed: u64, source: &str) -> Vec<CheckKind> {
    let program = program(source);
    let main = program.function_named("main").expect("there is a main");
    let outcome = search(&program, main, &options(seed));
    for (site, found) in &outcome.found {
        assert_eq!(found.doubt, None, "{:?}", program.sites[*site]);
        let again = run(&program, main, &mut Script::replay(&found.run.inputs), &crate::concrete::Limits::default());
        assert_eq!(again.error(), Some(*site));
        assert!(matches!(again.outcome, Outcome::Error { .. }));
    }
    outcome.found.keys().map(|site| program.sites[*site].kind).collect()
}

/// The kinds found beyond doubt with these options, in order of sites.
pub(super) fn certain(source: &str, options: &SearchOptions) -> Vec<CheckKind> {
    let program = program(source);
    let main = program.function_named("main").expect("there is a main");
    let found = search(&program, main, options).found;
    found.iter().filter(|(_, found)| found.doubt.is_none()).map(|(site, _)| program.sites[*site].kind).collect()
}

#[test]
fn long_words_of_the_command_line_overrun_buffers() {
    let source = |size: u32| {
        format!(
            "char *strcpy(char *, const char *);
             int main(int argc, char **argv) {{ char name[{size}]; if (argc > 1) strcpy(name, argv[1]); return 0; }}"
        )
    };
    assert_eq!(found(&source(4096)), [CheckKind::OutOfBounds]);
    // What is longer is not tried.
    assert_eq!(found(&source(8192)), []);
}

#[test]
fn options_with_arguments_are_tried() {
    let source = |most: u32| {
        format!(
            "int getopt(int, char *const *, const char *); extern char *optarg; int atoi(const char *);
             int main(int argc, char **argv) {{ int sums[4] = {{0}}, at = 0, c;
             while ((c = getopt(argc, argv, \"vl:\")) != -1) switch (c) {{
             case 'v': break; case 'l': at = atoi(optarg); break; default: return 1; }}
             return at >= 0 && at <= {most} ? sums[at] : 1; }}"
        )
    };
    assert_eq!(found(&source(4)), [CheckKind::OutOfBounds]);
    assert_eq!(found(&source(3)), []);
}

#[test]
fn a_search_ends_when_nothing_is_left_to_find() {
    let program = program("int main(void) { int n = rand(); while (n != 5) n = rand(); return 100 / (n - 5); }");
    let main = program.function_named("main").expect("there is a main");
    let open = |sites: &[SiteId]| SearchOptions {
        open: Arc::new(sites.iter().copied().collect::<BTreeSet<_>>().into()),
        ..options(0)
    };
    let site = *search(&program, main, &options(0)).found.keys().next().expect("the division errs");
    let (all, one, none) = (
        search(&program, main, &options(0)),
        search(&program, main, &open(&[site])),
        search(&program, main, &open(&[])),
    );
    assert!(one.found.contains_key(&site));
    assert!(none.runs <= one.runs && one.runs < all.runs, "{} {} {}", none.runs, one.runs, all.runs);
}

#[test]
fn a_search_for_one_error_ends_with_it() {
    let program = program("int main(void) { int n = rand(); if (n == 5) return 1 / (n - 5); return 100 / (n - 7); }");
    let main = program.function_named("main").expect("there is a main");
    let all = search(&program, main, &options(0));
    let one = search(&program, main, &SearchOptions { one: true, ..options(0) });
    assert_eq!((all.found.len(), one.found.len()), (2, 1));
    assert!(one.runs < all.runs, "{} {}", one.runs, all.runs);
    // Errors that nobody asked for are not enough.
    let others = SearchOptions { one: true, checks: vec![CheckKind::OutOfBounds], ..options(0) };
    assert!(search(&program, main, &others).runs > one.runs);
}

#[test]
fn errors_that_need_no_input_are_found() {
    assert_eq!(found("int main(void) { int a[2]; int i = 2; a[i] = 1; return 0; }"), [CheckKind::OutOfBounds]);
    assert_eq!(found("int main(void) { int *p = 0; return *p; }"), [CheckKind::NullDeref]);
}

#[test]
fn constants_of_the_program_are_tried() {
    assert_eq!(found("int main(void) { return 1 / (rand() - 4711); }"), [CheckKind::DivByZero]);
}

#[test]
fn limits_of_types_are_tried() {
    assert_eq!(found("int main(void) { int x = rand(); return x + 1 > 0; }"), [CheckKind::SignedOverflow]);
}

#[test]
fn errors_behind_several_conditions_are_found_step_by_step() {
    let source =
        "int main(void) { int d = 0; if (rand() == 100) if (rand() == 200) if (rand() == 300) d = 1 / d; return d; }";
    assert_eq!(found(source), [CheckKind::DivByZero]);
}

#[test]
fn failing_allocations_are_tried() {
    let source = "int main(void) { int *p = malloc(4); *p = 1; free(p); return 0; }";
    assert_eq!(found(source), [CheckKind::NullDeref]);
}

#[test]
fn nothing_is_found_where_nothing_errs() {
    assert_eq!(found("int main(void) { int x = rand(); return x == 0 ? 0 : 100 / x; }"), []);
    assert_eq!(found("int main(void) { int *p = malloc(4); if (p) { *p = 1; } free(p); return 0; }"), []);
}

#[test]
fn runs_on_indeterminate_values_prove_nothing() {
    // With the check of the read switched off, the division depends on what happens to lie in `x`.
    let program = program("int main(void) { int x; int *p = &x; return 1 / *p; }");
    let main = program.function_named("main").expect("there is a main");
    let checks = vec![CheckKind::DivByZero];
    let outcome = search(&program, main, &SearchOptions { checks, ..options(0) });
    assert!(outcome.found.values().all(|f| f.doubt.as_deref() == Some("it depends on an indeterminate value")));
}

#[test]
fn the_same_seed_finds_the_same() {
    let program = program("int main(void) { int x = rand(); int y = rand(); return x / (y - 3) + 5 / (x - 9); }");
    let main = program.function_named("main").expect("there is a main");
    let inputs = |o: SearchOutcome| o.found.into_values().map(|f| f.run.inputs).collect::<Vec<_>>();
    let first = inputs(search(&program, main, &options(7)));
    assert_eq!(first, inputs(search(&program, main, &options(7))));
    assert!(!first.is_empty());
}

#[test]
fn a_run_that_reads_without_end_is_stopped_and_says_so() {
    let program = program(
        "char *fgets(char *, int, void *); extern void *stdin;\nstatic char b[65536];\n\
         int main(void) { while (rand() < 2147483647) fgets(b, sizeof b, stdin); return 0; }",
    );
    let main = program.function_named("main").expect("there is a main");
    let limits = crate::concrete::Limits { inputs: 1 << 20, ..crate::concrete::Limits::default() };
    let ended = run(&program, main, &mut crate::concrete::Defaults, &limits);
    assert_eq!(ended.outcome, Outcome::OutOfFuel(crate::concrete::Fuel::Inputs));
    assert!(ended.inputs.iter().map(|r| r.bytes()).sum::<u64>() <= 1 << 20);
    let outcome = search(&program, main, &SearchOptions { patience: 5, ..options(0) });
    assert!(outcome.undecided.contains_key("budget: too many bytes of input"), "{:?}", outcome.undecided);
}

#[test]
fn a_value_put_together_from_several_inputs_is_found_bit_by_bit() {
    let source = "int main(void) {
        long x = (unsigned long)rand() << 60 ^ (unsigned long)rand() << 30 ^ rand();
        if (rand() & 1) x = ~x;
        return x - 1 > 0; }";
    assert_eq!(found(source), [CheckKind::SignedOverflow]);
}

#[test]
fn limits_of_characters_are_tried() {
    let source = "char *fgets(char *, int, void *); extern void *stdin;
        int main(void) { char b[9]; if (fgets(b, 9, stdin) && b[0] == -128 && b[1] == 127) return 1 / (b[2] + 1); return 0; }";
    // Every fifth search or so.
    assert!((0..24).any(|seed| found_by(seed, source) == [CheckKind::DivByZero]));
}

#[test]
fn the_solver_suggests_what_random_inputs_miss() {
    let source = "int main(void) { unsigned x = rand(), y = rand(); if (x * 3 + y == 138198395u && (x ^ y) == 77777) return 1 / (x - x); return 0; }";
    let program = program(source);
    let main = program.function_named("main").expect("there is a main");
    let few = || SearchOptions { patience: 50, ..options(0) };
    assert!(search(&program, main, &few()).found.is_empty());
    let outcome = search(&program, main, &SearchOptions { questions: 20, ..few() });
    assert_eq!(outcome.found.len(), 1);
    assert!(outcome.found.values().all(|f| f.doubt.is_none()) && outcome.suggested > 0);
}

#[test]
fn a_check_that_passes_on_all_runs_is_made_to_fail() {
    let source = "int a[50]; int main(void) { unsigned x = rand(); x = (x >> 3) * 40503u % 1009; if (x < 900) return 0; a[x - 955] = 1; return 0; }";
    let program = program(source);
    let main = program.function_named("main").expect("there is a main");
    let outcome = search(&program, main, &SearchOptions { patience: 5, questions: 40, ..options(0) });
    assert_eq!(outcome.found.len(), 1, "{outcome:?}");
}

/// Where a square cannot overflow, the question ends in time without an answer; the twin's guard lets some through.
#[test]
fn guarded_squares_are_asked_about_within_bounds() {
    let errors = |bound: u32| {
        let source = format!(
            "int abs(int); int main(void) {{ unsigned u = (unsigned)rand() << 30 ^ (unsigned)rand() << 15 ^ rand();
             int x = rand() & 1 ? u : -u - 1; if (x > -2147483647 - 1 && abs(x) < {bound}) return x * x; return 0; }}"
        );
        let program = program(&source);
        let main = program.function_named("main").expect("there is a main");
        let kinds = vec![CheckKind::SignedOverflow];
        let checks = SearchOptions { checks: kinds, patience: 5, questions: 20, ..options(0) };
        search(&program, main, &checks).found.len()
    };
    assert_eq!(errors(46340), 0);
    assert_eq!(errors(65536), 1);
}

/// A sum of bytes of a file that lie apart, through variables, and a case of a `switch` on another sum: no byte is what it is compared with.
#[test]
fn bytes_of_files_are_solved_for() {
    let errors = |case: u32| {
        let source = format!(
            "unsigned long fread(void *, unsigned long, unsigned long, void *); extern void *stdin;
             int main(void) {{
                 char line[4]; int check, kind;
                 if (fread(line, 1, 4, stdin) != 4) return 0;
                 check = (line[0] & 255) * 31 + (line[3] & 255) * 7;
                 kind = (line[1] & 15) << 4 | (line[2] & 15);
                 if (check - 40 != 4901) return 1;
                 switch (kind ^ 0x55) {{ case 1: return 2; case {case}: return 1 / (kind - kind); }}
                 return 0;
             }}"
        );
        certain(&source, &SearchOptions { patience: 20, questions: 60, ..options(0) }).len()
    };
    assert_eq!(errors(0x7a), 1);
    // No kind is that.
    assert_eq!(errors(0x17a), 0);
}

/// Twins in how much is asked for: what comes short is made whole.
#[test]
fn readings_that_come_short_are_completed() {
    let errors = |size: u32| {
        let source = format!(
            "unsigned long fread(void *, unsigned long, unsigned long, void *); extern void *stdin;
             int main(void) {{
                 unsigned char head[40]; unsigned long n = fread(head, 1, 40, stdin); int i, sum = 0;
                 for (i = 0; i < (int)n; i++) sum++;
                 return 1 / (sum - {size});
             }}"
        );
        certain(&source, &SearchOptions { checks: vec![CheckKind::DivByZero], patience: 8, ..options(0) }).len()
    };
    assert_eq!(errors(40), 1);
    assert_eq!(errors(41), 0);
}

/// What comes behind an error that compiled programs go past: found where it errs whatever a machine makes of the first, no claim where it depends on that.
#[test]
fn errors_behind_others_are_found() {
    let kinds = |between: &str, divisor: &str| -> Vec<CheckKind> {
        let source = format!(
            "int a[8], b[8]; int main(void) {{
                 int i, n = rand(), *p = a, *q = b; n &= 7;
                 {between}
                 return 10 / ({divisor}); }}"
        );
        certain(&source, &SearchOptions { patience: 400, ..options(0) })
    };
    use CheckKind::{DivByZero, PointerCompare, SignedOverflow, UninitRead};
    assert_eq!(kinds("while (i < 9) i = 9;", "n - 5"), [UninitRead, DivByZero]);
    assert_eq!(kinds("if (i < 9) n = 5;", "n - 5 + (i > 0)"), [UninitRead]);
    assert_eq!(kinds("if (p < q) a[1] = 1; else a[1] = 2;", "n - 5"), [PointerCompare, DivByZero]);
    assert_eq!(kinds("n = p < q;", "n"), [PointerCompare]);
    assert_eq!(kinds("i = 2147483647; i += 1 + n; n = 3;", "n - 3"), [SignedOverflow, DivByZero]);
    // A variable may still have what was written to it in the last turn of the loop.
    assert_eq!(kinds("for (int k = 0; k < 2; k++) { int x; if (!k) x = 4; else n = x == 4; }", "n"), [UninitRead]);
    assert_eq!(
        kinds("for (int k = 0; k < 2; k++) { int x[2]; if (!k) x[n & 1] = 4; else n = x[n & 1] == 4; }", "n"),
        [UninitRead]
    );
    assert_eq!(
        kinds("for (int k = 0; k < 2; k++) { int x; if (!k) x = 4; else n = x == x; }", "n - 1"),
        [UninitRead, DivByZero]
    );
    // Machines stop where a division overflows.
    assert_eq!(kinds("i = -2147483647 - 1; n = -1; i /= n; n = 3;", "n - 3"), [SignedOverflow]);
}

#[test]
fn functions_that_runs_come_to_are_noted() {
    let program = program(
        "static int never;\nint sub(int n) { return n + 1; }\nint far(int n) { return n; }\nint none(int);\n\
         int main(void) { if (never) return far(1); return rand() & 1 ? sub(2) : none(3); }",
    );
    let main = program.function_named("main").expect("there is a main");
    let entered = Arc::new(super::Entered::new(program.functions.len()));
    search(&program, main, &SearchOptions { patience: 60, entered: Arc::clone(&entered), ..options(0) });
    let names: BTreeSet<&str> = entered.iter().map(|f| program.functions[f].name.as_str()).collect();
    // What has no body is come to: with one, runs would go on.
    assert_eq!(names, ["main", "none", "sub"].into());
}

pub(super) const STDIO: &str = "typedef struct file FILE; extern FILE *stdin; FILE *fopen(const char *, const char *); int getc(FILE *);
    char *fgets(char *, int, FILE *); int fseek(FILE *, long, int); void rewind(FILE *); int feof(FILE *); int ferror(FILE *); int ungetc(int, FILE *);
    FILE *tmpfile(void); int fputc(int, FILE *); long ftell(FILE *); void clearerr(FILE *); int sscanf(const char *, const char *, ...); int fscanf(FILE *, const char *, ...); unsigned long fread(void *, unsigned long, unsigned long, FILE *);
    char *strstr(const char *, const char *); char *strchr(const char *, int); int strcmp(const char *, const char *);";

#[test]
fn what_is_read_again_is_the_same() {
    let source = |again: &str| {
        format!(
            "{STDIO} int main(void) {{ FILE *f = fopen(\"a\", \"r\"); if (!f) return 0; int c = getc(f); if (c < 0) return 0; {again}
             if (getc(f) != c) return 1 / (c - c); return 0; }}"
        )
    };
    assert_eq!(found(&source("rewind(f);")), []);
    assert_eq!(found(&source("if (fseek(f, 0, 0)) return 0;")), []);
    assert_eq!(found(&source("fseek(f, 0, 0);")), []);
    assert_eq!(found(&source("ungetc(c, f);")), []);
    // The next character may differ.
    assert_eq!(found(&source("")), [CheckKind::DivByZero]);
}

#[test]
fn behind_the_end_comes_nothing() {
    let source = |condition: &str| {
        format!("{STDIO} int main(void) {{ while (getc(stdin) >= 0) ; int z = 0; return {condition} ? 1 / z : 0; }}")
    };
    assert_eq!(found(&source("!feof(stdin) && !ferror(stdin)")), []);
    assert_eq!(found(&source("getc(stdin) >= 0")), []);
    assert_eq!(found(&source("feof(stdin)")), [CheckKind::DivByZero]);
}

#[test]
fn files_with_words_and_numbers_are_found() {
    let source = "int main(void) { char line[80]; int at, table[8] = {0}; if (!fgets(line, 80, stdin) || strcmp(line, \"magic 7\\n\")) return 0;
        while (fgets(line, 80, stdin)) if (strstr(line, \"INDEX\") && sscanf(line, \"INDEX %d\", &at) == 1 && at >= 0 && at < 9) return table[at];
        return 0; }";
    assert_eq!(found(&format!("{STDIO}{source}")), [CheckKind::OutOfBounds]);
    assert_eq!(found(&format!("{STDIO}{}", source.replace("at < 9", "at < 8"))), []);
}

#[test]
fn what_sscanf_takes_follows_from_its_text() {
    let source = |text: &str, wanted: i32| {
        format!(
            "{STDIO} int main(void) {{ int n = 0; if (sscanf(\"{text}\", \"%d\", &n) == 1) return 1 / (n - {wanted}); return 0; }}"
        )
    };
    assert_eq!(found(&source("12", 12)), [CheckKind::DivByZero]);
    assert_eq!(found(&source("12", 13)), []);
    assert_eq!(found(&source("x", 0)), []);
}

#[test]
fn failing_inputs_are_small() {
    let source = format!(
        "{STDIO} int main(void) {{ char line[64]; while (fgets(line, 64, stdin)) if (strchr(line, 'q')) return 1 / (line[0] - line[0]); return 0; }}"
    );
    let program = program(&source);
    let main = program.function_named("main").expect("there is a main");
    let outcome = search(&program, main, &options(0));
    let found = outcome.found.values().next().expect("it errs");
    assert_eq!(found.run.files.len(), 1);
    assert_eq!(found.run.files[0].content(), b"q");
}

#[test]
fn what_rests_on_a_function_without_a_body_is_not_definite() {
    let source = |declaration: &str| {
        format!("int a[8]; {declaration} int main(void) {{ int i = f(); if (i >= 0 && i < 9) return a[i]; return 0; }}")
    };
    // With a body that reads it, it is an input as any other.
    assert_eq!(found(&source("int f(void) { return rand(); }")), [CheckKind::OutOfBounds]);
    let program = program(&source("int f(void);"));
    let main = program.function_named("main").expect("there is a main");
    let outcome = search(&program, main, &options(0));
    let doubts: Vec<Option<&str>> = outcome.found.values().map(|found| found.doubt.as_deref()).collect();
    let told = "it depends on functions without a body: `f` returns 8, and nothing is changed by them";
    assert_eq!(doubts, [Some(told)]);
}

#[test]
fn what_a_function_without_a_body_does_besides_is_not_known() {
    // It may change `at`, end the program, or never return.
    let source = "int a[8], at = 8; void f(int *); int main(void) { f(&at); return a[at]; }";
    let program = program(source);
    let main = program.function_named("main").expect("there is a main");
    let outcome = search(&program, main, &options(0));
    assert!(outcome.found.values().all(|found| found.doubt.is_some()) && !outcome.found.is_empty());
}

#[test]
fn own_comparing_functions_suggest_words() {
    let source = "int same(const char *a, const char *b) { while (*a && *a == *b) { a++; b++; } return *a == *b; }
        int main(void) { char line[40]; int n = 0; while (fgets(line, 40, stdin)) { if (same(line, \"open sesame\\n\")) n++; if (n == 2) return 1 / (n - 2); }
        return 0; }";
    assert_eq!(found(&format!("{STDIO}{source}")), [CheckKind::DivByZero]);
    // No line is as long.
    let longer = source.replace("open sesame", "open sesame, open sesame, open sesame, open");
    assert_eq!(found(&format!("{STDIO}{longer}")), []);
}

#[test]
fn who_reads_on_at_the_end_is_ended_but_errs_there_all_the_same() {
    let source = |size: u32| {
        format!(
            "{STDIO} char seen[300]; int main(void) {{ int i = 0; while (getc(stdin) < 0) {{ if (i < {size}) seen[i] = 1; i++; if (i == 100000) return 0; }}
             return 0; }}"
        )
    };
    assert_eq!(found(&source(301)), [CheckKind::OutOfBounds]);
    assert_eq!(found(&source(300)), []);
}

#[test]
fn what_is_computed_from_a_file_is_traced_back_to_it() {
    let source = |condition: &str| {
        format!(
            "{STDIO} int main(void) {{ int a = getc(stdin), b = getc(stdin), c = getc(stdin), d = getc(stdin); if (d < 0) return 0;
             unsigned n = (unsigned)a << 24 | b << 16 | c << 8 | d; if ({condition}) return 1 / (a - a); return 0; }}"
        )
    };
    assert_eq!(found(&source("((n ^ 0x5a5a5a5au) + 17) / 3 == 0x12345678")), [CheckKind::DivByZero]);
    // The lowest bit of what is shifted is 0.
    assert_eq!(found(&source("n << 1 == 0x12345679")), []);
}

#[test]
fn marks_of_files_may_hold_zeros() {
    let source = |size: u32, magic: &str| {
        format!(
            "{STDIO} int main(void) {{ char b[8]; if (fread(b, 1, 8, stdin) != 8 || memcmp(b, \"{magic}\", 6)) return 0;
             return b[6] == 'w' ? 1 / (8 - {size}) : 0; }}"
        )
    };
    assert_eq!(found(&source(8, "Mk\\0\\0pq")), [CheckKind::DivByZero]);
    assert_eq!(found(&source(9, "Mk\\0\\0pq")), []);
}

#[test]
fn who_is_ended_by_time_alone_does_not_wait_for_proofs() {
    let source =
        "int main(void) { int a = rand(), b = rand(); return a == 1234567 && b == a + 1 ? 1 / (b - a - 1) : 0; }";
    let program = program(source);
    let main = program.function_named("main").expect("there is a main");
    // Nobody ever says what is open.
    let tireless =
        SearchOptions { statements: 0, directed: u64::MAX, patience_for_goals: u32::MAX, one: true, ..options(0) };
    let outcome = search(&program, main, &tireless);
    let kinds: Vec<CheckKind> = outcome.found.keys().map(|site| program.sites[*site].kind).collect();
    assert_eq!(kinds, [CheckKind::DivByZero]);
}

#[test]
fn marks_that_are_matched_byte_by_byte_are_found_in_long_files() {
    let source = |end: &str| {
        format!(
            "{STDIO} static int next_mark(void) {{ static const char mark[] = \"%%END\"; int at = 0, c;
             while ((c = getc(stdin)) != -1) {{ at = c == mark[at] ? at + 1 : 0; if (at == 5) return 1; }} return 0; }}
             int main(void) {{ char head[4]; if (fread(head, 1, 4, stdin) != 4 || memcmp(head, \"%PX-\", 4)) return 0;
             return next_mark() && {end} ? 1 / (head[0] - '%') : 0; }}"
        )
    };
    assert_eq!(found(&source("next_mark()")), [CheckKind::DivByZero]);
    assert_eq!(found(&source("next_mark() && getc(stdin) == 300")), []);
}
