//! What of a program a change touches: the lines that git says differ from a revision, and the functions that they are in.

use super::extents::{Extent, extents};
use crate::pipeline::error::Error;
use crate::pipeline::listener::Listener;
use crate::pipeline::sources::load::path_in;
use crate::report::Excerpts;
use crate::verdict::{Analysis, Untouched};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The lines of files that differ from a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The revision, as the user names it.
    pub since: String,
    /// By the files' whole names.
    files: BTreeMap<PathBuf, Vec<Lines>>,
}

/// Lines that are new or different, from 1; of what was only taken out, the lines around it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lines {
    New(RangeInclusive<u32>),
    /// Lines are gone behind this one.
    Gone(u32),
    /// All of a file that the revision does not have.
    All,
}

impl Change {
    /// What differs in the work tree around the current folder from `revision`, or from where the current branch has left it.
    pub fn since(revision: &str) -> Result<Change, Error> {
        if revision.starts_with('-') || revision.contains("..") {
            return Err(Error::Usage(format!(
                "--diff takes one revision, such as HEAD or origin/main, not `{revision}`"
            )));
        }
        let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end());
        let wanted = format!("{revision}^{{commit}}");
        let named = git(&["rev-parse", "--verify", "--quiet", &wanted])
            .map_err(|_| Error::Usage(format!("--diff: git knows no revision `{revision}`")))?;
        // What others have done since is no part of the change; without a common past, the revision itself counts.
        let base = git(&["merge-base", named.trim_end(), "HEAD"]).unwrap_or(named);
        let diff = git(&[
            "diff",
            "--no-ext-diff",
            "--no-color",
            "-U0",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            base.trim_end(),
            "--",
        ])?;
        let mut files: BTreeMap<PathBuf, Vec<Lines>> =
            changed(&diff).into_iter().map(|(name, lines)| (root.join(name), lines)).collect();
        let root_name = root.display().to_string();
        for name in git(&["-C", &root_name, "ls-files", "--others", "--exclude-standard"])?.lines() {
            files.insert(root.join(name), vec![Lines::All]);
        }
        Ok(Change { since: revision.to_owned(), files })
    }

    /// Takes the findings out whose function, or declaration, is as it was. Names of files may be relative to `folders`.
    pub fn restrict(&self, analysis: &mut Analysis, folders: &[PathBuf], listener: &dyn Listener) {
        let mut excerpts = Excerpts::new(folders.to_vec());
        let names: BTreeSet<String> = analysis.findings.iter().map(|f| f.location.file.clone()).collect();
        let (mut touched, mut outside) = (BTreeMap::new(), 0);
        for name in names {
            let Some(lines) = self.lines_of(&name, folders) else { continue };
            let text = excerpts.text(&name).unwrap_or_default().to_owned();
            let all = extents(&text);
            outside += lines.iter().filter(|lines| !all.iter().any(|e| e.is_function && lines.touch(e))).count();
            touched.insert(
                name,
                (all.into_iter().filter(|e| lines.iter().any(|l| l.touch(e))).collect::<Vec<_>>(), lines),
            );
        }
        let before = analysis.findings.len();
        analysis.findings.retain(|finding| {
            let line = finding.location.line;
            touched.get(&finding.location.file).is_some_and(|(extents, lines)| {
                let around = extents.iter().any(|extent| (extent.first..=extent.last).contains(&line));
                around || lines.iter().any(|lines| lines.touch(&Extent { first: line, last: line, is_function: false }))
            })
        });
        analysis.untouched = Some(Untouched { since: self.since.clone(), sites: before - analysis.findings.len() });
        if outside > 0 {
            listener.tell(&format!(
                "cellog: {outside} of the changes since {} lie outside of functions (types, macros, variables): what they change in \
                 functions that are as they were is not shown",
                self.since
            ));
        }
    }

    fn lines_of(&self, name: &str, folders: &[PathBuf]) -> Option<&Vec<Lines>> {
        let path = path_in(folders, name)?;
        self.files.iter().find(|(file, _)| file.canonicalize().is_ok_and(|file| file == path)).map(|(_, lines)| lines)
    }
}

impl Lines {
    fn touch(&self, extent: &Extent) -> bool {
        match self {
            Lines::New(lines) => *lines.start() <= extent.last && extent.first <= *lines.end(),
            Lines::Gone(line) => extent.first <= *line && *line < extent.last,
            Lines::All => true,
        }
    }
}

/// What a git command prints; an error where it fails.
fn git(arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new("git")
        .args(["-c", "core.quotepath=off"])
        .args(arguments)
        .output()
        .map_err(|error| Error::Usage(format!("--diff: cannot run git: {error}")))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(Error::Usage(format!("--diff: git: {}", String::from_utf8_lossy(&output.stderr).trim()))),
    }
}

/// The lines that a unified diff without context changes, by file as it is now.
fn changed(diff: &str) -> BTreeMap<PathBuf, Vec<Lines>> {
    let (mut files, mut current): (BTreeMap<PathBuf, Vec<Lines>>, Option<PathBuf>) = (BTreeMap::new(), None);
    // Lines of a hunk that are still to come: they may look like anything.
    let mut left = 0u32;
    for line in diff.lines() {
        if left > 0 && (line.starts_with('+') || line.starts_with('-')) {
            left -= 1;
        } else if let Some(name) = line.strip_prefix("+++ ") {
            current = name.strip_prefix("b/").map(|name| Path::new(name.trim_end_matches('\t')).to_owned());
        } else if let Some((old, new)) = line.strip_prefix("@@ -").and_then(hunk) {
            left = old.1 + new.1;
            if let Some(file) = &current {
                let lines = match new {
                    (at, 0) => Lines::Gone(at),
                    (at, count) => Lines::New(at..=at + count - 1),
                };
                files.entry(file.clone()).or_default().push(lines);
            }
        }
    }
    files
}

/// The first line and the number of lines, before and now, of `3,2 +4 @@ ...`.
fn hunk(text: &str) -> Option<((u32, u32), (u32, u32))> {
    let (old, rest) = text.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let part = |text: &str| match text.split_once(',') {
        Some((at, count)) => Some((at.parse().ok()?, count.parse().ok()?)),
        None => Some((text.parse().ok()?, 1)),
    };
    Some((part(old)?, part(new)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_give_the_lines_of_now() {
        let diff = "diff --git a/x.c b/x.c\n--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@ int f\n-a\n+b\n@@ -5,2 +4,0 @@\n-c\n-++ d\n\
                    @@ -9,0 +8,3 @@\n+e\n+f\n+g\ndiff --git a/old.c b/old.c\n--- a/old.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
        let files = changed(diff);
        let lines = vec![Lines::New(1..=1), Lines::Gone(4), Lines::New(8..=10)];
        assert_eq!(files, BTreeMap::from([(PathBuf::from("x.c"), lines)]));
    }

    #[test]
    fn what_is_gone_touches_what_it_was_inside_of() {
        let extent = |first, last| Extent { first, last, is_function: true };
        assert!(Lines::Gone(4).touch(&extent(4, 5)) && Lines::Gone(4).touch(&extent(2, 9)));
        assert!(!Lines::Gone(4).touch(&extent(1, 4)) && !Lines::Gone(4).touch(&extent(5, 9)));
        assert!(Lines::New(4..=6).touch(&extent(6, 9)) && !Lines::New(4..=6).touch(&extent(7, 9)));
    }
}
