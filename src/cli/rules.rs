//! `cellog rules`: the built-in rule files, and mistakes in the user's.

use super::args::RulesCommand;
use super::exit::{CliError, ExitStatus};
use super::output::{tell, write_report};
use crate::base::Severity;
use crate::datalog::check_source;
use crate::datalog::language;
use crate::datalog::language::error::closest;
use crate::datalog::language::text::{Span, Texts};
use crate::datalog::programs::FILES;
use crate::datalog::source::built_in;
use crate::report::{Marked, render_marked};
use std::io::IsTerminal;
use std::path::Path;

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
    let width = FILES.iter().map(|f| f.path.len()).max().unwrap_or(0);
    FILES.iter().map(|f| format!("{:width$}  {}\n", f.path, headline(f.text))).collect()
}

fn headline(text: &str) -> &str {
    text.lines().find_map(|l| l.strip_prefix("//")).map_or("", |l| l.trim_start_matches('/').trim())
}

/// The text of the built-in file with this path, or the only one with this name, with or without `.dl`.
fn find(name: &str) -> Result<&'static str, CliError> {
    let stem = |path: &'static str| path.rsplit('/').next().unwrap_or(path).trim_end_matches(".dl");
    let wanted = name.trim_end_matches(".dl");
    if let Some(file) = FILES.iter().find(|f| f.path.trim_end_matches(".dl") == wanted) {
        return Ok(file.text);
    }
    let named: Vec<_> = FILES.iter().filter(|f| stem(f.path) == wanted).collect();
    match named[..] {
        [file] => Ok(file.text),
        [] => {
            let near = closest(wanted, FILES.iter().flat_map(|f| [f.path, stem(f.path)]));
            let hint = near.map_or("; `cellog rules list` names all".to_owned(), |n| format!("; did you mean `{n}`?"));
            Err(CliError::Usage(format!("no built-in rule file `{name}`{hint}")))
        }
        _ => {
            let paths: Vec<&str> = named.iter().map(|f| f.path).collect();
            Err(CliError::Usage(format!("`{name}` is one of {}", paths.join(", "))))
        }
    }
}

/// Reports every mistake in the file and what it includes. Includes that no file answers are looked up among the built-in ones.
fn check(file: &Path) -> Result<ExitStatus, CliError> {
    let name = file.to_string_lossy();
    let text = std::fs::read_to_string(file).map_err(|e| CliError::Usage(format!("{name}: {e}")))?;
    let mut loader = |path: &str| {
        // The user's own files first; what they include of the project's is built in.
        let from_root = ["facts/", "rules/"].iter().filter_map(|root| Some(&path[path.rfind(root)?..])).next();
        std::fs::read_to_string(path)
            .or_else(|error| built_in(from_root.unwrap_or(path)).map_err(|_| error.to_string()))
    };
    let (program, diagnostics) = check_source(&name, &text, &mut loader);
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
