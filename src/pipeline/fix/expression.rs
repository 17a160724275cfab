//! Expressions of C as text: what is safe to write down a second time, and their parts.

use super::statement::{Token, tokens};

/// `text` in parentheses unless it is a name, a member or an element, or has them already.
pub fn primary(text: &str) -> String {
    if is_in_parentheses(text) {
        return text.to_owned();
    }
    let plain = tokens(text).iter().all(|t| {
        t.text.starts_with(|c: char| c.is_alphanumeric() || c == '_') || matches!(t.text, "->" | "." | "[" | "]")
    });
    if plain { text.to_owned() } else { format!("({text})") }
}

/// Whether the first parenthesis of `text` is closed by its last character.
fn is_in_parentheses(text: &str) -> bool {
    let mut depth = 0usize;
    let closes = |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    };
    text.starts_with('(') && text.chars().position(closes) == Some(text.chars().count() - 1)
}

/// Functions that change nothing, so that calling them twice is the same as once.
const PURE: [&str; 3] = ["strlen", "wcslen", "sizeof"];

/// Whether evaluating `text` twice is the same as once: no assignment, no step, no call but of functions that change nothing.
pub fn is_pure(text: &str) -> bool {
    let all = tokens(text);
    let is_name = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_call = |t: &[Token<'_>]| is_name(&t[0]) && !PURE.contains(&t[0].text) || t[0].text == ")";
    let calls = all.windows(2).any(|t| is_call(t) && t[1].text == "(");
    let changes = |t: &Token<'_>| {
        t.text == "="
            || t.text == "++"
            || t.text == "--"
            || t.text.len() > 1 && t.text.ends_with('=') && !matches!(t.text, "==" | "!=" | "<=" | ">=")
    };
    !all.is_empty() && !calls && !all.iter().any(changes) && !text.contains("...")
}

/// The operator of `subject` outside of brackets that is done last, if it is one of `operators`, with its operands, which are pure.
pub fn operands<'s>(subject: &'s str, operators: &[&str]) -> Option<(&'s str, &'s str, &'s str)> {
    let all = tokens(subject);
    let mut depth = 0usize;
    let mut found = None;
    for (number, token) in all.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            text if depth == 0 && number > 0 && operators.contains(&text) => found = Some(token),
            _ => {}
        }
    }
    let token = found?;
    let (left, right) = (subject[..token.start].trim(), subject[token.end()..].trim());
    (is_pure(left) && is_pure(right)).then_some((left, token.text, right))
}

/// The pointer that an access goes through.
pub fn pointer_of(subject: &str) -> Option<&str> {
    let all = tokens(subject);
    let pointer = if let Some(rest) = subject.strip_prefix('*') {
        rest.trim()
    } else if let Some((array, _)) = index_of(subject) {
        array
    } else {
        let mut depth = 0usize;
        let mut arrow = None;
        for token in &all {
            match token.text {
                "(" | "[" => depth += 1,
                ")" | "]" => depth = depth.checked_sub(1)?,
                "->" if depth == 0 => arrow = Some(token.start),
                _ => {}
            }
        }
        match (arrow, all.first(), all.get(1)) {
            (Some(arrow), ..) => subject[..arrow].trim(),
            // An argument of a library function.
            (None, Some(_), Some(open)) if open.text == "(" => subject[open.end()..].strip_suffix(')')?.trim(),
            _ => return None,
        }
    };
    (is_pure(pointer)).then_some(pointer)
}

/// The array and the index of `array[index]`.
pub fn index_of(subject: &str) -> Option<(&str, &str)> {
    let inside = subject.strip_suffix(']')?;
    let mut depth = 1usize;
    let open = inside.char_indices().rev().find_map(|(at, c)| {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })?;
    let (array, index) = (inside[..open].trim(), inside[open + 1..].trim());
    (is_pure(array) && is_pure(index)).then_some((array, index))
}

/// The expressions between the parentheses of a call whose name is the token `name` of `all`, and the bytes that each takes.
pub fn arguments<'t>(text: &'t str, all: &[Token<'t>], name: usize) -> Option<Vec<(std::ops::Range<usize>, &'t str)>> {
    if all.get(name + 1)?.text != "(" {
        return None;
    }
    let (mut depth, mut from, mut found) = (0usize, all[name + 1].end(), Vec::new());
    for token in &all[name + 1..] {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 || depth == 1 && token.text == "," {
            let part = &text[from..token.start];
            let start = from + part.len() - part.trim_start().len();
            found.push((start..start + part.trim().len(), part.trim()));
            from = token.end();
        }
        if depth == 0 {
            return Some(found);
        }
    }
    None
}

/// `text` without casts in front and parentheses around it.
pub fn bare(text: &str) -> &str {
    let text = text.trim();
    if is_in_parentheses(text) {
        return bare(&text[1..text.len() - 1]);
    }
    let all = tokens(text);
    let mut depth = 0usize;
    let close = all.iter().position(|token| {
        depth += usize::from(token.text == "(");
        depth -= usize::from(token.text == ")" && depth > 0);
        depth == 0
    });
    // `(T *)p` and `(T)(p)`, but not `(a) + b`.
    let is_type = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_') || t.text == "*";
    match close.filter(|close| text.starts_with('(') && *close > 1 && all[1..*close].iter().all(is_type)) {
        Some(close) if all.get(close + 1).is_some_and(|t| t.text == "(" || is_type(t) && t.text != "*") => {
            bare(&text[all[close].end()..])
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_something_is_not_pure() {
        assert!(is_pure("a->b[i] + strlen(c) * sizeof(int)"));
        assert!(!is_pure("f(a)") && !is_pure("a++") && !is_pure("(a = b)") && !is_pure("(*p)(1)"));
    }

    #[test]
    fn calls_come_apart() {
        let text = "x = memcpy(a, (b + f(1, 2)), n * sizeof(int));";
        let all = tokens(text);
        let parts = arguments(text, &all, 2).expect("a call");
        assert_eq!(parts.iter().map(|(_, part)| *part).collect::<Vec<_>>(), ["a", "(b + f(1, 2))", "n * sizeof(int)"]);
        assert!(parts.iter().all(|(place, part)| &text[place.clone()] == *part));
        assert_eq!(arguments(text, &all, 0), None);
    }

    #[test]
    fn casts_and_parentheses_are_taken_off() {
        assert_eq!(bare("(int64_t *)malloc(50*sizeof(int64_t))"), "malloc(50*sizeof(int64_t))");
        assert_eq!((bare("((p))"), bare("(char)(a + 1)"), bare("(a) + b")), ("p", "a + 1", "(a) + b"));
        assert_eq!((bare("(a) * b"), bare("p")), ("(a) * b", "p"));
    }
}
