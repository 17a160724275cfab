//! What is left of lists when a block ends.

use super::changes::Source;
use super::facts::{Chain, Facts, Kind, Known, Lists, Tie, bit};
use crate::domains::{BaseId, Value};
use crate::engines::forward::evaluate::View;
use crate::engines::forward::refine::copies_of;
use crate::engines::forward::texts::Holder;
use crate::ir::{Expr, ExprKind, Place};

impl View<'_> {
    /// The facts on lists behind `free(pointer)`, of which `value` is known; None where nothing better is known than what the end of those
    /// blocks leaves.
    pub fn lists_without(&self, pointer: &Expr, value: &Value, copies: &[(Place, Place)]) -> Option<Lists> {
        let lists = self.state.lists();
        if lists.is_none() || value.pointers.is_any() {
            return None;
        }
        let freed = |base: BaseId| value.pointers.offset(base).is_some();
        let source = self.freed(pointer, copies);
        let facts = lists.facts();
        let mut kept = Facts::default();
        for (list, known) in facts.chains {
            let word = list.head.size;
            let leads = self.state.words_to(self.bases, &known, word, freed);
            let meets = known.blocks.iter().any(|b| freed(*b));
            let apart = |p: Holder| self.state.tied(self.bases, Tie::new(Kind::Apart, p, list.head, list.next));
            let is_head = |p: Holder| self.state.tied(self.bases, Tie::new(Kind::Same, p, list.head, list.next));
            let (stays, owned) = match source {
                // The first block of a list.
                Source::Cell(p) => (!meets || apart(p), known.owned & !leads),
                // What a word of its owns: the words of others lead elsewhere.
                Source::Field(p, at) if is_head(p) && known.owned & bit(at, word) != 0 => {
                    (!meets, known.owned & !bit(at, word))
                }
                Source::Field(p, at) if leads != 0 && self.owns(p, at, list.next, &known.blocks) && apart(p) => {
                    (!meets, known.owned)
                }
                _ => (!meets, known.owned & !leads),
            };
            if stays {
                kept.chains.push((list, Known { owned, ..known }));
            }
        }
        kept.ties = facts.ties.into_iter().filter(|tie| tie.kind != Kind::Before).collect();
        let leads = |cell: Holder| self.state.holds_any(self.bases, cell, freed);
        kept.soles = facts.soles.into_iter().filter(|sole| !leads(sole.cell) && !freed(sole.cell.base)).collect();
        kept.chains.retain(|(list, _)| !freed(list.head.base));
        kept.ties.retain(|tie| !freed(tie.a.base) && !freed(tie.b.base));
        Some(Lists::of(kept))
    }

    /// Where a pointer that is freed comes from: a word of a block rather than a cell that it was copied to.
    fn freed(&self, pointer: &Expr, copies: &[(Place, Place)]) -> Source {
        match &pointer.kind {
            ExprKind::Cast(a) if self.program.types.is_pointer(a.ty) => self.freed(a, copies),
            ExprKind::Load(place) => {
                let mut fields = copies_of(copies, place).into_iter().filter_map(|place| self.field(place));
                fields.next().map_or_else(|| self.source(pointer), |(head, at)| Source::Field(head, at))
            }
            _ => Source::Other,
        }
    }

    /// Whether the word at `at` of the block that a cell leads to owns what it leads to, beside lists with blocks of these bases.
    fn owns(&self, cell: Holder, at: i64, next: i64, blocks: &[BaseId]) -> bool {
        let lists = self.state.lists();
        let word = bit(at, cell.size);
        let of_list = lists.chain(Chain { head: cell, next }).is_some_and(|k| k.owned & word != 0);
        let of_block = || {
            let block = self.state.last_block_in(self.bases, cell)?;
            let sole = lists.sole(Holder { base: block, at, ..cell })?;
            Some(blocks.iter().all(|b| sole.among.contains(b)))
        };
        of_list || of_block().unwrap_or(false)
    }
}
