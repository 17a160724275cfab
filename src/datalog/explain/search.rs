//! Layer by layer back from a tuple. After `n` layers every derivation of at most height `n` lies within what was looked
//! at; so the first height found that is not above the number of layers is the least.
//!
//! See: D. Zhao, P. Subotic, B. Scholz, Debugging large-scale Datalog: a scalable provenance evaluation strategy (proof
//! trees of minimal height; they record heights during evaluation, ours are found afterwards for one tuple).
use super::derivation::{Derivation, Step};
use super::instances::{Turned, reachable, turn};
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
/// Also tells how many tuples there are.
pub fn explain(
    session: &mut Session,
    program: &Program,
    root: RelationId,
    which: usize,
    limits: &Limits,
) -> Result<(Derivation, usize), Unexplained> {
    let reachable = reachable(program, root);
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
        let minimal = search.run(session, limits)?;
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

/// A tuple of a relation.
type Tuple = (RelationId, Box<[Word]>);

struct Search<'a> {
    turned: Turned,
    program: &'a Program,
    nodes: Vec<Node>,
    numbers: FxHashMap<Tuple, usize>,
    instances: usize,
}

/// A tuple on the way back.
struct Node {
    relation: RelationId,
    tuple: Box<[Word]>,
    /// Its instances have been asked for.
    explored: bool,
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
    fn node(&mut self, relation: RelationId, tuple: Box<[Word]>) -> usize {
        let new = self.nodes.len();
        let number = *self.numbers.entry((relation, tuple.clone())).or_insert(new);
        if number == new {
            let fact = !self.turned.goals.contains_key(&relation);
            let height = fact.then_some(0);
            self.nodes.push(Node { relation, tuple, explored: fact, instances: Vec::new(), height, best: 0 });
        }
        number
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
        let mut given = Vec::new();
        let mut heads: Vec<RelationId> = Vec::new();
        for goal in goals {
            let node = &mut self.nodes[*goal];
            node.explored = true;
            heads.push(node.relation);
            given.push((self.turned.goals[&node.relation], node.tuple.to_vec()));
        }
        heads.sort_unstable();
        heads.dedup();
        let rules: Vec<usize> = (0..self.program.rules.len())
            .filter(|rule| heads.binary_search(&self.program.rules[*rule].head).is_ok())
            .collect();
        let wanted: Vec<RelationId> = rules.iter().filter_map(|rule| self.turned.instances[*rule]).collect();
        let database = session.run_given(&self.turned.program, &wanted, &given, limits)?;
        let mut found: Vec<(usize, Vec<Word>)> = Vec::new();
        for rule in rules {
            let Some(relation) = self.turned.instances[rule] else { continue };
            let name = &self.turned.program.relations[relation].name;
            if let Some(view) = database.relation(name) {
                view.each_words(&mut |words| found.push((rule, words.to_vec())));
            }
        }
        let mut read: Vec<(usize, usize, Vec<Word>, Vec<Tuple>)> = Vec::new();
        for (rule, mut variables) in found {
            let turned = &self.turned.rules[rule];
            let head = variables.split_off(turned.variables.len()).into_boxed_slice();
            let Some(head) = self.numbers.get(&(turned.head, head)).copied() else { continue };
            let words = Reading { database, turned: &self.turned.program, variables: &variables };
            let premises = turned.body.iter().filter_map(|literal| words.premise(literal)).collect();
            read.push((head, rule, variables, premises));
        }
        for (head, rule, variables, premises) in read {
            let premises = premises.into_iter().map(|(relation, tuple)| self.node(relation, tuple)).collect();
            self.nodes[head].instances.push(Instance { rule, variables, premises });
            self.instances += 1;
        }
        Ok(())
    }

    /// Brings all heights up to date: the least over the instances of one more than the highest premise.
    fn raise(&mut self) {
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

/// A rule's literals under the values of its variables.
struct Reading<'a> {
    database: &'a Database,
    turned: &'a Program,
    variables: &'a [Word],
}

impl Reading<'_> {
    /// The tuple that a positive atom matches.
    fn premise(&self, literal: &Literal) -> Option<Tuple> {
        let Literal::Match { relation, arguments } = literal else { return None };
        let kinds = &self.turned.relations[*relation].kinds;
        let words = arguments.iter().zip(kinds).map(|(argument, kind)| match argument {
            Pattern::Variable(variable) => Some(self.variables[*variable]),
            Pattern::Value(value) => self.database.word_of(value, *kind),
            Pattern::Any => None,
        });
        Some((*relation, words.collect::<Option<_>>()?))
    }

    /// What a negated atom or an aggregate says.
    fn condition(&self, literal: &Literal, rule: &Rule) -> Option<String> {
        match literal {
            Literal::Absent { relation, arguments } => {
                let relation = &self.turned.relations[*relation];
                Some(format!("no {}({})", relation.name, self.patterns(arguments, &relation.kinds)))
            }
            Literal::Aggregate { variable, kind, .. } => {
                let value = self.database.value(self.variables[*variable], rule.variables[*variable].kind);
                Some(format!("{} = {value}", kind.symbol()))
            }
            _ => None,
        }
    }

    fn patterns(&self, patterns: &[Pattern], kinds: &[Kind]) -> String {
        let shown = patterns.iter().zip(kinds).map(|(pattern, kind)| {
            let word = match pattern {
                Pattern::Variable(variable) => Some(self.variables[*variable]),
                Pattern::Value(value) => self.database.word_of(value, *kind),
                Pattern::Any => None,
            };
            word.map_or_else(|| "_".to_owned(), |word| self.database.value(word, *kind).to_string())
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}
