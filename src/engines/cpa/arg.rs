//! The abstract reachability graph over loop heads: how every abstract state was reached.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.4 (ARG CPA).

use super::blocks::{Blocks, Place};
use super::interpolate::Trail;
use crate::base::IndexVec;
use crate::encode::encoder::InputUse;
use crate::encode::{NodeId, State};
use crate::smt::{Term, TermPool};

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

/// The nodes made so far. Where a node is asked for, None is the program's start, which is none of them.
pub type ArgNodes = IndexVec<ArgId, ArgNode>;

/// Where the block behind a node begins.
pub fn place_of(nodes: &ArgNodes, id: Option<ArgId>) -> Place {
    id.map(|id| nodes[id].head)
}

/// What is known at a node: at the program's start nothing.
pub fn label_of(pool: &mut TermPool, nodes: &ArgNodes, id: Option<ArgId>) -> Term {
    id.map_or_else(|| pool.bool(true), |id| nodes[id].label)
}

/// The nodes on the way to one, itself included.
pub fn path(nodes: &ArgNodes, id: Option<ArgId>) -> Vec<ArgId> {
    let mut path: Vec<ArgId> = std::iter::successors(id, |id| nodes[*id].parent).collect();
    path.reverse();
    path
}

/// The heads of nodes.
pub fn heads(nodes: &ArgNodes, path: &[ArgId]) -> Vec<NodeId> {
    path.iter().map(|id| nodes[*id].head).collect()
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
