//! Lazy predicate abstraction with blocks from loop head to loop head, predicates from interpolants.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 4.3, Algorithm 4. We differ in that
//! predicates are kept by head, in the order in which they were found, so that a state's precision is how many of them it knows,
//! and that what a removed state covered is looked at again instead of being removed.

use super::cpa::arg::{self, ArgId, ArgNode, ArgNodes};
use super::cpa::blocks::Blocks;
use super::cpa::certificate::{Labels, check};
use super::cpa::interpolate::{Atoms, Guide, conjuncts};
use super::cpa::learnt::Learnt;
use super::cpa::refine::{Refined, refine};
use super::limits::TaskLimits;
use super::task::query::Reply;
use super::task::{Answer, Budget, Obstacle, Proof, Query, Task};
use crate::base::IndexVec;
use crate::encode::{Automaton, NodeId, State};
use crate::smt::{Op, Term};
use std::collections::BTreeSet;

const ENGINE: &str = "predicate-abstraction";

/// Decides the task; `guesses` are predicates that interpolation may draw on.
pub fn predicate_abstraction(
    task: &Task<'_>,
    automaton: &Automaton<'_>,
    guesses: &dyn Fn(&mut Blocks<'_, '_>) -> Atoms,
    learnt: &mut Learnt,
    budget: &Budget,
) -> Answer {
    let mut blocks = match Blocks::new(automaton, task.property.kinds(), budget) {
        Ok(blocks) => blocks,
        Err(why) => return Answer::Unknown(Obstacle::Refused(why)),
    };
    let guide = Guide::of(guesses(&mut blocks));
    let mut query = Query::new();
    let mut exploration = Exploration::new(&mut blocks, &mut query, Atoms::new(), budget);
    exploration.most = task.limits;
    let proved = exploration.prove(task, &guide, learnt);
    let nodes = exploration.nodes;
    learnt.draw(&blocks, &nodes);
    let labels = match proved {
        Ok(labels) => labels,
        Err(answer) => return answer,
    };
    match check(&mut blocks, &labels, budget) {
        Ok(()) => {
            learnt.note_labels(&blocks, &labels);
            let argument = "the abstract states at loop heads are inductive and exclude every violation";
            let invariants = Learnt::invariants(&blocks, &labels);
            Answer::True(Proof { engine: ENGINE, argument: argument.into(), invariants })
        }
        Err(why) => Answer::Unknown(Obstacle::NoProof(why)),
    }
}

/// Adds the atoms of an interpolant; where the last of them is in the head's list.
pub(super) fn add_predicates(
    blocks: &mut Blocks<'_, '_>,
    precision: &mut Atoms,
    head: NodeId,
    formula: Term,
) -> Option<usize> {
    let pool = &mut blocks.encoder.pool;
    let negated = pool.not(formula);
    let mut found = conjuncts(pool, formula);
    if found.len() == 1 {
        found = conjuncts(pool, negated);
    }
    let known = precision.entry(head).or_default();
    let mut last = None;
    for t in found {
        let atom = if pool.op(t) == Op::Not { pool.args(t)[0] } else { t };
        if pool.constant(atom).is_none() {
            let at = known.iter().position(|k| *k == atom).unwrap_or(known.len());
            if at == known.len() {
                known.push(atom);
            }
            last = last.max(Some(at));
        }
    }
    last
}

/// How an exploration ended without a proof.
pub(super) enum Ended {
    /// The states on the way to a violation.
    Counterexample(Vec<ArgId>),
    Stuck(Obstacle),
}

pub(super) struct Exploration<'b, 'a, 'p> {
    blocks: &'b mut Blocks<'a, 'p>,
    query: &'b mut Query,
    /// By head the predicates found so far, oldest first.
    pub(super) precision: Atoms,
    budget: Budget,
    most: &'b TaskLimits,
    /// Every abstract state that was computed, with what covers it.
    pub(super) nodes: ArgNodes,
    /// Over how many of its head's predicates each of them was computed.
    precisions: IndexVec<ArgId, usize>,
    /// States to go on from; None is the program's start.
    waiting: Vec<Option<ArgId>>,
}

impl<'b, 'a, 'p> Exploration<'b, 'a, 'p> {
    pub(super) fn new(blocks: &'b mut Blocks<'a, 'p>, query: &'b mut Query, precision: Atoms, budget: &Budget) -> Self {
        let (nodes, precisions, waiting) = (ArgNodes::new(), IndexVec::new(), vec![None]);
        let most = TaskLimits::USUAL;
        Exploration { blocks, query, precision, budget: budget.clone(), most, nodes, precisions, waiting }
    }

    /// Explores and refines in turns; what holds at each head.
    fn prove(&mut self, task: &Task<'_>, guide: &Guide, learnt: &mut Learnt) -> Result<Labels, Answer> {
        for _ in 0..task.limits.refinements {
            let path = match self.run() {
                Ok(labels) => return Ok(labels),
                Err(Ended::Stuck(why)) => return Err(Answer::Unknown(why)),
                Err(Ended::Counterexample(path)) => path,
            };
            let heads = arg::heads(&self.nodes, &path);
            let (blocks, query) = (&mut *self.blocks, &mut *self.query);
            let sequences = match refine(task, blocks, query, &heads, guide, learnt, ENGINE, &self.budget) {
                Refined::Violation(answer) => return Err(answer),
                Refined::Stuck(why) => return Err(Answer::Unknown(why)),
                Refined::Refuted(sequences) => sequences,
            };
            let sequences: Vec<Vec<Vec<Term>>> = sequences.into_iter().map(|s| s.formulas).collect();
            let Some(pivot) = self.pivot(&path, &sequences) else {
                return Err(Answer::Unknown(Obstacle::NoProof("interpolants bring no new predicates".to_owned())));
            };
            if let Err(Ended::Stuck(why)) = self.go_back_to(pivot) {
                return Err(Answer::Unknown(why));
            }
        }
        Err(Answer::Unknown(Obstacle::NoProof(format!("no proof after {} refinements", task.limits.refinements))))
    }

    /// Adds the predicates of the sequences to the precision: the first state of the path that was computed without one
    /// of those found at it.
    pub(super) fn pivot(&mut self, path: &[ArgId], sequences: &[Vec<Vec<Term>>]) -> Option<ArgId> {
        let mut pivot = None;
        for (place, id) in path.iter().enumerate().rev() {
            let head = self.nodes[*id].head;
            for formula in sequences.iter().flat_map(|formulas| &formulas[place]) {
                let found = add_predicates(self.blocks, &mut self.precision, head, *formula);
                if found.is_some_and(|last| last >= self.precisions[*id]) {
                    pivot = Some(*id);
                }
            }
        }
        pivot
    }

    /// Removes what was reached from `pivot`, and computes it anew. What lies elsewhere stays; only what something removed
    /// may have covered is looked at again.
    pub(super) fn go_back_to(&mut self, pivot: ArgId) -> Result<(), Ended> {
        let (head, parent) = (self.nodes[pivot].head, self.nodes[pivot].parent);
        let arrival =
            self.blocks.blocks.get(&arg::place_of(&self.nodes, parent)).and_then(|b| b.arrivals.get(&head)).cloned();
        let from = self.label(parent);
        let label = match arrival {
            Some(arrival) => self.abstraction(from, head, &arrival)?,
            None => None,
        };
        let (old, precisions) = (std::mem::take(&mut self.nodes), std::mem::take(&mut self.precisions));
        // By old number the new one.
        let mut kept: IndexVec<ArgId, Option<ArgId>> = IndexVec::new();
        let mut changed = BTreeSet::from([head]);
        for (id, node) in old.iter_enumerated() {
            let above = node.parent.map(|parent| kept[parent].filter(|_| parent != pivot));
            let stays = above != Some(None) && (id != pivot || label.is_some());
            if !stays {
                changed.insert(node.head);
                kept.push(None);
                continue;
            }
            let mut node = ArgNode { parent: above.flatten(), ..node.clone() };
            let mut precision = precisions[id];
            if let Some(label) = label.filter(|_| id == pivot) {
                node = ArgNode { label, covered: None, expanded: false, ..node };
                precision = self.precision.get(&head).map_or(0, Vec::len);
            }
            kept.push(Some(self.nodes.push(node)));
            self.precisions.push(precision);
        }
        self.wait_again(&kept, &changed);
        Ok(())
    }

    /// After states were removed: those that are left of the waiting ones wait, and those that are not covered for sure
    /// any more.
    fn wait_again(&mut self, kept: &IndexVec<ArgId, Option<ArgId>>, changed: &BTreeSet<NodeId>) {
        let waiting = std::mem::take(&mut self.waiting);
        self.waiting = waiting.into_iter().filter_map(|id| id.map_or(Some(None), |id| kept[id].map(Some))).collect();
        for id in self.nodes.indices() {
            let node = &mut self.nodes[id];
            node.covered = node.covered.filter(|_| !changed.contains(&node.head)).and_then(|by| kept[by]);
            if node.covered.is_none() && !node.expanded && !self.waiting.contains(&Some(id)) {
                self.waiting.push(Some(id));
            }
        }
    }

    /// Adds a state that was computed with all that is known.
    pub(super) fn add(&mut self, node: ArgNode) -> ArgId {
        self.precisions.push(self.precision.get(&node.head).map_or(0, Vec::len));
        self.nodes.push(node)
    }

    fn label(&mut self, id: Option<ArgId>) -> Term {
        arg::label_of(&mut self.blocks.encoder.pool, &self.nodes, id)
    }

    /// Goes on until nothing waits; what holds at each head.
    pub(super) fn run(&mut self) -> Result<Labels, Ended> {
        let mut states = 0;
        while let Some(id) = self.waiting.pop() {
            states += 1;
            if states > self.most.states {
                let what = format!("more than {} abstract states", self.most.states);
                return Err(Ended::Stuck(Obstacle::Refused(what)));
            }
            if self.budget.is_spent() {
                return Err(Ended::Stuck(Obstacle::Budget(format!(
                    "budget, after {} abstract states",
                    self.nodes.len()
                ))));
            }
            if let Some(id) = id {
                self.nodes[id].covered = self.covering(id)?;
                if self.nodes[id].covered.is_some() {
                    continue;
                }
            }
            self.expand(id)?;
        }
        let mut labels = Labels::new();
        for node in self.nodes.iter().filter(|n| n.covered.is_none()) {
            let all = labels.get(&node.head).map_or(node.label, |l| self.blocks.encoder.pool.or(&[*l, node.label]));
            labels.insert(node.head, all);
        }
        Ok(labels)
    }

    /// The states at the heads that come next, unless something may be violated before.
    fn expand(&mut self, id: Option<ArgId>) -> Result<(), Ended> {
        let from = self.label(id);
        let block = self.blocks.blocks.get(&arg::place_of(&self.nodes, id)).cloned().unwrap_or_default();
        let fails = self.blocks.encoder.pool.or(&block.failures);
        if self.is_possible(&[from, fails])? {
            return Err(Ended::Counterexample(arg::path(&self.nodes, id)));
        }
        let gap = self.blocks.encoder.pool.or(&block.gaps);
        if self.is_possible(&[from, gap])? {
            return Err(Ended::Stuck(self.blocks.gap_of(&block, self.query)));
        }
        for (head, arrival) in &block.arrivals {
            let Some(label) = self.abstraction(from, *head, arrival)? else { continue };
            let new = self.add(ArgNode { head: *head, parent: id, label, covered: None, expanded: false });
            self.nodes[new].covered = self.covering(new)?;
            if self.nodes[new].covered.is_none() {
                self.waiting.push(Some(new));
            }
        }
        if let Some(id) = id {
            self.nodes[id].expanded = true;
        }
        Ok(())
    }

    /// The state at its head that covers this one; the last there where it takes several together.
    fn covering(&mut self, new: ArgId) -> Result<Option<ArgId>, Ended> {
        let (head, label) = (self.nodes[new].head, self.nodes[new].label);
        let others = self.nodes.indices().filter(|n| *n != new);
        let there: Vec<ArgId> =
            others.filter(|n| self.nodes[*n].head == head && self.nodes[*n].covered.is_none()).collect();
        let all: Vec<Term> = there.iter().map(|n| self.nodes[*n].label).collect();
        let reached = self.blocks.encoder.pool.or(&all);
        let beyond = self.blocks.encoder.pool.not(reached);
        if self.is_possible(&[label, beyond])? {
            return Ok(None);
        }
        for &id in &there {
            let beyond = self.blocks.encoder.pool.not(self.nodes[id].label);
            if !self.is_possible(&[label, beyond])? {
                return Ok(Some(id));
            }
        }
        Ok(there.last().copied())
    }

    fn is_possible(&mut self, formulas: &[Term]) -> Result<bool, Ended> {
        match self.query.check(&self.blocks.encoder, formulas, &self.budget) {
            Reply::Sat => Ok(true),
            Reply::Unsat => Ok(false),
            Reply::Unknown(why) => Err(Ended::Stuck(Obstacle::Solver(why))),
        }
    }

    /// The boolean predicate abstraction of what comes to `head`; None when nothing does.
    pub(super) fn abstraction(&mut self, from: Term, head: NodeId, arrival: &State) -> Result<Option<Term>, Ended> {
        let path = self.blocks.encoder.path(arrival);
        let predicates = self.precision.get(&head).cloned().unwrap_or_default();
        let there: Vec<Term> = predicates.iter().map(|p| self.blocks.instantiate(head, *p, arrival)).collect();
        let mut rest = self.blocks.encoder.pool.and(&[from, path]);
        let mut cubes: BTreeSet<Vec<bool>> = BTreeSet::new();
        while self.is_possible(&[rest])? {
            let values = self
                .query
                .values(&self.blocks.encoder, &there)
                .map_err(|e| Ended::Stuck(Obstacle::Solver(e.to_string())))?;
            let cube: Vec<bool> = values.iter().map(|v| v.as_bool() == Some(true)).collect();
            let literals = self.literals(&there, &cube);
            let all = self.blocks.encoder.pool.and(&literals);
            let excluded = self.blocks.encoder.pool.not(all);
            rest = self.blocks.encoder.pool.and(&[rest, excluded]);
            cubes.insert(cube);
            if cubes.len() > self.most.cubes {
                return self.cartesian(from, path, &predicates, &there).map(Some);
            }
        }
        if cubes.is_empty() {
            return Ok(None);
        }
        let mut all = Vec::new();
        for cube in cubes {
            let literals = self.literals(&predicates, &cube);
            all.push(self.blocks.encoder.pool.and(&literals));
        }
        Ok(Some(self.blocks.encoder.pool.or(&all)))
    }

    fn literals(&mut self, predicates: &[Term], cube: &[bool]) -> Vec<Term> {
        let literal = |(p, holds): (&Term, &bool)| if *holds { *p } else { self.blocks.encoder.pool.not(*p) };
        predicates.iter().zip(cube).map(literal).collect()
    }

    /// The predicates, or their negations, that hold in all that comes.
    fn cartesian(&mut self, from: Term, path: Term, predicates: &[Term], there: &[Term]) -> Result<Term, Ended> {
        let mut holding = Vec::new();
        for (p, t) in predicates.iter().zip(there) {
            let (not_p, not_t) = (self.blocks.encoder.pool.not(*p), self.blocks.encoder.pool.not(*t));
            if !self.is_possible(&[from, path, not_t])? {
                holding.push(*p);
            } else if !self.is_possible(&[from, path, *t])? {
                holding.push(not_p);
            }
        }
        Ok(self.blocks.encoder.pool.and(&holding))
    }
}
