//! Whether facts on lists hold in a run.

use super::facts::{Chain, Kind, Lists, Tie};
use crate::concrete::{Machine, ObjectKind, Pointer};
use crate::engines::forward::texts::Holder;
use crate::ir::{AllocKind, Program, VarId};

/// What a run shows of lists.
pub struct Run<'r, 'm> {
    pub program: &'r Program,
    pub machine: &'r Machine<'m>,
    /// The variable of a cell, if the run shows it.
    pub variable: &'r dyn Fn(Holder) -> Option<VarId>,
}

impl Run<'_, '_> {
    /// A fact that does not hold, as far as the run shows it.
    pub fn broken(&self, lists: &Lists) -> Option<String> {
        let chain = |(list, _): &(Chain, _)| self.broken_chain(lists, *list).map(|what| format!("{list:?}: {what}"));
        let tie = |tie: &Tie| self.broken_tie(lists, *tie).then(|| format!("{tie:?} does not hold"));
        lists.chains().iter().find_map(chain).or_else(|| lists.ties().iter().find_map(tie))
    }

    fn read(&self, cell: Holder) -> Option<Pointer> {
        let at = u64::try_from(cell.at).ok()?;
        let value = self.machine.read_variable((self.variable)(cell)?, at, self.program.types.char_ptr())?;
        Some(self.machine.pointer(value))
    }

    fn word(&self, slot: u32, at: i64) -> Option<Pointer> {
        let value = self.machine.read_object(slot, u64::try_from(at).ok()?, self.program.types.char_ptr())?;
        Some(self.machine.pointer(value))
    }

    fn is_block(&self, slot: u32) -> bool {
        matches!(self.machine.view(slot).kind, ObjectKind::Allocated(_, AllocKind::Heap))
    }

    /// The blocks of a list in order; None where the run does not show it.
    fn blocks(&self, list: Chain) -> Option<Result<Vec<u32>, String>> {
        let (mut pointer, mut found) = (self.read(list.head)?, Vec::new());
        loop {
            match pointer {
                Pointer::Null => return Some(Ok(found)),
                Pointer::Object { slot, live: true, offset: 0 } if self.is_block(slot) && !found.contains(&slot) => {
                    found.push(slot);
                    pointer = self.word(slot, list.next).unwrap_or(Pointer::Invalid);
                }
                other => return Some(Err(format!("leads to {other:?} behind {} blocks", found.len()))),
            }
        }
    }

    /// The blocks that the owned words of others lead to.
    fn owned(&self, blocks: &[u32], owned: u64, word: u8) -> Result<Vec<u32>, String> {
        let mut all = Vec::new();
        for slot in blocks {
            for n in (0..64).filter(|n| owned & (1 << n) != 0) {
                match self.word(*slot, n * i64::from(word)) {
                    Some(Pointer::Object { slot, live, offset }) if self.is_block(slot) || !live => {
                        if !live || offset != 0 || all.contains(&slot) {
                            return Err(format!("word {n} is not the only one that leads to a block"));
                        }
                        all.push(slot);
                    }
                    Some(Pointer::Gone | Pointer::Indeterminate) => return Err(format!("word {n} leads to nothing")),
                    _ => {}
                }
            }
        }
        Ok(all)
    }

    fn broken_chain(&self, lists: &Lists, list: Chain) -> Option<String> {
        let blocks = match self.blocks(list)? {
            Ok(blocks) => blocks,
            Err(what) => return Some(what),
        };
        let known = lists.chain(list)?;
        if known.is_empty() && !blocks.is_empty() {
            return Some("has blocks".into());
        }
        let word = list.head.size;
        for slot in &blocks {
            for n in (0..64i64).filter(|n| known.set & (1 << n) != 0) {
                if matches!(self.word(*slot, n * i64::from(word)), Some(Pointer::Null | Pointer::Indeterminate)) {
                    return Some(format!("word {n} is not set"));
                }
            }
        }
        self.owned(&blocks, known.owned, word).err()
    }

    fn broken_tie(&self, lists: &Lists, tie: Tie) -> bool {
        let blocks = |head| self.blocks(Chain { head, next: tie.next }).and_then(Result::ok);
        let owned = |head, blocks: &[u32]| {
            let known = lists.chain(Chain { head, next: tie.next })?;
            self.owned(blocks, known.owned, tie.a.size).ok()
        };
        let first = |pointer| match pointer {
            Some(Pointer::Object { slot, .. }) => Some(slot),
            _ => None,
        };
        let target = || match self.read(if tie.kind == Kind::Link { tie.a } else { tie.b })? {
            Pointer::Object { slot, live: true, offset } => Some((slot, i64::try_from(offset).ok()?)),
            _ => None,
        };
        match tie.kind {
            Kind::Same => self.read(tie.a).zip(self.read(tie.b)).is_some_and(|(a, b)| a != b),
            Kind::Apart | Kind::Disjoint => {
                let Some(list) = blocks(tie.b) else { return false };
                let own = match tie.kind {
                    Kind::Apart => first(self.read(tie.a)).map(|slot| vec![slot]),
                    _ => blocks(tie.a),
                };
                let Some(own) = own else { return false };
                let words = owned(tie.a, &own).zip(owned(tie.b, &list));
                own.iter().any(|slot| list.contains(slot))
                    || words.is_some_and(|(a, b)| a.iter().any(|slot| b.contains(slot)))
            }
            Kind::In => first(self.read(tie.a)).zip(blocks(tie.b)).is_some_and(|(slot, list)| !list.contains(&slot)),
            Kind::Link => target().zip(blocks(tie.b)).is_some_and(|((slot, at), list)| {
                let cell = (self.variable)(tie.b).and_then(|v| self.machine.object_of(v));
                !(list.contains(&slot) && at == tie.next) && cell.is_some_and(|o| o.slot != slot || at != tie.b.at)
            }),
            Kind::Found => {
                let held = target().and_then(|(slot, at)| self.word(slot, at));
                held.zip(self.read(tie.a)).is_some_and(|(a, b)| a != b)
            }
            Kind::Before => {
                let next = first(self.read(tie.a)).and_then(|slot| self.word(slot, tie.next));
                let held = target().and_then(|(slot, at)| self.word(slot, at));
                next.zip(held).is_some_and(|(a, b)| a != b)
            }
        }
    }
}
