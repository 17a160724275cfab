//! Lower operators: results that hold nothing but what unions and intersections hold, of numbers, pointers and values.
//!
//! A union that is no set of the domain is replaced by one of its arguments: the one with more members, the first of two
//! equals. The empty set is `None`, or a value without parts.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.5; Miné, "Backward Under-Approximations in Numeric
//! Abstract Domains", Sect. 4, for intervals.

use super::float::Float;
use super::int::Int;
use super::pointer::Pointers;
use super::value::Value;

/// How many numbers a set has, as far as that can be counted.
pub fn count(a: Int) -> u128 {
    let width = a.hi().abs_diff(a.lo());
    let all = (width / a.congruence().modulus().max(1).unsigned_abs()).saturating_add(1);
    all - u128::from(a.hole().is_some())
}

/// A set inside of the union: the union itself where it is a set of the domain.
pub fn lower_join(a: Int, b: Int) -> Int {
    let hull = a.join(b);
    let common = a.meet(b).map_or(0, count);
    let union = count(a).checked_add(count(b)).map(|sum| sum - common.min(sum));
    if union == Some(count(hull)) && count(hull) < u128::MAX {
        hull
    } else if count(b) > count(a) {
        b
    } else {
        a
    }
}

/// A set inside of the intersection; it is the intersection unless that is too large to compute, or has two holes.
pub fn lower_meet(a: Int, b: Int) -> Option<Int> {
    let all = a.meet(b)?;
    let beside = |hole: i128| {
        let parts = [all.clamp(all.lo(), hole - 1), all.clamp(hole + 1, all.hi())];
        parts.into_iter().flatten().max_by_key(|part| count(*part))
    };
    let second = [a, b].into_iter().filter_map(Int::hole).find(|hole| all.contains(*hole));
    second.map_or(Some(all), beside).filter(|m| m.leq(a) && m.leq(b))
}

/// A set inside of the intersection, such that chains end: a bound that moves goes inwards to the next of the sorted
/// `thresholds`, and past the last of them nothing is left.
pub fn lower_widen(now: Int, next: Int, thresholds: &[i128]) -> Option<Int> {
    let lo = if next.lo() <= now.lo() {
        now.lo()
    } else {
        *thresholds[thresholds.partition_point(|&t| t < next.lo())..].first()?
    };
    let hi = if next.hi() >= now.hi() {
        now.hi()
    } else {
        *thresholds[..thresholds.partition_point(|&t| t <= next.hi())].last()?
    };
    lower_meet(now, next)?.clamp(lo, hi)
}

fn join_floats(a: Float, b: Float) -> Float {
    let touching = match (a.numbers(), b.numbers()) {
        (Some((p, q)), Some((r, s))) => p <= s && r <= q,
        _ => true,
    };
    let width = |x: Float| x.numbers().map_or(-1.0, |(lo, hi)| hi - lo);
    if touching {
        a.join(b)
    } else if width(b) > width(a) {
        b
    } else {
        a
    }
}

/// A part that both may have: joined where both do.
fn either<T>(a: Option<T>, b: Option<T>, join: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(join(a, b)),
        (a, b) => a.or(b),
    }
}

fn functions(of: &Pointers, keep: impl Fn(crate::ir::FuncId) -> bool) -> Pointers {
    let kept = of.functions().iter().copied().filter(|f| keep(*f));
    kept.fold(Pointers::none(), |all, f| all.join(&Pointers::function(f)))
}

impl Pointers {
    /// Pointers inside of the union. Bases are apart, so that the union is made base by base.
    pub fn lower_join(&self, other: &Pointers) -> Pointers {
        let unknown = self.only_unknown().join(&other.only_unknown());
        let mut all = functions(self, |_| true).join(&functions(other, |_| true)).join(&unknown);
        if all.is_any() {
            // With names beside them they would be more than both.
            return all;
        }
        for (base, offset) in self.targets() {
            let offset = other.offset(*base).map_or(*offset, |o| lower_join(*offset, o));
            all = all.join(&Pointers::to(*base, offset));
        }
        for (base, offset) in other.targets().iter().filter(|t| self.offset(t.0).is_none()) {
            all = all.join(&Pointers::to(*base, *offset));
        }
        all
    }
    /// Pointers inside of the intersection.
    pub fn lower_meet(&self, other: &Pointers) -> Pointers {
        if self.is_any() || other.is_any() {
            return self.meet(other);
        }
        let common = functions(self, |f| other.functions().contains(&f));
        self.common_targets(other, common, lower_meet)
    }
    /// Pointers inside of the intersection, such that chains end.
    pub fn lower_widen(&self, next: &Pointers, thresholds: &[i128]) -> Pointers {
        if self.is_any() {
            // Down to pointers that are listed there is one step.
            return next.clone();
        }
        if next.is_any() {
            return self.clone();
        }
        let common = functions(self, |f| next.functions().contains(&f));
        self.common_targets(next, common, |a, b| lower_widen(a, b, thresholds))
    }
    fn common_targets(&self, other: &Pointers, rest: Pointers, f: impl Fn(Int, Int) -> Option<Int>) -> Pointers {
        let targets = self.targets().iter().filter_map(|(b, o)| Some((*b, f(*o, other.offset(*b)?)?)));
        targets.fold(rest, |all, (base, offset)| all.join(&Pointers::to(base, offset)))
    }
}

impl Value {
    /// Values inside of the union. The parts are apart from each other.
    pub fn lower_join(&self, other: &Value) -> Value {
        Value {
            int: either(self.int, other.int, lower_join),
            float: either(self.float, other.float, join_floats),
            pointers: self.pointers.lower_join(&other.pointers),
            undefined: self.undefined || other.undefined,
        }
    }
    /// Values inside of the intersection.
    pub fn lower_meet(&self, other: &Value) -> Value {
        Value {
            int: self.int.zip(other.int).and_then(|(a, b)| lower_meet(a, b)),
            float: self.float.zip(other.float).and_then(|(a, b)| a.meet(b)),
            pointers: self.pointers.lower_meet(&other.pointers),
            undefined: self.undefined && other.undefined,
        }
    }
    /// Values inside of the intersection, such that chains end. Floats that change are given up.
    pub fn lower_widen(&self, next: &Value, thresholds: &[i128]) -> Value {
        Value {
            int: self.int.zip(next.int).and_then(|(a, b)| lower_widen(a, b, thresholds)),
            float: self.float.zip(next.float).and_then(|(a, b)| a.leq(b).then_some(a)),
            pointers: self.pointers.lower_widen(&next.pointers, thresholds),
            undefined: self.undefined && next.undefined,
        }
    }
    /// The binary logarithm of how many values there are, roughly; the least number for none.
    pub fn weight(&self) -> f64 {
        let ints = self.int.map_or(0.0, |i| count(i) as f64);
        let floats = self.float.map_or(0.0, |f| f.numbers().map_or(1.0, |(lo, hi)| 1.0 + (hi - lo)));
        let targets: f64 = self.pointers.targets().iter().map(|(_, o)| count(*o) as f64).sum();
        let functions = self.pointers.functions().len() as f64;
        let wild = if self.pointers.is_any() { f64::from(u32::MAX) } else { 0.0 };
        (ints + floats + targets + functions + wild + f64::from(u8::from(self.undefined))).log2()
    }
}

/// A product inside of the union of two products of the same length, none of whose parts is empty.
///
/// Cases (5a) and (5b): one holds the other. Cases (6a) and (6b), of which (5c) and (5d) are special: in one part they are
/// joined, in all others met. Else, or when it has more members, (5e): an argument. The heaviest wins, the first of equals.
pub fn lower_join_products(a: &[Value], b: &[Value]) -> Vec<Value> {
    let within = |x: &[Value], y: &[Value]| x.iter().zip(y).all(|(x, y)| x.leq(y));
    if within(a, b) {
        return b.to_vec();
    }
    if within(b, a) {
        return a.to_vec();
    }
    let mut candidates = vec![a.to_vec(), b.to_vec()];
    let met: Vec<Value> = a.iter().zip(b).map(|(x, y)| x.lower_meet(y)).collect();
    let empty = met.iter().filter(|v| v.is_bottom()).count();
    for i in 0..a.len() {
        // At most the part that is joined may have nothing in common.
        if empty > usize::from(met[i].is_bottom()) {
            continue;
        }
        let mut product = met.clone();
        product[i] = a[i].lower_join(&b[i]);
        candidates.push(product);
    }
    let weight = |product: &[Value]| product.iter().map(Value::weight).sum::<f64>();
    let mut best = 0;
    for (i, candidate) in candidates.iter().enumerate() {
        if weight(candidate) > weight(&candidates[best]) {
            best = i;
        }
    }
    candidates.swap_remove(best)
}
