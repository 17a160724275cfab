//! Several files: each has its own tags and names, what is linked is one, and a program has one `main`.

use crate::run::{Ended, Folder};

fn check(files: &[(&str, &str)], args: &[&str]) -> Ended {
    let folder = Folder::with(files);
    let names: Vec<&str> = files.iter().map(|(name, _)| *name).collect();
    folder.run(&[&["check"], args, &names].concat())
}

#[test]
fn a_tag_is_the_files_own() {
    // One pointer of that name, as its file sees it; everything else is static.
    let unit = |members: &str, rest: &str| {
        format!(
            "struct globals {{ {members} }};\nextern struct globals *const shared;\nstatic struct globals g;\nenum {{ K = sizeof(struct globals) }};\n\
             typedef struct globals T;\nstatic int helper(void) {{ return K; }}\n{rest}\n"
        )
    };
    let a = unit(
        "int n; char name[8];",
        "int other(void);\nint main(void) { g.name[7] = 1; return 10 / (helper() - 11 + g.name[7] * 0) + other(); }",
    );
    for (divisor, status) in [("g.more[3] + helper() - 31", 0), ("g.more[3] + helper() - 32", 1)] {
        let rest = format!(
            "int in_shared(void) {{ return shared->more[2]; }}\nint other(void) {{ return 10 / ({divisor}); }}"
        );
        let b = unit("long count; long count2; int more[4];", &rest);
        for order in [[("a.c", a.as_str()), ("b.c", b.as_str())], [("b.c", b.as_str()), ("a.c", a.as_str())]] {
            let ended = check(&order, &["--verbose"]);
            assert_eq!(ended.status, status, "{}{}", ended.out, ended.err);
            assert!(!ended.out.contains("not analysed") && !ended.err.contains("not analysed"), "{}", ended.err);
        }
    }
}

#[test]
fn an_object_has_the_size_of_its_definition() {
    let definition = ("b.c", "char small[4];\nint number = 5;\n");
    for (index, status) in [("3", 0), ("4", 1)] {
        let uses = format!("extern char small[8];\nint main(void) {{ small[{index}] = 1; return 0; }}\n");
        let ended = check(&[definition, ("a.c", &uses)], &["--verbose"]);
        assert_eq!(ended.status, status, "{}", ended.out);
        assert!(ended.err.contains("`small` is of another type than in another file"), "{}", ended.err);
        // Where the size was not known yet, what is beyond it is not analysed.
        let ended = check(&[("a.c", &uses), definition], &["--verbose"]);
        assert_eq!(ended.status, 4 * status, "{}", ended.out);
        assert_eq!(ended.err.contains("declares `small` larger than the file that defines it"), status == 1);
    }
    let larger =
        "extern long number;\nlong get(void) { return number; }\nint main(void) { return 10 / (get() == 5); }\n";
    for files in [[("a.c", larger), definition], [definition, ("a.c", larger)]] {
        let ended = check(&files, &["--verbose"]);
        assert!(!ended.out.contains("definite[div"), "{}", ended.out);
    }
}

#[test]
fn a_weak_definition_counts_where_there_is_no_other() {
    let weak = "__attribute__((weak)) int f(void) { return 0; }\nint x __attribute__((weak)) = 1;\nint main(void) { return 10 / (f() - 1) + 10 / (x - 2); }\n";
    let strong = "int f(void) { return 3; }\nint x = VALUE;\n";
    assert_eq!(check(&[("a.c", weak)], &[]).status, 0);
    for (value, status) in [("2", 1), ("3", 0)] {
        let strong = strong.replace("VALUE", value);
        for files in [[("a.c", weak), ("b.c", strong.as_str())], [("b.c", strong.as_str()), ("a.c", weak)]] {
            assert_eq!(check(&files, &[]).status, status);
        }
    }
    let function = strong.replace("VALUE", "3").replace("return 3", "return 1");
    assert_eq!(check(&[("a.c", weak), ("b.c", &function)], &[]).status, 1);
}

#[test]
fn a_program_has_one_main() {
    let main = "int main(void) { return 0; }\n";
    let ended = check(&[("a.c", main), ("b.c", main), ("c.c", "int f(void) { return 1; }\n")], &[]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("define `main`") && ended.err.contains("  a.c\n  b.c"), "{}", ended.err);
    assert!(!ended.err.contains("c.c"), "{}", ended.err);
    let hidden = "static int main(void) { return 0; }\n";
    assert_eq!(check(&[("a.c", main), ("b.c", hidden)], &[]).status, 0);
    let folder = Folder::with(&[("a.c", main), ("b.c", main)]);
    let entry = |file: &str| format!("{{\"directory\": \".\", \"file\": \"{file}\", \"command\": \"cc -c {file}\"}}");
    folder.write("compile_commands.json", format!("[{}, {}]", entry("a.c"), entry("b.c")).as_bytes());
    // Those of a build are told apart.
    let ended = folder.run(&["check", "-p", "."]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert!(ended.err.contains("2 programs") && ended.err.contains("--target"), "{}", ended.err);
}

#[test]
fn what_was_left_out_has_no_size_and_no_value() {
    let source = "\
enum odd { A @ };
static int table = @ 5;
static int table;
double wide(int @x);
int weird(vector q @ 3) { return 1; }
int size(void) { return 8 / (sizeof(enum odd) - 4); }
int value(void) { return 8 / table; }
int called(void) { return 8 / (sizeof wide(1) - 4); }
int defined(void) { return 8 / weird(1); }
int main(void) { return 8 / (sizeof(enum e) - 1); }
enum e : signed char { E };
";
    let ended = check(&[("a.c", source)], &["--entry", "all", "--verbose"]);
    let definite: Vec<&str> = ended.out.lines().filter(|line| line.starts_with("definite")).collect();
    assert_eq!(definite, ["definite[div-by-zero]: division by zero: 8 / (... - 1)"], "{}", ended.out);
    assert!(!ended.out.contains("safe["), "{}", ended.out);
    for function in ["size", "called", "defined"] {
        assert!(ended.out.contains(&format!("  {function}: ")), "{function}: {}", ended.out);
    }
}

#[test]
fn enumerations_have_the_type_that_they_name() {
    let program = |divisor: &str| {
        format!(
            "enum e : signed char {{ E2, E3 = -3 }};\nenum f : unsigned long;\nenum f later(void);\ntypedef short base;\nenum g : base {{ G = 0x7fff }};\n\
             struct s {{ enum e a; enum e b : 3; enum e : 3; }};\nint main(void) {{ enum g g = G; g++; return 1 / ({divisor}); }}\n"
        )
    };
    let sizes =
        "(int)(sizeof(enum e) + 10 * sizeof(enum f) + 100 * sizeof(G) + 1000 * sizeof(struct s) + (g < 0)) - 2282";
    assert_eq!(check(&[("a.c", &program(sizes))], &[]).status, 1);
    assert_eq!(check(&[("a.c", &program(&format!("{sizes} + 1")))], &[]).status, 0);
}

#[test]
fn lengths_of_arrays_are_above_zero() {
    let program = |test: &str| {
        format!(
            "int rand(void);\nint main(void) {{\n    int n = rand();\n    if ({test}) return 0;\n    char c[n];\n    c[n - 1] = 1;\n    return c[n - 1];\n}}\n"
        )
    };
    let ended = check(&[("a.c", &program("n < 0"))], &[]);
    assert_eq!(ended.status, 1, "{}", ended.out);
    assert!(ended.out.contains("definite[vla-bound]") && ended.out.contains("a.c:5:"), "{}", ended.out);
    assert_eq!(check(&[("a.c", &program("n < 1"))], &[]).status, 0);
    // No variable fails, and no program gets past one that no memory holds.
    for length in ["1ul << 63", "(1ul << 62) + 1"] {
        let source = format!("int main(void) {{ unsigned long n = {length}; int c[n]; c[5] = 1; return c[5]; }}\n");
        let ended = check(&[("a.c", &source)], &[]);
        assert_eq!(ended.status, 0, "{}", ended.out);
    }
}

#[test]
fn what_an_optimizer_may_find_constant_is_neither_constant_nor_not() {
    let program =
        |asked: &str| format!("int main(void) {{ const int c = 5; int n = c; (void)n; return 1 / {asked}; }}\n");
    assert_eq!(check(&[("a.c", &program("__builtin_constant_p(\"text\")"))], &[]).status, 0);
    let ended = check(&[("a.c", &program("__builtin_constant_p(c)"))], &[]);
    assert!(ended.out.contains("possible[div-by-zero]"), "{}", ended.out);
    assert_eq!(check(&[("a.c", &program("__builtin_constant_p(n++)"))], &[]).status, 1);
}
