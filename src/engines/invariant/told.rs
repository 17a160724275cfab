//! What is proved of the automaton's loops, as invariants of the loops in the program's text.
//!
//! A loop of the text is several of the automaton where its function is called several times: what holds of it is what holds in each
//! of its activations, else that one of their lists holds.

use super::predicate::Predicate;
use super::scope::may_name;
use crate::encode::{Automaton, NodeId};
use crate::engines::task::answer::LoopInvariant;
use crate::ir::{BlockId, FuncId};
use std::collections::{BTreeMap, BTreeSet};

/// A formula in C or in words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Said {
    pub formula: String,
    /// Whether it is an expression of C that means what it says at the loop.
    pub is_expression: bool,
}

impl Said {
    /// What `predicate` says at `head`.
    pub fn of(automaton: &Automaton<'_>, head: NodeId, predicate: &Predicate) -> Said {
        let program = automaton.program;
        let are_named = || predicate.cells().into_iter().all(|cell| may_name(automaton, head, cell));
        let is_expression = predicate.is_expression(program) && are_named();
        Said { formula: predicate.in_c(program), is_expression }
    }
}

/// The invariants of the text's loops, from what holds at all heads that are reached.
pub fn tell(automaton: &Automaton<'_>, at: &BTreeMap<NodeId, BTreeSet<Said>>) -> Vec<LoopInvariant> {
    let program = automaton.program;
    let mut loops: BTreeMap<(FuncId, BlockId), Vec<NodeId>> = BTreeMap::new();
    for head in at.keys() {
        let node = &automaton.nodes[*head];
        loops.entry((node.function, node.block)).or_default().push(*head);
    }
    let mut list = Vec::new();
    for (head, activations) in loops {
        let function = &program.functions[head.0];
        let span = function.blocks[head.1].keyword.unwrap_or_else(|| automaton.span(activations[0]));
        let lists: Vec<&BTreeSet<Said>> = activations.iter().map(|head| &at[head]).collect();
        for Said { formula, is_expression } in in_each(&lists) {
            list.push(LoopInvariant { span, head, function: function.name.clone(), formula, is_expression });
        }
    }
    list.sort();
    list
}

/// What follows from each of the lists.
fn in_each(lists: &[&BTreeSet<Said>]) -> BTreeSet<Said> {
    let in_all = |said: &&Said| lists.iter().all(|list| list.contains(*said));
    let mut all: BTreeSet<Said> = lists.iter().flat_map(|list| list.iter()).filter(in_all).cloned().collect();
    let own: BTreeSet<Vec<&Said>> =
        lists.iter().map(|list| list.iter().filter(|said| !all.contains(*said)).collect()).collect();
    if own.len() > 1 && own.iter().all(|rest| !rest.is_empty()) {
        let text = |rest: &Vec<&Said>| {
            let parts: Vec<String> = rest.iter().map(|said| format!("({})", said.formula)).collect();
            format!("({})", parts.join(" && "))
        };
        let formula = own.iter().map(text).collect::<Vec<_>>().join(" || ");
        let is_expression = own.iter().flatten().all(|said| said.is_expression);
        all.insert(Said { formula, is_expression });
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(formulas: &[&str]) -> BTreeSet<Said> {
        formulas.iter().map(|f| Said { formula: (*f).to_owned(), is_expression: true }).collect()
    }

    fn joined(lists: &[&[&str]]) -> Vec<String> {
        let lists: Vec<_> = lists.iter().map(|l| list(l)).collect();
        in_each(&lists.iter().collect::<Vec<_>>()).into_iter().map(|said| said.formula).collect()
    }

    #[test]
    fn activations_share_what_holds_in_each() {
        assert_eq!(joined(&[&["a <= 1", "b"]]), ["a <= 1", "b"]);
        assert_eq!(joined(&[&["a <= 1", "b"], &["a <= 2", "b"]]), ["((a <= 1)) || ((a <= 2))", "b"]);
        assert_eq!(joined(&[&["a <= 1", "b"], &["b"]]), ["b"]);
        assert_eq!(joined(&[&["b"], &["b"]]), ["b"]);
    }
}
