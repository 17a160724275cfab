//! What a failing run needs that hardly ever happens.

use super::phrase::{InputRole, role};
use super::{Failure, InputBox, InputValue};

/// Something that hardly ever happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// An allocation fails.
    Allocation,
    /// The program is started without arguments, not even its name.
    Arguments,
}

impl Need {
    /// All that `failure` needs, each once.
    pub fn of(failure: &Failure) -> Vec<Need> {
        let mut needs: Vec<Need> = failure.precondition.iter().filter(|i| !i.any).filter_map(Need::to_have).collect();
        needs.sort();
        needs.dedup();
        needs
    }

    /// What is needed for an input to have its values.
    fn to_have(input: &InputBox) -> Option<Need> {
        let InputValue::Int { low, high } = input.value else { return None };
        match role(&input.input) {
            InputRole::Fails { .. } if low == high && low != 0 => Some(Need::Allocation),
            InputRole::Argument if input.input == "argc" && high <= 0 => Some(Need::Arguments),
            _ => None,
        }
    }

    /// The name in relations.
    pub fn name(self) -> &'static str {
        match self {
            Need::Allocation => "allocation",
            Need::Arguments => "arguments",
        }
    }

    /// The same as a clause.
    pub fn clause(self) -> &'static str {
        match self {
            Need::Allocation => "an allocation fails",
            Need::Arguments => "argc is 0",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Location;

    fn needs(inputs: &[(&str, i128, i128)]) -> Vec<Need> {
        let input = |&(name, low, high): &(&str, i128, i128)| InputBox {
            input: name.into(),
            location: Location { file: "a.c".into(), line: 8, column: 3 },
            occurrence: 1,
            value: InputValue::Int { low, high },
            point: None,
            any: false,
        };
        Need::of(&Failure { precondition: inputs.iter().map(input).collect(), ..Failure::default() })
    }

    #[test]
    fn allocations_that_fail_and_missing_arguments_are_needed_by_few_runs() {
        assert_eq!(needs(&[("malloc() fails", 1, 1), ("realloc() fails", 1, 1)]), [Need::Allocation]);
        assert_eq!(needs(&[("malloc() fails", 0, 0), ("rand()", 1, 1)]), []);
        assert_eq!(needs(&[("malloc() fails", 0, 1)]), []);
        assert_eq!(needs(&[("argc", 0, 0)]), [Need::Arguments]);
        assert_eq!(needs(&[("argc", 1, 1), ("fgets() succeeds", 0, 0)]), []);
    }
}
