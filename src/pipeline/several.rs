//! Several programs checked one after the other, with one report.

use super::check::{Report, settle_report};
use super::clock::Ended;
use super::error::Error;
use super::listener::Listener;
use super::request::Request;
use super::results::Results;
use super::sources::resolve::Chosen;
use super::standing::change::Change;
use super::standing::config::Config;
use crate::verdict::{Analysis, union};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time that a program gets at least.
const SHORTEST: Duration = Duration::from_millis(200);

/// Checks these programs as `ask` has each of them, within the time that the first is given for all: each gets an equal part of
/// what is left. Where a program cannot be analysed, its user is told why, the others are judged, and the report is partial.
///
/// # Errors
/// None of the programs can be analysed: the error of the first.
pub fn check_each(
    programs: &[Chosen],
    ask: &dyn Fn(&Chosen) -> Result<Request, Error>,
    listener: &Arc<dyn Listener>,
) -> Result<Report, Error> {
    let start = Instant::now();
    let mut found: Vec<(String, Analysis)> = Vec::new();
    let mut failures: Vec<(&str, Error)> = Vec::new();
    let mut report = Report {
        analysis: Analysis::default(),
        results: Results::default(),
        folders: Vec::new(),
        ended: Ended::Finished,
        all_read: true,
        all_rules: true,
    };
    let mut settled = None;
    for (number, program) in programs.iter().enumerate() {
        let mut request = ask(program)?;
        // What the project has settled is said of all programs at once.
        let theirs = (std::mem::take(&mut request.config), request.earlier.take(), request.change.take());
        let left = request.profile.run.time.saturating_sub(start.elapsed());
        let parts = u32::try_from(programs.len() - number).unwrap_or(u32::MAX);
        let share = u64::try_from((left / parts).as_millis()).unwrap_or(u64::MAX);
        request.profile.run.time = Duration::from_millis(share).max(SHORTEST);
        settled.get_or_insert(theirs);
        let one = match request.check(Arc::clone(listener)) {
            Ok(one) => one,
            Err(error) => {
                listener.tell(&format!("cellog: {}: {error}", program.name));
                report.all_read = false;
                failures.push((program.name.as_str(), error));
                continue;
            }
        };
        found.push((program.name.clone(), one.analysis));
        report.all_read &= one.all_read;
        report.all_rules &= one.all_rules;
        report.folders.extend(one.folders.into_iter().filter(|f| !report.folders.contains(f)).collect::<Vec<_>>());
        report.results.times = one.results.times;
        let interrupted = one.ended.is_interrupted();
        if one.ended != Ended::Finished {
            report.ended = one.ended;
        }
        if interrupted {
            break;
        }
    }
    if found.is_empty() {
        let first = failures.into_iter().next().map(|(_, error)| error);
        return Err(first.unwrap_or_else(|| Error::Nothing("there is no program".to_owned())));
    }
    report.analysis = union(found);
    let missing = failures.iter().map(|(name, _)| format!("{name}: it could not be analysed"));
    let all: Vec<String> = report.analysis.incomplete.take().into_iter().chain(missing).collect();
    report.analysis.incomplete = (!all.is_empty()).then(|| all.join("; "));
    let (config, earlier, change): (Config, _, Option<Change>) = settled.unwrap_or_default();
    settle_report(&mut report, &config, earlier.as_ref(), &**listener);
    change.iter().for_each(|change| change.restrict(&mut report.analysis, &report.folders, &**listener));
    Ok(report)
}
