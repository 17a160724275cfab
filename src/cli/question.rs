//! What a question is asked to, from options, and which relation it asks for.

use super::args::BaseArgs;
use super::input::told;
use super::mistakes::compose_rules;
use super::progress::Progress;
use crate::datalog::Limits;
use crate::datalog::users::compose::file_of;
use crate::datalog::users::{Composed, Source};
use crate::facts::FactStore;
use crate::pipeline::clock::Clock;
use crate::pipeline::fact_base::{program_facts, read_facts};
use crate::pipeline::rules::ask::{Asker, Extra};
use crate::pipeline::rules::facts::Wanted;
use crate::pipeline::rules::relation_files::read_relations;
use crate::pipeline::rules::source::{query_source, read_rules};
use crate::pipeline::rules::stage::needs;
use crate::pipeline::sources::entry::MAIN;
use crate::pipeline::standing::config::Config;
use crate::pipeline::{Error, Nobody, Request, Sources};
use std::path::Path;
use std::sync::Arc;

/// The program of a query, the relation that it asks for, and the facts it is asked to.
pub fn prepare(files: &[String], text: &str, base: &BaseArgs) -> Result<(Composed, String, Asker), Error> {
    let relations = read_relations(&base.relations)?;
    let mut sources = read_rules(&base.rules)?;
    let declared: Vec<Source> = relations.iter().filter_map(|file| file.declaration(&sources)).collect();
    sources.extend(declared);
    sources.push(query_source(text));
    let composed = compose_rules(&sources)?;
    let asked = asked(&composed)?;
    let wanted = Wanted::by(needs(&composed.program, &asked).iter().map(String::as_str));
    let facts = Arc::new(load_base(files, base, wanted)?);
    let mut extra = Extra::new();
    for file in &relations {
        extra.insert(file.name.clone(), file.rows(&composed, &facts.symbols)?);
    }
    Ok((composed, asked, Asker::new(facts, extra)))
}

/// The limits of rules that start now and may be satisfied so often.
pub fn limits(base: &BaseArgs, derivations: u64) -> Limits {
    Arc::new(Clock::new(&base.limits.default_profile().run, Arc::new(Nobody))).rule_limits(derivations)
}

/// What is asked of the engines for a question to these C files.
pub fn request(files: &[String], base: &BaseArgs) -> Result<Request, Error> {
    let sources = Sources {
        build_dir: base.build_dir.clone(),
        target: base.target.clone(),
        model: base.arch.model(),
        contracts: base.contracts.clone(),
        flags: base.cpp_flags.clone(),
        ..Sources::of_files(files.to_vec())
    };
    let entry = base.entry.as_deref().unwrap_or(MAIN);
    let sources = told(&sources, entry, base.limits.jobs, false)?.only()?.sources;
    Ok(Request {
        config: Config::load()?,
        entry: entry.to_owned(),
        ..base.limits.request(sources, base.limits.default_profile(), &base.cache)
    })
}

/// The facts that `words` (C files, or what `cellog facts` wrote) and options name, and those of the engines that are `wanted`.
pub fn load_base(words: &[String], base: &BaseArgs, wanted: Wanted) -> Result<FactStore, Error> {
    if let [word] = words
        && (base.build_dir.is_none() || !Path::new(word).is_dir())
        && let Some(facts) = read_facts(Path::new(word))?
    {
        return Ok(facts);
    }
    if words.is_empty() && base.build_dir.is_none() {
        return Err(Error::Usage("C files or a folder of facts are needed".to_owned()));
    }
    let progress = Arc::new(Progress::new(false, false));
    program_facts(request(words, base)?, base.entry.as_deref(), wanted, progress)
}

/// The relation that a query asks for: the last one it names in `.output`, else the head of its last rule.
pub fn asked(composed: &Composed) -> Result<String, Error> {
    let ast = &composed.ast;
    let of_query = |file: &str| file == "<query>";
    let output = ast.outputs.iter().rfind(|name| of_query(file_of(ast, name.span)));
    let head = || {
        let rules = ast.rules.iter().rfind(|rule| of_query(file_of(ast, rule.span)));
        rules.and_then(|rule| rule.heads.last()).map(|head| &head.relation)
    };
    let found = output.or_else(head).map(|name| name.text.clone());
    found.ok_or_else(|| Error::Usage("the query has no rule".to_owned()))
}
