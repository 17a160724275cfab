//! How far from the start of its object a pointer points: after `t = &v[n]; n++` a write to `*t` is one of the element before the `n`-th of `v`.

use super::super::evaluate::View;
use super::super::targets::only_object;
use super::filled::Run;
use super::terms::{Cell, Copied, Linear, Term};
use crate::domains::{BaseId, Multiple};
use crate::ir::Expr;

impl View<'_> {
    /// Where a pointer on its way points, by the number that an array's start is moved by, or as another pointer does of which that is known: as far as it leads to
    /// one object, of which some bytes have no value.
    pub(super) fn offset_terms(&self, pointer: &Expr) -> Vec<Copied> {
        let Some((target, all)) = self.offsets(pointer) else { return Vec::new() };
        all.into_iter().map(|linear| Copied::equal(Term::Offset(Cell::New, target), linear)).collect()
    }

    /// What stands for the bytes from where a pointer points on, where numbers say how far behind the start of its object that is.
    pub(super) fn runs_by_offset(&self, pointer: &Expr) -> Vec<Run> {
        let Some((target, all)) = self.offsets(pointer) else { return Vec::new() };
        let starts = self.starts_of_object(target);
        all.into_iter().map(|from| Run { starts: vec![(target, starts.clone())], from }).collect()
    }

    /// The object that a pointer leads to, if some of its bytes have no value, and what is known to be as far behind its start as the pointer points.
    fn offsets(&self, pointer: &Expr) -> Option<(BaseId, Vec<Linear>)> {
        let (cell, from) = self.start(pointer)?;
        let (target, at) = self.leads_to(cell).filter(|(target, _)| self.has_unset(*target))?;
        if !from.is_constant() {
            return Some((target, vec![from.moved(at?)?]));
        }
        let own = Multiple::one(Term::Offset(cell, target));
        let bounds = self.state.bounds();
        if !bounds.mentions(own.term) {
            return None;
        }
        let is_equal = |&(a, b, bound): &(Multiple<Term>, Multiple<Term>, i128)| {
            a == own && matches!(b.term, Term::Number(_)) && bounds.kept(b, own) == bound.checked_neg()
        };
        let equal = bounds.iter().filter(is_equal).map(|(_, b, bound)| Linear { of: b, plus: bound });
        let all = equal.chain([Linear { of: own, plus: 0 }]).filter_map(|linear| linear.plus(from)).collect();
        Some((target, all))
    }

    /// Whether a start of elements is a pointer that leads to another element later, as far as that is seen.
    pub(super) fn moves(&self, cell: Cell, target: BaseId) -> bool {
        let held = matches!(cell, Cell::Held(_));
        held && self.leads_to(cell).is_none_or(|(_, at)| at.is_none())
            || self.state.bounds().mentions(Term::Offset(cell, target))
    }

    /// The one object that a pointer in a cell leads to, and how far from its start, if that is one number.
    pub(super) fn leads_to(&self, cell: Cell) -> Option<(BaseId, Option<i128>)> {
        match cell {
            Cell::Held(holder) => {
                let (base, at) = only_object(&self.state.held(self.bases, holder)?)?;
                (!self.bases.is_summary(base)).then(|| (base, at.as_constant()))
            }
            Cell::Byte(base, at) => (!self.bases.is_summary(base)).then(|| (base, Some(at.into()))),
            _ => None,
        }
    }

    /// What stands for the start of an object: its address, and the pointers by which something is known of its elements.
    fn starts_of_object(&self, target: BaseId) -> Vec<Cell> {
        let is_start = |cell: Cell| self.leads_to(cell) == Some((target, Some(0)));
        let named = self.state.filled().iter().filter_map(|m| match m.term {
            Term::Filled(cell @ Cell::Held(_), base, _) if base == target => Some(cell),
            _ => None,
        });
        let mut all: Vec<Cell> = named.filter(|cell| is_start(*cell)).collect();
        all.push(Cell::Byte(target, 0));
        all.sort_unstable();
        all.dedup();
        all
    }
}
