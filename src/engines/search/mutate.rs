//! Changes of a file's content: bits, numbers, words, lines and blocks.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz" (havoc, splicing); Aschermann et al., "REDQUEEN: Fuzzing with Input-to-State
//! Correspondence" (bytes that the program compares are replaced by what it compares them with).

use super::dictionary::Dictionary;
use super::random::Random;
use std::ops::Range;

/// Files do not grow beyond this.
pub(super) const LONGEST_FILE: usize = 1 << 16;
/// How often a change is one that a comparison suggests, where there are such.
const HINTS: usize = 3;
/// How often what is suggested comes before what it would replace, and how often behind it: once each in so many times.
const BESIDE: usize = 5;
/// How often it is one of those that say what could stand behind the end.
const BEHIND: usize = 4;
/// Lengths of runs of one byte.
const RUNS: [usize; 6] = [4, 16, 64, 260, 1100, 5000];

/// What a comparison of a run suggests: to have other bytes in the place of these, or behind all where these are none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Hint {
    pub found: Vec<u8>,
    pub wanted: Vec<u8>,
}

/// Changes contents.
pub(super) struct Mutator<'a> {
    pub dictionary: &'a Dictionary,
    pub hints: &'a [Hint],
    /// Another file that parts are taken from.
    pub other: &'a [u8],
}

impl Mutator<'_> {
    /// A few changes of `content`.
    pub fn mutate(&self, content: &mut Vec<u8>, random: &mut Random) {
        let changes = 1 << random.below(4).min(random.below(5));
        for _ in 0..changes {
            if !self.hints.is_empty() && random.one_in(HINTS) {
                self.take_hint(content, random);
            } else {
                self.change(content, random);
            }
            content.truncate(LONGEST_FILE);
        }
    }

    fn change(&self, content: &mut Vec<u8>, random: &mut Random) {
        if content.is_empty() {
            return self.insert(content, random);
        }
        let at = random.below(content.len());
        match random.below(20) {
            0 => content[at] ^= 1 << random.below(8),
            1 | 2 => content[at] = self.dictionary.byte(random),
            3 => {
                let by = random.between(-35, 35) as u8;
                content[at] = content[at].wrapping_add(by);
            }
            4 | 5 => self.overwrite_number(content, at, random),
            6 => {
                let block = block(content.len(), random);
                content.drain(block);
            }
            7 => {
                let block = content[block(content.len(), random)].to_vec();
                content.splice(at..at, block);
            }
            8 => {
                let block = content[block(content.len(), random)].to_vec();
                let end = (at + block.len()).min(content.len());
                content.splice(at..end, block);
            }
            9 | 10 => self.change_digits(content, random),
            11 | 12 => self.change_lines(content, random),
            13 => {
                let token = self.dictionary.token(random);
                let end = (at + token.len()).min(content.len());
                content.splice(at..end, token);
            }
            14 => content.truncate(at),
            15 if !self.other.is_empty() => {
                let part = self.other[block(self.other.len(), random)].to_vec();
                let end = if random.one_in(2) { at } else { content.len() };
                content.splice(at..end, part);
            }
            16 | 17 if !self.other.is_empty() => self.join(content, at, random),
            _ => self.insert(content, random),
        }
    }

    /// The other file before or behind it, or the other's end behind its start: what one needs another may have.
    fn join(&self, content: &mut Vec<u8>, at: usize, random: &mut Random) {
        match random.below(3) {
            0 => drop(content.splice(0..0, self.other.iter().copied())),
            1 => content.extend_from_slice(self.other),
            _ => {
                content.truncate(at);
                content.extend_from_slice(&self.other[random.below(self.other.len())..]);
            }
        }
    }

    /// New bytes somewhere.
    fn insert(&self, content: &mut Vec<u8>, random: &mut Random) {
        let mut at = if random.one_in(3) { content.len() } else { random.below(content.len() + 1) };
        let new = match random.below(7) {
            0 => {
                let byte = if random.one_in(2) { b'A' } else { self.dictionary.byte(random) };
                vec![byte; RUNS[random.below(RUNS.len()).min(random.below(RUNS.len()))]]
            }
            1 => (0..=random.below(16)).map(|_| self.dictionary.byte(random)).collect(),
            2 | 3 => self.dictionary.token(random),
            4 => {
                let words = runs_of(content, |byte| byte.is_ascii_alphanumeric());
                at = random.pick(&words).map_or(at, |word| word.end);
                [&[self.dictionary.separator(random)], &*self.dictionary.token(random)].concat()
            }
            _ => self.dictionary.bytes(random, 80),
        };
        content.splice(at..at, new);
    }

    /// A number of some bytes in some order at the place, where there is room.
    fn overwrite_number(&self, content: &mut [u8], at: usize, random: &mut Random) {
        let width = 1 << random.below(4);
        if at + width > content.len() {
            return;
        }
        let number = self.dictionary.number(random, i64::MIN.into(), u64::MAX.into());
        let mut bytes = number.to_le_bytes()[..width].to_vec();
        if random.one_in(2) {
            bytes.reverse();
        }
        content[at..at + width].copy_from_slice(&bytes);
    }

    /// Another number in the place of one that is written in digits.
    fn change_digits(&self, content: &mut Vec<u8>, random: &mut Random) {
        let numbers = runs_of(content, |byte| byte.is_ascii_digit());
        let Some(digits) = random.pick(&numbers).cloned() else { return };
        let new = match random.below(4) {
            0 => self.dictionary.number(random, i64::MIN.into(), i64::MAX.into()).to_string(),
            1 => [i128::from(i32::MAX), i32::MIN.into(), u32::MAX.into(), i64::MAX.into()][random.below(4)].to_string(),
            2 => random.between(0, 300).to_string(),
            _ => "9".repeat(1 + random.below(24)),
        };
        content.splice(digits, new.into_bytes());
    }

    /// A line more, a line less, or one in another place.
    fn change_lines(&self, content: &mut Vec<u8>, random: &mut Random) {
        let lines = runs_of(content, |byte| byte != b'\n');
        let Some(line) = random.pick(&lines).cloned() else { return };
        let with_end = line.start..(line.end + 1).min(content.len());
        match random.below(4) {
            0 => drop(content.drain(with_end)),
            1 => {
                let again = content[with_end.clone()].to_vec();
                let times = 1 << random.below(5).min(random.below(8));
                content.splice(with_end.start..with_end.start, again.repeat(times));
            }
            2 => {
                let mut new = self.dictionary.bytes(random, 80);
                new.retain(|byte| *byte != b'\n');
                new.push(b'\n');
                content.splice(with_end.start..with_end.start, new);
            }
            _ => {
                let moved: Vec<u8> = content.drain(with_end).collect();
                let lines = runs_of(content, |byte| byte != b'\n');
                let at = random.pick(&lines).map_or(content.len(), |line| line.start);
                content.splice(at..at, moved);
            }
        }
    }

    /// What a comparison suggests, at one of the places where what it compared stands.
    fn take_hint(&self, content: &mut Vec<u8>, random: &mut Random) {
        let Some(hint) = pick_hint(self.hints, content.is_empty(), random) else { return };
        if hint.found.is_empty() {
            let start = content.len();
            content.extend_from_slice(&hint.wanted);
            // What is missing as a whole may be anything.
            if hint.wanted.iter().all(|byte| *byte == 0) && random.one_in(2) {
                content[start..].iter_mut().for_each(|byte| *byte = self.dictionary.byte(random));
            }
            return;
        }
        let places: Vec<usize> = places_of(content, &hint.found).collect();
        if let Some(at) = random.pick(&places) {
            let found = *at..at + hint.found.len();
            // What ends a word stands behind its last character, and before the end of the line.
            let place = match random.below(BESIDE) {
                0 => found.start..found.start,
                1 => found.end..found.end,
                _ => found,
            };
            content.splice(place, hint.wanted.iter().copied());
        }
    }
}

/// One of the hints, less often of those that say what could stand behind the end, which come last; of an empty content these alone say anything.
fn pick_hint<'h>(hints: &'h [Hint], is_empty: bool, random: &mut Random) -> Option<&'h Hint> {
    let (within, behind) = hints.split_at(hints.partition_point(|hint| !hint.found.is_empty()));
    let some =
        if is_empty || within.is_empty() || !behind.is_empty() && random.one_in(BEHIND) { behind } else { within };
    random.pick(some)
}

/// Where the bytes stand in the content.
pub(super) fn places_of<'a>(content: &'a [u8], bytes: &'a [u8]) -> impl Iterator<Item = usize> + 'a {
    let first = bytes.first().copied();
    let may_be = move |window: &[u8]| window.first().copied() == first && window == bytes;
    content.windows(bytes.len().max(1)).enumerate().filter(move |(_, window)| may_be(window)).map(|(i, _)| i)
}

/// A block of at least one byte, more often a short one.
fn block(len: usize, random: &mut Random) -> Range<usize> {
    let start = random.below(len);
    let longest = len - start;
    let length = 1 + random.below(longest).min(random.below(longest)).min(random.below(64).max(random.below(longest)));
    start..start + length
}

/// The longest runs of bytes that are such.
fn runs_of(content: &[u8], is_such: impl Fn(u8) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for i in (0..content.len()).filter(|i| is_such(content[*i])) {
        match runs.last_mut() {
            Some(run) if run.end == i => run.end += 1,
            _ => runs.push(i..i + 1),
        }
    }
    runs
}
