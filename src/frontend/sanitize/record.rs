//! Specifiers of structs, unions and enumerations: attributes that lang-c drops, types of enumerations, bit-fields.

use super::{RecordAttributes, Rewriter, is_type_keyword};
use crate::frontend::attributes::RawAttribute;
use std::ops::Range;

impl<'a> Rewriter<'a> {
    /// Takes the attributes behind the keyword and behind the closing brace, which belong to the type.
    pub(super) fn rewrite_record(&mut self, i: usize) -> usize {
        let mut lists = Vec::new();
        let mut at = i + 1;
        let mut collect = |this: &mut Self, at: &mut usize| {
            while matches!(this.word(*at), "__attribute__" | "__attribute") && this.word(*at + 1) == "(" {
                let behind = this.close(*at + 1) + 1;
                lists.extend(this.attribute_list(*at));
                this.taken.insert(*at, behind);
                *at = behind;
            }
        };
        collect(self, &mut at);
        let tag = at;
        if self.is_word(at) {
            at += 1;
        }
        let base = self.underlying_type(i, at);
        at = base.end;
        let defined = self.word(at) == "{";
        if defined {
            if self.word(i) != "enum" {
                self.records_end.insert(self.close(at));
            }
            at = self.close(at) + 1;
            collect(self, &mut at);
        }
        let keyword = self.tokens[i].start;
        let mut list: Vec<String> = lists.iter().map(|a| self.spell(a)).collect();
        let limit = (self.packing)(keyword);
        if defined && limit != 0 && self.word(i) != "enum" {
            list.push(format!("pragma_pack({limit})"));
        }
        if !base.is_empty() {
            let words: Vec<&str> = (base.start + 1..base.end).map(|k| self.word(k)).collect();
            list.push(format!("cellog_underlying(sizeof({}))", words.join(" ")));
        }
        if !list.is_empty() {
            self.out.records.push(RecordAttributes { keyword, list: list.join(", ") });
        }
        self.keep(i);
        if base.is_empty() {
            return i + 1;
        }
        (tag..base.start).for_each(|k| self.keep(k));
        base.end
    }

    /// The `: type` at `colon` of the enumeration at `i`; empty where there is none. What is no type there is a bit-field's width.
    fn underlying_type(&self, i: usize, colon: usize) -> Range<usize> {
        if self.word(i) != "enum" || self.word(colon) != ":" || !self.names_type(colon + 1) {
            return colon..colon;
        }
        let mut end = colon + 1;
        let mut named = false;
        while self.names_type(end) && (!named || is_type_keyword(self.word(end))) {
            named = true;
            end += 1;
            if self.word(end) == "(" {
                end = self.close(end) + 1;
            }
        }
        colon..end
    }

    fn spell(&self, attribute: &RawAttribute) -> String {
        match &attribute.arguments {
            None => attribute.name.to_owned(),
            Some(range) => {
                let words: Vec<&str> = range.clone().map(|k| self.word(k)).collect();
                format!("{}({})", attribute.name, words.join(" "))
            }
        }
    }

    /// Puts the attributes behind a bit-field's width, which lang-c drops, before its `:`.
    pub(super) fn rewrite_behind_width(&mut self, colon: usize) {
        let is_attribute = |k: usize| matches!(self.word(k), "__attribute__" | "__attribute");
        if self.names_type(colon + 1) {
            return;
        }
        let stop = |k: &usize| matches!(self.word(*k), ";" | "," | "?" | "{" | "}") || is_attribute(*k);
        if let Some(at) = (colon + 1..self.tokens.len()).find(stop).filter(|at| is_attribute(*at))
            && self.word(at + 1) == "("
            && !self.taken.contains_key(&at)
            && matches!(self.word(self.close(at + 1) + 1), ";" | ",")
        {
            let behind = self.rewrite_attributes(at);
            self.taken.insert(at, behind);
        }
    }
}
