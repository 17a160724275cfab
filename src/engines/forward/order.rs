//! Weak topological orders of control-flow graphs: blocks before their successors, loops as nested components.
//!
//! See: Bourdoncle, "Efficient chaotic iteration strategies with widenings", Sect. 3 and Fig. 4.

use crate::base::IndexVec;
use crate::ir::program::ENTRY;
use crate::ir::{BlockId, Cfg};

/// A block, or a loop with its head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Component {
    Block(BlockId),
    /// Every cycle in it that is in no inner loop goes through the head.
    Loop(BlockId, Vec<Component>),
}

/// The order of a function's reachable blocks.
#[derive(Clone, Debug)]
pub struct Order {
    pub components: Vec<Component>,
    /// Where a block stands in the order, and where the component that it heads ends.
    position: IndexVec<BlockId, (usize, usize)>,
    heads: IndexVec<BlockId, bool>,
}

impl Order {
    /// The order of a graph.
    pub fn of(cfg: &Cfg, blocks: usize) -> Order {
        let mut builder = Builder { cfg, number: IndexVec::from_elem(0, blocks), stack: Vec::new(), count: 0 };
        let mut components = Vec::new();
        if blocks > 0 {
            builder.visit(ENTRY, &mut components);
        }
        components.reverse();
        let position = IndexVec::from_elem((usize::MAX, 0), blocks);
        let mut order = Order { components, position, heads: IndexVec::from_elem(false, blocks) };
        let mut next = 0;
        let components = std::mem::take(&mut order.components);
        order.number(&components, &mut next);
        order.components = components;
        order
    }
    /// Whether `b` is in the loop headed by `head`.
    pub fn is_in_loop(&self, b: BlockId, head: BlockId) -> bool {
        let (first, end) = self.position[head];
        (first..end).contains(&self.position[b].0)
    }
    /// Whether `b` heads a loop.
    pub fn is_head(&self, b: BlockId) -> bool {
        self.heads[b]
    }
    fn number(&mut self, components: &[Component], next: &mut usize) {
        for c in components {
            let first = *next;
            *next += 1;
            let head = match c {
                Component::Block(b) => *b,
                Component::Loop(head, body) => {
                    self.number(body, next);
                    self.heads[*head] = true;
                    *head
                }
            };
            self.position[head] = (first, *next);
        }
    }
}

struct Builder<'c> {
    cfg: &'c Cfg,
    /// Depth-first number; 0 not visited, `usize::MAX` done.
    number: IndexVec<BlockId, usize>,
    stack: Vec<BlockId>,
    count: usize,
}

impl Builder<'_> {
    /// Components in reverse order.
    fn visit(&mut self, b: BlockId, into: &mut Vec<Component>) -> usize {
        self.stack.push(b);
        self.count += 1;
        self.number[b] = self.count;
        let (mut head, mut looping) = (self.count, false);
        for &s in self.cfg.successors(b) {
            let least = match self.number[s] {
                0 => self.visit(s, into),
                n => n,
            };
            if least <= head {
                head = least;
                looping = true;
            }
        }
        if head == self.number[b] {
            self.number[b] = usize::MAX;
            let mut top = self.stack.pop().expect("the block is on the stack");
            if looping {
                while top != b {
                    self.number[top] = 0;
                    top = self.stack.pop().expect("the block is on the stack");
                }
                into.push(self.component(b));
            } else {
                into.push(Component::Block(b));
            }
        }
        head
    }
    fn component(&mut self, head: BlockId) -> Component {
        let mut body = Vec::new();
        for &s in self.cfg.successors(head) {
            if self.number[s] == 0 {
                self.visit(s, &mut body);
            }
        }
        body.reverse();
        Component::Loop(head, body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Idx;

    fn order(blocks: usize, edges: &[(u32, u32)]) -> String {
        let edges = edges.iter().map(|&(a, b)| (BlockId(a), BlockId(b)));
        let cfg = Cfg::from_edges(blocks, edges);
        let order = Order::of(&cfg, blocks);
        fn show(cs: &[Component]) -> String {
            let one = |c: &Component| match c {
                Component::Block(b) => b.index().to_string(),
                Component::Loop(h, body) => format!("({} {})", h.index(), show(body)),
            };
            cs.iter().map(one).collect::<Vec<_>>().join(" ")
        }
        show(&order.components)
    }

    #[test]
    fn the_example_of_the_paper() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (2, 7), (4, 6), (6, 4), (5, 4), (6, 2)];
        let text = order(8, &edges);
        assert_eq!(text, "0 1 (2 3 (4 5 6)) 7");
    }

    #[test]
    fn a_block_stands_before_its_successors_and_nested_loops_nest() {
        assert_eq!(order(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]), "0 2 1 3");
        assert_eq!(order(5, &[(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (1, 4)]), "0 (1 (2 ) 3) 4");
    }
}
