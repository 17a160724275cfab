//! Arrays inside records: their indices are judged where that is asked for.

use crate::run::{Ended, Folder};

/// What a command says of these statements, with an `i` from 0 to `most`.
fn check(most: u32, statements: &str, args: &[&str]) -> Ended {
    let source = format!(
        "int rand(void);\nstruct {{ char name[400]; int b[200]; char last[8]; }} s;\nint main(void) {{\n    int i = rand();\n    \
         if (i < 0 || i > {most}) return 0;\n    {statements}\n    return 0;\n}}\n"
    );
    Folder::with(&[("a.c", &source)]).run(&[args, &["a.c"]].concat())
}

#[test]
fn an_index_beyond_its_array_is_found_where_it_is_asked_for() {
    let beyond = check(400, "s.name[i] = 1;", &["check"]);
    assert_eq!(beyond.status, 1, "{}", beyond.out);
    assert!(beyond.out.contains("definite[index-bound]") && beyond.out.contains("returns 400"), "{}", beyond.out);
    assert_eq!(check(399, "s.name[i] = 1;", &["check"]).status, 0);
    assert_eq!(check(400, "s.name[i] = 1;", &["check", "--checks", "out-of-bounds"]).status, 0);
    let verified = check(400, "s.name[i] = 1;", &["verify", "--property", "valid-memsafety"]);
    assert!(verified.out.contains("TRUE"), "{}{}", verified.out, verified.err);
}
