//! Copies and fills of bytes backwards: `memcpy`, `memset`, what strings are copied with, input bytes.
//!
//! The length splits at the cells that a state speaks of: between two splits each of them is written whole or not at all.

use super::engine::Joined;
use super::resolve::{Goals, Resolved, Target};
use crate::domains::cell::{Cell, CellExpr, CellState, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{BaseId, Int, IntType, Value};
use crate::ir::{BinaryOp, Expr};

/// Ways to choose two places and a length; with more, what the call may write to is not looked at.
const MOST: usize = 24;

/// Where bytes come from.
enum Source<'e> {
    /// The same bytes from here on.
    Bytes(BaseId, u64),
    /// All of these many bytes are this number.
    Number(&'e CellExpr, u64),
}

impl Joined<'_> {
    /// `len` bytes are copied as if through a buffer.
    pub(super) fn copy_bytes(&mut self, to: &Expr, from: &Expr, len: &Expr, post: &CellStates) -> CellStates {
        let (touched, mut all) = self.split(to, post);
        let (Some(tos), Some(froms)) = (self.spots(to), self.spots(from)) else { return all };
        let amounts = self.amounts(len, 1);
        if tos.len() * froms.len() * amounts.len() > MOST {
            return all;
        }
        for part in touched.parts() {
            for (to, from) in tos.iter().flat_map(|t| froms.iter().map(move |f| (t, f))) {
                for amount in &amounts {
                    let amount = (amount.0.clone().also(&from.when, &from.known), amount.1);
                    all.lower_join(self.filled(to, &Source::Bytes(from.base, from.offset), &amount, part));
                }
            }
        }
        all
    }

    /// `len` units of `unit` bytes each are set to a number.
    pub(super) fn set_bytes(
        &mut self,
        to: &Expr,
        number: &Expr,
        len: &Expr,
        unit: u64,
        post: &CellStates,
    ) -> CellStates {
        let (touched, mut all) = self.split(to, post);
        let Some(tos) = self.spots(to) else { return all };
        let (numbers, amounts) = (self.expr(number), self.amounts(len, unit));
        if tos.len() * numbers.len() * amounts.len() > MOST {
            return all;
        }
        for part in touched.parts() {
            for (to, number) in tos.iter().flat_map(|t| numbers.iter().map(move |n| (t, n))) {
                for amount in &amounts {
                    let amount = (amount.0.clone().also(&number.when, &number.known), amount.1);
                    all.lower_join(self.filled(to, &Source::Number(&number.e, unit), &amount, part));
                }
            }
        }
        all
    }

    /// `len` bytes become what an input holds from its first byte on.
    pub(super) fn take_bytes(&mut self, to: &Expr, input: BaseId, len: &Expr, post: &CellStates) -> CellStates {
        let (touched, mut all) = self.split(to, post);
        let Some(tos) = self.spots(to) else { return all };
        let amounts = self.amounts(len, 1);
        if tos.len() * amounts.len() > MOST {
            return all;
        }
        for part in touched.parts() {
            for (to, amount) in tos.iter().flat_map(|t| amounts.iter().map(move |a| (t, a))) {
                all.lower_join(self.filled(to, &Source::Bytes(input, 0), amount, part));
            }
        }
        all
    }

    /// The parts that speak of what is behind a pointer, and those that do not.
    fn split(&self, pointer: &Expr, post: &CellStates) -> (CellStates, CellStates) {
        let untouched = self.spoil(pointer, post);
        let touched = post.parts().iter().filter(|p| !untouched.parts().contains(p)).cloned();
        (CellStates::of(touched), untouched)
    }

    /// A length in bytes, of units, with what is known of it.
    fn amounts(&self, len: &Expr, unit: u64) -> Vec<(Resolved, Int)> {
        let most = Int::range(0, i64::MAX.into());
        let known = self.forward.noted.value(len).and_then(Value::plain).and_then(|i| i.clamp(0, i64::MAX.into()));
        let wide = IntType { bits: 128, signed: true, boolean: false };
        let scaled = |i: Int| Int::range(i.lo() * i128::from(unit), i.hi().saturating_mul(unit.into()));
        let known = scaled(known.unwrap_or(most));
        let scale = |r: Resolved| match unit {
            1 => r,
            _ => Resolved { e: CellExpr::with_number(BinaryOp::Mul, r.e, unit.into(), wide), ..r },
        };
        self.expr(len).into_iter().map(|r| (scale(r), known)).collect()
    }

    /// One place is written from a source, for every length that leaves no cell half written.
    fn filled(
        &mut self,
        to: &Target,
        source: &Source<'_>,
        (amount, possible): &(Resolved, Int),
        part: &CellState,
    ) -> CellStates {
        let weak = self.forward.bases.is_summary_base(to.base);
        let known: Vec<(Cell, Value)> = amount.known.iter().chain(&to.known).cloned().collect();
        let mut all = CellStates::none();
        for range in lengths(part, to, *possible) {
            let Some((mut before, goals)) = unwritten(part, to, range.lo(), source) else { continue };
            if weak {
                let Some(both) = before.lower_meet(part) else { continue };
                before = both;
            }
            let mut all_goals: Goals = amount.when.iter().chain(&to.when).cloned().collect();
            if !possible.leq(range) {
                all_goals.push((amount.e.clone(), Value::int(range)));
            }
            all_goals.extend(goals);
            all.lower_join(CellStates::of(self.satisfy(&before, &known, &all_goals)));
        }
        all
    }
}

/// The content that a state speaks of from a place on, or that reaches into it.
fn concerned<'s>(part: &'s CellState, to: &Target) -> impl Iterator<Item = (&'s Cell, &'s Value)> {
    let (base, at) = (to.base, to.offset);
    part.cells.iter().filter(move |(c, _)| c.base == base && Joined::is_content(c) && c.offset + c.ty.bytes() > at)
}

/// Ranges of lengths, in each of which the same cells are written.
fn lengths(part: &CellState, to: &Target, possible: Int) -> Vec<Int> {
    let mut starts = vec![possible.lo()];
    for (cell, _) in concerned(part, to) {
        let first = i128::from(cell.offset.saturating_sub(to.offset)) + 1;
        starts.extend([first, i128::from(cell.offset + cell.ty.bytes() - to.offset)]);
    }
    starts.retain(|s| (possible.lo()..=possible.hi()).contains(s));
    starts.sort_unstable();
    starts.dedup();
    let ends = starts.iter().skip(1).map(|s| s - 1).chain([possible.hi()]);
    starts.iter().zip(ends).take(MOST).map(|(lo, hi)| Int::range(*lo, hi)).collect()
}

/// The state before the first `len` bytes of a place were written, but for what the source has to hold as numbers; None where
/// a cell is half written or cannot be what it is.
fn unwritten(part: &CellState, to: &Target, len: i128, source: &Source<'_>) -> Option<(CellState, Goals)> {
    let (mut before, mut goals) = (part.clone(), Goals::new());
    let mut moved = Vec::new();
    for (cell, value) in concerned(part, to) {
        let starts = i128::from(cell.offset) - i128::from(to.offset);
        let ends = starts + i128::from(cell.ty.bytes());
        if len <= starts.max(0) {
            continue;
        }
        if starts < 0 || len < ends {
            return None;
        }
        before.cells.remove(cell);
        match *source {
            Source::Bytes(base, start) => {
                moved.push((Cell { base, offset: cell.offset - to.offset + start, ..*cell }, value));
            }
            Source::Number(e, unit) => goals.push((repeated(e, unit, *cell, to)?, value.clone())),
        }
    }
    // Source and destination may overlap: nothing is moved before all is taken away.
    moved.into_iter().all(|(cell, value)| before.cut(cell, value)).then_some((before, goals))
}

/// What a cell holds when all of its units are one number.
fn repeated(e: &CellExpr, unit: u64, cell: Cell, to: &Target) -> Option<CellExpr> {
    let CellType::Int { bytes, .. } = cell.ty else {
        // All bytes zero is a null pointer; others are no pointers to anything.
        return matches!(e, CellExpr::Range(n) if n.as_constant() == Some(0)).then_some(CellExpr::Null);
    };
    let ty = cell.ty.int()?;
    let (one, all) = (IntType::unsigned(unit as u32 * 8), IntType::unsigned(u32::from(bytes) * 8));
    let number = CellExpr::Convert(Box::new(e.clone()), one);
    let aligned = (cell.offset - to.offset).is_multiple_of(unit) && u64::from(bytes).is_multiple_of(unit);
    if !aligned {
        return None;
    }
    let times = (0..u64::from(bytes) / unit).fold(0i128, |sum, i| sum | 1 << (8 * unit * i));
    let spread = match times {
        1 => number,
        _ => CellExpr::with_number(BinaryOp::Mul, number, times, all),
    };
    Some(CellExpr::Convert(Box::new(spread), ty))
}
