//! Contracts of users: files of facts that say what functions do whose text the program does not have.

use crate::datalog::language::ast::Program;
use crate::datalog::language::error::GroundError;
use crate::datalog::language::ground::{Constant, Fact, read_facts};
use crate::datalog::language::load::normal;
use crate::datalog::language::{Diagnostic, Severity};
use crate::datalog::source::{Rejected, built_in};
use crate::ir::Contracts;
use crate::ir::contracts::Clause;
use crate::pipeline::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

/// Where the relations of contracts are declared.
const SCHEMA: &str = "facts/contracts.dl";
/// Stands in front of the paths of files that are compiled in.
const BUILT_IN: &str = "<cellog>/";

/// What these files say.
///
/// # Errors
/// [`Error::Usage`]: a file cannot be read. [`Error::Rules`]: all that is wrong with what they say.
pub fn read_contracts(files: &[PathBuf]) -> Result<Arc<Contracts>, Error> {
    if files.is_empty() {
        return Ok(Arc::default());
    }
    let mut texts = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(path).map_err(|e| Error::Usage(format!("{}: {e}", path.display())))?;
        texts.push((normal(&path.to_string_lossy()), text));
    }
    let names: Vec<String> = texts.iter().map(|(name, _)| name.clone()).collect();
    let mut read = |path: &str| match texts.iter().find(|(name, _)| name == path) {
        Some((_, text)) => Ok(text.clone()),
        None => std::fs::read_to_string(path).map_err(|error| error.to_string()),
    };
    contracts(&names, &mut read).map(Arc::new).map_err(Error::Rules)
}

/// The contracts in the files with these names, whose texts `read` gives.
fn contracts(
    names: &[String],
    read: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Contracts, Box<Rejected>> {
    let mut layers = |path: &str| match path.strip_prefix(BUILT_IN) {
        Some(path) => built_in(path),
        None => read(path),
    };
    let (facts, program, diagnostics) = read_facts(&format!("{BUILT_IN}{SCHEMA}"), names, &mut layers);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error) {
        return Err(Box::new(Rejected { program, diagnostics }));
    }
    let (contracts, mistakes) = of_facts(&facts);
    if mistakes.is_empty() { Ok(contracts) } else { Err(rejected(program, mistakes)) }
}

fn rejected(program: Program, mistakes: Vec<GroundError>) -> Box<Rejected> {
    Box::new(Rejected { program, diagnostics: mistakes.into_iter().map(Diagnostic::from).collect() })
}

/// The contracts that facts state, and what is wrong with them apart from their types.
fn of_facts(facts: &[Fact]) -> (Contracts, Vec<GroundError>) {
    let (mut contracts, mut mistakes) = (Contracts::default(), Vec::new());
    for fact in facts {
        let mut unfit = |reason: String| mistakes.push(GroundError::Unfit { reason, span: fact.span });
        let Some((Constant::Symbol(function), rest)) = fact.arguments.split_first() else { continue };
        let number = |value: &Constant| match value {
            Constant::Number(number) => *number,
            Constant::Symbol(_) => -1,
        };
        let numbers: Vec<i64> = rest.iter().map(number).collect();
        let Some(clause) = Clause::from_row(&fact.relation, &numbers) else {
            unfit("arguments are counted from 0: no argument has a number below".to_owned());
            continue;
        };
        match clause {
            Clause::GivesBetween { least, most } if least > most => {
                unfit(format!("`{function}` can give nothing: {least} is above {most}"));
            }
            Clause::GivesText { most } if !(0..1 << 32).contains(&most) => {
                unfit("a text has 0 to 4294967295 characters".to_owned());
            }
            Clause::WritesObjects { amount: ..1, .. } => unfit("at least one object is written".to_owned()),
            _ => {}
        }
        let earlier = contracts.of_user(function).unwrap_or_default();
        if clause.gives() && earlier.iter().any(|c| c.gives() && *c != clause) {
            unfit(format!("another fact says already what `{function}` gives"));
        }
        contracts.add(function, clause);
    }
    (contracts, mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of contracts with this text, a line each: `line: message`.
    fn told(text: &str) -> Vec<String> {
        let mut read = |_: &str| Ok(text.to_owned());
        let Err(rejected) = contracts(&["own.dl".to_owned()], &mut read) else { return Vec::new() };
        let Rejected { program, diagnostics } = *rejected;
        diagnostics.iter().map(|d| format!("{}: {d}", program.texts.line_column(d.span()).0)).collect()
    }

    #[test]
    fn facts_become_clauses() {
        let text = "gives_block(\"xmalloc\", 0). gives_between(\"level\", -1, 7).\nneeds(\"level\", 1).";
        let mut read = |_: &str| Ok(text.to_owned());
        let contracts = contracts(&["own.dl".to_owned()], &mut read).expect("no mistakes");
        assert_eq!(contracts.of_user("xmalloc"), Some(&[Clause::GivesBlock { size: 0 }][..]));
        let level = [Clause::GivesBetween { least: -1, most: 7 }, Clause::Needs { argument: 1 }];
        assert_eq!(contracts.of_user("level"), Some(&level[..]));
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        assert_eq!(
            told("\nnever_return(\"die\")."),
            ["2: unknown relation `never_return`; did you mean `never_returns`?"]
        );
        assert_eq!(told("needs(\"f\")."), ["1: `needs` has 2 columns, found 1 arguments"]);
        assert_eq!(told("needs(f, 0)."), ["1: a fact cannot have variables: `f`"]);
        assert_eq!(
            told("needs(\"f\", 1 + 1)."),
            ["1: a fact here has numbers and strings as they are, nothing computed"]
        );
        assert_eq!(told("needs(\"f\", \"p\")."), ["1: expected `Position`, found `symbol`"]);
        assert_eq!(told("needs(\"f\", -1)."), ["1: arguments are counted from 0: no argument has a number below"]);
        assert_eq!(told("gives_between(\"f\", 3, 1)."), ["1: `f` can give nothing: 3 is above 1"]);
        assert_eq!(
            told("gives_number(\"f\").\ngives_text(\"f\", 3)."),
            ["2: another fact says already what `f` gives"]
        );
        assert_eq!(told("needs(f, 0) :- harmless(f)."), ["1: only facts may stand here, without `:-`"]);
        assert_eq!(told(".decl mine(x: symbol)"), ["1: only facts may stand here, of relations that are known"]);
        assert!(!told("needs(\"f\", 0").is_empty());
    }
}
