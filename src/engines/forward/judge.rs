//! Checks over a state: which sites may fail, and the state of the executions that pass.

use super::bases::Base;
use super::object::Object;
use super::paths::Node;
use super::refine::Refiner;
use super::shape::Shape;
use crate::domains::{BaseId, Int, Pointers, Value, arithmetic};
use crate::ir::{AccessMode, AllocKind, BinaryOp, Check, ConstantBytes, Expr, Place, SiteId, TypeId};
use std::cell::LazyCell;
use std::sync::Arc;

/// How far a string is followed: a path of `PATH_MAX` bytes and what may stand behind it.
const STRING: i64 = 4096 + 16;
/// What is said of an access that is safe since one before it went well, or since the pointer leads to what lives on each way.
const BEFORE: &str = ", as an access before it, or each way that leads here, has shown";

/// What one site's check may do in the executions that come to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    pub site: SiteId,
    pub may_fail: bool,
    pub may_pass: bool,
    /// What is known of the operands.
    pub text: String,
}

/// Judgements of a check's sites, in order; those behind one that cannot pass are missing.
pub struct Judged {
    pub sites: Vec<Judgement>,
    /// Whether any execution goes on.
    pub goes_on: bool,
}

impl Judged {
    fn one(site: SiteId, may_fail: bool, may_pass: bool, text: String) -> Judged {
        Judged { sites: vec![Judgement { site, may_fail, may_pass, text }], goes_on: may_pass }
    }
}

/// An access through a pointer.
struct Access<'e> {
    ptr: &'e Expr,
    sites: [Option<SiteId>; 3],
    mode: AccessMode,
    /// Whether what has to lie in the object is all that is accessed.
    whole: bool,
}

impl Refiner<'_> {
    /// Judges a check and restricts the state to the executions that pass. `explain`: with texts.
    pub fn judge(&mut self, check: &Check, explain: bool) -> Judged {
        match check {
            Check::Access { ptr, size: bytes, mode, null, dangling, bounds } => {
                let view = self.view();
                let value = view.eval(bytes);
                let size = view.numbers(&value, view.int_type(bytes.ty).unwrap_or(view.address_type()));
                let access = Access { ptr, sites: [*null, *dangling, Some(*bounds)], mode: *mode, whole: true };
                let reach = view.text(ptr).map_or(0, |text| i128::from(text.ahead) + 1);
                let seen = move |object: &Object, offset: Int| {
                    let end = offset.hi().checked_add(size.hi());
                    size.hi() <= reach || offset.lo() >= 0 && end.is_some_and(|end| end <= object.size.lo())
                };
                let inside = |&(b, o): &(BaseId, Int)| view.state.object(self.bases, b).is_some_and(|x| seen(x, o));
                // What single values show needs no bounds of pairs.
                let doubtful = !view.eval(ptr).pointers.targets().iter().all(inside);
                let spelled = || self.bases.spelled().access(*bounds).is_some_and(|(p, n)| view.has_room(p, n));
                let room = doubtful && (view.has_room(ptr, bytes) || spelled());
                let judged = self.judge_access(&access, size, explain, |_, object, offset| {
                    seen(object, offset) || room && offset.lo() >= 0
                });
                if judged.goes_on && doubtful && !room {
                    self.learn_room(ptr, bytes);
                }
                if judged.goes_on && size.lo() > 0 {
                    self.learn_element(ptr);
                }
                judged
            }
            Check::Terminated { ptr, char_size, max, null, dangling, uninit, bounds } => {
                let view = self.view();
                let max = max.as_ref().map(|m| view.numbers(&view.eval(m), view.address_type()));
                let sites = [*null, *dangling, Some(*bounds)];
                let access = Access { ptr, sites, mode: AccessMode::Read, whole: false };
                let (char_size, first) = (*char_size, max.map_or((1, 1), |m| (m.lo().clamp(0, 1), m.hi().clamp(0, 1))));
                // A string needs one character at least, or no access when `max` may be 0.
                let size = Int::range(first.0 * i128::from(char_size), first.1 * i128::from(char_size));
                let most = max.map(Int::hi);
                let determinate = uninit.map(|site| self.judge_characters(site, ptr, char_size, most));
                // What a pointer is known to stand in ends, too.
                let told: Vec<BaseId> = {
                    let (view, value) = (self.view(), self.view().eval(ptr));
                    let texts = view.texts(ptr);
                    let bases = value.pointers.targets().iter().map(|target| target.0);
                    bases.filter(|b| char_size == 1 && texts(*b).is_some()).collect()
                };
                let mut judged = self.judge_access(&access, size, explain, |base, object, offset| {
                    told.contains(&base) || terminated(object, offset, char_size, most)
                });
                if char_size == 1 && most.is_none() && judged.goes_on {
                    self.learn_string(ptr, uninit.is_some());
                    self.learn_length(ptr);
                }
                // It is judged where the first character is accessible at least.
                if let Some(at) = judged.sites.iter().position(|j| j.site == *bounds) {
                    judged.sites.splice(at..at, determinate);
                }
                judged
            }
            Check::Initialized { site, place } => self.judge_initialized(*site, place),
            Check::NonZero { site, divisor } => {
                let view = self.view();
                let value = view.operand(divisor);
                let truth = view.truth(&value, divisor.ty);
                let passes = truth.may_hold && self.assume(divisor, true);
                Judged::one(*site, truth.may_fail, passes, text(explain, || format!("divisor {}", shown(&value))))
            }
            Check::NoOverflow { site, op, lhs, rhs, ty } => self.judge_overflow(*site, *op, (lhs, rhs), *ty, explain),
            Check::Fits { site, value, to, bits } => self.judge_fits(*site, value, *to, *bits, explain),
            Check::ShiftCount { site, count, width } => {
                let view = self.view();
                let value = view.eval(count);
                let Some(t) = view.int_type(count.ty) else { return Judged::one(*site, true, true, String::new()) };
                let (all, high) = (view.numbers(&value, t), i128::from(*width) - 1);
                let inside = all.clamp(0, high);
                let fails = all.lo() < 0 || all.hi() > high;
                let passes = inside.is_some_and(|i| self.restrict_number(count, i));
                Judged::one(*site, fails, passes, text(explain, || format!("count {}, width {width}", shown(&value))))
            }
            Check::SameObject { site, lhs, rhs } => self.judge_same_object(*site, lhs, rhs, explain),
            Check::Freeable { ptr, double, invalid } => self.judge_freeable(ptr, *double, *invalid, explain),
            Check::Callable { ptr, null } => {
                let value = self.view().eval(ptr);
                let odd = value.int.is_some() || value.undefined || !value.pointers.targets().is_empty();
                let fails = odd || value.pointers.is_any();
                let to = value.pointers.filter_targets(|_, _| None);
                let passes = !to.is_none() && self.restrict(ptr, &Value::pointers(to));
                Judged::one(*null, fails, passes, text(explain, || format!("the function pointer is {value}")))
            }
            Check::Holds { site, cond } => {
                let view = self.view();
                let truth = view.truth(&view.operand(cond), cond.ty);
                let known = text(explain, || self.describe_condition(cond));
                if self.program.sites[*site].kind.continues() || !truth.may_hold && self.goes_past(*site) {
                    return Judged { goes_on: true, ..Judged::one(*site, truth.may_fail, truth.may_hold, known) };
                }
                let passes = truth.may_hold && self.assume(cond, true);
                Judged::one(*site, truth.may_fail, passes, known)
            }
        }
    }

    /// `size` is what has to lie in the object for any execution to pass; `inside` whether all do.
    fn judge_access(
        &mut self,
        access: &Access<'_>,
        size: Int,
        explain: bool,
        inside: impl Fn(BaseId, &Object, Int) -> bool,
    ) -> Judged {
        let [null, dangling, bounds] = access.sites;
        let mut judged = Judged { sites: Vec::new(), goes_on: true };
        let empty = size.lo() <= 0;
        let value = self.view().eval(access.ptr);
        let explained = |s: &Self, v: &Value| text(explain, || s.describe_pointer(v));
        if size.hi() <= 0 {
            let all = access.sites.into_iter().flatten();
            judged.sites = all.map(|site| passed(site, "0 bytes are accessed")).collect();
            return judged;
        }
        let any = value.pointers.is_any();
        let writes = access.mode == AccessMode::Write;
        let constant = |b: BaseId| writes && self.bases.read_only(b).is_all();
        let plain = value.pointers.filter_targets(|b, o| (!constant(b)).then_some(o)).without_functions();
        let spares = |&(b, o): &(BaseId, Int)| !writes || !may_touch(self.bases.read_only(b), o, size);
        let odd = value.int.is_some() || value.undefined || !value.pointers.functions().is_empty();
        // Asked only where the objects leave something open.
        let node = LazyCell::new(|| self.view().node(access.ptr));
        let spared = || {
            let leads = |n: &Node| n.extent.is_writable(self.bases);
            self.extents.are_writable(access.ptr) || node.as_ref().is_some_and(leads)
        };
        let odd = odd || any && !value.pointers.is_any_object(writes && !spared());
        let fails = odd || !value.pointers.targets().iter().all(spares);
        if let Some(site) = null {
            let may_pass = !plain.is_none() || empty;
            judged.sites.push(Judgement { site, may_fail: fails, may_pass, text: explained(self, &value) });
        }
        let object = |b: BaseId| self.state.object(self.bases, b);
        let alive = plain.filter_targets(|b, o| object(b).is_some_and(|x| x.life.may_live).then_some(o));
        if let Some(site) = dangling.filter(|_| !plain.is_none() || empty) {
            let dead = |&(b, _): &(BaseId, Int)| object(b).is_some_and(|x| x.life.may_be_dead);
            let doubtful = any || plain.targets().iter().any(dead);
            let in_list = || self.view().lives_in_list(access.ptr, self.copies);
            let lives = doubtful && (node.as_ref().is_some_and(|n| n.lives) || in_list());
            let may_fail = doubtful && !lives;
            let may_pass = !alive.is_none() || empty;
            let text = explained(self, &Value::pointers(plain.clone())) + if lives { BEFORE } else { "" };
            judged.sites.push(Judgement { site, may_fail, may_pass, text });
        }
        // Without a site for it, a named variable counts as live.
        let alive = if dangling.is_some() { alive } else { plain };
        let least = size.lo().max(1);
        let within = alive.filter_targets(|b, o| o.clamp(0, object(b)?.size.hi().checked_sub(least)?));
        if let Some(site) = bounds.filter(|_| !alive.is_none() || empty) {
            let safe = |&(b, o): &(BaseId, Int)| object(b).is_some_and(|x: &Arc<Object>| inside(b, x, o));
            let doubtful = any || !alive.targets().iter().all(safe);
            let covered = doubtful && access.whole && node.as_ref().is_some_and(|n| n.covers(0, size.hi()));
            let may_fail = doubtful && !covered;
            let may_pass = !within.is_none() || empty;
            let text = explained(self, &Value::pointers(alive.clone()));
            let before = if covered { BEFORE } else { "" };
            let text = if explain { format!("{} at {text}{before}", bytes(size)) } else { text };
            judged.sites.push(Judgement { site, may_fail, may_pass, text });
        }
        // What an access goes to is an object's.
        let writable = writes && !self.bases.has_partly_constant();
        let within = if any { within.meet(&Pointers::any_object(writable)) } else { within };
        let doubtful = judged.sites.iter().any(|j| j.may_fail);
        judged.goes_on = empty || (!within.is_none() && self.restrict(access.ptr, &Value::pointers(within)));
        if judged.goes_on && doubtful && !empty {
            self.learn_access(access.ptr, size);
        }
        judged
    }

    /// Whether all characters of a string, of `max` at most, are determinate.
    fn judge_characters(&self, site: SiteId, ptr: &Expr, char_size: u8, max: Option<i128>) -> Judgement {
        let view = self.view();
        let value = view.eval(ptr);
        let texts = view.texts(ptr);
        let told = |b| char_size == 1 && texts(b).is_some_and(|text| text.set);
        let unsure = |&(b, o): &(BaseId, Int)| {
            self.state.object(self.bases, b).is_none_or(|x| !determinate(x, o, char_size, max)) && !told(b)
        };
        let may_fail = value.pointers.is_any() || value.pointers.targets().iter().any(unsure);
        let text = if may_fail { "a character may be indeterminate" } else { "all characters are determinate" };
        Judgement { site, may_fail, may_pass: true, text: text.into() }
    }

    fn judge_initialized(&mut self, site: SiteId, place: &Place) -> Judged {
        let view = self.view();
        let value = view.load(place);
        let text = if value.undefined { "may be indeterminate" } else { "determinate" };
        if !value.may_be_defined() {
            // Runs give what has no value some number, and no address.
            let goes_on = self.program.types.as_int(place.ty).is_some();
            return Judged { goes_on, ..Judged::one(site, value.undefined, false, text.into()) };
        }
        let load = Expr::load(place.clone());
        let passes = !value.undefined || self.restrict(&load, &value.clone().defined());
        Judged::one(site, value.undefined, passes, text.into())
    }

    fn judge_overflow(
        &mut self,
        site: SiteId,
        op: BinaryOp,
        (lhs, rhs): (&Expr, &Expr),
        ty: TypeId,
        explain: bool,
    ) -> Judged {
        let view = self.view();
        let Some(t) = view.int_type(ty) else { return Judged::one(site, true, true, String::new()) };
        let (x, y) = (view.numbers(&view.eval(lhs), t), view.numbers(&view.eval(rhs), t));
        let bounds = t.bounds();
        let known = text(explain, || format!("{x} {} {y}", op.symbol()));
        if t.bits >= 128 && !t.signed {
            return Judged::one(site, true, true, known);
        }
        let fits = |exact: Option<Int>| exact.is_some_and(|e| e.interval().leq(bounds));
        // What bounds say of the operands costs more to ask.
        let exact = |of: &dyn Fn(Int, Int) -> Option<Int>| match of(x, y) {
            all if fits(all) => all,
            _ => of(view.bounded(lhs, x), view.bounded(rhs, y)),
        };
        let exact = match op {
            BinaryOp::Add => exact(&|x, y| view.added(lhs, rhs, arithmetic::add(x, y))),
            BinaryOp::Sub => exact(&|x, y| view.subtracted(lhs, rhs, arithmetic::sub(x, y))),
            BinaryOp::Mul => exact(&arithmetic::mul),
            BinaryOp::Div | BinaryOp::Rem => {
                let fails = t.signed && x.contains(bounds.lo) && y.contains(-1);
                let always = x.as_constant() == Some(bounds.lo) && y.as_constant() == Some(-1);
                return Judged::one(site, fails, !(fails && always), known);
            }
            _ => return Judged::one(site, true, true, known),
        };
        let fails = !fits(exact);
        let passes = exact.is_none_or(|e| e.clamp(bounds.lo, bounds.hi).is_some());
        if !fails || !passes || self.program.sites[site].kind.continues() {
            let goes_on = passes || self.goes_past(site);
            return Judged { goes_on, ..Judged::one(site, fails, passes, known) };
        }
        // What one operand can be when the sum stays in bounds.
        let range = |lo: Option<i128>, hi: Option<i128>| {
            let (lo, hi) = (lo.unwrap_or(i128::MIN), hi.unwrap_or(i128::MAX));
            (lo <= hi).then(|| Value::int(Int::range(lo, hi)))
        };
        let (p, q) = match op {
            BinaryOp::Add => (
                range(bounds.lo.checked_sub(y.hi()), bounds.hi.checked_sub(y.lo())),
                range(bounds.lo.checked_sub(x.hi()), bounds.hi.checked_sub(x.lo())),
            ),
            BinaryOp::Sub => (
                range(bounds.lo.checked_add(y.lo()), bounds.hi.checked_add(y.hi())),
                range(x.lo().checked_sub(bounds.hi), x.hi().checked_sub(bounds.lo)),
            ),
            BinaryOp::Mul => {
                // By a factor that is at least so much, a number has so little room.
                let of = |factor: Int| {
                    let least = Some(factor.lo()).filter(|least| *least > 0)?;
                    range(Some(bounds.lo / least), Some(bounds.hi / least))
                };
                (of(y), of(x))
            }
            _ => return Judged::one(site, true, true, known),
        };
        let plain = |s: &Self, e: &Expr| {
            let v = s.view().eval(e);
            v.pointers.is_none() && !v.undefined
        };
        let mut passes = true;
        for (e, to) in [(lhs, p), (rhs, q)] {
            passes &= !plain(self, e) || to.is_none_or(|to| self.restrict(e, &to));
        }
        Judged::one(site, fails, passes, known)
    }

    fn judge_fits(&mut self, site: SiteId, e: &Expr, to: TypeId, bits: Option<u8>, explain: bool) -> Judged {
        let view = self.view();
        let value = view.eval(e);
        let known = text(explain, || format!("value {}", shown(&value)));
        let Some(mut t) = view.int_type(to) else { return Judged::one(site, true, true, known) };
        if let Some(width) = bits {
            t = crate::domains::IntType { bits: u32::from(width), boolean: false, ..t };
        }
        if t.bits == 0 || t.bits >= 127 {
            return Judged::one(site, true, true, known);
        }
        let bounds = t.bounds();
        let (fails, passes) = match view.int_type(e.ty) {
            Some(s) if s.bits >= 128 && !s.signed => (true, true),
            Some(s) => {
                let x = view.numbers(&value, s);
                (!x.interval().leq(bounds), x.clamp(bounds.lo, bounds.hi).is_some())
            }
            None => match value.float.filter(|_| !value.undefined).map(|f| (f.numbers(), f.may_be_nan())) {
                Some((Some((lo, hi)), nan)) => {
                    // Numbers strictly between these are cut to one in bounds. Both are exact, or rounded outward.
                    let (below, above) = (bounds.lo as f64 - 1.0, (bounds.hi + 1) as f64);
                    let below = if bounds.lo as f64 == below { next_down(below) } else { below };
                    (nan || lo <= below || hi >= above, hi > below && lo < above)
                }
                Some((None, _)) => (true, false),
                None => (true, true),
            },
        };
        Judged { goes_on: passes || self.goes_past(site), ..Judged::one(site, fails, passes, known) }
    }

    fn judge_same_object(&mut self, site: SiteId, lhs: &Expr, rhs: &Expr, explain: bool) -> Judged {
        let view = self.view();
        let (a, b) = (view.eval(lhs), view.eval(rhs));
        let known = text(explain, || format!("{} and {}", self.describe_pointer(&a), self.describe_pointer(&b)));
        let odd = |v: &Value| v.undefined || v.pointers.is_any() || !v.pointers.functions().is_empty();
        if odd(&a) || odd(&b) {
            return Judged::one(site, true, true, known);
        }
        let null = |v: &Value| v.as_constant() == Some(0);
        if null(&a) && null(&b) {
            return Judged::one(site, false, true, known);
        }
        let safe = match (a.pointers.targets(), b.pointers.targets()) {
            ([(x, _)], [(y, _)]) => x == y && a.int.is_none() && b.int.is_none() && !self.bases.is_summary(*x),
            _ => false,
        };
        let with = |x: BaseId| b.pointers.targets().iter().any(|&(y, _)| view.may_be_one_object(x, y));
        let common = a.pointers.targets().iter().any(|&(x, _)| with(x));
        let nulls = a.int.is_some_and(|i| i.contains(0)) && b.int.is_some_and(|i| i.contains(0));
        // Labels are numbers here, and those of one function have an order.
        let label = |v: &Value| v.int.is_some() && !null(v);
        let passes = common || nulls || label(&a) && label(&b);
        Judged { goes_on: passes || self.goes_past(site), ..Judged::one(site, !safe, passes, known) }
    }

    /// Whether executions are followed past a failure at the site where none passes: compiled programs go on there, and one error at the start must not hide
    /// all behind it.
    fn goes_past(&self, site: SiteId) -> bool {
        let kind = self.program.sites[site].kind;
        kind.continues() || kind.may_be_passed()
    }

    fn judge_freeable(&mut self, ptr: &Expr, double: SiteId, invalid: SiteId, explain: bool) -> Judged {
        let value = self.view().eval(ptr);
        let heap = |b: BaseId| match self.bases.get(b) {
            Base::Heap { alloc, .. } => self.program.allocs[alloc].kind == AllocKind::Heap,
            _ => false,
        };
        let known = text(explain, || self.describe_pointer(&value));
        let odd = value.undefined || value.pointers.is_any() || !value.pointers.functions().is_empty();
        let nulls = value.int.and_then(|i| i.clamp(0, 0));
        let starts =
            value.pointers.filter_targets(|b, o| if heap(b) { o.clamp(0, 0) } else { None }).without_functions();
        let exact = value.pointers.targets().iter().all(|&(b, o)| heap(b) && o.as_constant() == Some(0));
        let fails = odd || !exact || value.int != nulls;
        let mut judged = Judged::one(invalid, fails, nulls.is_some() || !starts.is_none(), known.clone());
        if !judged.goes_on {
            return judged;
        }
        let object = |b: BaseId| self.state.object(self.bases, b);
        let dead = |&(b, _): &(BaseId, Int)| object(b).is_some_and(|x| x.life.may_be_dead);
        let doubtful = value.pointers.is_any() || starts.targets().iter().any(dead);
        let shown = || self.view().node(ptr).is_some_and(|n| n.lives) || self.view().lives_in_list(ptr, self.copies);
        let lives = doubtful && shown();
        let (may_fail, known) = (doubtful && !lives, if lives { known + BEFORE } else { known });
        let alive = starts.filter_targets(|b, o| object(b).is_some_and(|x| x.life.may_live).then_some(o));
        let to = Value { int: nulls, pointers: alive, ..Value::bottom() };
        let may_pass = !to.is_bottom();
        judged.sites.push(Judgement { site: double, may_fail, may_pass, text: known });
        judged.goes_on = may_pass && self.restrict(ptr, &to);
        judged
    }

    fn describe_condition(&self, cond: &Expr) -> String {
        match &cond.kind {
            crate::ir::ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let view = self.view();
                let side = |e: &Expr| self.describe_pointer(&view.eval(e));
                format!("{} {} {}", side(a), op.symbol(), side(b))
            }
            _ => format!("condition {}", shown(&self.view().eval(cond))),
        }
    }

    /// A pointer value in words, with the names of its targets.
    pub fn describe_pointer(&self, value: &Value) -> String {
        const SHOWN: usize = 3;
        let mut parts: Vec<String> = Vec::new();
        if let Some(i) = value.int {
            parts.push(if i.as_constant() == Some(0) { "NULL".into() } else { i.to_string() });
        }
        parts.extend(value.float.map(|f| f.to_string()));
        for &(base, offset) in value.pointers.targets().iter().take(SHOWN) {
            let life = match self.state.object(self.bases, base).map(|o| (o.life.may_live, o.life.may_be_dead)) {
                Some((true, true)) => ", possibly ended",
                Some((false, true)) => ", ended",
                _ => "",
            };
            let size = self.state.object(self.bases, base).map_or(String::new(), |o| format!(" of {} bytes", o.size));
            parts.push(format!("{}{size}{life} + {offset}", self.bases.describe(self.program, base)));
        }
        match value.pointers.targets().len().saturating_sub(SHOWN) {
            0 => {}
            more => parts.push(format!("{more} more objects")),
        }
        parts.extend(value.pointers.functions().iter().take(SHOWN).map(|f| self.program.functions[*f].name.clone()));
        if value.pointers.is_any_object(false) {
            parts.push("an address of an unknown object".into());
        } else if value.pointers.is_any() {
            parts.push("an unknown address".into());
        }
        if value.undefined {
            parts.push("an indeterminate value".into());
        }
        parts.join(" or ")
    }
}

fn text(explain: bool, f: impl FnOnce() -> String) -> String {
    if explain { f() } else { String::new() }
}

fn passed(site: SiteId, text: &str) -> Judgement {
    Judgement { site, may_fail: false, may_pass: true, text: text.into() }
}

fn shown(value: &Value) -> String {
    match value.as_constant() {
        Some(c) => format!("= {c}"),
        None => format!("in {value}"),
    }
}

fn bytes(size: Int) -> String {
    match size.as_constant() {
        Some(1) => "1 byte".into(),
        _ => format!("{size} bytes"),
    }
}

/// The next double below `x`, a number of large magnitude.
fn next_down(x: f64) -> f64 {
    x * (1.0 + f64::EPSILON)
}

/// Whether every string that starts at one of `offsets` ends in the object, or has `max` characters in it.
pub fn terminated(object: &Object, offsets: Int, char_size: u8, max: Option<i128>) -> bool {
    let size = object.size.lo();
    let step = i128::from(char_size);
    if char_size == 1 && offsets.lo() >= 0 && object.zeros.follows(offsets.hi()) {
        return true;
    }
    if offsets.lo() < 0 || offsets.hi() >= size {
        return false;
    }
    if let Some(max) = max
        && max.checked_mul(step).and_then(|n| n.checked_add(offsets.hi())).is_some_and(|end| end <= size)
    {
        return true;
    }
    if char_size == 1 {
        // A string that starts before a zero ends there at the latest.
        let end = size.min(offsets.hi() + i128::from(STRING)) as i64;
        let mut bytes = object.telling_bytes(offsets.hi() as i64, end);
        return object.zeros.end(offsets.hi()) || bytes.any(|(_, byte)| byte.as_constant() == Some(0));
    }
    let Some(start) = offsets.as_constant() else { return false };
    let shape = Shape { size: char_size, kind: super::shape::Kind::Unsigned };
    (0..i128::from(STRING))
        .map(|k| start + k * step)
        .take_while(|at| at + step <= size)
        .any(|at| object.read(at as i64, shape).as_constant() == Some(0))
}

/// Whether every string in `object` at one of `offsets`, up to `max` characters of it, has determinate bytes only.
pub fn determinate(object: &Object, offsets: Int, char_size: u8, max: Option<i128>) -> bool {
    let (start, size) = (offsets.lo().max(0), object.size.hi());
    let limit = max.and_then(|m| m.checked_mul(i128::from(char_size))?.checked_add(offsets.hi()));
    let end = size.min(limit.unwrap_or(size));
    if char_size == 1 && object.zeros.text.is_some_and(|text| offsets.as_constant() == Some(i128::from(text))) {
        return true;
    }
    let end = end.min(i128::from(i64::MAX));
    let (Ok(first), Ok(last)) = (i64::try_from(start), i64::try_from(end)) else { return false };
    if offsets.as_constant().is_none() || char_size != 1 {
        return first >= last || !object.any_byte_in(first, last).undefined;
    }
    for (_, byte) in object.telling_bytes(first, last.min(first.saturating_add(STRING))) {
        if byte.undefined {
            return false;
        }
        if byte.as_constant() == Some(0) {
            return true;
        }
    }
    last <= first.saturating_add(STRING) || !object.any_byte_in(first, last).undefined
}

/// Whether a write of `size` bytes, one at least, at `offset` may meet bytes that only an initializer may write.
fn may_touch(constant: &ConstantBytes, offset: Int, size: Int) -> bool {
    let ConstantBytes::Parts(parts) = constant else { return constant.is_all() };
    let congruence = offset.congruence();
    let repeats = |period: u64| congruence.modulus() % i128::from(period) == 0;
    // Where the offset is known, or as far as what is constant comes again.
    let known = congruence.modulus() == 0 || parts.period.is_some_and(repeats);
    match (u64::try_from(congruence.rem()), u64::try_from(size.hi())) {
        (Ok(start), Ok(length)) if known => parts.touched(start, length),
        _ => true,
    }
}
