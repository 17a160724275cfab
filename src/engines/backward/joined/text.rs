//! Strings backwards: whether they end, how long they are, how they compare.
//!
//! What is asked of a length is asked of its characters: those before it are not zero, and one up to its greatest value is.
//!
//! See: 003, Sect. 6.2, for what is told of a buffer: whether it has an end, where, and its size.

use super::engine::{Joined, number};
use super::resolve::{Goals, Resolved, Target};
use crate::domains::cell::{Cell, CellExpr, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{BaseId, Int, IntType, Value};
use crate::engines::forward::Base;
use crate::ir::{Expr, Place};

/// Characters of a string that are looked at, and places of its end that are tried.
const LONGEST: i128 = 64;
const ENDS: i128 = 12;

/// Characters of a size in an object.
#[derive(Clone, Copy)]
pub(super) struct Text {
    base: BaseId,
    at: u64,
    size: u8,
}

impl Text {
    pub(super) fn new(target: &Target, size: u8) -> Text {
        Text { base: target.base, at: target.offset, size }
    }
    pub(super) fn cell(self, i: i128) -> CellExpr {
        let offset = self.at + i as u64 * u64::from(self.size);
        CellExpr::Cell(Cell { base: self.base, offset, ty: self.cell_type() })
    }
    /// Wide characters are signed.
    fn cell_type(self) -> CellType {
        CellType::Int { bytes: self.size, signed: self.size > 1 }
    }
    /// The numbers that a character may be.
    fn characters(self) -> IntType {
        IntType { bits: u32::from(self.size) * 8, signed: self.size > 1, boolean: false }
    }
    /// The character that a number is as an argument.
    pub(super) fn character(self, n: i128) -> i128 {
        self.characters().wrap_number(n)
    }
    /// The address of a character.
    pub(super) fn address(self, i: i128) -> CellExpr {
        CellExpr::Address(self.base, i128::from(self.at) + i * i128::from(self.size))
    }
    pub(super) fn greatest(self) -> i128 {
        self.characters().bounds().hi
    }
    /// The character is not 0; of wide ones only those above are asked for.
    fn some(self, i: i128) -> (CellExpr, Value) {
        (self.cell(i), Value::int(Int::range(1, self.greatest())))
    }
    pub(super) fn is(self, i: i128, n: i128) -> (CellExpr, Value) {
        (self.cell(i), Value::constant(n))
    }
    /// The first `n` characters are not 0.
    pub(super) fn unended(self, n: i128) -> Goals {
        (0..n).map(|i| self.some(i)).collect()
    }
    /// It ends in the character `n`, if not before.
    pub(super) fn ended(self, n: i128) -> (CellExpr, Value) {
        self.is(n, 0)
    }
}

impl Joined<'_> {
    /// Characters between a place and the end of its object, where that is known; of blocks at most.
    fn room(&self, text: Text) -> Option<i128> {
        let bytes = match self.forward.bases.get(text.base) {
            Base::Variable(v) if self.program.variables[v].defined => i128::from(self.program.variables[v].size),
            Base::Heap { alloc, .. } => {
                self.sizes.get(&alloc).and_then(|e| self.forward.noted.value(*e))?.plain()?.hi()
            }
            _ => return None,
        };
        Some((bytes - i128::from(text.at)) / i128::from(text.size))
    }
    /// The same where all objects that it may be have one size.
    pub(super) fn exact_room(&self, text: Text) -> Option<i128> {
        match self.forward.bases.get(text.base) {
            Base::Heap { alloc, .. } => {
                let size = self.sizes.get(&alloc).and_then(|e| self.forward.noted.value(*e))?.plain()?.as_constant()?;
                Some((size - i128::from(text.at)) / i128::from(text.size))
            }
            _ => self.room(text),
        }
    }

    /// How a string ends inside of its object: what has to hold of characters, each as an alternative.
    pub(super) fn endings(&self, target: &Target, size: u8) -> Vec<Goals> {
        let text = Text::new(target, size);
        let Some(room) = self.exact_room(text) else { return Vec::new() };
        let end = |n| [text.unended(n), vec![text.ended(n)]].concat();
        (0..room.min(ENDS)).map(end).collect()
    }
    /// The lengths that a string may have, one by one, at most `limit`, with what has to hold of characters.
    pub(super) fn ends_of(&self, target: &Target, size: u8, limit: i128) -> Vec<(i128, Goals)> {
        let text = Text::new(target, size);
        let Some(room) = self.exact_room(text) else { return Vec::new() };
        let end = |n| (n, [text.unended(n), vec![text.ended(n)]].concat());
        let whole = (limit <= room.min(LONGEST)).then(|| (limit, text.unended(limit)));
        (0..room.min(ENDS).min(limit)).map(end).chain(whole).collect()
    }
    /// How it has no end there: none of the characters is 0, and more of them are asked for.
    pub(super) fn runs_over(&self, target: &Target, size: u8) -> Option<(Goals, i128)> {
        let text = Text::new(target, size);
        let room = self.exact_room(text).filter(|n| (0..=LONGEST).contains(n))?;
        Some((text.unended(room), room))
    }

    /// `dest` gets the length of a string, or `max` where that is less.
    pub(super) fn length(
        &mut self,
        dest: &Place,
        s: &Expr,
        size: u8,
        max: Option<&Expr>,
        post: &CellStates,
    ) -> CellStates {
        let untouched = self.havoc(dest, post);
        let Some(ty) = self.cell_type(dest.ty) else { return untouched };
        let (Some(tos), Some(texts)) = (self.targets(dest), self.spots(s)) else { return untouched };
        let [to] = &tos[..] else { return untouched };
        let limit = match max {
            Some(max) => match self.forward.noted.value(max).and_then(Value::plain).and_then(Int::as_constant) {
                Some(max) => max,
                None => return untouched,
            },
            None => i128::MAX,
        };
        let cell = Cell { base: to.base, offset: to.offset, ty };
        let mut all = untouched.clone();
        for part in post.parts().iter().filter(|p| !untouched.parts().contains(p)) {
            let Some(wanted) = part.cells.get(&cell).and_then(Value::plain) else { continue };
            for text in &texts {
                for (range, goals) in self.lengths_of(text, size, limit, wanted) {
                    let value = Resolved::from(CellExpr::Range(range)).also(&text.when, &text.known).also(&goals, &[]);
                    all.lower_join(self.write_one(to, ty, &value, &CellStates::of([part.clone()])));
                }
            }
        }
        all
    }

    /// How the length of a string that has an end, or at least `limit` characters, is among the wanted numbers.
    pub(super) fn lengths_of(&self, target: &Target, size: u8, limit: i128, wanted: Int) -> Vec<(Int, Goals)> {
        let text = Text::new(target, size);
        let Some(room) = self.room(text) else { return Vec::new() };
        // The greatest length that there is.
        let most = limit.min(if limit > room { room - 1 } else { limit });
        let (low, high) = (wanted.lo().max(0), wanted.hi().min(most));
        if !wanted.is_interval() || low > high || low > LONGEST {
            return Vec::new();
        }
        let range = Int::range(low, high);
        if high == most {
            return vec![(range, text.unended(low))];
        }
        let end = |n| (range, [text.unended(low), vec![text.ended(n)]].concat());
        (low..=high.min(low + ENDS)).map(end).collect()
    }

    /// `dest` gets how a text compares to one that does not change: of a string up to its end, of memory all that is compared.
    pub(super) fn comparison(
        &mut self,
        dest: &Place,
        (a, b): (&Expr, &Expr),
        size: u8,
        (is_string, max): (bool, Option<&Expr>),
        post: &CellStates,
    ) -> CellStates {
        let untouched = self.havoc(dest, post);
        let Some(ty) = self.cell_type(dest.ty) else { return untouched };
        let limit = match max {
            Some(max) => match self.forward.noted.value(max).and_then(Value::plain).and_then(Int::as_constant) {
                Some(max) => max,
                None => return untouched,
            },
            None => LONGEST + 1,
        };
        if limit > LONGEST + 1 {
            return untouched;
        }
        let (variable, fixed, swapped) =
            match (self.constant_text(b, size, is_string, limit), self.constant_text(a, size, is_string, limit)) {
                (Some(text), _) => (a, text, false),
                (None, Some(text)) => (b, text, true),
                _ => return untouched,
            };
        let Some(texts) = self.spots(variable) else { return untouched };
        let mut values = Vec::new();
        for target in &texts {
            let text = Text::new(target, size);
            for (sign, goals) in orders(text, &fixed) {
                let sign = if swapped { -sign } else { sign };
                let result = match sign {
                    0 => Int::constant(0),
                    1.. => Int::range(1, i32::MAX.into()),
                    _ => Int::range(i32::MIN.into(), -1),
                };
                values
                    .push(Resolved::from(CellExpr::Range(result)).also(&target.when, &target.known).also(&goals, &[]));
            }
        }
        self.write(dest, ty, &values, post)
    }

    /// The characters of an object that nothing is written to, with the end of a string; None when they are not known.
    pub(super) fn constant_text(&self, e: &Expr, size: u8, is_string: bool, limit: i128) -> Option<Vec<i128>> {
        let targets = self.spots(e)?;
        let [target] = &targets[..] else { return None };
        if !self.forward.bases.is_constant(target.base) || !target.when.is_empty() {
            return None;
        }
        let mut all = Vec::new();
        while (all.len() as i128) < limit {
            let bytes = u64::from(size);
            let at = (target.offset + all.len() as u64 * bytes, bytes, size > 1);
            let character = self.forward.bases.initial_value(self.program, target.base, at)?.as_constant()?;
            all.push(character);
            if is_string && character == 0 {
                return Some(all);
            }
        }
        max_reached(is_string, limit).then_some(all)
    }

    /// `dest` gets one of several values, each of which needs something.
    pub(super) fn one_of(&mut self, dest: &Place, values: &[Resolved], post: &CellStates) -> CellStates {
        match self.cell_type(dest.ty) {
            Some(ty) if dest.bits.is_none() => self.write(dest, ty, values, post),
            _ => self.havoc(dest, post),
        }
    }
}

/// Whether a comparison looks at no more than was collected.
fn max_reached(is_string: bool, limit: i128) -> bool {
    !is_string || limit <= LONGEST
}

/// How a text compares to the fixed one: the sign, and what has to hold of its characters.
fn orders(text: Text, fixed: &[i128]) -> Vec<(i32, Goals)> {
    let mut all = Vec::new();
    let mut equal = Goals::new();
    for (i, &c) in fixed.iter().enumerate() {
        let i = i as i128;
        let differs = |range: Int| [equal.clone(), vec![(text.cell(i), Value::int(range))]].concat();
        let bounds = text.characters().bounds();
        if c > bounds.lo {
            all.push((-1, differs(Int::range(bounds.lo, c - 1))));
        }
        if c < bounds.hi {
            all.push((1, differs(Int::range(c + 1, bounds.hi))));
        }
        equal.push(text.is(i, c));
    }
    all.push((0, equal));
    all
}

/// The values of a function of a number from `low` to `high`, each with the numbers that have it.
pub(super) fn classes(low: i128, high: i128, of: impl Fn(i128) -> i128, e: &Resolved) -> Vec<Resolved> {
    let mut all: Vec<(i128, i128, i128)> = Vec::new();
    for c in low..=high {
        match all.last_mut() {
            Some((_, last, value)) if *value == of(c) => *last = c,
            _ => all.push((c, c, of(c))),
        }
    }
    let way = |(low, high, value): (i128, i128, i128)| {
        let range = (e.e.clone(), Value::int(Int::range(low, high)));
        Resolved { e: number(value), ..e.clone() }.also(&[range], &[])
    };
    all.into_iter().map(way).collect()
}
