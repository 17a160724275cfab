//! `cellog check`: stages from C files to verdicts, and what becomes of them when one does not end.

use super::args::{CheckArgs, CheckEngine, LimitArgs, ReportFormat};
use super::baseline::Earlier;
use super::cache::Cache;
use super::cache::key::Key;
use super::cache::whole::{Whole, WholeRecord};
use super::checks::{parse_checks, parse_rule_checks};
use super::config::Config;
use super::entry::start_name;
use super::exit::{CliError, ExitStatus};
use super::gaps::gaps;
use super::input::{Loaded, tell_about_input};
use super::output::{tell, write_report};
use super::plan::Plan;
use super::progress::Progress;
use super::render::render;
use super::rule_stage::{self, RuleStage};
use super::settle::settle;
use super::stages::{Clock, Ended, supervise};
use super::templates::{Shipped, TemplateRules};
use super::times::Times;
use crate::engines::backward::Grown;
use crate::engines::evidence::{Assumed, Evidence, Over, Runs};
use crate::engines::forward::{Start, ValueAt};
use crate::engines::judge::{Judgements, judge};
use crate::ir::{CheckKind, Program, SiteId};
use crate::memory::RuleRun;
use crate::report::Excerpts;
use crate::verdict::{
    self, Analysis, Check, Finding, Insight, Judged, Reason, VerdictKind, assign_ids, sort_findings, weaknesses,
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// What the stages have handed over so far.
#[derive(Debug, Default)]
pub struct Results {
    /// A reason to stop with nothing.
    pub failed: Option<CliError>,
    pub loaded: Option<Arc<Loaded>>,
    /// Where executions start.
    pub start: Option<Start>,
    /// What an over-approximation says of sites.
    pub over: Over,
    /// Runs that err.
    pub runs: Runs,
    /// What became of growing the inputs of those runs to boxes.
    pub boxes: BTreeMap<SiteId, Grown>,
    /// What verdicts rest on besides, errors that they assume away above all.
    pub assumed: Assumed,
    /// Why the over-approximation says nothing of a site that is in neither map.
    pub silent: Option<Reason>,
    /// The bounds of variables, if they were asked for.
    pub values: Vec<ValueAt>,
    /// What rules found.
    pub found: Vec<Finding>,
    /// Some rules were not run to their end; the user has been told.
    pub rules_failed: bool,
    /// The time limit, in seconds, if some stage had no time left and might have decided more.
    pub starved_in: Option<f64>,
    /// What is known of variables and loops, if it was asked for.
    pub insight: Option<Insight>,
    /// What the stages have taken.
    pub times: Times,
    /// What the stages have to say of themselves, for those who want to know.
    pub remarks: Vec<String>,
    /// The report of an earlier run, instead of all the above.
    pub whole: Option<Whole>,
    /// Under which key this run's report may be kept.
    pub whole_key: Option<Key>,
}

impl Results {
    /// What engines have to say of sites.
    pub fn evidence(&self) -> Evidence<'_> {
        Evidence { over: &self.over, runs: &self.runs, boxes: &self.boxes, assumed: &self.assumed }
    }
    /// What rules and pages ask for, so that others can go on meanwhile.
    pub fn for_rules(&self) -> Results {
        Results {
            loaded: self.loaded.clone(),
            start: self.start.clone(),
            over: self.over.clone(),
            runs: self.runs.clone(),
            boxes: self.boxes.clone(),
            assumed: self.assumed.clone(),
            silent: self.silent.clone(),
            values: self.values.clone(),
            ..Results::default()
        }
    }
}

/// Runs `check`.
pub fn check(args: &CheckArgs, config: &Config) -> Result<ExitStatus, CliError> {
    let checks = parse_checks(&args.checks).map_err(CliError::Usage)?;
    if args.shard.is_some() && args.format != ReportFormat::Json {
        return Err(CliError::Usage("a shard's report needs `--format json`, which `cellog merge` reads".to_owned()));
    }
    let earlier = args.baseline.as_deref().map(Earlier::read).transpose()?;
    let rules = RuleStage::new(&args.rules, &args.relations, &parse_rule_checks(&args.checks))?;
    let templates = templates(args)?;
    let progress = Progress::new(args.quiet);
    let is_page = args.format == ReportFormat::Html;
    let plan = Plan::new(&args.input, &args.limits, &args.cache, &args.entry, &checks, rules.is_some() || is_page);
    let plan = plan.only(args.shard).with_summaries(templates);
    let plan = if is_page { plan.with_insight() } else { plan.with_whole_reports() };
    let (results, ended) = analyse(plan, &args.limits, &progress, rules);
    drop(progress);
    report(args, &checks, results, &ended, config, earlier.as_ref())
}

/// The rules for candidates, if loops are to be summarized.
fn templates(args: &CheckArgs) -> Result<Option<TemplateRules>, CliError> {
    match args.engine {
        CheckEngine::Summary => TemplateRules::new(&args.templates, Shipped::All),
        CheckEngine::Auto if args.templates.is_empty() => Ok(None),
        CheckEngine::Auto => Err(CliError::Usage("`--templates` needs `--engine summary`".to_owned())),
    }
}

/// Runs the stages of `plan`, then the rules if there are any, within the limits.
pub fn analyse(plan: Plan, limits: &LimitArgs, progress: &Progress, rules: Option<RuleStage>) -> (Results, Ended) {
    let clock = Arc::new(Clock::new(limits));
    let results = Arc::new(Mutex::new(Results::default()));
    let theirs = Arc::clone(&results);
    let ended = supervise(&clock, progress, move |clock| {
        plan.run(clock, &theirs);
        if let Some(rules) = rules {
            clock.enter(rule_stage::STAGE);
            rules.run(clock, &theirs, plan.cache(), plan.key(&theirs));
        }
    });
    let results = std::mem::take(&mut *results.lock().expect("holders of results do not panic"));
    (results, ended)
}

/// What was analysed, before comments and configuration have their say.
struct Judgement {
    analysis: Analysis,
    folders: Vec<PathBuf>,
    /// Whether every unit could be read.
    all_read: bool,
}

/// Judges, and tells about the input and the stages; an error where there is nothing to judge.
fn judgement(
    args: &CheckArgs,
    checks: &BTreeSet<CheckKind>,
    results: &mut Results,
    ended: &Ended,
) -> Result<Judgement, CliError> {
    if let Some(error) = results.failed.take() {
        if let Some(loaded) = &results.loaded {
            tell_about_input(&loaded.said(), args.verbose);
        }
        return Err(error);
    }
    let tell_remarks = |remarks: &[String]| remarks.iter().filter(|_| args.verbose).for_each(|r| tell(r));
    if let Some(whole) = results.whole.take() {
        if !args.quiet {
            tell_about_input(&whole.said(), args.verbose);
        }
        tell_remarks(&results.remarks);
        return Ok(Judgement { analysis: whole.analysis, folders: whole.folders, all_read: true });
    }
    let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else {
        return match ended {
            Ended::Panicked { .. } => Err(CliError::Told(ExitStatus::Internal)),
            Ended::Stopped { .. } => Err(CliError::Nothing(ended.why().unwrap_or_default())),
            Ended::Finished => Err(CliError::Internal("no program and no reason".to_owned())),
        };
    };
    if !args.quiet {
        tell_about_input(&loaded.said(), args.verbose);
    }
    tell_remarks(&results.remarks);
    let analysis = analysis(args, checks, loaded, start, results, ended);
    if let (Ended::Stopped { .. }, Some(why)) = (ended, ended.why()) {
        tell(&format!("cellog: {why}; the report has what was decided before"));
    }
    keep(args, &analysis, loaded, results);
    Ok(Judgement { analysis, folders: loaded.folders.clone(), all_read: loaded.unread.is_empty() })
}

/// Keeps the report for runs that ask for the same. That engines' results are not kept has been told where it is so.
fn keep(args: &CheckArgs, analysis: &Analysis, loaded: &Loaded, results: &Results) {
    let record = results.whole_key.as_ref().and_then(|key| Some((key, WholeRecord::of(analysis, loaded, results)?)));
    if let Some((key, record)) = record {
        let _ = Cache::new(&args.cache).put(key, &record);
    }
}

/// Judges, renders, and says how it ended.
fn report(
    args: &CheckArgs,
    checks: &BTreeSet<CheckKind>,
    mut results: Results,
    ended: &Ended,
    config: &Config,
    earlier: Option<&Earlier>,
) -> Result<ExitStatus, CliError> {
    let Judgement { mut analysis, folders, all_read } = judgement(args, checks, &mut results, ended)?;
    let mut excerpts = Excerpts::new(folders);
    settle(&mut analysis, config, earlier, &mut excerpts);
    if let Some(shard) = args.shard {
        shard.cut(&mut analysis);
    }
    // What a rule finds the user has asked to be told of.
    let by_rule = |f: &Finding| matches!(f.check, Check::Rule(_)) && f.standing.is_open();
    let definite = analysis.has_open(VerdictKind::Definite) || analysis.findings.iter().any(by_rule);
    // Rules come last: whatever stops the stages stops them.
    let rules_wanted = !args.rules.is_empty() || !parse_rule_checks(&args.checks).is_empty();
    let without_rules = results.rules_failed || (rules_wanted && matches!(ended, Ended::Stopped { .. }));
    let status = match ended {
        Ended::Panicked { .. } => ExitStatus::Internal,
        _ if definite => ExitStatus::Definite,
        _ if ended.is_interrupted() => ExitStatus::Interrupted,
        // Rules that were not run to their end might have found something.
        _ if without_rules => ExitStatus::Usage,
        // A file that could not be read must not look like a clean one.
        _ if !all_read => ExitStatus::Usage,
        _ => ExitStatus::Clean,
    };
    let text = render(&analysis, args, &mut excerpts, status);
    write_report(&text, args.output.as_deref())?;
    if args.verbose || (!args.quiet && std::io::stderr().is_terminal()) {
        tell(&results.times.to_string());
    }
    Ok(status)
}

/// One finding for every site of the chosen checks.
pub fn analysis(
    args: &CheckArgs,
    checks: &BTreeSet<CheckKind>,
    loaded: &Loaded,
    start: &Start,
    results: &Results,
    ended: &Ended,
) -> Analysis {
    let otherwise = match ended {
        Ended::Stopped { limit, stage } => Reason::Budget(format!("{limit}, reached while {stage}")),
        Ended::Panicked { stage } => Reason::Unsupported(format!("internal error while {stage}")),
        Ended::Finished => {
            results.silent.clone().unwrap_or_else(|| Reason::Unsupported("no engine judged this site".to_owned()))
        }
    };
    let (mut findings, contradictions, run) = judge_all(&loaded.program, results, &otherwise);
    if args.verbose {
        tell(&run.to_string());
    }
    contradictions.iter().for_each(|text| tell(text));
    findings.extend(results.found.iter().cloned());
    sort_findings(&mut findings);
    // Ids count all sites, so that they do not depend on the choice of checks.
    assign_ids(&mut findings);
    findings.retain(|f| match &f.check {
        Check::Site(kind) => checks.contains(kind),
        Check::Rule(_) => true,
    });
    Analysis {
        files: loaded.files.iter().map(|f| loaded.program.sources.shortened(f).to_owned()).collect(),
        entry: start_name(&loaded.program, start),
        arch: args.input.arch.name().to_owned(),
        findings,
        gaps: gaps(loaded),
        incomplete: ended.why(),
        excluded: 0,
        part: None,
        insight: results.insight.clone(),
    }
}

/// One finding for every site of the program, the contradictions between engines in words, and what the rules took.
pub fn judge_all(program: &Program, results: &Results, otherwise: &Reason) -> (Vec<Finding>, Vec<String>, RuleRun) {
    let weaknesses = weaknesses(program);
    let Judgements { judged, contradictions, run } = judge(program, &results.evidence(), otherwise);
    let finding = |(site, judged): (SiteId, Judged)| {
        let earlier = results.assumed.after_error.get(&site).into_iter().flatten();
        let after_error = earlier.map(|site| verdict::Earlier::new(program, *site)).collect();
        let finding = Finding::new(program, site, judged.verdict, judged.engine);
        Finding { weakness: weaknesses[site], after_error, ..finding }
    };
    let findings = program.sites.indices().zip(judged).map(finding).collect();
    let told = contradictions.iter().map(|contradiction| {
        let place = program.sources.describe(program.sites[contradiction.site].span);
        format!(
            "cellog: internal contradiction: {} claims `{}` at {place}, where a run errs; please report it",
            contradiction.engine, contradiction.claimed
        )
    });
    (findings, told.collect(), run)
}
