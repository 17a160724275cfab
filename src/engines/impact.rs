//! IMPACT: lazy abstraction with interpolants as labels, coverage and forced covering, blocks from loop head to loop head.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 4.4; McMillan, "Lazy Abstraction with
//! Interpolants". We differ in that violations are no nodes: a node is refined until its block cannot err.

use super::cpa::arg::{self, ArgId, ArgNode, ArgNodes};
use super::cpa::blocks::Blocks;
use super::cpa::certificate::{Labels, check};
use super::cpa::interpolate::{Atoms, Guide};
use super::cpa::learnt::Learnt;
use super::cpa::refine::{Refined, refine};
use super::task::query::Reply;
use super::task::{Answer, Budget, Obstacle, Proof, Query, Task};
use crate::encode::Automaton;
use crate::smt::Term;

/// Decides the task; `guesses` are predicates that interpolation may draw on.
pub fn impact(
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
    let mut impact = Impact::new(task, blocks, guide, learnt, budget);
    let ran = impact.run();
    impact.learnt.draw(&impact.blocks, &impact.nodes);
    match ran {
        Ok(()) => {
            let labels = impact.labels();
            match check(&mut impact.blocks, &labels, budget) {
                Ok(()) => {
                    impact.learnt.note_labels(&impact.blocks, &labels);
                    Answer::True(Proof {
                        engine: "impact",
                        argument: "the labels of the uncovered nodes are inductive and exclude every violation".into(),
                        invariants: Learnt::invariants(&impact.blocks, &labels),
                    })
                }
                Err(why) => Answer::Unknown(Obstacle::NoProof(why)),
            }
        }
        Err(answer) => answer,
    }
}

pub(super) struct Impact<'t, 'a, 'p> {
    task: &'t Task<'t>,
    pub(super) blocks: Blocks<'a, 'p>,
    query: Query,
    guide: Guide,
    learnt: &'t mut Learnt,
    pub(super) nodes: ArgNodes,
    budget: Budget,
}

impl<'t, 'a, 'p> Impact<'t, 'a, 'p> {
    pub(super) fn new(
        task: &'t Task<'t>,
        blocks: Blocks<'a, 'p>,
        guide: Guide,
        learnt: &'t mut Learnt,
        budget: &Budget,
    ) -> Self {
        Impact { task, blocks, query: Query::new(), guide, learnt, nodes: ArgNodes::new(), budget: budget.clone() }
    }

    /// Unwinds until every leaf is covered.
    pub(super) fn run(&mut self) -> Result<(), Answer> {
        self.make_safe(None)?;
        self.expand(None)?;
        while let Some(leaf) = self.open_leaf() {
            let most = self.task.limits.nodes;
            if self.nodes.len() > most {
                return Err(Answer::Unknown(Obstacle::Refused(format!("more than {most} nodes"))));
            }
            if self.budget.is_spent() {
                return Err(Answer::Unknown(Obstacle::Budget(format!("budget, after {} nodes", self.nodes.len()))));
            }
            if self.close(leaf)? {
                continue;
            }
            self.make_safe(Some(leaf))?;
            if self.close(leaf)? {
                continue;
            }
            self.expand(Some(leaf))?;
        }
        Ok(())
    }

    /// The oldest node that is neither expanded nor covered.
    fn open_leaf(&self) -> Option<ArgId> {
        let open = |id: &ArgId| {
            let n = &self.nodes[*id];
            !n.expanded && n.covered.is_none() && !self.is_below_covered(*id)
        };
        self.nodes.indices().find(open)
    }

    fn is_below_covered(&self, mut id: ArgId) -> bool {
        while let Some(parent) = self.nodes[id].parent {
            if self.nodes[parent].covered.is_some() {
                return true;
            }
            id = parent;
        }
        false
    }

    fn possible(&mut self, formulas: &[Term]) -> Result<bool, Answer> {
        match self.query.check(&self.blocks.encoder, formulas, &self.budget) {
            Reply::Sat => Ok(true),
            Reply::Unsat => Ok(false),
            Reply::Unknown(why) => Err(Answer::Unknown(Obstacle::Solver(why))),
        }
    }

    fn label(&mut self, id: Option<ArgId>) -> Term {
        arg::label_of(&mut self.blocks.encoder.pool, &self.nodes, id)
    }

    /// Covers the node by an older one at its head, strengthening its label where the way to it allows (forced covering).
    fn close(&mut self, id: ArgId) -> Result<bool, Answer> {
        let (head, parent) = (self.nodes[id].head, self.nodes[id].parent);
        let older: Vec<ArgId> = self
            .nodes
            .indices()
            .take_while(|o| *o < id)
            .filter(|o| self.nodes[*o].head == head && self.nodes[*o].expanded && self.nodes[*o].covered.is_none())
            .filter(|o| !self.is_below_covered(*o))
            .collect();
        for other in older.into_iter().rev() {
            let (own, wanted) = (self.nodes[id].label, self.nodes[other].label);
            let outside = self.blocks.encoder.pool.not(wanted);
            if !self.possible(&[own, outside])? {
                self.nodes[id].covered = Some(other);
                return Ok(true);
            }
            let before = self.label(parent);
            let place = arg::place_of(&self.nodes, parent);
            let Some(arrival) = self.blocks.blocks.get(&place).and_then(|b| b.arrivals.get(&head)).cloned() else {
                continue;
            };
            let path = self.blocks.encoder.path(&arrival);
            let there = self.blocks.instantiate(head, wanted, &arrival);
            let broken = self.blocks.encoder.pool.not(there);
            if !self.possible(&[before, path, broken])? {
                self.nodes[id].label = self.blocks.encoder.pool.and(&[own, wanted]);
                self.nodes[id].covered = Some(other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Refines until the block behind the node cannot err.
    fn make_safe(&mut self, id: Option<ArgId>) -> Result<(), Answer> {
        let block = self.blocks.blocks.get(&arg::place_of(&self.nodes, id)).cloned().unwrap_or_default();
        let (fails, gap) = (self.blocks.encoder.pool.or(&block.failures), self.blocks.encoder.pool.or(&block.gaps));
        let label = self.label(id);
        if self.possible(&[label, fails])? {
            let path = arg::path(&self.nodes, id);
            let heads = arg::heads(&self.nodes, &path);
            let refined = {
                let (blocks, query) = (&mut self.blocks, &mut self.query);
                refine(self.task, blocks, query, &heads, &self.guide, self.learnt, "impact", &self.budget)
            };
            let sequences = match refined {
                Refined::Violation(answer) => return Err(answer),
                Refined::Stuck(why) => return Err(Answer::Unknown(why)),
                Refined::Refuted(sequences) => sequences,
            };
            for sequence in sequences {
                for (id, formulas) in path.iter().zip(sequence.formulas) {
                    self.strengthen(*id, &formulas);
                }
            }
            let label = self.label(id);
            if self.possible(&[label, fails])? {
                return Err(Answer::Unknown(Obstacle::NoProof("interpolants do not exclude the violation".to_owned())));
            }
        }
        let label = self.label(id);
        if self.possible(&[label, gap])? {
            return Err(Answer::Unknown(self.blocks.gap_of(&block, &mut self.query)));
        }
        Ok(())
    }

    /// Strengthens a label; what the node covers may be covered no longer.
    pub(super) fn strengthen(&mut self, id: ArgId, formulas: &[Term]) {
        let old = self.nodes[id].label;
        let mut all = formulas.to_vec();
        all.push(old);
        let new = self.blocks.encoder.pool.and(&all);
        if new != old {
            self.nodes[id].label = new;
            for node in self.nodes.iter_mut().filter(|n| n.covered == Some(id)) {
                node.covered = None;
            }
        }
    }

    pub(super) fn expand(&mut self, id: Option<ArgId>) -> Result<(), Answer> {
        let block = self.blocks.blocks.get(&arg::place_of(&self.nodes, id)).cloned().unwrap_or_default();
        let label = self.label(id);
        for (head, arrival) in &block.arrivals {
            let path = self.blocks.encoder.path(arrival);
            if self.possible(&[label, path])? {
                let label = self.blocks.encoder.pool.bool(true);
                self.nodes.push(ArgNode { head: *head, parent: id, label, covered: None, expanded: false });
            }
        }
        if let Some(id) = id {
            self.nodes[id].expanded = true;
        }
        Ok(())
    }

    /// What holds at each head: the disjunction of the labels there.
    fn labels(&mut self) -> Labels {
        let mut labels = Labels::new();
        for id in self.nodes.indices() {
            if self.nodes[id].covered.is_some() || self.is_below_covered(id) {
                continue;
            }
            let (head, label) = (self.nodes[id].head, self.nodes[id].label);
            let all = match labels.get(&head) {
                Some(other) => self.blocks.encoder.pool.or(&[*other, label]),
                None => label,
            };
            labels.insert(head, all);
        }
        labels
    }
}
