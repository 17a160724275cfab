//! `cellog check`: stages from C files to verdicts, and what becomes of them when one does not end.

use super::args::{CheckArgs, ReportFormat};
use super::checks::parse_checks;
use super::exit::{CliError, ExitStatus};
use super::gaps::gaps;
use super::input::{Loaded, tell_about_input};
use super::output::{tell, write_report};
use super::progress::Progress;
use super::stages::{Clock, Ended, supervise};
use crate::ir::{CheckKind, FuncId, SiteId};
use crate::report::{Excerpts, TextOptions, render_json, render_text};
use crate::verdict::{Analysis, Erring, Finding, Judged, Reason, VerdictKind, assign_ids, judge, sort_findings};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex};

/// What the stages have handed over so far.
#[derive(Debug, Default)]
pub struct Results {
    /// A reason to stop with nothing.
    pub failed: Option<CliError>,
    pub loaded: Option<Arc<Loaded>>,
    pub entry: Option<FuncId>,
    /// What an over-approximation says of sites.
    pub over: BTreeMap<SiteId, Judged>,
    /// Runs that err.
    pub runs: BTreeMap<SiteId, (Erring, &'static str)>,
    /// Why the over-approximation says nothing of a site that is in neither map.
    pub silent: Option<Reason>,
    /// What the stages have to say of themselves, for those who want to know.
    pub remarks: Vec<String>,
}

/// Runs `check`.
pub fn check(args: &CheckArgs) -> Result<ExitStatus, CliError> {
    let checks = parse_checks(&args.checks).map_err(CliError::Usage)?;
    let clock = Arc::new(Clock::new(&args.limits));
    let progress = Progress::new(args.quiet);
    let results = Arc::new(Mutex::new(Results::default()));
    let ended = {
        let plan = super::plan::Plan::new(args, &checks);
        let results = Arc::clone(&results);
        supervise(&clock, &progress, move |clock| plan.run(clock, &results))
    };
    drop(progress);
    let results = std::mem::take(&mut *results.lock().expect("holders of results do not panic"));
    report(args, &checks, results, &ended)
}

/// Judges, renders, and says how it ended.
fn report(
    args: &CheckArgs,
    checks: &BTreeSet<CheckKind>,
    results: Results,
    ended: &Ended,
) -> Result<ExitStatus, CliError> {
    if let Some(error) = results.failed {
        if let Some(loaded) = &results.loaded {
            tell_about_input(loaded, args.verbose);
        }
        return Err(error);
    }
    let (Some(loaded), Some(entry)) = (&results.loaded, results.entry) else {
        return match ended {
            Ended::Panicked { .. } => Err(CliError::Told(ExitStatus::Internal)),
            Ended::Stopped { limit, stage } => Err(CliError::Nothing(format!("{limit} reached while {stage}"))),
            Ended::Finished => Err(CliError::Internal("no program and no reason".to_owned())),
        };
    };
    if !args.quiet {
        tell_about_input(loaded, args.verbose);
    }
    if args.verbose {
        results.remarks.iter().for_each(|r| tell(r));
    }
    let analysis = analysis(args, checks, loaded, entry, &results, ended);
    if let Ended::Stopped { limit, stage } = ended {
        tell(&format!("cellog: {limit} reached while {stage}; the report has what was decided before"));
    }
    let text = match args.format {
        ReportFormat::Json => render_json(&analysis),
        ReportFormat::Text => {
            let colour =
                args.output.is_none() && std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
            let options = TextOptions { verbose: args.verbose, quiet: args.quiet, colour };
            render_text(&analysis, &mut Excerpts::new(loaded.folders.clone()), options)
        }
    };
    write_report(&text, args.output.as_deref())?;
    let definite = analysis.summary().total[&VerdictKind::Definite] > 0;
    Ok(match ended {
        Ended::Panicked { .. } => ExitStatus::Internal,
        _ if definite => ExitStatus::Definite,
        // A file that could not be read must not look like a clean one.
        _ if !loaded.unread.is_empty() => ExitStatus::Usage,
        _ => ExitStatus::Clean,
    })
}

/// One finding for every site of the chosen checks.
fn analysis(
    args: &CheckArgs,
    checks: &BTreeSet<CheckKind>,
    loaded: &Loaded,
    entry: FuncId,
    results: &Results,
    ended: &Ended,
) -> Analysis {
    let program = &loaded.program;
    let otherwise = match ended {
        Ended::Stopped { limit, stage } => Reason::Budget(format!("{limit}, reached while {stage}")),
        Ended::Panicked { stage } => Reason::Unsupported(format!("internal error while {stage}")),
        Ended::Finished => {
            results.silent.clone().unwrap_or_else(|| Reason::Unsupported("no engine judged this site".to_owned()))
        }
    };
    let mut findings = Vec::new();
    for (site, _) in program.sites.iter_enumerated() {
        let (judged, contradiction) =
            judge(results.over.get(&site).cloned(), results.runs.get(&site).cloned(), &otherwise);
        if let Some(contradiction) = contradiction {
            let place = program.sources.describe(program.sites[site].span);
            tell(&format!(
                "cellog: internal contradiction: {} claims `{}` at {place}, where a run errs; please report it",
                contradiction.engine, contradiction.claimed
            ));
        }
        findings.push(Finding::new(program, site, judged.verdict, judged.engine));
    }
    sort_findings(&mut findings);
    // Ids count all sites, so that they do not depend on the choice of checks.
    assign_ids(&mut findings);
    findings.retain(|f| checks.contains(&f.check));
    Analysis {
        files: loaded.files.clone(),
        entry: program.functions[entry].name.clone(),
        arch: args.input.arch.name().to_owned(),
        findings,
        gaps: gaps(loaded),
    }
}
