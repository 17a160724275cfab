//! Why an engine does not decide a task, and which of several reasons to tell first.

use crate::base::Span;
use crate::encode::Gap;
use crate::ir::CheckKind;
use std::fmt;

/// What an engine stumbled on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A construct that terms do not express, on some execution.
    NotEncoded { what: String, at: Span },
    /// What runs cannot go on from, with how many of them did not.
    NotRun { what: String, runs: u64 },
    /// The program is not analysed in this way at all.
    Refused(String),
    /// A violation that the interpreter does not repeat.
    Unconfirmed(String),
    /// Sites of the property that an over-approximation does not exclude: how many, and the first.
    Unproved { sites: usize, check: CheckKind, subject: String, at: Span },
    /// What was tried is no proof.
    NoProof(String),
    /// A solver that did not answer.
    Solver(String),
    /// The time is over.
    Budget(String),
    /// Runs were made, and none violates the property.
    NoViolation { runs: u64 },
}

impl Obstacle {
    /// What an encoding has a gap for.
    pub fn of_gap(gap: &Gap) -> Obstacle {
        Obstacle::NotEncoded { what: gap.reason.clone(), at: gap.at }
    }
    /// Where the construct stands, of reasons that are about one.
    pub fn at(&self) -> Option<Span> {
        match self {
            Obstacle::NotEncoded { at, .. } | Obstacle::Unproved { at, .. } => Some(*at),
            _ => None,
        }
    }
    /// How much the user learns from it, least first: a construct can be changed, time can be given, that nothing was found says nothing.
    fn rank(&self) -> u8 {
        match self {
            Obstacle::NotEncoded { .. } => 0,
            Obstacle::Refused(_) => 1,
            Obstacle::NotRun { .. } => 2,
            Obstacle::Unconfirmed(_) => 3,
            Obstacle::Unproved { .. } => 4,
            Obstacle::Solver(_) => 5,
            Obstacle::NoProof(_) => 6,
            Obstacle::Budget(_) => 7,
            Obstacle::NoViolation { .. } => 8,
        }
    }
    /// Whether both are about the same obstacle, though engines may have come to it in other ways.
    fn is_alike(&self, other: &Obstacle) -> bool {
        match (self, other) {
            (Obstacle::NotEncoded { what: a, at: x }, Obstacle::NotEncoded { what: b, at: y }) => a == b && x == y,
            (Obstacle::Unproved { at: x, .. }, Obstacle::Unproved { at: y, .. }) => x == y,
            _ => self == other,
        }
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::NotEncoded { what, .. } => write!(f, "not encoded: {what}"),
            Obstacle::NotRun { what, runs } => write!(f, "{runs} runs end undecided: {what}"),
            Obstacle::Refused(what) | Obstacle::NoProof(what) | Obstacle::Budget(what) => f.write_str(what),
            Obstacle::Unconfirmed(doubt) => write!(f, "a counterexample is not confirmed: {doubt}"),
            Obstacle::Unproved { sites: 1, check, subject, .. } => {
                write!(f, "{} is not proved: {subject}", check.name())
            }
            Obstacle::Unproved { sites, check, subject, .. } => {
                write!(f, "{sites} sites are not proved, the first {}: {subject}", check.name())
            }
            Obstacle::Solver(why) => write!(f, "solver: {why}"),
            Obstacle::NoViolation { runs } => write!(f, "{runs} runs without a violation"),
        }
    }
}

/// Reasons of several engines: each once, with the engines that gave it last; what stands in most engines' way first.
pub fn in_order(told: &[(&'static str, Obstacle)]) -> Vec<(Obstacle, Vec<&'static str>)> {
    let mut groups: Vec<(Obstacle, Vec<&'static str>)> = Vec::new();
    for (i, (engine, reason)) in told.iter().enumerate() {
        // An engine may be asked several times: its last word counts, and constructs that it came to at any time.
        let later = told[i + 1..].iter().any(|(name, _)| name == engine);
        if later && reason.rank() > 1 {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| known.is_alike(reason)) {
            Some((_, engines)) if engines.contains(engine) => {}
            Some((_, engines)) => engines.push(engine),
            None => groups.push((reason.clone(), vec![engine])),
        }
    }
    groups.iter_mut().for_each(|(_, engines)| engines.sort_unstable());
    groups.sort_by_key(|(reason, engines)| (reason.rank().max(1), std::cmp::Reverse(engines.len()), reason.rank()));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(list: &[(&'static str, Obstacle)]) -> Vec<String> {
        in_order(list).into_iter().map(|(reason, engines)| format!("{reason} ({})", engines.join(", "))).collect()
    }

    #[test]
    fn what_stands_in_most_engines_way_comes_first() {
        let gap = |what: &str| Obstacle::NotEncoded { what: what.to_owned(), at: Span::NONE };
        let list = [
            ("search", Obstacle::NoViolation { runs: 7 }),
            ("bmc", gap("realloc")),
            ("invariants", gap("setjmp")),
            ("impact", gap("setjmp")),
            ("forward", Obstacle::Budget("time".to_owned())),
        ];
        assert_eq!(
            told(&list),
            [
                "not encoded: setjmp (impact, invariants)",
                "not encoded: realloc (bmc)",
                "time (forward)",
                "7 runs without a violation (search)"
            ]
        );
    }

    #[test]
    fn the_last_word_of_an_engine_counts_but_constructs_stay() {
        let list = [
            ("bmc", Obstacle::NotEncoded { what: "realloc".to_owned(), at: Span::NONE }),
            ("search", Obstacle::NoViolation { runs: 1 }),
            ("search", Obstacle::NoViolation { runs: 2 }),
            ("bmc", Obstacle::Budget("budget, at bound 4".to_owned())),
        ];
        let expected =
            ["not encoded: realloc (bmc)", "budget, at bound 4 (bmc)", "2 runs without a violation (search)"];
        assert_eq!(told(&list), expected);
    }
}
