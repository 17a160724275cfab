//! The function that executions start from.

use crate::datalog::language::error::closest;
use crate::engines::forward::Start;
use crate::ir::{FuncId, Function, Linkage, Program};
use crate::pipeline::error::Error;

/// Candidates listed when the entry is missing.
const LISTED: usize = 30;

/// The function that programs start in.
pub const MAIN: &str = "main";

/// What stands for every function that other code can call.
pub const ALL: &str = "all";

/// Where executions start for `--entry name`.
pub fn find_start(program: &Program, name: &str) -> Result<Start, Error> {
    if name != ALL || program.function_named(ALL).is_some() {
        return function_or(program, name, ", or --entry all for every function that other code can call")
            .map(Start::Function);
    }
    let exported = program.functions.iter_enumerated().filter(|(_, f)| is_exported(f)).map(|(id, _)| id);
    match exported.collect::<Vec<_>>() {
        exported if exported.is_empty() => {
            Err(Error::Nothing("no function with a body that other code can call".to_owned()))
        }
        exported => Ok(Start::Outside(exported)),
    }
}

/// The start's name on the command line and in reports.
pub fn start_name(program: &Program, start: &Start) -> String {
    match start {
        Start::Function(entry) => program.functions[*entry].name.clone(),
        Start::Outside(_) => ALL.to_owned(),
    }
}

fn is_exported(function: &Function) -> bool {
    function.has_body() && !function.library && function.linkage == Linkage::External
}

/// The function with a body called `name`; otherwise an error that lists the candidates.
pub fn find_entry(program: &Program, name: &str) -> Result<FuncId, Error> {
    function_or(program, name, "")
}

/// The same; the error speaks of another way, too.
fn function_or(program: &Program, name: &str, other: &str) -> Result<FuncId, Error> {
    if let Some(f) = program.function_named(name) {
        return Ok(f);
    }
    let mut names: Vec<&str> =
        program.functions.iter().filter(|f| f.has_body() && !f.library).map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let failed = program.functions.iter().find(|f| f.name == name).and_then(|f| f.failed.as_deref());
    if names.is_empty() {
        let why = failed.map(|reason| format!(": `{name}` could not be analysed: {reason}")).unwrap_or_default();
        return Err(Error::Nothing(format!("no function with a body in the input{why}")));
    }
    let what = match failed {
        Some(reason) => format!("the entry `{name}` could not be analysed: {reason}"),
        None => format!("no function `{name}` with a body"),
    };
    let near = closest(name, names.iter().copied()).map(|n| format!("; did you mean `{n}`?")).unwrap_or_default();
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    let more = if names.len() > LISTED { format!(", and {} more", names.len() - LISTED) } else { String::new() };
    Err(Error::Usage(format!("{what}{near}\nchoose the entry with --entry FN{other}; there are: {shown}{more}")))
}
