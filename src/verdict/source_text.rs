//! Places that witnesses want and spans do not have, found in the source's text. Where the text is not as expected, as in what macros
//! give, nothing is found.

/// Whether `word` stands at the line and column, by itself.
pub fn is_word_at(text: &str, line: u32, column: u32, word: &str) -> bool {
    let rest = text_from(text, line, column).and_then(|rest| rest.strip_prefix(word));
    rest.is_some_and(|rest| !rest.starts_with(is_of_name))
}

/// The line and column of the right parenthesis behind the arguments of the call of `function` that begins there.
pub fn end_of_call(text: &str, line: u32, column: u32, function: &str) -> Option<(u32, u32)> {
    if !is_word_at(text, line, column, function) {
        return None;
    }
    let (mut line, mut column) = (line, column);
    let mut depth = 0;
    let mut rest = text_from(text, line, column)?.chars();
    let name = function.chars().count();
    for at in 0.. {
        let c = rest.next()?;
        match c {
            // Whatever else may hold parentheses is not looked into.
            '"' | '\'' | '#' | '/' | ';' | '{' => return None,
            '(' => depth += 1,
            ')' => depth -= 1,
            c if depth == 0 && at >= name && !c.is_whitespace() => return None,
            _ => {}
        }
        if c == ')' && depth <= 0 {
            return (depth == 0).then_some((line, column));
        }
        (line, column) = if c == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    None
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// What stands from the line and column on; both count from 1.
fn text_from(text: &str, line: u32, column: u32) -> Option<&str> {
    let start: usize = text.split_inclusive('\n').take(line.checked_sub(1)? as usize).map(str::len).sum();
    text.get(start + column.checked_sub(1)? as usize..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_end_at_their_parenthesis() {
        let text = "int x = f(g(1), (2));\nint y = f\n  ( );\nint z = f(\")\") + F;";
        assert_eq!(end_of_call(text, 1, 9, "f"), Some((1, 20)));
        assert_eq!(end_of_call(text, 1, 11, "g"), Some((1, 14)));
        assert_eq!(end_of_call(text, 2, 9, "f"), Some((3, 5)));
        assert_eq!(end_of_call(text, 4, 9, "f"), None, "text may hold anything");
        assert_eq!(end_of_call(text, 4, 18, "F"), None, "no call");
        assert_eq!(end_of_call(text, 1, 8, "f"), None);
        assert_eq!(end_of_call(text, 9, 1, "f"), None);
    }

    #[test]
    fn words_stand_by_themselves() {
        assert!(is_word_at("a\n  while (1)", 2, 3, "while"));
        assert!(!is_word_at("  while_ (1)", 1, 3, "while"));
        assert!(!is_word_at("", 0, 0, "while"));
    }
}
