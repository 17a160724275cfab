//! Text broken into lines that fit.

/// `text` with breaks at spaces, so that no line is longer than `width` characters where its words allow; a continued line
/// is indented. Breaks that are there stay.
pub(super) fn wrap(text: &str, width: usize) -> String {
    const INDENT: &str = "  ";
    let mut out: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut current = String::new();
        // Characters of the line so far, and of its indentation.
        let (mut used, mut start) = (0, 0);
        for word in line.split_inclusive(' ') {
            let length = word.trim_end().chars().count();
            if used + length > width && used > start {
                out.push(current.trim_end().to_owned());
                current = INDENT.to_owned();
                (used, start) = (INDENT.len(), INDENT.len());
            }
            current.push_str(word);
            used += word.chars().count();
        }
        out.push(current.trim_end().to_owned());
    }
    out.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_at_spaces() {
        assert_eq!(wrap("one two three\nfour", 9), "one two\n  three\nfour");
        assert_eq!(wrap("unbreakable", 4), "unbreakable");
        assert_eq!(wrap("a unbreakable b", 4), "a\n  unbreakable\n  b");
        assert_eq!(wrap("", 4), "");
    }
}
