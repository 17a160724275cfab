//! What mends errors with freed memory: a pointer that forgets what is freed, and memory that is freed behind its last use.

use super::candidate::{Candidate, Site, null};
use super::edit::Edit;
use super::expression::{arguments, is_pure, pointer_of};

use super::statement::{Statement, enclosing, function_around, statement_at, tokens};

/// Calls of `free` that are tried.
const TRIED: usize = 4;

/// `free(pointer);`
struct Free {
    statement: Statement,
    /// The byte that the call begins at.
    at: usize,
    pointer: String,
}

/// The statements that free something and no more, in order.
fn frees(text: &str) -> Vec<Free> {
    let all = tokens(text);
    let free = |number: usize| {
        let pointer = match &arguments(text, &all, number)?[..] {
            [(_, pointer)] if is_pure(pointer) => (*pointer).to_owned(),
            _ => return None,
        };
        let statement = statement_at(text, all[number].start)?;
        let is_alone = statement.start == all[number].start;
        is_alone.then_some(Free { statement, at: all[number].start, pointer })
    };
    (0..all.len()).filter(|number| all[*number].text == "free").filter_map(free).collect()
}

/// Pointers that are NULL once what they point to is freed: those that are freed in front of the place under the same name first.
pub fn forgetting(subject: &str, site: Site<'_>) -> Vec<Candidate> {
    let Some(freed) = pointer_of(subject) else { return Vec::new() };
    let mut all: Vec<Free> = frees(site.text);
    // A branch without braces would forget what is not freed.
    all.retain(|free| free.at != site.at && !free.statement.is_bare);
    all.sort_by_key(|free| (free.pointer != freed, free.at > site.at, free.at.abs_diff(site.at)));
    let forget = |free: &Free| {
        let Free { statement, pointer, .. } = free;
        let text = format!(" {pointer} = {};", null(site.text));
        Candidate::changing(format!("forgets {pointer} where it is freed"), vec![Edit::insertion(statement.end, text)])
    };
    all.iter().take(TRIED).map(forget).collect()
}

/// Memory that is freed in front of the place, in the same function, and would be freed behind it.
pub fn freeing_later(site: Site<'_>) -> Vec<Candidate> {
    let Some(uses) = enclosing(site.text, site.at) else { return Vec::new() };
    let later = |free: &Free| {
        // The statement around the place that begins behind the call: they have a block in common.
        let statement = uses.iter().find(|statement| statement.start > free.at)?;
        let same_function = function_around(site.text, free.at) == function_around(site.text, site.at);
        let returns = site.text[statement.start..].starts_with("return");
        if free.at > site.at || !same_function || returns || free.statement.is_bare {
            return None;
        }
        let line = site.text[..statement.start].rfind('\n').map_or(0, |newline| newline + 1);
        let indent: String = site.text[line..statement.start].chars().take_while(|c| c.is_whitespace()).collect();
        let Statement { start, end, .. } = free.statement;
        let gone = Edit { at: start, removed: end - start, text: String::new() };
        let text = format!("\n{indent}{}", &site.text[start..end]);
        let title = format!("frees {} behind its last use", free.pointer);
        Some(Candidate::changing(title, vec![gone, Edit::insertion(statement.end, text)]))
    };
    frees(site.text).iter().rev().filter_map(later).take(TRIED).collect()
}

#[cfg(test)]
mod tests {
    use super::super::candidate::Returns;
    use super::*;

    fn mended(text: &str, candidates: impl Fn(Site<'_>) -> Vec<Candidate>) -> Option<String> {
        let at = text.find('@').expect("a place");
        let text = text.replace('@', "");
        let site =
            Site { text: &text, at, function: "f", returns: Returns::Number, judged: None, is_array: &|_| false };
        candidates(site).first().map(|candidate| candidate.edits.apply(&text))
    }

    #[test]
    fn what_is_freed_is_forgotten() {
        let forget = |subject: &'static str| move |site: Site<'_>| forgetting(subject, site);
        let text = "int f(void) { if (c) { free(s->p); } @free(s->p); return 0; }";
        let wanted = "int f(void) { if (c) { free(s->p); s->p = 0; } free(s->p); return 0; }";
        assert_eq!(mended(text, forget("free(s->p)")).as_deref(), Some(wanted));
        assert_eq!(mended("int f(void) { if (c) free(p); @free(p); }", forget("free(p)")), None);
        // Callers may stand behind what they call.
        let text = "void g(int *p) { @free(p); } int f(void) { free(q); g(q); }";
        let wanted = "void g(int *p) { free(p); } int f(void) { free(q); q = 0; g(q); }";
        assert_eq!(mended(text, forget("free(p)")).as_deref(), Some(wanted));
    }

    #[test]
    fn what_is_used_is_freed_later() {
        let text = "int f(void) {\n  if (c) { free(p); }\n  if (d) { g(@*p); }\n  h();\n}";
        let wanted = "int f(void) {\n  if (c) {  }\n  if (d) { g(*p); }\n  free(p);\n  h();\n}";
        assert_eq!(mended(text, freeing_later).as_deref(), Some(wanted));
        assert_eq!(mended("int f(void) { free(p); return @*p; }", freeing_later), None);
        assert_eq!(mended("int g(void) { free(p); } int f(void) { g(@*p); }", freeing_later), None);
    }
}
