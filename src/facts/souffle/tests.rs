use super::super::csv::tests::rows;
use super::*;
use crate::facts::emit::emit;
use crate::ir::sample::counting_loop;

fn exported() -> (tempfile::TempDir, FactStore) {
    let mut sample = counting_loop();
    sample.program.sites[crate::ir::SiteId(0)].subject = "a\tb\\t\r\nc".into();
    let facts = emit(&sample.program).facts;
    let folder = tempfile::tempdir().expect("a folder");
    write_souffle(&facts, folder.path()).expect("facts are written");
    (folder, facts)
}

#[test]
fn facts_survive_the_way_to_souffle_and_back() {
    let (folder, facts) = exported();
    let again = read_souffle(folder.path()).expect("facts are read");
    assert_eq!(rows(&again), rows(&facts));
}

#[test]
fn a_damaged_row_is_placed() {
    let (folder, _) = exported();
    std::fs::write(folder.path().join("edge.facts"), "a\tb\na\n").expect("the file is written");
    let error = read_souffle(folder.path()).expect_err("damage is noticed").to_string();
    assert!(error.ends_with("edge.facts:2: 1 columns, wanted 2"), "{error}");
}

#[test]
fn the_declarations_are_in_the_rule_language() {
    let (_, diagnostics) = crate::datalog::check_source("decls.dl", &declare_all(), &mut |_: &str| Err(String::new()));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
}
