//! `cellog rules`: the built-in rule files, and mistakes in the user's.

use super::args::RulesCommand;
use super::exit::{CliError, ExitStatus};
use super::output::{tell, write_report};
use crate::base::Severity;
use crate::datalog::language;
use crate::datalog::language::error::closest;
use crate::datalog::language::text::{Span, Texts};
use crate::report::{Marked, render_marked};
use std::io::IsTerminal;
use std::path::Path;

/// Paths and texts of the built-in schema and rules, sorted by path.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/rule_files.rs"));

/// Mistakes told of one file.
const MOST_TOLD: usize = 50;

/// Runs a `rules` command.
pub fn rules(command: &RulesCommand) -> Result<ExitStatus, CliError> {
    match command {
        RulesCommand::List => write_report(&list(), None)?,
        RulesCommand::Show { name } => write_report(find(name)?, None)?,
        RulesCommand::Check { file } => return check(file),
    }
    Ok(ExitStatus::Clean)
}

/// A line a file: its path and what its first comment says.
fn list() -> String {
    let width = FILES.iter().map(|(path, _)| path.len()).max().unwrap_or(0);
    let line = |(path, text): &(&str, &str)| format!("{path:width$}  {}\n", headline(text));
    FILES.iter().map(line).collect()
}

fn headline(text: &str) -> &str {
    text.lines().find_map(|l| l.strip_prefix("//")).map_or("", |l| l.trim_start_matches(['/', '@']).trim())
}

/// The text of the built-in file with this path, or the only one with this name, with or without `.dl`.
fn find(name: &str) -> Result<&'static str, CliError> {
    let stem = |path: &'static str| path.rsplit('/').next().unwrap_or(path).trim_end_matches(".dl");
    let wanted = name.trim_end_matches(".dl");
    if let Some((_, text)) = FILES.iter().find(|(path, _)| path.trim_end_matches(".dl") == wanted) {
        return Ok(text);
    }
    let named: Vec<_> = FILES.iter().filter(|(path, _)| stem(path) == wanted).collect();
    match named[..] {
        [(_, text)] => Ok(text),
        [] => {
            let near = closest(wanted, FILES.iter().flat_map(|(path, _)| [*path, stem(path)]));
            let hint = near.map_or("; `cellog rules list` names all".to_owned(), |n| format!("; did you mean `{n}`?"));
            Err(CliError::Usage(format!("no built-in rule file `{name}`{hint}")))
        }
        _ => {
            let paths: Vec<&str> = named.iter().map(|(path, _)| *path).collect();
            Err(CliError::Usage(format!("`{name}` is one of {}", paths.join(", "))))
        }
    }
}

/// Reports every mistake in the file and what it includes. Includes that no file answers are looked up among the built-in ones.
fn check(file: &Path) -> Result<ExitStatus, CliError> {
    let name = file.to_string_lossy();
    let text = std::fs::read_to_string(file).map_err(|e| CliError::Usage(format!("{name}: {e}")))?;
    let mut loader = |path: &str| match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) => {
            match FILES.iter().find(|(builtin, _)| path == *builtin || path.ends_with(&format!("/{builtin}"))) {
                Some((_, text)) => Ok((*text).to_owned()),
                None => Err(error.to_string()),
            }
        }
    };
    let (program, diagnostics) = language::check(&name, &text, &mut loader);
    let colour = std::io::stderr().is_terminal();
    for diagnostic in diagnostics.iter().take(MOST_TOLD) {
        let severity = match diagnostic.severity() {
            language::Severity::Error => Severity::Error,
            language::Severity::Warning => Severity::Warning,
        };
        let mut places = vec![marked(&program.texts, diagnostic.span(), None)];
        places.extend(diagnostic.related().map(|(span, label)| marked(&program.texts, span, Some(label))));
        let places: Vec<Marked<'_>> = places.into_iter().flatten().collect();
        tell(&render_marked(severity, &diagnostic.to_string(), &places, colour));
    }
    if diagnostics.len() > MOST_TOLD {
        tell(&format!("... and {} more", diagnostics.len() - MOST_TOLD));
    }
    if diagnostics.iter().any(|d| d.severity() == language::Severity::Error) {
        return Err(CliError::Told(ExitStatus::Usage));
    }
    write_report(&format!("{name}: {} rules, no mistakes\n", program.rules.len()), None)?;
    Ok(ExitStatus::Clean)
}

fn marked(texts: &Texts, span: Span, label: Option<String>) -> Option<Marked<'_>> {
    let file = texts.files.get(span.file as usize)?;
    Some(Marked { file: &file.name, text: &file.text, range: span.start as usize..span.end as usize, label })
}
