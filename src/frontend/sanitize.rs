//! Rewrites the tokens of one external declaration to what lang-c can parse, without changing what they mean.
//!
//! Dropped, as they mean nothing to an analysis: `__extension__`, advisory attributes, nullability, static assertions. What lang-c has no syntax for becomes a call or name that lowering knows:
//!
//! | C | rewritten |
//! |---|---|
//! | `&&label` | `__cellog_label_address(label)` |
//! | `goto *e;` | `__cellog_goto(e);` |
//! | `asm(... : outputs : ...)` as a statement | `__cellog_asm(outputs)`; memory unchanged: `__cellog_asm_values(outputs)`; with `goto`: `__cellog_asm_goto(outputs)` |
//! | `asm("" : "=r"(a) : "0"(b))` | `__cellog_barrier((a) = (b))` |
//! | `a ?: b` | `a ? __cellog_condition : b` |
//! | `__builtin_types_compatible_p(A, B)` | `__cellog_types_compatible(sizeof(A), sizeof(B))` |
//! | `enum e : T` | `enum e`, with `T` among its attributes |
//! | `__int128`, `unsigned __int128` | the type names `__cellog_int128`, `__cellog_uint128` |
//! | `_Alignof e`, `__alignof__ e` | `__cellog_alignment(e)` |
//! | `__alignof__(T)` | `__cellog_type_alignment(sizeof(T))` |
//! | `_Alignas(n)` | `__attribute__((aligned(n)))` |
//! | `__real__ x`, `__imag__ x` | `__cellog_real(x)`, `__cellog_imag(x)` |
//!
//! The rest becomes plain C: digraphs, `__auto_type`, `sizeof (T){...}`, labels at a block's end or before a declaration, labels of
//! one block, a missing `;` behind the last member, implicit `int`, escapes that lang-c does not know, names with `$` or letters outside ASCII.

mod alignment;
mod assembly;
mod labels;
mod record;
mod type_keyword;

pub(super) use type_keyword::is_type_keyword;

use super::attributes::{RawAttribute, meaningful};
use super::literals;
use super::tokens::{Token, TokenKind, plain_punctuator};
use labels::LocalLabel;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A token of the rewritten declaration.
#[derive(Clone, Debug)]
pub(super) struct Piece<'a> {
    pub text: Cow<'a, str>,
    pub kind: TokenKind,
    /// Byte of the preprocessed text that it stands for.
    pub origin: u32,
}

/// Attributes of a struct, union or enum specifier, which lang-c drops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RecordAttributes {
    /// Byte of the keyword in the preprocessed text.
    pub keyword: u32,
    /// `name(arguments), ...`, to be parsed.
    pub list: String,
}

/// A declaration ready to be parsed.
#[derive(Clone, Debug, Default)]
pub(super) struct Sanitized<'a> {
    pub pieces: Vec<Piece<'a>>,
    pub records: Vec<RecordAttributes>,
}

/// More pieces than this are refused: `__auto_type` repeats its initializer.
pub(super) const MAX_PIECES: usize = 1 << 23;

/// Rewrites `tokens`, whose brackets match. `is_type` tells keywords that begin a type, and type names; `packing` is the
/// limit of `#pragma pack` at a byte.
pub(super) fn sanitize<'a>(
    text: &'a str,
    tokens: &'a [Token],
    has_body: bool,
    is_type: &'a dyn Fn(&str) -> bool,
    packing: &'a dyn Fn(u32) -> u32,
) -> Sanitized<'a> {
    let mut rewriter = Rewriter {
        text,
        tokens,
        matching: match_brackets(text, tokens),
        is_type,
        packing,
        taken: HashMap::new(),
        labels: HashSet::new(),
        local_labels: Vec::new(),
        records_end: HashSet::new(),
        out: Sanitized::default(),
    };
    let is_name = |w: &str| !is_type(w) && !matches!(w, "__attribute__" | "__attribute" | "__declspec");
    let name_first = tokens.first().is_some_and(|t| t.kind == TokenKind::Word && is_name(t.text(text)));
    if has_body && name_first && tokens.get(1).is_some_and(|t| t.text(text) == "(") {
        rewriter.emit("int", 0);
    }
    rewriter.rewrite(0..tokens.len());
    rewriter.out
}

/// For every bracket the index of its partner; 0 elsewhere.
fn match_brackets(text: &str, tokens: &[Token]) -> Vec<u32> {
    let mut matching = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match plain_punctuator(token.text(text)) {
            "(" | "[" | "{" if token.kind == TokenKind::Punctuator => open.push(i),
            ")" | "]" | "}" if token.kind == TokenKind::Punctuator => {
                if let Some(o) = open.pop() {
                    matching[o] = i as u32;
                    matching[i] = o as u32;
                }
            }
            _ => {}
        }
    }
    matching
}

struct Rewriter<'a> {
    text: &'a str,
    tokens: &'a [Token],
    matching: Vec<u32>,
    is_type: &'a dyn Fn(&str) -> bool,
    packing: &'a dyn Fn(u32) -> u32,
    /// Attribute lists that a record has taken: first token and the token behind.
    taken: HashMap<usize, usize>,
    /// Colons that end a `case`.
    labels: HashSet<usize>,
    /// What `__label__` has declared so far.
    local_labels: Vec<LocalLabel<'a>>,
    /// Brackets that close the members of a struct or union.
    records_end: HashSet<usize>,
    out: Sanitized<'a>,
}

impl<'a> Rewriter<'a> {
    /// The spelling of token `i`, "" outside; literals give their text too.
    fn word(&self, i: usize) -> &'a str {
        self.tokens.get(i).map_or("", |t| plain_punctuator(t.text(self.text)))
    }
    fn before(&self, i: usize) -> &'a str {
        i.checked_sub(1).map_or("", |p| self.word(p))
    }
    fn is_word(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|t| t.kind == TokenKind::Word)
    }
    fn names_type(&self, i: usize) -> bool {
        self.is_word(i) && (self.is_type)(self.word(i))
    }
    /// The token that closes the bracket `i`.
    fn close(&self, i: usize) -> usize {
        self.matching[i] as usize
    }
    fn emit(&mut self, text: impl Into<Cow<'a, str>>, at: usize) {
        let origin = self.tokens.get(at).map_or(0, |t| t.start);
        let text = text.into();
        let kind = if text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            TokenKind::Word
        } else {
            TokenKind::Punctuator
        };
        self.out.pieces.push(Piece { text, kind, origin });
    }
    /// Emits token `i`, its spelling made fit for lang-c.
    fn keep(&mut self, i: usize) {
        let token = self.tokens[i];
        let text = token.text(self.text);
        let text = match token.kind {
            TokenKind::Word => literals::plain_name(text),
            TokenKind::Number => literals::plain_number(text),
            TokenKind::Text | TokenKind::Character => literals::plain_escapes(text),
            TokenKind::Punctuator => Cow::Borrowed(plain_punctuator(text)),
            TokenKind::Unknown => Cow::Borrowed(text),
        };
        self.out.pieces.push(Piece { text, kind: token.kind, origin: token.start });
    }

    fn rewrite(&mut self, range: Range<usize>) {
        let mut i = range.start;
        while i < range.end && self.out.pieces.len() <= MAX_PIECES {
            i = match self.tokens[i].kind {
                TokenKind::Word => self.rewrite_word(i, range.end),
                TokenKind::Punctuator => self.rewrite_punctuator(i),
                _ => {
                    self.keep(i);
                    i + 1
                }
            };
        }
    }

    /// Rewrites from the punctuator `i` on; the next token to rewrite.
    fn rewrite_punctuator(&mut self, i: usize) -> usize {
        match self.word(i) {
            "&&" if self.is_word(i + 1) && self.expects_operand(i) => {
                self.emit("__cellog_label_address", i);
                self.emit("(", i);
                match self.local_label(i + 1) {
                    Some(label) => self.emit(label, i + 1),
                    None => self.keep(i + 1),
                }
                self.emit(")", i);
                return i + 2;
            }
            "?" if self.word(i + 1) == ":" => {
                self.keep(i);
                self.emit("__cellog_condition", i + 1);
            }
            ":" => {
                self.rewrite_behind_width(i);
                self.keep(i);
                if self.word(i + 1) == "}" || (self.ends_label(i) && self.begins_declaration(i + 1)) {
                    self.emit(";", i);
                }
            }
            // C23 attributes.
            "[" if self.word(i + 1) == "[" && self.expects_operand(i) => {
                let close = self.close(i);
                if (i + 2..close).any(|k| matches!(self.word(k), "noreturn" | "__noreturn__" | "_Noreturn")) {
                    self.emit("_Noreturn", i);
                }
                return close + 1;
            }
            // The last member's `;` is missing.
            "}" if self.records_end.contains(&i) && !matches!(self.before(i), ";" | "{" | "}") => {
                self.emit(";", i);
                self.keep(i);
            }
            "..." if self.before(i) == "(" && self.word(i + 1) == ")" => {}
            _ => self.keep(i),
        }
        i + 1
    }

    /// Whether an operand, not an operator, is expected at token `i`.
    fn expects_operand(&self, i: usize) -> bool {
        let Some(p) = i.checked_sub(1) else { return true };
        match self.tokens[p].kind {
            TokenKind::Word => matches!(self.word(p), "return" | "case" | "else" | "do" | "goto"),
            TokenKind::Punctuator => match self.word(p) {
                "]" | "++" | "--" => false,
                ")" => self.closes_cast(p),
                _ => true,
            },
            _ => false,
        }
    }

    /// Whether the `)` at `close` ends a cast's type name.
    fn closes_cast(&self, close: usize) -> bool {
        let open = self.matching[close] as usize;
        let operator_before = !matches!(self.before(open), "sizeof" | "_Alignof" | "__alignof__" | "__alignof");
        self.names_type(open + 1) && operator_before && (open == 0 || self.expects_operand(open))
    }

    /// Whether the `:` at `i` ends a label.
    fn ends_label(&self, i: usize) -> bool {
        if self.labels.contains(&i) || self.before(i) == "default" {
            return true;
        }
        i >= 2 && self.is_word(i - 1) && matches!(self.word(i - 2), ";" | "{" | "}" | ":")
    }

    /// Whether a declaration must begin at `i`, taken that a statement or declaration does.
    fn begins_declaration(&self, i: usize) -> bool {
        let word = self.word(i);
        matches!(word, "__extension__" | "__attribute__" | "__auto_type" | "_Static_assert")
            || (self.names_type(i) && (is_type_keyword(word) || self.is_word(i + 1) || self.word(i + 1) == "*"))
    }

    /// Rewrites from the word `i` on; the next token to rewrite.
    fn rewrite_word(&mut self, i: usize, end: usize) -> usize {
        match self.word(i) {
            "__extension__" | "_Nullable" | "_Nonnull" | "_Null_unspecified" => i + 1,
            "__attribute__" | "__attribute" if self.word(i + 1) == "(" => self.rewrite_attributes(i),
            "_Static_assert" | "static_assert" if self.word(i + 1) == "(" => {
                let behind = self.close(i + 1) + 1;
                behind + usize::from(self.word(behind) == ";")
            }
            "__declspec" | "_Pragma" if self.word(i + 1) == "(" => self.close(i + 1) + 1,
            // lang-c takes `T *p` here for a product; a storage class makes it a declaration.
            "for" if self.word(i + 1) == "(" && self.names_type(i + 2) && self.begins_declaration(i + 2) => {
                self.keep(i);
                self.keep(i + 1);
                if !is_type_keyword(self.word(i + 2)) {
                    self.emit("auto", i + 2);
                }
                i + 2
            }
            "__label__" => self.declare_labels(i, end),
            "_Alignas" | "alignas" if self.word(i + 1) == "(" => self.rewrite_alignas(i),
            "asm" | "__asm" | "__asm__" => self.rewrite_asm(i),
            "goto" if self.word(i + 1) == "*" => {
                let stop = self.end_of_expression(i + 2, end, ";");
                self.emit("__cellog_goto", i);
                self.wrap(i + 2..stop);
                stop
            }
            "__auto_type" => self.rewrite_auto_type(i, end),
            "case" => {
                if let Some(colon) = self.case_colon(i, end) {
                    self.labels.insert(colon);
                }
                self.keep(i);
                i + 1
            }
            "struct" | "union" | "enum" => self.rewrite_record(i),
            "unsigned" | "signed" | "__signed" | "__signed__" | "__int128" => self.rewrite_int128(i),
            "__int128_t" => self.rename(i, "__cellog_int128"),
            "__uint128_t" => self.rename(i, "__cellog_uint128"),
            "__float128" => self.rename(i, "_Float128"),
            "__float80" => {
                self.emit("long", i);
                self.rename(i, "double")
            }
            "__thread" => self.rename(i, "_Thread_local"),
            "typeof_unqual" | "__typeof_unqual" | "__typeof_unqual__" => self.rename(i, "__typeof__"),
            "__alignof__" | "__alignof" | "_Alignof" => self.rewrite_alignof(i),
            "sizeof" if self.word(i + 1) == "(" && self.names_type(i + 2) => {
                let brace = self.close(i + 1) + 1;
                self.keep(i);
                if self.word(brace) != "{" {
                    return i + 1;
                }
                let behind = self.close(brace) + 1;
                self.wrap(i + 1..behind);
                behind
            }
            "__builtin_types_compatible_p" if self.word(i + 1) == "(" => {
                let (open, close) = (i + 1, self.close(i + 1));
                let comma = self.end_of_expression(open + 1, close, ",");
                self.emit("__cellog_types_compatible", i);
                self.emit("(", i);
                self.emit("sizeof", i);
                self.wrap(open + 1..comma);
                self.emit(",", comma);
                self.emit("sizeof", comma);
                self.wrap((comma + 1).min(close)..close);
                self.emit(")", close);
                close + 1
            }
            "__real__" | "__real" => self.rewrite_part(i, "__cellog_real"),
            "__imag__" | "__imag" => self.rewrite_part(i, "__cellog_imag"),
            _ => {
                match self.local_label(i).filter(|_| self.stands_as_label(i)) {
                    Some(label) => self.emit(label, i),
                    None => self.keep(i),
                }
                i + 1
            }
        }
    }

    fn rename(&mut self, i: usize, name: &'static str) -> usize {
        self.emit(name, i);
        i + 1
    }

    /// Emits the range in parentheses.
    fn wrap(&mut self, range: Range<usize>) {
        let (first, last) = (range.start, range.end);
        self.emit("(", first.min(self.tokens.len() - 1));
        self.rewrite(range);
        self.emit(")", last.min(self.tokens.len() - 1));
    }

    /// The first `stop`, or `;`, at the bracket level of `from`, or `end`.
    fn end_of_expression(&self, from: usize, end: usize, stop: &str) -> usize {
        let mut i = from;
        while i < end {
            match self.word(i) {
                "(" | "[" | "{" if self.tokens[i].kind == TokenKind::Punctuator => i = self.close(i),
                ";" => return i,
                w if w == stop => return i,
                _ => {}
            }
            i += 1;
        }
        end
    }

    /// The colon that ends the `case` at `i`.
    fn case_colon(&self, i: usize, end: usize) -> Option<usize> {
        let mut conditionals = 0usize;
        let mut at = i + 1;
        loop {
            at = (at..end).find(|&k| matches!(self.word(k), "(" | "[" | "{" | "?" | ":" | ";"))?;
            match self.word(at) {
                "?" => conditionals += 1,
                ":" if conditionals == 0 => return Some(at),
                ":" => conditionals -= 1,
                ";" => return None,
                _ => at = self.close(at),
            }
            at += 1;
        }
    }

    fn rewrite_attributes(&mut self, i: usize) -> usize {
        if let Some(&behind) = self.taken.get(&i) {
            return behind;
        }
        let behind = self.close(i + 1) + 1;
        let statement = self.word(behind) == ";" && matches!(self.before(i), ";" | "{" | "}" | "else" | "");
        if statement || self.before(i) == ":" {
            return behind;
        }
        let list = self.attribute_list(i);
        if !list.is_empty() {
            self.emit("__attribute__", i);
            // lang-c takes the two brackets as one token.
            self.emit("((", i);
            for (n, attribute) in list.into_iter().enumerate() {
                if n > 0 {
                    self.emit(",", i);
                }
                self.emit(attribute.name, i);
                if let Some(arguments) = attribute.arguments {
                    self.wrap(arguments);
                }
            }
            self.emit("))", i);
        }
        behind
    }

    /// The attributes that count in the list at `i`.
    fn attribute_list(&self, i: usize) -> Vec<RawAttribute<'a>> {
        if self.word(i + 2) != "(" {
            return Vec::new();
        }
        meaningful(self.text, self.tokens, i + 3..self.close(i + 2), &self.matching)
    }

    /// `__int128` among the other words of its specifier list.
    fn rewrite_int128(&mut self, i: usize) -> usize {
        let is_specifier = |w: &str| {
            matches!(
                w,
                "unsigned"
                    | "signed"
                    | "__signed"
                    | "__signed__"
                    | "__int128"
                    | "const"
                    | "volatile"
                    | "__const"
                    | "static"
                    | "extern"
                    | "register"
                    | "typedef"
                    | "inline"
                    | "__inline"
                    | "__inline__"
                    | "restrict"
            )
        };
        let behind = (i..self.tokens.len()).find(|&k| !is_specifier(self.word(k))).unwrap_or(self.tokens.len());
        if !(i..behind).any(|k| self.word(k) == "__int128") {
            self.keep(i);
            return i + 1;
        }
        let mut name = "__cellog_int128";
        for k in i..behind {
            match self.word(k) {
                "unsigned" => name = "__cellog_uint128",
                "signed" | "__signed" | "__signed__" | "__int128" => {}
                _ => self.keep(k),
            }
        }
        self.emit(name, i);
        behind
    }

    /// `__auto_type x = e` becomes `__typeof__((0, (e))) x = e`; the comma converts arrays and functions to pointers.
    fn rewrite_auto_type(&mut self, i: usize, end: usize) -> usize {
        if !self.is_word(i + 1) || self.word(i + 2) != "=" {
            self.keep(i);
            return i + 1;
        }
        let stop = self.end_of_expression(i + 3, end, ",");
        self.emit("__typeof__", i);
        self.emit("(", i);
        self.emit("(", i);
        self.emit("0", i);
        self.emit(",", i);
        self.wrap(i + 3..stop);
        self.emit(")", i);
        self.emit(")", i);
        i + 1
    }

    /// `__real__ x` and `__imag__ x` become calls.
    fn rewrite_part(&mut self, i: usize, name: &'static str) -> usize {
        self.emit(name, i);
        if self.is_word(i + 1) {
            let mut end = i + 2;
            loop {
                end = match self.word(end) {
                    "." | "->" => end + 2,
                    "[" | "(" => self.close(end) + 1,
                    _ => break,
                };
            }
            self.wrap(i + 1..end);
            return end;
        }
        i + 1
    }
}

#[cfg(test)]
mod tests;
