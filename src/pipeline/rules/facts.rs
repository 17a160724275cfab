//! The facts that questions are asked to: those of the program's text, and what engines have found.

use crate::engines::forward::Start;
use crate::engines::invariant::template::Templates;
use crate::engines::results::{Outcome, state_loops, state_results, state_verification};
use crate::facts::{Emitted, catalog, column, emit, row};
use crate::ir::Program;
use crate::pipeline::error::Error;
use crate::pipeline::listener::{Listener, Nobody};
use crate::pipeline::loops::summarize_loops;
use crate::pipeline::profile::Profile;
use crate::pipeline::results::{Results, judge_all};
use crate::pipeline::standing::config::Config;
use crate::pipeline::standing::decisions::{state_decisions, state_finding, state_site};
use crate::pipeline::verification::verification_from;
use crate::report::Excerpts;
use crate::verdict::{Reason, assign_ids, sort_findings};
use std::path::PathBuf;
use std::time::Duration;

/// The groups of relations that engines write: verdicts and what leads to them, and what is known of loops.
const RESULTS: &str = "results";
const LOOPS: &str = "loops";
const VERIFICATION: &str = "verification";
/// The group that says what the project has decided about findings.
const STANDING: &str = "standing";

/// What facts are wanted besides those of the program's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What `check` finds.
    pub results: bool,
    /// What the project has decided about that.
    pub standing: bool,
    /// What `summarize` finds.
    pub loops: bool,
    /// What `verify` finds.
    pub verification: bool,
}

impl Wanted {
    /// Everything.
    pub const ALL: Wanted = Wanted { results: true, standing: true, loops: true, verification: true };

    /// What is needed for these relations.
    pub fn by<'n>(relations: impl IntoIterator<Item = &'n str>) -> Wanted {
        let mut wanted = Wanted::default();
        for name in relations {
            let group = catalog().iter().find(|r| r.name == name).map(|r| r.group);
            wanted.standing |= group == Some(STANDING);
            wanted.results |= group == Some(RESULTS) || group == Some(STANDING);
            wanted.loops |= group == Some(LOOPS);
            wanted.verification |= group == Some(VERIFICATION);
        }
        wanted
    }

    /// Whether this includes all of `other`.
    pub fn covers(self, other: Wanted) -> bool {
        self.and(other) == self
    }

    /// What either wants.
    pub fn and(self, other: Wanted) -> Wanted {
        Wanted {
            results: self.results || other.results,
            standing: self.standing || other.standing,
            loops: self.loops || other.loops,
            verification: self.verification || other.verification,
        }
    }
}

/// The facts of `program`, in which executions begin at `start`, and what the engines found so far.
pub fn emit_results(program: &Program, start: &Start, results: &Results) -> Emitted {
    let mut emitted = emit(program);
    for entry in start.functions().iter().filter(|entry| program.functions[**entry].name != "main") {
        let function = column::Function(emitted.names.function(*entry));
        emitted.facts.entry_function.push(row::EntryFunction { function });
    }
    let otherwise = results.silent.clone().unwrap_or_else(unjudged);
    let (findings, ..) = judge_all(program, results, &otherwise);
    let outcome = Outcome { findings: &findings, evidence: results.evidence(), values: &results.values };
    state_results(program, &emitted.names, &outcome, &mut emitted.facts);
    emitted
}

/// Adds the findings of `program` by their ids, and what `config` and comments in its sources, which may lie in `folders`, say of them.
pub fn add_standing(program: &Program, results: &Results, config: &Config, folders: &[PathBuf], emitted: &mut Emitted) {
    let otherwise = results.silent.clone().unwrap_or_else(unjudged);
    let (mut findings, ..) = judge_all(program, results, &otherwise);
    sort_findings(&mut findings);
    assign_ids(&mut findings);
    for finding in &findings {
        state_finding(finding, &mut emitted.facts);
        if let Some(site) = finding.site {
            let name = emitted.names.site(program.sites[site].function, site);
            state_site(finding, column::CheckSite(name), &mut emitted.facts);
        }
    }
    state_decisions(&findings, config, &mut Excerpts::new(folders.to_vec()), &mut emitted.facts);
}

fn unjudged() -> Reason {
    Reason::Unsupported("no engine judged this site".to_owned())
}

/// Adds what is `wanted` of the program's loops and of its verification to its facts.
pub fn add_engines(
    program: &Program,
    start: &Start,
    wanted: Wanted,
    (time, profile): (Duration, &Profile),
    listener: &dyn Listener,
    emitted: &mut Emitted,
) -> Result<(), Error> {
    if !wanted.loops && !wanted.verification {
        return Ok(());
    }
    let Start::Function(entry) = start else {
        listener.tell("cellog: loops and errors are judged from one entry: name it to have what is known of them");
        return Ok(());
    };
    if wanted.loops {
        let summary = summarize_loops(program, *entry, (Templates::NONE, None), (time, profile), &Nobody)?;
        state_loops(&emitted.names, &summary, &mut emitted.facts);
    }
    if wanted.verification {
        let found = verification_from(program, *entry, (time, profile))?;
        state_verification(&emitted.names, &found, &mut emitted.facts);
    }
    Ok(())
}
