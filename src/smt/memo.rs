//! What the terms of one pool were translated to, each once.

use super::error::{Result, SmtError};
use super::op::Term;
use super::pool::TermPool;

/// Translations of type `T`, by term.
pub(super) struct Memo<T> {
    pool: Option<u64>,
    /// By term number.
    known: Vec<Option<T>>,
}

impl<T> Default for Memo<T> {
    fn default() -> Self {
        Memo { pool: None, known: Vec::new() }
    }
}

impl<T: Clone> Memo<T> {
    /// The translation of `term`, when it has one already.
    pub fn known(&self, term: Term) -> Option<&T> {
        self.known.get(term.0 as usize)?.as_ref()
    }

    /// The translation of `term`: what `apply` makes of it and of its arguments' translations.
    ///
    /// # Errors
    /// A term of another pool than the first one's; what `apply` says.
    pub fn term(&mut self, pool: &TermPool, term: Term, mut apply: impl FnMut(Term, &[T]) -> Result<T>) -> Result<T> {
        if *self.pool.get_or_insert(pool.id()) != pool.id() {
            return Err(SmtError::ForeignPool);
        }
        if self.known.len() < pool.len() {
            self.known.resize(pool.len(), None);
        }
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.known(next).is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            open.extend(pool.args(next).iter().filter(|&&arg| self.known(arg).is_none()));
            if open.len() == before {
                let args: Vec<T> = pool.args(next).iter().filter_map(|&a| self.known(a).cloned()).collect();
                self.known[next.0 as usize] = Some(apply(next, &args)?);
                open.pop();
            }
        }
        Ok(self.known(term).cloned().expect("the term was translated in the loop above"))
    }
}
