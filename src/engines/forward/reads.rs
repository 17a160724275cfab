//! What an analysis asks for of objects: what grows elsewhere matters to it where it does.

use crate::base::Idx;
use crate::domains::BaseId;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Asked {
    /// What an object holds.
    Content(BaseId),
    /// Whether it exists, lives, and how large it is.
    Outside(BaseId),
    /// What comes over objects of which nobody knows.
    Damage,
}

impl Asked {
    /// What stands for it among the marks.
    fn index(self) -> usize {
        match self {
            Asked::Damage => 0,
            Asked::Content(base) => 2 * base.index() + 1,
            Asked::Outside(base) => 2 * base.index() + 2,
        }
    }
}

/// What was asked for; nothing is counted before there are bases.
#[derive(Debug, Default)]
pub struct Reads {
    /// By index. States are read by shared references only.
    marks: Vec<AtomicBool>,
    marked: Mutex<Vec<Asked>>,
}

impl Reads {
    /// Nothing was asked of so many bases.
    pub fn new(bases: usize) -> Reads {
        let mut reads = Reads { marks: vec![AtomicBool::new(false)], marked: Mutex::default() };
        (0..bases).for_each(|_| reads.grow());
        reads
    }
    /// There is another base.
    pub fn grow(&mut self) {
        if !self.marks.is_empty() {
            self.marks.extend([AtomicBool::new(false), AtomicBool::new(false)]);
        }
    }
    /// Somebody asks.
    pub fn note(&self, asked: Asked) {
        let Some(mark) = self.marks.get(asked.index()) else { return };
        if !mark.load(Ordering::Relaxed) {
            mark.store(true, Ordering::Relaxed);
            self.marked.lock().expect("no holder panics").push(asked);
        }
    }
    /// Whether there is no need to note this: it was asked for already, or nothing is counted.
    pub fn has(&self, asked: Asked) -> bool {
        self.marks.get(asked.index()).is_none_or(|mark| mark.load(Ordering::Relaxed))
    }
    /// What was asked for since this was called last.
    pub fn take(&self) -> Vec<Asked> {
        let marked = std::mem::take(&mut *self.marked.lock().expect("no holder panics"));
        marked.iter().for_each(|asked| self.marks[asked.index()].store(false, Ordering::Relaxed));
        marked
    }
    /// This was asked for, too.
    pub fn add(&self, more: &[Asked]) {
        more.iter().for_each(|asked| self.note(*asked));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contents_and_what_is_outside_are_told_apart() {
        let mut reads = Reads::new(1);
        reads.grow();
        let all = [Asked::Damage, Asked::Content(BaseId(0)), Asked::Outside(BaseId(0)), Asked::Content(BaseId(1))];
        for (i, asked) in all.into_iter().enumerate() {
            assert!(!reads.has(asked));
            reads.add(&[asked, asked]);
            assert!(reads.has(asked) && all[i + 1..].iter().all(|other| !reads.has(*other)));
        }
        assert_eq!(reads.take(), all);
        assert!(reads.take().is_empty() && !reads.has(Asked::Damage));
    }

    #[test]
    fn nothing_is_noted_where_nothing_is_counted() {
        let mut reads = Reads::default();
        reads.grow();
        reads.note(Asked::Damage);
        assert!(reads.take().is_empty() && reads.has(Asked::Damage));
    }
}
