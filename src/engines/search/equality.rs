//! Comparisons of inputs with what lies in objects, place by place: a program that looks for a mark byte by byte takes the same branch for each of its bytes, so
//! that no edge tells how far a run has come.

use super::aims::{Mark, number};
use crate::concrete::{Machine, Observer, Spot};
use crate::ir::{BinaryOp, Expr, ExprKind, Terminator};

/// Watches whether a run shows two numbers to be equal: the branch that compares them, by its address, and the place of the object that one lies in.
#[derive(Default)]
pub(super) struct Equality {
    of: Option<(usize, u64)>,
    pub seen: bool,
}

impl Equality {
    /// Of those that this mark is about, where it is [`Mark::Same`]; otherwise of none.
    pub fn of(mark: Option<Mark>) -> Equality {
        let of = mark.and_then(|mark| match mark {
            Mark::Same(branch, offset) => Some((branch, offset)),
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
        self.seen = held(cond, machine).is_some_and(|(other, held, (_, offset))| {
            offset == at && number(other, machine).is_some_and(|x| number(held, machine) == Some(x))
        });
    }
}

/// Of a condition that asks whether a number is equal to what lies in an object: the number, what lies there, and the object's slot and the place in it.
pub(super) fn held<'p>(cond: &'p Expr, machine: &mut Machine<'p>) -> Option<(&'p Expr, &'p Expr, (u32, u64))> {
    let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &cond.without_casts().kind else { return None };
    let mut place = |side: &'p Expr| match &side.without_casts().kind {
        ExprKind::Load(place) => match machine.locate(place)? {
            Spot::Memory { object, at } => Some((object.slot, at)),
            Spot::Register(_) => None,
        },
        _ => None,
    };
    match (place(a), place(b)) {
        (_, Some(at)) => Some((a, b, at)),
        (Some(at), None) => Some((b, a, at)),
        (None, None) => None,
    }
}
