//! What `printf` and kin write (C11 7.21.6.1), in the C locale, as the GNU C library does.

use super::format_float;
use crate::concrete::machine::{Argument, Machine, Step};
use crate::concrete::scalar::{Class, Scalar};
use crate::concrete::value::Value;
use crate::ir::format::{Directive, Length, Piece, WIDEST, pieces};
use crate::ir::{FloatKind, Real};

/// The arguments not yet consumed.
struct Arguments<'a> {
    rest: std::slice::Iter<'a, Argument>,
}

impl Machine<'_> {
    /// The characters that the format and its arguments give, without a terminator.
    pub(super) fn format(&mut self, format: Value, char_size: u8, arguments: &[Argument]) -> Step<Vec<u32>> {
        let format = self.string(format, char_size, u64::MAX)?;
        let mut arguments = Arguments { rest: arguments.iter() };
        let mut out = Vec::with_capacity(format.len());
        for piece in pieces(&format) {
            match piece {
                Piece::Char(c) => out.push(c),
                Piece::Directive(directive) => {
                    let directive = self.settled(directive, &mut arguments)?;
                    self.convert(directive, char_size, &mut arguments, &mut out)?;
                }
            }
        }
        Ok(out)
    }

    /// The directive with the width and the precision that arguments give.
    fn settled(&mut self, mut d: Directive, arguments: &mut Arguments<'_>) -> Step<Directive> {
        if d.star_width {
            let width = self.int_argument(arguments, 4)?;
            d.left |= width < 0;
            d.width = width.unsigned_abs() as usize;
        } else if d.conversion == b'$' {
            return self.undecided("a numbered argument in a format");
        }
        if d.star_precision {
            d.precision = usize::try_from(self.int_argument(arguments, 4)?).ok();
        }
        if d.width > WIDEST || d.precision.is_some_and(|p| p > WIDEST && d.conversion != b's') {
            return self.undecided("a very wide field in a format");
        }
        Ok(d)
    }

    fn convert(&mut self, d: Directive, char_size: u8, arguments: &mut Arguments<'_>, out: &mut Vec<u32>) -> Step<()> {
        match d.conversion {
            b'%' => out.push(u32::from(b'%')),
            b'd' | b'i' => {
                let size = self.int_size(d.length);
                let v = Scalar { class: Class::Int, size, signed: true }.wrap(self.int_argument(arguments, size)?);
                pad_number(d, d.prefix(v), &v.unsigned_abs().to_string(), out);
            }
            b'u' | b'x' | b'X' | b'o' => {
                let size = self.int_size(d.length);
                let v = Scalar { class: Class::Int, size, signed: false }.wrap(self.int_argument(arguments, size)?);
                let mut digits = match d.conversion {
                    b'u' => v.to_string(),
                    b'x' => format!("{v:x}"),
                    b'X' => format!("{v:X}"),
                    _ => format!("{v:o}"),
                };
                if d.conversion == b'o' && d.alternate && v != 0 && d.precision.unwrap_or(0) <= digits.len() {
                    digits.insert(0, '0');
                } else if d.conversion == b'o' && d.alternate && v == 0 && d.precision == Some(0) {
                    out_padded(d, "0", out);
                    return Ok(());
                }
                pad_number(d, d.prefix(v), &digits, out);
            }
            b'c' | b'C' => {
                let v = self.int_argument(arguments, 4)?;
                let wide = d.is_wide();
                let c = if wide { v as u32 } else { u32::from(v as u8) };
                if wide != (char_size == 4) && c > 127 {
                    return self.undecided("a character outside ASCII changes its width");
                }
                pad_text(d, &[c], out);
            }
            b's' | b'S' => {
                let wide = d.is_wide();
                let pointer = self.scalar_argument(arguments)?.0;
                if pointer.as_int() == Some(0) {
                    return self.undecided("a NULL string in a format");
                }
                let max = d.precision.map_or(u64::MAX, |p| p as u64);
                let text = self.string(pointer, if wide { 4 } else { 1 }, max)?;
                if wide != (char_size == 4) && text.iter().any(|c| *c > 127) {
                    return self.undecided("a character outside ASCII changes its width");
                }
                pad_text(d, &text, out);
            }
            b'p' => {
                let (value, _) = self.scalar_argument(arguments)?;
                let v = self.observe(value);
                if v == 0 {
                    pad_text(d, &ascii("(nil)"), out);
                } else {
                    pad_number(d, if d.plus { "+0x" } else { "0x" }, &format!("{v:x}"), out);
                }
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let x = self.float_argument(arguments, d.length == Length::LongDouble)?;
                // The sign of what is no number differs between machines.
                self.flags.inexact |= x.is_nan();
                let sign = d.sign(x.is_negative());
                let digits = format_float::digits(d.conversion, x, d.precision, d.alternate);
                let zero = d.zero && x.is_finite();
                let (prefix, digits) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
                    Some(rest) => (format!("{sign}{}", &digits[..2]), rest.to_owned()),
                    None => (sign.to_owned(), digits),
                };
                pad_number(Directive { precision: None, zero, ..d }, &prefix, &digits, out);
            }
            b'n' => return self.undecided("%n in a format"),
            b'm' => return self.undecided("%m in a format"),
            other => return self.undecided(format!("conversion %{} in a format", char::from(other))),
        }
        Ok(())
    }

    fn int_size(&self, length: Length) -> u8 {
        length.bytes(self.prepared.pointer.size)
    }

    fn scalar_argument(&mut self, arguments: &mut Arguments<'_>) -> Step<(Value, Scalar)> {
        match arguments.rest.next() {
            Some(Argument::Scalar(value, ty)) => Ok((*value, self.scalar(*ty))),
            Some(Argument::Aggregate(..)) => self.undecided("a record as an argument of a format"),
            None => self.undecided("a format with too few arguments"),
        }
    }

    /// An integer argument that the format takes as one of `size` bytes.
    fn int_argument(&mut self, arguments: &mut Arguments<'_>, size: u8) -> Step<i128> {
        let (value, scalar) = self.scalar_argument(arguments)?;
        let size = size.max(4);
        // A wider integer in a register shows its low bits; one passed in memory, or too narrow, does not.
        let readable = scalar.size.max(4) == size || (scalar.size > size && self.prepared.pointer.size == 8);
        if !scalar.is_integral() || !readable || scalar.size > 8 {
            return self.undecided("an argument's type does not fit the format");
        }
        Ok(self.observe(value))
    }

    fn float_argument(&mut self, arguments: &mut Arguments<'_>, long: bool) -> Step<Real> {
        let (value, scalar) = self.scalar_argument(arguments)?;
        match scalar.float() {
            Some(kind @ FloatKind::LongDouble) if long => Ok(self.observe_float(value, kind)),
            Some(kind @ (FloatKind::Double | FloatKind::Float)) if !long => Ok(self.observe_float(value, kind)),
            _ => self.undecided("an argument's type does not fit the format"),
        }
    }
}

fn ascii(text: &str) -> Vec<u32> {
    text.bytes().map(u32::from).collect()
}

fn out_padded(d: Directive, digits: &str, out: &mut Vec<u32>) {
    pad_number(Directive { precision: None, zero: false, ..d }, "", digits, out);
}

/// A number: sign or prefix, digits at least as many as the precision, padded to the width.
fn pad_number(d: Directive, prefix: &str, digits: &str, out: &mut Vec<u32>) {
    let digits = if d.precision == Some(0) && digits == "0" { "" } else { digits };
    out.extend(d.number(prefix, ascii(digits), u32::from));
}

fn pad_text(d: Directive, text: &[u32], out: &mut Vec<u32>) {
    out.extend(d.padded(text.to_vec(), u32::from(b' ')));
}
