//! The names that a declaration most likely declares which cannot be parsed: what uses them has no type, no size and no verdict.

use super::sanitize::is_type_keyword;
use super::split::Chunk;
use super::tokens::{Token, TokenKind, plain_punctuator};

/// A declaration that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The number of the unit's declarations before it.
    pub before: usize,
    pub names: Vec<String>,
    /// It has a function's body.
    pub is_definition: bool,
}

/// The names declared by the tokens of `chunk`, by their places alone: words outside of brackets, or behind `(` and `*`, that are
/// followed by what follows a declarator.
pub(super) fn declared_names(text: &str, tokens: &[Token], chunk: &Chunk) -> Vec<String> {
    let end = chunk.body.unwrap_or(chunk.tokens.end);
    let word = |i: usize| tokens.get(i).map_or("", |t| plain_punctuator(t.text(text)));
    let mut names = Vec::new();
    // Brackets around; `()` around a declarator do not count.
    let (mut depth, mut declarator) = (0usize, 0usize);
    let mut initializer = false;
    for (i, token) in tokens.iter().enumerate().take(end).skip(chunk.tokens.start) {
        if token.kind == TokenKind::Punctuator {
            match word(i) {
                "(" if depth == 0 && matches!(word(i + 1), "*" | "(" | "^") => declarator += 1,
                ")" if depth == 0 && declarator > 0 => declarator -= 1,
                "(" | "[" | "{" => depth += 1,
                "}" => (depth, initializer) = (depth.saturating_sub(1), initializer && depth > 1),
                ")" | "]" => depth = depth.saturating_sub(1),
                // Behind a `:` stands the type of an enumeration.
                "=" | ":" if depth == 0 => initializer = true,
                "," | ";" if depth == 0 => initializer = false,
                _ => {}
            }
            continue;
        }
        let is_tag = i > chunk.tokens.start && matches!(word(i - 1), "struct" | "union" | "enum");
        let ends =
            matches!(word(i + 1), "(" | "[" | "," | ";" | "=" | ")" | ":" | "{" | "__attribute__" | "__asm__" | "asm");
        let is_name = token.kind == TokenKind::Word && !is_type_keyword(word(i)) && !word(i).starts_with("__attribute");
        if depth == 0 && !initializer && is_name && !is_tag && (ends || i + 1 == end) {
            names.push(word(i).to_owned());
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::super::split::split;
    use super::super::tokens::tokenize;
    use super::*;

    fn names(text: &str) -> Vec<String> {
        let tokens = tokenize(text, "f.c").tokens;
        let chunks = split(text, &tokens);
        chunks.iter().flat_map(|chunk| declared_names(text, &tokens, chunk)).collect()
    }

    #[test]
    fn declarators_are_names_and_their_operands_are_not() {
        assert_eq!(names("static T x = f(y) + z, *w[N] = { q };"), ["x", "w"]);
        assert_eq!(names("int (*table[3])(int a, T b), g(int c);"), ["table", "g"]);
        assert_eq!(names("struct s { int m; } v; enum e { A, B } u;"), ["v", "u"]);
        assert_eq!(names("T f(T a, int b) { return c; }"), ["f"]);
        assert_eq!(names("struct s; enum e : odd { A } u;"), ["u"]);
    }
}
