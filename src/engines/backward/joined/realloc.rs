//! `realloc` backwards: an allocation, a copy of what fits, and a free; or a failure that leaves all as it was.

use super::engine::{Joined, number};
use super::resolve::{Goals, Resolved, Target};
use crate::domains::cell::{Cell, CellExpr, CellState, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{BaseId, Int, IntType, Pointers, Value};
use crate::engines::forward::Base;
use crate::ir::{AllocId, BinaryOp, Expr, InputId, Place};

/// What is resized, and to what.
struct Resize {
    /// The block before; None for NULL.
    old: Option<BaseId>,
    /// What the pointer has to be.
    pointer: Goals,
    recent: BaseId,
    older: Option<BaseId>,
}

impl Joined<'_> {
    /// States from which resizing a block leads into `post` alone.
    pub(super) fn realloc(
        &mut self,
        alloc: AllocId,
        dest: &Place,
        ptr: &Expr,
        size: &Expr,
        fails: InputId,
        post: &CellStates,
    ) -> CellStates {
        let ty = CellType::Pointer { bytes: self.program.types.pointer_size() as u8 };
        let (base, post) = self.next_input(fails, post);
        let flag = Cell { base, offset: 0, ty: CellType::Int { bytes: 1, signed: false } };
        let null = Resolved { e: number(0), when: Vec::new(), known: vec![(flag, Value::constant(1))] };
        let mut all = self.write(dest, ty, &[null], &post).map(|part| part.among(&[(flag, Value::constant(1))]));
        let (Some((recent, older)), Some(targets)) = (self.blocks(alloc), self.targets(dest)) else { return all };
        let amounts = self.expr(size);
        for resize in self.resizes(ptr, recent, older) {
            for (target, amount) in targets.iter().flat_map(|t| amounts.iter().map(move |a| (t, a))) {
                let made = self.resized(target, &resize, amount, &post);
                all.lower_join(made.map(|part| part.among(&[(flag, Value::constant(0))])));
            }
        }
        all
    }

    /// The blocks that may be resized. One of the same allocation would change its base: it is left out.
    fn resizes(&self, ptr: &Expr, recent: BaseId, older: Option<BaseId>) -> Vec<Resize> {
        let Some(value) = self.forward.noted.value(ptr).filter(|v| !v.pointers.is_any()) else { return Vec::new() };
        let mut all = Vec::new();
        for way in self.expr(ptr) {
            for (base, _) in value.pointers.targets() {
                let same = *base == recent || Some(*base) == older;
                if same || self.forward.bases.is_summary_base(*base) || !self.forward.bases.is_block(*base) {
                    continue;
                }
                let start = Value::pointers(Pointers::to(*base, Int::constant(0)));
                let pointer = [way.when.clone(), vec![(way.e.clone(), start)]].concat();
                all.push(Resize { old: Some(*base), pointer, recent, older });
            }
            if value.int.is_some() {
                let null = CellExpr::with_number(BinaryOp::Eq, way.e.clone(), 0, IntType::signed(32));
                let pointer = [way.when.clone(), vec![(null, Value::constant(1))]].concat();
                all.push(Resize { old: None, pointer, recent, older });
            }
        }
        all
    }

    fn resized(&mut self, target: &Target, resize: &Resize, amount: &Resolved, post: &CellStates) -> CellStates {
        let ty = CellType::Pointer { bytes: self.program.types.pointer_size() as u8 };
        let dest = Cell { base: target.base, offset: target.offset, ty };
        let address = CellExpr::Address(resize.recent, 0);
        let mut all = CellStates::none();
        for part in post.parts() {
            let size = part.cells.get(&Joined::size(resize.recent)).cloned();
            let before = part
                .backward_assign(dest, &address, &target.known)
                .and_then(|s| s.with_life(resize.recent, 1))
                .and_then(|s| self.content_moved(&s, resize));
            let Some((before, end)) = before else { continue };
            let Some(before) = before.unfolded(resize.recent, resize.older) else { continue };
            let mut goals: Goals = [&resize.pointer[..], &target.when, &amount.when].concat();
            goals.push((amount.e.clone(), Value::int(Int::range(end.max(1), i64::MAX.into()))));
            goals.extend(size.map(|wanted| (amount.e.clone(), wanted)));
            if let Some(old) = resize.old.filter(|_| end > 0) {
                goals.push((CellExpr::Cell(Joined::size(old)), Value::int(Int::range(end, i64::MAX.into()))));
            }
            let known: Vec<(Cell, Value)> = amount.known.iter().chain(&target.known).cloned().collect();
            let known: Vec<(Cell, Value)> =
                known.into_iter().chain(resize.old.and_then(|b| self.known_size(b))).collect();
            all.lower_join(CellStates::of(self.satisfy(&before, &known, &goals)));
        }
        all
    }

    /// What is asked of the new block is asked of the old one, which dies; and how many bytes have to be copied.
    fn content_moved(&self, state: &CellState, resize: &Resize) -> Option<(CellState, i128)> {
        let mut state = match resize.old {
            Some(old) => state.with_life(old, 0)?,
            None => state.clone(),
        };
        state.cells.remove(&Joined::size(resize.recent));
        let content: Vec<Cell> = state.cells.keys().copied().filter(|c| c.base == resize.recent).collect();
        let mut end = 0;
        for cell in content {
            let value = state.cells.remove(&cell)?;
            let there = Cell { base: resize.old?, ..cell };
            end = end.max(i128::from(cell.offset + cell.ty.bytes()));
            if !state.cut(there, &value) {
                return None;
            }
        }
        let heap = |b: BaseId| matches!(self.forward.bases.get(b), Base::Heap { .. });
        (end == 0 || resize.old.is_some_and(heap)).then_some((state, end))
    }
}
