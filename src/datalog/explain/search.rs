//! Layer by layer back from a tuple. After `n` layers every derivation of at most height `n` lies within what was looked
//! at; so the first height found that is not above the number of layers is the least.
//!
//! See: D. Zhao, P. Subotic, B. Scholz, Debugging large-scale Datalog: a scalable provenance evaluation strategy (proof
//! trees of minimal height; they record heights during evaluation, ours are found afterwards for one tuple).
use super::derivation::{Derivation, Step};
use super::instances::{Turned, turn};
use super::premises::{Found, Reading, Tuple, instances_of};
use super::ticks::choose;
use crate::datalog::evaluate::value::Word;
use crate::datalog::evaluate::{Database, Session};
use crate::datalog::language::core::*;
use crate::datalog::limits::{Limits, RunError};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// Rule instances looked at before the search contents itself with what it has.
const MOST_INSTANCES: usize = 400_000;
/// Tuples explained in one layer.
const MOST_GOALS: usize = 20_000;
const MOST_LAYERS: u32 = 200;

/// Why a tuple is not explained.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unexplained {
    #[error("no such tuple holds")]
    Absent,
    #[error("no derivation found among {0} rule instances")]
    TooMany(usize),
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Explains tuple number `which`, in order of values, of the relation `root` of `program`, which is finished in `session`.
/// Also tells how many tuples there are. A session that keeps history gives some derivation of any tuple, others one
/// than which none is lower, or none.
pub fn explain(
    session: &mut Session,
    program: &Program,
    root: RelationId,
    which: usize,
    limits: &Limits,
) -> Result<(Derivation, usize), Unexplained> {
    let reachable = program.needed(&[root], |_| false);
    let wanted: Vec<RelationId> = (0..program.relations.len()).filter(|at| reachable[*at]).collect();
    let before = session.share(program);
    let explained = session.run(program, &wanted, limits).map_err(Unexplained::from).and_then(|database| {
        let mut tuples = tuples(database, program, root);
        let count = tuples.len();
        if which >= count {
            return Err(Unexplained::Absent);
        }
        let sizes: Vec<usize> =
            program.relations.iter().map(|r| database.relation(&r.name).map_or(0, |v| v.count())).collect();
        Ok((tuples.swap_remove(which), count, sizes))
    });
    let explained = explained.and_then(|(tuple, count, sizes)| {
        let turned = turn(program, &reachable, &|relation| sizes.get(relation).copied().unwrap_or(0));
        let mut search = Search { turned, program, nodes: Vec::new(), numbers: FxHashMap::default(), instances: 0 };
        search.node(root, tuple.into());
        let minimal = if session.keeps_history() {
            choose(&mut search, session, limits)?;
            false
        } else {
            search.run(session, limits)?
        };
        Ok((search.derivation(session, minimal)?, count))
    });
    session.restore(before);
    explained
}

/// The tuples of a relation in order of their values.
fn tuples(database: &Database, program: &Program, relation: RelationId) -> Vec<Vec<Word>> {
    let kinds = &program.relations[relation].kinds;
    let mut tuples = Vec::new();
    if let Some(view) = database.relation(&program.relations[relation].name) {
        view.each_words(&mut |words| tuples.push(words.to_vec()));
    }
    tuples.sort_by_cached_key(|words| words.iter().zip(kinds).map(|(w, k)| database.value(*w, *k)).collect::<Vec<_>>());
    tuples
}

/// What has been looked at; node 0 is the tuple to be explained.
pub struct Search<'a> {
    pub turned: Turned,
    pub program: &'a Program,
    pub nodes: Vec<Node>,
    numbers: FxHashMap<Tuple, usize>,
    pub instances: usize,
}

/// A tuple on the way back.
pub struct Node {
    pub relation: RelationId,
    pub tuple: Box<[Word]>,
    /// Its instances have been asked for.
    pub explored: bool,
    instances: Vec<Instance>,
    height: Option<u32>,
    /// The instance that gives the height.
    best: usize,
}

struct Instance {
    rule: usize,
    variables: Vec<Word>,
    premises: Vec<usize>,
}

impl Search<'_> {
    /// The number of a tuple's node.
    pub fn node(&mut self, relation: RelationId, tuple: Box<[Word]>) -> usize {
        let new = self.nodes.len();
        let number = *self.numbers.entry((relation, tuple.clone())).or_insert(new);
        if number == new {
            let fact = !self.turned.goals.contains_key(&relation);
            let height = fact.then_some(0);
            self.nodes.push(Node { relation, tuple, explored: fact, instances: Vec::new(), height, best: 0 });
        }
        number
    }

    /// Is it known what the tuple follows from?
    pub fn is_explored(&self, tuple: &Tuple) -> bool {
        self.numbers.get(tuple).is_some_and(|number| self.nodes[*number].explored)
    }

    /// Explores layers until the root's height is known; is it the least?
    fn run(&mut self, session: &mut Session, limits: &Limits) -> Result<bool, Unexplained> {
        let mut complete = true;
        for layers in 1..=MOST_LAYERS {
            let mut goals: Vec<usize> = (0..self.nodes.len()).filter(|at| !self.nodes[*at].explored).collect();
            complete &= goals.len() <= MOST_GOALS;
            goals.truncate(MOST_GOALS);
            if !goals.is_empty() {
                self.explore(&goals, session, limits)?;
                self.raise();
            }
            if let Some(height) = self.nodes[0].height
                && (height <= layers || goals.is_empty())
            {
                return Ok(complete);
            }
            if goals.is_empty() || self.instances > MOST_INSTANCES {
                break;
            }
        }
        if self.nodes[0].height.is_some() { Ok(false) } else { Err(Unexplained::TooMany(self.instances)) }
    }

    /// Finds all instances that derive the goals.
    fn explore(&mut self, goals: &[usize], session: &mut Session, limits: &Limits) -> Result<(), Unexplained> {
        let mut asked = Vec::with_capacity(goals.len());
        for goal in goals {
            let node = &mut self.nodes[*goal];
            node.explored = true;
            asked.push((node.relation, node.tuple.clone()));
        }
        for found in instances_of(&self.turned, self.program, &asked, session, limits)? {
            self.add(goals[found.goal], found);
        }
        Ok(())
    }

    /// An instance that derives the node `head`.
    pub fn add(&mut self, head: usize, found: Found) {
        let Found { rule, variables, premises, .. } = found;
        let premises = premises.into_iter().map(|(relation, tuple)| self.node(relation, tuple)).collect();
        self.nodes[head].instances.push(Instance { rule, variables, premises });
        self.instances += 1;
    }

    /// Brings all heights up to date: the least over the instances of one more than the highest premise.
    pub fn raise(&mut self) {
        loop {
            let mut changed = false;
            for at in (0..self.nodes.len()).rev() {
                let node = &self.nodes[at];
                let height = |instance: &Instance| {
                    let mut premises = instance.premises.iter().map(|premise| self.nodes[*premise].height);
                    premises.try_fold(0, |most, height| Some(most.max(height?))).map(|most| most + 1)
                };
                let heights = node.instances.iter().enumerate().filter_map(|(at, i)| Some((height(i)?, at)));
                let Some((height, best)) = heights.min() else { continue };
                if node.height.is_none_or(|old| height < old) {
                    let node = &mut self.nodes[at];
                    (node.height, node.best) = (Some(height), best);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// The tree below the root, as steps.
    fn derivation(&self, session: &Session, minimal: bool) -> Result<Derivation, Unexplained> {
        let database = session.database().ok_or(Unexplained::Absent)?;
        let mut derivation = Derivation { steps: Vec::new(), minimal };
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut order = vec![0];
        numbers.insert(0, 0);
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            next += 1;
            let node = &self.nodes[at];
            let relation = &self.program.relations[node.relation];
            let tuple =
                node.tuple.iter().zip(&relation.kinds).map(|(word, kind)| database.value(*word, *kind)).collect();
            let mut step = Step {
                relation: relation.name.clone(),
                tuple,
                height: node.height.unwrap_or(0),
                rule: None,
                premises: Vec::new(),
                conditions: Vec::new(),
            };
            if let Some(instance) = node.instances.get(node.best) {
                let rule = &self.turned.rules[instance.rule];
                step.rule = Some(rule.span);
                let words = Reading { database, turned: &self.turned.program, variables: &instance.variables };
                step.conditions = rule.body.iter().filter_map(|literal| words.condition(literal, rule)).collect();
                for premise in &instance.premises {
                    let number = *numbers.entry(*premise).or_insert_with(|| {
                        order.push(*premise);
                        order.len() - 1
                    });
                    step.premises.push(number);
                }
            }
            derivation.steps.push(step);
        }
        Ok(derivation)
    }
}
