//! Memory safety: twins of programs with lists, trees, buffers and blocks that differ in one fact.

use crate::engines::answer;
use cellog::engines::portfolio::Engine;
use cellog::engines::task::Property;

/// No wrong answer to either twin, and an answer to those that are `decided`.
fn twins(text: &str, hole: &str, [safe, unsafe_]: [&str; 2], decided: [bool; 2]) {
    for ((filling, expected), decided) in [(safe, true), (unsafe_, false)].into_iter().zip(decided) {
        let source = text.replace(hole, filling);
        let seconds = if decided { 240 } else { 3 };
        let given = answer(&source, Property::ValidMemsafety, Engine::Auto, seconds);
        assert!(given == Some(expected) || (given.is_none() && !decided), "{given:?}\n{source}");
    }
}

#[test]
fn a_list_of_two_nodes() {
    let text = r#"struct node { int v; struct node *next; };
        int main(void) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);
        if (!a || !b) { free(a); free(b); return 0; }
        a->next = b; b->next = 0; a->v = b->v = 1;
        int sum = 0; struct node *p = a;
        while (p) { struct node *next = p->next; sum += p->v; free(p); p = NEXT; }
        return sum; }"#;
    twins(text, "NEXT", ["next", "p->next"], [true, true]);
}

#[test]
fn a_list_of_up_to_three_nodes() {
    let text = r#"struct node { struct node *next; };
        int main(void) { struct node *head = 0; int n = __VERIFIER_nondet_int(); if (n < 0 || n > 3) return 0;
        for (int i = 0; i < n; i++) { struct node *p = malloc(sizeof *p); if (!p) break; p->next = head; head = p; }
        struct node *last = head;
        while (head) { struct node *p = head; head = head->next; free(p); }
        AGAIN return 0; }"#;
    twins(text, "AGAIN", ["(void)last;", "free(last);"], [false, true]);
}

#[test]
fn a_tree() {
    let text = r#"struct tree { struct tree *left, *right; };
        int main(void) { struct tree *t = malloc(sizeof *t); if (!t) return 0;
        t->left = malloc(sizeof *t); t->right = malloc(sizeof *t);
        FREE return 0; }"#;
    twins(
        text,
        "FREE",
        ["free(t->left); free(t->right); free(t);", "free(t); free(t->left); free(t->right);"],
        [true, true],
    );
}

#[test]
fn an_index_into_an_array() {
    let text = r#"int main(void) { int a[8]; unsigned i = __VERIFIER_nondet_uint();
        if (i LIMIT 8) { a[i] = 1; return a[i]; } return 0; }"#;
    twins(text, "LIMIT", ["<", "<="], [true, true]);
}

#[test]
fn a_block_that_is_filled() {
    let text = r#"int main(void) { unsigned n = __VERIFIER_nondet_uchar(); char *p = malloc(n + 1); if (!p) return 0;
        for (unsigned i = 0; i LIMIT n; i++) p[i] = 0;
        free(p); return 0; }"#;
    twins(text, "LIMIT", ["<=", "<= 1 +"], [true, true]);
}

#[test]
fn a_copied_string() {
    let text = r#"int main(void) { char from[6] = "hello", to[SIZE]; unsigned i = 0;
        while (from[i]) { to[i] = from[i]; i++; } to[i] = 0; return to[0]; }"#;
    twins(text, "SIZE", ["6", "5"], [true, true]);
}

#[test]
fn a_ring() {
    let text = r#"int main(void) { int ring[4] = {0}; unsigned head = 0;
        while (__VERIFIER_nondet_int()) { ring[head] = 1; head = STEP; }
        return ring[0]; }"#;
    twins(text, "STEP", ["(head + 1) % 4", "head + 1"], [true, true]);
}

#[test]
fn a_pointer_in_a_record() {
    let text = r#"struct box { int n; int *p; };
        int main(void) { struct box b; b.n = 2; b.p = malloc(2 * sizeof(int)); if (!b.p) return 0;
        b.p[0] = 1; b.p[1] = 2; free(WHAT); return 0; }"#;
    twins(text, "WHAT", ["b.p", "b.p + 1"], [true, true]);
}

#[test]
fn a_block_that_may_be_missing() {
    let text = r#"int main(void) { int *p = malloc(sizeof *p); if (TEST) *p = 3; free(p); return 0; }"#;
    twins(text, "TEST", ["p", "1"], [true, true]);
}

#[test]
fn a_pointer_into_a_scope() {
    let text = r#"int main(void) { int outer = 1; int *p = &outer; { int inner = 2; p = WHICH; *p = 4; } return *p; }"#;
    twins(text, "WHICH", ["&outer", "&inner"], [true, true]);
}

/// A write to what is constant is undefined, but no invalid dereference: nothing is said of a program that makes it.
fn constant(text: &str, hole: &str, [fine, writes]: [&str; 2], decided: bool) {
    let given = |filling: &str, seconds: u64| {
        answer(&text.replace(hole, filling), Property::ValidMemsafety, Engine::Auto, seconds)
    };
    let whole = given(fine, if decided { 240 } else { 3 });
    assert!(whole == Some(true) || (whole.is_none() && !decided), "{whole:?}: {fine} in {text}");
    assert_eq!(given(writes, 3), None, "{writes} in {text}");
}

#[test]
fn members_that_are_constant() {
    let text = "struct part { const int id; int count; }; int main(void) {
        struct part parts[3] = {{1, 2}, {3, 4}, {5, 6}}; unsigned i = __VERIFIER_nondet_uint(); if (i > 2) return 0;
        ((int *)parts)[INDEX] = 7; return 0; }";
    constant(text, "INDEX", ["2 * i + 1", "2 * i"], true);
    constant(text, "INDEX", ["2 * i + 1", "i"], true);
    let text = "struct wide { char a; const short b; char c; }; int main(void) {
        struct wide w = {1, 2, 3}; unsigned i = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uint(); if (i > 6 || n > 6 - i) return 0;
        if (LIMIT) for (unsigned k = i; k < i + n && k < 6; k++) ((char *)&w)[k] = 0; return 0; }";
    constant(text, "LIMIT", ["i + n <= 2 || i >= 4", "i + n <= 3 || i >= 4"], false);
}
