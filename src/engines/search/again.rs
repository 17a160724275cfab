//! Single runs: as the search makes them, and once more to see what they prove.

use super::entered::Entering;
use super::options::{Found, SearchOptions};
use super::steered::plain_inputs;
use crate::concrete::{
    Flags, Frozen, InputPlace, InputRecord, InputSource, InputValue, Limits, Observer, Past, Prepared, Run, Script,
};
use crate::ir::{CheckKind, FuncId, Program, SiteId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Events kept of a failing run.
const TRACE: usize = 200;
/// What machines make of errors that are gone past, besides the usual: bytes of what has no value, and whether later objects have lower addresses. One more
/// finds in variables what was written to them before control came to their declaration once more.
const MACHINES: [(u8, bool); 3] = [(0xff, true), (0x01, false), (0x7f, true)];
/// Results of functions without a body that are told.
const TOLD: usize = 3;

/// What is wrong with a run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wrong {
    /// It errs at the site, in the end or on its way.
    At(SiteId),
    /// It loses a block.
    Lost,
}

impl Wrong {
    pub(super) fn is_in(self, run: &Run) -> bool {
        match self {
            Wrong::At(site) => failing_sites(run).any(|s| s == site),
            Wrong::Lost => run.lost.is_some(),
        }
    }
}

/// Sites at which a run errs: the one that ended it, and those that it ran past.
pub(super) fn failing_sites(run: &Run) -> impl Iterator<Item = SiteId> + '_ {
    run.error().into_iter().chain(run.continued.iter().copied())
}

/// What a run depends on besides its inputs, in words.
pub(super) fn depends_on(program: &Program, run: &Run, flags: Flags) -> Option<String> {
    if flags.is_determined() {
        return None;
    }
    let approximated = match run.approximate {
        Some(input) => format!("`{}`, which is not described exactly", program.inputs[input].name),
        None => "a library function that is not described exactly".to_owned(),
    };
    let outside = outside(program, run);
    let what = [
        (flags.outside, &*outside),
        (flags.layout_dependent, "where objects lie in memory"),
        (flags.indeterminate, "an indeterminate value"),
        (flags.inexact, "rounding that differs between machines"),
        (flags.approximated, &approximated),
        (flags.extern_dependent, "an object that no file defines"),
        (flags.astray, "what no file has: reads of one place that differ, or more behind its end"),
    ];
    let what: Vec<&str> = what.into_iter().filter_map(|(set, what)| set.then_some(what)).collect();
    Some(format!("it depends on {}", what.join(" and ")))
}

/// What functions without a body are taken to do in the run.
fn outside(program: &Program, run: &Run) -> String {
    let mut returned: Vec<String> = Vec::new();
    for record in &run.inputs {
        let InputPlace::Returned(function) = record.place else { continue };
        let value = match &record.value {
            InputValue::Int(value) => value.to_string(),
            InputValue::Float(value) => value.to_string(),
            _ => continue,
        };
        returned.push(format!("`{}` returns {value}", program.functions[function].name));
    }
    let more = returned.len().saturating_sub(TOLD);
    returned.truncate(TOLD);
    match (returned.is_empty(), more) {
        (true, _) => "functions without a body, which are taken to change nothing".to_owned(),
        (false, 0) => format!("functions without a body: {}, and nothing is changed by them", returned.join(", ")),
        (false, more) => {
            format!(
                "functions without a body: {} and so on, {more} times, and nothing is changed by them",
                returned.join(", ")
            )
        }
    }
}

/// The run from these inputs, where it errs at the site, and errs again from what it has taken.
pub fn confirm(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &[InputRecord],
    site: SiteId,
    options: &SearchOptions,
) -> Option<Found> {
    let first = run(prepared, entry, &mut plain_inputs(inputs), options, 0, &mut ());
    if !failing_sites(&first).any(|s| s == site) {
        return None;
    }
    let found = again(prepared, entry, &first.inputs, Wrong::At(site), &BTreeSet::new(), options);
    found.doubt.is_none().then_some(found)
}

/// The run from these inputs once more, and what speaks against it as a proof of what is wrong. It goes past errors at these sites, and then it must err
/// whatever a machine makes of them.
pub(super) fn again(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &[InputRecord],
    wrong: Wrong,
    past: &BTreeSet<SiteId>,
    options: &SearchOptions,
) -> Found {
    let run_past = |fill, downward, keeps| {
        let mut script = Script::replay(inputs);
        let past = Arc::new(Past { sites: past.clone(), fill, downward, keeps });
        let within = Within { past, ..Within::trace(TRACE) };
        let run = run_within(prepared, entry, &mut script, options, within, &mut ());
        let again = wrong.is_in(&run) && !script.strayed && run.inputs == inputs;
        (run, again)
    };
    let (run, again) = run_past(0, false, false);
    if !again {
        return Found { run, doubt: Some("it does not err again from its inputs".to_owned()) };
    }
    let is_same = |other: (Run, bool)| other.1 && other.0.passed == run.passed;
    let kind = |site: SiteId| prepared.program.sites[site].kind;
    let has_no_value = |site: &SiteId| kind(*site) == CheckKind::UninitRead;
    // Where that is the error, what was in a variable before its declaration has no value, and no name.
    let is_of_life =
        matches!(wrong, Wrong::At(site) if matches!(kind(site), CheckKind::UninitRead | CheckKind::UseAfterFree));
    let keeps = run.passed.iter().any(has_no_value) && !is_of_life;
    let errs_anyway = || {
        MACHINES.iter().all(|(fill, downward)| is_same(run_past(*fill, *downward, false)))
            && (!keeps || run_past(0, false, true).1)
    };
    if !run.passed.is_empty() && !errs_anyway() {
        let doubt = "it errs before, and what comes then depends on the machine".to_owned();
        return Found { run, doubt: Some(doubt) };
    }
    let by_order = |site: &SiteId| kind(*site).is_by_order();
    let tried = Flags { layout_dependent: run.flags.layout_dependent && !run.passed.iter().any(by_order), ..run.flags };
    let doubt = depends_on(prepared.program, &run, tried);
    Found { run, doubt }
}

/// A run as the search makes them, past these errors, watched by `observer`.
pub fn rerun<O: Observer>(
    prepared: &Prepared<'_>,
    entry: FuncId,
    (inputs, past): (&mut dyn InputSource, Arc<Past>),
    options: &SearchOptions,
    observer: &mut O,
) -> Run {
    let within = Within { past, ..Within::trace(0) };
    rerun_within(prepared, entry, inputs, (options, within), observer)
}

/// The same within these bounds.
pub fn rerun_within<O: Observer>(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    (options, within): (&SearchOptions, Within),
    observer: &mut O,
) -> Run {
    // Who follows runs statement by statement does not know what functions without a body do.
    let within = Within { outside: false, ..within };
    run_within(prepared, entry, inputs, options, within, observer)
}

/// Bounds of a run that others of the search do not have.
#[derive(Clone, Debug)]
pub struct Within {
    /// Events kept of its trace.
    pub trace: usize,
    /// How often it may meet the end of files once more.
    pub ends: u32,
    /// Statements, as far as these are fewer than any run may take.
    pub statements: u64,
    /// Whether it goes on behind calls of functions without a body.
    pub outside: bool,
    /// The errors that it goes past.
    pub past: Arc<Past>,
}

impl Within {
    pub fn trace(trace: usize) -> Within {
        Within { trace, ends: u32::MAX, statements: u64::MAX, outside: true, past: Arc::default() }
    }
}

/// A run that keeps so many events of its trace, watched by `observer`.
pub(super) fn run<O: Observer>(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    options: &SearchOptions,
    trace: usize,
    observer: &mut O,
) -> Run {
    run_within(prepared, entry, inputs, options, Within::trace(trace), observer)
}

/// A run within these bounds, watched by `observer`.
pub(super) fn run_within<O: Observer>(
    prepared: &Prepared<'_>,
    entry: FuncId,
    inputs: &mut dyn InputSource,
    options: &SearchOptions,
    within: Within,
    observer: &mut O,
) -> Run {
    run_from(prepared, (entry, None), inputs, options, within, observer)
}

/// The same from a place on the way of another run, which consumed these inputs, where there is one.
pub(super) fn run_from<O: Observer>(
    prepared: &Prepared<'_>,
    (entry, last): (FuncId, Option<(&Frozen, &[InputRecord])>),
    inputs: &mut dyn InputSource,
    options: &SearchOptions,
    within: Within,
    observer: &mut O,
) -> Run {
    let (limits, mut observer) = (limits(options, within), Entering { functions: &options.entered, observer });
    match last {
        Some((frozen, log)) => prepared.resume((entry, frozen, log), inputs, &limits, &mut observer),
        None => prepared.run(entry, inputs, &limits, &mut observer),
    }
}

fn limits(options: &SearchOptions, Within { trace, ends, statements, outside, past }: Within) -> Limits {
    Limits {
        statements: options.runs.statements.min(statements),
        memory: options.runs.memory,
        // What nothing was written to comes on top.
        inputs: if options.unwritten { 3 * options.runs.inputs } else { options.runs.inputs },
        ends,
        trace,
        checks: options.checks.clone(),
        unwritten: options.unwritten,
        leaps: options.leaps,
        lost: options.lost,
        extents: options.extents.clone(),
        outside: outside && !options.unwritten,
        past,
        ..Limits::default()
    }
}
