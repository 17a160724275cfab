//! Questions to the solver about one encoding.

use super::Budget;
use crate::concrete::InputValue;
use crate::encode::Encoder;
use crate::smt::{self, Cvc5Solver, Limits, Logic, Options, Solver, Term, Value};

/// A solver that knows an encoding's axioms.
pub struct Query {
    solver: Cvc5Solver,
    axioms: usize,
    /// The formula of the last query that is false by itself, so that no solver was asked.
    trivial: Option<Term>,
    /// Queries asked.
    pub asked: u64,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Sat,
    Unsat,
    Unknown(String),
}

impl Default for Query {
    fn default() -> Self {
        Self::new()
    }
}

impl Query {
    /// A solver that has been told nothing.
    pub fn new() -> Query {
        Query { solver: Cvc5Solver::new(Options { logic: Logic::QfBv, seed: 0 }), axioms: 0, trivial: None, asked: 0 }
    }

    /// Whether the formulas have a common model.
    pub fn check(&mut self, encoder: &Encoder<'_, '_>, formulas: &[Term], budget: &Budget) -> Reply {
        let is_false = |f: &&Term| encoder.pool.constant(**f) == Some(smt::ScalarValue::Bool(false));
        self.trivial = formulas.iter().find(is_false).copied();
        if self.trivial.is_some() {
            return Reply::Unsat;
        }
        if budget.is_spent() {
            return Reply::Unknown("time limit".to_owned());
        }
        while self.axioms < encoder.axioms.len() {
            if let Err(error) = self.solver.assert(&encoder.pool, encoder.axioms[self.axioms]) {
                return Reply::Unknown(error.to_string());
            }
            self.axioms += 1;
        }
        self.asked += 1;
        self.solver.set_limits(Limits { time: Some(budget.left()), resources: None });
        match self.solver.check_assuming(&encoder.pool, formulas) {
            Ok(smt::Answer::Sat) => Reply::Sat,
            Ok(smt::Answer::Unsat) => Reply::Unsat,
            Ok(smt::Answer::Unknown(why)) => Reply::Unknown(why.to_string()),
            Err(error) => Reply::Unknown(error.to_string()),
        }
    }

    /// Values in the model, just after [`Reply::Sat`].
    pub fn values(&mut self, encoder: &Encoder<'_, '_>, terms: &[Term]) -> smt::Result<Vec<Value>> {
        self.solver.values(&encoder.pool, terms)
    }

    /// The inputs of the model's run, just after [`Reply::Sat`].
    pub fn inputs(&mut self, encoder: &Encoder<'_, '_>) -> smt::Result<Vec<InputValue>> {
        encoder.inputs_of_model(&mut self.solver)
    }

    /// Which of the last query's formulas are contradictory, just after [`Reply::Unsat`].
    pub fn core(&mut self) -> Vec<Term> {
        match self.trivial {
            Some(formula) => vec![formula],
            None => self.solver.unsat_core().unwrap_or_default(),
        }
    }
}
