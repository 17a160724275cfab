//! What `scanf` and kin take from a text that is known: the values of inputs that follow from it.
//!
//! To engines the results of `sscanf` are any that its format allows (inputs of its model); a run knows the text and computes them. What is left to the
//! library here (numbers that do not fit, `0x` without digits, infinities, too few characters, `%p`, wide characters) stays an input of any value, which proves nothing.
//!
//! See: C11 7.21.6.2.

use super::machine::Machine;
use super::piece::Piece;
use super::streams::Reading;
use super::value::Value;
use crate::ir::{Expr, InputId, InputSite, Program, Real};
use std::collections::VecDeque;

/// Bytes of a file that one call may look at.
const AHEAD: usize = 1 << 12;

/// What an input of such a call says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Count,
    /// That the text is such.
    Meets,
    Length,
    Bytes,
    Number,
    Reaches,
    Position,
}

impl Part {
    fn of(input: &InputSite) -> Option<Part> {
        let (function, part) = input.name.split_once("() ")?;
        if !matches!(function, "sscanf" | "fscanf" | "scanf") {
            return None;
        }
        Some(match part {
            "conversions" => Part::Count,
            "meets such text" => Part::Meets,
            "length" => Part::Length,
            "bytes" | "characters" => Part::Bytes,
            "comes to %n" => Part::Reaches,
            "%n" => Part::Position,
            _ if part.starts_with('%') => Part::Number,
            _ => return None,
        })
    }
}

/// Which inputs of a program are of such calls.
pub(super) fn parts(program: &Program) -> Vec<Option<Part>> {
    program.inputs.iter().map(Part::of).collect()
}

/// What one conversion stores.
#[derive(Clone, Debug, PartialEq)]
enum Item {
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
    /// Of `%n`.
    Position(usize),
}

/// What a call takes from its text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scanned {
    count: i128,
    items: VecDeque<Item>,
    /// Characters that are gone.
    read: usize,
}

/// A conversion of a format.
struct Conversion {
    letter: u8,
    suppressed: bool,
    width: Option<usize>,
    /// Bytes of an integer, or of a float.
    size: u32,
    /// Which characters belong to `%[`.
    set: [bool; 256],
}

/// How scanning goes on behind a directive.
enum Next {
    Go,
    /// A character does not fit.
    Mismatch,
    /// The text has come to its end.
    End,
}

struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    items: VecDeque<Item>,
    count: i128,
    converted: bool,
}

/// What a format takes from the text; None where that is the library's choice, or the format is not understood.
fn scan(format: &[u8], text: &[u8]) -> Option<Scanned> {
    let mut scanner = Scanner { text, at: 0, items: VecDeque::new(), count: 0, converted: false };
    let mut rest = format;
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        let next = if is_space(first) {
            scanner.skip_space();
            Next::Go
        } else if first != b'%' {
            scanner.literal(first)
        } else {
            let (conversion, behind) = conversion(rest)?;
            rest = behind;
            scanner.convert(&conversion)?
        };
        match next {
            Next::Go => {}
            Next::Mismatch => break,
            Next::End => {
                if scanner.count == 0 {
                    // Of suppressed conversions, libraries differ in what counts as one.
                    if scanner.converted {
                        return None;
                    }
                    scanner.count = -1;
                }
                break;
            }
        }
    }
    Some(Scanned { count: scanner.count, items: scanner.items, read: scanner.at })
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The conversion that begins behind a `%`, and what follows it.
fn conversion(format: &[u8]) -> Option<(Conversion, &[u8])> {
    let mut rest = format;
    let mut take = |wanted: &dyn Fn(u8) -> bool| {
        let first = rest.first().copied().filter(|c| wanted(*c))?;
        rest = &rest[1..];
        Some(first)
    };
    let suppressed = take(&|c| c == b'*').is_some();
    let mut width = None;
    while let Some(digit) = take(&|c| c.is_ascii_digit()) {
        width = Some(width.map_or(0, |w: usize| w.saturating_mul(10)).saturating_add(usize::from(digit - b'0')));
    }
    let mut length = Vec::new();
    while let Some(letter) = take(&|c| b"hlLqjzt".contains(&c)) {
        length.push(letter);
    }
    let letter = take(&|_| true)?;
    let is_float = b"aefgAEFG".contains(&letter);
    let size = match (&length[..], is_float) {
        (b"", true) => 4,
        (b"l", true) => 8,
        (_, true) => return None,
        (b"", _) => 4,
        (b"h", _) => 2,
        (b"hh", _) => 1,
        (b"l" | b"ll" | b"q" | b"j" | b"z" | b"t", _) => 8,
        _ => return None,
    };
    let mut set = [false; 256];
    if letter == b'[' {
        let inverted = rest.first() == Some(&b'^');
        rest = &rest[usize::from(inverted)..];
        // A `]` that comes first belongs to the set.
        let end = 1 + rest.get(1..)?.iter().position(|c| *c == b']')?;
        let mut i = 0;
        while i < end {
            let is_range = i + 2 < end && rest[i + 1] == b'-';
            let last = if is_range { rest[i + 2] } else { rest[i] };
            (rest[i]..=last).for_each(|c| set[usize::from(c)] = true);
            i += if is_range { 3 } else { 1 };
        }
        set.iter_mut().for_each(|in_set| *in_set ^= inverted);
        rest = &rest[end + 1..];
    }
    Some((Conversion { letter, suppressed, width, size, set }, rest))
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn literal(&mut self, wanted: u8) -> Next {
        match self.peek() {
            None => Next::End,
            Some(c) if c == wanted => {
                self.at += 1;
                Next::Go
            }
            Some(_) => Next::Mismatch,
        }
    }

    fn convert(&mut self, conversion: &Conversion) -> Option<Next> {
        let Conversion { letter, width, .. } = *conversion;
        if !matches!(letter, b'[' | b'c' | b'n') {
            self.skip_space();
        }
        let width = width.unwrap_or(usize::MAX);
        let item = match letter {
            b'%' => return Some(self.literal(b'%')),
            b'n' => {
                if !conversion.suppressed {
                    self.items.push_back(Item::Position(self.at));
                }
                return Some(Next::Go);
            }
            _ if self.peek().is_none() => return Some(Next::End),
            b's' => self.run(width, |c| !is_space(c)),
            b'[' => self.run(width, |c| conversion.set[usize::from(c)]),
            b'c' => {
                // Of fewer characters than are asked for, glibc takes what there is, and C nothing.
                let width = conversion.width.unwrap_or(1);
                let text = self.text.get(self.at..self.at.saturating_add(width))?;
                self.at += width;
                Some(Item::Text(text.to_vec()))
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => self.integer(conversion)?,
            b'e' | b'f' | b'g' | b'E' | b'F' | b'G' if conversion.width.is_none() => self.float(conversion.size)?,
            _ => return None,
        };
        let Some(item) = item else { return Some(Next::Mismatch) };
        self.converted = true;
        if !conversion.suppressed {
            self.count += 1;
            self.items.push_back(item);
        }
        Some(Next::Go)
    }

    /// The characters that are such; none is a mismatch.
    fn run(&mut self, width: usize, is_such: impl Fn(u8) -> bool) -> Option<Item> {
        let run = self.text[self.at..].iter().take(width).take_while(|c| is_such(**c)).count();
        let text = self.text[self.at..self.at + run].to_vec();
        self.at += run;
        (run > 0).then_some(Item::Text(text))
    }

    /// A number: Some(None) for a mismatch, None where that is the library's choice.
    fn integer(&mut self, conversion: &Conversion) -> Option<Option<Item>> {
        let width = conversion.width.unwrap_or(usize::MAX);
        let field = &self.text[self.at..self.at + (self.text.len() - self.at).min(width)];
        let sign = field.first().copied().filter(|c| matches!(c, b'+' | b'-'));
        let mut digits = &field[usize::from(sign.is_some())..];
        let has_prefix = digits.len() >= 2 && digits[0] == b'0' && matches!(digits[1], b'x' | b'X');
        let radix = match conversion.letter {
            b'x' | b'X' => 16,
            b'o' => 8,
            b'i' if has_prefix => 16,
            b'i' if digits.first() == Some(&b'0') => 8,
            _ => 10,
        };
        let mut read = usize::from(sign.is_some());
        if radix == 16 && has_prefix {
            if !digits.get(2).is_some_and(u8::is_ascii_hexdigit) {
                return None;
            }
            digits = &digits[2..];
            read += 2;
        }
        let count = digits.iter().take_while(|c| (**c as char).is_digit(radix)).count();
        self.at += read + count;
        if count == 0 {
            return Some(None);
        }
        let text = std::str::from_utf8(&digits[..count]).ok()?;
        let value = i128::from_str_radix(text, radix).ok()?;
        let value = if sign == Some(b'-') { -value } else { value };
        let bits = 8 * conversion.size;
        let (low, high) = match conversion.letter {
            b'd' | b'i' => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
            _ => (0, (1i128 << bits) - 1),
        };
        (low..=high).contains(&value).then_some(Some(Item::Int(value)))
    }

    /// The same of a decimal float.
    fn float(&mut self, size: u32) -> Option<Option<Item>> {
        let field = &self.text[self.at..];
        let sign = usize::from(field.first().is_some_and(|c| matches!(c, b'+' | b'-')));
        let digits =
            |from: usize| field.get(from..).unwrap_or_default().iter().take_while(|c| c.is_ascii_digit()).count();
        let whole = digits(sign);
        let mut end = sign + whole;
        if field.get(end) == Some(&b'.') {
            let fraction = digits(end + 1);
            if whole + fraction == 0 {
                return None;
            }
            end += 1 + fraction;
        } else if whole == 0 {
            // An infinity, or no number: the first letter tells.
            return match field.get(sign) {
                Some(c) if c.is_ascii_alphabetic() => None,
                _ => {
                    self.at += sign;
                    Some(None)
                }
            };
        }
        if field.get(end).is_some_and(|c| matches!(c, b'e' | b'E' | b'x' | b'X')) {
            return None;
        }
        let text = std::str::from_utf8(&field[..end]).ok()?.trim_start_matches('+');
        self.at += end;
        let value = if size == 4 { f64::from(text.parse::<f32>().ok()?) } else { text.parse().ok()? };
        Some(Some(Item::Float(value)))
    }
}

impl<'p> Machine<'p> {
    /// A call of `sscanf` begins.
    pub(super) fn begin_scan_of_text(&mut self, args: &'p [Expr]) {
        (self.scanned, self.streams.call) = (None, None);
        self.scan_is_settled = self.inputs.settles_scan();
        let (Some(text), Some(format)) = (args.first(), args.get(1)) else { return };
        if let (Some(text), Some(format)) = (self.text_of(text), self.text_of(format)) {
            self.scanned = scan(&format, &text);
        }
    }

    /// A call of `fscanf` or `scanf` begins, on the stream of the call that was begun. Where the file's content is known, its position moves on;
    /// else it is known no longer, and nothing says that one file gives what the scan takes and what is read of the same place besides.
    pub(super) fn begin_scan_of_file(&mut self, format: Option<&'p Expr>) {
        self.scanned = None;
        self.scan_is_settled = self.inputs.settles_scan();
        let reading = self.streams.reading(Piece::Bytes);
        self.scanned = reading.and_then(|reading| {
            let format = self.text_of(format?)?;
            let ahead = self.inputs.ahead(reading, AHEAD)?;
            // Behind what is looked at the text may go on.
            let scanned = scan(&format, &ahead).filter(|s| ahead.len() < AHEAD || s.read < AHEAD)?;
            self.pass(reading, &ahead[..scanned.read], scanned.read == ahead.len());
            Some(scanned)
        });
        if self.scanned.is_none() {
            self.flags.astray |= !self.scan_is_settled && !self.streams.scan_freely(reading);
            self.streams.lose_position(!self.scan_is_settled);
        }
    }

    fn pass(&mut self, reading: Reading, bytes: &[u8], to_end: bool) {
        self.flags.astray |= !self.streams.passed(reading, bytes);
        if to_end {
            self.streams.met_end();
        }
    }

    /// The number that an input of the call under way is, where its text is known.
    pub(super) fn scanned_number(&mut self, input: InputId) -> Option<Value> {
        let part = self.prepared.scans[crate::base::Idx::index(input)]?;
        let scanned = self.scanned.as_mut()?;
        Some(match part {
            Part::Count => Value::int(scanned.count),
            Part::Meets => Value::int(1),
            Part::Reaches => Value::int(matches!(scanned.items.front(), Some(Item::Position(_))).into()),
            Part::Position | Part::Number => match scanned.items.pop_front()? {
                Item::Int(value) => Value::int(value),
                Item::Float(value) => Value::Float(Real::double(value)),
                Item::Position(at) => Value::int(at as i128),
                Item::Text(_) => return None,
            },
            Part::Length => match scanned.items.front()? {
                Item::Text(text) => Value::int(text.len() as i128),
                _ => return None,
            },
            Part::Bytes => return None,
        })
    }

    /// The same of bytes.
    pub(super) fn scanned_bytes(&mut self, input: InputId) -> Option<Vec<u8>> {
        (self.prepared.scans[crate::base::Idx::index(input)]? == Part::Bytes).then_some(())?;
        match self.scanned.as_mut()?.items.pop_front()? {
            Item::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether an input is the result of a scan.
    pub(super) fn counts_scanned(&self, input: InputId) -> bool {
        self.prepared.scans[crate::base::Idx::index(input)] == Some(Part::Count)
    }

    /// Whether an input of a scan is what its text makes it.
    pub(super) fn is_scanned(&self, input: InputId) -> bool {
        (self.scanned.is_some() || self.scan_is_settled)
            && self.prepared.scans[crate::base::Idx::index(input)].is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(format: &str, text: &str) -> Option<(i128, Vec<Item>, usize)> {
        scan(format.as_bytes(), text.as_bytes()).map(|s| (s.count, s.items.into_iter().collect(), s.read))
    }

    #[test]
    fn conversions_take_what_the_standard_says() {
        use Item::*;
        let text = |s: &str| Text(s.as_bytes().to_vec());
        assert_eq!(result("%d %s", "  12 ab c"), Some((2, vec![Int(12), text("ab")], 7)));
        assert_eq!(result("%d,%d", "12;3"), Some((1, vec![Int(12)], 2)));
        assert_eq!(result("%d", "x"), Some((0, vec![], 0)));
        assert_eq!(result("%d", "  "), Some((-1, vec![], 2)));
        assert_eq!(result("%d%n", "-7 "), Some((1, vec![Int(-7), Position(2)], 2)));
        assert_eq!(result("%2d%x", "1234"), Some((2, vec![Int(12), Int(0x34)], 4)));
        assert_eq!(result("%[a-c]%c", "abcd"), Some((2, vec![text("abc"), text("d")], 4)));
        assert_eq!(result("%[^,],%3c", "a b,xyz"), Some((2, vec![text("a b"), text("xyz")], 7)));
        assert_eq!(result("%*d %d", "1 2"), Some((1, vec![Int(2)], 3)));
        assert_eq!(result("%lf", "1.5"), Some((1, vec![Float(1.5)], 3)));
        assert_eq!(result("100%% %d", "100% 5"), Some((1, vec![Int(5)], 6)));
    }

    #[test]
    fn what_is_left_to_the_library_is_not_told() {
        for (format, text) in [
            ("%d", "99999999999"),
            ("%x", "0xg"),
            ("%lf", "inf"),
            ("%p", "1"),
            ("%hhu", "300"),
            ("%*d%d", "1"),
            ("%3c", "ab"),
        ] {
            assert_eq!(result(format, text), None, "{format} {text}");
        }
    }
}
