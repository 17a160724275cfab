//! What a state knows of lists: from its facts, and from the last block of an allocation, of which the objects tell all.

use super::facts::{Chain, Facts, Kind, Known, Lists, Sole, Tie, bit};
use crate::domains::{BaseId, Int, Value};
use crate::engines::forward::bases::{Base, Bases};
use crate::engines::forward::extent::Extent;
use crate::engines::forward::object::Object;
use crate::engines::forward::shape::{Kind as ShapeKind, Shape};
use crate::engines::forward::state::State;
use crate::engines::forward::texts::Holder;

/// Whether a value is NULL.
fn is_null(value: &Value) -> bool {
    value.as_constant() == Some(0)
}

/// Whether a value is NULL or a pointer to blocks whose starts it leads to, all of them named.
pub(super) fn starts(bases: &Bases, value: &Value) -> bool {
    let null = value.int.is_none_or(|n| n.as_constant() == Some(0));
    let plain = !value.undefined && value.float.is_none() && !value.pointers.is_any();
    let mut targets = value.pointers.targets().iter();
    let start = targets.all(|(base, offset)| bases.is_block(*base) && offset.as_constant() == Some(0));
    null && plain && value.pointers.functions().is_empty() && start
}

/// Whether two bases are blocks of one allocation that is reached by one call.
pub(super) fn are_kin(bases: &Bases, a: BaseId, b: BaseId) -> bool {
    let site = |base| match bases.get(base) {
        Base::Heap { alloc, call, .. } => Some((alloc, call)),
        _ => None,
    };
    site(a).is_some() && site(a) == site(b)
}

/// Whether a value may lead to an object that `which` chooses.
pub(super) fn may_lead(value: &Value, which: impl Fn(BaseId) -> bool) -> bool {
    value.pointers.is_any() || value.pointers.targets().iter().any(|(base, _)| which(*base))
}

impl State {
    /// The last block of an allocation, where a cell holds its start or NULL and the block lives.
    pub fn last_block_in(&self, bases: &Bases, cell: Holder) -> Option<BaseId> {
        let value = self.held(bases, cell)?;
        let &[(base, _)] = value.pointers.targets() else { return None };
        let lives = self.own_object(base).is_some_and(|o| o.life.may_live && !o.life.may_be_dead);
        (starts(bases, &value) && bases.is_last_block(base) && lives).then_some(base)
    }

    /// Whether a cell does not exist: its block has not been made or has ended for sure, or the function does not run that it is a variable of.
    fn is_nowhere(&self, bases: &Bases, cell: Holder) -> bool {
        match self.own_object(cell.base) {
            Some(object) => bases.is_block(cell.base) && !object.life.may_live,
            None if bases.is_block(cell.base) => true,
            None => bases.owner(cell.base).is_some_and(|f| self.frames.exclude(f)),
        }
    }

    /// What is known of a list.
    pub fn list(&self, bases: &Bases, list: Chain) -> Option<Known> {
        let Chain { head, next } = list;
        if let Some(known) = self.lists().chain(list) {
            return Some(known.clone());
        }
        if self.is_nowhere(bases, head) || self.held(bases, head).is_some_and(|value| is_null(&value)) {
            return Some(Known::EMPTY);
        }
        let block = self.last_block_in(bases, head)?;
        let rest = Holder { base: block, at: next, ..head };
        let object = self.own_object(block)?;
        let inside = object.size.lo() >= i128::from(next) + i128::from(head.size);
        let rest = match self.lists().chain(Chain { head: rest, next }) {
            Some(known) => known.clone(),
            None => Some(Known::EMPTY).filter(|_| self.held(bases, rest).is_some_and(|value| is_null(&value)))?,
        };
        if !inside || rest.has(block) {
            return None;
        }
        let own = self.words_of(bases, (block, object), list, &rest);
        own.join(&rest)
    }

    /// What is known of the last block of an allocation as the first one of a list, with these behind it.
    fn words_of(&self, bases: &Bases, (block, object): (BaseId, &Object), list: Chain, rest: &Known) -> Known {
        let mut known = Known { blocks: vec![block], owned: 0, set: 0 };
        let kin = rest.blocks.iter().all(|b| are_kin(bases, *b, block));
        let words = object.cells().filter(|(_, cell)| cell.shape.size == list.head.size && !cell.value.undefined);
        for (at, cell) in words.filter(|(at, _)| *at != list.next) {
            let (word, value) = (bit(at, list.head.size), &cell.value);
            let to_block = may_lead(value, |base| bases.is_block(base));
            let alone =
                || Holder::of(block, at, cell.shape).is_some_and(|cell| kin && self.lists().sole(cell).is_some());
            known.owned |= if !to_block || alone() { word } else { 0 };
            let zero = value.int.is_some_and(|n| n.contains(0)) || value.float.is_some();
            known.set |= if zero { 0 } else { word };
        }
        known
    }

    /// Whether a fact on two cells holds.
    pub fn tied(&self, bases: &Bases, tie: Tie) -> bool {
        let Tie { kind, a, b, next } = tie;
        let null = |cell| self.held(bases, cell).is_some_and(|value| is_null(&value));
        let list = |head| self.list(bases, Chain { head, next });
        if self.lists().has(tie) || self.is_nowhere(bases, a) || self.is_nowhere(bases, b) {
            return true;
        }
        match kind {
            Kind::Same => a == b || null(a) && null(b),
            Kind::Apart => {
                let empty = |known: &Known| known.is_empty();
                null(a)
                    || list(b).as_ref().is_some_and(empty)
                    || self.is_apart_by_names(bases, tie)
                    || self.lists().has(Tie::new(Kind::Disjoint, a, b, next))
            }
            Kind::Disjoint => [(a, b), (b, a)].into_iter().any(|(one, other)| {
                let alone = || self.single_block(bases, Chain { head: one, next }).is_some();
                let apart = || self.is_apart_by_names(bases, Tie::new(Kind::Apart, one, other, next));
                list(one).is_some_and(|known| known.is_empty()) || alone() && apart()
            }),
            Kind::In => null(a) || self.lists().has(Tie::new(Kind::Same, a, b, next)),
            Kind::Link => self.leads_to_cell(bases, a, b),
            Kind::Found => {
                let links =
                    self.lists().ties().iter().filter(|tie| tie.kind == Kind::Same && (tie.a == a || tie.b == a));
                let mut others = links.map(|tie| if tie.a == a { tie.b } else { tie.a }).chain([a]);
                others.any(|cell| self.leads_to_cell(bases, b, cell))
            }
            Kind::Before => null(a),
        }
    }

    /// Whether a pointer is the address of a cell.
    pub fn leads_to_cell(&self, bases: &Bases, pointer: Holder, cell: Holder) -> bool {
        let Some(value) = self.held(bases, pointer) else { return false };
        let alone = value.int.is_none() && !value.undefined && !value.pointers.is_any() && !bases.is_summary(cell.base);
        let at = |(base, at): &(BaseId, Int)| *base == cell.base && at.as_constant() == Some(cell.at.into());
        alone && matches!(value.pointers.targets(), [target] if at(target))
    }

    /// Whether the block that a cell leads to is not in a list, whose blocks go by other names: it, or the only one of the list, is the last
    /// block of the allocation.
    fn is_apart_by_names(&self, bases: &Bases, tie: Tie) -> bool {
        let list = Chain { head: tie.b, next: tie.next };
        let (block, known) = (self.last_block_in(bases, tie.a), self.list(bases, list));
        let apart =
            |(block, list): (BaseId, Known)| !list.has(block) && list.blocks.iter().all(|b| are_kin(bases, *b, block));
        block.zip(known).is_some_and(apart) || self.is_apart_from_one(bases, tie)
    }

    /// Whether a list is one block, the last one of its allocation, and a cell leads to another one of that.
    fn is_apart_from_one(&self, bases: &Bases, tie: Tie) -> bool {
        let only = self.single_block(bases, Chain { head: tie.b, next: tie.next });
        let other = |block: BaseId| {
            let leads = |value: &Value| {
                let mut targets = value.pointers.targets().iter();
                starts(bases, value) && targets.all(|(base, _)| *base != block && are_kin(bases, *base, block))
            };
            self.held(bases, tie.a).is_some_and(|value| leads(&value))
        };
        only.is_some_and(other)
    }

    /// The block that is all of a list, and the last one of its allocation, where its words own what they lead to alone.
    pub fn single_block(&self, bases: &Bases, list: Chain) -> Option<BaseId> {
        let block = self.last_block_in(bases, list.head)?;
        let known = self.list(bases, list).filter(|known| known.blocks == [block])?;
        let own = self.words_of(bases, (block, self.own_object(block)?), list, &Known::EMPTY);
        (known.owned & !own.owned == 0).then_some(block)
    }

    /// Whether the cell of a block holds what no other cell of its kin does.
    pub fn is_sole(&self, bases: &Bases, sole: &Sole) -> bool {
        self.lists().sole(sole.cell).is_some() || self.is_nowhere(bases, sole.cell) || {
            let value = self.held(bases, sole.cell);
            value.is_some_and(|v| !v.undefined && !v.pointers.is_any() && v.pointers.targets().is_empty())
        }
    }

    /// The cells of single objects that hold the start of a block which is the last one of its allocation.
    fn cells_with(&self, bases: &Bases, block: BaseId, among: impl Fn(BaseId) -> bool) -> Vec<Holder> {
        let mut found = Vec::new();
        self.each(|base, object| {
            if !bases.is_summary(base) && object.leads_to(block) && among(base) {
                let cells = object.cells().filter(|(_, c)| c.value.pointers.offset(block).is_some());
                let cells = cells.filter_map(|(at, c)| Holder::of(base, at, c.shape));
                found.extend(cells.filter(|cell| self.last_block_in(bases, *cell) == Some(block)));
            }
        });
        found
    }

    /// The last blocks of allocations that lists go on from.
    fn last_blocks(&self, bases: &Bases) -> Vec<Chain> {
        let lists = self.lists().chains().iter().map(|(list, _)| *list);
        lists.filter(|list| bases.is_last_block(list.head.base) && list.head.at == list.next).collect()
    }

    /// The facts on lists that hold in both states, which differ in the objects of `changed`.
    pub fn lists_of_both(&self, other: &State, bases: &Bases, changed: &[BaseId]) -> Lists {
        if self.lists().is_none() && other.lists().is_none() {
            return Lists::default();
        }
        let sides = [self, other];
        let is_changed = |base: BaseId| changed.contains(&base);
        let mut heads: Vec<Chain> =
            sides.iter().flat_map(|s| s.lists().chains().iter().map(|(list, _)| *list)).collect();
        for state in sides {
            for Chain { head, next } in state.last_blocks(bases) {
                let cells = state.cells_with(bases, head.base, is_changed);
                heads.extend(cells.into_iter().filter(|c| c.size == head.size).map(|head| Chain { head, next }));
            }
        }
        heads.sort_unstable();
        heads.dedup();
        let mut facts = Facts::default();
        for list in heads {
            let both = self.list(bases, list).zip(other.list(bases, list));
            if let Some(known) = both.and_then(|(a, b)| a.join(&b)) {
                facts.chains.push((list, known));
            }
        }
        let mut ties: Vec<Tie> = sides.iter().flat_map(|state| state.lists().ties().iter().copied()).collect();
        // That the last block is in no list, which its name says no longer where it may be another one.
        for block in changed.iter().filter(|block| bases.is_last_block(**block)) {
            for state in sides {
                let apart =
                    |list: &Chain| state.list(bases, *list).is_some_and(|own| !own.is_empty() && !own.has(*block));
                let lists: Vec<Chain> = facts.chains.iter().map(|(list, _)| *list).filter(apart).collect();
                let cells = if lists.is_empty() { Vec::new() } else { state.cells_with(bases, *block, |_| true) };
                for list in lists {
                    ties.extend(cells.iter().map(|cell| Tie::new(Kind::Apart, *cell, list.head, list.next)));
                }
            }
        }
        ties.sort_unstable();
        ties.dedup();
        ties.retain(|tie| sides.iter().all(|state| state.tied(bases, *tie) && state.covers_words(bases, *tie)));
        facts.ties = ties;
        let soles = sides.iter().flat_map(|state| state.lists().soles().iter().copied());
        facts.soles = soles.filter(|sole| sides.iter().all(|state| state.is_sole(bases, sole))).collect();
        Lists::of(facts)
    }

    /// Whether two lists, or a block and a list, are apart in what their words own too, where the first gets facts of its own.
    fn covers_words(&self, bases: &Bases, tie: Tie) -> bool {
        let noted = || self.lists().chain(Chain { head: tie.a, next: tie.next }).is_some();
        let null = || self.held(bases, tie.a).is_some_and(|value| is_null(&value)) || self.is_nowhere(bases, tie.a);
        let kin = || match (self.last_block_in(bases, tie.a), self.list(bases, Chain { head: tie.b, next: tie.next })) {
            (_, Some(list)) if list.is_empty() => true,
            (Some(block), Some(list)) => list.blocks.iter().all(|b| are_kin(bases, *b, block)),
            _ => false,
        };
        tie.kind != Kind::Apart || noted() || null() || kin() || self.is_apart_from_one(bases, tie)
    }

    /// Whether all that another state says of lists holds here.
    pub fn lists_include(&self, bases: &Bases, other: &Lists) -> bool {
        self.lists().is_same(other)
            || other.chains().iter().all(|(list, known)| self.list(bases, *list).is_some_and(|own| own.leq(known)))
                && other.ties().iter().all(|tie| self.tied(bases, *tie) && self.covers_words(bases, *tie))
                && other.soles().iter().all(|sole| self.is_sole(bases, sole))
    }

    /// The facts on lists without those on cells of the blocks that `which` chooses, each the last one of its allocation, with what follows
    /// from them for others.
    fn lists_apart(&self, bases: &Bases, which: impl Fn(BaseId) -> bool) -> Facts {
        let mut facts = self.lists().facts();
        for Chain { head, next } in self.last_blocks(bases).into_iter().filter(|list| which(list.head.base)) {
            for cell in self.cells_with(bases, head.base, |base| !which(base)) {
                let list = Chain { head: cell, next };
                if cell.size == head.size
                    && self.lists().chain(list).is_none()
                    && let Some(known) = self.list(bases, list)
                {
                    facts.chains.push((list, known));
                }
            }
        }
        facts.ties.retain(|tie| self.covers_words(bases, *tie));
        let inside = |cell: Holder| which(cell.base);
        facts.chains.retain(|(list, _)| !inside(list.head));
        facts.ties.retain(|tie| !inside(tie.a) && !inside(tie.b));
        facts.soles.retain(|sole| !inside(sole.cell));
        facts
    }

    /// The facts on lists that go into a call into which the bases go that `goes_in` chooses.
    pub fn lists_called(&self, bases: &Bases, goes_in: impl Fn(BaseId) -> bool) -> Lists {
        if self.lists().is_none() {
            return Lists::default();
        }
        Lists::of(self.lists_apart(bases, |base| bases.is_block(base) && !goes_in(base)))
    }

    /// The facts on lists behind a call, of those that `after` has: on cells that there are here, and not on blocks that others call the same;
    /// and those on blocks that were set aside. `went_in`: the bases that went into the call, which may have `changed` some of them, by writes
    /// or by making other blocks the last ones, and may have freed some.
    pub fn lists_back(
        &self,
        bases: &Bases,
        after: &State,
        went_in: impl Fn(BaseId) -> bool,
        (changed, freed): (impl Fn(BaseId) -> bool, &Extent),
    ) -> Lists {
        // Code of which nothing is known may come to what was set aside, too.
        let (written, ended) = (&after.damage.written, &after.damage.freed);
        let ended = |b: BaseId| ended.has(bases, b) || went_in(b) && freed.has(bases, b);
        let changed = |b: BaseId| ended(b) || written.has(bases, b) || went_in(b) && changed(b);
        let stayed = |cell: Holder| bases.is_block(cell.base) && !went_in(cell.base) && !changed(cell.base);
        let keeps_alone =
            |sole: &Sole| !self.holds_any(bases, sole.cell, ended) && !sole.among.iter().any(|b| changed(*b));
        let is_here = |cell: Holder| match bases.owner(cell.base) {
            Some(f) => !self.frames.exclude(f),
            None => !bases.is_block(cell.base) || went_in(cell.base) || !self.mentions(cell.base),
        };
        let after = after.lists();
        let mut facts = after.facts();
        facts.chains.retain(|(list, _)| is_here(list.head));
        facts.ties.retain(|tie| is_here(tie.a) && is_here(tie.b));
        facts.soles.retain(|sole| is_here(sole.cell));
        let own = self.lists();
        let chains =
            own.chains().iter().filter(|(list, known)| stayed(list.head) && !known.blocks.iter().any(|b| changed(*b)));
        facts.chains.extend(chains.filter(|(list, _)| after.chain(*list).is_none()).cloned());
        facts.soles.extend(own.soles().iter().filter(|sole| stayed(sole.cell) && keeps_alone(sole)));
        Lists::of(facts)
    }

    /// The facts on lists where the last block of an allocation becomes one of the older ones.
    pub fn lists_aged(&self, bases: &Bases, recent: BaseId, older: BaseId) -> Lists {
        if self.lists().is_none() {
            return Lists::default();
        }
        let mut facts = self.lists_apart(bases, |base| base == recent);
        for (_, known) in &mut facts.chains {
            known.blocks.iter_mut().filter(|b| **b == recent).for_each(|b| *b = older);
            known.blocks.sort_unstable();
            known.blocks.dedup();
        }
        Lists::of(facts)
    }

    /// After `value` has been written to blocks of a base: what it leads to is held there, too.
    pub fn share_words(&mut self, bases: &Bases, base: BaseId, value: &Value) {
        if value.pointers.is_none() || self.lists().soles().is_empty() {
            return;
        }
        let leads = |b: BaseId| value.pointers.is_any() || value.pointers.offset(b).is_some();
        let shared = |sole: &Sole| sole.among.contains(&base) && self.holds_any(bases, sole.cell, leads);
        let ended: Vec<Sole> = self.lists().soles().iter().filter(|sole| shared(sole)).copied().collect();
        self.lists_mut().end_soles(|sole| ended.contains(sole));
    }

    /// Ends facts on blocks that `ended` chooses, and on words that lead to them.
    pub fn end_lists(&mut self, bases: &Bases, ended: impl Fn(BaseId) -> bool) {
        if self.lists().is_none() {
            return;
        }
        let mut facts = self.lists().facts();
        facts.chains.retain(|(_, known)| !known.blocks.iter().any(|b| ended(*b)));
        for (list, known) in &mut facts.chains {
            known.owned &= !self.words_to(bases, known, list.head.size, &ended);
        }
        facts.soles.retain(|sole| !self.holds_any(bases, sole.cell, &ended));
        *self.lists_mut() = Lists::of(facts);
    }

    /// Whether a cell may hold a pointer to a block that `which` chooses; also where nothing is known of it.
    pub fn holds_any(&self, bases: &Bases, cell: Holder, which: impl Fn(BaseId) -> bool) -> bool {
        self.held(bases, cell).is_none_or(|value| may_lead(&value, which))
    }

    /// The words of a list's blocks that may lead to blocks that `which` chooses.
    pub fn words_to(&self, bases: &Bases, known: &Known, word: u8, which: impl Fn(BaseId) -> bool) -> u64 {
        let mut words = 0;
        for block in &known.blocks {
            // What is set aside may lead anywhere.
            let Some(object) = self.object(bases, *block) else { return known.owned };
            for n in (0..64).filter(|n| known.owned & (1 << n) != 0) {
                let at = i64::from(n) * i64::from(word);
                let shape = Shape { size: word, kind: ShapeKind::Unsigned };
                let inside = object.size.hi() >= i128::from(at) + i128::from(word);
                words |= if inside && may_lead(&object.read(at, shape), &which) { 1 << n } else { 0 };
            }
        }
        words
    }
}
