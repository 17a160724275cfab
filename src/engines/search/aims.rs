//! What a run's numbers and texts would have to be so that a branch goes where no run has gone, or an open check fails.
//!
//! A comparison says what its sides would have to be; from there single steps of arithmetic are undone, down to what was read. A check says the same of an
//! index, a size, a divisor. Where an index is counted up instead of read, the number of elements is noted as a border: some other number may say how
//! often one counts.
//!
//! See: Aschermann et al., "REDQUEEN", Sect. 3 (comparisons); Chen, Chen, "Angora: Efficient Fuzzing by Principled Search", Sect. 3 (one branch with an
//! untaken side after the other). We undo arithmetic by the program's expressions instead of guessing encodings.

use super::coverage::{Coverage, hash, place};
use super::equality::held;
use super::hints::{bytes, text, text_arguments};
use super::options::SearchOutcome;
use super::readings::{Place, Readings};
use crate::concrete::{InputPlace, Machine, Observer, Pointer, Value};
use crate::ir::{BinaryOp, BlockId, Check, Expr, ExprKind, FuncId, LibFn, SiteId, Stmt, StmtKind, Terminator, UnaryOp};
use rustc_hash::{FxHashMap, FxHashSet};

/// How often one place of a run is looked at.
const OF_A_PLACE: u32 = 32;
/// Steps of arithmetic that are undone.
const STEPS: u32 = 6;
/// Characters of compared texts.
const TEXT: usize = 64;
/// Cases of a `switch`.
const CASES: usize = 64;
/// Aims kept of one run.
const KEPT: usize = 512;
/// Borders kept of one run.
const BORDERS: usize = 16;
/// How often one comparison of a run with what lies in an object is looked at, and how far behind the object's start.
const OF_A_COMPARISON: u32 = 4000;
const FARTHEST: u64 = 256;
/// Numbers kept of one run that may be counts.
const COUNTS: usize = 64;

/// What one aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mark {
    /// An edge that no run has taken, by its place in the table.
    Edge(u32),
    /// An error there.
    Error(SiteId),
    /// That two texts are equal, compared by the statement at this address.
    Equal(usize),
    /// That as much comes as is asked for.
    Whole(InputPlace),
    /// That a number is equal to what lies in an object, by its slot and the place in it, as the branch at this address asks.
    Same(usize, (u32, u64)),
}

impl Mark {
    /// Whether some run has shown it.
    pub fn is_met(self, coverage: &Coverage, outcome: &SearchOutcome) -> bool {
        match self {
            Mark::Edge(place) => coverage.has(place),
            Mark::Error(site) => outcome.is_found(site),
            Mark::Equal(_) | Mark::Whole(_) | Mark::Same(..) => false,
        }
    }
}

/// A number that would have to be another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Aim {
    pub mark: Mark,
    pub found: i128,
    pub wanted: i128,
    /// Where `found` was read, and whether there is no doubt.
    pub read: Option<(Place, bool)>,
}

/// What is open is known to those who ask.
pub(super) struct Open<'a> {
    /// Edges that runs have taken; without it, all that the run does not take are open.
    pub coverage: Option<&'a Coverage>,
    pub sites: &'a dyn Fn(SiteId) -> bool,
}

/// Collects the aims of a run.
pub(super) struct Aims<'a> {
    open: Open<'a>,
    /// The hash of the block entered last.
    last: u32,
    looked: FxHashMap<usize, u32>,
    known: FxHashSet<Aim>,
    readings: Readings,
    /// Places that numbers were equal to, in this run or, where they are given, in others.
    pub same: FxHashSet<Mark>,
    same_wanted: FxHashSet<Mark>,
    looked_same: FxHashMap<usize, u32>,
    /// In the order in which the run comes to them.
    pub numbers: Vec<Aim>,
    /// A text, and what it would have to be.
    pub texts: Vec<(Mark, Vec<u8>, Vec<u8>)>,
    /// Numbers of elements that were counted through below an open check.
    pub borders: Vec<(Mark, i128)>,
    /// Numbers that others are held against: some say how often something is done.
    pub counts: Vec<i128>,
}

impl<'a> Aims<'a> {
    pub fn new(open: Open<'a>) -> Aims<'a> {
        Aims {
            open,
            last: 0,
            looked: FxHashMap::default(),
            known: FxHashSet::default(),
            readings: Readings::default(),
            same: FxHashSet::default(),
            same_wanted: FxHashSet::default(),
            looked_same: FxHashMap::default(),
            numbers: Vec::new(),
            texts: Vec::new(),
            borders: Vec::new(),
            counts: Vec::new(),
        }
    }

    fn is_due(&mut self, place: usize) -> bool {
        let looked = self.looked.entry(place).or_insert(0);
        *looked += 1;
        *looked <= OF_A_PLACE
    }

    fn note<'p>(&mut self, mark: Mark, expr: &'p Expr, (found, wanted): (i128, i128), machine: &mut Machine<'p>) {
        let read = self.readings.of(expr, found, machine);
        let aim = Aim { mark, found, wanted, read };
        if found != wanted && self.numbers.len() < KEPT && self.known.insert(aim) {
            self.numbers.push(aim);
        }
    }

    /// What the expression, and what it is computed from, would have to be for it to be `wanted`.
    fn want<'p>(&mut self, mark: Mark, expr: &'p Expr, wanted: i128, steps: u32, machine: &mut Machine<'p>) {
        if steps == 0 || expr.as_int().is_some() {
            return;
        }
        let Some(found) = number(expr, machine).filter(|found| *found != wanted) else { return };
        if !matches!(expr.kind, ExprKind::Cast(_)) {
            self.note(mark, expr, (found, wanted), machine);
        }
        let none = (expr, None);
        let both = match &expr.kind {
            ExprKind::Cast(inner) => [(&**inner, Some(wanted)), none],
            ExprKind::Unary(UnaryOp::Neg, inner) => [(&**inner, wanted.checked_neg()), none],
            ExprKind::Unary(UnaryOp::BitNot, inner) => [(&**inner, Some(!wanted)), none],
            ExprKind::Binary(op, a, b) => {
                let (Some(x), Some(y)) = (number(a, machine), number(b, machine)) else { return };
                let Some([first, second]) = undone(*op, x, y, wanted) else { return };
                [(&**a, first), (&**b, second)]
            }
            _ => return,
        };
        self.want_both(mark, both, steps, machine);
    }

    fn want_both<'p>(
        &mut self,
        mark: Mark,
        both: [(&'p Expr, Option<i128>); 2],
        steps: u32,
        machine: &mut Machine<'p>,
    ) {
        for (of, wanted) in both {
            if let Some(wanted) = wanted {
                self.want(mark, of, wanted, steps - 1, machine);
            }
        }
    }

    /// What would have to be otherwise for the condition to be so.
    fn want_truth<'p>(&mut self, mark: Mark, cond: &'p Expr, truth: bool, machine: &mut Machine<'p>) {
        match &cond.kind {
            ExprKind::Cast(inner) => self.want_truth(mark, inner, truth, machine),
            ExprKind::Binary(op, a, b) if op.is_comparison() => {
                let (Some(x), Some(y)) = (number(a, machine), number(b, machine)) else { return };
                if holds(*op, x, y) == truth {
                    return;
                }
                for by in [0, 1, -1] {
                    if let Some(wanted) = y.checked_add(by).filter(|wanted| holds(*op, *wanted, y) == truth) {
                        self.want(mark, a, wanted, STEPS, machine);
                    }
                    if let Some(wanted) = x.checked_add(by).filter(|wanted| holds(*op, x, *wanted) == truth) {
                        self.want(mark, b, wanted, STEPS, machine);
                    }
                }
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) if is_truth(a) && is_truth(b) => {
                self.want_truth(mark, a, truth, machine);
                self.want_truth(mark, b, truth, machine);
            }
            ExprKind::Binary(BinaryOp::And, _, mask) if truth => {
                let Some(mask) = number(mask, machine) else { return };
                self.want(mark, cond, mask & mask.wrapping_neg(), STEPS, machine);
                self.want(mark, cond, mask, STEPS, machine);
            }
            _ => self.want(mark, cond, truth.into(), STEPS, machine),
        }
    }

    /// Of a branch that compares a number with what lies in an object: that they would have to be equal, for each place of the object once. A program
    /// that finds a mark byte by byte takes the same branch for each.
    fn want_same<'p>(&mut self, at: usize, cond: &'p Expr, machine: &mut Machine<'p>) {
        let sides = held(cond, machine);
        // What was read from a file can be made equal, not the other way round.
        let Some((other, held, place)) = sides.into_iter().flatten().find(|(.., place)| !self.readings.has(place.0))
        else {
            return;
        };
        let mark = Mark::Same(at, place);
        if place.1 > FARTHEST || self.same.contains(&mark) || self.same_wanted.contains(&mark) {
            return;
        }
        let (Some(x), Some(y)) = (number(other, machine), number(held, machine)) else { return };
        if x == y {
            self.same.insert(mark);
        } else {
            self.same_wanted.insert(mark);
            self.want(mark, other, y, STEPS, machine);
        }
    }

    /// What would have to be otherwise for the check to fail.
    fn want_error<'p>(&mut self, check: &'p Check, machine: &mut Machine<'p>) {
        let is_open = |site: SiteId| (self.open.sites)(site);
        match check {
            Check::Access { ptr, size, bounds, .. } if is_open(*bounds) => {
                let mark = Mark::Error(*bounds);
                let Some(bytes) = number(size, machine) else { return };
                let Some(pointer) = machine.peek(ptr) else { return };
                let Pointer::Object { slot, live: true, offset } = machine.pointer(pointer) else { return };
                let end = i128::from(machine.view(slot).size);
                if let ExprKind::PtrAdd(_, index) = &ptr.kind
                    && let Some(at) = number(index, machine)
                {
                    self.want(mark, index, at + end - offset, STEPS, machine);
                    self.want(mark, index, at - offset - 1, STEPS, machine);
                }
                self.want(mark, size, (end - offset).max(0) + 1, STEPS, machine);
                let border = (mark, end / bytes.max(1));
                if bytes > 0
                    && size.as_int().is_some()
                    && self.borders.len() < BORDERS
                    && !self.borders.contains(&border)
                {
                    self.borders.push(border);
                }
            }
            Check::NonZero { site, divisor } if is_open(*site) => {
                self.want(Mark::Error(*site), divisor, 0, STEPS, machine);
            }
            Check::ShiftCount { site, count, width } if is_open(*site) => {
                self.want(Mark::Error(*site), count, (*width).into(), STEPS, machine);
                self.want(Mark::Error(*site), count, -1, STEPS, machine);
            }
            Check::Holds { site, cond } if is_open(*site) => {
                self.want_truth(Mark::Error(*site), cond, false, machine);
            }
            Check::NoOverflow { site, op, lhs, rhs, ty } if is_open(*site) => {
                let Some(kind) = machine.program().types.as_int(*ty) else { return };
                let (low, high) = machine.program().types.int_range(kind);
                let (Some(x), Some(y)) = (number(lhs, machine), number(rhs, machine)) else { return };
                for beyond in [high.checked_add(1), low.checked_sub(1)].into_iter().flatten() {
                    if let Some([first, second]) = undone(*op, x, y, beyond) {
                        let within = |wanted: &i128| (low..=high).contains(wanted);
                        let both = [(lhs, first.filter(within)), (rhs, second.filter(within))];
                        self.want_both(Mark::Error(*site), both, STEPS + 1, machine);
                    }
                }
            }
            _ => {}
        }
    }

    /// Keeps the numbers that a condition holds others against.
    fn note_counts<'p>(&mut self, cond: &'p Expr, machine: &mut Machine<'p>) {
        let ExprKind::Binary(op, a, b) = &cond.kind else { return };
        if !op.is_comparison() || *op == BinaryOp::Eq {
            return;
        }
        for side in [a, b] {
            let known = number(side, machine).filter(|count| *count > 0 && side.as_int().is_none());
            if let Some(count) = known.filter(|count| self.counts.len() < COUNTS && !self.counts.contains(count)) {
                self.counts.push(count);
            }
        }
    }

    /// The edge to this block, where no run has taken it.
    fn open_edge(&self, function: FuncId, to: BlockId) -> Option<Mark> {
        let place = place(self.last, hash(function, to));
        self.open.coverage.is_none_or(|coverage| !coverage.has(place)).then_some(Mark::Edge(place))
    }

    fn compare_texts<'p>(
        &mut self,
        at: usize,
        args: [&'p Expr; 2],
        limit: usize,
        raw: bool,
        machine: &mut Machine<'p>,
    ) {
        let mut read = |arg: &'p Expr| if raw { bytes(arg, limit, machine) } else { text(arg, limit, machine) };
        let (Some(a), Some(b)) = (read(args[0]), read(args[1])) else { return };
        if a == b || self.texts.len() >= KEPT {
            return;
        }
        for (found, wanted) in [(&a, &b), (&b, &a)] {
            let aim = (Mark::Equal(at), found.clone(), wanted.clone());
            if !wanted.is_empty() && !self.texts.contains(&aim) {
                self.texts.push(aim);
            }
        }
    }
}

/// A number; None for pointers and what is not known.
pub(super) fn number<'p>(expr: &'p Expr, machine: &mut Machine<'p>) -> Option<i128> {
    let program = machine.program();
    program.types.as_int(expr.ty)?;
    machine.peek(expr).and_then(Value::as_int)
}

fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Cast(inner) => is_truth(inner),
        _ => false,
    }
}

fn holds(op: BinaryOp, a: i128, b: i128) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        _ => a >= b,
    }
}

/// What the operands `x` and `y` would have to be, each with the other as it is, for the result to be `wanted` or just beyond.
fn undone(op: BinaryOp, x: i128, y: i128, wanted: i128) -> Option<[Option<i128>; 2]> {
    let quotient = |by: i128| {
        let down = wanted.checked_div_euclid(by)?;
        Some(down + i128::from(wanted > 0 && down * by != wanted) * by.signum())
    };
    let shift = |by: i128| u32::try_from(by).ok().filter(|by| *by < 64);
    Some(match op {
        BinaryOp::Add => [wanted.checked_sub(y), wanted.checked_sub(x)],
        BinaryOp::Sub => [wanted.checked_add(y), x.checked_sub(wanted)],
        BinaryOp::Mul => [quotient(y), quotient(x)],
        BinaryOp::Div => [wanted.checked_mul(y), None],
        BinaryOp::Rem => [x.checked_add(wanted.checked_sub(x.checked_rem(y)?)?), None],
        BinaryOp::And => [Some(x & !y | wanted & y), Some(y & !x | wanted & x)],
        BinaryOp::Or => [Some(wanted & !y), Some(wanted & !x)],
        BinaryOp::Xor => [Some(wanted ^ y), Some(wanted ^ x)],
        BinaryOp::Shl => [shift(y).map(|by| wanted >> by), None],
        BinaryOp::Shr => [shift(y).and_then(|by| wanted.checked_mul(1 << by)), None],
        _ => return None,
    })
}

impl Observer for Aims<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, _: &Machine<'_>) {
        self.last = hash(function, block);
    }

    fn before_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        let at = std::ptr::from_ref(stmt) as usize;
        match &stmt.kind {
            StmtKind::Check(check) if check.sites().any(|site| (self.open.sites)(site)) && self.is_due(at) => {
                self.want_error(check, machine);
            }
            StmtKind::Lib { function, args, .. } => {
                let (limited, raw) = match function {
                    LibFn::StrCmp(1) | LibFn::StrCaseCmp | LibFn::StrStr(1) => (false, false),
                    LibFn::StrNCmp(1) | LibFn::StrNCaseCmp => (true, false),
                    LibFn::MemCmp(1) => (true, true),
                    _ => return,
                };
                if self.is_due(at) {
                    let limit = args.get(2).filter(|_| limited).and_then(|limit| number(limit, machine));
                    let limit = limit.and_then(|n| usize::try_from(n).ok()).map_or(TEXT, |n| n.min(TEXT));
                    self.compare_texts(at, [&args[0], &args[1]], limit, raw, machine);
                }
            }
            StmtKind::Call { args, .. } if self.is_due(at) => {
                if let Some(both) = text_arguments(args, machine.program()) {
                    self.compare_texts(at, both, TEXT, false, machine);
                }
            }
            _ => {}
        }
    }

    fn after_statement<'p>(&mut self, stmt: &'p Stmt, machine: &mut Machine<'p>) {
        self.readings.note(stmt, machine);
    }

    fn before_terminator<'p>(&mut self, terminator: &'p Terminator, machine: &mut Machine<'p>) {
        let at = std::ptr::from_ref(terminator) as usize;
        if let Terminator::Branch { cond, .. } = terminator {
            let looked = self.looked_same.entry(at).or_insert(0);
            *looked += 1;
            if *looked <= OF_A_COMPARISON {
                self.want_same(at, cond, machine);
            }
        }
        if !matches!(terminator, Terminator::Branch { .. } | Terminator::Switch { .. }) || !self.is_due(at) {
            return;
        }
        let Some(function) = machine.call_stack().last() else { return };
        match terminator {
            Terminator::Branch { cond, then_to, else_to } => {
                self.note_counts(cond, machine);
                let Some(truth) = machine.peek(cond).and_then(Value::as_int).map(|value| value != 0) else { return };
                if let Some(mark) = self.open_edge(function, if truth { *else_to } else { *then_to }) {
                    self.want_truth(mark, cond, !truth, machine);
                }
            }
            Terminator::Switch { value, cases, .. } => {
                for case in cases.iter().take(CASES) {
                    if let Some(mark) = self.open_edge(function, case.target) {
                        self.want(mark, value, case.low, STEPS, machine);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::undone;
    use crate::ir::BinaryOp;

    #[test]
    fn arithmetic_is_undone() {
        let of = |op, x, y, wanted| undone(op, x, y, wanted).unwrap_or_default();
        assert_eq!(of(BinaryOp::Add, 1, 2, 10), [Some(8), Some(9)]);
        assert_eq!(of(BinaryOp::Sub, 1, 2, 10), [Some(12), Some(-9)]);
        // An index that leads behind the end, not before it.
        assert_eq!(of(BinaryOp::Mul, 1, 4, 10), [Some(3), Some(10)]);
        assert_eq!(of(BinaryOp::Mul, 1, 4, -1)[0], Some(-1));
        assert_eq!(of(BinaryOp::Mul, 1, 0, 10), [None, Some(10)]);
        assert_eq!(of(BinaryOp::And, 0x100, 0xff, 7)[0], Some(0x107));
        assert_eq!(of(BinaryOp::Shr, 0, 4, 3)[0], Some(48));
        assert_eq!(of(BinaryOp::Rem, 17, 10, 3)[0], Some(13));
        // What no number of 128 bits is.
        assert_eq!(of(BinaryOp::Rem, -17, 10, i128::MAX), [None, None]);
    }
}
