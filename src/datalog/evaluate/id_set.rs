//! Sets of dense ids: a few in place, many in a shared compressed bitmap. Cloning never copies elements.
//!
//! See: D. Lemire, O. Kaser, N. Kurz et al., Roaring bitmaps: implementation of an optimized software library.
use roaring::RoaringBitmap;
use std::sync::Arc;

/// So many ids are kept in place.
const FEW: usize = 6;

/// A set of `u32`.
#[derive(Clone, Debug)]
pub enum IdSet {
    /// The first `count` of `ids`, ascending.
    Few {
        count: u8,
        ids: [u32; FEW],
    },
    Many(Arc<RoaringBitmap>),
}

impl Default for IdSet {
    fn default() -> IdSet {
        IdSet::Few { count: 0, ids: [0; FEW] }
    }
}

impl IdSet {
    pub fn new() -> IdSet {
        IdSet::default()
    }

    fn few(&self) -> Option<&[u32]> {
        match self {
            IdSet::Few { count, ids } => Some(&ids[..usize::from(*count)]),
            IdSet::Many(_) => None,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.few().is_some_and(<[u32]>::is_empty)
    }

    pub fn len(&self) -> usize {
        match self {
            IdSet::Few { count, .. } => usize::from(*count),
            IdSet::Many(bitmap) => usize::try_from(bitmap.len()).unwrap_or(usize::MAX),
        }
    }

    pub fn contains(&self, id: u32) -> bool {
        match self {
            IdSet::Few { .. } => self.few().is_some_and(|few| few.contains(&id)),
            IdSet::Many(bitmap) => bitmap.contains(id),
        }
    }

    /// Adds an id; was it new?
    pub fn insert(&mut self, id: u32) -> bool {
        match self {
            IdSet::Few { count, ids } => {
                let length = usize::from(*count);
                let Err(at) = ids[..length].binary_search(&id) else { return false };
                if length < FEW {
                    ids.copy_within(at..length, at + 1);
                    ids[at] = id;
                    *count += 1;
                } else {
                    let mut bitmap: RoaringBitmap = ids.iter().copied().collect();
                    bitmap.insert(id);
                    *self = IdSet::Many(Arc::new(bitmap));
                }
                true
            }
            IdSet::Many(bitmap) => {
                if Arc::get_mut(bitmap).is_none() && bitmap.contains(id) {
                    return false;
                }
                Arc::make_mut(bitmap).insert(id)
            }
        }
    }

    /// Equal for equal sets, and mostly different for others.
    pub fn fingerprint(&self) -> [usize; 4] {
        match self {
            IdSet::Few { count, ids } => {
                let id = |at: usize| ids[at.min(usize::from(*count).saturating_sub(1))] as usize;
                [usize::from(*count), id(0), id(1), id(FEW)]
            }
            IdSet::Many(bitmap) => {
                let id = |id: Option<u32>| id.map_or(0, |id| id as usize);
                let middle = u32::try_from(bitmap.len() / 2).unwrap_or(0);
                [self.len(), id(bitmap.min()), id(bitmap.select(middle)), id(bitmap.max())]
            }
        }
    }

    /// Ascending.
    pub fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            IdSet::Few { count, ids } => Box::new(ids[..usize::from(*count)].iter().copied()),
            IdSet::Many(bitmap) => Box::new(bitmap.iter()),
        }
    }

    /// Calls `visit` for every id, ascending.
    pub fn for_each(&self, mut visit: impl FnMut(u32)) {
        match self {
            IdSet::Few { count, ids } => ids[..usize::from(*count)].iter().for_each(|id| visit(*id)),
            IdSet::Many(bitmap) => bitmap.iter().for_each(visit),
        }
    }

    pub fn is_subset(&self, other: &IdSet) -> bool {
        match (self, other) {
            (IdSet::Few { .. }, _) => self.few().is_some_and(|few| few.iter().all(|id| other.contains(*id))),
            (IdSet::Many(_), IdSet::Few { .. }) => false,
            (IdSet::Many(left), IdSet::Many(right)) => Arc::ptr_eq(left, right) || left.is_subset(right),
        }
    }

    /// Adds all of `other`; did anything change? Equal results share one bitmap.
    pub fn union_with(&mut self, other: &IdSet) -> bool {
        if other.is_empty() {
            return false;
        }
        if self.is_empty() {
            *self = other.clone();
            return true;
        }
        if let Some(few) = other.few() {
            let mut changed = false;
            for id in few {
                changed |= self.insert(*id);
            }
            return changed;
        }
        let IdSet::Many(added) = other else { return false };
        match self {
            IdSet::Few { .. } => {
                let mut result = other.clone();
                self.for_each(|id| {
                    result.insert(id);
                });
                *self = result;
                true
            }
            IdSet::Many(own) => {
                if Arc::ptr_eq(own, added) || added.is_subset(own) {
                    return false;
                }
                if own.is_subset(added) {
                    *own = added.clone();
                } else {
                    *Arc::make_mut(own) |= &**added;
                }
                true
            }
        }
    }

    /// The ids of `self` that are not in `other`.
    pub fn minus(&self, other: &IdSet) -> IdSet {
        if other.is_empty() {
            return self.clone();
        }
        match (self, other) {
            (IdSet::Many(left), IdSet::Many(right)) => {
                if Arc::ptr_eq(left, right) {
                    return IdSet::new();
                }
                IdSet::from_bitmap(&**left - &**right)
            }
            (IdSet::Many(left), IdSet::Few { .. }) => {
                if other.few().is_some_and(|few| few.iter().all(|id| !left.contains(*id))) {
                    return self.clone();
                }
                let mut bitmap = (**left).clone();
                other.for_each(|id| {
                    bitmap.remove(id);
                });
                IdSet::from_bitmap(bitmap)
            }
            (IdSet::Few { .. }, _) => self.iter().filter(|id| !other.contains(*id)).collect(),
        }
    }

    /// The ids in both.
    pub fn intersection(&self, other: &IdSet) -> IdSet {
        match (self, other) {
            (IdSet::Many(left), IdSet::Many(right)) => {
                if Arc::ptr_eq(left, right) {
                    return self.clone();
                }
                IdSet::from_bitmap(&**left & &**right)
            }
            (IdSet::Few { .. }, _) => self.iter().filter(|id| other.contains(*id)).collect(),
            (_, IdSet::Few { .. }) => other.intersection(self),
        }
    }

    /// The set of ids that ascend.
    pub fn from_ascending(ids: &[u32]) -> IdSet {
        if ids.len() <= FEW {
            return ids.iter().copied().collect();
        }
        let bitmap = RoaringBitmap::from_sorted_iter(ids.iter().copied()).expect("ids ascend");
        IdSet::Many(Arc::new(bitmap))
    }

    fn from_bitmap(bitmap: RoaringBitmap) -> IdSet {
        if bitmap.len() <= FEW as u64 { bitmap.iter().collect() } else { IdSet::Many(Arc::new(bitmap)) }
    }
}

impl PartialEq for IdSet {
    fn eq(&self, other: &IdSet) -> bool {
        self.len() == other.len() && self.is_subset(other)
    }
}

impl Eq for IdSet {}

impl std::hash::Hash for IdSet {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.fingerprint().hash(state);
    }
}

impl FromIterator<u32> for IdSet {
    fn from_iter<I: IntoIterator<Item = u32>>(ids: I) -> IdSet {
        let mut set = IdSet::new();
        for id in ids {
            set.insert(id);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn ids() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(prop_oneof![0..20u32, 65_530..65_545u32], 0..15)
    }

    proptest! {
        #[test]
        fn operations_agree_with_plain_sets(left in ids(), right in ids()) {
            let (l, r): (IdSet, IdSet) = (left.iter().copied().collect(), right.iter().copied().collect());
            let plain = |set: &IdSet| set.iter().collect::<BTreeSet<u32>>();
            prop_assert_eq!(plain(&l.minus(&r)), &left - &right);
            prop_assert_eq!(plain(&l.intersection(&r)), &left & &right);
            prop_assert_eq!(l.is_subset(&r), left.is_subset(&right));
            prop_assert_eq!(l == r, left == right);
            let mut union = l.clone();
            prop_assert_eq!(union.union_with(&r), !right.is_subset(&left));
            prop_assert_eq!(plain(&union), &left | &right);
            prop_assert_eq!(union.len(), (&left | &right).len());
            prop_assert_eq!(plain(&l), left);
        }
    }
}
