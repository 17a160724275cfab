//! Whether an edit mends a finding: the program with it is checked again as the program without it was.

use super::edit::{Edits, byte_at, place_of};
use super::guard::{Candidate, Returns, Site, candidates};
use crate::base::Severity;
use crate::ir::{CheckKind, Program, Type};
use crate::pipeline::check::Report;
use crate::pipeline::error::Error;
use crate::pipeline::listener::Listener;
use crate::pipeline::request::Request;
use crate::pipeline::rules::templates::{Shipped, TemplateRules};
use crate::pipeline::sources::EditedText;
use crate::pipeline::sources::load::path_in;
use crate::verdict::{Check, Finding, Location, VerdictKind};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// An edit that mends a finding.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The file, as the finding names it, and where it is.
    pub name: String,
    pub path: PathBuf,
    /// What it does, for people.
    pub title: String,
    /// The file's text without it.
    pub text: Arc<str>,
    pub edits: Edits,
}

/// What asks for the check that the finding comes from, with these texts instead of those on the disk.
pub type Ask<'a> = dyn Fn(Vec<EditedText>) -> Result<Request, Error> + 'a;

/// An edit that mends a definite finding of `before`: with it the place is safe, and no other verdict is worse. Else, why there is none.
///
/// # Errors
/// The program cannot be checked again.
pub fn fix_for(
    finding: &Finding,
    before: &Report,
    ask: &Ask<'_>,
    listener: &Arc<dyn Listener>,
) -> Result<Result<Fix, String>, Error> {
    let Some(loaded) = &before.results.loaded else { return Ok(Err("the program is not at hand".to_owned())) };
    let Location { file, line, column } = &finding.location;
    let path = path_in(&loaded.folders, file);
    let is_unit =
        |path: &PathBuf| loaded.files.iter().any(|unit| path_in(&loaded.folders, unit).as_ref() == Some(path));
    let Some(path) = path.filter(is_unit) else {
        return Ok(Err(format!("{file} is no C file of the program, and a header may be used by others")));
    };
    let text = std::fs::read(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
    let at = text.as_ref().and_then(|text| Some((byte_at(text, *line, *column)?, text)));
    let Some((at, text)) = at else { return Ok(Err(format!("{file}:{line} cannot be read"))) };
    let site = Site { text, at, function: &finding.function, returns: returns(&loaded.program, &finding.function) };
    let all = candidates(finding, site);
    if all.is_empty() {
        return Ok(Err("no single statement is known that would mend it".to_owned()));
    }
    let mut why = String::new();
    for Candidate { title, edits } in all {
        let edited = EditedText { path: path.clone(), text: edits.apply(text).into() };
        let tried = Tried { finding, before, file, text, edits: &edits, after: &edited.text };
        match tried.mends(ask, &edited, listener)? {
            Ok(()) => {
                let text = Arc::from(text.as_str());
                return Ok(Ok(Fix { name: file.clone(), path, title, text, edits }));
            }
            Err(reason) => why = format!("an edit that {title} does not mend it: {reason}"),
        }
    }
    Ok(Err(why))
}

/// What the function of a finding gives back.
fn returns(program: &Program, name: &str) -> Returns {
    let function = program.functions.iter().find(|f| f.name == name && f.has_body());
    let Some(Type::Function(signature)) = function.map(|f| program.types.get(f.ty)) else { return Returns::Record };
    match program.types.get(signature.result) {
        Type::Void => Returns::Nothing,
        Type::Int(_) | Type::Float(_) => Returns::Number,
        Type::Pointer(_) => Returns::Pointer,
        _ => Returns::Record,
    }
}

/// An edit that is tried.
struct Tried<'a> {
    finding: &'a Finding,
    before: &'a Report,
    file: &'a str,
    text: &'a str,
    edits: &'a Edits,
    after: &'a str,
}

impl Tried<'_> {
    /// Whether the program with the edit is better and nowhere worse; else why not.
    fn mends(
        &self,
        ask: &Ask<'_>,
        edited: &EditedText,
        listener: &Arc<dyn Listener>,
    ) -> Result<Result<(), String>, Error> {
        // Proofs alone say soon whether it is worth while to search for errors elsewhere.
        let mut quick = ask(vec![edited.clone()])?;
        quick.profile.search.statements_for_goals = 0;
        (quick.profile.search.questions, quick.profile.search.questions_of_an_entry) = (0, 0);
        for request in [quick, ask(vec![edited.clone()])?] {
            // That a number is one of a range but not zero, say, is for the solver to see.
            let summaries = TemplateRules::new(&[], Shipped::All)?;
            let request = Request { values: true, summaries, ..request };
            let after = request.check(Arc::clone(listener))?;
            if let Err(why) = self.compare(&after) {
                return Ok(Err(why));
            }
        }
        Ok(Ok(()))
    }

    fn compare(&self, after: &Report) -> Result<(), String> {
        if errors(after) > errors(self.before) || !after.all_read && self.before.all_read {
            return Err("the text with it cannot be read".to_owned());
        }
        if after.analysis.incomplete.is_some() {
            return Err("there was no time to check it again".to_owned());
        }
        // By place and what is judged; of equal ones in their order.
        let mut verdicts: BTreeMap<Key<'_>, Vec<VerdictKind>> = BTreeMap::new();
        let mut inserted: Vec<&Finding> = Vec::new();
        for finding in after.analysis.findings.iter().rev() {
            match self.place_before(&finding.location) {
                Some(place) => verdicts.entry(key(finding, place)).or_default().push(finding.verdict.kind()),
                None => inserted.push(finding),
            }
        }
        for finding in &self.before.analysis.findings {
            let Location { line, column, .. } = finding.location;
            let known = verdicts.get_mut(&key(finding, (line, column))).and_then(Vec::pop);
            let (kind, place) = (finding.verdict.kind(), &finding.location);
            match known {
                Some(now) if finding.id == self.finding.id => {
                    if now != VerdictKind::Safe {
                        return Err(format!("the place is {} with it", now.name()));
                    }
                }
                Some(now) if is_worse(kind, now) => {
                    return Err(format!("{place} is {} with it ({} before)", now.name(), kind.name()));
                }
                Some(_) => {}
                // Where a variable always has a value, lowering places no check for it.
                None if finding.check == Check::Site(CheckKind::UninitRead) => {}
                None => return Err(format!("{place} is not judged with it")),
            }
        }
        let bad = |f: &&&Finding| !matches!(f.verdict.kind(), VerdictKind::Safe | VerdictKind::Unreachable);
        match inserted.iter().find(bad) {
            Some(finding) if !self.was_open(finding) => Err(format!("it may err itself: {}", finding.message())),
            _ => Ok(()),
        }
    }

    /// Whether what an inserted text does was open in the same function anyway.
    fn was_open(&self, inserted: &Finding) -> bool {
        let same = |f: &&Finding| {
            (&f.check, &f.function, &f.subject) == (&inserted.check, &inserted.function, &inserted.subject)
        };
        let before = self.before.analysis.findings.iter().filter(same);
        before.into_iter().any(|f| !is_worse(f.verdict.kind(), inserted.verdict.kind()))
    }

    /// Where a place of the program with the edit was before; None for what the edit has brought.
    fn place_before(&self, place: &Location) -> Option<(u32, u32)> {
        if place.file != self.file || place.line == 0 {
            return Some((place.line, place.column));
        }
        let at = byte_at(self.after, place.line, place.column)?;
        self.edits.before(at).map(|at| place_of(self.text, at))
    }
}

/// What a finding is of, apart from its id, which counts what is inserted.
type Key<'f> = (&'f str, u32, u32, &'f str, &'f str, &'f str);

fn key<'f>(finding: &'f Finding, (line, column): (u32, u32)) -> Key<'f> {
    (&finding.location.file, line, column, finding.check.name(), &finding.function, &finding.subject)
}

/// Whether a verdict is worse than the one before; that control never gets to what was safe is worse, too.
fn is_worse(before: VerdictKind, now: VerdictKind) -> bool {
    let badness = |kind| match kind {
        VerdictKind::Definite => 3,
        VerdictKind::Possible => 2,
        VerdictKind::Unknown => 1,
        VerdictKind::Safe | VerdictKind::Unreachable => 0,
    };
    badness(now) > badness(before) || now == VerdictKind::Unreachable && before == VerdictKind::Safe
}

fn errors(report: &Report) -> usize {
    let diagnostics = report.results.loaded.iter().flat_map(|loaded| &loaded.program.diagnostics);
    diagnostics.filter(|diagnostic| diagnostic.severity == Severity::Error).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_worse_where_less_is_proved_or_reached() {
        use VerdictKind::{Definite, Possible, Safe, Unknown, Unreachable};
        for (before, now) in [(Safe, Possible), (Possible, Definite), (Safe, Unreachable), (Unreachable, Unknown)] {
            assert!(is_worse(before, now), "{before:?} {now:?}");
        }
        for (before, now) in [(Definite, Possible), (Unreachable, Safe), (Possible, Unreachable), (Safe, Safe)] {
            assert!(!is_worse(before, now), "{before:?} {now:?}");
        }
    }
}
