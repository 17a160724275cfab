//! The passes of a check, in their order, and why each stands where it does.

use super::assume::tell_after_errors;
use super::find_by_rules::find_by_rules;
use super::ground::{Ground, Next};
use super::insight::look_at_variables;
use super::look_backwards::look_backwards;
use super::only_run::follow_only_run;
use super::prove::prove_sites;
use super::read::{lower_units, read_units};
use super::recall::{keep_results, recall_results};
use super::relate::relate_memory;
use super::search::search_runs;
use super::summarize::summarize_loops;
use crate::pipeline::error::Error;

/// What kind of work a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It reads or keeps, with or without engines.
    Frame,
    /// It finds something out about sites.
    Engine,
    /// The same, beside the pass before it where there are threads: neither waits for the other.
    EngineBeside,
}

/// A pass of a check.
pub struct Pass {
    /// What is told to be going on meanwhile; None: the pass says so itself where it has work.
    pub doing: Option<&'static str>,
    pub kind: Kind,
    /// Why it stands where it does.
    pub why: &'static str,
    /// The relations that it asks, of facts or rules. Those of the program's text are `text`.
    pub reads: &'static [&'static str],
    /// The relations that its results are stated as, or that it derives.
    pub writes: &'static [&'static str],
    run: fn(&Ground) -> Result<Next, Error>,
}

/// All facts that emitters state.
pub const TEXT: &str = "text";

/// What engines ask of memory.
const MEMORY: &[&str] =
    &["call_edge", "enters", "comes_to", "may_name", "may_write", "may_free", "points_to", "option_index"];

/// The passes of a check in their order.
pub const PASSES: [Pass; 13] = [
    Pass {
        doing: Some("preprocessing"),
        kind: Kind::Frame,
        why: "first: an earlier report of the same text ends the check here, before anything is parsed",
        reads: &[],
        writes: &[],
        run: read_units,
    },
    Pass {
        doing: Some("parsing"),
        kind: Kind::Frame,
        why: "all that follows works on the program, not on its text",
        reads: &[],
        writes: &[TEXT],
        run: lower_units,
    },
    Pass {
        doing: None,
        kind: Kind::Frame,
        why: "before the engines, which need not run where an earlier run's results are of the same program",
        reads: &[],
        writes: &[],
        run: recall_results,
    },
    Pass {
        doing: Some("relating memory"),
        kind: Kind::Engine,
        why: "before every engine: what calls, pointers and writes may do is derived once, and all of them ask it",
        reads: &[TEXT],
        writes: MEMORY,
        run: relate_memory,
    },
    Pass {
        doing: Some("analysing"),
        kind: Kind::Engine,
        why: "first of the engines: it decides most sites, by states and then by short paths, and those behind it work for what it leaves open",
        reads: MEMORY,
        writes: &[
            "proved_safe",
            "not_reached",
            "blocked_by",
            "gave_up",
            "never_passed",
            "only_unfollowed",
            "unfollowed_call",
            "doubt",
            "value_at",
        ],
        run: prove_sites,
    },
    Pass {
        doing: None,
        kind: Kind::EngineBeside,
        why: "beside the proofs: the one proves, the other runs, and it ends early when no site is left open",
        reads: &[],
        writes: &["errs_on_run", "errs_past", "errs_in_doubt", "grown", "precondition", "certificate"],
        run: search_runs,
    },
    Pass {
        doing: None,
        kind: Kind::Engine,
        why: "behind proofs and runs: the only run of a program without input decides what proofs leave open",
        reads: &["called_later"],
        writes: &["proved_safe", "not_reached"],
        run: follow_only_run,
    },
    Pass {
        doing: None,
        kind: Kind::Engine,
        why: "behind proofs and runs: it looks from sites that proofs leave open, and from runs whose boxes stayed small",
        reads: MEMORY,
        writes: &["errs_on_run", "errs_in_doubt", "grown", "precondition", "certificate"],
        run: look_backwards,
    },
    Pass {
        doing: None,
        kind: Kind::Engine,
        why: "behind all that is cheaper: a loop is summarized, or a suspicion tried, only for sites that nothing else has decided",
        reads: MEMORY,
        writes: &["proved_safe", "errs_on_run", "errs_in_doubt", "grown", "precondition", "certificate"],
        run: summarize_loops,
    },
    Pass {
        doing: Some("telling what errors are assumed away"),
        kind: Kind::Engine,
        why: "last of the engines: it goes past the errors that all of them have found",
        reads: &[TEXT, "errs_on_run", "errs_past", "never_passed", "always_after", "perhaps_after"],
        writes: &["open_past_errors", "after_error"],
        run: tell_after_errors,
    },
    Pass {
        doing: None,
        kind: Kind::Frame,
        why: "behind the engines and before what is asked of their results, which has keys of its own",
        reads: &[],
        writes: &[],
        run: keep_results,
    },
    Pass {
        doing: None,
        kind: Kind::Frame,
        why: "before the rules, which may take all the time that is left",
        reads: &[TEXT, "variable_value", "points_to", "value_at"],
        writes: &["loop_terminates", "ranking", "loop_summary"],
        run: look_at_variables,
    },
    Pass {
        doing: None,
        kind: Kind::Frame,
        why: "last: rules may ask for everything that was found before",
        reads: &[TEXT, "verdict", "after_error", "points_to", "value_at"],
        writes: &["verdict"],
        run: find_by_rules,
    },
];

/// Runs the passes; an error ends them.
pub fn run_passes(ground: &Ground) -> Result<(), Error> {
    let mut engines = true;
    let mut rest = &PASSES[..];
    while let Some((pass, mut behind)) = rest.split_first() {
        let is_engine = pass.kind != Kind::Frame;
        if engines || !is_engine {
            if let Some(doing) = pass.doing {
                ground.clock.enter(doing);
            }
            let beside = behind.first().filter(|next| next.kind == Kind::EngineBeside && ground.request.jobs > 1);
            let next = match beside {
                Some(other) => {
                    behind = &behind[1..];
                    run_beside(pass, other, ground)?
                }
                None => (pass.run)(ground)?,
            };
            match next {
                Next::Go => {}
                Next::PastEngines => engines = false,
                Next::End => return Ok(()),
            }
        }
        rest = behind;
    }
    Ok(())
}

/// Runs two passes at the same time.
fn run_beside(pass: &Pass, other: &Pass, ground: &Ground) -> Result<Next, Error> {
    std::thread::scope(|scope| {
        let other = scope.spawn(|| (other.run)(ground));
        let next = (pass.run)(ground);
        other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        next
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datalog::programs;
    use crate::facts::catalog;
    use std::collections::BTreeSet;

    #[test]
    fn passes_name_relations_that_exist() {
        let inputs = catalog().iter().map(|relation| relation.name);
        let derived = programs::catalog().iter().map(|relation| relation.name);
        let known: BTreeSet<&str> = inputs.chain(derived).chain([TEXT]).collect();
        for name in PASSES.iter().flat_map(|pass| pass.reads.iter().chain(pass.writes)) {
            assert!(known.contains(name), "{name}");
        }
    }

    #[test]
    fn what_a_pass_reads_of_others_was_written_before() {
        let mut written: BTreeSet<&str> = BTreeSet::new();
        let results: BTreeSet<&str> = catalog().iter().filter(|r| r.group == "results").map(|r| r.name).collect();
        for pass in &PASSES {
            for name in pass.reads.iter().filter(|name| results.contains(*name)) {
                assert!(written.contains(name), "{name} is read before it is written");
            }
            written.extend(pass.writes);
        }
    }
}
