//! Interpolants that the solver's own synthesis finds: the last resort, for it enumerates formulas.
//!
//! Like [`cubes`](super::cubes) it goes from the violation to the start, so that each formula excludes what leads behind the
//! next one; nothing of it is trusted.

use super::blocks::Blocks;
use super::interpolate::Trail;
use crate::encode::Value;
use crate::engines::task::Budget;
use crate::smt::{Interpolation, Term, interpolant};
use std::time::Duration;

/// Time for one formula.
const LONGEST: Duration = Duration::from_millis(500);
/// Time for a sequence: the part of the budget.
const PART: f64 = 0.1;

/// From the violation to the start: at each head a formula that holds there and excludes what comes to the violation.
pub fn by_synthesis(
    blocks: &mut Blocks<'_, '_>,
    trail: &Trail,
    failure: Term,
    budget: &Budget,
) -> Option<Vec<Vec<Term>>> {
    let budget = budget.share(PART);
    let mut bad = failure;
    let mut formulas = Vec::new();
    for i in (0..trail.heads.len()).rev() {
        let formula = at(blocks, trail, i, bad, &budget)?;
        formulas.push(vec![formula]);
        if let Some(before) = i.checked_sub(1) {
            let head = trail.heads[i];
            let arrival = blocks.blocks.get(&Some(trail.heads[before]))?.arrivals.get(&head)?.clone();
            let path = blocks.encoder.path(&arrival);
            let there = blocks.instantiate(head, formula, &arrival);
            let broken = blocks.encoder.pool.not(there);
            bad = blocks.encoder.pool.and(&[path, broken]);
        }
    }
    formulas.reverse();
    Some(formulas)
}

/// The formula at the head with this number on the trail.
fn at(blocks: &mut Blocks<'_, '_>, trail: &Trail, number: usize, bad: Term, budget: &Budget) -> Option<Term> {
    if budget.is_spent() {
        return None;
    }
    let (head, state) = (trail.heads[number], &trail.states[number]);
    let frame = blocks.frames.get(&Some(head))?.variables.clone();
    let occurring = blocks.encoder.pool.variables(&[bad]);
    let mut premise = blocks.encoder.axioms.clone();
    premise.push(blocks.encoder.path(state));
    let mut variables = Vec::new();
    for (cell, variable) in frame {
        if !occurring.contains(&variable) {
            continue;
        }
        // Scalars that the state does not have may be anything.
        if let Some(Value::Bits(value)) = state.scalar(cell)
            && blocks.encoder.pool.sort(value) == blocks.encoder.pool.sort(variable)
        {
            premise.push(blocks.encoder.pool.eq(variable, value));
            let types = &blocks.encoder.program.types;
            let kind = types.as_int(blocks.encoder.program.variables[cell.variable].ty);
            variables.push((variable, kind.is_some_and(|kind| types.int_range(kind).0 < 0)));
        }
    }
    let mut excluded = blocks.encoder.axioms.clone();
    excluded.push(bad);
    let time = budget.left().min(LONGEST);
    let asked = Interpolation { premise: &premise, excluded: &excluded, variables: &variables, time };
    // What libcvc5 cannot take has no interpolant from it.
    interpolant(&mut blocks.encoder.pool, &asked).ok().flatten()
}
