//! Checks backwards: states that pass into the postcondition, and those that fail at a target.

use super::engine::{Joined, number};
use super::resolve::{Goals, Resolved, Target};
use super::statement::goals;
use crate::domains::cell::{Cell, CellExpr};
use crate::domains::cell_set::CellStates;
use crate::domains::{BaseId, Int, IntType, Pointers, Value};
use crate::engines::forward::Base;
use crate::ir::{AccessMode, AllocKind, BinaryOp, Check, Expr, Place, SiteId};

/// Numbers without bounds.
const WIDE: IntType = IntType { bits: 128, signed: true, boolean: false };

/// A way to pass or to fail: what has to hold for it, and what does anyway.
struct Way {
    goals: Goals,
    known: Vec<(Cell, Value)>,
}

impl Joined<'_> {
    /// States from which the check passes into `post` alone, or fails at a target.
    pub(super) fn check(&mut self, check: &Check, post: &CellStates) -> CellStates {
        let restricting: Vec<SiteId> = check.sites().filter(|s| self.ends(*s) && !self.is_safe(*s)).collect();
        let mut all = if restricting.is_empty() {
            post.clone()
        } else if post.is_none() {
            CellStates::none()
        } else {
            let ways = self.passing(check, &restricting);
            self.through(&ways, post)
        };
        for site in check.sites() {
            if self.targets.contains(&site) {
                let ways = self.failing(check, site);
                all.lower_join(self.through(&ways, &CellStates::all()));
            }
        }
        all
    }

    fn through(&mut self, ways: &[Way], post: &CellStates) -> CellStates {
        let mut all = CellStates::none();
        for way in ways {
            for part in post.parts() {
                if let Some(state) = self.satisfy(part, &way.known, &way.goals) {
                    all.add(state);
                }
            }
        }
        all
    }

    /// How the check passes; none where that is not understood.
    fn passing(&self, check: &Check, sites: &[SiteId]) -> Vec<Way> {
        match check {
            Check::Access { ptr, size, mode, null, dangling, bounds } => {
                let asked = |site: &Option<SiteId>| site.is_some_and(|s| sites.contains(&s));
                let living = asked(dangling);
                let inside = sites.contains(bounds);
                let writable = asked(null) && *mode == AccessMode::Write;
                self.accesses(ptr, size, |e, base, size| {
                    if writable && !self.forward.bases.read_only(base).is_none() {
                        return None;
                    }
                    let mut goals = vec![(e.clone(), Value::pointers(Pointers::to(base, Int::TOP)))];
                    if living {
                        goals.push((CellExpr::Cell(Joined::life(base)), Value::constant(1)));
                    }
                    if inside {
                        let offset = CellExpr::Offset(Box::new(e.clone()), base);
                        goals.push(compare(BinaryOp::Ge, offset.clone(), number(0)));
                        goals.push(compare(BinaryOp::Le, plus(offset, size), self.size_of(base)?));
                    }
                    Some(vec![goals])
                })
            }
            Check::Freeable { ptr, .. } => {
                let mut ways = self.accesses(ptr, &one(ptr), |e, base, _| {
                    let start = Value::pointers(Pointers::to(base, Int::constant(0)));
                    self.forward.bases.is_block(base).then(|| {
                        vec![vec![(e.clone(), start), (CellExpr::Cell(Joined::life(base)), Value::constant(1))]]
                    })
                });
                ways.extend(self.ways(self.expr(ptr), |e| vec![vec![compare(BinaryOp::Eq, e.clone(), number(0))]]));
                ways
            }
            Check::Terminated { .. } => self.ending(check),
            Check::Initialized { place, .. } => self.determinate(place),
            _ => self.plain(check, true),
        }
    }

    /// How the check fails at a site after it has passed those before.
    fn failing(&self, check: &Check, site: SiteId) -> Vec<Way> {
        match check {
            Check::Access { ptr, size, null, dangling, bounds, .. } => {
                if *null == Some(site) {
                    let numbers = Value::int(IntType::unsigned(64).top());
                    let way = |(p, n, Resolved { when, known, .. }): (CellExpr, CellExpr, Resolved)| {
                        let goals = [when, vec![(p, numbers.clone()), compare(BinaryOp::Gt, n, number(0))]].concat();
                        Way { goals, known }
                    };
                    return self.extents(ptr, size).into_iter().map(way).collect();
                }
                let dead = *dangling == Some(site);
                let lives = dangling.is_some_and(|s| !self.is_safe(s));
                debug_assert!(dead || *bounds == site);
                self.accesses(ptr, size, |e, base, size| {
                    let life = |n| (CellExpr::Cell(Joined::life(base)), Value::constant(n));
                    let mut goals: Goals = vec![(e.clone(), Value::pointers(Pointers::to(base, Int::TOP)))];
                    goals.push(compare(BinaryOp::Gt, size.clone(), number(0)));
                    if dead {
                        goals.push(life(0));
                        return Some(vec![goals]);
                    }
                    if lives {
                        goals.push(life(1));
                    }
                    let offset = CellExpr::Offset(Box::new(e.clone()), base);
                    let mut before = goals.clone();
                    before.push(compare(BinaryOp::Lt, offset.clone(), number(0)));
                    goals.push(compare(BinaryOp::Ge, offset.clone(), number(0)));
                    goals.push(compare(BinaryOp::Gt, plus(offset, size), self.size_of(base)?));
                    Some(vec![goals, before])
                })
            }
            Check::Freeable { ptr, double, .. } if *double == site => self.accesses(ptr, &one(ptr), |e, base, _| {
                let start = Value::pointers(Pointers::to(base, Int::constant(0)));
                self.forward.bases.is_block(base).then(|| {
                    vec![vec![(e.clone(), start), (CellExpr::Cell(Joined::life(base)), Value::constant(0))]]
                })
            }),
            Check::Freeable { ptr, .. } => self.accesses(ptr, &one(ptr), |e, base, _| {
                let there = |o| Value::pointers(Pointers::to(base, o));
                let heap = matches!(self.forward.bases.get(base), Base::Heap { alloc, .. } if self.program.allocs[alloc].kind == AllocKind::Heap);
                Some(match heap {
                    true => [Int::range(1, i128::from(i64::MAX)), Int::range(i64::MIN.into(), -1)]
                        .into_iter()
                        .map(|o| vec![(e.clone(), there(o))])
                        .collect(),
                    false => vec![vec![(e.clone(), there(Int::TOP))]],
                })
            }),
            Check::Terminated { .. } => self.endless(check, site),
            _ => self.plain(check, false),
        }
    }

    /// What a place holds is determinate: some value of its type, the greatest left out, so that the state speaks of the cell.
    /// What nothing was written to meets no such demand.
    fn determinate(&self, place: &Place) -> Vec<Way> {
        let (Some(ty), Some(targets)) = (self.cell_type(place.ty), self.targets(place)) else { return Vec::new() };
        let mut some = ty.top();
        some.int = some.int.and_then(|all| all.clamp(all.lo(), all.hi() - 1));
        let way = |Target { base, offset, when, known }| {
            let cell = CellExpr::Cell(Cell { base, offset, ty });
            Way { goals: [when, vec![(cell, some.clone())]].concat(), known }
        };
        targets.into_iter().map(way).collect()
    }

    // Strings.

    /// The string ends inside of its object, or is as long as is asked for.
    fn ending(&self, check: &Check) -> Vec<Way> {
        let Check::Terminated { ptr, char_size, max, .. } = check else { return Vec::new() };
        let mut ways = Vec::new();
        for target in self.spots(ptr).unwrap_or_default() {
            let lives = (CellExpr::Cell(Joined::life(target.base)), Value::constant(1));
            for ending in self.endings(&target, *char_size) {
                ways.push(self.at(ptr, &target, [vec![lives.clone()], ending].concat()));
            }
        }
        for none in max.iter().flat_map(|m| self.expr(m)) {
            ways.push(Way { goals: [none.when, vec![(none.e, Value::constant(0))]].concat(), known: none.known });
        }
        ways
    }

    /// The string fails at a site after it has passed those before.
    fn endless(&self, check: &Check, site: SiteId) -> Vec<Way> {
        let Check::Terminated { ptr, char_size, max, null, dangling, bounds, .. } = check else { return Vec::new() };
        // How many characters are asked for, where that is bounded.
        let longer = |n: i128| -> Vec<Resolved> {
            let more = |m: Resolved| m.clone().also(&[compare(BinaryOp::Gt, m.e, number(n))], &[]);
            match max {
                Some(max) => self.expr(max).into_iter().map(more).collect(),
                None => vec![number(0).into()],
            }
        };
        if *null == Some(site) {
            let numbers = Value::int(IntType::unsigned(64).top());
            let ways = self.expr(ptr).into_iter();
            return ways
                .flat_map(|p| longer(0).into_iter().map(move |m| (p.clone(), m)))
                .map(|(p, m)| {
                    let goals = [p.when, m.when, vec![(p.e, numbers.clone())]].concat();
                    Way { goals, known: [p.known, m.known].concat() }
                })
                .collect();
        }
        let mut ways = Vec::new();
        for target in self.spots(ptr).unwrap_or_default() {
            let life = |n| (CellExpr::Cell(Joined::life(target.base)), Value::constant(n));
            if *dangling == Some(site) {
                ways.extend(longer(0).into_iter().map(|m| self.at(ptr, &target, [vec![life(0)], m.when].concat())));
            } else if *bounds == site
                && let Some((unended, room)) = self.runs_over(&target, *char_size)
            {
                let lives = dangling.is_some_and(|s| !self.is_safe(s)).then(|| life(1));
                for m in longer(room) {
                    let goals = unended.iter().cloned().chain(lives.clone()).chain(m.when).collect();
                    ways.push(self.at(ptr, &target, goals));
                }
            }
        }
        ways
    }

    /// A way of a pointer that is this address.
    fn at(&self, ptr: &Expr, target: &Target, goals: Goals) -> Way {
        let there = Value::pointers(Pointers::to(target.base, Int::constant(target.offset.into())));
        let mut way = Way { goals: [target.when.clone(), goals].concat(), known: target.known.clone() };
        // One place that it always points to, unless it may be null.
        if target.when.is_empty()
            && let [pointer] = &self.expr(ptr)[..]
        {
            way.goals.extend(pointer.when.iter().cloned().chain([(pointer.e.clone(), there)]));
            way.known.extend(pointer.known.iter().cloned());
        }
        way
    }

    /// Checks of numbers.
    fn plain(&self, check: &Check, passes: bool) -> Vec<Way> {
        match check {
            Check::NonZero { divisor, .. } => self.truths(divisor, passes),
            Check::Holds { cond, .. } => self.truths(cond, passes),
            Check::NoOverflow { op, lhs, rhs, ty, .. } => {
                let Some(ty) = self.cell_type(*ty).and_then(|t| t.int()) else { return Vec::new() };
                let exact = |a, b| CellExpr::Binary(*op, Box::new(a), Box::new(b), WIDE);
                self.ways(self.pairs(lhs, rhs, exact), |e| range(e, ty, passes))
            }
            Check::Fits { value, to, bits, .. } => {
                let types = (self.cell_type(value.ty).and_then(|t| t.int()), self.cell_type(*to).and_then(|t| t.int()));
                let (Some(_), Some(to)) = types else { return Vec::new() };
                let to = bits.map_or(to, |b| IntType { bits: u32::from(b.max(1)), ..to });
                self.ways(self.expr(value), |e| range(e, to, passes))
            }
            Check::SameObject { lhs, rhs, .. } => self.same_object(lhs, rhs, passes),
            Check::Callable { ptr, .. } => {
                let Some(value) = self.forward.noted.value(ptr) else { return Vec::new() };
                let functions = Value::pointers(value.pointers.clone().only_functions());
                let wanted = if passes { functions } else { Value::int(IntType::unsigned(64).top()) };
                self.ways(self.expr(ptr), |e| vec![vec![(e.clone(), wanted.clone())]])
            }
            Check::ShiftCount { count, width, .. } => {
                let last = number(i128::from(*width) - 1);
                self.ways(self.expr(count), |e| match passes {
                    true => vec![vec![
                        compare(BinaryOp::Ge, e.clone(), number(0)),
                        compare(BinaryOp::Le, e.clone(), last.clone()),
                    ]],
                    false => vec![
                        vec![compare(BinaryOp::Lt, e.clone(), number(0))],
                        vec![compare(BinaryOp::Gt, e.clone(), last.clone())],
                    ],
                })
            }
            _ => Vec::new(),
        }
    }

    /// Pointers to one object, or to two.
    fn same_object(&self, lhs: &Expr, rhs: &Expr, passes: bool) -> Vec<Way> {
        let targets = |e: &Expr| -> Vec<BaseId> {
            self.forward.noted.value(e).map_or(Vec::new(), |v| v.pointers.targets().iter().map(|t| t.0).collect())
        };
        let to = |e: &CellExpr, base| (e.clone(), Value::pointers(Pointers::to(base, Int::TOP)));
        let (left, right) = (targets(lhs), targets(rhs));
        self.ways(self.pairs(lhs, rhs, |a, b| CellExpr::Move(Box::new(a), Box::new(b))), |e| {
            let CellExpr::Move(a, b) = e else { return Vec::new() };
            let pairs = left.iter().flat_map(|p| right.iter().map(move |q| (*p, *q)));
            // Blocks of a summary may be one or two.
            let summary = |base| self.forward.bases.is_summary_base(base);
            pairs
                .filter(|(p, q)| (p == q) == passes && !(passes && summary(*p)))
                .map(|(p, q)| vec![to(a, p), to(b, q)])
                .collect()
        })
    }

    fn truths(&self, e: &Expr, truth: bool) -> Vec<Way> {
        self.ways(self.expr(e), |e| goals(e, truth).into_iter().map(|goal| vec![goal]).collect())
    }
    /// The ways of all resolutions.
    fn ways(&self, all: Vec<Resolved>, make: impl Fn(&CellExpr) -> Vec<Goals>) -> Vec<Way> {
        let mut ways = Vec::new();
        for Resolved { e, when, known } in all {
            for goals in make(&e) {
                let goals = when.iter().cloned().chain(goals).collect();
                ways.push(Way { goals, known: known.clone() });
            }
        }
        ways
    }
    /// The pointer and the size of an access, by every way that both are resolved.
    fn extents(&self, ptr: &Expr, size: &Expr) -> Vec<(CellExpr, CellExpr, Resolved)> {
        let pair = |p, n| CellExpr::Binary(BinaryOp::Sub, Box::new(p), Box::new(n), WIDE);
        let apart = |way: Resolved| match &way.e {
            CellExpr::Binary(_, p, n, _) => Some(((**p).clone(), (**n).clone(), way)),
            _ => None,
        };
        self.pairs(ptr, size, pair).into_iter().filter_map(apart).collect()
    }

    /// The ways for every object that the pointer may point to.
    fn accesses(
        &self,
        ptr: &Expr,
        size: &Expr,
        make: impl Fn(&CellExpr, BaseId, CellExpr) -> Option<Vec<Goals>>,
    ) -> Vec<Way> {
        let Some(value) = self.forward.noted.value(ptr) else { return Vec::new() };
        let mut ways = Vec::new();
        for (p, n, way) in self.extents(ptr, size) {
            for (base, _) in value.pointers.targets() {
                for goals in make(&p, *base, n.clone()).unwrap_or_default() {
                    let goals = way.when.iter().cloned().chain(goals).collect();
                    let mut known = way.known.clone();
                    known.extend(self.known_size(*base));
                    ways.push(Way { goals, known });
                }
            }
        }
        ways
    }

    /// The bytes of an object.
    fn size_of(&self, base: BaseId) -> Option<CellExpr> {
        match self.forward.bases.get(base) {
            Base::Variable(v) if self.program.variables[v].defined => {
                Some(number(self.program.variables[v].size.into()))
            }
            Base::Heap { .. } => Some(CellExpr::Cell(Joined::size(base))),
            _ => None,
        }
    }
    /// What is known of a block's size.
    pub(super) fn known_size(&self, base: BaseId) -> Option<(Cell, Value)> {
        let Base::Heap { alloc, .. } = self.forward.bases.get(base) else { return None };
        let size = self.sizes.get(&alloc).and_then(|e| self.forward.noted.value(*e))?;
        Some((Joined::size(base), Value::int(size.plain()?.clamp(0, i64::MAX.into())?)))
    }
}

/// An expression that is never looked at.
fn one(like: &Expr) -> Expr {
    Expr::int(1, like.ty)
}

fn plus(a: CellExpr, b: CellExpr) -> CellExpr {
    CellExpr::Binary(BinaryOp::Add, Box::new(a), Box::new(b), WIDE)
}

fn compare(op: BinaryOp, a: CellExpr, b: CellExpr) -> (CellExpr, Value) {
    (CellExpr::Binary(op, Box::new(a), Box::new(b), IntType::signed(32)), Value::constant(1))
}

/// Inside of a type, or on either side of it.
fn range(e: &CellExpr, ty: IntType, inside: bool) -> Vec<Goals> {
    let bounds = ty.bounds();
    if inside {
        return vec![vec![(e.clone(), Value::int(ty.top()))]];
    }
    vec![
        vec![compare(BinaryOp::Gt, e.clone(), number(bounds.hi))],
        vec![compare(BinaryOp::Lt, e.clone(), number(bounds.lo))],
    ]
}
