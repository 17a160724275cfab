//! Questions to solvers about one encoding.
//!
//! Two solvers share the work: the one that keeps its clauses from query to query is asked first, and libcvc5 where it does
//! not come to an end. A certificate asks them the other way round, so that a proof is confirmed by a solver that had no
//! part in finding it.

use super::Budget;
use crate::concrete::{InputPlace, InputValue};
use crate::encode::Encoder;
use crate::smt::{self, BlastSolver, Cvc5Solver, Limits, Logic, Options, Solver, Term, Value};

/// Solvers that know an encoding's axioms.
pub struct Query {
    /// In the order in which they are asked.
    solvers: [Informed; 2],
    /// The one that answered last.
    answered: usize,
    /// The formula of the last query that is false by itself, so that no solver was asked.
    trivial: Option<Term>,
    /// How hard the solvers try, beside the time they have.
    effort: Option<Effort>,
    /// Queries asked.
    pub asked: u64,
}

/// How hard a question may be for it to be worth while where an answer only helps to find something.
#[derive(Clone, Copy, Debug)]
struct Effort {
    /// Clauses that the first solver may learn.
    clauses: u64,
    /// Terms of a question that libcvc5 is asked too: it begins from the start each time, and while it prepares a large question
    /// it keeps to no limit.
    terms: usize,
}

/// That of a search.
const SEARCH: Effort = Effort { clauses: 3_000, terms: 100 };

/// A solver, and how many of the encoding's axioms it was told.
struct Informed {
    solver: Box<dyn Solver>,
    axioms: usize,
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
    fn check(&mut self, encoder: &Encoder<'_, '_>, formulas: &[Term], budget: &Budget, clauses: Option<u64>) -> Reply {
        self.solver.set_limits(Limits { time: Some(budget.left()), resources: clauses });
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
        Query::of(Box::new(BlastSolver::new(OPTIONS)), Box::new(Cvc5Solver::new(OPTIONS)))
    }

    /// Solvers that have been told nothing, for confirming what others found. They give no cores.
    pub fn certifying() -> Query {
        let options = Options { cores: false, ..OPTIONS };
        Query::of(Box::new(Cvc5Solver::new(options)), Box::new(BlastSolver::new(options)))
    }

    /// Solvers that have been told nothing, for questions of which some may stay open: hard and large ones do, soon.
    pub fn searching() -> Query {
        Query { effort: Some(SEARCH), ..Query::new() }
    }

    fn of(first: Box<dyn Solver>, second: Box<dyn Solver>) -> Query {
        let solvers = [first, second].map(|solver| Informed { solver, axioms: 0 });
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
        let mut reply = Reply::Unknown("time limit".to_owned());
        for (number, part) in [FIRST, 1.0].into_iter().enumerate() {
            if budget.is_spent() {
                return Reply::Unknown("time limit".to_owned());
            }
            let by_first = number == 0;
            if !by_first && self.effort.is_some_and(|effort| size(encoder, formulas) > effort.terms) {
                break;
            }
            self.answered = number;
            let clauses = self.effort.filter(|_| by_first).map(|effort| effort.clauses);
            reply = self.solvers[number].check(encoder, formulas, &budget.share(part), clauses);
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

/// Terms that the formulas and what is known beside them are made of.
fn size(encoder: &Encoder<'_, '_>, formulas: &[Term]) -> usize {
    encoder.pool.subterms(&[formulas, &encoder.axioms[..]].concat()).len()
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
