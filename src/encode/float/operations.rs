//! What expressions, checks and library functions of the IR use of floats.

use super::number::{Format, Number};
use crate::encode::encoder::Encoder;
use crate::encode::value::{Shape, Value};
use crate::ir::{BinaryOp, FloatKind, LibFn, Real, Rounding};
use crate::smt::{Sort, Term};

impl Encoder<'_, '_> {
    /// The number that a value is, where its format is followed.
    fn float_number(&mut self, value: Value, kind: FloatKind) -> Option<Number> {
        let (format, bits) = (Format::of(kind)?, value.bits()?);
        let low = self.pool.extract(format.width() - 1, 0, bits);
        Some(Number::unpack(&mut self.pool, format, low))
    }

    /// The value that a number is: padding, and the bits of what is no number, are any.
    fn value_of(&mut self, number: Number, width: u32) -> Value {
        let known = number.format.width();
        let never = self.is_false(number.nan);
        let any = match never {
            true => self.pool.bv(known, 0),
            false => self.pool.fresh_variable("nan", Sort::BitVec(known)),
        };
        let bits = number.pack(&mut self.pool, any);
        Value::Bits(self.padded(bits, width))
    }

    fn padded(&mut self, bits: Term, width: u32) -> Term {
        let known = self.pool.sort(bits).width().unwrap_or(width);
        if known == width {
            return bits;
        }
        let padding = self.pool.fresh_variable("padding", Sort::BitVec(width - known));
        self.pool.concat(padding, bits)
    }

    /// A constant.
    pub(in crate::encode) fn float_constant(&mut self, value: Real, width: u32) -> Value {
        match Format::of(value.kind()) {
            Some(format) => {
                let bits = self.pool.bv(format.width(), value.bits());
                Value::Bits(self.padded(bits, width))
            }
            None => self.anything("float", Shape::Float { width, kind: value.kind() }),
        }
    }

    /// `-x`: the sign alone.
    pub(in crate::encode) fn float_negation(&mut self, a: Value, kind: FloatKind, width: u32) -> Value {
        let (Some(format), Some(bits)) = (Format::of(kind), a.bits()) else {
            return self.anything("float", Shape::Float { width, kind });
        };
        let sign = self.pool.bv(width, 1 << (format.width() - 1));
        Value::Bits(self.pool.bv_xor(bits, sign))
    }

    /// `a op b`.
    pub(in crate::encode) fn float_arithmetic(
        &mut self,
        op: BinaryOp,
        (a, b): (Value, Value),
        kind: FloatKind,
        width: u32,
    ) -> Value {
        let (Some(a), Some(b)) = (self.float_number(a, kind), self.float_number(b, kind)) else {
            return self.anything("float", Shape::Float { width, kind });
        };
        let p = &mut self.pool;
        let number = match op {
            BinaryOp::Add => a.add(p, b),
            BinaryOp::Sub => a.subtract(p, b),
            BinaryOp::Mul => a.multiply(p, b),
            BinaryOp::Div => a.divide(p, b),
            _ => return self.anything("float", Shape::Float { width, kind }),
        };
        self.value_of(number, width)
    }

    /// Whether `a op b`, a comparison.
    pub(in crate::encode) fn float_comparison(&mut self, op: BinaryOp, a: Value, b: Value, kind: FloatKind) -> Term {
        let (Some(a), Some(b)) = (self.float_number(a, kind), self.float_number(b, kind)) else {
            return self.any_condition("comparison");
        };
        let p = &mut self.pool;
        let either = |p: &mut crate::smt::TermPool, a: Number, b: Number| {
            let (below, equal) = (a.below(p, b), a.equals(p, b));
            p.or(&[below, equal])
        };
        match op {
            BinaryOp::Eq => a.equals(p, b),
            BinaryOp::Ne => {
                let equal = a.equals(p, b);
                p.not(equal)
            }
            BinaryOp::Lt => a.below(p, b),
            BinaryOp::Gt => b.below(p, a),
            BinaryOp::Le => either(p, a, b),
            BinaryOp::Ge => either(p, b, a),
            _ => self.any_condition("comparison"),
        }
    }

    /// Whether a float is not 0.
    pub(in crate::encode) fn float_truth(&mut self, a: Value, kind: FloatKind) -> Term {
        match self.float_number(a, kind) {
            Some(number) => {
                let zero = number.is_zero(&mut self.pool);
                self.pool.not(zero)
            }
            None => self.any_condition("float"),
        }
    }

    /// A conversion of which one side at least is a float.
    pub(in crate::encode) fn float_cast(&mut self, value: Value, from: Shape, to: Shape) -> Value {
        match (from, to) {
            (Shape::Float { kind, .. }, Shape::Float { kind: target, width }) => {
                if kind == target {
                    return value;
                }
                let (Some(number), Some(format)) = (self.float_number(value, kind), Format::of(target)) else {
                    return self.anything("float", to);
                };
                let number = number.to_format(&mut self.pool, format);
                self.value_of(number, width)
            }
            (Shape::Float { kind, .. }, Shape::Bool) => {
                let holds = self.float_truth(value, kind);
                Value::Bits(self.truth_value(holds, 8))
            }
            (Shape::Float { kind, .. }, Shape::Int { width, signed }) if width <= 64 => {
                let Some(number) = self.float_number(value, kind) else { return self.anything("float", to) };
                let whole = number.to_integer(&mut self.pool, width, signed);
                let exact = Value::Bits(self.pool.extract(width - 1, 0, whole.value));
                // What does not fit has no value (C11 6.3.1.4).
                let guess = self.anything("float", to);
                self.either(whole.fits, exact, guess, to)
            }
            (Shape::Int { .. } | Shape::Bool, Shape::Float { kind, width }) if from.width() <= 64 => {
                let (Some(format), Value::Bits(bits)) = (Format::of(kind), value) else {
                    return self.anything("float", to);
                };
                let number = Number::of_integer(&mut self.pool, format, bits, from.signed());
                self.value_of(number, width)
            }
            _ => self.anything("float", to),
        }
    }

    /// Whether a float's whole part is no number of so many bits.
    pub(in crate::encode) fn float_does_not_fit(
        &mut self,
        value: Value,
        kind: FloatKind,
        bits: u32,
        signed: bool,
    ) -> Term {
        match self.float_number(value, kind).filter(|_| bits <= 64) {
            Some(number) => {
                let whole = number.to_integer(&mut self.pool, bits, signed);
                self.pool.not(whole.fits)
            }
            None => self.any_condition("fits"),
        }
    }

    /// `function(args)` for a result of shape `to`; None where it is not followed.
    pub(in crate::encode) fn float_function(
        &mut self,
        function: LibFn,
        args: &[(Value, Option<Shape>)],
        to: Shape,
    ) -> Option<Value> {
        let &(first, Some(Shape::Float { kind, .. })) = args.first()? else { return None };
        if matches!(to, Shape::Float { kind: given, .. } if given != kind) {
            return None;
        }
        let x = self.float_number(first, kind)?;
        let p = &mut self.pool;
        let number = match function {
            LibFn::Fabs => x.absolute(p),
            LibFn::Sqrt => x.square_root(p),
            LibFn::Floor => x.whole(p, Rounding::Down),
            LibFn::Ceil => x.whole(p, Rounding::Up),
            LibFn::Trunc | LibFn::ModfWhole => x.whole(p, Rounding::TowardZero),
            LibFn::Round => x.whole(p, Rounding::TiesAway),
            LibFn::Rint => x.whole(p, Rounding::TiesEven),
            LibFn::Copysign => {
                let &(second, Some(Shape::Float { kind: other, .. })) = args.get(1)? else { return None };
                let y = self.float_number(second, other)?;
                Number { negative: y.negative, ..x }
            }
            LibFn::Fmin | LibFn::Fmax => {
                let &(second, Some(Shape::Float { kind: other, .. })) = args.get(1)? else { return None };
                let y = self.float_number(second, other).filter(|_| other == kind)?;
                self.extreme((x, first.bits()?), (y, second.bits()?), function == LibFn::Fmax)
            }
            LibFn::IsNan => return Some(self.not_zero(x.nan, to)),
            LibFn::IsInf => {
                let holds = x.is_infinite(p);
                return Some(self.not_zero(holds, to));
            }
            LibFn::IsFinite => {
                let holds = x.is_finite(p);
                return Some(self.not_zero(holds, to));
            }
            LibFn::IsNormal => {
                let holds = x.is_normal(p);
                return Some(self.not_zero(holds, to));
            }
            LibFn::SignBit => {
                let guess = self.any_condition("sign");
                let holds = self.pool.ite(x.nan, guess, x.negative);
                return Some(self.not_zero(holds, to));
            }
            _ => return None,
        };
        Some(self.value_of(number, to.width()))
    }

    /// The smaller or greater of two numbers with their bits; of a number and none the number. Which of two zeros it is, C leaves open (7.12.12.2,
    /// footnote).
    fn extreme(&mut self, (x, first): (Number, Term), (y, second): (Number, Term), greatest: bool) -> Number {
        let guess = self.any_condition("extreme");
        let p = &mut self.pool;
        let (below, above) = (x.below(p, y), y.below(p, x));
        let (smaller, greater) = if greatest { (above, below) } else { (below, above) };
        let (never, always) = (p.bool(false), p.bool(true));
        let otherwise = p.ite(greater, never, guess);
        let of_numbers = p.ite(smaller, always, otherwise);
        let with_none = p.ite(y.nan, always, of_numbers);
        let is_first = p.ite(x.nan, never, with_none);
        let bits = p.ite(is_first, first, second);
        let low = p.extract(x.format.width() - 1, 0, bits);
        Number::unpack(p, x.format, low)
    }

    /// Any number but 0 where the condition holds, else 0.
    fn not_zero(&mut self, holds: Term, to: Shape) -> Value {
        let width = to.width();
        let any = self.pool.fresh_variable("truth", Sort::BitVec(width));
        let (zero, one) = (self.pool.bv(width, 0), self.pool.bv(width, 1));
        let nothing = self.pool.eq(any, zero);
        let any = self.pool.ite(nothing, one, any);
        Value::Bits(self.pool.ite(holds, any, zero))
    }
}
