//! Assembler statements: what is known of one without reading its template.
//!
//! An empty template computes nothing (compiler barriers, values hidden from an optimizer): `+` operands keep their values, an
//! output that shares its place with an input gets that input's value. Of another template its outputs are written, and
//! memory too if it names `memory` as changed or says nothing of what it does.

use super::{Rewriter, TokenKind};
use std::ops::Range;

/// `[name] "constraint" (value)`.
struct Operand<'a> {
    name: &'a str,
    constraint: String,
    /// The value with its parentheses.
    value: Range<usize>,
}

impl Operand<'_> {
    /// Written only; what was there before is lost.
    fn is_overwritten(&self) -> bool {
        self.constraint.starts_with('=')
    }

    /// Whether this input is put where output `index`, called `name`, is.
    fn shares_place(&self, index: usize, name: &str) -> bool {
        self.constraint.parse() == Ok(index) || !name.is_empty() && self.constraint == format!("[{name}]")
    }

    /// The operand names a place without its value being read.
    fn is_memory(&self) -> bool {
        self.constraint == "m" || self.constraint == "X"
    }
}

impl<'a> Rewriter<'a> {
    /// An assembler statement becomes a call with its output operands, or with what an empty one assigns; an assembler name stays.
    pub(super) fn rewrite_asm(&mut self, i: usize) -> usize {
        let mut open = i + 1;
        let mut jumps = false;
        while self.is_word(open) {
            jumps |= self.word(open) == "goto";
            open += 1;
        }
        if self.word(open) != "(" || open == i + 1 && !self.statement_begins(i) {
            self.keep(i);
            return i + 1;
        }
        let close = self.close(open);
        let template = open + 1..self.end_of_expression(open + 1, close, ":");
        let after = (template.end + 1).min(close);
        let split = self.end_of_expression(after, close, ":");
        let outputs = self.operands(after..split);
        let rest = (split + 1).min(close);
        let changes = self.end_of_expression(rest, close, ":");
        if jumps {
            self.call_with_values("__cellog_asm_goto", i, close, &outputs);
        } else if self.joined_text(template.clone()).trim().is_empty() {
            let inputs = self.operands(rest..changes);
            self.barrier(i, close, &outputs, &inputs);
        } else {
            let writes_memory = template.end == close || self.names_memory((changes + 1).min(close)..close);
            let name = if writes_memory { "__cellog_asm" } else { "__cellog_asm_values" };
            self.call_with_values(name, i, close, &outputs);
        }
        close + 1
    }

    /// Whether a statement begins at token `i`.
    fn statement_begins(&self, i: usize) -> bool {
        match self.before(i) {
            ";" | "{" | "}" | ":" | "else" | "do" => true,
            ")" => matches!(self.before(self.matching[i - 1] as usize), "if" | "while" | "for" | "switch"),
            _ => false,
        }
    }

    fn operands(&self, range: Range<usize>) -> Vec<Operand<'a>> {
        let mut found = Vec::new();
        let (mut at, mut name, mut constraint) = (range.start, "", String::new());
        while at < range.end {
            match self.word(at) {
                "[" => {
                    name = self.word(at + 1);
                    at = self.close(at);
                }
                "(" => {
                    let value = at..self.close(at) + 1;
                    at = value.end - 1;
                    found.push(Operand { name, constraint: std::mem::take(&mut constraint), value });
                    name = "";
                }
                _ if self.tokens[at].kind == TokenKind::Text => constraint += &self.joined_text(at..at + 1),
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// The characters of the string literals in `range`, their escapes as written.
    fn joined_text(&self, range: Range<usize>) -> String {
        let literals = self.tokens[range].iter().filter(|t| t.kind == TokenKind::Text);
        literals.flat_map(|t| t.text(self.text).trim_matches('"').chars()).collect()
    }

    fn names_memory(&self, clobbers: Range<usize>) -> bool {
        clobbers.into_iter().any(|i| self.joined_text(i..i + 1) == "memory")
    }

    fn call_with_values(&mut self, name: &'static str, i: usize, close: usize, operands: &[Operand<'_>]) {
        self.emit(name, i);
        self.emit("(", i);
        for (index, operand) in operands.iter().enumerate() {
            if index > 0 {
                self.emit(",", operand.value.start);
            }
            self.rewrite(operand.value.clone());
        }
        self.emit(")", close);
    }

    /// An empty template: one argument for each value that moves or is read.
    fn barrier(&mut self, i: usize, close: usize, outputs: &[Operand<'_>], inputs: &[Operand<'_>]) {
        self.emit("__cellog_barrier", i);
        self.emit("(", i);
        let mut arguments = 0;
        for input in inputs {
            let output = outputs.iter().enumerate().find(|(index, o)| input.shares_place(*index, o.name));
            if input.is_memory() {
                continue;
            }
            self.comma(&mut arguments, input.value.start);
            if let Some((_, output)) = output {
                self.rewrite(output.value.clone());
                self.emit("=", input.value.start);
            }
            self.rewrite(input.value.clone());
        }
        for (index, output) in outputs.iter().enumerate() {
            if output.is_overwritten() && !inputs.iter().any(|input| input.shares_place(index, output.name)) {
                self.comma(&mut arguments, output.value.start);
                self.call_with_values("__cellog_asm_values", output.value.start, close, std::slice::from_ref(output));
            }
        }
        self.emit(")", close);
    }

    /// Separates arguments.
    fn comma(&mut self, arguments: &mut usize, at: usize) {
        if *arguments > 0 {
            self.emit(",", at);
        }
        *arguments += 1;
    }
}
