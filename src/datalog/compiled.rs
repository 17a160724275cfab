//! What the `ascent` programs that the build generates are made of. Their relations hold
//! the evaluator's words; a set relation is a lattice from its key to an [`IdSet`], so that rules which only pass
//! sets on join whole sets. `ascent` has no differences of lattice values: every change of a set runs its rules
//! over the whole set again.
//!
//! See: A. Sahebolamri, T. Gilray, K. Micinski, Seamless deductive inference via macros (`ascent`).
use super::evaluate::functor::{self, TextTests};
use super::evaluate::table::Tables;
use super::evaluate::value::{Domain, Word};
use super::evaluate::{Database, IdSet, Input, join, plan};
use super::language::core::*;
use super::limits::{Guard, Limits, RunError};
use std::cell::RefCell;
use std::cmp::Ordering;

/// A program's inputs as words, and the functors its rules use.
pub struct Kit<'a> {
    program: &'a Program,
    tables: Tables,
    domain: RefCell<Domain>,
    tests: RefCell<TextTests>,
    error: RefCell<Option<RunError>>,
    guard: RefCell<Guard>,
}

impl<'a> Kit<'a> {
    /// Reads the inputs of `program`.
    pub fn new(program: &'a Program, input: &dyn Input, limits: &Limits) -> Result<Kit<'a>, RunError> {
        let mut domain = Domain::of(program, input);
        let mut tables = Tables::new(program);
        tables.load(program, &mut domain, input)?;
        Ok(Kit {
            program,
            tables,
            domain: RefCell::new(domain),
            tests: RefCell::default(),
            error: RefCell::default(),
            guard: RefCell::new(Guard::new(limits)),
        })
    }

    /// The rows of an input relation.
    pub fn rows<R>(&self, relation: RelationId, row: impl Fn(&[Word]) -> R) -> Vec<R> {
        self.tables.tables[relation].rows.iter().map(row).collect()
    }

    /// The keys and sets of an input relation that is stored as sets.
    pub fn sets<R>(&self, relation: RelationId, row: impl Fn(&[Word], IdSet) -> R) -> Vec<R> {
        let keys = self.tables.tables[relation].rows.iter().enumerate();
        keys.map(|(at, key)| row(key, self.tables.set(relation, at as u32).clone())).collect()
    }

    /// Counts a derivation; false once a limit is reached, after which nothing is derived.
    pub fn go_on(&self) -> bool {
        let mut guard = self.guard.borrow_mut();
        guard.derive();
        guard.tick() && self.error.borrow().is_none()
    }

    pub fn number(&self, value: i64) -> Word {
        self.domain.borrow_mut().number(value)
    }

    pub fn symbol(&self, text: &str) -> Word {
        self.domain.borrow().symbols.intern(text).0
    }

    pub fn record(&self, record: usize, fields: &[Word]) -> Word {
        self.domain.borrow_mut().record(record, fields)
    }

    pub fn fields(&self, record: usize, word: Word) -> Vec<Word> {
        self.domain.borrow().fields(record, word).to_vec()
    }

    pub fn apply(&self, functor: Functor, kind: Kind, words: &[Word]) -> Option<Word> {
        join::apply(&mut self.domain.borrow_mut(), functor, words, kind)
    }

    pub fn compare(&self, op: Comparison, kind: Kind, left: Word, right: Word) -> bool {
        join::compare(&self.domain.borrow(), op, kind, left, right)
    }

    pub fn test(&self, test: TextTest, part: Word, whole: Word) -> Option<bool> {
        let resolve = |word| self.domain.borrow().symbols.resolve(crate::facts::Sym(word));
        match self.tests.borrow_mut().holds(test, &resolve(part), &resolve(whole)) {
            Ok(holds) => Some(holds),
            Err(reason) => {
                self.error.borrow_mut().get_or_insert(RunError::Pattern { reason });
                None
            }
        }
    }

    /// Folds the values of an aggregate; `values` has a word for every binding.
    pub fn fold(&self, aggregate: AggregateKind, kind: Kind, values: &[Word]) -> Option<Word> {
        let numbers: Vec<i64> = match (aggregate, kind) {
            (AggregateKind::Count, _) => Vec::new(),
            (_, Kind::Unsigned) => values.iter().map(|word| i64::from(*word)).collect(),
            _ => values.iter().map(|word| self.domain.borrow().number_of(*word)).collect(),
        };
        let value = functor::fold(aggregate, values.len(), numbers)?;
        Some(plan::number_word(value, kind, &mut self.domain.borrow_mut()))
    }

    /// Derives a stratum, whose sets are whole after it; `relation` is one of its relations.
    pub fn complete(&mut self, relation: RelationId, stratum: impl Fn(&mut Kit<'a>)) -> Result<(), RunError> {
        stratum(self);
        self.tables.graph.propagate();
        self.error.take().map_or(Ok(()), Err)?;
        self.guard.get_mut().verdict(&self.program.relations[relation].name)
    }

    /// Takes a derived relation's rows in.
    pub fn take_rows<const N: usize>(&mut self, relation: RelationId, rows: impl Iterator<Item = [Word; N]>) {
        let arity = self.program.relations[relation].kinds.len();
        rows.for_each(|row| {
            self.tables.insert(relation, &row[..arity]);
        });
    }

    /// Takes a derived set relation's sets in.
    pub fn take_sets<const N: usize>(&mut self, relation: RelationId, sets: impl Iterator<Item = ([Word; N], IdSet)>) {
        for (key, set) in sets {
            let node = self.tables.node(relation, &key);
            self.tables.graph.add_set(node, &set);
        }
    }

    /// The finished database.
    pub fn finish(self) -> Database {
        Database::new(self.program, self.tables, self.domain.into_inner(), self.guard.into_inner().derivations)
    }
}

impl IdSet {
    /// The set of one id.
    pub fn one(id: u32) -> IdSet {
        [id].into_iter().collect()
    }
}

/// Ordered by inclusion.
impl PartialOrd for IdSet {
    fn partial_cmp(&self, other: &IdSet) -> Option<Ordering> {
        match (self.is_subset(other), other.is_subset(self)) {
            (true, true) => Some(Ordering::Equal),
            (true, false) => Some(Ordering::Less),
            (false, true) => Some(Ordering::Greater),
            (false, false) => None,
        }
    }
}

impl ascent::Lattice for IdSet {
    fn meet_mut(&mut self, other: IdSet) -> bool {
        let before = self.len();
        *self = self.intersection(&other);
        self.len() != before
    }

    fn join_mut(&mut self, other: IdSet) -> bool {
        self.union_with(&other)
    }
}

/// Collects the values of an aggregate, for [`Kit::fold`].
pub fn collect<'a>(values: impl Iterator<Item = (&'a Word,)>) -> impl Iterator<Item = Vec<Word>> {
    std::iter::once(values.map(|(word,)| *word).collect())
}
