//! Edits of a text: the text with them, where its places were before, and the difference for people and `patch`.

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Bytes of a text that are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub at: usize,
    /// How many bytes go; 0 for an insertion.
    pub removed: usize,
    pub text: String,
}

impl Edit {
    /// `text` inserted before the byte `at`.
    pub fn insertion(at: usize, text: String) -> Edit {
        Edit { at, removed: 0, text }
    }
}

/// Edits of one text that do not overlap, by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits(Vec<Edit>);

impl Edits {
    /// These edits.
    pub fn new(mut edits: Vec<Edit>) -> Edits {
        edits.sort_by_key(|edit| edit.at);
        Edits(edits)
    }

    /// The edits in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.0.iter()
    }

    /// The same, with line ends as `text` has them.
    pub fn with_line_ends_of(mut self, text: &str) -> Edits {
        if text.contains("\r\n") {
            self.0.iter_mut().for_each(|edit| edit.text = edit.text.replace('\n', "\r\n"));
        }
        self
    }

    /// `text` with the edits.
    pub fn apply(&self, text: &str) -> String {
        let (mut out, mut from) = (String::with_capacity(text.len()), 0);
        for Edit { at, removed, text: new } in &self.0 {
            out.push_str(&text[from..*at]);
            out.push_str(new);
            from = at + removed;
        }
        out + &text[from..]
    }

    /// Where byte `at` of the text with the edits was before; None for what is new.
    pub fn before(&self, at: usize) -> Option<usize> {
        let (mut added, mut gone) = (0, 0);
        for edit in &self.0 {
            let start = edit.at + added - gone;
            if at < start {
                break;
            }
            if at < start + edit.text.len() {
                return None;
            }
            added += edit.text.len();
            gone += edit.removed;
        }
        Some(at + gone - added)
    }

    /// Whether the byte `at` of the text without the edits goes with them.
    pub fn removes(&self, at: usize) -> bool {
        self.0.iter().any(|edit| (edit.at..edit.at + edit.removed).contains(&at))
    }

    /// The difference of `text`, the file called `name`, as `patch` reads it: from the first line that differs to the last.
    pub fn diff(&self, name: &str, text: &str) -> String {
        let after = self.apply(text);
        // Each with its line end, which the last line of a file may lack.
        let (old, new): (Vec<&str>, Vec<&str>) =
            (text.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
        let same = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
        let most = old.len().min(new.len()) - same;
        let same_end = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
        let (first, last) = (same.saturating_sub(CONTEXT), CONTEXT.min(same_end));
        let (old_end, new_end) = (old.len() - same_end, new.len() - same_end);
        let mut out = format!("--- a/{name}\n+++ b/{name}\n");
        let counts = |end: usize| end + last - first;
        out.push_str(&format!("@@ -{},{} +{},{} @@\n", first + 1, counts(old_end), first + 1, counts(new_end)));
        let lines = old[first..same].iter().map(|line| (' ', line));
        let lines = lines.chain(old[same..old_end].iter().map(|line| ('-', line)));
        let lines = lines.chain(new[same..new_end].iter().map(|line| ('+', line)));
        let lines = lines.chain(old[old_end..old_end + last].iter().map(|line| (' ', line)));
        for (mark, line) in lines {
            let end = if line.ends_with('\n') { "" } else { "\n\\ No newline at end of file\n" };
            out.push_str(&format!("{mark}{line}{end}"));
        }
        out
    }
}

/// The byte of a line and column, both from 1, the column in bytes.
pub fn byte_at(text: &str, line: u32, column: u32) -> Option<usize> {
    let before: usize = text.split_inclusive('\n').take((line as usize).checked_sub(1)?).map(str::len).sum();
    let at = before + (column as usize).checked_sub(1)?;
    text.is_char_boundary(at).then_some(at)
}

/// The line and column of a byte.
pub fn place_of(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    ((before.matches('\n').count() + 1) as u32, (at - start + 1) as u32)
}

/// The line and column of a byte, the column in characters.
pub fn characters_before(text: &str, at: usize) -> (u32, u32) {
    let (line, column) = place_of(text, at);
    let start = at + 1 - column as usize;
    (line, text[start..at].chars().count() as u32 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edits() -> Edits {
        let longer = Edit { at: 4, removed: 1, text: "xyz".into() };
        Edits::new(vec![Edit::insertion(9, "{ ".into()), longer])
    }

    #[test]
    fn places_are_found_again() {
        const TEXT: &str = "0123456789";
        assert_eq!(edits().apply(TEXT), "0123xyz5678{ 9");
        let before: Vec<Option<usize>> = [0, 3, 4, 6, 7, 10, 11, 12, 13].map(|at| edits().before(at)).to_vec();
        let wanted = [Some(0), Some(3), None, None, Some(5), Some(8), None, None, Some(9)];
        assert_eq!(before, wanted);
        assert!(edits().removes(4) && !edits().removes(3) && !edits().removes(5) && !edits().removes(9));
    }

    #[test]
    fn differences_are_those_that_patch_reads() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let edits = Edits::new(vec![Edit::insertion(8, "a\nb ".into())]);
        let wanted = "--- a/x.c\n+++ b/x.c\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+a\n+b 5\n 6\n 7\n 8\n";
        assert_eq!(edits.diff("x.c", text), wanted);
    }

    #[test]
    fn lines_keep_their_ends() {
        let text = "1\r\n2\r\n3";
        let edits = Edits::new(vec![Edit::insertion(3, "a\n".into())]).with_line_ends_of(text);
        let wanted = "--- a/x.c\n+++ b/x.c\n@@ -1,3 +1,4 @@\n 1\r\n+a\r\n 2\r\n 3\n\\ No newline at end of file\n";
        assert_eq!(edits.diff("x.c", text), wanted);
    }

    #[test]
    fn lines_and_columns_are_bytes() {
        let text = "ab\nä=c\n";
        assert_eq!((byte_at(text, 2, 3), place_of(text, 5)), (Some(5), (2, 3)));
        assert_eq!(byte_at(text, 2, 2), None);
        assert_eq!(characters_before(text, 5), (2, 2));
    }
}
