//! The semi-naive fixpoint, stratum by stratum. In a round every rule runs once per atom of its own stratum, over
//! what is new of that atom since the last round; between rounds sets flow through the graph.
//!
//! A rule that only passes sets on ([`Rule::passes_set_of`]) never sees their elements: the rest of its body
//! derives subset edges.
//!
//! See: F. Bancilhon, R. Ramakrishnan, An amateur's introduction to recursive query processing strategies
//! (semi-naive evaluation); `graph` for the sets.
use super::database::{Database, Input};
use super::functor::TextTests;
use super::graph::Node;
use super::id_set::IdSet;
use super::image::Memory;
use super::join::Machine;
use super::plan::{Element, Plan, Request, plan};
use super::table::Tables;
use super::value::{Domain, Word};
use crate::datalog::language::core::*;
use crate::datalog::limits::{Guard, Limits, RunError};
use rustc_hash::FxHashMap;

/// Output words kept before they are taken into the tables.
pub(super) const BATCH: usize = 1 << 20;

/// Runs a program to its fixpoint over `input`.
pub fn evaluate(program: &Program, input: &dyn Input, limits: &Limits) -> Result<Database, RunError> {
    let (mut tables, mut domain) = (Tables::new(program), Domain::of(program, input));
    tables.load(program, &mut domain, input)?;
    let mut run = Run::new(program, tables, domain, limits);
    for stratum in &program.strata {
        run.stratum(stratum)?;
    }
    Ok(Database::new(program, run.tables, run.domain, run.guard.derivations))
}

/// Runs the strata of the `needed` relations over relations that are there already. The relations come back whatever
/// happens; those of a stratum that failed are not finished.
pub(super) fn evaluate_strata(
    program: &Program,
    (tables, domain): (Tables, Domain),
    needed: &[bool],
    limits: &Limits,
) -> (Tables, Domain, u64, Result<(), RunError>) {
    let mut run = Run::new(program, tables, domain, limits);
    let strata = program.strata.iter().filter(|stratum| stratum.iter().any(|relation| needed[*relation]));
    let mut ended = Ok(());
    for stratum in strata {
        ended = run.stratum(stratum);
        if ended.is_err() {
            break;
        }
    }
    (run.tables, run.domain, run.guard.derivations, ended)
}

pub(super) struct Run<'a> {
    program: &'a Program,
    pub tables: Tables,
    domain: Domain,
    tests: TextTests,
    guard: Guard,
    pub found: Vec<Word>,
    error: Option<String>,
    /// Of each image.
    pub memories: Vec<Memory>,
}

/// What is new in the sets of this round.
pub(super) struct Deltas {
    /// Different sets of new elements.
    pub groups: Vec<IdSet>,
    /// By relation: the row of a key, and the group of what is new for it.
    pub keys: Vec<Vec<(u32, u32)>>,
}

/// What becomes of a plan's output.
#[derive(Clone, Copy)]
enum Action {
    /// It is a tuple of the relation.
    Insert(RelationId),
    /// It is a key of `to` and one of `from`, whose set the first takes over.
    Pass { to: RelationId, to_keys: usize, from: RelationId, recursive: bool },
}

/// A rule of a stratum: what runs once, and what runs over differences.
pub(super) struct Work {
    head: RelationId,
    action: Action,
    pub width: usize,
    once: Option<Plan>,
    variants: Vec<Plan>,
}

/// A plan whose output is edges between a fixed node and those of every new element.
struct Bulk {
    /// Where the element stands in the output: 0 if the edges go to its node, else they come from it.
    element: usize,
    varying: RelationId,
    fixed: RelationId,
}

impl Work {
    /// Is the element alone the key of one end of the edges?
    fn bulk(&self, plan: &Plan) -> Option<Bulk> {
        let Action::Pass { to, to_keys, from, recursive: true } = self.action else { return None };
        let from_keys = self.width - 1 - to_keys;
        match plan.bulk? {
            0 if to_keys == 1 => Some(Bulk { element: 0, varying: to, fixed: from }),
            at if at == to_keys && from_keys == 1 && at > 0 => Some(Bulk { element: at, varying: from, fixed: to }),
            _ => None,
        }
    }
}

impl<'a> Run<'a> {
    fn new(program: &'a Program, tables: Tables, domain: Domain, limits: &Limits) -> Run<'a> {
        let (tests, guard) = (TextTests::default(), Guard::new(limits));
        Run { program, tables, domain, tests, guard, found: Vec::new(), error: None, memories: Vec::new() }
    }

    fn stratum(&mut self, stratum: &[RelationId]) -> Result<(), RunError> {
        for table in &mut self.tables.tables {
            table.visible = table.rows.len();
            table.old = table.visible;
        }
        let rules: Vec<&Rule> = self.program.rules.iter().filter(|rule| stratum.contains(&rule.head)).collect();
        let works: Vec<Work> = rules.into_iter().map(|rule| self.work(rule, stratum)).collect();
        for work in &works {
            if let Some(plan) = &work.once {
                self.machine().run_counted(plan);
                self.flush(work)?;
            }
        }
        loop {
            let mut changed = false;
            self.tables.note_rows(stratum);
            for relation in stratum {
                let table = &mut self.tables.tables[*relation];
                table.old = table.visible;
                table.visible = table.rows.len();
                changed |= table.nodes.is_none() && table.old < table.visible;
            }
            self.tables.graph.propagate();
            let deltas = self.deltas();
            if !changed && deltas.groups.is_empty() {
                return Ok(());
            }
            for work in &works {
                for plan in &work.variants {
                    self.round(work, plan, &deltas)?;
                }
            }
        }
    }

    fn deltas(&mut self) -> Deltas {
        let mut deltas = Deltas { groups: Vec::new(), keys: vec![Vec::new(); self.program.relations.len()] };
        let mut known: FxHashMap<[usize; 4], Vec<u32>> = FxHashMap::default();
        for (nodes, delta) in self.tables.graph.take_deltas() {
            let candidates = known.entry(delta.fingerprint()).or_default();
            let found = candidates.iter().find(|group| deltas.groups[**group as usize] == delta).copied();
            let group = found.unwrap_or_else(|| {
                let new = u32::try_from(deltas.groups.len()).expect("fewer groups than nodes");
                candidates.push(new);
                deltas.groups.push(delta);
                new
            });
            for node in nodes {
                if let Some((relation, row)) = self.tables.owners[node as usize] {
                    deltas.keys[relation].push((row, group));
                }
            }
        }
        deltas
    }

    pub fn machine(&mut self) -> Machine<'_> {
        Machine {
            tables: &self.tables,
            domain: &mut self.domain,
            tests: &mut self.tests,
            registers: Vec::new(),
            found: &mut self.found,
            error: &mut self.error,
            guard: &mut self.guard,
        }
    }

    fn round(&mut self, work: &Work, plan: &Plan, deltas: &Deltas) -> Result<(), RunError> {
        let entry = plan.entry.as_ref().expect("variants run over differences");
        let keys = &deltas.keys[entry.relation];
        let (start, end) = match entry.element {
            None => (self.tables.tables[entry.relation].old, self.tables.tables[entry.relation].visible),
            Some(_) => (0, keys.len()),
        };
        if let (Some(image), Action::Insert(head)) = (&plan.image, work.action) {
            return self.images(work, head, (plan, image), deltas);
        }
        let bulk = work.bulk(plan);
        let mut at = start;
        while at < end {
            let mut machine = self.machine();
            machine.registers.resize(plan.registers, 0);
            let rows = &machine.tables.tables[entry.relation].rows;
            while at < end && machine.found.len() < BATCH {
                match (&entry.element, &bulk) {
                    (None, _) => machine.enter_row(plan, entry, rows.row(at as u32)),
                    (Some(Element::Bind(element)), Some(_)) => {
                        let (row, group) = keys[at];
                        machine.enter_group(plan, entry, rows.row(row), *element, group);
                    }
                    _ => {
                        let (row, group) = keys[at];
                        machine.enter_set(plan, entry, rows.row(row), &deltas.groups[group as usize]);
                    }
                }
                at += 1;
            }
            match &bulk {
                Some(bulk) => self.flush_bulk(work, bulk, deltas)?,
                None => self.flush(work)?,
            }
        }
        Ok(())
    }

    /// Takes edges from or to every element of a group at once: where several share the group, through a hub.
    fn flush_bulk(&mut self, work: &Work, bulk: &Bulk, deltas: &Deltas) -> Result<(), RunError> {
        let mut found = std::mem::take(&mut self.found);
        let mut edges: Vec<(u32, Node)> = Vec::with_capacity(found.len() / work.width);
        for tuple in found.chunks_exact_mut(work.width) {
            let group = tuple[bulk.element];
            let fixed = if bulk.element == 0 { &tuple[1..work.width - 1] } else { &tuple[..work.width - 2] };
            edges.push((group, self.tables.node(bulk.fixed, fixed)));
        }
        found.clear();
        self.found = found;
        edges.sort_unstable();
        edges.dedup();
        for sharing in edges.chunk_by(|left, right| left.0 == right.0) {
            let group = &deltas.groups[sharing[0].0 as usize];
            let mut ends: Vec<Node> = Vec::with_capacity(group.len());
            group.for_each(|element| ends.push(self.tables.node(bulk.varying, &[element])));
            let hub = (sharing.len() > 1 && ends.len() > 1).then(|| self.tables.hub());
            let graph = &mut self.tables.graph;
            let mut edge = |fixed: Node, varying: Node| {
                if bulk.element == 0 {
                    graph.add_edge(fixed, varying)
                } else {
                    graph.add_edge(varying, fixed)
                };
            };
            if let Some(hub) = hub {
                ends.iter().for_each(|end| edge(hub, *end));
                sharing.iter().for_each(|(_, fixed)| edge(*fixed, hub));
            } else {
                sharing.iter().for_each(|(_, fixed)| ends.iter().for_each(|end| edge(*fixed, *end)));
            }
        }
        self.check_limits(work)
    }

    /// Takes what was found into the tables.
    fn flush(&mut self, work: &Work) -> Result<(), RunError> {
        let found = std::mem::take(&mut self.found);
        for tuple in found.chunks_exact(work.width) {
            match work.action {
                Action::Insert(relation) => {
                    self.tables.insert(relation, &tuple[..work.width - 1]);
                }
                Action::Pass { to, to_keys, from, recursive } => {
                    let (to_key, from_key) = tuple[..work.width - 1].split_at(to_keys);
                    if recursive {
                        let source = self.tables.node(from, from_key);
                        let target = self.tables.node(to, to_key);
                        self.tables.graph.add_edge(source, target);
                    } else if let Some(row) = self.tables.tables[from].rows.find(from_key) {
                        let set = self.tables.set(from, row).clone();
                        let target = self.tables.node(to, to_key);
                        self.tables.graph.add_set(target, &set);
                    }
                }
            }
        }
        self.found = found;
        self.found.clear();
        self.check_limits(work)
    }

    pub fn check_limits(&mut self, work: &Work) -> Result<(), RunError> {
        if let Some(reason) = self.error.take() {
            return Err(RunError::Pattern { reason });
        }
        self.guard.verdict(&self.program.relations[work.head].name)
    }

    fn work(&mut self, rule: &Rule, stratum: &[RelationId]) -> Work {
        let Some(source) = rule.passes_set_of(self.program) else {
            let output = rule.arguments.clone();
            return self.plans(rule, None, output, Action::Insert(rule.head), stratum);
        };
        let Literal::Match { relation: from, arguments } = &rule.body[source] else {
            unreachable!("sets come from positive atoms")
        };
        // Name the columns of the source's key, and look at no element.
        let mut named = rule.clone();
        let mut keys = arguments[..arguments.len() - 1].to_vec();
        for (key, kind) in keys.iter_mut().zip(&self.program.relations[*from].kinds) {
            if *key == Pattern::Any {
                named.variables.push(Variable { name: format!("key_{}", named.variables.len()), kind: *kind });
                *key = Pattern::Variable(named.variables.len() - 1);
            }
        }
        let mut output = rule.arguments[..rule.arguments.len() - 1].to_vec();
        let to_keys = output.len();
        output.extend(keys.iter().map(|key| match key {
            Pattern::Variable(variable) => Expression::Variable(*variable),
            Pattern::Value(value) => value.clone(),
            Pattern::Any => unreachable!("keys were named above"),
        }));
        keys.push(Pattern::Any);
        named.body[source] = Literal::Match { relation: *from, arguments: keys };
        let bound = named.bound_without(source);
        let mut free = false;
        output.iter().for_each(|value| value.variables(&mut |variable| free |= !bound[variable]));
        for (_, literal) in named.body.iter().enumerate().filter(|(at, _)| *at != source) {
            literal.variables(&mut |variable| free |= !bound[variable]);
        }
        let action = Action::Pass { to: rule.head, to_keys, from: *from, recursive: stratum.contains(from) };
        let passed = if free { None } else { Some(source) };
        self.plans(&named, passed, output, action, stratum)
    }

    fn plans(
        &mut self,
        rule: &Rule,
        passed: Option<usize>,
        mut output: Vec<Expression>,
        action: Action,
        stratum: &[RelationId],
    ) -> Work {
        let recursive =
            |literal: &Literal| matches!(literal, Literal::Match { relation, .. } if stratum.contains(relation));
        // One more word, so that tuples without columns count too.
        output.push(Expression::Number(0, Kind::Unsigned));
        let width = output.len();
        let firsts: Vec<usize> =
            (0..rule.body.len()).filter(|at| Some(*at) != passed && recursive(&rule.body[*at])).collect();
        let mut make = |first| {
            let inserts = matches!(action, Action::Insert(_));
            let request = Request { rule, first, passed, output: output.clone(), inserts, growing: stratum };
            let mut plan = plan(&request, self.program, &mut self.tables, &mut self.domain);
            if let Some(image) = &mut plan.image {
                image.number = self.memories.len();
                self.memories.push(Memory::default());
            }
            plan
        };
        let variants: Vec<Plan> = firsts.iter().map(|first| make(Some(*first))).collect();
        let once = if firsts.is_empty() { Some(make(None)) } else { None };
        Work { head: rule.head, action, width, once, variants }
    }
}

impl Machine<'_> {
    fn run_counted(&mut self, plan: &Plan) {
        self.registers.resize(plan.registers, 0);
        self.run(plan);
    }
}
