//! The few steps of a trace that explain an error: the calls that are still open, what came in, the last decisions.

use crate::verdict::{Location, StepKind, TraceStep};
use std::collections::BTreeSet;

/// Steps that are labelled.
const SHOWN: usize = 6;

/// The places to label with their labels, in order of execution and numbered, and the label of the error itself when any
/// other is there. Steps without a line and steps on the line of `error` are passed over.
pub(super) fn highlights(trace: &[TraceStep], error: &Location) -> (Vec<(Location, String)>, Option<String>) {
    let places = |i: &usize| {
        let place = &trace[*i].location;
        place.line > 0 && (&place.file, place.line) != (&error.file, error.line)
    };
    let mut chosen: Vec<usize> = ranked(trace).into_iter().filter(places).collect();
    // One label a line: the one ranked first.
    let mut lines = BTreeSet::new();
    chosen.retain(|i| lines.insert((&trace[*i].location.file, trace[*i].location.line)));
    chosen.truncate(SHOWN);
    chosen.sort_unstable();
    let labels: Vec<_> = chosen
        .iter()
        .enumerate()
        .map(|(n, i)| (trace[*i].location.clone(), format!("{}: {}", n + 1, trace[*i].text)))
        .collect();
    let last = (!labels.is_empty()).then(|| format!("{}: here", labels.len() + 1));
    (labels, last)
}

/// The steps worth a label, best first.
fn ranked(trace: &[TraceStep]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    for (i, step) in trace.iter().enumerate() {
        match step.kind {
            StepKind::Call => open.push(i),
            StepKind::Return => {
                open.pop();
            }
            _ => {}
        }
    }
    let of = |kind| (0..trace.len()).rev().filter(move |i| trace[*i].kind == kind);
    // The entry's own call says nothing.
    let calls = open.into_iter().rev().filter(|i| *i > 0);
    let inputs = of(StepKind::Input);
    let decisions = of(StepKind::Branch);
    // Some of each kind first, then more of them.
    let (calls, inputs, decisions): (Vec<_>, Vec<_>, Vec<_>) = (calls.collect(), inputs.collect(), decisions.collect());
    let heads = [&calls, &inputs, &decisions].into_iter().flat_map(|l| l.iter().take(SHOWN / 3));
    let tails = [&calls, &inputs, &decisions].into_iter().flat_map(|l| l.iter().skip(SHOWN / 3));
    heads.chain(tails).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: u32) -> Location {
        Location { file: "a.c".into(), line, column: 1 }
    }
    fn step(line: u32, kind: StepKind) -> TraceStep {
        TraceStep { location: at(line), kind, text: format!("{} of {line}", kind.name()) }
    }
    fn labels(trace: &[TraceStep]) -> Vec<String> {
        highlights(trace, &at(99)).0.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn calls_that_have_returned_are_passed_over() {
        use StepKind::*;
        let trace = [step(1, Call), step(2, Call), step(3, Return), step(4, Call), step(5, Input), step(99, Error)];
        assert_eq!(labels(&trace), ["1: call of 4", "2: input of 5"]);
        assert_eq!(highlights(&trace, &at(99)).1.as_deref(), Some("3: here"));
    }

    #[test]
    fn of_a_long_trace_the_last_steps_of_each_kind_are_shown() {
        use StepKind::*;
        let mut trace = vec![step(1, Call)];
        trace.extend((2..40).map(|n| step(n, if n % 2 == 0 { Branch } else { Input })));
        assert_eq!(
            labels(&trace),
            [
                "1: input of 33",
                "2: input of 35",
                "3: branch of 36",
                "4: input of 37",
                "5: branch of 38",
                "6: input of 39"
            ]
        );
    }

    #[test]
    fn a_line_has_one_label_and_an_error_alone_has_none() {
        use StepKind::*;
        assert_eq!(labels(&[step(1, Call), step(5, Input), step(5, Branch)]), ["1: input of 5"]);
        assert_eq!(highlights(&[step(1, Call), step(99, Error)], &at(99)), (vec![], None));
    }
}
