//! What is asked of a check.

use super::cache::Cache;
use super::cache::key::KeyMaker;
use super::parallel::cores;
use super::profile::{Profile, WholeLimits};
use super::rules::stage::RuleStage;
use super::rules::strategy::StrategyRules;
use super::rules::templates::TemplateRules;
use super::sources::shard::Shard;
use super::sources::{EditedText, Sources};
use super::standing::baseline::Earlier;
use super::standing::change::Change;
use super::standing::config::Config;
use crate::ir::CheckKind;
use std::collections::BTreeSet;
use std::time::Duration;

/// What is to be checked and how.
pub struct Request {
    pub sources: Sources,
    pub profile: Profile,
    /// The function that executions start in, or `all`.
    pub entry: String,
    pub checks: BTreeSet<CheckKind>,
    /// Rules whose tuples are findings too.
    pub rules: Option<RuleStage>,
    /// Whether rules or queries follow, which want the bounds of variables and what errs at any site.
    pub values: bool,
    /// Whether a page of sources follows, which shows what is known of variables and loops.
    pub insight: bool,
    /// Loops are summarized for the sites that all else leaves open, with what these rules guess.
    pub summaries: Option<TemplateRules>,
    /// What is analysed how, where the profile is not to say it.
    pub strategy: Option<StrategyRules>,
    /// The part of the sites that solvers work for.
    pub shard: Option<Shard>,
    /// Results of earlier runs.
    pub cache: Cache,
    /// Whether the program may be built and run by the system's compiler, shut in, where only time ends the search.
    pub compiled: bool,
    /// Threads.
    pub jobs: usize,
    /// Seed of the random choices.
    pub seed: u64,
    /// What the project has settled about findings.
    pub config: Config,
    /// An earlier report to compare with.
    pub earlier: Option<Earlier>,
    /// A change that findings must be touched by.
    pub change: Option<Change>,
}

impl Request {
    /// The default checks of these sources from `main`, with nothing kept.
    pub fn new(sources: Sources, profile: Profile) -> Request {
        Request {
            sources,
            profile,
            entry: "main".to_owned(),
            checks: CheckKind::defaults().collect(),
            rules: None,
            values: false,
            insight: false,
            summaries: None,
            strategy: None,
            shard: None,
            cache: Cache::default(),
            compiled: false,
            jobs: cores(),
            seed: 0,
            config: Config::default(),
            earlier: None,
            change: None,
        }
    }

    /// The same question of the program with these texts in the place of those on the disk; without rules and strategies of the user.
    pub fn with_edits(&self, edited: Vec<EditedText>) -> Request {
        let mut sources = self.sources.clone();
        sources.edited.retain(|text| edited.iter().all(|other| other.path != text.path));
        sources.edited.extend(edited);
        Request {
            entry: self.entry.clone(),
            checks: self.checks.clone(),
            values: self.values,
            cache: self.cache.clone(),
            jobs: self.jobs,
            seed: self.seed,
            config: self.config.clone(),
            ..Request::new(sources, self.profile.clone())
        }
    }

    /// Adds what engines' results depend on besides the program.
    pub fn add_options(&self, key: &mut KeyMaker) {
        let Request { entry, checks, values, jobs, seed, shard, profile, .. } = self;
        // More time changes only what was undecided for lack of it: the record tells.
        let run = WholeLimits { time: Duration::ZERO, ..profile.run.clone() };
        let profile = Profile { run, ..profile.clone() };
        let templates = self.summaries.as_ref().map(|rules| &rules.texts);
        let strategy = self.strategy.as_ref().map(|rules| &rules.texts);
        key.add(&(entry, checks, values, (templates, strategy), jobs, profile, seed, shard));
    }

    /// The time limit, in seconds.
    pub fn seconds(&self) -> f64 {
        self.profile.run.time.as_secs_f64()
    }
}
