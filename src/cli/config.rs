//! `cellog.toml`: defaults of options, files left out of reports, findings that are allowed.

use super::exit::CliError;
use clap::Command;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file's name, looked for in the current folder.
pub const FILE: &str = "cellog.toml";

/// What a project has settled.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Defaults of the options of the same names.
    entry: Option<String>,
    checks: Option<String>,
    arch: Option<String>,
    target: Option<String>,
    time_limit: Option<f64>,
    memory_limit: Option<u64>,
    jobs: Option<usize>,
    seed: Option<u64>,
    baseline: Option<PathBuf>,
    cache: Option<PathBuf>,
    /// Flags for the preprocessor when none are given.
    flags: Vec<String>,
    /// Patterns of files whose findings are left out of reports.
    pub exclude: Vec<String>,
    /// Findings to live with.
    pub allow: Vec<Allow>,
}

/// Findings to live with: those that everything given fits.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Allow {
    pub id: Option<String>,
    pub check: Option<String>,
    /// A pattern.
    pub file: Option<String>,
    pub function: Option<String>,
    pub reason: String,
}

impl Config {
    /// The configuration of the current folder; nothing when it has none.
    pub fn load() -> Result<Config, CliError> {
        match std::fs::read_to_string(Path::new(FILE)) {
            Ok(text) => Config::parse(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => Err(CliError::Usage(format!("{FILE}: cannot be read: {error}"))),
        }
    }

    fn parse(text: &str) -> Result<Config, CliError> {
        let config: Config = toml::from_str(text).map_err(|e| CliError::Usage(format!("{FILE}: {e}")))?;
        for (i, allow) in config.allow.iter().enumerate() {
            let n = i + 1;
            if allow.reason.trim().is_empty() {
                return Err(CliError::Usage(format!("{FILE}: the {n}. [[allow]] has no reason")));
            }
            if allow.id.is_none() && allow.check.is_none() && allow.file.is_none() && allow.function.is_none() {
                return Err(CliError::Usage(format!(
                    "{FILE}: the {n}. [[allow]] names no id, check, file or function, so it would allow everything"
                )));
            }
        }
        Ok(config)
    }

    /// The command line with this file's values as the defaults of its options.
    pub fn defaults(&self, mut command: Command) -> Command {
        let text = |value: &Option<String>| value.iter().cloned().collect::<Vec<_>>();
        let number = |value: Option<String>| value.into_iter().collect::<Vec<_>>();
        let values = [
            ("entry", text(&self.entry)),
            ("checks", text(&self.checks)),
            ("arch", text(&self.arch)),
            ("target", text(&self.target)),
            ("time_limit", number(self.time_limit.map(|v| v.to_string()))),
            ("memory_limit", number(self.memory_limit.map(|v| v.to_string()))),
            ("jobs", number(self.jobs.map(|v| v.to_string()))),
            ("seed", number(self.seed.map(|v| v.to_string()))),
            ("baseline", number(self.baseline.as_ref().map(|p| p.display().to_string()))),
            ("cache", number(self.cache.as_ref().map(|p| p.display().to_string()))),
            ("cpp_flags", self.flags.clone()),
        ];
        let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
        for name in names {
            for (option, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
                let has = command
                    .find_subcommand(&name)
                    .is_some_and(|c| c.get_arguments().any(|a| a.get_id().as_str() == *option));
                if has {
                    command =
                        command.mut_subcommand(&name, |c| c.mut_arg(*option, |a| a.default_values(value.clone())));
                }
            }
        }
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Cli, Command as Chosen};
    use clap::{CommandFactory, FromArgMatches};

    fn check(config: &str, words: &[&str]) -> crate::cli::args::CheckArgs {
        let command = Config::parse(config).expect("it parses").defaults(Cli::command());
        let words = ["cellog", "check"].iter().chain(words);
        let matches = command.try_get_matches_from(words).expect("it parses");
        let Chosen::Check(args) = Cli::from_arg_matches(&matches).expect("it fits").command else {
            panic!("not check")
        };
        args
    }

    #[test]
    fn its_values_are_defaults_that_options_replace() {
        let text = "entry = 'start'\nchecks = 'all'\ntime-limit = 7\nflags = ['-DX', '-Iinclude']\n";
        let args = check(text, &["a.c"]);
        assert_eq!((args.entry.as_str(), args.checks.as_str()), ("start", "all"));
        assert!((args.limits.time_limit - 7.0).abs() < 1e-9);
        assert_eq!(args.input.cpp_flags, ["-DX", "-Iinclude"]);
        let args = check(text, &["--entry", "main", "a.c", "--", "-DY"]);
        assert_eq!((args.entry.as_str(), args.checks.as_str()), ("main", "all"));
        assert_eq!(args.input.cpp_flags, ["-DY"]);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let told = |text: &str| Config::parse(text).expect_err("a mistake").to_string();
        let text = told("entri = 'main'\n");
        assert!(text.starts_with("cellog.toml: ") && text.contains("entri") && text.contains("line 1"), "{text}");
        assert!(told("[[allow]]\ncheck = 'shift'\n").contains("has no reason"));
        assert!(told("[[allow]]\nreason = 'why not'\n").contains("would allow everything"));
    }
}
