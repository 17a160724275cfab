//! Pointers that stand inside strings: what library functions find there, and what a loop over characters moves on.
//!
//! A fact is about what a variable holds and about the bytes that it points to, so that a write to either ends it; what is
//! only known better than before ends nothing.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 6.2 (`z` of a buffer). There the
//! string starts with the buffer; here it is seen from any pointer into it.

use super::shape::{Kind, Shape};
use crate::domains::BaseId;

/// So many facts a state keeps at most; those that come later are left out.
const MOST: usize = 32;
/// So many characters are counted at most.
const AHEAD: u32 = 32;

/// A cell that holds a number or a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holder {
    pub base: BaseId,
    /// Bytes from its start.
    pub at: i64,
    /// Bytes.
    pub size: u8,
    /// Whether it holds numbers below zero.
    pub signed: bool,
}

impl Holder {
    /// A cell of this shape; None for those that hold floats.
    pub fn of(base: BaseId, at: i64, shape: Shape) -> Option<Holder> {
        let signed = shape.kind == Kind::Signed;
        (shape.kind != Kind::Float).then_some(Holder { base, at, size: shape.size, signed })
    }
    /// Whether it has a byte in `[lo, hi)` of `base`.
    pub fn meets(self, base: BaseId, lo: i64, hi: i64) -> bool {
        self.base == base && self.at < hi && lo < self.at.saturating_add(i64::from(self.size))
    }
    /// The shape of what stands in it.
    pub fn shape(self) -> Shape {
        Shape { size: self.size, kind: if self.signed { Kind::Signed } else { Kind::Unsigned } }
    }
}

/// Where a pointer starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// What a cell holds.
    Held(Holder),
    /// A byte of an object.
    At(BaseId, i64),
}

/// A pointer that an expression gives: what it starts from, and the number of bytes that a cell holds further on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pointer {
    pub origin: Origin,
    pub index: Option<Holder>,
}

impl Pointer {
    /// The pointer that a cell holds.
    pub fn held(holder: Holder) -> Pointer {
        Pointer { origin: Origin::Held(holder), index: None }
    }
    /// The same with another cell in the place of the one that moves: of the index, or of the pointer where there is none.
    pub fn through(self, holder: Holder) -> Pointer {
        match self.index {
            Some(_) => Pointer { index: Some(holder), ..self },
            None => Pointer::held(holder),
        }
    }
    /// The cells that it is made of.
    pub fn cells(self) -> impl Iterator<Item = Holder> {
        let origin = match self.origin {
            Origin::Held(holder) => Some(holder),
            Origin::At(..) => None,
        };
        origin.into_iter().chain(self.index)
    }
    /// Whether one of its cells has a byte in `[lo, hi)` of `base`.
    fn uses(self, base: BaseId, lo: i64, hi: i64) -> bool {
        self.cells().any(|cell| cell.meets(base, lo, hi))
    }
    /// Whether it may point to `target`, and is not held in it.
    fn suits(self, target: BaseId) -> bool {
        let own = match self.origin {
            Origin::Held(_) => true,
            Origin::At(base, _) => base == target && self.index.is_some(),
        };
        own && self.cells().all(|c| c.base != target)
    }
}

/// What is known of a pointer where a state has no fact about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Implied<T> {
    /// Everything: it points to nothing that facts are about.
    All,
    /// What the objects say.
    Known(T),
    Nothing,
}

impl<T> Implied<T> {
    /// What the objects say, or else what is known besides.
    pub fn or(self, known: Option<T>) -> Option<T> {
        match self {
            Implied::Known(said) => Some(said),
            Implied::All | Implied::Nothing => known,
        }
    }
}

/// What is known of a pointer: where it points to an object, it points to a byte of it, and a zero stands there, at or behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Text {
    /// So many bytes behind the pointer, or further on, that zero stands.
    pub ahead: u32,
    /// All bytes from the pointer on up to that zero are determinate.
    pub set: bool,
}

impl Text {
    /// The same seen from a pointer `by` bytes further on, if that is not behind the zero for sure.
    pub fn moved(self, by: i128) -> Option<Text> {
        let by = u32::try_from(by).ok()?;
        Some(Text { ahead: self.ahead.checked_sub(by)?, ..self })
    }
    /// The same; also seen from before, where that is a byte of the object: not all bytes on the way may be determinate there.
    pub fn seen_from(self, by: i128, inside: impl FnOnce() -> bool) -> Option<Text> {
        if by >= 0 {
            return self.moved(by);
        }
        let back = u32::try_from(-by).ok().filter(|_| inside())?;
        Some(Text { ahead: self.ahead.checked_add(back)?, set: false })
    }
    /// What is known of a pointer that is one of several, from what is known of each; nothing if there is none.
    pub fn of_each(mut each: impl Iterator<Item = Option<Text>>) -> Option<Text> {
        let first = each.next()??;
        each.try_fold(first, |all, text| Some(all.common(text?)))
    }
    /// What both say.
    pub fn common(self, other: Text) -> Text {
        Text { ahead: self.ahead.min(other.ahead), set: self.set && other.set }
    }
}

/// Facts about pointers, by what they point to, if they point there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// Sorted.
    facts: Vec<((Pointer, BaseId), Text)>,
}

impl Texts {
    /// What is known of a pointer, where it points to `target`.
    pub fn get(&self, pointer: Pointer, target: BaseId) -> Option<Text> {
        self.facts.binary_search_by_key(&(pointer, target), |f| f.0).ok().map(|i| self.facts[i].1)
    }
    /// All facts.
    pub fn iter(&self) -> impl Iterator<Item = (Pointer, BaseId, Text)> {
        self.facts.iter().map(|&((pointer, target), text)| (pointer, target, text))
    }
    /// Notes a fact, in place of another about the same. Nothing is known of a pointer into the object that holds it.
    pub fn note(&mut self, pointer: Pointer, target: BaseId, text: Text) {
        let text = Text { ahead: text.ahead.min(AHEAD), ..text };
        if !pointer.suits(target) {
            return;
        }
        match self.facts.binary_search_by_key(&(pointer, target), |f| f.0) {
            Ok(i) => self.facts[i].1 = text,
            Err(i) if self.facts.len() < MOST => self.facts.insert(i, ((pointer, target), text)),
            Err(_) => {}
        }
    }
    /// After bytes of `[lo, hi)` in `base` may have been written.
    pub fn overwrite(&mut self, base: BaseId, lo: i64, hi: i64) {
        self.facts.retain(|((pointer, target), _)| *target != base && !pointer.uses(base, lo, hi));
    }
    /// After bytes of `[lo, hi)` in `base` may have got zero: the zeros that stood there before still do.
    pub fn end(&mut self, base: BaseId, lo: i64, hi: i64) {
        self.facts.retain(|((pointer, _), _)| !pointer.uses(base, lo, hi));
    }
    /// Forgets what is about `base`.
    pub fn forget(&mut self, base: BaseId) {
        self.retain(|other| other != base);
    }
    /// Keeps the facts all of whose objects `keep` chooses.
    pub fn retain(&mut self, keep: impl Fn(BaseId) -> bool) {
        self.facts.retain(|((pointer, target), _)| keep(*target) && pointer.cells().all(|c| keep(c.base)));
    }
    /// Keeps the facts whose targets `keep` chooses.
    pub fn retain_targets(&mut self, keep: impl Fn(BaseId) -> bool) {
        self.facts.retain(|((_, target), _)| keep(*target));
    }
    /// What holds whichever of two states is there; the functions say what is known in each beside the facts.
    pub fn common(
        &self,
        other: &Texts,
        here: impl Fn(Pointer, BaseId) -> Implied<Text>,
        there: impl Fn(Pointer, BaseId) -> Implied<Text>,
    ) -> Texts {
        let mut both = Texts::default();
        for (pointer, target, text) in self.iter() {
            let theirs = other.get(pointer, target).map_or_else(|| there(pointer, target), Implied::Known);
            both.note_both(pointer, target, text, theirs);
        }
        for (pointer, target, text) in other.iter() {
            if self.get(pointer, target).is_none() {
                both.note_both(pointer, target, text, here(pointer, target));
            }
        }
        both
    }
    fn note_both(&mut self, pointer: Pointer, target: BaseId, text: Text, other: Implied<Text>) {
        match other {
            Implied::All => self.note(pointer, target, text),
            Implied::Known(other) => self.note(pointer, target, text.common(other)),
            Implied::Nothing => {}
        }
    }
    /// Whether all that `other` says holds here, where `here` says what is known beside the facts.
    pub fn say(&self, other: &Texts, here: impl Fn(Pointer, BaseId) -> Implied<Text>) -> bool {
        let says = |(pointer, target, text): (Pointer, BaseId, Text)| match self
            .get(pointer, target)
            .map_or_else(|| here(pointer, target), Implied::Known)
        {
            Implied::All => true,
            Implied::Known(ours) => ours.common(text) == text,
            Implied::Nothing => false,
        };
        other.iter().all(says)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: Pointer = Pointer { origin: Origin::Held(cell(1, 8)), index: None };
    const Q: Pointer = Pointer { origin: Origin::Held(cell(2, 0)), index: None };

    const TARGET: BaseId = BaseId(7);

    const fn cell(base: u32, at: i64) -> Holder {
        Holder { base: BaseId(base), at, size: 8, signed: false }
    }

    fn text(ahead: u32) -> Text {
        Text { ahead, set: true }
    }

    fn known() -> Texts {
        let mut texts = Texts::default();
        texts.note(P, TARGET, text(1));
        texts.note(Q, TARGET, text(3));
        texts
    }

    fn of(texts: &Texts) -> (Option<Text>, Option<Text>) {
        (texts.get(P, TARGET), texts.get(Q, TARGET))
    }

    #[test]
    fn a_pointer_goes_on_as_far_as_the_zero_is_for_sure() {
        assert_eq!(text(2).moved(0), Some(text(2)));
        assert_eq!(text(2).moved(2), Some(text(0)));
        assert_eq!(text(2).moved(3), None);
        assert_eq!(text(2).moved(-1), None);
    }

    #[test]
    fn a_write_to_the_pointer_or_to_what_it_points_to_ends_a_fact() {
        for (base, lo, hi, p, q) in
            [(1, 0, 8, true, true), (1, 15, 16, false, true), (2, 7, 9, true, false), (7, 90, 91, false, false)]
        {
            let mut texts = known();
            texts.overwrite(BaseId(base), lo, hi);
            assert_eq!((of(&texts).0.is_some(), of(&texts).1.is_some()), (p, q), "{base} [{lo}, {hi})");
        }
    }

    #[test]
    fn a_zero_ends_only_what_is_known_of_pointers_that_it_overwrites() {
        let mut texts = known();
        texts.end(TARGET, 3, 4);
        assert_eq!(texts, known());
        texts.end(BaseId(1), 8, 9);
        assert_eq!(of(&texts), (None, Some(text(3))));
    }

    #[test]
    fn what_two_states_say_is_the_weaker_of_both() {
        let (a, mut b) = (known(), known());
        b.note(P, TARGET, Text { set: false, ahead: 5 });
        b.forget(BaseId(2));
        let anywhere = |_, _| Implied::<Text>::Nothing;
        let both = a.common(&b, anywhere, anywhere);
        assert_eq!(of(&both), (Some(Text { set: false, ahead: 1 }), None));
        assert!(a.say(&both, anywhere) && b.say(&both, anywhere) && !both.say(&a, anywhere) && a.say(&a, anywhere));
    }

    #[test]
    fn where_a_pointer_does_not_point_to_an_object_everything_holds_of_it() {
        let (a, mut b) = (known(), Texts::default());
        b.note(Q, BaseId(9), text(2));
        let only = |wanted| move |_: Pointer, target| if target == wanted { Implied::Nothing } else { Implied::All };
        let (first, second) = (only(TARGET), only(BaseId(9)));
        let both = a.common(&b, first, second);
        assert_eq!((of(&both), both.get(Q, BaseId(9))), (of(&a), Some(text(2))));
        assert!(a.say(&both, first) && b.say(&both, second) && !b.say(&both, first));
    }

    #[test]
    fn facts_are_bounded_and_none_is_about_an_object_that_points_into_itself() {
        let mut texts = Texts::default();
        for base in 10..100 {
            texts.note(Pointer::held(cell(base, 0)), TARGET, text(100));
        }
        assert_eq!(texts.iter().count(), MOST);
        assert_eq!(texts.iter().map(|(_, _, t)| t.ahead).max(), Some(AHEAD));
        let (inside, other) = (Pointer::held(cell(7, 0)), Pointer { origin: Origin::At(BaseId(8), 0), index: None });
        for pointer in [inside, other] {
            texts.note(pointer, TARGET, text(1));
            assert_eq!(texts.get(pointer, TARGET), None);
        }
    }

    #[test]
    fn an_index_stands_for_the_pointer_that_it_moves() {
        let indexed = Pointer { origin: Origin::At(TARGET, 4), index: Some(cell(3, 0)) };
        let mut texts = Texts::default();
        texts.note(indexed, TARGET, text(2));
        texts.overwrite(BaseId(3), 8, 12);
        assert_eq!(texts.get(indexed, TARGET), Some(text(2)));
        let seen = |_, _| Implied::Known(Text { ahead: 0, set: true });
        assert_eq!(texts.common(&Texts::default(), seen, seen).get(indexed, TARGET), Some(text(0)));
        texts.overwrite(BaseId(3), 7, 8);
        assert_eq!(texts.get(indexed, TARGET), None);
    }
}
