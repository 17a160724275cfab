//! A running libcvc5: its start, its limits, and its assertions.

use std::time::Duration;

use super::super::error::{Result, SmtError};
use super::super::op::Term;
use super::super::pool::TermPool;
use super::super::solver::{Logic, Options};
use super::translate::Translation;

/// The libcvc5 that the crate's bindings were made from; another one's numbering of operators may differ.
const VERSION: &str = "1.4.0";

/// The running solver and what it was told.
pub(super) struct Session {
    pub solver: cvc5::Solver,
    pub translation: Translation,
    /// Options of limits that are set in the solver: milliseconds and resource units, 0 for none.
    set: (u64, u64),
}

/// What libcvc5 reports, as this room's error.
pub(super) fn backend(error: cvc5::Error) -> SmtError {
    SmtError::Backend { solver: "cvc5".to_owned(), message: error.message().trim().to_owned() }
}

impl Session {
    /// A solver that knows nothing yet; an error when libcvc5 is another version or refuses an option.
    ///
    /// By itself libcvc5 enumerates the combinations of disjuncts outside of its bit-level solver, which makes joins of
    /// control flow exponential: 11 joins of a counter took 4 s, where 100 take 2 s when the disjunctions are bit-blasted
    /// too. It can do so where the logic is that of bit-vectors alone.
    ///
    /// Its preparation keeps to no limit of time, and on memory's chains of choices takes longer than the search: choices that
    /// are named before anything else is rewritten, and nothing learnt in advance, make it 3 times shorter.
    pub(super) fn start(options: Options) -> Result<Self> {
        let translation = Translation::default();
        let mut solver = cvc5::Solver::new(translation.manager());
        let version = solver.version();
        if !version.starts_with(VERSION) {
            let message = format!("libcvc5 is version {version}, and {VERSION} is needed");
            return Err(SmtError::Backend { solver: "cvc5".to_owned(), message });
        }
        let seed = options.seed.to_string();
        for (option, value) in [
            ("incremental", "true"),
            ("produce-models", "true"),
            ("produce-unsat-assumptions", if options.cores { "true" } else { "false" }),
            ("bitblast", if options.logic == Logic::QfBv { "eager" } else { "lazy" }),
            ("early-ite-removal", if options.logic == Logic::QfBv { "true" } else { "false" }),
            ("static-learning", if options.logic == Logic::QfBv { "false" } else { "true" }),
            ("seed", &seed),
            ("sat-random-seed", &seed),
        ] {
            solver.set_option(option, value).map_err(backend)?;
        }
        solver.set_logic(&options.logic.to_string()).map_err(backend)?;
        Ok(Session { solver, translation, set: (0, 0) })
    }

    /// Asserts formulas.
    pub(super) fn assert(&mut self, pool: &TermPool, formulas: &[Term]) -> Result<()> {
        formulas.iter().try_for_each(|&formula| {
            let formula = self.translation.term(pool, formula)?;
            self.solver.assert_formula(formula).map_err(backend)
        })
    }

    /// Tells the solver the limits of its next call, where they changed.
    pub(super) fn set_limits(&mut self, time: Option<Duration>, resources: Option<u64>) -> Result<()> {
        // 0 means no limit to the solver; a limit below its resolution is 1.
        let milliseconds = time.map_or(0, |t| u64::try_from(t.as_millis()).unwrap_or(u64::MAX).max(1));
        let units = resources.map_or(0, |r| r.max(1));
        if self.set.0 != milliseconds {
            self.solver.set_option("tlimit-per", &milliseconds.to_string()).map_err(backend)?;
        }
        if self.set.1 != units {
            // The one spelling of `rlimit-per` that may change between queries.
            self.solver.set_option("reproducible-resource-limit", &units.to_string()).map_err(backend)?;
        }
        self.set = (milliseconds, units);
        Ok(())
    }
}
