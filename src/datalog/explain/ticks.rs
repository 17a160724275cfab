//! Some derivation of a tuple, by when tuples were found: each goes back to what was there before it. Where sets go round a
//! cycle, so that all of it came at once, the way back to where they entered it is searched, shortest first.
use super::premises::{Found, Tuple, instances_of};
use super::search::{Search, Unexplained};
use crate::datalog::evaluate::Session;
use crate::datalog::evaluate::history::Tick;
use crate::datalog::limits::Limits;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// Tuples of a cycle that are asked about at once.
const AT_ONCE: usize = 32;

/// Chooses, for the search's root and every tuple that is needed below it, the one instance that it follows from.
pub fn choose(search: &mut Search<'_>, session: &mut Session, limits: &Limits) -> Result<(), Unexplained> {
    let mut next = 0;
    while next < search.nodes.len() {
        if !search.nodes[next].explored {
            Way::new(search, next).find(search, session, limits)?;
        }
        next += 1;
    }
    search.raise();
    Ok(())
}

/// The way back from a tuple to one of the same moment that follows from earlier ones alone.
struct Way {
    waiting: VecDeque<Tuple>,
    /// By tuple: what follows from it on the way, as the tuple and the instance. None for the start.
    onward: FxHashMap<Tuple, Option<(Tuple, Found)>>,
    /// Instances that were found.
    instances: usize,
}

/// The latest moment of a premise, the tuple and the instance that it follows from.
type Entry = (Tick, Tuple, Found);

impl Way {
    fn new(search: &Search<'_>, start: usize) -> Way {
        let node = &search.nodes[start];
        let start = (node.relation, node.tuple.clone());
        Way { waiting: VecDeque::from([start.clone()]), onward: FxHashMap::from_iter([(start, None)]), instances: 0 }
    }

    fn find(mut self, search: &mut Search<'_>, session: &mut Session, limits: &Limits) -> Result<(), Unexplained> {
        // The first alone: mostly it will do.
        let mut most = 1;
        while !self.waiting.is_empty() {
            let goals: Vec<Tuple> = self.waiting.drain(..most.min(self.waiting.len())).collect();
            most = AT_ONCE;
            let found = instances_of(&search.turned, search.program, &goals, session, limits)?;
            self.instances += found.len();
            if let Some((_, tuple, found)) = self.look(&goals, found, search, session) {
                self.take(tuple, found, search);
                return Ok(());
            }
        }
        Err(Unexplained::TooMany(self.instances))
    }

    /// The instance with the earliest premises, if all of them are earlier than what it derives (or known to follow from what
    /// is); else notes where the way may go on.
    fn look(&mut self, goals: &[Tuple], found: Vec<Found>, search: &Search<'_>, session: &Session) -> Option<Entry> {
        let database = session.database()?;
        let mut best: Option<Entry> = None;
        let moment = |(relation, tuple): &Tuple| database.found_at(*relation, tuple);
        let moments: Vec<Tick> = goals.iter().map(moment).collect();
        for instance in found {
            let now = moments[instance.goal];
            let before = |premise: &Tuple| match moment(premise) {
                // Only facts are of moment 0, and nobody asks what they follow from.
                tick if tick == now && search.is_explored(premise) => tick.saturating_sub(1),
                tick => tick,
            };
            let latest = instance.premises.iter().map(before).max().unwrap_or(0);
            if latest < now {
                if best.as_ref().is_none_or(|(tick, ..)| latest < *tick) {
                    best = Some((latest, goals[instance.goal].clone(), instance));
                }
            } else if latest == now {
                // What goes round a cycle of subset edges has one premise of its moment, the set that is passed on: edges were
                // there before what flows along them.
                let mut same = instance.premises.iter().filter(|premise| before(premise) == now);
                let (Some(premise), None) = (same.next().cloned(), same.next()) else { continue };
                if !self.onward.contains_key(&premise) {
                    self.waiting.push_back(premise.clone());
                    self.onward.insert(premise, Some((goals[instance.goal].clone(), instance)));
                }
            }
        }
        best
    }

    /// Takes over the instances from `tuple`, which follows from `found`, on to the start.
    fn take(mut self, mut tuple: Tuple, mut found: Found, search: &mut Search<'_>) {
        loop {
            let node = search.node(tuple.0, tuple.1.clone());
            if !search.nodes[node].explored {
                search.nodes[node].explored = true;
                search.add(node, found);
            }
            match self.onward.remove(&tuple).flatten() {
                Some(next) => (tuple, found) = next,
                None => return,
            }
        }
    }
}
