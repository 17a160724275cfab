//! The schema for questions: every relation with its columns and what it says.

use crate::datalog::programs;
use crate::facts::catalog;
use std::fmt::Write;

/// The name of the resource.
pub const URI: &str = "cellog://relations";

/// The relations of the program's text and of the engines, then those that rules derive, a line each.
pub fn page() -> String {
    let mut page = String::from("# Relations of a program's text, and of what engines find\n\n");
    for relation in catalog() {
        let columns: Vec<String> = relation.columns.iter().map(|c| format!("{}: {}", c.name, c.type_name)).collect();
        let doc = relation.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "* `{}({})`: {doc}", relation.name, columns.join(", "));
    }
    page.push_str("\n# Relations that rules derive\n\n");
    for relation in programs::catalog() {
        let columns: Vec<String> = relation.columns.iter().map(|c| format!("{}: {}", c.name, c.type_name)).collect();
        let doc = relation.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "* `{}({})`: {doc}", relation.name, columns.join(", "));
    }
    page
}
