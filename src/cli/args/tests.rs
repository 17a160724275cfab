//! Tests of the command line.

use super::*;
use clap::{CommandFactory, Parser};

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn the_help_names_every_check() {
    let help = Cli::command().find_subcommand_mut("check").expect("a command").render_long_help().to_string();
    for kind in crate::ir::CheckKind::ALL {
        assert!(help.contains(kind.name()), "{}", kind.name());
    }
    for check in crate::pipeline::rules::checks::rule_checks() {
        assert!(help.contains(&format!(" {check}")), "{check}");
    }
}

#[test]
fn flags_behind_two_dashes_go_to_the_preprocessor() {
    let cli = Cli::try_parse_from(["cellog", "check", "a.c", "b.c", "--", "-I", "x", "--help"]).expect("parses");
    let Command::Check(args) = cli.command else { panic!("not check") };
    assert_eq!(args.input.files, ["a.c", "b.c"]);
    assert_eq!(args.input.cpp_flags, ["-I", "x", "--help"]);
}

#[test]
fn nonsense_limits_are_refused() {
    for bad in [["--time-limit", "-1"], ["--time-limit", "nan"], ["--jobs", "0"], ["--memory-limit", "1"]] {
        assert!(Cli::try_parse_from(["cellog", "check", "a.c", bad[0], bad[1]]).is_err(), "{bad:?}");
    }
    assert!(Cli::try_parse_from(["cellog", "check"]).is_err());
    assert!(Cli::try_parse_from(["cellog", "check", "--all", "--possible", "3", "a.c"]).is_err());
}
