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

/// Statements that one function may take at first, and where time is left when all others are done.
const STEPS: [u64; 2] = [300_000, 10_000_000];

/// Judges `functions`, each for itself, short ones first, in at most `time`, and hands the analysis over. What it took too long for is
/// lost in its verdicts.
pub fn judge<T>(
    program: &Program,
    memory: &Memory,
    options: &Options<'_>,
    functions: &[FuncId],
    time: Duration,
    take: impl FnOnce(Analyzer<'_, '_>) -> T,
) -> T {
    let options = Options { time_limit: time, ..options.clone() };
    let mut analyzer = Analyzer::new(program, memory, &options, Calls::Skipped);
    let mut steps = 0;
    let mut left: Vec<(FuncId, Option<Reason>)> = functions.iter().map(|&f| (f, None)).collect();
    left.sort_by_cached_key(|(f, _)| program.functions[*f].length());
    for most in STEPS {
        for (f, reason) in std::mem::take(&mut left) {
            if analyzer.started.elapsed() >= time || options.interrupt.is_raised() {
                left.push((f, reason.or_else(|| Some(Reason::Budget("not reached in time".into())))));
                continue;
            }
            analyzer.steps = 0;
            analyzer.limits.0 = most;
            analyzer.enter_from_anywhere(f);
            left.extend(analyzer.aborted.take().map(|reason| (f, Some(reason.and("without following calls")))));
            analyzer.summaries.clear();
            analyzer.stack.clear();
            analyzer.recording = true;
            steps += analyzer.steps;
        }
    }
    for (f, reason) in left {
        analyzer.verdicts.lose(vec![f], &reason.expect("a function that is left was given up"));
    }
    analyzer.steps = steps;
    take(analyzer)
}
