//! Names of files and columns of lines, as the protocol has them.

use lsp_types::{Position, Range, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::{Path, PathBuf};

/// What stands in the path of a URI as it is.
const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b'+');

/// The file that `uri` names; None if it is no file.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // An authority (`localhost`) may stand before the path.
    let path = &rest[rest.find('/')?..];
    Some(PathBuf::from(percent_decode_str(path).decode_utf8().ok()?.into_owned()))
}

/// The URI of a file with an absolute name.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let name = path.to_str().filter(|_| path.is_absolute())?;
    format!("file://{}", utf8_percent_encode(name, &PLAIN)).parse().ok()
}

/// The UTF-16 units before a column (from 1, in characters) of `line`.
fn units_before(line: &str, column: u32) -> u32 {
    let characters = line.chars().take((column as usize).saturating_sub(1));
    characters.map(|c| c.len_utf16() as u32).sum()
}

/// The columns `from` to `to` (from 1, in characters, the end excluded) of line number `number` (from 1).
pub fn range(number: u32, line: &str, from: u32, to: u32) -> Range {
    let at = |column| Position::new(number.saturating_sub(1), units_before(line, column));
    Range::new(at(from), at(to.max(from)))
}

/// The position of a byte of `text`.
pub fn position(text: &str, at: usize) -> Position {
    let start = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let units = text[start..at].encode_utf16().count();
    Position::new(text[..at].matches('\n').count() as u32, units as u32)
}

/// The word around the position of `units` UTF-16 units in `line`.
pub fn word_at(line: &str, units: u32) -> Option<&str> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut left = units;
    let mut at = line.len();
    for (i, c) in line.char_indices() {
        let Some(rest) = left.checked_sub(c.len_utf16() as u32) else {
            at = i;
            break;
        };
        if left == 0 {
            at = i;
            break;
        }
        left = rest;
    }
    let start = line[..at].rfind(|c| !is_word(c)).map_or(0, |i| i + line[i..].chars().next().map_or(1, char::len_utf8));
    let end = line[at..].find(|c| !is_word(c)).map_or(line.len(), |i| at + i);
    let word = &line[start..end];
    (!word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_blanks_and_letters_of_all_kinds_come_back() {
        for name in ["/tmp/a.c", "/srv/x y/größe+1.c", "/a%20b/c#d?.c"] {
            let uri = uri_of(Path::new(name)).expect("an absolute name");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(name)), "{}", uri.as_str());
        }
        assert_eq!(uri_of(Path::new("a.c")), None);
        assert_eq!(path_of(&"untitled:one".parse().expect("a URI")), None);
    }

    #[test]
    fn columns_are_counted_in_units_of_utf_16() {
        let line = "\"ä😀\" + x";
        assert_eq!(range(7, line, 8, 9), Range::new(Position::new(6, 8), Position::new(6, 9)));
        assert_eq!(word_at(line, 8), Some("x"));
        assert_eq!(word_at(line, 9), Some("x"));
        assert_eq!(word_at(line, 4), None);
    }

    #[test]
    fn words_are_names() {
        let line = "int count_2 = 34;";
        assert_eq!(word_at(line, 0), Some("int"));
        assert_eq!(word_at(line, 6), Some("count_2"));
        assert_eq!(word_at(line, 11), Some("count_2"));
        assert_eq!(word_at(line, 15), None);
        assert_eq!(word_at(line, 99), None);
    }
}
