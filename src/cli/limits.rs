//! What a run may use, from options.

use super::args::{CacheArgs, LimitArgs, LspArgs};
use crate::pipeline::cache::Cache;
use crate::pipeline::{Preset, Profile};
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
