//! The catalogue of input relations as a page (`facts/README.md`), made of the declarations alone.

use super::{BaseType, TypeInfo, catalog, types};
use std::fmt::Write;

/// The page in Markdown.
pub fn catalogue_page() -> String {
    let mut page = String::from(
        "# The input relations\n\n\
         What the emitters state about a program, and in the group `results` what the engines of `cellog check` found; one\n\
         file of declarations per group. This page is made from the declarations (`UPDATE_EXPECT=1 cargo test --lib catalogue_page`); a test keeps it so.\n\n\
         ## Types of columns\n\n| type | made of | meaning |\n|---|---|---|\n",
    );
    for t in types() {
        let _ = writeln!(page, "| `{}` | {} | {} |", t.name, made_of(t), flat(t.doc));
    }
    let mut group = "";
    for r in catalog() {
        if r.group != group {
            group = r.group;
            let _ = write!(page, "\n## {group}\n\n| relation | says |\n|---|---|\n");
        }
        let columns: Vec<String> = r.columns.iter().map(|c| format!("{}: {}", c.name, c.type_name)).collect();
        let _ = writeln!(page, "| `{}({})` | {} |", r.name, columns.join(", "), flat(r.doc));
    }
    page
}

fn made_of(t: &TypeInfo) -> String {
    match t.base {
        BaseType::Record => {
            let fields: Vec<String> = t.fields.iter().map(|f| format!("{}: {}", f.name, f.type_name)).collect();
            format!("`[{}]`", fields.join(", "))
        }
        _ => format!("`{}`", t.parent),
    }
}

/// On one line, fit for a table.
fn flat(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;

    #[test]
    fn the_catalogue_page_is_what_the_declarations_say() {
        expect_file!["../../facts/README.md"].assert_eq(&catalogue_page());
    }

    #[test]
    fn every_relation_is_a_sentence_over_its_columns() {
        for r in catalog() {
            assert!(!r.doc.trim().is_empty(), "{} is not documented", r.name);
            for c in r.columns {
                let named = r.doc.contains(&format!("`{}`", c.name));
                let numeric_place = ["line", "column", "file", "kind", "named"].contains(&c.name);
                assert!(named || numeric_place || r.columns.len() > 2, "{} does not speak of {}", r.name, c.name);
            }
        }
    }
}
