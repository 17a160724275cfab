//! Runs of the program as a compiler makes it, beside the search: they are many, and say no more than whether they show anything new. What does so is handed
//! over to the search, whose runs judge.
//!
//! See: Zalewski, "Technical whitepaper for afl-fuzz"; Aschermann et al., "REDQUEEN", Sect. 3.1 (what is compared is put in the place of what it is compared
//! with, for each case once).

use super::case::Case;
use super::dictionary::Dictionary;
use super::driver::LATE;
use super::exchange::Exchange;
use super::hints::Compared;
use super::mutate::{LONGEST_FILE, Mutator, places_of};
use super::options::SearchOptions;
use super::random::Random;
use super::reduce::Reducer;
use crate::concrete::{Arguments, InputValue};
use std::sync::Arc;

/// Runs in a row that show nothing new before others may use the core.
const PATIENCE: u64 = 200_000;
/// Places that one suggestion is tried at.
const PLACES: u32 = 4;
/// How often words of the command line are changed, where there are files to change: once in so many times.
const WORDS: usize = 8;
/// How often a case is one of the latest tenth.
const LATEST: usize = 2;
/// Runs that make one case shorter.
const TRIMMING: u32 = 400;
/// Statements that there are for an edge which a compiled run takes, at least.
const STATEMENTS_OF_AN_EDGE: u64 = 2;

/// How a run ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    ByItself,
    Crashed,
    /// It took too long, or was none.
    #[default]
    Stopped,
}

/// What is asked of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// What is new.
    News = 0,
    /// The same, and what is compared.
    Compared = 1,
    /// Whether it shows what was new in the last one that was asked for news.
    Same = 2,
}

/// What a run shows.
#[derive(Clone, Debug, Default)]
pub struct CompiledRun {
    pub ended: Ended,
    /// Whether it takes edges that none before took, or another order of magnitude of times.
    pub is_new: bool,
    /// Whether it crashes where none before did.
    pub is_new_crash: bool,
    /// Whether a comparison came closer to equality than in any before.
    pub is_closer: bool,
    /// Where that was asked: whether it shows all that was new in the last run that was asked for news.
    pub is_same: bool,
    /// What was compared, if that was asked for.
    pub compared: Vec<(u64, u64)>,
}

/// A program that a compiler has made.
pub trait Compiled: Sync {
    /// Runs it with these words of the command line and these contents of files, as far as so many edges; one that is too large shows nothing. None where
    /// it runs no longer.
    fn run(&self, words: &[Vec<u8>], files: &[Vec<u8>], wanted: Wanted, most_edges: u32) -> Option<CompiledRun>;
    /// Ends a run under way; there will be no others.
    fn stop(&self);
}

/// How many runs were made, and how many cases were handed over.
#[derive(Clone, Copy, Debug, Default)]
pub struct CompiledRuns {
    pub runs: u64,
    pub handed_over: u64,
}

/// Makes runs on inputs close to those that the exchange has, until the options say that it is over or nothing new has come for long.
pub fn run_compiled(
    compiled: &dyn Compiled,
    dictionary: &Dictionary,
    exchange: &Exchange,
    options: &SearchOptions,
) -> CompiledRuns {
    let mut work = Work {
        compiled,
        dictionary,
        exchange,
        options,
        random: Random::new(options.seed),
        kept: Vec::new(),
        kept_bytes: 0,
        planned: Vec::new(),
        taken_over: 0,
        most_edges: u32::try_from(options.runs.statements / STATEMENTS_OF_AN_EDGE).unwrap_or(u32::MAX),
        made: CompiledRuns::default(),
    };
    let _ = work.go();
    work.made
}

/// Suggestions of a kept case that are tried one after the other.
struct Planned {
    case: usize,
    hint: usize,
    tried: u32,
}

struct Work<'a> {
    compiled: &'a dyn Compiled,
    dictionary: &'a Dictionary,
    exchange: &'a Exchange,
    options: &'a SearchOptions,
    random: Random,
    kept: Vec<Case>,
    kept_bytes: u64,
    planned: Vec<Planned>,
    taken_over: usize,
    /// Edges that a run may take.
    most_edges: u32,
    made: CompiledRuns,
}

impl Work<'_> {
    /// None when the program runs no longer.
    fn go(&mut self) -> Option<()> {
        let empty = Case { files: vec![Vec::new()], ..Case::default() };
        if self.run(&empty, Wanted::News)?.ended == Ended::Stopped {
            self.most_edges = self.most_edges.saturating_mul(LATE as u32);
        }
        self.keep(empty)?;
        let mut idle = 0;
        while idle < PATIENCE && !self.options.is_over() {
            if let Some(case) = self.exchange.take(self.options.seed, &mut self.taken_over) {
                self.run(&case, Wanted::News)?;
                self.keep(case)?;
                continue;
            }
            let planned = if self.random.one_in(2) { self.planned() } else { None };
            let case = planned.unwrap_or_else(|| self.changed());
            let run = self.run(&case, Wanted::News)?;
            idle += 1;
            if run.is_new || run.is_new_crash {
                idle = 0;
                let case = self.trimmed(case);
                self.made.handed_over += 1;
                self.exchange.give(self.options.seed, &case);
                self.keep(case)?;
            } else if run.is_closer {
                self.keep(case)?;
            }
        }
        Some(())
    }

    fn run(&mut self, case: &Case, wanted: Wanted) -> Option<CompiledRun> {
        self.made.runs += 1;
        let plain = [b"program".to_vec()];
        let words = case.arguments().map_or(&plain[..], |arguments| &arguments.argv);
        self.compiled.run(words, &case.files, wanted, self.most_edges)
    }

    /// The case of the last run, without what its news do not need.
    ///
    /// See: Zalewski, "Technical whitepaper for afl-fuzz", Sect. 5 (trimming).
    fn trimmed(&mut self, mut case: Case) -> Case {
        let mut left = TRIMMING;
        let shows_the_same = |other: &Case| {
            left = u32::checked_sub(left, 1)?;
            self.run(other, Wanted::Same)?.is_same.then(|| other.clone())
        };
        Reducer { errs: shows_the_same, records: 0, parts: usize::MAX }.shorten_files(&mut case);
        case
    }

    /// Keeps a case with what its run compares.
    fn keep(&mut self, mut case: Case) -> Option<()> {
        let bytes = case.bytes();
        if self.kept_bytes + bytes > self.options.runs.kept {
            return Some(());
        }
        self.kept_bytes += bytes;
        let run = self.run(&case, Wanted::Compared)?;
        let hints = Compared::of(run.compared).hints(&case.contents(), case.files.len());
        let hints = Compared::with_earlier(hints, &case.hints, &case.contents());
        case.hints = Arc::new(hints);
        self.planned.push(Planned { case: self.kept.len(), hint: 0, tried: 0 });
        self.kept.push(case);
        Some(())
    }

    /// The next suggestion for a file, at one of its places.
    fn planned(&mut self) -> Option<Case> {
        while let Some(planned) = self.planned.last_mut() {
            let case = &self.kept[planned.case];
            let Some(hint) = case.hints.get(planned.hint) else {
                self.planned.pop();
                continue;
            };
            let all = case.files.iter().enumerate();
            let places: Vec<(usize, usize)> = match hint.found.is_empty() {
                true => all.map(|(file, content)| (file, content.len())).collect(),
                false => {
                    all.flat_map(|(file, content)| places_of(content, &hint.found).map(move |at| (file, at))).collect()
                }
            };
            let nth = planned.tried;
            let place = if places.len() <= PLACES as usize {
                places.get(nth as usize)
            } else {
                self.random.pick(&places).filter(|_| nth < PLACES)
            };
            let Some(&(file, at)) = place else {
                (planned.hint, planned.tried) = (planned.hint + 1, 0);
                continue;
            };
            planned.tried += 1;
            let mut case = case.clone();
            let hint = &case.hints[planned.hint];
            case.files[file].splice(at..at + hint.found.len(), hint.wanted.iter().copied());
            case.files[file].truncate(LONGEST_FILE);
            return Some(case);
        }
        None
    }

    /// A kept case with something changed.
    fn changed(&mut self) -> Case {
        let (number, other) = (self.pick(), self.pick());
        let mut case = self.kept[number].clone();
        if case.arguments().is_some() && (case.files.is_empty() || self.random.one_in(WORDS)) {
            self.change_words(&mut case);
        }
        if !case.files.is_empty() {
            // Of inputs that are neither files nor words it says which would be others.
            case.change(self.dictionary, &self.kept[other], &mut self.random);
        }
        case
    }

    fn change_words(&mut self, case: &mut Case) {
        let hints = case.hints.clone();
        let Some(Arguments { argv, .. }) = case.arguments_mut() else { return };
        let at = self.random.below(argv.len() + 1);
        match argv.get_mut(at).filter(|_| at > 0) {
            Some(word) if !self.random.one_in(4) => {
                let mutator = Mutator { dictionary: self.dictionary, hints: &hints, other: &[] };
                mutator.mutate(word, &mut self.random);
                word.retain(|byte| *byte != 0);
            }
            Some(_) if self.random.one_in(2) => drop(argv.remove(at)),
            _ => argv.push(self.dictionary.word(&mut self.random)),
        }
    }

    /// A kept case, more often a late one, and the shorter of two.
    fn pick(&mut self) -> usize {
        let kept = self.kept.len();
        let mut any = || match self.random.one_in(LATEST) {
            true => kept - 1 - self.random.below(kept.div_ceil(10)),
            false => self.random.below(kept),
        };
        let (one, other) = (any(), any());
        if self.kept[other].bytes() < self.kept[one].bytes() { other } else { one }
    }
}

impl Case {
    /// The words that `main` is given.
    fn arguments(&self) -> Option<&Arguments> {
        self.inputs.iter().find_map(|record| match &record.value {
            InputValue::Arguments(arguments) => Some(arguments),
            _ => None,
        })
    }

    fn arguments_mut(&mut self) -> Option<&mut Arguments> {
        self.inputs.iter_mut().find_map(|record| match &mut record.value {
            InputValue::Arguments(arguments) => Some(arguments),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::options;
    use super::*;
    use std::sync::Mutex;

    const KEY: &[u8] = b"open!";

    /// A program that compares what it reads with the key, byte by byte, and has an edge for each byte that is right; it runs no longer behind the last.
    struct Lock(Mutex<usize>);

    impl Compiled for Lock {
        fn run(&self, _: &[Vec<u8>], files: &[Vec<u8>], wanted: Wanted, _: u32) -> Option<CompiledRun> {
            let file = &files[0];
            let right = file.iter().zip(KEY).take_while(|(a, b)| a == b).count();
            let mut best = self.0.lock().expect("no holder panics");
            let is_same = right == *best;
            let is_new = wanted != Wanted::Same && right > *best;
            if is_new {
                *best = right;
            }
            let next = file.get(right).zip(KEY.get(right)).map(|(a, b)| (u64::from(*a), u64::from(*b)));
            let compared = next.filter(|_| wanted == Wanted::Compared).into_iter().collect();
            let (is_new_crash, is_closer) = (false, false);
            let ended = Ended::ByItself;
            let is_open = wanted == Wanted::Compared && right == KEY.len();
            (!is_open).then_some(CompiledRun { ended, is_new, is_new_crash, is_closer, is_same, compared })
        }

        fn stop(&self) {}
    }

    #[test]
    fn what_is_compared_is_tried_and_what_is_new_handed_over_without_the_rest() {
        let exchange = Exchange::default();
        exchange.give(7, &Case { files: vec![b"anything at all".to_vec()], ..Case::default() });
        let lock = Lock(Mutex::new(0));
        let made = run_compiled(&lock, &Dictionary::EMPTY, &exchange, &options(0));
        let mut looked_at = 0;
        let handed: Vec<Case> = std::iter::from_fn(|| exchange.take(7, &mut looked_at)).collect();
        assert_eq!(handed.len() as u64, made.handed_over);
        assert_eq!(handed.last().expect("it is open").files, [KEY.to_vec()], "{made:?}");
    }
}
