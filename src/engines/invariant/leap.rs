//! Leaping counterexamples: models of a program whose loops are summarized by their invariants, which fail.
//!
//! See: Kroening, Sharygina, Tonetta, Tsitovich, Wintersteiger, "Loop Summarization using State and Transition Invariants",
//! Sect. 4.7.

use crate::encode::value::Shape;
use crate::encode::{Cell, Encoder, NodeId, State, Value};
use crate::engines::task::Query;
use crate::ir::{Program, SiteId, Storage, VarId};
use crate::smt::Term;
use std::fmt::Write;

/// A place where loops are leapt over: any number of turns at once, to a state of which the invariants hold.
#[derive(Debug)]
pub struct Landing {
    pub head: NodeId,
    /// After the leap.
    pub state: State,
    /// The scalars that the loop writes.
    pub written: Vec<Cell>,
}

/// An execution of the summarized program that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leap {
    pub site: SiteId,
    /// The loops leapt over, and what their variables are after that.
    pub over: Vec<(NodeId, Vec<(VarId, i128)>)>,
}

impl Leap {
    /// Reads the model of the last query, in which some failure of `encoder` holds.
    pub fn of_model(encoder: &mut Encoder<'_, '_>, query: &mut Query, landings: &[Landing]) -> Option<Leap> {
        let conditions: Vec<Term> = encoder.failures.iter().map(|failure| failure.condition).collect();
        let values = query.values(encoder, &conditions).ok()?;
        let failed = values.iter().position(|value| value.as_bool() == Some(true))?;
        let site = encoder.failures[failed].site;
        Leap::of_site(encoder, query, landings, site)
    }

    /// Reads the model of the last query, in which the check at `site` fails.
    pub fn of_site(
        encoder: &mut Encoder<'_, '_>,
        query: &mut Query,
        landings: &[Landing],
        site: SiteId,
    ) -> Option<Leap> {
        let mut over = Vec::new();
        for landing in landings {
            let path = encoder.path(&landing.state);
            if query.values(encoder, &[path]).ok()?.first()?.as_bool() != Some(true) {
                continue;
            }
            let scalars = landing.written.iter().filter_map(|cell| match landing.state.scalar(*cell)? {
                Value::Bits(term) => Some((cell.variable, term)),
                Value::Pointer { .. } => None,
            });
            let (variables, terms): (Vec<VarId>, Vec<Term>) = scalars.unzip();
            let values = query.values(encoder, &terms).ok()?;
            let program = encoder.automaton.program;
            let number = |(variable, value): (VarId, &crate::smt::Value)| {
                let bits = value.as_bits()?;
                let signed =
                    matches!(encoder.shape(program.variables[variable].ty), Some(Shape::Int { signed: true, .. }));
                let number = if signed { bits.signed() } else { i128::try_from(bits.unsigned()).ok()? };
                let named = !matches!(program.variables[variable].storage, Storage::Temp(_));
                named.then_some((variable, number))
            };
            over.push((landing.head, variables.into_iter().zip(&values).filter_map(number).collect()));
        }
        Some(Leap { site, over })
    }

    /// In words; `span` tells where a loop is.
    pub fn describe(&self, program: &Program, span: impl Fn(NodeId) -> crate::base::Span) -> String {
        let place = |span| program.sources.describe(span);
        let site = &program.sites[self.site];
        let mut out = format!("a run that leaps over loops fails at {}", place(site.span));
        for (head, values) in &self.over {
            let _ = write!(out, "; over the loop at {}", place(span(*head)));
            let values: Vec<String> =
                values.iter().map(|(v, number)| format!("{} = {number}", program.variables[*v].name)).collect();
            if !values.is_empty() {
                let _ = write!(out, " to {}", values.join(", "));
            }
        }
        out
    }
}
