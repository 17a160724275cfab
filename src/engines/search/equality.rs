//! Comparisons of inputs with what lies in objects, place by place: a program that looks for a mark byte by byte takes the same branch for each of its bytes, so
//! that no edge tells how far a run has come.

use super::aims::{Mark, number};
use crate::concrete::{Machine, Observer, Spot};
use crate::ir::{BinaryOp, Expr, ExprKind, Terminator};

/// Watches whether a run shows two numbers to be equal: the branch that compares them, by its address, and the object's slot and the place in it where one lies.
#[derive(Default)]
pub(super) struct Equality {
    of: Option<(usize, (u32, u64))>,
    pub seen: bool,
}

impl Equality {
    /// Of those that this mark is about, where it is [`Mark::Same`]; otherwise of none.
    pub fn of(mark: Option<Mark>) -> Equality {
        let of = mark.and_then(|mark| match mark {
            Mark::Same(branch, place) => Some((branch, place)),
            _ => None,
        });
        Equality { of, seen: false }
    }

    /// Whether it watches any.
    pub fn is_some(&self) -> bool {
        self.of.is_some()
    }
}

impl Observer for Equality {
    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        let (Some((branch, at)), Terminator::Branch { cond, .. }) = (self.of, terminator) else { return };
        if self.seen || std::ptr::from_ref(terminator) as usize != branch {
            return;
        }
        let sides = held(cond, machine);
        self.seen = sides.into_iter().flatten().any(|(other, held, place)| {
            place == at && number(other, machine).is_some_and(|x| number(held, machine) == Some(x))
        });
    }
}

/// A side of a comparison that lies in an object: the other side, this one, and the object's slot and the place in it.
type Held<'p> = (&'p Expr, &'p Expr, (u32, u64));

/// The sides of a condition that asks whether two numbers are equal, of those that lie in an object.
pub(super) fn held<'p>(cond: &'p Expr, machine: &mut Machine<'p>) -> [Option<Held<'p>>; 2] {
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &cond.without_casts().kind else { return [None; 2] };
    let mut place = |side: &'p Expr| match &side.without_casts().kind {
        ExprKind::Load(place) => match machine.locate(place)? {
            Spot::Memory { object, at } => Some((object.slot, at)),
            Spot::Register(_) => None,
        },
        _ => None,
    };
    [place(b).map(|at| (&**a, &**b, at)), place(a).map(|at| (&**b, &**a, at))]
}
