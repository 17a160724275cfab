//! Running a program from an entry function.

use super::execute::Observer;
use super::input::InputSource;
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
        let outcome = match machine.start(entry, observer) {
            Ok(value) => Outcome::Returned(value),
            Err(outcome) => *outcome,
        };
        let lost = machine.lost(entry, &outcome);
        Run {
            lost,
            leaves_blocks: machine.memory.has_blocks(),
            outcome,
            flags: machine.flags,
            inputs: machine.log,
            approximate: machine.approximate,
            files: machine.streams.into_files(),
            trace: machine.trace,
            output: machine.output,
            statements: limits.statements - machine.fuel,
            continued: machine.continued,
            passed: machine.passed,
        }
    }
}

impl Machine<'_> {
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
        self.run_frames(1, observer)?;
        Ok(self.host_result.take())
    }
}
