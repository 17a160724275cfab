//! `_Alignof` of an expression and `__alignof__` (GNU C), and `_Alignas` in a form that lang-c takes in members too.

use super::{Rewriter, TokenKind};

impl Rewriter<'_> {
    /// `_Alignof e` becomes `__cellog_alignment(e)`, `__alignof__(T)` becomes `__cellog_type_alignment(sizeof(T))`:
    /// `_Alignof(T)` is a member's alignment, the others are a variable's.
    pub(super) fn rewrite_alignof(&mut self, i: usize) -> usize {
        if self.word(i + 1) == "(" && self.names_type(i + 2) {
            if self.word(i) == "_Alignof" {
                self.keep(i);
                return i + 1;
            }
            let behind = self.close(i + 1) + 1;
            self.emit("__cellog_type_alignment", i);
            self.emit("(", i);
            self.emit("sizeof", i);
            self.rewrite(i + 1..behind);
            self.emit(")", behind - 1);
            return behind;
        }
        let end = self.end_of_unary(i + 1);
        self.emit("__cellog_alignment", i);
        self.wrap(i + 1..end);
        end
    }

    /// The token behind the unary expression that begins at `at` (6.5.3).
    fn end_of_unary(&self, mut at: usize) -> usize {
        let is = |k: usize, words: &[&str]| words.contains(&self.word(k));
        while is(at, &["*", "&", "-", "+", "!", "~", "++", "--", "sizeof"]) {
            at += 1;
        }
        at = if self.word(at) == "(" { self.close(at) + 1 } else { at + 1 };
        while at < self.tokens.len() && self.tokens[at].kind == TokenKind::Punctuator {
            match self.word(at) {
                "(" | "[" => at = self.close(at) + 1,
                "." | "->" => at += 2,
                "++" | "--" => at += 1,
                _ => break,
            }
        }
        at.min(self.tokens.len())
    }

    /// `_Alignas(n)` becomes the attribute `aligned(n)`, `_Alignas(T)` that with `T`'s alignment.
    pub(super) fn rewrite_alignas(&mut self, i: usize) -> usize {
        let (open, close) = (i + 1, self.close(i + 1));
        self.emit("__attribute__", i);
        self.emit("((", i);
        self.emit("aligned", i);
        self.emit("(", i);
        if self.names_type(open + 1) {
            self.emit("_Alignof", i);
            self.wrap(open + 1..close);
        } else {
            self.rewrite(open + 1..close);
        }
        self.emit(")", close);
        self.emit("))", close);
        close + 1
    }
}
