//! From a run that errs to a box of inputs that all err.
//!
//! The run is followed ([`Trail`]) for the conditions under which the program takes its path; the path's weakest precondition
//! is their conjunction, since no statement of it chooses anything but by inputs. The box grows around the run's inputs, one
//! input after the other in the order in which they are taken: first in the domain of integers, then, where that stops, by
//! questions to the solver. A point beyond the path that a question brings up is run: if it errs at the same site, its path
//! joins the set that the box is proved for, else it bounds the box.
//!
//! The last word has a new solver that knows nothing of all this: the box and "on none of the paths" have no model.
//!
//! See: 000, Sect. 2.4 and 4. We differ in that the backward step is taken on the run's path as a whole, and in that a
//! box may span several paths.

use super::formula::Formulas;
use super::joined::Candidate;
use super::questions::Questions;
use super::range::{self, Bounds};
use super::term::{TermId, Terms, VarNo};
use super::trail::Trail;
use crate::base::{Idx, IndexVec};
use crate::concrete::{InputPlace, InputRecord, InputSource, InputValue, Prepared, Run, Script, Source};
use crate::domains::Interval;
use crate::engines::limits::BoxLimits;
use crate::engines::search::{Found, SearchOptions, plain_inputs, rerun};
use crate::ir::{FuncId, SiteId};
use crate::smt::{Answer, Cvc5Solver, Limits, Logic, Options, Solver, Term};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Bytes that grow by the solver are no more than so many.
const SOLVED_BYTES: usize = 4;

/// The values that one input may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Range {
    /// An integer; `any`: all that the program asks for.
    Int { low: i128, high: i128, any: bool },
    /// Bytes, each from low to high.
    Bytes { low: Vec<u8>, high: Vec<u8> },
}

/// A box that is proved: the ranges of inputs by place and occurrence. Inputs that it does not name have their value in the run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Proved {
    pub ranges: BTreeMap<(InputPlace, u32), Range>,
    /// How many paths it spans.
    pub paths: usize,
    /// Questions asked, the proof among them.
    pub questions: u32,
}

/// What became of a finding.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// A box wider than the point.
    Proved(Proved),
    /// The run has no inputs that its course depends on, or none can be changed.
    Point,
    /// The path cannot be followed: why.
    Lost(String),
    /// A box was found and could not be proved: what the solver said.
    Unproved(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Proved(_) => write!(f, "box proved"),
            Outcome::Point => write!(f, "point"),
            Outcome::Lost(why) => write!(f, "point, not followed: {why}"),
            Outcome::Unproved(why) => write!(f, "point, its box not proved: {why}"),
        }
    }
}

/// The runs of one program.
pub struct Backward<'a> {
    pub prepared: &'a Prepared<'a>,
    pub entry: FuncId,
    pub options: &'a SearchOptions,
}

/// A path and the inputs that it leaves alone.
struct Path {
    conditions: Vec<(TermId, bool)>,
    pinned: Vec<InputRecord>,
}

impl Backward<'_> {
    /// The precondition of what a search has found at a site. `candidates`: boxes that are worth proving.
    pub fn precondition(&self, site: SiteId, found: &Found, candidates: &[Candidate]) -> Outcome {
        if found.run.inputs.is_empty() {
            return Outcome::Point;
        }
        if found.run.statements > self.options.boxes.statements_of_a_run {
            return Outcome::Lost("the run is too long to be followed".to_owned());
        }
        let mut terms = Terms::default();
        let path = match self.follow(&mut terms, site, &mut Script::replay(&found.run.inputs)) {
            Ok((_, path)) => path,
            Err(why) => return Outcome::Lost(why),
        };
        let mut search = Growth {
            backward: self,
            site,
            log: &found.run.inputs,
            terms,
            paths: vec![path],
            formulas: Formulas::default(),
            solvers: Questions::new(),
            questions: 0,
        };
        search.grow(candidates)
    }

    /// Follows a run to the error at `site`; the reason when it does not get there.
    fn follow(&self, terms: &mut Terms, site: SiteId, inputs: &mut dyn InputSource) -> Result<(Run, Path), String> {
        let mut trail = Trail::new(terms, site);
        let run = rerun(self.prepared, self.entry, (inputs, Arc::default()), self.options, &mut trail);
        if let Some(why) = trail.lost {
            return Err(why);
        }
        if !trail.done || !run.flags.is_determined() {
            return Err("the run does not err here".to_owned());
        }
        Ok((run, Path { conditions: trail.conditions, pinned: trail.pinned }))
    }
}

struct Growth<'a, 'b> {
    backward: &'a Backward<'b>,
    site: SiteId,
    log: &'a [InputRecord],
    terms: Terms,
    paths: Vec<Path>,
    formulas: Formulas,
    solvers: Questions,
    questions: u32,
}

impl Growth<'_, '_> {
    fn limits(&self) -> &BoxLimits {
        &self.backward.options.boxes
    }

    fn grow(&mut self, candidates: &[Candidate]) -> Outcome {
        let point = range::point(&self.terms);
        let mut bounds = point.clone();
        let first: Vec<VarNo> = (0..bounds.len()).map(VarNo::new).collect();
        let concerns = range::concerns(&self.terms, &self.paths[0].conditions);
        let mut steps = self.limits().terms;
        for &v in &first {
            match concerns.get(&v) {
                None => bounds[v] = self.whole(v),
                Some(concern) => range::grow(&self.terms, &mut bounds, v, concern, &mut steps),
            }
        }
        for v in self.narrow(&bounds, &first) {
            self.stretch(&mut bounds, v);
        }
        for candidate in candidates {
            let wide = self.bounds_of(candidate, &first);
            // The box is that of the run that errs: what is not in it may need inputs that no execution gives.
            let has_point = first.iter().all(|&v| wide[v].contains(point[v].lo));
            if has_point && is_larger(&wide, &bounds) && self.covers(&wide) {
                bounds = wide;
            }
        }
        if range::width(&bounds) == 0 {
            return Outcome::Point;
        }
        match self.prove(&bounds) {
            Ok(()) => Outcome::Proved(Proved {
                ranges: self.ranges(&bounds, &first),
                paths: self.paths.len(),
                questions: self.questions,
            }),
            Err(why) => Outcome::Unproved(why),
        }
    }

    /// The variables that the solver may find more values for: numbers, and bytes when they are few.
    fn narrow(&self, bounds: &Bounds, first: &[VarNo]) -> Vec<VarNo> {
        let narrow = first.iter().copied().filter(|v| bounds[*v] != self.whole(*v) && !self.is_flag(*v));
        let (bytes, mut numbers): (Vec<VarNo>, Vec<VarNo>) =
            narrow.partition(|v| self.terms.variables()[*v].key.byte.is_some());
        if bytes.len() <= SOLVED_BYTES {
            numbers.extend(bytes);
        }
        numbers.truncate(self.limits().solved);
        numbers
    }

    /// Whether the variable says if an allocation fails.
    fn is_flag(&self, v: VarNo) -> bool {
        let variable = &self.terms.variables()[v];
        (variable.low, variable.high, variable.ty.bits) == (0, 1, 8)
    }

    /// All values that the program asks for.
    fn whole(&self, v: VarNo) -> Interval {
        let variable = &self.terms.variables()[v];
        Interval { lo: variable.low, hi: variable.high }
    }

    // Growing by the solver.

    /// Moves both bounds of a variable as far as questions show them to.
    fn stretch(&mut self, bounds: &mut Bounds, v: VarNo) {
        let Interval { lo: low, hi: high } = self.whole(v);
        let mut last = high;
        // The neighbour first: most boxes are as large as they can be.
        let mut at = bounds[v].hi.saturating_add(1);
        while bounds[v].hi < last {
            let end = at.min(last);
            match self.counterexample(bounds, v, Interval { lo: bounds[v].hi + 1, hi: end }) {
                Some(None) => {
                    bounds[v].hi = end;
                    at = last;
                }
                Some(Some(value)) => last = value - 1,
                None => break,
            }
        }
        let mut last = low;
        let mut at = bounds[v].lo.saturating_sub(1);
        while bounds[v].lo > last {
            let end = at.max(last);
            match self.counterexample(bounds, v, Interval { lo: end, hi: bounds[v].lo - 1 }) {
                Some(None) => {
                    bounds[v].lo = end;
                    at = last;
                }
                Some(Some(value)) => last = value + 1,
                None => break,
            }
        }
    }

    /// The value that `v` has at a point of the box, with `v` in `part`, where the program does not err; None inside when
    /// there is none, None outside when that could not be found out. Paths of erring points are added.
    fn counterexample(&mut self, bounds: &Bounds, v: VarNo, part: Interval) -> Option<Option<i128>> {
        loop {
            if self.questions >= self.limits().questions_of_a_box {
                return None;
            }
            self.questions += 1;
            let mut candidate = self.complete(bounds);
            candidate[v] = part;
            let outside = self.outside(&candidate);
            if !self.solvers.has_model(&self.formulas.pool, outside)? {
                return Some(None);
            }
            let values = model(&self.terms, &mut self.formulas, self.solvers.answering(), &candidate)?;
            if self.paths.len() >= self.limits().paths || !self.add_path(&values) {
                return Some(Some(values[v]));
            }
        }
    }

    /// The bounds of all variables there are by now: those that the first run did not have may have any value.
    fn complete(&self, bounds: &Bounds) -> Bounds {
        let mut all = bounds.clone();
        for i in all.len()..self.terms.variables().len() {
            all.push(self.whole(VarNo::new(i)));
        }
        all
    }

    /// The formula: in the box, and on no path.
    fn outside(&mut self, bounds: &Bounds) -> Term {
        let mut parts = Vec::new();
        for path in &self.paths {
            let taken = self.formulas.path(&self.terms, &path.conditions);
            parts.push(self.formulas.pool.not(taken));
        }
        parts.push(self.formulas.inside(&self.terms, bounds));
        self.formulas.pool.and(&parts)
    }

    /// Runs a point; whether it errs at the site on a path that could be added.
    fn add_path(&mut self, values: &IndexVec<VarNo, i128>) -> bool {
        let log = with_values(&self.terms, self.log, values);
        let mut inputs = plain_inputs(&log);
        match self.backward.follow(&mut self.terms, self.site, &mut inputs) {
            Ok((_, path)) if path.pinned == self.paths[0].pinned => {
                self.paths.push(path);
                true
            }
            _ => false,
        }
    }

    // Boxes of the joined analysis.

    /// A candidate's bounds of the first run's variables.
    fn bounds_of(&self, candidate: &Candidate, first: &[VarNo]) -> Bounds {
        let mut bounds = Bounds::new();
        for &v in first {
            let key = self.terms.variables()[v].key;
            let given = candidate.inputs.get(&(key.place, key.occurrence, key.byte));
            let whole = self.whole(v);
            bounds.push(given.map_or(Some(whole), |g| g.meet(whole)).unwrap_or(whole));
        }
        bounds
    }

    /// Whether every point of the box is on a path that errs; paths of points that questions bring up are added.
    fn covers(&mut self, bounds: &Bounds) -> bool {
        let enough = self.questions + self.limits().questions_of_a_joined_box;
        while self.questions < enough && self.paths.len() < self.limits().paths_of_a_joined_box {
            self.questions += 1;
            let candidate = self.complete(bounds);
            let outside = self.outside(&candidate);
            match self.solvers.has_model(&self.formulas.pool, outside) {
                Some(false) => return true,
                Some(true) => {}
                None => return false,
            }
            let Some(values) = model(&self.terms, &mut self.formulas, self.solvers.answering(), &candidate) else {
                return false;
            };
            if !self.add_path(&values) {
                return false;
            }
        }
        false
    }

    // The certificate.

    /// A solver of its own shows that no point of the box is off the paths.
    fn prove(&mut self, bounds: &Bounds) -> Result<(), String> {
        let complete = self.complete(bounds);
        self.formulas = Formulas::default();
        let outside = self.outside(&complete);
        let mut solver = Cvc5Solver::new(Options { logic: Logic::QfBv, seed: 1, cores: true });
        solver.set_limits(Limits { time: None, resources: Some(self.limits().proof_units) });
        self.questions += 1;
        match solver.check_assuming(&self.formulas.pool, &[outside]) {
            Ok(Answer::Unsat) => Ok(()),
            Ok(Answer::Sat) => Err("a point of the box takes another path".to_owned()),
            Ok(Answer::Unknown(why)) => Err(why.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The box by inputs, of those that the run has taken.
    fn ranges(&self, bounds: &Bounds, first: &[VarNo]) -> BTreeMap<(InputPlace, u32), Range> {
        let mut ranges: BTreeMap<(InputPlace, u32), Range> = BTreeMap::new();
        for &v in first {
            let variable = &self.terms.variables()[v];
            let key = (variable.key.place, variable.key.occurrence);
            let Interval { lo, hi } = bounds[v];
            match variable.key.byte {
                None => {
                    let any = bounds[v] == self.whole(v);
                    ranges.insert(key, Range::Int { low: lo, high: hi, any });
                }
                Some(_) => {
                    let range = ranges.entry(key).or_insert(Range::Bytes { low: Vec::new(), high: Vec::new() });
                    if let Range::Bytes { low, high } = range {
                        low.push(lo as u8);
                        high.push(hi as u8);
                    }
                }
            }
        }
        ranges
    }
}

/// Whether a box has more points, roughly.
fn is_larger(a: &Bounds, b: &Bounds) -> bool {
    let weight = |bounds: &Bounds| -> f64 {
        let width = |i: usize| bounds[VarNo::new(i)].hi.abs_diff(bounds[VarNo::new(i)].lo) as f64;
        (0..bounds.len()).map(|i| (1.0 + width(i)).log2()).sum()
    };
    weight(a) > weight(b)
}

/// The values of all variables in the solver's model, within their bounds.
fn model(
    terms: &Terms,
    formulas: &mut Formulas,
    solver: &mut dyn Solver,
    bounds: &Bounds,
) -> Option<IndexVec<VarNo, i128>> {
    let numbers: Vec<VarNo> = (0..bounds.len()).map(VarNo::new).collect();
    let mut all = IndexVec::new();
    for (v, value) in formulas.values(terms, solver, &numbers)? {
        all.push(value.clamp(bounds[v].lo, bounds[v].hi));
    }
    Some(all)
}

/// A log with other values for the inputs that variables stand for; those that it does not have are added.
fn with_values(terms: &Terms, log: &[InputRecord], values: &IndexVec<VarNo, i128>) -> Vec<InputRecord> {
    let mut log = log.to_vec();
    for (v, variable) in terms.variables().iter_enumerated() {
        let (place, occurrence) = (variable.key.place, variable.key.occurrence);
        let at = log.iter().position(|r| (r.place, r.occurrence) == (place, occurrence));
        match (at.map(|i| &mut log[i].value), variable.key.byte) {
            (Some(InputValue::Int(n)), _) => *n = values[v],
            (Some(InputValue::Fails(fails)), _) => *fails = values[v] != 0,
            (Some(InputValue::Bytes(bytes)), Some(i)) => {
                if let Some(byte) = bytes.get_mut(i as usize) {
                    *byte = values[v] as u8;
                }
            }
            (None, None) => {
                let value = match variable.ty.bits {
                    8 => InputValue::Fails(values[v] != 0),
                    _ => InputValue::Int(values[v]),
                };
                log.push(InputRecord { place, occurrence, value, range: None, source: Source::Chosen });
            }
            _ => {}
        }
    }
    log
}
