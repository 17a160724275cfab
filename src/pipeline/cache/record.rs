//! The results of engines and of rules, as they are kept.

use super::remarks::{REMARK, own};
use crate::base::Idx;
use crate::engines::backward::Grown;
use crate::engines::evidence::Assumed;
use crate::engines::forward::{Unfollowed, ValueAt};
use crate::ir::{Program, SiteId};
use crate::pipeline::results::Results;
use crate::pipeline::rules::findings::RULES;
use crate::verdict::{Check, Doubt, Erring, Finding, Judged, Location, Reason, Verdict};
use serde::{Deserialize, Serialize};

/// What engines say of a program.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Record {
    over: Vec<(SiteId, Verdict, String)>,
    runs: Vec<(SiteId, Erring, String)>,
    silent: Option<Reason>,
    values: Vec<ValueAt>,
    boxes: Vec<(SiteId, Grown)>,
    assumed: Assumed,
    remarks: Vec<String>,
    /// The time limit that was not enough to decide all that there was to decide, if it was not.
    starved_in: Option<f64>,
}

/// The engines that [`Results`] name.
const ENGINES: [&str; 5] = ["forward", "search", "backward", "summary", "none"];

impl Record {
    /// What `results` have from engines.
    pub fn of(results: &Results) -> Record {
        // Every field is named, so that none is forgotten: the program is read again, and rules have records of their own.
        let Results {
            failed: _,
            loaded: _,
            start: _,
            over,
            runs,
            silent,
            values,
            found: _,
            rules_failed: _,
            remarks,
            boxes,
            assumed,
            starved_in,
            times: _,
            whole: _,
            whole_key: _,
            insight: _,
        } = results;
        Record {
            over: over.iter().map(|(s, j)| (*s, j.verdict.clone(), j.engine.to_owned())).collect(),
            runs: runs.iter().map(|(s, (erring, engine))| (*s, erring.clone(), (*engine).to_owned())).collect(),
            silent: silent.clone(),
            values: values.clone(),
            boxes: boxes.iter().map(|(s, g)| (*s, g.clone())).collect(),
            assumed: assumed.clone(),
            remarks: own(remarks),
            starved_in: *starved_in,
        }
    }

    /// Whether more could be decided in so many `seconds`.
    pub fn wants(&self, seconds: f64) -> bool {
        self.starved_in.is_some_and(|had| seconds > had)
    }

    /// Changes all verdicts that it has, which say where things stand; None when one cannot be changed.
    pub fn change(
        &mut self,
        verdicts: impl Fn(&mut Verdict) -> Option<()>,
        runs: impl Fn(&mut Erring) -> Option<()>,
        doubts: impl Fn(&mut Doubt) -> Option<()>,
    ) -> Option<()> {
        self.over.iter_mut().try_for_each(|(_, verdict, _)| verdicts(verdict))?;
        self.assumed.doubts.values_mut().try_for_each(doubts)?;
        self.runs.iter_mut().try_for_each(|(_, erring, _)| runs(erring))
    }

    /// Hands it over to `results`, if it is about `program`.
    pub fn restore(self, program: &Program, results: &mut Results) -> bool {
        let is_site = |site: &SiteId| (site.0 as usize) < program.sites.len();
        let name = |text: &str| ENGINES.iter().find(|name| **name == text).copied();
        let judged = |(site, verdict, engine): (SiteId, Verdict, String)| {
            Some((site, Judged { verdict, engine: name(&engine)? })).filter(|(site, _)| is_site(site))
        };
        let erring = |(site, erring, engine): (SiteId, Erring, String)| {
            Some((site, (erring, name(&engine)?))).filter(|(site, _)| is_site(site))
        };
        let over: Option<_> = self.over.into_iter().map(judged).collect();
        let runs: Option<_> = self.runs.into_iter().map(erring).collect();
        let (Some(over), Some(runs)) = (over, runs) else { return false };
        let Assumed { never_passed, open_past_errors, after_error, unfollowed, doubts } = &self.assumed;
        let assumed = after_error.iter().flat_map(|(site, earlier)| earlier.iter().chain([site]));
        let assumed = assumed.chain(never_passed).chain(open_past_errors).chain(unfollowed.keys()).chain(doubts.keys());
        let is_call = |unfollowed: &Unfollowed| unfollowed.call.is_none_or(|call| call.index() < program.calls.len());
        if !self.boxes.iter().map(|(site, _)| site).chain(assumed).all(is_site) || !unfollowed.values().all(is_call) {
            return false;
        }
        results.assumed = self.assumed;
        results.boxes = self.boxes.into_iter().collect();
        results.over = over;
        results.runs = runs;
        results.starved_in = self.starved_in;
        results.silent = self.silent;
        results.values = self.values;
        results.remarks = self.remarks;
        results.remarks.push(REMARK.to_owned());
        true
    }
}

/// What a rule found.
#[derive(Debug, Serialize, Deserialize)]
pub struct RuleRecord {
    rule: String,
    location: Location,
    function: String,
    subject: String,
    verdict: Verdict,
}

impl RuleRecord {
    /// What `finding` is; None unless a rule found it.
    pub fn of(finding: &Finding) -> Option<RuleRecord> {
        let Check::Rule(rule) = &finding.check else { return None };
        Some(RuleRecord {
            rule: rule.clone(),
            location: finding.location.clone(),
            function: finding.function.clone(),
            subject: finding.subject.clone(),
            verdict: finding.verdict.clone(),
        })
    }
}

impl From<RuleRecord> for Finding {
    fn from(record: RuleRecord) -> Finding {
        let RuleRecord { rule, location, function, subject, verdict } = record;
        Finding::at(Check::Rule(rule), location, &function, &subject, verdict, RULES)
    }
}
