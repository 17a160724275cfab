//! How scalars lie in memory: values to little-endian bytes and back.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.2: the phi that reads a cell from
//! overlapping ones.

use crate::domains::{Float, Int, IntType, Pointers, Value, interval::Interval};
use crate::ir::{BitRange, FloatKind, Place, Type, TypeId, TypeTable};

/// What bytes encode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Signed,
    /// Pointers too.
    Unsigned,
    Float,
}

/// Size in bytes and encoding of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    pub size: u8,
    pub kind: Kind,
}

impl Shape {
    /// One byte.
    pub const BYTE: Shape = Shape { size: 1, kind: Kind::Unsigned };

    /// The shape of a scalar type; None for others.
    pub fn of(types: &TypeTable, ty: TypeId) -> Option<Shape> {
        let kind = match types.get(ty) {
            Type::Int(k) if k.signed() => Kind::Signed,
            Type::Int(_) | Type::Pointer(_) => Kind::Unsigned,
            Type::Float(_) => Kind::Float,
            _ => return None,
        };
        Some(Shape { size: u8::try_from(types.size_of(ty)?).ok()?, kind })
    }
    /// The shape of what a place reads and writes: of the scalar, or of the used bytes of a bit-field's storage unit.
    pub fn of_place(types: &TypeTable, place: &Place) -> Option<Shape> {
        let shape = Shape::of(types, place.ty)?;
        let size = |bits: BitRange| bits.unit_bytes(shape.size.into()) as u8;
        Some(Shape { size: place.bits.map_or(shape.size, size), ..shape })
    }
    /// The numbers of this many bytes.
    pub fn int_type(self) -> IntType {
        IntType { bits: u32::from(self.size) * 8, signed: self.kind == Kind::Signed, boolean: false }
    }
    /// The integer bounds.
    pub fn bounds(self) -> Interval {
        self.int_type().bounds()
    }
    /// Every determinate number or float of the shape, no pointers.
    pub fn top(self) -> Value {
        match self.kind {
            Kind::Float => Value::float(Float::TOP),
            _ => Value::int(self.int_type().top()),
        }
    }
    /// Anything determinate, pointers too.
    pub fn anything(self) -> Value {
        Value { pointers: Pointers::any(), ..self.top() }
    }
    /// Bytes.
    pub fn len(self) -> i64 {
        i64::from(self.size)
    }
}

/// Which floating type `ty` is; `double` for others.
pub fn float_kind(types: &TypeTable, ty: TypeId) -> FloatKind {
    match types.get(ty) {
        Type::Float(kind) => *kind,
        _ => FloatKind::Double,
    }
}

/// The bytes of a `long double` that its number takes; the others are padding.
const X87_BYTES: u8 = 10;

/// Byte `i` of a `value` of `shape`.
pub fn byte(value: &Value, shape: Shape, i: u8) -> Value {
    if shape == Shape::BYTE {
        return value.clone();
    }
    let numbers = match shape.kind {
        Kind::Float => value.float.map(|f| float_byte(f, shape.size, i)),
        _ => value.int.map(|v| int_byte(v, shape, i)),
    };
    let pieces = (!value.pointers.is_none()).then(|| Int::range(0, 255));
    let int = match (numbers, pieces) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    };
    let padding = shape.kind == Kind::Float && shape.size > 8 && i >= X87_BYTES;
    Value { int, float: None, pointers: loose(&value.pointers), undefined: value.undefined || padding }
}

fn int_byte(value: Int, shape: Shape, i: u8) -> Int {
    if value.interval() == shape.bounds() && value.congruence().modulus() == 1 {
        return Int::range(0, 255);
    }
    let unsigned = IntType::unsigned(u32::from(shape.size) * 8).wrap(value);
    let shifted = crate::domains::bitwise::shr(unsigned, Int::constant(i128::from(i) * 8));
    IntType::unsigned(8).wrap(shifted)
}

fn float_byte(value: Float, size: u8, i: u8) -> Int {
    match (value.numbers(), value.may_be_nan(), size) {
        // A zero may have either sign.
        (Some((lo, hi)), false, 4) if lo == hi && lo != 0.0 => {
            Int::constant(i128::from((lo as f32).to_le_bytes()[usize::from(i)]))
        }
        (Some((lo, hi)), false, 8) if lo == hi && lo != 0.0 => {
            Int::constant(i128::from(lo.to_le_bytes()[usize::from(i)]))
        }
        _ => Int::range(0, 255),
    }
}

/// The value of `shape` each of whose bytes is `byte`.
pub fn repeat(byte: &Value, shape: Shape) -> Value {
    if shape == Shape::BYTE {
        return Value { float: None, ..byte.clone() };
    }
    let plain = Value { pointers: Pointers::none(), ..byte.clone() };
    let pointers = if shape.size > 1 { byte.pointers.in_pieces() } else { byte.pointers.clone() };
    Value { pointers, ..combine(&vec![plain; usize::from(shape.size)], shape) }
}

/// The value of `shape` whose bytes are these, lowest first.
pub fn combine(bytes: &[Value], shape: Shape) -> Value {
    // Bytes of several addresses make any address of their objects.
    let mut pointers = bytes.iter().fold(Pointers::none(), |all, b| all.join(&b.pointers));
    if bytes.len() > 1 {
        pointers = pointers.in_pieces();
    }
    let undefined = bytes.iter().any(|b| b.undefined);
    let ints: Option<Vec<Int>> = bytes.iter().map(|b| b.int).collect();
    let Some(ints) = ints else {
        // With some bytes determinate and some not, the whole is indeterminate, but its bytes may still be read alone.
        let some = bytes.iter().any(Value::may_be_defined);
        let parts = if some { shape.top() } else { Value::bottom() };
        return Value { pointers, undefined, ..parts };
    };
    if shape.kind == Kind::Float {
        return Value { float: Some(combine_float(&ints)), pointers, undefined, int: None };
    }
    if ints.iter().all(|b| *b == Int::range(0, 255)) {
        return Value { int: Some(shape.int_type().top()), float: None, pointers, undefined };
    }
    let sum = |part: fn(Int) -> i128| {
        let mut total: Option<i128> = Some(0);
        for (i, &b) in ints.iter().enumerate() {
            let place = 1i128.checked_shl(8 * i as u32).filter(|p| *p > 0);
            total = place.and_then(|p| part(b).checked_mul(p)).and_then(|b| total?.checked_add(b));
        }
        total
    };
    let int = match (sum(Int::lo), sum(Int::hi)) {
        (Some(lo), Some(hi)) => shape.int_type().wrap(Int::range(lo, hi)),
        _ => shape.int_type().top(),
    };
    Value { int: Some(int), float: None, pointers, undefined }
}

fn combine_float(bytes: &[Int]) -> Float {
    let raw: Option<Vec<u8>> = bytes.iter().map(|b| u8::try_from(b.as_constant()?).ok()).collect();
    match raw.as_deref() {
        Some(&[a, b, c, d]) => Float::constant(f64::from(f32::from_le_bytes([a, b, c, d]))),
        Some(&[a, b, c, d, e, f, g, h]) => Float::constant(f64::from_le_bytes([a, b, c, d, e, f, g, h])),
        Some(long) if long.iter().all(|b| *b == 0) => Float::constant(0.0),
        _ => Float::TOP,
    }
}

/// A `value` of shape `from` read as `to`, of the same size.
pub fn reinterpret(value: &Value, from: Shape, to: Shape) -> Value {
    if from.kind == to.kind {
        return value.clone();
    }
    if from.kind == Kind::Float || to.kind == Kind::Float {
        let bytes: Vec<Value> = (0..from.size).map(|i| byte(value, from, i)).collect();
        return combine(&bytes, to);
    }
    Value { int: value.int.map(|v| to.int_type().wrap(v)), ..value.clone() }
}

/// The bits `bits` of a storage unit with the values `unit`, extended by the sign of `shape`.
pub fn extract_bits(unit: &Value, shape: Shape, bits: BitRange) -> Value {
    let ty = IntType { bits: u32::from(bits.width), signed: shape.kind == Kind::Signed, boolean: false };
    if bits.width == 0 {
        return Value::constant(0);
    }
    let raw = if unit.pointers.is_none() { unit.int } else { Some(shape.int_type().top()) };
    let int = raw.map(|v| {
        let unsigned = IntType::unsigned(u32::from(shape.size) * 8).wrap(v);
        ty.wrap(crate::domains::bitwise::shr(unsigned, Int::constant(i128::from(bits.offset))))
    });
    Value { int, undefined: unit.undefined, float: None, pointers: unit.pointers.in_pieces() }
}

/// Of these addresses one byte each, which may be put together again.
pub fn loose(pointers: &Pointers) -> Pointers {
    if pointers.is_any() { pointers.in_pieces() } else { pointers.clone() }
}

/// The storage unit `unit` with `bits` replaced by `field`. A unit whose other bits are indeterminate counts as any
/// number: its fields cannot be told apart.
pub fn insert_bits(unit: &Value, shape: Shape, bits: BitRange, field: &Value) -> Value {
    let width = u32::from(shape.size) * 8;
    let whole = IntType::unsigned(width);
    let part = IntType::unsigned(u32::from(bits.width));
    let top = |t: IntType| t.top();
    if bits.width == 0 {
        return unit.clone();
    }
    let old = match unit {
        Value { int: Some(v), undefined: false, pointers, .. } if pointers.is_none() => whole.wrap(*v),
        _ => top(whole),
    };
    let new = match field {
        Value { int: Some(v), undefined: false, pointers, .. } if pointers.is_none() => part.wrap(*v),
        _ => top(part),
    };
    let exact = || {
        let shift = Int::constant(i128::from(bits.offset));
        let mask = ((1i128 << bits.width.min(126)) - 1).checked_shl(u32::from(bits.offset))?;
        let high = crate::domains::bitwise::shr(old, Int::constant(i128::from(bits.offset) + i128::from(bits.width)));
        let high = crate::domains::bitwise::shl(high, Int::constant(i128::from(bits.offset) + i128::from(bits.width)));
        let low = match bits.offset {
            0 => Int::constant(0),
            n => IntType::unsigned(u32::from(n)).wrap(old),
        };
        let new = crate::domains::bitwise::shl(new, shift);
        if let (Some(o), Some(n)) = (old.as_constant(), new.and_then(Int::as_constant)) {
            return Some(Int::constant((o & !mask) | n));
        }
        crate::domains::arithmetic::add(crate::domains::arithmetic::add(high?, low)?, new?)
    };
    let int = whole.wrap_result(exact());
    let pointers = unit.pointers.in_pieces().join(&field.pointers.in_pieces());
    Value { int: Some(shape.int_type().wrap(int)), undefined: unit.undefined, float: None, pointers }
}
