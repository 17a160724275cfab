//! An analysis as a SARIF log.
//!
//! What is definite fails; what is possible asks for a person's review; what is unknown is open; what is safe or
//! unreachable passes and is listed on demand only.

use super::log::*;
use super::rules::{INCOMPLETE, LEFT_OUT, gap_id, reference, text, tool_and_taxonomy};
use super::uri::file_uri;
use crate::report::Excerpts;
use crate::verdict::{
    self, Analysis, Baseline, Check, Failure, Gap, GapKind, StepKind, SuppressedBy, Verdict, VerdictKind,
};
use std::collections::BTreeSet;

/// Results that code hosts take of one run.
const RESULTS: usize = 25_000;
/// Bytes of a log that they take.
const BYTES: usize = 10 << 20;

/// How a log comes to be.
#[derive(Clone, Debug, Default)]
pub struct SarifOptions {
    /// Safe and unreachable sites too.
    pub verbose: bool,
    /// Definite findings alone.
    pub quiet: bool,
    /// The words of the command line, without the program's name.
    pub arguments: Vec<String>,
    /// How the process will end.
    pub exit_code: u8,
}

/// The log, ending in a newline. What is more than code hosts take is left out, the last by rank first, and the log says so.
pub fn render_sarif(analysis: &Analysis, excerpts: &mut Excerpts, options: &SarifOptions) -> String {
    let mut most = RESULTS;
    loop {
        let (log, results) = render_most(analysis, excerpts, options, most);
        if log.len() <= BYTES || results <= 1 {
            return log;
        }
        // Results are of about one length: a little fewer than would fill the room.
        most = (results * (BYTES / 1024) / (log.len() / 1024 + 1) * 15 / 16).clamp(1, results - 1);
    }
}

/// The log of at most `most` findings, those that are worth a look first, and how many it has.
fn render_most(analysis: &Analysis, excerpts: &mut Excerpts, options: &SarifOptions, most: usize) -> (String, usize) {
    let mut shown: Vec<&verdict::Finding> =
        analysis.findings.iter().filter(|f| f.verdict.kind().is_shown(options.verbose, options.quiet)).collect();
    let all = shown.len();
    if all > most {
        let rank = |f: &verdict::Finding| (f.verdict.kind(), f.rank.as_ref().map_or(i64::MAX, |r| r.rank));
        let mut ranks: Vec<_> = shown.iter().map(|f| rank(f)).collect();
        ranks.sort();
        let last = ranks[most - 1];
        // Of those of the last rank, the first as they stand.
        let mut room = most - ranks.iter().filter(|rank| **rank < last).count();
        shown.retain(|f| rank(f) < last || rank(f) == last && fits(&mut room));
    }
    let checks: BTreeSet<&Check> = analysis.findings.iter().map(|f| &f.check).collect();
    let checks: Vec<&Check> = checks.into_iter().collect();
    // Rules refer to the general weakness of a check, results to that of their site.
    let used: BTreeSet<_> =
        checks.iter().filter_map(|c| c.weakness()).chain(shown.iter().filter_map(|f| f.weakness)).collect();
    let (tool, taxonomy) = tool_and_taxonomy(&checks, &used.into_iter().collect::<Vec<_>>());
    let mut places = Places { excerpts };
    let fixes = |f: &verdict::Finding| analysis.mendings.iter().filter(|m| m.finding == f.id).map(fix).collect();
    let results = shown.iter().map(|f| Finding { fixes: fixes(f), ..places.finding(f, &checks) }).collect();
    let gaps = analysis.gaps.iter().map(|g| places.gap(g));
    let notifications = gaps.chain(incomplete(analysis)).chain(left_out(all, shown.len())).collect();
    let invocation = Invocation {
        execution_successful: options.exit_code <= 1,
        exit_code: options.exit_code,
        arguments: options.arguments.clone(),
        tool_execution_notifications: notifications,
    };
    let files: BTreeSet<&String> = analysis.files.iter().collect();
    let log = Log {
        schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        version: "2.1.0",
        runs: vec![Run {
            tool,
            taxonomies: vec![taxonomy],
            invocations: vec![invocation],
            artifacts: files.into_iter().map(|f| Artifact { location: artifact(f) }).collect(),
            column_kind: "unicodeCodePoints",
            results,
        }],
    };
    let mut out = serde_json::to_string_pretty(&log).expect("strings and numbers always serialize");
    out.push('\n');
    (out, shown.len())
}

/// Takes one of `room`, if there is any.
fn fits(room: &mut usize) -> bool {
    let left = room.checked_sub(1);
    *room = left.unwrap_or(0);
    left.is_some()
}

/// Says that the log has `shown` findings of `all` only.
fn left_out(all: usize, shown: usize) -> Option<Notification> {
    let why =
        format!("{} of {all} results are left out, those of the last rank, since code hosts take no more", all - shown);
    (shown < all).then(|| Notification {
        descriptor: RuleReference { id: LEFT_OUT.to_owned(), tool_component: None },
        level: "warning",
        message: text(&why),
        locations: Vec::new(),
    })
}

fn artifact(file: &str) -> ArtifactLocation {
    ArtifactLocation { uri: file_uri(file) }
}

fn incomplete(analysis: &Analysis) -> Option<Notification> {
    let why = analysis.incomplete.as_ref()?;
    Some(Notification {
        descriptor: RuleReference { id: INCOMPLETE.to_owned(), tool_component: None },
        level: "warning",
        message: text(&format!("{why}; what was not decided before is unknown")),
        locations: Vec::new(),
    })
}

/// Turns what lies in files into SARIF; reads the files for exact columns.
struct Places<'a> {
    excerpts: &'a mut Excerpts,
}

impl Places<'_> {
    fn finding(&mut self, finding: &verdict::Finding, checks: &[&Check]) -> Finding {
        let (kind, level) = match finding.verdict.kind() {
            VerdictKind::Definite => ("fail", "error"),
            VerdictKind::Possible => ("review", "none"),
            VerdictKind::Unknown => ("open", "none"),
            VerdictKind::Unreachable | VerdictKind::Safe => ("pass", "none"),
        };
        let mut location = self.location(&finding.location, &finding.subject);
        location.logical_locations = vec![LogicalLocation { name: finding.function.clone(), kind: "function" }];
        let failure = match &finding.verdict {
            Verdict::Definite(failure) => Some(failure),
            _ => None,
        };
        Finding {
            rule_id: finding.check.name().to_owned(),
            rule_index: checks.iter().position(|c| **c == finding.check).expect("every finding's check is listed"),
            kind,
            level,
            message: text(&message(finding)),
            locations: vec![location],
            partial_fingerprints: Fingerprints { id: finding.id.clone() },
            code_flows: failure.filter(|f| !f.trace.is_empty()).map(|f| self.code_flow(f)).into_iter().collect(),
            fixes: Vec::new(),
            suppressions: finding.standing.suppression.as_ref().map(suppression).into_iter().collect(),
            baseline_state: finding.standing.baseline.map(|b| match b {
                Baseline::New => "new",
                Baseline::Known => "unchanged",
                Baseline::Worse => "updated",
            }),
            taxa: finding.weakness.map(reference).into_iter().collect(),
            properties: Properties {
                verdict: finding.verdict.kind().name(),
                engine: finding.engine.clone(),
                replayed: failure.is_some_and(|f| f.replayed),
                group: finding.access.as_ref().map(|access| access.id.clone()),
                after_error: finding.after_error.iter().map(|e| e.id.clone()).collect(),
                rank: finding.rank.as_ref().map(|rank| rank.rank),
                cause: finding.rank.as_ref().map(|rank| rank.cause.clone()).filter(|cause| !cause.is_empty()),
            },
        }
    }

    fn code_flow(&mut self, failure: &Failure) -> CodeFlow {
        let mut depth: u32 = 0;
        let mut steps = Vec::new();
        for step in &failure.trace {
            if step.kind == StepKind::Return {
                depth = depth.saturating_sub(1);
            }
            let mut location = self.location(&step.location, "");
            location.message = Some(text(&step.text));
            let importance = match step.kind {
                StepKind::Error | StepKind::Input => "essential",
                StepKind::Branch | StepKind::Call => "important",
                StepKind::Return | StepKind::Omission => "unimportant",
            };
            steps.push(FlowStep { location, nesting_level: depth, importance });
            if step.kind == StepKind::Call {
                depth += 1;
            }
        }
        CodeFlow { message: text("An execution that errs"), thread_flows: vec![ThreadFlow { locations: steps }] }
    }

    fn gap(&mut self, gap: &Gap) -> Notification {
        let level = match gap.kind {
            GapKind::File | GapKind::Function => "error",
            GapKind::Construct => "warning",
            GapKind::External | GapKind::Contract => "note",
        };
        Notification {
            descriptor: RuleReference { id: gap_id(gap), tool_component: None },
            level,
            message: text(&gap.what),
            locations: vec![self.location(&gap.location, "")],
        }
    }

    fn location(&mut self, place: &verdict::Location, subject: &str) -> Location {
        let region = (place.line > 0).then(|| {
            let columns = self.excerpts.columns(&place.file, place.line, place.column, subject);
            let start_column = columns.as_ref().map(|c| c.start).or((place.column > 0).then_some(place.column));
            Region { start_line: place.line, start_column, end_column: columns.map(|c| c.end) }
        });
        // `<builtin>` and the like are no files.
        let physical_location = (!place.file.starts_with('<'))
            .then(|| PhysicalLocation { artifact_location: artifact(&place.file), region });
        Location { physical_location, logical_locations: Vec::new(), message: None }
    }
}

fn fix(mending: &verdict::Mending) -> Fix {
    let replacement = |replacement: &verdict::Replacement| Replacement {
        deleted_region: DeletedRegion {
            start_line: replacement.start.0,
            start_column: replacement.start.1,
            end_line: replacement.end.0,
            end_column: replacement.end.1,
        },
        inserted_content: text(&replacement.text),
    };
    let replacements = mending.replacements.iter().map(replacement).collect();
    let change = ArtifactChange { artifact_location: artifact(&mending.file), replacements };
    Fix { description: text(&mending.title), artifact_changes: vec![change] }
}

fn suppression(suppression: &verdict::Suppression) -> Suppression {
    let kind = match suppression.by {
        SuppressedBy::Comment => "inSource",
        SuppressedBy::Configuration => "external",
    };
    Suppression { kind, justification: suppression.reason.clone() }
}

/// What goes wrong, and for which inputs or why it is not decided.
fn message(finding: &verdict::Finding) -> String {
    let message = finding.message();
    match &finding.verdict {
        Verdict::Definite(failure) if failure.precondition.is_empty() => format!("{message}, whatever the inputs are"),
        Verdict::Definite(failure) => {
            let home = &finding.location.file;
            let inputs: Vec<String> = failure.precondition.iter().map(|i| i.clause(home)).collect();
            format!("{message}, when {}", inputs.join("; "))
        }
        Verdict::Possible(state) => {
            format!("{message} could not be excluded: {}", finding.because().unwrap_or_else(|| state.clone()))
        }
        Verdict::Unknown(reason) => format!("{message} is not decided: {reason}"),
        Verdict::Unreachable(certificate) | Verdict::Safe(certificate) => {
            format!("{message} is excluded: {}", certificate.invariant)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::{SOURCE, sample};

    fn log(options: &SarifOptions) -> serde_json::Value {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(dir.path().join("a.c"), SOURCE).expect("a file");
        let mut excerpts = Excerpts::new(vec![dir.path().to_owned()]);
        serde_json::from_str(&render_sarif(&sample(), &mut excerpts, options)).expect("JSON")
    }

    fn kinds(log: &serde_json::Value) -> Vec<&str> {
        let results = log["runs"][0]["results"].as_array().expect("a list");
        results.iter().filter_map(|r| r["kind"].as_str()).collect()
    }

    #[test]
    fn verdicts_become_kinds_of_results() {
        assert_eq!(kinds(&log(&SarifOptions::default())), ["open", "fail", "review"]);
        assert_eq!(kinds(&log(&SarifOptions { quiet: true, ..SarifOptions::default() })), ["fail"]);
        assert_eq!(
            kinds(&log(&SarifOptions { verbose: true, ..SarifOptions::default() })),
            ["open", "fail", "pass", "review", "pass"]
        );
    }

    #[test]
    fn what_is_more_than_hosts_take_is_left_out_by_rank_and_said() {
        let analysis = sample();
        let (log, results) = render_most(&analysis, &mut Excerpts::default(), &SarifOptions::default(), 2);
        let log: serde_json::Value = serde_json::from_str(&log).expect("JSON");
        assert_eq!((kinds(&log), results), (vec!["fail", "review"], 2));
        let notifications = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        let told = notifications.as_array().expect("a list").iter().filter(|n| n["descriptor"]["id"] == LEFT_OUT);
        let told: Vec<&str> = told.filter_map(|n| n["message"]["text"].as_str()).collect();
        assert_eq!(told, ["1 of 3 results are left out, those of the last rank, since code hosts take no more"]);
    }

    #[test]
    fn rules_have_a_level_and_a_severity() {
        let log = log(&SarifOptions::default());
        let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("a list");
        for rule in rules {
            assert_eq!(rule["defaultConfiguration"]["level"], "error", "{rule}");
            let secure = rule["properties"]["tags"].as_array().expect("a list").iter().any(|tag| tag == "security");
            assert_eq!(rule["properties"].get("security-severity").is_some(), secure, "{rule}");
        }
    }

    #[test]
    fn a_failing_result_has_region_flow_fingerprint_and_weakness() {
        let log = log(&SarifOptions::default());
        let result = &log["runs"][0]["results"][1];
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region, &serde_json::json!({ "startLine": 3, "startColumn": 17, "endColumn": 21 }));
        assert_eq!(result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().map(Vec::len), Some(1));
        assert_eq!(result["partialFingerprints"]["cellogFinding/v1"], "b9f27d21cb8ae53f");
        assert_eq!(result["taxa"][0]["id"], "369");
        let rule = &log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!(rule["id"], "div-by-zero");
        assert!(result["message"]["text"].as_str().is_some_and(|t| t.starts_with("division by zero: data, when ")));
    }

    #[test]
    fn gaps_and_early_ends_are_notifications() {
        let mut analysis = sample();
        analysis.incomplete = Some("time limit of 1 s reached while analysing".into());
        let text = render_sarif(&analysis, &mut Excerpts::default(), &SarifOptions::default());
        let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let list = log["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().expect("a list");
        let ids: Vec<_> = list.iter().filter_map(|n| n["descriptor"]["id"].as_str()).collect();
        assert_eq!(ids, ["not-analysed/construct", "not-analysed/external", "incomplete"]);
    }
}
