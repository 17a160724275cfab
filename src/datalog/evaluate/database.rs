//! What a program runs on and what comes out, by relation name.
use super::history::Tick;
use super::id_set::IdSet;
use super::table::Tables;
use super::value::{Domain, Word};
use crate::datalog::language::core::{Expression, Kind, Program, Relation, RelationId};
use crate::datalog::results::{Key, SetRelation};
use crate::datalog::value::Value;
use crate::facts::{Cell, Column, FactStore, Row, Sym, Symbols};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where input relations come from.
pub trait Input {
    /// The table all symbols of the input are of.
    fn symbols(&self) -> Symbols;
    /// Calls `visit` with every tuple of a relation; false if it is not known.
    fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool;
}

impl Input for FactStore {
    fn symbols(&self) -> Symbols {
        self.symbols.clone()
    }

    fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool {
        FactStore::for_each(self, relation, visit)
    }
}

/// The relations of a program that ran.
pub struct Database {
    pub(super) relations: Vec<Relation>,
    records: Vec<(String, Vec<Kind>)>,
    pub(super) tables: Tables,
    pub(super) domain: Domain,
    derivations: u64,
}

impl Database {
    pub(in crate::datalog) fn new(program: &Program, tables: Tables, domain: Domain, derivations: u64) -> Database {
        let records = program.records.iter().map(|record| (record.name.clone(), record.fields.clone())).collect();
        Database { relations: program.relations.clone(), records, tables, domain, derivations }
    }

    pub fn symbols(&self) -> &Symbols {
        &self.domain.symbols
    }

    /// How often a rule's body was satisfied, subset edges counted and not the elements that flow along them.
    pub fn derivations(&self) -> u64 {
        self.derivations
    }

    /// When the tuple of relation number `relation`, which holds, was found, in a session that keeps history.
    pub(in crate::datalog) fn found_at(&self, relation: RelationId, tuple: &[Word]) -> Tick {
        self.tables.found_at(relation, tuple)
    }

    /// The relation of this name.
    pub fn relation(&self, name: &str) -> Option<View<'_>> {
        let at = self.relations.iter().position(|relation| relation.name == name)?;
        Some(View { database: self, at })
    }

    /// The fields of a record of the named type.
    pub fn record(&self, type_name: &str, record: u32) -> Option<Vec<Cell>> {
        let at = self.records.iter().position(|(name, _)| name == type_name)?;
        Some(self.fields(at, record))
    }

    /// The fields of every record of the named type, by number; none if there is no such type.
    pub fn records(&self, type_name: &str) -> impl Iterator<Item = Vec<Cell>> + '_ {
        let at = self.records.iter().position(|(name, _)| name == type_name);
        let count = at.map_or(0, |at| self.domain.record_count(at));
        (0..count).filter_map(move |record| Some(self.fields(at?, u32::try_from(record).ok()?)))
    }

    /// A relation's rows in order; none if there is no such relation. `R` must be the relation's row.
    pub fn rows<R: Row>(&self, name: &str) -> Vec<R> {
        let mut rows = Vec::new();
        if let Some(view) = self.relation(name) {
            view.for_each(&mut |cells| rows.extend(R::from_cells(cells)));
        }
        rows.sort_unstable();
        rows
    }

    /// A set relation's sets; none if there is no such relation. `K` and `E` must be its columns.
    pub fn sets<K: Key, E: Column>(&self, name: &str) -> SetRelation<K, E> {
        let mut sets = Vec::new();
        if let Some(view) = self.relation(name) {
            view.for_each_set(&mut |key, set| sets.extend(K::from_cells(key).map(|key| (key, set.clone()))));
        }
        SetRelation::new(sets)
    }

    fn fields(&self, at: usize, record: u32) -> Vec<Cell> {
        let words = self.domain.fields(at, record);
        words.iter().zip(&self.records[at].1).map(|(word, kind)| self.domain.cell(*word, *kind)).collect()
    }

    /// The word of a constant; None for one that this domain has no word of.
    pub(in crate::datalog) fn word_of(&self, constant: &Expression, kind: Kind) -> Option<Word> {
        match constant {
            Expression::Number(value, _) if kind == Kind::Unsigned => u32::try_from(*value).ok(),
            Expression::Number(value, _) => self.domain.find_number(*value),
            Expression::Symbol(text) => self.domain.symbols.find(text).map(|symbol| symbol.0),
            Expression::Variable(_) | Expression::Record { .. } | Expression::Apply { .. } => None,
        }
    }

    pub(in crate::datalog) fn value(&self, word: Word, kind: Kind) -> Value {
        match (self.domain.cell(word, kind), kind) {
            (Cell::Number(value), _) => Value::Number(value),
            (Cell::Unsigned(value), _) => Value::Number(i64::from(value)),
            (Cell::Symbol(Sym(_)), _) => Value::Symbol(self.domain.symbols.resolve(Sym(word)).to_string()),
            (Cell::Record(record), Kind::Record(at)) => {
                let words = self.domain.fields(at, record);
                Value::Record(
                    words.iter().zip(&self.records[at].1).map(|(word, kind)| self.value(*word, *kind)).collect(),
                )
            }
            (Cell::Record(_), _) => unreachable!("records have record kinds"),
        }
    }
}

/// One relation of a [`Database`].
#[derive(Clone, Copy)]
pub struct View<'a> {
    database: &'a Database,
    at: usize,
}

impl<'a> View<'a> {
    /// The number of tuples.
    pub fn count(&self) -> usize {
        self.database.tables.count(self.at)
    }

    /// Calls `visit` with the words of every tuple.
    pub(in crate::datalog) fn each_words(&self, visit: &mut dyn FnMut(&[Word])) {
        let table = &self.database.tables.tables[self.at];
        let Some(nodes) = &table.nodes else {
            table.rows.iter().for_each(visit);
            return;
        };
        let mut tuple = Vec::new();
        for (key, node) in table.rows.iter().zip(nodes) {
            self.database.tables.graph.full(*node).for_each(|element| {
                tuple.clear();
                tuple.extend_from_slice(key);
                tuple.push(element);
                visit(&tuple);
            });
        }
    }

    /// Calls `visit` with the cells of every tuple.
    pub fn for_each(&self, visit: &mut dyn FnMut(&[Cell])) {
        let kinds = &self.database.relations[self.at].kinds;
        let mut cells = Vec::new();
        self.each_words(&mut |words| {
            cells.clear();
            cells.extend(words.iter().zip(kinds).map(|(word, kind)| self.database.domain.cell(*word, *kind)));
            visit(&cells);
        });
    }

    /// Of a relation stored as sets: calls `visit` with every key and its set, which is not empty.
    pub fn for_each_set(&self, visit: &mut dyn FnMut(&[Cell], &'a IdSet)) {
        let table = &self.database.tables.tables[self.at];
        let kinds = &self.database.relations[self.at].kinds;
        let Some(nodes) = &table.nodes else { return };
        for (key, node) in table.rows.iter().zip(nodes) {
            let set = self.database.tables.graph.full(*node);
            if !set.is_empty() {
                let cells: Vec<Cell> =
                    key.iter().zip(kinds).map(|(word, kind)| self.database.domain.cell(*word, *kind)).collect();
                visit(&cells, set);
            }
        }
    }

    /// A hash of all tuples as plain values, the same in whatever order and by whatever executor they were derived: for
    /// comparing relations that are too large for [`View::values`].
    pub fn fingerprint(&self) -> u64 {
        let kinds = &self.database.relations[self.at].kinds;
        let mut known: Vec<FxHashMap<Word, u64>> = vec![FxHashMap::default(); kinds.len()];
        let mut sum = 0u64;
        self.each_words(&mut |words| {
            let mut tuple = DefaultHasher::new();
            for ((word, kind), known) in words.iter().zip(kinds).zip(&mut known) {
                let of = || hash_of(&self.database.value(*word, *kind));
                tuple.write_u64(*known.entry(*word).or_insert_with(of));
            }
            sum = sum.wrapping_add(tuple.finish());
        });
        sum
    }

    /// All tuples as plain values, for comparing executors.
    pub fn values(&self) -> BTreeSet<Vec<Value>> {
        let kinds = &self.database.relations[self.at].kinds;
        let mut values = BTreeSet::new();
        self.each_words(&mut |words| {
            values.insert(words.iter().zip(kinds).map(|(word, kind)| self.database.value(*word, *kind)).collect());
        });
        values
    }
}

/// The same in every run.
fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
