//! What a search from one entry found, with the part of the program that its runs entered.
//!
//! A run that enters no function that has changed ends as it did, and so does a search all of whose runs are such. So a record
//! is good for every program that has the same part ([`Program::write_part`]): the bodies that were entered, with all that they
//! name. Sites and inputs are kept by their numbers in the part. Whatever errs is run again before it counts.

use super::key::{Key, KeyMaker};
use crate::concrete::{InputPlace, InputRecord, Unwritten};
use crate::engines::backward::{Boxes, Outcome, Proved};
use crate::engines::search::{Entered, Found, SearchOutcome};
use crate::ir::part::Numbered;
use crate::ir::{FuncId, Part, Program, SiteId};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of inputs that are kept of one search.
const MOST: u64 = 16 << 20;

/// What a search found. All numbers of sites, functions and inputs are those of the part.
#[derive(Debug, Serialize, Deserialize)]
pub struct SearchRecord {
    /// The functions whose bodies the part has.
    entered: Vec<FuncId>,
    /// A digest of the part, and of all else that the search depends on.
    digest: Key,
    /// The part's sites that the search was to look for; None: all.
    open: Option<BTreeSet<SiteId>>,
    /// Whether it may have ended because nothing was left to find.
    needless: bool,
    found: Vec<FoundRecord>,
    runs: u64,
    statements: u64,
    suggested: u64,
    undecided: BTreeMap<String, u64>,
}

/// A run that errs, and what became of growing its inputs, if that was tried.
#[derive(Debug, Serialize, Deserialize)]
struct FoundRecord {
    site: SiteId,
    inputs: Vec<InputRecord>,
    doubt: Option<String>,
    outcome: Option<Outcome>,
}

impl SearchRecord {
    /// What is kept of a search of `program` from `entry`. `key`: what it depends on besides; `open`: the sites that it was to
    /// look for.
    pub fn of(
        (program, entry): (&Program, FuncId),
        mut key: KeyMaker,
        entered: &Entered,
        open: Option<&BTreeSet<SiteId>>,
        outcome: &SearchOutcome,
        boxes: &Boxes,
    ) -> Option<SearchRecord> {
        // Every field is named, so that none is forgotten.
        // `check` does not look for lost blocks.
        let SearchOutcome { found, lost: _, runs, statements, suggested, needless, undecided, only: _ } = outcome;
        let bytes = found.values().flat_map(|found| &found.run.inputs).map(InputRecord::bytes).sum::<u64>();
        // Runs past errors are made anew: what the errors are is found on the way.
        if bytes > MOST || found.values().any(|found| !found.run.passed.is_empty()) {
            return None;
        }
        let part = program.write_part(entry, &|function, _| entered.has(function), &mut key).ok()?;
        let inside = Turn { part: &part, way: Way::Inside };
        let record = |(site, found): (&SiteId, &Found)| {
            Some(FoundRecord {
                site: part.inside(*site)?,
                inputs: inside.inputs(&found.run.inputs)?,
                doubt: found.doubt.clone(),
                outcome: match boxes.get(site) {
                    Some(outcome) => Some(inside.outcome(outcome)?),
                    None => None,
                },
            })
        };
        Some(SearchRecord {
            entered: entered.iter().map(|function| part.inside(function)).collect::<Option<_>>()?,
            digest: key.finish_key(),
            open: open.map(|open| open.iter().filter_map(|site| part.inside(*site)).collect()),
            needless: *needless,
            found: found.iter().map(record).collect::<Option<_>>()?,
            runs: *runs,
            statements: *statements,
            suggested: *suggested,
            undecided: undecided.clone(),
        })
    }

    /// The part of `program`, if it is the one that the record is about.
    pub fn part_of(&self, (program, entry): (&Program, FuncId), mut key: KeyMaker) -> Option<Part> {
        let entered: BTreeSet<FuncId> = self.entered.iter().copied().collect();
        let part = program.write_part(entry, &|_, own| entered.contains(&own), &mut key).ok()?;
        (key.finish_key() == self.digest).then_some(part)
    }

    /// Whether what it looked for is known only when proofs have ended.
    pub fn needs_open(&self) -> bool {
        self.needless || self.open.is_some()
    }

    /// Whether a search for the sites that are `open` now would have been the same, or found no more.
    pub fn covers(&self, part: &Part, open: &BTreeSet<SiteId>) -> bool {
        // Runs are led towards sites that are open.
        let now: BTreeSet<SiteId> = open.iter().filter_map(|site| part.inside(*site)).collect();
        if self.open.as_ref().is_some_and(|then| *then != now) {
            return false;
        }
        let found = |site: SiteId| self.found.iter().any(|found| found.site == site && found.doubt.is_none());
        let was_sought = |site: SiteId| self.open.as_ref().is_none_or(|open| open.contains(&site));
        open.iter().all(|site| match part.inside(*site) {
            Some(site) => found(site) || (was_sought(site) && !self.needless),
            None => !self.needless,
        })
    }

    /// What was found, by the numbers of the part's program. `again`: runs inputs for the error at a site; None where that
    /// does not end as it did.
    pub fn restore(
        self,
        part: &Part,
        again: &dyn Fn(&[InputRecord], SiteId) -> Found,
    ) -> Option<(SearchOutcome, Boxes)> {
        let outside = Turn { part, way: Way::Outside };
        let (mut all, mut boxes) = (BTreeMap::new(), Boxes::new());
        for FoundRecord { site, inputs, doubt, outcome } in self.found {
            let site = part.outside(site)?;
            let found = again(&outside.inputs(&inputs)?, site);
            if found.doubt != doubt {
                return None;
            }
            if let Some(outcome) = outcome {
                boxes.insert(site, outside.outcome(&outcome)?);
            }
            all.insert(site, found);
        }
        let outcome = SearchOutcome {
            only: None,
            lost: None,
            found: all,
            runs: self.runs,
            statements: self.statements,
            suggested: self.suggested,
            needless: self.needless,
            undecided: self.undecided,
        };
        Some((outcome, boxes))
    }
}

/// Which numbers are wanted.
#[derive(Clone, Copy, Debug)]
enum Way {
    Inside,
    Outside,
}

/// Turns numbers of a program into those of a part, or back; None where one of them has none.
struct Turn<'a> {
    part: &'a Part,
    way: Way,
}

impl Turn<'_> {
    fn id<T: Numbered>(&self, id: T) -> Option<T> {
        match self.way {
            Way::Inside => self.part.inside(id),
            Way::Outside => self.part.outside(id),
        }
    }

    fn place(&self, place: InputPlace) -> Option<InputPlace> {
        Some(match place {
            InputPlace::Site(input) => InputPlace::Site(self.id(input)?),
            InputPlace::Parameter(function, number) => InputPlace::Parameter(self.id(function)?, number),
            InputPlace::Behind(function, number) => InputPlace::Behind(self.id(function)?, number),
            InputPlace::Counted(function, number) => InputPlace::Counted(self.id(function)?, number),
            InputPlace::Returned(function) => InputPlace::Returned(self.id(function)?),
            InputPlace::External(variable, at) => InputPlace::External(self.id(variable)?, at),
            InputPlace::Unwritten(Unwritten::Variable(variable), at) => {
                InputPlace::Unwritten(Unwritten::Variable(self.id(variable)?), at)
            }
            InputPlace::Unwritten(Unwritten::Block(alloc), at) => {
                InputPlace::Unwritten(Unwritten::Block(self.id(alloc)?), at)
            }
        })
    }

    fn inputs(&self, log: &[InputRecord]) -> Option<Vec<InputRecord>> {
        log.iter().map(|record| Some(InputRecord { place: self.place(record.place)?, ..record.clone() })).collect()
    }

    fn outcome(&self, outcome: &Outcome) -> Option<Outcome> {
        let Outcome::Proved(Proved { ranges, paths, questions }) = outcome else { return Some(outcome.clone()) };
        let range =
            |((place, nth), range): (&(InputPlace, u32), &_)| Some(((self.place(*place)?, *nth), Clone::clone(range)));
        let ranges = ranges.iter().map(range).collect::<Option<_>>()?;
        Some(Outcome::Proved(Proved { ranges, paths: *paths, questions: *questions }))
    }
}
