//! `cellog replay`: a definite finding as a program that the system's compiler and its sanitizers judge.

use super::args::{Arch, ReplayArgs};
use super::check::{analyse, judge_all};
use super::checks::parse_checks;
use super::entry::find_entry;
use super::exit::{CliError, ExitStatus};
use super::input::{Loaded, load, lower_options, units};
use super::output::write_report;
use super::plan::Plan;
use super::progress::Progress;
use super::recorded::recorded;
use crate::frontend::preprocess::{compiler_words, unit_flags};
use crate::ir::{CheckKind, FloatKind, Function, Program, Type};
use crate::verdict::replay::{Entry, Harness, Judgement, Replayed, Reproducer, ResultType, Unit, claims, reproduce};
use crate::verdict::{Finding, Reason, Verdict, VerdictKind, assign_ids, sort_findings};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// Runs `replay`.
pub fn replay(args: &ReplayArgs) -> Result<ExitStatus, CliError> {
    let checks = parse_checks(&args.checks).map_err(CliError::Usage)?;
    let (loaded, findings) = match &args.report {
        Some(path) => {
            let limit = Duration::from_secs_f64(args.limits.time_limit);
            let loaded = Arc::new(load(&args.input, lower_options(&checks), args.limits.jobs, limit, &|_| ())?);
            (loaded, recorded(path)?)
        }
        None => analysed(args, &checks)?,
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
    let units = program_units(args, &loaded)?;
    let entry = Entry {
        name: function.name.clone(),
        parameters: function.params.iter().map(|p| program.variables[*p].name.clone()).collect(),
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
    let folder = tempfile::tempdir().map_err(|e| CliError::Usage(format!("no folder for the build: {e}")))?;
    let judgement = reproduce(&reproducer, folder.path())
        .map_err(|e| CliError::Usage(format!("cannot build or run the reproducer: {e}")))?;
    write_report(&told(finding, &judgement, args.verbose), None)?;
    Ok(match judgement.replayed {
        Replayed::Confirmed(_) => ExitStatus::Clean,
        _ => ExitStatus::Definite,
    })
}

/// The program and the findings of a new analysis.
fn analysed(args: &ReplayArgs, checks: &BTreeSet<CheckKind>) -> Result<(Arc<Loaded>, Vec<Finding>), CliError> {
    let plan = Plan::new(&args.input, &args.limits, &args.cache, &args.entry, checks, false);
    let (results, ended) = analyse(plan, &args.limits, &Progress::new(false), None);
    let (Some(loaded), Some(_)) = (&results.loaded, &results.start) else {
        let why = ended.why().unwrap_or_else(|| "no program".to_owned());
        return Err(results.failed.unwrap_or(CliError::Nothing(why)));
    };
    let (mut findings, ..) = judge_all(&loaded.program, &results, &Reason::Budget("time".to_owned()));
    sort_findings(&mut findings);
    assign_ids(&mut findings);
    Ok((Arc::clone(loaded), findings))
}

/// The definite finding whose id starts with `id`.
fn chosen<'a>(findings: &'a [Finding], id: &str) -> Result<&'a Finding, CliError> {
    let starts = |f: &&Finding| !id.is_empty() && f.id.starts_with(id);
    let definite = || findings.iter().filter(|f| f.verdict.kind() == VerdictKind::Definite);
    let matching: Vec<&Finding> = definite().filter(starts).collect();
    if let Some(other) = findings.iter().find(|f| f.id == id).filter(|_| matching.is_empty()) {
        return Err(CliError::Usage(format!(
            "finding {id} is {} now, and only definite findings have inputs to replay; give --report, or the options that it \
             was found with",
            other.verdict.kind().name()
        )));
    }
    match matching.as_slice() {
        [] => {
            let list: Vec<String> =
                definite().map(|f| format!("\n  {}  {}: {}", f.id, f.location, f.message())).collect();
            let list = if list.is_empty() { "; nothing is definite".to_owned() } else { list.concat() };
            Err(CliError::Usage(format!("no finding `{id}` in these files{list}")))
        }
        [one] => Ok(one),
        several => Err(CliError::Usage(format!("`{id}` is the start of {} ids; write more of it", several.len()))),
    }
}

/// The program's files as the compiler takes them.
fn program_units(args: &ReplayArgs, loaded: &Loaded) -> Result<Vec<Unit>, CliError> {
    let all = units(&args.input)?;
    let read = all.into_iter().filter(|u| loaded.files.contains(&u.file));
    let mut flags = args.input.cpp_flags.clone();
    flags.extend((args.input.arch == Arch::Ilp32).then(|| "-m32".to_owned()));
    Ok(read.map(|u| Unit { flags: unit_flags(&u, &flags), file: u.file, directory: u.directory }).collect())
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
