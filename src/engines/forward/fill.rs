//! What the bytes of an object hold that no cell of it tells: a pattern of cells that repeats.
//!
//! An array of records that is written at unknown indices has one pattern as long as a record: each member of any element is a cell of
//! it. A fill of period 1 says of every byte the same.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2, for the cells; that elements are one is ours.

use super::cells::Cell;
use super::object::{any_byte, blurred, part};
use super::shape::{Shape, byte, combine, reinterpret, repeat};
use crate::domains::congruence::gcd;
use crate::domains::{Int, Value};

/// Periods are no longer than so many bytes.
const LONGEST: i64 = 4096;
/// Cells of a pattern that is made longer, at most.
const CELLS: usize = 64;
/// Places of a pattern that one access touches, at most; beyond, it touches any.
const PLACES: i64 = 16;

/// The content of all bytes, unless cells of the object say otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Fill {
    /// Bytes after which the pattern repeats; 1 where it has no cells.
    period: i64,
    /// By offset from 0 to below the period. They do not overlap, nor do they cross the end.
    cells: Vec<(i64, Cell)>,
    /// Any byte that no cell holds; none where they hold all.
    rest: Value,
}

impl Fill {
    /// Every byte holds `value`, each for itself.
    pub fn of_bytes(value: Value) -> Fill {
        Fill { period: 1, cells: Vec::new(), rest: value }
    }
    /// Every element of `shape` holds `value`.
    pub fn of_elements(shape: Shape, value: Value) -> Fill {
        match shape.size {
            1 => Fill::of_bytes(reinterpret(&value, shape, Shape::BYTE)),
            _ => Fill { period: shape.len(), cells: vec![(0, Cell { shape, value })], rest: Value::bottom() },
        }
    }
    /// What every byte holds, if that is all there is.
    pub fn every_byte(&self) -> Option<&Value> {
        self.cells.is_empty().then_some(&self.rest)
    }
    /// What every element holds, if there are elements of this shape alone.
    pub fn every_element(&self, shape: Shape) -> Option<&Value> {
        match self.cells.as_slice() {
            [(0, c)] if c.shape == shape && self.period == shape.len() => Some(&c.value),
            _ => None,
        }
    }
    /// All values in it.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.cells.iter().map(|(_, c)| &c.value).chain(std::iter::once(&self.rest))
    }
    /// Changes every value by `f`, which keeps shapes.
    pub fn map_values(&mut self, f: impl Fn(&mut Value)) {
        self.cells.iter_mut().for_each(|(_, c)| f(&mut c.value));
        f(&mut self.rest);
    }

    fn is_full(&self) -> bool {
        self.cells.iter().map(|(_, c)| c.shape.len()).sum::<i64>() == self.period
    }
    /// The cell that holds the byte at `at`, with its offset in the pattern.
    fn around(&self, at: i64) -> Option<&(i64, Cell)> {
        let place = at.rem_euclid(self.period);
        let next = self.cells.partition_point(|(o, _)| *o <= place);
        self.cells[..next].last().filter(|(o, c)| place < o + c.shape.len())
    }
    /// Whether a cell begins before `at` and ends behind it.
    pub fn splits(&self, at: i64) -> bool {
        self.around(at).is_some_and(|(o, _)| *o != at.rem_euclid(self.period))
    }
    /// Whether one does before and behind `at`, or some number of `step` bytes further on.
    pub fn splits_somewhere(&self, at: i64, step: i64) -> bool {
        let step = gcd(step.into(), self.period.into()) as i64;
        (0..self.period / step).any(|i| self.splits(at + i * step))
    }
    /// The cell that begins at `at`.
    pub fn cell(&self, at: i64) -> Option<&Cell> {
        let place = at.rem_euclid(self.period);
        self.cells.binary_search_by_key(&place, |(o, _)| *o).ok().map(|i| &self.cells[i].1)
    }
    /// The byte at `at`.
    pub fn byte_at(&self, at: i64) -> Value {
        match self.around(at) {
            Some((o, c)) => byte(&c.value, c.shape, (at.rem_euclid(self.period) - o) as u8),
            None => self.rest.clone(),
        }
    }
    /// What every byte is that no cell holds, where `at` is such a byte.
    pub fn loose_byte(&self, at: i64) -> Option<&Value> {
        self.around(at).is_none().then_some(&self.rest)
    }
    /// What a read of `shape` at `at` may yield.
    pub fn read(&self, at: i64, shape: Shape) -> Value {
        if let Some(byte) = self.every_byte() {
            return repeat(byte, shape);
        }
        if let Some((o, c)) = self.around(at) {
            let skip = at.rem_euclid(self.period) - o;
            if skip == 0 && c.shape.size == shape.size {
                return reinterpret(&c.value, c.shape, shape);
            }
            if skip + shape.len() <= c.shape.len() {
                return part(c, skip, shape);
            }
        }
        let bytes: Vec<Value> = (at..at + shape.len()).map(|p| self.byte_at(p)).collect();
        combine(&bytes, shape)
    }
    /// The places in the pattern that `offsets` are at; None: too many.
    fn places(&self, offsets: Int) -> Option<Vec<i64>> {
        let (congruence, period) = (offsets.congruence(), i128::from(self.period));
        let step = gcd(congruence.modulus(), period);
        let count = period / step;
        (count <= i128::from(PLACES)).then(|| {
            let first = congruence.rem().rem_euclid(step);
            (0..count).map(|i| (first + i * step) as i64).collect()
        })
    }
    /// A read at any of `offsets`.
    pub fn read_at(&self, offsets: Int, shape: Shape) -> Value {
        match self.places(offsets) {
            Some(places) => places.into_iter().fold(Value::bottom(), |all, at| all.join(&self.read(at, shape))),
            None => repeat(&self.any_byte(), shape),
        }
    }
    /// A byte of any place.
    pub fn any_byte(&self) -> Value {
        let cells = self.cells.iter().map(|(_, c)| any_byte(&c.value, c.shape));
        let all = cells.fold(Value::bottom(), |all, one| if one.leq(&all) { all } else { all.join(&one) });
        if self.is_full() { all } else { all.join(&self.rest) }
    }

    /// A write at one of `offsets`: what was there may still be.
    pub fn write_at(&mut self, offsets: Int, shape: Shape, value: &Value) {
        let modulus = offsets.congruence().modulus();
        if let Ok(modulus) = i64::try_from(modulus)
            && modulus > self.period
            && modulus % self.period == 0
            && modulus <= LONGEST
            && let Some(longer) = self.repeated(modulus)
        {
            *self = longer;
        }
        match self.places(offsets) {
            Some(places) if self.period > 1 => places.into_iter().for_each(|at| self.join_at(at, shape, value)),
            Some(_) if shape.size == 1 => self.rest = self.rest.join(&reinterpret(value, shape, Shape::BYTE)),
            _ => self.join_anywhere(&any_byte(value, shape)),
        }
        if self.cells.is_empty() {
            self.period = 1;
        }
    }
    /// The same pattern as one that is the same `step` bytes further on, to which `cells` are added where they lie; None if there is none.
    pub fn folded<'c>(&self, step: i64, cells: impl Iterator<Item = (i64, &'c Cell)>) -> Option<Fill> {
        if !(2..=LONGEST).contains(&step) || step % self.period != 0 {
            return None;
        }
        let mut all = self.repeated(step)?;
        cells.for_each(|(o, c)| all.join_at(o.rem_euclid(step), c.shape, &c.value));
        if all.cells.is_empty() {
            all.period = 1;
        }
        Some(all)
    }
    /// The same with parts of this length made one, where the pattern has several.
    pub fn shortened(&self, period: i64) -> Fill {
        if period < 2 || self.period % period != 0 {
            return self.clone();
        }
        let mut all = Fill { period, cells: Vec::new(), rest: self.rest.clone() };
        self.cells.iter().for_each(|(o, c)| all.join_at(o.rem_euclid(period), c.shape, &c.value));
        all
    }
    /// The bytes of `shape` at `at`, in every element, may hold `value`.
    fn join_at(&mut self, at: i64, shape: Shape, value: &Value) {
        let end = at + shape.len();
        if end > self.period {
            return self.join_anywhere(&any_byte(value, shape));
        }
        let touched = |(o, c): &&mut (i64, Cell)| *o < end && at < *o + c.shape.len();
        let mut overlaps = false;
        for (o, c) in self.cells.iter_mut().filter(touched) {
            overlaps = true;
            let more = match *o == at && c.shape.size == shape.size {
                true => reinterpret(value, shape, c.shape),
                false => blurred(value, c.shape),
            };
            c.value = c.value.join(&more);
        }
        if !overlaps {
            let old = repeat(&self.rest, shape);
            let next = self.cells.partition_point(|(o, _)| *o < at);
            self.cells.insert(next, (at, Cell { shape, value: old.join(value) }));
            self.settle();
        } else if !self.is_full() {
            self.rest = self.rest.join(&any_byte(value, shape));
        }
    }
    /// Where cells hold all bytes there are no others.
    fn settle(&mut self) {
        if self.is_full() {
            self.rest = Value::bottom();
        }
    }
    /// Any bytes may get the byte value `value`, each for itself.
    pub fn join_anywhere(&mut self, value: &Value) {
        self.cells.iter_mut().for_each(|(_, c)| c.value = c.value.join(&blurred(value, c.shape)));
        if !self.is_full() {
            self.rest = self.rest.join(value);
        }
    }

    /// The same with a period that is a multiple of this one.
    fn repeated(&self, period: i64) -> Option<Fill> {
        let times = period / self.period;
        if self.cells.is_empty() {
            return Some(Fill { period, ..self.clone() });
        }
        if times.saturating_mul(self.cells.len() as i64) > CELLS as i64 {
            return None;
        }
        let cells = (0..times).flat_map(|i| self.cells.iter().map(move |(o, c)| (i * self.period + o, c.clone())));
        Some(Fill { period, cells: cells.collect(), rest: self.rest.clone() })
    }
    fn blurred(&self) -> Fill {
        Fill::of_bytes(self.any_byte())
    }
    /// Both in patterns whose cells either coincide or do not touch.
    fn aligned(&self, other: &Fill) -> (Fill, Fill) {
        let (a, b) = (self.period, other.period);
        let both = match (a, b) {
            _ if a == b => Some((self.clone(), other.clone())),
            _ if b % a == 0 => self.repeated(b).map(|longer| (longer, other.clone())),
            _ if a % b == 0 => other.repeated(a).map(|longer| (self.clone(), longer)),
            _ => None,
        };
        let clash = |x: &Fill, y: &Fill| {
            x.cells.iter().any(|(o, c)| {
                let end = o + c.shape.len();
                y.cells.iter().any(|(p, d)| {
                    let same = o == p && c.shape.size == d.shape.size;
                    *p < end && *o < p + d.shape.len() && !same
                })
            })
        };
        match both {
            Some((x, y)) if !clash(&x, &y) => (x, y),
            _ => (self.blurred(), other.blurred()),
        }
    }
    /// An upper bound of both, value by value with `f`.
    pub fn combine_with(&self, other: &Fill, f: impl Fn(&Value, &Value, Shape) -> Value) -> Fill {
        let (a, b) = self.aligned(other);
        let mut offsets: Vec<(i64, Shape)> = a.cells.iter().chain(&b.cells).map(|(o, c)| (*o, c.shape)).collect();
        offsets.sort_by_key(|(o, _)| *o);
        offsets.dedup_by_key(|(o, _)| *o);
        let cells = offsets.into_iter().map(|(o, shape)| {
            let value = f(&a.read(o, shape), &b.read(o, shape), shape);
            (o, Cell { shape, value })
        });
        let mut all = Fill { period: a.period, cells: cells.collect(), rest: f(&a.rest, &b.rest, Shape::BYTE) };
        all.settle();
        if all.cells.is_empty() {
            all.period = 1;
        }
        all
    }
    /// Inclusion; false also when it cannot be seen.
    pub fn leq(&self, other: &Fill) -> bool {
        let (a, b) = match (self.period, other.period) {
            (a, b) if a != b && b % a == 0 => (self.repeated(b), Some(other.clone())),
            (a, b) if a != b && a % b == 0 => (Some(self.clone()), other.repeated(a)),
            (a, b) if a != b => (None, None),
            _ => return self.leq_aligned(other),
        };
        match a.zip(b) {
            Some((a, b)) => a.leq_aligned(&b),
            None => other.every_byte().is_some_and(|byte| self.any_byte().leq(byte)),
        }
    }
    fn leq_aligned(&self, other: &Fill) -> bool {
        let cells = other.cells.iter().all(|(o, d)| self.read(*o, d.shape).leq(&d.value));
        let loose = |(o, c): &(i64, Cell)| {
            (0..c.shape.size).all(|i| match other.loose_byte(o + i64::from(i)) {
                Some(rest) => byte(&c.value, c.shape, i).leq(rest),
                None => true,
            })
        };
        cells && self.cells.iter().all(loose) && (self.is_full() || other.is_full() || self.rest.leq(&other.rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::forward::shape::Kind;

    const INT: Shape = Shape { size: 4, kind: Kind::Signed };
    const WORD: Shape = Shape { size: 8, kind: Kind::Unsigned };

    /// Offsets `at`, `at + step`, `at + 2 * step` and so on.
    fn elements(step: i128, at: i128) -> Int {
        let places = (0..40).map(|i| Int::constant(at + i * step));
        places.reduce(Int::join).expect("there are some")
    }

    fn of_records() -> Fill {
        let mut fill = Fill::of_bytes(Value::constant(0));
        fill.write_at(elements(16, 0), INT, &Value::constant(5));
        fill.write_at(elements(16, 8), WORD, &Value::constant(1 << 40));
        fill
    }

    #[test]
    fn members_of_elements_stay_apart() {
        let fill = of_records();
        assert_eq!(fill.read_at(elements(16, 0), INT), Value::int(Int::constant(0).join(Int::constant(5))));
        assert_eq!(fill.read(4 + 3 * 16, INT), Value::constant(0));
        assert!(fill.read_at(elements(8, 0), WORD).int.is_some_and(|i| i.contains(5) && i.contains(1 << 40)));
        assert!(!fill.read(0, WORD).int.is_some_and(|i| i.contains(1 << 40)));
    }

    #[test]
    fn a_write_anywhere_comes_to_every_member() {
        let mut fill = of_records();
        fill.write_at(Int::TOP, Shape::BYTE, &Value::constant(7));
        assert!(fill.read(0, INT).int.is_some_and(|i| i.contains(0x0707)));
        assert!(fill.read(12, INT).int.is_some_and(|i| i.contains(7)));
        assert!(fill.read(4, Shape::BYTE).int.is_some_and(|i| i.contains(7)));
    }

    #[test]
    fn a_join_holds_both() {
        let (records, zeros) = (of_records(), Fill::of_bytes(Value::constant(0)));
        let words = Fill::of_elements(WORD, Value::constant(3));
        let odd = {
            let mut fill = Fill::of_bytes(Value::constant(1));
            fill.write_at(elements(24, 4), WORD, &Value::constant(9));
            fill
        };
        let all = [&records, &zeros, &words, &odd];
        for a in all {
            for b in all {
                let both = a.combine_with(b, |x, y, _| x.join(y));
                assert!(a.leq(&both) && b.leq(&both), "{a:?} {b:?} {both:?}");
                assert_eq!(a.leq(b), b.combine_with(a, |x, y, _| x.join(y)).leq(b), "{a:?} {b:?}");
                for at in 0..48 {
                    for shape in [Shape::BYTE, INT, WORD] {
                        assert!(a.read(at, shape).leq(&both.read(at, shape)), "{a:?} {both:?} {at}");
                    }
                }
            }
        }
    }

    #[test]
    fn elements_are_folded_where_they_lie() {
        let cell = Cell { shape: INT, value: Value::constant(8) };
        let folded = of_records().folded(32, [(36, &cell)].into_iter()).expect("a step of elements");
        assert!(folded.read(4, INT).int.is_some_and(|i| i.contains(8) && i.contains(0)));
        let shorter = of_records().shortened(8);
        assert!([5, 1 << 40, 0].iter().all(|n| shorter.read(32, WORD).int.is_some_and(|i| i.contains(*n))));
        assert!(of_records().folded(24, [(36, &cell)].into_iter()).is_none());
        assert!(folded.splits(14) && !folded.splits(8) && folded.splits(6) && !folded.splits(20));
    }
}
