//! Where values lead. That of a part of an object is found when somebody asks and kept until the part changes: most objects of a state stay
//! as they are at most calls, and each call asks them all.

use super::bases::Bases;
use crate::domains::{BaseId, Int, Pointers, Value};
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

/// What values point to.
#[derive(Debug, Default)]
pub struct Targets {
    /// In order, each once.
    pub bases: Vec<BaseId>,
    /// Whether one may point to a function.
    pub has_functions: bool,
}

impl Targets {
    /// Whether one may point to `base`.
    pub fn has(&self, base: BaseId) -> bool {
        self.bases.binary_search(&base).is_ok()
    }
    fn of<'v>(values: impl Iterator<Item = &'v Value>) -> Targets {
        let mut all = Targets::default();
        for v in values {
            all.has_functions |= !v.pointers.functions().is_empty();
            all.bases.extend(v.pointers.targets().iter().map(|t| t.0));
        }
        all.bases.sort_unstable();
        all.bases.dedup();
        all
    }
}

/// The objects that a value points to, if it is a pointer to few of them.
pub fn objects(value: &Value) -> Option<&[(BaseId, Int)]> {
    const FEW: usize = 32;
    let pointers = &value.pointers;
    let plain = !value.undefined && !pointers.is_any() && pointers.functions().is_empty();
    let targets = Some(pointers.targets()).filter(|_| plain)?;
    (1..=FEW).contains(&targets.len()).then_some(targets)
}

/// What has values.
pub trait Valued {
    fn values(&self) -> impl Iterator<Item = &Value>;
}

/// A part of an object with its targets. Whoever may change the part has them forgotten.
#[derive(Clone, Debug, Default)]
pub struct Targeted<T> {
    part: T,
    targets: OnceLock<Arc<Targets>>,
}

impl<T: Valued> Targeted<T> {
    /// Where its values lead.
    pub fn targets(&self) -> &Targets {
        self.targets.get_or_init(|| Arc::new(Targets::of(self.part.values())))
    }
}

impl<T> From<T> for Targeted<T> {
    fn from(part: T) -> Self {
        Targeted { part, targets: OnceLock::new() }
    }
}

impl<T: PartialEq> PartialEq for Targeted<T> {
    fn eq(&self, other: &Self) -> bool {
        self.part == other.part
    }
}

impl<T> Deref for Targeted<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.part
    }
}

impl<T> DerefMut for Targeted<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.targets.take();
        &mut self.part
    }
}

/// Pointers with bases replaced.
pub fn renamed(pointers: &Pointers, to: &dyn Fn(BaseId) -> Option<BaseId>) -> Pointers {
    let mut all = pointers.clone();
    for &(b, _) in pointers.targets() {
        if let Some(new) = to(b) {
            all = all.rename(b, new);
        }
    }
    all
}

/// The object that a value points to for sure, and where.
pub(super) fn only_object(value: &Value) -> Option<(BaseId, Int)> {
    match objects(value).filter(|_| value.int.is_none())? {
        [one] => Some(*one),
        _ => None,
    }
}

/// Whether two pointers point into one object for sure.
pub(super) fn one_object(a: &Value, b: &Value, bases: &Bases) -> bool {
    only_object(a).zip(only_object(b)).is_some_and(|((x, _), (y, _))| x == y && !bases.is_summary(x))
}
