//! The largest part of a set of candidates that is inductive over windows of turns, and what follows from it.

use super::guess::Candidates;
use super::leap::{Landing, Leap};
use super::predicate::Predicate;
use crate::encode::encoder::Gap;
use crate::encode::{Automaton, Encoder, NodeId, State};
use crate::engines::bmc::reachable_gap;
use crate::engines::cpa::unwinding::{Arrival, Invariants, Unrolled, Unrolling, unroll};
use crate::engines::task::query::Reply;
use crate::engines::task::{Budget, Obstacle, Query, Task};
use crate::ir::{CheckKind, SiteId};
use crate::smt::{Sort, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What was shown.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The candidates that are invariants.
    pub invariants: Candidates,
    /// Whether nothing errs; else why that is not known.
    pub safe: Result<(), Obstacle>,
    /// How the property fails where loops keep to the invariants.
    pub leap: Option<Leap>,
}

/// Candidates with a switch each.
struct Switched {
    candidates: Candidates,
    switches: BTreeMap<NodeId, Vec<Term>>,
}

impl Invariants for Switched {
    fn terms(&mut self, encoder: &mut Encoder<'_, '_>, head: NodeId, state: &mut State) -> Vec<Term> {
        let list = self.candidates.get(&head).map_or(&[][..], |l| l);
        list.iter().map(|p| p.term(encoder, state)).collect()
    }
    fn switches(&self, head: NodeId) -> Vec<Term> {
        self.switches.get(&head).cloned().unwrap_or_default()
    }
}

/// The part of the time left that one query may take while candidates are sifted.
const SLICE: f64 = 0.3;
/// The longest that it may take while there are candidates that can be given up for being hard.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sifts `candidates` by induction with windows of `base` turns, and judges the task with what is left.
pub fn prove(task: &Task<'_>, automaton: &Automaton<'_>, candidates: &Candidates, base: u32, budget: &Budget) -> Shown {
    prove_by(Query::new(), task, automaton, candidates, base, budget)
}

/// The largest part of `candidates` that is inductive over windows of `base` turns, as `query` finds out; nothing if it does not.
pub fn inductive(
    query: Query,
    task: &Task<'_>,
    automaton: &Automaton<'_>,
    candidates: &Candidates,
    base: u32,
    budget: &Budget,
) -> Candidates {
    let sifted = sifted(query, (task.property.kinds(), true), automaton, candidates, base, budget);
    let mut left = sifted.map_or_else(|_| Candidates::default(), |(sieve, _)| sieve.left());
    left.retain(|_, list| !list.is_empty());
    left
}

/// Proves once more, from the start and by solvers that have seen nothing else, the one first that came last before.
pub fn confirm(
    task: &Task<'_>,
    automaton: &Automaton<'_>,
    invariants: &Candidates,
    base: u32,
    budget: &Budget,
) -> Result<(), Obstacle> {
    let confirmed = prove_by(Query::certifying(), task, automaton, invariants, base, budget).safe;
    confirmed.map_err(|why| Obstacle::NoProof(format!("the proof is not confirmed: {why}")))
}

fn prove_by(
    query: Query,
    task: &Task<'_>,
    automaton: &Automaton<'_>,
    candidates: &Candidates,
    base: u32,
    budget: &Budget,
) -> Shown {
    match sifted(query, (task.property.kinds(), true), automaton, candidates, base, budget) {
        Err(why) => Shown { invariants: Candidates::default(), safe: Err(why), leap: None },
        Ok((mut sieve, unrolled)) => {
            let mut leap = None;
            let safe = sieve.judge(&unrolled.landings, &mut leap, budget);
            Shown { invariants: sieve.left(), safe, leap }
        }
    }
}

/// The part of `candidates` that is inductive over windows of `base` turns, and those of `wanted` at which the program may err where its
/// loops keep to it, or to which control may come from something that is not encoded.
pub fn prove_sites(
    query: Query,
    kinds: &[CheckKind],
    automaton: &Automaton<'_>,
    (candidates, base): (&Candidates, u32),
    wanted: &BTreeSet<SiteId>,
    budget: &Budget,
) -> Result<SitesShown, Obstacle> {
    let (mut sieve, unrolled) = sifted(query, (kinds, false), automaton, candidates, base, budget)?;
    let assumptions = sieve.assumptions();
    let mut leaps = BTreeMap::new();
    let Sieve { encoder, query, .. } = &mut sieve;
    let gaps = open_gaps(encoder, query, &assumptions, budget);
    let hidden: BTreeSet<SiteId> = gaps.behind(encoder).intersection(wanted).copied().collect();
    let seen: BTreeSet<SiteId> = wanted.difference(&hidden).copied().collect();
    let mut open =
        failing(encoder, query, &assumptions, (&seen, Patience::OneByOne), budget, &mut |site, encoder, query| {
            leaps.extend(Leap::of_site(encoder, query, &unrolled.landings, site).map(|leap| (site, leap)));
        });
    open.extend(hidden);
    let gap = gaps.first(encoder);
    Ok(SitesShown { invariants: sieve.left(), open, gap, leaps, queries: sieve.query.asked })
}

/// What was shown of sites.
#[derive(Clone, Debug)]
pub struct SitesShown {
    /// The candidates that are invariants.
    pub invariants: Candidates,
    /// Sites that may err all the same.
    pub open: BTreeSet<SiteId>,
    /// Something that is not encoded, behind which all are open.
    pub gap: Option<Obstacle>,
    /// How they do, where loops keep to the invariants.
    pub leaps: BTreeMap<SiteId, Leap>,
    pub queries: u64,
}

/// How sites are asked about.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// All together: where that is too hard, any of them may err.
    Together,
    /// One by one, where together is too hard.
    OneByOne,
}

/// Those of `wanted` at which `encoder` has a failure that `assumptions` do not exclude. `seen` is told of each for which there is a
/// model, while it is there.
pub fn failing<'a, 'p>(
    encoder: &mut Encoder<'a, 'p>,
    query: &mut Query,
    assumptions: &[Term],
    (wanted, patience): (&BTreeSet<SiteId>, Patience),
    budget: &Budget,
    seen: &mut dyn FnMut(SiteId, &mut Encoder<'a, 'p>, &mut Query),
) -> BTreeSet<SiteId> {
    let mut by_site: BTreeMap<SiteId, Vec<Term>> = BTreeMap::new();
    for failure in encoder.failures.iter().filter(|f| wanted.contains(&f.site)) {
        by_site.entry(failure.site).or_default().push(failure.condition);
    }
    let mut left: BTreeMap<SiteId, Term> =
        by_site.into_iter().map(|(site, conditions)| (site, encoder.pool.or(&conditions))).collect();
    let mut found = BTreeSet::new();
    let mut together = true;
    while !left.is_empty() {
        let asked: Vec<(SiteId, Term)> =
            left.iter().map(|(s, t)| (*s, *t)).take(if together { left.len() } else { 1 }).collect();
        let conditions: Vec<Term> = asked.iter().map(|(_, condition)| *condition).collect();
        let mut formulas = assumptions.to_vec();
        formulas.push(encoder.pool.or(&conditions));
        match query.check(encoder, &formulas, budget) {
            Reply::Unsat => left.retain(|site, _| !asked.iter().any(|(gone, _)| gone == site)),
            Reply::Unknown(_) if patience == Patience::Together || budget.is_spent() => {
                found.extend(left.keys());
                return found;
            }
            Reply::Unknown(_) if asked.len() > 1 => together = false,
            Reply::Unknown(_) => {
                left.retain(|site, _| !asked.iter().any(|(gone, _)| gone == site));
                found.extend(asked.iter().map(|(site, _)| *site));
            }
            Reply::Sat => {
                let all: Vec<(SiteId, Term)> = left.iter().map(|(s, t)| (*s, *t)).collect();
                let terms: Vec<Term> = all.iter().map(|(_, condition)| *condition).collect();
                let values = query.values(encoder, &terms).unwrap_or_default();
                let fails = |(_, value): &(&(SiteId, Term), &crate::smt::Value)| value.as_bool() == Some(true);
                let here: Vec<SiteId> = all.iter().zip(&values).filter(fails).map(|((site, _), _)| *site).collect();
                for &site in &here {
                    seen(site, encoder, query);
                }
                // A model that says nothing decides nothing.
                let gone = if here.is_empty() { asked.iter().map(|(site, _)| *site).collect() } else { here };
                left.retain(|site, _| !gone.contains(site));
                found.extend(gone);
            }
        }
    }
    found
}

/// What of an encoding's gaps may be.
pub struct OpenGaps {
    /// By number, whether executions may come to it.
    open: Vec<bool>,
}

impl OpenGaps {
    /// The sites that control may come to behind them.
    pub fn behind(&self, encoder: &Encoder<'_, '_>) -> BTreeSet<SiteId> {
        let places: Vec<(NodeId, usize)> = self.of(encoder, true).map(|gap| gap.place).collect();
        encoder.automaton.sites_behind(&places)
    }

    /// When something happens that is not encoded, of what executions do not come to.
    pub fn excluded(&self, encoder: &Encoder<'_, '_>) -> Vec<Term> {
        self.of(encoder, false).map(|gap| gap.condition).collect()
    }

    /// The first of them.
    pub fn first(&self, encoder: &Encoder<'_, '_>) -> Option<Obstacle> {
        self.of(encoder, true).next().map(Obstacle::of_gap)
    }

    fn of<'e>(&'e self, encoder: &'e Encoder<'_, '_>, open: bool) -> impl Iterator<Item = &'e Gap> {
        encoder.gaps.iter().zip(&self.open).filter(move |(_, is_open)| **is_open == open).map(|(gap, _)| gap)
    }
}

/// Models of gaps that are looked at; of more, any may be.
const GAPS: usize = 24;

/// Which of the gaps of `encoder` are not excluded by `assumptions`.
pub fn open_gaps(encoder: &mut Encoder<'_, '_>, query: &mut Query, assumptions: &[Term], budget: &Budget) -> OpenGaps {
    let mut open = vec![false; encoder.gaps.len()];
    for _ in 0..GAPS {
        let left: Vec<usize> = (0..open.len()).filter(|i| !open[*i]).collect();
        let conditions: Vec<Term> = left.iter().map(|i| encoder.gaps[*i].condition).collect();
        let mut formulas = assumptions.to_vec();
        formulas.push(encoder.pool.or(&conditions));
        match query.check(encoder, &formulas, budget) {
            Reply::Unsat => return OpenGaps { open },
            Reply::Unknown(_) => break,
            Reply::Sat => {}
        }
        let values = query.values(encoder, &conditions).unwrap_or_default();
        let hit = left.iter().zip(&values).filter(|(_, value)| value.as_bool() == Some(true));
        let places: BTreeSet<(NodeId, usize)> = hit.map(|(i, _)| encoder.gaps[*i].place).collect();
        if places.is_empty() {
            break;
        }
        for i in left {
            open[i] |= places.contains(&encoder.gaps[i].place);
        }
    }
    OpenGaps { open: vec![true; encoder.gaps.len()] }
}

/// The automaton's loops, and the candidates at their heads sifted. With `leaks`, blocks that are not freed count where `free` is judged.
fn sifted<'a, 'p>(
    query: Query,
    (kinds, leaks): (&[CheckKind], bool),
    automaton: &'a Automaton<'p>,
    candidates: &Candidates,
    base: u32,
    budget: &Budget,
) -> Result<(Sieve<'a, 'p>, Unrolled), Obstacle> {
    if automaton.order.is_irreducible() {
        return Err(Obstacle::Refused("a loop that is entered at several places".to_owned()));
    }
    let mut encoder = Encoder::new(automaton, kinds);
    encoder.ends_clean &= leaks;
    let mut switched = Switched { candidates: candidates.clone(), switches: BTreeMap::new() };
    for (head, list) in candidates {
        let fresh = |_| encoder.pool.fresh_variable("use", Sort::Bool);
        let switches = (0..list.len()).map(fresh).collect();
        switched.switches.insert(*head, switches);
    }
    let unrolled = unroll(&mut encoder, Unrolling { base, window: true }, &mut switched, budget);
    if unrolled.aborted {
        return Err(Obstacle::Budget("budget, while loops were unrolled".to_owned()));
    }
    let mut sieve = Sieve {
        alive: candidates.iter().map(|(head, list)| (*head, vec![true; list.len()])).collect(),
        encoder,
        switched,
        query,
    };
    sieve.sift(&unrolled.arrivals, budget)?;
    Ok((sieve, unrolled))
}

struct Sieve<'a, 'p> {
    encoder: Encoder<'a, 'p>,
    switched: Switched,
    alive: BTreeMap<NodeId, Vec<bool>>,
    query: Query,
}

impl Sieve<'_, '_> {
    fn is_alive(&self, head: NodeId, i: usize) -> bool {
        self.alive.get(&head).is_some_and(|l| l[i])
    }

    /// The switches of what is still believed.
    fn assumptions(&self) -> Vec<Term> {
        let on = |(head, list): (&NodeId, &Vec<Term>)| {
            list.iter().enumerate().filter(|(i, _)| self.is_alive(*head, *i)).map(|(_, t)| *t).collect::<Vec<_>>()
        };
        self.switched.switches.iter().flat_map(on).collect()
    }

    /// Drops candidates until the rest implies itself at every arrival.
    fn sift(&mut self, arrivals: &[Arrival], budget: &Budget) -> Result<(), Obstacle> {
        loop {
            let mut violations = Vec::new();
            for arrival in arrivals {
                let alive = |(i, _): &(usize, &Term)| self.is_alive(arrival.head, *i);
                let terms: Vec<Term> = arrival.candidates.iter().enumerate().filter(alive).map(|(_, t)| *t).collect();
                let all = self.encoder.pool.and(&terms);
                let broken = self.encoder.pool.not(all);
                violations.push(self.encoder.pool.and(&[arrival.condition, broken]));
            }
            let violated = self.encoder.pool.or(&violations);
            let mut formulas = self.assumptions();
            formulas.push(violated);
            let slice = budget.share(SLICE);
            let slice = if self.has_hard() { slice.at_most(PATIENCE) } else { slice };
            match self.query.check(&self.encoder, &formulas, &slice) {
                Reply::Unsat => return Ok(()),
                Reply::Sat => self.drop_violated(arrivals)?,
                Reply::Unknown(why) => {
                    if budget.is_spent() || !self.drop_hard() {
                        return Err(Obstacle::Solver(why));
                    }
                }
            }
        }
    }

    /// Drops what the model violates.
    fn drop_violated(&mut self, arrivals: &[Arrival]) -> Result<(), Obstacle> {
        let terms: Vec<Term> =
            arrivals.iter().flat_map(|a| std::iter::once(a.condition).chain(a.candidates.iter().copied())).collect();
        let values = self.query.values(&self.encoder, &terms).map_err(|e| Obstacle::Solver(e.to_string()))?;
        let mut values = values.iter().map(|v| v.as_bool() == Some(true));
        let mut dropped = false;
        for arrival in arrivals {
            let here = values.next() == Some(true);
            for i in 0..arrival.candidates.len() {
                let holds = values.next() == Some(true);
                if here
                    && !holds
                    && let Some(alive) = self.alive.get_mut(&arrival.head)
                {
                    dropped |= alive[i];
                    alive[i] = false;
                }
            }
        }
        if dropped { Ok(()) } else { Err(Obstacle::NoProof("a model that violates nothing".to_owned())) }
    }

    /// Whether a candidate with products or remainders is still believed.
    fn has_hard(&self) -> bool {
        let hard = |(head, list): (&NodeId, &Vec<Predicate>)| {
            list.iter().enumerate().any(|(i, p)| p.is_hard() && self.is_alive(*head, i))
        };
        self.switched.candidates.iter().any(hard)
    }

    /// Drops candidates with products or remainders; whether there were any.
    fn drop_hard(&mut self) -> bool {
        let mut dropped = false;
        for (head, list) in &self.switched.candidates {
            for (i, p) in list.iter().enumerate() {
                if let Some(alive) = self.alive.get_mut(head)
                    && alive[i]
                    && p.is_hard()
                {
                    alive[i] = false;
                    dropped = true;
                }
            }
        }
        dropped
    }

    /// Whether the invariants exclude every failure and every gap; `leap` is how the first fails.
    fn judge(&mut self, landings: &[Landing], leap: &mut Option<Leap>, budget: &Budget) -> Result<(), Obstacle> {
        let conditions: Vec<Term> = self.encoder.failures.iter().map(|f| f.condition).collect();
        match self.ask_any(&conditions, budget) {
            Reply::Unsat => self.refuse_gaps(budget),
            Reply::Sat => {
                *leap = Leap::of_model(&mut self.encoder, &mut self.query, landings);
                Err(Obstacle::NoProof("the property is not inductive".to_owned()))
            }
            Reply::Unknown(why) => Err(Obstacle::Solver(why)),
        }
    }

    /// Whether the invariants exclude every gap.
    fn refuse_gaps(&mut self, budget: &Budget) -> Result<(), Obstacle> {
        let conditions: Vec<Term> = self.encoder.gaps.iter().map(|g| g.condition).collect();
        match self.ask_any(&conditions, budget) {
            Reply::Unsat => Ok(()),
            Reply::Sat => Err(reachable_gap(&self.encoder, &mut self.query)),
            Reply::Unknown(why) => Err(Obstacle::Solver(why)),
        }
    }

    /// Whether one of the conditions is possible under what is believed.
    fn ask_any(&mut self, conditions: &[Term], budget: &Budget) -> Reply {
        let mut formulas = self.assumptions();
        formulas.push(self.encoder.pool.or(conditions));
        self.query.check(&self.encoder, &formulas, budget)
    }

    fn left(&self) -> Candidates {
        let keep = |(head, list): (&NodeId, &Vec<Predicate>)| {
            let kept = list.iter().enumerate().filter(|(i, _)| self.is_alive(*head, *i)).map(|(_, p)| p.clone());
            (*head, kept.collect())
        };
        self.switched.candidates.iter().map(keep).collect()
    }
}
