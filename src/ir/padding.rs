//! Padding: the bits of an object that belong to none of its members. Storing a value leaves open what they are
//! (C11 6.2.6.1p6), and so does initializing (6.7.9p9, p10) unless the object is static and has no initializer.

use super::types::{FloatKind, Type, TypeId, TypeTable};

/// Some bits of an object that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The first bit, counted from the object's start.
    pub at: u64,
    pub bits: u64,
}

impl Gap {
    /// Its bytes, each with the bits that it has there.
    pub fn bytes(self) -> impl Iterator<Item = (u64, u8)> {
        (self.at / 8..self.end().div_ceil(8)).map(move |byte| {
            let from = self.at.saturating_sub(8 * byte);
            let to = (self.end() - 8 * byte).min(8);
            (byte, ((1u16 << to) - (1u16 << from)) as u8)
        })
    }
    /// The bytes of which it has a bit: the first, and how many.
    pub fn extent(self) -> (u64, u64) {
        let first = self.at / 8;
        (first, self.end().div_ceil(8) - first)
    }
    /// The bit behind its last.
    fn end(self) -> u64 {
        self.at + self.bits
    }
}

/// More gaps than these are told as one: the whole object.
const MOST_GAPS: usize = 4096;

/// The padding of a complete type, in the order of places.
pub fn padding(types: &TypeTable, ty: TypeId) -> Vec<Gap> {
    let size = types.size_of(ty).unwrap_or(0);
    let mut gaps = Vec::new();
    match collect(types, ty, 0, &mut gaps) {
        true => gaps,
        false => vec![Gap { at: 0, bits: 8 * size }],
    }
}

/// Adds the padding of a `ty` at a bit; false when there is too much of it.
fn collect(types: &TypeTable, ty: TypeId, at: u64, gaps: &mut Vec<Gap>) -> bool {
    match types.get(ty) {
        Type::Float(FloatKind::LongDouble) => {
            let bits = 8 * types.size_of(ty).unwrap_or(0);
            gaps.push(Gap { at: at + 80, bits: bits - 80 });
        }
        Type::Array(elem, Some(n)) => {
            let mut one = Vec::new();
            if !collect(types, *elem, 0, &mut one) {
                return false;
            }
            if one.is_empty() {
                return true;
            }
            let size = 8 * types.size_of(*elem).unwrap_or(0);
            for i in 0..*n {
                if gaps.len() > MOST_GAPS {
                    return false;
                }
                gaps.extend(one.iter().map(|gap| Gap { at: at + i * size + gap.at, ..*gap }));
            }
        }
        Type::Record(_) => {
            let Some(layout) = types.layout(ty) else { return true };
            let whole = Gap { at: 0, bits: 8 * layout.size };
            let mut open = vec![whole];
            for field in &layout.fields {
                let mut member = Vec::new();
                let first = 8 * field.offset;
                let (from, bits) = match field.bits {
                    Some(_) if field.name.is_none() => continue,
                    Some(bits) => (first + u64::from(bits.offset), u64::from(bits.width)),
                    None => {
                        if !collect(types, field.ty, first, &mut member) {
                            return false;
                        }
                        (first, 8 * types.size_of(field.ty).unwrap_or(0))
                    }
                };
                let around = outside(Gap { at: from, bits }, whole);
                let mut of_member: Vec<Gap> = around.into_iter().chain(member).collect();
                of_member.sort_unstable_by_key(|gap| gap.at);
                // What one member of a union leaves open may be another's.
                open = common(&open, &of_member);
            }
            gaps.extend(open.into_iter().filter(|gap| gap.bits > 0).map(|gap| Gap { at: at + gap.at, ..gap }));
        }
        _ => {}
    }
    gaps.len() <= MOST_GAPS
}

/// The parts of `whole` before and behind a member.
fn outside(member: Gap, whole: Gap) -> Vec<Gap> {
    let behind = member.end().min(whole.end());
    let parts = [Gap { at: 0, bits: member.at.min(whole.end()) }, Gap { at: behind, bits: whole.end() - behind }];
    parts.into_iter().filter(|gap| gap.bits > 0).collect()
}

/// The bits that both have: those of an object that belong to no member belong to none of two.
fn common(a: &[Gap], b: &[Gap]) -> Vec<Gap> {
    let (mut i, mut j, mut both) = (0, 0, Vec::new());
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        let (from, to) = (x.at.max(y.at), x.end().min(y.end()));
        if from < to {
            both.push(Gap { at: from, bits: to - from });
        }
        if x.end() <= y.end() { i += 1 } else { j += 1 }
    }
    both
}
