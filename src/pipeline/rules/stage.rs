//! The rules of a check: over the program's facts, what is derived from them and what the engines found.

use super::ask::{Asker, Extra};
use super::facts::{Wanted, add_engines, emit_results};
use super::findings::{PREFIX, rule_findings};
use super::relation_files::{RelationFile, read_relations};
use super::source::{compose_rules, read_rules};
use crate::datalog::Limits;
use crate::datalog::language::ast::Name;
use crate::datalog::language::core::Program;
use crate::datalog::users::compose::{file_of, is_built_in};
use crate::datalog::users::{Composed, Source};
use crate::facts::Places;
use crate::pipeline::cache::key::{Key, KeyMaker};
use crate::pipeline::error::Error;
use crate::pipeline::listener::Listener;
use crate::pipeline::profile::Profile;
use crate::pipeline::results::Results;
use crate::verdict::Finding;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Rules that were read and checked.
pub struct RuleStage {
    composed: Composed,
    relations: Vec<RelationFile>,
    /// Built-in relations whose tuples are findings too.
    checks: Vec<String>,
}

impl RuleStage {
    /// The rules of these files, and the built-in ones for these `checks`; None without any.
    pub fn new(files: &[PathBuf], relations: &[String], checks: &[String]) -> Result<Option<RuleStage>, Error> {
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
    pub fn key(&self, engines: KeyMaker) -> Key {
        let mut key = engines;
        self.composed.ast.texts.files.iter().for_each(|file| key.add(&(&file.name, &file.text)));
        key.add(&self.checks);
        key.add(&self.relations);
        key.finish_key()
    }

    /// The facts of the program and of what engines found, to ask the rules; None without a program.
    pub fn asker(
        &self,
        results: &Results,
        (time, profile): (Duration, &Profile),
        listener: &dyn Listener,
    ) -> Result<Option<Asker>, Error> {
        let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else { return Ok(None) };
        let mut emitted = emit_results(&loaded.program, start, results);
        let needed = self.findings().into_iter().flat_map(|(relation, _)| needs(&self.composed.program, &relation));
        let wanted = Wanted::by(needed.collect::<BTreeSet<_>>().iter().map(String::as_str));
        let time = profile.rules.time_for_engines.of(time);
        add_engines(&loaded.program, start, wanted, (time, profile), listener, &mut emitted)?;
        let facts = Arc::new(emitted.facts);
        let mut extra = Extra::new();
        for file in &self.relations {
            extra.insert(file.name.clone(), file.rows(&self.composed, &facts.symbols)?);
        }
        Ok(Some(Asker::new(facts, extra)))
    }

    /// All that the rules find; `limits`: those of each question.
    pub fn find(&self, asker: &mut Asker, limits: impl Fn() -> Limits) -> Result<Vec<Finding>, Error> {
        let places = Places::of(&asker.facts);
        let mut found = Vec::new();
        for (relation, origin) in self.findings() {
            let answer = asker.answer(&self.composed, &relation, &limits())?;
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

/// The relations that one needs, itself included.
pub fn needs(program: &Program, relation: &str) -> BTreeSet<String> {
    let asked: Vec<usize> = program.relations.iter().position(|r| r.name == relation).into_iter().collect();
    let needed = program.needed(&asked, |_| false);
    let names = program.relations.iter().zip(needed).filter(|(_, needed)| *needed);
    names.map(|(relation, _)| relation.name.clone()).collect()
}
