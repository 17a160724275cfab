//! `cellog query`: a question to the relations of a program.

use super::args::QueryArgs;
use super::exit::ExitStatus;
use super::output::write_report;
use super::question::{limits, prepare};
use super::show::{Shown, show};
use crate::pipeline::Error;
use crate::pipeline::rules::ask::{Answer, Asker};
use std::path::Path;

/// Runs `query`.
pub fn query(args: &QueryArgs) -> Result<ExitStatus, Error> {
    if let Some(misplaced) = args.words.iter().rev().skip(1).find(|w| is_query(w) && !Path::new(w).exists()) {
        return Err(Error::Usage(format!("the query comes behind the files: cellog query FILES '{misplaced}'")));
    }
    let Some((files, text)) = split(&args.words) else {
        return super::prompt::prompt(&args.words, args).map(|()| ExitStatus::Clean);
    };
    let (composed, asked, mut asker) = prepare(files, text, &args.base)?;
    let answer = asker.answer(&composed, &asked, &limits(&args.base, args.base.derivations))?;
    write_report(&shown(&answer, &asker, args), args.output.as_deref())?;
    Ok(ExitStatus::Clean)
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
