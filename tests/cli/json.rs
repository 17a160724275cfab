//! The shape of JSON reports, against the committed description in `report.schema.json`.

use crate::run::Folder;
use serde_json::Value;
use std::collections::BTreeMap;

const SCHEMA: &str = include_str!("report.schema.json");

/// The subset of JSON Schema that the description uses.
fn conforms(value: &Value, schema: &Value, place: &str) {
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        assert!(allowed.contains(value), "{place}: {value} is not allowed");
    }
    if let Some(types) = schema.get("type") {
        let is = |name: &str| match name {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "integer" => {
                value.is_i64() || value.is_u64() || (value.is_f64() && value.to_string().parse::<i128>().is_ok())
            }
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            other => panic!("the description uses an unknown type {other}"),
        };
        let names: Vec<&str> = match types {
            Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
            one => one.as_str().into_iter().collect(),
        };
        assert!(names.iter().any(|n| is(n)), "{place}: {value} is none of {names:?}");
    }
    if let Value::Object(map) = value {
        let properties = schema.get("properties").and_then(Value::as_object).expect("objects have properties");
        for required in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
            let name = required.as_str().expect("names are strings");
            assert!(map.contains_key(name), "{place}: `{name}` is missing");
        }
        for (name, inner) in map {
            let schema = properties.get(name).unwrap_or_else(|| panic!("{place}: `{name}` is not described"));
            conforms(inner, schema, &format!("{place}.{name}"));
        }
    }
    if let (Value::Array(items), Some(schema)) = (value, schema.get("items")) {
        for (i, item) in items.iter().enumerate() {
            conforms(item, schema, &format!("{place}[{i}]"));
        }
    }
}

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
fn reports_conform_to_their_description() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the description is JSON");
    for source in [PROGRAM, "int main(void) { return 0; }\n"] {
        let (_, value) = report(source);
        conforms(&value, &schema, "report");
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
