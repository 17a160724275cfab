//! The profiles as a page, made from their declarations and values: `UPDATE_EXPECT=1 cargo test --lib profile_page`.

use super::profile::Preset;
use expect_test::expect_file;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Where the bounds are declared.
const DECLARATIONS: [&str; 2] = [include_str!("profile.rs"), include_str!("../engines/limits.rs")];

/// What is said of each field, by its struct and name.
fn docs() -> BTreeMap<(String, String), String> {
    let (mut docs, mut of, mut doc) = (BTreeMap::new(), String::new(), String::new());
    for line in DECLARATIONS.iter().flat_map(|text| text.lines()).map(str::trim) {
        if let Some(text) = line.strip_prefix("/// ") {
            doc = format!("{doc} {text}").trim().to_owned();
        } else if let Some(name) = line.strip_prefix("pub struct ") {
            of = name.split(' ').next().unwrap_or_default().to_owned();
            doc.clear();
        } else if let Some((name, _)) = line.strip_prefix("pub ").and_then(|rest| rest.split_once(':')) {
            docs.insert((of.clone(), name.to_owned()), std::mem::take(&mut doc));
        } else {
            doc.clear();
        }
    }
    docs
}

/// The fields of a profile with their values and structs, as they are declared.
fn fields(preset: Preset) -> Vec<(String, String, String)> {
    let text = format!("{:#?}", preset.profile());
    // The names and the structs around the line.
    let mut around: Vec<(String, String)> = Vec::new();
    let mut fields = Vec::new();
    // Values that take several lines: `Share(`, a number, `),`.
    let mut value: Option<(String, String)> = None;
    for line in text.lines().map(|line| line.trim().trim_end_matches(',')) {
        match (&mut value, line) {
            (Some((name, parts)), ")" | "]") => {
                let of = around.last().map(|(_, of)| of.clone()).unwrap_or_default();
                fields.push((path(&around, name), parts.trim_end_matches(", ").to_owned(), of));
                value = None;
            }
            (Some((_, parts)), part) => *parts += &format!("{part}, "),
            (None, "}") => drop(around.pop()),
            (None, line) => {
                let (name, rest) = line.split_once(": ").unwrap_or(("", line));
                if let Some(of) = rest.strip_suffix(" {") {
                    around.push((name.to_owned(), of.to_owned()));
                } else if rest.ends_with(['(', '[']) {
                    value = Some((name.to_owned(), String::new()));
                } else {
                    let of = around.last().map(|(_, of)| of.clone()).unwrap_or_default();
                    fields.push((path(&around, name), rest.to_owned(), of));
                }
            }
        }
    }
    fields
}

fn path(around: &[(String, String)], name: &str) -> String {
    let outer = around.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty());
    outer.chain([name]).collect::<Vec<_>>().join(".")
}

/// The page.
fn page() -> String {
    let docs = docs();
    let mut page = String::from(
        "# Profiles\n\nWhat a run may cost is a profile: `--profile quick`, `default` or `thorough` of `check` and `verify`, or `profile = \"quick\"` in\n\
         `cellog.toml`. `--time-limit` and `--memory-limit` replace `run.time` and `run.memory`. Most bounds are counted, and so mean the same\n\
         on every machine; numbers up to 1 with a point are parts of the time that is left when a pass begins, and keep one pass from\n\
         starving those behind it. This page is made from `src/pipeline/profile.rs` and `src/engines/limits.rs`\n\
         (`UPDATE_EXPECT=1 cargo test --lib profile_page`); a test keeps it so.\n\n\
         | bound | quick | default | thorough | says |\n|---|---|---|---|---|\n",
    );
    let [quick, default, thorough] = Preset::ALL.map(fields);
    for (((name, value, of), quick), thorough) in default.into_iter().zip(quick).zip(thorough) {
        let last = name.rsplit('.').next().unwrap_or_default().to_owned();
        let says = docs.get(&(of, last)).map(String::as_str).unwrap_or_default();
        assert!(!says.is_empty(), "{name} says nothing of itself");
        let _ =
            writeln!(page, "| `{name}` | {} | {} | {} | {says} |", short(&quick.1), short(&value), short(&thorough.1));
    }
    page
}

/// A value as people read it.
fn short(value: &str) -> String {
    let digits = |part: &str| match part.parse::<f64>() {
        Ok(number) if part.contains('.') => format!("{:.3}", number).trim_end_matches('0').to_owned(),
        _ => part.to_owned(),
    };
    value.split(", ").map(digits).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_profile_page_is_what_the_declarations_say() {
    expect_file!["../../docs/profiles.md"].assert_eq(&page());
}
