//! Proofs by invariants at loop heads, checked by a solver that has seen nothing else.

use super::blocks::{Blocks, Place};
use crate::encode::NodeId;
use crate::engines::task::query::Reply;
use crate::engines::task::{Budget, Query};
use crate::smt::Term;
use std::collections::BTreeMap;

/// Formulas over the frames of loop heads.
pub type Labels = BTreeMap<NodeId, Term>;

/// Whether the labels hold whenever control comes to their heads, and exclude every violation and gap. A head without a
/// label must not be reached.
pub fn check(blocks: &mut Blocks<'_, '_>, labels: &Labels, budget: &Budget) -> Result<(), String> {
    let mut query = Query::certifying();
    let places: Vec<Place> = blocks.blocks.keys().copied().collect();
    for place in places {
        let start = match place {
            None => blocks.encoder.pool.bool(true),
            Some(head) => match labels.get(&head) {
                Some(label) => *label,
                None => continue,
            },
        };
        let block = blocks.blocks[&place].clone();
        let mut bad: Vec<Term> = block.failures.iter().chain(&block.gaps).copied().collect();
        for (head, state) in &block.arrivals {
            let path = blocks.encoder.path(state);
            let label = match labels.get(head) {
                Some(label) => blocks.instantiate(*head, *label, state),
                None => blocks.encoder.pool.bool(false),
            };
            let broken = blocks.encoder.pool.not(label);
            bad.push(blocks.encoder.pool.and(&[path, broken]));
        }
        let bad = blocks.encoder.pool.or(&bad);
        match query.check(&blocks.encoder, &[start, bad], budget) {
            Reply::Unsat => {}
            Reply::Sat => return Err("the invariants are not inductive, or something is not encoded".to_owned()),
            Reply::Unknown(why) => return Err(format!("solver: {why}")),
        }
    }
    Ok(())
}
