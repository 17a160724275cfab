//! Picks the command, and turns however it ends into an exit status.

use super::args::{Cli, Command};
use super::exit::{ExitStatus, panic_message};
use super::output::tell;
use super::parallel::STACK;
use clap::Parser;
use clap::error::ErrorKind;
use std::process::ExitCode;

/// Runs the command line and returns the exit status.
pub fn run() -> ExitCode {
    std::panic::set_hook(Box::new(|info| tell(&panic_message(info))));
    // Lowering and printing recurse over syntax trees, deeper than the main thread's stack allows.
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(command).expect("the system starts threads");
    ExitCode::from(worker.join().unwrap_or(ExitStatus::Internal) as u8)
}

fn command() -> ExitStatus {
    match Cli::try_parse() {
        Ok(cli) => execute(cli),
        Err(error) => {
            // Nothing can be done when even this cannot be written.
            let _ = error.print();
            match error.kind() {
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => ExitStatus::Clean,
                _ => ExitStatus::Usage,
            }
        }
    }
}

fn execute(cli: Cli) -> ExitStatus {
    let result = match cli.command {
        Command::Check(args) => super::check::check(&args),
        Command::Facts(args) => super::facts::facts(&args),
        Command::Query(args) => super::query::query(&args),
        Command::Rules(command) => super::rules::rules(&command),
        Command::Measure(command) => super::measure::measure(&command),
    };
    result.unwrap_or_else(|error| {
        let text = error.to_string();
        if !text.is_empty() {
            tell(&format!("cellog: {text}"));
        }
        error.status()
    })
}
