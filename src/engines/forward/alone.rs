//! Functions judged by themselves: from any state that a caller may have left, calls not followed.
//!
//! What is safe so is safe in every execution. It costs as much as the functions are long together, and a function that costs
//! more than its share is left out: there is time for most, where the analysis of a whole program ends without a result.

use super::analyzer::{Analyzer, Calls};
use super::options::Options;
use crate::ir::{FuncId, Program};
use crate::memory::Memory;
use crate::verdict::Reason;
use std::time::Duration;

/// Statements that one function may take.
const STEPS: u64 = 300_000;

/// Judges `functions`, each for itself, in at most `time`, and hands the analysis over. What it took too long for is lost
/// in its verdicts.
pub fn judge<T>(
    program: &Program,
    memory: &Memory,
    options: &Options<'_>,
    functions: &[FuncId],
    time: Duration,
    take: impl FnOnce(Analyzer<'_, '_>) -> T,
) -> T {
    let options = Options { steps: STEPS, time_limit: time, ..options.clone() };
    let mut analyzer = Analyzer::new(program, memory, &options, Calls::Skipped);
    let mut steps = 0;
    for &f in functions {
        if analyzer.started.elapsed() >= time || options.interrupt.is_raised() {
            analyzer.verdicts.lose(vec![f], &Reason::Budget("not reached in time".into()));
            continue;
        }
        analyzer.steps = 0;
        analyzer.enter_from_anywhere(f);
        if let Some(reason) = analyzer.aborted.take() {
            analyzer.verdicts.lose(vec![f], &reason.and("without following calls"));
        }
        analyzer.summaries.clear();
        analyzer.stack.clear();
        analyzer.recording = true;
        steps += analyzer.steps;
    }
    analyzer.steps = steps;
    take(analyzer)
}
