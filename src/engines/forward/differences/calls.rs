//! Bounds that go into functions and out of them, and lengths of strings that library functions write.

use super::super::analyzer::{Analyzer, Flow};
use super::super::state::State;
use super::super::targets::objects;
use super::super::texts::Holder;
use super::terms::{Bounds, Cell, Copied, Linear, Term};
use crate::domains::Multiple;
use crate::ir::{Expr, LibFn};

impl Analyzer<'_, '_> {
    /// What a caller knows of pairs of numbers that the callee sees, its arguments among them.
    pub fn bounds_of_entry(&self, caller: &State, part: &State, args: &[&[Copied]]) -> Bounds {
        let mut whole = caller.clone();
        whole.forget_terms(|term| term.has(|cell| matches!(cell, Cell::Argument(_))));
        for (i, copied) in (0..).zip(args) {
            whole.note_copied(Cell::Argument(i), copied);
        }
        let outside = |term: Term| term.is_about(|base| !part.mentions(base));
        whole.forget_terms(outside);
        whole.bounds().clone()
    }

    /// A parameter is what its argument was.
    pub fn bind_bounds(&self, state: &mut State, i: u32, holder: Holder, pointer: bool) {
        let (given, cell) = (Cell::Argument(i), Cell::Held(holder));
        let term = if pointer { Term::Room(given) } else { Term::Number(given) };
        state.rename_cell(given, cell);
        state.bounds_mut().note_equal(Multiple::one(term), Multiple::one(term.renamed(given, cell)), 0);
    }

    /// The caller's state behind a call: what the callee says of its arguments is said of what they were made of.
    pub fn note_given(&self, caller: &mut State, after: &mut State, args: &[&[Copied]]) {
        for (i, copied) in (0..).zip(args) {
            after.rename_cell(Cell::Argument(i), Cell::Given(i));
            caller.note_copied(Cell::Given(i), copied);
        }
    }

    /// Where a whole string is copied, or a text is formatted: what is known of its length there.
    pub fn length_written(&self, flow: &Flow, function: LibFn, args: &[Expr]) -> Option<Copied> {
        let view = self.view(flow);
        let copied = match (function, args) {
            (LibFn::MemCopy, [to, from, size, _]) => {
                let (size, from) = (view.linear(size)?, Linear::term(view.length_of(from)?));
                let whole = view.distance(size, from)? <= 1 && view.distance(from, size)? <= -1;
                whole.then_some(Copied::equal(view.length_of(to)?, from))?
            }
            // So many characters are written at most, the zero among them; where the count is 0, nothing is.
            (LibFn::FormatWrite(1), [to, count, ..])
                if view.numbers(&view.eval_alone(count), view.address_type()).lo() > 0 =>
            {
                let most = view.linear(count)?.moved(-1)?;
                Copied { least: None, ..Copied::equal(view.length_of(to)?, most) }
            }
            _ => return None,
        };
        // What is written is neither what its length is known by nor one of the pointers.
        let Term::Length(_, written) = copied.term else { return None };
        let held = copied.term.has(|cell| matches!(cell, Cell::Held(h) if h.base == written));
        let apart = !copied.of.term.is_about(|base| base == written) && !held;
        apart.then_some(copied)
    }

    /// Notes the length of a string that was just written, and of it behind other pointers to the same place.
    pub fn note_length(&self, flow: &mut Flow, copied: Copied) {
        let Term::Length(cell, target) = copied.term else { return };
        let room = Multiple::one(Term::Room(cell));
        let bounds = flow.state.bounds();
        let equal = |other: Multiple<Term>| bounds.kept(room, other) == Some(0) && bounds.kept(other, room) == Some(0);
        let leads_there = |cell: Cell| {
            let Cell::Held(holder) = cell else { return false };
            let held = flow.state.held(&self.bases, holder);
            held.is_some_and(|v| matches!(objects(&v), Some(&[(base, _)]) if base == target))
        };
        let is_one = !self.bases.is_summary(target);
        let mut all = vec![cell];
        all.extend(bounds.iter().filter_map(|(a, ..)| match a.term {
            Term::Room(cell) if is_one && equal(a) && leads_there(cell) => Some(cell),
            _ => None,
        }));
        for cell in all {
            flow.state.note_copied(cell, &[Copied { term: Term::Length(Cell::New, target), ..copied }]);
        }
    }
}
