//! Candidates for invariants that rules derive, for the engines to prove: those that ship and those of `--templates`.

use super::ask::{Answer, Asker, Extra};
use super::meanings::Meanings;
use super::source::{compose_rules, read_rules};
use crate::datalog::users::compose::{file_of, is_built_in};
use crate::datalog::users::{ColumnType, Composed};
use crate::datalog::{Limits, Value};
use crate::engines::invariant::template::{Templates, Token};
use crate::facts::emit::{Emitted, emit};
use crate::ir::{BlockId, FuncId, Program};
use crate::pipeline::error::Error;
use crate::pipeline::listener::Listener;
use std::path::PathBuf;
use std::sync::Arc;

/// What the name of every relation begins with whose tuples are candidates.
const PREFIX: &str = "candidate_";
/// Tuples without a meaning that are told.
const TOLD: usize = 5;

/// Rules for candidates, read and checked.
pub struct TemplateRules {
    /// All rules, with their warnings.
    pub composed: Composed,
    /// The relations whose tuples are candidates, and whether they are users'.
    relations: Vec<(String, bool)>,
    /// Names and texts of the users' files, for keys of results.
    pub texts: Vec<(String, String)>,
}

impl std::fmt::Debug for TemplateRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TemplateRules").field("relations", &self.relations).finish_non_exhaustive()
    }
}

/// Which of the shipped templates are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shipped {
    All,
    None,
}

impl TemplateRules {
    /// The shipped rules, if they are wanted, and those of `files`; None if there are none.
    pub fn new(files: &[PathBuf], shipped: Shipped) -> Result<Option<TemplateRules>, Error> {
        if files.is_empty() && shipped == Shipped::None {
            return Ok(None);
        }
        let sources = read_rules(files)?;
        let composed = compose_rules(&sources)?;
        let declared = composed.ast.relations.iter().map(|relation| {
            let is_users = !is_built_in(file_of(&composed.ast, relation.name.span));
            (relation.name.text.clone(), is_users)
        });
        let wanted =
            |(name, is_users): &(String, bool)| name.starts_with(PREFIX) && (*is_users || shipped == Shipped::All);
        let relations: Vec<(String, bool)> = declared.filter(wanted).collect();
        if !files.is_empty() && !relations.iter().any(|(_, is_users)| *is_users) {
            return Err(Error::Usage(format!("the templates derive no relation called `{PREFIX}...`")));
        }
        let texts = sources.into_iter().map(|source| (source.name, source.text)).collect();
        Ok(Some(TemplateRules { composed, relations, texts }))
    }

    /// The candidates for the loops of `program`. Users are told which of their tuples mean nothing.
    ///
    /// # Errors
    /// Rules that were not run to their end within `limits`.
    pub fn candidates(&self, program: &Program, limits: &Limits, listener: &dyn Listener) -> Result<Templates, Error> {
        let Emitted { facts, names, .. } = emit(program);
        let meanings = Meanings::of(program, &names);
        let mut asker = Asker::new(Arc::new(facts), Extra::new());
        let mut templates = Templates::default();
        let mut refused = Vec::new();
        // The users' come first: there may be more than are looked at.
        for (name, is_users) in self.relations.iter().filter(|r| r.1).chain(self.relations.iter().filter(|r| !r.1)) {
            let answer = asker.answer(&self.composed, name, limits)?;
            let wrong = add(program, &meanings, &answer, &mut templates);
            refused.extend(wrong.into_iter().filter(|_| *is_users).map(|why| format!("{name}{why}")));
        }
        for why in refused.iter().take(TOLD) {
            listener.tell(&format!("cellog: no candidate: {why}"));
        }
        if refused.len() > TOLD {
            listener.tell(&format!("cellog: and {} more tuples that are no candidates", refused.len() - TOLD));
        }
        Ok(templates)
    }
}

/// Adds the tuples of a relation; those that mean nothing are returned, with the reason.
fn add(program: &Program, meanings: &Meanings, answer: &Answer, templates: &mut Templates) -> Vec<String> {
    let mut refused = Vec::new();
    for row in &answer.rows {
        let read = tuple(meanings, &answer.columns, row);
        if let Err(why) = read.and_then(|(head, tokens)| templates.add(program, head, &tokens)) {
            let columns: Vec<String> = row.iter().map(ToString::to_string).collect();
            refused.push(format!("({}): {why}", columns.join(", ")));
        }
    }
    refused
}

fn tuple(
    meanings: &Meanings,
    columns: &[ColumnType],
    row: &[Value],
) -> Result<((FuncId, BlockId), Vec<Token>), String> {
    let head = meanings.block(row.first()).ok_or("the first column is no block")?;
    let tokens = columns.iter().zip(row).skip(1).map(|(column, value)| token(meanings, column, value));
    Ok((head, tokens.collect::<Result<_, _>>()?))
}

fn token(meanings: &Meanings, column: &ColumnType, value: &Value) -> Result<Token, String> {
    match value {
        Value::Number(n) => Ok(Token::Number(i128::from(*n))),
        Value::Symbol(name) if column.is("Variable") => {
            meanings.variable(name).map(Token::Variable).ok_or_else(|| format!("there is no variable `{name}`"))
        }
        Value::Symbol(word) => Ok(Token::Word(word.clone())),
        Value::Record(_) => Err("a record is no part of a formula".to_owned()),
    }
}
