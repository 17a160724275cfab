//! Commands of the command line, run by themselves: what they print is the answer of a tool, a page at a time.

use std::process::{Command, Stdio};

/// Characters of a page.
const PAGE: usize = 6000;

/// How a command ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Runs this program with other arguments.
pub fn run(words: &[String]) -> Result<Ended, String> {
    let program = std::env::current_exe().map_err(|error| format!("cellog is not found: {error}"))?;
    let output = Command::new(program).args(words).stdin(Stdio::null()).env("NO_COLOR", "1").output();
    let output = output.map_err(|error| format!("cellog cannot be run: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Ended { status: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) })
}

impl Ended {
    /// What was printed and told, or an error where the command was refused.
    pub fn text(self) -> Result<String, String> {
        let told = self.err.trim_end();
        let whole = match (self.out.trim_end(), told) {
            (out, "") => out.to_owned(),
            ("", told) => told.to_owned(),
            (out, told) => format!("{out}\n\n{told}"),
        };
        if matches!(self.status, 0 | 1) { Ok(whole) } else { Err(whole) }
    }
}

/// Page number `page` (from 1) of a text, and how to get the next; whole lines where they are not longer than a page.
pub fn page_of(text: &str, page: usize) -> String {
    let mut pages = vec![String::new()];
    for line in text.lines() {
        let last = pages.last_mut().expect("there is one");
        if last.is_empty() || last.len() + line.len() < PAGE {
            last.push_str(line);
            last.push('\n');
        } else {
            pages.push(format!("{line}\n"));
        }
    }
    let (count, chosen) = (pages.len(), page.clamp(1, pages.len()));
    let text = pages.swap_remove(chosen - 1);
    match count {
        1 => text,
        _ if chosen < count => format!("{text}[page {chosen} of {count}; `page`: {} is the next]", chosen + 1),
        _ => format!("{text}[page {chosen} of {count}]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_come_in_pages_of_whole_lines() {
        assert_eq!(page_of("a\nb", 1), "a\nb\n");
        let long: String = (0..1000).map(|n| format!("line number {n}\n")).collect();
        let first = page_of(&long, 1);
        assert!(
            first.starts_with("line number 0\n") && first.contains("[page 1 of 3; `page`: 2 is the next]"),
            "{first}"
        );
        assert!(page_of(&long, 9).ends_with("line number 999\n[page 3 of 3]"));
    }

    #[test]
    fn refused_commands_are_errors() {
        let ended = |status| Ended { status, out: "out\n".into(), err: "told\n".into() };
        assert_eq!(ended(1).text(), Ok("out\n\ntold".to_owned()));
        assert_eq!(ended(2).text(), Err("out\n\ntold".to_owned()));
    }
}
