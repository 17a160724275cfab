//! The solver: what is asserted, what is assumed, and what can be asked afterwards.

use std::cell::Cell;
use std::time::Instant;

use batsat::{Callbacks, Lit, SolverInterface, SolverOpts, lbool};

use super::super::bits::BitVec;
use super::super::error::{Result, SmtError};
use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::solver::{Aftermath, Answer, Interrupt, Limits, Options, Solver, Unknown};
use super::super::sort::Sort;
use super::super::value::Value;
use super::gates::Gates;
use super::translate::{Translation, translate};

pub(super) const NAME: &str = "bit-blasting";

/// A solver of bit-vector formulas. Its units of [`Limits::resources`] are learnt clauses.
pub struct BlastSolver {
    gates: Gates<Stop>,
    translation: Translation,
    limits: Limits,
    interrupt: Interrupt,
    aftermath: Aftermath,
    /// Literals of the last query's contradictory assumptions.
    core: Vec<Lit>,
}

/// When the SAT solver is to give up.
#[derive(Default)]
struct Stop {
    deadline: Option<Instant>,
    interrupt: Interrupt,
    /// Clauses that may still be learnt.
    clauses: Option<u64>,
    /// Clocks are slow: one look in so many calls.
    calls: Cell<u32>,
    stopped: Cell<Option<Cause>>,
}

#[derive(Clone, Copy)]
enum Cause {
    Time,
    Resources,
    Interrupt,
}

/// Calls between looks at the clock.
const PATIENCE: u32 = 32;

impl Callbacks for Stop {
    fn on_new_clause(&mut self, _: &[Lit], kind: batsat::ClauseKind) {
        if matches!(kind, batsat::ClauseKind::Learnt) {
            self.clauses = self.clauses.map(|left| left.saturating_sub(1));
        }
    }

    fn stop(&self) -> bool {
        if self.stopped.get().is_some() {
            return true;
        }
        let calls = self.calls.get();
        self.calls.set(calls.wrapping_add(1));
        let cause = if self.clauses == Some(0) {
            Some(Cause::Resources)
        } else if !calls.is_multiple_of(PATIENCE) {
            None
        } else if self.interrupt.is_raised() {
            Some(Cause::Interrupt)
        } else {
            self.deadline.filter(|d| Instant::now() >= *d).map(|_| Cause::Time)
        };
        self.stopped.set(cause);
        cause.is_some()
    }
}

impl BlastSolver {
    /// A solver with these options; its logic is that of bit-vectors whatever they say.
    pub fn new(options: Options) -> Self {
        let random_seed = SolverOpts::default().random_seed + f64::from(options.seed);
        Self::with_gates(Gates::new(SolverOpts { random_seed, ..SolverOpts::default() }, Stop::default()))
    }

    fn with_gates(gates: Gates<Stop>) -> Self {
        BlastSolver {
            gates,
            translation: Translation::default(),
            limits: Limits::default(),
            interrupt: Interrupt::default(),
            aftermath: Aftermath::default(),
            core: Vec::new(),
        }
    }

    /// Starts the clock of a query.
    fn arm(&mut self, started: Instant) {
        let (limits, interrupt) = (self.limits, self.interrupt.clone());
        *self.gates.sat.cb_mut() = Stop {
            deadline: limits.time.map(|limit| started + limit),
            interrupt,
            clauses: limits.resources,
            ..Stop::default()
        };
    }

    /// Why the solver has given up.
    fn cause(&self) -> Unknown {
        match self.gates.sat.cb().stopped.get() {
            Some(Cause::Time) => Unknown::Time,
            Some(Cause::Resources) => Unknown::Resources,
            Some(Cause::Interrupt) => Unknown::Interrupted,
            None => Unknown::Incomplete("the SAT solver gave up".to_owned()),
        }
    }

    fn literal(&mut self, pool: &TermPool, formula: Term) -> Result<Lit> {
        match translate(&mut self.translation, &mut self.gates, pool, formula)?[..] {
            [literal] if pool.sort(formula) == Sort::Bool => Ok(literal),
            _ => Err(SmtError::IllSorted { op: pool.op(formula), sorts: vec![pool.sort(formula)] }),
        }
    }

    fn run(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        if self.interrupt.is_raised() {
            return Ok(Answer::Unknown(Unknown::Interrupted));
        }
        self.arm(Instant::now());
        let mut literals = Vec::new();
        for &assumption in assumptions {
            match self.literal(pool, assumption) {
                Ok(literal) => literals.push(literal),
                Err(SmtError::Stopped) => return Ok(Answer::Unknown(self.cause())),
                Err(error) => return Err(error),
            }
        }
        // Neighbouring contradictions are not expected by the SAT solver's analysis of assumptions.
        if let Some(&never) = literals.iter().find(|l| self.gates.as_constant(**l) == Some(false)) {
            self.core = vec![never];
            return Ok(Answer::Unsat);
        }
        let answer = self.gates.sat.solve_limited(&literals);
        if answer == lbool::TRUE {
            return Ok(Answer::Sat);
        } else if answer == lbool::FALSE {
            // The SAT solver reports the contradictory ones negated.
            self.core = self.gates.sat.unsat_core().iter().flat_map(|l| [*l, !*l]).collect();
            return Ok(Answer::Unsat);
        }
        Ok(Answer::Unknown(self.cause()))
    }

    /// The value of a translated term in the model.
    fn read(&self, pool: &TermPool, term: Term) -> Option<Value> {
        let bits = self.translation.known(term)?;
        let holds = |l: &Lit| self.gates.sat.value_lit(*l) == lbool::TRUE;
        Some(match pool.sort(term) {
            Sort::Bool => Value::Bool(holds(&bits[0])),
            _ => {
                let set = bits.iter().enumerate().filter(|(_, l)| holds(l));
                Value::BitVec(BitVec::new(bits.len() as u32, set.fold(0, |all, (i, _)| all | 1 << i)))
            }
        })
    }
}

impl Solver for BlastSolver {
    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<()> {
        self.aftermath = Aftermath::Nothing;
        // Limits are those of queries.
        *self.gates.sat.cb_mut() = Stop::default();
        let literal = self.literal(pool, formula)?;
        self.gates.clause(&[literal]);
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
        let variable = |t: Term| matches!(pool.op(t), Op::Variable(_)).then(|| Value::zero(pool.sort(t)));
        pool.evaluate_from(terms, &|t| self.read(pool, t).or_else(|| variable(t)))
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        let mut assumptions = self.aftermath.core()?;
        assumptions.retain(|&t| self.translation.known(t).is_some_and(|bits| self.core.contains(&bits[0])));
        Ok(assumptions)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn set_interrupt(&mut self, switch: Interrupt) {
        self.interrupt = switch;
    }
}
