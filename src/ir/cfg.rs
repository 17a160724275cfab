//! Control flow of one function: reachability, dominance, natural loops and their nesting, liveness.
//!
//! Reachability, natural loops and liveness are Datalog programs ([`crepe`]) evaluated as they stand. Dominance is
//! specified by such a program too, but all pairs of a function with thousands of blocks are too many to enumerate:
//! the immediate dominators are computed by iteration over the dominator tree, and the program is the tests' oracle.
//! See: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm".
//!
//! A loop is the natural loop of all back edges (the target dominates the source) to one header. A cycle entered at
//! several blocks has no such edge: its blocks are reported as an irreducible region.

use super::program::ENTRY;
use super::{BlockId, Function};
use crate::base::IndexVec;

crate::new_index! {
    /// A natural loop of one function; outer loops have smaller numbers than the loops inside them.
    pub struct LoopId = "loop";
}

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaturalLoop {
    /// The only block through which the loop is entered.
    pub header: BlockId,
    /// All blocks, those of inner loops and the header included, in order of their numbers.
    pub body: Vec<BlockId>,
    /// Sources of the back edges.
    pub latches: Vec<BlockId>,
    /// Edges from a block inside to one outside.
    pub exits: Vec<(BlockId, BlockId)>,
    /// The innermost loop around it.
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

impl NaturalLoop {
    /// Whether `b` is one of the loop's blocks.
    pub fn contains(&self, b: BlockId) -> bool {
        self.body.binary_search(&b).is_ok()
    }
}

/// The control-flow graph of a function with a body, and what follows from it. Unreachable blocks are in no relation.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    predecessors: IndexVec<BlockId, Vec<BlockId>>,
    order: Vec<BlockId>,
    dominators: DominatorTree,
    loops: IndexVec<LoopId, NaturalLoop>,
    innermost: IndexVec<BlockId, Option<LoopId>>,
    irreducible: Vec<Vec<BlockId>>,
}

impl Cfg {
    /// The graph of `function`, which has a body.
    pub fn of(function: &Function) -> Cfg {
        let edges = function
            .blocks
            .iter_enumerated()
            .flat_map(|(b, block)| block.terminator.successors().into_iter().map(move |s| (b, s)));
        Cfg::from_edges(function.blocks.len(), edges)
    }

    /// The graph of `blocks` blocks with these edges; repeated edges count once.
    pub fn from_edges(blocks: usize, edges: impl IntoIterator<Item = (BlockId, BlockId)>) -> Cfg {
        let mut successors: IndexVec<BlockId, Vec<BlockId>> = IndexVec::from_elem(Vec::new(), blocks);
        for (from, to) in edges {
            if !successors[from].contains(&to) {
                successors[from].push(to);
            }
        }
        let reachable = datalog::reachable(blocks, &edge_list(&successors));
        let mut predecessors: IndexVec<BlockId, Vec<BlockId>> = IndexVec::from_elem(Vec::new(), blocks);
        for (from, to) in edge_list(&successors) {
            if reachable[from] {
                predecessors[to].push(from);
            }
        }
        let order = reverse_postorder(&successors);
        let dominators = DominatorTree::new(blocks, &order, &predecessors);
        let mut cfg = Cfg {
            successors,
            predecessors,
            order,
            dominators,
            loops: IndexVec::new(),
            innermost: IndexVec::from_elem(None, blocks),
            irreducible: Vec::new(),
        };
        cfg.find_loops();
        cfg.find_irreducible();
        cfg
    }

    /// Blocks that control may go to from `b`, each once, in the terminator's order.
    pub fn successors(&self, b: BlockId) -> &[BlockId] {
        &self.successors[b]
    }
    /// Reachable blocks from which control may come to `b`.
    pub fn predecessors(&self, b: BlockId) -> &[BlockId] {
        &self.predecessors[b]
    }
    /// The reachable blocks in reverse postorder: the entry first, and a block before its successors except along
    /// retreating edges.
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.order
    }
    /// Whether control can get from the entry to `b` along edges.
    pub fn reachable(&self, b: BlockId) -> bool {
        self.dominators.position[b].is_some()
    }
    /// The closest block other than `b` on every path from the entry to `b`; None for the entry and unreachable blocks.
    pub fn immediate_dominator(&self, b: BlockId) -> Option<BlockId> {
        self.dominators.parent[b]
    }
    /// Whether every path from the entry to `b` goes through `a` (so every reachable block dominates itself).
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.dominators.dominates(a, b)
    }
    /// All natural loops, outer ones before inner ones.
    pub fn loops(&self) -> &IndexVec<LoopId, NaturalLoop> {
        &self.loops
    }
    /// The innermost loop that holds `b`.
    pub fn innermost_loop(&self, b: BlockId) -> Option<LoopId> {
        self.innermost[b]
    }
    /// The loop whose header is `b`.
    pub fn loop_of_header(&self, b: BlockId) -> Option<LoopId> {
        self.innermost[b].filter(|&l| self.loops[l].header == b)
    }
    /// The blocks of each cycle that is entered at more than one block, in order of their numbers.
    pub fn irreducible_regions(&self) -> &[Vec<BlockId>] {
        &self.irreducible
    }

    fn find_loops(&mut self) {
        let edges: Vec<_> = edge_list(&self.successors).into_iter().filter(|e| self.reachable(e.0)).collect();
        let back: Vec<_> = edges.iter().copied().filter(|&(from, to)| self.dominates(to, from)).collect();
        let mut found: Vec<NaturalLoop> = datalog::natural_loops(&edges, &back)
            .into_iter()
            .map(|(header, body)| {
                let latches = back.iter().filter(|e| e.1 == header).map(|e| e.0).collect();
                NaturalLoop { header, body, latches, exits: Vec::new(), parent: None, depth: 1 }
            })
            .collect();
        // A loop inside another has fewer blocks: by falling size, parents come before children.
        found.sort_by_key(|l| (std::cmp::Reverse(l.body.len()), self.dominators.position[l.header]));
        for mut l in found {
            l.parent = self.innermost[l.header];
            l.depth = l.parent.map_or(1, |p| self.loops[p].depth + 1);
            let leaving = l.body.iter().flat_map(|&b| self.successors[b].iter().map(move |&s| (b, s)));
            l.exits = leaving.filter(|&(_, to)| !l.contains(to)).collect();
            let id = self.loops.next_index();
            for &b in &l.body {
                self.innermost[b] = Some(id);
            }
            self.loops.push(l);
        }
    }

    fn find_irreducible(&mut self) {
        let mut regions: Vec<Vec<BlockId>> = Vec::new();
        for &from in &self.order {
            for &to in &self.successors[from] {
                let retreating = self.dominators.position[to] <= self.dominators.position[from];
                let known = regions.iter().any(|r| r.binary_search(&to).is_ok() && r.binary_search(&from).is_ok());
                if retreating && !self.dominates(to, from) && !known {
                    let forward = self.reach_without_back_edges(to, false);
                    let backward = self.reach_without_back_edges(from, true);
                    let region = forward.into_iter().filter(|b| backward.binary_search(b).is_ok()).collect();
                    regions.push(region);
                }
            }
        }
        regions.sort();
        self.irreducible = regions;
    }

    /// Blocks that `start` reaches (or that reach it), leaving out edges whose target dominates their source; sorted.
    fn reach_without_back_edges(&self, start: BlockId, backward: bool) -> Vec<BlockId> {
        let mut seen = IndexVec::<BlockId, bool>::from_elem(false, self.successors.len());
        let mut work = vec![start];
        seen[start] = true;
        while let Some(b) = work.pop() {
            let next = if backward { &self.predecessors[b] } else { &self.successors[b] };
            for &n in next {
                let back_edge = if backward { self.dominates(b, n) } else { self.dominates(n, b) };
                if !back_edge && !seen[n] {
                    seen[n] = true;
                    work.push(n);
                }
            }
        }
        seen.iter_enumerated().filter(|(_, s)| **s).map(|(b, _)| b).collect()
    }
}

fn edge_list(successors: &IndexVec<BlockId, Vec<BlockId>>) -> Vec<(BlockId, BlockId)> {
    successors.iter_enumerated().flat_map(|(b, next)| next.iter().map(move |&s| (b, s))).collect()
}

/// Depth-first from the entry, with an explicit stack: functions may be deep.
fn reverse_postorder(successors: &IndexVec<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let mut order = Vec::new();
    if successors.is_empty() {
        return order;
    }
    let mut seen = IndexVec::<BlockId, bool>::from_elem(false, successors.len());
    let mut stack = vec![(ENTRY, 0)];
    seen[ENTRY] = true;
    while let Some((b, next)) = stack.last_mut() {
        match successors[*b].get(*next) {
            Some(&s) => {
                *next += 1;
                if !seen[s] {
                    seen[s] = true;
                    stack.push((s, 0));
                }
            }
            None => {
                order.push(*b);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Immediate dominators, with an interval numbering of the tree that answers dominance in constant time.
#[derive(Clone, Debug)]
struct DominatorTree {
    parent: IndexVec<BlockId, Option<BlockId>>,
    /// Position in reverse postorder; None for unreachable blocks.
    position: IndexVec<BlockId, Option<u32>>,
    /// First and last preorder number in the block's subtree.
    interval: IndexVec<BlockId, (u32, u32)>,
}

impl DominatorTree {
    fn new(blocks: usize, order: &[BlockId], predecessors: &IndexVec<BlockId, Vec<BlockId>>) -> DominatorTree {
        let mut position = IndexVec::from_elem(None, blocks);
        for (i, &b) in order.iter().enumerate() {
            position[b] = Some(i as u32);
        }
        // Positions instead of blocks: `idom[i] < i` once known; the entry is its own.
        let at = |b: BlockId| position[b].map(|p: u32| p as usize).expect("predecessors are reachable");
        let mut idom: Vec<Option<usize>> = vec![None; order.len()];
        if let Some(first) = idom.first_mut() {
            *first = Some(0);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, &b) in order.iter().enumerate().skip(1) {
                let mut new: Option<usize> = None;
                for &p in &predecessors[b] {
                    let p = at(p);
                    if idom[p].is_some() {
                        new = Some(new.map_or(p, |n| intersect(&idom, n, p)));
                    }
                }
                if idom[i] != new {
                    idom[i] = new;
                    changed = true;
                }
            }
        }
        let mut parent = IndexVec::from_elem(None, blocks);
        for (i, &b) in order.iter().enumerate().skip(1) {
            parent[b] = idom[i].map(|p| order[p]);
        }
        let interval = intervals(blocks, order, &idom);
        DominatorTree { parent, position, interval }
    }

    fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let reachable = self.position[a].is_some() && self.position[b].is_some();
        let (low, high) = self.interval[a];
        reachable && (low..=high).contains(&self.interval[b].0)
    }
}

fn intersect(idom: &[Option<usize>], mut a: usize, mut b: usize) -> usize {
    while a != b {
        let later = if a > b { &mut a } else { &mut b };
        *later = idom[*later].expect("processed predecessors have dominators");
    }
    a
}

/// Preorder intervals of the dominator tree. A parent stands before its children in `order`, so sizes add up backwards
/// and numbers are dealt out forwards.
fn intervals(blocks: usize, order: &[BlockId], idom: &[Option<usize>]) -> IndexVec<BlockId, (u32, u32)> {
    let mut size = vec![1u32; order.len()];
    for i in (1..order.len()).rev() {
        let p = idom[i].expect("reachable blocks have dominators");
        size[p] += size[i];
    }
    let mut interval = IndexVec::from_elem((0, 0), blocks);
    let mut next = vec![0u32; order.len()];
    for (i, &b) in order.iter().enumerate() {
        let start = match i {
            0 => 0,
            _ => {
                let p = idom[i].expect("reachable blocks have dominators");
                let start = next[p];
                next[p] += size[i];
                start
            }
        };
        next[i] = start + 1;
        interval[b] = (start, start + size[i] - 1);
    }
    interval
}

/// The Datalog programs.
mod datalog {
    use super::BlockId;
    use crate::base::IndexVec;
    use crepe::crepe;

    /// Which blocks the entry reaches.
    pub fn reachable(blocks: usize, edges: &[(BlockId, BlockId)]) -> IndexVec<BlockId, bool> {
        crepe! {
            @input
            struct Edge(BlockId, BlockId);
            @input
            struct Entry(BlockId);
            @output
            struct Reachable(BlockId);

            Reachable(b) <- Entry(b);
            Reachable(b) <- Reachable(a), Edge(a, b);
        }
        let mut runtime = Crepe::new();
        runtime.extend(edges.iter().map(|&(a, b)| Edge(a, b)));
        runtime.extend((blocks > 0).then_some(Entry(super::ENTRY)));
        let (found,) = runtime.run();
        let mut reachable = IndexVec::from_elem(false, blocks);
        for Reachable(b) in found {
            reachable[b] = true;
        }
        reachable
    }

    /// Header and sorted body of every natural loop, by header.
    pub fn natural_loops(
        edges: &[(BlockId, BlockId)],
        back_edges: &[(BlockId, BlockId)],
    ) -> Vec<(BlockId, Vec<BlockId>)> {
        crepe! {
            @input
            struct Edge(BlockId, BlockId);
            @input
            struct BackEdge(BlockId, BlockId);
            @output
            struct InLoop(BlockId, BlockId);

            InLoop(header, header) <- BackEdge(_, header);
            InLoop(header, latch) <- BackEdge(latch, header);
            InLoop(header, before) <- InLoop(header, b), (b != header), Edge(before, b);
        }
        let mut runtime = Crepe::new();
        runtime.extend(edges.iter().map(|&(a, b)| Edge(a, b)));
        runtime.extend(back_edges.iter().map(|&(a, b)| BackEdge(a, b)));
        let (found,) = runtime.run();
        let mut members: Vec<(BlockId, BlockId)> = found.into_iter().map(|InLoop(h, b)| (h, b)).collect();
        members.sort_unstable();
        let mut loops: Vec<(BlockId, Vec<BlockId>)> = Vec::new();
        for (header, b) in members {
            match loops.last_mut() {
                Some((h, body)) if *h == header => body.push(b),
                _ => loops.push((header, vec![b])),
            }
        }
        loops
    }
}

#[cfg(test)]
#[path = "cfg_tests.rs"]
mod tests;
