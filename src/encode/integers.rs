//! Library functions and built-ins of integers: bits that are counted, checked arithmetic, classes of characters.

use super::encoder::Encoder;
use super::value::{Shape, Value};
use crate::ir::LibFn;
use crate::smt::{self, Term};

/// The widest number that constants can have.
const WIDEST: u32 = 128;

impl Encoder<'_, '_> {
    /// The result, of shape `to`; None where it is not followed.
    pub(super) fn integer_function(
        &mut self,
        function: LibFn,
        args: &[(Value, Option<Shape>)],
        to: Shape,
    ) -> Option<Value> {
        use LibFn::*;
        let number = |i: usize| match args.get(i)? {
            (Value::Bits(bits), Some(shape)) => Some((*bits, shape.signed())),
            _ => None,
        };
        Some(match function {
            PopCount | Parity | Clz | Ctz | Ffs => {
                let count = self.counted(function, number(0)?.0);
                Value::Bits(self.pool.resize(to.width(), false, count))
            }
            ByteSwap => {
                let (bits, signed) = number(0)?;
                let bits = self.pool.resize(to.width(), signed, bits);
                Value::Bits(self.swapped(bits))
            }
            OverflowResult => {
                let exact = self.exact(number(0)?.0, number(1)?, number(2)?, to)?;
                Value::Bits(self.pool.extract(to.width() - 1, 0, exact))
            }
            OverflowFlag => {
                let sample = args.get(3)?.1?;
                let exact = self.exact(number(0)?.0, number(1)?, number(2)?, sample)?;
                let width = self.pool.sort(exact).width()?;
                let kept = self.pool.extract(sample.width() - 1, 0, exact);
                let kept = self.pool.resize(width, sample.signed(), kept);
                let lost = self.pool.ne(kept, exact);
                Value::Bits(self.bit(lost, to.width()))
            }
            ToUpper | ToLower => {
                let c = self.other_case(number(0)?.0, function == ToUpper);
                Value::Bits(self.pool.resize(to.width(), true, c))
            }
            _ => Value::Bits(self.class(function, number(0)?.0, to.width())?),
        })
    }

    fn bit(&mut self, holds: Term, width: u32) -> Term {
        let (one, zero) = (self.pool.bv(width, 1), self.pool.bv(width, 0));
        self.pool.ite(holds, one, zero)
    }

    fn is_set(&mut self, bits: Term, i: u32) -> Term {
        let bit = self.pool.extract(i, i, bits);
        let one = self.pool.bv(1, 1);
        self.pool.eq(bit, one)
    }

    /// Counts the bits of a number, in as many bits. How many zeros 0 begins or ends with is any number.
    fn counted(&mut self, function: LibFn, bits: Term) -> Term {
        let width = self.pool.sort(bits).width().unwrap_or(32);
        let of_zero = match function {
            LibFn::Clz | LibFn::Ctz => self.pool.fresh_variable("zeros", smt::Sort::BitVec(width)),
            _ => self.pool.bv(width, 0),
        };
        let mut result = of_zero;
        // The bit that decides comes last, outermost.
        for i in 0..width {
            let i = if matches!(function, LibFn::Ctz | LibFn::Ffs) { width - 1 - i } else { i };
            let here = self.is_set(bits, i);
            let number = match function {
                LibFn::Clz => width - 1 - i,
                LibFn::Ctz => i,
                LibFn::Ffs => i + 1,
                _ => 1,
            };
            let number = self.pool.bv(width, number.into());
            result = match function {
                LibFn::PopCount => {
                    let one = self.bit(here, width);
                    self.pool.bv_add(result, one)
                }
                LibFn::Parity => {
                    let one = self.bit(here, width);
                    self.pool.bv_xor(result, one)
                }
                _ => self.pool.ite(here, number, result),
            };
        }
        result
    }

    fn swapped(&mut self, bits: Term) -> Term {
        let width = self.pool.sort(bits).width().unwrap_or(8);
        let mut swapped = self.pool.extract(7, 0, bits);
        for i in 1..width / 8 {
            let byte = self.pool.extract(8 * i + 7, 8 * i, bits);
            swapped = self.pool.concat(swapped, byte);
        }
        swapped
    }

    /// The sum, difference (1) or product (2), in so many bits that nothing is lost, and in more than `to` has.
    fn exact(&mut self, op: Term, (a, signed): (Term, bool), (b, other): (Term, bool), to: Shape) -> Option<Term> {
        let Some(smt::Value::BitVec(op)) = self.pool.constant(op) else { return None };
        let width_of = |e: &Self, t: Term, signed: bool| e.pool.sort(t).width().map(|w| w + u32::from(!signed));
        let (x, y) = (width_of(self, a, signed)?, width_of(self, b, other)?);
        let needed = if op.unsigned() == 2 { x + y } else { x.max(y) + 1 };
        let width = needed.max(to.width() + 1);
        if width > WIDEST {
            return None;
        }
        let (a, b) = (self.pool.resize(width, signed, a), self.pool.resize(width, other, b));
        Some(match op.unsigned() {
            0 => self.pool.bv_add(a, b),
            1 => self.pool.bv_sub(a, b),
            2 => self.pool.bv_mul(a, b),
            _ => return None,
        })
    }

    /// Whether the character is one of `low` to `high`.
    fn within(&mut self, c: Term, low: u8, high: u8) -> Term {
        let width = self.pool.sort(c).width().unwrap_or(32);
        let (low, high) = (self.pool.bv(width, low.into()), self.pool.bv(width, high.into()));
        let (above, below) = (self.pool.bv_ule(low, c), self.pool.bv_ule(c, high));
        self.pool.and(&[above, below])
    }

    /// 0, or any other number where the character is of the class.
    fn class(&mut self, function: LibFn, c: Term, width: u32) -> Option<Term> {
        let inside: Vec<Term> = function.class()?.iter().map(|(low, high)| self.within(c, *low, *high)).collect();
        let inside = self.pool.or(&inside);
        let any = self.pool.fresh_variable("class", smt::Sort::BitVec(width));
        let (zero, one) = (self.pool.bv(width, 0), self.pool.bv(width, 1));
        let is_zero = self.pool.eq(any, zero);
        let other = self.pool.ite(is_zero, one, any);
        Some(self.pool.ite(inside, other, zero))
    }

    /// `toupper` or `tolower`.
    fn other_case(&mut self, c: Term, upper: bool) -> Term {
        let width = self.pool.sort(c).width().unwrap_or(32);
        let letter = if upper { self.within(c, b'a', b'z') } else { self.within(c, b'A', b'Z') };
        let by = self.pool.bv(width, 32);
        let changed = self.pool.bv_xor(c, by);
        self.pool.ite(letter, changed, c)
    }
}
