//! What functions find in strings, backwards: characters, and numbers in decimals.
//!
//! A result is asked of the characters that give it. Of the ways to spell one a few plain ones are tried, so that states are
//! lost and none is gained.

use super::engine::{Joined, number};
use super::resolve::{Goals, Resolved, Target};
use super::text::Text;
use crate::domains::cell::Cell;
use crate::domains::cell_set::CellStates;
use crate::domains::{Int, Value};
use crate::ir::{Expr, Place};

/// Places of a character that are tried, and ends of a string whose last one is sought.
const PLACES: i128 = 10;
const ENDS: i128 = 6;

/// Which of the characters that are alike is sought.
#[derive(Clone, Copy)]
pub(super) enum Sought<'e> {
    /// The first one of a string.
    First,
    /// The last one of a string.
    Last,
    /// The first one of so many.
    Among(&'e Expr),
}

/// A character that is sought in a text, whose object has room for so many.
struct Search {
    text: Text,
    c: i128,
    room: i128,
    /// How many are looked at, unless a zero ends them.
    among: Option<i128>,
}

impl Joined<'_> {
    /// `dest` gets the address of a character, the same in all executions, or NULL.
    pub(super) fn character(
        &mut self,
        dest: &Place,
        (s, c): (&Expr, &Expr),
        size: u8,
        sought: Sought<'_>,
        post: &CellStates,
    ) -> CellStates {
        let untouched = self.havoc(dest, post);
        let (Some(ty), Some(targets), Some(c)) = (self.cell_type(dest.ty), self.spots(s), self.constant(c)) else {
            return untouched;
        };
        let among = match sought {
            Sought::Among(count) => match self.constant(count) {
                Some(count) => Some(count),
                None => return untouched,
            },
            Sought::First | Sought::Last => None,
        };
        let mut values = Vec::new();
        for target in &targets {
            let text = Text::new(target, size);
            let Some(room) = self.exact_room(text) else { continue };
            let search = Search { text, c: text.character(c), room, among };
            let found = if matches!(sought, Sought::Last) { search.last() } else { search.first() };
            for (place, goals) in found {
                let e = place.map_or(number(0), |i| text.address(i));
                values.push(Resolved::from(e).also(&target.when, &target.known).also(&goals, &[]));
            }
        }
        let mut all = untouched.clone();
        all.lower_join(self.write(dest, ty, &values, &touched(post, &untouched)));
        all
    }

    /// `dest` gets the number of characters that a search for one among so many looks at.
    pub(super) fn searched(
        &mut self,
        dest: &Place,
        (s, c, count): (&Expr, &Expr, &Expr),
        size: u8,
        post: &CellStates,
    ) -> CellStates {
        let untouched = self.havoc(dest, post);
        let (Some(targets), Some(c), Some(count)) = (self.spots(s), self.constant(c), self.constant(count)) else {
            return untouched;
        };
        let mut values = Vec::new();
        for target in &targets {
            let text = Text::new(target, size);
            let Some(room) = self.exact_room(text) else { continue };
            let search = Search { text, c: text.character(c), room, among: Some(count) };
            for (looked, goals) in search.looked_at() {
                values.push(Resolved::from(number(looked)).also(&target.when, &target.known).also(&goals, &[]));
            }
        }
        let mut all = untouched.clone();
        all.lower_join(self.one_of(dest, &values, &touched(post, &untouched)));
        all
    }

    /// `dest` gets the number that a string begins with, one of those that a state asks for, spelled in decimals.
    pub(super) fn decimal(&mut self, dest: &Place, s: &Expr, base: Option<&Expr>, post: &CellStates) -> CellStates {
        let untouched = self.havoc(dest, post);
        let (Some(ty), Some(tos), Some(texts)) = (self.cell_type(dest.ty), self.targets(dest), self.spots(s)) else {
            return untouched;
        };
        let decimals = base.is_none_or(|base| matches!(self.constant(base), Some(0 | 10)));
        let ([to], true) = (&tos[..], decimals) else { return untouched };
        let cell = Cell { base: to.base, offset: to.offset, ty };
        let mut all = untouched.clone();
        for part in touched(post, &untouched).parts() {
            let Some(wanted) = part.cells.get(&cell).and_then(Value::plain) else { continue };
            for text in &texts {
                for (n, goals) in self.spellings(text, wanted) {
                    let value = Resolved::from(number(n)).also(&text.when, &text.known).also(&goals, &[]);
                    all.lower_join(self.write_one(to, ty, &value, &CellStates::of([part.clone()])));
                }
            }
        }
        all
    }

    /// The ends of some numbers and the one nearest to 0, each with how it is spelled.
    fn spellings(&self, target: &Target, wanted: Int) -> Vec<(i128, Goals)> {
        let text = Text::new(target, 1);
        let Some(room) = self.exact_room(text) else { return Vec::new() };
        let mut numbers = vec![0.clamp(wanted.lo(), wanted.hi()), wanted.lo(), wanted.hi()];
        numbers.retain(|n| wanted.contains(*n));
        numbers.sort_unstable();
        numbers.dedup();
        let mut all = Vec::new();
        for n in numbers {
            let digits = n.to_string();
            let length = digits.len() as i128;
            if length < room {
                let spelled = digits.bytes().zip(0..).map(|(b, i)| text.is(i, b.into()));
                all.push((n, spelled.chain([text.ended(length)]).collect()));
            }
            if n == 0 && room > 0 {
                // No digits, no sign and no space.
                all.push((0, vec![(text.cell(0), Value::int(Int::range(58, 126)))]));
            }
        }
        all
    }

    /// The number that an expression is in all executions.
    pub(super) fn constant(&self, e: &Expr) -> Option<i128> {
        self.forward.noted.value(e).and_then(Value::plain).and_then(Int::as_constant)
    }
}

/// The parts that are not among those that a write leaves alone.
fn touched(post: &CellStates, untouched: &CellStates) -> CellStates {
    CellStates::of(post.parts().iter().filter(|p| !untouched.parts().contains(p)).cloned())
}

impl Search {
    /// Where the first one is, or nowhere, with what has to hold of characters.
    fn first(&self) -> Vec<(Option<i128>, Goals)> {
        let last = self.among.unwrap_or(i128::MAX).min(self.room).min(PLACES);
        let mut all = Vec::new();
        for i in 0..last {
            let there = [self.text.is(i, self.c)];
            all.extend(self.others(0, i).into_iter().map(|goals| (Some(i), [goals, there.to_vec()].concat())));
        }
        match self.among {
            Some(count) if count == last => all.extend(self.others(0, count).into_iter().map(|goals| (None, goals))),
            Some(_) => {}
            None => all.extend((0..last).flat_map(|end| self.missing(end))),
        }
        all
    }

    /// How many characters are looked at for the first one, the one included at which the object ends.
    fn looked_at(&self) -> Vec<(i128, Goals)> {
        let found = self.first().into_iter();
        let count = self.among.unwrap_or(i128::MAX);
        let mut all: Vec<(i128, Goals)> = found.map(|(at, goals)| (at.map_or(count, |i| i + 1), goals)).collect();
        let room = self.room.max(0);
        if room < count && room <= PLACES {
            all.extend(self.others(0, room).into_iter().map(|goals| (room + 1, goals)));
        }
        all
    }

    /// Where the last one of a string is, or nowhere.
    fn last(&self) -> Vec<(Option<i128>, Goals)> {
        let mut all = Vec::new();
        for end in 0..self.room.min(ENDS) {
            let ended = [self.text.ended(end)];
            if self.c == 0 {
                all.push((Some(end), [self.text.unended(end), ended.to_vec()].concat()));
                continue;
            }
            for i in 0..end {
                let there = [self.text.unended(i), vec![self.text.is(i, self.c)]].concat();
                let others = self.others(i + 1, end).into_iter();
                all.extend(others.map(|goals| (Some(i), [there.clone(), goals, ended.to_vec()].concat())));
            }
            all.extend(self.missing(end));
        }
        all
    }

    /// How a string that ends there has none.
    fn missing(&self, end: i128) -> Vec<(Option<i128>, Goals)> {
        if self.c == 0 {
            return Vec::new();
        }
        let ended = [self.text.ended(end)];
        self.others(0, end).into_iter().map(|goals| (None, [goals, ended.to_vec()].concat())).collect()
    }

    /// All characters from one place to before another are others, and none ends a string: all below or all above.
    fn others(&self, from: i128, to: i128) -> Vec<Goals> {
        if from >= to {
            return vec![Goals::new()];
        }
        let least = i128::from(self.among.is_none());
        let ranges = [(least, self.c - 1), ((self.c + 1).max(least), self.text.greatest())];
        let all = |(low, high): (i128, i128)| {
            (from..to).map(|i| (self.text.cell(i), Value::int(Int::range(low, high)))).collect()
        };
        ranges.into_iter().filter(|(low, high)| low <= high).map(all).collect()
    }
}
