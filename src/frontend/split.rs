//! Cuts a unit's tokens into external declarations (C11 6.9) by brackets alone, so that each can be parsed by itself.

use super::tokens::{Token, TokenKind, plain_punctuator};
use std::ops::Range;

/// The tokens of one external declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// Into the unit's tokens.
    pub tokens: Range<usize>,
    /// The `{` of a function's body.
    pub body: Option<usize>,
    /// A bracket that does not match, and what is wrong with it.
    pub problem: Option<(usize, String)>,
}

/// Keywords before a parenthesis that is no function's parameter list.
const OPERAND_WORDS: &[&str] = &[
    "__attribute__",
    "__attribute",
    "__asm__",
    "__asm",
    "asm",
    "__declspec",
    "_Alignas",
    "_Atomic",
    "_Static_assert",
    "_Pragma",
    "typeof",
    "__typeof",
    "__typeof__",
];

/// Cuts all of `tokens`.
pub(super) fn split(text: &str, tokens: &[Token]) -> Vec<Chunk> {
    let mut splitter = Splitter { text, tokens };
    let mut chunks = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let chunk = splitter.next(at);
        at = chunk.tokens.end;
        chunks.push(chunk);
    }
    chunks
}

struct Splitter<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

impl Splitter<'_> {
    fn word(&self, i: usize) -> &str {
        let token = self.tokens[i];
        match token.kind {
            TokenKind::Punctuator => plain_punctuator(token.text(self.text)),
            TokenKind::Word => token.text(self.text),
            _ => "",
        }
    }

    /// The declaration that begins at token `start`.
    fn next(&mut self, start: usize) -> Chunk {
        let mut chunk = Chunk { tokens: start..start, body: None, problem: None };
        let mut open: Vec<usize> = Vec::new();
        let mut initialized = false;
        // In a definition with parameter declarations behind the parameter list: the first `;`, once met.
        let mut old_style = false;
        let mut first_semicolon = None;
        let mut i = start;
        while i < self.tokens.len() {
            match self.word(i) {
                "(" | "[" => open.push(i),
                "{" => {
                    if open.is_empty() && !initialized && !self.opens_record(start, i) {
                        if old_style && first_semicolon.is_some() && self.word(i - 1) != ";" {
                            break;
                        }
                        chunk.body = Some(i);
                    }
                    open.push(i);
                }
                close @ (")" | "]" | "}") => {
                    let wanted = if close == ")" {
                        "("
                    } else if close == "]" {
                        "["
                    } else {
                        "{"
                    };
                    match open.last() {
                        Some(&o) if self.word(o) == wanted => {
                            open.pop();
                        }
                        _ => {
                            let problem = (i, format!("`{close}` without its `{wanted}`"));
                            chunk.problem.get_or_insert(problem);
                            // A closing brace ends what was left open inside its block.
                            if close == "}" {
                                match open.iter().rposition(|&o| self.word(o) == "{") {
                                    Some(block) => open.truncate(block),
                                    None => {
                                        chunk.tokens.end = i + 1;
                                        return chunk;
                                    }
                                }
                            }
                        }
                    }
                    if open.is_empty() && close == "}" && chunk.body.is_some() {
                        chunk.tokens.end = i + 1;
                        return chunk;
                    }
                    if close == ")" && open.is_empty() && !initialized && chunk.body.is_none() {
                        old_style |= self.parameters_follow(start, i);
                    }
                }
                ";" if !open.iter().any(|&o| self.word(o) == "{") => {
                    if let Some(&o) = open.last() {
                        let problem = (o, format!("`{}` is not closed", self.word(o)));
                        chunk.problem.get_or_insert(problem);
                    }
                    if !old_style || initialized || !open.is_empty() {
                        chunk.tokens.end = i + 1;
                        return chunk;
                    }
                    first_semicolon.get_or_insert(i);
                }
                "=" if open.is_empty() => initialized = true,
                _ => {}
            }
            i += 1;
        }
        if let Some(semicolon) = first_semicolon
            && chunk.body.is_none()
        {
            chunk.tokens.end = semicolon + 1;
            return chunk;
        }
        chunk.tokens.end = self.tokens.len();
        if let Some(&o) = open.first() {
            chunk.problem = Some((o, format!("`{}` is not closed", self.word(o))));
            chunk.tokens.end = self.resume_after(o);
        } else if chunk.problem.is_none() {
            chunk.problem = Some((self.tokens.len() - 1, "the file ends inside a declaration".into()));
        }
        chunk
    }

    /// Whether the `{` at `brace` opens the members of a struct, union or enumeration.
    fn opens_record(&self, start: usize, brace: usize) -> bool {
        let mut i = brace;
        // `enum e : type {`: nothing else at this level has a colon.
        if let Some(colon) = (start..brace)
            .rev()
            .take_while(|&k| !matches!(self.word(k), ")" | "}" | ";"))
            .find(|&k| self.word(k) == ":")
        {
            i = colon;
        }
        let mut tag_met = false;
        while i > start {
            i -= 1;
            match self.word(i) {
                "struct" | "union" | "enum" => return true,
                ")" => {
                    let Some(open) = self.opening(start, i) else { return false };
                    if open == start || !matches!(self.word(open - 1), "__attribute__" | "__attribute" | "__declspec") {
                        return false;
                    }
                    i = open - 1;
                }
                _ if self.tokens[i].kind == TokenKind::Word && !tag_met => tag_met = true,
                _ => return false,
            }
        }
        false
    }

    /// The bracket that the closing one at `close` closes.
    fn opening(&self, start: usize, close: usize) -> Option<usize> {
        let mut depth = 0usize;
        for i in (start..=close).rev() {
            match self.word(i) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(i);
            }
        }
        None
    }

    /// Whether behind the `)` at `close` stand the parameter declarations of an old-style definition (6.9.1).
    fn parameters_follow(&self, start: usize, close: usize) -> bool {
        if close + 2 >= self.tokens.len() || self.tokens[close + 1].kind != TokenKind::Word {
            return false;
        }
        if matches!(self.word(start), "typedef" | "_Static_assert") || OPERAND_WORDS.contains(&self.word(close + 1)) {
            return false;
        }
        // `T (*f)()` declares a parameter; another bracket behind a word is no declaration.
        let function_pointer =
            self.word(close + 2) == "(" && self.tokens.len() > close + 3 && self.word(close + 3) == "*";
        if matches!(self.word(close + 2), ";" | "(" | "{") && !function_pointer {
            return false;
        }
        match self.opening(start, close) {
            Some(open) => open > start && !OPERAND_WORDS.contains(&self.word(open - 1)),
            None => false,
        }
    }

    /// Where to go on when the bracket at `open` is never closed: at a word in the first column behind the end of
    /// something, else at the end.
    fn resume_after(&self, open: usize) -> usize {
        (open + 2..self.tokens.len())
            .find(|&i| {
                let token = self.tokens[i];
                let first_column = self.text.as_bytes().get(token.start as usize - 1) == Some(&b'\n');
                first_column && token.kind == TokenKind::Word && matches!(self.word(i - 1), "}" | ";")
            })
            .unwrap_or(self.tokens.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenize;
    use super::*;

    /// Each chunk's tokens joined by spaces, `!` before those with a problem.
    fn chunks(text: &str) -> Vec<String> {
        let tokens = tokenize(text, "f.c").tokens;
        let show = |c: &Chunk| {
            let words: Vec<_> = tokens[c.tokens.clone()].iter().map(|t| t.text(text)).collect();
            format!("{}{}", if c.problem.is_some() { "!" } else { "" }, words.join(" "))
        };
        split(text, &tokens).iter().map(show).collect()
    }

    #[test]
    fn declarations_end_at_semicolons_and_bodies() {
        assert_eq!(
            chunks("int a; struct s { int b; } c; int f(void) { if (a) { ; } } int d[] = { 1 }; ;"),
            ["int a ;", "struct s { int b ; } c ;", "int f ( void ) { if ( a ) { ; } }", "int d [ ] = { 1 } ;", ";"]
        );
    }

    #[test]
    fn records_with_attributes_and_compound_literals_have_no_body() {
        assert_eq!(chunks("struct __attribute__((packed)) s { int a; } x; int y;").len(), 2);
        assert_eq!(chunks("int *p = (int[]){ 1 }; int y;").len(), 2);
        assert_eq!(chunks("struct s *f(void) { return 0; } int y;").len(), 2);
    }

    #[test]
    fn old_style_definitions_are_one_declaration() {
        assert_eq!(
            chunks("int f(a, b) int a; char *b; { return a; } int c;"),
            ["int f ( a , b ) int a ; char * b ; { return a ; }", "int c ;"]
        );
        assert_eq!(
            chunks("__typeof__(int) f(void); int g(void) __attribute__((cold)); _Alignas(8) int a; int b;").len(),
            4
        );
        assert_eq!(chunks("int f(void) X Y; int g(void) { }").len(), 2);
    }

    #[test]
    fn old_style_parameters_may_point_to_functions() {
        let definition = "int f ( g , x ) int ( * g ) ( int ) ; int x ; { return g ( x ) ; }";
        assert_eq!(chunks(&format!("{definition} int c;")), [definition, "int c ;"]);
        assert_eq!(chunks("int f(void) MACRO(x); int g(void) { }").len(), 2);
    }

    #[test]
    fn one_open_bracket_costs_one_declaration() {
        assert_eq!(
            chunks("int f(void) {\n if (1) {\n}\nint g(void) { }\nint c;"),
            ["!int f ( void ) { if ( 1 ) { }", "int g ( void ) { }", "int c ;"]
        );
        assert_eq!(chunks("int a(;\nint b;"), ["!int a ( ;", "int b ;"]);
        assert_eq!(chunks("} int b;"), ["!}", "int b ;"]);
        assert_eq!(chunks("int f(void) { g(1; } int b;"), ["!int f ( void ) { g ( 1 ; }", "int b ;"]);
        assert_eq!(chunks("int"), ["!int"]);
    }
}
