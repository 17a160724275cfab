//! Insertions into a text: the text with them, where its places were before, and the difference for people and `patch`.

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// Text that is inserted before the byte `at`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insertion {
    pub at: usize,
    pub text: String,
}

/// Insertions into one text, by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edits(Vec<Insertion>);

impl Edits {
    /// These insertions.
    pub fn new(mut insertions: Vec<Insertion>) -> Edits {
        insertions.sort_by_key(|insertion| insertion.at);
        Edits(insertions)
    }

    /// The insertions in the order of their places.
    pub fn insertions(&self) -> &[Insertion] {
        &self.0
    }

    /// `text` with the insertions.
    pub fn apply(&self, text: &str) -> String {
        let (mut out, mut from) = (String::with_capacity(text.len()), 0);
        for Insertion { at, text: inserted } in &self.0 {
            out.push_str(&text[from..*at]);
            out.push_str(inserted);
            from = *at;
        }
        out + &text[from..]
    }

    /// Where byte `at` of the text with the insertions was before; None for what is inserted.
    pub fn before(&self, at: usize) -> Option<usize> {
        let mut added = 0;
        for insertion in &self.0 {
            let start = insertion.at + added;
            if at < start {
                break;
            }
            if at < start + insertion.text.len() {
                return None;
            }
            added += insertion.text.len();
        }
        Some(at - added)
    }

    /// The difference of `text`, the file called `name`, as `patch` reads it. The insertions must lie close together or each in a line of its own.
    pub fn diff(&self, name: &str, text: &str) -> String {
        let after = self.apply(text);
        let (old, new): (Vec<&str>, Vec<&str>) = (text.lines().collect(), after.lines().collect());
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
        lines.for_each(|(mark, line)| out.push_str(&format!("{mark}{line}\n")));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn edits() -> Edits {
        Edits::new(vec![Insertion { at: 9, text: "{ ".into() }, Insertion { at: 4, text: "xy".into() }])
    }

    #[test]
    fn places_are_found_again() {
        const TEXT: &str = "0123456789";
        assert_eq!(edits().apply(TEXT), "0123xy45678{ 9");
        let before: Vec<Option<usize>> = [0, 3, 4, 5, 6, 10, 11, 12, 13].map(|at| edits().before(at)).to_vec();
        let wanted = [Some(0), Some(3), None, None, Some(4), Some(8), None, None, Some(9)];
        assert_eq!(before, wanted);
    }

    #[test]
    fn differences_are_those_that_patch_reads() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let edits = Edits::new(vec![Insertion { at: 8, text: "a\nb ".into() }]);
        let wanted = "--- a/x.c\n+++ b/x.c\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+a\n+b 5\n 6\n 7\n 8\n";
        assert_eq!(edits.diff("x.c", text), wanted);
    }

    #[test]
    fn lines_and_columns_are_bytes() {
        let text = "ab\nä=c\n";
        assert_eq!((byte_at(text, 2, 3), place_of(text, 5)), (Some(5), (2, 3)));
        assert_eq!(byte_at(text, 2, 2), None);
    }
}
