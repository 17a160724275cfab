//! Witnesses in the verification community's YAML format, version 2.0: invariants of a proof, or the way to a violation.
//!
//! See: Ayaziová et al., "Software Verification Witnesses 2.0".

use super::Location;
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What a witness is about.
#[derive(Clone, Debug)]
pub struct Task {
    /// Names and contents of the input files.
    pub files: Vec<(String, Vec<u8>)>,
    /// The property in the competition's language.
    pub specification: String,
    /// `LP64` or `ILP32`.
    pub data_model: &'static str,
}

/// An invariant at a loop: at the first character of its keyword. A column of 0 is left out: the first that suits is meant.
#[derive(Clone, Debug)]
pub struct Invariant {
    pub location: Location,
    pub function: String,
    /// A C expression.
    pub formula: String,
}

/// A step of the way to a violation: at the right parenthesis of a call, or where the violation is.
#[derive(Clone, Debug)]
pub struct Waypoint {
    pub location: Location,
    pub function: String,
    /// What an input function returned; None for the violation itself.
    pub returned: Option<String>,
}

/// The witness of a proof.
pub fn correctness(task: &Task, invariants: &[Invariant]) -> String {
    let mut text = head(task, "invariant_set");
    if invariants.is_empty() {
        text.push_str("  content: []\n");
        return text;
    }
    text.push_str("  content:\n");
    for i in invariants {
        text.push_str("    - invariant:\n        type: loop_invariant\n");
        location(&mut text, &i.location, &i.function, 8);
        let _ = writeln!(text, "        value: {}\n        format: c_expression", quoted(&i.formula));
    }
    text
}

/// The witness of a violation.
pub fn violation(task: &Task, way: &[Waypoint]) -> String {
    let mut text = head(task, "violation_sequence");
    text.push_str("  content:\n");
    for w in way {
        text.push_str("    - segment:\n        - waypoint:\n");
        let kind = if w.returned.is_some() { "function_return" } else { "target" };
        let _ = writeln!(text, "            type: {kind}\n            action: follow");
        location(&mut text, &w.location, &w.function, 12);
        if let Some(value) = &w.returned {
            let _ = writeln!(
                text,
                "            constraint:\n              value: {}",
                quoted(&format!("\\result == {value}"))
            );
            text.push_str("              format: ext_c_expression\n");
        }
    }
    text
}

/// The digest by which witnesses name files, in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn head(task: &Task, kind: &str) -> String {
    let mut text = format!("- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    let hashes: Vec<String> = task.files.iter().map(|(_, content)| sha256(content)).collect();
    // The same task has the same witness: its number comes from the files, its date is the format's least.
    let id = sha256(format!("{kind} {} {}", task.specification, hashes.join(" ")).as_bytes());
    let _ = writeln!(
        text,
        "    uuid: \"{}-{}-8{}-8{}-{}\"\n    creation_time: \"1970-01-01T00:00:00Z\"",
        &id[..8],
        &id[8..12],
        &id[13..16],
        &id[17..20],
        &id[20..32]
    );
    let _ = writeln!(text, "    producer:\n      name: Cellog\n      version: \"{}\"", env!("CARGO_PKG_VERSION"));
    text.push_str("    task:\n      input_files:\n");
    for (name, _) in &task.files {
        let _ = writeln!(text, "        - {}", quoted(name));
    }
    text.push_str("      input_file_hashes:\n");
    for ((name, _), hash) in task.files.iter().zip(hashes) {
        let _ = writeln!(text, "        {}: {hash}", quoted(name));
    }
    let _ = writeln!(text, "      specification: {}", quoted(&task.specification));
    let _ = writeln!(text, "      data_model: {}\n      language: C", task.data_model);
    text
}

fn location(text: &mut String, at: &Location, function: &str, indent: usize) {
    let pad = " ".repeat(indent);
    let _ = writeln!(text, "{pad}location:\n{pad}  file_name: {}", quoted(&at.file));
    let _ = writeln!(text, "{pad}  line: {}", at.line);
    if at.column > 0 {
        let _ = writeln!(text, "{pad}  column: {}", at.column);
    }
    let _ = writeln!(text, "{pad}  function: {}", quoted(function));
}

/// A YAML string in double quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn a_violation_ends_at_its_target() {
        let task = Task {
            files: vec![("a.c".into(), b"abc".to_vec())],
            specification: "G ! call(reach_error())".into(),
            data_model: "LP64",
        };
        let at = |line| Location { file: "a.c".into(), line, column: 3 };
        let input = Waypoint { location: at(4), function: "main".into(), returned: Some("7".into()) };
        let target = Waypoint { location: at(9), function: "main".into(), returned: None };
        let text = violation(&task, &[input, target]);
        expect![[r#"
            content:
                - segment:
                    - waypoint:
                        type: function_return
                        action: follow
                        location:
                          file_name: "a.c"
                          line: 4
                          column: 3
                          function: "main"
                        constraint:
                          value: "\\result == 7"
                          format: ext_c_expression
                - segment:
                    - waypoint:
                        type: target
                        action: follow
                        location:
                          file_name: "a.c"
                          line: 9
                          column: 3
                          function: "main"
        "#]]
        .assert_eq(&text[text.find("content:").unwrap()..]);
        assert!(text.contains("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    }
}
