//! What is going on, for people who wait: on standard error, and as it changes only when that is a terminal.

use super::input::tell_about_input;
use super::interrupt;
use super::output::tell;
use crate::pipeline::Listener;
use crate::pipeline::sources::Said;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

/// A line that names what is going on, until it is done; above it, what there is to say.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    verbose: bool,
    quiet: bool,
}

impl Progress {
    /// Says little when `quiet`, and more when `verbose`.
    pub fn new(quiet: bool, verbose: bool) -> Progress {
        let mut progress = Progress::without_line(verbose);
        progress.quiet = quiet;
        if !quiet && std::io::stderr().is_terminal() {
            let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
            progress.bar.set_draw_target(ProgressDrawTarget::stderr());
            progress.bar.set_style(style.expect("the template is well formed"));
            progress.bar.enable_steady_tick(Duration::from_millis(120));
        }
        progress
    }

    /// Says what there is to say, but not what is going on.
    pub fn without_line(verbose: bool) -> Progress {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Progress { bar, verbose, quiet: false }
    }
}

impl Listener for Progress {
    fn stage(&self, doing: &str) {
        self.bar.set_message(doing.to_owned());
    }

    fn done(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, text: &str) {
        self.bar.suspend(|| tell(text));
    }

    fn remark(&self, text: &str) {
        if self.verbose {
            self.tell(text);
        }
    }

    fn input(&self, said: &Said<'_>, failed: bool) {
        if failed || !self.quiet {
            self.bar.suspend(|| tell_about_input(said, self.verbose));
        }
    }

    fn is_interrupted(&self) -> bool {
        interrupt::watch();
        interrupt::raised()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.done();
    }
}
