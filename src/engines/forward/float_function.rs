//! What functions of floating numbers may give.

use super::evaluate::View;
use super::shape::float_kind;
use crate::concrete::nearly;
use crate::domains::{Float, Int, Value};
use crate::ir::{BinaryOp, Expr, FloatKind, LibFn, Real, Rounding, Type, TypeId};

/// The values of `function(args)` of type `ty`; None where no more is known than the type.
pub(super) fn float_function(
    view: &View<'_>,
    function: LibFn,
    ty: TypeId,
    args: &[Expr],
    values: &[Value],
) -> Option<Value> {
    let kind = float_kind(&view.program.types, args.first()?.ty);
    let real = |i: usize| values.get(i)?.float.filter(|_| !values[i].undefined);
    let x = real(0)?;
    let of_another = matches!(view.program.types.get(ty), Type::Float(given) if *given != kind);
    let rounds = !matches!(
        function,
        LibFn::Fabs
            | LibFn::Floor
            | LibFn::Ceil
            | LibFn::Trunc
            | LibFn::ModfWhole
            | LibFn::Round
            | LibFn::Fmin
            | LibFn::Fmax
    );
    if of_another || rounds && view.program.rounds_otherwise {
        return None;
    }
    let (numbers, nan) = (x.numbers(), x.may_be_nan());
    let whole = |rounding: Rounding| x.monotone(kind, |v| v.whole(rounding));
    let truth = |may_hold: bool, may_fail: bool| {
        let whole = Int::range(i32::MIN.into(), i32::MAX.into());
        // C says that it is not 0, no more.
        let not_zero = Value::int(whole);
        match (may_hold, may_fail) {
            (true, true) | (false, false) => not_zero,
            (false, true) => Value::constant(0),
            (true, false) => Value::int(Int::range(1, i32::MAX.into())),
        }
    };
    Some(match function {
        LibFn::Fabs => Value::float(x.absolute()),
        LibFn::Floor => Value::float(whole(Rounding::Down)),
        LibFn::Ceil => Value::float(whole(Rounding::Up)),
        LibFn::Trunc | LibFn::ModfWhole => Value::float(whole(Rounding::TowardZero)),
        LibFn::Round => Value::float(whole(Rounding::TiesAway)),
        LibFn::Rint => Value::float(whole(Rounding::TiesEven)),
        LibFn::Sqrt => match numbers {
            Some((lo, _)) if lo < 0.0 => {
                let positive = x.meet(Float::range(0.0, f64::INFINITY)).unwrap_or(Float::range(0.0, 0.0));
                Value::float(positive.monotone(kind, Real::square_root).with_nan(true))
            }
            _ => Value::float(x.monotone(kind, Real::square_root)),
        },
        LibFn::Fmin | LibFn::Fmax => Value::float(extreme(x, real(1)?, function == LibFn::Fmax)),
        LibFn::RoundToInt | LibFn::RintToInt => {
            let t = view.int_type(ty)?;
            let rounding = if function == LibFn::RoundToInt { Rounding::TiesAway } else { Rounding::TiesEven };
            let (lo, hi) = whole(rounding).numbers().filter(|_| !nan)?;
            let (lo, hi) = (Real::double(lo).to_int()?, Real::double(hi).to_int()?);
            // What does not fit is anything.
            (t.bounds().lo <= lo && hi <= t.bounds().hi).then(|| Value::int(Int::range(lo, hi)))?
        }
        LibFn::IsNan => truth(nan, numbers.is_some()),
        LibFn::IsInf => {
            let infinite = numbers.is_some_and(|(lo, hi)| lo.is_infinite() || hi.is_infinite());
            // Of a negative one C libraries give -1, too.
            if numbers.is_some_and(|(lo, _)| lo == f64::NEG_INFINITY) {
                return None;
            }
            truth(infinite, nan || numbers.is_some_and(|(lo, hi)| lo != hi || lo.is_finite()))
        }
        LibFn::IsFinite => {
            let finite = numbers.is_some_and(|(lo, hi)| lo != hi || lo.is_finite());
            truth(finite, nan || numbers.is_some_and(|(lo, hi)| lo.is_infinite() || hi.is_infinite()))
        }
        LibFn::IsNormal => {
            let least = Real::least_normal(kind).to_f64();
            let normal = numbers.is_some_and(|(lo, hi)| {
                least > 0.0 && (lo <= -least || hi >= least) && (lo != hi || lo.is_finite()) || least == 0.0
            });
            let other = |(lo, hi): (f64, f64)| lo.is_infinite() || hi.is_infinite() || (lo < least && hi > -least);
            truth(normal, nan || least == 0.0 || numbers.is_some_and(other))
        }
        LibFn::SignBit => match numbers.filter(|_| !nan) {
            // A zero has either sign.
            Some((lo, hi)) => truth(lo <= 0.0, hi >= 0.0),
            None => truth(true, true),
        },
        _ => match constant_function(function, kind, values) {
            Some(value) => Value::float(Float::of(value)),
            None => Value::float(near_function(function, kind, values)?),
        },
    })
}

/// The result on single numbers, where it is rounded exactly.
fn constant_function(function: LibFn, kind: FloatKind, values: &[Value]) -> Option<Real> {
    let constant = |i: usize| {
        let value = values.get(i).filter(|v| !v.undefined)?.float?;
        let (lo, hi) = value.numbers()?;
        // A zero has either sign.
        (lo == hi && lo != 0.0 && !value.may_be_nan()).then(|| Real::new(kind, lo))
    };
    let x = constant(0)?;
    Some(match function {
        LibFn::Fmod => x.modulo(constant(1)?),
        LibFn::Remainder => x.remainder(constant(1)?),
        LibFn::Fdim => {
            let y = constant(1)?;
            if x.holds(BinaryOp::Gt, y)? { x.apply(BinaryOp::Sub, y)? } else { Real::zero(kind) }
        }
        LibFn::Fma => x.fused(constant(1)?, constant(2)?),
        LibFn::NextAfter => x.neighbour(constant(1)?),
        LibFn::Copysign => x.with_sign_of(constant(1)?),
        LibFn::Scale => x.scaled(values.get(1)?.as_constant()?),
        LibFn::ModfRest => x.whole_and_rest().1,
        LibFn::FrexpFraction => x.fraction_and_exponent().0,
        LibFn::Exponent if x.is_finite() => Real::of_int(kind, x.exponent().into(), false),
        _ => return None,
    })
}

/// Units in the last place by which a library's result may differ from ours: both are off by a few from the true value.
/// C says nothing of it (C11 5.2.4.2.2p6); see assumption C27.
const UNITS: f64 = 32.0;

/// What is around the result on single numbers, where C libraries round as they like.
fn near_function(function: LibFn, kind: FloatKind, values: &[Value]) -> Option<Float> {
    let constant = |i: usize| {
        let value = values.get(i).filter(|v| !v.undefined)?.float?;
        let (lo, hi) = value.numbers()?;
        (lo == hi && lo != 0.0 && lo.is_finite() && !value.may_be_nan()).then_some(lo)
    };
    let two = matches!(function, LibFn::Pow | LibFn::Atan2 | LibFn::Hypot);
    let result = nearly(function, constant(0)?, if two { constant(1)? } else { 1.0 })?;
    // Where results overflow, vanish or are lost among subnormal numbers is another question.
    if !(1e-30..=1e30).contains(&result.abs()) {
        return None;
    }
    let unit = if kind == FloatKind::Float { f64::from(f32::EPSILON) } else { f64::EPSILON };
    let off = result.abs() * unit * UNITS;
    Some(Float::range(result - off, result + off))
}

/// `fmin` or `fmax`: of NaN and a number the number.
fn extreme(x: Float, y: Float, greatest: bool) -> Float {
    let of_numbers = x.numbers().zip(y.numbers()).map(|((a, b), (c, d))| match greatest {
        true => Float::range(a.max(c), b.max(d)),
        false => Float::range(a.min(c), b.min(d)),
    });
    let alone =
        |f: Float, other: Float| f.numbers().filter(|_| other.may_be_nan()).map(|(lo, hi)| Float::range(lo, hi));
    let all = [of_numbers, alone(x, y), alone(y, x)].into_iter().flatten().reduce(Float::join);
    match all {
        Some(all) => all.with_nan(x.may_be_nan() && y.may_be_nan()),
        None => Float::constant(f64::NAN),
    }
}
