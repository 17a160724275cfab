//! What the passes have handed over so far, and the findings that follow from it.

use super::cache::key::Key;
use super::cache::whole::Whole;
use super::error::Error;
use super::sources::Loaded;
use super::times::Times;
use crate::engines::backward::Grown;
use crate::engines::evidence::{Assumed, Evidence, Over, Runs};
use crate::engines::forward::{Start, ValueAt};
use crate::engines::judge::{Judgements, judge};
use crate::ir::{Program, SiteId};
use crate::memory::RuleRun;
use crate::verdict::{self, Access, Cause, Finding, Insight, Judged, Reason, VerdictKind, locate, weaknesses};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the passes have handed over so far.
#[derive(Debug, Default)]
pub struct Results {
    /// A reason to stop with nothing.
    pub failed: Option<Error>,
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
    /// The time limit, in seconds, if some pass had no time left and might have decided more.
    pub starved_in: Option<f64>,
    /// What is known of variables and loops, if it was asked for.
    pub insight: Option<Insight>,
    /// What the passes have taken.
    pub times: Times,
    /// What the passes have to say of themselves, for those who want to know.
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

/// One finding for every site of the program, the contradictions between engines in words, and what the rules took.
pub fn judge_all(program: &Program, results: &Results, otherwise: &Reason) -> (Vec<Finding>, Vec<String>, RuleRun) {
    let weaknesses = weaknesses(program);
    let Judgements { judged, contradictions, first_checks, causes, mut ranks, run } =
        judge(program, &results.evidence(), otherwise);
    let mut finding = |(site, judged): (SiteId, Judged)| {
        let earlier = results.assumed.after_error.get(&site).into_iter().flatten();
        let after_error = earlier.map(|site| verdict::Earlier::new(program, *site)).collect();
        let finding = Finding::new(program, site, judged.verdict, judged.engine);
        let access = first_checks.get(&site).map(|first| Access::new(*first));
        let cause = causes.get(&site).map(|(reason, call)| Cause {
            reason: reason.clone(),
            location: call.map(|call| locate(program, program.calls[call].span)),
        });
        let is_possible = finding.verdict.kind() == VerdictKind::Possible && finding.engine == "forward";
        let doubt = results.assumed.doubts.get(&site).filter(|_| is_possible).cloned();
        let rank = ranks.remove(&site);
        Finding { weakness: weaknesses[site], after_error, access, cause, doubt, rank, ..finding }
    };
    let findings = program.sites.indices().zip(judged).map(&mut finding).collect();
    let told = contradictions.iter().map(|contradiction| {
        let place = program.sources.describe(program.sites[contradiction.site].span);
        format!(
            "cellog: internal contradiction: {} claims `{}` at {place}, where a run errs; please report it",
            contradiction.engine, contradiction.claimed
        )
    });
    (findings, told.collect(), run)
}
