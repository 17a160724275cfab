//! What a run may use, from options.

use super::args::{CacheArgs, CheckArgs, Effort, LimitArgs, LspArgs};
use crate::pipeline::cache::Cache;
use crate::pipeline::sources::Sources;
use crate::pipeline::{Preset, Profile, Request};
use std::time::Duration;

impl LimitArgs {
    /// The bounds of a run: those of `preset`, where no option says otherwise.
    pub fn profile(&self, preset: Preset) -> Profile {
        let mut profile = preset.profile();
        if let Some(seconds) = self.time_limit {
            profile.run.time = Duration::from_secs_f64(seconds);
        }
        profile.run.memory = self.memory_limit.or(profile.run.memory);
        profile
    }

    /// The same of a command that knows no others.
    pub fn default_profile(&self) -> Profile {
        self.profile(Preset::Default)
    }

    /// The default checks of these sources, with so many threads, this seed and these earlier results.
    pub fn request(&self, sources: Sources, profile: Profile, cache: &CacheArgs) -> Request {
        Request { cache: cache.cache(), jobs: self.jobs, seed: self.seed, ..Request::new(sources, profile) }
    }
}

impl CheckArgs {
    /// The bounds of a check.
    pub fn bounds(&self) -> Profile {
        let mut profile = self.limits.profile(self.profile);
        let Some(effort) = self.effort else { return profile };
        profile.search = match effort {
            Effort::Counted(statements) => profile.search.with_effort(statements),
            Effort::Limit => profile.search.without_limit(),
        };
        profile
    }
}

impl CacheArgs {
    /// Where earlier results are.
    pub fn cache(&self) -> Cache {
        if self.no_cache { Cache::default() } else { Cache::in_folder(self.cache.clone()) }
    }
}

impl LspArgs {
    /// What the server is told.
    pub fn options(&self) -> crate::lsp::Options {
        crate::lsp::Options { build_dir: self.build_dir.clone(), time_limit: Duration::from_secs_f64(self.time_limit) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::args::{Cli, Command};
    use clap::Parser;

    fn profile(words: &[&str]) -> Profile {
        let words = ["cellog", "check", "a.c"].iter().chain(words);
        let Command::Check(args) = Cli::try_parse_from(words).expect("it parses").command else { panic!("not check") };
        args.bounds()
    }

    #[test]
    fn options_replace_what_a_profile_says() {
        assert_eq!(profile(&[]), Profile::default());
        assert_eq!(profile(&["--profile", "quick"]), Preset::Quick.profile());
        let limited = profile(&["--profile", "quick", "--time-limit", "90", "--memory-limit", "512"]);
        let mut expected = Preset::Quick.profile();
        (expected.run.time, expected.run.memory) = (Duration::from_secs(90), Some(512));
        assert_eq!(limited, expected);
        assert!(Cli::try_parse_from(["cellog", "check", "a.c", "--profile", "fast"]).is_err());
    }

    #[test]
    fn effort_is_what_runs_may_try() {
        let usual = Profile::default().search;
        let tripled = profile(&["--effort", "300"]).search;
        assert_eq!(tripled.statements_for_goals, 300_000_000);
        assert_eq!(tripled.patience_for_goals, 3 * usual.patience_for_goals);
        assert_eq!(profile(&["--effort", "0"]).search.statements_for_goals, 0);
        assert_eq!(profile(&["--effort", "limit"]).search.statements_for_goals, u64::MAX);
        assert!(Cli::try_parse_from(["cellog", "check", "a.c", "--effort", "much"]).is_err());
    }
}
