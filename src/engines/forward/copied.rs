//! Bytes of one object in another: cells and elements stay what they are where they come to lie as wholes.

use super::cells::Cell;
use super::object::{Object, blurred};
use super::shape::Shape;
use super::zeros::Zeros;
use crate::domains::congruence::gcd;
use crate::domains::{Int, Value};

impl Object {
    /// Overwrites `len` bytes at `at` by those at `from` in `source`.
    pub fn copy_range(&mut self, at: i64, source: &Object, from: i64, len: i64) {
        const MOST: i64 = 1024;
        let whole = |o: &Object| o.size.as_constant() == Some(i128::from(len));
        if at == 0 && from == 0 && whole(self) && whole(source) {
            self.cells = source.cells.clone();
            self.fill = source.fill.clone();
            self.zeros = source.zeros;
            return;
        }
        if len > MOST {
            let any = source.any_byte_in(from, from + len);
            return self.spoil_range(at, at + len, &any);
        }
        self.zeros.overwrite(at, at + len);
        let mut taken: Vec<(i64, Cell)> = Vec::new();
        let (mut p, end) = (from, from + len);
        while p < end {
            let step = match source.cells.overlapping(p, p + 1).next() {
                Some((o, c)) if o == p && p + c.shape.len() <= end => c.shape,
                Some(_) => Shape::BYTE,
                None => {
                    let free =
                        |s: &Shape| source.cells.overlapping(p, p + s.len()).next().is_none() && p + s.len() <= end;
                    source.fill.cell(p).map(|c| c.shape).filter(free).unwrap_or(Shape::BYTE)
                }
            };
            taken.push((p - from + at, Cell { shape: step, value: source.read(p, step) }));
            p += step.len();
        }
        self.cells.cut(at, at + len);
        // Bytes of one fill need no cells where ours is the same.
        for (o, c) in taken {
            let same = match c.shape {
                Shape::BYTE => self.fill.loose_byte(o) == Some(&c.value),
                _ => self.fill.cell(o) == Some(&c),
            };
            if !same {
                self.cells.insert(o, c.shape, c.value);
            }
        }
    }

    /// The `count` elements of `width` bytes from `at` on come to lie in any order.
    pub fn sort_elements(&mut self, at: i64, count: i64, width: i64) {
        let mut parts: Vec<(i64, Shape)> = Vec::new();
        let mut place = at;
        while place < at + width {
            let whole = |c: &&Cell| place + c.shape.len() <= at + width;
            let shape = self.cells.get(place).filter(whole).map_or(Shape::BYTE, |c| c.shape);
            parts.push((place, shape));
            place += shape.len();
        }
        for (first, shape) in parts {
            let places = || (0..count).map(|k| first + k * width);
            let values = places().map(|place| self.read(place, shape));
            let any = values.fold(Value::bottom(), |all, value| all.join(&value));
            places().for_each(|place| self.cells.overwrite(place, shape, any.clone()));
        }
        self.zeros = Zeros::default();
    }

    /// Each element of `width` bytes may come to lie where another one of `[lo, hi)` was: they start at `each` of these offsets. False, and nothing
    /// done, where that is not known.
    pub fn sort_somewhere(&mut self, each: Int, range: (i64, i64), width: i64) -> bool {
        let source = Object { fill: self.fill.shortened(width), ..self.clone() };
        self.copy_elements(each, range, &source, each, Int::constant(width.into()))
    }

    /// `len` bytes, from one of the offsets `from` in `source`, may be copied to one of `to`: to bytes in `[lo, hi)`. False, and nothing
    /// done, where elements do not come to lie on elements, or are not copied as wholes.
    pub fn copy_elements(&mut self, to: Int, (lo, hi): (i64, i64), source: &Object, from: Int, len: Int) -> bool {
        let (t, f, l) = (to.congruence(), from.congruence(), len.congruence());
        let step = gcd(gcd(t.modulus(), f.modulus()), gcd((t.rem() - f.rem()).abs(), l.modulus()));
        let Ok(step) = i64::try_from(step) else { return false };
        let Some(pattern) = source.fill.folded(step, source.cells.iter()) else { return false };
        let ends = [t.rem(), t.rem() + l.rem()].map(|end| end.rem_euclid(i128::from(step)) as i64);
        if ends.iter().any(|&end| pattern.splits(end) || self.fill.splits_somewhere(end, step)) {
            return false;
        }
        self.zeros = Zeros::default();
        self.cells.join_range(lo, hi, |o, c| {
            let value = pattern.read(o, c.shape);
            let is_cut = ends.iter().any(|end| (1..c.shape.len()).contains(&(end - o).rem_euclid(step)));
            if is_cut { blurred(&value, c.shape) } else { value }
        });
        self.fill = self.fill.combine_with(&pattern, |a, b, _| a.join(b));
        true
    }
}
