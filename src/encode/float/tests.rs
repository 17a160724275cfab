//! Every operation on random numbers against the exact ones of the IR.

use super::number::{Format, Number};
use crate::ir::{BinaryOp, FloatKind, Real, Rounding};
use crate::smt::{self, Term, TermPool};
use proptest::prelude::*;

const KINDS: [FloatKind; 3] = [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble];

/// Numbers of a kind: any bits, small whole numbers and eighths, ends of the range, neighbours of powers of two.
fn reals(kind: FloatKind) -> BoxedStrategy<Real> {
    let width = Format::of(kind).expect("the format is followed").width();
    let near = move |x: f64, by: u8| {
        let bits = Real::new(kind, x).bits();
        Real::of_bits(kind, canonical(kind, bits.saturating_sub(by.into()).max(by.into())))
    };
    prop_oneof![
        any::<u128>().prop_map(move |bits| Real::of_bits(kind, canonical(kind, bits & (u128::MAX >> (128 - width))))),
        any::<i16>().prop_map(move |n| Real::new(kind, f64::from(n) / 8.0)),
        (-160..130i32, 0..3u8).prop_map(move |(e, by)| near(2f64.powi(e), by)),
        (0..4u8).prop_map(move |by| near(0.0, by)),
        prop_oneof![Just(f64::INFINITY), Just(f64::NEG_INFINITY), Just(f64::NAN), Just(-0.0), Just(f64::MAX)]
            .prop_map(move |x| Real::new(kind, x)),
    ]
    .boxed()
}

/// With the leading bit that the exponent of the x87's numbers asks for.
fn canonical(kind: FloatKind, bits: u128) -> u128 {
    match kind {
        FloatKind::LongDouble if bits >> 64 & 0x7fff != 0 => bits | 1 << 63,
        _ => bits,
    }
}

fn pairs() -> impl Strategy<Value = (Real, Real)> {
    (0..3usize).prop_flat_map(|k| (reals(KINDS[k]), reals(KINDS[k])))
}

fn number(pool: &mut TermPool, x: Real) -> Number {
    let format = Format::of(x.kind()).unwrap();
    let bits = pool.bv(format.width(), x.bits());
    Number::unpack(pool, format, bits)
}

fn constant(pool: &TermPool, term: Term) -> smt::Value {
    pool.constant(term).expect("what is computed from constants is one")
}

/// The number as its bits.
fn real(pool: &mut TermPool, n: Number, kind: FloatKind) -> Real {
    let any = pool.bv(n.format.width(), 0);
    let bits = n.pack(pool, any);
    Real::of_bits(kind, constant(pool, bits).as_bits().unwrap().unsigned())
}

fn same(a: Real, b: Real) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn operators_are_those_of_the_numbers((x, y) in pairs()) {
        let mut pool = TermPool::new();
        let (a, b) = (number(&mut pool, x), number(&mut pool, y));
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div] {
            let result = match op {
                BinaryOp::Add => a.add(&mut pool, b),
                BinaryOp::Sub => a.subtract(&mut pool, b),
                BinaryOp::Mul => a.multiply(&mut pool, b),
                _ => a.divide(&mut pool, b),
            };
            let (got, wanted) = (real(&mut pool, result, x.kind()), x.apply(op, y).unwrap());
            prop_assert!(same(got, wanted), "{:?} {x} {op:?} {y} = {got}, not {wanted}", x.kind());
        }
        let (below, equal) = (a.below(&mut pool, b), a.equals(&mut pool, b));
        prop_assert_eq!(constant(&pool, below).as_bool(), x.holds(BinaryOp::Lt, y));
        prop_assert_eq!(constant(&pool, equal).as_bool(), x.holds(BinaryOp::Eq, y));
    }

    #[test]
    fn functions_are_those_of_the_numbers((x, _) in pairs()) {
        let mut pool = TermPool::new();
        let a = number(&mut pool, x);
        let root = a.square_root(&mut pool);
        let got = real(&mut pool, root, x.kind());
        prop_assert!(same(got, x.square_root()), "{:?} sqrt({x}) = {got}, not {}", x.kind(), x.square_root());
        for rounding in
            [Rounding::Down, Rounding::Up, Rounding::TowardZero, Rounding::TiesAway, Rounding::TiesEven]
        {
            let whole = a.whole(&mut pool, rounding);
            let (got, wanted) = (real(&mut pool, whole, x.kind()), x.whole(rounding));
            prop_assert!(same(got, wanted), "{:?} {rounding:?} of {x} = {got}, not {wanted}", x.kind());
        }
        let classes = [a.nan, a.is_infinite(&mut pool), a.is_finite(&mut pool), a.is_normal(&mut pool), a.is_zero(&mut pool)];
        let wanted = [x.is_nan(), x.is_infinite(), x.is_finite(), x.is_normal(), x.is_zero()];
        for (class, wanted) in classes.into_iter().zip(wanted) {
            prop_assert_eq!(constant(&pool, class).as_bool(), Some(wanted));
        }
    }

    #[test]
    fn conversions_are_those_of_the_numbers((x, _) in pairs(), n: i64, shift in 0..64u32) {
        let mut pool = TermPool::new();
        let a = number(&mut pool, x);
        let n = n >> shift;
        for kind in KINDS {
            let format = Format::of(kind).unwrap();
            let to = a.to_format(&mut pool, format);
            let (got, wanted) = (real(&mut pool, to, kind), x.to_kind(kind));
            prop_assert!(same(got, wanted), "{:?} {x} to {kind:?} = {got}, not {wanted}", x.kind());
            for (width, signed) in [(64, true), (64, false), (32, true), (8, false)] {
                let bits = pool.bv_signed(width, n.into());
                let value = match (width, signed) {
                    (64, true) => i128::from(n),
                    (64, false) => i128::from(n as u64),
                    (32, _) => i128::from(n as i32),
                    _ => i128::from(n as u8),
                };
                let of = Number::of_integer(&mut pool, format, bits, signed);
                let (got, wanted) = (real(&mut pool, of, kind), Real::of_int(kind, value, false));
                prop_assert!(same(got, wanted), "{value} as {kind:?} = {got}, not {wanted}");
            }
        }
        for (width, signed) in [(64u32, true), (64, false), (32, true), (32, false), (8, true), (16, false)] {
            let whole = a.to_integer(&mut pool, width, signed);
            let (low, high) = match signed {
                true => (-(1i128 << (width - 1)), (1i128 << (width - 1)) - 1),
                false => (0, (1i128 << width) - 1),
            };
            let wanted = x.to_int().filter(|v| (low..=high).contains(v));
            let fits = constant(&pool, whole.fits).as_bool().unwrap();
            prop_assert_eq!(fits, wanted.is_some(), "{:?} {} in {} bits", x.kind(), x, width);
            if let Some(wanted) = wanted {
                let got = constant(&pool, whole.value).as_bits().unwrap().signed();
                prop_assert_eq!(got, wanted, "{:?} {} in {} bits", x.kind(), x, width);
            }
        }
    }
}
