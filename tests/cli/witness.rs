//! Witnesses that `verify` writes for other tools.

use crate::run::{Ended, Folder};

/// Verifies a text, asking for a witness: how that ended, and the witness if there is one.
fn verified(text: &str, args: &[&str]) -> (Ended, Option<String>) {
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.run(&[&["verify", "--witness", "w.yml", "a.c"], args].concat());
    let witness = std::fs::read_to_string(folder.path("w.yml")).ok();
    (ended, witness)
}

fn witness(text: &str, args: &[&str], result: &str) -> String {
    let (ended, witness) = verified(text, args);
    assert_eq!(ended.out.lines().last(), Some(format!("RESULT: {result}").as_str()), "{}", ended.err);
    witness.expect("a witness was written")
}

/// The lines and columns of locations, in order; a column of 0 where there is none.
fn places(witness: &str) -> Vec<(u32, u32)> {
    let content = &witness[witness.find("content:").expect("a witness has content")..];
    let number = |text: &str| text.trim().parse::<u32>().expect("lines and columns are numbers");
    let mut places = Vec::new();
    for line in content.lines() {
        if let Some(n) = line.trim().strip_prefix("line:") {
            places.push((number(n), 0));
        } else if let (Some(n), Some(last)) = (line.trim().strip_prefix("column:"), places.last_mut()) {
            last.1 = number(n);
        }
    }
    places
}

const LOOPS: &str = "void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(int argc, char **argv)
{
    int i = 0, n = __VERIFIER_nondet_int() > 0;
      while (i < 1000000) { i++; n++; }
    do { n--; } while (n > 3);
    if (i != 1000000) reach_error();
    return 0;
}
";

#[test]
fn invariants_stand_at_the_keywords_of_their_loops() {
    let text = witness(LOOPS, &[], "TRUE");
    let places = places(&text);
    assert!(!places.is_empty() && places.iter().all(|p| [(6, 7), (7, 5)].contains(p)), "{text}");
}

#[test]
fn labels_of_lazy_engines_are_invariants() {
    let equal = "void reach_error(void);
int main(void)
{
    unsigned x = 0, y = 0;
    while (x < 1000000000) { x++; y++; if (x != y) reach_error(); }
    return 0;
}
";
    for engine in ["impact", "predicate-abstraction"] {
        let text = witness(equal, &["--engine", engine], "TRUE");
        assert!(text.contains("loop_invariant") && places(&text).contains(&(5, 5)), "{engine}: {text}");
        assert!(text.contains("(x + 1U)") && text.contains("=="), "{engine}: {text}");
    }
}

#[test]
fn what_holds_for_one_call_is_not_said_of_all() {
    let text = witness(
        "void reach_error(void);
static int count(int n) { int i = 0; while (i < n) i++; return i; }
int main(void) { if (count(1000000) != 1000000 || count(3000000) != 3000000) reach_error(); return 0; }
",
        &["--engine", "k-induction"],
        "TRUE",
    );
    let is_bound = |l: &&str| l.contains("value:") && l.contains("<= 1000000");
    assert!(text.contains("(long long)(n) <= 3000000"), "{text}");
    assert!(text.lines().filter(is_bound).all(|l| l.contains("||")), "{text}");
}

#[test]
fn calls_are_named_by_their_right_parenthesis() {
    let text = witness(
        "void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#define INPUT __VERIFIER_nondet_int()
int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int( );
    int c = INPUT;
    if (a == 5 && b == 6 && c == 7) reach_error();
    return 0;
}
",
        &[],
        "FALSE",
    );
    assert_eq!(places(&text), [(6, 35), (6, 65), (7, 0), (8, 37)], "{text}");
}

#[test]
fn values_that_scanf_stores_are_not_called_its_result() {
    let text = witness(
        "#include <stdio.h>
void reach_error(void);
int main(void)
{
    int n = 0;
    int count = scanf(\"%d\", &n);
    if (count == 1 && n == 5) reach_error();
    return 0;
}
",
        &[],
        "FALSE",
    );
    assert!(text.contains("\\\\result == 1") && !text.contains("\\\\result == 5"), "{text}");
}

#[test]
fn a_lost_block_is_a_violation_where_the_program_ends() {
    let text = "#include <stdlib.h>
int main(void)
{
    int *p = malloc(sizeof *p);
    if (*p = 3, *p > 2)
        p = NULL;
    free(p);
    return 0;
}
";
    let (ended, witness) = verified(text, &["--property", "valid-memsafety", "--verbose"]);
    assert_eq!(ended.out, "RESULT: FALSE\n");
    assert!(ended.err.contains("a.c:4: leak: malloc(): the block is not freed"), "{}", ended.err);
    let witness = witness.expect("a witness was written");
    assert!(witness.contains("valid-memtrack"), "{witness}");
    assert_eq!(places(&witness), [(8, 5)], "{witness}");
}

#[test]
fn verify_says_why_it_writes_no_witness() {
    let endless = "int main(void) { while (1) { } }\n";
    let (ended, witness) = verified(endless, &["--property", "termination"]);
    assert_eq!((ended.out.as_str(), witness), ("RESULT: FALSE\n", None));
    assert!(
        ended.err.contains("w.yml was not written: the format 2.0 has no place for a run that never ends"),
        "{}",
        ended.err
    );
}

#[test]
fn variables_out_of_scope_are_not_named() {
    let text = witness(
        "void reach_error(void);
int main(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < 10; i++) n++;
    while (n < 1000000) n++;
    if (n != 1000000) reach_error();
    return 0;
}
",
        &["--engine", "k-induction"],
        "TRUE",
    );
    let mut line = "";
    let mut second = Vec::new();
    for l in text.lines().map(str::trim) {
        line = l.strip_prefix("line: ").unwrap_or(line);
        second.extend(l.strip_prefix("value:").filter(|_| line == "6"));
    }
    assert!(!second.is_empty() && second.iter().all(|l| l.contains('n') && !l.contains("(i)")), "{text}");
}
