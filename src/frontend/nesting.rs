//! Refuses declarations that would exhaust the stack, or the time, of a recursive descent parser.
//!
//! lang-c recurses for every bracket, prefix operator, `else` and label, backtracks exponentially over type names nested
//! in type names, and builds trees as deep as an operator chain is long.

use super::tokens::{Token, TokenKind, plain_punctuator};

/// Brackets in brackets.
const MAX_BRACKETS: usize = 400;
/// Brackets, operators and nested statements around one token.
const MAX_DEPTH: usize = 10_000;
/// Type names (or member lists) in parentheses in type names.
const MAX_TYPE_NAMES: usize = 12;

/// The first token of `tokens` that is nested too deep, and the limit it breaks. Brackets must match.
pub(super) fn too_deep(text: &str, tokens: &[Token], is_type: &dyn Fn(&str) -> bool) -> Option<(usize, String)> {
    // Per open bracket: operators since the last separator, and whether it begins a type name.
    let mut open: Vec<(usize, bool)> = vec![(0, false)];
    let (mut depth, mut type_names) = (0usize, 0usize);
    for (i, token) in tokens.iter().enumerate() {
        let word = plain_punctuator(token.text(text));
        let next = tokens.get(i + 1).map_or("", |t| t.text(text));
        let levels = open.len();
        let top = open.last_mut().expect("the outermost level stays");
        match (token.kind, word) {
            (TokenKind::Punctuator, "(" | "[" | "{") => {
                top.0 += 1;
                depth += 1;
                let names_type = match word {
                    "(" => is_type(next),
                    "{" => type_names > 0 && levels > 1,
                    _ => false,
                };
                type_names += usize::from(names_type);
                open.push((0, names_type));
                if open.len() > MAX_BRACKETS {
                    return Some((i, format!("brackets are nested more than {MAX_BRACKETS} deep")));
                }
                if type_names > MAX_TYPE_NAMES {
                    return Some((i, format!("type names are nested more than {MAX_TYPE_NAMES} deep")));
                }
            }
            (TokenKind::Punctuator, ")" | "]" | "}") if levels > 1 => {
                let (chain, names_type) = open.pop().expect("more than one level is open");
                depth -= chain;
                type_names -= usize::from(names_type);
                if word == "}" && next != "else" {
                    let top = open.last_mut().expect("the outermost level stays");
                    depth -= std::mem::take(&mut top.0);
                }
            }
            (TokenKind::Punctuator, ";") if next == "else" => {}
            (TokenKind::Punctuator, "," | ";") => depth -= std::mem::take(&mut top.0),
            (TokenKind::Punctuator, _)
            | (TokenKind::Word, "if" | "else" | "while" | "for" | "do" | "switch" | "case" | "default" | "sizeof") => {
                top.0 += 1;
                depth += 1;
            }
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Some((i, format!("operators and statements are nested more than {MAX_DEPTH} deep")));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokenize;
    use super::*;

    fn check(text: &str) -> Option<String> {
        let is_type = |w: &str| w == "int" || w == "struct";
        too_deep(text, &tokenize(text, "f.c").tokens, &is_type).map(|(_, m)| m)
    }

    #[test]
    fn long_is_not_deep() {
        assert_eq!(check(&format!("int x[] = {{ {} }};", "-1, ".repeat(100_000))), None);
        assert_eq!(check(&format!("void f(void) {{ {} }}", "x = (a + b); { } ".repeat(100_000))), None);
        assert_eq!(check(&format!("void f(void) {{ {} ; }}", "if (a) { } else ".repeat(1_000))), None);
    }

    #[test]
    fn every_kind_of_depth_has_a_limit() {
        let brackets = Some("brackets are nested more than 400 deep".to_owned());
        assert_eq!(check(&format!("int x = {}1", "(".repeat(100_000))), brackets);
        let depth = Some("operators and statements are nested more than 10000 deep".to_owned());
        for unit in ["- ", "(int)", "+ 1", "if (a) { } else ", "if (a) ", "a ? b : ", "case 1: ", "x = ", ". a"] {
            assert_eq!(check(&unit.repeat(20_000)), depth, "{unit}");
        }
        let types = Some("type names are nested more than 12 deep".to_owned());
        assert_eq!(check(&"sizeof(struct { int a[".repeat(50)), types);
        assert_eq!(check(&"sizeof(int[".repeat(50)), types);
    }
}
