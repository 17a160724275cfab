//! What README.md and the pages of docs/ say that Cellog prints is what it prints, and the picture in README.md shows it.

use crate::run::binary;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What stands before a block of code whose command is run here.
const PRINTED_BY: &str = "<!-- printed by: ";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What a command of a page prints, run in the repository's folder.
fn printed(command: &str) -> String {
    let binary = binary();
    let mut folders = vec![binary.parent().expect("it lies in a folder").to_owned()];
    folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let path = std::env::join_paths(folders).expect("names of folders have no colon");
    let output = Command::new("sh").args(["-c", command]).current_dir(root()).env("PATH", path).output();
    String::from_utf8(output.expect("sh runs").stdout).expect("text")
}

/// README.md and the pages of docs/.
fn pages() -> Vec<PathBuf> {
    let docs =
        std::fs::read_dir(root().join("docs")).expect("it is there").map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// The commands of a page with the blocks of code behind them.
fn samples(page: &str) -> Vec<(&str, &str)> {
    let behind = page.split(PRINTED_BY).skip(1);
    let sample = |text: &'_ str| -> (usize, usize, usize) {
        let command = text.find(" -->").expect("the comment ends");
        let begin = text.find("```\n").expect("a block begins") + 4;
        (command, begin, begin + text[begin..].find("```").expect("the block ends"))
    };
    behind
        .map(|text| (text, sample(text)))
        .map(|(text, (command, from, to))| (&text[..command], &text[from..to]))
        .collect()
}

#[test]
fn what_pages_say_that_is_printed_is_printed() {
    let mut count = 0;
    // Several pages may show parts of one report.
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("it is there");
        for (command, sample) in samples(&text) {
            let printed = known.entry(command.to_owned()).or_insert_with(|| printed(command));
            // Lines are left out where there are three dots, and some without.
            let mut lines = printed.lines();
            for line in sample.lines().filter(|line| *line != "...") {
                let is_there = lines.any(|l| l == line);
                assert!(is_there, "{}: not printed, or not in this order: {line}\n{printed}", page.display());
            }
            count += 1;
        }
    }
    assert!(count >= 4, "{count} samples");
}

#[test]
fn links_between_pages_lead_somewhere() {
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("it is there");
        let folder = page.parent().expect("it lies in a folder");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let is_elsewhere = file.is_empty() || file.contains("://") || file.contains(' ') || file.starts_with('/');
            assert!(is_elsewhere || folder.join(file).exists(), "{}: {target} is not there", page.display());
        }
    }
}

#[test]
fn the_picture_shows_what_is_printed() {
    let text = printed("cd tests/c/real/average && cellog check --no-cache average.c");
    let finding: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
    expect_test::expect_file!["../../docs/finding.svg"].assert_eq(&picture("cellog check average.c", &finding));
}

/// Lines of a terminal as a picture.
fn picture(command: &str, lines: &[&str]) -> String {
    const SIZE: usize = 14;
    const LINE: usize = 20;
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0).max(command.len() + 2);
    // A character of these fonts is at most so wide.
    let (width, height) = (longest * SIZE * 62 / 100 + 32, (lines.len() + 1) * LINE + 28);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1b1f27\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"{SIZE}\" xml:space=\"preserve\">\n"
    );
    let prompt = format!("$ {command}");
    for (number, line) in std::iter::once(prompt.as_str()).chain(lines.iter().copied()).enumerate() {
        let color = match line {
            _ if number == 0 => "#9aa4b2",
            _ if line.starts_with("definite") => "#ff7b72",
            _ if line.contains("--") || line.contains('^') => "#79c0ff",
            _ if line.trim_start().starts_with('=') => "#d2a8ff",
            _ => "#e6edf3",
        };
        let text = line.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let y = 14 + (number + 1) * LINE - 6;
        out.push_str(&format!("<text x=\"16\" y=\"{y}\" fill=\"{color}\">{text}</text>\n"));
    }
    out + "</g>\n</svg>\n"
}
