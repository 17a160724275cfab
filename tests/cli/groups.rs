//! The checks of one access are one place with several parts.

use crate::run::Folder;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// `p` may be anything that a caller gives.
fn checked(body: &str) -> (Folder, Value) {
    let source = format!("struct s {{ int x, y; }};\nint f(struct s *p, struct s *q) {{\n{body}\n}}\n");
    let folder = Folder::with(&[("a.c", &source)]);
    let ended = folder.run(&["check", "--entry", "f", "--format", "json", "a.c"]);
    let value = serde_json::from_str(&ended.out).expect("the report is JSON");
    (folder, value)
}

/// The checks of each place with several, in the order of the report.
fn groups(value: &Value) -> Vec<Vec<&str>> {
    let mut groups: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    for finding in value["findings"].as_array().expect("a list") {
        let Some(group) = finding["group"].as_str() else { continue };
        if !groups.contains_key(group) {
            order.push(group);
        }
        groups.entry(group).or_default().push(finding["check"].as_str().expect("a name"));
    }
    order.into_iter().map(|group| groups.remove(group).expect("it is there")).collect()
}

const READ: [&str; 4] = ["null-deref", "out-of-bounds", "use-after-free", "uninit-read"];
const WRITE: [&str; 3] = ["null-deref", "out-of-bounds", "use-after-free"];

#[test]
fn a_read_is_one_place_and_the_same_text_elsewhere_another() {
    let (_, value) = checked("return p->x;");
    assert_eq!(groups(&value), [READ]);
    assert_eq!(groups(&checked("return p->x + p->x;").1), [READ, READ]);
    assert_eq!(groups(&checked("return p->x + p->y;").1), [READ, READ]);
    assert_eq!(groups(&checked("p->x = 1; return p->x;").1), [&WRITE[..], &READ[..]]);
    // A value that is copied on is not judged, and what is judged next is another access.
    assert_eq!(groups(&checked("p->x = q->x; return 0;").1), [WRITE, WRITE]);
    assert!(groups(&checked("int i; return i + (p != q);").1).is_empty());
}

#[test]
fn the_head_of_a_group_is_a_finding_of_it() {
    let (_, value) = checked("return p->x + q->y;");
    let findings = value["findings"].as_array().expect("a list");
    let heads =
        findings.iter().filter(|f| f["group"].is_string() && f["group"] == f["id"]).filter_map(|f| f["check"].as_str());
    assert_eq!(heads.collect::<Vec<_>>(), ["null-deref", "null-deref"]);
    assert!(findings.iter().all(|f| f["group"].is_null() || findings.iter().any(|head| head["id"] == f["group"])));
}

#[test]
fn places_are_counted_beside_findings() {
    let (folder, value) = checked("return p->x;");
    let sum = |counts: &Value| counts.as_object().expect("counts").values().filter_map(Value::as_u64).sum::<u64>();
    assert_eq!((sum(&value["summary"]), sum(&value["places"])), (4, 1));
    assert_eq!(value["places"]["possible"], 1);
    let sarif = folder.run(&["check", "--entry", "f", "--format", "sarif", "a.c"]).out;
    let sarif: Value = serde_json::from_str(&sarif).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("a list");
    let groups: BTreeSet<Option<&str>> = results.iter().map(|r| r["properties"]["group"].as_str()).collect();
    assert!(groups.len() == 1 && !groups.contains(&None), "{sarif}");
}

#[test]
fn a_text_report_has_one_block_a_place_and_a_line_a_part() {
    let (folder, value) = checked("return p->x;");
    let open = |f: &&Value| f["verdict"] == "possible" || f["verdict"] == "unknown";
    let open = value["findings"].as_array().expect("a list").iter().filter(open).count();
    assert!(open > 1, "{value}");
    let text = folder.run(&["check", "--entry", "f", "a.c"]).out;
    let heads = text.lines().filter(|l| l.starts_with("possible[") || l.starts_with("unknown[")).count();
    assert_eq!((heads, text.matches("= also: ").count()), (1, open - 1), "{text}");
    let verbose = folder.run(&["check", "--entry", "f", "--verbose", "a.c"]).out;
    assert!(!verbose.contains("= also: "), "{verbose}");
}

#[test]
fn explain_names_the_parts_and_derives_them() {
    let (folder, value) = checked("return p->x;");
    let bounds = value["findings"].as_array().expect("a list").iter().find(|f| f["check"] == "out-of-bounds");
    let id = bounds.expect("one")["id"].as_str().expect("an id");
    let text = folder.run(&["explain", "--entry", "f", id, "a.c"]).out;
    assert_eq!(text.matches("of one access: ").count(), 4, "{text}");
    assert!(text.contains("\none access:\nsame_access(") && text.contains("judged_after("), "{text}");
    assert!(text.contains(&format!("[out-of-bounds] {id} (this one)")), "{text}");
}

#[test]
fn parts_of_a_run_are_merged_with_their_places() {
    let (folder, whole) = checked("return p->x + q->y;");
    for part in ["1/2", "2/2"] {
        let out = format!("{}.json", &part[..1]);
        folder.run(&["check", "--entry", "f", "--format", "json", "--shard", part, "-o", &out, "a.c"]);
    }
    let merged: Value = serde_json::from_str(&folder.run(&["merge", "1.json", "2.json"]).out).expect("JSON");
    assert_eq!(merged["places"], whole["places"]);
}
