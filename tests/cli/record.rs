//! Builds recorded as compilation databases.

use crate::run::Folder;

const HEADER: &str = "int half(int x);\n";
const HALF: &str = "#include \"half.h\"\nint half(int x) { return 10 / x; }\n";
const ONE: &str = "#include \"half.h\"\nint main(void) { return half(2); }\n";
const ZERO: &str = "#include \"half.h\"\nint main(int argc, char **argv) { return half(argc - argc - ZERO); }\n";

/// Builds two programs that share a library, in the ways that build tools do.
const BUILD: &str = "set -e\n\
    cc -Iinclude -c half.c -o half.o & cc -Iinclude -c one.c & wait\n\
    ar rcs libhalf.a half.o\n\
    cc one.o -L. -lhalf -o one\n\
    cc -Iinclude -DZERO=0 zero.c libhalf.a -o zero\n\
    echo 'int main(void) { return 0; }' > conftest.c; cc -c conftest.c; rm conftest.c\n\
    cc -E one.c -Iinclude > /dev/null\n";

fn project() -> Folder {
    let folder = Folder::with(&[("half.c", HALF), ("one.c", ONE), ("zero.c", ZERO), ("build.sh", BUILD)]);
    std::fs::create_dir(folder.path("include")).expect("a folder");
    folder.write("include/half.h", HEADER.as_bytes());
    folder
}

#[test]
fn a_recorded_build_has_its_files_flags_and_programs() {
    let folder = project();
    let ended = folder.run(&["record", "--", "sh", "build.sh"]);
    assert_eq!(ended.status, 0, "{}", ended.err);
    let wanted = "compile_commands.json has 3 files, 3 programs and libraries; next: cellog check -p .";
    assert!(ended.err.contains(wanted), "{}", ended.err);
    let text = std::fs::read_to_string(folder.path("compile_commands.json")).expect("it is written");
    assert!(!text.contains("conftest") && text.contains("\"-DZERO=0\""), "{text}");
    for (target, status, files) in [("one", 0, r#"["half.c","one.c"]"#), ("zero", 1, r#"["half.c","zero.c"]"#)] {
        let ended = folder.run(&["check", "-p", ".", "--target", target, "--format", "json"]);
        assert_eq!(ended.status, status, "{target}: {}{}", ended.err, ended.out);
        assert!(ended.out.contains(&format!("\"files\":{files}")), "{}", ended.out);
    }
    // Both in turn.
    let ended = folder.run(&["check", "-p", "."]);
    assert!(ended.status == 1 && ended.err.contains("2 programs"), "{}", ended.err);
}

#[test]
fn the_same_build_is_recorded_in_the_same_way() {
    let record = |folder: &Folder| {
        assert_eq!(folder.run(&["record", "--", "sh", "build.sh"]).status, 0);
        std::fs::read(folder.path("compile_commands.json")).expect("it is written")
    };
    let folder = project();
    assert_eq!(record(&folder), record(&folder));
}

#[test]
fn a_later_build_adds_what_it_compiles() {
    let folder = project();
    let record = |args: &[&str]| folder.run(&[&["record"], args].concat());
    assert_eq!(record(&["-o", "db.json", "--", "cc", "-Iinclude", "-c", "half.c"]).status, 0);
    let ended = record(&["-o", "db.json", "--append", "--", "cc", "-Iinclude", "-c", "one.c"]);
    assert!(ended.err.contains("db.json has 2 files, 0 programs"), "{}", ended.err);
    let ended = record(&["-o", "db.json", "--", "cc", "-Iinclude", "-c", "one.c"]);
    assert!(ended.err.contains("db.json has 1 files"), "{}", ended.err);
}

#[test]
fn builds_that_compile_nothing_or_fail_are_told() {
    let folder = project();
    let ended = folder.run(&["record", "--", "true"]);
    assert_eq!(ended.status, 2);
    assert!(ended.err.contains("a build that is up to date compiles nothing"), "{}", ended.err);
    assert!(!folder.path("compile_commands.json").exists());
    let ended = folder.run(&["record", "--", "sh", "-c", "cc -Iinclude -c half.c; exit 3"]);
    assert!(ended.status == 2 && ended.err.contains("exit status: 3"), "{}", ended.err);
    assert!(folder.path("compile_commands.json").exists());
    let ended = folder.run(&["record", "--", "no-such-command"]);
    assert!(ended.status == 2 && ended.err.contains("cannot run no-such-command"), "{}", ended.err);
}
