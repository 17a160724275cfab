//! Zeros of an object beyond what its cells say: where strings end whose length is not known.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 6.2 (`z` and `l` of a buffer). We bound
//! where a zero lies on both sides, so that a string from any start before it is seen to end.

/// Where zeros are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zeros {
    /// The last byte is zero.
    pub last: bool,
    /// Some byte in this range is zero, both ends included.
    within: Option<(i64, i64)>,
    /// From here on there is a zero in the object, and all bytes up to the first one are set.
    pub text: Option<i64>,
    /// No pointer in it but the last is NULL.
    pub ends_list: bool,
}

impl Zeros {
    /// The last byte is zero.
    pub const LAST: Zeros = Zeros { last: true, within: None, text: None, ends_list: false };
    /// No pointer in it but the last is NULL.
    pub const LIST: Zeros = Zeros { last: true, ends_list: true, ..Zeros::LAST };

    /// Whether nothing is known.
    pub fn is_none(self) -> bool {
        self == Zeros::default()
    }
    /// The same with a text that starts here, or without one.
    pub fn with_text(self, text: Option<i64>) -> Zeros {
        Zeros { text, ..self }
    }
    /// After the bytes of `[lo, hi)` may have got other values than zero.
    pub fn overwrite(&mut self, lo: i64, hi: i64) {
        self.touch();
        self.last = false;
        self.within = self.within.filter(|(first, last)| hi <= *first || *last < lo);
        self.text = self.text.filter(|start| hi <= *start);
    }
    /// After any bytes may have been written.
    pub fn touch(&mut self) {
        self.ends_list = false;
    }
    /// After one byte in this range, both ends included, got zero.
    pub fn place(&mut self, lo: i64, hi: i64) {
        // What starts later is more of use: longer strings end there.
        if self.within.is_none_or(|(first, _)| first <= lo) {
            self.within = Some((lo, hi));
        }
    }
    /// Whether a string that starts at `start` at the latest, inside the object, ends in it.
    pub fn end(self, start: i128) -> bool {
        self.last || self.follows(start)
    }
    /// Whether a zero stands at `start` or behind it, so that this is inside the object.
    pub fn follows(self, start: i128) -> bool {
        let text = self.text.is_some_and(|text| start <= i128::from(text));
        text || self.within.is_some_and(|(first, _)| start <= i128::from(first))
    }
    /// The range in which some byte is zero.
    pub fn range(self) -> Option<(i64, i64)> {
        self.within
    }
    /// The same with that range, or without one.
    pub fn with_range(self, within: Option<(i64, i64)>) -> Zeros {
        Zeros { within, ..self }
    }
    /// An upper bound of both; what it says of texts holds where both say the same.
    pub fn join(self, other: Zeros) -> Zeros {
        let both = self.within.zip(other.within);
        let within = both.map(|((a, b), (c, d))| (a.min(c), b.max(d)));
        let ends_list = self.ends_list && other.ends_list;
        Zeros { last: self.last && other.last, within, text: self.text.filter(|_| self.text == other.text), ends_list }
    }
    /// An upper bound of both, such that chains end.
    pub fn widen(self, next: Zeros) -> Zeros {
        let grown = |(a, b): (i64, i64), (c, d): (i64, i64)| {
            (if c < a { 0.min(c) } else { a }, if d > b { i64::MAX } else { b })
        };
        let within = self.within.zip(next.within).map(|(old, new)| grown(old, new));
        Zeros { within, ..self.join(next) }
    }
    /// Inclusion.
    pub fn leq(self, other: Zeros) -> bool {
        let inside = |(c, d): (i64, i64)| self.within.is_some_and(|(a, b)| c <= a && b <= d);
        let text = other.text.is_none_or(|start| self.text == Some(start));
        text && (self.last || !other.last) && (self.ends_list || !other.ends_list) && other.within.is_none_or(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::Zeros;

    fn at(lo: i64, hi: i64) -> Zeros {
        let mut zeros = Zeros::default();
        zeros.place(lo, hi);
        zeros
    }

    #[test]
    fn writes_outside_the_range_keep_a_zero_and_inside_they_may_end_it() {
        for (lo, hi, kept) in [(0, 3, true), (6, 9, true), (0, 4, false), (5, 6, false), (4, 5, false)] {
            let mut zeros = at(3, 5);
            zeros.overwrite(lo, hi);
            assert_eq!(zeros.range().is_some(), kept, "[{lo}, {hi})");
        }
    }

    #[test]
    fn bounds_contain_both_sides_and_growing_chains_end() {
        let (a, b) = (at(3, 5), at(2, 9));
        for joined in [a.join(b), a.widen(b)] {
            assert!(a.leq(joined) && b.leq(joined));
            assert!(!joined.leq(a));
        }
        assert!(a.join(Zeros::LAST).is_none());
        let mut zeros = at(7, 7);
        for n in 0..4 {
            let next = zeros.join(at(6 - n, 8 + n));
            let wide = zeros.widen(next);
            assert!(next.leq(wide));
            zeros = wide;
        }
        assert_eq!(zeros.range(), Some((0, i64::MAX)));
    }

    #[test]
    fn a_text_lasts_until_something_else_than_zeros_is_written_behind_its_start() {
        let text = Zeros { text: Some(4), ..Zeros::default() };
        for (lo, hi, kept) in [(0, 4, true), (0, 5, false), (4, 5, false), (90, 91, false)] {
            let mut zeros = text;
            zeros.overwrite(lo, hi);
            assert_eq!(zeros.text.is_some(), kept, "[{lo}, {hi})");
        }
        assert!(text.end(4) && !text.end(5));
        assert_eq!(text.join(text), text);
        assert!(text.join(at(4, 4)).text.is_none() && !at(4, 4).leq(text) && text.leq(Zeros::default()));
    }

    #[test]
    fn a_string_ends_at_a_zero_behind_every_start() {
        assert!(at(3, 5).end(3) && !at(3, 5).end(4));
        assert!(Zeros::LAST.end(1 << 40));
    }
}
