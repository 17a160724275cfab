//! The order of evaluation: strongly connected relations together, what they depend on before them, and no
//! negation or aggregate inside a component.
//!
//! See: K. Apt, H. Blair, A. Walker, Towards a theory of declarative knowledge (stratified programs);
//! R. Tarjan, Depth-first search and linear graph algorithms.
use super::ast::*;
use super::binding;
use super::error::StrataError;
use super::text::Span;
use std::collections::{BTreeMap, VecDeque};

/// How a rule's head depends on a relation of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependency {
    Positive,
    Negative,
    Aggregated,
}

/// A rule whose head is relation `head` names relation `body` at `span`.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub head: usize,
    pub body: usize,
    pub dependency: Dependency,
    pub span: Span,
}

/// Finds relations that depend on themselves through a negation or aggregate.
pub fn check(program: &Program) -> Vec<StrataError> {
    let (names, edges) = dependencies(program);
    let component = component_of(names.len(), &edges);
    let mut errors = Vec::new();
    for edge in &edges {
        if edge.dependency == Dependency::Positive || component[edge.head] != component[edge.body] {
            continue;
        }
        let relation = names[edge.head].to_owned();
        let cycle = cycle_text(edge, &edges, &names, &component);
        let span = edge.span;
        errors.push(match edge.dependency {
            Dependency::Aggregated => StrataError::Aggregate { relation, cycle, span },
            _ => StrataError::Negation { relation, cycle, span },
        });
    }
    errors
}

/// The declared relations (indices into [`Program::relations`]) in order of evaluation.
pub fn order(program: &Program) -> Vec<Vec<usize>> {
    let (names, edges) = dependencies(program);
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.head, edge.body)).collect();
    components(names.len(), &pairs)
}

/// `a -> !b -> c -> a`: each depends on the next.
fn cycle_text(edge: &Edge, edges: &[Edge], names: &[&str], component: &[usize]) -> String {
    let shown = |edge: &Edge| match edge.dependency {
        Dependency::Positive => names[edge.body].to_owned(),
        Dependency::Negative => format!("!{}", names[edge.body]),
        Dependency::Aggregated => format!("aggregate over {}", names[edge.body]),
    };
    // Breadth first from the body back to the head, for a shortest cycle.
    let mut reached: BTreeMap<usize, Option<&Edge>> = BTreeMap::from([(edge.body, None)]);
    let mut queue = VecDeque::from([edge.body]);
    while let Some(at) = queue.pop_front() {
        for next in edges.iter().filter(|next| next.head == at && component[next.body] == component[at]) {
            reached.entry(next.body).or_insert_with(|| {
                queue.push_back(next.body);
                Some(next)
            });
        }
    }
    let mut path = Vec::new();
    let mut at = edge.head;
    while let Some(Some(step)) = reached.get(&at) {
        path.push(shown(step));
        at = step.head;
    }
    path.push(shown(edge));
    path.push(names[edge.head].to_owned());
    path.reverse();
    path.join(" -> ")
}

/// The declared relations' names, and an edge for each use of one in a rule of another.
fn dependencies(program: &Program) -> (Vec<&str>, Vec<Edge>) {
    let names: Vec<&str> = program.relations.iter().map(|decl| decl.name.text.as_str()).collect();
    let mut index = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        index.entry(*name).or_insert(at);
    }
    let mut edges = Vec::new();
    for rule in &program.rules {
        for head in rule.heads.iter().filter_map(|head| index.get(head.relation.text.as_str())) {
            let mut add = |literal: &Literal, aggregated: bool| {
                let (atom, dependency) = match literal {
                    Literal::Positive(atom) => (atom, Dependency::Positive),
                    Literal::Negative(atom) => (atom, Dependency::Negative),
                    Literal::Compare { .. } | Literal::Test { .. } => return,
                };
                let dependency = if aggregated { Dependency::Aggregated } else { dependency };
                if let Some(body) = index.get(atom.relation.text.as_str()) {
                    edges.push(Edge { head: *head, body: *body, dependency, span: atom.span });
                }
            };
            rule.body.iter().for_each(|literal| add(literal, false));
            for aggregate in binding::aggregates(&rule.body) {
                aggregate.body.iter().for_each(|literal| add(literal, true));
            }
        }
    }
    (names, edges)
}

/// The strongly connected components of a graph over `0..nodes`, what a component depends on (its edges' `body`) first.
pub fn components(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut successors = vec![Vec::new(); nodes];
    for (from, to) in edges {
        successors[*from].push(*to);
    }
    let mut search = Search { successors, number: vec![0; nodes], low: vec![0; nodes], ..Search::default() };
    search.on_stack = vec![false; nodes];
    for root in 0..nodes {
        if search.number[root] == 0 {
            search.from(root);
        }
    }
    search.found
}

/// For every node the index of its component.
fn component_of(nodes: usize, edges: &[Edge]) -> Vec<usize> {
    let pairs: Vec<(usize, usize)> = edges.iter().map(|edge| (edge.head, edge.body)).collect();
    let mut component = vec![0; nodes];
    for (index, members) in components(nodes, &pairs).iter().enumerate() {
        members.iter().for_each(|member| component[*member] = index);
    }
    component
}

/// Tarjan's depth-first search with an explicit stack.
#[derive(Default)]
struct Search {
    successors: Vec<Vec<usize>>,
    /// Order of discovery from 1; 0 is unseen.
    number: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    counter: usize,
    found: Vec<Vec<usize>>,
}

impl Search {
    fn enter(&mut self, node: usize) {
        self.counter += 1;
        self.number[node] = self.counter;
        self.low[node] = self.counter;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn from(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, next)) = path.pop() {
            if let Some(&successor) = self.successors[node].get(next) {
                path.push((node, next + 1));
                if self.number[successor] == 0 {
                    self.enter(successor);
                    path.push((successor, 0));
                } else if self.on_stack[successor] {
                    self.low[node] = self.low[node].min(self.number[successor]);
                }
                continue;
            }
            if self.low[node] == self.number[node] {
                let mut members = Vec::new();
                while let Some(member) = self.stack.pop() {
                    self.on_stack[member] = false;
                    members.push(member);
                    if member == node {
                        break;
                    }
                }
                members.sort_unstable();
                self.found.push(members);
            }
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
        }
    }
}
