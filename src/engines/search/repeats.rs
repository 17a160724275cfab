//! Records that are repeated hundreds of times, each once: counts that are too small for that wrap, and what has room for a few overflows. By small changes
//! one comes there only where each turn more shows something new, and then slowly.

use super::case::Case;
use super::coverage::News;
use super::driver::Search;
use super::mutate::LONGEST_FILE;
use crate::concrete::Run;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;
use std::ops::Range;

/// How often a record is repeated.
const TIMES: usize = 300;
/// The part of all statements that may be spent on it: one in so many.
const PART: u64 = 8;
/// Records of one kept case that are repeated.
const OF_A_CASE: usize = 16;

/// What is to be repeated.
#[derive(Default)]
pub(super) struct Repeats {
    /// The kept case, and where in which of its files the record lies.
    waiting: VecDeque<(usize, usize, Range<usize>)>,
    known: FxHashSet<u64>,
    pub spent: u64,
}

impl Repeats {
    /// Has the records of a case that is kept under this number be repeated, as far as none like them was.
    pub fn plan(&mut self, number: usize, case: &Case) {
        let new = case.records.single(&case.files).filter(|(.., told_by)| self.known.insert(*told_by));
        self.waiting.extend(new.take(OF_A_CASE).map(|(file, part, _)| (number, file, part)));
    }
}

impl Search<'_> {
    /// The next case with a record repeated, unless this has taken its part of all statements.
    pub(super) fn repeated(&mut self) -> Option<Case> {
        if self.repeats.spent.saturating_mul(PART) > self.outcome.statements {
            return None;
        }
        let (number, file, part) = self.repeats.waiting.pop_front()?;
        let mut case = Case { from: Some(number), ..self.kept[number].clone() };
        let content = &mut case.files[file];
        let again = content[part.clone()].repeat(TIMES.min(LONGEST_FILE / part.len().max(1)));
        content.splice(part.end..part.end, again);
        content.truncate(LONGEST_FILE);
        Some(case)
    }

    /// What such a run has shown, where that is new. That it turns more often than any is known; as a kept case it would only be long, and a shorter one
    /// that turns as often is news still.
    pub(super) fn repetition_shows(&mut self, run: &Run) -> News {
        self.repeats.spent += run.statements;
        let is_new = self.edges.as_ref().is_some_and(|edges| self.coverage.lacks_edge_of(edges));
        if is_new { self.shows() } else { News::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{certain, options};
    use crate::engines::search::SearchOptions;
    use crate::ir::CheckKind;

    #[test]
    fn errors_that_need_one_record_hundreds_of_times_are_found() {
        // A message takes three lines, and no turn of the loop differs from the one before but by a count.
        let source = |count: &str| {
            format!(
                "typedef struct FILE FILE; extern FILE *stdin;
                 char *fgets(char *, int, FILE *);
                 int strcmp(const char *, const char *);
                 static int line(char *text) {{ return fgets(text, 16, stdin) != 0; }}
                 int main(void) {{
                     char text[16];
                     {count} sent = 0;
                     unsigned all = 0;
                     while (line(text)) {{
                         if (strcmp(text, \"send\\n\") == 0) {{
                             if (!line(text) || text[0] < 'a' || text[0] > 'z' || !line(text) || text[0] == '\\n') return 1;
                             sent++;
                             all++;
                         }} else if (strcmp(text, \"list\\n\") == 0) {{
                             if (all == 0) return 3;
                             return 100 / (1 + (all > 200 && sent < 100 ? -1 : 1));
                         }} else return 2;
                     }}
                     return 0;
                 }}"
            )
        };
        let options = SearchOptions { statements: 20_000_000, patience: 10_000, ..options(0) };
        assert_eq!(certain(&source("unsigned char"), &options), [CheckKind::DivByZero]);
        assert_eq!(certain(&source("unsigned"), &options), []);
    }
}
