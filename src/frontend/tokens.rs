//! Tokens of preprocessed C text (C11 6.4), with the preprocessor's line markers and pragmas set apart.
//!
//! The tokenizer is total: what is no token of C becomes [`TokenKind::Unknown`], for the parser to complain about.

use super::lines::LineMap;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// Identifiers and keywords.
    Word,
    /// A preprocessing number (6.4.8).
    Number,
    /// A string literal with its prefix.
    Text,
    /// A character constant with its prefix.
    Character,
    Punctuator,
    /// Anything else, such as an unterminated literal or a stray byte.
    Unknown,
}

/// A token as a range of bytes of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub start: u32,
    pub end: u32,
}

impl Token {
    /// The token's characters in `text`.
    pub fn text(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

/// A text taken apart.
#[derive(Debug)]
pub(super) struct Tokens {
    pub tokens: Vec<Token>,
    /// `#pragma` lines (also `_Pragma` is kept apart by the sanitizer): offset and text behind `#pragma`.
    pub pragmas: Vec<(u32, String)>,
    pub lines: LineMap,
}

const PUNCTUATORS: &[&str] = &[
    "%:%:", "...", "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "*=", "/=", "%=",
    "+=", "-=", "&=", "^=", "|=", "##", "<:", ":>", "<%", "%>", "%:",
];

/// Takes `text` (shorter than 4 GiB) apart. `file` names the lines before the first line marker.
pub(super) fn tokenize(text: &str, file: &str) -> Tokens {
    let bytes = text.as_bytes();
    let mut lines = LineMap::new(file);
    let (mut tokens, mut pragmas) = (Vec::new(), Vec::new());
    let mut at = 0;
    let mut line_start = true;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'\n' => {
                at += 1;
                lines.next_line(at as u32);
                line_start = true;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'#' if line_start => {
                let end = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n);
                let directive = text[at + 1..end].trim();
                if let Some(pragma) = directive.strip_prefix("pragma") {
                    pragmas.push((start as u32, pragma.trim().to_owned()));
                } else {
                    lines.directive(directive);
                }
                at = end;
                continue;
            }
            b'/' if bytes[at..].starts_with(b"//") => {
                at = bytes[at..].iter().position(|&b| b == b'\n').map_or(bytes.len(), |n| at + n);
                continue;
            }
            b'/' if bytes[at..].starts_with(b"/*") => {
                let end = text[at + 2..].find("*/").map_or(bytes.len(), |n| at + 2 + n + 2);
                while at < end {
                    at += 1;
                    if bytes[at - 1] == b'\n' {
                        lines.next_line(at as u32);
                    }
                }
                continue;
            }
            b'\\' if bytes[at..].starts_with(b"\\\n") => {
                at += 2;
                lines.next_line(at as u32);
                continue;
            }
            _ => {}
        }
        line_start = false;
        let (kind, end) = token_at(text, at);
        tokens.push(Token { kind, start: start as u32, end: end as u32 });
        at = end;
    }
    Tokens { tokens, pragmas, lines }
}

/// The kind and end of the token that begins at `at`, which is no white space.
fn token_at(text: &str, at: usize) -> (TokenKind, usize) {
    let bytes = text.as_bytes();
    let byte = bytes[at];
    let next = bytes.get(at + 1).copied().unwrap_or(0);
    if byte.is_ascii_digit() || (byte == b'.' && next.is_ascii_digit()) {
        return (TokenKind::Number, number_end(bytes, at));
    }
    if byte == b'"' || byte == b'\'' {
        return literal(bytes, at);
    }
    let word = word_end(bytes, at);
    if word > at {
        let end = word;
        let quoted = matches!(bytes.get(end), Some(b'"' | b'\''));
        if quoted && matches!(&text[at..end], "L" | "u" | "U" | "u8") {
            return literal(bytes, end);
        }
        return (TokenKind::Word, end);
    }
    if let Some(p) = PUNCTUATORS.iter().find(|p| bytes[at..].starts_with(p.as_bytes())) {
        return (TokenKind::Punctuator, at + p.len());
    }
    if byte.is_ascii_punctuation() && !matches!(byte, b'@' | b'`' | b'\\' | b'#') {
        return (TokenKind::Punctuator, at + 1);
    }
    (TokenKind::Unknown, at + 1)
}

/// The end of the word at `at`: word bytes and universal character names (6.4.3).
fn word_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let digits = match bytes.get(at..at + 2) {
            Some(b"\\u") => 4,
            Some(b"\\U") => 8,
            _ => 0,
        };
        let universal =
            digits > 0 && bytes.get(at + 2..at + 2 + digits).is_some_and(|d| d.iter().all(u8::is_ascii_hexdigit));
        if universal {
            at += 2 + digits;
        } else if bytes.get(at).is_some_and(|b| is_word_byte(*b)) {
            at += 1;
        } else {
            return at;
        }
    }
}

/// Letters, digits, `_`, the GNU `$`, and every byte of a character outside ASCII.
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn number_end(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = bytes.get(at) {
        let exponent = matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(bytes.get(at + 1), Some(b'+' | b'-'));
        if exponent {
            at += 2;
        } else if byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'_' {
            at += 1;
        } else {
            break;
        }
    }
    at
}

/// The literal whose opening quote is at `open`; unknown when it does not end on its line.
fn literal(bytes: &[u8], open: usize) -> (TokenKind, usize) {
    let quote = bytes[open];
    let mut at = open + 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' if matches!(bytes.get(at + 1), Some(b) if *b != b'\n') => {
                // Never stop inside a character of several bytes.
                at += 1 + bytes[at + 1..].iter().skip(1).take_while(|&&b| b & 0xc0 == 0x80).count() + 1;
            }
            b if b == quote => {
                let kind = if quote == b'"' { TokenKind::Text } else { TokenKind::Character };
                return (kind, at + 1);
            }
            _ => at += 1,
        }
    }
    (TokenKind::Unknown, at)
}

/// The ASCII spelling of a punctuator: digraphs (6.4.6) are replaced.
pub(super) fn plain_punctuator(text: &str) -> &str {
    match text {
        "<:" => "[",
        ":>" => "]",
        "<%" => "{",
        "%>" => "}",
        p => p,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(source: &str) -> Vec<String> {
        let t = tokenize(source, "f.c");
        t.tokens.iter().map(|k| format!("{:?}:{}", k.kind, k.text(source))).collect()
    }

    #[test]
    fn literals_keep_prefixes_and_escapes() {
        assert_eq!(
            texts(r#"L"a\"b" u8'\'' x"y""#),
            [r#"Text:L"a\"b""#, r#"Character:u8'\''"#, "Word:x", r#"Text:"y""#]
        );
    }

    #[test]
    fn numbers_are_preprocessing_numbers() {
        assert_eq!(texts("1e+5 .5f 0x1p-3 1...2"), ["Number:1e+5", "Number:.5f", "Number:0x1p-3", "Number:1...2"]);
    }

    #[test]
    fn longest_punctuator_wins() {
        assert_eq!(
            texts("a+++b<<=c"),
            ["Word:a", "Punctuator:++", "Punctuator:+", "Word:b", "Punctuator:<<=", "Word:c"]
        );
    }

    #[test]
    fn unterminated_literals_and_stray_bytes_are_unknown() {
        assert_eq!(texts("\"ab\n@\u{0}"), ["Unknown:\"ab", "Unknown:@", "Unknown:\u{0}"]);
        assert_eq!(texts("'\\é"), ["Unknown:'\\é"]);
    }

    #[test]
    fn pragmas_and_markers_are_no_tokens() {
        let t = tokenize("# 3 \"a.h\" 1\n#pragma pack(1)\nint x;\n", "f.c");
        assert_eq!(t.pragmas, [(12, "pack(1)".to_owned())]);
        assert_eq!(t.tokens.len(), 3);
    }
}
