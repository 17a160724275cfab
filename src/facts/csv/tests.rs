use super::*;
use crate::facts::emit::emit;
use crate::ir::sample::counting_loop;

/// A folder with the facts of a small program, with a symbol that needs quotes.
fn exported() -> (tempfile::TempDir, FactStore) {
    let mut sample = counting_loop();
    sample.program.sites[crate::ir::SiteId(0)].subject = "x + 1, \"quoted\"\nand more\\".into();
    let facts = emit(&sample.program).facts;
    let folder = tempfile::tempdir().expect("a folder");
    write_csv(&facts, folder.path()).expect("facts are written");
    (folder, facts)
}

/// Every row of every relation, as text.
pub fn rows(facts: &FactStore) -> Vec<String> {
    let mut rows = Vec::new();
    for relation in catalog() {
        facts.for_each(relation.name, &mut |cells| {
            let cells: Vec<String> = cells.iter().map(|c| text(*c, &facts.symbols)).collect();
            rows.push(format!("{}{cells:?}", relation.name));
        });
    }
    rows
}

/// What reading says, with the folder's name taken out, after `damage` to the file called `name`.
#[track_caller]
fn check_damage(name: &str, damage: impl FnOnce(String) -> Option<String>, wanted: &str) {
    let (folder, _) = exported();
    let path = folder.path().join(name);
    let text = std::fs::read_to_string(&path).expect("the file was written");
    match damage(text) {
        Some(text) => std::fs::write(&path, text).expect("the file can be damaged"),
        None => std::fs::remove_file(&path).expect("the file can be removed"),
    }
    let error = read_csv(folder.path(), Extent::Whole).expect_err("damage is noticed").to_string();
    assert_eq!(error.replace(&format!("{}/", folder.path().display()), ""), wanted);
}

#[test]
fn facts_survive_the_way_to_disk_and_back() {
    let (folder, facts) = exported();
    let again = read_csv(folder.path(), Extent::Whole).expect("facts are read");
    assert!(rows(&facts).len() > 50);
    assert_eq!(rows(&again), rows(&facts));
}

#[test]
fn what_was_read_is_written_with_the_same_bytes() {
    let (first, _) = exported();
    let facts = read_csv(first.path(), Extent::Whole).expect("facts are read");
    let second = tempfile::tempdir().expect("a temporary folder");
    write_csv(&facts, second.path()).expect("facts are written");
    let files = |folder: &tempfile::TempDir| {
        let entries = std::fs::read_dir(folder.path()).expect("the folder is there").flatten();
        let read = |e: std::fs::DirEntry| (e.file_name(), std::fs::read(e.path()).expect("the file is there"));
        entries.map(read).collect::<std::collections::BTreeMap<_, _>>()
    };
    let (first, second) = (files(&first), files(&second));
    assert!(first.len() > 50 && first.keys().eq(second.keys()));
    for (name, bytes) in first {
        assert!(second[&name] == bytes, "{name:?}");
    }
}

#[test]
fn a_missing_relation_is_named() {
    check_damage("edge.csv", |_| None, "edge.csv: the file is missing");
}

#[test]
fn a_folder_that_was_not_written_to_the_end_is_refused() {
    let wanted = "relations.csv: the file is missing; it is written last, so the folder was not written to the end, or holds no facts";
    check_damage("relations.csv", |_| None, wanted);
}

#[test]
fn a_wrong_header_is_shown() {
    let wanted = "edge.csv:1: the header is `block,to`, wanted `block,next`";
    check_damage("edge.csv", |t| Some(t.replacen("next", "to", 1)), wanted);
}

#[test]
fn a_row_of_another_length_is_placed() {
    check_damage("edge.csv", |t| Some(t + "a,b,c\n"), "edge.csv:6: 3 columns, wanted 2");
}

#[test]
fn a_bad_number_is_placed() {
    let wanted = "variable.csv:2: `four` in column `size` is no number of 64 bits";
    check_damage("variable.csv", |t| Some(t.replacen(",4\n", ",four\n", 1)), wanted);
}

#[test]
fn a_file_that_lost_rows_is_noticed() {
    let cut = |t: String| t.rsplit_once("main").map(|(head, _)| head.trim_end_matches("main:bb2,").to_owned());
    let wanted = "edge.csv: 3 rows, but relations.csv says 4: the folder was changed or not written to the end";
    check_damage("edge.csv", cut, wanted);
}

#[test]
fn a_relation_that_does_not_exist_is_named() {
    let wanted = "relations.csv:2: there is no relation `made_up`";
    check_damage("relations.csv", |t| Some(t.replacen("rows\n", "rows\nmade_up,1\n", 1)), wanted);
}

#[test]
fn facts_written_by_hand_need_only_the_relations_they_use() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("edge.csv"), "block,next\nf:bb0,f:bb1\n").expect("the file is written");
    let facts = read_csv(folder.path(), Extent::Part).expect("facts are read");
    assert_eq!(rows(&facts), ["edge[\"f:bb0\", \"f:bb1\"]"]);
}
