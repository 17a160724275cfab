//! The content of an object: the list of its writes, newest first, over what it held in the beginning.

use super::value::Value;
use crate::smt::Term;
use std::cell::RefCell;
use std::rc::Rc;

/// A write of a scalar.
#[derive(Clone, Debug)]
pub struct Write {
    /// Whether it happened, given that control came here.
    pub guard: Option<Term>,
    /// Bytes from the object's start, of the width of a pointer.
    pub offset: Term,
    /// Bytes.
    pub size: u64,
    pub value: Value,
}

/// What an object held before the writes.
#[derive(Clone, Debug)]
pub enum Origin {
    Zero,
    /// Anything, but the same at each reading: what was read so far.
    Anything(Rc<RefCell<Vec<(Term, u64, Value)>>>),
    /// Anything at each reading: sound for proofs, too weak for counterexamples.
    Noise,
}

impl Origin {
    /// An unknown content.
    pub fn anything() -> Origin {
        Origin::Anything(Rc::default())
    }
    fn same(&self, other: &Origin) -> bool {
        match (self, other) {
            (Origin::Zero, Origin::Zero) | (Origin::Noise, Origin::Noise) => true,
            (Origin::Anything(a), Origin::Anything(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

/// A content.
#[derive(Clone, Debug)]
pub struct Log {
    newest: Option<Rc<Entry>>,
    pub origin: Origin,
}

#[derive(Debug)]
struct Entry {
    write: Write,
    older: Option<Rc<Entry>>,
    /// Writes in the list.
    length: usize,
}

impl Drop for Entry {
    // Long lists must not be freed by recursion.
    fn drop(&mut self) {
        let mut next = self.older.take();
        while let Some(entry) = next {
            next = Rc::try_unwrap(entry).ok().and_then(|mut e| e.older.take());
        }
    }
}

impl Log {
    /// A content without writes.
    pub fn new(origin: Origin) -> Log {
        Log { newest: None, origin }
    }
    /// How many writes there are.
    pub fn len(&self) -> usize {
        self.newest.as_ref().map_or(0, |e| e.length)
    }
    /// Adds a write.
    pub fn push(&mut self, write: Write) {
        let length = self.len() + 1;
        self.newest = Some(Rc::new(Entry { write, older: self.newest.take(), length }));
    }
    /// The writes, newest first.
    pub fn writes(&self) -> impl Iterator<Item = &Write> {
        let mut next = self.newest.as_ref();
        std::iter::from_fn(move || {
            let entry = next?;
            next = entry.older.as_ref();
            Some(&entry.write)
        })
    }
    /// Whether both are one and the same list.
    pub fn same(&self, other: &Log) -> bool {
        let lists = match (&self.newest, &other.newest) {
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        lists && self.origin.same(&other.origin)
    }
    /// The content that is `a` where `condition` holds and `b` elsewhere: the writes of both behind their common ones,
    /// guarded by `condition` and by `otherwise`. `and` conjoins guards.
    pub fn join(a: &Log, b: &Log, condition: Term, otherwise: Term, and: &mut dyn FnMut(Term, Term) -> Term) -> Log {
        if !a.origin.same(&b.origin) {
            return Log::new(Origin::Noise);
        }
        let (mut x, mut y) = (a.newest.clone(), b.newest.clone());
        let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
        loop {
            let length = |e: &Option<Rc<Entry>>| e.as_ref().map_or(0, |e| e.length);
            let common = match (&x, &y) {
                (Some(p), Some(q)) => Rc::ptr_eq(p, q),
                (None, None) => true,
                _ => false,
            };
            if common {
                break;
            }
            if length(&x) >= length(&y)
                && let Some(entry) = x.clone()
            {
                x.clone_from(&entry.older);
                of_a.push(entry);
            } else if let Some(entry) = y.clone() {
                y.clone_from(&entry.older);
                of_b.push(entry);
            }
        }
        let mut joined = Log { newest: x, origin: a.origin.clone() };
        for (side, entries) in [(condition, of_a), (otherwise, of_b)] {
            for entry in entries.into_iter().rev() {
                let guard = entry.write.guard.map_or(side, |g| and(g, side));
                joined.push(Write { guard: Some(guard), ..entry.write.clone() });
            }
        }
        joined
    }
}
