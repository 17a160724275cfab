//! The front door: a check from its sources to a report.

use super::cache::whole::WholeRecord;
use super::clock::{Clock, Ended, supervise};
use super::error::Error;
use super::listener::{Listener, Nobody};
use super::passes::ground::Ground;
use super::passes::list::run_passes;
use super::profile::Profile;
use super::request::Request;
use super::results::{Results, judge_all};
use super::sources::entry::start_name;
use super::sources::gaps::gaps;
use super::sources::named::model_name;
use super::sources::{Loaded, Sources};
use super::standing::baseline::Earlier;
use super::standing::config::Config;
use super::standing::settle::settle;
use crate::engines::forward::Start;
use crate::verdict::{Analysis, Check, Finding, Reason, VerdictKind, assign_ids, sort_findings};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// What came of a check.
#[derive(Debug)]
pub struct Report {
    /// The findings as they stand, and what they do not cover.
    pub analysis: Analysis,
    /// What the findings were made of.
    pub results: Results,
    /// Folders that names of files may be relative to.
    pub folders: Vec<PathBuf>,
    /// How the passes ended.
    pub ended: Ended,
    /// Whether every unit could be read.
    pub all_read: bool,
    /// Whether all rules that were asked for were run to their end.
    pub all_rules: bool,
}

impl Report {
    /// Whether something is definite, or found by a rule that the user has asked for, and neither suppressed nor known before.
    pub fn has_findings(&self) -> bool {
        let by_rule = |f: &Finding| matches!(f.check, Check::Rule(_)) && f.standing.is_open();
        self.analysis.has_open(VerdictKind::Definite) || self.analysis.findings.iter().any(by_rule)
    }
}

/// Checks `sources` from `main` for what C leaves undefined, within the bounds of `profile`.
///
/// ```
/// use cellog::pipeline::{Profile, Sources, check};
/// use cellog::verdict::VerdictKind;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("tenth.c");
/// std::fs::write(&file, "int main(int argc, char **argv) { return 10 / (argc - 1); }")?;
///
/// let sources = Sources::of_files(vec![file.display().to_string()]);
/// let report = check(&sources, &Profile::default())?;
/// let definite = report.analysis.findings.iter().find(|finding| finding.verdict.kind() == VerdictKind::Definite);
/// assert_eq!(definite.map(|finding| finding.check.name()), Some("div-by-zero"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Nothing could be read, or analysed, within the limits: see [`Error`].
pub fn check(sources: &Sources, profile: &Profile) -> Result<Report, Error> {
    Request::new(sources.clone(), profile.clone()).check(Arc::new(Nobody))
}

impl Request {
    /// Runs all passes, and makes a report of what they find. What is kept of an earlier run may be that report.
    ///
    /// # Errors
    /// As [`check`]; what is wrong with the input has been told to `listener`.
    pub fn check(self, listener: Arc<dyn Listener>) -> Result<Report, Error> {
        let whole = !self.values && !self.insight && self.shard.is_none() && self.cache.is_there();
        let (request, mut results, ended) = run(self, whole, Arc::clone(&listener));
        let (analysis, folders, all_read) = judgement(&request, &mut results, &ended, &*listener)?;
        // Rules come last: whatever stops the passes stops them.
        let stopped = request.rules.is_some() && matches!(ended, Ended::Stopped { .. });
        let all_rules = !results.rules_failed && !stopped;
        let mut report = Report { analysis, results, folders, ended, all_read, all_rules };
        settle_report(&mut report, &request.config, request.earlier.as_ref(), &*listener);
        request.change.iter().for_each(|change| change.restrict(&mut report.analysis, &report.folders, &*listener));
        if let Some(shard) = request.shard {
            shard.cut(&mut report.analysis);
        }
        Ok(report)
    }

    /// Runs all passes, for those who want what they hand over.
    pub fn analyse(self, listener: Arc<dyn Listener>) -> (Results, Ended) {
        let (_, results, ended) = run(self, false, listener);
        (results, ended)
    }
}

/// Applies what the project has settled to the findings of a report.
pub fn settle_report(report: &mut Report, config: &Config, earlier: Option<&Earlier>, listener: &dyn Listener) {
    settle(&mut report.analysis, config, earlier, &report.folders, listener);
}

/// Runs the passes within the limits; `whole`: a report of an earlier run will do.
fn run(request: Request, whole: bool, listener: Arc<dyn Listener>) -> (Arc<Request>, Results, Ended) {
    let clock = Arc::new(Clock::new(&request.profile.run, listener));
    let results = Arc::new(Mutex::new(Results::default()));
    let request = Arc::new(request);
    let (theirs, asked) = (Arc::clone(&results), Arc::clone(&request));
    let ended = supervise(&clock, move |clock| {
        let ground = Ground::new(asked, whole, Arc::clone(clock), Arc::clone(&theirs));
        if let Err(error) = run_passes(&ground) {
            ground.results().failed = Some(error);
        }
    });
    let results = std::mem::take(&mut *results.lock().expect("holders of results do not panic"));
    (request, results, ended)
}

/// Judges, and tells about the input and the passes: what was analysed, before comments and configuration have their say, the
/// folders of the sources, and whether all of them were read. An error where there is nothing to judge.
fn judgement(
    request: &Request,
    results: &mut Results,
    ended: &Ended,
    listener: &dyn Listener,
) -> Result<(Analysis, Vec<PathBuf>, bool), Error> {
    if let Some(error) = results.failed.take() {
        if let Some(loaded) = &results.loaded {
            listener.input(&loaded.said(), true);
        }
        return Err(error);
    }
    if let Some(whole) = results.whole.take() {
        listener.input(&whole.said(), false);
        results.remarks.iter().for_each(|remark| listener.remark(remark));
        return Ok((whole.analysis, whole.folders, true));
    }
    let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else { return Err(ended.without_program()) };
    listener.input(&loaded.said(), false);
    results.remarks.iter().for_each(|remark| listener.remark(remark));
    let analysis = analysis(request, loaded, start, results, ended, listener);
    if let (Ended::Stopped { .. }, Some(why)) = (ended, ended.why()) {
        listener.tell(&format!("cellog: {why}; the report has what was decided before"));
    }
    keep(request, &analysis, loaded, results);
    Ok((analysis, loaded.folders.clone(), loaded.unread.is_empty()))
}

/// Keeps the report for runs that ask for the same. That engines' results are not kept has been told where it is so.
fn keep(request: &Request, analysis: &Analysis, loaded: &Loaded, results: &Results) {
    let Some(key) = &results.whole_key else { return };
    if let Some(record) = WholeRecord::of(analysis, loaded, &results.remarks, results.starved_in) {
        let _ = request.cache.put(key, &record);
    }
}

/// One finding for every site of the chosen checks.
fn analysis(
    request: &Request,
    loaded: &Loaded,
    start: &Start,
    results: &Results,
    ended: &Ended,
    listener: &dyn Listener,
) -> Analysis {
    let otherwise = match ended {
        Ended::Stopped { limit, stage } => Reason::Budget(format!("{limit}, reached while {stage}")),
        Ended::Panicked { stage } => Reason::Unsupported(format!("internal error while {stage}")),
        Ended::Finished => {
            results.silent.clone().unwrap_or_else(|| Reason::Unsupported("no engine judged this site".to_owned()))
        }
    };
    let (mut findings, contradictions, run) = judge_all(&loaded.program, results, &otherwise);
    listener.remark(&run.to_string());
    contradictions.iter().for_each(|text| listener.tell(text));
    findings.extend(results.found.iter().cloned());
    sort_findings(&mut findings);
    // Ids count all sites, so that they do not depend on the choice of checks.
    assign_ids(&mut findings);
    findings.retain(|f| match &f.check {
        Check::Site(kind) => request.checks.contains(kind),
        Check::Rule(_) => true,
    });
    Analysis {
        files: loaded.files.iter().map(|f| loaded.program.sources.shortened(f).to_owned()).collect(),
        entry: start_name(&loaded.program, start),
        arch: model_name(request.sources.model).to_owned(),
        findings,
        gaps: gaps(loaded),
        incomplete: ended.why(),
        excluded: 0,
        untouched: None,
        mendings: Vec::new(),
        part: None,
        insight: results.insight.clone(),
    }
}
