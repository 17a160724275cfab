//! Which objects an analysis asks for: what grows elsewhere matters to it where it does.

use crate::base::Idx;
use crate::domains::BaseId;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Objects that were read; none are counted before there are bases.
#[derive(Debug, Default)]
pub struct Reads {
    /// By base. States are read by shared references only.
    marks: Vec<AtomicBool>,
    marked: Mutex<Vec<BaseId>>,
}

impl Reads {
    /// Nothing was read of so many bases.
    pub fn new(bases: usize) -> Reads {
        Reads { marks: (0..bases).map(|_| AtomicBool::new(false)).collect(), marked: Mutex::default() }
    }
    /// There is another base.
    pub fn grow(&mut self) {
        if !self.marks.is_empty() {
            self.marks.push(AtomicBool::new(false));
        }
    }
    /// `base` is read.
    pub fn note(&self, base: BaseId) {
        let Some(mark) = self.marks.get(base.index()) else { return };
        if !mark.load(Ordering::Relaxed) {
            mark.store(true, Ordering::Relaxed);
            self.marked.lock().expect("no holder panics").push(base);
        }
    }
    /// What was read since this was asked for last.
    pub fn take(&self) -> Vec<BaseId> {
        let marked = std::mem::take(&mut *self.marked.lock().expect("no holder panics"));
        marked.iter().for_each(|base| self.marks[base.index()].store(false, Ordering::Relaxed));
        marked
    }
    /// These were read, too.
    pub fn add(&self, more: &[BaseId]) {
        more.iter().for_each(|base| self.note(*base));
    }
}
