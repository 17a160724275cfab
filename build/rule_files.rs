//! Puts the texts of `facts/**/*.dl` and `rules/**/*.dl` into the binary, for `cellog rules`.
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Writes `rule_files.rs`: a sorted slice of paths and texts.
pub fn embed() {
    let root = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR for build scripts");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets OUT_DIR for build scripts"));
    let mut paths = Vec::new();
    for folder in ["facts", "rules"] {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut paths);
    }
    paths.sort();
    let mut text = String::from("&[\n");
    for path in &paths {
        writeln!(text, "({path:?}, include_str!({:?})),", format!("{root}/{path}")).expect("strings take all text");
    }
    text.push_str("]\n");
    std::fs::write(out.join("rule_files.rs"), text).expect("OUT_DIR is writable");
}

fn collect(folder: &Path, paths: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "dl") {
            paths.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}
