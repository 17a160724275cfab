use super::*;
use crate::engines::evidence::Assumed;
use crate::engines::forward::Unfollowed;
use crate::ir::sample::counting_loop;
use crate::verdict::{Certificate, Doubt, DoubtSort, Failure, Grip, InputBox, InputValue, Location};
use std::collections::BTreeMap;

fn safe() -> Judged {
    Judged { verdict: Verdict::Safe(Certificate { invariant: "d in [1, 2]".into() }), engine: "forward" }
}
fn possible() -> Judged {
    Judged { verdict: Verdict::Possible("d in [0, 1]".into()), engine: "forward" }
}
fn time() -> Reason {
    Reason::Budget("time".into())
}
fn certain() -> Option<Erring> {
    Some(Erring::Certain(Failure { replayed: true, ..Failure::default() }))
}
fn doubtful() -> Option<Erring> {
    Some(Erring::Doubtful("the run depends on addresses".into()))
}

/// The verdict on the first site of a program, of which this is known, and what contradicts it.
fn judged(over: Option<Judged>, run: Option<Erring>) -> (Judged, Vec<Contradiction>) {
    let program = counting_loop().program;
    let site = SiteId(0);
    let over = over.into_iter().map(|judged| (site, judged)).collect();
    let runs = run.into_iter().map(|run| (site, (run, "search"))).collect();
    let evidence = Evidence { over: &over, runs: &runs, boxes: &BTreeMap::new(), assumed: &Assumed::default() };
    let mut found = judge(&program, &evidence, &time());
    assert_eq!(found.judged.len(), program.sites.len());
    (found.judged.remove(0), found.contradictions)
}

#[test]
fn a_certain_run_makes_a_possible_site_definite() {
    let (found, contradictions) = judged(Some(possible()), certain());
    assert_eq!((found.verdict.kind(), found.engine), (VerdictKind::Definite, "search"));
    assert_eq!(contradictions, []);
}

#[test]
fn a_doubtful_run_is_not_definite_and_shakes_only_claims_of_safety() {
    assert_eq!(judged(Some(possible()), doubtful()).0, possible());
    let alone = judged(None, doubtful()).0;
    assert!(matches!(alone.verdict, Verdict::Unknown(Reason::Unsupported(_))), "{alone:?}");
    let shaken = judged(Some(safe()), doubtful()).0;
    assert!(matches!(shaken.verdict, Verdict::Unknown(Reason::Contradiction(_))), "{shaken:?}");
}

#[test]
fn the_run_wins_against_a_safe_claim_and_the_contradiction_is_told() {
    let (found, contradictions) = judged(Some(safe()), certain());
    assert_eq!(found.verdict.kind(), VerdictKind::Definite);
    let wanted = Contradiction { site: SiteId(0), claimed: "safe".into(), engine: "forward".into() };
    assert_eq!(contradictions, [wanted]);
}

#[test]
fn without_a_run_the_over_approximation_stands_and_without_both_nothing_is_decided() {
    assert_eq!(judged(Some(safe()), None), (safe(), Vec::new()));
    assert_eq!(judged(None, None).0, Judged { verdict: Verdict::Unknown(time()), engine: "none" });
}

#[test]
fn what_is_open_rests_on_what_was_not_followed() {
    let program = counting_loop().program;
    let (site, reason) = (SiteId(0), || Reason::Unsupported("f is recursive".into()));
    let causes = |verdict: Judged, run: Option<Erring>| {
        let over = BTreeMap::from([(site, verdict)]);
        let runs = run.into_iter().map(|run| (site, (run, "search"))).collect();
        let unfollowed = BTreeMap::from([(site, Unfollowed { reason: reason(), call: None })]);
        let assumed = Assumed { unfollowed, ..Assumed::default() };
        let evidence = Evidence { over: &over, runs: &runs, boxes: &BTreeMap::new(), assumed: &assumed };
        judge(&program, &evidence, &time()).causes.remove(&site).map(|(reason, _)| reason)
    };
    assert_eq!(causes(possible(), None), Some(reason().to_string()));
    // A run that errs was followed.
    assert_eq!(causes(possible(), certain()), None);
    assert_eq!(causes(safe(), None), None);
    let unknown = Judged { verdict: Verdict::Unknown(time()), engine: "forward" };
    assert_eq!(causes(unknown, None), Some(time().to_string()));
}

#[test]
fn checks_of_one_statement_are_of_one_access() {
    let program = counting_loop().program;
    let (over, runs, assumed) = (BTreeMap::new(), BTreeMap::new(), Assumed::default());
    let evidence = Evidence { over: &over, runs: &runs, boxes: &BTreeMap::new(), assumed: &assumed };
    let found = judge(&program, &evidence, &time());
    for (site, first) in &found.first_checks {
        assert_eq!(found.first_checks[first], *first);
        assert_eq!(program.sites[*site].function, program.sites[*first].function);
    }
}

#[test]
fn what_errs_close_to_what_does_not_comes_before_what_is_hardly_known() {
    let program = counting_loop().program;
    let site = SiteId(0);
    let doubt =
        |sort, grip| Doubt { sort, grip, thing: "`p` in f".into(), at: None, words: "?".into(), more: "".into() };
    let ranked = |verdict: Judged, doubt: Option<Doubt>, never: bool| {
        let over = BTreeMap::from([(site, verdict)]);
        let never_passed = never.then_some(site).into_iter().collect();
        let doubts = doubt.map(|doubt| (site, doubt)).into_iter().collect();
        let assumed = Assumed { never_passed, doubts, ..Assumed::default() };
        let evidence = Evidence { over: &over, runs: &BTreeMap::new(), boxes: &BTreeMap::new(), assumed: &assumed };
        judge(&program, &evidence, &time()).ranks.remove(&site).map(|rank| (rank.rank, rank.cause))
    };
    let of = |sort, grip| ranked(possible(), Some(doubt(sort, grip)), false).expect("open sites have a rank");
    let close = of(DoubtSort::Null, Grip::Close);
    assert_eq!(close.1, "`p` in f may be NULL");
    let never = ranked(possible(), Some(doubt(DoubtSort::Wild, Grip::Loose)), true).expect("a rank");
    let unknown = Judged { verdict: Verdict::Unknown(time()), engine: "forward" };
    let unknown = ranked(unknown, None, false).expect("a rank");
    assert_eq!(unknown.1, time().to_string());
    let input = of(DoubtSort::Outside, Grip::Input);
    let allocation = of(DoubtSort::Allocation, Grip::Close);
    let loose = of(DoubtSort::Wild, Grip::Loose);
    let order = [never.0, close.0, input.0, allocation.0, loose.0, unknown.0];
    assert!(order.is_sorted_by(|a, b| a < b), "{order:?}");
    assert_eq!(ranked(safe(), None, false), None);
}

#[test]
fn runs_that_need_an_allocation_to_fail_come_after_other_definite_ones() {
    let program = counting_loop().program;
    let rank = |input: &str| {
        let input = InputBox {
            input: input.into(),
            location: Location { file: "a.c".into(), line: 1, column: 1 },
            occurrence: 1,
            value: InputValue::Int { low: 1, high: 1 },
            point: None,
            any: false,
        };
        let failure = Failure { precondition: vec![input], replayed: true, ..Failure::default() };
        let runs = BTreeMap::from([(SiteId(0), (Erring::Certain(failure), "search"))]);
        let over = BTreeMap::from([(SiteId(0), possible())]);
        let assumed = Assumed::default();
        let evidence = Evidence { over: &over, runs: &runs, boxes: &BTreeMap::new(), assumed: &assumed };
        judge(&program, &evidence, &time()).ranks[&SiteId(0)].rank
    };
    assert_eq!((rank("rand()"), rank("malloc() fails")), (0, 1));
}
