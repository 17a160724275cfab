//! Lazy predicate abstraction with blocks from loop head to loop head, predicates from interpolants.
//!
//! See: Beyer, Dangl, Wendler, "A Unifying View on SMT-Based Software Verification", Sect. 4.3, Algorithm 4. We differ in that
//! the graph is built anew after each refinement.

use super::cpa::arg::{ArgId, ArgNode};
use super::cpa::blocks::Blocks;
use super::cpa::certificate::{Labels, check};
use super::cpa::interpolate::{Atoms, Guide, conjuncts};
use super::cpa::learnt::Learnt;
use super::cpa::refine::{Refined, refine};
use super::task::query::Reply;
use super::task::{Answer, Budget, Proof, Query, Task};
use crate::base::IndexVec;
use crate::encode::{Automaton, NodeId, State};
use crate::smt::{Op, Term};
use std::collections::BTreeSet;

/// Refinements before giving up.
const ROUNDS: usize = 60;
/// Cubes of one abstraction; more are joined to their common part.
const CUBES: usize = 64;
/// Abstract states of one graph.
const STATES: usize = 400;

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
        Err(why) => return Answer::Unknown(why),
    };
    let guide = Guide::of(guesses(&mut blocks));
    let mut query = Query::new();
    let mut precision = Atoms::new();
    for _ in 0..ROUNDS {
        let mut exploration = Exploration::new(&mut blocks, &mut query, &precision, budget);
        let explored = exploration.run();
        let nodes = exploration.nodes;
        learnt.draw(&blocks, &nodes);
        let path = match explored {
            Ok(labels) => {
                return match check(&mut blocks, &labels, budget) {
                    Ok(()) => {
                        learnt.note_labels(&blocks, &labels);
                        let argument = "the abstract states at loop heads are inductive and exclude every violation";
                        Answer::True(Proof {
                            engine: "predicate-abstraction",
                            argument: argument.into(),
                            invariants: Vec::new(),
                        })
                    }
                    Err(why) => Answer::Unknown(why),
                };
            }
            Err(Ended::Counterexample(path)) => path,
            Err(Ended::Stuck(why)) => return Answer::Unknown(why),
        };
        match refine(task, &mut blocks, &mut query, &path, &guide, learnt, "predicate-abstraction", budget) {
            Refined::Violation(answer) => return answer,
            Refined::Stuck(why) => return Answer::Unknown(why),
            Refined::Refuted(sequences) => {
                let mut new = false;
                for sequence in sequences {
                    for (head, formulas) in path.iter().zip(sequence.formulas) {
                        for formula in formulas {
                            new |= add_predicates(&mut blocks, &mut precision, *head, formula);
                        }
                    }
                }
                if !new {
                    return Answer::Unknown("interpolants bring no new predicates".to_owned());
                }
            }
        }
    }
    Answer::Unknown(format!("no proof after {ROUNDS} refinements"))
}

/// Adds the atoms of an interpolant; whether one is new.
pub(super) fn add_predicates(blocks: &mut Blocks<'_, '_>, precision: &mut Atoms, head: NodeId, formula: Term) -> bool {
    let pool = &mut blocks.encoder.pool;
    let negated = pool.not(formula);
    let mut found = conjuncts(pool, formula);
    if found.len() == 1 {
        found = conjuncts(pool, negated);
    }
    let known = precision.entry(head).or_default();
    let mut new = false;
    for t in found {
        let atom = if pool.op(t) == Op::Not { pool.args(t)[0] } else { t };
        if pool.constant(atom).is_none() && !known.contains(&atom) {
            known.push(atom);
            new = true;
        }
    }
    new
}

/// How an exploration ended without a proof.
pub(super) enum Ended {
    /// The heads on the way to a violation.
    Counterexample(Vec<NodeId>),
    Stuck(String),
}

pub(super) struct Exploration<'b, 'a, 'p> {
    blocks: &'b mut Blocks<'a, 'p>,
    query: &'b mut Query,
    precision: &'b Atoms,
    budget: Budget,
    /// Every abstract state that was computed, with what covers it.
    pub(super) nodes: IndexVec<ArgId, ArgNode>,
}

impl<'b, 'a, 'p> Exploration<'b, 'a, 'p> {
    pub(super) fn new(
        blocks: &'b mut Blocks<'a, 'p>,
        query: &'b mut Query,
        precision: &'b Atoms,
        budget: &Budget,
    ) -> Self {
        Exploration { blocks, query, precision, budget: budget.clone(), nodes: IndexVec::new() }
    }

    /// Every abstract state from the start on; what holds at each head.
    pub(super) fn run(&mut self) -> Result<Labels, Ended> {
        let mut labels = Labels::new();
        let mut waiting: Vec<Option<ArgId>> = vec![None];
        let mut states = 0;
        while let Some(id) = waiting.pop() {
            states += 1;
            if states > STATES || self.budget.is_spent() {
                return Err(Ended::Stuck(format!("budget, after {states} abstract states")));
            }
            let (place, abstraction) = match id {
                Some(id) => (Some(self.nodes[id].head), self.nodes[id].label),
                None => (None, self.blocks.encoder.pool.bool(true)),
            };
            let block = self.blocks.blocks.get(&place).cloned().unwrap_or_default();
            let fails = self.blocks.encoder.pool.or(&block.failures);
            if self.is_possible(&[abstraction, fails])? {
                return Err(Ended::Counterexample(self.heads(id)));
            }
            let gap = self.blocks.encoder.pool.or(&block.gaps);
            if self.is_possible(&[abstraction, gap])? {
                return Err(Ended::Stuck("something is not encoded".to_owned()));
            }
            for (head, arrival) in &block.arrivals {
                let Some(label) = self.abstraction(abstraction, *head, arrival)? else { continue };
                let covered = self.covering(*head, label, &labels)?;
                let new = ArgNode { head: *head, parent: id, label, covered, expanded: covered.is_none() };
                let new = self.nodes.push(new);
                if covered.is_none() {
                    let all = match labels.get(head) {
                        Some(reached) => self.blocks.encoder.pool.or(&[*reached, label]),
                        None => label,
                    };
                    labels.insert(*head, all);
                    waiting.push(Some(new));
                }
            }
        }
        Ok(labels)
    }

    /// The state at the head that covers a new one; the last there where it takes several together.
    fn covering(&mut self, head: NodeId, new: Term, labels: &Labels) -> Result<Option<ArgId>, Ended> {
        let Some(reached) = labels.get(&head) else { return Ok(None) };
        let beyond = self.blocks.encoder.pool.not(*reached);
        if self.is_possible(&[new, beyond])? {
            return Ok(None);
        }
        let there: Vec<ArgId> =
            self.nodes.indices().filter(|n| self.nodes[*n].head == head && self.nodes[*n].covered.is_none()).collect();
        for &id in &there {
            let beyond = self.blocks.encoder.pool.not(self.nodes[id].label);
            if !self.is_possible(&[new, beyond])? {
                return Ok(Some(id));
            }
        }
        Ok(there.last().copied())
    }

    /// The heads on the way to a state, its own included.
    fn heads(&self, id: Option<ArgId>) -> Vec<NodeId> {
        let above = std::iter::successors(id, |id| self.nodes[*id].parent);
        let mut heads: Vec<NodeId> = above.map(|id| self.nodes[id].head).collect();
        heads.reverse();
        heads
    }

    fn is_possible(&mut self, formulas: &[Term]) -> Result<bool, Ended> {
        match self.query.check(&self.blocks.encoder, formulas, &self.budget) {
            Reply::Sat => Ok(true),
            Reply::Unsat => Ok(false),
            Reply::Unknown(why) => Err(Ended::Stuck(format!("solver: {why}"))),
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
            let values = self.query.values(&self.blocks.encoder, &there).map_err(|e| Ended::Stuck(e.to_string()))?;
            let cube: Vec<bool> = values.iter().map(|v| v.as_bool() == Some(true)).collect();
            let literals = self.literals(&there, &cube);
            let all = self.blocks.encoder.pool.and(&literals);
            let excluded = self.blocks.encoder.pool.not(all);
            rest = self.blocks.encoder.pool.and(&[rest, excluded]);
            cubes.insert(cube);
            if cubes.len() > CUBES {
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
