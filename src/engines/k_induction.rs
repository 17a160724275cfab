//! k-induction with iterative deepening: bounded search for violations, then induction with auxiliary invariants.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 4.2, Algorithm 3. We differ in that
//! auxiliary invariants are candidates that the induction itself sifts.

use super::bmc::{Bounded, Tried, within};
use super::invariant::guess::Candidates;
use super::invariant::prove::{Shown, confirm, prove};
use super::invariant::told::{Said, tell};
use super::task::{Answer, Budget, Obstacle, Proof, Task};
use crate::encode::{Automaton, NodeId};

/// Decides the task by induction over windows of 0, 1, 2, ... turns.
pub fn k_induction(task: &Task<'_>, automaton: &Automaton<'_>, candidates: &Candidates, budget: &Budget) -> Answer {
    let (mut last, mut tried): (Option<Obstacle>, _) = (None, Tried::default());
    for k in 0..=task.limits.window {
        if budget.is_spent() {
            // A construct that is in the way stays there, however much time is left.
            if let Some(gap @ Obstacle::NotEncoded { .. }) = last {
                return Answer::Unknown(gap);
            }
            let before = last.map_or_else(String::new, |last| format!("; {last}"));
            return Answer::Unknown(Obstacle::Budget(format!("budget, at windows of {k} turns{before}")));
        }
        match within(task, automaton, k + 1, &mut tried, budget) {
            Bounded::Decided(Answer::False(mut found)) => {
                found.engine = "k-induction";
                return Answer::False(found);
            }
            Bounded::Decided(answer) => return answer,
            Bounded::Further | Bounded::Stuck(_) => {}
        }
        match induct(task, automaton, candidates, k, budget, budget) {
            Ok(proof) => return Answer::True(proof),
            Err(obstacle) => last = Some(obstacle),
        }
    }
    Answer::Unknown(last.expect("a window has been tried"))
}

/// One attempt within `part`, with windows of `k` turns; what is found may take the whole `budget` to be confirmed.
pub fn induct(
    task: &Task<'_>,
    automaton: &Automaton<'_>,
    candidates: &Candidates,
    k: u32,
    part: &Budget,
    budget: &Budget,
) -> Result<Proof, Obstacle> {
    let Shown { invariants, safe, .. } = prove(task, automaton, candidates, k, part);
    safe?;
    confirm(task, automaton, &invariants, k, budget)?;
    Ok(proof(automaton, &invariants, k))
}

/// What the invariants of loops, inductive over windows of `k` turns, amount to.
pub fn proof(automaton: &Automaton<'_>, invariants: &Candidates, k: u32) -> Proof {
    let said = |head: NodeId| {
        let of_head = invariants.get(&head).map_or(&[][..], |list| list);
        (head, of_head.iter().map(|p| Said::of(automaton, head, p)).collect())
    };
    let list = tell(automaton, &automaton.heads().into_iter().map(said).collect());
    let argument = match k {
        0 => "the invariants are inductive and exclude every violation".to_owned(),
        _ => format!("induction over windows of {k} turns with the invariants"),
    };
    Proof { engine: "k-induction", argument, invariants: list }
}
