//! What pointers point to.

use super::location::{Base, Location, LocationSet};
use super::points_to::PointsTo;
use crate::datalog::programs::column;
use crate::ir::{Expr, ExprKind, Place, Program};
use std::sync::Arc;

/// Where an address may lead.
#[derive(Clone, Copy, Debug)]
pub enum Targets<'m> {
    /// To one of these; otherwise it is NULL or no valid pointer.
    In(LocationSet<'m>),
    /// The relations do not know the expression: anywhere.
    Anywhere,
}

impl<'m> Targets<'m> {
    /// The locations, unless they may be anywhere.
    pub fn locations(&self) -> Option<LocationSet<'m>> {
        match self {
            Targets::In(set) => Some(*set),
            Targets::Anywhere => None,
        }
    }
}

impl PointsTo {
    /// Where `e`, an expression of the program's text, may point to. Any expression over the program's variables is
    /// allowed; for one that the text does not have, the answer may be [`Targets::Anywhere`].
    pub fn targets(&self, program: &Program, e: &Expr) -> Targets<'_> {
        self.of_value(self.ids.values.lookup(program, e))
    }

    /// The objects that `e` may point into, each once, sorted; None where that may be any.
    pub fn target_bases(&self, program: &Program, e: &Expr) -> Option<Arc<[Base]>> {
        let Some(value) = self.ids.values.lookup(program, e)? else { return Some(Arc::default()) };
        let mut known = self.target_bases.lock().expect("nobody panics with it");
        let bases = known.entry(value).or_insert_with(|| match self.of_value(Some(Some(value))) {
            Targets::In(set) => self.by_inner_calls(set.bases()).into(),
            Targets::Anywhere => Arc::default(),
        });
        Some(Arc::clone(bases))
    }

    /// Where a place behind a pointer may lie; a place in a variable lies in that variable, and nothing is said of it here.
    pub fn place_targets(&self, program: &Program, place: &Place) -> Targets<'_> {
        self.of_value(self.ids.values.lookup_address(program, place))
    }

    /// What addresses `place` may hold: the targets of a load from it.
    pub fn contents(&self, program: &Program, place: &Place) -> Targets<'_> {
        let load = Expr { kind: ExprKind::Load(Box::new(place.clone())), ty: place.ty };
        self.targets(program, &load)
    }

    /// What addresses may stand at `location`, sorted; whole addresses that start exactly there.
    pub fn contents_at(&self, location: Location) -> Vec<Location> {
        let mut found = Vec::new();
        for (at, set) in self.results.stored.sets() {
            let stored = self.locations[at.0 as usize];
            if stored.overlaps(Some(1), location, Some(1)) {
                found.extend(self.locations_of(Some(set)).iter());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn of_value(&self, value: Option<Option<column::Value>>) -> Targets<'_> {
        match value {
            None => Targets::Anywhere,
            Some(None) => Targets::In(self.locations_of(None)),
            Some(Some(v)) => Targets::In(self.locations_of(self.results.points_to.set(v))),
        }
    }
}
