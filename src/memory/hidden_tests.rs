//! Which programs hide addresses from the relations, and how: pairs of programs that differ in one fact.

use super::Memory;
use crate::base::SourceMap;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::DataModel;

const PARTS: Option<&str> = Some("addresses may be copied in parts");
const BACK: Option<&str> = Some("bytes of an address may come back from outside");
const NUMBER: Option<&str> = Some("a number becomes a pointer");

const DECLARATIONS: &str = "typedef unsigned long size_t; typedef long ssize_t; int x, y; void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t); void *malloc(size_t); void *realloc(void *, size_t); ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t); int getchar(void); int putchar(int);
struct named { long kind; char name[8]; int *p; }; struct first { char name[8]; int *p; }; struct bytes { char b[8]; };
";

/// Holds the first way in which a program hides addresses against `wanted`; `body` is that of `main`, behind `before`.
#[track_caller]
fn check(before: &str, body: &str, wanted: Option<&str>) {
    let text = format!("{DECLARATIONS}{before}\nint main(void) {{ int *p = &x, *q = &y; {body} return *q; }}\n");
    let unit = PreprocessedUnit { file: "a.c".into(), text: text.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let units = parse_units(&[unit], 1, &mut sources);
    let program = lower(&units, DataModel::Lp64, sources, LowerOptions::default());
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    assert_eq!(Memory::of(&program).hidden_by().as_deref(), wanted, "{before} {body}");
}

const FROM_TO: &str = "char *to = (char *)&q, *from = (char *)&p;";

/// The same of bytes of `p` that go to `q`.
#[track_caller]
fn check_bytes(before: &str, body: &str, wanted: Option<&str>) {
    check(before, &format!("{FROM_TO} {body}"), wanted);
}

#[test]
fn characters_of_addresses_are_followed_where_they_stay_what_they_are() {
    check_bytes("", "for (int i = 0; i < 8; i++) to[i] = from[i];", PARTS);
    check_bytes("", "for (int i = 0; i < 8; i++) to[i] = from[i] + 1;", None);
    check_bytes("", "for (int i = 0; i < 8; i++) to[i] = from[i] != 0;", None);
    check_bytes("", "char c[8]; for (int i = 0; i < 8; i++) c[i] = from[i];", None);
    check_bytes("", "for (int i = 0; i < 8; i++) { int c = from[i]; to[i] = c; }", PARTS);
    check_bytes("", "for (int i = 0; i < 8; i++) { long c = (unsigned char)from[i]; to[i] = (char)c; }", PARTS);
    check_bytes("", "for (int i = 0; i < 8; i++) memset(to + i, from[i], 1);", PARTS);
    check_bytes("", "for (int i = 0; i < 8; i++) memset(to + i, 0, 1);", None);
}

#[test]
fn through_functions() {
    let own = "char own(char c) { return c; }";
    check_bytes(own, "for (int i = 0; i < 8; i++) to[i] = own(from[i]);", PARTS);
    check_bytes("char own(char c) { return c - 1; }", "for (int i = 0; i < 8; i++) to[i] = own(from[i]);", None);
    let put = "void put(char *to, char c) { *to = c; }";
    check_bytes(put, "for (int i = 0; i < 8; i++) put(to + i, from[i]);", PARTS);
    check_bytes(put, "char c[8]; for (int i = 0; i < 8; i++) put(c + i, from[i]);", None);
    let pointer = format!("{own} char (*f)(char) = own;");
    check_bytes(&pointer, "for (int i = 0; i < 8; i++) to[i] = f(from[i]);", PARTS);
    let record = "struct bytes same(struct bytes b) { return b; }";
    let copy = |to: &str| {
        format!("struct bytes b, c; for (int i = 0; i < 8; i++) b.b[i] = from[i]; c = same(b); memcpy({to}, &c, 8);")
    };
    check_bytes(record, &copy("&q"), PARTS);
    check_bytes(record, &copy("&b"), None);
    let variadic = "void put(char *to, ...) { __builtin_va_list l; __builtin_va_start(l, to); *to = __builtin_va_arg(l, int); __builtin_va_end(l); }";
    check_bytes(variadic, "for (int i = 0; i < 8; i++) put(to + i, from[i]);", PARTS);
    check_bytes(variadic, "for (int i = 0; i < 8; i++) put(to + i, i);", None);
}

#[test]
fn through_other_memory() {
    let fill = "char c[16]; for (int i = 0; i < 8; i++) c[i] = from[i];";
    check_bytes("", &format!("{fill} memcpy(&q, c, 8);"), PARTS);
    check_bytes("", &format!("{fill} size_t n = getchar(); memcpy(&q, c, n);"), PARTS);
    check_bytes("", &format!("{fill} char d[16]; memcpy(d, c, 16);"), None);
    let block = "char *c = malloc(8); for (int i = 0; i < 8; i++) c[i] = from[i]; int **r = realloc(c, 16);";
    check_bytes("", &format!("{block} q = *r;"), PARTS);
    check_bytes("", &format!("{block} r[0] = &x;"), None);
    let named = "struct named s; s.p = &x; for (int i = 0; i < 8; i++) s.name[i] = from[i];";
    check_bytes("", &format!("{named} q = s.p;"), None);
    let first = named.replace("struct named", "struct first");
    check_bytes("", &format!("{first} char *all = (char *)&s; all[8 + x] = s.name[0]; q = s.p;"), PARTS);
    check_bytes("", &format!("{named} memcpy(&s.p, s.name, 8); q = s.p;"), PARTS);
}

#[test]
fn bytes_that_go_out_may_come_back() {
    check("", "write(1, &p, sizeof p); read(0, &q, sizeof q);", BACK);
    check("", "write(1, &p, sizeof p);", None);
    check("", "read(0, &q, sizeof q);", None);
    check("", "char c[8]; write(1, &p, sizeof p); read(0, c, sizeof c);", None);
    check("", "struct named s, t; s.p = &x; t.p = &y; write(1, &s, sizeof s); read(0, &t, sizeof t); q = t.p;", BACK);
    check("", "struct named s, t; s.p = &x; t.p = &y; write(1, s.name, 8); read(0, t.name, 8); q = t.p;", None);
    check_bytes(
        "",
        "for (int i = 0; i < 8; i++) putchar(from[i]); for (int i = 0; i < 8; i++) to[i] = getchar();",
        BACK,
    );
    check_bytes("", "for (int i = 0; i < 8; i++) putchar(i); for (int i = 0; i < 8; i++) to[i] = getchar();", None);
    check_bytes("", "for (int i = 0; i < 8; i++) putchar(from[i]); for (int i = 0; i < 8; i++) x = getchar();", None);
}

#[test]
fn numbers_that_become_pointers() {
    check("", "q = (int *)((size_t)p + 4);", NUMBER);
    check("", "q = (int *)(size_t)p;", None);
    check("", "size_t n = (size_t)p; q = (int *)n;", NUMBER);
}

#[test]
fn unions_that_split_addresses() {
    let split = "union split { int n[2]; int *p; };";
    check(split, "union split u, v; u.p = p; v.n[0] = u.n[0]; v.n[1] = u.n[1]; q = v.p;", PARTS);
    check(split, "int n[2]; *(int **)n = p; int m[2]; m[0] = n[0]; m[1] = n[1]; q = *(int **)m;", None);
}

#[test]
fn numbers_that_become_pointers_however_they_are_computed() {
    for computed in ["v >> 1 << 1", "v * 2", "v / 16 * 16", "v % 4096", "(v & 7) * 8 + (v >> 3)"] {
        check("", &format!("unsigned long v = (unsigned long)p; q = (int *)({computed});"), NUMBER);
        check("", &format!("unsigned long v = (unsigned long)p; v = {computed}; q = v ? p : q;"), None);
        check("", &format!("unsigned v = (unsigned)*p; q = (int *)(unsigned long)({computed});"), None);
    }
}
