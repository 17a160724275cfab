//! Addresses that are put together from characters or come back from outside, and what hides addresses: pairs of programs that differ in one
//! fact.

use super::{Base, Memory};
use crate::base::SourceMap;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{DataModel, Expr, ExprKind, Program, Terminator};

const DECLARATIONS: &str = "typedef unsigned long size_t; typedef long ssize_t; int x, y; void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t); void *malloc(size_t); void *realloc(void *, size_t); ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t); int getchar(void); int putchar(int);
struct named { long kind; char name[8]; int *p; }; struct first { char name[8]; int *p; }; struct bytes { char b[8]; };
";

/// `body` is that of `main`, behind `before`; where `q` points is returned.
fn program(before: &str, body: &str) -> Program {
    let text = format!("{DECLARATIONS}{before}\nint main(void) {{ int *p = &x, *q = &y; {body} return *q; }}\n");
    let unit = PreprocessedUnit { file: "a.c".into(), text: text.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let units = parse_units(&[unit], 1, &mut sources);
    let program = lower(&units, DataModel::Lp64, sources, LowerOptions::default());
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    program
}

/// Whether `q` may point to `x` in the end, against `wanted`.
#[track_caller]
fn check(before: &str, body: &str, wanted: bool) {
    let program = program(before, body);
    let memory = Memory::of(&program);
    let main = program.function_named("main").expect("there is one");
    let returned = program.functions[main].blocks.iter().find_map(|b| match &b.terminator {
        Terminator::Return(Some(Expr { kind: ExprKind::Load(place), .. })) => place.pointer(),
        _ => None,
    });
    let bases = memory.target_bases(&program, returned.expect("`*q` is returned")).expect("nothing is hidden");
    let leads_to_x = bases.iter().any(|b| matches!(b, Base::Variable(v) if program.variables[*v].name == "x"));
    assert_eq!(leads_to_x, wanted, "{before} {body}");
}

const FROM_TO: &str = "char *to = (char *)&q, *from = (char *)&p;";

/// The same of bytes of `p` that go to `q`.
#[track_caller]
fn check_bytes(before: &str, body: &str, wanted: bool) {
    check(before, &format!("{FROM_TO} {body}"), wanted);
}

/// Whether a program hides addresses from the relations, since a number becomes a pointer.
#[track_caller]
fn check_hidden(before: &str, body: &str, wanted: bool) {
    assert_eq!(Memory::of(&program(before, body)).hidden_by().is_some(), wanted, "{before} {body}");
}

#[test]
fn characters_of_addresses_are_followed_where_they_stay_what_they_are() {
    check_bytes("", "for (int i = 0; i < 8; i++) to[i] = from[i];", true);
    check_bytes("", "for (int i = 0; i < 8; i++) to[i] = from[i] + 1;", false);
    check_bytes("", "for (int i = 0; i < 8; i++) to[i] = from[i] != 0;", false);
    check_bytes("", "char c[8]; for (int i = 0; i < 8; i++) c[i] = from[i];", false);
    check_bytes("", "for (int i = 0; i < 8; i++) { int c = from[i]; to[i] = c; }", true);
    check_bytes("", "for (int i = 0; i < 8; i++) { long c = (unsigned char)from[i]; to[i] = (char)c; }", true);
    check_bytes("", "for (int i = 0; i < 8; i++) memset(to + i, from[i], 1);", true);
    check_bytes("", "for (int i = 0; i < 8; i++) memset(to + i, 0, 1);", false);
}

#[test]
fn through_functions() {
    let own = "char own(char c) { return c; }";
    check_bytes(own, "for (int i = 0; i < 8; i++) to[i] = own(from[i]);", true);
    check_bytes("char own(char c) { return c - 1; }", "for (int i = 0; i < 8; i++) to[i] = own(from[i]);", false);
    let put = "void put(char *to, char c) { *to = c; }";
    check_bytes(put, "for (int i = 0; i < 8; i++) put(to + i, from[i]);", true);
    check_bytes(put, "char c[8]; for (int i = 0; i < 8; i++) put(c + i, from[i]);", false);
    let pointer = format!("{own} char (*f)(char) = own;");
    check_bytes(&pointer, "for (int i = 0; i < 8; i++) to[i] = f(from[i]);", true);
    let record = "struct bytes same(struct bytes b) { return b; }";
    let copy = |to: &str| {
        format!("struct bytes b, c; for (int i = 0; i < 8; i++) b.b[i] = from[i]; c = same(b); memcpy({to}, &c, 8);")
    };
    check_bytes(record, &copy("&q"), true);
    check_bytes(record, &copy("&b"), false);
    let variadic = "void put(char *to, ...) { __builtin_va_list l; __builtin_va_start(l, to); *to = __builtin_va_arg(l, int); __builtin_va_end(l); }";
    check_bytes(variadic, "for (int i = 0; i < 8; i++) put(to + i, from[i]);", true);
    check_bytes(variadic, "for (int i = 0; i < 8; i++) put(to + i, i);", false);
}

#[test]
fn through_other_memory() {
    let fill = "char c[16]; for (int i = 0; i < 8; i++) c[i] = from[i];";
    check_bytes("", &format!("{fill} memcpy(&q, c, 8);"), true);
    check_bytes("", &format!("{fill} size_t n = getchar(); memcpy(&q, c, n);"), true);
    check_bytes("", &format!("{fill} char d[16]; memcpy(d, c, 16);"), false);
    let block = "char *c = malloc(8); for (int i = 0; i < 8; i++) c[i] = from[i]; int **r = realloc(c, 16);";
    check_bytes("", &format!("{block} q = *r;"), true);
    check_bytes("", &format!("{block} r[0] = &y;"), false);
    let named = "struct named s; s.p = &y; for (int i = 0; i < 8; i++) s.name[i] = from[i];";
    check_bytes("", &format!("{named} q = s.p;"), false);
    let first = named.replace("struct named", "struct first");
    check_bytes("", &format!("{first} char *all = (char *)&s; all[8 + x] = s.name[0]; q = s.p;"), true);
    check_bytes("", &format!("{named} memcpy(&s.p, s.name, 8); q = s.p;"), true);
}

#[test]
fn bytes_that_go_out_may_come_back() {
    check("", "write(1, &p, sizeof p); read(0, &q, sizeof q);", true);
    check("", "write(1, &p, sizeof p);", false);
    check("", "read(0, &q, sizeof q);", false);
    check("", "char c[8]; write(1, &p, sizeof p); read(0, c, sizeof c);", false);
    check("", "struct named s, t; s.p = &x; t.p = &y; write(1, &s, sizeof s); read(0, &t, sizeof t); q = t.p;", true);
    check("", "struct named s, t; s.p = &x; t.p = &y; write(1, s.name, 8); read(0, t.name, 8); q = t.p;", false);
    check_bytes(
        "",
        "for (int i = 0; i < 8; i++) putchar(from[i]); for (int i = 0; i < 8; i++) to[i] = getchar();",
        true,
    );
    check_bytes("", "for (int i = 0; i < 8; i++) putchar(i); for (int i = 0; i < 8; i++) to[i] = getchar();", false);
    check_bytes("", "for (int i = 0; i < 8; i++) putchar(from[i]); for (int i = 0; i < 8; i++) x = getchar();", false);
}

#[test]
fn numbers_that_become_pointers() {
    check_hidden("", "q = (int *)((size_t)p + 4);", true);
    check_hidden("", "q = (int *)(size_t)p;", false);
    check_hidden("", "size_t n = (size_t)p; q = (int *)n;", true);
}

#[test]
fn unions_that_split_addresses() {
    let split = "union split { int n[2]; int *p; };";
    check(split, "union split u, v; u.p = p; v.n[0] = u.n[0]; v.n[1] = u.n[1]; q = v.p;", true);
    check(split, "int n[2]; *(int **)n = p; int m[2]; m[0] = n[0]; m[1] = n[1]; q = *(int **)m;", false);
}

#[test]
fn numbers_that_become_pointers_however_they_are_computed() {
    for computed in ["v >> 1 << 1", "v * 2", "v / 16 * 16", "v % 4096", "(v & 7) * 8 + (v >> 3)"] {
        check_hidden("", &format!("unsigned long v = (unsigned long)p; q = (int *)({computed});"), true);
        check_hidden("", &format!("unsigned long v = (unsigned long)p; v = {computed}; q = v ? p : q;"), false);
        check_hidden("", &format!("unsigned v = (unsigned)*p; q = (int *)(unsigned long)({computed});"), false);
    }
}
