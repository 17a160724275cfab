//! Memory states: what every base holds.

use super::bases::Bases;
use super::object::Object;
use super::shape::Shape;
use super::tree::Tree;
use crate::domains::{BaseId, Int, Pointers, Value};
use std::sync::Arc;

/// A set of memories. A base that is not in the tree holds what [`Bases::initial`] says.
#[derive(Clone, Debug, Default)]
pub struct State {
    objects: Tree<Object>,
}

/// How two contents of one base become one.
type Combine<'f> = dyn FnMut(&Arc<Object>, &Arc<Object>) -> Arc<Object> + 'f;

impl State {
    /// What `base` holds; None for blocks that do not exist.
    pub fn object<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        self.objects.get(base.0).or_else(|| bases.initial(base))
    }
    /// Whether the state itself says what `base` holds.
    pub fn mentions(&self, base: BaseId) -> bool {
        self.objects.get(base.0).is_some()
    }
    /// Sets what `base` holds.
    pub fn set(&mut self, base: BaseId, object: Arc<Object>) {
        self.objects.insert(base.0, object);
    }
    /// Puts `base` back to what it initially holds.
    pub fn forget(&mut self, base: BaseId) {
        self.objects.remove(base.0);
    }
    /// Changes what `base` holds, if it exists.
    pub fn update(&mut self, bases: &Bases, base: BaseId, change: impl FnOnce(&mut Object)) {
        if self.mentions(base) {
            let object = self.objects.get_mut(base.0).expect("the state mentions it");
            change(Arc::make_mut(object));
        } else if let Some(object) = bases.initial(base) {
            let mut new = Object::clone(object);
            change(&mut new);
            self.objects.insert(base.0, Arc::new(new));
        }
    }
    /// Lets every pointer to `from` point to `to` too.
    pub fn spread(&mut self, from: BaseId, to: BaseId) {
        let mut changed: Vec<(BaseId, Arc<Object>)> = Vec::new();
        self.each(|b, o| {
            if o.values().any(|v| v.pointers.offset(from).is_some()) {
                let mut new = Object::clone(o);
                new.map_values(|v| {
                    if let Some(offset) = v.pointers.offset(from) {
                        v.pointers = v.pointers.join(&Pointers::to(to, offset));
                    }
                });
                changed.push((b, Arc::new(new)));
            }
        });
        for (b, o) in changed {
            self.set(b, o);
        }
    }
    /// Calls `visit` on every base that the state itself mentions, in order.
    pub fn each<'a>(&'a self, mut visit: impl FnMut(BaseId, &'a Arc<Object>)) {
        self.objects.each(&mut |k, o| visit(BaseId(k), o));
    }

    /// An upper bound of both.
    pub fn join(&self, other: &State, bases: &Bases) -> State {
        self.merge(other, bases, &mut |a, b| match (b.leq(a), a.leq(b)) {
            (true, _) => a.clone(),
            (_, true) => b.clone(),
            _ => Arc::new(a.join(b)),
        })
    }
    /// An upper bound of both, such that chains end.
    pub fn widen(&self, next: &State, bases: &Bases, thresholds: &[i128]) -> State {
        self.merge(next, bases, &mut |a, b| match b.leq(a) {
            true => a.clone(),
            false => Arc::new(a.widen(b, thresholds)),
        })
    }
    fn merge(&self, other: &State, bases: &Bases, f: &mut Combine<'_>) -> State {
        let objects = self.objects.merge(&other.objects, &mut |k, a, b| {
            let initial = bases.initial(BaseId(k));
            match (a.or(initial), b.or(initial)) {
                (Some(x), Some(y)) => Some(f(x, y)),
                (x, y) => x.or(y).cloned(),
            }
        });
        State { objects }
    }
    /// An upper bound of both that gives up the content of all bases of `next` that `self` is not seen to include.
    pub fn collapse(&self, next: &State, bases: &Bases) -> State {
        self.merge(next, bases, &mut |a, b| match b.leq(a) {
            true => a.clone(),
            false => Arc::new(a.join(b).collapsed()),
        })
    }
    /// Inclusion; false also when it cannot be seen.
    pub fn leq(&self, other: &State, bases: &Bases) -> bool {
        self.objects.all_different(&other.objects, &mut |k, a, b| {
            let initial = bases.initial(BaseId(k));
            match (a.or(initial), b.or(initial)) {
                (Some(x), Some(y)) => x.leq(y),
                (None, _) => true,
                (Some(_), None) => false,
            }
        })
    }
    /// Whether both say the same of every base.
    pub fn same(&self, other: &State) -> bool {
        self.objects.same(&other.objects)
            || self.objects.all_different(&other.objects, &mut |_, a, b| a.zip(b).is_some_and(|(a, b)| a == b))
    }

    /// Replaces every pointer to a base by one to that which `to` gives for it, in all bases that are not as in `since`.
    pub fn rename(&mut self, since: &State, to: &dyn Fn(BaseId) -> Option<BaseId>) {
        let mut changed: Vec<(BaseId, Arc<Object>)> = Vec::new();
        self.objects.all_different(&since.objects, &mut |k, o, _| {
            if let Some(o) = o {
                let found = |v: &Value| v.pointers.targets().iter().any(|t| to(t.0).is_some());
                if o.values().any(found) {
                    let mut new = Object::clone(o);
                    new.map_values(|v| v.pointers = renamed(&v.pointers, to));
                    changed.push((BaseId(k), Arc::new(new)));
                }
            }
            true
        });
        for (b, o) in changed {
            self.set(b, o);
        }
    }

    /// Offsets of an access of `size` bytes to `base` that stay inside the object.
    pub fn inside(&self, bases: &Bases, base: BaseId, offset: Int, size: i64) -> Option<Int> {
        let object = self.object(bases, base)?;
        offset.clamp(0, object.size.hi().checked_sub(i128::from(size))?)
    }

    /// What a read of `shape` through `pointers` may yield, after checks passed; reads through addresses of no object
    /// are no executions.
    pub fn read(&self, bases: &Bases, pointers: &Pointers, shape: Shape) -> Value {
        if pointers.is_any() {
            return Value { undefined: true, ..shape.anything() };
        }
        let mut all = Value::bottom();
        for &(base, offset) in pointers.targets() {
            let inside = self.inside(bases, base, offset, shape.len());
            if let (Some(object), Some(offset)) = (self.object(bases, base), inside)
                && object.life.may_live
            {
                all = all.join(&object.read_at(offset, shape));
            }
        }
        // No target is left: no execution comes here.
        if all.is_bottom() { shape.anything() } else { all }
    }

    /// A write of `value` through `pointers`, after checks passed.
    pub fn write(&mut self, bases: &Bases, pointers: &Pointers, shape: Shape, value: &Value) {
        if pointers.is_any() {
            self.spoil_reachable(bases, value);
        }
        let alone = pointers.targets().len() == 1 && !pointers.is_any();
        for &(base, offset) in pointers.targets() {
            let Some(offset) = self.inside(bases, base, offset, shape.len()) else { continue };
            let exact = offset.as_constant().filter(|_| alone && !bases.is_summary(base));
            let known = |o: &Arc<Object>| exact.is_some_and(|at| o.holds(at as i64, shape, value));
            if self.object(bases, base).is_some_and(known) {
                continue;
            }
            self.update(bases, base, |object| match exact {
                Some(at) => object.write(at as i64, shape, value.clone()),
                None => object.write_at(offset, shape, value),
            });
        }
    }

    /// A write of `value` to anywhere that outside code or an unknown pointer can reach: here, to every base whose
    /// address may be known.
    pub fn spoil_reachable(&mut self, bases: &Bases, value: &Value) {
        let mentioned = {
            let mut all = Vec::new();
            self.each(|b, _| all.push(b));
            all
        };
        for base in mentioned {
            if bases.is_reachable(base) {
                self.update(bases, base, |o| o.spoil(value));
            }
        }
        for &base in bases.reachable_statics() {
            if !self.mentions(base) {
                self.update(bases, base, |o| o.spoil(value));
            }
        }
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
