//! A wrapper that writes what a solver is told as an SMT-LIB 2 script, which any solver can read again.

use std::io::Write;

use super::error::{Result, SmtError};
use super::op::Term;
use super::pool::TermPool;
use super::smtlib::Script;
use super::solver::{Answer, Interrupt, Limits, Options, Solver, Statistics};
use super::value::Value;

/// A solver, and the script of all it was told. Answers are in the script as comments; questions about models and cores
/// are left out.
pub struct Dump<S, W: Write> {
    solver: S,
    script: Script,
    out: W,
    /// The script's first lines, until they are written.
    header: Option<String>,
}

impl<S: Solver, W: Write> Dump<S, W> {
    /// Wraps `solver`, which was started with `options`.
    pub fn new(solver: S, options: Options, out: W) -> Self {
        Dump { solver, script: Script::default(), out, header: Some(Script::header(options)) }
    }

    /// Ends the script.
    pub fn finish(mut self) -> Result<W> {
        self.write("(exit)\n")?;
        self.out.flush().map_err(io)?;
        Ok(self.out)
    }

    fn write(&mut self, text: &str) -> Result<()> {
        if let Some(header) = self.header.take() {
            self.out.write_all(header.as_bytes()).map_err(io)?;
        }
        self.out.write_all(text.as_bytes()).map_err(io)
    }
}

fn io(source: std::io::Error) -> SmtError {
    SmtError::Io { context: "cannot write the SMT-LIB script".to_owned(), source }
}

impl<S: Solver, W: Write> Solver for Dump<S, W> {
    fn name(&self) -> &str {
        self.solver.name()
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<()> {
        let written = self.script.assertion(pool, formula)?;
        self.write(&written.global)?;
        self.write(&written.local)?;
        self.solver.assert(pool, formula)
    }

    fn push(&mut self) -> Result<()> {
        self.script.push();
        self.write("(push 1)\n")?;
        self.solver.push()
    }

    fn pop(&mut self) -> Result<()> {
        self.script.pop()?;
        self.write("(pop 1)\n")?;
        self.solver.pop()
    }

    fn level(&self) -> usize {
        self.solver.level()
    }

    fn check_assuming(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        let mut literals = Vec::new();
        for &assumption in assumptions {
            let (written, literal) = self.script.assumption(pool, assumption)?;
            self.write(&written.global)?;
            self.write(&written.local)?;
            literals.push(literal);
        }
        self.write(&format!("(check-sat-assuming ({}))\n", literals.join(" ")))?;
        let answer = self.solver.check_assuming(pool, assumptions)?;
        match &answer {
            Answer::Sat => self.write("; sat\n")?,
            Answer::Unsat => self.write("; unsat\n")?,
            Answer::Unknown(reason) => {
                self.write(&format!("; unknown: {}\n", reason.to_string().replace('\n', " ")))?
            }
        }
        Ok(answer)
    }

    fn values(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>> {
        self.solver.values(pool, terms)
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        self.solver.unsat_core()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.solver.set_limits(limits);
    }

    fn interrupt(&self) -> Interrupt {
        self.solver.interrupt()
    }

    fn set_interrupt(&mut self, switch: Interrupt) {
        self.solver.set_interrupt(switch);
    }

    fn statistics(&self) -> Statistics {
        self.solver.statistics()
    }
}
