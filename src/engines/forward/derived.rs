//! Numbers that were computed from others: what they turn out to be says what these were.
//!
//! A number may be the conversion of another, or what `isdigit` and its kin give of a character.

use super::analyzer::{Analyzer, Flow};
use super::refine::Refiner;
use crate::domains::{Int, IntType, Value};
use crate::ir::{Expr, ExprKind, LibFn, Place, StmtKind};

/// What `place` holds was computed from `from`.
#[derive(Clone, Debug)]
pub struct Derived {
    pub place: Place,
    how: How,
    pub from: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// It is the same number.
    Same,
    /// It is not 0 where that is one of these characters, which are in order.
    IsAmong(&'static [(u8, u8)]),
}

impl Derived {
    /// What a statement derives.
    fn by(kind: &StmtKind) -> Option<Derived> {
        let (place, how, from) = match kind {
            StmtKind::Assign { place, value } if matches!(value.kind, ExprKind::Cast(_)) => (place, How::Same, value),
            StmtKind::Lib { function, dest: Some(place), args } => {
                (place, How::IsAmong(function.class()?), args.first()?)
            }
            _ => return None,
        };
        let derived = Derived { place: place.clone(), how, from: from.clone() };
        let plain = place.bits.is_none() && place.as_var().is_some();
        (plain && derived.places().skip(1).all(|of| of != place)).then_some(derived)
    }

    /// The places that it is about.
    pub fn places(&self) -> impl Iterator<Item = &Place> {
        let mut places = vec![&self.place];
        self.from.walk(&mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                places.push(place);
            }
        });
        places.into_iter()
    }
}

impl Analyzer<'_, '_> {
    /// Notes what a statement derives.
    pub(super) fn note_derived(&self, flow: &mut Flow, kind: &StmtKind) {
        let is_number = |e: &Expr| self.program.types.as_int(e.ty).is_some();
        flow.derived.extend(Derived::by(kind).filter(|derived| is_number(&derived.from)));
    }

    /// What a function that asks for a class gives, of type `t`, for a character among `of`: 0, or any other number (C11 7.4.1p1).
    pub(super) fn of_class(&self, function: LibFn, of: Int, t: IntType) -> Option<Value> {
        let class = function.class()?;
        let within = |(lo, hi): &(u8, u8)| i128::from(*lo) <= of.lo() && of.hi() <= i128::from(*hi);
        let all = t.top();
        Some(match inside(class, of) {
            None => Value::constant(0),
            Some(_) if class.iter().any(within) => Value::int(all.except(0).unwrap_or(all)),
            Some(_) => Value::int(all),
        })
    }
}

impl Refiner<'_> {
    /// What the numbers in `places`, which are among `to` now, say of those that they were computed from. False if no execution is left.
    pub(super) fn restrict_origins(&mut self, places: &[&Place], to: &Value) -> bool {
        let derived = self.derived;
        derived.iter().filter(|one| places.contains(&&one.place)).all(|one| match one.how {
            How::Same => self.restrict(&one.from, to),
            How::IsAmong(class) => match to.int.filter(|_| to.pointers.is_none() && !to.undefined) {
                Some(truth) if !truth.contains(0) => self.restrict_character(&one.from, class, true),
                Some(truth) if truth.as_constant() == Some(0) => self.restrict_character(&one.from, class, false),
                _ => true,
            },
        })
    }

    /// Only executions in which `character` is of the class (`holds`) or is not.
    fn restrict_character(&mut self, character: &Expr, class: &[(u8, u8)], holds: bool) -> bool {
        let view = self.view();
        let value = view.operand(character);
        let Some(t) = view.int_type(character.ty).filter(|_| !value.undefined && value.pointers.is_none()) else {
            return true;
        };
        let of = view.numbers(&value, t);
        let left = if holds { inside(class, of) } else { outside(class, of) };
        let Some(left) = left else { return false };
        let has_zero = class.iter().any(|(lo, _)| *lo == 0);
        if holds != has_zero {
            self.learn_character(character);
        }
        self.restrict_number(character, left)
    }

    /// What a number that is not zero in `place` was read from is not zero.
    pub(super) fn learn_origins(&mut self, place: &Place) {
        let derived = self.derived;
        let same = derived.iter().filter(|one| one.place == *place && one.how == How::Same);
        same.for_each(|one| self.learn_character(&one.from));
    }
}

/// Those of `all` that lie between characters of the class.
pub(super) fn inside(class: &[(u8, u8)], all: Int) -> Option<Int> {
    let parts = class.iter().filter_map(|(lo, hi)| all.clamp((*lo).into(), (*hi).into()));
    parts.reduce(Int::join)
}

/// `all` without the characters of the class at its ends. `class`: in order.
fn outside(class: &[(u8, u8)], all: Int) -> Option<Int> {
    let ranges = || class.iter().map(|(lo, hi)| (i128::from(*lo), i128::from(*hi)));
    let lo = ranges().fold(all.lo(), |at, (lo, hi)| if (lo..=hi).contains(&at) { hi + 1 } else { at });
    let hi = ranges().rev().fold(all.hi(), |at, (lo, hi)| if (lo..=hi).contains(&at) { lo - 1 } else { at });
    all.clamp(lo, hi)
}
