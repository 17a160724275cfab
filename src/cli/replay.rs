//! `cellog replay`: a definite finding as a program that the system's compiler and its sanitizers judge.

use super::args::ReplayArgs;
use super::exit::ExitStatus;
use super::output::write_report;
use super::progress::Progress;
use crate::frontend::preprocess::compiler_words;
use crate::ir::{CheckKind, FloatKind, Function, Program, Type, VarId};
use crate::pipeline::results::judge_all;
use crate::pipeline::rules::checks::parse_checks;
use crate::pipeline::sources::entry::find_entry;
use crate::pipeline::sources::load::units_to_compile;
use crate::pipeline::sources::lowering::lower_options;
use crate::pipeline::sources::{Loaded, Sources, load};
use crate::pipeline::standing::recorded::recorded;
use crate::pipeline::{Error, Request};
use crate::verdict::replay::{
    Entry, Harness, Judgement, Passing, Replayed, Reproducer, ResultType, Unit, claims, reproduce,
};
use crate::verdict::{Finding, Reason, Verdict, VerdictKind, assign_ids, sort_findings};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// A parameter's name, and what it gets where a finding says nothing of it.
fn parameter(program: &Program, variable: VarId) -> (String, Passing) {
    let variable = &program.variables[variable];
    let passing = match program.types.get(variable.ty) {
        Type::Pointer(to) => match program.types.get(*to) {
            Type::Record(record) if program.types.records[*record].name == "_IO_FILE" => Passing::Stream,
            _ => Passing::Object,
        },
        _ => Passing::Zero,
    };
    (variable.name.clone(), passing)
}

/// Runs `replay`.
pub fn replay(args: &ReplayArgs) -> Result<ExitStatus, Error> {
    let checks = parse_checks(&args.checks).map_err(Error::Usage)?;
    let sources = args.input.program(&args.entry, args.limits.jobs)?;
    let (loaded, findings) = match &args.report {
        Some(path) => {
            let limit = args.limits.default_profile().run.time;
            let loaded = Arc::new(load(&sources, lower_options(&checks), args.limits.jobs, limit, &|_| ())?);
            (loaded, recorded(path)?)
        }
        None => analysed(args, &sources, checks)?,
    };
    let program = &loaded.program;
    let finding = chosen(&findings, &args.id)?;
    if args.claims {
        write_report(&claims(finding).unwrap_or_default(), None)?;
        return Ok(ExitStatus::Clean);
    }
    let entry = match &finding.verdict {
        Verdict::Definite(failure) if !failure.entry.is_empty() => &failure.entry,
        _ => &args.entry,
    };
    let function = &program.functions[find_entry(program, entry)?];
    let units = units_to_compile(&sources, &loaded)?;
    let entry = Entry {
        name: function.name.clone(),
        parameters: function.params.iter().map(|p| parameter(program, *p)).collect(),
        file: entry_file(program, function, &units),
    };
    let harness = Harness::new(finding, &entry, &|name| result_type(program, name));
    if let Some(path) = &args.emit {
        write_report(&harness.text, Some(path))?;
    }
    let compiler = compiler_words(None);
    let reproducer = Reproducer {
        finding,
        harness: &harness,
        entry: &entry,
        units: &units,
        compiler: &compiler,
        time_limit: Duration::from_secs_f64(args.run_limit),
    };
    let folder = tempfile::tempdir().map_err(|e| Error::Usage(format!("no folder for the build: {e}")))?;
    let judgement = reproduce(&reproducer, folder.path())
        .map_err(|e| Error::Usage(format!("cannot build or run the reproducer: {e}")))?;
    write_report(&told(finding, &judgement, args.verbose), None)?;
    Ok(match judgement.replayed {
        Replayed::Confirmed(_) => ExitStatus::Clean,
        _ => ExitStatus::Definite,
    })
}

/// The program and the findings of a new analysis.
fn analysed(
    args: &ReplayArgs,
    sources: &Sources,
    checks: BTreeSet<CheckKind>,
) -> Result<(Arc<Loaded>, Vec<Finding>), Error> {
    let request = Request {
        entry: args.entry.clone(),
        checks,
        ..args.limits.request(sources.clone(), args.limits.default_profile(), &args.cache)
    };
    let (results, ended) = request.analyse(Arc::new(Progress::new(false, false)));
    let (Some(loaded), Some(_)) = (&results.loaded, &results.start) else {
        let why = ended.why().unwrap_or_else(|| "no program".to_owned());
        return Err(results.failed.unwrap_or(Error::Nothing(why)));
    };
    let (mut findings, ..) = judge_all(&loaded.program, &results, &Reason::Budget("time".to_owned()));
    sort_findings(&mut findings);
    assign_ids(&mut findings);
    Ok((Arc::clone(loaded), findings))
}

/// The definite finding whose id starts with `id`.
pub fn chosen<'a>(findings: &'a [Finding], id: &str) -> Result<&'a Finding, Error> {
    let starts = |f: &&Finding| !id.is_empty() && f.id.starts_with(id);
    let definite = || findings.iter().filter(|f| f.verdict.kind() == VerdictKind::Definite);
    let matching: Vec<&Finding> = definite().filter(starts).collect();
    if let Some(other) = findings.iter().find(|f| f.id == id).filter(|_| matching.is_empty()) {
        return Err(Error::Usage(format!(
            "finding {id} is {} now, and only definite findings are replayed or mended; give the options that it was found with \
             (or --report, to `replay`)",
            other.verdict.kind().name()
        )));
    }
    match matching.as_slice() {
        [] => {
            let list: Vec<String> =
                definite().map(|f| format!("\n  {}  {}: {}", f.id, f.location, f.message())).collect();
            let list = if list.is_empty() { "; nothing is definite".to_owned() } else { list.concat() };
            Err(Error::Usage(format!("no finding `{id}` in these files{list}")))
        }
        [one] => Ok(one),
        several => Err(Error::Usage(format!("`{id}` is the start of {} ids; write more of it", several.len()))),
    }
}

/// The file with a function, as the compiler takes it: a unit's own name, or where the file is.
fn entry_file(program: &Program, function: &Function, units: &[Unit]) -> String {
    let name = program.sources.name(function.span.file);
    let unit = units.iter().map(|unit| &unit.file).find(|file| program.sources.shortened(file) == name);
    let here = || Some(std::env::current_dir().ok()?.join(name)).filter(|path| path.is_file());
    let path = unit.cloned().or_else(|| Some(here()?.to_string_lossy().into_owned()));
    path.unwrap_or_else(|| name.to_owned())
}

/// What the function called `name` gives back.
fn result_type(program: &Program, name: &str) -> ResultType {
    let Some(function) = program.functions.iter().find(|f| f.name == name) else { return ResultType::Integer };
    let Type::Function(signature) = program.types.get(function.ty) else { return ResultType::Integer };
    match program.types.get(signature.result) {
        Type::Int(_) => ResultType::Integer,
        Type::Float(FloatKind::Float) => ResultType::Float,
        Type::Float(FloatKind::Double) => ResultType::Double,
        _ => ResultType::Other,
    }
}

/// The replay for people; its last line is the judgement.
fn told(finding: &Finding, judgement: &Judgement, verbose: bool) -> String {
    let mut out = format!("{}: {} (in {}, {})\n", finding.location, finding.message(), finding.function, finding.id);
    if verbose {
        for command in &judgement.commands {
            out.push_str(&format!("$ {command}\n"));
        }
    }
    for line in judgement.said.lines() {
        out.push_str(&format!("  | {line}\n"));
    }
    out.push_str(&format!("{}\n", judgement.replayed));
    out
}
