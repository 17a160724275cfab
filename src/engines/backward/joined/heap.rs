//! Allocations, frees and lifetimes backwards.
//!
//! See: 000, Sect. 3, cases (7a)-(8c). We differ in that a freed block stays, with a cell that says whether it lives, so that
//! uses after it can be asked for.

use super::engine::{Joined, number};
use super::resolve::{Resolved, Target};
use crate::domains::cell::{Cell, CellExpr, CellState, CellType};
use crate::domains::cell_set::CellStates;
use crate::domains::{BaseId, Int, IntType, Pointers, Value};
use crate::engines::forward::Base;
use crate::ir::{AllocId, BinaryOp, Expr, InputId, Place};

/// The largest block.
const LARGEST: i128 = i64::MAX as i128;

impl CellState {
    /// The state before an object began or ceased to live; None when it says otherwise.
    pub(super) fn with_life(&self, base: BaseId, life: i128) -> Option<CellState> {
        let cell = Joined::life(base);
        let agrees = self.cells.get(&cell).is_none_or(|v| Value::constant(life).leq(v));
        let mut state = self.clone();
        state.cells.remove(&cell);
        agrees.then_some(state)
    }
    /// The state, when it says nothing of what a base holds.
    pub(super) fn without(&self, base: BaseId) -> Option<CellState> {
        (!self.cells.keys().any(|c| c.base == base)).then(|| self.clone())
    }
    /// `bytes` bytes are copied: what holds of them there has to hold of them here before. None where a cell sticks out.
    pub(super) fn copied(
        &self,
        (to, at): (BaseId, u64),
        (from, start): (BaseId, u64),
        bytes: u64,
    ) -> Option<CellState> {
        let mut state = self.clone();
        let end = at + bytes;
        let mut moved = Vec::new();
        for (cell, value) in &self.cells {
            if cell.base != to || cell.offset + cell.ty.bytes() <= at || end <= cell.offset {
                continue;
            }
            if cell.offset < at || end < cell.offset + cell.ty.bytes() {
                return None;
            }
            state.cells.remove(cell);
            moved.push((Cell { base: from, offset: cell.offset - at + start, ..*cell }, value));
        }
        // Parts of one object may overlap: nothing is moved before all is taken away.
        moved.into_iter().all(|(cell, value)| state.cut(cell, value)).then_some(state)
    }
}

impl Joined<'_> {
    /// The bases of an allocation site in the current context, the last block's first.
    pub(super) fn blocks(&self, alloc: AllocId) -> Option<(BaseId, Option<BaseId>)> {
        let call = self.stack.last().and_then(|c| c.1);
        let find = |recent| self.forward.bases.find(Base::Heap { alloc, call, recent });
        Some((find(true)?, find(false)))
    }

    /// A block is allocated, or not, as an input says.
    pub(super) fn alloc(
        &mut self,
        alloc: AllocId,
        dest: &Place,
        size: &Expr,
        zeroed: bool,
        fails: Option<InputId>,
        post: &CellStates,
    ) -> CellStates {
        let ty = CellType::Pointer { bytes: self.program.types.pointer_size() as u8 };
        let mut all = CellStates::none();
        let (post, flag) = match fails {
            Some(input) => {
                let (base, moved) = self.next_input(input, post);
                (moved, Some(Cell { base, offset: 0, ty: CellType::Int { bytes: 1, signed: false } }))
            }
            None => (post.clone(), None),
        };
        if let Some(flag) = flag {
            let known = vec![(flag, Value::constant(1))];
            let null = Resolved { e: number(0), when: Vec::new(), known };
            let failed = self.write(dest, ty, &[null], &post);
            all.lower_join(failed.map(|part| part.among(&[(flag, Value::constant(1))])));
        }
        let Some((recent, older)) = self.blocks(alloc) else { return all };
        let Some(targets) = self.targets(dest) else { return all };
        for target in &targets {
            for amount in self.expr(size) {
                let made = self.made(target, (recent, older), &amount, zeroed, &post);
                all.lower_join(made.map(|part| match flag {
                    Some(flag) => part.among(&[(flag, Value::constant(0))]),
                    None => Some(part.clone()),
                }));
            }
        }
        all
    }

    /// The block is made, of a size that the state may ask for.
    fn made(
        &mut self,
        target: &Target,
        (recent, older): (BaseId, Option<BaseId>),
        amount: &Resolved,
        zeroed: bool,
        post: &CellStates,
    ) -> CellStates {
        let dest = Cell {
            base: target.base,
            offset: target.offset,
            ty: CellType::Pointer { bytes: self.program.types.pointer_size() as u8 },
        };
        let mut all = CellStates::none();
        for part in post.parts() {
            let size = part.cells.get(&Joined::size(recent)).cloned();
            let Some(before) = part.before_block(dest, &target.known, (recent, older), zeroed) else { continue };
            let mut goals: Vec<(CellExpr, Value)> = amount.when.iter().chain(&target.when).cloned().collect();
            goals.push((amount.e.clone(), Value::int(Int::range(0, LARGEST))));
            goals.extend(size.map(|wanted| (amount.e.clone(), wanted)));
            if let Some(state) = self.satisfy(&before, &amount.known, &goals) {
                all.add(state);
            }
        }
        all
    }

    /// A block is freed, or nothing.
    pub(super) fn free(&mut self, ptr: &Expr, post: &CellStates) -> CellStates {
        let Some(value) = self.forward.noted.value(ptr).cloned() else { return CellStates::none() };
        let lives = |c: &Cell| *c == Joined::life(c.base) && self.forward.bases.is_block(c.base);
        if !post.parts().iter().any(|p| p.cells.keys().any(lives)) {
            return post.clone();
        }
        if value.pointers.is_any() {
            return CellStates::none();
        }
        let alone = value.int.is_none() && value.pointers.targets().len() == 1;
        let mut all = CellStates::none();
        for way in self.expr(ptr) {
            for (base, offset) in value.pointers.targets() {
                let summary = self.forward.bases.is_summary_base(*base);
                let mut goals = way.when.clone();
                if !alone {
                    goals.push((way.e.clone(), Value::pointers(Pointers::to(*base, *offset))));
                }
                for part in post.parts() {
                    let Some(before) = part.before_death(*base, summary) else { continue };
                    if let Some(state) = self.satisfy(&before, &way.known, &goals) {
                        all.add(state);
                    }
                }
            }
            if value.int.is_some() {
                let mut goals = way.when.clone();
                let zero = Box::new(number(0));
                let e = CellExpr::Binary(BinaryOp::Eq, Box::new(way.e.clone()), zero, IntType::signed(32));
                goals.push((e, Value::constant(1)));
                for part in post.parts() {
                    if let Some(state) = self.satisfy(part, &way.known, &goals) {
                        all.add(state);
                    }
                }
            }
        }
        all
    }
}

impl CellState {
    /// The state before a block is made whose address `dest` gets: (7a), and (7b) where a site has no older blocks.
    pub(super) fn before_block(
        &self,
        dest: Cell,
        known: &[(Cell, Value)],
        (recent, older): (BaseId, Option<BaseId>),
        zeroed: bool,
    ) -> Option<CellState> {
        self.backward_assign(dest, &CellExpr::Address(recent, 0), known)?
            .with_life(recent, 1)?
            .new_block(recent, zeroed)?
            .unfolded(recent, older)
    }
    /// The state before a block of a base dies. Of the older blocks only one does: the others have to be as they are.
    pub(super) fn before_death(&self, base: BaseId, is_summary: bool) -> Option<CellState> {
        let before = self.with_life(base, 0)?;
        Some(if is_summary { self.clone() } else { before })
    }
    /// Without what it says of a block that is new: nothing, or that bytes are zero.
    fn new_block(&self, base: BaseId, zeroed: bool) -> Option<CellState> {
        let mut state = self.clone();
        state.cells.remove(&Joined::size(base));
        let content: Vec<Cell> = state.cells.keys().copied().filter(|c| c.base == base).collect();
        for cell in content {
            let value = state.cells.remove(&cell)?;
            if !(zeroed && Value::constant(0).leq(&value)) {
                return None;
            }
        }
        Some(state)
    }
    /// `fold` backwards: nothing points to the block before it is made, and what is required of the older blocks is required
    /// of what was the last one then.
    pub(super) fn unfolded(&self, recent: BaseId, older: Option<BaseId>) -> Option<CellState> {
        let mut state = CellState::default();
        for (cell, value) in &self.cells {
            let mut value = value.clone();
            if !value.pointers.is_any() {
                value.pointers = value.pointers.filter_targets(|b, o| (b != recent).then_some(o));
                if let Some(offset) = older.and_then(|b| value.pointers.offset(b)) {
                    value.pointers = value.pointers.join(&Pointers::to(recent, offset));
                }
            }
            if value.is_bottom() {
                return None;
            }
            if Some(cell.base) == older {
                state.cells.insert(Cell { base: recent, ..*cell }, value.clone());
            }
            state.cells.insert(*cell, value);
        }
        Some(state)
    }
}
