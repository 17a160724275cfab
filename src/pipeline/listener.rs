//! Who hears what goes on while the pipeline works. It prints nothing itself.

use super::sources::Said;
use crate::engines::portfolio::Attempt;

/// What an edge of the program does with news from the pipeline. All of it may be passed over.
pub trait Listener: Send + Sync {
    /// What is going on, for people who wait: told again every few milliseconds.
    fn stage(&self, _doing: &str) {}

    /// Nothing of that is going on any more, or nobody waits for it.
    fn done(&self) {}

    /// Words for the user.
    fn tell(&self, _text: &str) {}

    /// Words for users who want to know more.
    fn remark(&self, _text: &str) {}

    /// What there is to say of the input; `failed`: nothing else will come of it.
    fn input(&self, _said: &Said<'_>, _failed: bool) {}

    /// An engine has ended its attempt at a property.
    fn attempt(&self, _attempt: Attempt) {}

    /// Whether the user wants it to end with what is known so far.
    fn is_interrupted(&self) -> bool {
        false
    }
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Listener for Nobody {}
