//! Floating-point functions, in the argument's type.

use crate::concrete::machine::Machine;
use crate::concrete::value::Value;
use crate::ir::{FloatKind, LibFn, TypeId};

impl Machine<'_> {
    /// `function(x, y)`; results that a C library may round otherwise are flagged inexact.
    pub(super) fn mathematics(&mut self, function: LibFn, x: f64, y: f64, ty: TypeId) -> Value {
        use LibFn::*;
        let kind = self.scalar(ty).float().unwrap_or(FloatKind::Double);
        let truth = |holds: bool| Value::truth(i128::from(holds));
        let exact = match function {
            IsNan => return truth(x.is_nan()),
            IsInf => return truth(x.is_infinite()),
            IsFinite => return truth(x.is_finite()),
            SignBit => return truth(x.is_sign_negative()),
            Fabs => Some(x.abs()),
            Floor => Some(x.floor()),
            Ceil => Some(x.ceil()),
            Trunc => Some(x.trunc()),
            Round => Some(x.round()),
            Fmod => Some(x % y),
            Fmin => Some(x.min(y)),
            Fmax => Some(x.max(y)),
            Copysign => Some(x.copysign(y)),
            Sqrt => Some(x.sqrt()),
            _ => None,
        };
        if matches!(kind, FloatKind::LongDouble | FloatKind::Float128) {
            self.flags.inexact = true;
        }
        if let Some(value) = exact {
            // Squares of singles are exact as doubles, so rounding the root twice is rounding it once.
            return Value::Float(if kind == FloatKind::Float { f64::from(value as f32) } else { value });
        }
        let value = if kind == FloatKind::Float {
            f64::from(single(function, x as f32, y as f32))
        } else {
            double(function, x, y)
        };
        let special = value.is_nan() || value.is_infinite();
        let small_integer = value.fract() == 0.0 && value.abs() < 1e6 && x.fract() == 0.0 && y.fract() == 0.0;
        self.flags.inexact |= !(special || small_integer);
        Value::Float(value)
    }
}

fn double(function: LibFn, x: f64, y: f64) -> f64 {
    use LibFn::*;
    match function {
        Pow => x.powf(y),
        Exp => x.exp(),
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

fn single(function: LibFn, x: f32, y: f32) -> f32 {
    use LibFn::*;
    match function {
        Pow => x.powf(y),
        Exp => x.exp(),
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
