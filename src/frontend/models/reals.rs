//! `math.h` and `fenv.h`: what IEEE 754 says of numbers of floating types.

use super::{LibraryCall, Model};
use crate::frontend::lower::{LowerError, Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, ExprKind, FloatKind, IntKind, LibFn, Place, Real, Type, TypeId};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    macro_rules! class {
        ($function:expr) => {
            |l, c| {
                let x = l.pinned_arg(c, 0)?;
                let int = l.int_type();
                l.lib_value($function, int, vec![x], c.span)
            }
        };
    }
    Some(match name {
        "isnan" | "isnanf" | "isnanl" => {
            |l, c| class_where(l, c, LibFn::IsNan, |l, x, _| vec![l.compared(BinaryOp::Ne, x.clone(), x.clone())])
        }
        "isinf" | "isinff" | "isinfl" => class!(LibFn::IsInf),
        "isfinite" | "finite" | "finitef" | "finitel" => |l, c| class_where(l, c, LibFn::IsFinite, between_infinities),
        "isnormal" => class!(LibFn::IsNormal),
        "signbit" | "signbitf" | "signbitl" => class!(LibFn::SignBit),
        "isinf_sign" => infinity_sign,
        "isgreater" => |l, c| ordered(l, c, &[BinaryOp::Gt]),
        "isgreaterequal" => |l, c| ordered(l, c, &[BinaryOp::Ge]),
        "isless" => |l, c| ordered(l, c, &[BinaryOp::Lt]),
        "islessequal" => |l, c| ordered(l, c, &[BinaryOp::Le]),
        "islessgreater" => |l, c| ordered(l, c, &[BinaryOp::Lt, BinaryOp::Gt]),
        "isunordered" => |l, c| {
            let (a, b) = operands(l, c)?;
            let [a, b] = [a, b].map(|e| l.compared(BinaryOp::Ne, e.clone(), e));
            Ok(l.folded(BinaryOp::Or, a, b, l.int_type()))
        },
        "fpclassify" => classify,
        "inf" | "huge_val" => |l, _| Ok(constant(l, FloatKind::Double, f64::INFINITY)),
        "inff" | "huge_valf" => |l, _| Ok(constant(l, FloatKind::Float, f64::INFINITY)),
        "infl" | "huge_vall" => |l, _| Ok(constant(l, FloatKind::LongDouble, f64::INFINITY)),
        "nan" => |l, _| Ok(constant(l, FloatKind::Double, f64::NAN)),
        "nanf" => |l, _| Ok(constant(l, FloatKind::Float, f64::NAN)),
        "nanl" => |l, _| Ok(constant(l, FloatKind::LongDouble, f64::NAN)),
        "fesetround" => rounding_mode,
        "frexp" | "frexpf" | "frexpl" => |l, c| {
            let (x, out) = (real_arg(l, c, 0)?, l.pinned_arg(c, 1)?);
            l.check_object(c, 1, AccessMode::Write)?;
            let int = l.int_type();
            let exponent = l.lib_value(LibFn::FrexpExponent, int, vec![x.clone()], c.span)?;
            let fraction = l.lib_value(LibFn::FrexpFraction, x.ty, vec![x], c.span)?;
            l.store_through(out, exponent, c.span)?;
            Ok(fraction)
        },
        "modf" | "modff" | "modfl" => |l, c| {
            let (x, out) = (real_arg(l, c, 0)?, l.pinned_arg(c, 1)?);
            l.check_object(c, 1, AccessMode::Write)?;
            let whole = l.lib_value(LibFn::ModfWhole, x.ty, vec![x.clone()], c.span)?;
            let rest = l.lib_value(LibFn::ModfRest, x.ty, vec![x], c.span)?;
            l.store_through(out, whole, c.span)?;
            Ok(rest)
        },
        "ldexp" | "ldexpf" | "ldexpl" | "scalbn" | "scalbnf" | "scalbnl" => |l, c| scale(l, c, IntKind::Int),
        "scalbln" | "scalblnf" | "scalblnl" => |l, c| scale(l, c, IntKind::Long),
        "ilogb" | "ilogbf" | "ilogbl" => |l, c| to_integer(l, c, LibFn::IntExponent, IntKind::Int),
        "lround" | "lroundf" | "lroundl" => |l, c| to_integer(l, c, LibFn::RoundToInt, IntKind::Long),
        "llround" | "llroundf" | "llroundl" => |l, c| to_integer(l, c, LibFn::RoundToInt, IntKind::LongLong),
        "lrint" | "lrintf" | "lrintl" => |l, c| to_integer(l, c, LibFn::RintToInt, IntKind::Long),
        "llrint" | "llrintf" | "llrintl" => |l, c| to_integer(l, c, LibFn::RintToInt, IntKind::LongLong),
        _ if real_function(name).is_some() => real,
        _ => return None,
    })
}

/// What `function` gives of a number, which is 0 unless all of `conditions` hold: so branches tell what the result says of the number.
fn class_where(
    l: &mut L<'_>,
    c: &C<'_>,
    function: LibFn,
    conditions: fn(&L<'_>, &Expr, FloatKind) -> Vec<Expr>,
) -> Lowered<Expr> {
    fn set_where(
        l: &mut L<'_>,
        c: &C<'_>,
        conditions: &[Expr],
        result: &Place,
        (function, x): (LibFn, Expr),
    ) -> Lowered<()> {
        if let [first, others @ ..] = conditions {
            return l.when(first.clone(), c.span, |l| set_where(l, c, others, result, (function, x)));
        }
        let given = l.lib_value(function, l.int_type(), vec![x], c.span)?;
        l.set(result, given, c.span)
    }
    let x = l.pinned_arg(c, 0)?;
    let Type::Float(kind) = *l.program.types.get(x.ty) else {
        return l.lib_value(function, l.int_type(), vec![x], c.span);
    };
    let conditions = conditions(l, &x, kind);
    let result = l.variable_of(l.int_const(0), c.span)?;
    set_where(l, c, &conditions, &result, (function, x))?;
    Ok(Expr::load(result))
}

/// That a number is neither infinite nor NaN.
fn between_infinities(l: &L<'_>, x: &Expr, kind: FloatKind) -> Vec<Expr> {
    let bounds = [(BinaryOp::Gt, f64::NEG_INFINITY), (BinaryOp::Lt, f64::INFINITY)];
    bounds.into_iter().map(|(op, bound)| l.compared(op, x.clone(), constant(l, kind, bound))).collect()
}

/// Two arguments as numbers of the wider type of both (C11 7.12.14).
fn operands(l: &mut L<'_>, c: &C<'_>) -> Lowered<(Expr, Expr)> {
    let (a, b) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    l.usual(a, b, c.span)
}

/// Whether one of the comparisons holds: none does of a NaN.
fn ordered(l: &mut L<'_>, c: &C<'_>, comparisons: &[BinaryOp]) -> Lowered<Expr> {
    let (a, b) = operands(l, c)?;
    let int = l.int_type();
    let holds = comparisons.iter().map(|op| l.compared(*op, a.clone(), b.clone()));
    Ok(holds.reduce(|one, other| l.folded(BinaryOp::Or, one, other, int)).unwrap_or(Expr::int(0, int)))
}

/// `__builtin_fpclassify(nan, infinite, normal, subnormal, zero, x)`: the first arguments are what is given back.
fn classify(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let x = l.pinned_arg(c, 5)?;
    let Type::Float(kind) = *l.program.types.get(x.ty) else {
        return LowerError::invalid(c.span, "the class of what is no floating number");
    };
    let int = l.int_type();
    let constant = |value: Real| Expr { kind: ExprKind::Float(value), ty: x.ty };
    let least = Real::least_normal(kind);
    let above = l.compared(BinaryOp::Gt, x.clone(), constant(least.negated()));
    let below = l.compared(BinaryOp::Lt, x.clone(), constant(least));
    let small = l.folded(BinaryOp::And, above, below, int);
    let zero = l.compared(BinaryOp::Eq, x.clone(), constant(Real::zero(kind)));
    let [high, low] = [f64::INFINITY, f64::NEG_INFINITY]
        .map(|end| l.compared(BinaryOp::Eq, x.clone(), constant(Real::new(kind, end))));
    let infinite = l.folded(BinaryOp::Or, high, low, int);
    let none = l.compared(BinaryOp::Ne, x.clone(), x.clone());
    let normal = l.arg_as(c, 2, int)?;
    let result = l.variable_of(normal, c.span)?;
    for (i, is) in [(3, small), (4, zero), (1, infinite), (0, none)] {
        let given = l.arg_as(c, i, int)?;
        l.when(is, c.span, |l| l.set(&result, given, c.span))?;
    }
    Ok(Expr::load(result))
}

/// `isinf` as GCC's headers have it: 1 for infinity, -1 for its negation.
fn infinity_sign(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let x = l.pinned_arg(c, 0)?;
    let int = l.int_type();
    let infinite = l.lib_value(LibFn::IsInf, int, vec![x.clone()], c.span)?;
    let negative = l.lib_value(LibFn::SignBit, int, vec![x], c.span)?;
    let [infinite, negative] = [infinite, negative].map(|e| l.compared(BinaryOp::Ne, e, l.int_const(0)));
    let both = Expr::binary(BinaryOp::And, infinite.clone(), negative, int);
    let twice = Expr::binary(BinaryOp::Add, both.clone(), both, int);
    Ok(Expr::binary(BinaryOp::Sub, infinite, twice, int))
}

/// A number, an infinity, or not-a-number; the text that `nan` takes does not matter.
pub(super) fn constant(l: &L<'_>, kind: FloatKind, value: f64) -> Expr {
    let value = if value.is_nan() { Real::quiet_nan(kind) } else { Real::new(kind, value) };
    Expr { kind: ExprKind::Float(value), ty: l.program.types.float(kind) }
}

/// `fesetround`: numbers are rounded to nearest here, and another mode is not followed (assumption A9).
fn rounding_mode(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    match l.arg_as(c, 0, int)?.as_int() {
        // FE_TONEAREST.
        Some(0) => Ok(Expr::int(0, int)),
        _ => {
            l.program.rounds_otherwise = true;
            LowerError::unsupported(c.span, "a rounding mode other than to nearest")
        }
    }
}

fn scale(l: &mut L<'_>, c: &C<'_>, by: IntKind) -> Lowered<Expr> {
    let (x, by) = (real_arg(l, c, 0)?, l.kind_type(by));
    let by = l.arg_as(c, 1, by)?;
    l.lib_value(LibFn::Scale, x.ty, vec![x, by], c.span)
}

fn to_integer(l: &mut L<'_>, c: &C<'_>, function: LibFn, kind: IntKind) -> Lowered<Expr> {
    let (x, ty) = (real_arg(l, c, 0)?, l.kind_type(kind));
    l.lib_value(function, ty, vec![x], c.span)
}

/// Argument `i` in the type that the function's name says.
fn real_arg(l: &mut L<'_>, c: &C<'_>, i: usize) -> Lowered<Expr> {
    let kind = match c.name.chars().last() {
        _ if c.name == "modf" => FloatKind::Double,
        Some('f') => FloatKind::Float,
        Some('l') => FloatKind::LongDouble,
        _ => FloatKind::Double,
    };
    let ty = l.program.types.float(kind);
    l.arg_as(c, i, ty)
}

/// The function of `math.h`; `sqrtf` and `sqrtl` are `sqrt` on other types.
fn real_function(name: &str) -> Option<LibFn> {
    real_function_of_double(name).or_else(|| real_function_of_double(name.strip_suffix(['f', 'l'])?))
}

fn real_function_of_double(name: &str) -> Option<LibFn> {
    Some(match name {
        "sqrt" => LibFn::Sqrt,
        "fabs" => LibFn::Fabs,
        "floor" => LibFn::Floor,
        "ceil" => LibFn::Ceil,
        "round" => LibFn::Round,
        "trunc" => LibFn::Trunc,
        "rint" | "nearbyint" | "roundeven" => LibFn::Rint,
        "fmod" => LibFn::Fmod,
        "remainder" | "drem" => LibFn::Remainder,
        "fdim" => LibFn::Fdim,
        "fma" => LibFn::Fma,
        "nextafter" => LibFn::NextAfter,
        "logb" => LibFn::Exponent,
        "pow" => LibFn::Pow,
        "exp" => LibFn::Exp,
        "exp2" => LibFn::Exp2,
        "exp10" | "pow10" => LibFn::Exp10,
        "expm1" => LibFn::Expm1,
        "log1p" => LibFn::Log1p,
        "log" => LibFn::Log,
        "log10" => LibFn::Log10,
        "log2" => LibFn::Log2,
        "sin" => LibFn::Sin,
        "cos" => LibFn::Cos,
        "tan" => LibFn::Tan,
        "asin" => LibFn::Asin,
        "acos" => LibFn::Acos,
        "atan" => LibFn::Atan,
        "atan2" => LibFn::Atan2,
        "sinh" => LibFn::Sinh,
        "cosh" => LibFn::Cosh,
        "tanh" => LibFn::Tanh,
        "cbrt" => LibFn::Cbrt,
        "hypot" => LibFn::Hypot,
        "fmin" => LibFn::Fmin,
        "fmax" => LibFn::Fmax,
        "copysign" => LibFn::Copysign,
        _ => return None,
    })
}

/// The type that the name's ending says, where no declaration does.
fn real_type(l: &L<'_>, c: &C<'_>) -> TypeId {
    let kind = match c.name.chars().last() {
        _ if real_function_of_double(c.name).is_some() => FloatKind::Double,
        Some('f') => FloatKind::Float,
        _ => FloatKind::LongDouble,
    };
    c.result_or(l.program.types.float(kind))
}

fn real(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = real_type(l, c);
    let Some(function) = real_function(c.name) else { unreachable!("the model is chosen by this name") };
    let args = (0..c.args.len().min(3)).map(|i| l.arg_as(c, i, ty)).collect::<Lowered<Vec<_>>>()?;
    l.lib_value(function, ty, args, c.span)
}

/// Whether the function takes numbers of any type as they are: what promotion makes of them would be of another class, or has more bits.
pub(crate) fn takes_any_number(name: &str) -> bool {
    let classifies = matches!(name, "__builtin_isnormal" | "__builtin_fpclassify");
    classifies || name.starts_with("__builtin_") && name.ends_with("_overflow_p")
}
