//! Running a program from an entry function.

use super::execute::Observer;
use super::frozen::Frozen;
use super::input::{InputRecord, InputSource};
use super::machine::{Argument, Machine, Step};
use super::outcome::{Limits, Outcome, Run};
use super::prepare::Prepared;
use super::value::Value;
use crate::ir::{FuncId, Program, program::ENTRY};

/// Runs `program` from `entry`. A number that the entry function takes is an input, a pointer leads to an object of its own ([`super::given`]); a
/// parameter of another type leaves the run undecided (`main` gets its arguments by a statement).
pub fn run(program: &Program, entry: FuncId, inputs: &mut dyn InputSource, limits: &Limits) -> Run {
    Prepared::new(program).run(entry, inputs, limits, &mut ())
}

impl Prepared<'_> {
    /// Runs the program from `entry`, watched by `observer`.
    pub fn run<O: Observer>(
        &self,
        entry: FuncId,
        inputs: &mut dyn InputSource,
        limits: &Limits,
        observer: &mut O,
    ) -> Run {
        let mut machine = Machine::new(self, inputs, limits);
        let end = machine.start(entry, observer);
        machine.finish(entry, end)
    }

    /// Goes on from a place of an earlier run, which consumed these inputs, within limits of which only those of statements and of ends may be
    /// others than that run had. Comes to what a run from the start comes to if `inputs` would have answered that run alike so far, and goes on
    /// with what is asked next.
    pub fn resume<O: Observer>(
        &self,
        (entry, frozen, log): (FuncId, &Frozen, &[InputRecord]),
        inputs: &mut dyn InputSource,
        limits: &Limits,
        observer: &mut O,
    ) -> Run {
        let mut machine = Machine::thaw((frozen, log), self, inputs, limits);
        let end = machine.go_on(observer);
        machine.finish(entry, end)
    }
}

impl Machine<'_> {
    fn finish(self, entry: FuncId, end: Step<Option<Value>>) -> Run {
        let outcome = match end {
            Ok(value) => Outcome::Returned(value),
            Err(outcome) => *outcome,
        };
        let lost = self.lost(entry, &outcome);
        Run {
            lost,
            leaves_blocks: self.memory.has_blocks(),
            outcome,
            flags: self.flags,
            statements: self.statements(),
            inputs: self.log,
            approximate: self.approximate,
            files: self.streams.into_files(),
            trace: self.trace,
            output: self.output,
            continued: self.continued,
            passed: self.passed,
        }
    }

    fn start<O: Observer>(&mut self, entry: FuncId, observer: &mut O) -> Step<Option<Value>> {
        let function = &self.program.functions[entry];
        self.span = function.span;
        let mut arguments = Vec::new();
        if function.name == "main" {
            // The statement that binds them comes first in its body.
            for param in &function.params {
                arguments.push(Argument::Scalar(Value::Undef, self.program.variables[*param].ty));
            }
        } else {
            arguments = self.given_arguments(entry)?;
        }
        observer.at_call(entry);
        self.enter(entry, arguments, None, false)?;
        observer.enter_block(entry, ENTRY, self);
        self.go_on(observer)
    }

    fn go_on<O: Observer>(&mut self, observer: &mut O) -> Step<Option<Value>> {
        self.run_frames(1, observer)?;
        Ok(self.host_result.take())
    }
}
