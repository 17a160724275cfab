//! What is going on, for people who wait: on standard error, only when that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A line that names the stage at work; it vanishes when dropped.
#[derive(Debug)]
pub struct Progress(ProgressBar);

impl Progress {
    /// Hidden when `quiet` or when standard error is no terminal.
    pub fn new(quiet: bool) -> Progress {
        let hidden = quiet || !std::io::stderr().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        if !hidden {
            let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
            bar.set_style(style.expect("the template is well formed"));
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Progress(bar)
    }
    /// Another stage begins.
    pub fn stage(&self, name: &str) {
        self.0.set_message(name.to_owned());
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
