//! `cellog measure points-to`: seconds per stage, tuples, mean target set and peak memory.

use super::args::InputArgs;
use super::exit::ExitStatus;
use super::output::write_report;
use super::target_means::TargetMeans;
use crate::datalog::language::core;
use crate::datalog::{Limits, compile, evaluate, programs::memory};
use crate::facts::{catalog, emit};
use crate::frontend::lower::LowerOptions;
use crate::pipeline::Error;
use crate::pipeline::parallel::cores;
use crate::pipeline::sources::load;
use crate::pipeline::sources::load::UNIT_LIMIT;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// Runs the memory rules, or those of the program file `rules`, on a program and prints a line per figure.
pub fn points_to(input: &InputArgs, rules: Option<&Path>) -> Result<ExitStatus, Error> {
    let start = Instant::now();
    let mut report = String::new();
    let stages = std::cell::RefCell::new(vec![("start".to_owned(), start)]);
    let options = LowerOptions::default();
    let stage = |name: &str| stages.borrow_mut().push((name.to_owned(), Instant::now()));
    let loaded = load(&input.sources(), options, cores(), UNIT_LIMIT, &stage)?;
    stage("emitting");
    let emitted = emit(&loaded.program);
    stage("rules");
    let read;
    let program = match rules {
        Some(path) => {
            read = read_program(path)?;
            &read
        }
        None => memory::program(),
    };
    let database = evaluate(program, &emitted.facts, &Limits::default()).map_err(|e| Error::Internal(e.to_string()))?;
    stage("end");
    for pair in stages.borrow().windows(2) {
        let _ = writeln!(report, "seconds {}\t{:.2}", pair[0].0, (pair[1].1 - pair[0].1).as_secs_f64());
    }
    let _ = writeln!(report, "seconds in all\t{:.2}", start.elapsed().as_secs_f64());
    let facts: usize = catalog().iter().map(|r| emitted.facts.count(r.name)).sum();
    let _ = writeln!(report, "facts\t{facts}\nvalues\t{}", emitted.values.len());
    let _ = writeln!(report, "derivations\t{}", database.derivations());
    let _ = writeln!(report, "locations\t{}", database.records("Location").count());
    let mut sizes: Vec<(String, usize)> = Vec::new();
    for relation in crate::datalog::programs::catalog() {
        if let Some(view) = database.relation(relation.name) {
            sizes.push((relation.name.to_owned(), view.count()));
        }
    }
    for (name, count) in &sizes {
        let _ = writeln!(report, "tuples {name}\t{count}");
    }
    let peak = peak_memory_kb().unwrap_or(0) as f64 / 1024.0;
    if let Some(means) = TargetMeans::of(&loaded.program, &emitted, &database) {
        write_means(&mut report, &means);
    }
    let _ = writeln!(report, "peak MB\t{peak:.0}");
    write_report(&report, None)?;
    Ok(ExitStatus::Clean)
}

/// A line per figure; constants are one target but in the first mean.
fn write_means(report: &mut String, means: &TargetMeans) {
    let TargetMeans { pointers, values, places } = *means;
    let _ = writeln!(report, "pointers with targets\t{}\nmean targets\t{:.1}", pointers.sets, pointers.mean());
    let _ = writeln!(report, "mean targets of all values\t{:.1}", values.mean());
    let _ = writeln!(report, "places\t{}\nmean targets of places\t{:.1}", places.sets, places.mean());
    let _ = writeln!(report, "mean targets of all values and places\t{:.1}", values.and(places).mean());
}

/// A program file read from disk, with what it includes.
fn read_program(path: &Path) -> Result<core::Program, Error> {
    let mut reader = |name: &str| std::fs::read_to_string(name).map_err(|e| e.to_string());
    let text = reader(&path.to_string_lossy()).map_err(Error::Usage)?;
    compile(&path.to_string_lossy(), &text, &mut reader).map_err(|rejected| {
        let messages: Vec<String> = rejected.diagnostics.iter().map(|d| d.to_string()).collect();
        Error::Usage(messages.join("\n"))
    })
}

/// The most memory this process has held, in kilobytes; None where `/proc` does not say.
pub fn peak_memory_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
