//! `summarize`: what is known of every loop.

use super::args::{SummarizeArgs, SummaryFormat};
use super::exit::ExitStatus;
use super::input::tell_about_input;
use super::mistakes::{read_strategy, tell_warnings};
use super::output::{tell, write_report};
use super::progress::Progress;
use crate::engines::invariant::template::Templates;
use crate::engines::termination::{Ends, Summary};
use crate::ir::Program;
use crate::pipeline::Error;
use crate::pipeline::loops::{ONCE, row, summarize_loops};
use crate::pipeline::rules::templates::{Shipped, TemplateRules};
use crate::pipeline::sources::entry::find_entry;
use crate::pipeline::sources::load;
use crate::pipeline::sources::lowering::lower_options;
use crate::verdict::{Location, locate};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Runs `summarize`.
pub fn summarize(args: &SummarizeArgs) -> Result<ExitStatus, Error> {
    let profile = args.limits.default_profile();
    let limit = profile.run.time;
    let rules = TemplateRules::new(&args.templates, Shipped::All)?;
    rules.iter().for_each(|rules| tell_warnings(&rules.composed));
    let options = lower_options(&BTreeSet::new());
    let sources = args.input.program(&args.entry, args.limits.jobs)?;
    let loaded = load(&sources, options, args.limits.jobs, limit, &|_| ())?;
    let listener = Progress::without_line(args.verbose);
    tell_about_input(&loaded.said(), false);
    let program = &loaded.program;
    let entry = find_entry(program, &args.entry)?;
    let candidates = profile.summaries.candidate_limits(profile.summaries.time_for_candidates_alone.of(limit));
    let templates =
        rules.map_or(Ok(Templates::default()), |rules| rules.candidates(program, &candidates, &listener))?;
    let strategy = read_strategy(&args.strategy)?;
    let summary = summarize_loops(program, entry, (&templates, strategy.as_ref()), (limit, &profile), &listener)?;
    tell_rechecks(program, &summary, args.verbose);
    let text = match args.format {
        SummaryFormat::Text => text(program, &summary),
        SummaryFormat::Json => json_text(program, &summary),
        SummaryFormat::Csv => csv_text(program, &summary)?,
    };
    write_report(&text, args.output.as_deref())?;
    Ok(if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage })
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
    let whole = json!({ "loops": loops, "not_followed": summary.whole.as_ref().err().map(ToString::to_string), "shown_again": shown });
    serde_json::to_string_pretty(&whole).expect("text and numbers") + "\n"
}

fn csv_text(program: &Program, summary: &Summary) -> Result<String, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = ["file", "line", "column", "function", "terminates", "argument", "invariants", "queries", "seconds"];
    let failed = |e: csv::Error| Error::Internal(e.to_string());
    writer.write_record(header).map_err(failed)?;
    for r in summary.loops.iter().map(|r| row(program, r)) {
        let Location { file, line, column } = &r.place;
        let (line, column) = (line.to_string(), column.to_string());
        let (queries, seconds) = (r.queries.to_string(), format!("{:.3}", r.seconds));
        let invariants = r.invariants.join(" && ");
        let record = [file, &line, &column, r.function, r.ends, &r.argument, &invariants, &queries, &seconds];
        writer.write_record(record).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|e| Error::Internal(e.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
