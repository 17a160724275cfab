//! Numbers that depend on inputs: hash-consed terms over C integer types, each with its value in the run that is followed.

use crate::base::IndexVec;
use crate::concrete::InputPlace;
use crate::domains::IntType;
use crate::ir::BinaryOp;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

crate::new_index! {
    /// A term. Operands have lower numbers than what is computed from them.
    pub struct TermId = "t";
    /// An input, or a byte of one.
    pub struct VarNo = "x";
}

/// Which number of the environment a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub place: InputPlace,
    pub occurrence: u32,
    /// The byte's number, of inputs that are bytes.
    pub byte: Option<u32>,
}

/// A variable: its type, the bounds that the program asks for, and its value in the first run that had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable {
    pub key: Key,
    pub ty: IntType,
    pub low: i128,
    pub high: i128,
    pub value: i128,
    pub term: TermId,
}

/// What a term computes. All numbers are mathematical ones within their type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    Input(VarNo),
    Const(i128),
    /// `~x`
    Not(TermId),
    /// Arithmetic in the operands' type; shifts by a constant below the width; comparisons, whose result is 0 or 1.
    Binary(BinaryOp, TermId, TermId),
    /// Converted to the term's type.
    Convert(TermId),
    /// 1 when the exact result lies in the operands' type.
    Fits(BinaryOp, TermId, TermId),
}

/// A term with its type and its value in the run.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    pub node: Node,
    pub ty: IntType,
    pub value: i128,
}

/// The type of truth values.
pub const TRUTH: IntType = IntType { bits: 32, signed: true, boolean: false };

/// The terms of all runs that are followed for one site.
#[derive(Debug, Default)]
pub struct Terms {
    terms: IndexVec<TermId, Term>,
    known: FxHashMap<(Node, IntType, i128), TermId>,
    variables: IndexVec<VarNo, Variable>,
    by_key: FxHashMap<Key, VarNo>,
}

impl Terms {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.terms.len()
    }
    /// The term.
    pub fn get(&self, id: TermId) -> Term {
        self.terms[id]
    }
    /// Its value in the run that it was made in.
    pub fn value(&self, id: TermId) -> i128 {
        self.terms[id].value
    }
    /// Its type.
    pub fn ty(&self, id: TermId) -> IntType {
        self.terms[id].ty
    }
    /// All variables.
    pub fn variables(&self) -> &IndexVec<VarNo, Variable> {
        &self.variables
    }
    /// The number, when the term is a constant.
    pub fn constant_of(&self, id: TermId) -> Option<i128> {
        match self.terms[id].node {
            Node::Const(v) => Some(v),
            _ => None,
        }
    }

    /// The variable of `key`, which has `value` in this run. None when another run knows it with another type or range.
    pub fn input(&mut self, key: Key, ty: IntType, (low, high): (i128, i128), value: i128) -> Option<TermId> {
        let number = match self.by_key.get(&key) {
            Some(n) => {
                let v = &self.variables[*n];
                if (v.ty, v.low, v.high) != (ty, low, high) {
                    return None;
                }
                *n
            }
            None => {
                let term = TermId(0);
                let n = self.variables.push(Variable { key, ty, low, high, value, term });
                self.by_key.insert(key, n);
                n
            }
        };
        // The value is part of a term, so that each run has its own.
        let term = self.make(Node::Input(number), ty, value);
        self.variables[number].term = term;
        Some(term)
    }
    /// A constant of a type.
    pub fn constant(&mut self, value: i128, ty: IntType) -> TermId {
        let value = ty.wrap_number(value);
        self.make(Node::Const(value), ty, value)
    }
    /// `~a`
    pub fn not(&mut self, a: TermId) -> TermId {
        let Term { ty, value, .. } = self.terms[a];
        self.make(Node::Not(a), ty, ty.wrap_number(!value))
    }
    /// `a op b` on operands of one type; `b` is a constant below the width for shifts. The divisor of a division by zero
    /// yields 0: the path has a condition that excludes it.
    pub fn binary(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.terms[a], self.terms[b]);
        debug_assert!(matches!(op, BinaryOp::Shl | BinaryOp::Shr) || x.ty == y.ty, "{op:?} on {x:?} and {y:?}");
        let ty = if op.is_comparison() { TRUTH } else { x.ty };
        let value = compute(op, x.value, y.value, ty);
        if self.constant_of(a).is_some() && self.constant_of(b).is_some() {
            return self.constant(value, ty);
        }
        self.make(Node::Binary(op, a, b), ty, value)
    }
    /// `a op n`.
    pub fn with_number(&mut self, op: BinaryOp, a: TermId, n: i128) -> TermId {
        let ty = self.ty(a);
        let b = self.constant(n, ty);
        self.binary(op, a, b)
    }
    /// `a` converted.
    pub fn convert(&mut self, a: TermId, ty: IntType) -> TermId {
        let from = self.terms[a];
        if from.ty == ty {
            return a;
        }
        let value = ty.wrap_number(from.value);
        match from.node {
            Node::Const(_) => self.constant(value, ty),
            // What a wider type keeps can be converted at once.
            Node::Convert(inner) if !from.ty.boolean && from.ty.bits >= ty.bits && !ty.boolean => {
                self.convert(inner, ty)
            }
            _ => self.make(Node::Convert(a), ty, value),
        }
    }
    /// Whether `a op b` lies in the operands' type.
    pub fn fits(&mut self, op: BinaryOp, a: TermId, b: TermId) -> TermId {
        let (x, y) = (self.terms[a], self.terms[b]);
        let exact = exact(op, x.value, y.value);
        let fits = i128::from(exact.is_none_or(|v| x.ty.bounds().contains(v)) && exact.is_some());
        self.make(Node::Fits(op, a, b), TRUTH, fits)
    }
    /// `a` as a truth value.
    pub fn truth(&mut self, a: TermId) -> TermId {
        match self.terms[a].node {
            Node::Binary(op, ..) if op.is_comparison() => a,
            Node::Fits(..) => a,
            // The truth of a converted truth.
            Node::Convert(inner) if self.ty(a).bits >= self.ty(inner).bits || self.is_truth(inner) => self.truth(inner),
            _ => self.with_number(BinaryOp::Ne, a, 0),
        }
    }
    fn is_truth(&self, a: TermId) -> bool {
        match self.terms[a].node {
            Node::Binary(op, ..) => op.is_comparison(),
            Node::Fits(..) => true,
            _ => false,
        }
    }

    fn make(&mut self, node: Node, ty: IntType, value: i128) -> TermId {
        let terms = &mut self.terms;
        *self.known.entry((node, ty, value)).or_insert_with(|| terms.push(Term { node, ty, value }))
    }

    /// Digests of all terms that do not depend on the run that they were made in.
    pub fn digests(&self) -> IndexVec<TermId, u64> {
        let mut all: IndexVec<TermId, u64> = IndexVec::new();
        for term in self.terms.iter() {
            // Operands come before what is computed from them.
            let node = match term.node {
                Node::Input(v) => {
                    let Variable { key, low, high, .. } = self.variables[v];
                    digest((0, key, low, high))
                }
                Node::Const(n) => digest((1, n)),
                Node::Not(a) => digest((2, all[a])),
                Node::Convert(a) => digest((3, all[a])),
                Node::Binary(op, a, b) => digest((4, op, all[a], all[b])),
                Node::Fits(op, a, b) => digest((5, op, all[a], all[b])),
            };
            all.push(digest((node, term.ty)));
        }
        all
    }

    /// The terms that `roots` are computed from, with them, in ascending order.
    pub fn cone(&self, roots: impl Iterator<Item = TermId>) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<TermId> = roots.collect();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.terms[t].node {
                Node::Input(_) | Node::Const(_) => {}
                Node::Not(a) | Node::Convert(a) => stack.push(a),
                Node::Binary(_, a, b) | Node::Fits(_, a, b) => stack.extend([a, b]),
            }
        }
        let mut all: Vec<TermId> = seen.into_iter().collect();
        all.sort_unstable();
        all
    }
}

/// A digest of anything.
pub fn digest(what: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

/// The mathematical result; None for a division by zero, or when it is too large to represent.
fn exact(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        // A remainder overflows with its quotient (C11 6.5.5p6).
        BinaryOp::Div | BinaryOp::Rem => a.checked_div(b),
        _ => Some(0),
    }
}

fn compute(op: BinaryOp, a: i128, b: i128, ty: IntType) -> i128 {
    let shift = b.clamp(0, 127) as u32;
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b).unwrap_or(0),
        BinaryOp::Rem => a.checked_rem(b).unwrap_or(0),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a.wrapping_shl(shift),
        BinaryOp::Shr => a >> shift,
        BinaryOp::Eq => (a == b).into(),
        BinaryOp::Ne => (a != b).into(),
        BinaryOp::Lt => (a < b).into(),
        BinaryOp::Le => (a <= b).into(),
        BinaryOp::Gt => (a > b).into(),
        BinaryOp::Ge => (a >= b).into(),
    };
    ty.wrap_number(value)
}
