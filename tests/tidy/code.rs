//! Rust source as far as these checks need it: code without comments, literals and test modules, and the paths named in it.

use crate::tree;
use std::collections::BTreeSet;

/// A path such as `crate::ir::Expr`, with use groups expanded, and the line (from 1) where it starts.
#[derive(Debug, PartialEq)]
pub struct NamedPath {
    pub line: usize,
    pub segments: Vec<String>,
}

/// The source with comments and literals replaced by blanks; lines stay where they are.
pub fn without_literals(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len());
    let mut i = 0;
    while i < chars.len() {
        let end = match chars[i] {
            '/' if chars.get(i + 1) == Some(&'/') => line_end(&chars, i),
            '/' if chars.get(i + 1) == Some(&'*') => comment_end(&chars, i),
            '"' => string_end(&chars, i),
            'r' if !follows_word(&chars, i) => raw_string_end(&chars, i),
            '\'' => char_end(&chars, i),
            _ => i,
        };
        if end == i {
            out.push(chars[i]);
            i += 1;
        } else {
            out.extend(chars[i..end].iter().map(|&c| if c == '\n' { '\n' } else { ' ' }));
            i = end;
        }
    }
    out
}

fn line_end(chars: &[char], start: usize) -> usize {
    chars[start..].iter().position(|&c| c == '\n').map_or(chars.len(), |n| start + n)
}

fn comment_end(chars: &[char], start: usize) -> usize {
    let mut depth = 0;
    let mut i = start;
    while i < chars.len() {
        match (chars[i], chars.get(i + 1)) {
            ('/', Some('*')) => {
                depth += 1;
                i += 2;
            }
            ('*', Some('/')) => {
                depth -= 1;
                i += 2;
                if depth == 0 {
                    return i;
                }
            }
            _ => i += 1,
        }
    }
    chars.len()
}

fn string_end(chars: &[char], start: usize) -> usize {
    let mut i = start + 1;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

/// The end of the raw string at `start`, or `start` where there is none.
fn raw_string_end(chars: &[char], start: usize) -> usize {
    let hashes = chars[start + 1..].iter().take_while(|&&c| c == '#').count();
    if chars.get(start + 1 + hashes) != Some(&'"') {
        return start;
    }
    let mut i = start + hashes + 2;
    while i < chars.len() {
        if chars[i] == '"' && chars[i + 1..].iter().take_while(|&&c| c == '#').count() >= hashes {
            return i + 1 + hashes;
        }
        i += 1;
    }
    chars.len()
}

/// The end of the character literal at `start`, or `start` for a lifetime.
fn char_end(chars: &[char], start: usize) -> usize {
    match (chars.get(start + 1), chars.get(start + 2)) {
        (Some('\\'), Some(_)) => {
            chars[start + 3..].iter().position(|&c| c == '\'').map_or(chars.len(), |n| start + 4 + n)
        }
        (Some(_), Some('\'')) => start + 3,
        _ => start,
    }
}

fn follows_word(chars: &[char], i: usize) -> bool {
    i > 0 && (chars[i - 1].is_alphanumeric() || chars[i - 1] == '_') && chars[i - 1] != 'b'
}

/// Code (as [`without_literals`] gives it) with the bodies of items under `#[cfg(test)]` blanked.
pub fn without_tests(code: &str) -> String {
    let mut out = code.to_string();
    while let Some(start) = out.find("#[cfg(test)]") {
        let rest = &out[start..];
        let end = match (rest.find('{'), rest.find(';')) {
            (Some(open), semicolon) if semicolon.is_none_or(|s| open < s) => start + open + block_length(&rest[open..]),
            (_, Some(semicolon)) => start + semicolon + 1,
            _ => out.len(),
        };
        let blank: String = out[start..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        out.replace_range(start..end, &blank);
    }
    out
}

/// The files under `src/` that are not compiled into the product: modules declared as `#[cfg(test)] mod name;`.
fn test_files(sources: &[(String, String)]) -> BTreeSet<String> {
    let mut files = BTreeSet::new();
    for (file, code) in sources {
        let folder = match file.rsplit_once('/') {
            Some((folder, "mod.rs" | "lib.rs")) => folder,
            _ => file.trim_end_matches(".rs"),
        };
        for declaration in code.split("#[cfg(test)]").skip(1) {
            let words: Vec<&str> = declaration.split_whitespace().take(3).collect();
            let words = words.strip_prefix(&["pub"]).or(words.strip_prefix(&["pub(crate)"])).unwrap_or(&words);
            if let [name, ..] = words.strip_prefix(&["mod"]).unwrap_or_default()
                && let Some(name) = name.strip_suffix(';')
            {
                files.insert(format!("{folder}/{name}.rs"));
                files.insert(format!("{folder}/{name}/mod.rs"));
            }
        }
    }
    files
}

/// The files under `src/` with the paths that each names outside its tests; files that are tests themselves are left out.
pub fn paths_in_src() -> Vec<(String, Vec<NamedPath>)> {
    let sources: Vec<(String, String)> = tree::files_with("src", "rs")
        .into_iter()
        .map(|file| {
            let text = tree::text(&file).expect("Rust source is text");
            (file, without_literals(&text))
        })
        .collect();
    let tests = test_files(&sources);
    sources
        .into_iter()
        .filter(|(file, _)| !tests.contains(file))
        .map(|(file, code)| {
            let paths = named_paths(&without_tests(&code));
            (file, paths)
        })
        .collect()
}

/// Bytes from the `{` that `code` starts with to its `}`.
fn block_length(code: &str) -> usize {
    let mut depth = 0;
    for (at, c) in code.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// Every path of two or more segments, and every single identifier, in order of appearance.
pub fn named_paths(code: &str) -> Vec<NamedPath> {
    let tokens = tokens(code);
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        at = path_from(&tokens, at, &[], &mut paths).max(at + 1);
    }
    paths
}

/// Reads the path at `at` behind `prefix`; returns the position behind it.
fn path_from(tokens: &[(usize, String)], mut at: usize, prefix: &[String], paths: &mut Vec<NamedPath>) -> usize {
    let Some(&(line, _)) = tokens.get(at) else { return at };
    let mut segments = prefix.to_vec();
    loop {
        match tokens.get(at).map(|(_, t)| t.as_str()) {
            Some("{") if !segments.is_empty() => {
                at += 1;
                while at < tokens.len() && tokens[at].1 != "}" {
                    at = path_from(tokens, at, &segments, paths).max(at + 1);
                }
                return at + 1;
            }
            Some(word) if is_word(word) => {
                segments.push(word.to_string());
                at += 1;
            }
            _ => break,
        }
        match tokens.get(at).map(|(_, t)| t.as_str()) {
            Some("::") => at += 1,
            _ => break,
        }
    }
    if segments.len() > prefix.len() {
        paths.push(NamedPath { line, segments });
    }
    at
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words, `::` and single other characters, with their lines.
fn tokens(code: &str) -> Vec<(usize, String)> {
    let mut tokens = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = match word {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                length => length,
            };
            tokens.push((number + 1, rest[..length].to_string()));
            rest = rest[length..].trim_start();
        }
    }
    tokens
}

#[test]
fn comments_literals_and_tests_are_not_code() {
    let source = "let a = 'x'; // crate::b\nlet s = \"crate::c\"; let r = r#\"std::fs\"#;\nfn f<'a>(x: &'a u8) {}\n\
                  #[cfg(test)]\nmod tests { use crate::upper; }\nuse crate::d;\n";
    let code = without_tests(&without_literals(source));
    let crates: Vec<_> = named_paths(&code).into_iter().filter(|p| p.segments[0] == "crate").collect();
    assert_eq!(crates, [NamedPath { line: 6, segments: vec!["crate".into(), "d".into()] }]);
}

#[test]
fn test_modules_in_files_of_their_own_are_tests() {
    let source = |file: &str, code: &str| (file.to_string(), code.to_string());
    let sources =
        [source("src/a/mod.rs", "mod b;\n#[cfg(test)]\nmod c;"), source("src/a/b.rs", "#[cfg(test)]\npub mod d;")];
    let files = test_files(&sources);
    let names: Vec<_> = files.iter().filter(|f| !f.ends_with("/mod.rs")).collect();
    assert_eq!(names, ["src/a/b/d.rs", "src/a/c.rs"]);
}

#[test]
fn use_groups_are_expanded() {
    let paths = named_paths("use std::{fs::{self, File}, process};");
    let names: Vec<_> = paths.iter().map(|p| p.segments.join("::")).collect();
    assert_eq!(names, ["use", "std::fs::self", "std::fs::File", "std::process"]);
}
