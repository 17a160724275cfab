//! What the server is told when it starts.

use std::path::PathBuf;
use std::time::Duration;

/// The options of the server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folder with a `compile_commands.json`, instead of the nearest.
    pub build_dir: Option<PathBuf>,
    /// For each analysis.
    pub time_limit: Duration,
}
