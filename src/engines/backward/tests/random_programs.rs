//! Random small programs: every point of every box errs, by enumeration.

use super::generate::{Generated, generate};
use super::run::{outcomes, program};
use crate::concrete::{InputPlace, InputValue, Limits, Prepared};
use crate::engines::backward::{Outcome, Range};
use crate::engines::search::random::Random;
use crate::ir::{FuncId, Program, SiteId};
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The ranges of some numbers by place and occurrence.
pub type Numbers = BTreeMap<(InputPlace, u32), (i128, i128)>;

/// Runs all points of a box of numbers; their count. Panics at one that does not err at its site.
pub fn enumerate(generated: &Generated, program: &Program, entry: FuncId, site: SiteId, numbers: &Numbers) -> usize {
    let prepared = Prepared::new(program);
    let keys: Vec<_> = numbers.keys().copied().collect();
    let values: Vec<Vec<i128>> =
        numbers.iter().map(|((place, _), (low, high))| generated.representatives(*place, *low, *high)).collect();
    let count: usize = values.iter().map(Vec::len).product();
    for n in 0..count {
        let mut rest = n;
        let mut point = BTreeMap::new();
        for (key, values) in keys.iter().zip(&values) {
            point.insert(*key, InputValue::Int(values[rest % values.len()]));
            rest /= values.len();
        }
        let mut inputs = super::run::Point { values: &point, others: Random::new(n as u64) };
        let run = prepared.run(entry, &mut inputs, &Limits::default(), &mut ());
        let erred = run.error() == Some(site) || run.continued.contains(&site);
        assert!(
            erred,
            "{}\n{:?} at {point:?} of {numbers:?} ends {:?}",
            generated.source, program.sites[site], run.outcome
        );
    }
    count
}

/// Checks one program; how many points were run.
fn check(seed: u64) -> usize {
    let generated = generate(seed);
    let (program, entry) = program(&generated.source);
    let mut count = 0;
    for (site, outcome) in outcomes(&program, entry, 60) {
        assert!(!matches!(outcome, Outcome::Unproved(_)), "{}\n{outcome}", generated.source);
        let Outcome::Proved(proved) = outcome else { continue };
        let numbers = proved.ranges.iter().map(|(key, range)| match range {
            Range::Int { low, high, .. } => (*key, (*low, *high)),
            Range::Bytes { .. } => panic!("the programs read no bytes"),
        });
        count += enumerate(&generated, &program, entry, site, &numbers.collect());
    }
    count
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_point_of_every_box_errs(seed in any::<u64>()) {
        check(seed);
    }
}

#[test]
fn random_programs_have_boxes() {
    let points: usize = (0..16).map(check).sum();
    assert!(points > 16, "{points} points were run");
}

/// How many programs the environment asks for, and which is the first.
pub fn asked(first: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("CELLOG_FIRST").unwrap_or(first);
    first..first + number("CELLOG_PROGRAMS").unwrap_or(1000)
}

/// As many programs as the environment asks for: `CELLOG_PROGRAMS=100000 cargo test --release many_random -- --ignored`.
#[test]
#[ignore = "takes as long as the environment asks for"]
fn many_random_programs_have_no_box_with_a_point_that_does_not_err() {
    let (mut points, mut with) = (0, 0);
    for seed in asked(1_000_000) {
        let some = check(seed);
        points += some;
        with += usize::from(some > 0);
    }
    println!("{points} points of boxes of {} programs ({with} with boxes) err", asked(0).count());
}
