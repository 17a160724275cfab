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
