//! Where numbers stop: the constants that a program compares them with. Widening tries these before all others.
//!
//! `while (r->count < 64) r->count++`: of the many constants of a function, 64 is the one that says how far `count` goes.
//!
//! See: Blanchet et al., "A Static Analyzer for Large Safety-Critical Software", Sect. 7.1.2, for widening with thresholds; that they belong
//! to objects is ours.

use super::differences::{Cell, Linear, Term};
use super::evaluate::View;
use super::refine::Refiner;
use super::texts::Holder;
use crate::domains::BaseId;
use crate::ir::{BinaryOp, Expr};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// So many cells of one object have stops, so many each, and so many objects.
const CELLS: usize = 32;
const MOST: usize = 16;
const OBJECTS: usize = 4096;

/// Where the numbers at these offsets of an object stop.
pub type CellStops = BTreeMap<i64, BTreeSet<i128>>;

/// Where numbers stop, by object.
#[derive(Debug, Default)]
pub struct Stops(Mutex<FxHashMap<BaseId, Arc<CellStops>>>);

impl Stops {
    /// The number at an offset of `base` may stop at `constants`.
    fn note(&self, base: BaseId, at: i64, constants: impl Iterator<Item = i128>) {
        let mut all = self.0.lock().expect("no holder panics");
        if all.len() >= OBJECTS && !all.contains_key(&base) {
            return;
        }
        let of_base = all.entry(base).or_default();
        for constant in constants {
            let known = of_base.get(&at);
            let has_room = known.map_or(of_base.len() < CELLS, |own| own.len() < MOST);
            if has_room && known.is_none_or(|own| !own.contains(&constant)) {
                Arc::make_mut(of_base).entry(at).or_default().insert(constant);
            }
        }
    }
    /// What is copied from one cell to another, and so much added to it, stops there where it stops here.
    fn copy(&self, (from, at): (BaseId, i64), (to, there): (BaseId, i64), plus: i128) {
        let known = self.0.lock().expect("no holder panics").get(&from).cloned();
        if let Some(own) = known.as_ref().and_then(|of_base| of_base.get(&at)) {
            self.note(to, there, own.iter().filter_map(|stop| stop.checked_add(plus)));
        }
    }
    /// Those of an object.
    pub fn of(&self, base: BaseId) -> Arc<CellStops> {
        self.0.lock().expect("no holder panics").get(&base).cloned().unwrap_or_default()
    }
}

/// Where widening stops in a cell that has its own stops, where it does so at `thresholds`, sorted, in others: between its own at no
/// others. Nowhere without thresholds.
pub fn among(own: &BTreeSet<i128>, thresholds: &[i128]) -> Vec<i128> {
    let Some((&first, &last)) = own.first().zip(own.last()).filter(|_| !thresholds.is_empty()) else {
        return thresholds.to_vec();
    };
    let below = thresholds.iter().take_while(|t| **t < first);
    let above = thresholds.iter().skip_while(|t| **t <= last);
    below.chain(own).chain(above).copied().collect()
}

impl View<'_> {
    /// A number is about to be written to a cell: where that which it is made of stops, this does.
    pub fn copy_stops(&self, to: Holder, linear: Linear) {
        if let (Term::Number(Cell::Held(from)), 1) = (linear.of.term, linear.of.times)
            && from != to
        {
            self.bases.stops.copy((from.base, from.at), (to.base, to.at), linear.plus);
        }
    }
}

impl Refiner<'_> {
    /// Of the operands of a comparison one may be a literal: the number in a cell that the other is made of may stop there, coming from
    /// either side.
    pub fn note_stops(&self, op: BinaryOp, a: &Expr, b: &Expr) {
        for (op, number, literal) in [(op, a, b), (op.swap(), b, a)] {
            let Some(constant) = literal.without_casts().as_int() else { continue };
            let beside = match op {
                BinaryOp::Lt | BinaryOp::Ge => constant.checked_sub(1),
                BinaryOp::Le | BinaryOp::Gt => constant.checked_add(1),
                _ => None,
            };
            if let Some(linear) = self.view().term_of(number)
                && let (Term::Number(Cell::Held(holder)), 1) = (linear.of.term, linear.of.times)
            {
                let stops = [Some(constant), beside].into_iter().flatten();
                let stops = stops.filter_map(|stop| stop.checked_sub(linear.plus));
                self.bases.stops.note(holder.base, holder.at, stops);
            }
        }
    }
}
