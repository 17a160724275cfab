//! The results of engines and of rules, as they are kept.

use crate::cli::check::Results;
use crate::cli::rule_findings::RULES;
use crate::engines::backward::Grown;
use crate::engines::forward::ValueAt;
use crate::ir::{Program, SiteId};
use crate::verdict::{Check, Erring, Finding, Judged, Location, Reason, Standing, Verdict};
use serde::{Deserialize, Serialize};

/// What engines say of a program.
#[derive(Debug, Serialize, Deserialize)]
pub struct Record {
    over: Vec<(SiteId, Verdict, String)>,
    runs: Vec<(SiteId, Erring, String)>,
    silent: Option<Reason>,
    values: Vec<ValueAt>,
    boxes: Vec<(SiteId, Grown)>,
    remarks: Vec<String>,
}

/// What those are told who want to know.
const REMARK: &str = "these are the results of an earlier run, of which nothing has changed";

/// The engines that [`Results`] name.
const ENGINES: [&str; 4] = ["forward", "search", "backward", "none"];

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
        } = results;
        Record {
            over: over.iter().map(|(s, j)| (*s, j.verdict.clone(), j.engine.to_owned())).collect(),
            runs: runs.iter().map(|(s, (erring, engine))| (*s, erring.clone(), (*engine).to_owned())).collect(),
            silent: silent.clone(),
            values: values.clone(),
            boxes: boxes.iter().map(|(s, g)| (*s, g.clone())).collect(),
            remarks: remarks.clone(),
        }
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
        if !self.boxes.iter().all(|(site, _)| is_site(site)) {
            return false;
        }
        results.boxes = self.boxes.into_iter().collect();
        results.over = over;
        results.runs = runs;
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
        Finding {
            id: String::new(),
            site: None,
            check: Check::Rule(record.rule),
            location: record.location,
            function: record.function,
            subject: record.subject,
            verdict: record.verdict,
            engine: RULES.to_owned(),
            weakness: None,
            standing: Standing::default(),
        }
    }
}
