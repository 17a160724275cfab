//! Users' rules for what is analysed how (`--strategy`): their tuples come before the built-in ones and the profile.

use super::ask::{Answer, Asker, Extra};
use super::meanings::Meanings;
use super::source::{compose_rules, read_rules};
use crate::datalog::users::Composed;
use crate::datalog::users::compose::{file_of, is_built_in};
use crate::datalog::{Limits, Value};
use crate::ir::Program;
use crate::memory::Memory;
use crate::memory::strategy::{Bound, Strategy};
use crate::pipeline::error::Error;
use crate::pipeline::listener::Listener;
use std::path::PathBuf;
use std::sync::Arc;

/// Tuples without a meaning that are told.
const TOLD: usize = 5;

/// What the names of the relations begin with, and what their first column names.
const KINDS: [(&str, Kind); 4] = [
    ("strategy_callees", Kind::Callees),
    ("strategy_contexts", Kind::Contexts),
    ("strategy_extents", Kind::Extents),
    ("strategy_turns", Kind::Turns),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Callees,
    Contexts,
    Extents,
    Turns,
}

/// Rules of strategy, read and checked.
pub struct StrategyRules {
    /// All rules, with their warnings.
    pub composed: Composed,
    relations: Vec<(String, Kind)>,
    /// Names and texts of the users' files, for keys of results.
    pub texts: Vec<(String, String)>,
}

impl StrategyRules {
    /// The rules of `files`; None without files.
    ///
    /// # Errors
    /// Files that cannot be read or are no rules, or that derive nothing which has a meaning here.
    pub fn new(files: &[PathBuf]) -> Result<Option<StrategyRules>, Error> {
        if files.is_empty() {
            return Ok(None);
        }
        let sources = read_rules(files)?;
        let composed = compose_rules(&sources)?;
        let users = composed.ast.relations.iter().filter(|r| !is_built_in(file_of(&composed.ast, r.name.span)));
        let kind = |name: &str| KINDS.iter().find(|(prefix, _)| name.starts_with(prefix)).map(|(_, kind)| *kind);
        let relations: Vec<_> = users.filter_map(|r| Some((r.name.text.clone(), kind(&r.name.text)?))).collect();
        if relations.is_empty() {
            let names: Vec<String> = KINDS.iter().map(|(prefix, _)| format!("`{prefix}_...`")).collect();
            return Err(Error::Usage(format!("the strategy declares no relation called {}", names.join(", "))));
        }
        let texts = sources.into_iter().map(|source| (source.name, source.text)).collect();
        Ok(Some(StrategyRules { composed, relations, texts }))
    }

    /// The bounds that the rules derive for `program`. Users are told which of their tuples mean nothing.
    ///
    /// # Errors
    /// Rules that were not run to their end within `limits`.
    pub fn bounds(
        &self,
        program: &Program,
        memory: &Memory,
        limits: &Limits,
        listener: &dyn Listener,
    ) -> Result<Strategy, Error> {
        let meanings = Meanings::of(program, memory.names());
        let mut asker = Asker::new(Arc::new(memory.facts().clone()), Extra::new());
        let mut strategy = Strategy::default();
        let mut refused = Vec::new();
        for (name, kind) in &self.relations {
            let Answer { rows, .. } = asker.answer(&self.composed, name, limits)?;
            for row in &rows {
                match bound(&meanings, *kind, row) {
                    Ok(bound) => strategy.add(bound),
                    Err(why) => {
                        let columns: Vec<String> = row.iter().map(ToString::to_string).collect();
                        refused.push(format!("{name}({}): {why}", columns.join(", ")));
                    }
                }
            }
        }
        for why in refused.iter().take(TOLD) {
            listener.tell(&format!("cellog: no strategy: {why}"));
        }
        if refused.len() > TOLD {
            listener.tell(&format!("cellog: and {} more tuples that are no strategy", refused.len() - TOLD));
        }
        Ok(strategy)
    }
}

fn bound(meanings: &Meanings, kind: Kind, row: &[Value]) -> Result<Bound, String> {
    let most = || match row {
        [_, Value::Number(most)] => usize::try_from(*most).map_err(|_| "the bound is negative"),
        _ => Err("it has not two columns of which the second is a number"),
    };
    let what = row.first();
    let function = || meanings.function(what).ok_or("the first column is no function");
    Ok(match kind {
        Kind::Callees => {
            let most = most()?;
            Bound::Callees(meanings.call(what).ok_or("the first column is no call")?, most)
        }
        Kind::Contexts => {
            let most = most()?;
            Bound::Contexts(function()?, most)
        }
        Kind::Extents => {
            let [_, Value::Number(pointer), Value::Number(counter)] = row else {
                return Err("it has not three columns of which the second and third are numbers".to_owned());
            };
            let number = |n: i64| u32::try_from(n).map_err(|_| "a parameter's number is negative");
            Bound::Extent(function()?, number(*pointer)?, number(*counter)?)
        }
        Kind::Turns => {
            let most = most()?;
            let (function, header) = meanings.block(what).ok_or("the first column is no block")?;
            Bound::Turns(function, header, most)
        }
    })
}
