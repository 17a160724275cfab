//! The abstract reachability graph over loop heads: how every abstract state was reached.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.4 (ARG CPA).

use super::blocks::{Blocks, Place};
use super::interpolate::Trail;
use crate::encode::encoder::InputUse;
use crate::encode::{NodeId, State};
use crate::smt::Term;

crate::new_index! {
    /// A node of the graph.
    pub struct ArgId = "arg";
}

/// An abstract state at a loop's head.
#[derive(Clone, Debug)]
pub struct ArgNode {
    pub head: NodeId,
    pub parent: Option<ArgId>,
    /// What is known there, over the head's frame.
    pub label: Term,
    /// The node that covers it.
    pub covered: Option<ArgId>,
    pub expanded: bool,
}

/// The states of the one path that leads to a node, and the inputs consumed on it.
#[derive(Clone, Debug, Default)]
pub struct Walked {
    pub trail: Trail,
    pub inputs: Vec<InputUse>,
    /// First reads on it of scalars that nothing was written to.
    pub unwritten: Vec<InputUse>,
    /// Conditions of violations in the block behind the last head.
    pub failures: Vec<Term>,
}

/// The concrete path along `heads`, and what can go wrong behind it.
///
/// # Errors
/// A loop that no head cuts.
pub fn walk(blocks: &mut Blocks<'_, '_>, heads: &[NodeId]) -> Result<Walked, String> {
    let mut walked = Walked::default();
    let mut place: Place = None;
    let mut state: State = blocks.encoder.initial();
    for next in heads.iter().map(|h| Some(*h)).chain([None]) {
        let (inputs, unwritten) = (blocks.encoder.inputs.len(), blocks.encoder.unwritten.len());
        let block = blocks.run(place, state.clone())?;
        walked.inputs.extend(blocks.encoder.inputs[inputs..].iter().cloned());
        walked.unwritten.extend(blocks.encoder.unwritten[unwritten..].iter().cloned());
        match next {
            Some(head) => {
                match block.arrivals.get(&head) {
                    Some(arrival) => state = arrival.clone(),
                    None => {
                        // The path is seen to be infeasible.
                        let never = blocks.encoder.pool.bool(false);
                        blocks.encoder.assume(&mut state, never);
                    }
                }
                walked.trail.heads.push(head);
                walked.trail.states.push(state.clone());
                place = Some(head);
            }
            None => walked.failures = block.failures,
        }
    }
    Ok(walked)
}
