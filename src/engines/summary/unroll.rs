//! Loops unrolled, each as far as it goes: a program in which no loop takes more turns has no loops.

use super::super::cpa::unwinding::unroll_each;
use super::super::invariant::prove::{Patience, failing, open_gaps};
use super::super::task::query::Reply;
use super::super::task::{Budget, Query};
use super::sites::{KINDS, Work};
use crate::encode::{Automaton, Encoder, NodeId};
use crate::ir::SiteId;
use crate::smt::Term;
use std::collections::{BTreeMap, BTreeSet};

/// How far loops are unrolled.
#[derive(Debug)]
pub(super) struct Unrolled {
    /// Turns that are followed, by loop.
    turns: BTreeMap<NodeId, u32>,
    /// The most of them when sites were last judged.
    judged: u32,
}

/// Models from which loops are taken that need more turns, before the program is encoded anew.
const MODELS: usize = 4;

impl Unrolled {
    /// Every loop for one turn.
    pub(super) fn new(automaton: &Automaton<'_>) -> Self {
        Unrolled { turns: automaton.heads().into_iter().map(|head| (head, 1)).collect(), judged: 0 }
    }

    fn most(&self) -> u32 {
        self.turns.values().copied().max().unwrap_or(0)
    }

    /// Lets each of these loops take some turns more, at most `most`; whether any does.
    fn extend(&mut self, heads: &BTreeSet<NodeId>, most: u32) -> bool {
        let mut more = false;
        for head in heads {
            let Some(turns) = self.turns.get_mut(head).filter(|turns| **turns < most) else { continue };
            *turns = most.min(*turns + (*turns / 2).max(1));
            more = true;
        }
        more
    }
}

/// What loops may do that are unrolled so far.
enum Further {
    /// None takes more turns: all is said.
    No,
    /// These may.
    Loops(BTreeSet<NodeId>),
}

impl Work<'_, '_> {
    /// Unrolls loops until none takes more turns, or one more than `most`.
    pub(super) fn unroll(&mut self, most: u32, budget: &Budget) {
        while !self.left.is_empty() {
            match self.unroll_once(budget) {
                Ok(Further::No) => return,
                Ok(Further::Loops(heads)) if self.unrolled.extend(&heads, most) => {}
                Ok(Further::Loops(_)) => return,
                Err(why) => return self.doubt(format!("{why}, at bound {}", self.unrolled.most())),
            }
        }
    }

    /// Judges the sites that are left with the turns that loops have now.
    fn unroll_once(&mut self, budget: &Budget) -> Result<Further, String> {
        let mut encoder = Encoder::new(self.automaton, KINDS);
        encoder.ends_clean = false;
        let unrolled = unroll_each(&mut encoder, &self.unrolled.turns, budget);
        if unrolled.aborted {
            return Err("budget".to_owned());
        }
        let mut query = Query::new();
        // What errs is found early; what does not is known only once no loop takes more turns.
        let most = self.unrolled.most();
        let early = self.unrolled.judged < most;
        let errs = early.then(|| self.suspect(&mut encoder, &mut query, Patience::Together, budget));
        self.unrolled.judged = most;
        let further = loops_beyond(&unrolled.beyond, &mut encoder, &mut query, budget);
        let is_decided = |errs: &BTreeSet<SiteId>| errs.is_disjoint(&self.left);
        let errs = match errs.filter(|errs| is_decided(errs)) {
            None if further.as_ref().is_ok_and(BTreeSet::is_empty) => {
                Some(self.suspect(&mut encoder, &mut query, Patience::OneByOne, budget))
            }
            errs => errs,
        };
        let all_told = further.as_ref().is_ok_and(BTreeSet::is_empty);
        let gaps = all_told.then(|| open_gaps(&mut encoder, &mut query, &[], budget));
        self.found.queries += query.asked;
        let further = further?;
        let Some(gaps) = gaps else {
            return Ok(Further::Loops(further));
        };
        let mut open = errs.unwrap_or_default();
        open.extend(gaps.behind(&encoder));
        let mut excluded = gaps.excluded(&encoder);
        excluded.push(unrolled.beyond_any(&mut encoder));
        let gap = gaps.first(&encoder);
        self.confirm(encoder, &open, &excluded, budget)?;
        match gap {
            Some(gap) if !self.left.is_empty() => Err(gap.to_string()),
            _ => Ok(Further::No),
        }
    }

    /// The sites that may err; those for which there are inputs are suspected.
    fn suspect(
        &mut self,
        encoder: &mut Encoder<'_, '_>,
        query: &mut Query,
        patience: Patience,
        budget: &Budget,
    ) -> BTreeSet<SiteId> {
        let mut suspects = BTreeMap::new();
        let failing = failing(encoder, query, &[], (&self.left, patience), budget, &mut |site, encoder, query| {
            suspects.extend(query.inputs(encoder).ok().map(|inputs| (site, inputs)));
        });
        self.left.retain(|site| !suspects.contains_key(site));
        self.found.suspects.extend(suspects);
        failing
    }

    /// Asks once more, by solvers that were told nothing, whether the sites but those of `open` err or something of `excluded` happens.
    fn confirm(
        &mut self,
        mut encoder: Encoder<'_, '_>,
        open: &BTreeSet<SiteId>,
        excluded: &[Term],
        budget: &Budget,
    ) -> Result<(), String> {
        let mut proved: BTreeSet<SiteId> = self.left.difference(open).copied().collect();
        if proved.is_empty() {
            return Ok(());
        }
        let any = encoder.pool.or(excluded);
        let mut certifying = Query::certifying();
        let reply = certifying.check(&encoder, &[any], budget);
        if reply == Reply::Unsat {
            let again =
                failing(&mut encoder, &mut certifying, &[], (&proved, Patience::OneByOne), budget, &mut |_, _, _| {});
            proved.retain(|site| !again.contains(site));
        }
        self.found.queries += certifying.asked;
        if reply != Reply::Unsat || proved.is_empty() {
            return Err("the proof is not confirmed".to_owned());
        }
        let why = match self.unrolled.most() {
            0 => "no path that leads here errs".to_owned(),
            bound => format!("no loop takes more than {bound} turns, and nothing errs here within"),
        };
        self.prove(proved, &why);
        Ok(())
    }
}

/// Loops that may take more turns than are followed, if there are any; not all of them.
fn loops_beyond(
    beyond: &[(NodeId, Term)],
    encoder: &mut Encoder<'_, '_>,
    query: &mut Query,
    budget: &Budget,
) -> Result<BTreeSet<NodeId>, String> {
    let mut found = BTreeSet::new();
    for _ in 0..MODELS {
        let left: Vec<&(NodeId, Term)> = beyond.iter().filter(|(head, _)| !found.contains(head)).collect();
        let conditions: Vec<Term> = left.iter().map(|(_, condition)| *condition).collect();
        let any = encoder.pool.or(&conditions);
        match query.check(encoder, &[any], budget) {
            Reply::Sat => {}
            Reply::Unknown(why) if found.is_empty() => return Err(format!("solver: {why}")),
            _ => break,
        }
        let values = query.values(encoder, &conditions).map_err(|error| error.to_string())?;
        let before = found.len();
        let taken = left.iter().zip(&values).filter(|(_, value)| value.as_bool() == Some(true));
        found.extend(taken.map(|((head, _), _)| *head));
        if found.len() == before {
            return Err("solver: a model that says nothing".to_owned());
        }
    }
    Ok(found)
}
