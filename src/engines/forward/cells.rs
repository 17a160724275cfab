//! The cells of an object, by their offsets: scalars that do not overlap. As a persistent tree: a copy costs nothing, a write what lies
//! on the way to it, and where two are joined or compared, what they share is passed over.

use super::shape::{Shape, byte};
use super::targets::Valued;
use super::tree::Tree;
use crate::domains::Value;
use std::sync::Arc;

/// A scalar at a known offset.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub shape: Shape,
    pub value: Value,
}

/// No two of them have a byte in common.
#[derive(Clone, Debug, Default)]
pub struct Cells {
    all: Tree<Cell>,
}

/// Offsets as keys, in the same order.
fn key(at: i64) -> u64 {
    (at as u64) ^ (1 << 63)
}

fn offset(key: u64) -> i64 {
    (key ^ (1 << 63)) as i64
}

impl PartialEq for Cells {
    fn eq(&self, other: &Self) -> bool {
        self.all.all_different(&other.all, &mut |_, c, d| c.zip(d).is_some_and(|(c, d)| c == d))
    }
}

impl Valued for Cells {
    fn values(&self) -> impl Iterator<Item = &Value> {
        self.iter().map(|(_, c)| &c.value)
    }
}

impl Cells {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
    /// The cell that starts at `at`.
    pub fn get(&self, at: i64) -> Option<&Cell> {
        self.all.get(key(at)).map(|c| &**c)
    }
    /// All cells in order, with their offsets.
    pub fn iter(&self) -> impl Iterator<Item = (i64, &Cell)> {
        self.all.range(0, u64::MAX).map(|(k, c)| (offset(k), &**c))
    }
    /// Cells that have a byte in `[lo, hi)`, in order.
    pub fn overlapping(&self, lo: i64, hi: i64) -> impl Iterator<Item = (i64, &Cell)> {
        // No shape is larger than 16 bytes.
        let (first, last) = (key(lo.saturating_sub(15)), key(hi.max(lo)).saturating_sub(1));
        let all = self.all.range(first, last).map(|(k, c)| (offset(k), &**c));
        all.filter(move |(o, c)| o.saturating_add(c.shape.len()) > lo)
    }
    /// Puts a cell where no other has a byte, or one of the same size is.
    pub fn insert(&mut self, at: i64, shape: Shape, value: Value) {
        self.all.insert(key(at), Arc::new(Cell { shape, value }));
    }
    /// Puts a cell in the place of the bytes that it covers; what cells hold outside stays.
    pub fn overwrite(&mut self, at: i64, shape: Shape, value: Value) {
        if self.get(at).is_none_or(|c| c.shape.size != shape.size) {
            self.cut(at, at.saturating_add(shape.len()));
        }
        self.insert(at, shape, value);
    }
    /// Removes all cells from `[lo, hi)`; what they hold outside stays.
    pub fn cut(&mut self, lo: i64, hi: i64) {
        self.take_apart(lo, hi, |at| !(lo..hi).contains(&at));
    }
    /// Turns the cells that touch `[lo, hi)` into bytes.
    pub fn split(&mut self, lo: i64, hi: i64) {
        self.take_apart(lo, hi, |_| true);
    }
    /// Leaves of the cells that touch `[lo, hi)` the bytes that `stays` chooses.
    fn take_apart(&mut self, lo: i64, hi: i64, stays: impl Fn(i64) -> bool) {
        let over: Vec<(i64, Cell)> = self.overlapping(lo, hi).map(|(o, c)| (o, c.clone())).collect();
        for (o, c) in over {
            self.all.remove(key(o));
            for i in (0..c.shape.size).filter(|&i| stays(o + i64::from(i))) {
                self.insert(o + i64::from(i), Shape::BYTE, byte(&c.value, c.shape, i));
            }
        }
    }
    /// Lets every cell that touches `[lo, hi)` hold what `more` says besides what it holds.
    pub fn join_range(&mut self, lo: i64, hi: i64, more: impl Fn(i64, &Cell) -> Value) {
        let joined = self.overlapping(lo, hi).map(|(o, c)| (o, c.shape, c.value.join(&more(o, c)), &c.value));
        let changed: Vec<(i64, Shape, Value)> =
            joined.filter(|(.., new, old)| new != *old).map(|(o, shape, new, _)| (o, shape, new)).collect();
        for (o, shape, value) in changed {
            self.insert(o, shape, value);
        }
    }
    /// Changes every value.
    pub fn map_values(&mut self, f: impl Fn(&mut Value)) {
        self.all = self.all.map(&mut |_, c| {
            let mut value = c.value.clone();
            f(&mut value);
            (value != c.value).then(|| Arc::new(Cell { shape: c.shape, value }))
        });
    }
    /// Whether `holds` is true of all offsets at which not both have one and the same cell.
    pub fn differ_only_where(&self, other: &Cells, holds: impl Fn(i64, Option<&Cell>, Option<&Cell>) -> bool) -> bool {
        self.all.all_different(&other.all, &mut |k, c, d| holds(offset(k), c.map(|c| &**c), d.map(|d| &**d)))
    }
    /// Both, cut so that cells either coincide or do not touch, and combined where they are not one and the same.
    pub fn merge(&self, other: &Cells, f: impl Fn(i64, Option<&Cell>, Option<&Cell>) -> Cell) -> Cells {
        let (mut a, mut b) = (self.clone(), other.clone());
        loop {
            let clashes = a.clashes(&b);
            if clashes.is_empty() {
                break;
            }
            for (lo, hi) in clashes {
                a.split(lo, hi);
                b.split(lo, hi);
            }
        }
        let all = a.all.merge(&b.all, &mut |k, c, d| {
            if let (Some(c), Some(d)) = (c, d)
                && c == d
            {
                return Some(c.clone());
            }
            let new = f(offset(k), c.map(|c| &**c), d.map(|d| &**d));
            Some(c.filter(|c| ***c == new).cloned().unwrap_or_else(|| Arc::new(new)))
        });
        Cells { all }
    }
    /// Ranges in which cells touch that do not coincide.
    fn clashes(&self, other: &Cells) -> Vec<(i64, i64)> {
        let mut all = Vec::new();
        self.all.all_different(&other.all, &mut |k, c, d| {
            let at = offset(k);
            match (c, d) {
                (Some(c), Some(d)) if c.shape.size == d.shape.size => {}
                (Some(c), _) => all.extend(other.touched(at, c)),
                (None, Some(d)) => all.extend(self.touched(at, d)),
                (None, None) => {}
            }
            true
        });
        all
    }
    /// The bytes of a cell and of the first one here that touches it.
    fn touched(&self, at: i64, cell: &Cell) -> Option<(i64, i64)> {
        let end = at + cell.shape.len();
        self.overlapping(at, end).next().map(|(p, d)| (at.min(p), end.max(p + d.shape.len())))
    }
}
