//! Candidates about strings and pointers, from templates.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Table 1 (templates 1 to 3 as "a zero follows", 5, 7
//! and 8 as "is within its object") and Sect. 6.2: an index and a string are combined only where one expression uses both.

use super::guess::Candidates;
use super::predicate::Predicate;
use crate::encode::{Automaton, Cell, ContextId, NodeId};
use crate::ir::{BinaryOp, Expr, ExprKind, Place, PlaceBase, Program, Type, TypeId, VarId};
use std::collections::BTreeSet;

/// Candidates at one head.
const MOST: usize = 24;

/// A string, or a pointer, and the index that is added to it.
type Use = (Cell, Option<Cell>, u8);

/// Adds the candidates to those at the heads of `automaton`'s loops.
pub fn add_strings(automaton: &Automaton<'_>, candidates: &mut Candidates) {
    for head in automaton.heads() {
        let list = candidates.entry(head).or_default();
        for (string, index, bytes) in uses(automaton, head).into_iter().take(MOST) {
            if bytes == 1 || bytes == 4 {
                list.push(Predicate::ZeroFollows { string, index, bytes });
            }
            list.push(Predicate::Within { string, index, bytes });
        }
    }
}

/// What the loop of `head` accesses: `p[i]`, `*p`, `a[i]`.
fn uses(automaton: &Automaton<'_>, head: NodeId) -> BTreeSet<Use> {
    let program = automaton.program;
    let mut found = BTreeSet::new();
    for (id, node) in automaton.nodes.iter_enumerated() {
        if !automaton.order.is_inside(id, head) {
            continue;
        }
        let mut finder = Finder { automaton, context: node.context, found: &mut found };
        let block = &program.functions[node.function].blocks[node.block];
        for stmt in &block.stmts[node.from..node.to] {
            for place in stmt.kind.written_places() {
                finder.place(place);
            }
            for e in stmt.kind.exprs() {
                finder.expr(e);
            }
        }
        if node.to == block.stmts.len()
            && let Some(e) = block.terminator.expr()
        {
            finder.expr(e);
        }
    }
    found
}

struct Finder<'f, 'p> {
    automaton: &'f Automaton<'p>,
    context: ContextId,
    found: &'f mut BTreeSet<Use>,
}

impl Finder<'_, '_> {
    fn program(&self) -> &Program {
        self.automaton.program
    }

    fn cell(&self, variable: VarId) -> Cell {
        let is_static = self.program().variables[variable].is_static();
        Cell { context: if is_static { crate::encode::automaton::ROOT } else { self.context }, variable }
    }

    fn expr(&mut self, e: &Expr) {
        let mut places = Vec::new();
        e.walk(&mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                places.push(place.clone());
            }
        });
        places.iter().for_each(|place| self.place(place));
    }

    fn place(&mut self, place: &Place) {
        let PlaceBase::Deref(pointer) = &place.base else { return };
        let Some(bytes) = self.bytes(place.ty) else { return };
        let (mut strings, mut indices) = (BTreeSet::new(), BTreeSet::new());
        self.parts(pointer, &mut strings, &mut indices);
        for string in strings {
            self.found.insert((string, None, bytes));
            self.found.extend(indices.iter().map(|index| (string, Some(*index), bytes)));
        }
    }

    /// The bytes of an integer type.
    fn bytes(&self, ty: TypeId) -> Option<u8> {
        let types = &self.program().types;
        types.as_int(ty)?;
        u8::try_from(types.size_of(ty)?).ok()
    }

    /// The pointers and arrays that a pointer is computed from, and the variables that are added.
    fn parts(&self, e: &Expr, strings: &mut BTreeSet<Cell>, indices: &mut BTreeSet<Cell>) {
        match &e.kind {
            ExprKind::AddrOf(v, 0)
                if matches!(self.program().types.get(self.program().variables[*v].ty), Type::Array(..)) =>
            {
                strings.insert(self.cell(*v));
            }
            ExprKind::PtrAdd(pointer, by) => {
                self.parts(pointer, strings, indices);
                self.indices(by, indices);
            }
            ExprKind::Cast(a) => self.parts(a, strings, indices),
            ExprKind::Load(place) => {
                if let Some(v) = place.as_var().filter(|v| self.is_plain(*v)) {
                    strings.insert(self.cell(v));
                }
            }
            _ => {}
        }
    }

    fn indices(&self, e: &Expr, indices: &mut BTreeSet<Cell>) {
        match &e.kind {
            ExprKind::Cast(a) => self.indices(a, indices),
            ExprKind::Binary(BinaryOp::Mul | BinaryOp::Add, a, b) => {
                self.indices(a, indices);
                self.indices(b, indices);
            }
            ExprKind::Load(place) => {
                if let Some(v) = place.as_var().filter(|v| self.is_plain(*v)) {
                    indices.insert(self.cell(v));
                }
            }
            _ => {}
        }
    }

    /// Whether the variable is a scalar that no pointer reaches.
    fn is_plain(&self, v: VarId) -> bool {
        let variable = &self.program().variables[v];
        self.program().types.is_scalar(variable.ty) && !variable.address_taken
    }
}
