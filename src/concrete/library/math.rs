//! Floating-point functions, in the argument's type.
//!
//! What IEEE 754 rounds once is exact here. Of the others C says nothing about the last digits (C11 5.2.4.2.2p6): a run whose result
//! another C library may round otherwise is flagged.

use crate::concrete::machine::{Argument, Machine, Step};
use crate::concrete::value::Value;
use crate::ir::{BinaryOp, FloatKind, LibFn, Real, Rounding, TypeId};

impl Machine<'_> {
    /// `function(arguments)`; integers have the type of the result.
    pub(super) fn mathematics(
        &mut self,
        function: LibFn,
        arguments: &[Argument],
        result_ty: Option<TypeId>,
    ) -> Step<Value> {
        use LibFn::*;
        let Some(Argument::Scalar(first, ty)) = arguments.first() else {
            return self.undecided("a mathematical function without an argument");
        };
        let kind = self.scalar(*ty).float().unwrap_or(FloatKind::Double);
        let x = self.observe_float(*first, kind);
        let other = |machine: &mut Self, n: usize| match arguments.get(n) {
            Some(Argument::Scalar(value, _)) => machine.observe_float(*value, kind),
            _ => Real::zero(kind),
        };
        let truth = |holds: bool| Ok(Value::truth(i128::from(holds)));
        let value = match function {
            IsNan => return truth(x.is_nan()),
            IsInf => return truth(x.is_infinite()),
            IsFinite => return truth(x.is_finite()),
            IsNormal => return truth(x.is_normal()),
            SignBit => {
                self.note_sign(x);
                return truth(x.is_negative());
            }
            Fabs => x.absolute(),
            Copysign => {
                let y = other(self, 1);
                self.note_sign(y);
                x.with_sign_of(y)
            }
            Floor => x.whole(Rounding::Down),
            Ceil => x.whole(Rounding::Up),
            Trunc | ModfWhole => x.whole(Rounding::TowardZero),
            ModfRest => x.whole_and_rest().1,
            Round => x.whole(Rounding::TiesAway),
            Rint => x.whole(Rounding::TiesEven),
            RoundToInt => return self.whole_number(x.whole(Rounding::TiesAway), result_ty),
            RintToInt => return self.whole_number(x.whole(Rounding::TiesEven), result_ty),
            Sqrt => x.square_root(),
            Fma => x.fused(other(self, 1), other(self, 2)),
            Fmod => x.modulo(other(self, 1)),
            Remainder => x.remainder(other(self, 1)),
            Fmin | Fmax => {
                let y = other(self, 1);
                // Which zero it is, C leaves open (7.12.12.2, footnote).
                self.flags.inexact |= x.is_zero() && y.is_zero() && x != y;
                x.extreme(y, function == Fmax)
            }
            Fdim => {
                let y = other(self, 1);
                let above = x.holds(BinaryOp::Le, y) != Some(true);
                if above { x.apply(BinaryOp::Sub, y).unwrap_or(x) } else { Real::zero(kind) }
            }
            NextAfter => x.neighbour(other(self, 1)),
            Scale => match arguments.get(1) {
                Some(Argument::Scalar(by, _)) => x.scaled(self.observe(*by)),
                _ => return self.undecided("a scale without a number"),
            },
            FrexpFraction => x.fraction_and_exponent().0,
            FrexpExponent => {
                // Of no finite number the exponent is unspecified (C11 7.12.6.4).
                self.flags.inexact |= !x.is_finite();
                return Ok(Value::int(i128::from(x.fraction_and_exponent().1)));
            }
            Exponent if x.is_finite() && !x.is_zero() => Real::of_int(kind, i128::from(x.exponent()), false),
            Exponent if x.is_zero() => Real::new(kind, f64::NEG_INFINITY),
            Exponent => {
                if x.is_nan() {
                    x
                } else {
                    x.absolute()
                }
            }
            IntExponent if x.is_finite() && !x.is_zero() => return Ok(Value::int(i128::from(x.exponent()))),
            IntExponent => return Ok(Value::int(i128::from(if x.is_infinite() { i32::MAX } else { i32::MIN }))),
            _ => {
                let y = other(self, 1);
                self.rounded_somehow(function, x, y)
            }
        };
        Ok(Value::Float(value))
    }

    /// The sign of what is no number differs between machines and compilers.
    fn note_sign(&mut self, x: Real) {
        self.flags.inexact |= x.is_nan();
    }

    /// A whole number as an integer; what does not fit is unspecified (C11 7.12.9.5p2, 7.12.9.7p2).
    fn whole_number(&mut self, x: Real, result_ty: Option<TypeId>) -> Step<Value> {
        let kind = result_ty.and_then(|ty| self.int_kind(ty)).unwrap_or(crate::ir::IntKind::Long);
        let (low, high) = self.program.types.int_range(kind);
        match x.to_int().filter(|v| (low..=high).contains(v)) {
            Some(v) => Ok(Value::int(v)),
            None => {
                self.flags.inexact = true;
                Ok(Value::int(low))
            }
        }
    }

    /// A function whose result C libraries may round otherwise.
    fn rounded_somehow(&mut self, function: LibFn, x: Real, y: Real) -> Real {
        let value = match x.kind() {
            FloatKind::Float => Real::single(single(function, x.to_f64() as f32, y.to_f64() as f32)),
            kind => Real::new(kind, double(function, x.to_f64(), y.to_f64())),
        };
        let wide = matches!(x.kind(), FloatKind::LongDouble | FloatKind::Float128);
        let whole = |v: Real| v.to_f64().fract() == 0.0;
        let small_integer = whole(value) && value.to_f64().abs() < 1e6 && whole(x) && whole(y);
        self.flags.inexact |= wide || !(value.is_nan() || value.is_infinite() || small_integer);
        value
    }
}

macro_rules! functions {
    ($name:ident, $float:ty) => {
        fn $name(function: LibFn, x: $float, y: $float) -> $float {
            use LibFn::*;
            match function {
                Pow => x.powf(y),
                Exp => x.exp(),
                Exp2 => x.exp2(),
                Exp10 => (10.0 as $float).powf(x),
                Expm1 => x.exp_m1(),
                Log1p => x.ln_1p(),
                Log => x.ln(),
                Log10 => x.log10(),
                Log2 => x.log2(),
                Sin => x.sin(),
                Cos => x.cos(),
                Tan => x.tan(),
                Asin => x.asin(),
                Acos => x.acos(),
                Atan => x.atan(),
                Atan2 => x.atan2(y),
                Sinh => x.sinh(),
                Cosh => x.cosh(),
                Tanh => x.tanh(),
                Cbrt => x.cbrt(),
                _ => x.hypot(y),
            }
        }
    };
}

functions!(double, f64);
functions!(single, f32);

/// The result of a function that is rounded somehow, computed in `double`; None of other functions.
pub fn nearly(function: LibFn, x: f64, y: f64) -> Option<f64> {
    use LibFn::*;
    let known = matches!(
        function,
        Pow | Exp
            | Exp2
            | Exp10
            | Expm1
            | Log
            | Log10
            | Log2
            | Log1p
            | Sin
            | Cos
            | Tan
            | Asin
            | Acos
            | Atan
            | Atan2
            | Sinh
            | Cosh
            | Tanh
            | Cbrt
            | Hypot
    );
    known.then(|| double(function, x, y))
}
