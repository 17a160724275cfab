//! Whether an edit mends a finding: the program with it is checked again as the program without it was.

use super::candidate::{Candidate, Judged, Returns, Site};
use super::edit::{Edits, byte_at, place_of};
use super::guard::candidates;
use super::statement::statement_at;
use crate::base::Severity;
use crate::ir::{Check as Judgement, CheckKind, Program, StmtKind, Type, TypeId};
use crate::pipeline::check::Report;
use crate::pipeline::error::Error;
use crate::pipeline::failure::BRANCH_FALSE;
use crate::pipeline::listener::Listener;
use crate::pipeline::request::Request;
use crate::pipeline::rules::templates::{Shipped, TemplateRules};
use crate::pipeline::sources::EditedText;
use crate::pipeline::sources::load::path_in;
use crate::verdict::{Check, Finding, Location, StepKind, TraceStep, Verdict, VerdictKind};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
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

/// An edit that mends a definite finding of `before`, which `asked` has asked for: with it nothing errs at the place, and no other verdict is worse. Else, why there is none.
///
/// # Errors
/// The program cannot be checked again.
pub fn fix_for(
    finding: &Finding,
    before: &Report,
    asked: &Request,
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
    let text = text_of(&path, asked);
    let at = text.as_ref().and_then(|text| Some((byte_at(text, *line, *column)?, text)));
    let Some((at, text)) = at else { return Ok(Err(format!("{file}:{line} cannot be read"))) };
    let program = &loaded.program;
    let is_array = arrays(program, &finding.function);
    let site = Site {
        text,
        at,
        function: &finding.function,
        returns: returns(program, &finding.function),
        judged: judged(program, finding),
        is_array: &is_array,
    };
    let all = candidates(finding, site);
    if all.is_empty() {
        return Ok(Err("no single statement is known that would mend it".to_owned()));
    }
    let mut why = String::new();
    for Candidate { title, edits, is_guard } in all {
        let edited = EditedText { path: path.clone(), text: edits.apply(text).into() };
        let tried = Tried { finding, before, file, text, edits: &edits, is_guard, after: &edited.text };
        match tried.mends(asked, &edited, listener)? {
            Ok(()) => return Ok(Ok(Fix { name: file.clone(), path, title, text: Arc::clone(text), edits })),
            Err(reason) => why = format!("an edit that {title} does not mend it: {reason}"),
        }
    }
    Ok(Err(why))
}

/// The text of a file as it was checked: an edited one, or that on the disk.
fn text_of(path: &Path, asked: &Request) -> Option<Arc<str>> {
    if let Some(edited) = asked.sources.edited.iter().find(|edited| edited.path == path) {
        return Some(Arc::clone(&edited.text));
    }
    std::fs::read(path).ok().and_then(|bytes| String::from_utf8(bytes).ok()).map(Arc::from)
}

/// What must hold of the number that a finding judges.
fn judged(program: &Program, finding: &Finding) -> Option<Judged> {
    let site = finding.site?;
    let function = program.functions.get(program.sites.get(site)?.function)?;
    let range = |ty: TypeId| program.types.as_int(ty).map(|kind| Judged::Range(program.types.int_range(kind)));
    let statements = function.blocks.iter().flat_map(|block| &block.stmts);
    statements.into_iter().find_map(|statement| match &statement.kind {
        StmtKind::Check(check) => match &**check {
            Judgement::NoOverflow { site: of, ty, .. } if *of == site => range(*ty),
            Judgement::Fits { site: of, to, bits: None, .. } if *of == site => range(*to),
            Judgement::ShiftCount { site: of, width, .. } if *of == site => Some(Judged::Shift(*width)),
            _ => None,
        },
        _ => None,
    })
}

/// Whether a name is that of an array: of the function's variables, those of the program, or members of its records.
fn arrays<'p>(program: &'p Program, function: &str) -> impl Fn(&str) -> bool + 'p {
    let is_array = |ty: TypeId| matches!(program.types.get(ty), Type::Array(_, Some(_)));
    let own = program.functions.iter().find(|f| f.name == function && f.has_body());
    let own: Vec<(&str, bool)> = own
        .iter()
        .flat_map(|f| f.params.iter().chain(&f.locals))
        .map(|variable| &program.variables[*variable])
        .map(|variable| (variable.name.as_str(), is_array(variable.ty)))
        .collect();
    let globals = program.variables.iter().filter(|variable| variable.is_static());
    let globals = globals.map(|variable| (variable.name.as_str(), is_array(variable.ty)));
    let fields = program.types.iter().filter_map(|(id, _)| program.types.layout(id)).flat_map(|layout| &layout.fields);
    let fields = fields.filter_map(|field| Some((field.name.as_deref()?, is_array(field.ty))));
    let others: Vec<(&str, bool)> = globals.chain(fields).collect();
    move |name| {
        let called = |all: &[(&str, bool)]| {
            let mut all = all.iter().filter(|(other, _)| *other == name).map(|(_, is)| *is).peekable();
            all.peek().is_some().then(|| all.all(|is| is))
        };
        called(&own).or_else(|| called(&others)).unwrap_or(false)
    }
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
    is_guard: bool,
    after: &'a str,
}

impl Tried<'_> {
    /// Whether the program with the edit is better and nowhere worse; else why not.
    fn mends(
        &self,
        asked: &Request,
        edited: &EditedText,
        listener: &Arc<dyn Listener>,
    ) -> Result<Result<(), String>, Error> {
        // Proofs alone say soon whether it is worth while to search for errors elsewhere.
        let mut quick = asked.with_edits(vec![edited.clone()]);
        quick.profile.search.statements_for_goals = 0;
        (quick.profile.search.questions, quick.profile.search.questions_of_an_entry) = (0, 0);
        for request in [quick, asked.with_edits(vec![edited.clone()])] {
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
        let mut verdicts: BTreeMap<Key<'_>, Vec<&Finding>> = BTreeMap::new();
        let mut inserted: Vec<&Finding> = Vec::new();
        for finding in after.analysis.findings.iter().rev() {
            match self.place_before(&finding.location) {
                Some(place) => verdicts.entry(key(finding, place)).or_default().push(finding),
                None => inserted.push(finding),
            }
        }
        for finding in &self.before.analysis.findings {
            let Location { line, column, .. } = finding.location;
            let known = verdicts.get_mut(&key(finding, (line, column))).and_then(Vec::pop);
            let (kind, place) = (finding.verdict.kind(), &finding.location);
            let now = known.map(|known| known.verdict.kind());
            match (now, known) {
                (Some(VerdictKind::Safe | VerdictKind::Unreachable), _) if finding.id == self.finding.id => {}
                (Some(now), _) if finding.id == self.finding.id => {
                    return Err(format!("the place is {} with it", now.name()));
                }
                (Some(VerdictKind::Unreachable), _) if self.is_behind(finding) => {}
                (Some(now), Some(known)) if is_worse(kind, now) && !self.errs_without(known) => {
                    return Err(format!("{place} is {} with it ({} before)", now.name(), kind.name()));
                }
                (Some(_), _) => {}
                // Where a variable always has a value, lowering places no check for it.
                (None, _) if finding.check == Check::Site(CheckKind::UninitRead) => {}
                (None, _) if self.is_gone(place) => {}
                (None, _) => return Err(format!("{place} is not judged with it")),
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

    /// Whether executions come to a finding's place only past the error that is mended, which ends them: it stands in the same
    /// statement, or names the error as one that it assumes away.
    fn is_behind(&self, finding: &Finding) -> bool {
        let at = |place: &Location| byte_at(self.text, place.line, place.column).filter(|_| place.file == self.file);
        let statement = at(&self.finding.location).and_then(|at| statement_at(self.text, at));
        let is_inside = statement.zip(at(&finding.location)).is_some_and(|(s, at)| (s.start..s.end).contains(&at));
        is_inside || finding.after_error.iter().any(|earlier| earlier.id == self.finding.id)
    }

    /// Whether a definite finding of the program with the edit errs without it, too: the edit is a guard, and in the run, which is known
    /// from its start, its condition never holds.
    fn errs_without(&self, now: &Finding) -> bool {
        let Verdict::Definite(failure) = &now.verdict else { return false };
        let is_passed_by = |step: &TraceStep| {
            let is_false = step.kind == StepKind::Branch && step.text == BRANCH_FALSE;
            step.kind != StepKind::Omission && (is_false || self.place_before(&step.location).is_some())
        };
        self.is_guard && self.place_before(&now.location).is_some() && failure.trace.iter().all(is_passed_by)
    }

    /// Whether the edit has taken away what stood at a place of the program without it.
    fn is_gone(&self, place: &Location) -> bool {
        let at = byte_at(self.text, place.line, place.column).filter(|_| place.file == self.file);
        at.is_some_and(|at| self.edits.removes(at))
    }

    /// Where a place of the program with the edit was before; None for what the edit has brought.
    fn place_before(&self, place: &Location) -> Option<(u32, u32)> {
        if place.file != self.file || place.line == 0 {
            return Some((place.line, place.column));
        }
        // What a macro stands for may have columns behind the end of its line.
        let line = self.after.lines().nth(place.line as usize - 1)?;
        let last = u32::try_from(line.len() + 1).ok()?;
        let at = byte_at(self.after, place.line, place.column.min(last))?;
        let (line, column) = place_of(self.text, self.edits.before(at)?);
        Some((line, column + place.column.saturating_sub(last)))
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
