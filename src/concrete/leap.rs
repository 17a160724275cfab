//! Leaps: many turns of a counting loop at once, exactly.
//!
//! Where control comes back to a block again and again, the numbers in registers often grow by the same step each turn. One
//! turn is then run as always and watched: every number in it is followed as `now + step * turn`, and every decision on
//! the way (branches, checks, the limits of types) says for how many turns it stays as it is. So many turns are the same
//! path, and their registers are `now + step * turns`. Inputs, memory that is written, and what is not linear in the turn
//! end the watch; nothing has happened then but an ordinary turn.
//!
//! See: Bozga, Iosif, Konecny, "Fast Acceleration of Ultimately Periodic Relations", for loops without branches; here the path
//! of one turn, with calls and inner loops in it, takes the place of the loop.

use super::execute::Observer;
use super::machine::{Machine, Step, Target};
use super::prepare::Home;
use super::scalar::Class;
use super::value::Value;
use crate::base::Idx;
use crate::ir::{
    BinaryOp, BlockId, Callee, Check, Expr, ExprKind, FuncId, Place, PlaceBase, StmtKind, Terminator, TypeId, UnaryOp,
};
use rustc_hash::FxHashMap;

/// Arrivals at a block before its turns are watched for the first time.
const FIRST: u64 = 200;
/// Arrivals after a leap before the next watch: another phase of the loop may have begun.
const NEXT: u64 = 6;
/// Leaps shorter than this are not worth their watch.
const SHORTEST: i128 = 64;
/// Statements of one turn.
const LONGEST: usize = 4000;

/// Where control was how often.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaps {
    places: FxHashMap<(usize, FuncId, BlockId), Arrivals>,
}

#[derive(Clone, Debug)]
struct Arrivals {
    count: u64,
    /// The count at which the next turn is watched.
    watched: u64,
    /// The registers one arrival before.
    before: Vec<Value>,
}

/// A number in the turn `t` from now: `now + step * t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    now: i128,
    step: i128,
}

impl Line {
    fn constant(now: i128) -> Line {
        Line { now, step: 0 }
    }
}

/// A turn that is watched.
struct Watch {
    /// Registers; None where nothing is known.
    lines: Vec<Option<Line>>,
    /// For so many turns all that was seen stays as it is.
    turns: i128,
}

impl Watch {
    /// Demands `low <= line <= high`, which must hold now.
    fn keep(&mut self, line: Line, low: i128, high: i128) -> Option<()> {
        if !(low..=high).contains(&line.now) {
            return None;
        }
        let room = match line.step {
            0 => return Some(()),
            1.. => high.checked_sub(line.now)?,
            _ => line.now.checked_sub(low)?,
        };
        self.turns = self.turns.min(room / line.step.checked_abs()? + 1);
        Some(())
    }
}

impl<'p> Machine<'p> {
    /// Notes that control is at the start of a block; watches a turn from there and leaps, when it is time to.
    pub(super) fn arrive<O: Observer>(&mut self, observer: &mut O) -> Step<()> {
        let frame = self.frame();
        let key = (self.frames.len(), frame.function, frame.block);
        let Some(leaps) = &mut self.leaps else { return Ok(()) };
        let place = leaps.places.entry(key).or_insert(Arrivals { count: 0, watched: FIRST, before: Vec::new() });
        place.count += 1;
        if place.count + 1 == place.watched {
            place.before.clone_from(&self.registers);
        } else if place.count >= place.watched {
            let before = std::mem::take(&mut place.before);
            let count = place.count;
            let leapt = self.leap(&before, observer)?;
            if let Some(place) = self.leaps.as_mut().and_then(|l| l.places.get_mut(&key)) {
                place.watched = if leapt { place.count + NEXT } else { count.saturating_mul(2) };
                place.count = place.count.min(place.watched.saturating_sub(2));
            }
        }
        Ok(())
    }

    /// Watches one turn, and leaps over as many as are like it; whether they were worth it.
    fn leap<O: Observer>(&mut self, before: &[Value], observer: &mut O) -> Step<bool> {
        if before.len() != self.registers.len() {
            return Ok(false);
        }
        let line = |(old, new): (&Value, &Value)| match (*old, *new) {
            (Value::Int(old, a), Value::Int(now, b)) if a.is_none() && b.is_none() => {
                Some(Line { now, step: now.checked_sub(old)? })
            }
            (_, Value::Int(now, origin)) if origin.is_none() => Some(Line::constant(now)),
            _ => None,
        };
        let start: Vec<Option<Line>> = before.iter().zip(&self.registers).map(line).collect();
        if start.iter().flatten().all(|l| l.step == 0) {
            return Ok(false);
        }
        let (depth, block) = (self.frames.len(), self.frame().block);
        let mut watch = Watch { lines: start.clone(), turns: i128::from(i64::MAX) };
        for _ in 0..LONGEST {
            if self.frames.len() < depth || self.watch(&mut watch).is_none() {
                return Ok(false);
            }
            self.step(observer)?;
            watch.lines.resize(self.registers.len(), None);
            let frame = self.frames.last();
            if self.frames.len() == depth && frame.is_some_and(|f| f.block == block && f.next == 0) {
                return Ok(self.fly(&start, &watch));
            }
        }
        Ok(false)
    }

    /// Sets the registers to what they are after all like turns, if each has made its step.
    fn fly(&mut self, start: &[Option<Line>], watch: &Watch) -> bool {
        // One turn is done.
        let left = watch.turns - 1;
        if left < SHORTEST || start.len() != self.registers.len() {
            return false;
        }
        let mut after = Vec::with_capacity(start.len());
        for ((line, end), value) in start.iter().zip(&watch.lines).zip(&self.registers) {
            let new = match (line, end, value) {
                (Some(line), Some(end), Value::Int(now, _)) => {
                    let stepped = line.now.checked_add(line.step);
                    if end.step != line.step || stepped != Some(end.now) || *now != end.now {
                        return false;
                    }
                    match line.step.checked_mul(left).and_then(|far| far.checked_add(end.now)) {
                        Some(far) => Value::int(far),
                        None => return false,
                    }
                }
                // What nothing is known of was not touched: else it would be known, or the watch have ended.
                (None, None, value) => *value,
                _ => return false,
            };
            after.push(new);
        }
        self.registers = after;
        true
    }

    /// Follows what the next statement or terminator will do; None where that cannot be said of later turns.
    fn watch(&mut self, watch: &mut Watch) -> Option<()> {
        let frame = self.frame();
        let block = &frame.body.blocks[frame.block];
        match block.stmts.get(frame.next) {
            Some(stmt) => self.watch_statement(watch, &stmt.kind),
            None => self.watch_terminator(watch, &block.terminator),
        }
    }

    fn register(&self, place: &Place) -> Option<usize> {
        match place.base {
            PlaceBase::Var(var) if place.bits.is_none() => match self.prepared.home(var) {
                Home::Register(r) => Some(self.frame().registers + r as usize),
                _ => None,
            },
            _ => None,
        }
    }

    fn watch_statement(&mut self, watch: &mut Watch, stmt: &'p StmtKind) -> Option<()> {
        match stmt {
            StmtKind::Assign { place, value } => {
                let register = self.register(place)?;
                let line = self.line(watch, value)?;
                watch.lines[register] = Some(line);
            }
            StmtKind::Check(check) => self.watch_check(watch, check)?,
            StmtKind::Assume { cond } => {
                self.decide(watch, cond)?;
            }
            StmtKind::LibraryCall { name, .. } if self.is_watched(name) => return None,
            StmtKind::LibraryCall { .. } => {}
            StmtKind::StorageLive(var) | StmtKind::StorageDead(var) => {
                let Home::Register(r) = self.prepared.home(*var) else { return None };
                let at = self.frame().registers + r as usize;
                watch.lines[at] = None;
                // A register that held a number and holds none is no line any more; one that never did is as it was.
            }
            StmtKind::Call { callee: Callee::Direct(function), args, dest, .. } => {
                if let Some(dest) = dest {
                    self.register(dest)?;
                }
                let params = &self.program.functions[*function].params;
                if params.len() != args.len() || !self.program.functions[*function].has_body() {
                    return None;
                }
                let base = self.registers.len();
                let mut bound = Vec::new();
                for (param, arg) in params.iter().zip(args) {
                    let Home::Register(r) = self.prepared.home(*param) else { return None };
                    if self.program.variables[*param].ty != arg.ty {
                        return None;
                    }
                    bound.push((base + r as usize, self.line(watch, arg)?));
                }
                let registers = self.prepared.frames[function.index()].registers;
                watch.lines.resize(base + registers, None);
                for (register, line) in bound {
                    watch.lines[register] = Some(line);
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn watch_check(&mut self, watch: &mut Watch, check: &'p Check) -> Option<()> {
        match check {
            Check::NoOverflow { op, lhs, rhs, ty, .. } => {
                let (a, b) = (self.line(watch, lhs)?, self.line(watch, rhs)?);
                let line = self.combine(watch, *op, a, b, lhs.ty)?;
                self.within(watch, line, *ty)
            }
            Check::Fits { value, to, bits: None, .. } => {
                let line = self.line(watch, value)?;
                self.within(watch, line, *to)
            }
            Check::NonZero { divisor: e, .. } | Check::ShiftCount { count: e, .. } => {
                (self.line(watch, e)?.step == 0).then_some(())
            }
            Check::Holds { cond, .. } => self.decide(watch, cond).map(|_| ()),
            Check::Initialized { place, .. } => watch.lines[self.register(place)?].map(|_| ()),
            _ => None,
        }
    }

    fn watch_terminator(&mut self, watch: &mut Watch, terminator: &'p Terminator) -> Option<()> {
        match terminator {
            Terminator::Goto(_) => Some(()),
            Terminator::Branch { cond, .. } => self.decide(watch, cond).map(|_| ()),
            Terminator::Switch { value, .. } => (self.line(watch, value)?.step == 0).then_some(()),
            Terminator::Return(value) => {
                let line = match value {
                    Some(value) => Some((self.line(watch, value)?, value.ty)),
                    None => None,
                };
                let frame = self.frame();
                if frame.for_host {
                    return None;
                }
                match (frame.dest, line) {
                    (None, _) => Some(()),
                    (Some(dest), Some((line, ty))) if dest.ty == ty && dest.bits.is_none() => {
                        let Target::Register(register) = dest.target else { return None };
                        watch.lines[register] = Some(line);
                        Some(())
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a condition holds, in this turn and for as long as is watched.
    fn decide(&mut self, watch: &mut Watch, cond: &'p Expr) -> Option<bool> {
        let line = self.line(watch, cond)?;
        self.sign_kept(watch, line, BinaryOp::Ne)
    }

    /// Whether `line op 0`; that stays so.
    fn sign_kept(&self, watch: &mut Watch, line: Line, op: BinaryOp) -> Option<bool> {
        let (low, high) = (i128::from(i64::MIN) * 4, i128::from(i64::MAX) * 4);
        let (holds, low, high) = match op {
            BinaryOp::Lt if line.now < 0 => (true, low, -1),
            BinaryOp::Lt => (false, 0, high),
            BinaryOp::Le if line.now <= 0 => (true, low, 0),
            BinaryOp::Le => (false, 1, high),
            BinaryOp::Gt if line.now > 0 => (true, 1, high),
            BinaryOp::Gt => (false, low, 0),
            BinaryOp::Ge if line.now >= 0 => (true, 0, high),
            BinaryOp::Ge => (false, low, -1),
            BinaryOp::Eq | BinaryOp::Ne if line.now == 0 => (op == BinaryOp::Eq, 0, 0),
            BinaryOp::Eq | BinaryOp::Ne if line.now > 0 => (op == BinaryOp::Ne, 1, high),
            BinaryOp::Eq | BinaryOp::Ne => (op == BinaryOp::Ne, low, -1),
            _ => return None,
        };
        watch.keep(line, low, high)?;
        Some(holds)
    }

    /// An integer expression as a line.
    fn line(&mut self, watch: &mut Watch, expr: &'p Expr) -> Option<Line> {
        match &expr.kind {
            ExprKind::Int(v) => Some(Line::constant(*v)),
            ExprKind::Load(place) => match (self.register(place), &place.base) {
                (Some(register), _) => watch.lines[register],
                // Memory is only read while a turn is watched.
                (None, PlaceBase::Var(_)) => match self.load_place(place) {
                    Ok(Value::Int(v, origin)) if origin.is_none() => Some(Line::constant(v)),
                    _ => None,
                },
                _ => None,
            },
            ExprKind::Binary(op, lhs, rhs) => {
                let (a, b) = (self.line(watch, lhs)?, self.line(watch, rhs)?);
                let line = self.combine(watch, *op, a, b, lhs.ty)?;
                if !op.is_comparison() {
                    self.within(watch, line, lhs.ty)?;
                }
                Some(line)
            }
            ExprKind::Cast(inner) => {
                let line = self.line(watch, inner)?;
                let (from, to) = (self.scalar(inner.ty), self.scalar(expr.ty));
                match (from.class, to.class) {
                    (Class::Int | Class::Bool, Class::Bool) => {
                        let holds = self.sign_kept(watch, line, BinaryOp::Ne)?;
                        Some(Line::constant(i128::from(holds)))
                    }
                    (Class::Int | Class::Bool, Class::Int) if line.step == 0 => Some(Line::constant(to.wrap(line.now))),
                    (Class::Int | Class::Bool, Class::Int) => {
                        self.within(watch, line, expr.ty)?;
                        Some(line)
                    }
                    _ => None,
                }
            }
            ExprKind::Unary(UnaryOp::Neg, inner) => {
                let line = self.line(watch, inner)?;
                let line = Line { now: line.now.checked_neg()?, step: line.step.checked_neg()? };
                self.within(watch, line, expr.ty)?;
                Some(line)
            }
            _ => None,
        }
    }

    /// The result of an operation on numbers of type `ty`, without its limits.
    fn combine(&mut self, watch: &mut Watch, op: BinaryOp, a: Line, b: Line, ty: TypeId) -> Option<Line> {
        let scalar = self.scalar(ty);
        if !matches!(scalar.class, Class::Int | Class::Bool) || scalar.size > 8 {
            return None;
        }
        let difference = || Some(Line { now: a.now.checked_sub(b.now)?, step: a.step.checked_sub(b.step)? });
        match op {
            _ if op.is_comparison() => {
                let holds = self.sign_kept(watch, difference()?, op)?;
                Some(Line::constant(i128::from(holds)))
            }
            BinaryOp::Add => Some(Line { now: a.now.checked_add(b.now)?, step: a.step.checked_add(b.step)? }),
            BinaryOp::Sub => difference(),
            BinaryOp::Mul if a.step == 0 || b.step == 0 => {
                let step = a.step.checked_mul(b.now)?.checked_add(b.step.checked_mul(a.now)?)?;
                Some(Line { now: a.now.checked_mul(b.now)?, step })
            }
            BinaryOp::Mul => None,
            // Other operations are done on what stays the same.
            _ if a.step == 0 && b.step == 0 => match self.binary(op, Value::int(a.now), Value::int(b.now), scalar) {
                Ok(Value::Int(v, origin)) if origin.is_none() => Some(Line::constant(v)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Demands that the number stays in the range of the type.
    fn within(&self, watch: &mut Watch, line: Line, ty: TypeId) -> Option<()> {
        let (low, high) = self.program.types.int_range(self.program.types.as_int(ty)?);
        watch.keep(line, low, high)
    }
}
