//! The least value around many.

use super::value::Value;

/// Values with more targets than this are joined pairwise.
const MANY: usize = 64;

/// The least value around those that were added. Those with many targets are joined pairwise: in turn, `n` of them with a target each would cost n² steps.
#[derive(Debug, Default)]
pub struct Hull {
    all: Value,
    /// With how many values each is joined of: fewer from one to the next.
    aside: Vec<(usize, Value)>,
}

impl Hull {
    /// Around one value.
    pub fn of(all: Value) -> Hull {
        Hull { all, aside: Vec::new() }
    }

    /// Around one more.
    pub fn add(&mut self, one: Value) {
        if one.leq(&self.all) {
            return;
        }
        if self.all.pointers.targets().len() < MANY || one.pointers.targets().is_empty() {
            self.all = self.all.join(&one);
            return;
        }
        let mut last = (1, one);
        while let Some((count, value)) = self.aside.pop_if(|(count, _)| *count <= last.0) {
            last = (count + last.0, value.join(&last.1));
        }
        self.aside.push(last);
    }

    /// Whether one of them may be indeterminate.
    pub fn undefined(&self) -> bool {
        self.all.undefined || self.aside.iter().any(|(_, value)| value.undefined)
    }

    /// The least value around all.
    pub fn value(self) -> Value {
        let rest = self.aside.into_iter().rev().map(|(_, value)| value).reduce(|all, value| value.join(&all));
        match rest {
            Some(rest) => self.all.join(&rest),
            None => self.all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Idx;
    use crate::domains::{BaseId, Int, Pointers};

    #[test]
    fn a_hull_is_the_join_whatever_the_number_and_order_of_targets() {
        for count in [1, 2, 63, 64, 65, 200, 777] {
            let value = |k: usize| match k % 7 {
                0 => Value::int(Int::constant(k as i128)),
                _ => Value::pointers(Pointers::to(BaseId::new(k * 37 % 500), Int::constant((k % 3) as i128))),
            };
            let (mut hull, mut all) = (Hull::default(), Value::bottom());
            for k in 0..count {
                let one = Value { undefined: k == 150, ..value(k) };
                hull.add(one.clone());
                all = all.join(&one);
                assert_eq!(hull.undefined(), all.undefined);
            }
            assert_eq!(hull.value(), all, "{count}");
        }
    }
}
