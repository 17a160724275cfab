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
pub(super) enum Source {
    /// The same bytes from here on.
    Bytes(BaseId, u64),
    /// All units of so many bytes are this number.
    Number(CellExpr, u64),
    /// Units of so many bytes, a number each.
    Numbers(Vec<CellExpr>, u64),
}

/// One choice of where bytes come from, with what has to hold for it and what does anyway.
struct Origin {
    source: Source,
    when: Goals,
    known: Vec<(Cell, Value)>,
}

impl Joined<'_> {
    /// `len` bytes are copied as if through a buffer.
    pub(super) fn copy_bytes(&mut self, to: &Expr, from: &Expr, len: &Expr, post: &CellStates) -> CellStates {
        let origin = |Target { base, offset, when, known }| Origin { source: Source::Bytes(base, offset), when, known };
        let origins = self.spots(from).map(|all| all.into_iter().map(origin).collect());
        self.fill(to, origins, (len, 1), post)
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
        let origin = |Resolved { e, when, known }| Origin { source: Source::Number(e, unit), when, known };
        let origins = self.expr(number).into_iter().map(origin).collect();
        self.fill(to, Some(origins), (len, unit), post)
    }

    /// `len` bytes become what an input holds from its first byte on.
    pub(super) fn take_bytes(&mut self, to: &Expr, input: BaseId, len: &Expr, post: &CellStates) -> CellStates {
        let origin = Origin { source: Source::Bytes(input, 0), when: Goals::new(), known: Vec::new() };
        self.fill(to, Some(vec![origin]), (len, 1), post)
    }

    /// As many units of so many bytes behind a pointer are written, from one of these origins; None: from anywhere.
    fn fill(
        &mut self,
        to: &Expr,
        origins: Option<Vec<Origin>>,
        (len, unit): (&Expr, u64),
        post: &CellStates,
    ) -> CellStates {
        let untouched = self.spoil(to, post);
        let (Some(tos), Some(origins)) = (self.spots(to), origins) else { return untouched };
        let amounts = self.amounts(len, unit);
        if tos.len() * origins.len() * amounts.len() > MOST {
            return untouched;
        }
        let mut all = untouched.clone();
        for part in post.parts().iter().filter(|p| !untouched.parts().contains(p)) {
            for (to, origin) in tos.iter().flat_map(|t| origins.iter().map(move |o| (t, o))) {
                for (amount, possible) in &amounts {
                    let amount = amount.clone().also(&origin.when, &origin.known);
                    all.lower_join(self.filled(to, &origin.source, &(amount, *possible), part));
                }
            }
        }
        all
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
    pub(super) fn filled(
        &mut self,
        to: &Target,
        source: &Source,
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
fn unwritten(part: &CellState, to: &Target, len: i128, source: &Source) -> Option<(CellState, Goals)> {
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
        match source {
            Source::Bytes(base, start) => {
                moved.push((Cell { base: *base, offset: cell.offset - to.offset + start, ..*cell }, value));
            }
            Source::Number(e, unit) => goals.push((repeated(e, *unit, *cell, to)?, value.clone())),
            Source::Numbers(all, unit) => goals.push((composed(all, *unit, *cell, to)?, value.clone())),
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

/// What a cell holds when its units are these numbers, the first one at `to`.
fn composed(all: &[CellExpr], unit: u64, cell: Cell, to: &Target) -> Option<CellExpr> {
    let (ty, start, bytes) = (cell.ty.int()?, cell.offset - to.offset, cell.ty.bytes());
    if !start.is_multiple_of(unit) || !bytes.is_multiple_of(unit) {
        return None;
    }
    let (one, sum) = (IntType::unsigned(unit as u32 * 8), IntType::unsigned(bytes as u32 * 8));
    let units = all.get((start / unit) as usize..((start + bytes) / unit) as usize)?;
    let moved = units.iter().enumerate().map(|(i, e)| {
        let number = CellExpr::Convert(Box::new(e.clone()), one);
        CellExpr::with_number(BinaryOp::Mul, number, 1 << (8 * unit * i as u64), sum)
    });
    let total = match units {
        [e] => e.clone(),
        _ => moved.reduce(|a, b| CellExpr::Binary(BinaryOp::Add, Box::new(a), Box::new(b), sum))?,
    };
    Some(CellExpr::Convert(Box::new(total), ty))
}
