//! `verify` on calls of error functions and of assertions: that they are called is what counts.

use crate::run::Folder;

/// The last line that `verify` writes, without `RESULT: `, its reason left out.
fn verify(text: &str, args: &[&str]) -> String {
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.run(&[&["verify", "a.c"], args].concat());
    let last = ended.out.lines().last().unwrap_or_default().to_owned();
    let result = last.strip_prefix("RESULT: ").expect("the last line is the result");
    result.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn a_call_of_an_error_function_counts_whatever_its_body() {
    let bodies = ["{}", "{ for (;;) ; }", "{ abort(); }", "{ puts(\"x\"); }", "{ __VERIFIER_error(); }"];
    for body in bodies.iter().copied().chain([";"]) {
        for name in ["reach_error", "__VERIFIER_error"] {
            for kind in ["", "static "] {
                if body == ";" && kind == "static " || body.contains(name) {
                    continue;
                }
                let head = "void abort(void); int puts(const char *); void __VERIFIER_error(void); int rand(void);\n";
                let text = |call: &str| {
                    format!("{head}{kind}void {name}(void){body}\nint main(void) {{ {call} return 0; }}\n")
                };
                assert_eq!(verify(&text(&format!("{name}();")), &[]), "FALSE", "{}", text(""));
                assert_eq!(verify(&text(&format!("if (rand() < 0) {name}();")), &[]), "TRUE", "{}", text(""));
            }
        }
    }
}

/// By a pointer, a handler, or another name: the source has no call of that name.
#[test]
fn an_error_function_that_is_come_to_in_another_way_counts_too() {
    let head = "int atexit(void (*)(void)); int rand(void);\n";
    for declared in ["void reach_error(void) {}", "void reach_error(void);", "void reach_error();"] {
        for (way, taken) in [
            ("void (*p)(void) = reach_error; if (rand() > 3) p();", "FALSE"),
            ("void (*p)(void) = reach_error; if (rand() < 0) p();", "TRUE"),
            ("void (*p)(void) = reach_error; return p == 0;", "TRUE"),
            ("atexit(reach_error);", "FALSE"),
        ] {
            let text = format!("{head}{declared}\nint main(void) {{ {way} return 0; }}\n");
            assert_eq!(verify(&text, &[]), taken, "{text}");
        }
    }
    let alias = "void reach_error(void) {} void stop(void) __attribute__((alias(\"reach_error\")));\n";
    assert_eq!(verify(&format!("{alias}int main(void) {{ stop(); return 0; }}"), &[]), "FALSE");
}

/// Who does not ask for calls of error functions sees what their bodies do.
#[test]
fn other_properties_go_on_behind_an_error_function() {
    let text = "void reach_error(void) {} int main(void) { int x = 2147483647; reach_error(); x++; return x; }";
    assert_eq!(verify(text, &["--property", "no-overflow"]), "FALSE");
    assert_eq!(verify(&text.replace("x++;", ""), &["--property", "no-overflow"]), "TRUE");
    let ends = text.replace("reach_error(void) {}", "reach_error(void) { exit(1); }");
    assert_eq!(verify(&format!("void exit(int); {ends}"), &["--property", "no-overflow"]), "TRUE");
}

#[test]
fn the_target_of_a_witness_is_the_call() {
    let place = |text: &str| {
        let folder = Folder::with(&[("a.c", text)]);
        folder.run(&["verify", "--witness", "w.yml", "a.c"]);
        let witness = std::fs::read_to_string(folder.path("w.yml")).expect("a witness was written");
        assert!(witness.contains("violation_sequence"), "{witness}");
        let target = &witness[witness.find("type: target").expect("a target")..];
        let line = target.lines().find_map(|l| l.trim().strip_prefix("line: ")).expect("a line").to_owned();
        let function = target.lines().find_map(|l| l.trim().strip_prefix("function: ")).expect("a function").to_owned();
        (line, function)
    };
    let called = "void reach_error(void)\n{\n}\nint main(void)\n{\n    reach_error();\n    return 0;\n}\n";
    assert_eq!(place(called), ("6".to_owned(), "\"main\"".to_owned()));
    let pointer = called.replace("    reach_error();\n", "    void (*p)(void) = reach_error;\n    p();\n");
    assert_eq!(place(&pointer), ("7".to_owned(), "\"main\"".to_owned()));
}

#[test]
fn an_assertion_without_its_header_is_one() {
    assert_eq!(verify("int main(void) { assert(0); return 0; }", &[]), "FALSE");
    assert_eq!(verify("int main(void) { assert(1 + 1 == 2); return 0; }", &[]), "TRUE");
    assert_eq!(verify("void assert(int x) {} int main(void) { assert(0); return 0; }", &[]), "TRUE");
}

#[test]
fn nothing_is_proved_where_a_function_is_called_that_nobody_declares() {
    for property in ["unreach-call", "no-overflow", "valid-memsafety", "termination"] {
        let args = ["--property", property];
        assert_eq!(verify("int main(void) { check_it(0); return 0; }", &args), "UNKNOWN", "{property}");
        assert_eq!(
            verify("void check_it(int); int main(void) { check_it(0); return 0; }", &args),
            "TRUE",
            "{property}"
        );
        assert_eq!(verify("int main(void) { rand(); return 0; }", &args), "TRUE", "{property}");
        let defined = "int main(void) { check_it(0); return 0; } int check_it(int x) { return x; }";
        assert_eq!(verify(defined, &args), "TRUE", "{property}");
    }
    let folder = Folder::with(&[("a.c", "void check_it(int); int main(void) { check_it(0); return 0; }")]);
    assert!(folder.run(&["verify", "a.c"]).err.contains("without a body, taken to return and not to err: `check_it`"));
    let folder = Folder::with(&[("a.c", "int main(void) { check_it(0); return 0; }")]);
    assert!(folder.run(&["verify", "a.c"]).out.contains("`check_it`, called at a.c:1, is nowhere declared or defined"));
}

/// The verdict on the assertion of a text.
fn assertion(text: &str) -> String {
    let folder = Folder::with(&[("a.c", text)]);
    let ended = folder.run(&["check", "--checks", "assertion", "--format", "json", "a.c"]);
    let report: serde_json::Value = serde_json::from_str(&ended.out).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    let [one] = &findings[..] else { panic!("one assertion: {}", ended.out) };
    one["verdict"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_assertion_of_several_conditions_that_holds_is_safe() {
    let text = |condition: &str, before: &str| {
        format!(
            "#include <assert.h>\n#include <stdlib.h>\nint main(void) {{ int v = 3; {before} assert({condition}); return 0; }}\n"
        )
    };
    for condition in ["v > 0 && v < 5", "v > 0 || v < -5", "!(v > 5 || v < 0)", "v > 0"] {
        assert_eq!(assertion(&text(condition, "")), "safe", "{condition}");
        assert_eq!(assertion(&text(condition, "return 0;")), "unreachable", "{condition}");
        assert_eq!(assertion(&text(condition, "v = rand() - 7;")), "definite", "{condition}");
    }
}
