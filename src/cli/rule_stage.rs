//! The rules of users as the last stage of `check`: over the program's facts, what is derived from them and what the
//! engines found.

use super::ask::{Asker, DERIVATIONS, Extra};
use super::base::{Wanted, add_engines};
use super::cache::Cache;
use super::cache::key::{Key, KeyMaker};
use super::cache::record::RuleRecord;
use super::check::{Results, judge_all};
use super::exit::CliError;
use super::output::tell;
use super::query::needs;
use super::relation_files::{RelationFile, read_relations};
use super::rule_findings::{PREFIX, rule_findings};
use super::rule_source::{compose_rules, read_rules};
use super::stages::Clock;
use crate::datalog::language::ast::Name;
use crate::datalog::users::compose::{file_of, is_built_in};
use crate::datalog::users::{Composed, Source};
use crate::engines::forward::Start;
use crate::engines::results::{Outcome, state_results};
use crate::facts::{Emitted, Places, emit};
use crate::facts::{column, row};
use crate::ir::Program;
use crate::verdict::{Finding, Reason};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What is going on while rules run.
pub const STAGE: &str = "running the rules";

/// Rules that were read and checked.
pub struct RuleStage {
    composed: Composed,
    relations: Vec<RelationFile>,
    /// Built-in relations whose tuples are findings too.
    checks: Vec<String>,
}

impl RuleStage {
    /// The rules of these files, and the built-in ones for these `checks`; None without any. Mistakes have been told.
    pub fn new(files: &[PathBuf], relations: &[String], checks: &[String]) -> Result<Option<RuleStage>, CliError> {
        if files.is_empty() && checks.is_empty() {
            return Ok(None);
        }
        let relations = read_relations(relations)?;
        let mut sources: Vec<Source> = read_rules(files)?;
        let declared: Vec<Source> = relations.iter().filter_map(|file| file.declaration(&sources)).collect();
        sources.extend(declared);
        let checks = checks.iter().map(|name| format!("{PREFIX}{}", name.replace('-', "_"))).collect();
        Ok(Some(RuleStage { composed: compose_rules(&sources)?, relations, checks }))
    }

    /// The rules with everything built in.
    pub fn composed(&self) -> &Composed {
        &self.composed
    }

    /// What the rules find depends on besides what `engines` do.
    fn key(&self, engines: KeyMaker) -> Key {
        let mut key = engines;
        self.composed.ast.texts.files.iter().for_each(|file| key.add(&(&file.name, &file.text)));
        key.add(&self.checks);
        key.add(&self.relations);
        key.finish_key()
    }

    /// Runs the rules on what the stages before have handed over, and adds what they find. `key` tells what is kept of
    /// engines' results in `cache`.
    pub fn run(&self, clock: &Arc<Clock>, results: &Mutex<Results>, cache: &Cache, key: Option<KeyMaker>) {
        let key = key.map(|mut engines| {
            // What engines had no time for, rules may miss.
            let starved = results.lock().expect("holders of results do not panic").starved_in;
            engines.add(&starved.map(f64::to_bits));
            self.key(engines)
        });
        if let Some(found) = key.and_then(|key| cache.get::<Vec<RuleRecord>>(&key)) {
            results.lock().expect("holders of results do not panic").found =
                found.into_iter().map(Finding::from).collect();
            return;
        }
        let asker = self.asker(&results.lock().expect("holders of results do not panic"), clock.left());
        let found = asker.and_then(|asker| match asker {
            Some(mut asker) => self.find(&mut asker, clock),
            None => Ok(Vec::new()),
        });
        let mut results = results.lock().expect("holders of results do not panic");
        match found {
            Ok(found) => {
                let records: Vec<RuleRecord> = found.iter().filter_map(RuleRecord::of).collect();
                if let (Some(key), Some(_)) = (key, &results.loaded) {
                    // Whoever wants to know has been told of the engines' results.
                    let _ = cache.put(&key, &records);
                }
                results.found = found;
            }
            Err(error) => {
                let text = error.to_string();
                if !text.is_empty() {
                    tell(&format!("cellog: {text}"));
                }
                results.rules_failed = true;
            }
        }
    }

    /// The facts of the program and of what engines found, to ask the rules; None without a program.
    pub fn asker(&self, results: &Results, time: Duration) -> Result<Option<Asker>, CliError> {
        let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else { return Ok(None) };
        let mut emitted = emit_results(&loaded.program, start, results);
        let needed = self.findings().into_iter().flat_map(|(relation, _)| needs(&self.composed.program, &relation));
        let wanted = Wanted::by(needed.collect::<BTreeSet<_>>().iter().map(String::as_str));
        add_engines(&loaded.program, start, wanted, time / 2, &mut emitted)?;
        let facts = Arc::new(emitted.facts);
        let mut extra = Extra::new();
        for file in &self.relations {
            extra.insert(file.name.clone(), file.rows(&self.composed, &facts.symbols)?);
        }
        Ok(Some(Asker::new(facts, extra)))
    }

    /// All that the rules find.
    pub fn find(&self, asker: &mut Asker, clock: &Arc<Clock>) -> Result<Vec<Finding>, CliError> {
        let places = Places::of(&asker.facts);
        let mut found = Vec::new();
        for (relation, origin) in self.findings() {
            let answer = asker.answer(&self.composed, &relation, &clock.rule_limits(DERIVATIONS))?;
            found.extend(rule_findings(&relation, &origin, &answer, &asker.facts, &places));
        }
        Ok(found)
    }

    /// The relations whose tuples are findings, in order of their declaration, and the files that declare them.
    fn findings(&self) -> Vec<(String, String)> {
        let ast = &self.composed.ast;
        let declared = ast.relations.iter().map(|relation| &relation.name);
        let wanted = |name: &Name| !is_built_in(file_of(ast, name.span)) || self.checks.contains(&name.text);
        let found = declared.filter(|name| name.text.starts_with(PREFIX) && wanted(name));
        found.map(|name| (name.text.clone(), file_of(ast, name.span).to_owned())).collect()
    }
}

/// The facts of `program`, in which executions begin at `start`, and what the engines found so far.
pub fn emit_results(program: &Program, start: &Start, results: &Results) -> Emitted {
    let mut emitted = emit(program);
    for entry in start.functions().iter().filter(|entry| program.functions[**entry].name != "main") {
        let function = column::Function(emitted.names.function(*entry));
        emitted.facts.entry_function.push(row::EntryFunction { function });
    }
    let otherwise = results.silent.clone().unwrap_or_else(|| Reason::Unsupported("no engine judged this site".into()));
    let (findings, ..) = judge_all(program, results, &otherwise);
    let outcome = Outcome { findings: &findings, evidence: results.evidence(), values: &results.values };
    state_results(program, &emitted.names, &outcome, &mut emitted.facts);
    emitted
}
