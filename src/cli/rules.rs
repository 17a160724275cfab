//! `cellog rules`: the built-in rule files, and mistakes in the user's.

use super::args::RulesCommand;
use super::exit::ExitStatus;
use super::mistakes::compose_rules;
use super::output::write_report;
use crate::datalog::language::ast::Rule;
use crate::datalog::language::error::closest;
use crate::datalog::programs::FILES;
use crate::datalog::users::compose::{file_of, is_built_in};
use crate::pipeline::Error;
use crate::pipeline::rules::source::read_rules;
use std::path::Path;

/// Runs a `rules` command.
pub fn rules(command: &RulesCommand) -> Result<ExitStatus, Error> {
    match command {
        RulesCommand::List => write_report(&list(), None)?,
        RulesCommand::Show { name } => write_report(find(name)?, None)?,
        RulesCommand::Check { file } => return check(file),
    }
    Ok(ExitStatus::Clean)
}

/// A line a file: its path and what its first comment says.
fn list() -> String {
    let width = FILES.iter().map(|f| f.path.len()).max().unwrap_or(0);
    FILES.iter().map(|f| format!("{:width$}  {}\n", f.path, headline(f.text))).collect()
}

fn headline(text: &str) -> &str {
    text.lines().find_map(|l| l.strip_prefix("//")).map_or("", |l| l.trim_start_matches('/').trim())
}

/// The text of the built-in file with this path, or the only one with this name, with or without `.dl`.
fn find(name: &str) -> Result<&'static str, Error> {
    let stem = |path: &'static str| path.rsplit('/').next().unwrap_or(path).trim_end_matches(".dl");
    let wanted = &name.trim_end_matches(".dl").replace('-', "_");
    if let Some(file) = FILES.iter().find(|f| f.path.trim_end_matches(".dl") == wanted) {
        return Ok(file.text);
    }
    let named: Vec<_> = FILES.iter().filter(|f| stem(f.path) == wanted).collect();
    match named[..] {
        [file] => Ok(file.text),
        [] => {
            let near = closest(wanted, FILES.iter().flat_map(|f| [f.path, stem(f.path)]));
            let hint = near.map_or("; `cellog rules list` names all".to_owned(), |n| format!("; did you mean `{n}`?"));
            Err(Error::Usage(format!("no built-in rule file `{name}`{hint}")))
        }
        _ => {
            let paths: Vec<&str> = named.iter().map(|f| f.path).collect();
            Err(Error::Usage(format!("`{name}` is one of {}", paths.join(", "))))
        }
    }
}

/// Reports every mistake in the file and what it includes, on top of the built-in relations.
fn check(file: &Path) -> Result<ExitStatus, Error> {
    let sources = read_rules(&[file.to_owned()])?;
    let composed = compose_rules(&sources)?;
    let own = |rule: &&Rule| !is_built_in(file_of(&composed.ast, rule.span));
    let count = composed.ast.rules.iter().filter(own).count();
    let noun = if count == 1 { "rule" } else { "rules" };
    write_report(&format!("{}: {count} {noun}, no mistakes\n", file.display()), None)?;
    Ok(ExitStatus::Clean)
}
