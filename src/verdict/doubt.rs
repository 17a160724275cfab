//! Why a proof fails at a site, in words of C: for people, beside the exact state that the verdict has.

use super::Location;
use serde::{Deserialize, Serialize};

/// What of a state lets a check fail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Doubt {
    pub sort: DoubtSort,
    pub grip: Grip,
    /// What is in doubt, as C or a library function names it: "`p->next` in main", "malloc".
    pub thing: String,
    /// Where the block that is in doubt was allocated, if it is one.
    pub at: Option<Location>,
    /// What may be there: "between 0 and 10". Blocks are named as in "the block of malloc at line 3".
    pub words: String,
    /// What is to be said besides.
    pub more: String,
}

/// What a doubt is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DoubtSort {
    /// A pointer is NULL where an allocation fails.
    Allocation,
    /// A pointer may be NULL, or NULL and some bytes.
    Null,
    /// Nothing is known of where a pointer leads.
    Wild,
    /// An object may be gone.
    Ended,
    /// An access may lie outside of its object.
    Outside,
    /// No end of a string is known.
    Endless,
    /// Something may have no value.
    Unset,
    /// A number may be too large, too small or 0.
    Number,
    /// Pointers may be to different objects.
    Apart,
    /// A condition may not hold.
    Condition,
}

/// How much is known of what is in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Grip {
    /// What errs lies close to what does not: it is likely to be there.
    Close,
    /// It comes from outside of the program.
    Input,
    /// Hardly anything is known, so that what errs may be there for want of knowledge alone.
    Loose,
}

impl DoubtSort {
    /// The name in relations.
    pub fn name(self) -> &'static str {
        match self {
            DoubtSort::Allocation => "allocation",
            DoubtSort::Null => "null",
            DoubtSort::Wild => "wild",
            DoubtSort::Ended => "ended",
            DoubtSort::Outside => "outside",
            DoubtSort::Endless => "endless",
            DoubtSort::Unset => "unset",
            DoubtSort::Number => "number",
            DoubtSort::Apart => "apart",
            DoubtSort::Condition => "condition",
        }
    }
}

impl Grip {
    /// The name in relations.
    pub fn name(self) -> &'static str {
        match self {
            Grip::Close => "close",
            Grip::Input => "input",
            Grip::Loose => "loose",
        }
    }
}

impl Doubt {
    /// What is in doubt as a clause: the same for all sites that are open because of it.
    pub fn cause(&self) -> String {
        let thing = match &self.at {
            Some(at) => format!("{} at {}:{}", self.thing, at.file, at.line),
            None => self.thing.clone(),
        };
        match self.sort {
            DoubtSort::Allocation => format!("{thing} can fail"),
            DoubtSort::Null => format!("{thing} may be NULL"),
            DoubtSort::Wild => format!("where {thing} points is not known"),
            DoubtSort::Ended => format!("{thing} may be gone"),
            DoubtSort::Outside => format!("an access may lie outside of {thing}"),
            DoubtSort::Endless => format!("no end of the string in {thing} is known"),
            DoubtSort::Unset => format!("{thing} may have no value"),
            DoubtSort::Number => format!("{thing} may be too large or too small"),
            DoubtSort::Apart => format!("{thing} may point to different objects"),
            DoubtSort::Condition => format!("{thing} may not hold"),
        }
    }

    /// What may be at the site, in a file named `home`.
    pub fn words(&self, home: &str) -> String {
        let words = match (&self.sort, &self.at) {
            (DoubtSort::Allocation, Some(at)) if at.file == home => {
                format!("may be NULL: {} at line {} can fail", self.thing, at.line)
            }
            (DoubtSort::Allocation, _) => format!("may be NULL: {}", self.cause()),
            _ => self.words.clone(),
        };
        if self.more.is_empty() { words } else { format!("{words}; {}", self.more) }
    }

    /// Adds something that is to be said besides.
    pub fn add(&mut self, more: &str) {
        if !self.more.is_empty() {
            self.more.push_str("; ");
        }
        self.more.push_str(more);
    }
}

/// Where an open finding stands among the others, as `rules/verdict/rank.dl` says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Rank {
    /// The lower, the earlier it is worth a look.
    pub rank: i64,
    /// What keeps it open, as a clause that others may share.
    pub cause: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_is_told_with_its_line_and_its_file_where_that_is_another() {
        let at = Some(Location { file: "a.c".into(), line: 40, column: 9 });
        let (sort, grip) = (DoubtSort::Allocation, Grip::Close);
        let doubt = Doubt { sort, grip, thing: "malloc".into(), at, words: String::new(), more: String::new() };
        assert_eq!(doubt.words("a.c"), "may be NULL: malloc at line 40 can fail");
        assert_eq!(doubt.words("b.c"), "may be NULL: malloc at a.c:40 can fail");
        assert_eq!(doubt.cause(), "malloc at a.c:40 can fail");
    }
}
