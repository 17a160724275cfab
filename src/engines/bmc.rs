//! Bounded model checking: loops unrolled further and further, with the forward condition.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 4.1.

use super::cpa::unwinding::{Nothing, Unrolled, Unrolling, unroll};
use super::task::query::Reply;
use super::task::replay::replay;
use super::task::{Answer, Budget, Counterexample, Obstacle, Proof, Query, Task};
use crate::concrete::{InputPlace, InputValue, Run};
use crate::encode::encoder::{InputTerm, InputUse};
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
    let unconfirmed = match query.check(&encoder, &[fails], budget) {
        Reply::Unknown(reason) => return Bounded::Stuck(Obstacle::Solver(format!("{reason}, at bound {bound}"))),
        Reply::Unsat => None,
        Reply::Sat => {
            let given = query.inputs(&encoder).and_then(|inputs| Ok((inputs, query.unwritten(&encoder)?)));
            Some(match given {
                Ok((inputs, unwritten)) => match replay(task, inputs, unwritten) {
                    Ok(run) => {
                        return Bounded::Decided(Answer::False(Box::new(Counterexample { engine: "bmc", run })));
                    }
                    Err(doubt) => doubt,
                },
                Err(error) => error.to_string(),
            })
        }
    };
    // Where a counterexample to one part of the property is not confirmed, one to another may be.
    match (lost(task, &mut encoder, &mut query, tried, budget), unconfirmed) {
        (Some(run), _) => Bounded::Decided(Answer::False(Box::new(Counterexample { engine: "bmc", run }))),
        (None, Some(doubt)) => Bounded::Stuck(Obstacle::Unconfirmed(doubt)),
        (None, None) => forward_condition(&mut encoder, &mut query, &unrolled, bound, budget),
    }
}

/// Models of ends of the program in which a block may be lost that are tried, and how many of each end.
const MODELS: usize = 16;
const OF_AN_END: usize = 2;

/// A run that loses a block. The encoding does not say which blocks are reachable: the runs of models do, a few of them for each
/// block and end of the program.
fn lost(
    task: &Task<'_>,
    encoder: &mut Encoder<'_, '_>,
    query: &mut Query,
    tried: &mut Tried,
    budget: &Budget,
) -> Option<Run> {
    let mut open: Vec<(Term, usize)> =
        std::mem::take(&mut encoder.may_be_lost).into_iter().map(|end| (end, OF_AN_END)).collect();
    for _ in 0..MODELS {
        let ends: Vec<Term> = open.iter().map(|(end, _)| *end).collect();
        let any = encoder.pool.or(&ends);
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
        let values = query.values(encoder, &ends).ok()?;
        let seen = values.iter().position(|v| v.as_bool() == Some(true))?;
        let (end, left) = open.remove(seen);
        if left > 1 {
            // Another run may come to the same end and lose the block.
            let other = other_numbers(encoder, query)?;
            open.insert(seen, (encoder.pool.and(&[end, other]), left - 1));
        }
    }
    None
}

/// That a run gets another number somewhere than the model's run, just after [`Reply::Sat`]: how much is read, say.
fn other_numbers(encoder: &mut Encoder<'_, '_>, query: &mut Query) -> Option<Term> {
    let number = |input: &InputUse| match input.term {
        InputTerm::Int(number, _) => Some([input.condition, number]),
        _ => None,
    };
    let terms: Vec<Term> = encoder.inputs.iter().filter_map(number).flatten().collect();
    let values = query.values(encoder, &terms).ok()?;
    let mut same = Vec::new();
    for (term, value) in terms.chunks_exact(2).zip(values.chunks_exact(2)) {
        if value[0].as_bool() == Some(true) {
            let value = encoder.pool.value(value[1]);
            same.extend([term[0], encoder.pool.eq(term[1], value)]);
        }
    }
    let same = encoder.pool.and(&same);
    Some(encoder.pool.not(same))
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
