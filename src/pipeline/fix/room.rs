//! How much memory lies behind a pointer, as the text around it says: an expression of C in bytes. It is a guess, which a second check must
//! confirm.

use super::expression::{arguments, bare, is_pure};
use super::statement::{Token, body_around, tokens};

/// Assignments that are followed back from a pointer.
const STEPS: usize = 4;

/// The bytes behind `pointer` at byte `at` of a text. `is_array`: whether a variable of the function, or a member, is an array by its name.
pub fn room(pointer: &str, text: &str, at: usize, is_array: &dyn Fn(&str) -> bool) -> Option<String> {
    let all = tokens(text);
    let first = body_around(&all, at)?;
    let behind = first + all[first..].iter().take_while(|token| token.start < at).count();
    Search { text, all: &all, first, is_array }.room(pointer, behind, STEPS)
}

/// The bytes of ` - n` where `pointer` is set to `name - n` last in front of byte `at`, in the same function.
pub fn displacement(pointer: &str, text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let all = tokens(text);
    let first = body_around(&all, at)?;
    let behind = first + all[first..].iter().take_while(|token| token.start < at).count();
    let search = Search { text, all: &all, first, is_array: &|_| false };
    let set = search.last_set(pointer, behind)?;
    let is_name = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let (base, minus) = (all.get(set + 2).filter(|t| is_name(t))?, all.get(set + 3)?);
    let end = search.end_of(set + 2)?;
    (minus.text == "-" && is_pure(&text[minus.end()..end])).then(|| base.end()..end)
}

struct Search<'a> {
    text: &'a str,
    all: &'a [Token<'a>],
    /// The token that the function's body begins with.
    first: usize,
    is_array: &'a dyn Fn(&str) -> bool,
}

impl Search<'_> {
    /// The bytes behind `pointer` in front of the token `behind`.
    fn room(&self, pointer: &str, behind: usize, steps: usize) -> Option<String> {
        let parts = tokens(pointer);
        let is_name = |t: &Token<'_>| t.text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let last = parts.last().filter(|last| is_name(last))?;
        if (self.is_array)(last.text) && is_pure(pointer) {
            return Some(format!("sizeof {pointer}"));
        }
        if parts.len() != 1 || steps == 0 {
            return None;
        }
        let set = self.last_set(pointer, behind)?;
        let value = bare(&self.text[self.all[set + 1].end()..self.end_of(set + 2)?]);
        let words = tokens(value);
        match &words[..] {
            [name] if is_name(name) => self.room(name.text, set, steps - 1),
            [name, open, ..] if is_name(name) && open.text == "(" => allocated(name.text, value, &words),
            _ => None,
        }
    }

    /// The token of the last assignment to a variable in front of the token `behind`.
    fn last_set(&self, variable: &str, behind: usize) -> Option<usize> {
        let is_set = |at: &usize| {
            let before = self.all[at - 1].text;
            self.all[*at].text == variable
                && self.all.get(at + 1).is_some_and(|t| t.text == "=")
                && !matches!(before, "." | "->")
        };
        (self.first + 1..behind).rev().find(is_set)
    }

    /// The byte at which the expression ends that begins with the token `first`.
    fn end_of(&self, first: usize) -> Option<usize> {
        let mut depth = 0usize;
        for token in self.all.get(first..)? {
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                ";" | "," if depth == 0 => return Some(token.start),
                _ => {}
            }
        }
        None
    }
}

/// The bytes that a call gives whose name says that it allocates: `malloc(n)`, `xmalloc(n)`, `calloc(n, size)`, `realloc(p, n)`.
fn allocated(name: &str, value: &str, words: &[Token<'_>]) -> Option<String> {
    let name = name.to_lowercase();
    let parts = arguments(value, words, 0)?;
    let parts: Vec<&str> = parts.iter().map(|(_, part)| *part).filter(|part| is_pure(part)).collect();
    match parts[..] {
        [bytes] if name.ends_with("alloc") || name.ends_with("alloca") => Some(format!("({bytes})")),
        [_, bytes] if name.ends_with("realloc") => Some(format!("({bytes})")),
        [count, size] if name.ends_with("calloc") => Some(format!("(({count}) * ({size}))")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pointer: &str, text: &str) -> Option<String> {
        let at = text.find('@').expect("a place");
        room(pointer, &text.replace('@', ""), at, &|name| matches!(name, "buf" | "member"))
    }

    #[test]
    fn arrays_and_allocations_say_how_long_they_are() {
        assert_eq!(of("buf", "void f(void) { @g(buf); }").as_deref(), Some("sizeof buf"));
        assert_eq!(of("s->member", "void f(void) { @g(s->member); }").as_deref(), Some("sizeof s->member"));
        let text = "void f(int n) { char *p = (char *)malloc(n * sizeof(int)), *q; q = p; if (n) { @g(q); } }";
        assert_eq!(of("q", text).as_deref(), Some("(n * sizeof(int))"));
        assert_eq!(of("p", "void f(void) { p = 0; p = buf; @g(p); p = h; }").as_deref(), Some("sizeof buf"));
        assert_eq!(of("p", "void f(void) { p = calloc(4, n); @g(p); }").as_deref(), Some("((4) * (n))"));
    }

    #[test]
    fn pointers_in_front_of_memory_are_seen() {
        let text = "void f(void) { p = buf - 8; g(p); }";
        let found = displacement("p", text, text.find("g(").expect("a place")).expect("a displacement");
        assert_eq!(&text[found], " - 8");
        let text = "void f(void) { p = buf - 8; p = buf; g(p); }";
        assert_eq!(displacement("p", text, text.find("g(").expect("a place")), None);
    }

    #[test]
    fn what_comes_from_elsewhere_is_not_known() {
        assert_eq!(of("p", "void g(void) { p = buf; } void f(char *p) { @g(p); }"), None);
        assert_eq!(of("p", "void f(void) { p = malloc(next()); @g(p); }"), None);
        assert_eq!(of("p", "void f(void) { p = buf + 2; @g(p); }"), None);
    }
}
