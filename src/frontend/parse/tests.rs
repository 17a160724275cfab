//! What parsing keeps, reports and survives.

use super::*;
use lang_c::ast::{DeclarationSpecifier, TypeSpecifier};

fn parse(text: &str) -> (ParsedUnit, SourceMap) {
    let mut sources = SourceMap::default();
    let unit = PreprocessedUnit { file: "f.c".into(), text: text.as_bytes().to_vec(), diagnostics: Vec::new() };
    let unit = parse_units(&[unit], 1, &mut sources).pop().expect("one unit was given");
    (unit, sources)
}

/// The messages with their places.
fn messages(text: &str) -> Vec<String> {
    let (unit, sources) = parse(text);
    unit.diagnostics.iter().map(|d| format!("{}: {}", sources.describe(d.span), d.message)).collect()
}

#[test]
fn type_names_are_carried_from_declaration_to_declaration() {
    let (unit, _) =
        parse("typedef int T, *(*P)(int); typedef T U;\nU f(T a, P p) { T * b; { int T = 3; T * 2; } return (U)*b; }");
    assert_eq!(unit.diagnostics, []);
    assert_eq!(unit.declarations.len(), 3);
}

#[test]
fn a_bad_declaration_costs_itself() {
    let text = "int a;\nint b c d;\nint f(void) { return 1 + ; }\nint g(void) { return f(); }\n";
    assert_eq!(
        messages(text),
        [
            "f.c:2:7: cannot parse this declaration: unexpected `c`",
            "f.c:3:26: cannot parse the body of `f`: unexpected `;`"
        ]
    );
    let (unit, _) = parse(text);
    let failed: Vec<bool> = unit.declarations.iter().map(|d| d.failed_body.is_some()).collect();
    assert_eq!(failed, [false, true, false]);
}

#[test]
fn half_a_function_is_declared() {
    let (unit, _) = parse("int a;\nint f(int x) {\n if (x) {");
    assert_eq!(unit.declarations.len(), 2);
    assert!(unit.declarations[1].failed_body.is_some());
    assert_eq!(unit.diagnostics.len(), 1);
}

#[test]
fn a_type_name_whose_declaration_is_bad_is_known_still() {
    assert_eq!(messages("typedef struct { int ] ; } T;\nT *f(T x) { T y; return 0; }").len(), 1);
}

#[test]
fn attributes_of_records_are_found_by_their_place() {
    let text = "typedef char c8;\n#pragma pack(push, 2)\nstruct __attribute__((packed)) a { int x; } __attribute__((aligned(sizeof(c8))));\n#pragma pack(pop)\nstruct b { int x; };\n";
    let (unit, sources) = parse(text);
    let lists: Vec<(String, Vec<String>)> = unit.declarations[1..]
        .iter()
        .map(|d| {
            let ExternalDeclaration::Declaration(declaration) = &d.node.node else {
                panic!("records are declarations")
            };
            let specifier = declaration.node.specifiers.iter().find_map(|s| match &s.node {
                DeclarationSpecifier::TypeSpecifier(t) => match &t.node {
                    TypeSpecifier::Struct(s) => Some((t.span, s.span)),
                    _ => None,
                },
                _ => None,
            });
            let (outer, inner) = specifier.expect("each declares a structure");
            let names =
                |range| unit.record_attributes(d, range).iter().map(|a| a.name.node.clone()).collect::<Vec<_>>();
            assert_eq!(names(outer), names(inner));
            (sources.describe(unit.span(d, inner)), names(inner))
        })
        .collect();
    let packed = ["packed", "aligned", "pragma_pack"].map(str::to_owned).to_vec();
    assert_eq!(lists, [("f.c:3:1".to_owned(), packed), ("f.c:5:1".to_owned(), Vec::new())]);
}

#[test]
fn places_survive_rewriting() {
    let (unit, sources) = parse("# 10 \"a.h\"\n__extension__ int\n  x;\n");
    let ExternalDeclaration::Declaration(d) = &unit.declarations[0].node.node else { panic!("it declares x") };
    let place = unit.span(&unit.declarations[0], d.node.declarators[0].span);
    assert_eq!(sources.describe(place), "a.h:11:3");
}

#[test]
fn file_scope_assembly_is_reported() {
    assert_eq!(messages("asm(\"nop\");\nint x;"), ["f.c:1:1: file-scope assembly is ignored"]);
}

#[test]
fn old_style_definitions_and_implicit_int_parse() {
    assert_eq!(messages("f(a, b) char *b; { return a; }\nmain() { f(1, 0); }"), [] as [&str; 0]);
}

/// Each must end soon, without a panic, and say something.
#[test]
fn hostile_input_is_refused_in_time() {
    let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
    let cases = [
        format!("int x = {};", deep("(", ")", 100_000)),
        format!("int x = {}", "(".repeat(100_000)),
        format!("void f(void) {{ {} }}", deep("{", "}", 100_000)),
        format!("int x = {}1;", "-".repeat(100_001)),
        format!("int x = {}1;", "(int)".repeat(100_000)),
        format!("int x = {};", deep("sizeof(struct { int a[", "]; })", 40)),
        format!("int x = {};", deep("sizeof(int[", "])", 40)),
        format!("void f(void) {{ {} }}", "if (1) ; else ".repeat(50_000)),
        format!("void f(void) {{ {} ; }}", "for (;;) ".repeat(50_000)),
        format!("int x {};", "[1]".repeat(50_000)),
        format!("int {} x;", "*".repeat(50_000)),
        "\0\0\0".to_owned(),
        "int f(void) { \u{0} }".to_owned(),
        "\"".to_owned(),
        "}".repeat(10_000),
        ") ( ] [ } {".to_owned(),
        "{".repeat(100_000),
        "__auto_type x = __auto_type x = ".repeat(100),
        "#pragma pack(".to_owned() + "\n@",
        "typedef typedef typedef".to_owned(),
    ];
    for text in cases {
        let (unit, _) = parse(&text);
        let shown: String = text.chars().take(40).collect();
        assert_ne!(unit.diagnostics, [], "{shown}");
    }
}

#[test]
fn long_input_is_parsed() {
    let texts = [
        format!("int x[] = {{ {} }};", "1, ".repeat(300_000)),
        format!("char *s = \"{}\";", "a".repeat(10 << 20)),
        format!("void f(void) {{ {} }}", "x = a + b;".repeat(50_000)),
        "int x;\n".repeat(20_000),
        format!("int f(int a) {{ return {} a; }}", "a + ".repeat(5_000)),
        format!("int f(int a) {{ {} }}", "if (a == 1) return 1; else ".repeat(1_000) + ";"),
    ];
    for text in texts {
        assert_eq!(messages(&text), [] as [&str; 0]);
    }
}
