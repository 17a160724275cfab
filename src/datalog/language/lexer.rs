//! Text to tokens. Comments vanish, except documentation and pragmas, which stay attached to the token after them.
use super::ast::Executor;
use super::error::LexError;
use super::text::Span;

/// Larger files are refused, so that spans fit and a stray data file is not read as rules.
pub const LARGEST_FILE: usize = 16 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name, keyword or `_`.
    Identifier(String),
    /// `.decl` and its like, without the dot.
    Directive(String),
    Number(i64),
    Text(String),
    /// Punctuation and operators.
    Punctuation(&'static str),
    End,
}

#[derive(Clone, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// The comment lines directly above the token's line.
    pub doc: String,
    pub pragmas: Pragmas,
}

/// The pragmas among the comments above a token, with their places.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pragmas {
    /// `//@ store: set`
    pub store_set: Option<Span>,
    /// `//@ executor: NAME, REASON`
    pub executor: Option<(Executor, Span)>,
}

/// Longest first.
const PUNCTUATION: [&str; 27] = [
    ":-", "<:", "!=", "<=", ">=", "(", ")", "[", "]", "{", "}", ",", ":", ".", "=", "<", ">", "!", "+", "-", "*", "/",
    "%", ";", "|", "@", "$",
];

/// Splits `text` into tokens, the last of which is [`TokenKind::End`]. Errors leave out what they concern.
pub fn lex(file: u32, text: &str) -> (Vec<Token>, Vec<LexError>) {
    let mut lexer = Lexer { file, text, at: 0, tokens: Vec::new(), errors: Vec::new(), comment: Comment::default() };
    if text.len() > LARGEST_FILE {
        let span = Span { file, start: 0, end: 0 };
        lexer.errors.push(LexError::FileTooLarge { limit: LARGEST_FILE, span });
    } else {
        while lexer.step() {}
    }
    let end = lexer.at;
    lexer.push(TokenKind::End, end);
    (lexer.tokens, lexer.errors)
}

#[derive(Default)]
struct Comment {
    lines: Vec<String>,
    pragmas: Pragmas,
}

struct Lexer<'a> {
    file: u32,
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    errors: Vec<LexError>,
    comment: Comment,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span(&self, start: usize) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { file: self.file, start: offset(start), end: offset(self.at) }
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let comment = std::mem::take(&mut self.comment);
        let span = self.span(start);
        self.tokens.push(Token { kind, span, doc: comment.lines.join("\n"), pragmas: comment.pragmas });
    }

    /// Consumes characters while `keep` holds and returns them.
    fn take_while(&mut self, keep: impl Fn(char) -> bool) -> String {
        let rest = self.rest();
        let end = rest.find(|c| !keep(c)).unwrap_or(rest.len());
        let taken = rest[..end].to_owned();
        self.at += end;
        taken
    }

    /// One token or gap; false at the end.
    fn step(&mut self) -> bool {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return false };
        if first.is_whitespace() {
            let gap = self.take_while(char::is_whitespace);
            if gap.matches('\n').count() > 1 {
                self.comment.lines.clear();
            }
        } else if self.rest().starts_with("//") {
            self.line_comment(start);
        } else if self.rest().starts_with("/*") {
            match self.rest().find("*/") {
                Some(length) => self.at += length + 2,
                None => {
                    self.at = self.text.len();
                    self.errors.push(LexError::UnterminatedComment { span: self.span(start) });
                }
            }
            self.comment = Comment::default();
        } else if first == '"' {
            self.string(start);
        } else if first.is_ascii_digit() {
            self.number(start);
        } else if is_name_start(first) {
            let name = self.take_while(is_name_part);
            self.push(TokenKind::Identifier(name), start);
        } else if first == '.' && self.rest()[1..].starts_with(is_name_start) && self.at_line_start() {
            self.at += 1;
            let name = self.take_while(is_name_part);
            self.push(TokenKind::Directive(name), start);
        } else if let Some(found) = PUNCTUATION.into_iter().find(|p| self.rest().starts_with(p)) {
            self.at += found.len();
            self.push(TokenKind::Punctuation(found), start);
        } else {
            self.at += first.len_utf8();
            self.errors.push(LexError::UnexpectedCharacter { character: first, span: self.span(start) });
        }
        true
    }

    /// Is nothing but white space before this on its line? Directives start lines; `.` before a name elsewhere ends a rule.
    fn at_line_start(&self) -> bool {
        let before = &self.text[..self.at];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        before[line..].chars().all(char::is_whitespace)
    }

    fn line_comment(&mut self, start: usize) {
        let own_line = self.at_line_start();
        let line = self.take_while(|c| c != '\n');
        if let Some(pragma) = line.strip_prefix("//@") {
            let span = self.span(start);
            let known = &mut self.comment.pragmas;
            match pragma.split_once(':').map(|(name, value)| (name.trim(), value.trim())) {
                Some(("store", "set")) => known.store_set = Some(span),
                Some(("executor", value)) if executor(value).is_some() => {
                    known.executor = executor(value).map(|executor| (executor, span));
                }
                _ => self.errors.push(LexError::UnknownPragma { span }),
            }
        } else if own_line {
            let body = line.trim_start_matches('/');
            self.comment.lines.push(body.strip_prefix(' ').unwrap_or(body).trim_end().to_owned());
        }
    }

    fn string(&mut self, start: usize) {
        self.at += 1;
        let mut value = String::new();
        loop {
            value += &self.take_while(|c| !matches!(c, '"' | '\\' | '\n'));
            let escape = self.at;
            let mut characters = self.rest().chars();
            match characters.next() {
                Some('"') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    let Some(character) = characters.next().filter(|c| *c != '\n') else {
                        self.at += 1;
                        continue;
                    };
                    self.at += 1 + character.len_utf8();
                    match character {
                        'n' => value.push('\n'),
                        't' => value.push('\t'),
                        'r' => value.push('\r'),
                        '\\' | '"' => value.push(character),
                        _ => {
                            let span = self.span(escape);
                            self.errors.push(LexError::UnknownEscape { character, span });
                        }
                    }
                }
                _ => {
                    self.errors.push(LexError::UnterminatedString { span: self.span(start) });
                    break;
                }
            }
        }
        self.push(TokenKind::Text(value), start);
    }

    fn number(&mut self, start: usize) {
        let rest = self.rest();
        let radix = match rest.get(..2) {
            Some("0x" | "0X") => 16,
            Some("0b" | "0B") => 2,
            _ => 10,
        };
        self.at += if radix == 10 { 0 } else { 2 };
        let digits = self.take_while(is_name_part);
        let decimals = self.rest().strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if radix == 10 && decimals {
            self.at += 1;
            self.take_while(is_name_part);
            self.errors.push(LexError::Float { span: self.span(start) });
            self.push(TokenKind::Number(0), start);
            return;
        }
        let value = if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
            self.errors.push(LexError::MalformedNumber { span: self.span(start) });
            0
        } else {
            let parsed = match radix {
                10 => digits.parse::<i64>(),
                _ => u64::from_str_radix(&digits, radix).map(u64::cast_signed),
            };
            parsed.unwrap_or_else(|_| {
                self.errors.push(LexError::NumberOutOfRange { span: self.span(start) });
                0
            })
        };
        self.push(TokenKind::Number(value), start);
    }
}

/// The executor that is named before a comma and a reason.
fn executor(value: &str) -> Option<Executor> {
    let (name, reason) = value.split_once(',')?;
    let named = |executor: &Executor| executor.name() == name.trim_end();
    Executor::ALL.into_iter().find(named).filter(|_| !reason.trim().is_empty())
}

fn is_name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '?'
}

fn is_name_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '?'
}
