//! An external solver that speaks SMT-LIB 2 over its standard input and output.
//!
//! Nothing of the project starts one by itself: the user names the command. When a query has to be ended, the process
//! is; the next use starts it again and says everything once more.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use super::error::{Result, SmtError};
use super::op::Term;
use super::pool::TermPool;
use super::smtlib::{self, Reader, Script, Sexpr};
use super::solver::{Aftermath, Answer, Interrupt, Limits, Options, Solver, Statistics, Unknown};
use super::value::{Assignment, Value};

/// How often a waiting query looks at the interrupt.
const POLL: Duration = Duration::from_millis(20);

/// A solver in a process of its own, started at its first use. It heeds [`Limits::time`], not [`Limits::resources`].
pub struct ProcessSolver {
    command: Command,
    name: String,
    options: Options,
    limits: Limits,
    interrupt: Interrupt,
    statistics: Statistics,
    script: Script,
    /// What was said so far, to say it again: declarations, then assertions outside of levels and by level.
    global: String,
    local: Vec<String>,
    aftermath: Aftermath,
    /// The literals of the last query's assumptions, as the solver spells them.
    literals: FxHashMap<String, Term>,
    session: Option<Session>,
}

struct Session {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<io::Result<Option<Sexpr>>>,
}

/// What ended the wait for an answer.
enum Ended {
    Answer(Sexpr),
    Unknown(Unknown),
}

impl ProcessSolver {
    /// A solver that `command` starts; it must read commands from standard input, as `z3 -in` or `cvc5 --incremental` do.
    pub fn new(command: Command, options: Options) -> Self {
        ProcessSolver {
            name: command.get_program().to_string_lossy().into_owned(),
            command,
            options,
            limits: Limits::default(),
            interrupt: Interrupt::default(),
            statistics: Statistics::default(),
            script: Script::default(),
            global: String::new(),
            local: vec![String::new()],
            aftermath: Aftermath::Nothing,
            literals: FxHashMap::default(),
            session: None,
        }
    }

    /// Notes commands for a later start, and says them if the process runs.
    fn say(&mut self, global: &str, local: &str) -> Result<()> {
        self.global.push_str(global);
        self.local.last_mut().expect("there are commands outside of all levels").push_str(local);
        match &mut self.session {
            Some(_) => self.send(&[global, local]),
            None => Ok(()),
        }
    }

    /// Writes to the process, which is started and told everything if it does not run.
    fn send(&mut self, texts: &[&str]) -> Result<()> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => {
                let mut session = Session::start(&mut self.command).map_err(|e| self.io(e))?;
                let mut all = Script::header(self.options) + &self.global;
                all.push_str(&self.local.join("(push 1)\n"));
                session.stdin.write_all(all.as_bytes()).map_err(|e| self.io(e))?;
                session
            }
        };
        let sent = texts.iter().try_for_each(|text| session.stdin.write_all(text.as_bytes()));
        // A process that no longer reads is not kept; it may have said why.
        if let Err(error) = sent.and_then(|()| session.stdin.flush()) {
            return Err(match session.answers.recv_timeout(POLL) {
                Ok(Ok(Some(answer))) => self.complaint(&answer),
                _ => self.io(error),
            });
        }
        self.session = Some(session);
        Ok(())
    }

    /// Waits for the answer to what was sent. The process is ended when the wait is, or when it reports an error.
    fn receive(&mut self, started: Instant) -> Result<Ended> {
        let session = self.session.take().ok_or(SmtError::NoModel)?;
        loop {
            if self.interrupt.is_raised() {
                return Ok(Ended::Unknown(Unknown::Interrupted));
            }
            let left = self.limits.time.map(|limit| limit.saturating_sub(started.elapsed()));
            if left == Some(Duration::ZERO) {
                return Ok(Ended::Unknown(Unknown::Time));
            }
            match session.answers.recv_timeout(left.map_or(POLL, |left| left.min(POLL))) {
                Ok(Ok(Some(answer))) if is_error(&answer) => return Err(self.complaint(&answer)),
                Ok(Ok(Some(answer))) => {
                    self.session = Some(session);
                    return Ok(Ended::Answer(answer));
                }
                Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => {
                    return Err(SmtError::Backend {
                        solver: self.name.clone(),
                        message: "ended without an answer".to_owned(),
                    });
                }
                Ok(Err(error)) => return Err(self.io(error)),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Sends a question about the last answer and returns what comes back.
    fn ask(&mut self, question: &str) -> Result<Sexpr> {
        self.send(&[question, "\n"])?;
        match self.receive(Instant::now())? {
            Ended::Answer(answer) => Ok(answer),
            Ended::Unknown(reason) => {
                self.aftermath = Aftermath::Nothing;
                Err(SmtError::Backend { solver: self.name.clone(), message: format!("no answer: {reason}") })
            }
        }
    }

    fn run(&mut self, literals: &[String]) -> Result<Answer> {
        if self.interrupt.is_raised() {
            return Ok(Answer::Unknown(Unknown::Interrupted));
        }
        let started = Instant::now();
        self.send(&["(check-sat-assuming (", &literals.join(" "), "))\n"])?;
        let answer = match self.receive(started)? {
            Ended::Answer(answer) => answer,
            Ended::Unknown(reason) => return Ok(Answer::Unknown(reason)),
        };
        match answer.to_string().as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" => {
                let reason = self.ask("(get-info :reason-unknown)")?.to_string();
                let memory = reason.contains("memout");
                Ok(Answer::Unknown(if memory { Unknown::Memory } else { Unknown::Incomplete(reason) }))
            }
            _ => Err(self.unexpected(&answer)),
        }
    }

    fn io(&self, source: io::Error) -> SmtError {
        SmtError::Io { context: format!("solver `{}`", self.name), source }
    }

    fn unexpected(&self, answer: &Sexpr) -> SmtError {
        SmtError::Reply { solver: self.name.clone(), text: answer.to_string() }
    }

    fn complaint(&self, answer: &Sexpr) -> SmtError {
        match answer {
            Sexpr::List(items) => match &items[..] {
                [_, Sexpr::Text(message)] if is_error(answer) => {
                    SmtError::Backend { solver: self.name.clone(), message: message.clone() }
                }
                _ => self.unexpected(answer),
            },
            _ => self.unexpected(answer),
        }
    }
}

fn is_error(answer: &Sexpr) -> bool {
    matches!(answer, Sexpr::List(items) if items.first() == Some(&Sexpr::Atom("error".to_owned())))
}

impl Session {
    fn start(command: &mut Command) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let stdin = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let stdout = child.stdout.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let (sender, answers) = mpsc::channel();
        // Ends with the process, or when nobody listens any more.
        thread::spawn(move || {
            let mut reader = Reader::new(BufReader::new(stdout));
            loop {
                let answer = reader.read();
                let last = !matches!(answer, Ok(Some(_)));
                if sender.send(answer).is_err() || last {
                    return;
                }
            }
        });
        Ok(Session { child, stdin, answers })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // It may have ended by itself; there is nothing else to do about a process that cannot be ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Solver for ProcessSolver {
    fn name(&self) -> &str {
        &self.name
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<()> {
        self.aftermath = Aftermath::Nothing;
        let written = self.script.assertion(pool, formula)?;
        self.say(&written.global, &written.local)
    }

    fn push(&mut self) -> Result<()> {
        self.aftermath = Aftermath::Nothing;
        self.script.push();
        self.local.push(String::new());
        if self.session.is_some() { self.send(&["(push 1)\n"]) } else { Ok(()) }
    }

    fn pop(&mut self) -> Result<()> {
        self.aftermath = Aftermath::Nothing;
        self.script.pop()?;
        self.local.pop();
        if self.session.is_some() { self.send(&["(pop 1)\n"]) } else { Ok(()) }
    }

    fn level(&self) -> usize {
        self.script.level()
    }

    fn check_assuming(&mut self, pool: &TermPool, assumptions: &[Term]) -> Result<Answer> {
        self.aftermath = Aftermath::Nothing;
        self.literals.clear();
        let started = Instant::now();
        let mut literals = Vec::new();
        for &assumption in assumptions {
            let (written, literal) = self.script.assumption(pool, assumption)?;
            self.say(&written.global, &written.local)?;
            let spelled = Reader::new(literal.as_bytes()).read().map_err(|e| self.io(e))?;
            self.literals.insert(spelled.map(|s| s.to_string()).unwrap_or_default(), assumption);
            literals.push(literal);
        }
        let answer = self.run(&literals)?;
        self.statistics.record(&answer, started.elapsed());
        self.aftermath = Aftermath::of(&answer, assumptions);
        Ok(answer)
    }

    /// Asks for the variables only, and evaluates the terms itself.
    fn values(&mut self, pool: &TermPool, terms: &[Term]) -> Result<Vec<Value>> {
        self.aftermath.model()?;
        let mut model = Assignment::default();
        for variable in pool.variables(terms) {
            let sort = pool.sort(variable);
            if !self.script.is_declared(variable) {
                model.set(variable, Value::zero(sort));
                continue;
            }
            let answer = self.ask(&format!("(get-value ({}))", Script::symbol(pool, variable)))?;
            let value = match &answer {
                Sexpr::List(pairs) => match &pairs[..] {
                    [Sexpr::List(pair)] => pair.get(1).and_then(|answer| smtlib::value(answer, sort)),
                    _ => None,
                },
                _ => None,
            };
            model.set(variable, value.ok_or_else(|| self.unexpected(&answer))?);
        }
        terms.iter().map(|&term| pool.evaluate(term, &model)).collect()
    }

    fn unsat_core(&mut self) -> Result<Vec<Term>> {
        let mut assumptions = self.aftermath.core()?;
        let answer = self.ask("(get-unsat-assumptions)")?;
        let Sexpr::List(literals) = &answer else { return Err(self.unexpected(&answer)) };
        let core: Option<Vec<Term>> = literals.iter().map(|l| self.literals.get(&l.to_string()).copied()).collect();
        let core = core.ok_or_else(|| self.unexpected(&answer))?;
        assumptions.retain(|assumption| core.contains(assumption));
        Ok(assumptions)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn set_interrupt(&mut self, switch: Interrupt) {
        self.interrupt = switch;
    }

    fn statistics(&self) -> Statistics {
        Statistics { translated: self.script.len(), ..self.statistics }
    }
}
