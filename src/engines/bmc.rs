//! Bounded model checking: loops unrolled further and further, with the forward condition.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 4.1.

use super::cpa::unwinding::{Nothing, Unrolled, Unrolling, unroll};
use super::task::query::Reply;
use super::task::replay::replay;
use super::task::{Answer, Budget, Counterexample, Obstacle, Proof, Query, Task};
use crate::concrete::{InputPlace, InputValue, Run};
use crate::encode::{Automaton, Encoder};
use crate::smt::Term;

/// What one bound has shown.
pub enum Bounded {
    Decided(Answer),
    /// Nothing within the bound; loops go on beyond.
    Further,
    /// Nothing more can be said: why.
    Stuck(Obstacle),
}

/// Unrolls loops further and further until the task is decided or the budget is spent.
pub fn bmc(task: &Task<'_>, automaton: &Automaton<'_>, budget: &Budget) -> Answer {
    Deepening::default().until(task, automaton, u32::MAX, budget)
}

/// Bounded model checking that can be gone on with.
pub struct Deepening {
    /// The next bound.
    bound: u32,
    tried: Tried,
}

/// What a run is given: inputs in order, and what unwritten memory holds.
type Given = (Vec<InputValue>, Vec<(InputPlace, InputValue)>);

/// Runs that were to lose a block and did not. They are not made again; a block is looked at again at every bound, as it may be lost after
/// more turns.
#[derive(Default)]
pub struct Tried {
    inputs: Vec<Given>,
}

impl Default for Deepening {
    fn default() -> Self {
        Deepening { bound: 1, tried: Tried::default() }
    }
}

impl Deepening {
    /// Goes on until the task is decided, the budget is spent, or `last` was tried. A bound that was not done with is
    /// tried again the next time.
    pub fn until(&mut self, task: &Task<'_>, automaton: &Automaton<'_>, last: u32, budget: &Budget) -> Answer {
        while self.bound <= last {
            match within(task, automaton, self.bound, &mut self.tried, budget) {
                Bounded::Decided(answer) => return answer,
                Bounded::Stuck(reason) => return Answer::Unknown(reason),
                Bounded::Further => self.bound += if self.bound < 4 { 1 } else { self.bound / 2 },
            }
        }
        Answer::Unknown(Obstacle::NoProof(format!("nothing errs within {last} turns")))
    }
}

/// Looks for violations in which no loop takes more than `bound` turns.
pub fn within(task: &Task<'_>, automaton: &Automaton<'_>, bound: u32, tried: &mut Tried, budget: &Budget) -> Bounded {
    if automaton.order.is_irreducible() {
        return Bounded::Stuck(Obstacle::Refused("a loop that is entered at several places".to_owned()));
    }
    let mut encoder = Encoder::new(automaton, task.property.kinds());
    encoder.seeks_lost = task.property.tracks_memory();
    let unrolled = unroll(&mut encoder, Unrolling { base: bound, window: false }, &mut Nothing, budget);
    if unrolled.aborted {
        return Bounded::Stuck(Obstacle::Budget(format!("budget, at bound {bound}")));
    }
    let mut query = Query::new();
    let failures: Vec<_> = encoder.failures.iter().map(|f| f.condition).collect();
    let fails = encoder.pool.or(&failures);
    match query.check(&encoder, &[fails], budget) {
        Reply::Unknown(reason) => return Bounded::Stuck(Obstacle::Solver(format!("{reason}, at bound {bound}"))),
        Reply::Sat => {
            let given = query.inputs(&encoder).and_then(|inputs| Ok((inputs, query.unwritten(&encoder)?)));
            let doubt = match given {
                Ok((inputs, unwritten)) => match replay(task, inputs, unwritten) {
                    Ok(run) => {
                        return Bounded::Decided(Answer::False(Box::new(Counterexample { engine: "bmc", run })));
                    }
                    Err(doubt) => doubt,
                },
                Err(error) => error.to_string(),
            };
            return Bounded::Stuck(Obstacle::Unconfirmed(doubt));
        }
        Reply::Unsat => {}
    }
    match lost(task, &mut encoder, &mut query, tried, budget) {
        Some(run) => Bounded::Decided(Answer::False(Box::new(Counterexample { engine: "bmc", run }))),
        None => forward_condition(&mut encoder, &mut query, &unrolled, bound, budget),
    }
}

/// Models of ends of the program in which a block may be lost that are tried.
const ENDS: usize = 8;

/// A run that loses a block. The encoding does not say which blocks are reachable: the runs of models do, one of them for each
/// block and end of the program.
fn lost(
    task: &Task<'_>,
    encoder: &mut Encoder<'_, '_>,
    query: &mut Query,
    tried: &mut Tried,
    budget: &Budget,
) -> Option<Run> {
    let mut open = std::mem::take(&mut encoder.may_be_lost);
    for _ in 0..ENDS {
        let any = encoder.pool.or(&open);
        if budget.is_spent() || query.check(encoder, &[any], budget) != Reply::Sat {
            return None;
        }
        let given = query.inputs(encoder).ok().zip(query.unwritten(encoder).ok());
        if let Some((inputs, unwritten)) = given.filter(|given| !tried.inputs.contains(given)) {
            if let Ok(run) = replay(task, inputs.clone(), unwritten.clone()) {
                return Some(run);
            }
            tried.inputs.push((inputs, unwritten));
        }
        let values = query.values(encoder, &open).ok()?;
        let seen = values.iter().position(|v| v.as_bool() == Some(true))?;
        open.remove(seen);
    }
    None
}

/// Whether anything is left beyond the bound.
fn forward_condition(
    encoder: &mut Encoder<'_, '_>,
    query: &mut Query,
    unrolled: &Unrolled,
    bound: u32,
    budget: &Budget,
) -> Bounded {
    let beyond = unrolled.beyond_any(encoder);
    match query.check(encoder, &[beyond], budget) {
        Reply::Sat => return Bounded::Further,
        Reply::Unknown(reason) => return Bounded::Stuck(Obstacle::Solver(format!("{reason}, at bound {bound}"))),
        Reply::Unsat => {}
    }
    let gaps: Vec<_> = encoder.gaps.iter().map(|g| g.condition).collect();
    let any = encoder.pool.or(&gaps);
    match query.check(encoder, &[any], budget) {
        Reply::Unsat => {}
        Reply::Sat => return Bounded::Stuck(reachable_gap(encoder, query)),
        Reply::Unknown(reason) => return Bounded::Stuck(Obstacle::Solver(format!("{reason}, at bound {bound}"))),
    }
    let failures: Vec<_> = encoder.failures.iter().map(|f| f.condition).collect();
    let bad = [encoder.pool.or(&failures), beyond, any];
    match confirm(encoder, &bad, budget) {
        Ok(()) => Bounded::Decided(Answer::True(Proof {
            engine: "bmc",
            argument: format!("no loop takes more than {bound} turns, and nothing errs within"),
            invariants: Vec::new(),
        })),
        Err(reason) => {
            Bounded::Stuck(Obstacle::NoProof(format!("the proof at bound {bound} is not confirmed: {reason}")))
        }
    }
}

/// Asks once more, of solvers that have seen nothing else, whether any of `bad` can be.
fn confirm(encoder: &mut Encoder<'_, '_>, bad: &[Term], budget: &Budget) -> Result<(), String> {
    let any = encoder.pool.or(bad);
    match Query::certifying().check(encoder, &[any], budget) {
        Reply::Unsat => Ok(()),
        Reply::Sat => Err("solvers disagree".to_owned()),
        Reply::Unknown(reason) => Err(format!("solver: {reason}")),
    }
}

/// A gap that the model is in.
pub fn reachable_gap(encoder: &Encoder<'_, '_>, query: &mut Query) -> Obstacle {
    let conditions: Vec<_> = encoder.gaps.iter().map(|g| g.condition).collect();
    let values = query.values(encoder, &conditions).unwrap_or_default();
    let hit = encoder.gaps.iter().zip(values).find(|(_, v)| v.as_bool() == Some(true));
    hit.map_or_else(|| Obstacle::NoProof("something is not encoded".to_owned()), |(gap, _)| Obstacle::of_gap(gap))
}
