//! `summarize`: what is known of every loop.

use super::args::{SummarizeArgs, SummaryFormat};
use super::entry::{find_entry, memory_limits};
use super::exit::{CliError, ExitStatus};
use super::input::{load, lower_options, tell_about_input};
use super::output::{tell, write_report};
use super::parallel::STACK;
use super::templates::{Shipped, TemplateRules};
use crate::engines::forward::Start;
use crate::engines::invariant::template::Templates;
use crate::engines::task::{Budget, Property, Task};
use crate::engines::termination::{Ends, LoopRow, Summary, Wanted, summarize as summarize_loops};
use crate::ir::{FuncId, Program};
use crate::memory::Memory;
use crate::verdict::{Location, locate};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// Runs `summarize`.
pub fn summarize(args: &SummarizeArgs) -> Result<ExitStatus, CliError> {
    let limit = Duration::from_secs_f64(args.limits.time_limit);
    let rules = TemplateRules::new(&args.templates, Shipped::All)?;
    let options = lower_options(&BTreeSet::new());
    let loaded = load(&args.input, options, args.limits.jobs, limit, &|_| ())?;
    tell_about_input(&loaded.said(), false);
    let program = &loaded.program;
    let entry = find_entry(program, &args.entry)?;
    let templates = rules.map_or(Ok(Templates::default()), |rules| rules.candidates(program, limit / 4))?;
    let memory = Memory::build(program, &Start::Function(entry).entries(program), &memory_limits(limit));
    if args.verbose {
        memory.runs().iter().for_each(|run| tell(&run.to_string()));
    }
    let task = Task { templates: &templates, ..Task::new(program, &memory, entry, Property::Termination) };
    let summary = summary_of(&task, limit)?;
    tell_rechecks(program, &summary, args.verbose);
    let text = match args.format {
        SummaryFormat::Text => text(program, &summary),
        SummaryFormat::Json => json_text(program, &summary),
        SummaryFormat::Csv => csv_text(program, &summary)?,
    };
    write_report(&text, args.output.as_deref())?;
    Ok(if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage })
}

/// What is known of the loops that executions from `entry` come to, within `limit`.
pub fn loops_from(program: &Program, entry: FuncId, limit: Duration) -> Result<Summary, CliError> {
    let memory = Memory::build(program, &Start::Function(entry).entries(program), &memory_limits(limit));
    summary_of(&Task::new(program, &memory, entry, Property::Termination), limit)
}

fn summary_of(task: &Task<'_>, limit: Duration) -> Result<Summary, CliError> {
    let summary = std::thread::scope(|scope| {
        // Engines recurse over deep terms and automata.
        let work = || summarize_loops(task, Wanted::Summaries, &Budget::of(limit));
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("the system starts threads").join()
    });
    summary.map_err(|_| CliError::Internal("the summary ended unexpectedly".to_owned()))
}

/// Tells how the invariants fared when they were shown again: always of those that failed.
fn tell_rechecks(program: &Program, summary: &Summary, verbose: bool) {
    let rechecks = &summary.rechecks;
    if verbose {
        tell(&format!("{} invariants shown again by {} queries", rechecks.invariants, rechecks.queries));
    }
    for (span, formula, why) in &rechecks.dropped {
        let place = locate(program, *span);
        tell(&format!("{}:{}: dropped, not shown again ({why}): {formula}", place.file, place.line));
    }
}

/// The argument of a loop that needs no measure.
const ONCE: &str = "no turn is followed by another";

/// What every form says of a loop.
pub struct Row<'s> {
    pub place: Location,
    pub function: &'s str,
    pub ends: &'static str,
    /// The ranking argument, the recurrent set, or the reason.
    pub argument: String,
    pub invariants: Vec<&'s str>,
    queries: u64,
    seconds: f64,
}

/// What is said of a loop.
pub fn row<'s>(program: &Program, row: &'s LoopRow) -> Row<'s> {
    let (ends, argument) = match &row.ends {
        Ends::Yes(measures) if measures.is_empty() => ("yes", ONCE.to_owned()),
        Ends::Yes(measures) => ("yes", measures.join(", ")),
        Ends::No(set) => ("no", set.join(" && ")),
        Ends::Unknown(why) => ("unknown", why.clone()),
    };
    Row {
        place: locate(program, row.span),
        function: &row.function,
        ends,
        argument,
        invariants: row.invariants.iter().map(|i| i.formula.as_str()).collect(),
        queries: row.queries,
        seconds: (row.time.as_secs_f64() * 1000.0).round() / 1000.0,
    }
}

fn text(program: &Program, summary: &Summary) -> String {
    let mut out = String::new();
    for r in summary.loops.iter().map(|r| row(program, r)) {
        let Location { file, line, column } = &r.place;
        let (ends, label) = match r.ends {
            "yes" if r.argument == ONCE => ("ends", "reason"),
            "yes" => ("ends", "falls"),
            "no" => ("does not end", "stays"),
            _ => ("may not end", "reason"),
        };
        let _ = writeln!(out, "{file}:{line}:{column}: loop in {}: {ends}", r.function);
        if !r.argument.is_empty() {
            let _ = writeln!(out, "    {label}: {}", r.argument);
        }
        for invariant in &r.invariants {
            let _ = writeln!(out, "    invariant: {invariant}");
        }
    }
    let count = |wanted: fn(&Ends) -> bool| summary.loops.iter().filter(|r| wanted(&r.ends)).count();
    let (yes, no) = (count(|e| matches!(e, Ends::Yes(_))), count(|e| matches!(e, Ends::No(_))));
    let all = summary.loops.len();
    let _ = writeln!(out, "{all} loops: {yes} end, {no} do not, {} undecided", all - yes - no);
    if let Err(why) = &summary.whole {
        let _ = writeln!(out, "not all that executions do was followed: {why}");
    }
    out
}

fn json_text(program: &Program, summary: &Summary) -> String {
    let loops: Vec<_> = summary
        .loops
        .iter()
        .map(|r| row(program, r))
        .map(|r| {
            let (ranking, reason) = match r.ends {
                "yes" => (Some(&r.argument), None),
                "no" => (None, None),
                _ => (None, Some(&r.argument)),
            };
            let recurrent = (r.ends == "no").then_some(&r.argument);
            json!({
                "file": r.place.file, "function": r.function, "line": r.place.line, "column": r.place.column,
                "terminates": r.ends, "ranking": ranking, "recurrent_set": recurrent, "reason": reason,
                "invariants": r.invariants, "queries": r.queries, "seconds": r.seconds,
            })
        })
        .collect();
    let rechecks = &summary.rechecks;
    let dropped: Vec<_> = rechecks
        .dropped
        .iter()
        .map(|(span, formula, why)| {
            let place = locate(program, *span);
            json!({ "file": place.file, "line": place.line, "formula": formula, "reason": why })
        })
        .collect();
    let shown = json!({ "invariants": rechecks.invariants, "queries": rechecks.queries, "dropped": dropped });
    let whole = json!({ "loops": loops, "not_followed": summary.whole.as_ref().err(), "shown_again": shown });
    serde_json::to_string_pretty(&whole).expect("text and numbers") + "\n"
}

fn csv_text(program: &Program, summary: &Summary) -> Result<String, CliError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = ["file", "line", "column", "function", "terminates", "argument", "invariants", "queries", "seconds"];
    let failed = |e: csv::Error| CliError::Internal(e.to_string());
    writer.write_record(header).map_err(failed)?;
    for r in summary.loops.iter().map(|r| row(program, r)) {
        let Location { file, line, column } = &r.place;
        let (line, column) = (line.to_string(), column.to_string());
        let (queries, seconds) = (r.queries.to_string(), format!("{:.3}", r.seconds));
        let invariants = r.invariants.join(" && ");
        let record = [file, &line, &column, r.function, r.ends, &r.argument, &invariants, &queries, &seconds];
        writer.write_record(record).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|e| CliError::Internal(e.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
