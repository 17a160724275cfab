//! What an input that belongs to a stream says of it. See [`super::streams`].

use crate::ir::InputSite;

/// What an input that belongs to a stream says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// The next character, or -1 at the end.
    Character,
    /// Whether a line comes, or the end.
    Line,
    /// Characters up to the next line feed or the end, the line feed included.
    LineLength,
    /// Whole elements of so many bytes.
    Elements(u64),
    /// Whether a part of an element comes behind them.
    Part,
    /// Bytes that came, 0 at the end, or -1.
    Count,
    /// The bytes themselves.
    Bytes,
    /// 0, or -1 when the position cannot be set.
    Seek,
    /// The position, -1 when there is none. Of `lseek`: the new one.
    Tell,
    /// Whether the end was met.
    AtEnd,
    /// Whether reading has failed.
    Failed,
    /// Whether a character cannot be put back.
    PutBack,
}

impl Piece {
    /// What an input says of a stream, by its name; None for other inputs.
    pub(super) fn of(input: &InputSite) -> Option<Piece> {
        let (function, part) = input.name.split_once("()")?;
        Some(match (function, part) {
            ("getchar" | "getc" | "fgetc" | "getchar_unlocked" | "getc_unlocked", "") => Piece::Character,
            ("fgets" | "fgets_unlocked" | "getline", " succeeds") => Piece::Line,
            ("fgets" | "fgets_unlocked" | "getline", " length") => Piece::LineLength,
            ("fread" | "fread_unlocked", "") => Piece::Elements(1),
            ("fread" | "fread_unlocked", " partial") => Piece::Part,
            ("read", "") => Piece::Count,
            ("fseek" | "fseeko" | "fseeko64", "") => Piece::Seek,
            ("ftell" | "ftello" | "ftello64" | "lseek" | "lseek64", "") => Piece::Tell,
            ("feof" | "feof_unlocked", "") => Piece::AtEnd,
            ("ferror" | "ferror_unlocked", "") => Piece::Failed,
            ("ungetc", " fails") => Piece::PutBack,
            ("fgets" | "fgets_unlocked" | "getline" | "fread" | "fread_unlocked" | "read", " bytes") => Piece::Bytes,
            _ => return None,
        })
    }

    /// Whether an input that says so, and is `value`, tells that nothing is left.
    pub(super) fn is_end(self, value: i128) -> bool {
        match self {
            Piece::Character => value < 0,
            Piece::Line | Piece::Elements(_) | Piece::Count => value == 0,
            _ => false,
        }
    }
}
