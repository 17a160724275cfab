//! Blocks that are lost when a run ends, as the interpreter judges: twins that differ in one fact.

use cellog::base::SourceMap;
use cellog::concrete::{Limits, Run, Script, run};
use cellog::frontend::lower::{LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::{CheckKind, DataModel};

const PRELUDE: &str = "typedef unsigned long size_t; typedef struct file FILE; extern FILE *stdout;
    void *malloc(size_t); void *calloc(size_t, size_t); void *realloc(void *, size_t); void free(void *);
    char *strdup(const char *); void *memcpy(void *, const void *, size_t); void exit(int); void abort(void);
    int setvbuf(FILE *, char *, int, size_t); int atexit(void (*)(void)); void *alloca(size_t);
    void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
    size_t fwrite(const void *, size_t, size_t, FILE *); long write(int, const void *, size_t); int raise(int);
    long read(int, void *, size_t); void *mmap(void *, size_t, int, int, int, long);
    void __assert_fail(const char *, const char *, unsigned, const char *);
    int pthread_create(void *, void *, void *(*)(void *), void *); FILE *fopen(const char *, const char *);\n";

/// The run of a text whose allocations succeed.
fn run_of(source: &str) -> Run {
    let text = format!("{PRELUDE}{source}").into_bytes();
    let unit = PreprocessedUnit { file: "a.c".into(), text, diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit], 1, &mut sources);
    let options = LowerOptions { allocation_succeeds: true, ..LowerOptions::default() };
    let program = lower(&parsed, DataModel::Lp64, sources, options);
    assert!(program.unsupported.is_empty() && program.diagnostics.is_empty(), "{:?}\n{source}", program.diagnostics);
    let main = program.function_named("main").expect("there is a main");
    let checks = CheckKind::defaults().filter(|kind| *kind != CheckKind::Assertion).collect();
    let limits = Limits { lost: true, checks, ..Limits::default() };
    run(&program, main, &mut Script::default(), &limits)
}

/// How many allocation sites lose a block in a run that proves it.
fn lost(source: &str) -> usize {
    let run = run_of(source);
    assert!(run.flags.is_determined() || run.lost.is_none(), "{:?}\n{source}", run.flags);
    run.lost.map_or(0, |lost| lost.blocks.len())
}

/// `hole` is filled with each of both: nothing is lost with the first, so many sites lose a block with the second.
fn twins(text: &str, hole: &str, kept: &str, leaks: &str, sites: usize) {
    for (filling, expected) in [(kept, 0), (leaks, sites)] {
        let source = text.replace(hole, filling);
        assert_eq!(lost(&source), expected, "{source}\n{:?}", run_of(&source).outcome);
    }
}

#[test]
fn a_block_is_freed_or_not() {
    twins("int main(void) { int *p = malloc(4); *p = 1; END return 0; }", "END", "free(p);", "", 1);
    twins("int main(void) { char *s = strdup(\"a\"); END return 0; }", "END", "free(s);", "", 1);
    twins("int main(void) { int *p = calloc(2, 4); p = realloc(p, 16); END return 0; }", "END", "free(p);", "", 1);
}

#[test]
fn the_only_pointer_is_in_a_static_object_or_a_local_one() {
    twins("int main(void) { STORAGE int *p; p = malloc(4); return 0; }", "STORAGE", "static", "", 1);
    twins(
        "int main(void) { STORAGE struct { char c; int *p[3]; } r; r.p[2] = malloc(4); return 0; }",
        "STORAGE",
        "static",
        "",
        1,
    );
}

#[test]
fn a_pointer_into_a_block_keeps_it() {
    let text = "static char *keep; int main(void) { char *p = malloc(8); keep = WHERE; return 0; }";
    for kept in ["p", "p + 3", "p + 8", "p - 1"] {
        twins(text, "WHERE", kept, "(p ? \"text\" : 0)", 1);
    }
}

#[test]
fn bytes_of_an_address_keep_a_block() {
    let text = "static char bytes[16]; int main(void) { int *p = malloc(4); COPY return 0; }";
    for kept in ["memcpy(bytes + 3, &p, sizeof p);", "for (int i = 0; i < 8; i++) bytes[2 * i % 16] = ((char *)&p)[i];"]
    {
        twins(text, "COPY", kept, "bytes[0] = p != 0;", 1);
    }
    twins(
        "static TYPE keep; int main(void) { int *p = malloc(4); keep = (TYPE)p; return 0; }",
        "TYPE",
        "long",
        "_Bool",
        1,
    );
    twins(
        "static union { long n; int *p; } u; int main(void) { u.p = malloc(4); AFTER return 0; }",
        "AFTER",
        "",
        "u.n = 5;",
        1,
    );
}

#[test]
fn numbers_that_hide_an_address_prove_nothing() {
    let text = "static long keep; int main(void) { int *p = malloc(4); keep = (long)p ^ 0x5555; return 0; }";
    let run = run_of(text);
    assert!(!run.flags.is_determined());
}

#[test]
fn what_only_a_lost_block_points_to_is_lost_too() {
    let text = "struct node { struct node *next; };
        int main(void) { STORAGE struct node *head; head = malloc(sizeof *head); head->next = malloc(sizeof *head); head->next->next = 0;
        return 0; }";
    twins(text, "STORAGE", "static", "", 2);
    // Freed, it keeps nothing either.
    let text = "struct node { struct node *next; };
        int main(void) { struct node *head = malloc(sizeof *head); head->next = malloc(sizeof *head); FREE return 0; }";
    twins(text, "FREE", "free(head->next); free(head);", "free(head);", 1);
}

#[test]
fn a_ring_of_lost_blocks_is_lost() {
    let text = "struct node { struct node *next; };
        int main(void) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *a); a->next = b; b->next = a; FREE return 0; }";
    twins(text, "FREE", "free(a); free(b);", "", 2);
}

#[test]
fn a_loop_overwrites_the_only_pointer() {
    let text = "int main(void) { char *p = 0; for (int i = 0; i < 3; i++) { FREE p = malloc(1); } free(p); return 0; }";
    twins(text, "FREE", "free(p);", "", 1);
}

#[test]
fn one_node_of_a_list_is_left_out() {
    let text = "struct node { struct node *next; };
        int main(void) { struct node *head = 0;
          for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->next = head; head = n; }
          SKIP while (head) { struct node *n = head; head = head->next; free(n); } return 0; }";
    twins(text, "SKIP", "", "head->next = head->next->next;", 1);
}

#[test]
fn exit_leaves_the_frames_and_return_does_not() {
    let text = "static void stop(void) { END(0); } int main(void) { int *p = malloc(4); *p = 1; stop(); LAST }";
    assert_eq!(lost(&text.replace("END", "exit").replace("LAST", "return 0;")), 0);
    assert_eq!(lost(&text.replace("END(0)", "abort()").replace("LAST", "return 0;")), 0);
    assert_eq!(lost(&text.replace("END(0);", "").replace("LAST", "return 0;")), 1);
    // What a frame that is gone held is lost at an exit, too.
    let text = "static void f(void) { int *p = malloc(4); *p = 1; FREE } int main(void) { f(); exit(0); }";
    twins(text, "FREE", "free(p);", "", 1);
}

#[test]
fn handlers_of_atexit_free_in_time() {
    let text = "static int *p; static void clean(void) { int *q = p; p = 0; FREE }
        int main(void) { atexit(clean); p = malloc(4); return 0; }";
    twins(text, "FREE", "free(q);", "", 1);
}

#[test]
fn library_objects_are_not_lost_and_what_the_library_keeps_is_not() {
    assert_eq!(lost("int main(void) { FILE *f = fopen(\"a\", \"r\"); return f == 0; }"), 0);
    twins("int main(void) { char *p = malloc(64); KEEP return 0; }", "KEEP", "setvbuf(stdout, p, 0, 64);", "", 1);
    // A thread's result may wait for whoever joins it.
    let text = "static void *work(void *p) { return malloc(4); }
        int main(void) { long t; pthread_create(&t, 0, work, 0); return 0; }";
    assert_eq!(lost(text), 0);
}

#[test]
fn a_run_that_ends_in_a_comparison_of_qsort_is_not_judged() {
    let text = "static int *a[2]; static int order(const void *p, const void *q) { END return 1; }
        int main(void) { int *lost = malloc(4); *lost = 1; a[0] = malloc(4); a[1] = malloc(4); lost = 0;
          qsort(a, 2, sizeof *a, order); return 0; }";
    assert_eq!(lost(&text.replace("END", "")), 1);
    assert_eq!(lost(&text.replace("END", "exit(0);")), 0);
}

#[test]
fn memory_errors_come_before_what_is_lost() {
    let run = run_of("int main(void) { int *p = malloc(4); p[1] = 0; return 0; }");
    assert!(run.error().is_some() && run.lost.is_none());
}

#[test]
fn blocks_of_the_stack_are_not_tracked() {
    assert_eq!(lost("int main(void) { char *p = alloca(8); p[0] = 1; return 0; }"), 0);
}

#[test]
fn addresses_that_leave_the_program_are_not_lost() {
    let text =
        "int main(void) { struct { int n; int *p; } r, s = {0}; r.p = malloc(4); r.n = 1; TAKE r.p = 0; return 0; }";
    for (out, stays) in [
        ("write(1, &r, sizeof r);", "write(1, &r, 8);"),
        ("write(1, &r.p, 1);", "write(1, &s, sizeof s);"),
        ("fwrite(&r, 8, 2, stdout);", "fwrite(&r, 8, 1, stdout);"),
        ("mmap(0, 8, 3, 1, 4, 0);", "mmap(0, 8, 3, 2, 4, 0);"),
    ] {
        twins(text, "TAKE", out, stays, 1);
    }
}

#[test]
fn a_pointer_that_is_read_proves_no_error_once_addresses_have_left() {
    let text = "int main(void) { char *p = malloc(4), *q = 0; WRITE read(0, &q, 8); USE }";
    for usage in ["*q = 1;", "free(q + 1);", "return q[3];"] {
        let text = text.replace("USE", usage);
        let claims = |write: &str| {
            let run = run_of(&text.replace("WRITE", write));
            assert!(run.error().is_some(), "{:?}\n{text}", run.outcome);
            run.flags.is_determined()
        };
        assert!(claims("write(1, \"text\", 4);") && !claims("write(1, &p, 8);"), "{text}");
    }
    // Pointers that the program has kept prove as much as before.
    let run = run_of("int main(void) { char *p = malloc(4); write(1, &p, 8); p[4] = 1; }");
    assert!(run.error().is_some() && run.flags.is_determined());
}

#[test]
fn a_failed_assertion_leaves_the_frames() {
    let text = "static int *make(void) { int *p = malloc(4); *p = 1; return WHAT; }
        int main(void) { int *p = make(); __assert_fail(\"\", \"\", 1, \"\"); return p == 0; }";
    twins(text, "WHAT", "p", "0", 1);
}

#[test]
fn what_a_signal_does_is_not_known() {
    let text = "int main(void) { int *p = malloc(4); *p = 1; CALL return 0; }";
    twins(text, "CALL", "raise(6);", "", 1);
}
