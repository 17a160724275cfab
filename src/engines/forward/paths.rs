//! What accesses that went well say of pointers, and of the memory behind those of which nobody knows where they lead.
//!
//! A pointer is named by an access path: the cell that it stands in, or a cell and then, again and again, bytes behind what stands
//! there. What is known of it holds if it is the address of an object: that this lives, which bytes around the pointer are its own, and
//! what it holds. Memory has one path or many; a write through one ends what is said of memory behind all others whose pointers may
//! lead there, by the relations.
//!
//! Bytes behind a pointer are counted from the pointer on, or from where the multiple of an index leads: `p[i].count` is four bytes at
//! `16 * i + 0`, say. What is said with an index ends when the index is written. A path may also start at an array that is a variable.
//!
//! See: Deutsch, "Interprocedural May-Alias Analysis for Pointers: Beyond k-limiting", for access paths and why they are cut at a length.

use super::extent::Extent;
use super::shape::Shape;
use super::texts::{Holder, Implied};
use crate::domains::congruence::gcd;
use crate::domains::{BaseId, Int, Value};
use std::sync::Arc;

/// So many cells with pointers a state keeps facts on, at most, and so many of the memory behind each.
const ROOTS: usize = 48;
const CELLS: usize = 32;
/// So many steps a path has at most.
pub const STEPS: usize = 3;

/// A multiple of the number that a cell of a variable holds which no pointer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Index {
    pub cell: Holder,
    pub scale: i64,
}

/// Where something stands behind a pointer, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    pub index: Option<Index>,
    pub offset: i64,
}

/// Bytes from a pointer, and how many the next one has that stands there.
pub type Step = (At, u8);

/// The steps that are left to a place in memory, and where it lies behind the last pointer.
type Way<'s> = (&'s [Step], Range);

/// Bytes behind a pointer, between two offsets from an index on.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    pub index: Option<Index>,
    pub lo: i64,
    pub hi: i64,
}

impl Range {
    /// Whether bytes of it may be among `size` ones somewhere.
    fn meets(self, at: At, size: i64) -> bool {
        let scale = match (self.index, at.index) {
            (a, b) if a == b => return at.offset < self.hi && self.lo < at.offset.saturating_add(size),
            (Some(a), None) => a.scale,
            (None, Some(b)) => b.scale,
            (Some(a), Some(b)) => gcd(a.scale.into(), b.scale.into()) as i64,
            (None, None) => 1,
        };
        // Members of elements that do not overlap in one element do not in others.
        let (first, other) = (self.lo.rem_euclid(scale), at.offset.rem_euclid(scale));
        let (end, other_end) = (first.saturating_add(self.hi.saturating_sub(self.lo)), other.saturating_add(size));
        end > scale || other_end > scale || first < other_end && other < end
    }
}

/// What is known of the pointer in a cell.
type Root = (Holder, Arc<Node>);

/// A pointer: in a cell, or in memory that one comes to from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The cell; one without bytes stands for the address of the variable itself.
    pub root: Holder,
    pub steps: Vec<Step>,
}

/// Memory behind a pointer.
#[derive(Clone, Debug)]
pub struct Spot {
    pub path: Path,
    pub range: Range,
}

/// What is known of a pointer, if it is the address of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Where it leads.
    pub extent: Extent,
    /// Bytes from the pointer on that the object has for sure; none where the first is not below the second.
    pub window: (i64, i64),
    pub lives: bool,
    /// What stands there; without overlaps where the index is the same, sorted.
    memory: Vec<(At, Content)>,
}

/// What memory holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    pub shape: Shape,
    /// Targets have no names here.
    pub value: Value,
    node: Option<Arc<Node>>,
}

/// A write to memory.
pub struct Write<'h> {
    /// Whether pointers that lead there may lead to it.
    pub hits: &'h dyn Fn(&Extent) -> bool,
    /// Whether what is written is determinate for sure.
    pub sets: bool,
}

/// Whether the values are no addresses of objects.
fn leads_nowhere(value: &Value) -> bool {
    value.pointers.targets().is_empty() && !value.pointers.is_any()
}

/// Whether nothing is between these offsets.
fn is_empty((lo, hi): (i64, i64)) -> bool {
    lo >= hi
}

fn common((a, b): (i64, i64), (c, d): (i64, i64)) -> (i64, i64) {
    let both = (a.max(c), b.min(d));
    if is_empty(both) { (0, 0) } else { both }
}

impl Node {
    /// A pointer of which no more is known than where it leads.
    pub fn new(extent: Extent) -> Node {
        Node { extent, window: (0, 0), lives: false, memory: Vec::new() }
    }

    fn says_nothing(&self) -> bool {
        is_empty(self.window) && !self.lives && self.memory.is_empty()
    }

    /// Whether the object has the bytes `[lo, hi)`.
    pub fn covers(&self, lo: i128, hi: i128) -> bool {
        !is_empty(self.window) && i128::from(self.window.0) <= lo && hi <= i128::from(self.window.1)
    }

    /// The object has the bytes `[lo, hi)` too.
    pub fn extend(&mut self, (lo, hi): (i64, i64)) {
        match (is_empty(self.window), is_empty((lo, hi))) {
            (true, false) => self.window = (lo, hi),
            (false, false) => self.window = (self.window.0.min(lo), self.window.1.max(hi)),
            (_, true) => {}
        }
    }

    /// What is known of a pointer that is `by` bytes further on: as far as `to`, if that is known.
    pub fn moved(&self, by: Int, to: Option<At>) -> Option<Node> {
        let (least, most) = (i64::try_from(by.lo()).ok()?, i64::try_from(by.hi()).ok()?);
        if (least, most) == (0, 0) {
            return Some(self.clone());
        }
        let window = self.window.0.checked_sub(least).zip(self.window.1.checked_sub(most));
        let window = window.filter(|w| !is_empty(*w) && !is_empty(self.window)).unwrap_or((0, 0));
        let mut memory = Vec::new();
        let to = if least == most { Some(At { index: None, offset: least }) } else { to };
        if let Some(to) = to {
            let seen = |at: &At| match to.index {
                Some(_) if at.index != to.index => None,
                Some(_) => Some(At { index: None, offset: at.offset.checked_sub(to.offset)? }),
                None => Some(At { offset: at.offset.checked_sub(to.offset)?, ..*at }),
            };
            memory.extend(self.memory.iter().filter_map(|(at, c)| Some((seen(at)?, c.clone()))));
        }
        Some(Node { extent: self.extent.clone(), window, lives: self.lives, memory })
    }

    /// What stands in `size` bytes.
    pub fn content(&self, at: At, size: u8) -> Option<&Content> {
        let i = self.memory.binary_search_by_key(&at, |c| c.0).ok()?;
        Some(&self.memory[i].1).filter(|c| c.shape.size == size)
    }

    /// Notes what stands there.
    pub fn set(&mut self, at: At, content: Content) {
        let range = Range { index: at.index, lo: at.offset, hi: at.offset.saturating_add(content.shape.len()) };
        self.memory.retain(|(other, c)| other.index != at.index || !range.meets(*other, c.shape.len()));
        if self.memory.len() < CELLS {
            let i = self.memory.partition_point(|c| c.0 < at);
            self.memory.insert(i, (at, content));
        }
    }

    /// The same without what an index says that `keep` does not choose. None: everything stays.
    fn without(&self, keep: &dyn Fn(Holder) -> bool) -> Option<Node> {
        let mut changed = false;
        let mut memory = Vec::with_capacity(self.memory.len());
        for (at, c) in &self.memory {
            if at.index.is_some_and(|index| !keep(index.cell)) {
                changed = true;
                continue;
            }
            let node = c.node().and_then(|node| node.without(keep));
            changed |= node.is_some();
            memory.push((*at, c.with(node)));
        }
        changed.then(|| Node { memory, ..self.clone() })
    }

    /// The same without indices, which are cells of the function under way.
    pub fn without_indices(self) -> Node {
        self.without(&|_| false).unwrap_or(self)
    }

    /// Adds the cells of indices.
    fn indices(&self, all: &mut Vec<Holder>) {
        for (at, c) in &self.memory {
            all.extend(at.index.map(|index| index.cell));
            if let Some(node) = c.node() {
                node.indices(all);
            }
        }
    }

    fn leq(&self, other: &Node) -> bool {
        let inside = is_empty(other.window) || self.covers(other.window.0.into(), other.window.1.into());
        inside
            && (self.lives || !other.lives)
            && self.extent.leq(&other.extent)
            && other.memory.iter().all(|(at, c)| self.content(*at, c.shape.size).is_some_and(|ours| ours.leq(c)))
    }

    /// What holds of the pointers of both. `widens`: such that chains end.
    fn combine(&self, other: &Node, widens: bool) -> Node {
        let both = common(self.window, other.window);
        let window = if widens && both != self.window { (0, 0) } else { both };
        let pairs = self.memory.iter().filter_map(|(at, c)| Some((*at, c, other.content(*at, c.shape.size)?)));
        let memory = pairs.filter(|(_, c, d)| c.shape == d.shape).map(|(at, c, d)| (at, c.combine(d, widens)));
        Node {
            extent: self.extent.join(&other.extent),
            window,
            lives: self.lives && other.lives,
            memory: memory.filter(|(_, c)| !c.says_nothing()).collect(),
        }
    }

    /// What is known of a pointer of which `other` is known as well, but for the memory behind it.
    pub fn and(mut self, other: &Node) -> Node {
        self.lives |= other.lives;
        self.extend(other.window);
        self
    }

    /// That a pointer lives, as this one and `other`, either of which it may be.
    pub fn both_live(&self, other: &Node) -> Node {
        Node { memory: Vec::new(), ..self.combine(&Node { memory: Vec::new(), ..other.clone() }, false) }
    }

    /// A write to memory; `along`: the rest of the way to where it is. None: everything stays.
    fn written(&self, write: &Write<'_>, along: Option<Way<'_>>) -> Option<Node> {
        let mut memory = Vec::new();
        let here = along.filter(|(steps, _)| steps.is_empty()).map(|(_, range)| range);
        let hit = here.is_some() || (!self.memory.is_empty() && (write.hits)(&self.extent));
        let mut changed = false;
        for (at, c) in &self.memory {
            let stays = match here {
                Some(range) => !range.meets(*at, c.shape.len()),
                None => !hit,
            };
            if !stays {
                let rest = c.overwritten(write.sets);
                changed |= rest.as_ref() != Some(c);
                memory.extend(rest.map(|c| (*at, c)));
                continue;
            }
            let below = along.and_then(|(steps, range)| match steps {
                [(step, size), rest @ ..] if step == at && *size == c.shape.size => Some((rest, range)),
                _ => None,
            });
            let node = c.node().and_then(|node| node.written(write, below));
            changed |= node.is_some();
            memory.push((*at, c.with(node)));
        }
        changed.then(|| Node { memory, ..self.clone() })
    }

    /// What is known of the pointer after a write to memory that may be behind it.
    pub fn after(self, write: &Write<'_>) -> Node {
        self.written(write, None).unwrap_or(self)
    }

    /// Blocks may have been freed, or variables have ended, of which `hits` says which pointers may lead there. None: everything stays.
    fn ended(&self, hits: &dyn Fn(&Extent) -> bool) -> Option<Node> {
        let dies = self.lives && hits(&self.extent);
        let mut changed = dies;
        let mut memory = Vec::with_capacity(self.memory.len());
        for (at, c) in &self.memory {
            let node = c.node().and_then(|node| node.ended(hits));
            changed |= node.is_some();
            memory.push((*at, c.with(node)));
        }
        changed.then(|| Node { memory, lives: self.lives && !dies, ..self.clone() })
    }

    /// Calls `visit` on what stands in the memory behind the pointer.
    pub fn each(&self, visit: &mut dyn FnMut(At, &Content)) {
        self.memory.iter().for_each(|(at, c)| visit(*at, c));
    }
}

impl Content {
    /// `value` names no targets.
    pub fn new(shape: Shape, value: Value, node: Option<Node>) -> Content {
        debug_assert!(value.pointers.targets().is_empty(), "what stands behind a path names no objects");
        Content { shape, value, node: node.filter(|n| !n.says_nothing()).map(Arc::new) }
    }
    fn unknown(shape: Shape) -> Content {
        Content { shape, value: Value { undefined: true, ..shape.anything() }, node: None }
    }
    /// What is left of it after a write to some of its bytes, or all; `sets`: of determinate ones.
    fn overwritten(&self, sets: bool) -> Option<Content> {
        let value = self.shape.anything();
        (sets && !self.value.undefined).then_some(Content { shape: self.shape, value, node: None })
    }
    /// The same with this known of the pointer; None: what was known.
    fn with(&self, node: Option<Node>) -> Content {
        let node = match node {
            None => self.node.clone(),
            Some(node) => Some(Arc::new(node)).filter(|n| !n.says_nothing()),
        };
        Content { node, ..self.clone() }
    }
    /// What is known of the pointer that stands there.
    pub fn node(&self) -> Option<&Node> {
        self.node.as_deref()
    }
    fn says_nothing(&self) -> bool {
        self.node.is_none() && self.value == Content::unknown(self.shape).value
    }
    fn leq(&self, other: &Content) -> bool {
        let below = match (&self.node, &other.node) {
            (_, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.leq(b),
            (None, Some(_)) => leads_nowhere(&self.value),
        };
        below && self.shape == other.shape && self.value.leq(&other.value)
    }
    fn combine(&self, other: &Content, widens: bool) -> Content {
        let value = match widens {
            true => self.value.widen(&self.value.join(&other.value), &[], self.shape.bounds()),
            false => self.value.join(&other.value),
        };
        let node = match (&self.node, &other.node) {
            (Some(a), Some(b)) if Arc::ptr_eq(a, b) => Some(a.clone()),
            (Some(a), Some(b)) => Some(Arc::new(a.combine(b, widens))).filter(|n| !n.says_nothing()),
            (Some(a), None) if leads_nowhere(&other.value) => Some(a.clone()),
            (None, Some(b)) if leads_nowhere(&self.value) && !widens => Some(b.clone()),
            _ => None,
        };
        Content { shape: self.shape, value, node }
    }
}

/// What a state knows of pointers by access paths. Copies share what they say.
#[derive(Clone, Debug, Default)]
pub struct Paths {
    /// Sorted by cell.
    roots: Option<Arc<Vec<Root>>>,
    /// The cells of all indices in them, and perhaps some more, sorted.
    indices: Option<Arc<Vec<Holder>>>,
}

impl PartialEq for Paths {
    fn eq(&self, other: &Paths) -> bool {
        self.is_same(other) || self.roots() == other.roots()
    }
}

impl Paths {
    pub fn roots(&self) -> &[Root] {
        self.roots.as_ref().map_or(&[], |roots| roots)
    }
    pub fn is_none(&self) -> bool {
        self.roots.is_none()
    }
    fn is_same(&self, other: &Paths) -> bool {
        match (&self.roots, &other.roots) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }
    fn of(roots: Vec<Root>, mut indices: Vec<Holder>) -> Paths {
        if roots.is_empty() {
            return Paths::default();
        }
        indices.sort_unstable();
        indices.dedup();
        Paths { roots: Some(Arc::new(roots)), indices: (!indices.is_empty()).then(|| Arc::new(indices)) }
    }
    fn indices(&self) -> &[Holder] {
        self.indices.as_ref().map_or(&[], |all| all)
    }
    /// The same roots changed.
    fn with(&self, roots: Vec<Root>) -> Paths {
        Paths::of(roots, self.indices().to_vec())
    }
    /// What is known of the pointer in a cell.
    pub fn root(&self, cell: Holder) -> Option<&Arc<Node>> {
        let roots = self.roots();
        roots.binary_search_by_key(&cell, |r| r.0).ok().map(|i| &roots[i].1)
    }

    /// What is known of the pointers in `base`.
    pub fn held_in(&self, base: BaseId) -> impl Iterator<Item = (Holder, &Node)> {
        self.roots().iter().filter(move |(cell, _)| cell.base == base).map(|(cell, node)| (*cell, &**node))
    }

    /// What is known of the pointer at the end of a path.
    pub fn get(&self, path: &Path) -> Option<&Node> {
        let mut node: &Node = self.root(path.root)?;
        for (at, size) in &path.steps {
            node = node.content(*at, *size)?.node()?;
        }
        Some(node)
    }

    /// What stands in memory behind a pointer.
    pub fn content(&self, path: &Path, at: At, size: u8) -> Option<&Content> {
        self.get(path)?.content(at, size)
    }

    /// Changes what is known of the pointer at the end of a path, of which there may be nothing so far. `extents`: where the pointers lead
    /// that the path goes along, this one last; `word`: the shape of a pointer.
    pub fn change(&mut self, path: &Path, extents: &[Extent], word: Shape, change: impl FnOnce(&mut Node)) {
        let mut roots = self.roots().to_vec();
        let i = match roots.binary_search_by_key(&path.root, |r| r.0) {
            Ok(i) => i,
            Err(_) if roots.len() >= ROOTS => return,
            Err(i) => {
                roots.insert(i, (path.root, Arc::new(Node::new(extents[0].clone()))));
                i
            }
        };
        change_along(Arc::make_mut(&mut roots[i].1), &path.steps, &extents[1..], word, change);
        let mut indices = self.indices().to_vec();
        roots[i].1.indices(&mut indices);
        if roots[i].1.says_nothing() {
            roots.remove(i);
        }
        *self = Paths::of(roots, indices);
    }

    /// Notes what stands in memory behind a pointer.
    pub fn set(&mut self, path: &Path, extents: &[Extent], word: Shape, at: At, content: Content) {
        self.change(path, extents, word, |node| node.set(at, content));
    }

    /// Notes what is known of the pointer in a cell.
    pub fn note(&mut self, cell: Holder, node: Node) {
        if !node.says_nothing() {
            let (path, extents) = (Path { root: cell, steps: Vec::new() }, [node.extent.clone()]);
            self.change(&path, &extents, Shape::BYTE, |old| *old = node);
        }
    }

    /// Keeps what is known of pointers in cells that `keep` chooses, and by indices in such cells.
    pub fn retain(&mut self, keep: impl Fn(Holder) -> bool) {
        if self.roots().iter().any(|(cell, _)| !keep(*cell)) {
            *self = self.with(self.roots().iter().filter(|(cell, _)| keep(*cell)).cloned().collect());
        }
        if self.indices().iter().any(|cell| !keep(*cell)) {
            self.update(|_, node| node.without(&keep));
            *self = Paths::of(self.roots().to_vec(), self.indices().iter().copied().filter(|c| keep(*c)).collect());
        }
    }

    /// Whether something is known of elements of the array `base`.
    pub fn has_array(&self, base: BaseId) -> bool {
        self.roots().iter().any(|(cell, _)| cell.base == base && cell.size == 0)
    }

    /// After bytes of `[lo, hi)` in `base` may have been written: what stood in them are other pointers.
    pub fn overwrite(&mut self, base: BaseId, lo: i64, hi: i64) {
        self.retain(|c| c.base != base || c.at >= hi || c.at.saturating_add(i64::from(c.size)) <= lo);
    }

    /// After a write to memory. `spot`: what was written, if it was through an access path.
    pub fn write(&mut self, write: &Write<'_>, spot: Option<&Spot>) {
        self.update(|cell, node| {
            let along = spot.filter(|s| s.path.root == cell).map(|s| (&s.path.steps[..], s.range));
            node.written(write, along)
        });
    }

    /// After the end of objects of which `hits` says which pointers may lead there.
    pub fn end(&mut self, hits: &dyn Fn(&Extent) -> bool) {
        self.update(|_, node| node.ended(hits));
    }

    fn update(&mut self, change: impl Fn(Holder, &Node) -> Option<Node>) {
        let mut changed: Vec<(usize, Node)> = Vec::new();
        for (i, (cell, node)) in self.roots().iter().enumerate() {
            changed.extend(change(*cell, node).map(|node| (i, node)));
        }
        if changed.is_empty() {
            return;
        }
        let mut roots = self.roots().to_vec();
        for (i, node) in changed {
            roots[i].1 = Arc::new(node);
        }
        roots.retain(|(_, node)| !node.says_nothing());
        *self = self.with(roots);
    }

    /// What holds whichever of two states is there; the functions say what is known in each beside the facts.
    pub fn common(
        &self,
        other: &Paths,
        widens: Option<bool>,
        here: impl Fn(Holder) -> Implied<Node>,
        there: impl Fn(Holder) -> Implied<Node>,
    ) -> Paths {
        if self.is_same(other) {
            return self.clone();
        }
        let mut roots: Vec<Root> = Vec::new();
        for (cell, node) in self.roots() {
            let both = match other.root(*cell) {
                Some(theirs) if Arc::ptr_eq(node, theirs) => node.clone(),
                Some(theirs) => Arc::new(node.combine(theirs, widens.is_some())),
                None => match there(*cell) {
                    Implied::All => node.clone(),
                    Implied::Known(theirs) => Arc::new(node.combine(&theirs, widens.is_some())),
                    Implied::Nothing => continue,
                },
            };
            // Late, what changes goes as a whole.
            if !both.says_nothing() && (widens != Some(true) || both == *node) {
                roots.push((*cell, both));
            }
        }
        if widens.is_none() {
            for (cell, node) in other.roots().iter().filter(|(cell, _)| self.root(*cell).is_none()) {
                let both = match here(*cell) {
                    Implied::All => node.clone(),
                    Implied::Known(ours) => Arc::new(ours.combine(node, false)),
                    Implied::Nothing => continue,
                };
                if !both.says_nothing() && roots.len() < ROOTS {
                    let i = roots.partition_point(|r| r.0 < *cell);
                    roots.insert(i, (*cell, both));
                }
            }
        }
        Paths::of(roots, [self.indices(), other.indices()].concat())
    }

    /// Whether all that `other` says holds here, where `here` says what is known beside the facts.
    pub fn say(&self, other: &Paths, here: impl Fn(Holder) -> Implied<Node>) -> bool {
        self.is_same(other)
            || other.roots().iter().all(|(cell, node)| match self.root(*cell) {
                Some(ours) => Arc::ptr_eq(ours, node) || ours.leq(node),
                None => match here(*cell) {
                    Implied::All => true,
                    Implied::Known(ours) => ours.leq(node),
                    Implied::Nothing => false,
                },
            })
    }
}

/// Changes the node at the end of `steps`; on the way there, what is missing is made.
fn change_along(node: &mut Node, steps: &[Step], extents: &[Extent], word: Shape, change: impl FnOnce(&mut Node)) {
    let [(at, size), rest @ ..] = steps else { return change(node) };
    if *size != word.size {
        return;
    }
    if node.content(*at, *size).is_none() {
        node.set(*at, Content::unknown(word));
    }
    let Ok(i) = node.memory.binary_search_by_key(at, |c| c.0) else { return };
    let content = &mut node.memory[i].1;
    let below = content.node.get_or_insert_with(|| Arc::new(Node::new(extents[0].clone())));
    change_along(Arc::make_mut(below), rest, &extents[1..], word, change);
    if below.says_nothing() {
        content.node = None;
    }
    if content.says_nothing() {
        node.memory.remove(i);
    }
}
