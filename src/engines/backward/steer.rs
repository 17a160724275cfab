//! Inputs that leave a run's path where that may lead to an error, or to new code.
//!
//! Where a check that nobody has proved passes on the run's path, the inputs with which the program gets there and the check
//! fails are a question to the solver; so are those with which a branch goes the other way.
//!
//! See: Godefroid, Klarlund, Sen, "DART: Directed Automated Random Testing", Sect. 2.

use super::formula::Formulas;
use super::precondition::{Backward, with_values};
use super::questions::Questions;
use super::range::Bounds;
use super::term::{Terms, VarNo, digest};
use super::trail::Trail;
use crate::base::{Idx, IndexVec};
use crate::concrete::InputRecord;
use crate::domains::Interval;
use crate::engines::search::{plain_inputs, rerun};
use crate::ir::SiteId;
use crate::smt::{self, Solver, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Conditions on the way to a place that is asked about: each costs the solver more, and says less, the farther it is.
const LONGEST_WAY: usize = 600;
/// Inputs, bytes counted each, of a run that is asked about: every question speaks of all of them.
const MOST_INPUTS: usize = 1000;

/// A place of a path where it could be left: the conditions before it, and those that it adds.
#[derive(Clone, Copy, Debug)]
pub struct Fork {
    pub way: Way,
    pub before: usize,
    pub after: usize,
}

/// Questions about one check, each on another path, that may bring nothing before it is asked about no more.
const FUTILE: u32 = 3;

/// What lies beyond a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Way {
    /// The check at the site fails.
    Fails(SiteId),
    /// A branch, told from others by where its terminator lies, goes the other way than this.
    Branch(usize, bool),
}

/// What is to be found, and what was tried.
#[derive(Debug, Default)]
pub struct Wanted {
    pub sites: BTreeSet<SiteId>,
    /// Branches that some run has taken, or that were asked about.
    seen: FxHashSet<Way>,
    /// Digests of the questions about checks: the start of one run is often that of another.
    asked: FxHashSet<u64>,
    /// Questions about each check since one brought something.
    futile: FxHashMap<SiteId, u32>,
    /// Questions that may still be asked.
    pub questions: u32,
}

impl Wanted {
    /// Nothing so far.
    pub fn new(questions: u32) -> Wanted {
        Wanted { questions, ..Wanted::default() }
    }

    /// Whether a question about a check may bring what no earlier one has.
    fn is_worth(&mut self, site: SiteId, question: u64) -> bool {
        self.futile.get(&site).is_none_or(|times| *times < FUTILE) && self.asked.insert(question)
    }

    /// Notes whether it brought something.
    fn learn(&mut self, way: Way, brought: bool) {
        if let Way::Fails(site) = way {
            let times = self.futile.entry(site).or_default();
            *times = if brought { 0 } else { *times + 1 };
        }
    }
}

impl Backward<'_> {
    /// Inputs worth running, made from those of a run.
    pub fn variations(&self, log: &[InputRecord], wanted: &mut Wanted) -> Vec<Vec<InputRecord>> {
        let mut terms = Terms::default();
        let mut trail = Trail::exploring(&mut terms, &wanted.sites);
        rerun(self.prepared, self.entry, &mut plain_inputs(log), self.options, &mut trail);
        let (conditions, forks) = (std::mem::take(&mut trail.conditions), std::mem::take(&mut trail.forks));
        drop(trail);
        if terms.variables().len() > MOST_INPUTS {
            return Vec::new();
        }
        for fork in &forks {
            if let Way::Branch(at, taken) = fork.way {
                wanted.seen.insert(Way::Branch(at, taken));
            }
        }
        let mut solvers = Questions::new();
        let mut formulas = Formulas::default();
        let whole: Bounds = terms.variables().iter().fold(Bounds::new(), |mut all, v| {
            all.push(Interval { lo: v.low, hi: v.high });
            all
        });
        let (checks, branches): (Vec<Fork>, Vec<Fork>) = forks.iter().partition(|f| matches!(f.way, Way::Fails(_)));
        let mut found = Vec::new();
        let mut asked: BTreeSet<Way> = BTreeSet::new();
        let digests = terms.digests();
        for fork in checks.into_iter().chain(branches).filter(|fork| fork.after <= LONGEST_WAY) {
            let new = match fork.way {
                // A site may be met often; the first meetings say most.
                Way::Fails(site) => {
                    let question = conditions[..fork.after].iter().map(|(term, holds)| (digests[*term], *holds));
                    asked.insert(fork.way) && wanted.is_worth(site, digest((fork.before, question.collect::<Vec<_>>())))
                }
                Way::Branch(at, taken) => wanted.seen.insert(Way::Branch(at, !taken)),
            };
            if !new || asked.len() + found.len() > self.options.runs.questions || wanted.questions == 0 {
                continue;
            }
            wanted.questions -= 1;
            let before = formulas.path(&terms, &conditions[..fork.before]);
            let stays = formulas.path(&terms, &conditions[fork.before..fork.after]);
            let leaves = formulas.pool.not(stays);
            let inside = formulas.inside(&terms, &whole);
            let values = match solvers.has_path(&formulas.pool, &[before, leaves, inside]) {
                Some(true) => model(&terms, &mut formulas, solvers.answering(), &whole),
                _ => None,
            };
            wanted.learn(fork.way, values.is_some());
            found.extend(values.map(|values| with_values(&terms, log, &values)));
        }
        found
    }
}

/// The values of all variables in the solver's model, within their bounds.
pub fn model(
    terms: &Terms,
    formulas: &mut Formulas,
    solver: &mut dyn Solver,
    bounds: &Bounds,
) -> Option<IndexVec<VarNo, i128>> {
    let numbers: Vec<VarNo> = (0..bounds.len()).map(VarNo::new).collect();
    let symbols: Vec<Term> = numbers.iter().map(|v| formulas.variable(terms, *v)).collect();
    let values = solver.values(&formulas.pool, &symbols).ok()?;
    let mut all = IndexVec::new();
    for (v, value) in numbers.into_iter().zip(values) {
        let smt::Value::BitVec(bits) = value else { return None };
        let number = if terms.variables()[v].ty.signed { bits.signed() } else { bits.unsigned() as i128 };
        all.push(number.clamp(bounds[v].lo, bounds[v].hi));
    }
    Some(all)
}
