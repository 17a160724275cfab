//! Sets that flow along subset edges: `full(to)` comes to hold all of `full(from)`. Only differences travel, in
//! topological order, and the nodes of a cycle become one.
//!
//! See: F. Pereira, D. Berlin, Wave propagation and deep propagation for pointer analysis. As there, cycles are
//! collapsed before each wave; differently, only the part of the graph that something new can reach is searched,
//! and a set that equals its source's is shared with it.
use super::history::History;
use super::id_set::IdSet;

/// Index of a node.
pub type Node = u32;

/// Nodes with sets, and edges between them.
#[derive(Default)]
pub struct Graph {
    /// Union-find; a root represents its class.
    parent: Vec<Node>,
    /// Of roots: the nodes of the class, itself first.
    members: Vec<Vec<Node>>,
    full: Vec<IdSet>,
    /// To be added to `full` by the next wave.
    pending: Vec<IdSet>,
    /// Added to `full` since the differences were last taken.
    delta: Vec<IdSet>,
    successors: Vec<IdSet>,
    /// Roots (or what were roots) with something pending.
    dirty: Vec<Node>,
    is_dirty: Vec<bool>,
    /// Roots with a delta.
    changed: Vec<Node>,
    /// What was new to classes when they became part of others.
    united: Vec<(Vec<Node>, IdSet)>,
    search: Search,
    /// When elements came, if that is wanted.
    pub history: Option<History>,
}

/// Scratch space of the depth-first search, kept between waves.
#[derive(Default)]
struct Search {
    /// By node: order of discovery in the current wave from 1, or 0.
    number: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
    visited: Vec<Node>,
}

impl Graph {
    /// A new node with an empty set.
    pub fn add_node(&mut self) -> Node {
        let node = u32::try_from(self.parent.len()).expect("fewer than 2^32 nodes");
        self.parent.push(node);
        self.members.push(Vec::new());
        self.full.push(IdSet::new());
        self.pending.push(IdSet::new());
        self.delta.push(IdSet::new());
        self.successors.push(IdSet::new());
        self.is_dirty.push(false);
        self.search.number.push(0);
        self.search.low.push(0);
        self.search.on_stack.push(false);
        node
    }

    /// The node that stands for this one's class.
    pub fn find(&self, mut node: Node) -> Node {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    fn find_and_compress(&mut self, node: Node) -> Node {
        let root = self.find(node);
        let mut at = node;
        while self.parent[at as usize] != root {
            at = std::mem::replace(&mut self.parent[at as usize], root);
        }
        root
    }

    /// The set of a node, without what is pending.
    pub fn full(&self, node: Node) -> &IdSet {
        &self.full[self.find(node) as usize]
    }

    /// Adds one element by the next wave.
    pub fn add_element(&mut self, node: Node, element: u32) {
        let root = self.find_and_compress(node);
        if !self.full[root as usize].contains(element) && self.pending[root as usize].insert(element) {
            self.mark(root);
        }
    }

    /// Adds a set by the next wave.
    pub fn add_set(&mut self, node: Node, set: &IdSet) {
        let root = self.find_and_compress(node);
        if !set.is_subset(&self.full[root as usize]) && self.pending[root as usize].union_with(set) {
            self.mark(root);
        }
    }

    fn mark(&mut self, root: Node) {
        if !std::mem::replace(&mut self.is_dirty[root as usize], true) {
            self.dirty.push(root);
        }
    }

    /// From now on `to` holds all of `from`. True if the edge is new.
    pub fn add_edge(&mut self, from: Node, to: Node) -> bool {
        let (from, to) = (self.find_and_compress(from), self.find_and_compress(to));
        if from == to || !self.successors[from as usize].insert(to) {
            return false;
        }
        if !self.full[from as usize].is_empty() {
            let set = self.full[from as usize].clone();
            self.add_set(to, &set);
        }
        true
    }

    /// Lets everything pending flow until nothing is.
    pub fn propagate(&mut self) {
        while !self.dirty.is_empty() {
            let order = self.components_from_dirty();
            // Sinks were found first.
            for members in order.into_iter().rev() {
                self.settle(members);
            }
        }
    }

    /// The nodes that hold something new since this was last called, those with the same news together.
    /// A node may be in several of the pairs.
    pub fn take_deltas(&mut self) -> Vec<(Vec<Node>, IdSet)> {
        let mut changed = std::mem::take(&mut self.changed);
        changed.retain(|node| self.parent[*node as usize] == *node);
        changed.sort_unstable();
        changed.dedup();
        let mut deltas = std::mem::take(&mut self.united);
        for root in changed {
            let delta = std::mem::take(&mut self.delta[root as usize]);
            if !delta.is_empty() {
                deltas.push((self.class(root), delta));
            }
        }
        deltas
    }

    fn class(&self, root: Node) -> Vec<Node> {
        let members = &self.members[root as usize];
        if members.is_empty() { vec![root] } else { members.clone() }
    }

    /// Successor roots of a root; rewrites the stored ones if classes have merged since.
    fn successor_roots(&mut self, root: Node) -> Vec<Node> {
        let mut stale = false;
        let mut roots = Vec::with_capacity(self.successors[root as usize].len());
        let Graph { successors, parent, .. } = self;
        successors[root as usize].for_each(|node| {
            let mut at = node;
            while parent[at as usize] != at {
                at = parent[at as usize];
            }
            stale |= at != node;
            if at != root {
                roots.push(at);
            }
        });
        if stale {
            roots.sort_unstable();
            roots.dedup();
            successors[root as usize] = roots.iter().copied().collect();
        }
        roots
    }

    /// The strongly connected components that dirty nodes reach, successors before predecessors.
    fn components_from_dirty(&mut self) -> Vec<Vec<Node>> {
        let mut found = Vec::new();
        let mut stack: Vec<Node> = Vec::new();
        let mut counter = 0u32;
        let starts: Vec<Node> = std::mem::take(&mut self.dirty);
        for start in starts {
            self.is_dirty[start as usize] = false;
            let start = self.find_and_compress(start);
            // What an earlier part of the wave marked, it mostly also served.
            if self.search.number[start as usize] != 0 || self.pending[start as usize].is_empty() {
                continue;
            }
            let mut path: Vec<(Node, Vec<Node>)> = Vec::new();
            self.enter(start, &mut counter, &mut stack, &mut path);
            while let Some((node, rest)) = path.last_mut() {
                let node = *node;
                if let Some(successor) = rest.pop() {
                    let number = self.search.number[successor as usize];
                    if number == 0 {
                        self.enter(successor, &mut counter, &mut stack, &mut path);
                    } else if self.search.on_stack[successor as usize] {
                        let low = &mut self.search.low[node as usize];
                        *low = (*low).min(number);
                    }
                    continue;
                }
                path.pop();
                let low = self.search.low[node as usize];
                if let Some((parent, _)) = path.last() {
                    let above = &mut self.search.low[*parent as usize];
                    *above = (*above).min(low);
                }
                if low == self.search.number[node as usize] {
                    let start = stack.iter().rposition(|other| *other == node).expect("a root is on the stack");
                    let members = stack.split_off(start);
                    members.iter().for_each(|member| self.search.on_stack[*member as usize] = false);
                    found.push(members);
                }
            }
        }
        for node in std::mem::take(&mut self.search.visited) {
            self.search.number[node as usize] = 0;
        }
        found
    }

    fn enter(&mut self, node: Node, counter: &mut u32, stack: &mut Vec<Node>, path: &mut Vec<(Node, Vec<Node>)>) {
        *counter += 1;
        self.search.number[node as usize] = *counter;
        self.search.low[node as usize] = *counter;
        self.search.on_stack[node as usize] = true;
        self.search.visited.push(node);
        stack.push(node);
        let successors = self.successor_roots(node);
        path.push((node, successors));
    }

    /// Makes a component one node, takes in what is pending, and hands what is new to the successors.
    fn settle(&mut self, members: Vec<Node>) {
        let (root, new) = if let [node] = members[..] {
            let pending = std::mem::take(&mut self.pending[node as usize]);
            let new = pending.minus(&self.full[node as usize]);
            if new.is_empty() {
                return;
            }
            self.full[node as usize].union_with(&pending);
            if self.delta[node as usize].is_empty() {
                self.changed.push(node);
            }
            self.delta[node as usize].union_with(&new);
            if let Some(history) = &mut self.history {
                history.advance();
                history.arrived(node, &new);
            }
            (node, new)
        } else {
            self.merge(members)
        };
        if new.is_empty() {
            return;
        }
        for successor in self.successor_roots(root) {
            if !new.is_subset(&self.full[successor as usize]) && self.pending[successor as usize].union_with(&new) {
                self.mark(successor);
            }
        }
        self.is_dirty[root as usize] = false;
    }

    /// Unites classes; returns the root and what is new to at least one of them.
    fn merge(&mut self, mut members: Vec<Node>) -> (Node, IdSet) {
        // The class with the most nodes absorbs the others.
        members.sort_unstable_by_key(|node| (std::cmp::Reverse(self.members[*node as usize].len()), *node));
        let root = members[0];
        if let Some(history) = &mut self.history {
            history.advance();
        }
        let mut total = IdSet::new();
        let mut successors = IdSet::new();
        for node in &members {
            let at = *node as usize;
            total.union_with(&self.full[at]);
            total.union_with(&std::mem::take(&mut self.pending[at]));
            successors.union_with(&std::mem::take(&mut self.successors[at]));
        }
        let mut new = IdSet::new();
        let mut nodes = Vec::new();
        for node in members {
            let at = node as usize;
            // What is new differs between the classes that meet here, so each keeps its own.
            let missing = total.minus(&self.full[at]);
            if let Some(history) = &mut self.history {
                history.arrived(node, &missing);
                history.joined(node, root);
            }
            new.union_with(&missing);
            let mut delta = std::mem::take(&mut self.delta[at]);
            delta.union_with(&missing);
            let mut class = self.class(node);
            if !delta.is_empty() {
                self.united.push((class.clone(), delta));
            }
            nodes.append(&mut class);
            self.members[at] = Vec::new();
            self.full[at] = IdSet::new();
            self.parent[at] = root;
        }
        let at = root as usize;
        self.full[at] = total;
        self.members[at] = nodes;
        self.successors[at] = successors;
        (root, new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[derive(Clone, Debug)]
    enum Change {
        Element(u32, u32),
        Edge(u32, u32),
        Propagate,
        Take,
    }

    fn change() -> impl Strategy<Value = Change> {
        prop_oneof![
            3 => (0..8u32, 0..30u32).prop_map(|(node, element)| Change::Element(node, element)),
            3 => (0..8u32, 0..8u32).prop_map(|(from, to)| Change::Edge(from, to)),
            1 => Just(Change::Propagate),
            1 => Just(Change::Take),
        ]
    }

    /// The least solution, element by element.
    fn solve(changes: &[Change]) -> Vec<BTreeSet<u32>> {
        let mut sets = vec![BTreeSet::new(); 8];
        for _ in 0..9 {
            for change in changes {
                match change {
                    Change::Element(node, element) => {
                        sets[*node as usize].insert(*element);
                    }
                    Change::Edge(from, to) => {
                        let from = sets[*from as usize].clone();
                        sets[*to as usize].extend(from);
                    }
                    Change::Propagate | Change::Take => {}
                }
            }
        }
        sets
    }

    proptest! {
        #[test]
        fn propagation_finds_the_least_solution_and_every_difference(changes in proptest::collection::vec(change(), 0..60)) {
            let mut graph = Graph::default();
            (0..8).for_each(|_| { graph.add_node(); });
            let mut seen = vec![BTreeSet::new(); 8];
            let mut take = |graph: &mut Graph| {
                graph.propagate();
                for (nodes, delta) in graph.take_deltas() {
                    nodes.iter().for_each(|node| seen[*node as usize].extend(delta.iter()));
                }
            };
            for change in &changes {
                match change {
                    Change::Element(node, element) => graph.add_element(*node, *element),
                    Change::Edge(from, to) => { graph.add_edge(*from, *to); }
                    Change::Propagate => graph.propagate(),
                    Change::Take => take(&mut graph),
                }
            }
            take(&mut graph);
            let expected = solve(&changes);
            for node in 0..8u32 {
                prop_assert_eq!(&graph.full(node).iter().collect::<BTreeSet<u32>>(), &expected[node as usize]);
            }
            prop_assert_eq!(seen, expected);
        }
    }
}
