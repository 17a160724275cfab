//! Loops that control enters beside their heads, made loops with one entry: the nodes behind the other entries are doubled.
//!
//! See: Ashcroft, Manna, "The Translation of 'go to' Programs to 'while' Programs". We differ in that nodes are doubled instead of
//! a variable telling where control is.

use super::automaton::{Node, NodeId};
use super::order::Order;
use crate::base::IndexVec;
use rustc_hash::FxHashMap;

/// Rounds of doubling.
const ROUNDS: usize = 24;

/// Doubles nodes until every loop has one entry, as long as there are at most `limit` nodes; the order of what there is then.
pub(super) fn split(nodes: &mut IndexVec<NodeId, Node<'_>>, limit: usize) -> Order {
    let mut order = order_of(nodes);
    for _ in 0..ROUNDS {
        let Some(head) = entered_beside(nodes, &order) else { break };
        let inside: Vec<NodeId> = nodes.indices().filter(|n| *n != head && order.is_inside(*n, head)).collect();
        if nodes.len() + inside.len() > limit {
            break;
        }
        double(nodes, &order, head, &inside);
        order = order_of(nodes);
    }
    order
}

fn order_of(nodes: &IndexVec<NodeId, Node<'_>>) -> Order {
    let successors = nodes.iter().map(|n| n.edges.iter().map(|e| e.to).collect()).collect();
    Order::new(&successors)
}

/// The head of an innermost loop that is entered elsewhere.
fn entered_beside(nodes: &IndexVec<NodeId, Node<'_>>, order: &Order) -> Option<NodeId> {
    if !order.is_irreducible() {
        return None;
    }
    let mut found: Vec<NodeId> = Vec::new();
    for (from, node) in nodes.iter_enumerated() {
        for edge in &node.edges {
            let around = order.around(edge.to).iter();
            found.extend(around.filter(|head| **head != edge.to && !order.is_inside(from, **head)));
        }
    }
    found.into_iter().max_by_key(|head| (order.around(*head).len(), *head))
}

/// Sends entries beside `head` to doubles of the nodes `inside`; the doubles lead on to each other, to the head and out.
fn double(nodes: &mut IndexVec<NodeId, Node<'_>>, order: &Order, head: NodeId, inside: &[NodeId]) {
    let mut doubles: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    for node in inside {
        let copy = nodes[*node].clone();
        doubles.insert(*node, nodes.push(copy));
    }
    let copies: Vec<NodeId> = doubles.values().copied().collect();
    for copy in copies {
        redirect(&mut nodes[copy], &doubles);
    }
    let outside: Vec<NodeId> = (0..nodes.len() - inside.len()).map(crate::base::Idx::new).collect();
    for node in outside.into_iter().filter(|n| !order.is_inside(*n, head)) {
        redirect(&mut nodes[node], &doubles);
    }
}

fn redirect(node: &mut Node<'_>, doubles: &FxHashMap<NodeId, NodeId>) {
    for edge in &mut node.edges {
        edge.to = doubles.get(&edge.to).copied().unwrap_or(edge.to);
    }
}
