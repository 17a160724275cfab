//! `__label__`: labels whose scope is a block (GNU C) get names of their own, as several blocks of a function may have the same.

use super::{Rewriter, TokenKind};
use std::borrow::Cow;

/// A label of one block.
#[derive(Clone, Debug)]
pub(super) struct LocalLabel<'a> {
    name: &'a str,
    /// The token that ends its block.
    end: usize,
    number: usize,
}

impl<'a> Rewriter<'a> {
    /// Notes the labels that `__label__` at `i` declares; the token behind.
    pub(super) fn declare_labels(&mut self, i: usize, end: usize) -> usize {
        let stop = (i..end).find(|&k| self.word(k) == ";").unwrap_or(end);
        let block = self.end_of_block(i);
        for k in i + 1..stop {
            if self.is_word(k) {
                let (name, number) = (self.word(k), self.local_labels.len());
                self.local_labels.push(LocalLabel { name, end: block, number });
            }
        }
        (stop + 1).min(end)
    }

    /// The bracket that closes the block around token `i`.
    fn end_of_block(&self, i: usize) -> usize {
        let mut at = i;
        while at < self.tokens.len() {
            match self.word(at) {
                "(" | "[" | "{" if self.tokens[at].kind == TokenKind::Punctuator => at = self.close(at),
                "}" if self.tokens[at].kind == TokenKind::Punctuator => return at,
                _ => {}
            }
            at += 1;
        }
        at
    }

    /// The name of the label at token `i`, when it is one of a block's own.
    pub(super) fn local_label(&self, i: usize) -> Option<Cow<'a, str>> {
        let name = self.word(i);
        let label = self.local_labels.iter().rev().find(|l| l.name == name && i < l.end)?;
        Some(Cow::Owned(format!("{name}__cellog_{}", label.number)))
    }

    /// Whether the word at `i` is a label by where it stands.
    pub(super) fn stands_as_label(&self, i: usize) -> bool {
        let begins = || matches!(self.before(i), ";" | "{" | "}" | ":" | ")" | "else" | "do");
        self.before(i) == "goto" || self.word(i + 1) == ":" && begins()
    }
}
