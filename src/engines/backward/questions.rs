//! Questions to solvers: dozens of small ones about the same paths while a box grows, and those that look for other paths.
//!
//! While a box grows, the solver that keeps its clauses from question to question is asked first, and libcvc5, which is better
//! at a single hard one, where that does not come to an end, or where numbers are multiplied whose clauses would be very many.
//! What proves a box has neither: it is a new solver ([`super::precondition`]).
//!
//! Other paths are asked of the first solver as well, and of libcvc5 where that does not come to an end, but not where such numbers are multiplied:
//! its units do not count what is spent on clauses, so that one question can take minutes. The first solver's do.

use crate::smt::{Answer, BlastSolver, Cvc5Solver, Limits, Logic, Options, Solver, Term, TermPool};

/// What is asked about is bits.
const OPTIONS: Options = Options { logic: Logic::QfBv, seed: 0, cores: true };
/// Clauses that the first solver may learn for one question; units of the second.
const CLAUSES: u64 = 2_000;
const UNITS: u64 = 200_000;
/// Clauses that the first solver may learn for a path on which wide numbers are multiplied.
const PRODUCT_CLAUSES: u64 = 10_000;
/// Bits of factors that the first solver takes.
const NARROW: u32 = 16;

/// The solvers of one pool's terms.
pub struct Questions {
    first: BlastSolver,
    /// There once it is needed.
    second: Option<Cvc5Solver>,
    /// Whether the second one answered last.
    by_second: bool,
}

impl Questions {
    /// Solvers that have been asked nothing.
    pub fn new() -> Questions {
        Questions { first: BlastSolver::new(OPTIONS), second: None, by_second: false }
    }

    /// Whether the formula of a box has a model; None when that could not be found out.
    pub fn has_model(&mut self, pool: &TermPool, formula: Term) -> Option<bool> {
        if !has_wide_product(pool, &[formula])
            && let Some(answer) = self.ask_first(pool, &[formula], CLAUSES)
        {
            return Some(answer);
        }
        self.ask_second(pool, &[formula])
    }

    /// Whether the formulas of a path have a model together; None when that could not be found out.
    pub fn has_path(&mut self, pool: &TermPool, formulas: &[Term]) -> Option<bool> {
        match has_wide_product(pool, formulas) {
            true => self.ask_first(pool, formulas, PRODUCT_CLAUSES),
            false => self.ask_first(pool, formulas, CLAUSES).or_else(|| self.ask_second(pool, formulas)),
        }
    }

    fn ask_first(&mut self, pool: &TermPool, formulas: &[Term], clauses: u64) -> Option<bool> {
        self.by_second = false;
        self.first.set_limits(Limits { time: None, resources: Some(clauses) });
        decided(self.first.check_assuming(pool, formulas))
    }

    fn ask_second(&mut self, pool: &TermPool, formulas: &[Term]) -> Option<bool> {
        self.by_second = true;
        let second = self.second.get_or_insert_with(|| Cvc5Solver::new(OPTIONS));
        second.set_limits(Limits { time: None, resources: Some(UNITS) });
        decided(second.check_assuming(pool, formulas))
    }

    /// The solver that has the model, after a formula that has one.
    pub fn answering(&mut self) -> &mut dyn Solver {
        match &mut self.second {
            Some(second) if self.by_second => second,
            _ => &mut self.first,
        }
    }
}

/// Whether two unknown numbers of many bits are multiplied or divided in the formulas.
fn has_wide_product(pool: &TermPool, formulas: &[Term]) -> bool {
    pool.subterms(formulas).into_iter().any(|term| {
        let args = pool.args(term);
        let is_wide = || args.iter().any(|a| pool.sort(*a).width().is_some_and(|width| width > NARROW));
        let is_unknown = || args.iter().all(|a| pool.constant(*a).is_none());
        pool.op(term).multiplies() && is_unknown() && is_wide()
    })
}

fn decided(answer: crate::smt::Result<Answer>) -> Option<bool> {
    match answer {
        Ok(Answer::Sat) => Some(true),
        Ok(Answer::Unsat) => Some(false),
        _ => None,
    }
}
