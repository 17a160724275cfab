//! What a run may cost: every bound that steers it, in one place.
//!
//! A bound is counted where something can be counted (statements, derivations, questions, runs), since the same count means
//! the same answer on every machine. Shares of the time come second: they keep one pass from starving those behind it.
//!
//! [`Profile::default`] is what runs without options have; [`Preset`] names it and two others.

use crate::datalog::Limits;
use crate::engines::limits::{AnalysisLimits, BoxLimits, RunLimits, Share, SiteLimits, TaskLimits};
use std::str::FromStr;
use std::time::Duration;

/// The bounds of a run.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct Profile {
    pub run: WholeLimits,
    pub relations: RelationLimits,
    pub proofs: ProofLimits,
    pub search: SearchLimits,
    pub boxes: BoxLimits,
    pub backwards: BackwardLimits,
    pub summaries: SummaryLimits,
    pub assumptions: AssumptionLimits,
    pub rules: RuleLimits,
    pub insight: InsightLimits,
    /// The engines of `verify` and `summarize`, which decide one property.
    pub task: TaskLimits,
}

/// The whole run.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct WholeLimits {
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
    /// Statements, calls, contexts and turns that it follows.
    pub analysis: AnalysisLimits,
    /// The part of the time left in which it follows calls; in the worst case it takes a fifth of that again.
    pub time: Share,
    /// The same when rules run afterwards.
    pub time_before_rules: Share,
}

/// Runs of the program on chosen inputs.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct SearchLimits {
    /// Statements that all runs together may execute, shared by the entries.
    pub statements: u64,
    /// Statements that each entry has at least.
    pub statements_of_an_entry: u64,
    /// What one run may take.
    pub runs: RunLimits,
    /// Runs in a row that show nothing new before a search ends.
    pub runs_without_news: u32,
    /// Statements of the runs that then try to come closer to errors at sites that are open, shared by the entries.
    pub statements_for_goals: u64,
    /// How many times as many of these runs may show nothing new.
    pub patience_for_goals: u32,
    /// Questions to the solver about what runs have missed.
    pub questions: u32,
    /// The same from one entry of many.
    pub questions_of_an_entry: u32,
    /// The part of the time left for the runs.
    pub time: Share,
    /// The part of the time left for growing the inputs of those that err from one entry.
    pub time_to_grow: Share,
}

impl SearchLimits {
    /// So many statements for runs towards open sites, and patience in proportion.
    pub fn with_effort(self, statements: u64) -> SearchLimits {
        let times = statements.div_ceil(self.statements_for_goals.max(1)).max(1);
        let patience = u64::from(self.patience_for_goals).saturating_mul(times);
        SearchLimits {
            statements_for_goals: statements,
            patience_for_goals: u32::try_from(patience).unwrap_or(u32::MAX),
            ..self
        }
    }

    /// Runs until the time is over.
    pub fn without_limit(self) -> SearchLimits {
        SearchLimits { statements_for_goals: u64::MAX, patience_for_goals: u32::MAX, time: Share(0.9), ..self }
    }
}

/// Looking backwards from sites.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct BackwardLimits {
    /// Statements that proofs took with which this, and summaries of loops, are worth while.
    pub analysed_statements: u64,
    /// The part of the time left for another analysis, where the proofs ended early.
    pub time_to_analyse: Share,
    /// The part of the time left for all sites together.
    pub time: Share,
}

/// Summaries of loops.
#[derive(Clone, Debug, PartialEq, Hash)]
pub struct SummaryLimits {
    /// The part of the time left for another analysis, for the bounds that candidates are made of, where the proofs ended early.
    pub time_to_analyse: Share,
    /// How often rules for candidates may be satisfied, built-in ones apart.
    pub candidate_derivations: u64,
    /// The part of the time left for these rules.
    pub time_for_candidates: Share,
    /// Blocks, runs and turns for judging sites.
    pub sites: SiteLimits,
    /// The part of the time left for judging, so that reports are written in time.
    pub time: Share,
    /// The same for the look that every check has at what the forward analysis leaves open.
    pub glance: SiteLimits,
    /// The part of the time left for that.
    pub time_to_glance: Share,
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
    /// The part of the whole time that is taken even where none is left: verdicts that do not tell what they assume away mislead.
    pub time_at_least: Share,
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
    /// The part of them for what variables may point to.
    pub time_for_targets: Share,
    /// The part of them for loops.
    pub time_for_loops: Share,
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
            run: WholeLimits {
                time: Duration::from_secs(60),
                memory: None,
                planned: Share(0.92),
                planned_to_verify: Share(0.95),
            },
            relations: RelationLimits { derivations: 2_000_000_000, time: Share(0.15) },
            proofs: ProofLimits {
                analysis: AnalysisLimits::default(),
                time: Share(0.75),
                time_before_rules: Share(0.55),
            },
            search: SearchLimits {
                statements: 20_000_000,
                statements_of_an_entry: 500_000,
                runs: RunLimits::default(),
                runs_without_news: 3000,
                statements_for_goals: 100_000_000,
                patience_for_goals: 4,
                questions: 24,
                questions_of_an_entry: 8,
                time: Share(0.6),
                time_to_grow: Share(0.125),
            },
            boxes: BoxLimits::default(),
            backwards: BackwardLimits {
                analysed_statements: 1_000_000,
                time_to_analyse: Share(1.0 / 6.0),
                time: Share(1.0 / 6.0),
            },
            summaries: SummaryLimits {
                time_to_analyse: Share(1.0 / 6.0),
                candidate_derivations: 20_000_000,
                time_for_candidates: Share(1.0 / 6.0),
                sites: SiteLimits::default(),
                time: Share(0.6),
                glance: SiteLimits::GLANCE,
                time_to_glance: Share(0.3),
                time_to_confirm: Share(0.5),
                time_for_candidates_alone: Share(0.25),
            },
            assumptions: AssumptionLimits {
                analysed_statements: 1_000_000,
                time: Share(0.25),
                time_at_least: Share(0.03),
            },
            rules: RuleLimits { derivations: 200_000_000, time_for_engines: Share(0.5) },
            insight: InsightLimits {
                time: Duration::from_secs(20),
                time_for_targets: Share(0.5),
                time_for_loops: Share(0.5),
            },
            task: TaskLimits::default(),
        }
    }
}

impl Profile {
    /// A tenth of the counts and a sixth of the time.
    fn quick() -> Profile {
        let mut quick = Profile::default();
        quick.run.time /= 6;
        quick.relations.derivations /= 10;
        quick.proofs.analysis = less(&quick.proofs.analysis);
        quick.search.statements /= 10;
        quick.search.statements_of_an_entry /= 10;
        quick.search.runs_without_news /= 10;
        quick.search.statements_for_goals /= 10;
        quick.search.questions /= 3;
        quick.search.questions_of_an_entry /= 2;
        quick.boxes.statements /= 10;
        quick.boxes.questions /= 10;
        quick.boxes.terms /= 10;
        quick.boxes.proof_units /= 10;
        quick.boxes.questions_of_a_box /= 2;
        quick.boxes.questions_of_a_joined_box /= 2;
        quick.boxes.joined_steps /= 10;
        quick.boxes.joined_steps_of_a_site /= 3;
        quick.backwards.analysed_statements /= 10;
        quick.summaries.candidate_derivations /= 10;
        quick.summaries.sites.blocks /= 3;
        quick.summaries.sites.runs /= 3;
        quick.summaries.sites.turns_after /= 2;
        quick.assumptions.analysed_statements /= 10;
        quick.rules.derivations /= 10;
        quick.insight.time /= 4;
        quick.task.analysis = less(&quick.task.analysis);
        quick.task.blocks /= 4;
        quick.task.search_statements[1] /= 10;
        quick.task.search_runs[1] /= 10;
        quick.task.observed_runs /= 3;
        quick.task.window /= 3;
        quick.task.nodes /= 3;
        quick.task.refinements /= 3;
        quick.task.states /= 2;
        quick.task.endless_runs /= 3;
        quick
    }

    /// Ten times the counts and fifteen times the time.
    fn thorough() -> Profile {
        let mut thorough = Profile::default();
        thorough.run.time *= 15;
        thorough.relations.derivations *= 10;
        thorough.proofs.analysis = more(&thorough.proofs.analysis);
        thorough.search.statements *= 10;
        thorough.search.statements_of_an_entry *= 10;
        thorough.search.runs.statements *= 5;
        thorough.search.runs.steered *= 4;
        thorough.search.runs.questions *= 2;
        thorough.search.runs_without_news *= 10;
        thorough.search.statements_for_goals *= 20;
        thorough.search.questions *= 10;
        thorough.search.questions_of_an_entry *= 10;
        thorough.boxes.statements *= 10;
        thorough.boxes.questions *= 10;
        thorough.boxes.statements_of_a_run *= 3;
        thorough.boxes.terms *= 10;
        thorough.boxes.proof_units *= 10;
        thorough.boxes.questions_of_a_box *= 4;
        thorough.boxes.questions_of_a_joined_box *= 4;
        thorough.boxes.joined_steps *= 10;
        thorough.boxes.joined_steps_of_a_site *= 5;
        thorough.backwards.analysed_statements *= 10;
        thorough.summaries.candidate_derivations *= 10;
        thorough.summaries.sites.blocks *= 4;
        thorough.summaries.sites.runs *= 3;
        thorough.summaries.sites.turns_after *= 3;
        thorough.assumptions.analysed_statements *= 10;
        thorough.rules.derivations *= 10;
        thorough.insight.time *= 6;
        thorough.task.analysis = more(&thorough.task.analysis);
        thorough.task.blocks *= 4;
        thorough.task.search_statements[1] *= 10;
        thorough.task.search_runs[1] *= 5;
        thorough.task.observed_runs *= 3;
        thorough.task.window *= 3;
        thorough.task.nodes *= 5;
        thorough.task.refinements *= 5;
        thorough.task.states *= 5;
        thorough.task.cubes *= 2;
        thorough.task.loop_statements *= 5;
        thorough.task.endless_runs *= 3;
        thorough
    }
}

/// The bounds of an analysis that says something soon.
fn less(analysis: &AnalysisLimits) -> AnalysisLimits {
    let AnalysisLimits { statements, joined_statements, contexts, turns, .. } = *analysis;
    AnalysisLimits {
        statements: statements / 10,
        joined_statements: joined_statements / 10,
        contexts: contexts / 2,
        turns: turns / 10,
        ..*analysis
    }
}

/// The bounds of an analysis that joins and gives up late.
fn more(analysis: &AnalysisLimits) -> AnalysisLimits {
    let AnalysisLimits { statements, joined_statements, contexts, callees, turns, .. } = *analysis;
    AnalysisLimits {
        statements: statements * 10,
        joined_statements: joined_statements * 10,
        contexts: contexts * 2,
        callees: callees * 2,
        turns: turns * 4,
        ..*analysis
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_have_names_and_differ() {
        for preset in Preset::ALL {
            assert_eq!(preset.name().parse(), Ok(preset));
        }
        assert_eq!("fast".parse::<Preset>(), Err("no profile `fast`; there are quick, default, thorough".to_owned()));
        assert_eq!(Preset::default().profile(), Profile::default());
        assert!(Profile::quick() != Profile::default() && Profile::thorough() != Profile::default());
    }
}
