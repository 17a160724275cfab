//! The bytes of an object that nothing but its initializer may write (C11 6.7.3p6).
//!
//! A variable may be constant as a whole or have constant members; arrays of records have them in every element. Members of unions are
//! constant where all of them are. Bit-fields, and what shares a storage unit with one, are not judged: writing their neighbours
//! writes the unit.

use super::types::{Field, Type, TypeId, TypeTable};
use std::ops::Range;
use std::sync::Arc;

/// Which bytes of an object are constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConstantBytes {
    #[default]
    None,
    All,
    Parts(Arc<ConstantParts>),
}

/// Constant members, of a record or of the records in an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstantParts {
    /// Of the first record; sorted, disjoint, not adjacent, never empty.
    pub ranges: Vec<Range<u64>>,
    /// After how many bytes they come again, at least 1; None where they do not.
    pub period: Option<u64>,
}

/// A record has more constant members than can be told apart ([`MOST`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyParts;

/// Ranges of a record.
const MOST: usize = 1024;

impl ConstantBytes {
    /// Whether all bytes are constant.
    pub fn is_all(&self) -> bool {
        *self == ConstantBytes::All
    }
    /// Whether no byte is.
    pub fn is_none(&self) -> bool {
        *self == ConstantBytes::None
    }
    /// Whether one of `len` bytes from `start` on is constant.
    pub fn touched(&self, start: u64, len: u64) -> bool {
        match self {
            ConstantBytes::None => false,
            ConstantBytes::All => len > 0,
            ConstantBytes::Parts(parts) => parts.touched(start, len),
        }
    }
}

impl ConstantParts {
    /// As [`ConstantBytes::touched`].
    pub fn touched(&self, start: u64, len: u64) -> bool {
        let start = self.period.map_or(start, |p| start % p);
        let end = start.saturating_add(len);
        // A range that ends before `start` is met when it comes again, or nowhere.
        let meets = |r: &Range<u64>| match self.period {
            _ if start < r.end => r.start < end,
            Some(period) => r.start + period < end,
            None => false,
        };
        len > 0 && self.ranges.iter().any(meets)
    }
}

impl TypeTable {
    /// The constant bytes of an object whose own declaration does not say `const`.
    ///
    /// # Errors
    /// When they are too many parts to list.
    pub fn constant_bytes(&self, ty: TypeId) -> Result<ConstantBytes, TooManyParts> {
        let mut element = ty;
        while let Type::Array(inner, _) = self.get(element) {
            element = *inner;
        }
        let (ranges, size) = (self.constant_ranges(element)?, self.size_of(element).unwrap_or(0));
        if ranges.is_empty() {
            return Ok(ConstantBytes::None);
        }
        if is_whole(&ranges, size) && !self.is_open(element) {
            return Ok(ConstantBytes::All);
        }
        let period = (element != ty).then_some(size);
        Ok(ConstantBytes::Parts(Arc::new(ConstantParts { ranges, period })))
    }

    /// Whether an object of the type may be larger than the type: its last member is an array without a length.
    pub fn is_open(&self, ty: TypeId) -> bool {
        match *self.get(ty) {
            Type::Array(_, count) => count.is_none(),
            Type::Record(record) => self.records[record].layout.as_ref().is_some_and(|layout| layout.is_open),
            _ => false,
        }
    }

    fn constant_ranges(&self, ty: TypeId) -> Result<Vec<Range<u64>>, TooManyParts> {
        match *self.get(ty) {
            Type::Array(element, count) => self.repeated(element, count.unwrap_or(0)),
            Type::Record(record) => {
                self.records[record].layout.as_ref().map_or(Ok(Vec::new()), |layout| layout.constant.clone())
            }
            _ => Ok(Vec::new()),
        }
    }

    fn repeated(&self, element: TypeId, count: u64) -> Result<Vec<Range<u64>>, TooManyParts> {
        let (ranges, size) = (self.constant_ranges(element)?, self.size_of(element).unwrap_or(0));
        let mut all = Vec::new();
        if is_whole(&ranges, size) {
            add(&mut all, 0..size.checked_mul(count).ok_or(TooManyParts)?)?;
        } else if !ranges.is_empty() {
            for i in 0..count {
                ranges.iter().try_for_each(|r| add(&mut all, shifted(r, i * size)))?;
            }
        }
        Ok(all)
    }

    /// The bytes of a record of `size` bytes that its members make constant, sorted, neither touching nor empty.
    ///
    /// # Errors
    /// When they are too many parts to list.
    pub fn constant_members(
        &self,
        fields: &[Field],
        size: u64,
        is_union: bool,
    ) -> Result<Vec<Range<u64>>, TooManyParts> {
        let mut all = Vec::new();
        if is_union {
            if !fields.is_empty() && fields.iter().all(|f| self.is_constant_member(f)) {
                add(&mut all, 0..size)?;
            }
            return Ok(all);
        }
        let units: Vec<Range<u64>> = fields.iter().filter(|f| f.bits.is_some()).map(|f| self.bytes(f)).collect();
        for field in fields {
            let own = self.bytes(field);
            if units.iter().any(|unit| unit.start < own.end && own.start < unit.end) {
                continue;
            }
            let inner = match field.is_const {
                true => Vec::from([own]),
                false => self.constant_ranges(field.ty)?.iter().map(|r| shifted(r, field.offset)).collect(),
            };
            inner.into_iter().try_for_each(|r| add(&mut all, r))?;
        }
        Ok(all)
    }

    fn is_constant_member(&self, field: &Field) -> bool {
        field.is_const || self.constant_bytes(field.ty).is_ok_and(|c| c.is_all())
    }

    /// The bytes that a member takes up; for a bit-field those of its storage unit.
    fn bytes(&self, field: &Field) -> Range<u64> {
        let size = self.size_of(field.ty).unwrap_or(0);
        field.offset..field.offset + field.bits.map_or(size, |b| b.unit_bytes(size))
    }
}

fn is_whole(ranges: &[Range<u64>], size: u64) -> bool {
    matches!(ranges, [only] if *only == (0..size))
}

fn shifted(range: &Range<u64>, by: u64) -> Range<u64> {
    range.start + by..range.end + by
}

/// Adds a range that does not begin before the end of the last one.
fn add(all: &mut Vec<Range<u64>>, range: Range<u64>) -> Result<(), TooManyParts> {
    let count = all.len();
    match all.last_mut() {
        _ if range.is_empty() => {}
        Some(last) if last.end == range.start => last.end = range.end,
        _ if count == MOST => return Err(TooManyParts),
        _ => all.push(range),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::types::{Layout, Record};
    use crate::ir::{DataModel, IntKind};
    use proptest::prelude::*;

    /// A struct or union of `char` members and what else is given, each behind the other.
    fn record(types: &mut TypeTable, members: &[(TypeId, bool)], is_union: bool) -> TypeId {
        let (mut fields, mut size) = (Vec::new(), 0);
        for &(ty, is_const) in members {
            let offset = if is_union { 0 } else { size };
            size = (offset + types.size_of(ty).unwrap_or(0)).max(size);
            fields.push(Field { name: Some("m".to_owned()), ty, offset, bits: None, is_const });
        }
        let is_open = fields.last().is_some_and(|f| types.is_open(f.ty));
        let constant = types.constant_members(&fields, size, is_union);
        let layout = Some(Layout { fields, size, align: 1, is_open, constant });
        let id = types.records.push(Record { name: "r".to_owned(), is_union, is_accessed: false, layout });
        types.intern(Type::Record(id))
    }

    /// Byte by byte.
    fn constant(types: &TypeTable, ty: TypeId) -> Vec<bool> {
        let size = types.size_of(ty).unwrap();
        let bytes = types.constant_bytes(ty).unwrap();
        (0..size).map(|at| bytes.touched(at, 1)).collect()
    }

    #[test]
    fn members_of_records_in_arrays_in_records() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let char_ = types.int(IntKind::Char);
        let inner = record(&mut types, &[(char_, true), (char_, false)], false);
        let two = types.array(inner, Some(2));
        let outer = record(&mut types, &[(char_, false), (two, false), (inner, true)], false);
        let pair = [false, true, false, true, false, true, true];
        assert_eq!(constant(&types, outer), pair);
        let many = types.array(outer, Some(3));
        assert_eq!(constant(&types, many), pair.repeat(3));
    }

    #[test]
    fn unions_are_constant_where_all_members_are() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let char_ = types.int(IntKind::Char);
        let all = record(&mut types, &[(char_, true), (char_, true)], true);
        assert_eq!(types.constant_bytes(all), Ok(ConstantBytes::All));
        let some = record(&mut types, &[(char_, true), (char_, false)], true);
        assert_eq!(types.constant_bytes(some), Ok(ConstantBytes::None));
    }

    #[test]
    fn a_flexible_array_behind_constant_members_is_not_constant() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let char_ = types.int(IntKind::Char);
        let open = types.array(char_, None);
        let record = record(&mut types, &[(char_, true), (open, false)], false);
        let bytes = types.constant_bytes(record).unwrap();
        assert!(bytes.touched(0, 1) && !bytes.touched(1, 1) && !bytes.is_all());
    }

    #[test]
    fn deep_records_take_no_longer_than_they_are_long() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let char_ = types.int(IntKind::Char);
        let mut ty = record(&mut types, &[(char_, true)], true);
        for _ in 0..200 {
            ty = record(&mut types, &[(ty, false), (ty, false)], true);
        }
        assert_eq!(types.constant_bytes(ty), Ok(ConstantBytes::All));
    }

    #[test]
    fn hostile_sizes_are_refused_or_short() {
        let mut types = TypeTable::new(DataModel::Lp64);
        let char_ = types.int(IntKind::Char);
        let inner = record(&mut types, &[(char_, true), (char_, false)], false);
        let many = types.array(inner, Some(1 << 40));
        assert!(types.constant_bytes(many).is_ok());
        let outer = record(&mut types, &[(many, false)], false);
        assert_eq!(types.constant_bytes(outer), Err(TooManyParts));
        let constant = record(&mut types, &[(char_, true)], false);
        let many = types.array(constant, Some(1 << 40));
        let outer = record(&mut types, &[(many, false), (char_, false)], false);
        assert!(types.constant_bytes(outer).unwrap().touched(1 << 39, 1));
    }

    proptest! {
        #[test]
        fn touched_is_some_constant_byte(
            members in prop::collection::vec(any::<bool>(), 1..6), count in 1u64..4, start in 0u64..18, len in 0u64..18,
        ) {
            let mut types = TypeTable::new(DataModel::Lp64);
            let char_ = types.int(IntKind::Char);
            let members: Vec<(TypeId, bool)> = members.iter().map(|c| (char_, *c)).collect();
            let element = record(&mut types, &members, false);
            let ty = if count == 1 { element } else { types.array(element, Some(count)) };
            let size = members.len() as u64 * count;
            let (start, len) = (start.min(size), len.min(size - start.min(size)));
            let expected = (start..start + len).any(|at| members[(at % members.len() as u64) as usize].1);
            prop_assert_eq!(types.constant_bytes(ty).unwrap().touched(start, len), expected);
        }
    }
}
