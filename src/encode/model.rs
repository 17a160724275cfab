//! The inputs of the run that a model stands for.

use super::encoder::{Encoder, InputTerm, InputUse};
use crate::concrete::{Arguments, InputPlace, InputValue};
use crate::ir::Real;
use crate::smt::{Result, Solver, Term, Value};

/// Arguments of a program that are made up from a model.
const MOST_ARGUMENTS: i128 = 64;

/// The terms whose values say which inputs a run consumes and what they are.
pub fn asked(inputs: &[InputUse]) -> Vec<Term> {
    let mut terms = Vec::new();
    for input in inputs {
        terms.push(input.condition);
        match &input.term {
            InputTerm::Int(t, _) | InputTerm::Float(t, _) | InputTerm::Fails(t) | InputTerm::Arguments(t) => {
                terms.push(*t);
            }
            InputTerm::Bytes { bytes, len } => {
                terms.push(*len);
                terms.extend(bytes);
            }
        }
    }
    terms
}

impl Encoder<'_, '_> {
    /// The inputs, in the order of their consumption, of the solver's model. Just after a satisfiable answer.
    ///
    /// # Errors
    /// The solver's.
    pub fn inputs_of_model(&self, solver: &mut dyn Solver) -> Result<Vec<InputValue>> {
        let terms = asked(&self.inputs);
        let values = solver.values(&self.pool, &terms)?;
        Ok(read(&self.inputs, &values))
    }

    /// What scalars that nothing was written to are in the solver's model, in the order of their first reads along the
    /// way. Just after a satisfiable answer.
    ///
    /// # Errors
    /// The solver's.
    pub fn unwritten_of_model(&self, solver: &mut dyn Solver) -> Result<Vec<(InputPlace, InputValue)>> {
        let values = solver.values(&self.pool, &asked(&self.unwritten))?;
        Ok(read_at_places(&self.unwritten, &values))
    }
}

/// The inputs whose conditions hold, from the values of [`asked`].
pub fn read(inputs: &[InputUse], values: &[Value]) -> Vec<InputValue> {
    read_at_places(inputs, values).into_iter().map(|(_, value)| value).collect()
}

/// The same, with where they enter.
pub fn read_at_places(inputs: &[InputUse], values: &[Value]) -> Vec<(InputPlace, InputValue)> {
    let mut values = values.iter();
    let mut found = Vec::new();
    let mut next = || values.next().expect("there is a value for every term that was asked");
    for input in inputs {
        let consumed = next().as_bool() == Some(true);
        let value = match &input.term {
            InputTerm::Int(_, signed) => {
                let bits = next().as_bits();
                InputValue::Int(bits.map_or(0, |b| if *signed { b.signed() } else { b.unsigned() as i128 }))
            }
            // A `long double` that is no `double` is one beside it.
            InputTerm::Float(_, kind) => {
                let bits = next().as_bits().map_or(0, |b| b.unsigned());
                InputValue::Float(Real::of_bits(*kind, bits).to_f64())
            }
            InputTerm::Fails(_) => InputValue::Fails(next().as_bool() == Some(true)),
            InputTerm::Arguments(_) => {
                let count = next().as_bits().map_or(1, |b| b.signed()).clamp(0, MOST_ARGUMENTS);
                InputValue::Arguments(Arguments { argv: vec![Vec::new(); count as usize], envp: Vec::new() })
            }
            InputTerm::Bytes { bytes, .. } => {
                let len = next().as_bits().map_or(0, |b| b.unsigned());
                let byte = |v: &Value| v.as_bits().map_or(0, |b| b.unsigned() as u8);
                let mut all: Vec<u8> = bytes.iter().map(|_| byte(next())).collect();
                all.truncate(usize::try_from(len).unwrap_or(usize::MAX));
                InputValue::Bytes(all)
            }
        };
        if consumed {
            found.push((input.place, value));
        }
    }
    found
}
