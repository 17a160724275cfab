//! What a run may cost: every bound that steers it, in one place.
//!
//! A bound is counted where something can be counted (statements, derivations, questions, runs), since the same count means
//! the same answer on every machine. Shares of the time come second: they keep one pass from starving those behind it.
//!
//! [`Profile::default`] is what runs without options have; [`Preset`] names it and two others.

use crate::datalog::Limits;
use crate::engines::forward::Options;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::time::Duration;

/// A part of the time that is left, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share(pub f64);

impl Share {
    /// This part of `time`.
    pub fn of(self, time: Duration) -> Duration {
        time.mul_f64(self.0)
    }
}

impl Hash for Share {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// The bounds of a run.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Profile {
    pub run: RunLimits,
    pub relations: RelationLimits,
    pub proofs: ProofLimits,
    pub search: SearchLimits,
    pub backwards: BackwardLimits,
    pub summaries: SummaryLimits,
    pub assumptions: AssumptionLimits,
    pub rules: RuleLimits,
    pub insight: InsightLimits,
}

/// The whole run.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct RunLimits {
    /// Seconds for everything; what is not decided then is unknown.
    pub time: Duration,
    /// Megabytes; None: as many as there are.
    pub memory: Option<u64>,
    /// The part of the time that the passes of a check may plan with; the rest is for the report.
    pub planned: Share,
    /// The part of the time that the engines of `verify` may plan with; the rest is for the answer.
    pub planned_to_verify: Share,
}

/// The rules that engines ask, before any engine starts.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct RelationLimits {
    /// Derivations of the relations with sets of targets, beyond which those by text and types are all there is.
    pub derivations: u64,
    /// The part of the time left that they may take besides.
    pub time: Share,
}

impl RelationLimits {
    /// What they may take of the time that is `left`.
    pub fn limits(&self, left: Duration) -> Limits {
        Limits { time: Some(self.time.of(left)), derivations: Some(self.derivations), ..Limits::default() }
    }
}

/// The forward analysis that judges all sites.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct ProofLimits {
    /// Statements that it executes before it follows no more calls.
    pub statements: u64,
    /// Calls inside each other that are followed.
    pub depth: usize,
    /// States that a function is entered in and that are analysed apart; further ones are joined.
    pub contexts: usize,
    /// Functions that a call through a pointer may lead to with which it is still followed.
    pub callees: usize,
    /// Turns of a loop that are analysed apart while it cannot end.
    pub turns: usize,
    /// The part of the time left in which it follows calls; in the worst case it takes half as long again.
    pub time: Share,
    /// The same when rules run afterwards.
    pub time_before_rules: Share,
}

impl ProofLimits {
    /// The options of an analysis that has so much time.
    pub fn options(&self, time_limit: Duration) -> Options<'static> {
        let ProofLimits { statements: steps, depth, contexts, callees, turns: unroll, .. } = *self;
        Options { time_limit, steps, depth, contexts, callees, unroll, ..Options::default() }
    }
}

/// Runs of the program on chosen inputs, and the boxes that grow around those that err.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct SearchLimits {
    /// Statements that all runs together may execute, shared by the entries.
    pub statements: u64,
    /// Statements that each entry has at least.
    pub statements_of_an_entry: u64,
    /// Runs in a row that show nothing new before a search ends.
    pub runs_without_news: u32,
    /// Questions to the solver about what runs have missed.
    pub questions: u32,
    /// The same from one entry of many.
    pub questions_of_an_entry: u32,
    /// The part of the time left for the runs.
    pub time: Share,
    /// The part of the time left for growing the inputs of those that err from one entry.
    pub time_to_grow: Share,
}

/// Looking backwards from sites.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct BackwardLimits {
    /// Statements of the forward analysis with which it is run once more for this.
    pub analysed_statements: u64,
    /// The part of the time left for that run.
    pub time_to_analyse: Share,
    /// The part of the time left for all sites together.
    pub time: Share,
}

/// Summaries of loops.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct SummaryLimits {
    /// The part of the time left for the bounds of variables that candidates are made of.
    pub time_to_analyse: Share,
    /// How often rules for candidates may be satisfied, built-in ones apart.
    pub candidate_derivations: u64,
    /// The part of the time left for these rules.
    pub time_for_candidates: Share,
    /// The part of the time left for judging, so that reports are written in time.
    pub time: Share,
    /// The part of the time left for running what is suspected, and that for growing its inputs.
    pub time_to_confirm: Share,
    /// The part of the time left for the rules for candidates in `verify` and `summarize`.
    pub time_for_candidates_alone: Share,
}

impl SummaryLimits {
    /// The limits of rules for candidates that have so much time.
    pub fn candidate_limits(&self, time: Duration) -> Limits {
        Limits { time: Some(time), derivations: Some(self.candidate_derivations), ..Limits::default() }
    }
}

/// Which errors verdicts assume away.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct AssumptionLimits {
    /// Statements of the forward analysis with which it is run once more, past the errors that were found.
    pub analysed_statements: u64,
    /// The part of the time left for that run.
    pub time: Share,
}

/// Rules of users, and checks that are rules.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct RuleLimits {
    /// How often they may be satisfied, built-in ones apart.
    pub derivations: u64,
    /// The part of the time left for what engines find of loops and of the program's correctness, where rules ask.
    pub time_for_engines: Share,
}

/// What a page of sources shows besides.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct InsightLimits {
    /// Seconds, however much time there is.
    pub time: Duration,
}

/// The names of profiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// A first answer: an editor's, or a commit's.
    Quick,
    #[default]
    Default,
    /// As much as a night may cost.
    Thorough,
}

impl Preset {
    /// All of them, from cheap to dear.
    pub const ALL: [Preset; 3] = [Preset::Quick, Preset::Default, Preset::Thorough];

    /// As users write it.
    pub fn name(self) -> &'static str {
        match self {
            Preset::Quick => "quick",
            Preset::Default => "default",
            Preset::Thorough => "thorough",
        }
    }

    /// The bounds that it stands for.
    pub fn profile(self) -> Profile {
        match self {
            Preset::Quick => Profile::quick(),
            Preset::Default => Profile::default(),
            Preset::Thorough => Profile::thorough(),
        }
    }
}

impl FromStr for Preset {
    type Err = String;

    fn from_str(text: &str) -> Result<Preset, String> {
        let named = Preset::ALL.into_iter().find(|preset| preset.name() == text);
        let names = || Preset::ALL.map(Preset::name).join(", ");
        named.ok_or_else(|| format!("no profile `{text}`; there are {}", names()))
    }
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            run: RunLimits {
                time: Duration::from_secs(60),
                memory: None,
                planned: Share(0.92),
                planned_to_verify: Share(0.95),
            },
            relations: RelationLimits { derivations: 2_000_000_000, time: Share(0.25) },
            proofs: ProofLimits {
                statements: 20_000_000,
                depth: 60,
                contexts: 6,
                callees: 12,
                turns: 1200,
                time: Share(0.6),
                time_before_rules: Share(0.45),
            },
            search: SearchLimits {
                statements: 20_000_000,
                statements_of_an_entry: 500_000,
                runs_without_news: 3000,
                questions: 24,
                questions_of_an_entry: 8,
                time: Share(0.25),
                time_to_grow: Share(0.125),
            },
            backwards: BackwardLimits {
                analysed_statements: 1_000_000,
                time_to_analyse: Share(1.0 / 6.0),
                time: Share(1.0 / 6.0),
            },
            summaries: SummaryLimits {
                time_to_analyse: Share(1.0 / 6.0),
                candidate_derivations: 20_000_000,
                time_for_candidates: Share(1.0 / 6.0),
                time: Share(0.6),
                time_to_confirm: Share(0.5),
                time_for_candidates_alone: Share(0.25),
            },
            assumptions: AssumptionLimits { analysed_statements: 1_000_000, time: Share(0.25) },
            rules: RuleLimits { derivations: 200_000_000, time_for_engines: Share(0.5) },
            insight: InsightLimits { time: Duration::from_secs(20) },
        }
    }
}

impl Profile {
    /// A tenth of the counts and a sixth of the time.
    fn quick() -> Profile {
        let Profile { run, relations, proofs, search, backwards, summaries, assumptions, rules, insight } =
            Profile::default();
        Profile {
            run: RunLimits { time: run.time / 6, ..run },
            relations: RelationLimits { derivations: relations.derivations / 10, ..relations },
            proofs: ProofLimits {
                statements: proofs.statements / 10,
                contexts: proofs.contexts / 2,
                turns: proofs.turns / 10,
                ..proofs
            },
            search: SearchLimits {
                statements: search.statements / 10,
                statements_of_an_entry: search.statements_of_an_entry / 10,
                runs_without_news: search.runs_without_news / 10,
                questions: search.questions / 3,
                questions_of_an_entry: search.questions_of_an_entry / 2,
                ..search
            },
            backwards: BackwardLimits { analysed_statements: backwards.analysed_statements / 10, ..backwards },
            assumptions: AssumptionLimits { analysed_statements: assumptions.analysed_statements / 10, ..assumptions },
            summaries,
            rules,
            insight,
        }
    }

    /// Ten times the counts and fifteen times the time.
    fn thorough() -> Profile {
        let Profile { run, relations, proofs, search, backwards, summaries, assumptions, rules, insight } =
            Profile::default();
        Profile {
            run: RunLimits { time: run.time * 15, ..run },
            relations: RelationLimits { derivations: relations.derivations * 10, ..relations },
            proofs: ProofLimits {
                statements: proofs.statements * 10,
                contexts: proofs.contexts * 2,
                callees: proofs.callees * 2,
                turns: proofs.turns * 4,
                ..proofs
            },
            search: SearchLimits {
                statements: search.statements * 10,
                statements_of_an_entry: search.statements_of_an_entry * 10,
                runs_without_news: search.runs_without_news * 10,
                questions: search.questions * 10,
                questions_of_an_entry: search.questions_of_an_entry * 10,
                ..search
            },
            backwards: BackwardLimits { analysed_statements: backwards.analysed_statements * 10, ..backwards },
            assumptions: AssumptionLimits { analysed_statements: assumptions.analysed_statements * 10, ..assumptions },
            rules: RuleLimits { derivations: rules.derivations * 10, ..rules },
            summaries,
            insight,
        }
    }
}
