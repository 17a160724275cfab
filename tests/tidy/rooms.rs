//! ARCHITECTURE.md's map and the rooms of `src/`: each exists on both sides, and rooms use only what the map allows.

use crate::code::{NamedPath, paths_in_src};
use crate::{assert_none, tree};
use std::collections::{BTreeMap, BTreeSet};

/// The rows of the table under `heading`: the cells of each, the first a folder name between backquotes.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = tree::text("ARCHITECTURE.md").expect("ARCHITECTURE.md is text");
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("ARCHITECTURE.md has no section '{heading}'"));
    section
        .lines()
        .take_while(|line| !line.starts_with("## "))
        .filter(|line| line.starts_with("| `"))
        .map(|line| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect())
        .collect()
}

fn folder(cell: &str) -> String {
    cell.trim_matches('`').trim_end_matches('/').to_string()
}

/// Room -> the rooms it may name, itself included.
fn allowed() -> BTreeMap<String, BTreeSet<String>> {
    let rows = table("## Code map");
    let all: BTreeSet<String> = rows.iter().map(|row| folder(&row[0])).collect();
    let mut above = BTreeSet::new();
    let mut allowed = BTreeMap::new();
    for row in &rows {
        let room = folder(&row[0]);
        let mut may: BTreeSet<String> = match row[2].as_str() {
            "nothing" => BTreeSet::new(),
            "all" => all.clone(),
            "all above" => above.clone(),
            list => list.split(',').map(|name| name.trim().to_string()).collect(),
        };
        for name in &may {
            assert!(
                all.contains(name),
                "ARCHITECTURE.md: the row of {room} names {name}, which is no room: correct the third column"
            );
        }
        may.insert(room.clone());
        above.insert(room.clone());
        allowed.insert(room, may);
    }
    allowed
}

#[test]
fn the_map_names_the_rooms_that_exist() {
    let mapped: BTreeSet<String> = allowed().into_keys().collect();
    let existing: BTreeSet<String> = tree::files_under("src")
        .iter()
        .filter_map(|file| file.strip_prefix("src/")?.split_once('/').map(|(room, _)| room.to_string()))
        .collect();
    let mut problems = Vec::new();
    for room in existing.difference(&mapped) {
        problems.push(format!("src/{room}/ is in no row: add one to ARCHITECTURE.md's code map"));
    }
    for room in mapped.difference(&existing) {
        problems.push(format!("{room} has a row but no folder in src/: remove the row or add the room"));
    }
    assert_none("ARCHITECTURE.md's code map and src/ differ.", problems);
}

#[test]
fn the_map_names_the_folders_that_exist() {
    let mapped: BTreeSet<String> = table("## Outside").iter().map(|row| folder(&row[0])).collect();
    let existing: BTreeSet<String> = tree::files_under("")
        .iter()
        .filter_map(|file| file.split_once('/').map(|(folder, _)| folder.to_string()))
        .filter(|folder| !folder.starts_with('.') && folder != "src")
        .collect();
    let mut problems = Vec::new();
    for folder in existing.difference(&mapped) {
        problems.push(format!("{folder}/ is in no row of \"Outside `src/`\": add one"));
    }
    for folder in mapped.difference(&existing) {
        problems.push(format!("{folder}/ has a row but does not exist: remove the row"));
    }
    assert_none("ARCHITECTURE.md's table of folders and the repository differ.", problems);
}

/// The room that a path in the file names, if it names one.
fn named_room<'p>(file: &str, path: &'p NamedPath) -> Option<&'p String> {
    // How many `super::` lead from the file's module to the crate.
    let depth = file.split('/').count() - 1 - usize::from(file.ends_with("/mod.rs"));
    let supers = path.segments.iter().take_while(|s| *s == "super").count();
    match path.segments[0].as_str() {
        "crate" | "cellog" => path.segments.get(1),
        "super" if supers == depth => path.segments.get(supers),
        _ => None,
    }
}

#[test]
fn arrows_of_the_map_exist() {
    let (mut missing, mut above): (BTreeSet<(String, String)>, Vec<String>) = Default::default();
    for row in table("## Code map") {
        let room = folder(&row[0]);
        let used: Vec<String> = match row[2].as_str() {
            // The last row may use everything, and need not.
            "nothing" | "all" => Vec::new(),
            "all above" => above.clone(),
            list => list.split(',').map(|name| name.trim().to_string()).collect(),
        };
        missing.extend(used.into_iter().map(|name| (room.clone(), name)));
        above.push(room);
    }
    for (file, paths) in paths_in_src() {
        let Some((room, _)) = file.strip_prefix("src/").and_then(|rest| rest.split_once('/')) else { continue };
        for named in paths.iter().filter_map(|path| named_room(&file, path)) {
            missing.remove(&(room.to_string(), named.clone()));
        }
    }
    let told = |(room, named): (String, String)| {
        format!("{room} may use {named} and does not: have it do so, or take {named} out of the third column")
    };
    assert_none("ARCHITECTURE.md draws arrows that the code does not have.", missing.into_iter().map(told).collect());
}

#[test]
fn arrows_go_down_only() {
    let allowed = allowed();
    let mut problems = Vec::new();
    for (file, paths) in paths_in_src() {
        let parts: Vec<&str> = file.split('/').collect();
        if parts.len() < 3 {
            continue;
        }
        let room = parts[1];
        let Some(may) = allowed.get(room) else { continue };
        for path in paths {
            if let Some(named) = named_room(&file, &path).filter(|n| allowed.contains_key(*n) && !may.contains(*n)) {
                problems.push(format!(
                    "{file}:{}: {room} names {named}; move the code up, or the piece of {named} it needs down, or \
                     change the third column of ARCHITECTURE.md and say why",
                    path.line
                ));
            }
        }
    }
    assert_none("A room uses a room that its row in ARCHITECTURE.md does not allow.", problems);
}
