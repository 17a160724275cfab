//! Edits that mend findings, for reports.

/// An edit that mends a finding, as a second check of the program with it has shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mending {
    /// The finding's id.
    pub finding: String,
    /// What it does, for people: `leaves f where p == NULL`.
    pub title: String,
    /// The file, as the finding names it.
    pub file: String,
    /// In the order of their places; they do not overlap.
    pub replacements: Vec<Replacement>,
}

/// Text that takes the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Line and column, both from 1, the column in characters.
    pub start: (u32, u32),
    /// Behind the last character that goes; the start where none does.
    pub end: (u32, u32),
    pub text: String,
}
