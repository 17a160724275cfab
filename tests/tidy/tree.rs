//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

/// The top of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Build output and version control (in a linked work tree `.git` is a file), never sources.
const SKIPPED: &[&str] = &[".git", "target", "bench-out", "__pycache__"];

/// Every file under `folder` (relative to the top; "" is everything), relative, with `/`, sorted.
pub fn files_under(folder: &str) -> Vec<String> {
    let mut files = Vec::new();
    let start = root().join(folder);
    if start.is_dir() {
        walk(&start, &mut files);
    }
    files.sort();
    files
}

/// As [`files_under`], those whose names end in `.extension`.
pub fn files_with(folder: &str, extension: &str) -> Vec<String> {
    let suffix = format!(".{extension}");
    files_under(folder).into_iter().filter(|f| f.ends_with(&suffix)).collect()
}

fn walk(folder: &Path, files: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository is readable") {
        let entry = entry.expect("a folder of the repository is readable");
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().expect("a file of the repository has a type");
        if SKIPPED.contains(&name.as_str()) {
            continue;
        }
        if kind.is_dir() {
            walk(&entry.path(), files);
        } else if kind.is_file() {
            let path = entry.path();
            let relative = path.strip_prefix(root()).expect("the walk starts at the top");
            files.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
}

/// The text of a file, or None for a binary one.
pub fn text(file: &str) -> Option<String> {
    let bytes = fs::read(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    String::from_utf8(bytes).ok()
}
