//! Which units make which programs, where nobody says it: as a linker takes them out of an archive.
//!
//! A program begins with a unit that defines its entry. What a unit wants and no unit of the program has is looked for in the
//! units that define no entry; the one that has it, the nearest of several, is taken in too, and so on.

use crate::frontend::lower::UnitNames;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A unit, and what it has to do with others.
#[derive(Clone, Debug)]
pub struct NamedUnit {
    pub path: PathBuf,
    pub names: UnitNames,
}

/// Units by program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// Each with its name and its units' numbers, sorted.
    pub programs: Vec<(String, Vec<usize>)>,
    /// The units of none of them.
    pub rest: Vec<usize>,
    /// Names that more than one unit would define for a program: the name, and the unit that was not taken.
    pub doubtful: Vec<(String, usize)>,
}

/// The programs of `units` that begin with a function called `entry`.
pub fn programs(units: &[NamedUnit], entry: &str) -> Programs {
    let begins: Vec<usize> = (0..units.len()).filter(|u| units[*u].names.defines.contains(entry)).collect();
    let mut having: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, unit) in units.iter().enumerate().filter(|(number, _)| !begins.contains(number)) {
        for name in &unit.names.defines {
            having.entry(name).or_default().push(number);
        }
    }
    let (mut found, mut doubtful, mut used) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for begin in &begins {
        let members = members(units, *begin, &having, &mut doubtful);
        used.extend(members.iter().copied());
        found.push(members.into_iter().collect());
    }
    let programs = names(units, &begins).into_iter().zip(found).collect();
    let rest = (0..units.len()).filter(|u| !used.contains(u)).collect();
    Programs { programs, rest, doubtful: doubtful.into_iter().collect() }
}

/// The units of the program that begins with one of them.
fn members(
    units: &[NamedUnit],
    begin: usize,
    having: &BTreeMap<&str, Vec<usize>>,
    doubtful: &mut BTreeSet<(String, usize)>,
) -> BTreeSet<usize> {
    let mut members = BTreeSet::from([begin]);
    let mut defined: BTreeSet<&str> = units[begin].names.defines.iter().map(String::as_str).collect();
    let mut work = vec![begin];
    while let Some(unit) = work.pop() {
        for name in &units[unit].names.wants {
            let Some(all) = having.get(name.as_str()).filter(|_| !defined.contains(name.as_str())) else { continue };
            let near = |other: &&usize| (common(&units[**other].path, &units[unit].path), std::cmp::Reverse(**other));
            let Some(taken) = all.iter().max_by_key(near) else { continue };
            doubtful.extend(all.iter().filter(|other| *other != taken).map(|other| (name.clone(), *other)));
            members.insert(*taken);
            defined.extend(units[*taken].names.defines.iter().map(String::as_str));
            work.push(*taken);
        }
    }
    members
}

/// How many folders two files are in both.
fn common(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
}

/// A name for each of the programs that begin with these units: that of its file without the ending, or of the folder of a
/// `main.c`; the file's where two would be called the same.
fn names(units: &[NamedUnit], begins: &[usize]) -> Vec<String> {
    let text = |name: Option<&std::ffi::OsStr>| name.map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
    let short = |unit: &usize| {
        let path = &units[*unit].path;
        match text(path.file_stem()) {
            stem if stem == "main" => {
                let folder = text(path.parent().and_then(Path::file_name));
                if folder.is_empty() || folder == "src" { stem } else { folder }
            }
            stem => stem,
        }
    };
    let shorts: Vec<String> = begins.iter().map(short).collect();
    let name = |(unit, short): (&usize, &String)| match shorts.iter().filter(|other| *other == short).count() {
        1 => short.clone(),
        _ => units[*unit].path.with_extension("").to_string_lossy().into_owned(),
    };
    begins.iter().zip(&shorts).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(path: &str, defines: &[&str], wants: &[&str]) -> NamedUnit {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        NamedUnit { path: path.into(), names: UnitNames { defines: set(defines), wants: set(wants) } }
    }

    #[test]
    fn a_program_has_what_its_units_want_and_nothing_else() {
        let units = [
            unit("a.c", &["main"], &["help", "printf"]),
            unit("b.c", &["main", "own"], &["own", "deep"]),
            unit("help.c", &["help"], &["deep"]),
            unit("deep.c", &["deep"], &[]),
            unit("unused.c", &["unused"], &["help"]),
        ];
        let found = programs(&units, "main");
        assert_eq!(found.programs, [("a".to_owned(), vec![0, 2, 3]), ("b".to_owned(), vec![1, 3])]);
        assert_eq!((found.rest, found.doubtful), (vec![4], vec![]));
    }

    #[test]
    fn of_two_definitions_the_nearer_is_taken_and_the_other_told() {
        let units = [
            unit("src/main.c", &["main"], &["open_it"]),
            unit("os/win.c", &["open_it"], &[]),
            unit("src/unix.c", &["open_it"], &[]),
        ];
        let found = programs(&units, "main");
        assert_eq!(found.programs, [("main".to_owned(), vec![0, 2])]);
        assert_eq!(found.doubtful, [("open_it".to_owned(), 1)]);
    }

    #[test]
    fn programs_have_names_that_tell_them_apart() {
        let name = |paths: &[&str]| {
            let units: Vec<NamedUnit> = paths.iter().map(|path| unit(path, &["main"], &[])).collect();
            programs(&units, "main").programs.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(name(&["src/list.c", "tool/main.c", "src/main.c"]), ["list", "tool", "main"]);
        assert_eq!(name(&["a/t.c", "b/t.c"]), ["a/t", "b/t"]);
    }

    #[test]
    fn without_an_entry_there_is_no_program() {
        let found = programs(&[unit("l.c", &["f"], &["g"])], "main");
        assert_eq!((found.programs, found.rest), (vec![], vec![0]));
    }
}
