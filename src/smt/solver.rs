//! What every solver offers: the [`Solver`] trait, its answers, its limits, and how to interrupt it.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::error::{Result, SmtError};
use super::op::Term;
use super::pool::TermPool;
use super::value::{Assignment, Value};

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; ask for values before the next assertion.
    Sat,
    /// There is none; ask for the core before the next assertion.
    Unsat,
    /// Not decided.
    Unknown(Unknown),
}

/// Why a query was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// [`Limits::time`] was spent.
    Time,
    /// [`Limits::resources`] were spent.
    Resources,
    /// The solver ran out of memory.
    Memory,
    /// [`Interrupt::raise`] was called.
    Interrupted,
    /// The solver's procedures do not decide the query; its own words.
    Incomplete(String),
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unknown::Time => f.write_str("time limit"),
            Unknown::Resources => f.write_str("resource limit"),
            Unknown::Memory => f.write_str("memory"),
            Unknown::Interrupted => f.write_str("interrupted"),
            Unknown::Incomplete(reason) => write!(f, "incomplete: {reason}"),
        }
    }
}

/// How much one query may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time per query.
    pub time: Option<Duration>,
    /// The solver's own deterministic units per query: the same query gets the same answer on any machine, as long as
    /// `time` does not end it first.
    pub resources: Option<u64>,
}

/// How to start a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The logic that all terms keep to. A narrow one is answered faster; a term outside of it is an error.
    pub logic: Logic,
    /// Seed of the solver's choices.
    pub seed: u32,
    /// Whether the solver is asked which assumptions are contradictory ([`Solver::unsat_core`]); libcvc5 has less to do without.
    pub cores: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { logic: Logic::All, seed: 0, cores: true }
    }
}

/// How libcvc5 is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Logic {
    /// Every theory: libcvc5 has more ways to go about bit-vectors, and may use any.
    All,
    /// Bit-vectors. With cvc5 the only logic in which joins of control flow do not cost exponential time: prefer it.
    QfBv,
}

impl fmt::Display for Logic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Logic::All => "ALL",
            Logic::QfBv => "QF_BV",
        })
    }
}

/// Ends the queries of one solver, from any thread. Clones are handles to the same switch.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Ends the running query and every later one with [`Unknown::Interrupted`].
    ///
    /// A running query ends soon, not at once: by the time that it has run already, or a quarter of a second.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether there are other handles.
    pub(super) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Whether it was raised.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// An incremental solver. All terms handed to one solver are of one pool.
///
/// Nothing is started before the first query or assertion, so a solver that is not used costs nothing.
pub trait Solver {
    /// Adds a formula to what is asserted.
    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<()>;

    /// Whether the assertions and `assumptions` have a model.
    fn check_assuming(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer>;

    /// The values of `terms` in the model of the last answer, which must have been [`Answer::Sat`]; else
    /// [`SmtError::NoModel`]. Variables that the query did not mention have some value, the same each time.
    fn values(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>>;

    /// Assumptions of the last query that suffice for its answer [`Answer::Unsat`], in the order they were given;
    /// else, and without [`Options::cores`], [`SmtError::NoCore`]. Not necessarily a least set.
    fn unsat_core(&mut self) -> Result<Vec<Term>>;

    /// Sets the limits of every later query.
    fn set_limits(&mut self, limits: Limits);

    /// Lets `switch` end this solver's queries from now on; without one nothing does but limits.
    fn set_interrupt(&mut self, switch: Interrupt);

    /// Whether the assertions have a model.
    fn check(&mut self, pool: &TermPool) -> Result<Answer> {
        self.check_assuming(pool, &[])
    }

    /// The value of one term; see [`values`](Self::values).
    fn value(&mut self, pool: &TermPool, term: Term) -> Result<Value> {
        Ok(self.values(pool, &[term])?.remove(0))
    }

    /// The values of all variables of `terms`; see [`values`](Self::values).
    fn model(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Assignment> {
        let variables = pool.variables(terms);
        let values = self.values(pool, &variables)?;
        Ok(variables.into_iter().zip(values).collect())
    }
}

/// What the last query left to ask for; the same bookkeeping for every back end.
#[derive(Debug, Default)]
pub(super) enum Aftermath {
    #[default]
    Nothing,
    Model,
    Core {
        assumptions: Vec<Term>,
    },
}

impl Aftermath {
    pub(super) fn of(answer: &Answer, assumptions: &[Term]) -> Self {
        match answer {
            Answer::Sat => Aftermath::Model,
            Answer::Unsat => Aftermath::Core { assumptions: assumptions.to_vec() },
            Answer::Unknown(_) => Aftermath::Nothing,
        }
    }

    pub(super) fn model(&self) -> Result<()> {
        match self {
            Aftermath::Model => Ok(()),
            _ => Err(SmtError::NoModel),
        }
    }

    /// The assumptions of the last query, without repetitions.
    pub(super) fn core(&self) -> Result<Vec<Term>> {
        let Aftermath::Core { assumptions } = self else { return Err(SmtError::NoCore) };
        let mut seen = BTreeSet::new();
        Ok(assumptions.iter().copied().filter(|&t| seen.insert(t)).collect())
    }
}
