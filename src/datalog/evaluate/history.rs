//! When elements came to sets, for those who ask afterwards what was there first. Time goes on with every set that takes
//! something in, and with every round. What follows from other tuples comes later than they, but for elements that
//! go round a cycle of subset edges: they come to all of it at once.
use super::graph::Node;
use super::id_set::IdSet;

/// A moment; 0 is before all rules. Facts that are stored as sets have moments too, which nobody needs.
pub type Tick = u32;

/// What came to each node, and when.
#[derive(Default)]
pub struct History {
    now: Tick,
    /// By node, in order of time. After a node has joined a class, the class's root has what comes.
    arrivals: Vec<Vec<(Tick, IdSet)>>,
    /// By node: the root that it joined, and when.
    joined: Vec<Option<(Tick, Node)>>,
}

impl History {
    /// Lets time go on; gives the new moment.
    pub fn advance(&mut self) -> Tick {
        self.now += 1;
        self.now
    }

    /// `elements` come to the class of the root `node` now.
    pub fn arrived(&mut self, node: Node, elements: &IdSet) {
        if !elements.is_empty() {
            self.fit(node);
            self.arrivals[node as usize].push((self.now, elements.clone()));
        }
    }

    /// The class of the root `node` becomes part of that of `root`.
    pub fn joined(&mut self, node: Node, root: Node) {
        if node != root {
            self.fit(node);
            self.joined[node as usize] = Some((self.now, root));
        }
    }

    /// When `element` came to `node`; 0 if nobody noted it.
    pub fn arrival(&self, node: Node, element: u32) -> Tick {
        let (mut node, mut since) = (node as usize, 0);
        while let Some(arrivals) = self.arrivals.get(node) {
            let later = &arrivals[arrivals.partition_point(|(tick, _)| *tick < since)..];
            if let Some((tick, _)) = later.iter().find(|(_, elements)| elements.contains(element)) {
                return *tick;
            }
            let Some((tick, root)) = self.joined[node] else { break };
            // What came to the root in that moment came to its own class of before.
            (node, since) = (root as usize, tick + 1);
        }
        0
    }

    fn fit(&mut self, node: Node) {
        let length = self.arrivals.len().max(node as usize + 1);
        self.arrivals.resize_with(length, Vec::new);
        self.joined.resize(length, None);
    }
}
