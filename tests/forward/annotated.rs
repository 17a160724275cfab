//! Programs with a comment on every line that counts: `// SAFE: kind`, `// POSSIBLE: kind`, `// POSSIBLE (intended): kind`,
//! `// ALWAYS: kind`, `// UNREACHABLE: kind`, `// UNKNOWN: kind`; several behind each other, separated by `;`, with a reason
//! after a dash. Every site of that kind on that line must have that verdict, and there must be one; `kind of subject` (`out-of-bounds of
//! strcpy(text)`) speaks of the sites with that subject alone.

use crate::program::{files, load, untimed};
use cellog::engines::forward::{Calls, ForwardResult, Options, SiteVerdict, analyze};
use cellog::ir::{FuncId, Program};
use cellog::memory::Memory;
use cellog::pipeline::parallel::{cores, map_parallel};
use std::path::Path;

fn name(verdict: &SiteVerdict) -> &'static str {
    match verdict {
        SiteVerdict::Safe(_) => "SAFE",
        SiteVerdict::Possible { always: true, .. } => "ALWAYS",
        SiteVerdict::Possible { .. } => "POSSIBLE",
        SiteVerdict::Unreachable => "UNREACHABLE",
        SiteVerdict::Unknown(_) => "UNKNOWN",
    }
}

/// Verdict and kind of each annotation on a line.
fn annotations(line: &str) -> Vec<(String, String)> {
    let Some((_, comment)) = line.split_once("// ") else { return Vec::new() };
    let mut all = Vec::new();
    for part in comment.split(';') {
        let part = part.split(" - ").next().unwrap_or("").trim();
        let Some((verdict, kind)) = part.split_once(':') else { continue };
        let verdict = verdict.replace("(intended)", "");
        if ["SAFE", "POSSIBLE", "ALWAYS", "UNREACHABLE", "UNKNOWN"].contains(&verdict.trim()) {
            all.push((verdict.trim().to_owned(), kind.trim().to_owned()));
        }
    }
    all
}

/// What of a file's annotations is not so, and how many sites they speak of. `others`: analyses that lose something and exclude nothing
/// more.
fn wrong(
    file: &Path,
    program: &Program,
    result: &ForwardResult,
    others: &[(&str, &ForwardResult)],
) -> (usize, Vec<String>) {
    let mut problems = Vec::new();
    let mut judged = 0;
    let text = std::fs::read_to_string(file).unwrap();
    let short = file.file_name().unwrap().to_str().unwrap();
    for (number, line) in text.lines().enumerate() {
        for (wanted, annotated) in annotations(line) {
            let (kind, subject) = match annotated.split_once(" of ") {
                Some((kind, subject)) => (kind, Some(subject)),
                None => (&*annotated, None),
            };
            let sites: Vec<_> = program
                .sites
                .iter_enumerated()
                .filter(|(_, s)| s.span.line as usize == number + 1 && s.kind.name() == kind)
                .filter(|(_, s)| subject.is_none_or(|subject| s.subject == subject))
                .filter(|(_, s)| program.sources.describe(s.span).contains(short))
                .collect();
            if sites.is_empty() {
                problems.push(format!("{short}:{}: no site of kind {annotated}", number + 1));
            }
            for (id, site) in sites {
                judged += 1;
                let verdict = &result.verdicts[id];
                for (how, other) in others {
                    // What is open only since more is lost elsewhere may be safe here.
                    let intended = *how == "apart" && line.contains("(intended)");
                    let claims = !intended && ["SAFE", "UNREACHABLE"].contains(&name(&other.verdicts[id]));
                    if claims && ["POSSIBLE", "ALWAYS"].contains(&wanted.as_str()) {
                        problems.push(format!("{short}:{}: {kind}: {wanted} wanted with calls {how} too", number + 1));
                    }
                }
                if name(verdict) != wanted {
                    let subject = &site.subject;
                    problems.push(format!(
                        "{short}:{}: {kind} of `{subject}`: {wanted} wanted, is {verdict:?}",
                        number + 1
                    ));
                }
            }
        }
    }
    (judged, problems)
}

/// All files of a group, with what `judge` says of each.
fn hold(group: &str, judge: impl Fn(&Path, &Program, FuncId) -> (usize, Vec<String>) + Sync) {
    let judgements = map_parallel(&files(group), cores(), |file| {
        let program = load(std::slice::from_ref(file), &[]);
        let entry = program.function_named("main").expect("every program has a main");
        judge(file, &program, entry)
    });
    let judged: usize = judgements.iter().map(|(n, _)| n).sum();
    let problems: Vec<String> = judgements.into_iter().flat_map(|(_, found)| found).collect();
    assert!(judged > 0, "no annotation was found");
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

fn analysed(program: &Program, entry: FuncId, calls: Option<Calls>) -> ForwardResult {
    analyze(program, &Memory::of(program), entry, &Options { calls, ..untimed() })
}

#[test]
fn annotated_programs_get_the_verdicts_that_their_comments_say() {
    hold("forward", |file, program, entry| {
        let ways = [None, Some(Calls::Joined), Some(Calls::Apart), Some(Calls::Shared)];
        let [result, joined, apart, shared] = ways.map(|calls| analysed(program, entry, calls));
        wrong(file, program, &result, &[("joined", &joined), ("apart", &apart), ("sharing memory", &shared)])
    });
}

#[test]
fn calls_that_share_memory_know_what_others_were_told_of() {
    hold("shared", |file, program, entry| wrong(file, program, &analysed(program, entry, Some(Calls::Shared)), &[]));
}

#[test]
fn calls_apart_know_arguments_and_results() {
    hold("apart", |file, program, entry| wrong(file, program, &analysed(program, entry, Some(Calls::Apart)), &[]));
}
