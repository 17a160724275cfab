//! `cellog explain`: why a tuple holds, or why a finding is reported.

use super::args::{ExplainArgs, ExplainFormat};
use super::exit::ExitStatus;
use super::mistakes::tell_warnings;
use super::output::write_report;
use super::progress::Progress;
use super::question::{limits, prepare, request};
use super::tree::Drawing;
use crate::datalog::Value;
use crate::datalog::explain::Derivation;
use crate::datalog::users::Composed;
use crate::facts::emit::Names;
use crate::facts::{FactStore, Places};
use crate::ir::{CheckKind, Program};
use crate::pipeline::clock::Clock;
use crate::pipeline::results::{Results, judge_all};
use crate::pipeline::rules::ask::{Answer, Asker, Extra};
use crate::pipeline::rules::checks::rule_checks;
use crate::pipeline::rules::findings::{PREFIX, rule_findings};
use crate::pipeline::rules::stage::RuleStage;
use crate::pipeline::standing::decisions::{decide, state_decisions, state_finding};
use crate::pipeline::{Error, Nobody, Profile, Request};
use crate::report::{Excerpts, TextOptions, render_text};
use crate::verdict::{Analysis, Check, Finding, Reason, assign_ids, sort_findings};
use std::fmt::Write;
use std::sync::Arc;

/// Digits of a finding's id that are needed at least.
const SHORTEST_ID: usize = 6;

/// Runs `explain`.
pub fn explain(args: &ExplainArgs) -> Result<ExitStatus, Error> {
    let is_query = |word: &&String| word.contains('(');
    let is_id = |word: &&String| word.len() >= SHORTEST_ID && word.chars().all(|c| c.is_ascii_hexdigit());
    let others = |chosen: &String| -> Vec<String> { args.words.iter().filter(|w| *w != chosen).cloned().collect() };
    let text = if let Some(query) = args.words.iter().find(is_query) {
        explain_tuple(query, &others(query), args)?
    } else if let Some(id) = args.words.iter().find(is_id) {
        explain_finding(id, &others(id), args)?
    } else {
        let what = "a query such as 'calls(\"main\", f)', or the id of a finding, is needed";
        return Err(Error::Usage(what.to_owned()));
    };
    write_report(&text, args.output.as_deref())?;
    Ok(ExitStatus::Clean)
}

fn explain_tuple(query: &str, files: &[String], args: &ExplainArgs) -> Result<String, Error> {
    let (composed, asked, mut asker) = prepare(files, query, &args.base)?;
    let which = usize::try_from(args.tuple - 1).unwrap_or(usize::MAX);
    let limits = limits(&args.base, args.base.derivations);
    let (derivation, count) = asker.explain(&composed, &asked, which, &limits)?;
    let mut text = draw(&derivation, &composed, &asker, args.format);
    if count > 1 && args.format == ExplainFormat::Text {
        let _ = writeln!(text, "tuple {} of {count}; --tuple N explains another", args.tuple);
    }
    Ok(text)
}

/// The derivation as text.
pub fn draw(derivation: &Derivation, composed: &Composed, asker: &Asker, format: ExplainFormat) -> String {
    let drawing = Drawing::new(derivation, composed, &asker.facts);
    let mut excerpts = Excerpts::new(Vec::new());
    match format {
        ExplainFormat::Text => drawing.tree(&mut excerpts),
        ExplainFormat::Dot => drawing.dot(&mut excerpts),
    }
}

/// The finding with its evidence; of a rule's, the derivation too.
fn explain_finding(id: &str, files: &[String], args: &ExplainArgs) -> Result<String, Error> {
    let stage = RuleStage::new(&args.base.rules, &args.base.relations, &rule_checks().collect::<Vec<_>>())?;
    stage.iter().for_each(|stage| tell_warnings(stage.composed()));
    let checks = CheckKind::ALL.iter().copied().collect();
    let request = Request { checks, values: stage.is_some(), ..request(files, &args.base)? };
    let (profile, config) = (request.profile.clone(), request.config.clone());
    let progress = Arc::new(Progress::new(false, false));
    let (mut results, _) = request.analyse(progress);
    if let Some(error) = results.failed.take() {
        return Err(error);
    }
    let nothing = || Error::Nothing("the limits were reached before there was a program".to_owned());
    let loaded = Arc::clone(results.loaded.as_ref().ok_or_else(nothing)?);
    let mut asker = match &stage {
        Some(stage) => stage.asker(&results, (profile.run.time, &profile), &Progress::without_line(false))?,
        None => None,
    };
    if let (Some(stage), Some(asker)) = (&stage, &mut asker) {
        let derivations = profile.rules.derivations;
        let clock = Arc::new(Clock::new(&profile.run, Arc::new(Nobody)));
        results.found = stage.find(asker, || clock.rule_limits(derivations))?;
    }
    let findings = all_findings(&loaded.program, &results);
    let mut excerpts = Excerpts::new(loaded.folders.clone());
    let mut decided = decide(&findings, &config, &mut excerpts);
    let mut finding = named(id, &findings)?.clone();
    finding.standing.suppression = decided.suppressed.remove(&finding.id);
    let suppression = match &stage {
        Some(stage) if finding.standing.suppression.is_some() => {
            let mut facts = FactStore::default();
            findings.iter().for_each(|finding| state_finding(finding, &mut facts));
            state_decisions(&findings, &config, &mut excerpts, &mut facts);
            let mut asker = Asker::new(Arc::new(facts), Extra::new());
            derivation_of("suppressed_finding", &finding.id, stage, &mut asker, args)?
        }
        _ => String::new(),
    };
    if let (Check::Rule(name), Some(stage), Some(asker)) = (&finding.check, &stage, &mut asker) {
        let relation = format!("{PREFIX}{}", name.replace('-', "_"));
        let mut text = explain_rule(&finding, &relation, stage, asker, args)?;
        if args.format == ExplainFormat::Text {
            add_trees(&mut text, &[("suppressed", &suppression)]);
        }
        return Ok(text);
    }
    let mut text = attempts(&finding, &results) + &parts(&finding, &findings);
    let Why { derived, assumed, group, cause } = match (&stage, &mut asker) {
        (Some(stage), Some(asker)) => derivations(&loaded.program, &finding, stage, asker, args)?,
        _ => Default::default(),
    };
    if args.format == ExplainFormat::Dot {
        return Ok(derived);
    }
    let analysis = Analysis { findings: vec![finding], ..Analysis::default() };
    let options = TextOptions { verbose: true, ..TextOptions::default() };
    let shown = render_text(&analysis, &mut excerpts, options);
    text.insert_str(0, shown.split("\ncheck ").next().unwrap_or(&shown));
    add_trees(
        &mut text,
        &[
            ("derivation", &derived),
            ("what it assumes away", &assumed),
            ("one access", &group),
            ("what keeps it open", &cause),
            ("suppressed", &suppression),
        ],
    );
    Ok(text)
}

/// Adds derivations under their titles, but those that are empty.
fn add_trees(text: &mut String, trees: &[(&str, &String)]) {
    for (what, tree) in trees.iter().filter(|(_, tree)| !tree.is_empty()) {
        let _ = write!(text, "\n{what}:\n{tree}");
    }
}

/// Why the first tuple of `relation` holds whose first column is `name`; empty if there is none.
fn derivation_of(
    relation: &str,
    name: &str,
    stage: &RuleStage,
    asker: &mut Asker,
    args: &ExplainArgs,
) -> Result<String, Error> {
    let own = |row: &Vec<Value>| matches!(&row[0], Value::Symbol(text) if *text == name);
    tree(relation, stage, asker, args, |answer, _| answer.rows.iter().position(own))
}

/// Why the tuple of `relation` holds that `which` chooses; empty if it chooses none.
fn tree(
    relation: &str,
    stage: &RuleStage,
    asker: &mut Asker,
    args: &ExplainArgs,
    which: impl FnOnce(&Answer, &Asker) -> Option<usize>,
) -> Result<String, Error> {
    let limits = limits(&args.base, Profile::default().rules.derivations);
    let answer = asker.answer(stage.composed(), relation, &limits)?;
    let Some(which) = which(&answer, asker) else { return Ok(String::new()) };
    let (derivation, _) = asker.explain(stage.composed(), relation, which, &limits)?;
    Ok(draw(&derivation, stage.composed(), asker, args.format))
}

/// The checks of the finding's access, if it has several.
fn parts(finding: &Finding, findings: &[Finding]) -> String {
    let mut text = String::new();
    for part in findings.iter().filter(|part| finding.access.is_some() && part.access == finding.access) {
        let own = if part.id == finding.id { " (this one)" } else { "" };
        let _ = writeln!(text, "of one access: {}[{}] {}{own}", part.verdict.kind().name(), part.check, part.id);
    }
    text
}

/// Derivations of what rules say of a finding's site; empty where they say nothing.
#[derive(Default)]
struct Why {
    /// Of its verdict.
    derived: String,
    /// Of an error that it assumes away.
    assumed: String,
    /// Of its being about one access with others.
    group: String,
    /// Of what keeps it open.
    cause: String,
}

/// Why the rules say what they say of a finding's site.
fn derivations(
    program: &Program,
    finding: &Finding,
    stage: &RuleStage,
    asker: &mut Asker,
    args: &ExplainArgs,
) -> Result<Why, Error> {
    let Some(site) = finding.site else { return Ok(Default::default()) };
    let name = Names::of(program, &asker.facts.symbols).site(program.sites[site].function, site);
    let name = asker.facts.symbols.resolve(name).to_string();
    let mut derivation = |relation: &str| derivation_of(relation, &name, stage, asker, args);
    let derived = derivation("verdict")?;
    let assumed = if finding.after_error.is_empty() { String::new() } else { derivation("after_error")? };
    let group = if finding.access.is_none() { String::new() } else { derivation("same_access")? };
    let cause = if finding.cause.is_none() { String::new() } else { derivation("cause")? };
    Ok(Why { derived, assumed, group, cause })
}

fn all_findings(program: &Program, results: &Results) -> Vec<Finding> {
    let otherwise = Reason::Budget("limits reached".to_owned());
    let (mut findings, ..) = judge_all(program, results, &otherwise);
    findings.extend(results.found.iter().cloned());
    sort_findings(&mut findings);
    assign_ids(&mut findings);
    findings
}

/// The finding whose id begins with `id`.
fn named<'f>(id: &str, findings: &'f [Finding]) -> Result<&'f Finding, Error> {
    let alike: Vec<&Finding> = findings.iter().filter(|f| f.id.starts_with(&id.to_lowercase())).collect();
    match alike.len() {
        1 => Ok(alike[0]),
        0 => Err(Error::Usage(format!("no finding has the id {id}; rules that find it are given by --rules"))),
        n => Err(Error::Usage(format!("the ids of {n} findings begin with {id}"))),
    }
}

/// What each engine said of the site.
fn attempts(finding: &Finding, results: &Results) -> String {
    let mut text = String::new();
    let Some(site) = finding.site else { return text };
    if let Some(judged) = results.over.get(&site) {
        let _ = writeln!(text, "{} says: {}", judged.engine, judged.verdict.kind().name());
    }
    if let Some((erring, engine)) = results.runs.get(&site) {
        let said = match erring {
            crate::verdict::Erring::Certain(_) => "a run errs here, and errs again from its inputs".to_owned(),
            crate::verdict::Erring::Doubtful(why) => why.clone(),
        };
        let _ = writeln!(text, "{engine} says: {said}");
    }
    text
}

fn explain_rule(
    finding: &Finding,
    relation: &str,
    stage: &RuleStage,
    asker: &mut Asker,
    args: &ExplainArgs,
) -> Result<String, Error> {
    let same = |f: &Finding| {
        (&f.location, &f.subject, &f.function) == (&finding.location, &finding.subject, &finding.function)
    };
    let tree = tree(relation, stage, asker, args, |answer, asker| {
        let found = rule_findings(relation, "", answer, &asker.facts, &Places::of(&asker.facts));
        Some(found.iter().position(same).unwrap_or(0))
    })?;
    Ok(match args.format {
        ExplainFormat::Text => format!("{}: {}: {}\n{tree}", finding.location, finding.check, finding.message()),
        ExplainFormat::Dot => tree,
    })
}
