//! Questions to solvers about one encoding.
//!
//! Two solvers share the work: the one that keeps its clauses from query to query is asked first, and libcvc5 where it does
//! not come to an end and the question is not too large for it. A certificate asks them the other way round, so that a proof is confirmed by a solver that had no
//! part in finding it.

use super::Budget;
use crate::concrete::{InputPlace, InputValue};
use crate::encode::Encoder;
use crate::engines::limits::Effort;
use crate::smt::{self, BlastSolver, Cvc5Solver, Limits, Logic, Options, Solver, Term, Value};

/// Solvers that know an encoding's axioms.
pub struct Query {
    /// In the order in which they are asked.
    solvers: [Informed; 2],
    /// The one that answered last.
    answered: usize,
    /// The formula of the last query that is false by itself, so that no solver was asked.
    trivial: Option<Term>,
    /// How hard the solvers try where the budget does not say less.
    effort: Option<Effort>,
    /// Queries asked.
    pub asked: u64,
}

/// That of a search, where an answer only helps to find something.
const SEARCH: Effort = Effort { clauses: Some(3_000), terms: 100, ..Effort::ANY };

/// A solver, and how many of the encoding's axioms it was told.
struct Informed {
    solver: Box<dyn Solver>,
    kind: Kind,
    axioms: usize,
}

/// Which solver it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Clauses,
    Cvc5,
}

/// The part of the time left that the first solver may take.
const FIRST: f64 = 0.5;

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Sat,
    Unsat,
    Unknown(String),
}

/// All that is encoded is bits.
const OPTIONS: Options = Options { logic: Logic::QfBv, seed: 0, cores: true };

impl Informed {
    fn check(&mut self, encoder: &Encoder<'_, '_>, formulas: &[Term], budget: &Budget, effort: Effort) -> Reply {
        let resources = match self.kind {
            Kind::Clauses => effort.clauses,
            Kind::Cvc5 => effort.units,
        };
        self.solver.set_limits(Limits { time: Some(budget.left()), resources });
        self.solver.set_interrupt(budget.interrupt());
        while self.axioms < encoder.axioms.len() {
            if let Err(error) = self.solver.assert(&encoder.pool, encoder.axioms[self.axioms]) {
                return Reply::Unknown(error.to_string());
            }
            self.axioms += 1;
        }
        match self.solver.check_assuming(&encoder.pool, formulas) {
            Ok(smt::Answer::Sat) => Reply::Sat,
            Ok(smt::Answer::Unsat) => Reply::Unsat,
            Ok(smt::Answer::Unknown(why)) => Reply::Unknown(why.to_string()),
            Err(error) => Reply::Unknown(error.to_string()),
        }
    }
}

impl Default for Query {
    fn default() -> Self {
        Self::new()
    }
}

impl Query {
    /// Solvers that have been told nothing.
    pub fn new() -> Query {
        Query::of([Kind::Clauses, Kind::Cvc5], OPTIONS)
    }

    /// Solvers that have been told nothing, for confirming what others found. They give no cores.
    pub fn certifying() -> Query {
        let options = Options { cores: false, ..OPTIONS };
        Query::of([Kind::Cvc5, Kind::Clauses], options)
    }

    /// Solvers that have been told nothing, for questions of which some may stay open: hard and large ones do, soon.
    pub fn searching() -> Query {
        Query { effort: Some(SEARCH), ..Query::new() }
    }

    fn of(kinds: [Kind; 2], options: Options) -> Query {
        let solvers = kinds.map(|kind| {
            let solver: Box<dyn Solver> = match kind {
                Kind::Clauses => Box::new(BlastSolver::new(options)),
                Kind::Cvc5 => Box::new(Cvc5Solver::new(options)),
            };
            Informed { solver, kind, axioms: 0 }
        });
        Query { solvers, answered: 0, trivial: None, effort: None, asked: 0 }
    }

    /// Whether the formulas have a common model.
    pub fn check(&mut self, encoder: &Encoder<'_, '_>, formulas: &[Term], budget: &Budget) -> Reply {
        let is_false = |f: &&Term| encoder.pool.constant(**f) == Some(smt::Value::Bool(false));
        self.trivial = formulas.iter().find(is_false).copied();
        if self.trivial.is_some() {
            return Reply::Unsat;
        }
        self.asked += 1;
        let effort = self.effort.unwrap_or(budget.effort());
        let mut reply = Reply::Unknown("time limit".to_owned());
        for (number, part) in [FIRST, 1.0].into_iter().enumerate() {
            if budget.is_spent() {
                return Reply::Unknown("time limit".to_owned());
            }
            if self.solvers[number].kind == Kind::Cvc5 && is_larger(encoder, formulas, effort.terms) {
                if number == 0 {
                    reply = Reply::Unknown("a question of too many terms".to_owned());
                }
                continue;
            }
            self.answered = number;
            reply = self.solvers[number].check(encoder, formulas, &budget.share(part), effort);
            if !matches!(reply, Reply::Unknown(_)) {
                break;
            }
        }
        reply
    }

    /// Values in the model, just after [`Reply::Sat`].
    pub fn values(&mut self, encoder: &Encoder<'_, '_>, terms: &[Term]) -> smt::Result<Vec<Value>> {
        self.solvers[self.answered].solver.values(&encoder.pool, terms)
    }

    /// The inputs of the model's run, just after [`Reply::Sat`].
    pub fn inputs(&mut self, encoder: &Encoder<'_, '_>) -> smt::Result<Vec<InputValue>> {
        encoder.inputs_of_model(&mut *self.solvers[self.answered].solver)
    }

    /// What scalars that nothing was written to are in the model's run, just after [`Reply::Sat`].
    pub fn unwritten(&mut self, encoder: &Encoder<'_, '_>) -> smt::Result<Vec<(InputPlace, InputValue)>> {
        encoder.unwritten_of_model(&mut *self.solvers[self.answered].solver)
    }

    /// Which of the last query's formulas are contradictory, just after [`Reply::Unsat`].
    pub fn core(&mut self) -> Vec<Term> {
        match self.trivial {
            Some(formula) => vec![formula],
            None => self.solvers[self.answered].solver.unsat_core().unwrap_or_default(),
        }
    }
}

/// Whether the formulas and what is known beside them are made of more terms than `most`.
fn is_larger(encoder: &Encoder<'_, '_>, formulas: &[Term], most: usize) -> bool {
    encoder.pool.len() > most && encoder.pool.subterms(&[formulas, &encoder.axioms[..]].concat()).len() > most
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SourceMap;
    use crate::encode::Automaton;
    use crate::encode::automaton::Bounds;
    use crate::frontend::lower::{LowerOptions, lower};
    use crate::frontend::parse::parse_units;
    use crate::frontend::preprocess::PreprocessedUnit;
    use crate::ir::DataModel;
    use crate::memory::Memory;
    use crate::smt::Sort;
    use std::time::Duration;

    /// The loser of a race would sit over its query for a day.
    #[test]
    fn stopping_a_budget_ends_the_query_that_is_asked() {
        let unit = PreprocessedUnit {
            file: "a.c".into(),
            text: b"int main(void) { return 0; }".to_vec(),
            diagnostics: Vec::new(),
        };
        let mut sources = SourceMap::default();
        let parsed = parse_units(&[unit], 1, &mut sources);
        let program = lower(&parsed, DataModel::Lp64, sources, LowerOptions::default());
        let main = program.function_named("main").expect("there is a main");
        let memory = Memory::of(&program);
        let automaton = Automaton::new(&program, &memory, main, Bounds::default()).expect("it is small");
        for query in [Query::new, Query::certifying] {
            let mut encoder = Encoder::new(&automaton, &[]);
            let pool = &mut encoder.pool;
            // Two factors of the prime 2^61 - 1, none of them 1.
            let factors = ["a", "b"].map(|name| pool.variable(name, Sort::BitVec(80)));
            let (one, bound) = (pool.bv(80, 1), pool.bv(80, 1 << 36));
            let product = pool.bv_mul(factors[0], factors[1]);
            let number = pool.bv(80, (1 << 61) - 1);
            let mut formulas = vec![pool.eq(product, number)];
            for factor in factors {
                formulas.extend([pool.bv_ult(one, factor), pool.bv_ult(factor, bound)]);
            }
            let budget = Budget::of(Duration::from_secs(24 * 3600));
            let stopping = budget.clone();
            let thread = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_millis(200));
                stopping.stop();
            });
            assert!(matches!(query().check(&encoder, &formulas, &budget), Reply::Unknown(_)));
            thread.join().expect("it only sleeps");
        }
    }
}
