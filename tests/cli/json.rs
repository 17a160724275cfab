//! The shape of JSON reports, against the published schema, `docs/report.schema.json`.

use crate::run::Folder;
use serde_json::Value;
use std::collections::BTreeMap;

const SCHEMA: &str = include_str!("../../docs/report.schema.json");

fn report(source: &str) -> (i32, Value) {
    let folder = Folder::with(&[("a.c", source)]);
    let ended = folder.run(&["check", "--format", "json", "a.c"]);
    let again = folder.run(&["check", "--format", "json", "a.c"]);
    assert_eq!(ended.out, again.out, "the same input gives the same bytes");
    (ended.status, serde_json::from_str(&ended.out).expect("the report is JSON"))
}

const PROGRAM: &str = "\
#include <stdio.h>
#include <stdlib.h>
int unknown_function(int);
int main(void) {
    char line[8];
    int data = rand();
    if (fgets(line, sizeof line, stdin) && line[0] == 'x') return 1;
    int y = unknown_function(data);
    if (data > 5) return y / (data - data);
    return 100 / data;
}
";

#[test]
fn reports_conform_to_their_schema() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is one");
    for source in [PROGRAM, "int main(void) { return 0; }\n"] {
        let (_, value) = report(source);
        let errors: Vec<String> = schema.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
        assert_eq!(errors, [] as [&str; 0]);
    }
}

#[test]
fn the_schema_refuses_other_shapes() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let schema = jsonschema::validator_for(&schema).expect("the schema is one");
    let (_, good) = report(PROGRAM);
    for (pointer, bad) in [
        ("/findings/0/verdict", Value::from("fine")),
        ("/findings/0/id", Value::from("7")),
        ("/summary", serde_json::json!({ "safe": 1 })),
        ("/program", serde_json::json!({ "files": [], "entry": "main", "arch": "lp64", "more": 1 })),
    ] {
        let mut value = good.clone();
        *value.pointer_mut(pointer).expect("the report has it") = bad;
        assert!(!schema.is_valid(&value), "{pointer}");
    }
}

#[test]
fn the_summary_counts_what_the_findings_list() {
    let (_, value) = report(PROGRAM);
    let mut counted: BTreeMap<&str, u64> = BTreeMap::new();
    for finding in value["findings"].as_array().expect("a list") {
        *counted.entry(finding["verdict"].as_str().expect("a name")).or_default() += 1;
    }
    for (verdict, count) in value["summary"].as_object().expect("counts") {
        assert_eq!(count.as_u64(), Some(counted.get(verdict.as_str()).copied().unwrap_or(0)), "{verdict}");
    }
}

#[test]
fn findings_are_in_order_and_ids_are_unique_and_survive_edits() {
    let (_, value) = report(PROGRAM);
    let list = |value: &Value, keys: &[&str]| -> Vec<Vec<String>> {
        let of = |f: &Value| keys.iter().map(|k| f[*k].to_string()).collect();
        value["findings"].as_array().expect("a list").iter().map(of).collect()
    };
    let ids = list(&value, &["id"]);
    let mut unique = ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(ids.len(), unique.len());
    let lines: Vec<u64> =
        value["findings"].as_array().expect("a list").iter().filter_map(|f| f["line"].as_u64()).collect();
    assert!(lines.is_sorted(), "{lines:?}");
    let (_, shifted) = report(&PROGRAM.replace("int main", "\n\n// A remark.\nint main"));
    assert_eq!(ids, list(&shifted, &["id"]));
}
