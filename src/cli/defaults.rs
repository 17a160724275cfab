//! What `cellog.toml` sets of the options.

use crate::pipeline::standing::config::Config;
use clap::Command;

/// The command line with the values of `config` as the defaults of its options.
pub fn with_defaults(config: &Config, mut command: Command) -> Command {
    let text = |value: &Option<String>| value.iter().cloned().collect::<Vec<_>>();
    let number = |value: Option<String>| value.into_iter().collect::<Vec<_>>();
    let values = [
        ("entry", text(&config.entry)),
        ("checks", text(&config.checks)),
        ("arch", text(&config.arch)),
        ("target", text(&config.target)),
        ("time_limit", number(config.time_limit.map(|v| v.to_string()))),
        ("memory_limit", number(config.memory_limit.map(|v| v.to_string()))),
        ("profile", text(&config.profile)),
        ("jobs", number(config.jobs.map(|v| v.to_string()))),
        ("seed", number(config.seed.map(|v| v.to_string()))),
        ("baseline", number(config.baseline.as_ref().map(|p| p.display().to_string()))),
        ("cache", number(config.cache.as_ref().map(|p| p.display().to_string()))),
        ("contracts", config.contracts.iter().map(|p| p.display().to_string()).collect()),
        ("cpp_flags", config.flags.clone()),
    ];
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        for (option, value) in values.iter().filter(|(_, value)| !value.is_empty()) {
            let has = command
                .find_subcommand(&name)
                .is_some_and(|c| c.get_arguments().any(|a| a.get_id().as_str() == *option));
            if has {
                command = command.mut_subcommand(&name, |c| c.mut_arg(*option, |a| a.default_values(value.clone())));
            }
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{CheckArgs, Cli, Command as Chosen};
    use clap::{CommandFactory, FromArgMatches};

    fn check(config: &str, words: &[&str]) -> CheckArgs {
        let command = with_defaults(&Config::parse(config).expect("it parses"), Cli::command());
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
        assert_eq!(args.limits.time_limit, Some(7.0));
        assert_eq!(args.input.cpp_flags, ["-DX", "-Iinclude"]);
        let args = check(text, &["--entry", "main", "a.c", "--", "-DY"]);
        assert_eq!((args.entry.as_str(), args.checks.as_str()), ("main", "all"));
        assert_eq!(args.input.cpp_flags, ["-DY"]);
    }
}
