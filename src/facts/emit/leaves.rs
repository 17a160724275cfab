//! Where an object of a type may hold addresses.
//!
//! Addresses are held whole by pointers and by integers of a pointer's size or more. Bytes of other types can hold them
//! too (a character buffer into which a record was copied): there, the multiples of a pointer's size count.

use crate::ir::{Program, Type, TypeId};
use std::collections::BTreeSet;

/// A place in an object: `offset` bytes from its start, and with a `stride` every multiple of it further on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Leaf {
    pub offset: i64,
    pub stride: i64,
}

/// Arrays of up to so many leaves are listed element by element.
const LISTED: u64 = 32;

/// Whether a scalar of this type can hold a whole address.
pub fn carries_address(program: &Program, t: TypeId) -> bool {
    match program.types.get(t) {
        Type::Pointer(_) => true,
        Type::Int(k) => program.types.int_size(*k) >= program.types.pointer_size(),
        _ => false,
    }
}

/// The places of a `t`, in order of their offsets; one at 0 for a scalar that can hold an address.
pub fn leaves(program: &Program, t: TypeId) -> Vec<Leaf> {
    let mut found = BTreeSet::new();
    collect(program, t, 0, &mut found);
    found.into_iter().collect()
}

fn collect(program: &Program, t: TypeId, base: i64, found: &mut BTreeSet<Leaf>) {
    let types = &program.types;
    match types.get(t) {
        Type::Pointer(_) | Type::Int(_) | Type::Float(_) => {
            if carries_address(program, t) {
                found.insert(Leaf { offset: base, stride: 0 });
            }
        }
        Type::Record(r) => {
            let fields = types.records[*r].layout.iter().flat_map(|l| &l.fields);
            for f in fields.filter(|f| f.bits.is_none()) {
                collect(program, f.ty, base + f.offset.cast_signed(), found);
            }
            // Neighbouring small members can hold an address together.
            if let Some(size) = types.size_of(t).filter(|s| *s <= LISTED * types.pointer_size()) {
                aligned(program, base, size, found);
            }
        }
        Type::Array(element, count) => {
            let (Some(size), Some(count)) = (types.size_of(*element), *count) else { return };
            let inner = leaves(program, *element);
            let total = size.saturating_mul(count);
            if inner.is_empty() {
                if total <= LISTED * types.pointer_size() {
                    aligned(program, base, total, found);
                } else {
                    found.insert(Leaf { offset: base, stride: types.pointer_size().cast_signed() });
                }
            } else if count.saturating_mul(inner.len() as u64) <= LISTED {
                for i in 0..count {
                    let at = base + (i * size).cast_signed();
                    found.extend(inner.iter().map(|l| Leaf { offset: at + l.offset, stride: l.stride }));
                }
            } else {
                let stride =
                    |l: &Leaf| if l.stride == 0 { size.cast_signed() } else { gcd(l.stride, size.cast_signed()) };
                found.extend(inner.iter().map(|l| Leaf { offset: base + l.offset, stride: stride(l) }));
            }
        }
        Type::Void | Type::Vla(..) | Type::Function(_) => {}
    }
}

/// Every multiple of a pointer's size in `size` bytes from `base`.
fn aligned(program: &Program, base: i64, size: u64, found: &mut BTreeSet<Leaf>) {
    let step = program.types.pointer_size().cast_signed();
    let mut at = (base + step - 1).div_euclid(step) * step;
    while at + step <= base + size.cast_signed() {
        found.insert(Leaf { offset: at, stride: 0 });
        at += step;
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
