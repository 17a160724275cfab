//! Inputs that leave a run's path where that may lead to an error, or to code that no run has come to.
//!
//! A run is followed with terms over the bytes that it reads. Wherever it passes a check that is open, or goes one way of a branch of which another is open,
//! it could be left: a question to the solver is with which inputs. Only those conditions of the path are asked about that share inputs with the one
//! to be turned; where they cannot hold together, the turned one is asked about alone: a path says more than is needed, since what is not
//! understood is fixed.
//!
//! See: Godefroid, Klarlund, Sen, "DART: Directed Automated Random Testing", Sect. 2; Cadar, Dunbar, Engler, "KLEE", Sect. 3.4 (independent constraints); Yun, Lee,
//! Xu, Jang, Kim, "QSYM", Sect. 3.3 (optimistic solving).

use super::formula::Formulas;
use super::precondition::Backward;
use super::questions::Questions;
use super::slices::Slices;
use super::term::{TermId, Terms, VarNo, digest};
use super::trail::Trail;
use crate::concrete::{InputRecord, InputSource, Run, Source};
use crate::domains::Interval;
use crate::engines::search::{Within, rerun_within};
use crate::ir::{BlockId, FuncId, SiteId};
use crate::smt::Term;
use rustc_hash::{FxHashMap, FxHashSet};

/// Conditions that are asked about together: those closest to the one that is turned.
const LONGEST_SLICE: usize = 200;
/// How often one way out is asked about, over all runs.
const OF_A_WAY: u32 = 12;

/// A place of the control flow.
pub type Point = (FuncId, BlockId);

/// What lies beyond a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// The check at the site fails.
    Fails(SiteId),
    /// From the block that was entered last to another one.
    Edge(Point, Point),
}

/// A place of a path where it could be left.
#[derive(Clone, Copy, Debug)]
pub struct Fork {
    pub way: Way,
    /// Conditions of the path before it.
    pub before: usize,
    pub turn: Turn,
}

/// What would have to be otherwise.
#[derive(Clone, Copy, Debug)]
pub enum Turn {
    /// One of the path's conditions from the fork's on up to this.
    Not(usize),
    /// This would have to hold.
    Holds(TermId),
}

impl Fork {
    /// What would have to be otherwise, of a path with these conditions.
    fn terms(&self, conditions: &[(TermId, bool)]) -> Vec<TermId> {
        match self.turn {
            Turn::Not(after) => conditions[self.before..after].iter().map(|(term, _)| *term).collect(),
            Turn::Holds(term) => vec![term],
        }
    }

    /// That it is otherwise.
    fn leaves(&self, terms: &Terms, conditions: &[(TermId, bool)], formulas: &mut Formulas) -> Term {
        match self.turn {
            Turn::Not(after) => {
                let stays = formulas.path(terms, &conditions[self.before..after]);
                formulas.pool.not(stays)
            }
            Turn::Holds(term) => formulas.path(terms, &[(term, true)]),
        }
    }
}

/// An input with another value than in the run.
#[derive(Clone, Debug)]
pub struct Change {
    pub record: InputRecord,
    /// Which byte, of inputs that are bytes.
    pub byte: Option<u32>,
    pub value: i128,
}

/// Inputs that may take a way out.
#[derive(Clone, Debug)]
pub struct WayOut {
    pub way: Way,
    pub changes: Vec<Change>,
}

/// What was asked about, over all runs that are followed.
#[derive(Debug, Default)]
pub struct Asked {
    /// Digests of the questions: the start of one run is often that of another.
    questions: FxHashSet<u64>,
    of_ways: FxHashMap<Way, u32>,
}

impl Asked {
    /// Whether a question is worth asking; it counts as asked then.
    fn is_new(&mut self, way: Way, question: u64) -> bool {
        let asked = self.of_ways.entry(way).or_default();
        if *asked >= OF_A_WAY || !self.questions.insert(question) {
            return false;
        }
        *asked += 1;
        true
    }
}

impl Backward<'_> {
    /// Follows the run from `inputs` within these bounds, and looks for inputs that leave its path where `is_open` says that it is worth while, asking at most `most` questions,
    /// as long as `goes_on`. The run comes out, too, and how many questions were asked.
    pub fn ways_out(
        &self,
        (inputs, within): (&mut dyn InputSource, Within),
        is_open: &dyn Fn(Way) -> bool,
        (most, goes_on): (u32, &dyn Fn() -> bool),
        asked: &mut Asked,
    ) -> (Run, Vec<WayOut>, u32) {
        let mut terms = Terms::default();
        let mut trail = Trail::exploring(&mut terms, is_open);
        let run = rerun_within(self.prepared, self.entry, inputs, (self.options, within), &mut trail);
        let (conditions, forks) = (std::mem::take(&mut trail.conditions), std::mem::take(&mut trail.forks));
        drop(trail);
        if forks.is_empty() {
            return (run, Vec::new(), 0);
        }
        let records: FxHashMap<_, _> =
            run.inputs.iter().map(|record| ((record.place, record.occurrence), record)).collect();
        let record_of = |terms: &Terms, v: VarNo| {
            let key = terms.variables()[v].key;
            records.get(&(key.place, key.occurrence)).copied()
        };
        let mut slices = Slices::of(&terms, &conditions);
        let digests = terms.digests();
        let (mut solvers, mut formulas) = (Questions::new(), Formulas::default());
        let (mut found, mut questions) = (Vec::new(), 0);
        for fork in &forks {
            if questions >= most || !goes_on() {
                break;
            }
            let turned = fork.terms(&conditions);
            let Some((slice, mut variables)) = slices.with(fork.before, &turned) else { continue };
            let slice: Vec<(TermId, bool)> =
                slice[slice.len().saturating_sub(LONGEST_SLICE)..].iter().map(|i| conditions[*i]).collect();
            let all = slice.iter().map(|(term, holds)| (digests[*term], *holds));
            let question =
                digest((all.collect::<Vec<_>>(), turned.iter().map(|term| digests[*term]).collect::<Vec<_>>()));
            if !asked.is_new(fork.way, question) {
                continue;
            }
            let leaves = fork.leaves(&terms, &conditions, &mut formulas);
            let before = formulas.path(&terms, &slice);
            variables.extend(slice.iter().flat_map(|(term, _)| slices.variables(*term).to_vec()));
            variables.sort_unstable();
            variables.dedup();
            let bounds = |v: VarNo| {
                let variable = &terms.variables()[v];
                let free = record_of(&terms, v).is_some_and(|record| record.source != Source::Follows);
                let (lo, hi) = if free { (variable.low, variable.high) } else { (variable.value, variable.value) };
                Interval { lo, hi }
            };
            let inside = formulas.between(&terms, &variables, &bounds);
            // What is turned alone, where it cannot be turned on this path.
            for assumed in [&[before, leaves, inside][..], &[leaves, inside]] {
                questions += 1;
                match solvers.has_path(&formulas.pool, assumed) {
                    Some(true) => {
                        let values = formulas.values(&terms, solvers.answering(), &variables);
                        let changes = values.into_iter().flatten().filter_map(|(v, value)| {
                            let record = record_of(&terms, v).filter(|_| terms.variables()[v].value != value)?;
                            Some(Change { record: record.clone(), byte: terms.variables()[v].key.byte, value })
                        });
                        found.push(WayOut { way: fork.way, changes: changes.collect() });
                        break;
                    }
                    _ if slice.is_empty() => break,
                    _ => {}
                }
            }
        }
        drop(records);
        (run, found, questions)
    }
}
