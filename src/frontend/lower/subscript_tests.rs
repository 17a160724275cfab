use super::super::context::LowerOptions;
use crate::base::SourceMap;
use crate::frontend::lower::lower;
use crate::frontend::parse::{parse_units, with_deep_stack};
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::print::print_program;
use crate::ir::validate::validate;
use crate::ir::{CheckKind, DataModel, Program};
use expect_test::{Expect, expect};

const TYPES: &str = "struct s { int a[4]; int one[1]; int m[2][3]; int last[4]; };
union u { char few[4]; char many[8]; };
struct outer { struct s in[2]; int after; };
";

fn lowered(source: &str, index_bounds: bool) -> Program {
    let text = format!("{TYPES}{source}");
    let unit = PreprocessedUnit { file: "a.c".into(), text: text.into(), diagnostics: Vec::new() };
    let mut sources = SourceMap::default();
    let units = parse_units(&[unit], 1, &mut sources);
    let options = LowerOptions { index_bounds, ..LowerOptions::default() };
    let program = with_deep_stack(|| lower(&units, DataModel::Lp64, sources, options));
    assert!(program.diagnostics.is_empty(), "{:?}", program.diagnostics);
    assert_eq!(validate(&program), []);
    program
}

/// The checks of indices in a function with these parameters and statements.
fn check(statements: &str, wanted: Expect) {
    let parameters = "struct s *p, union u *u, struct outer *o, int (*r)[5], int *q, int i, unsigned char c";
    let source = format!("int t[2][3]; int f({parameters}) {{ {statements} return 0; }}");
    let text = print_program(&lowered(&source, true));
    let lines = text.lines().filter_map(|l| l.split(" ; ").next()).map(str::trim).filter(|l| l.contains("index-bound"));
    wanted.assert_eq(&lines.map(|l| format!("{l}\n")).collect::<String>());
    let without = lowered(&source, false);
    assert!(without.sites.iter().all(|s| s.kind != CheckKind::IndexBound), "nobody asked for indices");
}

#[test]
fn an_index_is_checked_where_its_array_is_part_of_an_object() {
    check(
        "p->a[i] = 1; return p->m[i][i];",
        expect![[r#"
        check holds (unsigned long long)(long long)i#6 <= 3ull [site0 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 1ull [site4 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 2ull [site5 index-bound]
    "#]],
    );
    check(
        "(*p).a[i]++; (&o->in[i])->a[2] = t[i][1];",
        expect![[r#"
        check holds (unsigned long long)(long long)i#6 <= 3ull [site0 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 2ull [site9 index-bound]
    "#]],
    );
    check(
        "return (*r)[i] + i[p->a] + u->few[i] + r[i][i];",
        expect![[r#"
        check holds (unsigned long long)(long long)i#6 <= 4ull [site0 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 3ull [site10 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 4ull [site15 index-bound]
    "#]],
    );
}

#[test]
fn the_end_of_an_array_has_an_address_and_is_no_element() {
    check(
        "q = &p->a[i]; q = &p->m[1][i]; r = 0;",
        expect![[r#"
        check holds (unsigned long long)(long long)i#6 <= 4ull [site0 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 3ull [site1 index-bound]
    "#]],
    );
    check(
        "q = p->m[i]; q = &p->m[i][0]; q = *&t[i];",
        expect![[r#"
        check holds (unsigned long long)(long long)i#6 <= 2ull [site0 index-bound]
        check holds (unsigned long long)(long long)i#6 <= 2ull [site1 index-bound]
    "#]],
    );
}

#[test]
fn what_ends_its_object_may_go_on_and_what_is_inside_by_its_type_is() {
    check(
        "return p->last[i] + p->one[i] + u->many[i] + q[i] + *(p->a + i);",
        expect![[r#"
        check holds (long long)i#6 >= 0ll [site0 index-bound]
        check holds (long long)i#6 >= 0ll [site10 index-bound]
    "#]],
    );
    check(
        "q = &p->last[c]; return p->last[c + 7] + p->last[9];",
        expect![[r#"
        check holds (long long)$1#8 >= 0ll [site1 index-bound]
    "#]],
    );
    check(
        "return p->a[3] + p->a[c & 3] + t[c & 1][c % 3];",
        expect![[r#"
        check holds (unsigned long long)(long long)$1#8 <= 2ull [site9 index-bound]
    "#]],
    );
}

#[test]
fn an_index_is_evaluated_once() {
    check(
        "return p->a[i++] + p->a[q[0]];",
        expect![[r#"
        check holds (unsigned long long)(long long)$1#8 <= 3ull [site1 index-bound]
        check holds (unsigned long long)(long long)$2#9 <= 3ull [site10 index-bound]
    "#]],
    );
}

#[test]
fn addresses_that_are_constants_stay_constants() {
    let source = "struct s g; int *at = g.a, *end = &g.a[4];
                  int f(void) { static int *two = g.a + 2; char room[(unsigned long)&((struct s *)0)->a[2]]; room[0] = *two; return room[0]; }";
    let program = lowered(source, true);
    assert!(program.sites.iter().all(|s| s.kind != CheckKind::VlaBound));
    assert!(program.variables.iter().filter(|v| ["at", "end", "two"].contains(&&*v.name)).all(|v| v.init.len() == 1));
}
