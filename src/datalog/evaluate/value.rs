//! Values as 32-bit words. Symbols and records are numbers of interned things, numbers near zero stand for
//! themselves and others are interned, so that equal values are equal words and rows are plain `u32`s.
use super::database::Input;
use super::rows::Rows;
use crate::datalog::language::core::{Kind, Program};
use crate::facts::{Cell, Sym, Symbols};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A value of known kind.
pub type Word = u32;

/// Numbers in `-SMALL..SMALL` are not interned.
const SMALL: i64 = 1 << 30;
const INTERNED: u32 = 1 << 31;

/// Everything words refer to.
#[derive(Clone, Default, Debug)]
pub struct Domain {
    pub symbols: Symbols,
    numbers: IndexSet<i64, FxBuildHasher>,
    /// By record type: the fields of each record.
    records: Vec<Rows>,
}

impl Domain {
    /// A domain for records with these numbers of fields.
    pub fn new(symbols: Symbols, record_arities: impl Iterator<Item = usize>) -> Domain {
        Domain { symbols, numbers: IndexSet::default(), records: record_arities.map(Rows::new).collect() }
    }

    /// An empty domain for a program over an input.
    pub fn of(program: &Program, input: &dyn Input) -> Domain {
        Domain::new(input.symbols(), program.records.iter().map(|record| record.fields.len()))
    }

    /// Keeps the records of the first `kept` types and has no records yet of others, with these numbers of fields.
    pub fn fit_records(&mut self, kept: usize, arities: impl Iterator<Item = usize>) {
        self.records.truncate(kept);
        self.records.extend(arities.skip(self.records.len()).map(Rows::new));
    }

    pub fn number(&mut self, value: i64) -> Word {
        if (-SMALL..SMALL).contains(&value) {
            return u32::try_from(value + SMALL).expect("below 2^31");
        }
        let index = self.numbers.insert_full(value).0;
        u32::try_from(index).ok().filter(|index| *index < INTERNED).expect("fewer than 2^31 large numbers") | INTERNED
    }

    /// The word of a number that has one already.
    pub fn find_number(&self, value: i64) -> Option<Word> {
        if (-SMALL..SMALL).contains(&value) {
            return u32::try_from(value + SMALL).ok();
        }
        Some(u32::try_from(self.numbers.get_index_of(&value)?).ok()? | INTERNED)
    }

    pub fn number_of(&self, word: Word) -> i64 {
        if word & INTERNED == 0 {
            return i64::from(word) - SMALL;
        }
        *self.numbers.get_index((word & !INTERNED) as usize).expect("a number of this domain")
    }

    pub fn record(&mut self, record: usize, fields: &[Word]) -> Word {
        self.records[record].insert(fields).0
    }

    pub fn fields(&self, record: usize, word: Word) -> &[Word] {
        self.records[record].row(word)
    }

    /// The number of records of a type.
    pub fn record_count(&self, record: usize) -> usize {
        self.records[record].len()
    }

    /// The word of a cell, whose base type must be the kind's.
    pub fn word(&mut self, cell: Cell) -> Word {
        match cell {
            Cell::Number(value) => self.number(value),
            Cell::Symbol(Sym(word)) | Cell::Unsigned(word) | Cell::Record(word) => word,
        }
    }

    pub fn cell(&self, word: Word, kind: Kind) -> Cell {
        match kind {
            Kind::Symbol => Cell::Symbol(Sym(word)),
            Kind::Number => Cell::Number(self.number_of(word)),
            Kind::Unsigned => Cell::Unsigned(word),
            Kind::Record(_) => Cell::Record(word),
        }
    }
}
