//! Values worth trying: limits of types, constants and strings of the program.

use super::random::Random;
use crate::ir::{Expr, ExprKind, Program, StaticValue, Terminator};
use std::collections::BTreeSet;

/// Strings longer than this are not tried as inputs.
const LONGEST_STRING: usize = 64;

/// How often a word of the command line is an option, where the program seems to have some.
const OPTIONS: usize = 3;

/// How often a word of the command line is long, and how long it is then.
const LONG_WORDS: usize = 12;
const LENGTHS: [usize; 3] = [300, 1200, 5000];

/// What a program's own text suggests as inputs.
#[derive(Debug, Default, Hash)]
pub struct Dictionary {
    numbers: Vec<i128>,
    strings: Vec<Vec<u8>>,
    /// Strings of one character that is no letter and no digit.
    separators: Vec<u8>,
    /// Letters and digits that the program chooses by: options of its command line.
    letters: Vec<u8>,
}

impl Dictionary {
    /// Suggests nothing.
    pub const EMPTY: Dictionary =
        Dictionary { numbers: Vec::new(), strings: Vec::new(), separators: Vec::new(), letters: Vec::new() };

    /// Constants of expressions and `switch` labels with their neighbours; string literals.
    pub fn of(program: &Program) -> Dictionary {
        let mut numbers = BTreeSet::new();
        let mut note = |e: &Expr| {
            e.walk(&mut |e| {
                if let ExprKind::Int(v) = e.kind {
                    numbers.extend([v.saturating_sub(1), v, v.saturating_add(1)]);
                }
            });
        };
        let mut cases = BTreeSet::new();
        for block in program.functions.iter().flat_map(|f| f.blocks.iter()) {
            for stmt in &block.stmts {
                stmt.kind.exprs().into_iter().for_each(&mut note);
            }
            if let Some(e) = block.terminator.expr() {
                note(e);
            }
            if let Terminator::Switch { cases: list, .. } = &block.terminator {
                cases.extend(list.iter().flat_map(|c| [c.low, c.high]));
            }
        }
        let letters = cases.iter().filter_map(|c| u8::try_from(*c).ok()).filter(u8::is_ascii_alphanumeric).collect();
        numbers.extend(cases);
        let bytes = program.variables.iter().filter(|v| v.owner().is_none()).flat_map(|v| &v.init).filter_map(|i| {
            match &i.value {
                StaticValue::Bytes(b) => Some(b.strip_suffix(b"\0").unwrap_or(b).to_vec()),
                _ => None,
            }
        });
        let strings: BTreeSet<Vec<u8>> = bytes.filter(|b| b.len() <= LONGEST_STRING).collect();
        let single = strings.iter().filter(|string| string.len() == 1).map(|string| string[0]);
        Dictionary {
            numbers: numbers.into_iter().collect(),
            separators: single.filter(|byte| !byte.is_ascii_alphanumeric()).collect(),
            strings: strings.into_iter().collect(),
            letters,
        }
    }

    /// An integer from `low` to `high`.
    pub fn number(&self, random: &mut Random, low: i128, high: i128) -> i128 {
        let value = match random.below(10) {
            0..4 => random.pick(&self.numbers).copied().unwrap_or(0),
            4 => [low, high, low.saturating_add(1), high.saturating_sub(1)][random.below(4)],
            5 | 6 => {
                let power = 1i128 << random.below(64);
                [power, power - 1, -power, 1 - power, power + 1][random.below(5)]
            }
            7 | 8 => random.between(-16, 64),
            _ => random.between(low, high),
        };
        if (low..=high).contains(&value) {
            value
        } else {
            random.between(low.max(-2).min(high), high.min(256).max(low))
        }
    }

    /// A float.
    pub fn float(&self, random: &mut Random) -> f64 {
        const SPECIAL: [f64; 12] =
            [0.0, 1.0, -1.0, 0.5, 1e-9, -1e-9, 1e10, -1e10, 1e20, -1e20, f64::MAX, f64::MIN_POSITIVE];
        if random.one_in(2) {
            SPECIAL[random.below(SPECIAL.len())]
        } else {
            self.number(random, -1 << 40, 1 << 40) as f64
        }
    }

    /// A text of up to `len` bytes: a number, a string of the program, or letters.
    pub fn bytes(&self, random: &mut Random, len: usize) -> Vec<u8> {
        let mut bytes = match random.below(10) {
            0..3 => self.word_or_number(random, 1),
            3 | 4 => self.word_or_number(random, 4),
            5 | 6 => {
                let separator = self.separator(random);
                let words: Vec<Vec<u8>> = (0..=random.below(5)).map(|_| self.word_or_number(random, 2)).collect();
                words.join(&separator)
            }
            7 => vec![b'A'; len],
            8 => (0..random.below(len.clamp(1, 256) + 1)).map(|_| b' ' + random.below(95) as u8).collect(),
            _ => (0..random.below(len.clamp(1, 64) + 1)).map(|_| self.byte(random)).collect(),
        };
        if random.one_in(2) {
            bytes.push(b'\n');
        }
        bytes.truncate(len);
        bytes
    }

    /// A string of the program, or a number in digits where it has none.
    pub fn token(&self, random: &mut Random) -> Vec<u8> {
        self.word_or_number(random, 8)
    }

    /// What stands between words: more often what the program has as a string of one character.
    pub fn separator(&self, random: &mut Random) -> u8 {
        match random.pick(&self.separators) {
            Some(separator) if random.one_in(2) => *separator,
            _ => b" ,:;=\t"[random.below(3) * random.below(3)],
        }
    }

    /// Any byte, limits of the character types more often.
    pub fn byte(&self, random: &mut Random) -> u8 {
        const LIMITS: [u8; 6] = [0, 1, 0x7f, 0x80, 0x81, 0xff];
        if random.one_in(3) { LIMITS[random.below(LIMITS.len())] } else { random.bits() as u8 }
    }

    /// A number near `old` in some way: a bit apart, a little apart, its negative, or half or twice of it.
    pub fn neighbour(&self, random: &mut Random, old: i128, low: i128, high: i128) -> i128 {
        let value = match random.below(6) {
            0..3 => old ^ (1 << random.below(64)),
            3 => old.saturating_add(random.between(-3, 3)),
            4 => old.saturating_neg(),
            _ => [old / 2, old.saturating_mul(2)][random.below(2)],
        };
        value.clamp(low, high)
    }

    /// A number in decimal, once in `of` times, else a string of the program.
    fn word_or_number(&self, random: &mut Random, of: usize) -> Vec<u8> {
        if !random.one_in(of) && !self.strings.is_empty() {
            return random.pick(&self.strings).cloned().unwrap_or_default();
        }
        let number = match random.below(4) {
            0 => i128::from(i32::MAX),
            1 => i128::from(i32::MIN),
            _ => self.number(random, i64::MIN.into(), i64::MAX.into()),
        };
        number.to_string().into_bytes()
    }

    /// A word of the command line: now and then an option, or one that is longer than buffers for names and paths are.
    pub fn word(&self, random: &mut Random) -> Vec<u8> {
        if random.one_in(LONG_WORDS) {
            return vec![b'A'; LENGTHS[random.below(LENGTHS.len())]];
        }
        let mut word = self.bytes(random, 24);
        if !self.letters.is_empty()
            && random.one_in(OPTIONS)
            && let Some(letter) = random.pick(&self.letters)
        {
            let rest = if random.one_in(2) { self.word_or_number(random, 2) } else { Vec::new() };
            word = [&[b'-', *letter], &rest[..]].concat();
        }
        word.retain(|b| *b != 0 && *b != b'\n');
        word
    }
}
