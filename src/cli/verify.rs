//! `verify`: one property, one answer.

use super::args::{ArgFormat, EngineName, InputArgs, PropertyName, VerifyArgs};
use super::entry::{find_entry, memory_limits};
use super::exit::{CliError, ExitStatus};
use super::failure::{given, trace};
use super::gaps::called_externals;
use super::input::{Loaded, load, lower_options, tell_about_input};
use super::interrupt;
use super::output::{tell, write_report};
use super::parallel::STACK;
use super::stages::{Clock, TICK};
use super::templates::{Shipped, TemplateRules};
use crate::base::Span;
use crate::engines::forward::Start;
use crate::engines::invariant::template::Templates;
use crate::engines::portfolio::{Attempt, Engine, News, run};
use crate::engines::results::Verification;
use crate::engines::task::obstacle::in_order;
use crate::engines::task::{Answer, Budget, Obstacle, Property, Task};
use crate::frontend::lower::{ErrorLabel, LowerOptions};
use crate::ir::{FuncId, Program};
use crate::memory::Memory;
use crate::verdict::locate;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The part of the time limit that engines may plan with; the rest is for the answer.
const PLANNED: f64 = 0.95;

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

/// Runs `verify`.
pub fn verify(args: &VerifyArgs) -> Result<ExitStatus, CliError> {
    let start = Instant::now();
    let clock = Clock::new(&args.limits);
    let shipped = if args.engine == EngineName::Summary { Shipped::All } else { Shipped::None };
    let rules = TemplateRules::new(&args.templates, shipped)?;
    let limit = Duration::from_secs_f64(args.limits.time_limit);
    let property = args.property.property();
    let loaded = load(&input(args), options(property), args.limits.jobs, limit, &|_| ())?;
    tell_about_input(&loaded.said(), args.verbose);
    tell_about_bodies(&loaded.program);
    let entry = find_entry(&loaded.program, &args.entry)?;
    let deadline = start + limit.mul_f64(PLANNED);
    let loaded = Arc::new(loaded);
    let templates = match rules {
        Some(rules) => rules.candidates(&loaded.program, deadline.saturating_duration_since(Instant::now()) / 4)?,
        None => Templates::default(),
    };
    let asked = Asked { entry, property, templates, seed: args.limits.seed };
    let news = start_engines(&loaded, asked, args.engine.engine(), Budget::until(deadline));
    let answer = if loaded.unread.is_empty() {
        listen(&loaded.program, &news, &clock, args)
    } else {
        Err(Undecided("a file could not be read".to_owned()))
    };
    let answer = match (answer, unknown_function(&loaded.program)) {
        (Ok(Answer::True(_)), Some(reason)) => Err(Undecided(reason)),
        (answer, _) => answer,
    };
    if let (true, Ok(answer)) = (args.verbose, &answer) {
        tell_evidence(&loaded, answer);
    }
    if let Some(path) = &args.witness {
        let witness = match &answer {
            Ok(answer) => super::witness::witness(&loaded, property, args.input.arch, answer),
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
        Err(Undecided(reason)) => {
            let status = if loaded.unread.is_empty() { ExitStatus::Clean } else { ExitStatus::Usage };
            (format!("RESULT: UNKNOWN ({reason})\n"), status)
        }
    };
    write_report(&line, None)?;
    Ok(status)
}

/// Says which declared functions are called that have neither a body nor a contract: they are taken to return, and not to err
/// (assumption D4).
fn tell_about_bodies(program: &Program) {
    let names: BTreeSet<&str> = called_externals(program)
        .into_iter()
        .map(|f| &program.functions[f])
        .filter(|f| !f.undeclared)
        .map(|f| f.name.as_str())
        .collect();
    if !names.is_empty() {
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        tell(&format!("note: without a body, taken to return and not to err: {}", names.join(", ")));
    }
}

/// Why nothing is proved where a function is called that nobody declares or defines: it may be what the property forbids.
fn unknown_function(program: &Program) -> Option<String> {
    let mut called = called_externals(program).into_iter().map(|f| &program.functions[f]);
    let f = called.find(|f| f.undeclared)?;
    let place = locate(program, f.span);
    let (file, line) = (place.file, place.line);
    Some(format!("`{}`, called at {file}:{line}, is nowhere declared or defined", f.name))
}

/// What a property needs from lowering. A label `ERROR` is asked about by whoever asks about error functions.
fn options(property: Property) -> LowerOptions {
    let kinds: BTreeSet<_> = property.kinds().iter().copied().collect();
    // Allocations succeed, as the competitions have it whose properties these are.
    let options = LowerOptions { allocation_succeeds: true, ..lower_options(&kinds) };
    match property {
        Property::UnreachCall => LowerOptions { error_label: ErrorLabel::Everywhere, ..options },
        Property::NoOverflow | Property::ValidMemsafety | Property::Termination | Property::TerminationOrOverflow => {
            options
        }
    }
}

/// The program that is meant. What nothing was written to has any value for engines and runs in any case (assumption
/// D15), so that lowering need not say so.
fn input(args: &VerifyArgs) -> InputArgs {
    InputArgs { unwritten_inputs: false, ..args.input.clone() }
}

/// What all engines find out about error functions, error labels and assertions, within `limit`.
pub fn verification_from(program: &Program, entry: FuncId, limit: Duration) -> Result<Verification, CliError> {
    let (sender, receiver) = channel();
    let memory = Memory::build(program, &Start::Function(entry).entries(program), &memory_limits(limit));
    let task = Task::new(program, &memory, entry, Property::UnreachCall);
    let ended = std::thread::scope(|scope| {
        // Engines recurse over deep terms and automata.
        let work = || run(&task, Engine::Auto, &Budget::of(limit), &sender);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("the system starts threads").join()
    });
    drop(sender);
    ended.map_err(|_| CliError::Internal("the verification ended unexpectedly".to_owned()))?;
    let mut found = Verification::default();
    for news in receiver {
        match news {
            News::Attempt(Attempt { engine, learnt, .. }) => {
                found.interpolants.extend(learnt.interpolants.into_iter().map(|i| (i, engine)));
                found.invariants.extend(learnt.labels.into_iter().map(|(head, formula)| (head, formula, engine)));
            }
            News::Answer(_, Answer::True(proof)) => {
                let engine = proof.engine;
                found.invariants.extend(proof.invariants.into_iter().map(|i| (i.head, i.formula, engine)));
            }
            News::Answer(_, Answer::False(counterexample)) if found.steps.is_empty() => {
                found.steps = trace(program, &counterexample.run);
            }
            News::Begun(_) | News::Rules(_) | News::Answer(..) => {}
        }
    }
    Ok(found)
}

/// What is asked of a program.
struct Asked {
    entry: FuncId,
    property: Property,
    templates: Templates,
    seed: u64,
}

/// Starts the engines on a thread with a deep stack; what they tell comes through the channel.
fn start_engines(loaded: &Arc<Loaded>, asked: Asked, engine: Engine, budget: Budget) -> Receiver<News> {
    let (sender, receiver) = channel();
    let loaded = Arc::clone(loaded);
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let Asked { entry, property, templates, seed } = asked;
            let memory = Memory::build(
                &loaded.program,
                &Start::Function(entry).entries(&loaded.program),
                &memory_limits(budget.left()),
            );
            memory.runs().iter().for_each(|run| drop(sender.send(News::Rules(run.clone()))));
            let task = Task { program: &loaded.program, memory: &memory, entry, property, templates: &templates, seed };
            run(&task, engine, &budget, &sender);
        })
        .expect("the system starts threads");
    receiver
}

/// Why there is no answer, for people.
struct Undecided(String);

/// Obstacles that are told.
const MOST_OBSTACLES: usize = 4;

/// Waits for the first answer that decides the task, for the engines' end, or until a limit of the run is reached.
fn listen(program: &Program, news: &Receiver<News>, clock: &Clock, args: &VerifyArgs) -> Result<Answer, Undecided> {
    interrupt::watch();
    let mut told: Vec<(&'static str, Obstacle)> = Vec::new();
    let mut under_way: Vec<&'static str> = Vec::new();
    loop {
        if let Some(limit) = clock.exceeded() {
            for engine in under_way.iter().filter(|_| args.verbose) {
                tell(&format!("{engine}: still at work"));
            }
            return Err(undecided(program, &told, Some(&limit)));
        }
        match news.recv_timeout(TICK) {
            Ok(News::Begun(engine)) => under_way.push(engine),
            Ok(News::Rules(run)) if args.verbose => tell(&run.to_string()),
            Ok(News::Rules(_)) => {}
            Ok(News::Attempt(attempt)) => {
                under_way.retain(|engine| *engine != attempt.engine);
                tell_attempt(attempt, args);
            }
            Ok(News::Answer(engine, Answer::Unknown(obstacle))) => told.push((engine, obstacle)),
            Ok(News::Answer(_, answer)) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if told.is_empty() => {
                return Err(Undecided("the engine ended unexpectedly".to_owned()));
            }
            Err(RecvTimeoutError::Disconnected) => return Err(undecided(program, &told, None)),
        }
    }
}

/// What engines stumbled on and where, what stands in most engines' way first; then the limit that was reached.
fn undecided(program: &Program, told: &[(&'static str, Obstacle)], limit: Option<&str>) -> Undecided {
    let clause = |(obstacle, engines): (Obstacle, Vec<&'static str>)| {
        let place = match obstacle.at().filter(|at| *at != Span::NONE).map(|at| locate(program, at)) {
            Some(place) => format!(" at {}:{}", place.file, place.line),
            None => String::new(),
        };
        format!("{obstacle}{place} ({})", engines.join(", "))
    };
    let obstacles = in_order(told).into_iter().take(MOST_OBSTACLES).map(clause);
    Undecided(obstacles.chain(limit.map(str::to_owned)).collect::<Vec<_>>().join("; "))
}

/// How an attempt ended, with the graph that it has drawn, as far as they are asked for.
fn tell_attempt(attempt: Attempt, args: &VerifyArgs) {
    if args.verbose {
        tell(&format!("{}: {} ({:.2} s)", attempt.engine, attempt.outcome, attempt.time.as_secs_f64()));
        if let Some(shares) = attempt.learnt.shares() {
            tell(&format!("  interpolants: {shares}"));
        }
    }
    if let (Some(ArgFormat::Dot), Some(graph)) = (args.arg, attempt.learnt.graph) {
        // Nobody reads it where standard output is closed.
        let _ = write_report(&graph, None);
    }
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
