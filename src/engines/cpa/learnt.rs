//! What an attempt has learnt on the way, whether or not it decided its task: interpolants, and the graph as it was in the end.

use super::arg::ArgNodes;
use super::blocks::Blocks;
use super::c_expression::{Name, conjuncts_in_c};
use super::certificate::Labels;
use super::interpolate::{Sequence, Strategy};
use super::words::in_words;
use crate::encode::{Cell, NodeId};
use crate::engines::invariant::scope::may_name;
use crate::engines::invariant::told::{Said, tell};
use crate::engines::task::answer::LoopInvariant;
use crate::ir::{BlockId, FuncId};
use crate::smt::Term;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// What was learnt.
#[derive(Clone, Debug, Default)]
pub struct Learnt {
    pub interpolants: BTreeSet<Interpolant>,
    /// Of a proof: by loop head what holds there, in C.
    pub labels: BTreeSet<((FuncId, BlockId), String)>,
    /// Checked sequences by who made them.
    pub sequences: BTreeMap<Strategy, u64>,
    /// Paths for which none was found.
    pub without: u64,
    /// The abstract reachability graph, for Graphviz.
    pub graph: Option<String>,
}

/// A part of an interpolant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Interpolant {
    /// The loop's head.
    pub head: (FuncId, BlockId),
    /// In C.
    pub formula: String,
    pub strategy: Strategy,
}

/// Interpolants kept.
const MOST: usize = 2000;

impl Learnt {
    /// Notes a checked sequence for a path along `heads`.
    pub fn note(&mut self, blocks: &Blocks<'_, '_>, heads: &[NodeId], sequence: &Sequence) {
        *self.sequences.entry(sequence.strategy).or_insert(0) += 1;
        for (head, formulas) in heads.iter().zip(&sequence.formulas) {
            let names = names(blocks, *head);
            for formula in formulas.iter().filter(|f| blocks.encoder.pool.constant(**f).is_none()) {
                if self.interpolants.len() < MOST
                    && let Some(formula) = in_words(&blocks.encoder.pool, *formula, &names)
                {
                    let node = &blocks.encoder.automaton.nodes[*head];
                    let head = (node.function, node.block);
                    self.interpolants.insert(Interpolant { head, formula, strategy: sequence.strategy });
                }
            }
        }
    }

    /// Notes what holds at loop heads, once that is proved.
    pub fn note_labels(&mut self, blocks: &Blocks<'_, '_>, labels: &Labels) {
        for (head, label) in labels {
            if let Some(formula) = in_words(&blocks.encoder.pool, *label, &names(blocks, *head)) {
                let node = &blocks.encoder.automaton.nodes[*head];
                self.labels.insert(((node.function, node.block), formula));
            }
        }
    }

    /// What the labels say of the loops in the text, as far as C can say it.
    pub fn invariants(blocks: &Blocks<'_, '_>, labels: &Labels) -> Vec<LoopInvariant> {
        let said = |(head, label): (&NodeId, &Term)| {
            let texts = conjuncts_in_c(&blocks.encoder.pool, *label, &nameable(blocks, *head));
            let all = texts.into_iter().map(|formula| Said { formula, is_expression: true }).collect();
            (*head, all)
        };
        tell(blocks.encoder.automaton, &labels.iter().map(said).collect())
    }

    /// Draws the graph: nodes with their labels, what they were reached from, and by what they are covered.
    pub fn draw(&mut self, blocks: &Blocks<'_, '_>, nodes: &ArgNodes) {
        let mut out = "digraph arg {\n    node [shape=box];\n    start [label=\"start\"];\n".to_owned();
        for (id, node) in nodes.iter_enumerated() {
            let place = blocks.encoder.automaton.span(node.head);
            let place = blocks.encoder.program.sources.describe(place);
            let label = in_words(&blocks.encoder.pool, node.label, &names(blocks, node.head));
            let label = label.unwrap_or_else(|| "...".to_owned());
            let text = format!("{place}\n{label}").replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            let _ = writeln!(out, "    a{} [label=\"{text}\"];", id.0);
            match node.parent {
                Some(parent) => {
                    let _ = writeln!(out, "    a{} -> a{};", parent.0, id.0);
                }
                None => {
                    let _ = writeln!(out, "    start -> a{};", id.0);
                }
            }
            if let Some(by) = node.covered {
                let _ = writeln!(out, "    a{} -> a{} [style=dashed, label=\"covered\"];", id.0, by.0);
            }
        }
        out.push_str("}\n");
        self.graph = Some(out);
    }

    /// The shares of the strategies, in words; nothing when no sequence was asked for.
    pub fn shares(&self) -> Option<String> {
        let made: Vec<String> = self.sequences.iter().map(|(s, n)| format!("{n} {}", s.name())).collect();
        let missing = (self.without > 0).then(|| format!("{} not found", self.without));
        let all: Vec<String> = made.into_iter().chain(missing).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// The variables of a head's frame that an expression there may name.
fn nameable(blocks: &Blocks<'_, '_>, head: NodeId) -> FxHashMap<Term, Name> {
    let program = blocks.encoder.program;
    let Some(frame) = blocks.frames.get(&Some(head)) else { return FxHashMap::default() };
    let named = |(cell, term): (&Cell, &Term)| {
        let variable = &program.variables[cell.variable];
        let kind = program.types.as_int(variable.ty)?;
        let name = Name { text: variable.name.clone(), signed: kind.signed() };
        may_name(blocks.encoder.automaton, head, *cell).then_some((*term, name))
    };
    frame.variables.iter().filter_map(named).collect()
}

/// The variables of a head's frame, as the program calls them.
fn names(blocks: &Blocks<'_, '_>, head: NodeId) -> FxHashMap<Term, String> {
    let Some(frame) = blocks.frames.get(&Some(head)) else { return FxHashMap::default() };
    let name = |cell: &Cell| blocks.encoder.program.variables[cell.variable].name.clone();
    frame.variables.iter().map(|(cell, term)| (*term, name(cell))).collect()
}
