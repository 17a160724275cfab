//! Library functions that engines know by contract instead of by a body.
//!
//! The front end places every check that a call needs (readable, writable, terminated) before the statement, so that a
//! [`LibFn`] itself is total. Functions of `n` characters come once per character size: narrow (1) and wide (4).

/// A library function with a contract. Pointers are checked before; lengths are `size_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LibFn {
    /// `(dst, src, len)` or `(dst, src, len, text)`: copies `len` bytes as if through a buffer; no result. `text` has no effect:
    /// what this write ends is a string of bytes from there on, all of its characters set, its zero in the object.
    MemCopy,
    /// `(dst, byte, len)` or `(dst, byte, len, text)`: sets `len` bytes; no result. `text` as for [`LibFn::MemCopy`].
    MemSet,
    /// `(dst, len)`: those of `len` bytes that lie in the object get values that C leaves open (C11 6.2.6.1p6, p7: padding, the rest of a
    /// union): each is some value, and no verdict may depend on which. No result, and no check stands before.
    LeaveOpen,
    /// `(dst, len)`: what these bytes hold may have changed: the determinate ones get values that C leaves open, the others stay as they
    /// are (C11 7.13.2.1p3). No result, and no check stands before.
    Unsettle,
    /// `(dst, wchar, count)`: sets `count` 4-byte characters; no result.
    WMemSet,
    /// `(a, b, len)` of `char_size`-byte characters: < 0, 0, > 0 by the first that differ (bytes unsigned, wide signed).
    /// C fixes the sign of this and the next ones, not the number.
    MemCmp(u8),
    /// `(s, c, len)`: address of the first `c` in `len` characters, or NULL.
    MemChr(u8),
    /// `(s, c, len)`: how many characters that looks at: up to the first `c`, at most `len`. Before the argument is checked: where a
    /// character cannot be read, it is the last one.
    MemSearched(u8),
    /// `(s)`: characters before the first zero.
    StrLen(u8),
    /// `(s, max)`: the same, at most `max`.
    StrNLen(u8),
    /// `(a, b)`: < 0, 0, > 0.
    StrCmp(u8),
    /// `(a, b, max)`.
    StrNCmp(u8),
    /// `(a, b)` and `(a, b, max)`, letters compared without case.
    StrCaseCmp,
    StrNCaseCmp,
    /// `(a, b)` and `(a, b, max)`: how many characters those look at: up to the first that differ or are zero, at most `max`.
    /// Before the arguments are checked: where one cannot be read, the character at which that shows is the last one.
    StrCompared(u8),
    StrCaseCompared,
    /// `(s, c)`: address of the first or last `c`, the terminator included, or NULL.
    StrChr(u8),
    StrRChr(u8),
    /// `(s, needle)`: address of the first occurrence, or NULL.
    StrStr(u8),
    /// `(s, set)`: length of the prefix of characters in (not in) the set.
    StrSpn(u8),
    StrCSpn(u8),
    /// `(s, set)`: address of the first character in the set, or NULL.
    StrPBrk(u8),
    /// `(s)`: the number that the string starts with (`atoi`, `atol`, `atoll`, `atof`), by the result's type.
    Atoi,
    /// `(s, base)`: value of `strtol` and kin, clamped to the result's type; `StrToEnd` gives the end pointer, same arguments.
    StrToInt,
    StrToIntEnd,
    /// `(s)`: value and end of `strtod` and kin.
    StrToFloat,
    StrToFloatEnd,
    /// `(c)`: `isalpha` and kin on `unsigned char` values and EOF, in the C locale; result 0 or any other
    /// number: C leaves to the library which one.
    IsAlpha,
    IsDigit,
    IsAlnum,
    IsSpace,
    IsUpper,
    IsLower,
    IsPunct,
    IsPrint,
    IsGraph,
    IsCntrl,
    IsXDigit,
    IsBlank,
    /// `(c)`
    ToUpper,
    ToLower,
    /// `(x)` integers, computed without overflow (checked before).
    Abs,
    /// `(format, args...)`: characters that `printf` would write (excluding the terminator).
    FormatLength(u8),
    /// `(dst, count, format, args...)`: writes at most `count` characters, terminator included when `count` > 0; no result.
    FormatWrite(u8),
    /// `(stream, format, args...)`: writes to a stream (1: standard output, 2: standard error, else unknown); no result.
    Print(u8),
    /// `(stream, s)`: writes a string; `(stream, c)`: a character.
    PutString(u8),
    PutChar,
    /// `(x)` or `(x, y)`: mathematics on floats of the result's type.
    Sqrt,
    Fabs,
    Floor,
    Ceil,
    Round,
    Trunc,
    Fmod,
    Pow,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log1p,
    Log10,
    Log2,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Cbrt,
    Hypot,
    Fmin,
    Fmax,
    Copysign,
    Fdim,
    Remainder,
    /// To the nearest whole number, ties to even: `rint`, `nearbyint`, `roundeven`.
    Rint,
    /// The parts that `modf` gives: the whole number, what is left.
    ModfWhole,
    ModfRest,
    /// The fraction that `frexp` gives.
    FrexpFraction,
    /// `logb`.
    Exponent,
    /// `(x, y)`: the number next to `x` towards `y`.
    NextAfter,
    /// `(x, y, z)`: `x * y + z`, rounded once.
    Fma,
    /// `(x, n)` with an integer `n`: `x * 2^n`.
    Scale,
    /// `(x)` with an integer result: `lround`, `lrint`, and the exponents that `ilogb` and `frexp` give.
    RoundToInt,
    RintToInt,
    IntExponent,
    FrexpExponent,
    /// `(x)`: classification; result 0 or any other number.
    IsNan,
    IsInf,
    IsFinite,
    IsNormal,
    SignBit,
    /// Bit counting of the argument's type (`__builtin_popcount`, ...); Clz and Ctz of 0 are anything.
    PopCount,
    Clz,
    Ctz,
    Ffs,
    Parity,
    /// Byte order reversal of the result's type.
    ByteSwap,
    /// `(lhs, rhs)` with result truncated to the result's type: see [`LibFn::OverflowFlag`].
    /// `(op, lhs, rhs)` with `op` 0 add, 1 sub, 2 mul, operands any integers: the low bits of the exact result, as the result's type.
    OverflowResult,
    /// `(op, lhs, rhs, sample)`: 1 when the exact result does not fit the type of `sample`.
    OverflowFlag,
    /// `(p)`: bytes from `p` to the end of its object, `(size_t)-1` when not known.
    ObjectSize,
    /// `(base, count, size, compare)`: sorts; the front end lowers calls of `compare` conservatively. No result.
    Sort,
}

/// Which memory a library function touches, by argument number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effects {
    /// Arguments whose target is read.
    pub reads: &'static [usize],
    /// Argument whose target is written.
    pub writes: Option<usize>,
    /// The result is this argument, moved inside its object, or NULL.
    pub result_from: Option<usize>,
    /// Whether bytes (pointers too) of a read argument end up in the written one.
    pub copies: bool,
}

impl LibFn {
    /// Whether it computes from integers alone.
    pub fn is_of_integers(self) -> bool {
        use LibFn::*;
        let plain = matches!(
            self,
            PopCount | Clz | Ctz | Ffs | Parity | ByteSwap | OverflowResult | OverflowFlag | ToUpper | ToLower
        );
        plain || self.class().is_some()
    }
    /// The characters, in order, of the class that the function asks for; None of one that asks for no class. As in the "C" locale
    /// (C11 7.4.1).
    pub fn class(self) -> Option<&'static [(u8, u8)]> {
        use LibFn::*;
        Some(match self {
            IsAlpha => &[(b'A', b'Z'), (b'a', b'z')],
            IsDigit => &[(b'0', b'9')],
            IsAlnum => &[(b'0', b'9'), (b'A', b'Z'), (b'a', b'z')],
            IsSpace => &[(9, 13), (b' ', b' ')],
            IsUpper => &[(b'A', b'Z')],
            IsLower => &[(b'a', b'z')],
            IsPunct => &[(33, 47), (58, 64), (91, 96), (123, 126)],
            IsPrint => &[(32, 126)],
            IsGraph => &[(33, 126)],
            IsCntrl => &[(0, 31), (127, 127)],
            IsXDigit => &[(b'0', b'9'), (b'A', b'F'), (b'a', b'f')],
            IsBlank => &[(9, 9), (b' ', b' ')],
            _ => return None,
        })
    }
    /// Whether it computes from floating numbers.
    pub fn is_of_floats(self) -> bool {
        use LibFn::*;
        matches!(
            self,
            Sqrt | Fabs
                | Floor
                | Ceil
                | Round
                | Trunc
                | Fmod
                | Fmin
                | Fmax
                | Copysign
                | Fdim
                | Remainder
                | Rint
                | ModfWhole
                | ModfRest
                | FrexpFraction
                | Exponent
                | NextAfter
                | Fma
                | Scale
                | RoundToInt
                | RintToInt
                | IsNan
                | IsInf
                | IsFinite
                | IsNormal
                | SignBit
        )
    }
    /// The memory effects; arguments behind a format are read when they are pointers.
    pub fn effects(self) -> Effects {
        use LibFn::*;
        let e = |reads, writes, result_from, copies| Effects { reads, writes, result_from, copies };
        match self {
            MemCopy => e(&[1], Some(0), None, true),
            MemSet | WMemSet | LeaveOpen | Unsettle => e(&[], Some(0), None, false),
            MemCmp(_) | StrCmp(_) | StrNCmp(_) | StrCaseCmp | StrNCaseCmp | StrCompared(_) | StrCaseCompared
            | StrSpn(_) | StrCSpn(_) => e(&[0, 1], None, None, false),
            MemChr(_) | StrChr(_) | StrRChr(_) | StrToIntEnd | StrToFloatEnd => e(&[0], None, Some(0), false),
            StrStr(_) | StrPBrk(_) => e(&[0, 1], None, Some(0), false),
            MemSearched(_) | StrLen(_) | StrNLen(_) | Atoi | StrToInt | StrToFloat => e(&[0], None, None, false),
            FormatLength(_) => e(&[0], None, None, false),
            FormatWrite(_) => e(&[2], Some(0), None, false),
            Print(_) | PutString(_) => e(&[1], None, None, false),
            Sort => e(&[0], Some(0), None, true),
            _ => e(&[], None, None, false),
        }
    }
    /// For the variadic formatting functions: the number of the format argument.
    pub fn format_argument(self) -> Option<usize> {
        match self {
            LibFn::FormatLength(_) => Some(0),
            LibFn::Print(_) => Some(1),
            LibFn::FormatWrite(_) => Some(2),
            _ => None,
        }
    }
}
