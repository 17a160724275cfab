//! Which conditions of a path share inputs with each other.

use super::term::{Node, TermId, Terms, VarNo};
use crate::base::{Idx, IndexVec};
use std::rc::Rc;

/// Inputs of one term beyond which it is taken to depend on everything.
const MOST: usize = 64;

/// The conditions of a path, put together where they share inputs, up to a place that moves along the path.
pub struct Slices {
    /// The inputs of each term, in ascending order; None: too many.
    inputs: IndexVec<TermId, Option<Rc<[VarNo]>>>,
    conditions: Vec<TermId>,
    /// How many conditions are put together.
    done: usize,
    /// Of each input another one of its group, or itself.
    parents: Vec<VarNo>,
    /// Of each group's first input the numbers of its conditions.
    groups: Vec<Vec<usize>>,
}

impl Slices {
    /// Those of a path; none is put together yet.
    pub fn of(terms: &Terms, conditions: &[(TermId, bool)]) -> Slices {
        let mut inputs: IndexVec<TermId, Option<Rc<[VarNo]>>> = IndexVec::new();
        for number in 0..terms.count() {
            let all = match terms.get(TermId::new(number)).node {
                Node::Input(v) => Some(Rc::from([v])),
                Node::Const(_) => Some(Rc::from([])),
                Node::Not(a) | Node::Convert(a) => inputs[a].clone(),
                Node::Binary(_, a, b) | Node::Fits(_, a, b) => joined(&inputs[a], &inputs[b]),
            };
            inputs.push(all);
        }
        let count = terms.variables().len();
        let parents = (0..count).map(VarNo::new).collect();
        let conditions = conditions.iter().map(|(term, _)| *term).collect();
        Slices { inputs, conditions, done: 0, parents, groups: vec![Vec::new(); count] }
    }

    /// The inputs of a term; none where they are too many.
    pub fn variables(&self, term: TermId) -> &[VarNo] {
        self.inputs[term].as_deref().unwrap_or_default()
    }

    /// The numbers of the first `before` conditions that share inputs with these terms, and the inputs of the terms; None where they have too many or none.
    /// Places that are asked about come in the order of the path.
    pub fn with(&mut self, before: usize, terms: &[TermId]) -> Option<(Vec<usize>, Vec<VarNo>)> {
        while self.done < before {
            self.take(self.done);
            self.done += 1;
        }
        let mut variables = Vec::new();
        for term in terms {
            variables.extend(self.inputs[*term].as_deref()?);
        }
        let mut roots: Vec<VarNo> = variables.iter().map(|v| self.root(*v)).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut conditions: Vec<usize> =
            roots.iter().flat_map(|root| self.groups[root.index()].iter().copied()).collect();
        conditions.sort_unstable();
        conditions.retain(|condition| *condition < before);
        (!variables.is_empty()).then_some((conditions, variables))
    }

    /// Puts a condition to those that share inputs with it.
    fn take(&mut self, condition: usize) {
        let Some(inputs) = self.inputs[self.conditions[condition]].clone() else { return };
        let Some(first) = inputs.first() else { return };
        let mut root = self.root(*first);
        for other in &inputs[1..] {
            let other = self.root(*other);
            if other == root {
                continue;
            }
            let (small, large) = match self.groups[other.index()].len() < self.groups[root.index()].len() {
                true => (other, root),
                false => (root, other),
            };
            let moved = std::mem::take(&mut self.groups[small.index()]);
            self.groups[large.index()].extend(moved);
            self.parents[small.index()] = large;
            root = large;
        }
        self.groups[root.index()].push(condition);
    }

    fn root(&mut self, mut v: VarNo) -> VarNo {
        while self.parents[v.index()] != v {
            let above = self.parents[self.parents[v.index()].index()];
            self.parents[v.index()] = above;
            v = above;
        }
        v
    }
}

/// The inputs of two terms together.
fn joined(a: &Option<Rc<[VarNo]>>, b: &Option<Rc<[VarNo]>>) -> Option<Rc<[VarNo]>> {
    let (x, y) = (a.as_ref()?, b.as_ref()?);
    if y.is_empty() || x == y {
        return Some(x.clone());
    }
    if x.is_empty() {
        return Some(y.clone());
    }
    let mut all: Vec<VarNo> = x.iter().chain(y.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST).then(|| all.into())
}

#[cfg(test)]
mod tests {
    use super::super::term::Key;
    use super::*;
    use crate::concrete::InputPlace;
    use crate::domains::IntType;
    use crate::ir::{BinaryOp, FuncId};

    #[test]
    fn conditions_are_put_together_by_the_inputs_that_they_share() {
        let mut terms = Terms::default();
        let ty = IntType::signed(32);
        let mut input = |number| {
            let key = Key { place: InputPlace::Parameter(FuncId(0), number), occurrence: 0, byte: None };
            terms.input(key, ty, (0, 9), 1).unwrap()
        };
        let [x, y, z] = [input(0), input(1), input(2)];
        let conditions = [
            (terms.with_number(BinaryOp::Lt, x, 5), true),
            (terms.with_number(BinaryOp::Lt, y, 5), true),
            (terms.with_number(BinaryOp::Lt, z, 5), true),
            (terms.binary(BinaryOp::Lt, x, y), false),
        ];
        let mut slices = Slices::of(&terms, &conditions);
        assert_eq!(slices.with(3, &[x]).unwrap().0, [0]);
        assert_eq!(slices.with(4, &[x]).unwrap().0, [0, 1, 3]);
        assert_eq!(slices.with(4, &[z]).unwrap().0, [2]);
        assert_eq!(slices.with(4, &[conditions[3].0]).unwrap().1.len(), 2);
    }
}
