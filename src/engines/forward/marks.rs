//! Marks: numbers that the program asks for in a variable, `last == -1`. Where one stands there, others are mostly known, too: nothing has been
//! read yet, nothing counted. Pointers have none: what NULL tells is told without it.

use super::functions::each_expr;
use super::texts::Holder;
use crate::domains::{BaseId, Value};
use crate::ir::{BinaryOp, ExprKind, Program};
use std::collections::BTreeSet;

/// Variables and what they are compared with.
#[derive(Debug)]
pub struct Marks(BTreeSet<(BaseId, i128)>);

impl Marks {
    /// All marks of a program: what its variables are compared with by `==` and `!=`.
    pub fn new(program: &Program) -> Marks {
        let mut all = BTreeSet::new();
        for f in program.functions.indices() {
            each_expr(program, f, &mut |e| {
                if let ExprKind::Binary(BinaryOp::Eq | BinaryOp::Ne, a, b) = &e.kind {
                    let pair = [(a, b), (b, a)]
                        .into_iter()
                        .find_map(|(a, b)| Some((a.without_casts(), b.without_casts().as_int()?)));
                    let Some((ExprKind::Load(place), number)) = pair.map(|(e, number)| (&e.kind, number)) else {
                        return;
                    };
                    let var = place.as_var().filter(|v| !program.types.is_pointer(program.variables[*v].ty));
                    all.extend(var.map(|v| (BaseId(v.0), number)));
                }
            });
        }
        Marks(all)
    }
    /// Whether the program asks if the number is in the cell.
    pub fn has(&self, cell: Holder, value: &Value) -> bool {
        cell.at == 0 && value.as_constant().is_some_and(|number| self.0.contains(&(cell.base, number)))
    }
}
