//! `cellog check`: a report, in the form that the user asked for.

use super::args::{CheckArgs, CheckEngine, FailOn, ReportFormat};
use super::exit::ExitStatus;
use super::mistakes::{read_strategy, tell_warnings};
use super::output::{tell, write_report};
use super::progress::Progress;
use super::render::render;
use crate::pipeline::clock::Ended;
use crate::pipeline::fix::offered::mendings;
use crate::pipeline::rules::checks::{parse_checks, parse_rule_checks};
use crate::pipeline::rules::stage::RuleStage;
use crate::pipeline::rules::templates::{Shipped, TemplateRules};
use crate::pipeline::several::check_each;
use crate::pipeline::sources::entry::{ALL, MAIN};
use crate::pipeline::sources::resolve::{Chosen, Resolution};
use crate::pipeline::standing::baseline::Earlier;
use crate::pipeline::standing::change::Change;
use crate::pipeline::standing::config::Config;
use crate::pipeline::{Error, Listener, Report, Request};
use crate::report::Excerpts;
use crate::verdict::{Mending, VerdictKind};
use std::io::IsTerminal;
use std::sync::Arc;

/// Runs `check`.
pub fn check(args: &CheckArgs, config: Config) -> Result<ExitStatus, Error> {
    let Resolution { programs, .. } = args.input.programs(&args.entry, args.limits.jobs, args.quiet)?;
    let progress: Arc<dyn Listener> = Arc::new(Progress::new(args.quiet, args.verbose));
    let report = match &programs[..] {
        [program] => {
            let mut report = request(args, config.clone(), program)?.check(Arc::clone(&progress))?;
            if let Some(most) = args.fixes {
                report.analysis.mendings = mended(args, &config, program, &report, most, &progress)?;
            }
            report
        }
        several => {
            one_report(args, several)?;
            check_each(several, &|program| request(args, config.clone(), program), &progress)?
        }
    };
    let status = status(&report, args.fail_on);
    let text = render(&report.analysis, args, &mut Excerpts::new(report.folders.clone()), status);
    write_report(&text, args.output.as_deref())?;
    if args.verbose || (!args.quiet && std::io::stderr().is_terminal()) {
        tell(&report.results.times.to_string());
    }
    Ok(status)
}

/// Says that several programs are checked; an error where the form of the report is of one.
fn one_report(args: &CheckArgs, several: &[Chosen]) -> Result<(), Error> {
    let names = several.iter().map(|program| program.name.as_str()).collect::<Vec<_>>().join(", ");
    let what = match () {
        () if args.shard.is_some() => Some("a shard is"),
        () if args.format == ReportFormat::Html => Some("a page is"),
        () if args.fixes.is_some() => Some("fixes are"),
        () => None,
    };
    if let Some(what) = what {
        return Err(Error::Usage(format!("{what} of one program; choose one with --target: {names}")));
    }
    if !args.quiet {
        tell(&format!(
            "cellog: {} programs, which share the time limit (--target NAME checks one): {names}",
            several.len()
        ));
    }
    Ok(())
}

/// Edits for definite findings of a report: the program with each is checked again as it was, but for rules and strategies of the user.
fn mended(
    args: &CheckArgs,
    config: &Config,
    program: &Chosen,
    report: &Report,
    most: usize,
    listener: &Arc<dyn Listener>,
) -> Result<Vec<Mending>, Error> {
    let asked = Request {
        entry: report.analysis.entry.clone(),
        checks: parse_checks(&args.checks).map_err(Error::Usage)?,
        values: true,
        config: config.clone(),
        ..args.limits.request(program.sources.clone(), args.bounds(), &args.cache)
    };
    mendings(report, most, &asked, listener)
}

/// What the user asks for of a program.
fn request(args: &CheckArgs, config: Config, program: &Chosen) -> Result<Request, Error> {
    let checks = parse_checks(&args.checks).map_err(Error::Usage)?;
    if args.quiet && args.verbose {
        let both = "`--quiet` shows definite findings alone, `--verbose` everything: leave one of them out";
        return Err(Error::Usage(both.to_owned()));
    }
    if args.fail_on == FailOn::New && args.baseline.is_none() {
        return Err(Error::Usage("`--fail-on new` needs the earlier report, `--baseline FILE`".to_owned()));
    }
    if args.shard.is_some() && args.format != ReportFormat::Json {
        return Err(Error::Usage("a shard's report needs `--format json`, which `cellog merge` reads".to_owned()));
    }
    if args.fixes.is_some() && args.format != ReportFormat::Sarif {
        let help = "`--fixes` needs `--format sarif`, which has room for edits; `cellog fix ID` shows one";
        return Err(Error::Usage(help.to_owned()));
    }
    let earlier = args.baseline.as_deref().map(Earlier::read).transpose()?;
    let rules = RuleStage::new(&args.rules, &args.relations, &parse_rule_checks(&args.checks))?;
    rules.iter().for_each(|rules| tell_warnings(rules.composed()));
    let insight = args.format == ReportFormat::Html;
    let entry = if program.is_library && args.entry == MAIN {
        if !args.quiet {
            tell(
                "cellog: nothing defines `main`: a library, judged from any function that other code can call (--entry all)",
            );
        }
        ALL
    } else {
        &args.entry
    };
    Ok(Request {
        entry: entry.to_owned(),
        checks,
        values: rules.is_some() || insight || args.fixes.is_some(),
        rules,
        insight,
        summaries: templates(args)?,
        compiled: !args.no_compiled_runs,
        strategy: read_strategy(&args.strategy)?,
        shard: args.shard,
        config,
        earlier,
        change: args.diff.as_deref().map(Change::since).transpose()?,
        ..args.limits.request(program.sources.clone(), args.bounds(), &args.cache)
    })
}

/// The rules for candidates, if loops are to be summarized.
fn templates(args: &CheckArgs) -> Result<Option<TemplateRules>, Error> {
    match args.engine {
        CheckEngine::Summary => {
            let rules = TemplateRules::new(&args.templates, Shipped::All)?;
            rules.iter().for_each(|rules| tell_warnings(&rules.composed));
            Ok(rules)
        }
        CheckEngine::Auto if args.templates.is_empty() => Ok(None),
        CheckEngine::Auto => Err(Error::Usage("`--templates` needs `--engine summary`".to_owned())),
    }
}

/// Whether something fails that is not definite.
fn is_worse(report: &Report, fail_on: FailOn) -> bool {
    let analysis = &report.analysis;
    match fail_on {
        FailOn::Definite => false,
        FailOn::New => [VerdictKind::Possible, VerdictKind::Unknown].iter().any(|kind| analysis.has_open(*kind)),
        FailOn::Possible => analysis.has_open(VerdictKind::Possible),
    }
}

/// How the run ends.
fn status(report: &Report, fail_on: FailOn) -> ExitStatus {
    match report.ended {
        Ended::Panicked { .. } => ExitStatus::Internal,
        _ if report.has_findings() || is_worse(report, fail_on) => ExitStatus::Definite,
        _ if report.ended.is_interrupted() => ExitStatus::Interrupted,
        // Rules that were not run to their end might have found something.
        _ if !report.all_rules => ExitStatus::Usage,
        // A file that could not be read must not look like a clean one.
        _ if !report.all_read => ExitStatus::Usage,
        _ => ExitStatus::Clean,
    }
}
