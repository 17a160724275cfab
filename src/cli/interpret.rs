//! `cellog measure run`: a program run by the interpreter, as an oracle to hold against a compiler.

use super::args::InputArgs;
use super::exit::ExitStatus;
use super::loaded::load_quietly;
use super::output::tell;
use crate::concrete::{Defaults, Limits, Outcome, run};
use crate::pipeline::Error;
use crate::pipeline::sources::entry::find_entry;
use std::io::Write;

/// Bytes of output that a run may print.
const MOST_OUTPUT: usize = 64 << 20;

/// Runs `main` with default inputs; prints what the program prints, and on standard error how it ended.
pub fn interpret(input: &InputArgs, fuel: u64) -> Result<ExitStatus, Error> {
    let loaded = load_quietly(&input.sources())?;
    let program = &loaded.program;
    let entry = find_entry(program, "main")?;
    let limits = Limits { statements: fuel, output: MOST_OUTPUT, trace: 0, ..Limits::default() };
    let run = run(program, entry, &mut Defaults, &limits);
    // A reader that has gone away is no error.
    let _ = std::io::stdout().write_all(&run.output);
    let outcome = match &run.outcome {
        Outcome::Exit(status) => format!("exit {status}"),
        Outcome::Returned(value) => format!("exit {}", value.and_then(|v| v.as_int()).unwrap_or(0) & 0xff),
        Outcome::Error { site, span } => {
            let site = &program.sites[*site];
            format!("error {} at {}: {}", site.kind.name(), program.sources.describe(*span), site.subject)
        }
        Outcome::Stuck(why) => format!("stuck: {why}"),
        Outcome::Undecided(why) => format!("undecided: {why}"),
        Outcome::OutOfFuel(fuel) => format!("out of fuel: {fuel:?}"),
        Outcome::Assumption => "assumption".to_owned(),
    };
    tell(&format!("{outcome} after {} statements, {:?}", run.statements, run.flags));
    Ok(ExitStatus::Clean)
}
