//! The contracts that hold for a program.

use super::clause::{Clause, built_in};
use std::collections::BTreeMap;

impl Clause {
    /// Whether it says what the function gives.
    pub fn gives(self) -> bool {
        use Clause::*;
        matches!(
            self,
            GivesBlock { .. }
                | GivesArray { .. }
                | ResizesBlock { .. }
                | LendsBlock { .. }
                | GivesBetween { .. }
                | GivesError
                | GivesNumber
                | GivesText { .. }
                | GivesObject
                | GivesArgument { .. }
        )
    }
}

/// Contracts by the names of functions: those that are built in, and those of the user, which count instead of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Contracts {
    users: BTreeMap<String, Vec<Clause>>,
}

impl Contracts {
    /// Adds to what the user says of a function. A clause that is there already is not added again.
    pub fn add(&mut self, function: &str, clause: Clause) {
        let clauses = self.users.entry(function.to_owned()).or_default();
        if !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }

    /// Takes back what the user says of a function, as far as it is `wrong`.
    pub fn forget(&mut self, function: &str, wrong: impl Fn(Clause) -> bool) {
        if let Some(clauses) = self.users.get_mut(function) {
            clauses.retain(|clause| !wrong(*clause));
        }
    }

    /// What is known of a function; nothing of one that has no contract.
    pub fn of(&self, function: &str) -> &[Clause] {
        self.of_user(function).unwrap_or_else(|| built_in(function))
    }

    /// What the user says of a function; None of one that the user does not name.
    pub fn of_user(&self, function: &str) -> Option<&[Clause]> {
        self.users.get(function).map(Vec::as_slice)
    }

    /// The functions that the user names, sorted, with what the user says of them.
    pub fn users(&self) -> impl Iterator<Item = (&str, &[Clause])> {
        self.users.iter().map(|(name, clauses)| (name.as_str(), clauses.as_slice()))
    }
}
