//! Calls backwards: the callee's states in the context of the call.

use super::engine::Joined;
use super::resolve::Resolved;
use crate::domains::cell::{Cell, CellExpr, CellState};
use crate::domains::cell_set::CellStates;
use crate::ir::{CallId, Callee, Expr, ExprKind, FuncId, Place, TypeId, VarId};

impl Joined<'_> {
    /// States from which a call leads into `post` alone, or errs at a target inside.
    pub(super) fn call(
        &mut self,
        call: CallId,
        dest: Option<&Place>,
        callee: &Callee,
        args: &[Expr],
        post: &CellStates,
    ) -> CellStates {
        let functions = match callee {
            Callee::Direct(f) => vec![*f],
            Callee::Indirect(e) => match self.forward.noted.value(e) {
                Some(v) if v.pointers.targets().is_empty() && !v.pointers.is_any() => v.pointers.functions().to_vec(),
                _ => return CellStates::none(),
            },
        };
        // Whichever is called: what comes before holds for all of them.
        let mut all: Option<CellStates> = None;
        for f in functions {
            let before = self.call_one(f, call, dest, args, post);
            all = Some(all.map_or(before.clone(), |all| all.lower_meet(&before)));
        }
        all.unwrap_or_default()
    }

    fn call_one(
        &mut self,
        f: FuncId,
        call: CallId,
        dest: Option<&Place>,
        args: &[Expr],
        post: &CellStates,
    ) -> CellStates {
        if !self.program.functions[f].has_body() || (post.is_none() && !self.erring.contains(&f)) {
            return CellStates::none();
        }
        let after = match dest {
            Some(dest) => self.receive(f, dest, post),
            None => post.clone(),
        };
        let mut before = self.function(f, Some(call), &after);
        let params = self.program.functions[f].params.clone();
        for (param, arg) in params.into_iter().zip(args) {
            before = self.pass(param, arg, &before);
        }
        before
    }

    /// The result goes to its place.
    fn receive(&mut self, f: FuncId, dest: &Place, post: &CellStates) -> CellStates {
        let base = Joined::result_base(f);
        let Some(ty) = self.cell_type(dest.ty) else {
            return match (self.targets(dest).as_deref(), self.program.types.size_of(dest.ty)) {
                (Some([to]), Some(bytes)) if !self.program.types.is_scalar(dest.ty) => {
                    let to = (to.base, to.offset);
                    post.map(|part| part.copied(to, (base, 0), bytes))
                }
                _ => self.havoc(dest, post),
            };
        };
        if dest.bits.is_some() {
            return self.havoc(dest, post);
        }
        // The cell has the type of what is returned, which is converted to the place's.
        let returned = self.returned(f).and_then(|t| self.cell_type(t)).unwrap_or(ty);
        let value = CellExpr::Cell(Cell { base, offset: 0, ty: returned });
        let value = match (returned == ty, ty.int()) {
            (false, Some(int)) => CellExpr::Convert(Box::new(value), int),
            _ => value,
        };
        self.write(dest, ty, &[Resolved::from(value)], post)
    }

    fn returned(&self, f: FuncId) -> Option<TypeId> {
        self.program.functions[f].blocks.iter().find_map(|b| match &b.terminator {
            crate::ir::Terminator::Return(Some(e)) => Some(e.ty),
            _ => None,
        })
    }

    /// A parameter gets its argument.
    fn pass(&mut self, param: VarId, arg: &Expr, post: &CellStates) -> CellStates {
        let place = Place::var(param, self.program.variables[param].ty);
        self.give(self.variable(param), place.ty, arg, post)
    }

    /// The start of a base gets a value, which is all that the base ever held.
    pub(super) fn give(
        &mut self,
        base: crate::domains::BaseId,
        ty: TypeId,
        value: &Expr,
        post: &CellStates,
    ) -> CellStates {
        let after = match self.cell_type(ty) {
            Some(cell) => {
                let target = super::resolve::Target { base, offset: 0, when: Vec::new(), known: Vec::new() };
                let mut all = CellStates::none();
                for way in self.expr(value) {
                    all.lower_join(self.write_one(&target, cell, &way, post));
                }
                all
            }
            None => match &value.kind {
                ExprKind::Load(source) => {
                    let bytes = self.program.types.size_of(ty).unwrap_or(0);
                    match self.targets(source).as_deref() {
                        Some([from]) => post.map(|part| part.copied((base, 0), (from.base, from.offset), bytes)),
                        _ => post.clone(),
                    }
                }
                _ => post.clone(),
            },
        };
        after.map(|part: &CellState| part.with_life(base, 1)?.without(base))
    }
}
