//! Cell states backwards: lower lattice operators, sufficient preconditions of assignments, removal of cells.
//!
//! Every result holds only states that lead into the postcondition alone, whatever an expression chooses. Where an expression
//! is not inverted exactly, the box is grown around a point that is inside: the bounds that bisection finds are checked by
//! forward evaluation, which holds more than there is, so that no wrong point gets in.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 2.5, 2.6, Algorithm 2 and Proposition 2.

use super::cell::{Cell, CellExpr, CellState};
use super::int::Int;
use super::lower::lower_join_products;
use super::value::Value;

impl CellState {
    /// Inclusion, over the same cells; false where that cannot be told.
    pub fn leq(&self, other: &CellState) -> bool {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.unify(&mut b);
        a.cells.iter().all(|(cell, value)| value.leq(&b.cells[cell]) || cell.ty.top().leq(&b.cells[cell]))
    }
    /// States inside of the union.
    pub fn lower_join(&self, other: &CellState) -> CellState {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.unify(&mut b);
        let values = |s: &CellState| s.cells.values().cloned().collect::<Vec<_>>();
        let joined = lower_join_products(&values(&a), &values(&b));
        CellState { cells: a.cells.into_keys().zip(joined).collect() }
    }
    /// States inside of the intersection; None when none are known.
    pub fn lower_meet(&self, other: &CellState) -> Option<CellState> {
        self.pointwise(other, Value::lower_meet)
    }
    /// States inside of the intersection, such that chains end; None when none are left.
    pub fn lower_widen(&self, next: &CellState, thresholds: &[i128]) -> Option<CellState> {
        self.pointwise(next, |a, b| a.lower_widen(b, thresholds))
    }
    fn pointwise(&self, other: &CellState, f: impl Fn(&Value, &Value) -> Value) -> Option<CellState> {
        let (mut a, mut b) = (self.clone(), other.clone());
        a.unify(&mut b);
        let cells: Option<Vec<(Cell, Value)>> = a
            .cells
            .iter()
            .map(|(cell, value)| Some((*cell, f(value, &b.cells[cell]))).filter(|(_, v)| !v.is_bottom()))
            .collect();
        Some(CellState::of(cells?))
    }

    /// States of this one at which every value of the expression is in `goal`; None when none are known.
    pub fn restrict(&self, e: &CellExpr, goal: &Value) -> Option<CellState> {
        let holds = |s: &CellState| s.eval(e).leq(goal);
        if holds(self) {
            return Some(self.clone());
        }
        let mut narrowed = self.clone();
        if !narrowed.narrow(e, goal) {
            return None;
        }
        if holds(&narrowed) {
            return Some(narrowed);
        }
        narrowed.grown(e, goal)
    }

    /// The same around a point.
    fn grown(&self, e: &CellExpr, goal: &Value) -> Option<CellState> {
        let holds = |s: &CellState| s.eval(e).leq(goal);
        let mut all = self.clone();
        e.cells().into_iter().for_each(|c| all.add_cell(c));
        let cells: Vec<Cell> = e.cells().into_iter().filter(|c| all.number(*c).is_some()).collect();
        let mut state = all.witness(e, goal, &cells)?;
        for cell in cells {
            let (whole, at) = (all.number(cell)?, state.number(cell)?.lo());
            let fits = |lo: i128, hi: i128| {
                // A congruence keeps its members.
                let Some(part) = whole.clamp(lo, hi) else { return false };
                let mut candidate = state.clone();
                candidate.cells.insert(cell, Value::int(part));
                holds(&candidate)
            };
            let hi = bisect(at, whole.hi(), |hi| fits(at, hi));
            let lo = -bisect(-at, -whole.lo(), |lo| fits(-lo, hi));
            state.cells.insert(cell, Value::int(whole.clamp(lo, hi)?));
        }
        holds(&state).then_some(state)
    }

    /// The number of a cell that holds nothing else.
    fn number(&self, cell: Cell) -> Option<Int> {
        self.cells.get(&cell)?.plain()
    }

    /// The state with its cells at one point at which the expression is in the goal, if one is found.
    fn witness(&self, e: &CellExpr, goal: &Value, cells: &[Cell]) -> Option<CellState> {
        let mut states = vec![self.clone()];
        for &cell in cells {
            let whole = self.number(cell)?;
            let points = self.candidates(e, goal, cell, whole);
            let with = |state: &CellState, point: i128| {
                let mut state = state.clone();
                state.cells.insert(cell, Value::constant(point));
                state
            };
            states = states.iter().flat_map(|s| points.iter().map(|p| with(s, *p)).collect::<Vec<_>>()).collect();
            states.truncate(MOST_POINTS);
        }
        states.into_iter().find(|s| s.eval(e).leq(goal))
    }

    /// Points of a cell worth trying: ends, the middle, and what would do if the expression were the cell plus or minus something.
    fn candidates(&self, e: &CellExpr, goal: &Value, cell: Cell, whole: Int) -> Vec<i128> {
        let mut points = vec![whole.lo(), whole.hi(), whole.lo() + (whole.hi() - whole.lo()) / 2, 0];
        let mut at = self.clone();
        at.cells.insert(cell, Value::constant(0));
        let base = at.eval(e).int;
        let constants = e.constants();
        points.extend(constants.iter().flat_map(|c| [c.saturating_sub(1), *c, c.saturating_add(1)]));
        for g in goal.int.iter().flat_map(|g| [g.lo(), g.hi()]) {
            points.push(g);
            points.extend(constants.iter().filter_map(|c| g.checked_div(*c)));
            // Of what is shifted.
            let small = constants.iter().filter(|c| (1..64).contains(*c) && g.unsigned_abs() < 1 << 62);
            points.extend(small.clone().map(|c| g << c));
            points.extend(
                small.flat_map(|c| constants.iter().filter(|n| (0..1 << 32).contains(*n)).map(move |n| n << c)),
            );
            if let Some(base) = base {
                points.extend([g.saturating_sub(base.lo()), base.lo().saturating_sub(g)]);
            }
        }
        points.retain(|p| whole.contains(*p));
        points.sort_unstable();
        points.dedup();
        points
    }

    /// States from which `cell := e` leads into this one alone; None when none are known. They are among the states at which
    /// cells hold some of the `known` values, as all that come to the assignment do.
    pub fn backward_assign(&self, cell: Cell, e: &CellExpr, known: &[(Cell, Value)]) -> Option<CellState> {
        let state = self.remove_overlapping(cell)?;
        let Some(goal) = state.cells.get(&cell).cloned() else { return Some(state) };
        let mut before = state;
        before.cells.insert(cell, cell.ty.top());
        if cell.ty.top().leq(&goal) {
            return Some(before);
        }
        before.among(known)?.restrict(e, &goal)
    }

    /// The states at which cells hold some of these values; None when there are none.
    pub fn among(&self, known: &[(Cell, Value)]) -> Option<CellState> {
        let mut state = self.clone();
        known.iter().all(|(cell, value)| state.cut(*cell, value)).then_some(state)
    }

    /// Proposition 2: the state without the cell, what it says moved into the cells that phi reads.
    pub fn remove_cell(&self, cell: Cell) -> Option<CellState> {
        let Some(goal) = self.cells.get(&cell).cloned() else { return Some(self.clone()) };
        let mut rest = self.clone();
        rest.cells.remove(&cell);
        let phi = rest.phi(cell);
        // A cell of its own says nothing of others: it can go when it says nothing at all.
        rest.restrict(&phi, &goal)
    }

    /// The state without cells that overlap `cell`, but for itself.
    pub fn remove_overlapping(&self, cell: Cell) -> Option<CellState> {
        let mut state = self.clone();
        state.add_cell(cell);
        let others: Vec<Cell> = state.cells.keys().copied().filter(|c| *c != cell && c.overlaps(cell)).collect();
        for other in others {
            state = state.remove_cell(other)?;
        }
        Some(state)
    }
}

/// Combinations of points that are tried.
const MOST_POINTS: usize = 256;

/// The greatest number from `good` to `last` that is good, if those between are up to some number.
pub fn bisect(mut good: i128, last: i128, mut is_good: impl FnMut(i128) -> bool) -> i128 {
    if good < last && is_good(last) {
        return last;
    }
    let mut bad = last;
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if is_good(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}
