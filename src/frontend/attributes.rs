//! `__attribute__((...))`: which attributes change what a program means, and how they are spelled.

use super::tokens::{Token, TokenKind};
use std::ops::Range;

/// The attributes that reach lowering; all others advise the optimizer or the diagnostics of a compiler.
const MEANINGFUL: &[&str] = &[
    "address_space",
    "alias",
    "aligned",
    "cleanup",
    "constructor",
    "destructor",
    "ext_vector_type",
    "gnu_inline",
    "ifunc",
    "mode",
    "ms_struct",
    "noreturn",
    "packed",
    "returns_twice",
    "scalar_storage_order",
    "transparent_union",
    "vector_size",
    "weak",
    "weakref",
];

/// One attribute of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RawAttribute<'a> {
    /// Without underscores around it.
    pub name: &'a str,
    /// The tokens between its parentheses.
    pub arguments: Option<Range<usize>>,
}

/// The attributes between the inner parentheses of a list, whose tokens are `inner`, that change a program's meaning.
/// `matching` gives for every opening bracket its closing one.
pub(super) fn meaningful<'a>(
    text: &'a str,
    tokens: &[Token],
    inner: Range<usize>,
    matching: &[u32],
) -> Vec<RawAttribute<'a>> {
    let mut found = Vec::new();
    let mut i = inner.start;
    while i < inner.end {
        if tokens[i].kind == TokenKind::Word {
            let name = bare_name(tokens[i].text(text));
            let mut attribute = RawAttribute { name, arguments: None };
            if i + 1 < inner.end && tokens[i + 1].text(text) == "(" {
                let close = matching[i + 1] as usize;
                attribute.arguments = Some(i + 2..close);
                i = close;
            }
            if MEANINGFUL.contains(&name) {
                found.push(attribute);
            }
        }
        i += 1;
    }
    found
}

/// `packed` of `__packed__`.
pub(super) fn bare_name(name: &str) -> &str {
    name.strip_prefix("__").and_then(|n| n.strip_suffix("__")).filter(|n| !n.is_empty()).unwrap_or(name)
}

/// The effect of `#pragma pack(...)` on the greatest alignment of members, in bytes; 0 for none.
#[derive(Clone, Debug, Default)]
pub(super) struct PackState {
    current: u32,
    /// With the label of a `push`.
    saved: Vec<(String, u32)>,
}

impl PackState {
    /// The limit in force.
    pub fn current(&self) -> u32 {
        self.current
    }
    /// Reads a pragma's text; those that are not `pack` change nothing.
    pub fn pragma(&mut self, text: &str) {
        let Some(list) = text.strip_prefix("pack").map(str::trim).and_then(|t| t.strip_prefix('(')) else { return };
        let Some((list, _)) = list.split_once(')') else { return };
        let words: Vec<&str> = list.split(',').map(str::trim).filter(|w| !w.is_empty()).collect();
        let number = words.iter().find_map(|w| w.parse::<u32>().ok());
        let label = words.iter().skip(1).find(|w| w.parse::<u32>().is_err()).copied().unwrap_or("");
        match words.first() {
            Some(&"push") => {
                self.saved.push((label.to_owned(), self.current));
                self.current = number.unwrap_or(self.current);
            }
            Some(&"pop") => {
                let at = match label {
                    "" => self.saved.len().checked_sub(1),
                    l => self.saved.iter().rposition(|(s, _)| s == l),
                };
                if let Some(at) = at {
                    self.current = self.saved[at].1;
                    self.saved.truncate(at);
                }
                self.current = number.unwrap_or(self.current);
            }
            _ => self.current = number.unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_pragmas_nest() {
        let mut state = PackState::default();
        let mut step = |text: &str| {
            state.pragma(text);
            state.current()
        };
        assert_eq!(step("pack(1)"), 1);
        assert_eq!(step("pack(push, 4)"), 4);
        assert_eq!(step("pack (push, here, 2)"), 2);
        assert_eq!(step("pack(push)"), 2);
        assert_eq!(step("pack(pop, here)"), 4);
        assert_eq!(step("pack(pop)"), 1);
        assert_eq!(step("omp parallel"), 1);
        assert_eq!(step("pack()"), 0);
        assert_eq!(step("pack(pop)"), 0);
    }

    #[test]
    fn names_lose_their_underscores() {
        assert_eq!(bare_name("__packed__"), "packed");
        assert_eq!(bare_name("____"), "____");
        assert_eq!(bare_name("__x"), "__x");
    }
}
