//! Inputs and their values as clauses of a sentence: `rand() at line 8 returns 0`.

use super::{InputBox, InputValue};
use std::fmt::Write;

/// What an input stands for, by the name that its site bears.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputRole<'a> {
    /// The result of a function.
    Result { function: &'a str },
    /// Whether a function succeeds: 1 or 0.
    Succeeds { function: &'a str },
    /// Whether an allocation fails: 1 or 0.
    Fails { function: &'a str },
    /// How many characters a function gives.
    Length { function: &'a str },
    /// The bytes that a function gives: the word is `bytes`, `characters`, `content` or `address`.
    Bytes { function: &'a str, word: &'a str },
    /// How many conversions of a `scanf` succeed.
    Conversions { function: &'a str },
    /// What one conversion of a `scanf` gives: its letter.
    Converted { function: &'a str, letter: &'a str },
    /// A parameter of the entry.
    Parameter { name: &'a str },
    /// The first bytes of what a parameter of the entry points to; zeros come behind them.
    Behind { name: &'a str },
    /// All bytes of what a parameter of the entry points to.
    Counted { name: &'a str },
    /// The initial value of an object that no file defines: its name and what follows.
    Initial { name: &'a str },
    /// `argc`, `argv[i]`, `envp[i]`.
    Argument,
    /// Anything else.
    Other,
}

/// The name of a parameter: `rest` is `name of function` and what follows.
fn parameter(rest: &str) -> &str {
    rest.split_once(" of ").map_or(rest, |(name, _)| name)
}

/// The role that an input's name tells.
pub fn role(name: &str) -> InputRole<'_> {
    if let Some(rest) = name.strip_prefix("parameter ") {
        return InputRole::Parameter { name: parameter(rest) };
    }
    if let Some(rest) = name.strip_prefix("what parameter ") {
        return InputRole::Behind { name: parameter(rest) };
    }
    if let Some(rest) = name.strip_prefix("all that parameter ") {
        return InputRole::Counted { name: parameter(rest) };
    }
    if let Some(name) = name.strip_prefix("initial value of ") {
        return InputRole::Initial { name };
    }
    if name == "argc" || name.starts_with("argv[") || name.starts_with("envp[") {
        return InputRole::Argument;
    }
    let Some((function, rest)) = name.split_once("()") else { return InputRole::Other };
    match rest.trim_start_matches(':').trim() {
        "" => InputRole::Result { function },
        "succeeds" => InputRole::Succeeds { function },
        "fails" => InputRole::Fails { function },
        "length" => InputRole::Length { function },
        "conversions" => InputRole::Conversions { function },
        word @ ("bytes" | "characters" | "content" | "address") => InputRole::Bytes { function, word },
        rest => match rest.strip_prefix('%') {
            Some(letter) => InputRole::Converted { function, letter },
            None => InputRole::Other,
        },
    }
}

impl InputBox {
    /// The clause that says which values the input has. Lines stand without their file where it is `home`.
    pub fn clause(&self, home: &str) -> String {
        self.said(&self.place(home))
    }

    /// The clause without a place: what happens where the input enters.
    pub fn event(&self) -> String {
        self.said("")
    }

    fn said(&self, at: &str) -> String {
        let value = if self.any { "anything".to_owned() } else { self.value.to_string() };
        let flag = self.flag();
        match role(&self.input) {
            InputRole::Result { function } => format!("{function}(){at} returns {value}"),
            InputRole::Succeeds { function } => match flag {
                Some(true) => format!("{function}(){at} succeeds"),
                Some(false) => format!("{function}(){at} fails"),
                None => format!("{function}(){at} succeeds or fails"),
            },
            InputRole::Fails { function } => match flag {
                Some(true) => format!("{function}(){at} fails"),
                Some(false) => format!("{function}(){at} succeeds"),
                None => format!("{function}(){at} succeeds or fails"),
            },
            InputRole::Length { function } => {
                let noun =
                    if matches!(self.value, InputValue::Int { low: 1, high: 1 }) { "character" } else { "characters" };
                match self.any {
                    true => format!("{function}(){at} gives any number of characters"),
                    false => format!("{function}(){at} gives {value} {noun}"),
                }
            }
            InputRole::Bytes { function, word: "address" } => format!("{function}(){at} gives the address {value}"),
            InputRole::Bytes { function, .. } => format!("{function}(){at} gives {value}"),
            InputRole::Conversions { function } => format!("{function}(){at} returns {value}"),
            InputRole::Converted { function, letter } => format!("{function}(){at} reads {value} for %{letter}"),
            InputRole::Parameter { name } => format!("{name} is {value}"),
            InputRole::Behind { name } => match &self.value {
                InputValue::Bytes(bytes) if bytes.iter().all(|byte| *byte == 0) => format!("{name} points to zeros"),
                _ => format!("{name} points to {value} and zeros behind that"),
            },
            InputRole::Counted { name } => {
                let bytes = self.value.length().unwrap_or(0);
                let told = if self.value.is_free() { String::new() } else { format!(": {value}") };
                format!("{name} points to {bytes} byte{}{told}", if bytes == 1 { "" } else { "s" })
            }
            InputRole::Initial { name } => format!("{name} is {value} at first"),
            InputRole::Argument => format!("{} is {value}", self.input),
            InputRole::Other => format!("{}{at} is {value}", self.input),
        }
    }

    /// ` at line 8, the 2nd time,`.
    fn place(&self, home: &str) -> String {
        let mut out = String::new();
        let place = &self.location;
        if place.line > 0 {
            let _ = match place.file == home {
                true => write!(out, " at line {}", place.line),
                false => write!(out, " at {}:{}", place.file, place.line),
            };
        }
        if self.occurrence > 1 {
            let _ = write!(out, ", the {} time,", ordinal(self.occurrence));
        }
        out
    }

    /// The value of an input that is 0 or 1.
    fn flag(&self) -> Option<bool> {
        match self.value {
            InputValue::Int { low, high } if low == high => Some(low != 0),
            _ => None,
        }
    }
}

/// `1st`, `2nd`, `11th`.
fn ordinal(n: u32) -> String {
    let ending = match (n % 10, n % 100) {
        (1, t) if t != 11 => "st",
        (2, t) if t != 12 => "nd",
        (3, t) if t != 13 => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Location;

    fn clause(input: &str, occurrence: u32, value: InputValue) -> String {
        let location = Location { file: "a.c".into(), line: 8, column: 3 };
        InputBox { input: input.into(), location, occurrence, value, point: None, any: false }.clause("a.c")
    }
    fn int(low: i128, high: i128) -> InputValue {
        InputValue::Int { low, high }
    }

    #[test]
    fn inputs_are_told_in_c_terms() {
        assert_eq!(clause("rand()", 1, int(0, 0)), "rand() at line 8 returns 0");
        assert_eq!(clause("rand()", 12, int(1, 5)), "rand() at line 8, the 12th time, returns 1 to 5");
        assert_eq!(clause("fgets() succeeds", 1, int(0, 0)), "fgets() at line 8 fails");
        assert_eq!(clause("malloc() fails", 1, int(1, 1)), "malloc() at line 8 fails");
        assert_eq!(clause("fgets() length", 1, int(3, 3)), "fgets() at line 8 gives 3 characters");
        assert_eq!(clause("recv() bytes", 1, InputValue::Bytes(b"a\0".to_vec())), "recv() at line 8 gives \"a\\x00\"");
        assert_eq!(clause("scanf() %d", 1, int(-1, -1)), "scanf() at line 8 reads -1 for %d");
        assert_eq!(clause("parameter d of f", 1, int(0, 0)), "d is 0");
        assert_eq!(
            clause("what parameter s of f points to", 1, InputValue::Bytes(b"ab".to_vec())),
            "s points to \"ab\" and zeros behind that"
        );
        let none = InputValue::Bytes(Vec::new());
        assert_eq!(clause("what parameter s of f points to", 1, none.clone()), "s points to zeros");
        assert_eq!(clause("all that parameter s of f points to", 1, none), "s points to 0 bytes");
        let one = InputValue::Bytes(b"x".to_vec());
        assert_eq!(clause("all that parameter s of f points to", 1, one), "s points to 1 byte: \"x\"");
        let ranges = InputValue::ByteRanges { low: vec![0, 0], high: vec![255, 255] };
        assert_eq!(clause("all that parameter s of f points to", 1, ranges), "s points to 2 bytes");
        assert_eq!(clause("argv[1]", 1, InputValue::Bytes(b"x".to_vec())), "argv[1] is \"x\"");
        assert_eq!(clause("initial value of n", 1, int(4, 4)), "n is 4 at first");
        assert_eq!(clause("something new", 2, int(4, 4)), "something new at line 8, the 2nd time, is 4");
    }

    #[test]
    fn other_files_are_named() {
        let location = Location { file: "b.c".into(), line: 8, column: 3 };
        let input =
            InputBox { input: "rand()".into(), location, occurrence: 1, value: int(0, 0), point: None, any: false };
        assert_eq!(input.clause("a.c"), "rand() at b.c:8 returns 0");
    }

    #[test]
    fn ordinals_end_as_they_should() {
        let all = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal);
        assert_eq!(all, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"]);
    }
}
