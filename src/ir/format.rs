//! Formats of `printf` and kin, taken apart (C11 7.21.6.1), and how many characters their conversions write.

/// Wider fields and longer precisions are not written out.
pub const WIDEST: usize = 1 << 20;

/// A conversion specification without its arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Directive {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
    pub width: usize,
    /// The width is an argument.
    pub star_width: bool,
    pub precision: Option<usize>,
    /// The precision is an argument.
    pub star_precision: bool,
    pub length: Length,
    /// The letter; 0 where the format ends before it.
    pub conversion: u8,
}

/// A length modifier: `hh`, `h`, `l`, `ll` (and `j`, `q`), `L`, `z` (and `t`).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Length {
    #[default]
    None,
    Char,
    Short,
    Long,
    LongLong,
    LongDouble,
    Size,
}

impl Length {
    /// Bytes of an integer of this length.
    pub fn bytes(self, pointer_bytes: u8) -> u8 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::None => 4,
            Length::Long | Length::Size => pointer_bytes,
            Length::LongLong | Length::LongDouble => 8,
        }
    }
}

/// A part of a format.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Piece {
    /// A character that stands for itself.
    Char(u32),
    Directive(Directive),
}

/// The parts of a format, in order.
pub fn pieces(format: &[u32]) -> Vec<Piece> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(&c) = format.get(at) {
        at += 1;
        all.push(if c == u32::from(b'%') { Piece::Directive(directive(format, &mut at)) } else { Piece::Char(c) });
    }
    all
}

/// The conversion behind a `%`; `at` moves behind it.
fn directive(format: &[u32], at: &mut usize) -> Directive {
    let mut d = Directive::default();
    let peek = |at: usize| format.get(at).and_then(|&c| u8::try_from(c).ok()).unwrap_or(0);
    loop {
        match peek(*at) {
            b'-' => d.left = true,
            b'+' => d.plus = true,
            b' ' => d.space = true,
            b'#' => d.alternate = true,
            b'0' => d.zero = true,
            // The C locale groups no digits.
            b'\'' => {}
            _ => break,
        }
        *at += 1;
    }
    let amount = |at: &mut usize| {
        let star = peek(*at) == b'*';
        *at += usize::from(star);
        let mut n = 0usize;
        while peek(*at).is_ascii_digit() {
            n = n.saturating_mul(10).saturating_add(usize::from(peek(*at) - b'0'));
            *at += 1;
        }
        (n, star)
    };
    (d.width, d.star_width) = amount(at);
    if peek(*at) == b'.' {
        *at += 1;
        let (n, star) = amount(at);
        (d.precision, d.star_precision) = (Some(n), star);
    }
    let (length, characters) = match (peek(*at), peek(*at + 1)) {
        (b'h', b'h') => (Length::Char, 2),
        (b'l', b'l') => (Length::LongLong, 2),
        (b'h', _) => (Length::Short, 1),
        (b'l', _) => (Length::Long, 1),
        (b'j' | b'q', _) => (Length::LongLong, 1),
        (b'z' | b't', _) => (Length::Size, 1),
        (b'L', _) => (Length::LongDouble, 1),
        _ => (Length::None, 0),
    };
    *at += characters;
    d.length = length;
    d.conversion = peek(*at);
    *at += 1;
    d
}

/// Numbers that are written alike but for their digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled {
    /// The least and the greatest of them.
    pub low: i128,
    pub high: i128,
    /// Digits of each, without sign, prefix, and what fills up to precision and width.
    pub digits: usize,
}

impl Directive {
    /// Whether the format alone says how wide and how precise it is.
    pub fn is_fixed(&self) -> bool {
        let precision = self.precision.unwrap_or(0);
        !self.star_width && !self.star_precision && self.width.max(precision) <= WIDEST
    }
    /// Whether it writes an integer as [`Directive::spelled`] and [`Directive::number`] say; `%#o` has its own rules.
    pub fn is_integer(&self) -> bool {
        let plain = matches!(self.conversion, b'd' | b'i' | b'u' | b'x' | b'X' | b'o');
        plain && self.is_fixed() && !(self.conversion == b'o' && self.alternate)
    }
    /// Whether it writes a floating-point number, of a `long double` where it says so.
    pub fn is_real(&self) -> bool {
        matches!(self.conversion.to_ascii_lowercase(), b'f' | b'e' | b'g' | b'a') && self.is_fixed()
    }
    /// Whether the integer is signed.
    pub fn is_signed(&self) -> bool {
        matches!(self.conversion, b'd' | b'i')
    }
    /// Whether a character or a string is one of wide characters.
    pub fn is_wide(&self) -> bool {
        matches!(self.conversion, b'C' | b'S') || self.length == Length::Long
    }
    /// Whether characters and strings are of the output's characters, which have `size` bytes; others may have no counterpart there.
    pub fn is_of_size(&self, size: u8) -> bool {
        self.is_wide() == (size > 1)
    }
    /// The bits that an integer is taken with of one of `given` bits; None where that has too few, so that others are read.
    pub fn bits_of(&self, given: u32, pointer_bytes: u8) -> Option<u32> {
        let bits = u32::from(self.length.bytes(pointer_bytes)) * 8;
        (given.max(32) >= bits).then_some(bits)
    }
    /// The base of an integer's digits.
    pub fn radix(&self) -> i128 {
        match self.conversion {
            b'x' | b'X' => 16,
            b'o' => 8,
            _ => 10,
        }
    }

    /// The integers of so many bytes, in order, by how many digits they have.
    pub fn spelled(&self, bytes: u8) -> Vec<Spelled> {
        let values = 1i128 << (8 * u32::from(bytes));
        let (least, most) = if self.is_signed() { (-values / 2, values / 2 - 1) } else { (0, values - 1) };
        let zero_digits = usize::from(self.precision != Some(0));
        let mut all = vec![Spelled { low: 0, high: 0, digits: zero_digits }];
        let (mut first, mut digits) = (1, 1);
        while first <= most.max(-least) {
            let last = first * self.radix() - 1;
            if first <= most {
                all.push(Spelled { low: first, high: last.min(most), digits });
            }
            if -first >= least {
                all.insert(0, Spelled { low: (-last).max(least), high: -first, digits });
            }
            (first, digits) = (last + 1, digits + 1);
        }
        all
    }

    /// What stands before the digits of such a number.
    pub fn prefix(&self, number: i128) -> &'static str {
        match self.conversion {
            b'x' if self.alternate && number != 0 => "0x",
            b'X' if self.alternate && number != 0 => "0X",
            b'd' | b'i' => self.sign(number < 0),
            _ => "",
        }
    }
    /// The sign of a signed number.
    pub fn sign(&self, negative: bool) -> &'static str {
        match (negative, self.plus, self.space) {
            (true, ..) => "-",
            (false, true, _) => "+",
            (false, false, true) => " ",
            _ => "",
        }
    }

    /// A number: what stands before it, digits at least as many as the precision, filled up to the width. `character` makes one.
    pub fn number<T: Clone>(&self, prefix: &str, digits: Vec<T>, character: impl Fn(u8) -> T) -> Vec<T> {
        let zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let padding = self.width.saturating_sub(prefix.len() + zeros + digits.len());
        let with_zeros = self.zero && !self.left && self.precision.is_none();
        let zeros = zeros + if with_zeros { padding } else { 0 };
        let zeros = std::iter::repeat_n(character(b'0'), zeros);
        let text = prefix.bytes().map(&character).chain(zeros).chain(digits).collect();
        self.padded(text, character(b' '))
    }
    /// A text, filled up to the width with a space.
    pub fn padded<T: Clone>(&self, mut text: Vec<T>, space: T) -> Vec<T> {
        let spaces = vec![space; self.width.saturating_sub(text.len())];
        if self.left {
            text.extend(spaces);
            return text;
        }
        [spaces, text].concat()
    }
    /// The fewest and the most characters of a finite floating-point number without its sign; `whole`: the fewest and the most digits
    /// before its point (C11 7.21.6.1p8). The formats of C's floating-point types are those of IEC 60559 and the x87.
    pub fn real_length(&self, whole: (usize, usize)) -> (usize, usize) {
        // Digits of exponents to the bases 10 and 2, hexadecimal digits behind the point.
        let (tens, twos, hexadecimal) = if self.length == Length::LongDouble { (4, 5, 28) } else { (3, 4, 13) };
        let behind = |digits: usize| if digits > 0 || self.alternate { 1 + digits } else { 0 };
        let precision = self.precision.unwrap_or(6);
        match self.conversion.to_ascii_lowercase() {
            b'f' => (whole.0 + behind(precision), whole.1 + behind(precision)),
            b'e' => (1 + behind(precision) + 2 + 2, 1 + behind(precision) + 2 + tens),
            b'a' => {
                let (least, most) = self.precision.map_or((behind(0), behind(hexadecimal)), |n| (behind(n), behind(n)));
                (3 + least + 2 + 1, 3 + most + 2 + twos)
            }
            // `%g`: as `%e` with one digit less, or as `%f` with up to four zeros before all of its digits, without zeros at the end.
            _ => {
                let digits = precision.max(1);
                (1, (1 + behind(digits - 1) + 2 + tens).max(5 + digits))
            }
        }
    }
    /// How many characters a number of so many digits takes.
    pub fn number_length(&self, Spelled { low, digits, .. }: Spelled) -> usize {
        self.number(self.prefix(low), vec![(); digits], |_| ()).len()
    }
}
