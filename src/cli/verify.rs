//! `verify`: one property, one answer.

use super::args::{EngineName, PropertyName, VerifyArgs};
use super::entry::find_entry;
use super::exit::{CliError, ExitStatus};
use super::input::{Loaded, load, lower_options, tell_about_input};
use super::output::{tell, write_report};
use super::parallel::STACK;
use crate::engines::portfolio::{Engine, News, run};
use crate::engines::task::{Answer, Budget, Property, Task};
use crate::ir::FuncId;
use crate::verdict::locate;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The part of the time limit that engines may plan with; the rest is for the answer.
const PLANNED: f64 = 0.95;

impl PropertyName {
    fn property(self) -> Property {
        match self {
            PropertyName::UnreachCall => Property::UnreachCall,
            PropertyName::NoOverflow => Property::NoOverflow,
            PropertyName::ValidMemsafety => Property::ValidMemsafety,
            PropertyName::Termination => Property::Termination,
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
    let limit = Duration::from_secs_f64(args.limits.time_limit);
    let property = args.property.property();
    let kinds: BTreeSet<_> = property.kinds().iter().copied().collect();
    let loaded = load(&args.input, lower_options(&kinds), args.limits.jobs, limit, &|_| ())?;
    tell_about_input(&loaded, args.verbose);
    let entry = find_entry(&loaded.program, &args.entry)?;
    let deadline = start + limit.mul_f64(PLANNED);
    let loaded = Arc::new(loaded);
    let news = start_engines(&loaded, entry, property, args.engine.engine(), Budget::until(deadline));
    let answer = if loaded.unread.is_empty() {
        listen(&news, start + limit, args.verbose)
    } else {
        Answer::Unknown("a file could not be read".to_owned())
    };
    if args.verbose {
        tell_evidence(&loaded, &answer);
    }
    if let Some(path) = &args.witness
        && let Some(text) = super::witness::witness(&loaded, property, args.input.arch, &answer)
    {
        write_report(&text, Some(path))?;
    }
    let (line, status) = match answer {
        Answer::True(_) => ("RESULT: TRUE\n".to_owned(), ExitStatus::Clean),
        Answer::False(_) => ("RESULT: FALSE\n".to_owned(), ExitStatus::Definite),
        Answer::Unknown(reason) => (format!("RESULT: UNKNOWN ({reason})\n"), ExitStatus::Clean),
    };
    write_report(&line, None)?;
    Ok(status)
}

/// Starts the engines on a thread with a deep stack; what they tell comes through the channel.
fn start_engines(
    loaded: &Arc<Loaded>,
    entry: FuncId,
    property: Property,
    engine: Engine,
    budget: Budget,
) -> Receiver<News> {
    let (sender, receiver) = channel();
    let loaded = Arc::clone(loaded);
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || run(&Task { program: &loaded.program, entry, property }, engine, &budget, &sender))
        .expect("the system starts threads");
    receiver
}

/// Waits for the first answer that decides the task, or for the engines' end.
fn listen(news: &Receiver<News>, deadline: Instant, verbose: bool) -> Answer {
    let mut reasons: Vec<String> = Vec::new();
    loop {
        match news.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(News::Attempt(attempt)) => {
                if verbose {
                    tell(&format!("{}: {} ({:.2} s)", attempt.engine, attempt.outcome, attempt.time.as_secs_f64()));
                }
            }
            Ok(News::Answer(Answer::Unknown(reason))) => reasons.push(reason),
            Ok(News::Answer(answer)) => return answer,
            Err(end) => {
                let late = end == RecvTimeoutError::Timeout;
                let what = if late { "time limit" } else { "no engine decided it" };
                let last = reasons.pop().map(|r| format!("; last: {r}")).unwrap_or_default();
                return Answer::Unknown(format!("{what}{last}"));
            }
        }
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
            let what = if found.run.error().is_some() { "errs" } else { "never ends" };
            tell(&format!("{}: a run {what}:", found.engine));
            for record in &found.run.inputs {
                tell(&format!("  input {:?} = {:?}", record.place, record.value));
            }
            if let Some(site) = found.run.error() {
                let site = &program.sites[site];
                let place = locate(program, site.span);
                tell(&format!("  {}:{}: {}: {}", place.file, place.line, site.kind.name(), site.subject));
            }
        }
        Answer::Unknown(_) => {}
    }
}
