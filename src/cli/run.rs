//! Picks the command, and turns however it ends into an exit status.

use super::args::{Cli, Command};
use super::defaults::with_defaults;
use super::exit::{ExitStatus, panic_message, tell_error};
use super::output::tell;
use crate::pipeline::Error;
use crate::pipeline::parallel::STACK;
use crate::pipeline::standing::config::Config;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches};
use std::io::Write;

/// Runs the command line and ends the process with its exit status.
pub fn run() -> ! {
    std::panic::set_hook(Box::new(|info| tell(&panic_message(info))));
    // Lowering and printing recurse over syntax trees, deeper than the main thread's stack allows.
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(command).expect("the system starts threads");
    let status = worker.join().unwrap_or(ExitStatus::Internal);
    // Nothing can be done when even this cannot be written.
    let _ = std::io::stdout().flush();
    // Engines that nobody waits for may still be in a solver, whose static objects must not be destroyed under them.
    signal_hook::low_level::exit(status as i32)
}

fn command() -> ExitStatus {
    let loaded = Config::load();
    let plain = Config::default();
    // Whoever asks for help is not told of mistakes in a file.
    let config = loaded.as_ref().unwrap_or(&plain);
    let matches = with_defaults(config, Cli::command()).try_get_matches();
    match (matches.and_then(|m| Cli::from_arg_matches(&m)), &loaded) {
        (Ok(cli), Ok(config)) => execute(cli, config),
        (Ok(_), Err(error)) => failed(error),
        (Err(error), _) => {
            // Nothing can be done when even this cannot be written.
            let _ = error.print();
            if let Some(flag) = misplaced_flag(&error) {
                tell(&format!(
                    "\ncellog: flags for the preprocessor stand last, behind `--`: cellog check main.c -- {flag}"
                ));
            }
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitStatus::Clean,
                _ => ExitStatus::Usage,
            }
        }
    }
}

/// The flag of a compiler that stands where options of Cellog stand, if that is what is wrong.
fn misplaced_flag(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else { return None };
    let is_flag = ["-I", "-D", "-U", "-W", "-f", "-m", "-O", "-g", "-s", "-i"].iter().any(|flag| argument == flag);
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    // The whole word, of which the error has the first letter.
    let word = std::env::args().find(|word| word.starts_with(argument.as_str()));
    word.filter(|_| is_unknown && is_flag)
}

fn execute(cli: Cli, config: &Config) -> ExitStatus {
    let result = match cli.command {
        Command::Check(args) => super::check::check(&args, config.clone()),
        Command::Verify(args) => super::verify::verify(&args),
        Command::Summarize(args) => super::summarize::summarize(&args),
        Command::Record(args) => super::record::record(&args),
        Command::Facts(args) => super::facts::facts(&args),
        Command::Link(args) => super::link::link(&args),
        Command::Merge(args) => super::merge::merge(&args),
        Command::Explain(args) => super::explain::explain(&args),
        Command::Lsp(args) => crate::lsp::serve(&args.options()).map(|()| ExitStatus::Clean),
        Command::Mcp(_) => crate::mcp::serve().map(|()| ExitStatus::Clean),
        Command::Query(args) => super::query::query(&args),
        Command::Fix(args) => super::fix::fix(&args, config),
        Command::Replay(args) => super::replay::replay(&args),
        Command::Manual(command) => super::manual::manual(&command),
        Command::Rules(command) => super::rules::rules(&command),
        Command::Measure(command) => super::measure::measure(&command),
    };
    result.unwrap_or_else(|error| failed(&error))
}

fn failed(error: &Error) -> ExitStatus {
    tell_error(error, "cellog: ");
    ExitStatus::of(error)
}
