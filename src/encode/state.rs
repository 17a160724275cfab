//! Symbolic states: what every cell holds, and the condition under which control is here.

use super::automaton::ContextId;
use super::log::Log;
use super::value::Value;
use crate::ir::{ConstantBytes, VarId};
use crate::smt::Term;
use std::collections::BTreeMap;
use std::rc::Rc;

crate::new_index! {
    /// An object: a variable's or a block's, numbered as pointers to it are. 0 is none.
    pub struct ObjectId = "object";
}

/// A variable of an activation; static ones belong to the root.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    pub context: ContextId,
    pub variable: VarId,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Bytes, of the width of a pointer.
    pub size: Term,
    /// Whether its life has begun and not ended.
    pub live: Term,
    /// Made by `malloc` and kin.
    pub heap: bool,
    /// The activation with whose end it ends, for blocks of `alloca`.
    pub owner: Option<ContextId>,
    pub constant: ConstantBytes,
    pub content: Log,
}

/// Conjuncts of a path condition, newest first, shared between states of common origin.
#[derive(Clone, Debug, Default)]
pub struct Path {
    newest: Option<Rc<Conjunct>>,
}

#[derive(Debug)]
struct Conjunct {
    term: Term,
    older: Option<Rc<Conjunct>>,
    length: usize,
}

impl Path {
    /// Adds a conjunct.
    pub fn push(&mut self, term: Term) {
        let length = self.length() + 1;
        self.newest = Some(Rc::new(Conjunct { term, older: self.newest.take(), length }));
    }
    /// How many conjuncts there are.
    pub fn length(&self) -> usize {
        self.newest.as_ref().map_or(0, |c| c.length)
    }
    /// The conjuncts, newest first.
    pub fn conjuncts(&self) -> Vec<Term> {
        let mut all = Vec::new();
        let mut next = self.newest.as_ref();
        while let Some(c) = next {
            all.push(c.term);
            next = c.older.as_ref();
        }
        all
    }
    /// The common part of both, and what each has besides.
    pub fn split(a: &Path, b: &Path) -> (Path, Vec<Term>, Vec<Term>) {
        let (mut x, mut y) = (a.newest.clone(), b.newest.clone());
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        loop {
            match (&x, &y) {
                (Some(p), Some(q)) if Rc::ptr_eq(p, q) => break,
                (None, None) => break,
                _ => {}
            }
            let longer = x.as_ref().map_or(0, |c| c.length) >= y.as_ref().map_or(0, |c| c.length);
            if longer && let Some(c) = x.clone() {
                of_a.push(c.term);
                x.clone_from(&c.older);
            } else if let Some(c) = y.clone() {
                of_b.push(c.term);
                y.clone_from(&c.older);
            }
        }
        (Path { newest: x }, of_a, of_b)
    }
}

/// A state.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Under which condition control is here, with this state.
    pub path: Path,
    /// Scalars that no pointer reaches.
    pub scalars: Rc<BTreeMap<Cell, Value>>,
    /// The number of the object that a variable is at present.
    pub homes: Rc<BTreeMap<Cell, Term>>,
    pub objects: Rc<BTreeMap<ObjectId, Rc<Object>>>,
}

impl State {
    /// The value of a scalar variable, if it has one.
    pub fn scalar(&self, cell: Cell) -> Option<Value> {
        self.scalars.get(&cell).copied()
    }
    /// Sets the value of a scalar variable.
    pub fn set_scalar(&mut self, cell: Cell, value: Value) {
        Rc::make_mut(&mut self.scalars).insert(cell, value);
    }
    /// Forgets what belongs to an activation.
    pub fn leave(&mut self, context: ContextId) {
        let first = Cell { context, variable: VarId(0) };
        let behind = Cell { context: ContextId(context.0 + 1), variable: VarId(0) };
        if self.scalars.range(first..behind).next().is_some() {
            Rc::make_mut(&mut self.scalars).retain(|c, _| c.context != context);
        }
        if self.homes.range(first..behind).next().is_some() {
            Rc::make_mut(&mut self.homes).retain(|c, _| c.context != context);
        }
    }
    /// The object with this number.
    pub fn object(&self, id: ObjectId) -> Option<&Rc<Object>> {
        self.objects.get(&id)
    }
    /// Changes an object.
    pub fn update(&mut self, id: ObjectId, change: impl FnOnce(&mut Object)) {
        if let Some(object) = Rc::make_mut(&mut self.objects).get_mut(&id) {
            change(Rc::make_mut(object));
        }
    }
    /// Adds an object.
    pub fn insert(&mut self, id: ObjectId, object: Object) {
        Rc::make_mut(&mut self.objects).insert(id, Rc::new(object));
    }
}
