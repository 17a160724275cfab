//! Persistent maps from small integers, as binary tries with shared subtrees.
//!
//! Copies are constant time; joining and comparing two maps of common origin costs time in what differs, since shared
//! subtrees are passed over.
//! See: Okasaki, Gill, "Fast Mergeable Integer Maps".

use std::sync::Arc;

/// A map from `u64` to shared values.
#[derive(Debug)]
pub struct Tree<V> {
    root: Link<V>,
}

type Link<V> = Option<Arc<Node<V>>>;

#[derive(Debug)]
enum Node<V> {
    Leaf(u64, Arc<V>),
    /// All keys agree with `prefix` above `bit`; those with `bit` set are on the right.
    Branch {
        prefix: u64,
        bit: u64,
        left: Arc<Node<V>>,
        right: Arc<Node<V>>,
    },
}

impl<V> Clone for Tree<V> {
    fn clone(&self) -> Self {
        Tree { root: self.root.clone() }
    }
}

impl<V> Clone for Node<V> {
    fn clone(&self) -> Self {
        match self {
            Node::Leaf(key, value) => Node::Leaf(*key, value.clone()),
            Node::Branch { prefix, bit, left, right } => {
                Node::Branch { prefix: *prefix, bit: *bit, left: left.clone(), right: right.clone() }
            }
        }
    }
}

impl<V> Default for Tree<V> {
    fn default() -> Self {
        Tree { root: None }
    }
}

/// The bits of `key` above `bit`.
fn above(key: u64, bit: u64) -> u64 {
    key & !(bit | (bit - 1))
}

fn leaf<V>(key: u64, value: Arc<V>) -> Arc<Node<V>> {
    Arc::new(Node::Leaf(key, value))
}

/// Two subtrees whose keys differ first at one bit of `a ^ b`.
fn fork<V>(a: u64, left: Arc<Node<V>>, b: u64, right: Arc<Node<V>>) -> Arc<Node<V>> {
    let bit = 1 << (63 - (a ^ b).leading_zeros());
    let (left, right) = if a & bit == 0 { (left, right) } else { (right, left) };
    Arc::new(Node::Branch { prefix: above(a, bit), bit, left, right })
}

fn branch<V>(prefix: u64, bit: u64, left: Link<V>, right: Link<V>) -> Link<V> {
    match (left, right) {
        (Some(left), Some(right)) => Some(Arc::new(Node::Branch { prefix, bit, left, right })),
        (left, right) => left.or(right),
    }
}

/// How two values of one key combine; None removes the key.
type Combine<'f, V> = dyn FnMut(u64, Option<&Arc<V>>, Option<&Arc<V>>) -> Option<Arc<V>> + 'f;

/// What is done with two values of one key that are not the same; false ends the walk.
type Differ<'f, V> = dyn FnMut(u64, Option<&Arc<V>>, Option<&Arc<V>>) -> bool + 'f;

impl<V> Tree<V> {
    /// The value of `key`.
    pub fn get(&self, key: u64) -> Option<&Arc<V>> {
        let mut node = self.root.as_ref()?;
        loop {
            match &**node {
                Node::Leaf(k, v) => return (*k == key).then_some(v),
                Node::Branch { bit, left, right, .. } => node = if key & bit == 0 { left } else { right },
            }
        }
    }
    /// The value of `key`, to be changed; what other maps share of the way to it is copied.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut Arc<V>> {
        let mut node = self.root.as_mut()?;
        loop {
            match Arc::make_mut(node) {
                Node::Leaf(k, v) => return (*k == key).then_some(v),
                Node::Branch { bit, left, right, .. } => node = if key & *bit == 0 { left } else { right },
            }
        }
    }
    /// Sets the value of `key`; what other maps share of the way to it is copied.
    pub fn insert(&mut self, key: u64, value: Arc<V>) {
        match &mut self.root {
            None => self.root = Some(leaf(key, value)),
            Some(node) => insert(node, key, value),
        }
    }
    /// Removes `key`.
    pub fn remove(&mut self, key: u64) {
        if self.get(key).is_some() {
            self.root = self.root.take().and_then(|n| remove(&n, key));
        }
    }
    /// All entries by `combine`, except that equal shared parts are kept as they are.
    pub fn merge(&self, other: &Tree<V>, combine: &mut Combine<'_, V>) -> Tree<V> {
        Tree { root: merge(self.root.as_ref(), other.root.as_ref(), combine) }
    }
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }
    /// The entries with keys from `first` to `last`, both included, in order.
    pub fn range(&self, first: u64, last: u64) -> Range<'_, V> {
        Range { first, last, next: self.root.as_deref(), later: Vec::new() }
    }
    /// The values that `change` gives in the place of those there are; None: the old one.
    pub fn map(&self, change: &mut impl FnMut(u64, &Arc<V>) -> Option<Arc<V>>) -> Tree<V> {
        Tree { root: self.root.as_ref().map(|root| map(root, change)) }
    }
    /// Calls `visit` on every entry, in order of keys.
    pub fn each<'a>(&'a self, visit: &mut impl FnMut(u64, &'a Arc<V>)) {
        fn walk<'a, V>(node: &'a Arc<Node<V>>, visit: &mut impl FnMut(u64, &'a Arc<V>)) {
            match &**node {
                Node::Leaf(k, v) => visit(*k, v),
                Node::Branch { left, right, .. } => {
                    walk(left, visit);
                    walk(right, visit);
                }
            }
        }
        if let Some(root) = &self.root {
            walk(root, visit);
        }
    }
    /// Calls `differ` on the entries whose values are not one and the same; ends when it says false, and returns that.
    pub fn all_different(&self, other: &Tree<V>, differ: &mut Differ<'_, V>) -> bool {
        all_different(self.root.as_ref(), other.root.as_ref(), differ)
    }
}

/// Entries in order of keys.
#[derive(Debug)]
pub struct Range<'a, V> {
    first: u64,
    last: u64,
    next: Option<&'a Node<V>>,
    /// What comes behind it, the last first.
    later: Vec<&'a Node<V>>,
}

impl<'a, V> Iterator for Range<'a, V> {
    type Item = (u64, &'a Arc<V>);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(node) = self.next.take() {
            match node {
                Node::Leaf(k, v) => {
                    self.next = self.later.pop();
                    if (self.first..=self.last).contains(k) {
                        return Some((*k, v));
                    }
                }
                Node::Branch { prefix, bit, left, right } => {
                    let middle = prefix | bit;
                    match (self.first < middle && self.last >= *prefix, self.last >= middle) {
                        (true, true) => {
                            self.later.push(right);
                            self.next = Some(left);
                        }
                        (true, false) => self.next = Some(left),
                        (false, true) => self.next = Some(right),
                        (false, false) => self.next = self.later.pop(),
                    }
                }
            }
        }
        None
    }
}

fn map<V>(node: &Arc<Node<V>>, change: &mut impl FnMut(u64, &Arc<V>) -> Option<Arc<V>>) -> Arc<Node<V>> {
    match &**node {
        Node::Leaf(k, v) => change(*k, v).map_or_else(|| node.clone(), |new| leaf(*k, new)),
        Node::Branch { prefix, bit, left, right } => {
            let (l, r) = (map(left, change), map(right, change));
            if Arc::ptr_eq(&l, left) && Arc::ptr_eq(&r, right) {
                return node.clone();
            }
            Arc::new(Node::Branch { prefix: *prefix, bit: *bit, left: l, right: r })
        }
    }
}

fn insert<V>(node: &mut Arc<Node<V>>, key: u64, value: Arc<V>) {
    let apart = match &**node {
        Node::Leaf(k, _) => (*k != key).then_some(*k),
        Node::Branch { prefix, bit, .. } => (above(key, *bit) != *prefix).then_some(*prefix),
    };
    if let Some(prefix) = apart {
        *node = fork(key, leaf(key, value), prefix, node.clone());
        return;
    }
    match Arc::make_mut(node) {
        Node::Leaf(_, old) => *old = value,
        Node::Branch { bit, left, right, .. } => insert(if key & *bit == 0 { left } else { right }, key, value),
    }
}

fn remove<V>(node: &Arc<Node<V>>, key: u64) -> Link<V> {
    match &**node {
        Node::Leaf(k, _) => (*k != key).then(|| node.clone()),
        Node::Branch { prefix, bit, left, right } => {
            let (left, right) = if key & bit == 0 {
                (remove(left, key), Some(right.clone()))
            } else {
                (Some(left.clone()), remove(right, key))
            };
            branch(*prefix, *bit, left, right)
        }
    }
}

/// Two tries side by side: what the next step compares.
enum Step<'a, V> {
    Leaves(u64, Option<&'a Arc<V>>, Option<&'a Arc<V>>),
    /// Subtrees of one branch; on the way to `prefix` and `bit`.
    Both {
        prefix: u64,
        bit: u64,
        left: [Option<&'a Arc<Node<V>>>; 2],
        right: [Option<&'a Arc<Node<V>>>; 2],
    },
}

/// Takes apart two tries, not both empty.
fn step<'a, V>(a: Option<&'a Arc<Node<V>>>, b: Option<&'a Arc<Node<V>>>) -> Step<'a, V> {
    let place = |n: &Node<V>| match n {
        Node::Leaf(k, _) => (*k, 0),
        Node::Branch { prefix, bit, .. } => (*prefix, *bit),
    };
    let parts = a.map(|n| place(n)).into_iter().chain(b.map(|n| place(n)));
    let (first, second) = {
        let mut parts = parts;
        let first = parts.next().expect("one of the tries is not empty");
        (first, parts.next().unwrap_or(first))
    };
    // The highest bit at which anything forks: that of a branch, or where the prefixes differ.
    let apart = (first.0 ^ second.0).checked_ilog2().map_or(0, |i| 1u64 << i);
    let bit = first.1.max(second.1).max(if apart > first.1.max(second.1) { apart } else { 0 });
    if bit == 0 {
        let value = |n: Option<&'a Arc<Node<V>>>| match n.map(|n| &**n) {
            Some(Node::Leaf(_, v)) => Some(v),
            _ => None,
        };
        return Step::Leaves(first.0, value(a), value(b));
    }
    let halves = |n: Option<&'a Arc<Node<V>>>| match n {
        None => [None, None],
        Some(node) => match &**node {
            Node::Branch { bit: own, left, right, .. } if *own == bit => [Some(left), Some(right)],
            other if place(other).0 & bit == 0 => [Some(node), None],
            _ => [None, Some(node)],
        },
    };
    let ([al, ar], [bl, br]) = (halves(a), halves(b));
    Step::Both { prefix: above(first.0, bit), bit, left: [al, bl], right: [ar, br] }
}

fn merge<V>(a: Option<&Arc<Node<V>>>, b: Option<&Arc<Node<V>>>, combine: &mut Combine<'_, V>) -> Link<V> {
    match (a, b) {
        (None, None) => return None,
        (Some(x), Some(y)) if Arc::ptr_eq(x, y) => return Some(x.clone()),
        _ => {}
    }
    match step(a, b) {
        Step::Leaves(k, x, y) => {
            if let (Some(x), Some(y)) = (x, y)
                && Arc::ptr_eq(x, y)
            {
                return a.cloned();
            }
            let value = combine(k, x, y)?;
            // Keep the node when the value is the left one: the next comparison then passes over it.
            match x {
                Some(x) if Arc::ptr_eq(x, &value) => a.cloned(),
                _ => Some(leaf(k, value)),
            }
        }
        Step::Both { prefix, bit, left, right } => {
            let l = merge(left[0], left[1], combine);
            let r = merge(right[0], right[1], combine);
            if let Some(node) = a
                && let Node::Branch { bit: own, left, right, .. } = &**node
                && *own == bit
                && l.as_ref().is_some_and(|l| Arc::ptr_eq(l, left))
                && r.as_ref().is_some_and(|r| Arc::ptr_eq(r, right))
            {
                return Some(node.clone());
            }
            branch(prefix, bit, l, r)
        }
    }
}

fn all_different<V>(a: Option<&Arc<Node<V>>>, b: Option<&Arc<Node<V>>>, differ: &mut Differ<'_, V>) -> bool {
    match (a, b) {
        (None, None) => return true,
        (Some(x), Some(y)) if Arc::ptr_eq(x, y) => return true,
        _ => {}
    }
    match step(a, b) {
        Step::Leaves(_, Some(x), Some(y)) if Arc::ptr_eq(x, y) => true,
        Step::Leaves(k, x, y) => differ(k, x, y),
        Step::Both { left, right, .. } => {
            all_different(left[0], left[1], differ) && all_different(right[0], right[1], differ)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn tree(map: &BTreeMap<u64, i32>) -> Tree<i32> {
        let mut t = Tree::default();
        for (&k, &v) in map {
            t.insert(k, Arc::new(v));
        }
        t
    }
    fn map(t: &Tree<i32>) -> BTreeMap<u64, i32> {
        let mut m = BTreeMap::new();
        t.each(&mut |k, v| {
            m.insert(k, **v);
        });
        m
    }
    fn maps() -> impl Strategy<Value = BTreeMap<u64, i32>> {
        proptest::collection::btree_map(prop_oneof![0u64..40, any::<u64>()], 0i32..5, 0..30)
    }

    proptest! {
        #[test]
        fn it_is_the_ordered_map_of_the_same_operations(a in maps(), b in maps(), gone in proptest::collection::vec(0u64..40, 0..20)) {
            let (ta, tb) = (tree(&a), tree(&b));
            prop_assert_eq!(&map(&ta), &a);
            let merged = ta.merge(&tb, &mut |_, x, y| match (x, y) {
                (Some(x), Some(y)) => Some(Arc::new((**x).max(**y))),
                (x, y) => x.or(y).cloned(),
            });
            let mut wanted = a.clone();
            for (&k, &v) in &b {
                let e = wanted.entry(k).or_insert(v);
                *e = (*e).max(v);
            }
            prop_assert_eq!(&map(&merged), &wanted);
            for k in b.keys().chain(a.keys()) {
                prop_assert_eq!(merged.get(*k).map(|v| **v), wanted.get(k).copied());
            }
            let mut seen = BTreeMap::new();
            ta.all_different(&tb, &mut |k, x, y| {
                seen.insert(k, (x.map(|v| **v), y.map(|v| **v)));
                true
            });
            let all: BTreeMap<_, _> =
                a.keys().chain(b.keys()).map(|k| (*k, (a.get(k).copied(), b.get(k).copied()))).collect();
            prop_assert_eq!(seen, all);
            let (first, last) = (gone.first().copied().unwrap_or(0), gone.last().copied().unwrap_or(u64::MAX));
            let within: Vec<_> = ta.range(first, last).map(|(k, v)| (k, **v)).collect();
            let wanted: Vec<_> = a.iter().filter(|(k, _)| (first..=last).contains(*k)).map(|(k, v)| (*k, *v)).collect();
            prop_assert_eq!(within, wanted);
            let less = ta.map(&mut |k, v| (k % 2 == 0).then(|| Arc::new(**v - 1)));
            let wanted = a.iter().map(|(k, v)| (*k, v - i32::from(k % 2 == 0))).collect();
            prop_assert_eq!(map(&less), wanted);
            let (mut less, mut t) = (a.clone(), ta.clone());
            for k in gone {
                less.remove(&k);
                t.remove(k);
            }
            prop_assert_eq!(map(&t), less);
            prop_assert_eq!(map(&ta), a);
        }

        #[test]
        fn maps_of_common_origin_differ_only_where_changed(a in maps(), key in any::<u64>()) {
            let t = tree(&a);
            let mut u = t.clone();
            u.insert(key, Arc::new(9));
            let mut seen = Vec::new();
            t.all_different(&u, &mut |k, _, _| {
                seen.push(k);
                true
            });
            prop_assert_eq!(seen, vec![key]);
            let joined = t.merge(&t.clone(), &mut |_, _, _| None);
            prop_assert!(joined.all_different(&t, &mut |_, _, _| false));
        }
    }
}
