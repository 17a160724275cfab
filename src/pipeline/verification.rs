//! One property of a program, one answer: the engines start, and the first that decides is heard.

use super::clock::{Clock, TICK};
use super::error::Error;
use super::failure::trace;
use super::listener::{Listener, Nobody};
use super::parallel::STACK;
use super::profile::Profile;
use super::relations::relate;
use super::rules::strategy::StrategyRules;
use super::rules::templates::TemplateRules;
use super::sources::entry::find_entry;
use super::sources::gaps::called_externals;
use super::sources::lowering::lower_options;
use super::sources::{Loaded, Sources, load};
use crate::base::Span;
use crate::engines::forward::Start;
use crate::engines::invariant::template::Templates;
use crate::engines::portfolio::{Attempt, Engine, News, run};
use crate::engines::results::Verification;
use crate::engines::task::obstacle::in_order;
use crate::engines::task::{Answer, Budget, Obstacle, Property, Task};
use crate::frontend::lower::{ErrorLabel, LowerOptions};
use crate::ir::{FuncId, Program};
use crate::verdict::locate;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Obstacles that are told.
const MOST_OBSTACLES: usize = 4;

/// What is asked of a program.
pub struct Question {
    /// What nothing was written to has any value for engines and runs in any case (assumption D15).
    pub sources: Sources,
    pub property: Property,
    pub engine: Engine,
    /// The function that executions start in.
    pub entry: String,
    /// Rules for candidates of invariants.
    pub templates: Option<TemplateRules>,
    /// What is analysed how, where the profile is not to say it.
    pub strategy: Option<Arc<StrategyRules>>,
    pub jobs: usize,
    pub seed: u64,
}

/// What came of it.
pub struct Verified {
    pub loaded: Arc<Loaded>,
    /// The answer, or why there is none, for people.
    pub answer: Result<Answer, String>,
}

/// Asks `question`, within `profile`.
pub fn verify(question: &Question, profile: &Profile, listener: Arc<dyn Listener>) -> Result<Verified, Error> {
    let start = Instant::now();
    let clock = Clock::new(&profile.run, Arc::clone(&listener));
    let limit = profile.run.time;
    let Question { property, engine, .. } = *question;
    let sources = Sources { unwritten_inputs: false, ..question.sources.clone() };
    let loaded = Arc::new(load(&sources, options(property), question.jobs, limit, &|_| ())?);
    let program = &loaded.program;
    listener.input(&loaded.said(), false);
    tell_about_bodies(program, &*listener);
    let entry = find_entry(program, &question.entry)?;
    let deadline = start + profile.run.planned_to_verify.of(limit);
    let templates = match &question.templates {
        Some(rules) => {
            let time =
                profile.summaries.time_for_candidates_alone.of(deadline.saturating_duration_since(Instant::now()));
            rules.candidates(program, &profile.summaries.candidate_limits(time), &*listener)?
        }
        None => Templates::default(),
    };
    let (strategy, told) = (question.strategy.clone(), Arc::clone(&listener));
    let asked = Asked { entry, property, templates, seed: question.seed, strategy, listener: told };
    let news = start_engines(&loaded, asked, (engine, profile.clone()), Budget::until(deadline));
    let answer = if loaded.unread.is_empty() {
        listen(program, &news, &clock)
    } else {
        Err("a file could not be read".to_owned())
    };
    let answer = match (answer, unknown_function(program)) {
        (Ok(Answer::True(_)), Some(reason)) => Err(reason),
        (answer, _) => answer,
    };
    Ok(Verified { loaded, answer })
}

/// Says which declared functions are called that have neither a body nor a contract: they are taken to return, and not to err
/// (assumption D4).
fn tell_about_bodies(program: &Program, listener: &dyn Listener) {
    let names: BTreeSet<&str> = called_externals(program)
        .into_iter()
        .map(|f| &program.functions[f])
        .filter(|f| !f.undeclared)
        .map(|f| f.name.as_str())
        .collect();
    if !names.is_empty() {
        let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
        listener.tell(&format!("note: without a body, taken to return and not to err: {}", names.join(", ")));
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

/// What all engines find out about error functions, error labels and assertions, within `limit`.
pub fn verification_from(
    program: &Program,
    entry: FuncId,
    (limit, profile): (Duration, &Profile),
) -> Result<Verification, Error> {
    let (sender, receiver) = channel();
    let limits = (&profile.task.analysis, &profile.relations);
    let memory = relate((program, &Start::Function(entry)), None, limits, limit, &Nobody);
    let task = Task { limits: &profile.task, ..Task::new(program, &memory, entry, Property::UnreachCall) };
    let ended = std::thread::scope(|scope| {
        // Engines recurse over deep terms and automata.
        let work = || run(&task, Engine::Auto, &Budget::of(limit), &sender);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.expect("the system starts threads").join()
    });
    drop(sender);
    ended.map_err(|_| Error::Internal("the verification ended unexpectedly".to_owned()))?;
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

/// What engines are asked.
struct Asked {
    entry: FuncId,
    property: Property,
    templates: Templates,
    seed: u64,
    strategy: Option<Arc<StrategyRules>>,
    /// Who is told which users' tuples mean nothing.
    listener: Arc<dyn Listener>,
}

/// Starts the engines on a thread with a deep stack; what they tell comes through the channel.
fn start_engines(
    loaded: &Arc<Loaded>,
    asked: Asked,
    (engine, profile): (Engine, Profile),
    budget: Budget,
) -> Receiver<News> {
    let (sender, receiver) = channel();
    let loaded = Arc::clone(loaded);
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            let Asked { entry, property, templates, seed, strategy, listener } = asked;
            let (whole, limits) =
                ((&loaded.program, &Start::Function(entry)), (&profile.task.analysis, &profile.relations));
            let memory = relate(whole, strategy.as_deref(), limits, budget.left(), &*listener);
            memory.runs().iter().for_each(|run| drop(sender.send(News::Rules(run.clone()))));
            let (program, memory, limits) = (&loaded.program, &memory, &profile.task);
            let task = Task { program, memory, entry, property, templates: &templates, seed, limits };
            run(&task, engine, &budget, &sender);
        })
        .expect("the system starts threads");
    receiver
}

/// Waits for the first answer that decides the task, for the engines' end, or until a limit of the run is reached.
fn listen(program: &Program, news: &Receiver<News>, clock: &Clock) -> Result<Answer, String> {
    let listener = clock.listener();
    let mut told: Vec<(&'static str, Obstacle)> = Vec::new();
    let mut under_way: Vec<&'static str> = Vec::new();
    loop {
        if let Some(limit) = clock.exceeded() {
            under_way.iter().for_each(|engine| listener.remark(&format!("{engine}: still at work")));
            return Err(undecided(program, &told, Some(&limit)));
        }
        match news.recv_timeout(TICK) {
            Ok(News::Begun(engine)) => under_way.push(engine),
            Ok(News::Rules(run)) => listener.remark(&run.to_string()),
            Ok(News::Attempt(attempt)) => {
                under_way.retain(|engine| *engine != attempt.engine);
                listener.attempt(attempt);
            }
            Ok(News::Answer(engine, Answer::Unknown(obstacle))) => told.push((engine, obstacle)),
            Ok(News::Answer(_, answer)) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if told.is_empty() => {
                return Err("the engine ended unexpectedly".to_owned());
            }
            Err(RecvTimeoutError::Disconnected) => return Err(undecided(program, &told, None)),
        }
    }
}

/// What engines stumbled on and where, what stands in most engines' way first; then the limit that was reached.
fn undecided(program: &Program, told: &[(&'static str, Obstacle)], limit: Option<&str>) -> String {
    let clause = |(obstacle, engines): (Obstacle, Vec<&'static str>)| {
        let place = match obstacle.at().filter(|at| *at != Span::NONE).map(|at| locate(program, at)) {
            Some(place) => format!(" at {}:{}", place.file, place.line),
            None => String::new(),
        };
        format!("{obstacle}{place} ({})", engines.join(", "))
    };
    let obstacles = in_order(told).into_iter().take(MOST_OBSTACLES).map(clause);
    obstacles.chain(limit.map(str::to_owned)).collect::<Vec<_>>().join("; ")
}
