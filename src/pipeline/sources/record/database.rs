//! The files that a recorded build leaves: `compile_commands.json`, and `link_commands.json` beside it, which says which objects make
//! which program.

use super::commands::{Compilation, Linking, made};
use super::wrappers::Call;
use crate::frontend::compile_commands::LINKS;
use crate::pipeline::error::Error;
use crate::pipeline::write::write_file;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How much was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Files that are compiled.
    pub files: usize,
    /// Programs and libraries that are linked.
    pub links: usize,
    /// What of both was recorded now, not earlier.
    pub now: usize,
}

/// Writes what these calls compile and link to `path` and beside it; `append`: what is there already and not made anew stays.
/// What has gone since it was compiled, as tests of a `configure` have, is left out.
pub fn write(calls: &[Call], path: &Path, append: bool) -> Result<Written, Error> {
    let links_path = path.with_file_name(LINKS);
    let mut files: BTreeMap<(PathBuf, Option<PathBuf>), Compilation> = BTreeMap::new();
    let mut links: BTreeMap<PathBuf, Linking> = BTreeMap::new();
    let place = |unit: &Compilation| {
        (unit.directory.join(&unit.file), unit.output.as_ref().map(|output| unit.directory.join(output)))
    };
    if append {
        files.extend(earlier::<Compilation>(path)?.into_iter().map(|unit| (place(&unit), unit)));
        links
            .extend(earlier::<Linking>(&links_path)?.into_iter().map(|link| (link.directory.join(&link.output), link)));
    }
    let mut now = 0;
    for call in calls {
        let (compilations, linking) = made(call);
        for unit in compilations.into_iter().filter(|unit| unit.directory.join(&unit.file).is_file()) {
            now += 1;
            files.insert(place(&unit), unit);
        }
        if let Some(link) = linking.filter(|link| link.directory.join(&link.output).is_file()) {
            now += 1;
            links.insert(link.directory.join(&link.output), link);
        }
    }
    let written = Written { files: files.len(), links: links.len(), now };
    if files.is_empty() {
        return Ok(written);
    }
    write_file(path, lines(files.values()).as_bytes())?;
    write_file(&links_path, lines(links.values()).as_bytes())?;
    Ok(written)
}

/// What an earlier run has written to `path`; nothing where there is no such file.
fn earlier<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Error> {
    let Ok(text) = std::fs::read(path) else { return Ok(Vec::new()) };
    let wrong = |error| Error::Usage(format!("{}: nothing can be added to it: {error}", path.display()));
    serde_json::from_slice(&text).map_err(wrong)
}

/// A JSON array, an entry a line.
fn lines<'t, T: Serialize + 't>(entries: impl Iterator<Item = &'t T>) -> String {
    let entries: Vec<String> =
        entries.map(|entry| serde_json::to_string(entry).expect("strings always serialize")).collect();
    format!("[\n{}\n]\n", entries.join(",\n"))
}
