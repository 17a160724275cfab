//! Programs one after the other over the same facts. What one has finished the next takes over without a copy, and
//! each runs only the strata that are asked for.
use super::database::{Database, Input};
use super::fixpoint::evaluate_strata;
use super::history::History;
use super::table::{Table, Tables};
use super::value::{Domain, Word};
use crate::datalog::language::core::{Program, Relation, RelationId};
use crate::datalog::limits::{Limits, RunError};
use std::collections::BTreeSet;

/// Facts, and the relations that programs have derived from them.
pub struct Session {
    input: Box<dyn Input + Send>,
    /// Relations that mean the same in every program.
    shared: BTreeSet<String>,
    /// Record types of theirs; they come first in every program.
    shared_records: usize,
    /// By name: relations of `database` with all their tuples.
    finished: BTreeSet<String>,
    database: Option<Database>,
    keeps_history: bool,
}

impl Session {
    /// A session over `input`. Relations in `shared` are declared and derived in the same way by every program that
    /// will run, and their `shared_records` record types come before all others.
    pub fn new(input: Box<dyn Input + Send>, shared: BTreeSet<String>, shared_records: usize) -> Session {
        Session { input, shared, shared_records, finished: BTreeSet::new(), database: None, keeps_history: false }
    }

    /// The same, of which one can ask what was found when.
    pub fn with_history(self) -> Session {
        Session { keeps_history: true, ..self }
    }

    pub fn keeps_history(&self) -> bool {
        self.keeps_history
    }

    /// The relations of the last program that ran; those that it did not need are empty.
    pub fn database(&self) -> Option<&Database> {
        self.database.as_ref()
    }

    /// Runs of `program` what the `wanted` relations need. After an error, what earlier programs finished is kept.
    pub fn run(&mut self, program: &Program, wanted: &[RelationId], limits: &Limits) -> Result<&Database, RunError> {
        self.run_given(program, wanted, &[], limits)
    }

    /// Lets all relations of `program` mean the same in the programs that follow, which begin with it. Gives what was
    /// shared before, for [`Session::restore`].
    pub fn share(&mut self, program: &Program) -> (BTreeSet<String>, usize) {
        let before = (self.shared.clone(), self.shared_records);
        self.shared.extend(program.relations.iter().map(|relation| relation.name.clone()));
        self.shared_records = program.records.len();
        before
    }

    /// Undoes [`Session::share`].
    pub fn restore(&mut self, (shared, records): (BTreeSet<String>, usize)) {
        (self.shared, self.shared_records) = (shared, records);
    }

    /// The same with tuples that relations have to begin with.
    pub(in crate::datalog) fn run_given(
        &mut self,
        program: &Program,
        wanted: &[RelationId],
        given: &[(RelationId, Vec<Word>)],
        limits: &Limits,
    ) -> Result<&Database, RunError> {
        let (mut tables, mut domain) = self.take_over(program);
        given.iter().for_each(|(relation, tuple)| {
            tables.insert(*relation, tuple);
        });
        let needed = self.needed(program, wanted);
        let loaded = self.load(program, &needed, &mut tables, &mut domain);
        let (tables, domain, derivations, ended) = match loaded {
            Ok(()) => evaluate_strata(program, (tables, domain), &needed, limits),
            Err(error) => (tables, domain, 0, Err(error)),
        };
        let mut tables = tables;
        if ended.is_ok() {
            let names = program.relations.iter().zip(&needed).filter(|(_, needed)| **needed);
            self.finished.extend(names.map(|(relation, _)| relation.name.clone()));
        } else {
            self.drop_unfinished(program, &mut tables);
        }
        let database = self.database.insert(Database::new(program, tables, domain, derivations));
        ended.map(|()| &*database)
    }

    /// Tables for `program`, with the tuples of what is finished.
    fn take_over(&mut self, program: &Program) -> (Tables, Domain) {
        let arities = program.records.iter().map(|record| record.fields.len());
        self.finished.retain(|name| self.shared.contains(name));
        let mut tables = Tables::new(program);
        let Some(mut old) = self.database.take() else {
            tables.graph.history = self.keeps_history.then(History::default);
            return (tables, Domain::new(self.input.symbols(), arities));
        };
        old.domain.fit_records(self.shared_records, arities);
        let mut positions: rustc_hash::FxHashMap<&str, RelationId> = rustc_hash::FxHashMap::default();
        for (at, relation) in old.relations.iter().enumerate().filter(|(_, r)| self.finished.contains(&r.name)) {
            positions.insert(&relation.name, at);
        }
        for (table, relation) in tables.tables.iter_mut().zip(&program.relations) {
            if let Some(at) = positions.get(relation.name.as_str()) {
                std::mem::swap(table, &mut old.tables.tables[*at]);
            }
        }
        tables.graph = old.tables.graph;
        // Nodes of finished relations never change again, so that nobody asks whose they are.
        tables.owners = vec![None; old.tables.owners.len()];
        (tables, old.domain)
    }

    /// By relation: is it needed for a wanted one, and not finished?
    fn needed(&self, program: &Program, wanted: &[RelationId]) -> Vec<bool> {
        let finished = |relation: &Relation| self.finished.contains(&relation.name);
        let needed = program.needed(wanted, finished);
        needed.iter().zip(&program.relations).map(|(needed, relation)| *needed && !finished(relation)).collect()
    }

    fn load(
        &self,
        program: &Program,
        needed: &[bool],
        tables: &mut Tables,
        domain: &mut Domain,
    ) -> Result<(), RunError> {
        for (at, relation) in program.relations.iter().enumerate() {
            if relation.input && needed[at] {
                tables.load_relation(at, relation, domain, &*self.input)?;
            }
        }
        tables.graph.propagate();
        tables.graph.take_deltas();
        Ok(())
    }

    fn drop_unfinished(&mut self, program: &Program, tables: &mut Tables) {
        for (table, relation) in tables.tables.iter_mut().zip(&program.relations) {
            if !self.finished.contains(&relation.name) {
                *table = Table::new(relation);
            }
        }
        tables.graph.propagate();
        tables.graph.take_deltas();
    }
}
