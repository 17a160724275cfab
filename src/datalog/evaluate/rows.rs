//! Rows of words in one vector: found by hash, numbered in order of insertion, indexed by chosen columns.
use super::value::Word;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A set of rows. Rows are never removed, so that a range of numbers is a difference between two moments.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    arity: usize,
    count: usize,
    words: Vec<Word>,
    table: HashTable<u32>,
    indexes: Vec<Index>,
}

/// Rows with equal words in `columns`, chained from the newest to the oldest.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    newest: HashTable<u32>,
    /// By row: the next older one of its chain, or [`NONE`].
    older: Vec<u32>,
}

const NONE: u32 = u32::MAX;

fn hash_words(words: impl Iterator<Item = Word>) -> u64 {
    let mut hasher = FxHasher::default();
    words.for_each(|word| hasher.write_u32(word));
    hasher.finish()
}

impl Rows {
    pub fn new(arity: usize) -> Rows {
        Rows { arity, ..Rows::default() }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn row(&self, row: u32) -> &[Word] {
        let start = row as usize * self.arity;
        &self.words[start..start + self.arity]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[Word]> {
        (0..self.count).map(|at| &self.words[at * self.arity..(at + 1) * self.arity])
    }

    pub fn find(&self, row: &[Word]) -> Option<u32> {
        let hash = hash_words(row.iter().copied());
        self.table.find(hash, |other| self.row(*other) == row).copied()
    }

    /// The row's number, and whether it is new.
    pub fn insert(&mut self, row: &[Word]) -> (u32, bool) {
        debug_assert_eq!(row.len(), self.arity);
        let hash = hash_words(row.iter().copied());
        let Rows { arity, words, table, .. } = self;
        let at = |row: u32| &words[row as usize * *arity..(row as usize + 1) * *arity];
        if let Some(found) = table.find(hash, |other| at(*other) == row) {
            return (*found, false);
        }
        let new = u32::try_from(self.count).ok().filter(|row| *row != NONE).expect("fewer than 2^32 - 1 rows");
        table.insert_unique(hash, new, |other| hash_words(at(*other).iter().copied()));
        words.extend_from_slice(row);
        self.count += 1;
        let Rows { arity, words, indexes, .. } = self;
        for index in indexes {
            index.add(new, words, *arity);
        }
        (new, true)
    }

    /// The number of the index over these columns, built if there is none yet.
    pub fn ensure_index(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.columns == columns) {
            return found;
        }
        let mut index = Index { columns: columns.to_vec(), newest: HashTable::new(), older: Vec::new() };
        for row in 0..self.count {
            index.add(u32::try_from(row).expect("rows are numbered by u32"), &self.words, self.arity);
        }
        self.indexes.push(index);
        self.indexes.len() - 1
    }

    /// The rows whose indexed columns equal `key`, newest first.
    pub fn matching(&self, index: usize, key: &[Word]) -> Matching<'_> {
        let index = &self.indexes[index];
        let equal = |row: &u32| index.columns.iter().zip(key).all(|(column, word)| self.row(*row)[*column] == *word);
        let newest = index.newest.find(hash_words(key.iter().copied()), equal);
        Matching { older: &index.older, next: newest.copied().unwrap_or(NONE) }
    }
}

impl Index {
    fn add(&mut self, row: u32, words: &[Word], arity: usize) {
        let Index { columns, newest, older } = self;
        let word = |row: u32, column: &usize| words[row as usize * arity + column];
        let hash_of = |row: u32| hash_words(columns.iter().map(|column| word(row, column)));
        let equal = |other: &u32| columns.iter().all(|column| word(*other, column) == word(row, column));
        debug_assert_eq!(older.len(), row as usize);
        match newest.find_mut(hash_of(row), equal) {
            Some(head) => older.push(std::mem::replace(head, row)),
            None => {
                older.push(NONE);
                newest.insert_unique(hash_of(row), row, |other| hash_of(*other));
            }
        }
    }
}

/// A chain of rows.
pub struct Matching<'a> {
    older: &'a [u32],
    next: u32,
}

impl Iterator for Matching<'_> {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        let row = self.next;
        if row == NONE {
            return None;
        }
        self.next = self.older[row as usize];
        Some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_by_any_columns_whenever_the_index_was_made() {
        let mut rows = Rows::new(3);
        for word in 0..50 {
            rows.insert(&[word % 3, word % 5, word]);
        }
        let index = rows.ensure_index(&[0, 1]);
        for word in 50..100 {
            assert!(rows.insert(&[word % 3, word % 5, word]).1);
        }
        assert!(!rows.insert(&[0, 0, 90]).1);
        let mut found: Vec<u32> = rows.matching(index, &[2, 4]).map(|row| rows.row(row)[2]).collect();
        found.sort_unstable();
        assert_eq!(found, vec![14, 29, 44, 59, 74, 89]);
        assert_eq!(rows.matching(index, &[7, 7]).count(), 0);
    }
}
