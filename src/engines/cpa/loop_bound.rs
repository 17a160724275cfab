//! The loop-bound analysis: which turn of every enclosing loop a state is in, and how many turns are followed.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 3.4. We differ in that the turns of
//! an induction's window are counted apart from those that start with the loop.

use crate::encode::{Automaton, NodeId};

/// A turn of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Turn {
    /// The turn with this number since the loop was entered.
    Base(u32),
    /// A turn of a window of consecutive turns somewhere in the loop's life.
    Window(u32),
}

/// The turns of the loops around a node, outermost first.
pub type Turns = Vec<(NodeId, Turn)>;

/// What an edge does to turns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Control stays within the same turns, or leaves loops.
    Same(Turns),
    /// Control enters the loop at the edge's end; the turns around it.
    Enter(Turns),
    /// Control comes back to the head of the innermost loop in these turns, whose turn is the one that ends.
    Back(Turns),
}

/// The turns behind an edge from `from` to `to`.
pub fn step(automaton: &Automaton<'_>, turns: &Turns, from: NodeId, to: NodeId) -> Step {
    let order = &automaton.order;
    let inside = |head: NodeId| order.is_inside(to, head);
    let kept: Turns = turns.iter().copied().take_while(|(head, _)| inside(*head)).collect();
    match (order.is_head(to), order.is_inside(from, to)) {
        (true, true) => Step::Back(kept),
        (true, false) => Step::Enter(kept),
        (false, _) => Step::Same(kept),
    }
}

/// A key that orders states so that all that can come to one are before it.
pub fn rank(automaton: &Automaton<'_>, turns: &Turns, node: NodeId) -> Vec<u32> {
    let mut rank = Vec::with_capacity(2 * turns.len() + 1);
    for (head, turn) in turns {
        rank.push(automaton.order.position(*head));
        rank.push(match turn {
            Turn::Base(n) => *n,
            Turn::Window(n) => (1 << 31) + n,
        });
    }
    rank.push(automaton.order.position(node));
    rank
}
