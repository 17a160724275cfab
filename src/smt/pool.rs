//! The term pool: each term exists once, so equal terms have equal numbers and a DAG stays a DAG.
//!
//! A term enters through [`TermPool::try_apply`], which checks sorts, folds constants, simplifies and only then interns;
//! [`build`](super::build) names the operators as methods.

use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::error::{Result, SmtError};
use super::evaluate;
use super::op::{Op, Symbol, Term};
use super::simplify;
use super::sort::Sort;
use super::value::Value;

/// All terms of one thread's work, hash-consed.
#[derive(Debug)]
pub struct TermPool {
    id: u64,
    nodes: IndexSet<Node, FxBuildHasher>,
    /// Parallel to `nodes`.
    sorts: Vec<Sort>,
    /// Name to sort, by [`Symbol`] number.
    symbols: IndexMap<String, Sort>,
    fresh: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Node {
    op: Op,
    args: Args,
}

/// Argument lists; nearly all are short enough to need no allocation. The shape is given by the length.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Args {
    None,
    One([Term; 1]),
    Two([Term; 2]),
    Three([Term; 3]),
    Many(Box<[Term]>),
}

impl Args {
    fn new(args: &[Term]) -> Self {
        match *args {
            [] => Args::None,
            [a] => Args::One([a]),
            [a, b] => Args::Two([a, b]),
            [a, b, c] => Args::Three([a, b, c]),
            _ => Args::Many(args.into()),
        }
    }

    fn as_slice(&self) -> &[Term] {
        match self {
            Args::None => &[],
            Args::One(args) => args,
            Args::Two(args) => args,
            Args::Three(args) => args,
            Args::Many(args) => args,
        }
    }
}

impl Default for TermPool {
    fn default() -> Self {
        Self::new()
    }
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> Self {
        static POOLS: AtomicU64 = AtomicU64::new(0);
        TermPool {
            id: POOLS.fetch_add(1, Ordering::Relaxed),
            nodes: IndexSet::default(),
            sorts: Vec::new(),
            symbols: IndexMap::new(),
            fresh: 0,
        }
    }

    /// Distinguishes the pools of one process.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The operator at the root of `term`.
    pub fn op(&self, term: Term) -> Op {
        self.nodes[term.0 as usize].op
    }

    /// The arguments of `term`'s operator, in order.
    pub fn args(&self, term: Term) -> &[Term] {
        self.nodes[term.0 as usize].args.as_slice()
    }

    /// The sort of `term`.
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.0 as usize]
    }

    /// The value of `term` when it is a constant.
    pub fn constant(&self, term: Term) -> Option<Value> {
        match self.op(term) {
            Op::Bool(b) => Some(Value::Bool(b)),
            Op::BitVec(bits) => Some(Value::BitVec(bits)),
            _ => None,
        }
    }

    /// The name of `term` when it is a variable.
    pub fn name(&self, term: Term) -> Option<&str> {
        match self.op(term) {
            Op::Variable(Symbol(number)) => {
                let (name, _) = self.symbols.get_index(number as usize).expect("a variable's symbol is in its pool");
                Some(name)
            }
            _ => None,
        }
    }

    /// The variable `name`; the same term each time.
    ///
    /// # Errors
    /// [`SmtError::SymbolSort`] when it exists with another sort, [`SmtError::SymbolSpelling`] when SMT-LIB cannot
    /// spell it, [`SmtError::IllSorted`] when a width is not in 1 to 128.
    pub fn try_variable(&mut self, name: &str, sort: Sort) -> Result<Term> {
        if name.is_empty() || name.contains(['|', '\\', '\0']) {
            return Err(SmtError::SymbolSpelling { name: name.to_owned() });
        }
        let number = Symbol(self.symbols.get_index_of(name).unwrap_or(self.symbols.len()) as u32);
        if !sort.is_supported() {
            return Err(SmtError::IllSorted { op: Op::Variable(number), sorts: vec![sort] });
        }
        let declared = *self.symbols.entry(name.to_owned()).or_insert(sort);
        if declared != sort {
            return Err(SmtError::SymbolSort { name: name.to_owned(), declared, asked: sort });
        }
        Ok(self.intern(Op::Variable(number), &[], sort))
    }

    /// A variable that no other call returns, named after `stem`. Errors as [`try_variable`](Self::try_variable).
    pub fn try_fresh_variable(&mut self, stem: &str, sort: Sort) -> Result<Term> {
        loop {
            let name = format!("{stem}!{}", self.fresh);
            self.fresh += 1;
            if !self.symbols.contains_key(&name) {
                return self.try_variable(&name, sort);
            }
        }
    }

    /// `op` applied to `args`, simplified.
    ///
    /// # Errors
    /// [`SmtError::IllSorted`].
    pub fn try_apply(&mut self, op: Op, args: &[Term]) -> Result<Term> {
        let sorts: Vec<Sort> = args.iter().map(|&t| self.sort(t)).collect();
        let sort = op.result_sort(&sorts)?;
        if let Some(value) = self.fold(op, args) {
            return Ok(self.value(value));
        }
        Ok(simplify::simplify(self, op, args).unwrap_or_else(|| self.intern(op, args, sort)))
    }

    /// The constant `value`.
    pub fn value(&mut self, value: Value) -> Term {
        let op = match value {
            Value::Bool(b) => Op::Bool(b),
            Value::BitVec(bits) => Op::BitVec(bits),
        };
        self.intern(op, &[], value.sort())
    }

    /// The value of `op` over constant arguments; `None` when an argument is none.
    fn fold(&self, op: Op, args: &[Term]) -> Option<Value> {
        if args.is_empty() {
            return None;
        }
        let values: Option<Vec<Value>> = args.iter().map(|&t| self.constant(t)).collect();
        evaluate::apply(op, &values?).ok()
    }

    /// The term of exactly this shape, whose sort is `sort`.
    pub(super) fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let (number, new) = self.nodes.insert_full(Node { op, args: Args::new(args) });
        if new {
            self.sorts.push(sort);
        }
        Term(u32::try_from(number).expect("a pool holds fewer than 2^32 terms"))
    }

    /// All terms that `roots` are built from, themselves included, arguments before what is built from them.
    pub fn subterms(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen: FxHashSet<Term> = roots.iter().copied().collect();
        let mut found: Vec<Term> = seen.iter().copied().collect();
        let mut next = 0;
        while next < found.len() {
            for &arg in self.args(found[next]) {
                if seen.insert(arg) {
                    found.push(arg);
                }
            }
            next += 1;
        }
        // Arguments have smaller numbers.
        found.sort_unstable();
        found
    }

    /// The variables that occur in `roots`, in the order of their making.
    pub fn variables(&self, roots: &[Term]) -> Vec<Term> {
        let mut found = self.subterms(roots);
        found.retain(|&t| matches!(self.op(t), Op::Variable(_)));
        found
    }

    /// `term` with every occurrence of a key of `replacements` replaced, all at once, and simplified anew.
    ///
    /// # Errors
    /// As [`try_apply`](Self::try_apply), when a replacement has another sort than what it replaces.
    pub fn substitute(&mut self, term: Term, replacements: &FxHashMap<Term, Term>) -> Result<Term> {
        let mut image: FxHashMap<Term, Term> = FxHashMap::default();
        for old in self.subterms(&[term]) {
            let new = match replacements.get(&old) {
                Some(&new) if self.sort(new) == self.sort(old) => new,
                Some(&new) => {
                    return Err(SmtError::IllSorted { op: self.op(old), sorts: vec![self.sort(new)] });
                }
                None if self.args(old).is_empty() => old,
                None => {
                    let args: Vec<Term> = self.args(old).iter().map(|arg| image[arg]).collect();
                    if args == self.args(old) { old } else { self.try_apply(self.op(old), &args)? }
                }
            };
            image.insert(old, new);
        }
        Ok(image[&term])
    }
}

#[cfg(test)]
mod tests {
    use super::{Sort, TermPool};
    use crate::smt::{Op, SmtError};
    use rustc_hash::FxHashMap;

    #[test]
    fn equal_terms_are_one_term_and_names_keep_their_sort() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::BitVec(8)), pool.variable("y", Sort::BitVec(8)));
        assert_eq!(pool.bv_add(x, y), pool.bv_add(y, x));
        assert_ne!(pool.bv_sub(x, y), pool.bv_sub(y, x));
        assert!(matches!(pool.try_variable("x", Sort::Bool), Err(SmtError::SymbolSort { .. })));
        assert!(matches!(pool.try_variable("a|b", Sort::Bool), Err(SmtError::SymbolSpelling { .. })));
        assert!(matches!(pool.try_variable("wide", Sort::BitVec(129)), Err(SmtError::IllSorted { .. })));
        let taken = pool.variable("x!0", Sort::Bool);
        assert_ne!(pool.fresh_variable("x", Sort::Bool), taken);
    }

    #[test]
    fn ill_sorted_applications_are_errors() {
        let mut pool = TermPool::new();
        let (x, n) = (pool.variable("x", Sort::BitVec(8)), pool.variable("n", Sort::Bool));
        let wide = pool.variable("wide", Sort::BitVec(128));
        for (op, args) in [
            (Op::BvAdd, vec![x, wide]),
            (Op::BvAdd, vec![x, n]),
            (Op::BvAdd, vec![x]),
            (Op::Concat, vec![wide, x]),
            (Op::Extract { high: 8, low: 0 }, vec![x]),
            (Op::Extract { high: 0, low: 1 }, vec![x]),
            (Op::ZeroExtend(u32::MAX), vec![x]),
            (Op::Ite, vec![x, x, x]),
            (Op::And, vec![x]),
        ] {
            assert!(matches!(pool.try_apply(op, &args), Err(SmtError::IllSorted { .. })), "{op:?}");
        }
    }

    #[test]
    fn substitution_is_simultaneous_and_simplifies() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::BitVec(8)), pool.variable("y", Sort::BitVec(8)));
        let difference = pool.bv_sub(x, y);
        let swapped = pool.substitute(difference, &FxHashMap::from_iter([(x, y), (y, x)])).unwrap();
        assert_eq!(swapped, pool.bv_sub(y, x));
        let same = pool.substitute(difference, &FxHashMap::from_iter([(x, y)])).unwrap();
        assert_eq!(same, pool.bv(8, 0));
        let n = pool.variable("n", Sort::Bool);
        assert!(pool.substitute(difference, &FxHashMap::from_iter([(x, n)])).is_err());
    }

    #[test]
    fn deep_terms_need_no_stack() {
        let mut pool = TermPool::new();
        let (x, y) = (pool.variable("x", Sort::BitVec(32)), pool.variable("y", Sort::BitVec(32)));
        let mut deep = x;
        for _ in 0..200_000 {
            let sum = pool.bv_add(deep, y);
            deep = pool.bv_xor(sum, x);
        }
        assert_eq!(pool.variables(&[deep]), vec![x, y]);
        let shallow = pool.substitute(deep, &FxHashMap::from_iter([(x, y)])).unwrap();
        assert_eq!(pool.variables(&[shallow]), vec![y]);
    }
}
