//! Loops summarized by state invariants: the program without its loops is judged at once, and what fails there leaps over them.
//!
//! See: Kroening, Sharygina, Tonetta, Tsitovich, Wintersteiger, "Loop Summarization using State and Transition Invariants",
//! Sect. 4, Algorithms 1 and 2. We differ in that the candidates of all loops are sifted together, each by one turn of its loop.

use super::super::bmc::bmc;
use super::super::invariant::guess::Candidates;
use super::super::invariant::prove::{confirm, prove};
use super::super::invariant::recheck::{Rechecked, recheck};
use super::super::k_induction::proof;
use super::super::task::{Answer, Budget, Obstacle, Proof, Task};
use crate::encode::Automaton;

/// Shows again that the invariants are inductive, and then that those which are exclude every violation.
fn confirmed(
    task: &Task<'_>,
    automaton: &Automaton<'_>,
    invariants: &Candidates,
    budget: &Budget,
) -> Result<Rechecked, String> {
    let again = recheck(automaton, task.property.kinds(), invariants, 0, budget);
    confirm(task, automaton, &again.kept, 0, budget).map_err(|obstacle| obstacle.to_string())?;
    Ok(again)
}

/// The part of the budget that summaries may take; the rest is for making what leaps concrete.
const SUMMARIZING: f64 = 0.6;

/// Decides the task by the invariants among `candidates`.
pub fn summary(task: &Task<'_>, automaton: &Automaton<'_>, candidates: &Candidates, budget: &Budget) -> Answer {
    let share = budget.share(SUMMARIZING);
    let shown = prove(task, automaton, candidates, 0, &share);
    let why = match shown.safe {
        Ok(()) => match confirmed(task, automaton, &shown.invariants, budget) {
            Ok(again) => {
                let (count, queries) = (again.count(), again.queries);
                let argument = format!(
                    "the loops' summaries exclude every violation; {count} invariants shown inductive again by {queries} queries"
                );
                let invariants = proof(automaton, &again.kept, 0).invariants;
                return Answer::True(Proof { engine: "summary", argument, invariants });
            }
            Err(why) => Obstacle::NoProof(why),
        },
        Err(why) => why,
    };
    let leap = shown.leap.map(|leap| leap.describe(task.program, |head| automaton.span(head)));
    match bmc(task, automaton, budget) {
        Answer::False(mut found) => {
            found.engine = "summary";
            Answer::False(found)
        }
        // What needs no summary is decided all the same.
        Answer::True(proof) => Answer::True(proof),
        Answer::Unknown(_) => Answer::Unknown(leap.map_or(why, Obstacle::NoProof)),
    }
}
