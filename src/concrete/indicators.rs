//! The two indicators of a stream, for its end and for errors: what reads have told of them, and which answers no execution gives.
//!
//! A read that gives less than was asked for sets one of the two. They stay set until a function clears them that is there for it, the position is set, or
//! a character is put back.
//!
//! See: C11 7.21.1p2 (the indicators), 7.21.5.3p7 (`fopen`), 7.21.7.1 (`fgetc`: at the end it stays), 7.21.9.2p5 (`fseek`), 7.21.9.5 (`rewind`),
//! 7.21.10 (`clearerr`, `feof`, `ferror`), 7.21.7.10 (`ungetc`).

/// What is known of a stream's indicators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Indicators {
    /// Whether the end was met; None where nobody has told.
    end: Option<bool>,
    /// Whether reading or writing has failed; the same.
    error: Option<bool>,
    /// A read has given nothing since they were cleared: nothing more comes, as far as is known.
    pub(super) stopped: bool,
    /// Nobody has told why it gave nothing.
    owed: bool,
    /// Both were clear before it, so that one alone is set.
    one_alone: bool,
}

/// A stream that was just opened.
pub(super) const CLEAR: Indicators =
    Indicators { end: Some(false), error: Some(false), stopped: false, owed: false, one_alone: false };
/// One of which nothing is known.
pub(super) const UNKNOWN: Indicators = Indicators { end: None, error: None, ..CLEAR };

impl Indicators {
    /// A read has given less than was asked for.
    pub(super) fn met_nothing(&mut self) {
        if self.end != Some(true) {
            self.one_alone = *self == CLEAR;
            self.may_have_stopped();
            self.owed = self.error.is_none();
        }
        self.stopped = true;
    }

    /// The same, and it was the end.
    pub(super) fn met_end(&mut self) {
        self.met_nothing();
        self.told_end(true);
    }

    /// A read has given all that was asked for; whether that can be.
    pub(super) fn went_on(&mut self) -> bool {
        self.end = Some(false);
        !self.stopped
    }

    /// A read has given something, and has perhaps met the end or failed behind it.
    pub(super) fn may_have_stopped(&mut self) {
        self.end = self.end.filter(|set| *set);
        self.may_have_failed();
    }

    /// Something has perhaps failed.
    pub(super) fn may_have_failed(&mut self) {
        self.error = self.error.filter(|set| *set);
    }

    /// `feof` has answered; whether it can.
    pub(super) fn told_end(&mut self, set: bool) -> bool {
        let other = self.other(set);
        self.stopped |= set;
        told(&mut self.end, set, &mut self.error, other)
    }

    /// `ferror` has answered; whether it can.
    pub(super) fn told_error(&mut self, set: bool) -> bool {
        let other = self.other(set);
        told(&mut self.error, set, &mut self.end, other)
    }

    /// What is known of the other indicator once one is told; nothing is owed then.
    fn other(&mut self, set: bool) -> Option<bool> {
        (std::mem::take(&mut self.owed) && (!set || self.one_alone)).then_some(!set)
    }

    /// The position was set, or a character was put back: what comes next is no end.
    pub(super) fn goes_on(&mut self) {
        (self.end, self.stopped, self.owed) = (Some(false), false, false);
    }
}

/// One indicator is told, and with it perhaps the other; whether that fits what was known.
fn told(one: &mut Option<bool>, set: bool, other: &mut Option<bool>, follows: Option<bool>) -> bool {
    *other = follows.or(*other);
    one.replace(set).is_none_or(|known| known == set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_that_gives_nothing_sets_one_of_both() {
        let mut failed = CLEAR;
        failed.met_nothing();
        assert!(failed.stopped && !{ failed }.went_on());
        let (mut end, mut error) = (failed, failed);
        assert!(end.told_end(true) && !{ end }.told_error(true) && end.told_error(false) && end.stopped);
        assert!(!{ end }.told_end(false));
        assert!(error.told_end(false) && !{ error }.told_error(false) && error.told_error(true));
        let mut neither = failed;
        assert!(neither.told_error(false) && !neither.told_end(false));
    }

    #[test]
    fn what_is_clear_stays_so_until_something_fails() {
        let mut clear = CLEAR;
        assert!(clear.went_on() && !{ clear }.told_error(true) && !{ clear }.told_end(true));
        clear.may_have_stopped();
        assert!({ clear }.told_end(true) && { clear }.told_end(false) && { clear }.went_on());
        assert!({ UNKNOWN }.told_error(true) && { UNKNOWN }.told_end(true) && { UNKNOWN }.went_on());
        let mut written = CLEAR;
        written.may_have_failed();
        assert!({ written }.told_error(true) && !{ written }.told_end(true));
    }

    #[test]
    fn an_error_that_is_told_explains_each_end_behind_it() {
        let mut twice = CLEAR;
        twice.met_nothing();
        assert!(twice.told_end(false));
        twice.met_nothing();
        assert!({ twice }.told_end(true) && { twice }.told_end(false));
    }
}
