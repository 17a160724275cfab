//! What engines found, written back as facts, so that rules and queries can join it with the program's.
use super::cpa::learnt::Interpolant;
use super::evidence::{Evidence, state_evidence};
use super::forward::ValueAt;
use super::termination::{Ends, LoopRow, Summary};
use crate::facts::emit::Names;
use crate::facts::{FactStore, column, row};
use crate::ir::{BlockId, FuncId, Program, SiteId};
use crate::verdict::{Finding, InputBox, InputValue, TraceStep, Verdict, locate};
use std::collections::BTreeSet;

/// The outcome of an analysis.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// The verdict on every site.
    pub findings: &'a [Finding],
    pub evidence: Evidence<'a>,
    /// The bounds of variables at blocks.
    pub values: &'a [ValueAt],
}

/// Adds the results of analysing `program` to its facts, which `names` belongs to.
pub fn state_results(program: &Program, names: &Names, outcome: &Outcome<'_>, facts: &mut FactStore) {
    let results = Writer { program, names };
    state_evidence(program, names, &outcome.evidence, facts);
    for finding in outcome.findings {
        results.finding(finding, facts);
    }
    let earlier = outcome.evidence.assumed.after_error.iter();
    for (site, earlier) in earlier.flat_map(|(site, all)| all.iter().map(move |e| (*site, *e))) {
        let row = row::ReportedAfterError { site: results.site(site), earlier: results.site(earlier) };
        facts.reported_after_error.push(row);
    }
    for value in outcome.values {
        results.value(value, facts);
    }
}

/// Adds what is known of loops to a program's facts, which `names` belongs to.
pub fn state_loops(names: &Names, summary: &Summary, facts: &mut FactStore) {
    facts.loop_terminates.clear();
    facts.ranking.clear();
    facts.loop_summary.clear();
    for LoopRow { head: (function, block), ends, invariants, .. } in &summary.loops {
        let head = column::Block(names.block(*function, *block));
        let (answer, reason) = match ends {
            Ends::Yes(_) => ("yes", String::new()),
            Ends::No(set) => ("no", set.join(" && ")),
            Ends::Unknown(why) => ("unknown", why.to_string()),
        };
        let (answer, reason) = (facts.symbols.intern(answer), facts.symbols.intern(&reason));
        facts.loop_terminates.push(row::LoopTerminates { head, answer, reason });
        let measures = if let Ends::Yes(measures) = ends { &measures[..] } else { &[] };
        for (position, measure) in (0..).zip(measures) {
            let measure = facts.symbols.intern(measure);
            facts.ranking.push(row::Ranking { head, position, measure });
        }
        for invariant in invariants {
            let formula = facts.symbols.intern(&invariant.formula);
            facts.loop_summary.push(row::LoopSummary { head, formula });
        }
    }
}

/// What the engines of `verify` have found.
#[derive(Clone, Debug, Default)]
pub struct Verification {
    /// Loop heads, formulas in C, and engines.
    pub invariants: BTreeSet<((FuncId, BlockId), String, &'static str)>,
    /// Interpolants, and the engines that asked for them.
    pub interpolants: BTreeSet<(Interpolant, &'static str)>,
    /// The steps of a replayed run to an error, in order.
    pub steps: Vec<TraceStep>,
}

/// Adds what `verify` found to a program's facts, which `names` belongs to.
pub fn state_verification(names: &Names, found: &Verification, facts: &mut FactStore) {
    facts.invariant_at.clear();
    facts.interpolant_at.clear();
    facts.counterexample_step.clear();
    for ((function, block), formula, engine) in &found.invariants {
        let head = column::Block(names.block(*function, *block));
        let (formula, engine) = (facts.symbols.intern(formula), facts.symbols.intern(engine));
        facts.invariant_at.push(row::InvariantAt { head, formula, engine });
    }
    for (Interpolant { head: (function, block), formula, strategy }, engine) in &found.interpolants {
        let head = column::Block(names.block(*function, *block));
        let (formula, engine) = (facts.symbols.intern(formula), facts.symbols.intern(engine));
        let strategy = facts.symbols.intern(strategy.name());
        facts.interpolant_at.push(row::InterpolantAt { head, formula, engine, strategy });
    }
    for (step, at) in (0..).zip(&found.steps) {
        let (file, event) = (facts.symbols.intern(&at.location.file), facts.symbols.intern(&at.text));
        let line = i64::from(at.location.line);
        facts.counterexample_step.push(row::CounterexampleStep { step, file, line, event });
    }
}

struct Writer<'a> {
    program: &'a Program,
    names: &'a Names,
}

impl Writer<'_> {
    fn site(&self, site: SiteId) -> column::CheckSite {
        column::CheckSite(self.names.site(self.program.sites[site].function, site))
    }

    fn finding(&self, finding: &Finding, facts: &mut FactStore) {
        let Some(id) = finding.site else { return };
        let site = self.site(id);
        let verdict = facts.symbols.intern(finding.verdict.kind().name());
        let engine = facts.symbols.intern(&finding.engine);
        facts.reported.push(row::Reported { site, verdict, engine });
        if let Verdict::Definite(failure) = &finding.verdict {
            // What may be anything restricts nothing.
            for input in failure.precondition.iter().filter(|i| !i.any) {
                self.precondition(site, input, facts);
            }
        }
    }

    fn precondition(&self, site: column::CheckSite, given: &InputBox, facts: &mut FactStore) {
        let number = if given.occurrence > 1 { format!(" (value {})", given.occurrence) } else { String::new() };
        let source = facts.symbols.intern(&format!("{}{number}", self.input(given)));
        let bounds = match given.value {
            InputValue::Int { low, high } => i64::try_from(low).ok().zip(i64::try_from(high).ok()),
            InputValue::Float { .. } | InputValue::Bytes(_) | InputValue::ByteRanges { .. } => None,
        };
        match bounds {
            Some((low, high)) => facts.precondition.push(row::Precondition { site, source, low, high }),
            None => {
                let value = facts.symbols.intern(&given.value.to_string());
                facts.precondition_text.push(row::PreconditionText { site, source, value });
            }
        }
    }

    /// The input site's name, or where there is none (or several alike at one place) the input in words.
    fn input(&self, given: &InputBox) -> String {
        let inputs = self.program.inputs.iter_enumerated();
        let alike = inputs.filter(|(_, i)| i.name == given.input && locate(self.program, i.span) == given.location);
        match alike.collect::<Vec<_>>()[..] {
            [(id, site)] => self.names.spelled(self.names.input(site.function, id)),
            _ => given.input.clone(),
        }
    }

    fn value(&self, value: &ValueAt, facts: &mut FactStore) {
        let (Ok(low), Ok(high)) = (i64::try_from(value.low), i64::try_from(value.high)) else { return };
        let block = column::Block(self.names.block(value.function, value.block));
        let variable = column::Variable(self.names.variable(value.variable));
        facts.value_at.push(row::ValueAt { block, variable, offset: column::Bytes(value.offset), low, high });
    }
}
