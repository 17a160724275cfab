//! What of a state lets a check fail, in words of C, for people who read a report.

use super::bases::Base;
use super::evaluate::View;
use super::judge::terminated;
use super::object::Object;
use crate::domains::{BaseId, Int, Value};
use crate::ir::{
    AccessMode, AllocKind, BinaryOp, Check, CheckKind, Expr, Place, SiteId, Type, TypeId, is_global, spell_expr,
    spell_place,
};
use crate::verdict::{Doubt, DoubtSort, Grip, locate};
use std::sync::Arc;

/// So many objects are named in one text.
const NAMED: usize = 2;
/// An access that errs by no more bytes than this errs closely.
const CLOSE: i128 = 64;
/// Offsets and sizes beyond this are as good as unknown.
const FAR: i128 = 1 << 40;

impl View<'_> {
    /// Why `site` of `check` may fail in this state.
    pub fn doubt(&self, check: &Check, site: SiteId) -> Doubt {
        let kind = self.program.sites[site].kind;
        match check {
            Check::Access { ptr, mode, .. } if kind == CheckKind::NullDeref => {
                self.doubt_pointer(site, ptr, *mode == AccessMode::Write)
            }
            Check::Terminated { ptr, .. } | Check::Callable { ptr, .. } if kind == CheckKind::NullDeref => {
                self.doubt_pointer(site, ptr, false)
            }
            Check::Access { ptr, .. } | Check::Terminated { ptr, .. } if kind == CheckKind::UseAfterFree => {
                self.doubt_life(site, ptr)
            }
            Check::Access { ptr, size, .. } => {
                let size = self.numbers(&self.eval(size), self.address_type());
                self.doubt_bounds(site, ptr, size)
            }
            Check::Terminated { ptr, uninit, .. } if *uninit == Some(site) => {
                let thing = self.thing(site, Some(ptr));
                self.told(DoubtSort::Unset, Grip::Loose, thing, "a character of the string may have no value".into())
            }
            Check::Terminated { ptr, char_size, .. } => self.doubt_end(site, ptr, *char_size),
            Check::Initialized { place, .. } => self.doubt_unset(site, place),
            Check::NonZero { divisor, .. } => {
                let words = format!("the divisor may be 0: it is {}", self.value_of(divisor));
                self.told(DoubtSort::Number, self.grip(&[divisor]), self.thing(site, Some(divisor)), words)
            }
            Check::NoOverflow { op, lhs, rhs, .. } => {
                let words = format!("{} {} {}", self.value_of(lhs), spoken(*op), self.value_of(rhs));
                self.told(DoubtSort::Number, self.grip(&[lhs, rhs]), self.widest(site, lhs, rhs), words)
            }
            Check::Fits { value, .. } => {
                let words = format!("the value may be {}", self.value_of(value));
                self.told(DoubtSort::Number, self.grip(&[value]), self.thing(site, Some(value)), words)
            }
            Check::ShiftCount { count, width, .. } => {
                let words = format!("the count is {}, and must be between 0 and {}", self.value_of(count), width - 1);
                self.told(DoubtSort::Number, self.grip(&[count]), self.thing(site, Some(count)), words)
            }
            Check::SameObject { lhs, rhs, .. } => {
                let (left, right) = (self.pointed(&self.eval(lhs)), self.pointed(&self.eval(rhs)));
                let words = format!("one may point to {left}, the other to {right}");
                self.told(DoubtSort::Apart, Grip::Loose, self.thing(site, None), words)
            }
            Check::Freeable { ptr, double, .. } if *double == site => self.doubt_life(site, ptr),
            Check::Freeable { ptr, .. } => {
                let value = self.eval(ptr);
                let grip = if value.pointers.is_any() { Grip::Loose } else { Grip::Close };
                let words = format!("what is freed may be {}", self.pointed(&value));
                self.told(DoubtSort::Wild, grip, self.thing(site, Some(ptr)), words)
            }
            Check::Callable { ptr, .. } => self.doubt_pointer(site, ptr, false),
            Check::Holds { cond, .. } => {
                let known = match &cond.kind {
                    crate::ir::ExprKind::Binary(op, a, b) if op.is_comparison() => {
                        format!("`{}` of {} and {}", op.symbol(), self.value_of(a), self.value_of(b))
                    }
                    _ => format!("the condition is {}", self.value_of(cond)),
                };
                self.told(DoubtSort::Condition, Grip::Loose, self.thing(site, None), known)
            }
        }
    }

    fn told(&self, sort: DoubtSort, grip: Grip, thing: String, words: String) -> Doubt {
        Doubt { sort, grip, thing, at: None, words, more: String::new() }
    }

    /// How C names what is in doubt at `site`: `e`, if it has a name, else what the site judges.
    fn thing(&self, site: SiteId, e: Option<&Expr>) -> String {
        let named = e.and_then(|e| Some((spell_expr(self.program, e)?, is_global(self.program, e))));
        self.scoped(site, named)
    }

    /// A name, told with the function of `site` where it is none of the whole program.
    fn scoped(&self, site: SiteId, named: Option<(String, bool)>) -> String {
        let site = &self.program.sites[site];
        let function = &self.program.functions[site.function].name;
        match named {
            Some((name, true)) => format!("`{name}`"),
            Some((name, false)) => format!("`{name}` in {function}"),
            None => format!("`{}` in {function}", site.subject),
        }
    }

    /// A pointer that may be NULL, or another address at which nothing can be accessed.
    fn doubt_pointer(&self, site: SiteId, ptr: &Expr, writes: bool) -> Doubt {
        let value = self.eval(ptr);
        let thing = self.thing(site, Some(ptr));
        let targets = value.pointers.targets();
        let alloc = |base: BaseId| match self.bases.get(base) {
            Base::Heap { alloc, .. } if self.program.allocs[alloc].kind == AllocKind::Heap => Some(alloc),
            _ => None,
        };
        if value.pointers.is_any() || value.undefined {
            let words = if value.undefined { "may have no value, or any" } else { "may be any address" };
            return self.told(DoubtSort::Wild, Grip::Loose, thing, words.into());
        }
        let Some(number) = value.int else {
            let read_only = |&&(base, _): &&(BaseId, Int)| writes && !self.bases.read_only(base).is_none();
            let words = match targets.iter().find(read_only) {
                Some((base, _)) => format!("may point to {}, which must not be written", self.name(*base)),
                None if value.pointers.functions().is_empty() => "may be no address of an object".to_owned(),
                None => "may point to a function".to_owned(),
            };
            return self.told(DoubtSort::Wild, Grip::Close, thing, words);
        };
        match number.as_constant() {
            Some(0) => {
                let heap = targets.first().and_then(|(base, _)| alloc(*base));
                if let Some(first) = heap.filter(|_| targets.iter().all(|(base, _)| alloc(*base).is_some())) {
                    let allocated = &self.program.allocs[first];
                    let (thing, at) = (allocated.name.clone(), Some(locate(self.program, allocated.span)));
                    return Doubt {
                        sort: DoubtSort::Allocation,
                        grip: Grip::Close,
                        thing,
                        at,
                        words: "may be NULL".to_owned(),
                        more: String::new(),
                    };
                }
                self.told(DoubtSort::Null, Grip::Close, thing, "may be NULL".to_owned())
            }
            Some(bytes) if (1..1 << 16).contains(&bytes) => {
                let words = format!("may be NULL plus {bytes} bytes (a member of what NULL points to)");
                self.told(DoubtSort::Null, Grip::Close, thing, words)
            }
            _ => {
                let words = format!("may be NULL or another number that is no address: {}", between(number));
                let grip = if number.lo() >= 0 && number.hi() < 1 << 16 { Grip::Close } else { Grip::Loose };
                self.told(DoubtSort::Null, grip, thing, words)
            }
        }
    }

    /// A pointer to what may be gone.
    fn doubt_life(&self, site: SiteId, ptr: &Expr) -> Doubt {
        let value = self.eval(ptr);
        let dead = |&&(base, _): &&(BaseId, Int)| self.object(base).is_some_and(|o| o.life.may_be_dead);
        let gone = value.pointers.targets().iter().find(dead);
        let Some((base, _)) = gone.filter(|_| !value.pointers.is_any()) else {
            let words = "may point to an object that is gone: where it points is not known".to_owned();
            return self.told(DoubtSort::Wild, Grip::Loose, self.thing(site, Some(ptr)), words);
        };
        let surely = self.object(*base).is_some_and(|o| !o.life.may_live);
        let may = if surely { "has been" } else { "may have been" };
        let words = match self.bases.get(*base) {
            Base::Heap { .. } => format!("{} {may} freed", self.name(*base)),
            _ => format!("{} may be past its lifetime", self.name(*base)),
        };
        self.told_of(DoubtSort::Ended, Grip::Close, *base, words)
    }

    /// A pointer to too few bytes for an access of `size`.
    fn doubt_bounds(&self, site: SiteId, ptr: &Expr, size: Int) -> Doubt {
        let value = self.eval(ptr);
        let inside = |object: &Object, offset: Int| {
            let end = offset.hi().checked_add(size.hi());
            offset.lo() >= 0 && end.is_some_and(|end| end <= object.size.lo())
        };
        let outside = |&&(base, offset): &&(BaseId, Int)| self.object(base).is_none_or(|o| !inside(&o, offset));
        self.doubt_extent(site, ptr, &value, outside, DoubtSort::Outside, &bytes(size))
    }

    /// A pointer to characters among which there may be no end.
    fn doubt_end(&self, site: SiteId, ptr: &Expr, char_size: u8) -> Doubt {
        let value = self.eval(ptr);
        let texts = self.texts(ptr);
        let ends = |&(base, offset): &(BaseId, Int)| {
            let told = char_size == 1 && texts(base).is_some();
            told || self.object(base).is_some_and(|o| terminated(&o, offset, char_size, None))
        };
        self.doubt_extent(site, ptr, &value, |target| !ends(target), DoubtSort::Endless, "a string without an end")
    }

    /// Objects that are too small for `what`, of those that `outside` chooses.
    fn doubt_extent(
        &self,
        site: SiteId,
        ptr: &Expr,
        value: &Value,
        outside: impl Fn(&&(BaseId, Int)) -> bool,
        sort: DoubtSort,
        what: &str,
    ) -> Doubt {
        let all = value.pointers.targets();
        let chosen: Vec<&(BaseId, Int)> = all.iter().filter(outside).collect();
        if all.is_empty() && !value.pointers.is_any() {
            return self.doubt_pointer(site, ptr, false);
        }
        let Some((first, offset)) = chosen.first().copied().filter(|_| !value.pointers.is_any()) else {
            let words = format!("{what} at an address of which nothing is known");
            return self.told(DoubtSort::Wild, Grip::Loose, self.thing(site, Some(ptr)), words);
        };
        let mut places: Vec<String> = Vec::new();
        for (base, offset) in chosen.iter().copied() {
            let place = format!("{}{}", at_offset(*offset), self.sized(*base));
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let more = match places.len().saturating_sub(NAMED) {
            0 => String::new(),
            1 => " or of another object".to_owned(),
            more => format!(" or of {more} other objects"),
        };
        places.truncate(NAMED);
        let words = format!("{what} at {}{more}", places.join(" or at "));
        let size = self.object(*first).map_or(0, |o| o.size.lo());
        let grip = match self.bases.get(*first) {
            Base::Text(_) | Base::Strings(_) => Grip::Input,
            _ if sort == DoubtSort::Endless => Grip::Loose,
            _ if offset.lo() < -CLOSE || offset.hi() > size.saturating_add(CLOSE) => Grip::Loose,
            _ => Grip::Close,
        };
        self.told_of(sort, grip, *first, words)
    }

    /// What may have no value.
    fn doubt_unset(&self, site: SiteId, place: &Place) -> Doubt {
        let load = Expr::load(place.clone());
        let named = spell_place(self.program, place).map(|name| (name, is_global(self.program, &load)));
        let grip = if place.as_var().is_some() { Grip::Close } else { Grip::Loose };
        self.told(DoubtSort::Unset, grip, self.scoped(site, named), "it may have no value yet".to_owned())
    }

    /// A doubt about the object of `base`.
    fn told_of(&self, sort: DoubtSort, grip: Grip, base: BaseId, words: String) -> Doubt {
        let (thing, at) = match self.bases.get(base) {
            Base::Heap { alloc, .. } => {
                let site = &self.program.allocs[alloc];
                (format!("the block of {}", site.name), Some(locate(self.program, site.span)))
            }
            _ => (self.name(base), None),
        };
        Doubt { sort, grip, thing, at, words, more: String::new() }
    }

    fn object(&self, base: BaseId) -> Option<Arc<Object>> {
        self.state.object(self.bases, base).cloned()
    }

    /// The name of a base.
    fn name(&self, base: BaseId) -> String {
        self.bases.describe(self.program, base)
    }

    /// The name of a base with the size of its object.
    fn sized(&self, base: BaseId) -> String {
        let size = match self.object(base).map(|o| o.size) {
            Some(size) if size.lo() <= 1 && size.hi() >= FAR => ", of any size".to_owned(),
            Some(size) => format!(", which has {}", bytes(size)),
            None => String::new(),
        };
        format!("{}{size}", self.name(base))
    }

    /// What a pointer may be, each object once.
    fn pointed(&self, value: &Value) -> String {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(value.int.map(|i| if i.as_constant() == Some(0) { "NULL".to_owned() } else { between(i) }));
        for (base, offset) in value.pointers.targets() {
            let inside = if offset.as_constant() == Some(0) { "" } else { "the inside of " };
            let part = format!("{inside}{}", self.name(*base));
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        match parts.len().saturating_sub(NAMED + 1) {
            0 => {}
            more => {
                parts.truncate(NAMED + 1);
                parts.push(format!("{more} other{}", if more == 1 { "" } else { "s" }));
            }
        }
        if !value.pointers.functions().is_empty() {
            parts.push("a function".to_owned());
        }
        if value.pointers.is_any() {
            parts.push("an unknown address".to_owned());
        }
        if value.undefined {
            parts.push("anything, since it may have no value".to_owned());
        }
        parts.join(" or ")
    }

    /// What `e` may be, in words.
    fn value_of(&self, e: &Expr) -> String {
        let value = self.eval(e);
        if matches!(self.program.types.get(e.ty), Type::Pointer(_)) {
            return self.pointed(&value);
        }
        if let Some(float) = value.float.filter(|_| !value.undefined) {
            let nan = if float.may_be_nan() { " or no number (NaN)" } else { "" };
            return match float.numbers() {
                Some((lo, hi)) if lo == hi => format!("{lo}{nan}"),
                Some((lo, hi)) if lo.is_infinite() && hi.is_infinite() => format!("any number{nan}"),
                Some((lo, hi)) => format!("between {lo} and {hi}{nan}"),
                None => "no number (NaN)".to_owned(),
            };
        }
        let unset = if value.undefined { ", since it may have no value" } else { "" };
        match self.int_type(e.ty) {
            Some(t) => {
                let numbers = self.numbers(&value, t);
                let all = t.bounds().leq(numbers.interval());
                let known = if all { format!("any {}", self.type_name(e.ty)) } else { between(numbers) };
                format!("{known}{unset}")
            }
            None => format!("any number{unset}"),
        }
    }

    fn type_name(&self, ty: TypeId) -> String {
        format!("`{}`", self.program.types.describe(ty))
    }

    /// Whether `e` may be the least or the greatest number of its type, or no integer.
    fn is_loose(&self, e: &Expr) -> bool {
        let value = self.eval(e);
        let Some(t) = self.int_type(e.ty) else { return true };
        let (numbers, bounds) = (self.numbers(&value, t), t.bounds());
        value.undefined || numbers.as_constant().is_none() && (numbers.lo() == bounds.lo || numbers.hi() == bounds.hi)
    }

    /// How much is known of operands.
    fn grip(&self, operands: &[&Expr]) -> Grip {
        if operands.iter().any(|e| self.is_loose(e)) { Grip::Loose } else { Grip::Close }
    }

    /// The operand of which less is known.
    fn widest(&self, site: SiteId, lhs: &Expr, rhs: &Expr) -> String {
        let width = |e: &Expr| {
            let t = self.int_type(e.ty).map(|t| self.numbers(&self.eval(e), t));
            t.map_or(0, |i| i.hi().saturating_sub(i.lo()))
        };
        self.thing(site, Some(if width(lhs) >= width(rhs) { lhs } else { rhs }))
    }
}

/// Numbers in words.
fn between(int: Int) -> String {
    match int.as_constant() {
        Some(number) => number.to_string(),
        None => {
            let hole = int.hole().map_or(String::new(), |hole| format!(" but not {hole}"));
            format!("between {} and {}{hole}", int.lo(), int.hi())
        }
    }
}

/// So many bytes, in words.
fn bytes(size: Int) -> String {
    match (size.as_constant(), size.hi() >= FAR) {
        (Some(1), _) => "1 byte".to_owned(),
        (_, true) if size.lo() <= 0 => "any number of bytes".to_owned(),
        (_, true) => format!("at least {} bytes", size.lo()),
        _ => format!("{} bytes", between(size)),
    }
}

/// Where in an object something is: "offset 3 of ".
fn at_offset(offset: Int) -> String {
    match (offset.as_constant(), offset.lo() <= -FAR, offset.hi() >= FAR) {
        (Some(0), ..) => "the start of ".to_owned(),
        (_, true, true) => "any offset in ".to_owned(),
        (_, false, true) => format!("an offset of at least {} in ", offset.lo()),
        (_, true, false) => format!("an offset of at most {} in ", offset.hi()),
        _ if offset.as_constant().is_some() => format!("offset {} of ", offset.lo()),
        _ => format!("an offset between {} and {} in ", offset.lo(), offset.hi()),
    }
}

/// An operator as one says it.
fn spoken(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "plus",
        BinaryOp::Sub => "minus",
        BinaryOp::Mul => "times",
        BinaryOp::Div => "divided by",
        BinaryOp::Rem => "modulo",
        _ => op.symbol(),
    }
}
