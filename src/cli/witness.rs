//! The witness of an answer, from the program and the input files.

use super::args::Arch;
use crate::base::Span;
use crate::concrete::{Event, InputPlace, InputRecord, InputValue, Run};
use crate::engines::task::answer::LoopInvariant;
use crate::engines::task::{Answer, Property};
use crate::ir::{CheckKind, CheckSite, FuncId, InputSite, SiteId};
use crate::pipeline::sources::Loaded;
use crate::verdict::source_text::{end_of_call, is_word_at};
use crate::verdict::witness::{Invariant, Task, Waypoint, correctness, violation};
use crate::verdict::{Location, locate};

/// The witness, or why there is none.
pub fn witness(loaded: &Loaded, property: Property, arch: Arch, answer: &Answer) -> Result<String, &'static str> {
    let content = |name: &String| (name.clone(), std::fs::read(name).unwrap_or_default());
    let task = Task {
        files: loaded.files.iter().map(content).collect(),
        specification: specification(property).to_owned(),
        data_model: match arch {
            Arch::Lp64 => "LP64",
            Arch::Ilp32 => "ILP32",
        },
    };
    let writer = Writer { loaded, task };
    match answer {
        Answer::True(proof) => {
            let told = proof.invariants.iter().filter(|i| i.is_expression);
            let invariants: Vec<Invariant> = told.filter_map(|i| writer.invariant(i)).collect();
            Ok(correctness(&writer.task, &invariants))
        }
        Answer::False(found) => {
            let target = writer.target(&found.run).ok_or("the format 2.0 has no place for a run that never ends")?;
            let returned = found.run.inputs.iter().filter_map(|record| writer.returned(record));
            let way: Vec<Waypoint> = returned.chain([target]).collect();
            Ok(violation(&writer.task, &way))
        }
        Answer::Unknown(_) => Err("nothing was decided"),
    }
}

struct Writer<'a> {
    loaded: &'a Loaded,
    task: Task,
}

impl Writer<'_> {
    /// An invariant at its loop's keyword; None at a loop that has none, which the format cannot name.
    fn invariant(&self, i: &LoopInvariant) -> Option<Invariant> {
        let program = &self.loaded.program;
        let keyword = program.functions[i.head.0].blocks[i.head.1].keyword?;
        let location = self.exact(keyword, |text, line, column| {
            let is_there = ["for", "while", "do"].iter().any(|word| is_word_at(text, line, column, word));
            is_there.then_some((line, column))
        });
        Some(Invariant { location, function: i.function.clone(), formula: i.formula.clone() })
    }

    /// What a function returned; None of inputs that come in another way, which the format has no place for.
    fn returned(&self, record: &InputRecord) -> Option<Waypoint> {
        let program = &self.loaded.program;
        let (InputPlace::Site(input), InputValue::Int(n)) = (record.place, &record.value) else { return None };
        let site = &program.inputs[input];
        let called = called(site)?;
        let location = self.exact(site.span, |text, line, column| end_of_call(text, line, column, called));
        let value = if i64::try_from(*n).is_ok() { n.to_string() } else { format!("{n}ULL") };
        Some(Waypoint { location, function: self.function(site.function), returned: Some(value) })
    }

    /// Where the run violates the property; None where it never ends.
    fn target(&self, run: &Run) -> Option<Waypoint> {
        let program = &self.loaded.program;
        let (span, function) = match (run.error(), &run.lost) {
            (Some(site), _) => {
                self.last_call(run, site).unwrap_or((program.sites[site].span, program.sites[site].function))
            }
            (None, Some(lost)) => (lost.end, lost.function),
            (None, None) => return None,
        };
        Some(Waypoint { location: locate(program, span), function: self.function(function), returned: None })
    }

    /// The call that came to an error function, where the error is to have come there: by a pointer, say.
    fn last_call(&self, run: &Run, site: SiteId) -> Option<(Span, FuncId)> {
        let program = &self.loaded.program;
        let CheckSite { kind: CheckKind::UnreachCall, function, ref subject, .. } = program.sites[site] else {
            return None;
        };
        if *subject != program.functions[function].name {
            return None;
        }
        let steps: Vec<_> = run.trace.steps().collect();
        let call = steps.into_iter().rev().find(|step| step.event == Event::Call(function))?;
        let from = program.calls.iter().find(|c| c.span == call.span)?;
        Some((call.span, from.function))
    }

    fn function(&self, function: FuncId) -> String {
        self.loaded.program.functions[function].name.clone()
    }

    /// Where `find` sees in the file's text what the format wants; else the line alone, which means the first such place on it.
    fn exact(&self, span: Span, find: impl Fn(&str, u32, u32) -> Option<(u32, u32)>) -> Location {
        let location = locate(&self.loaded.program, span);
        let file = self.task.files.iter().find(|(name, _)| *name == location.file);
        let text = file.and_then(|(_, content)| std::str::from_utf8(content).ok());
        match text.and_then(|text| find(text, location.line, location.column)) {
            Some((line, column)) => Location { line, column, ..location },
            None => Location { column: 0, ..location },
        }
    }
}

/// The function whose result the input is.
fn called(site: &InputSite) -> Option<&str> {
    site.name.strip_suffix("()").or_else(|| site.name.strip_suffix("() conversions"))
}

/// The property as the competition writes it.
fn specification(property: Property) -> &'static str {
    match property {
        Property::UnreachCall => "G ! call(reach_error())",
        Property::NoOverflow => "G ! overflow",
        Property::ValidMemsafety => "G valid-free, valid-deref, valid-memtrack",
        Property::Termination => "F end",
        Property::TerminationOrOverflow => "F (end || overflow)",
    }
}
