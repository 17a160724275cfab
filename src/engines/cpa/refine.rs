//! Counterexamples: replayed when they are real, refuted by interpolants when they are not.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.5 and 4.3-4.4.

use super::arg::walk;
use super::blocks::Blocks;
use super::interpolate::{Guide, Sequence, interpolate};
use super::learnt::Learnt;
use crate::encode::NodeId;
use crate::encode::model::{asked, read, read_at_places};
use crate::engines::task::query::Reply;
use crate::engines::task::replay::replay;
use crate::engines::task::{Answer, Budget, Counterexample, Obstacle, Query, Task};

/// What a counterexample has come to.
pub enum Refined {
    /// It is real.
    Violation(Answer),
    /// Interpolants for every violation behind the path.
    Refuted(Vec<Sequence>),
    /// Neither could be shown: why.
    Stuck(Obstacle),
}

/// Judges the abstract path along `heads`, behind which something may be violated.
#[allow(clippy::too_many_arguments)]
pub fn refine(
    task: &Task<'_>,
    blocks: &mut Blocks<'_, '_>,
    query: &mut Query,
    heads: &[NodeId],
    guide: &Guide,
    learnt: &mut Learnt,
    engine: &'static str,
    budget: &Budget,
) -> Refined {
    let walked = match walk(blocks, heads) {
        Ok(walked) => walked,
        Err(why) => return Refined::Stuck(Obstacle::NoProof(why)),
    };
    let real = blocks.encoder.pool.or(&walked.failures);
    match query.check(&blocks.encoder, &[real], budget) {
        Reply::Sat => {
            let (inputs, unwritten) = (asked(&walked.inputs), asked(&walked.unwritten));
            let doubt = match query.values(&blocks.encoder, &[&inputs[..], &unwritten].concat()) {
                Ok(values) => match replay(task, read(&walked.inputs, &values), {
                    read_at_places(&walked.unwritten, &values[inputs.len()..])
                }) {
                    Ok(run) => {
                        return Refined::Violation(Answer::False(Box::new(Counterexample { engine, run })));
                    }
                    Err(doubt) => doubt,
                },
                Err(error) => error.to_string(),
            };
            return Refined::Stuck(Obstacle::Unconfirmed(doubt));
        }
        Reply::Unknown(why) => return Refined::Stuck(Obstacle::Solver(why)),
        Reply::Unsat => {}
    }
    let place = heads.last().copied();
    let failures = blocks.blocks.get(&place).map(|b| b.failures.clone()).unwrap_or_default();
    let mut sequences = Vec::new();
    for failure in failures {
        match interpolate(blocks, query, &walked.trail, failure, guide, budget) {
            Some(sequence) => {
                learnt.note(blocks, heads, &sequence);
                sequences.push(sequence);
            }
            None => {
                learnt.without += 1;
                return Refined::Stuck(Obstacle::NoProof("no interpolants were found".to_owned()));
            }
        }
    }
    Refined::Refuted(sequences)
}
