//! A weak topological order of the automaton: loops nested in each other, each with its head.
//!
//! See: Bourdoncle, "Efficient Chaotic Iteration Strategies with Widenings", Sect. 4.

use super::automaton::{NodeId, START};
use crate::base::IndexVec;

/// Positions and enclosing loops of all nodes.
#[derive(Clone, Debug)]
pub struct Order {
    /// By node: its position; a loop's nodes are contiguous, its head first.
    position: IndexVec<NodeId, u32>,
    /// By node: the heads of the loops around it, outermost first; a head is around itself.
    around: IndexVec<NodeId, Vec<NodeId>>,
    /// Edges into a loop elsewhere than at its head.
    irreducible: bool,
}

impl Order {
    /// The order of a graph whose nodes are all reachable from the first.
    pub fn new(successors: &IndexVec<NodeId, Vec<NodeId>>) -> Order {
        let n = successors.len();
        let mut search =
            Search { successors, number: IndexVec::from_elem(0, n), count: 0, stack: Vec::new(), reversed: Vec::new() };
        search.visit(START);
        let mut order = Order {
            position: IndexVec::from_elem(0, n),
            around: IndexVec::from_elem(Vec::new(), n),
            irreducible: false,
        };
        order.lay_out(&search.reversed);
        order.irreducible = successors.iter_enumerated().any(|(from, to)| {
            to.iter().any(|t| order.around[*t].iter().any(|head| head != t && !order.around[from].contains(head)))
        });
        order
    }

    fn lay_out(&mut self, reversed: &[Item]) {
        let (mut next, mut open) = (0, Vec::new());
        for item in reversed.iter().rev() {
            match item {
                Item::Node(node) => {
                    self.position[*node] = next;
                    self.around[*node] = open.clone();
                    next += 1;
                }
                Item::Begin(head) => open.push(*head),
                Item::End => {
                    open.pop();
                }
            }
        }
    }

    /// The node's position.
    pub fn position(&self, node: NodeId) -> u32 {
        self.position[node]
    }
    /// Heads of the loops around the node, outermost first, itself included.
    pub fn around(&self, node: NodeId) -> &[NodeId] {
        &self.around[node]
    }
    /// Whether a loop is entered at the node.
    pub fn is_head(&self, node: NodeId) -> bool {
        self.around[node].last() == Some(&node)
    }
    /// Whether the node is in the loop of `head`.
    pub fn is_inside(&self, node: NodeId, head: NodeId) -> bool {
        self.around[node].contains(&head)
    }
    /// All heads, by position.
    pub fn heads(&self) -> Vec<NodeId> {
        let mut heads: Vec<NodeId> = self.position.indices().filter(|n| self.is_head(*n)).collect();
        heads.sort_by_key(|n| self.position[*n]);
        heads
    }
    /// Whether some loop is entered elsewhere than at its head.
    pub fn is_irreducible(&self) -> bool {
        self.irreducible
    }
}

/// The order being built, last first.
enum Item {
    Node(NodeId),
    /// A loop begins (ends, in the reversed list).
    Begin(NodeId),
    End,
}

struct Search<'a> {
    successors: &'a IndexVec<NodeId, Vec<NodeId>>,
    /// 0: not seen; `u32::MAX`: done.
    number: IndexVec<NodeId, u32>,
    count: u32,
    stack: Vec<NodeId>,
    reversed: Vec<Item>,
}

impl Search<'_> {
    /// The least number that `node` gets back to.
    fn visit(&mut self, node: NodeId) -> u32 {
        self.stack.push(node);
        self.count += 1;
        let own = self.count;
        self.number[node] = own;
        let (mut head, mut is_loop) = (own, false);
        for i in 0..self.successors[node].len() {
            let next = self.successors[node][i];
            let least = match self.number[next] {
                0 => self.visit(next),
                n => n,
            };
            if least <= head {
                head = least;
                is_loop = true;
            }
        }
        if head == own {
            self.number[node] = u32::MAX;
            let mut top = self.stack.pop().expect("the node is on the stack");
            if is_loop {
                while top != node {
                    self.number[top] = 0;
                    top = self.stack.pop().expect("the node is below its loop");
                }
                self.component(node);
            } else {
                self.reversed.push(Item::Node(node));
            }
        }
        head
    }

    fn component(&mut self, head: NodeId) {
        self.reversed.push(Item::End);
        for i in 0..self.successors[head].len() {
            let next = self.successors[head][i];
            if self.number[next] == 0 {
                self.visit(next);
            }
        }
        self.reversed.push(Item::Node(head));
        self.reversed.push(Item::Begin(head));
    }
}

#[cfg(test)]
mod tests {
    use super::{NodeId, Order};

    fn order(edges: &[(u32, u32)], n: usize) -> Order {
        let mut successors = crate::base::IndexVec::from_elem(Vec::new(), n);
        for &(a, b) in edges {
            successors[NodeId(a)].push(NodeId(b));
        }
        Order::new(&successors)
    }

    #[test]
    fn loops_are_nested_and_contiguous() {
        // 0 -> 1 { 2 { 3 } 4 } -> 5
        let o = order(&[(0, 1), (1, 2), (1, 5), (2, 3), (3, 2), (2, 4), (4, 1)], 6);
        assert_eq!(o.heads(), [NodeId(1), NodeId(2)]);
        assert_eq!(o.around(NodeId(3)), [NodeId(1), NodeId(2)]);
        assert_eq!(o.around(NodeId(5)), []);
        assert!(o.position(NodeId(3)) < o.position(NodeId(4)) && o.position(NodeId(4)) < o.position(NodeId(5)));
        assert!(!o.is_irreducible());
    }

    #[test]
    fn a_loop_with_two_entries_is_seen() {
        assert!(order(&[(0, 1), (0, 2), (1, 2), (2, 1)], 3).is_irreducible());
    }
}
