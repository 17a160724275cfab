//! What rules find: the tuples of `find_...` relations as findings.
//!
//! The last column is the message if it is a symbol and not the only column; the others before it say where: a statement,
//! check site, call, allocation, input, function, variable or block by its name; a text `file:line` or
//! `file:line:column`; or a file, a line and perhaps a column in columns of their own. What stands in the model of a library
//! function is nothing that a user can mend, and no finding.

use super::ask::Answer;
use crate::datalog::Value;
use crate::datalog::users::ColumnType;
use crate::facts::{FactStore, Places, Sym};
use crate::verdict::{Check, Finding, Location, Verdict};
use rustc_hash::FxHashSet;

/// What the name of every relation begins with whose tuples are findings.
pub const PREFIX: &str = "find_";

/// The engine of what rules find.
pub const RULES: &str = "rules";

/// The findings of the relation called `relation`; `origin` says where its rules stand.
pub fn rule_findings(
    relation: &str,
    origin: &str,
    answer: &Answer,
    facts: &FactStore,
    places: &Places,
) -> Vec<Finding> {
    let name = relation.strip_prefix(PREFIX).unwrap_or(relation).replace('_', "-");
    let site = Site { facts, places };
    let finding = |row: &Vec<Value>| {
        let (location, function, told) = site.of(&answer.columns, row);
        let rest: Vec<String> = row[told..].iter().map(ToString::to_string).collect();
        let subject = if rest.is_empty() { row_text(row) } else { rest.join(" ") };
        let verdict = Verdict::Possible(format!("{relation}, a rule of {origin}, finds it"));
        Finding::at(Check::Rule(name.clone()), location, &function, &subject, verdict, RULES)
    };
    let models = Models::of(facts, places);
    // Several statements of one line and column may be one call to who reads it.
    let mut seen = FxHashSet::default();
    let found = answer.rows.iter().map(finding).filter(|f| !models.have(f));
    found.filter(|f| seen.insert((f.location.clone(), f.function.clone(), f.subject.clone()))).collect()
}

fn row_text(row: &[Value]) -> String {
    row.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// The models of library functions that have bodies.
struct Models {
    functions: FxHashSet<String>,
    /// Files in which nothing but models stands.
    files: FxHashSet<String>,
}

impl Models {
    fn of(facts: &FactStore, places: &Places) -> Models {
        let functions: FxHashSet<Sym> = facts.model_function.iter().map(|row| row.function.0).collect();
        let file = |function: Sym| Some(places.of_type("Function", function)?.file);
        let files = |of_models: bool| {
            let all = facts.function.iter().map(|row| row.function.0);
            all.filter(|f| functions.contains(f) == of_models).filter_map(file).collect::<FxHashSet<Sym>>()
        };
        let (model_files, other_files) = (files(true), files(false));
        let spell = |symbol: &Sym| facts.symbols.resolve(*symbol).to_string();
        Models {
            functions: functions.iter().map(spell).collect(),
            files: model_files.difference(&other_files).map(spell).collect(),
        }
    }

    fn have(&self, finding: &Finding) -> bool {
        self.functions.contains(&finding.function) || self.files.contains(&finding.location.file)
    }
}

struct Site<'a> {
    facts: &'a FactStore,
    places: &'a Places,
}

impl Site<'_> {
    /// Where a tuple is found, in which function, and how many columns say so.
    fn of(&self, columns: &[ColumnType], row: &[Value]) -> (Location, String, usize) {
        if let Some(found) = self.file_and_line(columns, row) {
            return found;
        }
        for (at, (column, value)) in columns.iter().zip(row).enumerate() {
            let Value::Symbol(text) = value else { continue };
            if let Some(name) = self.facts.symbols.find(text)
                && let Some(location) = self.named(column, name)
            {
                let function = self.places.function_of(name).map_or_else(String::new, |f| self.spell(f));
                return (location, function, at + 1);
            }
            if let Some(location) = written(text) {
                return (location, String::new(), at + 1);
            }
        }
        (Location { file: "<program>".to_owned(), line: 0, column: 0 }, String::new(), 0)
    }

    /// `file, line, ...` or `file, line, column, ...`.
    fn file_and_line(&self, columns: &[ColumnType], row: &[Value]) -> Option<(Location, String, usize)> {
        let [Value::Symbol(file), Value::Number(line), rest @ ..] = row else { return None };
        let number = |n: i64| u32::try_from(n).unwrap_or(0);
        let (column, told) = match (rest.first(), columns.get(2)) {
            (Some(Value::Number(n)), Some(c)) if c.name.starts_with("col") => (number(*n), 3),
            _ => (0, 2),
        };
        Some((Location { file: file.clone(), line: number(*line), column }, String::new(), told))
    }

    fn named(&self, column: &ColumnType, name: Sym) -> Option<Location> {
        let typed = column.types.iter().find_map(|t| self.places.of_type(t, name));
        let place = typed.or_else(|| self.places.of_any(name))?;
        let number = |n: i64| u32::try_from(n).unwrap_or(0);
        Some(Location { file: self.spell(place.file), line: number(place.line), column: number(place.column) })
    }

    fn spell(&self, symbol: Sym) -> String {
        self.facts.symbols.resolve(symbol).to_string()
    }
}

/// The place that `file:line` or `file:line:column` says.
fn written(text: &str) -> Option<Location> {
    let number = |text: &str| text.parse::<u32>().ok();
    let (before, last) = text.rsplit_once(':')?;
    let last = number(last)?;
    let (file, line, column) = match before.rsplit_once(':').and_then(|(file, line)| Some((file, number(line)?))) {
        Some((file, line)) => (file, line, last),
        None => (before, last, 0),
    };
    (!file.is_empty()).then(|| Location { file: file.to_owned(), line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, type_name: &str) -> ColumnType {
        ColumnType { name: name.to_owned(), types: vec![type_name.to_owned()] }
    }

    fn found(columns: Vec<ColumnType>, row: Vec<Value>) -> String {
        let facts = crate::facts::emit(&crate::ir::sample::counting_loop().program).facts;
        let answer = Answer { columns, rows: vec![row] };
        let findings = rule_findings("find_odd_thing", "a.dl", &answer, &facts, &Places::of(&facts));
        let f = &findings[0];
        format!("{} {} {} {}", f.check, f.location, f.function, f.message())
    }

    fn text(text: &str) -> Value {
        Value::Symbol(text.to_owned())
    }

    #[test]
    fn sites_are_named_or_written() {
        let message = || column("message", "symbol");
        let named = found(vec![column("site", "CheckSite"), message()], vec![text("main:site0"), text("odd")]);
        assert!(named.starts_with("odd-thing ") && named.ends_with(" main odd"), "{named}");
        let written = |row| found(vec![column("site", "symbol"), message()], row);
        assert_eq!(written(vec![text("a.c:3"), text("odd")]), "odd-thing a.c:3  odd");
        assert_eq!(written(vec![text("a.c:3:7"), text("odd")]), "odd-thing a.c:3:7  odd");
        assert_eq!(written(vec![text("nowhere"), text("odd")]), "odd-thing <program>  nowhere odd");
        let apart = vec![column("file", "File"), column("line", "number"), column("column", "number"), message()];
        let row = vec![text("a.c"), Value::Number(3), Value::Number(7), text("odd")];
        assert_eq!(found(apart, row), "odd-thing a.c:3:7  odd");
    }
}
