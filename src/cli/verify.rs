//! `verify`: one property, one answer.

use super::args::{ArgFormat, EngineName, PropertyName, VerifyArgs};
use super::exit::ExitStatus;
use super::mistakes::{read_strategy, tell_warnings};
use super::output::{tell, write_report};
use super::progress::Progress;
use crate::engines::portfolio::{Attempt, Engine};
use crate::engines::task::{Answer, Property};
use crate::pipeline::failure::given;
use crate::pipeline::rules::templates::{Shipped, TemplateRules};
use crate::pipeline::sources::{Loaded, Said};
use crate::pipeline::verification::{Question, Verified};
use crate::pipeline::{Error, Listener, verification};
use crate::verdict::locate;
use std::sync::Arc;

/// Inputs of a counterexample that people are told.
const MOST_INPUTS: usize = 60;

impl PropertyName {
    fn property(self) -> Property {
        match self {
            PropertyName::UnreachCall => Property::UnreachCall,
            PropertyName::NoOverflow => Property::NoOverflow,
            PropertyName::ValidMemsafety => Property::ValidMemsafety,
            PropertyName::Termination => Property::Termination,
            PropertyName::TerminationOrOverflow => Property::TerminationOrOverflow,
        }
    }
}

impl EngineName {
    fn engine(self) -> Engine {
        match self {
            EngineName::Auto => Engine::Auto,
            EngineName::Bmc => Engine::Bmc,
            EngineName::KInduction => Engine::KInduction,
            EngineName::PredicateAbstraction => Engine::PredicateAbstraction,
            EngineName::Impact => Engine::Impact,
            EngineName::Summary => Engine::Summary,
        }
    }
}

/// Tells of attempts.
struct Attempts {
    progress: Progress,
    verbose: bool,
    graphs: Option<ArgFormat>,
}

impl Listener for Attempts {
    fn tell(&self, text: &str) {
        self.progress.tell(text);
    }

    fn remark(&self, text: &str) {
        self.progress.remark(text);
    }

    fn input(&self, said: &Said<'_>, failed: bool) {
        self.progress.input(said, failed);
    }

    /// How an attempt ended, with the graph that it has drawn, as far as they are asked for.
    fn attempt(&self, attempt: Attempt) {
        if self.verbose {
            tell(&format!("{}: {} ({:.2} s)", attempt.engine, attempt.outcome, attempt.time.as_secs_f64()));
            if let Some(shares) = attempt.learnt.shares() {
                tell(&format!("  interpolants: {shares}"));
            }
        }
        if let (Some(ArgFormat::Dot), Some(graph)) = (self.graphs, attempt.learnt.graph) {
            // Nobody reads it where standard output is closed.
            let _ = write_report(&graph, None);
        }
    }

    fn is_interrupted(&self) -> bool {
        self.progress.is_interrupted()
    }
}

/// Runs `verify`.
pub fn verify(args: &VerifyArgs) -> Result<ExitStatus, Error> {
    let shipped = if args.engine == EngineName::Summary { Shipped::All } else { Shipped::None };
    let templates = TemplateRules::new(&args.templates, shipped)?;
    templates.iter().for_each(|rules| tell_warnings(&rules.composed));
    let question = Question {
        sources: args.input.program(&args.entry, args.limits.jobs)?,
        property: args.property.property(),
        engine: args.engine.engine(),
        entry: args.entry.clone(),
        templates,
        strategy: read_strategy(&args.strategy)?.map(Arc::new),
        jobs: args.limits.jobs,
        seed: args.limits.seed,
    };
    let progress = Progress::without_line(args.verbose);
    let listener = Attempts { progress, verbose: args.verbose, graphs: args.arg };
    let Verified { loaded, answer } =
        verification::verify(&question, &args.limits.profile(args.profile), Arc::new(listener))?;
    if let (true, Ok(answer)) = (args.verbose, &answer) {
        tell_evidence(&loaded, answer);
    }
    if let Some(path) = &args.witness {
        let witness = match &answer {
            Ok(answer) => super::witness::witness(&loaded, question.property, args.input.arch, answer),
            Err(_) => Err("nothing was decided"),
        };
        match witness {
            Ok(text) => write_report(&text, Some(path))?,
            Err(none) => tell(&format!("{} was not written: {none}", path.display())),
        }
    }
    let (line, status) = match answer {
        Ok(Answer::True(_)) => ("RESULT: TRUE\n".to_owned(), ExitStatus::Clean),
        Ok(Answer::False(_)) => ("RESULT: FALSE\n".to_owned(), ExitStatus::Definite),
        Ok(Answer::Unknown(obstacle)) => (format!("RESULT: UNKNOWN ({obstacle})\n"), ExitStatus::Clean),
        Err(reason) => {
            let status = if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage };
            (format!("RESULT: UNKNOWN ({reason})\n"), status)
        }
    };
    write_report(&line, None)?;
    Ok(status)
}

/// The proof or the counterexample, for people.
fn tell_evidence(loaded: &Loaded, answer: &Answer) {
    let program = &loaded.program;
    match answer {
        Answer::True(proof) => {
            tell(&format!("{}: {}", proof.engine, proof.argument));
            for i in &proof.invariants {
                let place = locate(program, i.span);
                tell(&format!("  {}:{}: {}: {}", place.file, place.line, i.function, i.formula));
            }
        }
        Answer::False(found) => {
            let what = match (found.run.error(), &found.run.lost) {
                (Some(_), _) => "errs",
                (None, Some(_)) => "loses memory",
                (None, None) => "never ends",
            };
            tell(&format!("{}: a run {what}:", found.engine));
            let given = given(program, &found.run);
            for input in given.iter().take(MOST_INPUTS) {
                tell(&format!("  {}", input.clause("")));
            }
            let more = given.len().saturating_sub(MOST_INPUTS);
            if more > 0 {
                tell(&format!("  and {more} more inputs"));
            }
            if let Some(site) = found.run.error() {
                let site = &program.sites[site];
                let place = locate(program, site.span);
                tell(&format!("  {}:{}: {}: {}", place.file, place.line, site.kind.name(), site.subject));
            }
            if let Some(lost) = &found.run.lost {
                let end = locate(program, lost.end).line;
                for alloc in &lost.blocks {
                    let block = &program.allocs[*alloc];
                    let (place, name) = (locate(program, block.span), &block.name);
                    let text = "the block is not freed, and nothing points to it when the run ends";
                    tell(&format!("  {}:{}: leak: {name}(): {text} at line {end}", place.file, place.line));
                }
            }
        }
        Answer::Unknown(_) => {}
    }
}
