//! What assignments of pointers make of lists.

use super::facts::{Chain, Facts, Kind, Known, Sole, Tie};
use super::known::{are_kin, starts};
use crate::domains::Value;
use crate::engines::forward::analyzer::{Analyzer, Flow};
use crate::engines::forward::bases::Bases;
use crate::engines::forward::evaluate::View;
use crate::engines::forward::state::State;
use crate::engines::forward::texts::Holder;
use crate::ir::{Expr, ExprKind, Place, PlaceBase, Type, TypeId, TypeTable};

/// Where a pointer comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Null,
    Cell(Holder),
    /// So many bytes into what the pointer in a cell leads to.
    Field(Holder, i64),
    /// The address of what stands there.
    AddressOfField(Holder, i64),
    /// So many bytes into what the pointer leads to that stands where a pointer in a cell leads to.
    AddressBehind(Holder, i64),
    Other,
}

impl View<'_> {
    /// Where a pointer comes from.
    pub fn source(&self, e: &Expr) -> Source {
        let is_pointer = |ty: TypeId| self.program.types.is_pointer(ty);
        match &e.kind {
            ExprKind::Int(0) if is_pointer(e.ty) => Source::Null,
            ExprKind::Cast(a) if is_pointer(e.ty) => match &a.kind {
                ExprKind::Int(0) => Source::Null,
                _ if is_pointer(a.ty) => self.source(a),
                _ => Source::Other,
            },
            ExprKind::Load(place) if is_pointer(e.ty) => match self.holder(place) {
                Some(cell) => Source::Cell(cell),
                None => self.field(place).map_or(Source::Other, |(head, at)| Source::Field(head, at)),
            },
            ExprKind::PtrAdd(p, n) => match (self.behind(e), &p.kind, &n.kind) {
                (Some((head, at)), ..) => Source::AddressOfField(head, at),
                (None, ExprKind::Load(place), ExprKind::Int(at)) => match (self.field(place), i64::try_from(*at)) {
                    (Some((link, 0)), Ok(at)) => Source::AddressBehind(link, at),
                    _ => Source::Other,
                },
                _ => Source::Other,
            },
            _ => Source::Other,
        }
    }

    /// The cell with the pointer that a place lies behind, and how many bytes.
    pub fn field(&self, place: &Place) -> Option<(Holder, i64)> {
        let PlaceBase::Deref(pointer) = &place.base else { return None };
        let (head, at) = self.behind(pointer)?;
        Some((head, at.checked_add(place.offset)?)).filter(|_| place.bits.is_none())
    }

    /// The cell with the pointer that a pointer is made of, and how many bytes it is further on.
    fn behind(&self, pointer: &Expr) -> Option<(Holder, i64)> {
        match &pointer.kind {
            ExprKind::Cast(a) if self.program.types.is_pointer(a.ty) => self.behind(a),
            ExprKind::Load(place) => {
                let cell = self.holder(place)?;
                (u64::from(cell.size) == self.program.types.pointer_size() && !cell.signed).then_some((cell, 0))
            }
            ExprKind::PtrAdd(p, n) => {
                let ExprKind::Int(by) = n.kind else { return None };
                let (cell, at) = self.behind(p)?;
                Some((cell, at.checked_add(i64::try_from(by).ok()?)?))
            }
            _ => None,
        }
    }
}

/// Whether a place is a member of a record that leads to another record of this type; or whether the record has such a member.
fn links(types: &TypeTable, place: &Place) -> (bool, bool) {
    let PlaceBase::Deref(pointer) = &place.base else { return (false, false) };
    let Some(record) = types.pointee(pointer.ty) else { return (false, false) };
    let Type::Record(_) = types.get(record) else { return (false, false) };
    let fields = types.layout(record).map_or(&[][..], |layout| &layout.fields);
    let leads_on = |ty: TypeId| types.pointee(ty) == Some(record);
    let mut nexts = fields.iter().filter(|field| field.bits.is_none() && leads_on(field.ty));
    (leads_on(place.ty), nexts.next().is_some())
}

impl Analyzer<'_, '_> {
    /// The facts on lists that hold when `value`, which is `now`, has been written to a place, of those that the write ends and of new ones.
    /// `cell`: the place, if it is one cell.
    pub fn listed(
        &mut self,
        flow: &Flow,
        place: &Place,
        cell: Option<Holder>,
        value: &Expr,
        now: &Value,
    ) -> Option<Facts> {
        let types = &self.program.types;
        if place.bits.is_some() || !types.is_pointer(place.ty) || self.shares() {
            return None;
        }
        let (is_next, in_node) = links(types, place);
        if !in_node && flow.state.lists().is_none() {
            return None;
        }
        let view = self.view(flow);
        let source = view.source(value);
        if let Some(cell) = cell.filter(|cell| !self.bases.is_block(cell.base)) {
            return Some(flow.state.listed_copy(&self.bases, cell, source));
        }
        let (head, at) = view.field(place)?;
        let lists = flow.state.lists();
        let link = lists.ties().iter().find(|tie| tie.kind == Kind::Link && tie.a == head && at == 0);
        if let Some(link) = link {
            return flow.state.relinked(&self.bases, *link, source);
        }
        if is_next || lists.nexts().contains(&at) {
            return flow.state.linked(&self.bases, head, at, source);
        }
        in_node.then(|| self.sole_of(flow, head, at, now)).flatten()
    }

    /// That the word at `at` of the block that a cell leads to will be the only one to hold `now`.
    fn sole_of(&mut self, flow: &Flow, head: Holder, at: i64, now: &Value) -> Option<Facts> {
        let block = flow.state.last_block_in(&self.bases, head)?;
        let cell = Holder { base: block, at, ..head };
        let &[(target, _)] = now.pointers.targets() else { return None };
        let lives = flow.state.own_object(target).is_some_and(|o| o.life.may_live && !o.life.may_be_dead);
        let starts = starts(&self.bases, now) && self.bases.is_last_block(target);
        if !lives || !starts || are_kin(&self.bases, target, block) {
            return None;
        }
        let older = self.older(block);
        let holds = |base| flow.state.own_object(base).is_some_and(|object| object.leads_to(target));
        let sole = Sole { cell, among: [block, older] };
        (!holds(block) && !holds(older)).then(|| Facts { soles: vec![sole], ..Facts::default() })
    }
}

impl State {
    /// The facts on a cell of no block that gets a pointer from `source`.
    pub fn listed_copy(&self, bases: &Bases, cell: Holder, source: Source) -> Facts {
        let mut facts = Facts::default();
        let lists = self.lists();
        let ties = || lists.ties().iter().filter(|tie| tie.a != cell && tie.b != cell);
        match source {
            Source::Cell(from) if from != cell => {
                let here = |other: Holder| if other == from { cell } else { other };
                let chains = lists.chains().iter().filter(|(list, _)| list.head == from);
                facts.chains.extend(chains.map(|(list, known)| (Chain { head: cell, ..*list }, known.clone())));
                // A link may lead to the cell itself.
                let copies = ties().filter(|t| t.a == from || t.b == from && t.kind != Kind::Link);
                facts.ties.extend(copies.map(|tie| Tie::new(tie.kind, here(tie.a), here(tie.b), tie.next)));
                for next in lists.nexts() {
                    if self.list(bases, Chain { head: from, next }).is_some_and(|known| !known.is_empty()) {
                        facts.ties.push(Tie::new(Kind::Same, cell, from, next));
                    }
                }
            }
            Source::Field(head, next) if self.tail(bases, Chain { head, next }).is_some() => {
                let Some(tail) = self.tail(bases, Chain { head, next }).filter(|tail| !tail.is_empty()) else {
                    return facts;
                };
                let noted = lists.chain(Chain { head, next }).is_some();
                let kin =
                    self.last_block_in(bases, head).is_some_and(|b| tail.blocks.iter().all(|t| are_kin(bases, *t, b)));
                facts.chains.push((Chain { head: cell, next }, tail));
                let of_head = |tie: &&Tie| tie.next == next && (tie.a == head || tie.b == head);
                for tie in lists.ties().iter().filter(of_head) {
                    let other = if tie.a == head { tie.b } else { tie.a };
                    let kind = match tie.kind {
                        Kind::Apart if tie.b == head => Kind::Apart,
                        Kind::Same if noted && self.owns_no_more(other, head, next) => Kind::Apart,
                        Kind::Disjoint => Kind::Disjoint,
                        Kind::In if tie.a == head => Kind::In,
                        _ => continue,
                    };
                    let tie = match kind {
                        Kind::In => Tie::new(kind, cell, other, next),
                        _ => Tie::new(kind, other, cell, next),
                    };
                    facts.ties.extend((other != cell).then_some(tie));
                }
                if head != cell && noted {
                    facts.ties.push(Tie::new(Kind::In, cell, head, next));
                }
                if head != cell && (noted || kin) {
                    facts.ties.push(Tie::new(Kind::Apart, head, cell, next));
                }
            }
            Source::Field(link, 0) => {
                for tie in lists.ties().iter().filter(|tie| tie.kind == Kind::Link && tie.a == link && tie.b != cell) {
                    let list = Chain { head: tie.b, next: tie.next };
                    let Some(known) = self.list(bases, list).filter(|known| !known.is_empty()) else { continue };
                    facts.chains.push((Chain { head: cell, ..list }, known));
                    facts.ties.push(Tie::new(Kind::Found, cell, link, tie.next));
                    facts.ties.push(Tie::new(Kind::In, cell, tie.b, tie.next));
                    for of in ties().filter(|of| of.next == tie.next) {
                        let other = match of.kind {
                            Kind::Apart | Kind::Disjoint if of.b == tie.b => of.a,
                            Kind::Disjoint if of.a == tie.b => of.b,
                            _ => continue,
                        };
                        facts.ties.push(Tie::new(of.kind, other, cell, tie.next));
                    }
                    break;
                }
            }
            Source::AddressBehind(link, next) => {
                let links =
                    lists.ties().iter().filter(|tie| tie.kind == Kind::Link && tie.a == link && tie.next == next);
                facts.ties.extend(links.filter(|tie| tie.b != cell).map(|tie| Tie::new(Kind::Link, cell, tie.b, next)));
            }
            Source::AddressOfField(head, next) => {
                let mut lists_of: Vec<Holder> = vec![head];
                for tie in lists.ties().iter().filter(|tie| tie.next == next) {
                    match tie.kind {
                        Kind::Same if tie.a == head => lists_of.push(tie.b),
                        Kind::Same if tie.b == head => lists_of.push(tie.a),
                        Kind::In if tie.a == head => lists_of.push(tie.b),
                        _ => {}
                    }
                }
                for head in lists_of.into_iter().filter(|head| *head != cell) {
                    let list = Chain { head, next };
                    if let Some(known) = self.list(bases, list).filter(|known| !known.is_empty()) {
                        facts.chains.push((list, known));
                        facts.ties.push(Tie::new(Kind::Link, cell, head, next));
                    }
                }
            }
            _ => {}
        }
        facts
    }

    /// What is known of the list behind the first block of another.
    fn tail(&self, bases: &Bases, list: Chain) -> Option<Known> {
        match self.last_block_in(bases, list.head) {
            Some(block) if self.lists().chain(list).is_none() => {
                self.list(bases, list)?;
                self.list(bases, Chain { head: Holder { base: block, at: list.next, ..list.head }, next: list.next })
            }
            _ => self.list(bases, list),
        }
    }

    /// What a pointer from `source` leads to as a list, and whether the block that `head` leads to is known to be not in it.
    fn given(&self, bases: &Bases, head: Holder, next: i64, source: Source) -> Option<(Known, bool)> {
        let apart = |other: Holder| self.tied(bases, Tie::new(Kind::Apart, head, other, next));
        match source {
            Source::Null => Some((Known::EMPTY, true)),
            Source::Cell(cell) => Some((self.list(bases, Chain { head: cell, next })?, apart(cell))),
            Source::Field(cell, at) => {
                if at == next
                    && let Some(tail) = self.tail(bases, Chain { head: cell, next })
                {
                    return Some((tail, apart(cell)));
                }
                let mut links = self.lists().ties().iter();
                let link = links.find(|t| t.kind == Kind::Link && t.a == cell && t.next == next && at == 0)?;
                Some((self.list(bases, Chain { head: link.b, next })?, apart(link.b)))
            }
            _ => None,
        }
    }

    /// What is known of a list that is one block, the last one of its allocation, where a cell holds its start: it may be put behind `known`.
    fn single(&self, bases: &Bases, source: Source, next: i64, known: &Known) -> Option<Known> {
        let Source::Cell(head) = source else { return None };
        let list = Chain { head, next };
        let block = self.single_block(bases, list)?;
        let other = !known.has(block) && known.blocks.iter().all(|b| are_kin(bases, *b, block));
        self.list(bases, list).filter(|_| other)
    }

    /// The facts that hold when the pointer at `next` of the block that the pointer in `head` leads to has been written.
    fn linked(&self, bases: &Bases, head: Holder, next: i64, source: Source) -> Option<Facts> {
        let before = self.lists().facts();
        let value = self.held(bases, head)?;
        if !starts(bases, &value) {
            return None;
        }
        let given = self.given(bases, head, next, source);
        let apart = |list: Holder| self.tied(bases, Tie::new(Kind::Apart, head, list, next));
        let block = self.last_block_in(bases, head);
        let mut facts = Facts::default();
        // Lists that stay as they are, and those that change behind a block.
        let (mut same, mut changed): (Vec<Holder>, Vec<Holder>) = (Vec::new(), Vec::new());
        let goes_on = |list: &Chain| list.next == next && Some(list.head.base) != block;
        for (list, known) in before.chains.iter().filter(|(list, _)| goes_on(list)) {
            let meets = known.blocks.iter().any(|b| value.pointers.offset(*b).is_some());
            if !meets || apart(list.head) {
                same.push(list.head);
                facts.chains.push((*list, known.clone()));
                continue;
            }
            let Some((behind, true)) = &given else { continue };
            let new = match source {
                Source::Null => Some(known.clone()),
                _ if list.head == head => {
                    Some(behind).filter(|_| block.is_none()).and_then(|behind| known.join(behind))
                }
                _ => self.single(bases, source, next, known).and_then(|one| known.join(&one)),
            };
            if let Some(new) = new {
                changed.push(list.head);
                facts.chains.push((*list, new));
            }
        }
        // The cell that is written, if it is one; what is said of it ends.
        let written = block.map(|base| Holder { base, at: next, ..head });
        if let Some((behind, true)) = given
            && let Some(cell) = written
        {
            facts.chains.push((Chain { head: cell, next }, behind.without(cell.base)));
        }
        let stays = |head: Holder| same.contains(&head);
        let goes_on = |tie: &&Tie| tie.next == next && Some(tie.a) != written && Some(tie.b) != written;
        for tie in before.ties.iter().filter(goes_on) {
            let keep = match tie.kind {
                Kind::Same => false,
                Kind::Found => true,
                Kind::Before => stays(tie.a) && tie.a != head,
                Kind::Disjoint => stays(tie.a) && stays(tie.b),
                Kind::Link | Kind::In => stays(tie.b),
                Kind::Apart if stays(tie.b) => true,
                // The list has fewer blocks, or more of those that the block is not among either.
                Kind::Apart if changed.contains(&tie.b) => {
                    source == Source::Null
                        || matches!(source, Source::Cell(s) if self.tied(bases, Tie::new(Kind::Apart, tie.a, s, next)))
                }
                Kind::Apart => false,
            };
            facts.ties.extend(keep.then_some(*tie));
        }
        // What was apart from the block is still, and from its list where it is apart from what was put behind it.
        let behind = |list: Holder| match source {
            Source::Null => true,
            Source::Cell(cell) => self.tied(bases, Tie::new(Kind::Disjoint, cell, list, next)),
            Source::Field(link, 0) => before.ties.iter().any(|t| {
                let is_link = t.kind == Kind::Link && t.a == link && t.next == next;
                is_link && self.tied(bases, Tie::new(Kind::Disjoint, t.b, list, next))
            }),
            _ => false,
        };
        for list in same.iter().filter(|_| changed.contains(&head)) {
            let is_apart = |kind| self.lists().has(Tie::new(kind, head, *list, next));
            if is_apart(Kind::Disjoint) || is_apart(Kind::Apart) {
                facts.ties.push(Tie::new(Kind::Apart, head, *list, next));
                facts.ties.extend(behind(*list).then(|| Tie::new(Kind::Disjoint, head, *list, next)));
            }
        }
        if let Source::Field(link, 0) = source
            && before.ties.iter().any(|t| t.kind == Kind::Link && t.a == link && t.next == next && stays(t.b))
            && !(next == 0 && self.list(bases, Chain { head: link, next }).is_some())
        {
            facts.ties.push(match written {
                Some(cell) => Tie::new(Kind::Found, cell, link, next),
                None => Tie::new(Kind::Before, head, link, next),
            });
        }
        Some(facts)
    }

    /// Whether a block is not in the list `head`, of which `known` is known, and is followed by what stands where a link leads to.
    fn is_before(&self, bases: &Bases, tie: Tie, (head, known): (Holder, &Known)) -> bool {
        let lists = self.lists();
        if lists.has(tie) {
            let apart = [Kind::Apart, Kind::Disjoint].map(|kind| Tie::new(kind, tie.a, head, tie.next));
            return known.is_empty() || apart.into_iter().any(|tie| lists.has(tie));
        }
        let Some(block) = self.last_block_in(bases, tie.a) else { return false };
        let cell = Holder { base: block, at: tie.next, ..tie.a };
        let kin = known.blocks.iter().all(|b| are_kin(bases, *b, block));
        let apart = self.tied(bases, Tie::new(Kind::Apart, tie.a, head, tie.next));
        kin && apart && lists.has(Tie::new(Kind::Found, cell, tie.b, tie.next))
    }

    /// Whether what is noted of a list owns no more words than what is noted of another that starts in the same block.
    fn owns_no_more(&self, one: Holder, other: Holder, next: i64) -> bool {
        let owned = |head| self.lists().chain(Chain { head, next }).map(|known| known.owned);
        owned(one).is_none_or(|one| owned(other).is_some_and(|other| one & !other == 0))
    }

    /// The facts that hold when what a link leads to has been written.
    fn relinked(&self, bases: &Bases, link: Tie, source: Source) -> Option<Facts> {
        let before = self.lists().facts();
        let Tie { a: through, b: head, next, .. } = link;
        let value = self.held(bases, through).filter(|v| !v.pointers.is_any() && !v.undefined)?;
        let list = Chain { head, next };
        let known = self.list(bases, list)?;
        let tied = |kind, a, b| self.tied(bases, Tie::new(kind, a, b, next));
        let mut facts = Facts::default();
        // The cell of the block that is taken out, or of the one that is put in.
        let (mut out, mut put, mut cuts) = (None, None, source == Source::Null);
        let new = match source {
            Source::Null => known,
            Source::Field(cell, at) if at == next && tied(Kind::Found, cell, through) => {
                out = Some(cell);
                known
            }
            Source::Cell(cell)
                if self.is_before(bases, Tie::new(Kind::Before, cell, through, next), (head, &known)) =>
            {
                put = Some(cell);
                known.join(&self.list(bases, Chain { head: cell, next })?)?
            }
            Source::Cell(cell) => {
                (put, cuts) = (Some(cell), true);
                known.join(&self.single(bases, source, next, &known)?)?
            }
            _ => return None,
        };
        facts.chains.push((list, new));
        facts.ties.push(link);
        let hit = |cell: Holder| value.pointers.offset(cell.base).is_some_and(|at| at.contains(cell.at.into()));
        let mut same: Vec<Holder> = Vec::new();
        for (other, known) in before.chains.iter().filter(|(other, _)| other.next == next && *other != list) {
            let meets = known.blocks.iter().any(|b| value.pointers.offset(*b).is_some());
            let unchanged =
                !meets || out == Some(other.head) || put == Some(other.head) || tied(Kind::Disjoint, other.head, head);
            if unchanged && !hit(other.head) && !bases.is_block(other.head.base) {
                same.push(other.head);
                facts.chains.push((*other, known.clone()));
            }
        }
        let stays = |head: Holder| same.contains(&head);
        for tie in before.ties.iter().filter(|tie| tie.next == next && !hit(tie.a) && (tie.b == head || !hit(tie.b))) {
            let of_list = |other: Holder| match put {
                None => true,
                Some(cell) => tied(Kind::Apart, cell, other),
            };
            let keep = match tie.kind {
                Kind::Disjoint if tie.a == head => stays(tie.b) && of_list(tie.b),
                Kind::Disjoint if tie.b == head => stays(tie.a) && of_list(tie.a),
                Kind::Disjoint => stays(tie.a) && stays(tie.b),
                Kind::Apart if tie.b == head => put.is_none_or(|cell| tied(Kind::Apart, tie.a, cell)),
                Kind::Apart => stays(tie.b),
                Kind::In if tie.b == head => !cuts && out.is_none(),
                Kind::Link => tie.b != head && stays(tie.b),
                Kind::In => stays(tie.b),
                Kind::Same | Kind::Found | Kind::Before => false,
            };
            facts.ties.extend(keep.then_some(*tie));
        }
        facts.ties.extend(out.map(|cell| Tie::new(Kind::Apart, cell, head, next)));
        let found = |cell| [Tie::new(Kind::Found, cell, through, next), Tie::new(Kind::In, cell, head, next)];
        facts.ties.extend(put.into_iter().flat_map(found));
        Some(facts)
    }
}
