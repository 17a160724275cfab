//! SARIF logs of real runs against the format's official schema, `sarif-schema-2.1.0.json`.
//!
//! The schema is part of the OASIS Standard "Static Analysis Results Interchange Format (SARIF) Version 2.1.0",
//! Copyright (c) OASIS Open 2020. All Rights Reserved. It is copied here unchanged under the notices of that standard
//! (<https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/sarif-v2.1.0-os.html>, "Notices").

use crate::run::Folder;
use serde_json::Value;

const SCHEMA: &str = include_str!("sarif-schema-2.1.0.json");

fn schema() -> jsonschema::Validator {
    // A pattern of the schema has a bracket that is never opened, which only lenient readers of patterns accept.
    let text = SCHEMA.replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema is one")
}

/// The log of a check in `folder`, valid and the same each time.
fn log(folder: &Folder, args: &[&str]) -> (i32, Value) {
    let args = [&["check", "--format", "sarif"], args].concat();
    let ended = folder.run(&args);
    assert_eq!(ended.out, folder.run(&args).out, "the same input gives the same bytes");
    let value: Value = serde_json::from_str(&ended.out).expect("the log is JSON");
    let errors: Vec<String> = schema().iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path())).collect();
    assert_eq!(errors, [] as [&str; 0]);
    (ended.status, value)
}

const PROGRAM: &str = "\
#include <stdlib.h>
int unknown_function(int);
static int divide(int by) {
    return 100 / by;
}
int main(void) {
    int *p = malloc(4);
    int d = rand();
    if (d == 7) return divide(d - 7);
    if (p) *p = unknown_function(d);
    return p ? *p << d : 0;
}
";

#[test]
fn logs_are_valid() {
    let folder = Folder::with(&[("a b.c", PROGRAM), ("clean.c", "int main(void) { return 0; }\n")]);
    let (status, value) = log(&folder, &["a b.c"]);
    let run = &value["runs"][0];
    assert_eq!(status, 1);
    assert_eq!(run["invocations"][0]["exitCode"], 1);
    assert_eq!(run["artifacts"][0]["location"]["uri"], "a%20b.c");
    assert!(run["invocations"][0]["toolExecutionNotifications"].as_array().is_some_and(|n| n.len() == 1));
    log(&folder, &["--verbose", "a b.c"]);
    log(&folder, &["--quiet", "a b.c"]);
    let (status, value) = log(&folder, &["clean.c"]);
    assert_eq!((status, value["runs"][0]["results"].as_array().map(Vec::len)), (0, Some(0)));
}

#[test]
fn a_real_program_has_a_valid_log() {
    let stocktake = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/c/real/stocktake");
    let files = ["item.c", "main.c", "report.c", "stock.c"].map(|f| format!("{stocktake}/{f}"));
    // Statements end its search, not seconds: those depend on the machine.
    let args: Vec<&str> = ["--time-limit", "1000"].into_iter().chain(files.iter().map(String::as_str)).collect();
    let (status, value) = log(&Folder::with(&[]), &args);
    assert_eq!(status, 1);
    let uri = &value["runs"][0]["artifacts"][0]["location"]["uri"];
    assert!(uri.as_str().is_some_and(|u| u.starts_with("file:///") && u.ends_with("/item.c")), "{uri}");
}

#[test]
fn results_carry_flow_region_fingerprint_and_weakness() {
    let folder = Folder::with(&[("a.c", PROGRAM)]);
    let (_, value) = log(&folder, &["--quiet", "a.c"]);
    let results = value["runs"][0]["results"].as_array().expect("a list");
    let division = results.iter().find(|r| r["ruleId"] == "div-by-zero").expect("the division errs when rand() is 7");
    assert_eq!((division["kind"].as_str(), division["level"].as_str()), (Some("fail"), Some("error")));
    assert_eq!(division["taxa"][0]["id"], "369");
    let place = &division["locations"][0];
    assert_eq!(place["logicalLocations"][0]["name"], "divide");
    assert_eq!(place["physicalLocation"]["region"]["startLine"], 4);
    let steps = division["codeFlows"][0]["threadFlows"][0]["locations"].as_array().expect("steps");
    let deepest = steps.iter().filter_map(|s| s["nestingLevel"].as_u64()).max();
    assert_eq!(deepest, Some(2), "main and the function it calls");
    let json = folder.run(&["check", "--format", "json", "a.c"]).out;
    let id = division["partialFingerprints"]["cellogFinding/v1"].as_str().expect("an id");
    assert!(json.contains(&format!("\"id\":\"{id}\"")), "{id}");
}

#[test]
fn the_schema_refuses_other_shapes() {
    let (_, mut value) = log(&Folder::with(&[("a.c", PROGRAM)]), &["a.c"]);
    value["runs"][0]["results"][0]["level"] = Value::from("terrible");
    assert!(!schema().is_valid(&value));
}

#[test]
fn fixes_are_edits_that_mend() {
    let program = "int main(int argc, char **argv) {\n    return 100 / (argc - 3);\n}\n";
    let folder = Folder::with(&[("a.c", program)]);
    let (_, value) = log(&folder, &["--fixes", "a.c"]);
    let fix = &value["runs"][0]["results"][0]["fixes"][0];
    assert_eq!(fix["description"]["text"], "leaves main where (argc - 3) == 0");
    let replacement = &fix["artifactChanges"][0]["replacements"][0];
    let region = serde_json::json!({ "startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 5 });
    assert_eq!(replacement["deletedRegion"], region);
    let inserted = replacement["insertedContent"]["text"].as_str().expect("a text");
    folder.write("a.c", program.replace("    return", &format!("    {inserted}return")).as_bytes());
    assert_eq!(log(&folder, &["a.c"]).0, 0);
    let ended = folder.run(&["check", "--fixes", "a.c"]);
    assert!(ended.status == 2 && ended.err.contains("`--fixes` needs `--format sarif`"), "{}", ended.err);
}
