//! What places and pointers are in the final states, joined over all of them, by where they stand in the program.

use super::analyzer::{Analyzer, Flow};
use crate::domains::{Pointers, Value};
use crate::ir::{Expr, ExprKind, Place, Stmt, Terminator};
use rustc_hash::FxHashMap;

/// By the address of the place or expression in the program's memory, which stays where it is.
#[derive(Debug, Default)]
pub struct Noted {
    addresses: FxHashMap<usize, Pointers>,
    values: FxHashMap<usize, Value>,
}

impl Noted {
    /// Where a place behind a pointer may start; None when no execution comes there.
    pub fn address(&self, place: &Place) -> Option<&Pointers> {
        self.addresses.get(&std::ptr::from_ref(place).addr())
    }
    /// The values of a pointer or of what a place holds; None when no execution comes there.
    pub fn value<T>(&self, at: &T) -> Option<&Value> {
        self.values.get(&std::ptr::from_ref(at).addr())
    }
}

impl Analyzer<'_, '_> {
    /// Notes what a statement evaluates.
    pub(super) fn note_statement(&mut self, flow: &Flow, stmt: &Stmt) {
        for place in stmt.kind.written_places() {
            self.note_address(flow, place);
        }
        for e in stmt.kind.exprs() {
            self.note(flow, e);
        }
    }
    /// Notes what a terminator evaluates.
    pub(super) fn note_terminator(&mut self, flow: &Flow, terminator: &Terminator) {
        if let Some(e) = terminator.expr() {
            self.note(flow, e);
        }
    }
    fn note(&mut self, flow: &Flow, e: &Expr) {
        self.note_value(flow, e, e);
        let mut places: Vec<&Place> = Vec::new();
        e.walk(&mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                places.push(place);
            }
        });
        for place in places {
            self.note_address(flow, place);
            let value = self.view(flow).load(place);
            self.add(place, value);
        }
    }
    fn note_value(&mut self, flow: &Flow, e: &Expr, at: &Expr) {
        if self.program.types.is_scalar(e.ty) {
            let value = self.view(flow).eval(e);
            self.add(at, value);
        }
    }
    fn add<T>(&mut self, at: &T, value: Value) {
        let key = std::ptr::from_ref(at).addr();
        let values = &mut self.noted.values;
        let joined = values.get(&key).map_or(value.clone(), |old| old.join(&value));
        values.insert(key, joined);
    }
    fn note_address(&mut self, flow: &Flow, place: &Place) {
        if place.pointer().is_some() {
            let (key, address) = (std::ptr::from_ref(place).addr(), self.view(flow).address(place));
            let addresses = &mut self.noted.addresses;
            let joined = addresses.get(&key).map_or(address.clone(), |old| old.join(&address));
            addresses.insert(key, joined);
        }
    }
}
