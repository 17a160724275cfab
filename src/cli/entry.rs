//! The function that executions start from.

use super::exit::CliError;
use crate::datalog::language::error::closest;
use crate::ir::{FuncId, Program};

/// Candidates listed when the entry is missing.
const LISTED: usize = 30;

/// The function with a body called `name`; otherwise an error that lists the candidates.
pub fn find_entry(program: &Program, name: &str) -> Result<FuncId, CliError> {
    if let Some(f) = program.function_named(name) {
        return Ok(f);
    }
    let mut names: Vec<&str> =
        program.functions.iter().filter(|f| f.has_body() && !f.library).map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Err(CliError::Nothing("no function with a body in the input".to_owned()));
    }
    let failed = program.functions.iter().find(|f| f.name == name).and_then(|f| f.failed.as_deref());
    let what = match failed {
        Some(reason) => format!("the entry `{name}` could not be analysed: {reason}"),
        None => format!("no function `{name}` with a body"),
    };
    let near = closest(name, names.iter().copied()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > LISTED { format!(", and {} more", names.len() - LISTED) } else { String::new() };
    Err(CliError::Usage(format!("{what}{near}\nchoose the entry with --entry FN; there are: {shown}{more}")))
}
