//! Memory states: what every base holds.

use super::bases::Bases;
use super::object::Object;
use super::shape::Shape;
use super::tree::Tree;
use crate::domains::{BaseId, Int, Pointers, Value};
use std::sync::Arc;

/// A set of memories, of those bases that matter where control is: what a function cannot name or reach is set aside
/// while it runs, and variables are dropped when nothing reads them any more. Constants are not in the tree before
/// something overwrites them.
#[derive(Clone, Debug, Default)]
pub struct State {
    objects: Tree<Object>,
    damage: Damage,
}

/// What happened, since the function was entered, to all objects that outside code can reach, those that are set aside
/// included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Damage {
    /// Any of their bytes may have been overwritten,
    written: bool,
    /// by pointers too,
    pointers: bool,
    /// and by indeterminate values.
    undefined: bool,
    /// Blocks may have been freed.
    freed: bool,
    /// The program's own functions may have run: static variables are not what they were, reachable or not.
    program: bool,
}

impl Damage {
    /// Whether anything happened.
    fn is_any(self) -> bool {
        self != Damage::default()
    }
    fn join(self, other: Damage) -> Damage {
        Damage {
            written: self.written || other.written,
            pointers: self.pointers || other.pointers,
            undefined: self.undefined || other.undefined,
            freed: self.freed || other.freed,
            program: self.program || other.program,
        }
    }
    /// The bytes that may have been written.
    fn bytes(self) -> Value {
        let pointers = if self.pointers { Pointers::any() } else { Pointers::none() };
        Value { int: Some(Int::range(0, 255)), float: None, pointers, undefined: self.undefined }
    }
}

/// How two contents of one base become one.
type Combine<'f> = dyn FnMut(&Arc<Object>, &Arc<Object>) -> Arc<Object> + 'f;

impl State {
    /// What `base` holds; None for blocks that do not exist. Of a base that is set aside, what it held at first.
    pub fn object<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        self.objects.get(base.0).or_else(|| bases.initial(base))
    }
    /// Whether the state itself says what `base` holds.
    pub fn mentions(&self, base: BaseId) -> bool {
        self.objects.get(base.0).is_some()
    }
    /// What `base` holds, if the state knows.
    pub fn known<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        self.objects.get(base.0).or_else(|| bases.implicit(base))
    }
    /// The part of the state that the bases of `keep` are, as if nothing had happened so far.
    pub fn part(&self, keep: impl IntoIterator<Item = BaseId>) -> State {
        let mut part = State::default();
        for base in keep {
            if let Some(object) = self.objects.get(base.0) {
                part.set(base, object.clone());
            }
        }
        part
    }
    /// The state with the part that was `before` become `after`: what else is in it stays as it is, but for the damage.
    /// `made`: whether a base may have come into being meanwhile.
    pub fn rejoin(&self, bases: &Bases, before: &State, after: &State, made: impl Fn(BaseId) -> bool) -> State {
        let mut all = self.clone();
        if after.damage.is_any() {
            all.suffer(bases, after.damage, &|b| !before.mentions(b));
            all.damage = self.damage.join(after.damage);
        }
        after.each(|b, o| {
            let ours = self.objects.get(b.0);
            let theirs = before.mentions(b) || (ours.is_none() && made(b));
            if theirs && !ours.is_some_and(|x| Arc::ptr_eq(x, o)) {
                all.set(b, o.clone());
            }
        });
        all
    }
    /// Lets the damage come over those bases of the state that `which` chooses.
    fn suffer(&mut self, bases: &Bases, damage: Damage, which: &dyn Fn(BaseId) -> bool) {
        let bytes = damage.bytes();
        let mut changed: Vec<(BaseId, Arc<Object>)> = Vec::new();
        self.each(|b, o| {
            let reached = bases.is_reachable(b);
            let owned = damage.program && bases.is_static(b);
            let (written, freed) = ((damage.written && reached) || owned, damage.freed && bases.is_block(b));
            if which(b) && (written || freed) {
                let mut new = Object::clone(o);
                if written {
                    new.spoil(&bytes);
                }
                new.life.may_be_dead |= freed;
                changed.push((b, Arc::new(new)));
            }
        });
        for (b, o) in changed {
            self.set(b, o);
        }
    }
    /// Anything that the program's functions could do, now and later: to every variable that is not a caller's own, to
    /// every block.
    pub fn spoil_program(&mut self, bases: &Bases) {
        let damage = Damage { written: true, pointers: true, undefined: true, freed: true, program: true };
        self.suffer(bases, damage, &|_| true);
        self.damage = self.damage.join(damage);
    }
    /// Any block may be freed.
    pub fn may_free_anything(&mut self, bases: &Bases) {
        let damage = Damage { freed: true, ..Damage::default() };
        self.suffer(bases, damage, &|_| true);
        self.damage = self.damage.join(damage);
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
            let implicit = bases.implicit(BaseId(k));
            match (a.or(implicit), b.or(implicit)) {
                (Some(x), Some(y)) => Some(f(x, y)),
                (x, y) => x.or(y).cloned(),
            }
        });
        State { objects, damage: self.damage.join(other.damage) }
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
        if self.damage.join(other.damage) != other.damage {
            return false;
        }
        self.objects.all_different(&other.objects, &mut |k, a, b| {
            let implicit = bases.implicit(BaseId(k));
            match (a.or(implicit), b.or(implicit)) {
                (Some(x), Some(y)) => x.leq(y),
                (None, _) => true,
                (Some(_), None) => false,
            }
        })
    }
    /// Whether both say the same of every base.
    pub fn same(&self, other: &State) -> bool {
        self.damage == other.damage
            && self.objects.all_different(&other.objects, &mut |_, a, b| a.zip(b).is_some_and(|(a, b)| a == b))
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
                None => {
                    object.write_at(offset, shape, value);
                    // It is one byte of this object for sure.
                    if alone && shape == Shape::BYTE && value.as_constant() == Some(0) && !bases.is_summary(base) {
                        object.zeros.place(offset.lo().max(0) as i64, offset.hi().min(i128::from(i64::MAX)) as i64);
                    }
                }
            });
        }
    }

    /// A write of `value` to anywhere that outside code or an unknown pointer can reach: here, to every base whose
    /// address may be known.
    pub fn spoil_reachable(&mut self, bases: &Bases, value: &Value) {
        let (pointers, undefined) = (!value.pointers.is_none(), value.undefined);
        self.damage = self.damage.join(Damage { written: true, pointers, undefined, ..Damage::default() });
        let mut mentioned = Vec::new();
        self.each(|b, _| mentioned.push(b));
        for base in mentioned {
            if bases.is_reachable(base) {
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
