//! Numbers against the machine's own arithmetic.

use super::{Real, Rounding};
use crate::ir::{BinaryOp, FloatKind};
use proptest::prelude::*;
use rustc_apfloat::Float as _;
use rustc_apfloat::ieee;

const WIDE: [FloatKind; 2] = [FloatKind::LongDouble, FloatKind::Float128];

/// Bits of doubles with the shapes that rounding is about: any, small whole numbers, ends of the range.
fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        any::<i16>().prop_map(|n| f64::from(n) / 8.0),
        (any::<u8>(), any::<bool>()).prop_map(|(n, top)| {
            f64::from_bits(if top { f64::MAX.to_bits() - u64::from(n) } else { u64::from(n) })
        }),
    ]
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn doubles_survive_every_wider_format(x in doubles()) {
        for kind in WIDE {
            let y = Real::new(kind, x).to_f64();
            prop_assert!(same(x, y), "{kind:?} {x} {y}");
            prop_assert_eq!(Real::new(kind, x).is_negative(), x.is_sign_negative());
        }
    }

    /// Of 24 bits, double the precision and two bits rounds once: the software's single arithmetic by way of the machine's double.
    #[test]
    fn software_and_machine_agree(x in doubles(), y in doubles()) {
        let ops = [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Mul, BinaryOp::Div];
        let (a, b) = (ieee::Double::from_bits(x.to_bits().into()), ieee::Double::from_bits(y.to_bits().into()));
        let software = [a + b, a - b, a * b, a / b].map(|v| f64::from_bits(v.value.to_bits() as u64));
        for (op, wanted) in ops.into_iter().zip(software) {
            let got = Real::double(x).apply(op, Real::double(y)).unwrap().to_f64();
            prop_assert!(same(got, wanted), "{x} {op:?} {y} = {got}, not {wanted}");
        }
    }

    /// Roots, remainders and whole numbers of doubles in wider formats, where they are exact or round to the same.
    #[test]
    fn wide_functions_contain_the_machines(x in doubles(), y in doubles()) {
        let wide = |v: f64| Real::new(FloatKind::LongDouble, v);
        prop_assert!(same(wide(x).modulo(wide(y)).to_f64(), x % y), "fmod({x}, {y})");
        prop_assert!(same(wide(x).whole(Rounding::Down).to_f64(), x.floor()));
        prop_assert!(same(wide(x).whole(Rounding::Up).to_f64(), x.ceil()));
        prop_assert!(same(wide(x).whole(Rounding::TiesAway).to_f64(), x.round()));
        prop_assert!(same(wide(x).whole(Rounding::TiesEven).to_f64(), x.round_ties_even()));
        prop_assert!(same(Real::double(x).whole(Rounding::TowardZero).to_f64(), x.trunc()));
        prop_assert!(same(Real::double(x).fused(Real::double(y), Real::double(x)).to_f64(), x.mul_add(y, x)));
    }

    /// The root is the number whose neighbours' squares lie on either side.
    #[test]
    fn a_root_is_the_nearest_one(x in doubles()) {
        let x = x.abs();
        for kind in WIDE {
            let wide = Real::new(kind, x);
            let root = wide.square_root();
            if !wide.is_finite() || wide.is_zero() {
                continue;
            }
            // With the exact square of a point half-way to a neighbour, which one more bit holds: fused, the sign is exact.
            let up = root.neighbour(Real::new(kind, f64::INFINITY));
            let half = up.apply(BinaryOp::Sub, root).unwrap().scaled(-1);
            // (root + half)^2 - x = root^2 - x + 2 root half + half^2, of which the last is below what is rounded.
            let error = root.fused(root, wide.negated());
            let step = root.apply(BinaryOp::Mul, half.scaled(1)).unwrap();
            let within = error.absolute().compare(step).unwrap();
            prop_assert!(within.is_le(), "{kind:?} {x}: {root} is {error} off, a step is {step}");
        }
    }

    #[test]
    fn a_number_lies_between_the_doubles_around_it(significand: u64, exponent in 1u128..0x7ffe, negative: bool) {
        let bits = u128::from(negative) << 79 | exponent << 64 | 1 << 63 | u128::from(significand);
        let x = Real::of_bits(FloatKind::LongDouble, bits);
        let (low, high) = x.around();
        let ends = [low, high].map(|end| Real::new(FloatKind::LongDouble, end));
        prop_assert!(ends[0].compare(x).unwrap().is_le() && x.compare(ends[1]).unwrap().is_le());
        prop_assert!(low == high || low.next_up() == high);
        prop_assert!(low != high || ends[0] == x);
    }

    #[test]
    fn shortest_text_reads_back(x in doubles()) {
        prop_assume!(x.is_finite());
        for kind in [FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128] {
            let number = Real::new(kind, x.abs());
            // A text that is rounded to 64 bits first, and to 53 then, may end beside the number.
            let twice_rounded = kind == FloatKind::LongDouble;
            let read = Real::parse(kind, &format!("{:?}", x.abs())).unwrap().to_f64();
            prop_assert!(twice_rounded || read == x.abs());
            let digits = number.decimal();
            let text: String = digits.digits.iter().map(|d| char::from(b'0' + d)).collect();
            prop_assert_eq!(Real::parse(kind, &format!("0.{text}e{}", digits.point)).unwrap(), number);
        }
    }

    #[test]
    fn remainders_are_nearest(x in any::<i32>(), y in 1..5000i32, shift in 0..8i32) {
        // Of whole numbers: compared with integers.
        let scale = 1i64 << shift;
        let (a, b) = (i64::from(x) * scale, i64::from(y));
        let nearest = {
            let (q, r) = (a.div_euclid(b), a.rem_euclid(b));
            if 2 * r > b || (2 * r == b && q % 2 != 0) { r - b } else { r }
        };
        for kind in [FloatKind::Double, FloatKind::LongDouble] {
            let real = |n: i64| Real::of_int(kind, n.into(), false);
            prop_assert_eq!(real(a).remainder(real(b)).to_f64(), nearest as f64);
        }
    }
}

#[test]
fn numbers_of_the_x87_have_64_bits() {
    let parse = |text| Real::parse(FloatKind::LongDouble, text).unwrap();
    let one = parse("9007199254740993");
    assert_ne!(one, parse("9007199254740992"));
    assert_eq!(one.to_int(), Some(9007199254740993));
    assert_eq!(parse("0.1").bits(), 0x3ffb_cccc_cccc_cccc_cccd);
    assert_eq!(parse("0x1p-16445").bits(), 1);
    assert_eq!(parse("1e5000"), Real::new(FloatKind::LongDouble, f64::INFINITY));
    assert_eq!(parse("1e-99999999999"), Real::zero(FloatKind::LongDouble));
    assert_eq!(Real::parse(FloatKind::Float, "0x1.000001p0").unwrap(), Real::single(1.0));
    assert_eq!(Real::default_nan(FloatKind::LongDouble).bits(), 0xffff_c000_0000_0000_0000);
}
