//! `contracts.rs`: what `facts/contracts.dl` and `facts/library.dl` declare as an enum of clauses, and what `facts/contracts/*.dl` say as a
//! table of them.
use super::language::ast::{Program, RelationDecl};
use super::language::ground::{Constant, Fact, read_facts};
use super::language::load::load;
use super::names::{camel, doc, snake};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The declarations: those of `facts/library.dl`, which includes those that users have too.
const SCHEMA: &str = "facts/library.dl";
/// The column type of numbers of arguments.
const POSITION: &str = "Position";

/// The text of the module `ir::contracts::clause`.
pub fn generate() -> String {
    let schema = super::read_file(SCHEMA).unwrap_or_default();
    let (declared, diagnostics) = load(SCHEMA, &schema, &mut super::read_file);
    super::report(&declared.texts, &diagnostics);
    let mut out = String::new();
    clauses(&mut out, &declared);
    let names = files(Path::new("facts/contracts"));
    let (facts, program, diagnostics) = read_facts(SCHEMA, &names, &mut super::read_file);
    super::report(&program.texts, &diagnostics);
    table(&mut out, &declared, &program, &facts);
    out
}

/// The `.dl` files of a folder, sorted.
fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries.map(|entry| entry.path().to_string_lossy().replace('\\', "/")).collect();
    found.retain(|path| path.ends_with(".dl"));
    found.sort();
    found
}

/// The name and type of a clause's fields: the columns behind the function's name.
fn fields(relation: &RelationDecl) -> Vec<(String, bool)> {
    relation.columns[1..].iter().map(|c| (snake(&c.name.text), c.type_name.text == POSITION)).collect()
}

/// `pub enum Clause` and its ways from and to rows.
fn clauses(out: &mut String, program: &Program) {
    *out += "/// What a contract says of a function, a variant per relation. Positions count arguments from 0.\n";
    *out += "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]\npub enum Clause {\n";
    let (mut from, mut relation, mut numbers, mut positions) =
        (String::new(), String::new(), String::new(), String::new());
    for decl in &program.relations {
        let (name, variant, fields) = (&decl.name.text, camel(&decl.name.text), fields(decl));
        *out += &doc("    ", &decl.doc, &format!("`{name}`."));
        let list: Vec<&str> = fields.iter().map(|(field, _)| field.as_str()).collect();
        let list = list.join(", ");
        let (typed, pattern) = if fields.is_empty() {
            (String::new(), String::new())
        } else {
            let typed: Vec<String> = fields
                .iter()
                .map(|(field, position)| format!("{field}: {}", if *position { "usize" } else { "i64" }))
                .collect();
            (format!(" {{ {} }}", typed.join(", ")), format!(" {{ {list} }}"))
        };
        let _ = writeln!(out, "    {variant}{typed},");
        let made: Vec<String> = fields
            .iter()
            .map(
                |(field, position)| {
                    if *position { format!("{field}: usize::try_from({field}).ok()?") } else { field.clone() }
                },
            )
            .collect();
        let made = if fields.is_empty() { String::new() } else { format!(" {{ {} }}", made.join(", ")) };
        let _ = writeln!(from, "            ({name:?}, &[{list}]) => Clause::{variant}{made},");
        let rest = if fields.is_empty() { "" } else { " { .. }" };
        let _ = writeln!(relation, "            Clause::{variant}{rest} => {name:?},");
        let cells: Vec<String> = fields
            .iter()
            .map(|(field, position)| if *position { format!("{field} as i64") } else { field.clone() })
            .collect();
        let _ = writeln!(numbers, "            Clause::{variant}{pattern} => vec![{}],", cells.join(", "));
        let at: Vec<&str> = fields.iter().filter(|(_, position)| *position).map(|(field, _)| field.as_str()).collect();
        if !at.is_empty() {
            let _ = writeln!(
                positions,
                "            Clause::{variant} {{ {}, .. }} => vec![{}],",
                at.join(", "),
                at.join(", ")
            );
        }
    }
    let _ = writeln!(
        out,
        "}}

impl Clause {{
    /// What a row of a relation says, behind its first column; None if there is no such relation, it has other columns, or an argument
    /// has a number below 0.
    pub fn from_row(relation: &str, numbers: &[i64]) -> Option<Clause> {{
        Some(match (relation, numbers) {{
{from}            _ => return None,
        }})
    }}
    /// The relation whose row says it.
    pub fn relation(self) -> &'static str {{
        match self {{
{relation}        }}
    }}
    /// The columns of that row behind the first.
    pub fn numbers(self) -> Vec<i64> {{
        match self {{
{numbers}        }}
    }}
    /// The arguments that it names.
    #[allow(clippy::match_same_arms, unreachable_patterns, reason = \"an arm per relation\")]
    pub fn positions(self) -> Vec<usize> {{
        match self {{
{positions}            _ => Vec::new(),
        }}
    }}
}}
"
    );
}

/// `pub static BUILT_IN`.
fn table(out: &mut String, declared: &Program, program: &Program, facts: &[Fact]) {
    let mut table: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for fact in facts {
        let decl = declared.relations.iter().find(|decl| decl.name.text == fact.relation);
        let (Some(decl), Some((Constant::Symbol(function), rest))) = (decl, fact.arguments.split_first()) else {
            println!("cargo::error={}: not a contract", program.texts.place(fact.span));
            std::process::exit(1);
        };
        let values: Vec<String> = fields(decl)
            .iter()
            .zip(rest)
            .map(|((field, position), value)| match value {
                Constant::Number(value) if !*position || *value >= 0 => format!("{field}: {value}"),
                _ => {
                    println!("cargo::error={}: not the number of an argument", program.texts.place(fact.span));
                    std::process::exit(1);
                }
            })
            .collect();
        let values = if values.is_empty() { String::new() } else { format!(" {{ {} }}", values.join(", ")) };
        table.entry(function).or_default().push(format!("Clause::{}{values}", camel(&fact.relation)));
    }
    *out +=
        "/// What is known of library functions, by name, sorted.\npub static BUILT_IN: &[(&str, &[Clause])] = &[\n";
    for (function, clauses) in table {
        let _ = writeln!(out, "    ({function:?}, &[{}]),", clauses.join(", "));
    }
    *out += "];\n";
}
