//! What lists say of pointers that are read.

use super::facts::{Chain, Kind, Known, bit};
use crate::domains::BaseId;
use crate::engines::forward::evaluate::View;
use crate::engines::forward::refine::copies_of;
use crate::engines::forward::texts::Holder;
use crate::ir::{Expr, ExprKind, Place};

impl View<'_> {
    /// Whether a pointer leads to a block of a list, or to one that a list owns, where it leads to a block. `copies`: places that hold the same.
    pub fn lives_in_list(&self, pointer: &Expr, copies: &[(Place, Place)]) -> bool {
        if self.state.lists().is_none() {
            return false;
        }
        let types = &self.program.types;
        match &pointer.kind {
            ExprKind::Cast(a) if types.is_pointer(a.ty) => self.lives_in_list(a, copies),
            ExprKind::PtrAdd(p, _) => self.lives_in_list(p, copies),
            ExprKind::Load(place) => copies_of(copies, place).into_iter().any(|place| self.is_in_list(place, pointer)),
            _ => false,
        }
    }

    fn is_in_list(&self, place: &Place, pointer: &Expr) -> bool {
        let lists = self.state.lists();
        let is_link = |cell: Holder| lists.ties().iter().any(|tie| tie.kind == Kind::Link && tie.a == cell);
        if let Some(cell) = self.holder(place) {
            let is_head = lists.chains().iter().any(|(list, _)| list.head == cell);
            return is_head || is_link(cell) && self.others_live(pointer);
        }
        self.field(place).is_some_and(|(head, at)| {
            at == 0 && is_link(head)
                || self.lists_at(head).any(|(next, known)| {
                    next == at || known.owned & bit(at, head.size) != 0 && self.others_live(pointer)
                })
        })
    }

    /// Whether what a place holds is not NULL, as for each block of a list.
    pub fn is_set_in_list(&self, place: &Place) -> bool {
        let is_pointer = self.program.types.is_pointer(place.ty);
        let field = || self.field(place).filter(|_| is_pointer && !self.state.lists().is_none());
        field().is_some_and(|(head, at)| self.lists_at(head).any(|(_, known)| known.set & bit(at, head.size) != 0))
    }

    /// The lists with blocks that start in a cell.
    fn lists_at(&self, head: Holder) -> impl Iterator<Item = (i64, Known)> {
        let nexts = self.state.lists().nexts().into_iter();
        let known = move |next| Some((next, self.state.list(self.bases, Chain { head, next })?));
        nexts.filter_map(known).filter(|(_, known)| !known.is_empty())
    }

    /// Whether what else than blocks a pointer may lead to lives.
    fn others_live(&self, pointer: &Expr) -> bool {
        let value = self.eval(pointer);
        let lives = |base: BaseId| self.state.object(self.bases, base).is_some_and(|o| !o.life.may_be_dead);
        let mut targets = value.pointers.targets().iter();
        !value.pointers.is_any() && targets.all(|(base, _)| self.bases.is_block(*base) || lives(*base))
    }
}
