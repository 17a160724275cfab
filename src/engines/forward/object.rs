//! The content of one base: cells at known offsets, and a fill for all other bytes.
//!
//! Cells do not overlap. A read of bytes that no cell holds as a whole is put together from what overlaps it; a write
//! cuts what it overlaps into bytes first. The fill ([`super::fill`]) says what the elements hold wherever no cell lies: all of a block from
//! `calloc`, or an array written at unknown indices.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2. We synthesize instead of adding cells, and
//! have the fill in place of the missing ones' top.

use super::cells::{Cell, Cells};
use super::fill::Fill;
use super::shape::{Kind, Shape, byte, combine, loose, reinterpret};
use super::stops::{CellStops, among};
use super::targets::Targeted;
use super::zeros::Zeros;
use crate::domains::{BaseId, Float, Hull, Int, Pointers, Value, interval::Interval};

/// How many elements an access at an unknown index may touch one by one.
const ELEMENTS: usize = 128;
/// The same of a write to an object of more than so many bytes, of which cells would be too many.
const FEW: usize = 16;
const LARGE: i128 = 4096;

/// Whether an object's lifetime has ended. Both false: it never began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    pub may_live: bool,
    pub may_be_dead: bool,
}

impl Life {
    pub const LIVE: Life = Life { may_live: true, may_be_dead: false };
    pub const DEAD: Life = Life { may_live: false, may_be_dead: true };

    fn join(self, other: Life) -> Life {
        Life { may_live: self.may_live || other.may_live, may_be_dead: self.may_be_dead || other.may_be_dead }
    }
    fn leq(self, other: Life) -> bool {
        (!self.may_live || other.may_live) && (!self.may_be_dead || other.may_be_dead)
    }
}

/// What is known of a base.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Bytes.
    pub size: Int,
    pub life: Life,
    /// Zeros that the cells do not tell.
    pub zeros: Zeros,
    pub(super) cells: Targeted<Cells>,
    pub(super) fill: Fill,
}

impl Object {
    /// A live object of `size` bytes, each of which holds `fill`.
    pub fn new(size: Int, fill: Value) -> Object {
        let fill = Fill::of_bytes(fill);
        Object { size, life: Life::LIVE, zeros: Zeros::default(), cells: Targeted::default(), fill }
    }
    /// The same with every element of `shape` holding `value`.
    pub fn of_elements(size: Int, shape: Shape, value: Value) -> Object {
        Object { fill: Fill::of_elements(shape, value), ..Object::new(size, Value::bottom()) }
    }
    /// The cells with their offsets.
    pub fn cells(&self) -> impl Iterator<Item = (i64, &Cell)> {
        self.cells.iter()
    }
    /// The one that starts at `at`.
    pub fn cell_at(&self, at: i64) -> Option<&Cell> {
        self.cells.get(at)
    }
    /// All values in it.
    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.cells.iter().map(|(_, c)| &c.value).chain(self.fill.values())
    }
    /// The objects that values in it may point to, some more than once.
    pub fn targets(&self) -> impl Iterator<Item = BaseId> {
        let of_fill = self.fill.values().flat_map(|v| v.pointers.targets()).map(|t| t.0);
        self.cells.targets().bases.iter().copied().chain(of_fill)
    }
    /// Whether a value in it may point to `base`.
    pub fn leads_to(&self, base: BaseId) -> bool {
        self.cells.targets().has(base) || self.fill.values().any(|v| v.pointers.offset(base).is_some())
    }
    /// Whether a value in it may point to a function.
    pub fn leads_to_functions(&self) -> bool {
        self.cells.targets().has_functions || self.fill.values().any(|v| !v.pointers.functions().is_empty())
    }
    /// Those of the bytes that no cell holds.
    pub fn fill_values(&self) -> impl Iterator<Item = &Value> {
        self.fill.values()
    }
    /// Changes every value by `f`, which keeps shapes.
    pub fn map_values(&mut self, f: impl Fn(&mut Value)) {
        self.cells.map_values(&f);
        self.fill.map_values(f);
    }
    /// The byte at `at`.
    pub fn byte_at(&self, at: i64) -> Value {
        match self.cells.overlapping(at, at + 1).next() {
            Some((o, c)) => byte(&c.value, c.shape, (at - o) as u8),
            None => self.fill.byte_at(at),
        }
    }

    /// The bytes of `[lo, hi)` in order, but those that say what the one before says: of a run that no cell holds, all but the first.
    pub fn telling_bytes(&self, lo: i64, hi: i64) -> impl Iterator<Item = (i64, Value)> {
        let repeats = self.fill.every_byte().is_some();
        let held = self.cells.overlapping(lo, hi).map(move |(o, c)| (o.max(lo), (o + c.shape.len()).min(hi)));
        let mut at = lo;
        let told = held.chain(std::iter::once((hi, hi))).flat_map(move |(first, end)| {
            let gap = if repeats { at..first.min(at + 1) } else { at..first };
            at = end;
            gap.chain(first..end)
        });
        told.map(|at| (at, self.byte_at(at)))
    }

    /// `count` characters of `size` bytes from `start` on, by number; single bytes as [`Self::telling_bytes`].
    pub fn characters(&self, start: i64, size: u8, count: i64) -> Box<dyn Iterator<Item = (i64, Value)> + '_> {
        if size == 1 {
            let bytes = self.telling_bytes(start, start.saturating_add(count));
            return Box::new(bytes.map(move |(at, byte)| (at - start, byte)));
        }
        let shape = Shape { size, kind: Kind::Unsigned };
        Box::new((0..count).map(move |k| (k, self.read(start + k * shape.len(), shape))))
    }

    /// What a read of `shape` at `at` may yield.
    pub fn read(&self, at: i64, shape: Shape) -> Value {
        if let Some(c) = self.cells.get(at).filter(|c| c.shape.size == shape.size) {
            return reinterpret(&c.value, c.shape, shape);
        }
        let end = at + shape.len();
        let mut over = self.cells.overlapping(at, end);
        let (first, more) = (over.next(), over.next().is_some());
        match first {
            Some((o, c)) if o <= at && end <= o + c.shape.len() => return part(c, at - o, shape),
            Some(_) => {}
            None if more => {}
            None => return self.fill.read(at, shape),
        }
        let bytes: Vec<Value> = (at..end).map(|p| self.byte_at(p)).collect();
        combine(&bytes, shape)
    }

    /// The bytes of `shape` at `at` are determinate.
    pub fn settle(&mut self, at: i64, shape: Shape) {
        let value = self.read(at, shape);
        let settled = Value { undefined: false, ..value.clone() };
        if value.undefined && !settled.is_bottom() {
            self.cells.overwrite(at, shape, settled);
        }
    }

    /// A string starts at `start`, all of its characters set and its zero in the object: so the first one is determinate.
    pub fn begin_text(&mut self, start: i64) {
        self.settle(start, Shape::BYTE);
        self.zeros.text = Some(start);
    }

    /// Overwrites the bytes of `shape` at `at`.
    pub fn write(&mut self, at: i64, shape: Shape, value: Value) {
        let list = self.stays_list(Int::constant(at.into()), shape, &value);
        self.note_zeros(at, at + shape.len(), &value);
        self.zeros.ends_list = list;
        self.cells.overwrite(at, shape, value);
    }

    /// Whether still no pointer but the last is NULL, after a write: of an address, to an element.
    fn stays_list(&self, offsets: Int, shape: Shape, value: &Value) -> bool {
        let address = value.int.is_none() && value.float.is_none() && !value.undefined && !value.pointers.is_none();
        self.zeros.ends_list && address && self.fill.every_element(shape).is_some() && aligned(offsets, shape)
    }

    /// Whether a cell of this shape holds exactly these values, and nothing else is known that a write would end.
    pub fn holds(&self, at: i64, shape: Shape, value: &Value) -> bool {
        self.zeros.is_none() && self.cells.get(at).is_some_and(|c| c.shape == shape && c.value == *value)
    }

    /// The bytes of `shape` at `at` may get `value`.
    pub fn write_maybe(&mut self, at: i64, shape: Shape, value: &Value) {
        let (old, mut zeros) = (self.read(at, shape), self.zeros);
        if !self.may_hold_already(at, shape, value, &old) {
            self.write(at, shape, old.join(value));
        }
        if value.as_constant() != Some(0) {
            zeros.overwrite(at, at + shape.len());
        }
        zeros.ends_list = self.stays_list(Int::constant(at.into()), shape, value);
        self.zeros = zeros;
    }

    /// Whether the bytes of `shape` at `at`, which are read as `old`, may be those of `value` as it is. What several cells are put
    /// together to holds more: numbers between theirs, and any number in the place of a byte of an address.
    fn may_hold_already(&self, at: i64, shape: Shape, value: &Value, old: &Value) -> bool {
        let of_size = |c: &Cell| c.shape.size == shape.size;
        if self.cells.overlapping(at, at + shape.len()).next().is_some() {
            return self.cells.get(at).is_some_and(of_size) && value.leq(old);
        }
        let mut bytes = (0..shape.size).map(|i| (byte(value, shape, i), self.fill.loose_byte(at + i64::from(i))));
        match self.fill.cell(at) {
            Some(c) => of_size(c) && value.leq(old),
            None => bytes.all(|(new, old)| old.is_some_and(|old| new.leq(old))),
        }
    }

    /// The bytes of `[lo, hi)` may get `value`.
    fn note_zeros(&mut self, lo: i64, hi: i64, value: &Value) {
        if value.as_constant() != Some(0) {
            self.zeros.overwrite(lo, hi);
        }
        self.zeros.touch();
    }

    /// A read at any of `offsets`.
    pub fn read_at(&self, offsets: Int, shape: Shape) -> Value {
        let (lo, hi) = bounds(offsets, shape);
        if let Some(each) = offsets.members(ELEMENTS) {
            let mut all = Hull::default();
            each.into_iter().for_each(|o| all.add(self.read(o as i64, shape)));
            return all.value();
        }
        let mut all = Hull::of(self.fill.read_at(offsets, shape));
        // Cells that are read in part make any number, and addresses of what they point to: many hold the same ones.
        const LAST: usize = 8;
        let mut in_part: Vec<&Pointers> = Vec::new();
        for (o, c) in self.cells.overlapping(lo, hi).filter(|(o, c)| touches(offsets, shape, *o, c.shape)) {
            let one = if c.shape.size == shape.size && in_step(offsets, o, shape) {
                reinterpret(&c.value, c.shape, shape)
            } else {
                let pointers = &c.value.pointers;
                let last = in_part.iter().rev().take(LAST);
                let seen = pointers.is_none() && !in_part.is_empty() || last.into_iter().any(|p| p.is_same(pointers));
                if seen && (all.undefined() || !c.value.undefined) {
                    continue;
                }
                in_part.push(pointers);
                blurred(&c.value, shape)
            };
            all.add(one);
        }
        all.value()
    }

    /// A write at one of `offsets`.
    pub fn write_at(&mut self, offsets: Int, shape: Shape, value: &Value) {
        let (lo, hi) = bounds(offsets, shape);
        let list = self.stays_list(offsets, shape, value);
        self.note_zeros(lo, hi, value);
        self.zeros.ends_list = list;
        let one_by_one = if self.size.hi() <= LARGE { ELEMENTS } else { FEW };
        if let Some(each) = offsets.members(one_by_one) {
            each.into_iter().for_each(|o| self.write_maybe(o as i64, shape, value));
            return;
        }
        self.cells.join_range(lo, hi, |o, c| match c.shape.size == shape.size && in_step(offsets, o, shape) {
            true => reinterpret(value, shape, c.shape),
            false if touches(offsets, shape, o, c.shape) => blurred(value, c.shape),
            false => Value::bottom(),
        });
        self.fill.write_at(offsets, shape, value);
    }

    /// A byte of any place.
    pub fn any_byte(&self) -> Value {
        self.any_byte_in(i64::MIN, i64::MAX)
    }

    /// A byte of any place in `[lo, hi)`.
    pub fn any_byte_in(&self, lo: i64, hi: i64) -> Value {
        let mut all = Hull::of(self.fill.any_byte());
        self.cells.overlapping(lo, hi).for_each(|(_, c)| all.add(any_byte(&c.value, c.shape)));
        all.value()
    }

    /// Whether [`Self::spoil`] would change nothing, as where nothing is known any more.
    pub fn is_spoiled(&self, value: &Value) -> bool {
        let Value { pointers, undefined, .. } = value;
        let any =
            Value { int: Some(Int::range(0, 255)), float: None, pointers: loose(pointers), undefined: *undefined };
        self.zeros.is_none() && self.cells.is_empty() && self.fill.every_byte().is_some_and(|byte| any.leq(byte))
    }

    /// Any bytes may get any bytes of `value`, which may be of any shape.
    pub fn spoil(&mut self, value: &Value) {
        let Value { pointers, undefined, .. } = value;
        let any =
            Value { int: Some(Int::range(0, 255)), float: None, pointers: loose(pointers), undefined: *undefined };
        self.zeros = Zeros::default();
        self.cells.join_range(i64::MIN, i64::MAX, |_, c| blurred(&any, c.shape));
        self.fill.join_anywhere(&any);
    }

    /// Every byte in `[lo, hi)` may get the byte value `value`, independently of the others.
    pub fn spoil_range(&mut self, lo: i64, hi: i64, value: &Value) {
        self.note_zeros(lo, hi, value);
        self.cells.join_range(lo, hi, |o, c| {
            if c.shape == Shape::BYTE {
                return value.clone();
            }
            let bytes: Vec<Value> = (0..c.shape.size)
                .map(|i| {
                    let old = byte(&c.value, c.shape, i);
                    if (lo..hi).contains(&(o + i64::from(i))) { old.join(value) } else { old }
                })
                .collect();
            combine(&bytes, c.shape)
        });
        self.spoil_between_cells(lo, hi, value);
    }

    /// The same of the bytes that no cell holds. Few of them become cells, so that others stay what they are.
    fn spoil_between_cells(&mut self, lo: i64, hi: i64, value: &Value) {
        const FEW_WORDS: i64 = 32;
        let has_others = lo > 0 || i128::from(hi) < self.size.hi();
        let Some(each) = self.fill.every_byte().filter(|_| has_others).cloned() else {
            return self.fill.write_at(Int::TOP, Shape::BYTE, value);
        };
        if value.leq(&each) {
            return;
        }
        if hi - lo <= FEW_WORDS * 8 {
            return self.fill_gaps(lo, hi, &each.join(value));
        }
        // The zero behind what is written may be the end of a string.
        let is_free = |o: &Object| o.cells.overlapping(hi, hi + 1).next().is_none();
        if each.as_constant() == Some(0) && i128::from(hi) < self.size.lo().min(i64::MAX.into()) && is_free(self) {
            self.cells.insert(hi, Shape::BYTE, each);
        }
        self.fill.write_at(Int::TOP, Shape::BYTE, value);
    }

    /// Makes cells of the bytes of `[lo, hi)` that are in none, each byte with `value`.
    fn fill_gaps(&mut self, lo: i64, hi: i64, value: &Value) {
        let held = self.cells.overlapping(lo, hi).map(|(o, c)| (o, o + c.shape.len()));
        let mut gaps: Vec<(i64, i64)> = Vec::new();
        let mut at = lo;
        for (first, end) in held {
            gaps.push((at, first));
            at = end;
        }
        gaps.push((at, hi));
        gaps.into_iter().for_each(|(lo, hi)| self.insert_bytes(lo, hi, value));
    }

    /// Puts cells where no others are: words where they fit, each byte of them `value`.
    fn insert_bytes(&mut self, lo: i64, hi: i64, value: &Value) {
        let word = Shape { size: 8, kind: Kind::Unsigned };
        let mut at = lo;
        while at < hi {
            let shape = if at.rem_euclid(8) == 0 && hi - at >= 8 { word } else { Shape::BYTE };
            let value = combine(&vec![value.clone(); usize::from(shape.size)], shape);
            self.cells.insert(at, shape, value);
            at += shape.len();
        }
    }

    /// Every byte in `[lo, hi)` gets the byte value `value`, independently of the others.
    pub fn set_range(&mut self, lo: i64, hi: i64, value: &Value) {
        const WORDS: i64 = 128;
        self.note_zeros(lo, hi, value);
        if self.size.as_constant().is_some_and(|s| lo <= 0 && i128::from(hi) >= s) {
            self.cells = Targeted::default();
            self.fill = Fill::of_bytes(value.clone());
            return;
        }
        if hi - lo > WORDS * 8 {
            return self.spoil_range(lo, hi, value);
        }
        self.cells.cut(lo, hi);
        if self.fill.every_byte() == Some(value) {
            return;
        }
        self.insert_bytes(lo, hi, value);
    }

    /// Whether the bytes from `start` on are set up to a zero, which is in the object.
    fn has_text(&self, start: i64) -> bool {
        const SEEN: i64 = 256;
        let end = self.size.lo().min(i128::from(start) + i128::from(SEEN)) as i64;
        let mut bytes = self.telling_bytes(start, end).take_while(|(_, b)| !b.undefined);
        self.zeros.text == Some(start) || bytes.any(|(_, b)| b.as_constant() == Some(0))
    }

    /// What is known of zeros, with a range in which one is, if nothing says so but bytes or a text that starts: in `range`, if there is one.
    fn zeros_shown(&self, range: (i64, i64)) -> Zeros {
        const SEEN: i64 = 256;
        let (lo, hi) = range;
        let inside = |found: &(i64, i64)| lo <= found.0 && found.1 <= hi;
        let text = self.zeros.text.map(|start| (start, i64::MAX));
        let start = lo.max(0);
        let end = self.size.lo().min(i128::from(start.saturating_add(SEEN))) as i64;
        let byte = self.telling_bytes(start, end).find(|(_, b)| b.as_constant() == Some(0)).map(|(at, _)| (at, at));
        let known = [self.zeros.range(), byte, text];
        let best = known.into_iter().flatten().find(inside).or(known.into_iter().flatten().next());
        self.zeros.with_range(best)
    }

    /// What is known of zeros here and in `other`, either with the range that the other says.
    fn zeros_of_both(&self, other: &Object) -> (Zeros, Zeros) {
        let of = |object: &Object, range: Option<(i64, i64)>| range.map_or(object.zeros, |r| object.zeros_shown(r));
        (of(self, other.zeros.range()), of(other, self.zeros.range()))
    }

    /// Where a text starts in both, as far as one of them says so.
    fn shared_text(&self, other: &Object) -> Option<i64> {
        let starts = [self.zeros.text, other.zeros.text].into_iter().flatten();
        starts.into_iter().find(|&start| self.has_text(start) && other.has_text(start))
    }

    /// An upper bound of both, cell by cell with `f`.
    fn combine_with(
        &self,
        other: &Object,
        size: Int,
        zeros: Zeros,
        f: impl Fn(&Value, &Value, Shape, Option<i64>) -> Value,
    ) -> Object {
        let fill = self.fill.combine_with(&other.fill, |a, b, shape| f(a, b, shape, None));
        let life = self.life.join(other.life);
        let cells = self.cells.merge(&other.cells, |at, c, d| {
            let shape = c.or(d).map_or(Shape::BYTE, |cell| cell.shape);
            let value = |object: &Object, cell: Option<&Cell>| match cell {
                Some(cell) => reinterpret(&cell.value, cell.shape, shape),
                None => object.read(at, shape),
            };
            Cell { shape, value: f(&value(self, c), &value(other, d), shape, Some(at)) }
        });
        Object { size, life, zeros, cells: cells.into(), fill }
    }

    /// An upper bound of both.
    pub fn join(&self, other: &Object) -> Object {
        if self == other {
            return self.clone();
        }
        let (ours, theirs) = self.zeros_of_both(other);
        let zeros = ours.join(theirs).with_text(self.shared_text(other));
        self.combine_with(other, self.size.join(other.size), zeros, |a, b, _, _| a.join(b))
    }

    /// An upper bound of both, such that chains end: at `thresholds`, in cells that stop elsewhere at those of `stops`.
    pub fn widen(&self, next: &Object, thresholds: &[i128], stops: &CellStops) -> Object {
        if self == next {
            return self.clone();
        }
        let size = self.size.widen(next.size, thresholds, Interval { lo: 0, hi: i128::from(i64::MAX) });
        // A range that is new would be one more in a chain.
        let (_, theirs) = self.zeros_of_both(next);
        let zeros = self.zeros.widen(theirs).with_text(self.shared_text(next));
        self.combine_with(next, size, zeros, |a, b, shape, at| {
            let own = at.and_then(|at| stops.get(&at)).map(|own| among(own, thresholds));
            a.widen(b, own.as_deref().unwrap_or(thresholds), shape.bounds())
        })
    }

    /// This object with nothing known of its content but where its pointers point, and not even that where this still grows after
    /// `before`, of which it is an upper bound.
    pub fn collapsed(&self, before: &Object) -> Object {
        let all = self.any_byte();
        let mut pointers = all.pointers.in_pieces();
        if before.cells.is_empty() && before.fill.every_byte().is_some_and(|b| pointers != b.pointers) {
            pointers = pointers.join(&Pointers::any());
        }
        let fill = Value { int: Some(Int::range(0, 255)), float: None, pointers, undefined: all.undefined };
        let size = self.size.as_constant().map_or(Int::range(0, i128::from(u64::MAX)), Int::constant);
        Object { life: self.life, ..Object::new(size, fill) }
    }
    /// Inclusion; false also when it cannot be seen.
    pub fn leq(&self, other: &Object) -> bool {
        let text = other.zeros.text.filter(|start| self.has_text(*start));
        let zeros = self.zeros_of_both(other).0.with_text(text);
        if !self.size.leq(other.size) || !self.life.leq(other.life) || !zeros.leq(other.zeros) {
            return false;
        }
        let cells = |at: i64, c: Option<&Cell>, d: Option<&Cell>| match (c, d) {
            (Some(c), Some(d)) if c.shape == d.shape => c.value.leq(&d.value),
            _ => {
                d.is_none_or(|d| self.read(at, d.shape).leq(&d.value))
                    && c.is_none_or(|c| self.cell_in_fill(at, c, other))
            }
        };
        self.fill.leq(&other.fill) && self.cells.differ_only_where(&other.cells, cells)
    }

    /// Whether the bytes of a cell that `other` has no cell for are in its fill.
    fn cell_in_fill(&self, o: i64, c: &Cell, other: &Object) -> bool {
        let end = o + c.shape.len();
        let touched = other.cells.overlapping(o, end).next().is_some();
        if let Some(d) = other.fill.cell(o).filter(|d| !touched && d.shape.size == c.shape.size) {
            return reinterpret(&c.value, c.shape, d.shape).leq(&d.value);
        }
        (o..end).filter(|&p| other.cells.overlapping(p, p + 1).next().is_none()).all(|p| {
            let fits = |rest: &Value| byte(&c.value, c.shape, (p - o) as u8).leq(rest);
            other.fill.loose_byte(p).is_some_and(fits)
        })
    }
}

/// The piece of a cell at `skip`.
pub(super) fn part(c: &Cell, skip: i64, shape: Shape) -> Value {
    let plain = c.value.pointers.is_none() && c.shape.kind != Kind::Float && shape.kind != Kind::Float;
    if plain {
        let unsigned = Shape { kind: Kind::Unsigned, ..c.shape }.int_type();
        let int = c.value.int.map(|v| {
            let shifted = crate::domains::bitwise::shr(unsigned.wrap(v), Int::constant(i128::from(skip) * 8));
            shape.int_type().wrap(shifted)
        });
        return Value { int, undefined: c.value.undefined, ..Value::bottom() };
    }
    let bytes: Vec<Value> = (0..shape.size).map(|i| byte(&c.value, c.shape, skip as u8 + i)).collect();
    combine(&bytes, shape)
}

/// Any number of `shape`, with the pointers and the indeterminacy of `value`.
pub(super) fn blurred(value: &Value, shape: Shape) -> Value {
    Value { pointers: value.pointers.in_pieces(), undefined: value.undefined, ..shape.top() }
}

/// Any one byte of a value.
pub(super) fn any_byte(value: &Value, shape: Shape) -> Value {
    if shape == Shape::BYTE {
        return value.clone();
    }
    // Numbers without gaps that fill their low byte: the others are among its values.
    let wide = |i: Int| i.congruence().modulus() == 1 && i.hi().checked_sub(i.lo()).is_none_or(|d| d >= 255);
    if value.int.is_some_and(wide) || value.float.is_some_and(|f| f == Float::TOP) {
        let (pointers, undefined) = (loose(&value.pointers), value.undefined);
        return Value { int: Some(Int::range(0, 255)), float: None, pointers, undefined };
    }
    (0..shape.size).fold(Value::bottom(), |all, i| all.join(&byte(value, shape, i)))
}

/// First byte and end of an access.
fn bounds(offsets: Int, shape: Shape) -> (i64, i64) {
    let near = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    (near(offsets.lo()), near(offsets.hi()).saturating_add(shape.len()))
}

/// Whether accesses at `offsets` that touch `[o, o + size)` are all at `o`.
fn in_step(offsets: Int, o: i64, shape: Shape) -> bool {
    offsets.congruence().modulus() >= i128::from(shape.size) && offsets.congruence().contains(i128::from(o))
}

/// Whether an access of `shape` at one of `offsets` may touch a cell at `o`.
fn touches(offsets: Int, shape: Shape, o: i64, cell: Shape) -> bool {
    let congruence = offsets.congruence();
    if congruence.modulus() <= 1 {
        return true;
    }
    let behind = (i128::from(o) - congruence.rem()).rem_euclid(congruence.modulus());
    behind < i128::from(shape.size) || congruence.modulus() - behind < i128::from(cell.size)
}

/// Whether all offsets are multiples of the size.
fn aligned(offsets: Int, shape: Shape) -> bool {
    let size = i128::from(shape.size);
    let c = offsets.congruence();
    c.modulus() % size == 0 && c.rem() % size == 0
}

#[cfg(test)]
mod tests {
    use super::{Int, Kind, Object, Shape, Value};

    /// 000, Example 2: a write ends what overlapping cells hold, and reads of any size see it.
    #[test]
    fn a_write_ends_the_cells_that_it_overlaps() {
        let whole = Shape { size: 4, kind: Kind::Unsigned };
        let mut object = Object::new(Int::constant(4), Value::constant(0));
        object.write(0, Shape::BYTE, Value::constant(7));
        object.write(0, whole, Value::constant(0x105));
        assert_eq!([0, 1].map(|at| object.read(at, Shape::BYTE)), [5, 1].map(Value::constant));
        object.write(1, Shape::BYTE, Value::constant(2));
        assert_eq!(object.read(0, whole), Value::constant(0x205));
    }
}
