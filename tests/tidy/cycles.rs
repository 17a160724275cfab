//! No module of the edges and of the pipeline needs itself by way of others: each can be read after those that it names.

use crate::assert_none;
use crate::code::{NamedPath, paths_in_src};
use std::collections::{BTreeMap, BTreeSet};

/// The rooms that are looked at.
const ROOMS: &[&str] = &["cli", "lsp", "pipeline"];

/// The module that a file is, without the crate: `src/cli/args/mod.rs` is `cli`, `args`.
fn module(file: &str) -> Vec<String> {
    let path = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').map(str::to_owned).collect()
}

/// The module that `path` leads to from the module `here`: the longest part of it that is one; None if none is.
fn named<'m>(here: &[String], path: &NamedPath, modules: &'m BTreeSet<Vec<String>>) -> Option<&'m Vec<String>> {
    let segments = &path.segments;
    let supers = segments.iter().take_while(|segment| *segment == "super").count();
    let (start, rest) = match segments[0].as_str() {
        "crate" => (&here[..0], &segments[1..]),
        "self" => (here, &segments[1..]),
        "super" if supers <= here.len() => (&here[..here.len() - supers], &segments[supers..]),
        // A child; a lone word may be anything.
        _ if segments.len() > 1 => (here, &segments[..]),
        _ => return None,
    };
    let whole: Vec<String> = start.iter().chain(rest).cloned().collect();
    (1..=whole.len()).rev().find_map(|length| modules.get(&whole[..length])).filter(|module| *module != here)
}

/// The modules on a way from `at` back to one that is under way, if there is one.
fn cycle<'m>(
    at: &'m Vec<String>,
    uses: &'m BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
    under_way: &mut Vec<&'m Vec<String>>,
    done: &mut BTreeSet<&'m Vec<String>>,
) -> Option<Vec<String>> {
    if let Some(first) = under_way.iter().position(|module| *module == at) {
        return Some(under_way[first..].iter().chain([&at]).map(|module| module.join("::")).collect());
    }
    if !done.insert(at) {
        return None;
    }
    under_way.push(at);
    let found = uses.get(at).into_iter().flatten().find_map(|next| cycle(next, uses, under_way, done));
    under_way.pop();
    found
}

/// A cycle among modules that name each other so, if there is one.
fn found(uses: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    uses.keys().find_map(|module| cycle(module, uses, &mut Vec::new(), &mut done))
}

#[test]
fn modules_do_not_need_each_other() {
    let files: Vec<(Vec<String>, Vec<NamedPath>)> = paths_in_src()
        .into_iter()
        .map(|(file, paths)| (module(&file), paths))
        .filter(|(module, _)| ROOMS.contains(&module[0].as_str()))
        .collect();
    let modules: BTreeSet<Vec<String>> = files.iter().map(|(module, _)| module.clone()).collect();
    let uses: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = files
        .iter()
        .map(|(here, paths)| (here.clone(), paths.iter().filter_map(|p| named(here, p, &modules)).cloned().collect()))
        .collect();
    assert!(uses.values().any(|named| !named.is_empty()), "modules name others");
    let problems = found(&uses).map(|cycle| format!("{}: move what two of them need to a third", cycle.join(" -> ")));
    assert_none("Modules need each other.", problems.into_iter().collect());
}

#[test]
fn a_cycle_is_found() {
    let module = |name: &str| name.split("::").map(str::to_owned).collect::<Vec<_>>();
    let uses = |pairs: &[(&str, &[&str])]| {
        pairs.iter().map(|(from, to)| (module(from), to.iter().map(|name| module(name)).collect())).collect()
    };
    assert_eq!(found(&uses(&[("a", &["a::b", "c"]), ("a::b", &["c"]), ("c", &[])])), None);
    let cycle = found(&uses(&[("a", &["a::b"]), ("a::b", &["c"]), ("c", &["a"])])).expect("there is one");
    assert_eq!(cycle, ["a", "a::b", "c", "a"]);
}

#[test]
fn paths_lead_to_modules() {
    let modules: BTreeSet<Vec<String>> =
        [&["a"][..], &["a", "b"], &["a", "c"]].iter().map(|m| m.iter().map(|s| (*s).to_owned()).collect()).collect();
    let here = ["a".to_owned(), "b".to_owned()];
    let to = |path: &str| {
        let path = NamedPath { line: 1, segments: path.split("::").map(str::to_owned).collect() };
        named(&here, &path, &modules).map(|module| module.join("::"))
    };
    assert_eq!(to("super::c::Thing").as_deref(), Some("a::c"));
    assert_eq!(to("crate::a::Thing").as_deref(), Some("a"));
    assert_eq!(to("crate::z::Thing"), None);
    assert_eq!(to("Thing"), None);
}
