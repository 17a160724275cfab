//! What may mend a finding, and what must be known of its place to find it.

use super::condition::Range;
use super::edit::{Edit, Edits};
use super::statement::tokens;

/// What a function gives back, as far as a guard that returns must know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    Nothing,
    Number,
    Pointer,
    /// Of a record no value can be written down.
    Record,
}

/// What the program says of a number that is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    /// It must lie in this range.
    Range(Range),
    /// It is a count of bits, below this one.
    Shift(u32),
}

/// Something that may mend a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// What it does, for people: `leaves f where p == NULL`.
    pub title: String,
    pub edits: Edits,
    /// Where its condition does not hold, the program does what it did without it.
    pub is_guard: bool,
}

impl Candidate {
    /// Edits that change what the program does.
    pub fn changing(title: String, edits: Vec<Edit>) -> Candidate {
        Candidate { title, edits: Edits::new(edits), is_guard: false }
    }
}

/// The file that a finding is in, and what is known of the place.
#[derive(Clone, Copy)]
pub struct Site<'a> {
    pub text: &'a str,
    /// The byte that the finding is at.
    pub at: usize,
    /// The function around it, and what it gives back.
    pub function: &'a str,
    pub returns: Returns,
    pub judged: Option<Judged>,
    /// Whether a variable of the function, or a member, is an array by its name.
    pub is_array: &'a dyn Fn(&str) -> bool,
}

/// How the file writes down a pointer to nothing.
pub fn null(text: &str) -> &'static str {
    if tokens(text).iter().any(|token| token.text == "NULL") { "NULL" } else { "0" }
}
