//! Lost blocks: twins of programs that differ in what is left of a block in the end.

use crate::engines::answers;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::{Answer, Property};

/// The run that an engine finds, and whether it loses a block; None where the engine finds none.
fn found(source: &str, engine: Engine, seconds: u64) -> Option<bool> {
    let source = format!("void *realloc(void *, unsigned long); void exit(int);\n{source}");
    answers(&source, Property::ValidMemsafety, engine, seconds).into_iter().find_map(|answer| match answer {
        Answer::False(found) => Some(found.run.error().is_none() && found.run.lost.is_some()),
        Answer::True(_) | Answer::Unknown(_) => None,
    })
}

/// `hole` is filled with each of both: no engine finds a violation in the first, these engines find a lost block in the second.
fn twins(text: &str, hole: &str, [kept, lost]: [&str; 2], deciding: &[Engine]) {
    for engine in deciding {
        let source = text.replace(hole, lost);
        assert_eq!(found(&source, *engine, 240), Some(true), "{engine:?}\n{source}");
        let source = text.replace(hole, kept);
        assert_eq!(found(&source, *engine, 2), None, "{engine:?}\n{source}");
    }
}

const BOTH: [Engine; 2] = [Engine::Auto, Engine::Bmc];

#[test]
fn a_block_is_freed_on_one_of_two_branches() {
    let text =
        "int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() == 77) { FREE } else free(p); return 0; }";
    twins(text, "FREE", ["free(p);", ""], &[Engine::Auto, Engine::Bmc, Engine::KInduction]);
}

#[test]
fn a_pointer_is_stored_in_a_static_variable_or_a_local_one() {
    let text = "int main(void) { STORAGE int *p; p = malloc(4); return 0; }";
    twins(text, "STORAGE", ["static", ""], &BOTH);
    // Kept for all inputs but one.
    let text = "static int *keep; int main(void) { int *p = malloc(4); if (__VERIFIER_nondet_int() TEST) keep = p; return 0; }";
    twins(text, "TEST", ["|| 1", "!= 1234567"], &BOTH);
}

#[test]
fn a_static_pointer_leads_into_the_block_or_elsewhere() {
    let text = "static char *keep; int main(void) { char *p = malloc(8); keep = WHERE; return 0; }";
    twins(text, "WHERE", ["p + 3", "(char *)&keep"], &BOTH);
}

#[test]
fn exit_in_a_callee_leaves_the_callers_variables() {
    let text = "static void stop(void) { END } int main(void) { int *p = malloc(4); stop(); return p == 0; }";
    twins(text, "END", ["exit(0);", ""], &BOTH);
}

#[test]
fn a_loop_overwrites_the_only_pointer() {
    let text = "int main(void) { int n = __VERIFIER_nondet_int(); int *p = 0;
        for (int i = 0; i < n; i++) { FREE p = malloc(4); } free(p); return 0; }";
    twins(text, "FREE", ["free(p);", ""], &BOTH);
}

#[test]
fn one_node_of_a_list_is_left_out() {
    let text = "struct node { struct node *next; };
        int main(void) { struct node *head = 0; int n = __VERIFIER_nondet_int();
          for (int i = 0; i < n && i < 5; i++) { struct node *p = malloc(sizeof *p); if (!p) break; p->next = head; head = p; }
          SKIP
          while (head) { struct node *p = head; head = head->next; free(p); } return 0; }";
    let skip = "if (head && head->next) head->next = head->next->next;";
    twins(text, "SKIP", ["", skip], &[Engine::Auto]);
}

#[test]
fn a_block_kept_by_a_lost_one_is_lost() {
    let text = "struct box { int *p; }; STORAGE struct box *b;
        int main(void) { b = malloc(sizeof *b); if (b) b->p = malloc(4); AFTER return 0; }";
    twins(&text.replace("STORAGE", "static"), "AFTER", ["", "b = 0;"], &BOTH);
}

#[test]
fn realloc_moves_a_block_or_loses_it() {
    let text = "int main(void) { int *p = malloc(4); if (!p) return 0; int *q = realloc(p, 8); free(q ? q : p); WHAT return 0; }";
    twins(text, "WHAT", ["", "q = malloc(1);"], &[Engine::Auto]);
}

#[test]
fn an_error_comes_before_what_is_lost() {
    let text = "int main(void) { int *p = malloc(4); if (!p) return 0; p[INDEX] = 1; return 0; }";
    assert_eq!(found(&text.replace("INDEX", "0"), Engine::Auto, 240), Some(true));
    assert_eq!(found(&text.replace("INDEX", "1"), Engine::Auto, 240), Some(false));
}

/// No engine finds a violation or shows that there is none.
fn open(source: &str) {
    let source = format!("{HEADERS}\n{source}");
    for engine in [Engine::Auto, Engine::Bmc, Engine::KInduction, Engine::PredicateAbstraction, Engine::Impact] {
        for answer in answers(&source, Property::ValidMemsafety, engine, 2) {
            assert!(matches!(answer, Answer::Unknown(_)), "{engine:?}\n{source}");
        }
    }
}

/// The same of the text with `hole` filled by `doubtful`; with `plain`, engines show that nothing is lost.
fn doubtful(text: &str, hole: &str, [plain, doubtful]: [&str; 2]) {
    open(&text.replace(hole, doubtful));
    for engine in BOTH {
        let source = format!("{HEADERS}\n{}", text.replace(hole, plain));
        let all = answers(&source, Property::ValidMemsafety, engine, 240);
        assert!(all.iter().any(|answer| matches!(answer, Answer::True(_))), "{engine:?}\n{source}");
    }
}

const HEADERS: &str = "typedef struct file FILE; FILE *open_memstream(char **, unsigned long *); FILE *tmpfile(void); void rewind(FILE *);
    unsigned long fwrite(const void *, unsigned long, unsigned long, FILE *); unsigned long fread(void *, unsigned long, unsigned long, FILE *);
    long write(int, const void *, unsigned long); long read(int, void *, unsigned long); int pipe(int *); int raise(int);
    char *__strdup(const char *), *__strndup(const char *, unsigned long); void *pvalloc(unsigned long);
    void errx(int, const char *, ...) __attribute__((noreturn)); void error(int, int, const char *, ...); void warnx(const char *, ...);
    void pthread_exit(void *) __attribute__((noreturn)); void die(void) __attribute__((noreturn)); char *ttyname(int);
    void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));";

#[test]
fn a_library_function_allocates_what_no_model_shows() {
    let text = "int main(void) { char *p; unsigned long n; CALL; return 0; }";
    for call in ["p = __strdup(\"a\")", "__strndup(\"a\", 1)", "pvalloc(3)", "open_memstream(&p, &n)"] {
        doubtful(text, "CALL", ["p = ttyname(0)", call]);
    }
    // In a loop, and freed where it is not known to be the block.
    open("int main(void) { int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) pvalloc(1); return 0; }");
    open("int main(void) { free(pvalloc(3)); return 0; }");
}

#[test]
fn the_program_ends_in_a_function_without_a_body() {
    let text =
        "int main(void) { char *p = malloc(1); if (__VERIFIER_nondet_int() == 3) { p = 0; END } free(p); return 0; }";
    for end in ["errx(1, \"lost\");", "pthread_exit(0);", "die();"] {
        open(&text.replace("END", end));
    }
    let text = "int main(void) { char *p = malloc(1); if (__VERIFIER_nondet_int() == 3) { END } free(p); return 0; }";
    for end in ["errx(1, \"lost\");", "die();", "error(1, 0, \"kept\");", "raise(6);"] {
        doubtful(text, "END", ["warnx(\"on\");", end]);
    }
    doubtful(text, "END", ["error(0, 0, \"on\");", "error(1, 0, \"kept\");"]);
    doubtful(text, "END", ["free(p); errx(1, \"freed\");", "errx(1, \"kept\");"]);
}

#[test]
fn the_program_ends_in_an_assertion() {
    let text = "static void work(int n) { char *p = malloc(1); if (n LOST) free(p); }
        int main(void) { int n = __VERIFIER_nondet_int(); work(n); if (n == 1234567) __assert_fail(\"\", \"\", 1, \"\"); return 0; }";
    twins(text, "LOST", ["|| 1", "!= 1234567"], &BOTH);
    // Kept by a variable of an active function: not lost, but not freed either.
    let text = "int main(void) { char *p = malloc(1); int n = __VERIFIER_nondet_int(); FREE if (n == 3) __assert_fail(\"\", \"\", 1, \"\");
        if (n != 4) free(p); return 0; }";
    doubtful(text, "FREE", ["if (n == 3 || n == 4) free(p);", "if (n == 4) free(p);"]);
}

#[test]
fn a_pointer_goes_through_a_pipe_or_a_file() {
    let pipe = "int main(void) { int fd[2]; char c = 1, *p = malloc(4), *q = 0; if (!p || pipe(fd)) exit(0);
        write(fd[1], WHAT); p = 0; if (read(fd[0], &q, 8) != 8) exit(0); free(q); return 0; }";
    let file = "int main(void) { FILE *f = tmpfile(); char c = 1, *p = malloc(4), *q = 0; if (!p || !f) exit(0);
        fwrite(WHAT, 1, f); rewind(f); p = 0; if (fread(&q, 8, 1, f) != 1) return 0; free(q); return 0; }";
    let kept = "int main(void) { FILE *f = tmpfile(); char c = 1, *p = malloc(4); if (!p || !f) exit(0); fwrite(WHAT, 1, f); p = 0; return 0; }";
    for text in [pipe, file, kept] {
        for engine in BOTH {
            assert_eq!(
                found(&format!("{HEADERS}\n{}", text.replace("WHAT", "&p, sizeof p")), engine, 2),
                None,
                "{text}"
            );
            assert!(found(&format!("{HEADERS}\n{}", text.replace("WHAT", "&c, 1")), engine, 240).is_some(), "{text}");
        }
    }
}
