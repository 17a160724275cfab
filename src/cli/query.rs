//! `cellog query`: a question to the relations of a program.

use super::args::{BaseArgs, QueryArgs};
use super::ask::{Answer, Asker, Extra};
use super::base::{Wanted, load_base};
use super::exit::{CliError, ExitStatus};
use super::output::write_report;
use super::relation_files::read_relations;
use super::rule_source::{compose_rules, query_source, read_rules};
use super::show::{Shown, show};
use super::stages::Clock;
use crate::datalog::language::core::Program;
use crate::datalog::users::compose::file_of;
use crate::datalog::users::{Composed, Source};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Runs `query`.
pub fn query(args: &QueryArgs) -> Result<ExitStatus, CliError> {
    if let Some(misplaced) = args.words.iter().rev().skip(1).find(|w| is_query(w) && !Path::new(w).exists()) {
        return Err(CliError::Usage(format!("the query comes behind the files: cellog query FILES '{misplaced}'")));
    }
    let Some((files, text)) = split(&args.words) else {
        return super::prompt::prompt(&args.words, args).map(|()| ExitStatus::Clean);
    };
    let (composed, asked, mut asker) = prepare(files, text, &args.base)?;
    let clock = Arc::new(Clock::new(&args.base.limits));
    let answer = asker.answer(&composed, &asked, &clock.rule_limits(args.base.derivations))?;
    write_report(&shown(&answer, &asker, args), args.output.as_deref())?;
    Ok(ExitStatus::Clean)
}

/// The program of a query, the relation that it asks for, and the facts it is asked to.
pub fn prepare(files: &[String], text: &str, base: &BaseArgs) -> Result<(Composed, String, Asker), CliError> {
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

fn shown(answer: &Answer, asker: &Asker, args: &QueryArgs) -> String {
    if args.count {
        return format!("{}\n", answer.rows.len());
    }
    show(answer, &asker.facts, &Shown { format: args.format, limit: args.limit })
}

/// The files and the query, which comes last, if there is one.
fn split(words: &[String]) -> Option<(&[String], &str)> {
    let (query, files) = words.split_last()?;
    is_query(query).then_some((files, query.as_str()))
}

/// Whether a word of the command line is no file's name.
fn is_query(word: &str) -> bool {
    word.contains('(') || word.contains(":-")
}

/// The relation that a query asks for: the last one it names in `.output`, else the head of its last rule.
pub fn asked(composed: &Composed) -> Result<String, CliError> {
    let ast = &composed.ast;
    let of_query = |file: &str| file == "<query>";
    let output = ast.outputs.iter().rfind(|name| of_query(file_of(ast, name.span)));
    let head = || {
        let rules = ast.rules.iter().rfind(|rule| of_query(file_of(ast, rule.span)));
        rules.and_then(|rule| rule.heads.last()).map(|head| &head.relation)
    };
    let found = output.or_else(head).map(|name| name.text.clone());
    found.ok_or_else(|| CliError::Usage("the query has no rule".to_owned()))
}

/// The relations that one needs, itself included.
pub fn needs(program: &Program, relation: &str) -> BTreeSet<String> {
    let asked: Vec<usize> = program.relations.iter().position(|r| r.name == relation).into_iter().collect();
    let needed = program.needed(&asked, |_| false);
    let names = program.relations.iter().zip(needed).filter(|(_, needed)| *needed);
    names.map(|(relation, _)| relation.name.clone()).collect()
}
