//! How many characters `printf` and kin write, where the format does not change.

use super::analyzer::{Analyzer, Flow};
use super::differences::{Cell, Copied, Linear, Term};
use crate::domains::{Float, Int, IntType, Multiple, Value, arithmetic};
use crate::ir::format::{Directive, Length, Piece, pieces};
use crate::ir::{Expr, FloatKind, Type};

/// Characters of a format that are looked at.
const LONGEST: usize = 4096;

impl Analyzer<'_, '_> {
    /// The length of what a format and its arguments give; None where nothing is known of it.
    pub(super) fn format_length(&self, flow: &Flow, size: u8, args: &[Expr], values: &[Value]) -> Option<Int> {
        let all = self.pieces_length(flow, size, args, values, |_, _| false)?;
        // Longer texts are left aside (docs/assumptions.md, D12).
        all.clamp(0, i32::MAX.into())
    }

    /// What is known of that length from those of strings that go into the text whole, two at most, and from other sums that are known.
    pub(super) fn format_terms(&self, flow: &Flow, args: &[Expr], values: &[Value]) -> Option<Vec<Copied>> {
        let view = self.view(flow);
        let mut strings = Linear::constant(0);
        let rest = self.pieces_length(flow, 1, args, values, |d, arg| {
            let whole = d.conversion == b's' && d.is_of_size(1) && d.width == 0 && d.precision.is_none();
            let length = if whole { view.length_of(arg) } else { None };
            let sum = length.and_then(|length| strings.plus(Linear::term(length)));
            strings = sum.unwrap_or(strings);
            sum.is_some()
        })?;
        let known = |of: Multiple<Term>, least: Option<i128>, most: Option<i128>| Copied {
            term: Term::Number(Cell::New),
            of,
            least: least.and_then(|least| least.checked_add(rest.lo())),
            most: most.and_then(|most| most.checked_add(rest.hi())),
        };
        if strings.is_constant() {
            return None;
        }
        let own = known(strings.of, Some(strings.plus), Some(strings.plus));
        let sums = if strings.of.term.is_sum() { flow.state.sums() } else { &[] };
        let others = sums.iter().filter(|sum| **sum != strings.of).map(|&sum| {
            let other = Linear { of: sum, plus: 0 };
            known(sum, view.distance(other, strings).and_then(i128::checked_neg), view.distance(strings, other))
        });
        Some(others.chain([own]).collect())
    }

    /// The length of what a format and its arguments give, without that of the arguments that `takes` counts.
    fn pieces_length(
        &self,
        flow: &Flow,
        size: u8,
        args: &[Expr],
        values: &[Value],
        mut takes: impl FnMut(Directive, &Expr) -> bool,
    ) -> Option<Int> {
        let mut given = args.iter().zip(values);
        let format = self.constant_text(given.next()?.1, size)?;
        let mut all = Int::constant(0);
        for piece in pieces(&format) {
            let one = match piece {
                Piece::Char(_) => Int::constant(1),
                Piece::Directive(d) if !d.is_fixed() => return None,
                Piece::Directive(d) if d.conversion == b'%' => Int::constant(1),
                Piece::Directive(d) => {
                    let (arg, value) = given.next()?;
                    if takes(d, arg) {
                        continue;
                    }
                    self.conversion_length(flow, d, size, (arg, value))?
                }
            };
            all = arithmetic::add(all, one)?;
        }
        Some(all)
    }

    /// The text at a pointer to what nothing writes to.
    fn constant_text(&self, pointer: &Value, size: u8) -> Option<Vec<u32>> {
        let (base, offset) = pointer.only_target()?;
        let start = u64::try_from(offset.as_constant()?).ok().filter(|_| self.bases.is_constant(base))?;
        let bytes = u64::from(size);
        let mut all = Vec::new();
        while all.len() < LONGEST {
            let cell = (start + all.len() as u64 * bytes, bytes, false);
            match self.bases.initial_value(self.program, base, cell)?.as_constant()? {
                0 => return Some(all),
                c => all.push(c as u32),
            }
        }
        None
    }

    fn conversion_length(&self, flow: &Flow, d: Directive, size: u8, given: (&Expr, &Value)) -> Option<Int> {
        let (arg, value) = given;
        let width = Int::constant(d.width as i128);
        let fits_size = d.is_of_size(size);
        match d.conversion {
            _ if d.is_integer() => self.number_length(flow, d, arg, value),
            _ if d.is_real() => self.real_length(d, arg, value),
            b'c' | b'C' if fits_size => Some(greater(Int::constant(1), width)),
            b's' | b'S' if fits_size => {
                let whole = self.string_length(flow, value, size, d.precision.is_none());
                let most = d.precision.map_or(i128::MAX, |n| n as i128);
                Some(greater(Int::range(whole.lo().min(most), whole.hi().min(most)), width))
            }
            _ => None,
        }
    }

    fn number_length(&self, flow: &Flow, d: Directive, arg: &Expr, value: &Value) -> Option<Int> {
        let view = self.view(flow);
        let given = view.int_type(arg.ty)?;
        let bits = d.bits_of(given.bits, self.program.types.pointer_size() as u8)?;
        let ty = IntType { bits, signed: d.is_signed(), boolean: false };
        let numbers = ty.wrap(view.numbers(value, given));
        let met = |low, high| numbers.meet(Int::range(low, high)).is_some();
        let all = d.spelled((bits / 8) as u8).into_iter().filter(|of| met(of.low, of.high));
        all.map(|of| Int::constant(d.number_length(of) as i128)).reduce(Int::join)
    }

    fn real_length(&self, d: Directive, arg: &Expr, value: &Value) -> Option<Int> {
        /// Digits before the point of the greatest `double` and of the greatest `long double`.
        const GREATEST: [usize; 2] = [309, 4933];
        let Type::Float(kind) = self.program.types.get(arg.ty) else { return None };
        let is_long = d.length == Length::LongDouble;
        if is_long != (*kind == FloatKind::LongDouble) {
            return None;
        }
        let float = value.float.filter(|_| !value.undefined).unwrap_or(Float::TOP);
        let numbers = float.numbers();
        let (low, high) = numbers.unwrap_or((0.0, 0.0));
        let (nearest, farthest) = float.absolute().numbers().unwrap_or((0.0, 0.0));
        let digits =
            |whole: f64| if whole.is_finite() { format!("{whole:.0}").len() } else { GREATEST[usize::from(is_long)] };
        // `inf` and `nan`.
        let words = Int::constant(3);
        let text = if numbers.is_none() || nearest.is_infinite() {
            words
        } else {
            // Rounding adds a digit at most to those of the greatest.
            let (fewest, most) = d.real_length((digits(nearest.floor()), digits(farthest.ceil())));
            let finite = Int::range(fewest as i128, most as i128);
            if float.may_be_nan() || farthest.is_infinite() { finite.join(words) } else { finite }
        };
        let (may_be_negative, is_negative) = (low <= 0.0 || float.may_be_nan(), high < 0.0 && !float.may_be_nan());
        let always = d.plus || d.space || is_negative;
        let sign = Int::range(i128::from(always), i128::from(always || may_be_negative));
        Some(greater(arithmetic::add(text, sign)?, Int::constant(d.width as i128)))
    }
}

/// The greater one of two numbers.
fn greater(a: Int, b: Int) -> Int {
    Int::range(a.lo().max(b.lo()), a.hi().max(b.hi()))
}
