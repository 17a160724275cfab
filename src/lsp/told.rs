//! What an editor was told last of a project, and where it stands in a text that was edited since.

use lsp_types::{Diagnostic, NumberOrString, Range};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The code of diagnostics of what cannot be parsed or preprocessed.
pub const SYNTAX: &str = "syntax";

/// The diagnostics that were told, by file, and the texts of open files that they speak of.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub diagnostics: BTreeMap<PathBuf, Vec<Diagnostic>>,
    pub texts: Vec<(PathBuf, Arc<str>)>,
}

impl Told {
    /// The diagnostics of a file but those of its syntax, at their places in its text of now. What stood in lines that have changed is left out.
    pub fn moved(&self, path: &Path, now: &str) -> Vec<Diagnostic> {
        let Some(all) = self.diagnostics.get(path) else { return Vec::new() };
        let all = all.iter().filter(|d| d.code != Some(NumberOrString::String(SYNTAX.to_owned())));
        let Some((_, before)) = self.texts.iter().find(|(other, _)| other == path) else {
            return all.cloned().collect();
        };
        let moves = Moves::new(before, now);
        let moved = |diagnostic: &Diagnostic| {
            let range = moves.range(diagnostic.range)?;
            // Steps and other places may have moved as well: the next study tells them.
            Some(Diagnostic { range, related_information: None, ..diagnostic.clone() })
        };
        all.filter_map(moved).collect()
    }
}

/// Where lines of a text are in another that differs from it in one run of lines.
struct Moves {
    /// Lines that both begin with.
    same: usize,
    /// The first of the lines that both end with, before and now.
    end: (usize, usize),
}

impl Moves {
    fn new(before: &str, now: &str) -> Moves {
        let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - same;
        let same_end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        Moves { same, end: (old.len() - same_end, new.len() - same_end) }
    }

    fn line(&self, line: u32) -> Option<u32> {
        let number = line as usize;
        match number {
            _ if number < self.same => Some(line),
            _ if number >= self.end.0 => u32::try_from(number - self.end.0 + self.end.1).ok(),
            _ => None,
        }
    }

    fn range(&self, mut range: Range) -> Option<Range> {
        range.start.line = self.line(range.start.line)?;
        range.end.line = self.line(range.end.line)?;
        Some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lsp_types::Position;

    #[test]
    fn findings_move_with_their_lines_and_go_with_them() {
        let at = |line| Range::new(Position::new(line, 1), Position::new(line, 2));
        let found = |line, code: &str| Diagnostic {
            range: at(line),
            code: Some(NumberOrString::String(code.to_owned())),
            ..Diagnostic::default()
        };
        let path = PathBuf::from("/a.c");
        let diagnostics = vec![found(0, "shift"), found(1, "shift"), found(2, "shift"), found(2, SYNTAX)];
        let told = Told {
            diagnostics: BTreeMap::from([(path.clone(), diagnostics)]),
            texts: vec![(path.clone(), "a\nb\nc\n".into())],
        };
        let lines = |now: &str| told.moved(&path, now).iter().map(|d| d.range.start.line).collect::<Vec<_>>();
        assert_eq!(lines("a\nb\nc\n"), [0, 1, 2]);
        assert_eq!(lines("a\nx\ny\nc\n"), [0, 3]);
        assert_eq!(lines("b\nc\n"), [0, 1]);
    }
}
