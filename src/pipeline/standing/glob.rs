//! Patterns of file names: `*` for anything in one folder, `**` for anything at all, `?` for one character.

/// Whether `name` fits `pattern` as a whole, or lies in a folder that does.
pub fn fits(pattern: &str, name: &str) -> bool {
    let pattern = parts(pattern.trim_start_matches("./").trim_end_matches('/'));
    let name = name.trim_start_matches("./");
    let folders = name.match_indices('/').map(|(i, _)| i);
    folders.chain([name.len()]).any(|end| matches(&pattern, &name[..end]))
}

/// A piece of a pattern.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Char(char),
    /// `?`
    One,
    /// `*`
    Some,
    /// `**`
    Any,
    /// `**/`: any folders, or none.
    Folders,
}

fn parts(pattern: &str) -> Vec<Part> {
    let mut out = Vec::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let (part, length) = match c {
            '*' if rest.starts_with("**/") => (Part::Folders, 3),
            '*' if rest.starts_with("**") => (Part::Any, 2),
            '*' => (Part::Some, 1),
            '?' => (Part::One, 1),
            c => (Part::Char(c), c.len_utf8()),
        };
        out.push(part);
        rest = &rest[length..];
    }
    out
}

/// Part by part: `reached[i]` says whether the parts so far fit the first `i` characters of the name.
fn matches(pattern: &[Part], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for part in pattern {
        let mut next = vec![false; name.len() + 1];
        // Whether a stretch of the name that began somewhere before goes on here.
        let mut open = false;
        for at in 0..=name.len() {
            let last = at.checked_sub(1).map(|i| name[i]);
            let before = at > 0 && reached[at - 1];
            next[at] = match part {
                Part::Char(c) => before && last == Some(*c),
                Part::One => before && last != Some('/'),
                Part::Some => {
                    open = reached[at] || open && last != Some('/');
                    open
                }
                Part::Any => {
                    open |= reached[at];
                    open
                }
                Part::Folders => {
                    let ends = reached[at] || open && last == Some('/');
                    open |= reached[at];
                    ends
                }
            };
        }
        reached = next;
    }
    reached[name.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names_and_folders() {
        for (pattern, name) in [
            ("a.c", "a.c"),
            ("./a.c", "a.c"),
            ("*.c", "a.c"),
            ("src/*.c", "src/a.c"),
            ("src", "src/lib/a.c"),
            ("src/", "src/a.c"),
            ("src/**", "src/lib/a.c"),
            ("**/test_*.c", "test_a.c"),
            ("**/test_*.c", "src/lib/test_a.c"),
            ("src/**/a.c", "src/a.c"),
            ("src/**/a.c", "src/x/y/a.c"),
            ("a?.c", "ab.c"),
        ] {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
    }

    #[test]
    fn other_names_do_not_fit() {
        for (pattern, name) in [
            ("*.c", "src/a.c"),
            ("a.c", "ba.c"),
            ("src", "source/a.c"),
            ("src/*.c", "src/lib/a.c"),
            ("a?.c", "a/.c"),
            ("**/a.c", "ba.c"),
            ("", "a.c"),
        ] {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
