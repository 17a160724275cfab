//! Random small programs: every point of every precondition errs, by enumeration.

use super::generate::{Generated, generate};
use super::run::{options, outcomes, program};
use super::tally::{Tally, tally_all};
use crate::concrete::{InputPlace, InputValue, Limits, Prepared};
use crate::engines::backward::joined::Limits as Steps;
use crate::engines::backward::joined::candidate::candidates;
use crate::engines::backward::{Outcome, Range};
use crate::engines::forward::{Options, SiteVerdict, analyze};
use crate::engines::search::random::Random;
use crate::ir::{FuncId, Program, SiteId};
use crate::memory::Memory;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Instant;

/// The ranges of some numbers by place and occurrence.
pub type Numbers = BTreeMap<(InputPlace, u32), (i128, i128)>;

/// Runs of the search without news; statements of the forward analysis; steps and rounds of the joined one for a site.
const PATIENCE: u32 = 60;
const STATEMENTS: u64 = 40_000;
const JOINED: Steps = Steps { steps: 1500, rounds: 10, depth: 40 };
/// Points of a box that is enumerated.
const MOST_POINTS: usize = 1 << 14;

/// A program with what its points are run with.
pub struct Subject<'p> {
    pub generated: &'p Generated,
    pub program: &'p Program,
    pub prepared: Prepared<'p>,
    pub entry: FuncId,
}

impl Subject<'_> {
    /// Runs all points of a box of numbers, and counts those that do not err at its site.
    pub fn enumerate(&self, site: SiteId, numbers: &Numbers) -> Tally {
        let Subject { generated, program, prepared, entry } = self;
        let keys: Vec<_> = numbers.keys().copied().collect();
        let values: Vec<Vec<i128>> =
            numbers.iter().map(|((place, _), (low, high))| generated.representatives(*place, *low, *high)).collect();
        let points = values.iter().map(Vec::len).fold(1, usize::saturating_mul);
        if points > MOST_POINTS {
            return Tally { too_large: 1, ..Tally::default() };
        }
        let mut tally = Tally { preconditions: 1, points, ..Tally::default() };
        for n in 0..points {
            let mut rest = n;
            let mut point = BTreeMap::new();
            for (key, values) in keys.iter().zip(&values) {
                point.insert(*key, InputValue::Int(values[rest % values.len()]));
                rest /= values.len();
            }
            let mut inputs = super::run::Point { values: &point, others: Random::new(n as u64) };
            let run = prepared.run(*entry, &mut inputs, &Limits::default(), &mut ());
            if run.error() != Some(site) && !run.continued.contains(&site) {
                tally.wrong.push(format!(
                    "{}\n{:?} at {point:?} of {numbers:?} ends {:?}",
                    generated.source, program.sites[site], run.outcome
                ));
            }
        }
        tally
    }

    /// The boxes around runs that a search has found: proved, and each point of them run.
    fn check_paths(&self) -> Tally {
        let mut tally = Tally::default();
        for (site, outcome) in outcomes(self.program, self.entry, PATIENCE) {
            match outcome {
                Outcome::Proved(proved) => {
                    let numbers = proved.ranges.iter().map(|(key, range)| match range {
                        Range::Int { low, high, .. } => (*key, (*low, *high)),
                        Range::Bytes { .. } => panic!("the programs read no bytes"),
                    });
                    tally.add(self.enumerate(site, &numbers.collect()));
                }
                Outcome::Unproved(why) => tally.wrong.push(format!("{}\nunproved: {why}", self.generated.source)),
                _ => {}
            }
        }
        tally
    }

    /// The candidates of the joined analysis, proved by nobody: each point of them run.
    fn check_joined(&self) -> Tally {
        let mut tally = Tally::default();
        let limits = Options { steps: STATEMENTS, keep_places: u64::MAX, ..Options::default() };
        let forward = analyze(self.program, &Memory::of(self.program), self.entry, &limits);
        if forward.incomplete.is_some() {
            return tally;
        }
        let checks = options(0).checks;
        let open = |s: &SiteId| !matches!(forward.verdicts[*s], SiteVerdict::Safe(_) | SiteVerdict::Unreachable);
        for site in self.program.sites.indices().filter(open) {
            for candidate in candidates(self.program, self.entry, &forward, &checks, site, JOINED).0 {
                let given = candidate.inputs.iter();
                let mut numbers: Numbers =
                    given.map(|((place, n, _), range)| ((*place, *n), (range.lo, range.hi))).collect();
                // What is not named may be anything.
                for i in 0..2 {
                    numbers.entry((InputPlace::Parameter(self.entry, i), 0)).or_insert(Generated::whole(i));
                }
                tally.add(self.enumerate(site, &numbers));
            }
        }
        tally
    }
}

/// How a program is looked at.
type Check = fn(&Subject<'_>) -> Tally;

/// The program of a seed, looked at by `check`.
fn with_program(seed: u64, check: Check) -> Tally {
    let generated = generate(seed);
    let (program, entry) = program(&generated.source);
    let prepared = Prepared::new(&program);
    check(&Subject { generated: &generated, program: &program, prepared, entry }).of_program()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_point_of_every_box_errs(seed in any::<u64>()) {
        with_program(seed, |s| s.check_paths()).expect_none_wrong();
    }
}

#[test]
fn random_programs_have_boxes() {
    let tally = tally_all(0..16, |seed| with_program(seed, |s| s.check_paths()));
    tally.expect_none_wrong();
    assert!(tally.points > 16, "{tally}");
}

#[test]
fn every_point_of_joined_preconditions_of_random_programs_errs() {
    let tally = tally_all(16..32, |seed| with_program(seed, |s| s.check_joined()));
    tally.expect_none_wrong();
    assert!(tally.points > 1000, "{tally}");
}

/// How many programs the environment asks for, and which is the first.
fn asked() -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("CELLOG_FIRST").unwrap_or(1_000_000);
    first..first + number("CELLOG_PROGRAMS").unwrap_or(1000)
}

/// As many programs as the environment asks for:
/// `CELLOG_PROGRAMS=100000 cargo test --release many_random -- --ignored --nocapture`.
#[test]
#[ignore = "takes as long as the environment asks for"]
fn many_random_programs_err_at_every_point_of_their_preconditions() {
    let mut wrong = 0;
    let kinds: [(&str, Check); 2] = [("joined", |s| s.check_joined()), ("proved", |s| s.check_paths())];
    for (kind, check) in kinds {
        let started = Instant::now();
        let tally = tally_all(asked(), |seed| with_program(seed, check));
        println!("{kind}: {tally}, {:.1} s", started.elapsed().as_secs_f64());
        tally.wrong.iter().take(5).for_each(|text| println!("{text}"));
        wrong += tally.wrong.len();
    }
    assert_eq!(wrong, 0);
}
