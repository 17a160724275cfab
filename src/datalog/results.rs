//! What compiled-in programs give back: the generated `Results` are made of these.
use super::evaluate::IdSet;
pub use super::language::ast::Executor;
use crate::facts::{BaseType, Cell, Column, Sym};

/// The key of a set relation: a column, or a tuple of columns.
pub trait Key: Copy + Ord {
    /// None if number or base types of the cells are others.
    fn from_cells(cells: &[Cell]) -> Option<Self>;
}

impl<C: Column> Key for C {
    fn from_cells(cells: &[Cell]) -> Option<Self> {
        let &[cell] = cells else { return None };
        C::from_cell(cell)
    }
}

impl<A: Column, B: Column> Key for (A, B) {
    fn from_cells(cells: &[Cell]) -> Option<Self> {
        let &[a, b] = cells else { return None };
        Some((A::from_cell(a)?, B::from_cell(b)?))
    }
}

impl<A: Column, B: Column, C: Column> Key for (A, B, C) {
    fn from_cells(cells: &[Cell]) -> Option<Self> {
        let &[a, b, c] = cells else { return None };
        Some((A::from_cell(a)?, B::from_cell(b)?, C::from_cell(c)?))
    }
}

/// A relation stored as sets: all columns but the last (`K`) map to a shared bitmap of the last (`E`).
#[derive(Clone, Debug)]
pub struct SetRelation<K, E> {
    /// By key, ascending; no set is empty.
    sets: Vec<(K, IdSet)>,
    element: std::marker::PhantomData<fn() -> E>,
}

impl<K, E> Default for SetRelation<K, E> {
    fn default() -> Self {
        SetRelation { sets: Vec::new(), element: std::marker::PhantomData }
    }
}

impl<K: Key, E: Column> SetRelation<K, E> {
    /// From keys with their sets, in any order, each key once.
    pub fn new(mut sets: Vec<(K, IdSet)>) -> Self {
        sets.retain(|(_, set)| !set.is_empty());
        sets.sort_unstable_by_key(|(key, _)| *key);
        SetRelation { sets, element: std::marker::PhantomData }
    }

    /// The set of a key by ids, if it is not empty.
    pub fn set(&self, key: K) -> Option<&IdSet> {
        self.sets.binary_search_by_key(&key, |(key, _)| *key).ok().map(|at| &self.sets[at].1)
    }

    /// The elements of a key, ascending by id.
    pub fn elements(&self, key: K) -> impl Iterator<Item = E> + '_ {
        self.set(key).into_iter().flat_map(|set| set.iter().map(element))
    }

    pub fn contains(&self, key: K, of: E) -> bool {
        self.set(key).is_some_and(|set| set.contains(id(of)))
    }

    /// Keys with their sets, ascending.
    pub fn sets(&self) -> impl Iterator<Item = (K, &IdSet)> + '_ {
        self.sets.iter().map(|(key, set)| (*key, set))
    }

    /// All tuples, ascending by key and element id.
    pub fn iter(&self) -> impl Iterator<Item = (K, E)> + '_ {
        self.sets.iter().flat_map(|(key, set)| set.iter().map(|id| (*key, element(id))))
    }

    /// The number of tuples.
    pub fn len(&self) -> usize {
        self.sets.iter().map(|(_, set)| set.len()).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }

    /// The number of keys.
    pub fn key_count(&self) -> usize {
        self.sets.len()
    }
}

/// The element an id stands for.
pub fn element<E: Column>(id: u32) -> E {
    let cell = match E::BASE {
        BaseType::Symbol => Cell::Symbol(Sym(id)),
        BaseType::Unsigned => Cell::Unsigned(id),
        BaseType::Record => Cell::Record(id),
        BaseType::Number => unreachable!("no relation stores sets of numbers"),
    };
    E::from_cell(cell).expect("the cell is of the column's base type")
}

/// The id an element has in sets.
pub fn id<E: Column>(element: E) -> u32 {
    match element.cell() {
        Cell::Symbol(Sym(id)) | Cell::Unsigned(id) | Cell::Record(id) => id,
        Cell::Number(_) => unreachable!("no relation stores sets of numbers"),
    }
}

/// The results of a program that was compiled in.
pub trait Outputs {
    /// The program that they are of.
    const PROGRAM: ProgramInfo;

    /// The tuples of all output relations together.
    fn tuples(&self) -> usize;
}

/// A rule file that was compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// From the project's root, with `/`.
    pub path: &'static str,
    pub text: &'static str,
}

/// A program that was compiled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramInfo {
    pub name: &'static str,
    pub path: &'static str,
    /// What runs it unless somebody asks for another.
    pub executor: Executor,
    /// Relations it reads from the facts.
    pub inputs: &'static [&'static str],
    pub outputs: &'static [&'static str],
}
