//! Which pointers a call of a modelled function checks, against docs/library.md and against what the system's headers say.

use super::is_modelled;
use crate::base::SourceMap;
use crate::frontend::lower::{LowerOptions, lower};
use crate::frontend::parse::{parse_units, with_deep_stack};
use crate::frontend::preprocess::{PreprocessOptions, UnitSource, preprocess};
use crate::ir::{CheckKind, DataModel};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const HEADERS: &str = "ctype.h dirent.h dlfcn.h fcntl.h getopt.h libgen.h locale.h malloc.h math.h pthread.h pwd.h signal.h stdio.h stdlib.h \
    string.h strings.h sys/mman.h sys/resource.h sys/socket.h sys/stat.h sys/time.h sys/types.h sys/utsname.h time.h unistd.h \
    utime.h wchar.h wctype.h netdb.h arpa/inet.h err.h error.h fnmatch.h glob.h grp.h iconv.h ifaddrs.h langinfo.h libintl.h mntent.h net/if.h poll.h \
    regex.h sched.h semaphore.h shadow.h spawn.h stdio_ext.h sys/file.h sys/ioctl.h sys/random.h sys/select.h sys/sendfile.h sys/statvfs.h \
    sys/sysinfo.h sys/timerfd.h sys/times.h sys/uio.h sys/vfs.h sys/wait.h sys/xattr.h syslog.h termios.h wordexp.h";

/// A function as a header declares it.
#[derive(Debug)]
struct Declared {
    parameters: Vec<String>,
    /// Arguments that the header says are not NULL, from 1.
    nonnull: BTreeSet<usize>,
}

fn preprocessed(source: &str) -> crate::frontend::preprocess::PreprocessedUnit {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = dir.path().join("f.c");
    std::fs::write(&path, source).expect("the folder is writable");
    let unit = UnitSource::new(path.to_str().expect("the path is text"));
    preprocess(&unit, &PreprocessOptions::new(DataModel::Lp64)).expect("the headers are there")
}

fn includes() -> String {
    HEADERS.split_whitespace().map(|h| format!("#include <{h}>\n")).collect::<String>()
}

/// What stands between the parenthesis at `open` and its partner.
fn inside(text: &str, open: usize) -> Option<&str> {
    let mut depth = 0;
    for (i, c) in text[open..].char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return Some(&text[open + 1..open + i]);
        }
    }
    None
}

/// The parts between commas outside parentheses.
fn parts(text: &str) -> Vec<String> {
    let (mut all, mut depth) = (vec![String::new()], 0);
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match all.last_mut() {
            Some(last) if c != ',' || depth > 0 => last.push(c),
            _ => all.push(String::new()),
        }
    }
    all.iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty() && p != "void").collect()
}

/// The modelled functions that the headers declare.
fn declared() -> BTreeMap<String, Declared> {
    let unit = preprocessed(&format!("#define _GNU_SOURCE\n{}", includes()));
    let text = String::from_utf8_lossy(&unit.text).into_owned();
    let lines: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    let mut all = BTreeMap::new();
    for declaration in lines.join(" ").split([';', '{', '}']) {
        let Some(open) = declaration.find('(') else { continue };
        let name =
            declaration[..open].trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
        let (true, Some(parameters)) = (is_modelled(name), inside(declaration, open)) else { continue };
        let mut nonnull = BTreeSet::new();
        for (at, word) in declaration.match_indices("__nonnull__") {
            let open = declaration[at + word.len()..].find('(').map(|i| at + word.len() + i);
            let list = open.and_then(|open| inside(declaration, open)).unwrap_or_default();
            nonnull.extend(list.split(',').filter_map(|n| n.trim().parse::<usize>().ok()));
        }
        all.insert(name.to_owned(), Declared { parameters: parts(parameters), nonnull });
    }
    all
}

fn is_pointer(parameter: &str) -> bool {
    let types = ["*", "[", "__compar_fn_t", "__sighandler_t"];
    types.iter().any(|t| parameter.contains(t)) && !parameter.contains("va_list") && !parameter.contains("_ARG")
}

/// The pointers of each function that a call of it judges where they are NULL, and the others; from 1.
fn judged(all: &BTreeMap<String, Declared>) -> BTreeMap<String, [BTreeSet<usize>; 2]> {
    let mut text = format!("#define _GNU_SOURCE\n{}", includes());
    let mut asked = BTreeMap::new();
    for (name, function) in all {
        for (i, _) in function.parameters.iter().enumerate().filter(|(_, p)| is_pointer(p)) {
            let argument = |(j, p): (usize, &String)| match p.as_str() {
                _ if i == j => "(void *)0",
                p if p.contains("va_list") => "list",
                p if p.contains("_ARG") => "(struct sockaddr *)p",
                p if is_pointer(p) => "p",
                _ => "n",
            };
            let given = function.parameters.iter().filter(|p| *p != "...").enumerate().map(argument);
            let arguments = given.collect::<Vec<_>>().join(", ");
            let caller = format!("call_{}_{name}", i + 1);
            let _ =
                writeln!(text, "void {caller}(int n, void *p) {{ __builtin_va_list list; ({name})({arguments}); }}");
            asked.insert(caller, (name.clone(), i + 1));
        }
    }
    let unit = preprocessed(&text);
    let mut sources = SourceMap::default();
    let units = parse_units(&[unit], 1, &mut sources);
    let program = with_deep_stack(|| lower(&units, DataModel::Lp64, sources, LowerOptions::default()));
    let mut found: BTreeMap<String, [BTreeSet<usize>; 2]> = BTreeMap::new();
    for (caller, (name, number)) in asked {
        let f = program.function_named(&caller).unwrap_or_else(|| panic!("{caller} is not understood"));
        assert!(program.functions[f].failed.is_none(), "{caller}: {:?}", program.functions[f].failed);
        let is_judged = program.sites.iter().any(|site| {
            let null = matches!(site.kind, CheckKind::NullDeref | CheckKind::InvalidFree);
            site.function == f && null && site.subject.ends_with("(0)")
        });
        found.entry(name).or_default()[usize::from(!is_judged)].insert(number);
    }
    found
}

const PAGE: &str = include_str!("../../../docs/library.md");

/// The cells of the page's rows below a heading.
fn rows(heading: &str) -> Vec<Vec<&'static str>> {
    let section = PAGE.split("\n## ").find(|s| s.starts_with(heading)).expect("the page has this section");
    let rows = section.lines().filter(|l| l.starts_with("| `"));
    rows.map(|l| l.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

fn numbers(set: &BTreeSet<usize>) -> String {
    set.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_page_says_which_pointers_are_judged() {
    let wanted: Vec<String> = judged(&declared())
        .iter()
        .map(|(name, [judged, free])| format!("| `{name}` | {} | {} |", numbers(judged), numbers(free)))
        .collect();
    let page: Vec<String> = rows("Pointers")
        .iter()
        .map(|cells| {
            assert_eq!(cells.len(), 4, "{cells:?}");
            assert!(!cells[3].is_empty(), "no clause: {cells:?}");
            format!("| {} | {} | {} |", cells[0], cells[1], cells[2])
        })
        .collect();
    assert_eq!(page.join("\n"), wanted.join("\n"));
}

#[test]
fn pointers_that_the_system_says_are_not_null_are_judged() {
    let all = declared();
    assert!(all.len() > 200 && all["memcpy"].nonnull == BTreeSet::from([1, 2]), "the headers are read: {}", all.len());
    let judged = judged(&all);
    let excepted: BTreeSet<(String, usize)> = rows("Exceptions")
        .iter()
        .map(|cells| (cells[0].trim_matches('`').to_owned(), cells[1].parse().expect("a number")))
        .collect();
    let mut missing = BTreeSet::new();
    for (name, function) in &all {
        let none = [BTreeSet::new(), BTreeSet::new()];
        let [found, _] = judged.get(name).unwrap_or(&none);
        missing.extend(function.nonnull.difference(found).map(|n| (name.clone(), *n)));
    }
    assert_eq!(missing, excepted);
}
