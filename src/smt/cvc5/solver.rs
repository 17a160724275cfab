//! The solver: what is asserted, how a query is run in slices, and what can be asked afterwards.

use std::time::{Duration, Instant};

use ::cvc5::UnknownExplanation;

use super::super::error::{Result, SmtError};
use super::super::op::Term;
use super::super::pool::TermPool;
use super::super::solver::{Aftermath, Answer, Interrupt, Limits, Options, Solver, Unknown};
use super::super::value::Value;
use super::session::{Session, backend};
use super::translate;

/// The first slice of a query. Later ones double: a slice that is too short to preprocess in makes no progress.
const FIRST_TIME_SLICE: Duration = Duration::from_millis(250);
/// The same, in the units of [`Limits::resources`].
const FIRST_RESOURCE_SLICE: u64 = 50_000;

/// How libcvc5 begins to say that a query is beyond its procedures, rather than wrong.
const UNSUPPORTED: &str = "does not yet support";

/// A cvc5 solver, started at its first use.
///
/// When libcvc5 gives up on a query by an error, its state is not relied on: it is started again at the next use and told
/// the assertions once more.
#[derive(Default)]
pub struct Cvc5Solver {
    options: Options,
    limits: Limits,
    interrupt: Interrupt,
    asserted: Vec<Term>,
    aftermath: Aftermath,
    session: Option<Session>,
}

impl Cvc5Solver {
    /// A solver with these options.
    pub fn new(options: Options) -> Self {
        Cvc5Solver { options, ..Self::default() }
    }

    /// The running solver, which knows all assertions.
    fn session(&mut self, pool: &TermPool) -> Result<&mut Session> {
        let session = match self.session.take() {
            Some(session) => session,
            None => {
                let mut session = Session::start(self.options)?;
                session.assert(pool, &self.asserted)?;
                session
            }
        };
        Ok(self.session.insert(session))
    }

    /// Runs the query in slices until it is decided, a limit is reached or the interrupt is raised.
    fn run(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let started = Instant::now();
        // A switch that nobody else holds cannot be raised: then the query runs in one piece.
        let sliced = self.interrupt.is_shared();
        let (limits, interrupt) = (self.limits, self.interrupt.clone());
        let session = self.session(pool)?;
        let assumptions: Result<Vec<_>> = assumptions.iter().map(|&t| session.translation.term(pool, t)).collect();
        let assumptions = assumptions?;
        let (mut time_slice, mut resource_slice) = (FIRST_TIME_SLICE, FIRST_RESOURCE_SLICE);
        let mut resources_left = limits.resources;
        loop {
            if interrupt.is_raised() {
                return Ok(Answer::Unknown(Unknown::Interrupted));
            }
            let time_left = limits.time.map(|limit| limit.saturating_sub(started.elapsed()));
            if time_left == Some(Duration::ZERO) {
                return Ok(Answer::Unknown(Unknown::Time));
            }
            // Slices are of time, unless units are limited: then slices of time would make answers depend on it.
            let resources = resources_left.map(|left| if sliced { left.min(resource_slice) } else { left });
            let time = match resources {
                Some(_) => time_left,
                None if !sliced => time_left,
                None => Some(time_left.map_or(time_slice, |left| left.min(time_slice))),
            };
            session.set_limits(time, resources)?;
            let result = match session.solver.check_sat_assuming(&assumptions) {
                Ok(result) => result,
                Err(error) => {
                    self.session = None;
                    return if error.message().contains(UNSUPPORTED) {
                        Ok(Answer::Unknown(Unknown::Incomplete(error.message().trim().to_owned())))
                    } else {
                        Err(backend(error))
                    };
                }
            };
            if result.is_sat() {
                return Ok(Answer::Sat);
            } else if result.is_unsat() {
                return Ok(Answer::Unsat);
            }
            match result.unknown_explanation() {
                UnknownExplanation::Timeout if resources.is_none() => time_slice *= 2,
                UnknownExplanation::Timeout => return Ok(Answer::Unknown(Unknown::Time)),
                UnknownExplanation::Resourceout => {
                    resources_left = resources_left.zip(resources).map(|(left, spent)| left - spent);
                    resource_slice *= 2;
                    if resources_left == Some(0) {
                        return Ok(Answer::Unknown(Unknown::Resources));
                    }
                }
                UnknownExplanation::Memout => return Ok(Answer::Unknown(Unknown::Memory)),
                UnknownExplanation::Interrupted => return Ok(Answer::Unknown(Unknown::Interrupted)),
                other => {
                    let words = cvc5::unknown_explanation_to_string(other);
                    return Ok(Answer::Unknown(Unknown::Incomplete(words)));
                }
            }
        }
    }
}

impl Solver for Cvc5Solver {
    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<()> {
        self.aftermath = Aftermath::Nothing;
        self.session(pool)?.assert(pool, &[formula])?;
        self.asserted.push(formula);
        Ok(())
    }

    fn check_assuming(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        self.aftermath = Aftermath::Nothing;
        let answer = self.run(pool, assumptions)?;
        self.aftermath = Aftermath::of(&answer, assumptions);
        Ok(answer)
    }

    fn values(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>> {
        self.aftermath.model()?;
        let session = self.session(pool)?;
        let value = |&term: &Term| {
            let translated = session.translation.term(pool, term)?;
            translate::value(&session.solver.get_value(translated).map_err(backend)?, pool.sort(term))
        };
        terms.iter().map(value).collect()
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        let mut assumptions = self.aftermath.core()?;
        let session = self.session.as_mut().filter(|_| self.options.cores).ok_or(SmtError::NoCore)?;
        let core = session.solver.get_unsat_assumptions().map_err(backend)?;
        assumptions.retain(|&t| session.translation.known(t).is_some_and(|known| core.contains(known)));
        Ok(assumptions)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn set_interrupt(&mut self, switch: Interrupt) {
        self.interrupt = switch;
    }
}
