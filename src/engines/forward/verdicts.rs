//! What the analysis says of each check site, joined over all states that come to it.

use super::judge::Judgement;
use crate::base::{IndexVec, Span};
use crate::ir::{CallId, CheckKind, FuncId, Program, SiteId};
use crate::verdict::{Doubt, Reason};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// What is known of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SiteVerdict {
    /// No state that comes here fails; what is known in the last one that was judged.
    Safe(String),
    /// Some abstract state may fail: which. `always`: none of them may pass. `unfollowed`: where none does that was followed from the
    /// entry, why there are others.
    /// `doubt`: the same state in words of C.
    Possible { state: String, always: bool, unfollowed: Option<Unfollowed>, doubt: Option<Doubt> },
    /// No state comes here.
    Unreachable,
    /// Not decided: why.
    Unknown(Reason),
}

/// Why a function also runs from states that are not followed, and so from any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unfollowed {
    pub reason: Reason,
    /// The call that is not followed, if it is one.
    pub call: Option<CallId>,
}

/// A site's judgements joined.
#[derive(Clone, Debug)]
struct Joined {
    may_fail: bool,
    may_pass: bool,
    /// Of those that may fail, none was followed from the entry: why there are others.
    unfollowed: Option<Unfollowed>,
    /// Of the first state that may fail, else of the last one.
    text: String,
    /// Why the first state that may fail does.
    doubt: Option<Doubt>,
    /// How many states were judged.
    states: u32,
}

/// The verdicts of all sites.
#[derive(Debug)]
pub struct Verdicts {
    sites: IndexVec<SiteId, Option<Joined>>,
    /// Where control comes to an assertion whose check stands apart from it.
    asserted: FxHashSet<Span>,
    /// Why a function is not covered by the states analysed.
    lost: IndexVec<FuncId, Option<Reason>>,
}

impl Verdicts {
    /// Nothing judged.
    pub fn new(program: &Program) -> Verdicts {
        Verdicts {
            sites: IndexVec::from_elem(None, program.sites.len()),
            asserted: FxHashSet::default(),
            lost: IndexVec::from_elem(None, program.functions.len()),
        }
    }
    /// Notes that control comes to the assertion at `span`.
    pub fn begin_assertion(&mut self, span: Span) {
        self.asserted.insert(span);
    }
    /// Joins one judgement; `unfollowed`: why its state is any that there may be, where it was not followed from the entry.
    /// `doubt`: why it may fail, of the first that may.
    pub fn record(&mut self, j: Judgement, unfollowed: Option<&Unfollowed>, doubt: Option<Doubt>) {
        let unfollowed = unfollowed.filter(|_| j.may_fail);
        match &mut self.sites[j.site] {
            Some(old) => {
                if !old.may_fail {
                    old.text = j.text;
                    old.doubt = doubt;
                    old.unfollowed = unfollowed.cloned();
                } else if j.may_fail && unfollowed.is_none() {
                    old.unfollowed = None;
                }
                old.states = old.states.saturating_add(1);
                old.may_fail |= j.may_fail;
                old.may_pass |= j.may_pass;
            }
            none => {
                let Judgement { may_fail, may_pass, text, .. } = j;
                let unfollowed = unfollowed.cloned();
                *none = Some(Joined { may_fail, may_pass, unfollowed, text, doubt, states: 1 });
            }
        }
    }
    /// Whether a state that may fail has been judged.
    pub fn may_fail(&self, site: SiteId) -> bool {
        self.sites[site].as_ref().is_some_and(|joined| joined.may_fail)
    }
    /// Notes that functions run from states that are not analysed.
    pub fn lose(&mut self, functions: Vec<FuncId>, reason: &Reason) {
        for f in functions {
            self.lost[f].get_or_insert_with(|| reason.clone());
        }
    }
    /// Why `f` is not covered, if it is not.
    pub fn lost(&self, f: FuncId) -> Option<&Reason> {
        self.lost[f].as_ref()
    }
    /// The verdict on each site. `aborted`: why nothing at all is covered.
    pub fn finish(&self, program: &Program, aborted: Option<&Reason>) -> IndexVec<SiteId, SiteVerdict> {
        let is_assertion = |id: SiteId| program.sites[id].kind == CheckKind::Assertion;
        let verdict = |id: SiteId| {
            let lost = aborted.or(self.lost(program.sites[id].function));
            match (&self.sites[id], lost) {
                (Some(j), _) if j.may_fail => {
                    let (state, unfollowed, doubt) = (j.text.clone(), j.unfollowed.clone(), j.doubt.clone());
                    SiteVerdict::Possible { state, always: !j.may_pass && lost.is_none(), unfollowed, doubt }
                }
                (_, Some(reason)) => SiteVerdict::Unknown(reason.clone()),
                (Some(j), None) if j.states > 1 => {
                    SiteVerdict::Safe(format!("{} in the last of {} states", j.text, j.states))
                }
                (Some(j), None) => SiteVerdict::Safe(j.text.clone()),
                (None, None) if self.asserted.contains(&program.sites[id].span) && is_assertion(id) => {
                    SiteVerdict::Safe("the condition is not 0".to_owned())
                }
                (None, None) => SiteVerdict::Unreachable,
            }
        };
        self.sites.indices().map(verdict).collect()
    }
}
