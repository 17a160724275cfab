//! Memory states: what every base holds.

use super::bases::Bases;
use super::damage::Damage;
use super::differences::Bounds;
use super::extent::Extent;
use super::implications::Implications;
use super::lists::{Frames, Lists};
use super::object::{Life, Object};
use super::paths::{Paths, Spot, Write};
use super::reads::Asked;
use super::shape::{Kind, Shape};
use super::strings::text_at;
use super::targets::{objects, renamed};
use super::texts::{Holder, Implied, Origin, Pointer, Text, Texts};
use super::tree::Tree;
use crate::domains::{BaseId, Hull, Int, Pointers, Value, arithmetic};
use std::sync::Arc;

/// A pointer that was read and may lead to more objects than this may lead to any.
const MOST_TARGETS: usize = 4096;

/// A set of memories, of those bases that matter where control is: what a function cannot name or reach is set aside
/// while it runs, and variables are dropped when nothing reads them any more. Constants are not in the tree before
/// something overwrites them.
#[derive(Clone, Debug, Default)]
pub struct State {
    objects: Tree<Object>,
    pub(super) damage: Damage,
    /// Pointers that stand inside strings. Those held by bases that are set aside are here too, if what they point to is not.
    pub(super) texts: Texts,
    /// How far numbers are above others.
    bounds: Bounds,
    /// What accesses that went well say of pointers.
    paths: Paths,
    /// What cells say of others.
    implications: Implications,
    /// What is known of lists of blocks.
    lists: Lists,
    /// Whose variables there are.
    pub(super) frames: Frames,
}

/// The base that is a key of the objects.
fn base_at(key: u64) -> BaseId {
    BaseId(key as u32)
}

/// How two contents of one base become one.
type Combine<'f> = dyn FnMut(BaseId, &Arc<Object>, &Arc<Object>) -> Arc<Object> + 'f;

impl State {
    /// What `base` holds; None for blocks that do not exist. Of a base that is set aside, what it held at first.
    pub fn object<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        bases.reads.note(Asked::Content(base));
        self.found(bases, base)
    }
    /// The same for those who ask for no contents: writes, and how large it is.
    fn outside_of<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        bases.reads.note(Asked::Outside(base));
        self.found(bases, base)
    }
    fn found<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        self.objects.get(base.0.into()).or_else(|| bases.initial(base))
    }
    /// What is known of pairs of numbers and pointers.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }
    /// The same, to be changed.
    pub fn bounds_mut(&mut self) -> &mut Bounds {
        &mut self.bounds
    }
    /// What is known of pointers by access paths.
    pub fn paths(&self) -> &Paths {
        &self.paths
    }
    /// The same, to be changed.
    pub fn paths_mut(&mut self) -> &mut Paths {
        &mut self.paths
    }
    /// What cells say of others.
    pub fn implications(&self) -> &Implications {
        &self.implications
    }
    /// The same, to be changed.
    pub fn implications_mut(&mut self) -> &mut Implications {
        &mut self.implications
    }
    /// What is known of lists of blocks.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }
    /// The same, to be changed.
    pub fn lists_mut(&mut self) -> &mut Lists {
        &mut self.lists
    }
    /// Keeps what is said beside the objects of what stands in bases that `keep` chooses.
    pub(super) fn retain_held(&mut self, keep: impl Fn(BaseId) -> bool) {
        self.lists.retain(&keep);
        self.paths.retain(|cell| keep(cell.base));
        self.implications.retain(&keep);
    }
    /// After bytes of `[lo, hi)` in `base` may have been written: ends what is said of pointers in them, and of them, beside the objects.
    fn overwrite_cells(&mut self, base: BaseId, lo: i64, hi: i64) {
        self.lists.overwrite(base, lo, hi);
        self.paths.overwrite(base, lo, hi);
        self.implications.overwrite(base, lo, hi);
    }
    /// The same of all that stands in `base`, and of it.
    fn forget_held(&mut self, base: BaseId) {
        self.lists.retain(|b| b != base);
        self.paths.overwrite(base, i64::MIN, i64::MAX);
        self.implications.retain(|b| b != base);
    }
    /// Forgets what cells say of memory that may have been written, and of blocks that may have been freed.
    pub(super) fn forget_told(&mut self, bases: &Bases, written: &Extent, freed: &Extent) {
        let ended = |b| bases.is_block(b) && freed.has(bases, b);
        if !freed.is_none() {
            self.end_lists(bases, ended);
        }
        self.lists.retain(|b| !written.has(bases, b));
        self.implications.retain(|b| !written.has(bases, b) && !ended(b));
    }
    /// What the state itself says of `base`.
    pub fn own_object(&self, base: BaseId) -> Option<&Arc<Object>> {
        self.objects.get(base.0.into())
    }
    /// Whether the state itself says what `base` holds.
    pub fn mentions(&self, base: BaseId) -> bool {
        self.objects.get(base.0.into()).is_some()
    }
    /// Whether it says so of a base that `which` chooses.
    pub fn mentions_any(&self, which: impl Fn(BaseId) -> bool) -> bool {
        !self.objects.all_different(&Tree::default(), &mut |k, _, _| !which(base_at(k)))
    }
    /// What `base` holds, if the state knows.
    pub fn known<'a>(&'a self, bases: &'a Bases, base: BaseId) -> Option<&'a Arc<Object>> {
        self.objects.get(base.0.into()).or_else(|| bases.implicit(base))
    }
    /// The part of the state that the bases of `keep` are, as if nothing had happened so far.
    pub fn part(&self, keep: impl IntoIterator<Item = BaseId>) -> State {
        let mut part = State::default();
        for base in keep {
            if let Some(object) = self.objects.get(base.0.into()) {
                part.objects.insert(base.0.into(), object.clone());
            }
        }
        let mut texts = self.texts.clone();
        texts.retain_targets(|target| part.mentions(target));
        let (mut paths, mut implications) = (self.paths.clone(), self.implications.clone());
        paths.retain(|cell| part.mentions(cell.base));
        implications.retain(|base| part.mentions(base));
        State { texts, paths, implications, ..part }
    }
    /// The state with the part that was `before` become `after`: what else is in it stays as it is, but for the damage.
    /// `made`: whether a base may have come into being meanwhile; `unwritten`: whether nothing has been written to it.
    pub fn rejoin(
        &self,
        bases: &Bases,
        before: &State,
        after: &State,
        made: impl Fn(BaseId) -> bool,
        unwritten: impl Fn(BaseId) -> bool,
    ) -> State {
        let mut all = State { lists: Lists::default(), ..self.clone() };
        // Where calls are joined, `after` has objects of other callers: those that are neither in `before` nor new.
        let ours = |base: BaseId| self.mentions(base) && !before.mentions(base);
        let is_new = |base: BaseId| after.mentions(base) && !before.mentions(base) && !ours(base);
        let gone = |base: BaseId| is_new(base) || before.mentions(base) && !unwritten(base);
        // While it still holds what it held: that bounds others by terms that go.
        all.forget_terms(|term| term.is_about(gone));
        if after.damage.is_any() {
            all.suffer(bases, &after.damage, &|b| !before.mentions(b));
            all.damage = self.damage.join(&after.damage);
        }
        let theirs = |base: BaseId| before.mentions(base) || (!self.mentions(base) && made(base));
        after.each(|b, o| {
            if theirs(b) && !self.objects.get(b.0.into()).is_some_and(|x| Arc::ptr_eq(x, o)) {
                all.objects.insert(b.0.into(), o.clone());
            }
        });
        // What accesses in the callee showed stays there: `paths` are the caller's. What is about the part is what the part says of it now.
        all.texts.retain(|base| ours(base) || (!before.mentions(base) && !after.mentions(base)));
        // What `after` says of another caller's object is true there alone.
        let foreign = |base: BaseId| after.mentions(base) && !theirs(base);
        let silent = |base: BaseId| ours(base) || foreign(base);
        for (a, b, bound) in
            after.bounds.iter().filter(|(a, b, _)| !a.term.is_about(silent) && !b.term.is_about(silent))
        {
            all.bounds.note(a, b, bound);
        }
        all.implications.retain(|base| !gone(base));
        for (pointer, target, text) in after.texts.iter() {
            if !silent(target) && !pointer.cells().any(|cell| foreign(cell.base)) {
                all.texts.note(pointer, target, text);
            }
        }
        all
    }
    /// The bases that are not seen to hold the same in both.
    pub fn differing(&self, other: &State) -> Vec<BaseId> {
        let mut all = Vec::new();
        self.objects.all_different(&other.objects, &mut |k, _, _| {
            all.push(base_at(k));
            true
        });
        all
    }
    /// The objects of `ground` with those of this state in their place; what is known beside is this state's.
    pub fn upon(&self, ground: &State) -> State {
        let mut all = State { objects: ground.objects.clone(), ..self.clone() };
        self.each(|b, o| all.objects.insert(b.0.into(), o.clone()));
        all
    }
    /// Ends the lifetime of `base`, or may do so.
    pub fn end(&mut self, bases: &Bases, base: BaseId, life: impl FnOnce(Life) -> Life) {
        self.paths.end(&|extent| extent.has(bases, base));
        if bases.is_block(base) {
            self.end_lists(bases, |b| b == base);
        }
        self.update(bases, base, |o| o.life = life(o.life));
    }
    /// Sets what `base` holds: a new object.
    pub fn set(&mut self, base: BaseId, object: Arc<Object>) {
        self.forget_facts(base);
        self.objects.insert(base.0.into(), object);
    }
    /// Puts `base` back to what it initially holds.
    pub fn forget(&mut self, base: BaseId) {
        self.lists.have_none_of(base);
        self.forget_facts(base);
        self.objects.remove(base.0.into());
    }
    /// The same of several, in order.
    pub fn forget_each(&mut self, bases: &[BaseId]) {
        let [first, .., last] = bases else { return bases.iter().for_each(|base| self.forget(*base)) };
        let range = *first..=*last;
        self.forget_terms(|term| term.is_about(|b| range.contains(&b) && bases.binary_search(&b).is_ok()));
        for &base in bases {
            self.texts.forget(base);
            self.forget_held(base);
            self.objects.remove(base.0.into());
        }
    }
    /// The same of all bases that `which` chooses, and of facts on pointers held in them.
    pub fn forget_all(&mut self, which: impl Fn(BaseId) -> bool) {
        let mut gone = Vec::new();
        self.each(|base, _| gone.extend(which(base).then_some(base)));
        gone.into_iter().for_each(|base| self.forget(base));
        self.texts.retain(|base| !which(base));
        self.retain_held(|base| !which(base));
        self.forget_terms(|term| term.is_about(&which));
    }
    /// Changes what `base` holds, if it exists.
    pub fn update(&mut self, bases: &Bases, base: BaseId, change: impl FnOnce(&mut Object)) {
        self.forget_facts(base);
        self.write_behind(bases, base, None, false);
        self.learn(bases, base, change);
    }
    /// After a write to `base`, to `spot` if it is one behind an access path. `sets`: of determinate bytes.
    fn write_behind(&mut self, bases: &Bases, base: BaseId, spot: Option<&Spot>, sets: bool) {
        if !self.paths.is_none() && (bases.is_reachable(base) || self.paths.has_array(base)) {
            self.paths.write(&Write { hits: &|extent| extent.has(bases, base), sets }, spot);
        }
    }
    /// Forgets what is known of `base` beside what it holds.
    fn forget_facts(&mut self, base: BaseId) {
        self.texts.forget(base);
        self.forget_held(base);
        self.forget_terms(|term| term.is_about(|b| b == base));
    }
    /// Changes what is known of `base`, if it exists: what it holds stays, or `texts` knows of the change.
    pub fn learn(&mut self, bases: &Bases, base: BaseId, change: impl FnOnce(&mut Object)) {
        if self.mentions(base) {
            let object = self.objects.get_mut(base.0.into()).expect("the state mentions it");
            change(Arc::make_mut(object));
        } else if let Some(object) = bases.initial(base) {
            let mut new = Object::clone(object);
            change(&mut new);
            self.objects.insert(base.0.into(), Arc::new(new));
        }
    }
    /// What is known of a pointer with the values `value`, if it stands inside a string wherever it points.
    pub fn text(&self, pointer: Pointer, value: &Value) -> Option<Text> {
        Text::of_each(objects(value)?.iter().map(|t| self.texts.get(pointer, t.0)))
    }
    /// The same where it points to `target`.
    pub fn text_in(&self, pointer: Pointer, target: BaseId) -> Option<Text> {
        self.texts.get(pointer, target)
    }
    /// Notes that a pointer with the values `value` stands inside a string wherever it points.
    pub fn note_text(&mut self, pointer: Pointer, value: &Value, text: Text) {
        for &(target, _) in objects(value).unwrap_or_default() {
            self.texts.note(pointer, target, text);
        }
    }
    /// All pointers that stand inside strings, and where they point to if so.
    pub fn texts(&self) -> impl Iterator<Item = (Pointer, BaseId, Text)> {
        self.texts.iter()
    }
    /// Notes what is known of one pointer into one object.
    pub fn note_one_text(&mut self, pointer: Pointer, target: BaseId, text: Text) {
        self.texts.note(pointer, target, text);
    }
    /// What the objects say of a pointer, if it points to `target`.
    fn implied(&self, bases: &Bases, pointer: Pointer, target: BaseId) -> Implied<Text> {
        let held = |c: Holder| Some(self.objects.get(c.base.0.into())?.read(c.at, c.shape()));
        let origin = match pointer.origin {
            Origin::At(_, offset) => Int::constant(i128::from(offset)),
            Origin::Held(cell) => match held(cell) {
                None => return Implied::Nothing,
                Some(value) if value.pointers.is_any() => return Implied::Nothing,
                Some(value) => match value.pointers.offset(target) {
                    None => return Implied::All,
                    Some(offset) => offset,
                },
            },
        };
        let index = match pointer.index.map(held) {
            None => Some(Int::constant(0)),
            Some(value) => value.filter(|v| v.pointers.is_none() && !v.undefined).and_then(|v| v.int),
        };
        let plain = Pointer { index: None, ..pointer };
        let by = index.and_then(Int::as_constant);
        if let Some(text) = self.texts.get(plain, target).zip(by).and_then(|(text, by)| text.moved(by)) {
            return Implied::Known(text);
        }
        let offset = index.and_then(|index| arithmetic::add(origin, index));
        let text = self.known(bases, target).zip(offset).and_then(|(object, offset)| text_at(object, offset));
        text.map_or(Implied::Nothing, Implied::Known)
    }
    /// Lets every pointer to `from` point to `to` too.
    pub fn spread(&mut self, from: BaseId, to: BaseId) {
        self.forget_facts(from);
        let points = |v: &Value| v.pointers.offset(from).is_some();
        let mut changed: Vec<BaseId> = Vec::new();
        self.each(|b, o| changed.extend(o.leads_to(from).then_some(b)));
        let more = |pointers: &Pointers| match pointers.offset(from) {
            Some(offset) => pointers.join(&Pointers::to(to, offset)),
            None => pointers.clone(),
        };
        changed.into_iter().for_each(|b| self.repoint(b, points, more));
    }
    /// Gives the pointers of `base` that `which` chooses the targets that `to` makes of them: other names for what they point to. Nothing
    /// is said of what is behind these pointers any more; what is known of other cells, and of the bytes of `base`, stays.
    fn repoint(&mut self, base: BaseId, which: impl Fn(&Value) -> bool, to: impl Fn(&Pointers) -> Pointers) {
        let Some(object) = self.objects.get(base.0.into()).cloned() else { return };
        let cells = object.cells().filter(|(_, c)| which(&c.value));
        let mut ranges: Vec<(i64, i64)> = cells.map(|(o, c)| (o, o.saturating_add(c.shape.len()))).collect();
        if object.fill_values().any(&which) {
            ranges = vec![(i64::MIN, i64::MAX)];
        }
        for (lo, hi) in ranges {
            // How much is behind a pointer does not depend on the name of what it leads to.
            self.forget_terms(|term| term.has_content_in(|_| true) && term.reads(base, lo, hi));
            self.texts.end(base, lo, hi);
            self.implications.end_texts(base, lo, hi);
        }
        let mut new = Object::clone(&object);
        new.map_values(|v| v.pointers = to(&v.pointers));
        self.objects.insert(base.0.into(), Arc::new(new));
    }
    /// Puts what `to` gives in the place of what pointers point to.
    pub fn replace_pointers(&mut self, to: impl Fn(&Pointers) -> Option<Pointers>) {
        let mut changed: Vec<(BaseId, Arc<Object>)> = Vec::new();
        self.each(|b, o| {
            if o.values().any(|v| to(&v.pointers).is_some()) {
                let mut new = Object::clone(o);
                new.map_values(|v| v.pointers = to(&v.pointers).unwrap_or_else(|| v.pointers.clone()));
                changed.push((b, Arc::new(new)));
            }
        });
        for (b, o) in changed {
            self.set(b, o);
        }
    }
    /// Calls `visit` on every base that the state itself mentions, in order.
    pub fn each<'a>(&'a self, mut visit: impl FnMut(BaseId, &'a Arc<Object>)) {
        self.objects.each(&mut |k, o| visit(base_at(k), o));
    }

    /// An upper bound of both.
    pub fn join(&self, other: &State, bases: &Bases) -> State {
        self.merge(other, bases, None, &mut |_, a, b| match (b.leq(a), a.leq(b)) {
            (true, _) => a.clone(),
            (_, true) => b.clone(),
            _ => Arc::new(a.join(b)),
        })
    }
    /// An upper bound of both, such that chains end.
    pub fn widen(&self, next: &State, bases: &Bases, thresholds: &[i128]) -> State {
        self.merge(next, bases, Some(thresholds), &mut |base, a, b| match b.leq(a) {
            true => a.clone(),
            false => Arc::new(a.widen(b, thresholds, &bases.stops.of(base))),
        })
    }
    /// `widens`: such that chains end, at thresholds if there are any.
    fn merge(&self, other: &State, bases: &Bases, widens: Option<&[i128]>, f: &mut Combine<'_>) -> State {
        // Of the objects in which they differ, those that both have, and all.
        let (mut in_both, mut in_either) = (Vec::new(), Vec::new());
        let objects = self.objects.merge(&other.objects, &mut |k, a, b| {
            let implicit = bases.implicit(base_at(k));
            in_either.push(base_at(k));
            match (a.or(implicit), b.or(implicit)) {
                (Some(x), Some(y)) => {
                    in_both.push(base_at(k));
                    Some(f(base_at(k), x, y))
                }
                (x, y) => x.or(y).cloned(),
            }
        });
        let (here, there) = (|p, target| self.implied(bases, p, target), |p, target| other.implied(bases, p, target));
        let texts = self.texts.common(&other.texts, here, there);
        let (ours, theirs) = (|m| self.alone(bases, m), |m| other.alone(bases, m));
        let bounds = match widens.is_some() {
            true => self.bounds.widen(&other.bounds, theirs, |pair, bound| {
                (self.leaves_a_constant(other, bases, pair) || self.leads_further(other, bases, pair))
                    && ours(pair.0).above(ours(pair.1)).is_some_and(|mine| mine <= bound)
            }),
            false => self.bounds.join(&other.bounds, ours, theirs),
        };
        let (here, there) = (|cell| self.implied_path(bases, cell), |cell| other.implied_path(bases, cell));
        let soon = widens.map(<[i128]>::is_empty);
        let paths = self.paths.common(&other.paths, soon, here, there);
        let implications = match widens {
            Some(thresholds) => self.widened_implications(other, bases, thresholds),
            None => self.implications_of_both(other, bases, &in_either),
        };
        let lists = self.lists_of_both(other, bases, &in_either);
        let damage = self.damage.join(&other.damage);
        let frames = self.frames.join(&other.frames);
        let mut both = State { objects, damage, texts, bounds, paths, implications, lists, frames };
        both.forget_idle_counts(bases);
        both.keep_alive(bases, (self, other), &in_both, widens.is_some());
        both
    }
    /// An upper bound of both that gives up the content of all bases of `next` that `self` is not seen to include.
    pub fn collapse(&self, next: &State, bases: &Bases) -> State {
        self.merge(next, bases, Some(&[]), &mut |_, a, b| match b.leq(a) {
            true => a.clone(),
            false => Arc::new(a.join(b).collapsed(a)),
        })
    }
    /// Inclusion; false also when it cannot be seen.
    pub fn leq(&self, other: &State, bases: &Bases) -> bool {
        let here = |pointer, target| self.implied(bases, pointer, target);
        if self.damage.join(&other.damage) != other.damage || !self.texts.say(&other.texts, here) {
            return false;
        }
        if !self.bounds.leq(&other.bounds, |m| self.alone(bases, m))
            || !self.paths.say(&other.paths, |cell| self.implied_path(bases, cell))
            || !self.entails_all(bases, &other.implications)
            || !self.lists_include(bases, &other.lists)
        {
            return false;
        }
        self.objects.all_different(&other.objects, &mut |k, a, b| {
            let implicit = bases.implicit(base_at(k));
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
            && self.texts == other.texts
            && self.bounds == other.bounds
            && self.paths == other.paths
            && self.implications == other.implications
            && self.lists == other.lists
            && self.objects.all_different(&other.objects, &mut |_, a, b| a.zip(b).is_some_and(|(a, b)| a == b))
    }

    /// Replaces every pointer to a base by one to that which `to` gives for it, in all bases that are not as in `since`.
    pub fn rename(&mut self, since: &State, to: &dyn Fn(BaseId) -> Option<BaseId>) {
        self.texts.retain(|base| to(base).is_none());
        self.retain_held(|base| to(base).is_none());
        self.forget_terms(|term| term.is_about(|base| to(base).is_some()));
        let points = |v: &Value| v.pointers.targets().iter().any(|t| to(t.0).is_some());
        let mut changed: Vec<BaseId> = Vec::new();
        self.objects.all_different(&since.objects, &mut |k, o, _| {
            changed.extend(o.filter(|o| o.targets().any(|b| to(b).is_some())).map(|_| base_at(k)));
            true
        });
        changed.into_iter().for_each(|b| self.repoint(b, points, |pointers| renamed(pointers, to)));
    }

    /// Offsets of an access of `size` bytes to `base` that stay inside the object.
    pub fn inside(&self, bases: &Bases, base: BaseId, offset: Int, size: i64) -> Option<Int> {
        let object = self.outside_of(bases, base)?;
        offset.clamp(0, object.size.hi().checked_sub(i128::from(size))?)
    }

    /// What a read of `shape` through `pointers` may yield, after checks passed; reads through addresses of no object
    /// are no executions.
    pub fn read(&self, bases: &Bases, pointers: &Pointers, shape: Shape) -> Value {
        if pointers.is_any() {
            return Value { undefined: true, ..shape.anything() };
        }
        let mut all = Hull::default();
        for &(base, offset) in pointers.targets() {
            let inside = self.inside(bases, base, offset, shape.len());
            if let (Some(object), Some(offset)) = (self.object(bases, base), inside)
                && object.life.may_live
            {
                all.add(object.read_at(offset, shape));
            }
        }
        let all = all.value();
        if all.pointers.targets().len() > MOST_TARGETS {
            return bases.unnamed(&all);
        }
        // No target is left: no execution comes here.
        if all.is_bottom() { shape.anything() } else { all }
    }

    /// A write of `value` through `pointers`, after checks passed. `extent`: where they lead, if they may be any; `spot`: what access path
    /// they are, if that is known.
    pub fn write(
        &mut self,
        bases: &Bases,
        pointers: &Pointers,
        shape: Shape,
        value: &Value,
        (extent, spot): (Extent, Option<&Spot>),
    ) {
        // Some bytes of a `long double` are padding.
        let sets = !value.undefined && (shape.kind != Kind::Float || shape.size <= 8);
        if pointers.is_any() {
            self.spoil_behind(bases, extent, value, (spot, sets));
        }
        let alone = pointers.targets().len() == 1 && !pointers.is_any();
        for &(base, offset) in pointers.targets() {
            let Some(offset) = self.inside(bases, base, offset, shape.len()) else { continue };
            self.overwrite_texts(base, offset, shape, value, sets);
            self.share_words(bases, base, value);
            self.write_behind(bases, base, spot, sets);
            let exact = offset.as_constant().filter(|_| alone && !bases.is_summary(base));
            let known = |o: &Arc<Object>| exact.is_some_and(|at| o.holds(at as i64, shape, value));
            if self.outside_of(bases, base).is_some_and(known) {
                continue;
            }
            self.learn(bases, base, |object| match exact {
                Some(at) => object.write(at as i64, shape, value.clone()),
                None => {
                    object.write_at(offset, shape, value);
                    // It is one byte of this object for sure.
                    if alone && shape.size == 1 && value.as_constant() == Some(0) && !bases.is_summary(base) {
                        object.zeros.place(offset.lo().max(0) as i64, offset.hi().min(i128::from(i64::MAX)) as i64);
                    }
                }
            });
        }
    }

    /// Ends what a write at one of `offsets` in `base`, of bytes that are all determinate if it `sets` them, ends of what is known of strings and elements.
    fn overwrite_texts(&mut self, base: BaseId, offsets: Int, shape: Shape, value: &Value, sets: bool) {
        let (lo, hi) = (offsets.lo().max(0), offsets.hi().min(i128::from(i64::MAX)));
        let (lo, hi) = (lo as i64, (hi as i64).saturating_add(shape.len()));
        self.forget_terms(|term| term.uses(base, lo, hi, sets));
        self.overwrite_cells(base, lo, hi);
        match value.as_constant() {
            Some(0) => self.texts.end(base, lo, hi),
            _ => self.texts.overwrite(base, lo, hi),
        }
    }

    /// A write of `value` to anywhere in the objects of `written`: through a pointer of which no more is known.
    pub fn spoil_where(&mut self, bases: &Bases, written: Extent, value: &Value) {
        self.spoil_behind(bases, written, value, (None, !value.undefined));
    }

    /// The same, to a spot behind an access path if it is one; and whether all bytes that are written are determinate.
    fn spoil_behind(&mut self, bases: &Bases, written: Extent, value: &Value, (spot, sets): (Option<&Spot>, bool)) {
        self.retain_held(|base| !written.has(bases, base));
        self.paths.write(&Write { hits: &|extent| extent.meets(&written), sets }, spot);
        let (pointers, undefined) = (!value.pointers.is_none(), value.undefined);
        self.texts.retain(|b| !written.has(bases, b));
        self.forget_terms(|term| term.is_about(|b| written.has(bases, b)));
        let mut known = Vec::new();
        self.each(|b, o| known.extend((!o.is_spoiled(value) && written.has(bases, b)).then_some(b)));
        for base in known {
            self.learn(bases, base, |o| o.spoil(value));
        }
        self.damage = self.damage.join(&Damage { written, pointers, undefined, ..Damage::default() });
    }
}
