//! Questions to facts: users' programs over one set of facts, one after the other.

use crate::datalog::explain::{Derivation, Unexplained, explain};
use crate::datalog::language::core::{Program, Relation};
use crate::datalog::users::private::built_in_names;
use crate::datalog::users::{ColumnType, Composed, columns};
use crate::datalog::{Database, Input, Limits, RunError, Session, Value, programs};
use crate::facts::{BaseType, Cell, FactStore, Symbols};
use crate::pipeline::error::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How often the rules of users may be satisfied, unless they say otherwise.
pub const DERIVATIONS: u64 = 200_000_000;

/// Rows of an input relation that a user gives.
pub type Extra = BTreeMap<String, Vec<Vec<Cell>>>;

/// Facts, and all that has been derived from them so far.
pub struct Asker {
    pub facts: Arc<FactStore>,
    extra: Arc<Extra>,
    session: Session,
}

/// The tuples of a relation.
#[derive(Clone, Debug)]
pub struct Answer {
    pub columns: Vec<ColumnType>,
    /// Sorted.
    pub rows: Vec<Vec<Value>>,
}

/// Facts, and what the user gives beside them.
struct Inputs {
    facts: Arc<FactStore>,
    extra: Arc<Extra>,
}

impl Input for Inputs {
    fn symbols(&self) -> Symbols {
        self.facts.symbols.clone()
    }

    fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool {
        match self.extra.get(relation) {
            Some(rows) => {
                rows.iter().for_each(|row| visit(row));
                true
            }
            None => self.facts.for_each(relation, visit),
        }
    }
}

impl Asker {
    /// Nothing is derived yet.
    pub fn new(facts: Arc<FactStore>, extra: Extra) -> Asker {
        let extra = Arc::new(extra);
        let session = session(&facts, &extra);
        Asker { facts, extra, session }
    }

    /// Derives the relations called `names`: what is built in first, within time and memory alone, then the users'.
    pub fn derive(&mut self, composed: &Composed, names: &[&str], limits: &Limits) -> Result<&Database, Error> {
        let program = &composed.program;
        let position = |name: &&str| program.relations.iter().position(|relation| relation.name == **name);
        let wanted: Vec<usize> = names.iter().filter_map(position).collect();
        let built_in = Limits { derivations: None, ..limits.clone() };
        let needed = built_in_needs(program, &wanted);
        self.session.run(program, &needed, &built_in).map_err(failed)?;
        self.session.run(program, &wanted, limits).map_err(failed)
    }

    /// The tuples of the relation called `name`, of at most `most` of them.
    pub fn answer(&mut self, composed: &Composed, name: &str, limits: &Limits) -> Result<Answer, Error> {
        let columns = columns(&composed.ast, &composed.scope, name)
            .ok_or_else(|| Error::Usage(format!("there is no relation `{name}`")))?;
        let database = self.derive(composed, &[name], limits)?;
        let view = database.relation(name).expect("declared relations are in the database");
        Ok(Answer { columns, rows: view.values().into_iter().collect() })
    }
}

impl Asker {
    /// Why tuple number `which` (from 0, in order) of the relation called `name` holds, and how many tuples there are.
    pub fn explain(
        &mut self,
        composed: &Composed,
        name: &str,
        which: usize,
        limits: &Limits,
    ) -> Result<(Derivation, usize), Error> {
        let root = composed.program.relations.iter().position(|relation| relation.name == name);
        let root = root.ok_or_else(|| Error::Usage(format!("there is no relation `{name}`")))?;
        self.derive(composed, &[name], limits)?;
        let mut explained = explain(&mut self.session, &composed.program, root, which, limits);
        if let Err(Unexplained::TooMany(_)) = explained {
            let plain = std::mem::replace(&mut self.session, session(&self.facts, &self.extra).with_history());
            let derived = self.derive(composed, &[name], limits).map(|_| ());
            let mut history = std::mem::replace(&mut self.session, plain);
            derived?;
            explained = explain(&mut history, &composed.program, root, which, limits);
        }
        explained.map_err(|why| match why {
            Unexplained::Run(error) => failed(error),
            Unexplained::Absent => Error::Usage(why.to_string()),
            Unexplained::TooMany(_) => Error::Limit(why.to_string()),
        })
    }
}

/// A session over facts in which nothing is derived yet.
fn session(facts: &Arc<FactStore>, extra: &Arc<Extra>) -> Session {
    let types = programs::types().iter().chain(crate::facts::types());
    let records = types.filter(|t| t.base == BaseType::Record).count();
    let input = Inputs { facts: Arc::clone(facts), extra: Arc::clone(extra) };
    Session::new(Box::new(input), built_in_names().collect(), records)
}

/// The built-in relations that rules of users for the wanted ones look at.
fn built_in_needs(program: &Program, wanted: &[usize]) -> Vec<usize> {
    let shared: BTreeSet<String> = built_in_names().collect();
    let built_in = |relation: &Relation| shared.contains(&relation.name);
    let needed = program.needed(wanted, built_in);
    (0..needed.len()).filter(|at| needed[*at] && built_in(&program.relations[*at])).collect()
}

fn failed(error: RunError) -> Error {
    match &error {
        RunError::Input { relation } => Error::Usage(format!(
            "input relation `{relation}` is not among the facts; give it with --relation {relation}=FILE.csv"
        )),
        RunError::Pattern { .. } => Error::Usage(error.to_string()),
        _ => Error::Limit(error.to_string()),
    }
}
