//! Lexicographic ranking arguments: measures none of which grows while those before it stay, and one of which falls, in
//! every turn.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Sect. 5.8 (relations of strict order need
//! no check that they are compositional and well-founded); Bradley, Manna, Sipma, "Linear Ranking with Reachability"
//! (lexicographic arguments).

use super::super::task::query::Reply;
use super::super::task::{Budget, Query};
use super::doubt::Doubt;
use super::measure::{Measure, measures, measures_of_parameters};
use super::turns::{Cycle, Turns};
use crate::smt::{Op, Term, TermPool};

/// A measure's values in one kind of turn.
#[derive(Clone, Copy)]
struct Fall {
    before: Term,
    after: Term,
}

/// A kind of turn, of those that no measure chosen so far has covered.
struct Open {
    condition: Term,
    /// By measure.
    falls: Vec<Fall>,
}

/// Whether a solver may have much to do with the measure: it multiplies or divides.
fn is_hard(pool: &TermPool, open: &[Open], at: usize) -> bool {
    let roots: Vec<Term> = open.iter().flat_map(|o| [o.falls[at].before, o.falls[at].after]).collect();
    pool.subterms(&roots).into_iter().any(|t| match pool.op(t) {
        Op::BvMul => pool.args(t).iter().all(|a| pool.constant(*a).is_none()),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => true,
        _ => false,
    })
}

/// The measures, the first the most significant; else why there are none.
pub fn rank<'p>(
    turns: &mut Turns<'_, 'p>,
    cycle: Cycle,
    query: &mut Query,
    budget: &Budget,
) -> Result<Vec<Measure<'p>>, Doubt> {
    turns.is_followed(query, budget)?;
    let measures = match cycle {
        Cycle::Loop(head) => measures(&turns.encoder, head),
        Cycle::Recursion => measures_of_parameters(&turns.encoder),
    };
    let open = open_turns(turns, cycle, &measures);
    let mut left: Vec<usize> = (0..measures.len()).collect();
    left.sort_by_cached_key(|at| is_hard(&turns.encoder.pool, &open, *at));
    let mut search = Search { turns, query, budget: budget.clone(), open, left, chosen: Vec::new() };
    search.run()?;
    let chosen: Vec<Measure<'p>> = search.chosen.iter().map(|at| measures[*at].clone()).collect();
    confirm(turns, cycle, &chosen, budget)?;
    Ok(chosen)
}

fn open_turns<'p>(turns: &mut Turns<'_, 'p>, cycle: Cycle, measures: &[Measure<'p>]) -> Vec<Open> {
    let mut open = Vec::new();
    for turn in cycle.turns(&turns.turns, &turns.descents) {
        let condition = turns.encoder.path(&turn.after);
        let fall = |measure: &Measure<'p>| Fall {
            before: measure.term(&mut turns.encoder, &turn.before),
            after: measure.term(&mut turns.encoder, &turn.after),
        };
        open.push(Open { condition, falls: measures.iter().map(fall).collect() });
    }
    open
}

struct Search<'s, 'a, 'p> {
    turns: &'s mut Turns<'a, 'p>,
    query: &'s mut Query,
    budget: Budget,
    open: Vec<Open>,
    /// Measures that may still be chosen.
    left: Vec<usize>,
    chosen: Vec<usize>,
}

/// The part of the budget's rest that one query may take.
const SLICE: f64 = 0.25;

impl Search<'_, '_, '_> {
    fn run(&mut self) -> Result<(), Doubt> {
        loop {
            let conditions: Vec<Term> = self.open.iter().map(|o| o.condition).collect();
            let any = self.turns.encoder.pool.or(&conditions);
            match self.query.check(&self.turns.encoder, &[any], &self.budget) {
                Reply::Unsat => return Ok(()),
                Reply::Unknown(why) => return Err(Doubt::Solver(why)),
                Reply::Sat => {}
            }
            let seen = self.of_model()?;
            let at = self.next(&seen)?.ok_or("no measure that is tried falls in every turn")?;
            self.choose(at);
        }
    }

    /// A measure that never grows and sometimes falls; first those that fall in the model.
    fn next(&mut self, seen: &[(bool, bool)]) -> Result<Option<usize>, Doubt> {
        let mut growing: Vec<bool> = seen.iter().map(|(_, grows)| *grows).collect();
        let (falling, others): (Vec<usize>, Vec<usize>) = self.left.iter().partition(|at| seen[**at].0);
        for (at, falls) in falling.into_iter().map(|at| (at, true)).chain(others.into_iter().map(|at| (at, false))) {
            if self.never_grows(at, &mut growing)? && (falls || self.may_fall(at)) {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// By measure, whether it falls in some turn of the model, and whether it grows in one.
    fn of_model(&mut self) -> Result<Vec<(bool, bool)>, Doubt> {
        let mut terms: Vec<Term> = Vec::new();
        for open in &self.open {
            terms.push(open.condition);
            terms.extend(open.falls.iter().flat_map(|fall| [fall.before, fall.after]));
        }
        let values = self.query.values(&self.turns.encoder, &terms).map_err(|e| e.to_string())?;
        let mut values = values.iter();
        let mut next = || values.next().expect("there is a value for every term that was asked");
        let mut seen = vec![(false, false); self.open.first().map_or(0, |o| o.falls.len())];
        for _ in &self.open {
            let taken = next().as_bool() == Some(true);
            for (falls, grows) in &mut seen {
                let (before, after) = (next().as_bits(), next().as_bits());
                if let (true, Some(before), Some(after)) = (taken, before, after) {
                    *falls |= after.signed() < before.signed();
                    *grows |= after.signed() > before.signed();
                }
            }
        }
        Ok(seen)
    }

    /// Whether the measure falls in some open turn.
    fn may_fall(&mut self, at: usize) -> bool {
        let mut fallen = Vec::new();
        for open in &self.open {
            let Fall { before, after } = open.falls[at];
            let falls = self.turns.encoder.pool.bv_slt(after, before);
            fallen.push(self.turns.encoder.pool.and(&[open.condition, falls]));
        }
        let falls = self.turns.encoder.pool.or(&fallen);
        self.query.check(&self.turns.encoder, &[falls], &self.budget.share(SLICE)) == Reply::Sat
    }

    /// Whether the measure grows in no open turn; what a model shows of others goes to `growing`.
    fn never_grows(&mut self, at: usize, growing: &mut [bool]) -> Result<bool, Doubt> {
        if growing[at] {
            return Ok(false);
        }
        let mut grown = Vec::new();
        for open in &self.open {
            let Fall { before, after } = open.falls[at];
            let grows = self.turns.encoder.pool.bv_slt(before, after);
            grown.push(self.turns.encoder.pool.and(&[open.condition, grows]));
        }
        let grows = self.turns.encoder.pool.or(&grown);
        match self.query.check(&self.turns.encoder, &[grows], &self.budget.share(SLICE)) {
            Reply::Unsat => Ok(true),
            Reply::Unknown(why) if self.budget.is_spent() => Err(Doubt::Solver(why)),
            Reply::Unknown(_) => Ok(false),
            Reply::Sat => {
                for (known, (_, grows)) in growing.iter_mut().zip(self.of_model()?) {
                    *known |= grows;
                }
                Ok(false)
            }
        }
    }

    /// Takes the measure; only turns in which it stays are open still.
    fn choose(&mut self, at: usize) {
        self.left.retain(|other| *other != at);
        self.chosen.push(at);
        for open in &mut self.open {
            let Fall { before, after } = open.falls[at];
            let stays = self.turns.encoder.pool.eq(before, after);
            open.condition = self.turns.encoder.pool.and(&[open.condition, stays]);
        }
    }
}

/// Shows the argument again to a solver that has seen nothing else.
fn confirm<'p>(turns: &mut Turns<'_, 'p>, cycle: Cycle, chosen: &[Measure<'p>], budget: &Budget) -> Result<(), Doubt> {
    let mut violations = Vec::new();
    for open in open_turns(turns, cycle, chosen) {
        let pool = &mut turns.encoder.pool;
        let mut falls = pool.bool(false);
        for fall in open.falls.iter().rev() {
            let less = pool.bv_slt(fall.after, fall.before);
            let same = pool.eq(fall.after, fall.before);
            let later = pool.and(&[same, falls]);
            falls = pool.or(&[less, later]);
        }
        let not = pool.not(falls);
        violations.push(pool.and(&[open.condition, not]));
    }
    let violated = turns.encoder.pool.or(&violations);
    match Query::new().check(&turns.encoder, &[violated], budget) {
        Reply::Unsat => Ok(()),
        Reply::Sat => Err("the ranking argument is not confirmed".into()),
        Reply::Unknown(why) => Err(Doubt::Solver(format!("{why}, when the ranking argument was shown again"))),
    }
}
