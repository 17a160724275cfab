//! The facts on lists that a state keeps, and what of them a change ends.

use crate::domains::BaseId;
use crate::engines::forward::texts::Holder;
use std::sync::Arc;

/// So many facts of each kind a state keeps at most, and so many bases the blocks of one list have.
const CHAINS: usize = 24;
const TIES: usize = 96;
const SOLES: usize = 24;
const BLOCKS: usize = 6;

/// What is known of the blocks of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The bases that they are of, sorted.
    pub blocks: Vec<BaseId>,
    /// Words of each block, a bit each, that hold NULL, what is no pointer to a block, or the start of a block that lives and that no other
    /// such word of the list leads to.
    pub owned: u64,
    /// Words of each block that hold determinate values other than NULL.
    pub set: u64,
}

impl Known {
    /// Of a list without blocks.
    pub const EMPTY: Known = Known { blocks: Vec::new(), owned: u64::MAX, set: u64::MAX };

    /// What is known of either of two lists; None where they have too many bases.
    pub fn join(&self, other: &Known) -> Option<Known> {
        let mut blocks = [&self.blocks[..], &other.blocks].concat();
        blocks.sort_unstable();
        blocks.dedup();
        let known = Known { blocks, owned: self.owned & other.owned, set: self.set & other.set };
        (known.blocks.len() <= BLOCKS).then_some(known)
    }
    pub fn leq(&self, other: &Known) -> bool {
        let among = self.blocks.iter().all(|b| other.has(*b));
        among && self.owned & other.owned == other.owned && self.set & other.set == other.set
    }
    /// Whether blocks of it may be of this base.
    pub fn has(&self, base: BaseId) -> bool {
        self.blocks.binary_search(&base).is_ok()
    }
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }
    /// The same without blocks of a base.
    pub fn without(mut self, base: BaseId) -> Known {
        self.blocks.retain(|b| *b != base);
        self
    }
}

/// The bit of the word at an offset of a block.
pub fn bit(at: i64, word: u8) -> u64 {
    let n = at.checked_div(i64::from(word)).filter(|_| at >= 0 && at % i64::from(word) == 0);
    n.and_then(|n| u32::try_from(n).ok()).and_then(|n| 1u64.checked_shl(n)).unwrap_or(0)
}

/// The bits of words of which bytes are in `[lo, hi)`.
fn bits(lo: i64, hi: i64, word: u8) -> u64 {
    (0..64i64).filter(|n| n * i64::from(word) < hi && lo < (n + 1) * i64::from(word)).map(|n| 1 << n).sum()
}

/// A cell that holds NULL or leads to the first block of a list, and where in a block the pointer to the next one stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chain {
    pub head: Holder,
    pub next: i64,
}

/// What two cells have to do with each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// They hold the same.
    Same,
    /// The block that `a` leads to is not in the list of `b`, and its owned words lead to other blocks than those of that list.
    Apart,
    /// The lists of both have no block in common, and lead to different blocks with owned words.
    Disjoint,
    /// `a` holds NULL or leads to a block in the list of `b`.
    In,
    /// `a` leads to the cell `b` or to the pointer to the next one in a block of its list.
    Link,
    /// `a` holds what stands where `b` leads to, which is a link.
    Found,
    /// In the list of `a` its first block is followed by what stands where `b` leads to, which is a link.
    Before,
}

/// A fact on two cells and lists that go on at `next`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tie {
    pub kind: Kind,
    pub a: Holder,
    pub b: Holder,
    pub next: i64,
}

impl Tie {
    pub fn new(kind: Kind, a: Holder, b: Holder, next: i64) -> Tie {
        let swaps = matches!(kind, Kind::Same | Kind::Disjoint) && b < a;
        let (a, b) = if swaps { (b, a) } else { (a, b) };
        Tie { kind, a, b, next }
    }
    /// The lists that it needs.
    fn lists(self) -> impl Iterator<Item = Chain> {
        let chain = |head| Chain { head, next: self.next };
        let (first, second) = match self.kind {
            Kind::Disjoint => (Some(chain(self.a)), Some(chain(self.b))),
            Kind::Apart | Kind::Link | Kind::In => (Some(chain(self.b)), None),
            Kind::Before => (Some(chain(self.a)), None),
            Kind::Same | Kind::Found => (None, None),
        };
        first.into_iter().chain(second)
    }
}

/// The cell of a block that holds the start of a block which lives, or NULL. No other cell in blocks of these two bases holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sole {
    pub cell: Holder,
    pub among: [BaseId; 2],
}

/// The facts, each kind sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    pub chains: Vec<(Chain, Known)>,
    pub ties: Vec<Tie>,
    pub soles: Vec<Sole>,
}

impl Facts {
    /// Keeps ties of lists that are there, and what is said of the pointers that links lead to.
    fn prune(&mut self) {
        let chains = &self.chains;
        let is_there = |list: Chain| chains.binary_search_by_key(&list, |c| c.0).is_ok();
        self.ties.retain(|tie| tie.lists().all(is_there));
        let links = self.ties.iter().filter(|tie| tie.kind == Kind::Link);
        let links: Vec<Chain> = links.map(|tie| Chain { head: tie.a, next: tie.next }).collect();
        let through = |tie: &Tie| matches!(tie.kind, Kind::Found | Kind::Before);
        self.ties.retain(|tie| !through(tie) || links.contains(&Chain { head: tie.b, next: tie.next }));
    }
}

/// What a state says of lists. Copies share it.
#[derive(Clone, Debug, Default)]
pub struct Lists(Option<Arc<Facts>>);

impl PartialEq for Lists {
    fn eq(&self, other: &Lists) -> bool {
        self.is_same(other) || self.0 == other.0
    }
}

impl Lists {
    pub fn of(mut facts: Facts) -> Lists {
        facts.chains.sort_by_key(|c| c.0);
        facts.chains.dedup_by_key(|c| c.0);
        facts.chains.truncate(CHAINS);
        facts.ties.sort_unstable();
        facts.ties.dedup();
        facts.soles.sort_unstable();
        facts.soles.dedup();
        facts.ties.truncate(TIES);
        facts.prune();
        facts.soles.truncate(SOLES);
        let none = facts.chains.is_empty() && facts.ties.is_empty() && facts.soles.is_empty();
        Lists((!none).then(|| Arc::new(facts)))
    }
    pub fn is_none(&self) -> bool {
        self.0.is_none()
    }
    /// Whether they are seen at once to be the same.
    pub fn is_same(&self, other: &Lists) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
    pub fn chains(&self) -> &[(Chain, Known)] {
        self.0.as_ref().map_or(&[], |facts| &facts.chains)
    }
    pub fn ties(&self) -> &[Tie] {
        self.0.as_ref().map_or(&[], |facts| &facts.ties)
    }
    pub fn soles(&self) -> &[Sole] {
        self.0.as_ref().map_or(&[], |facts| &facts.soles)
    }
    pub fn facts(&self) -> Facts {
        self.0.as_ref().map_or_else(Facts::default, |facts| Facts::clone(facts))
    }
    pub fn chain(&self, list: Chain) -> Option<&Known> {
        let i = self.chains().binary_search_by_key(&list, |c| c.0).ok()?;
        Some(&self.chains()[i].1)
    }
    pub fn has(&self, tie: Tie) -> bool {
        self.ties().binary_search(&tie).is_ok()
    }
    pub fn sole(&self, cell: Holder) -> Option<&Sole> {
        self.soles().iter().find(|sole| sole.cell == cell)
    }
    /// The offsets at which lists go on.
    pub fn nexts(&self) -> Vec<i64> {
        let mut all: Vec<i64> = self.chains().iter().map(|(list, _)| list.next).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Keeps facts on bases that `keep` chooses, cells in them and blocks of them.
    pub fn retain(&mut self, keep: impl Fn(BaseId) -> bool) {
        let chain = |(list, known): &(Chain, Known)| keep(list.head.base) && known.blocks.iter().all(|b| keep(*b));
        let tie = |tie: &Tie| keep(tie.a.base) && keep(tie.b.base);
        let sole = |sole: &Sole| keep(sole.cell.base) && sole.among.iter().all(|b| keep(*b));
        if self.chains().iter().all(chain) && self.ties().iter().all(tie) && self.soles().iter().all(sole) {
            return;
        }
        let mut facts = self.facts();
        facts.chains.retain(chain);
        facts.ties.retain(tie);
        facts.soles.retain(sole);
        *self = Lists::of(facts);
    }

    /// There is no block of this base.
    pub fn have_none_of(&mut self, base: BaseId) {
        if self.chains().iter().any(|(_, known)| known.has(base)) {
            let mut facts = self.facts();
            facts.chains.iter_mut().for_each(|(_, known)| known.blocks.retain(|b| *b != base));
            *self = Lists::of(facts);
        }
    }

    /// After bytes of `[lo, hi)` in `base` may have been written.
    pub fn overwrite(&mut self, base: BaseId, lo: i64, hi: i64) {
        let hit = |cell: Holder| cell.meets(base, lo, hi);
        let ends = |(list, known): &(Chain, Known)| {
            hit(list.head) || known.has(base) && Holder { base, at: list.next, ..list.head }.meets(base, lo, hi)
        };
        let ended = |tie: &Tie| hit(tie.a) || hit(tie.b);
        let ends_sole = |sole: &Sole| hit(sole.cell);
        let has_words = |(_, known): &(Chain, Known)| known.has(base);
        let touched = self.chains().iter().any(|one| ends(one) || has_words(one));
        if !touched && !self.ties().iter().any(ended) && !self.soles().iter().any(ends_sole) {
            return;
        }
        let mut facts = self.facts();
        facts.chains.retain(|chain| !ends(chain));
        for (list, known) in facts.chains.iter_mut().filter(|one| has_words(one)) {
            let gone = bits(lo, hi, list.head.size);
            (known.owned, known.set) = (known.owned & !gone, known.set & !gone);
        }
        facts.ties.retain(|tie| !ended(tie));
        facts.soles.retain(|sole| !ends_sole(sole));
        *self = Lists::of(facts);
    }

    /// Gives up soles that `ends` chooses.
    pub fn end_soles(&mut self, ends: impl Fn(&Sole) -> bool) {
        if self.soles().iter().any(&ends) {
            let mut facts = self.facts();
            facts.soles.retain(|sole| !ends(sole));
            *self = Lists::of(facts);
        }
    }

    /// Adds facts, in the place of those on the same list.
    pub fn add(&mut self, more: Facts) {
        let mut facts = self.facts();
        facts.chains.retain(|(list, _)| !more.chains.iter().any(|(other, _)| other == list));
        facts.chains.extend(more.chains);
        facts.ties.extend(more.ties);
        facts.soles.extend(more.soles);
        *self = Lists::of(facts);
    }
}
