//! Lines that a person types, with history and completion; or that stand in a file.

use crate::pipeline::Error;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::FileHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{BufRead, IsTerminal};
use std::path::PathBuf;

/// Where lines come from.
pub enum Lines {
    Typed { editor: Box<Editor<Words, FileHistory>>, history: Option<PathBuf> },
    Piped,
}

impl Lines {
    /// From the terminal, where `words` can be completed; or what standard input is.
    pub fn new(words: Vec<String>) -> Result<Lines, Error> {
        if !std::io::stdin().is_terminal() {
            return Ok(Lines::Piped);
        }
        let mut editor = Editor::new().map_err(|e| Error::Usage(format!("no prompt on this terminal: {e}")))?;
        editor.set_helper(Some(Words(words)));
        let history = history_file();
        if let Some(file) = &history {
            // There may be no history yet.
            let _ = editor.load_history(file);
        }
        Ok(Lines::Typed { editor: Box::new(editor), history })
    }

    /// The next line; None at the end.
    pub fn next_line(&mut self) -> Result<Option<String>, Error> {
        match self {
            Lines::Piped => {
                let mut line = String::new();
                let read = std::io::stdin().lock().read_line(&mut line);
                let read = read.map_err(|e| Error::Usage(format!("standard input: {e}")))?;
                Ok((read > 0).then_some(line))
            }
            Lines::Typed { editor, history } => match editor.readline("cellog> ") {
                Ok(line) => {
                    let _ = editor.add_history_entry(&line);
                    if let Some(file) = history {
                        // A history that cannot be kept is no reason to stop.
                        let _ = editor.save_history(file);
                    }
                    Ok(Some(line))
                }
                Err(ReadlineError::Interrupted) => Ok(Some(String::new())),
                Err(ReadlineError::Eof) => Ok(None),
                Err(error) => Err(Error::Usage(format!("the terminal: {error}"))),
            },
        }
    }
}

/// `$XDG_STATE_HOME/cellog/history`, in a folder made if need be.
fn history_file() -> Option<PathBuf> {
    let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|p| p.is_absolute());
    let state = state.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?;
    let folder = state.join("cellog");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("history"))
}

/// Words that can be completed, sorted.
pub struct Words(Vec<String>);

impl Words {
    /// Where the word before `position` begins, and what it can become.
    fn complete_at(&self, line: &str, position: usize) -> (usize, Vec<String>) {
        let before = &line[..position];
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let start =
            before.rfind(|c: char| !part(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let start = if before.starts_with('.') && start == 1 { 0 } else { start };
        let word = &before[start..];
        let fitting = self.0.iter().filter(|w| !word.is_empty() && w.starts_with(word));
        (start, fitting.cloned().collect())
    }
}

impl Completer for Words {
    type Candidate = String;
    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(self.complete_at(line, position))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}

impl Validator for Words {}

impl Helper for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_completed_where_they_begin() {
        let words = Words([".relations", "call_edge(", "calls(", "caller", "points_to("].map(str::to_owned).to_vec());
        let complete = |line: &str| words.complete_at(line, line.len());
        assert_eq!(complete("poi"), (0, vec!["points_to(".to_owned()]));
        assert_eq!(complete("points_to(v, l), calle"), (17, vec!["caller".to_owned()]));
        assert_eq!(complete(".rel"), (0, vec![".relations".to_owned()]));
        assert_eq!(complete("é!cal").1.len(), 3);
        assert_eq!(complete("calls(").1, [""; 0]);
    }
}
