//! Candidates for invariants: what all observed rows satisfy, and what the forward analysis says.

use super::hull::edges;
use super::predicate::{Predicate, Sum};
use super::relations::equations;
use super::trace::{Table, Tables, scalars_at};
use crate::domains::congruence::gcd;
use crate::encode::havoc::Writes;
use crate::encode::{Automaton, Cell, NodeId};
use crate::engines::forward::ValueAt;
use crate::ir::{Expr, ExprKind, Program, VarId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Candidates by loop head.
pub type Candidates = BTreeMap<NodeId, Vec<Predicate>>;

/// Variables among which equations are looked for; more cost too much.
const LINEAR: usize = 14;
/// Variables whose products are looked at.
const QUADRATIC: usize = 6;
/// Variables of which each two are bounded together.
const OCTAGONS: usize = 8;
/// Candidates at one head.
const MOST: usize = 600;

/// How much is guessed: each effort includes those before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effort {
    /// Bounds, linear equations, order of two variables.
    Little,
    /// What holds for some values of a variable only, and of three variables.
    More,
    /// Products.
    Most,
    /// Bounds of two variables with factors, which make hard queries.
    Utmost,
}

/// Guesses from runs and from the forward analysis.
pub fn guess(automaton: &Automaton<'_>, tables: &Tables, forward: &[ValueAt], effort: Effort) -> Candidates {
    let constants = constants(automaton.program);
    let mut all = Candidates::default();
    for head in automaton.heads() {
        let node = &automaton.nodes[head];
        let cell = |v: VarId| {
            let is_static = automaton.program.variables[v].is_static();
            Cell { context: if is_static { crate::encode::automaton::ROOT } else { node.context }, variable: v }
        };
        let mut found = BTreeSet::new();
        let scalars = scalars_at(automaton.program, node.function);
        for at in forward {
            if at.function == node.function
                && at.block == node.block
                && at.offset == 0
                && scalars.contains(&at.variable)
            {
                found.insert(Predicate::at_least(cell(at.variable), at.low));
                found.insert(Predicate::at_most(cell(at.variable), at.high));
            }
        }
        let mut list: Vec<Predicate> = found.into_iter().collect();
        if node.is_block_start()
            && let Some(table) = tables.get(&(node.function, node.block))
        {
            let rows = Rows::of(table, cell);
            let written = written(automaton, head);
            rows.guess(&constants, &written, effort, &mut list);
        }
        list.retain(|p| !says_nothing(automaton.program, p));
        list.truncate(MOST);
        all.insert(head, list);
    }
    all
}

/// Whether a bound is that of the variable's type.
fn says_nothing(program: &Program, predicate: &Predicate) -> bool {
    let Predicate::NotPositive(sum) = predicate else { return false };
    let [(factor, product)] = &sum.terms[..] else { return false };
    let [cell] = product[..] else { return false };
    let Some(kind) = program.types.as_int(program.variables[cell.variable].ty) else { return false };
    let (low, high) = program.types.int_range(kind);
    match factor {
        1 => sum.constant <= -high,
        -1 => sum.constant <= low,
        _ => false,
    }
}

/// Scalars that the loop writes.
fn written(automaton: &Automaton<'_>, head: NodeId) -> BTreeSet<Cell> {
    let encoder = crate::encode::Encoder::new(automaton, &[]);
    let writes: Writes<'_> = encoder.loop_writes(head);
    writes.cells().collect()
}

/// Numbers in the program's text.
pub fn constants(program: &Program) -> BTreeSet<i128> {
    let mut found = BTreeSet::from([0, 1]);
    let mut note = |e: &Expr| {
        e.walk(&mut |e| {
            if let ExprKind::Int(v) = e.kind {
                found.extend([v - 1, v, v + 1]);
            }
        });
    };
    for function in program.functions.iter().filter(|f| !f.library) {
        for block in function.blocks.iter() {
            block.stmts.iter().flat_map(|s| s.kind.exprs()).for_each(&mut note);
            block.terminator.expr().into_iter().for_each(&mut note);
        }
    }
    found.retain(|n| n.unsigned_abs() < 1 << 62);
    found
}

/// A table without indeterminate values.
struct Rows {
    cells: Vec<Cell>,
    rows: Vec<Vec<i128>>,
}

impl Rows {
    /// The columns that are determinate in all rows.
    fn of(table: &Table, cell: impl Fn(VarId) -> Cell) -> Rows {
        let defined = |i: &usize| table.rows.iter().all(|r| r[*i].is_some());
        let kept: Vec<usize> = (0..table.variables.len()).filter(defined).collect();
        let cells = kept.iter().map(|i| cell(table.variables[*i])).collect();
        let mut rows: Vec<Vec<i128>> = table.rows.iter().map(|r| kept.iter().filter_map(|i| r[*i]).collect()).collect();
        rows.sort();
        rows.dedup();
        Rows { cells, rows }
    }

    fn column(&self, i: usize) -> impl Iterator<Item = i128> + '_ {
        self.rows.iter().map(move |r| r[i])
    }

    fn guess(&self, constants: &BTreeSet<i128>, written: &BTreeSet<Cell>, effort: Effort, found: &mut Vec<Predicate>) {
        if self.rows.is_empty() {
            return;
        }
        let mut seen: FxHashSet<Predicate> = found.iter().cloned().collect();
        let mut add = |p: Predicate| {
            if seen.insert(p.clone()) {
                found.push(p);
            }
        };
        self.linear(&mut add);
        for i in 0..self.cells.len() {
            self.bounds(i, constants, effort, &mut add);
            if !self.is_constant(i) {
                self.congruence(i, &mut add);
            }
        }
        self.pairs(written, effort, &mut add);
        if effort >= Effort::More {
            self.triples(written, &mut add);
            self.octagons(constants, written, &mut add);
            self.by_flag(constants, &mut add);
        }
        if effort >= Effort::Most {
            self.quadratic(written, &mut add);
        }
        if effort >= Effort::Utmost {
            self.slopes(written, &mut add);
        }
    }

    /// Whether all rows agree; an equation says so already.
    fn is_constant(&self, i: usize) -> bool {
        self.column(i).all(|v| v == self.rows[0][i])
    }

    /// Bounds at constants of the program, at the observed extremes, and at single values.
    fn bounds(&self, i: usize, constants: &BTreeSet<i128>, effort: Effort, add: &mut impl FnMut(Predicate)) {
        let (Some(min), Some(max)) = (self.column(i).min(), self.column(i).max()) else { return };
        let cell = self.cells[i];
        let many = if effort == Effort::Little { 2 } else { 6 };
        let mut low: BTreeSet<i128> = constants.range(..=min).rev().take(many).copied().chain([min]).collect();
        let mut high: BTreeSet<i128> = constants.range(max..).take(many + 1).copied().chain([max]).collect();
        if effort == Effort::Little && self.is_constant(i) {
            (low, high) = (BTreeSet::new(), BTreeSet::new());
        }
        low.into_iter().for_each(|c| add(Predicate::at_least(cell, c)));
        high.into_iter().for_each(|c| add(Predicate::at_most(cell, c)));
        let values: BTreeSet<i128> = self.column(i).collect();
        if effort > Effort::Little && (2..=4).contains(&values.len()) && self.rows.len() > 4 {
            add(Predicate::Or(values.into_iter().map(|v| Predicate::equal(cell, v)).collect()));
        }
    }

    fn congruence(&self, i: usize, add: &mut impl FnMut(Predicate)) {
        let first = self.rows[0][i];
        let modulus = self.column(i).fold(0, |g: i128, v| gcd(g, v - first));
        if !(2..=1 << 16).contains(&modulus) {
            return;
        }
        let two = 1i128 << modulus.trailing_zeros();
        for m in [modulus, two] {
            let negative = self.column(i).any(|v| v < 0);
            if m > 1 && (!negative || (m as u128).is_power_of_two()) {
                let remainder = first.rem_euclid(m) as u64;
                add(Predicate::Congruent { cell: self.cells[i], modulus: m as u64, remainder });
            }
        }
    }

    /// Equations between all variables.
    fn linear(&self, add: &mut impl FnMut(Predicate)) {
        let columns: Vec<Vec<usize>> = (0..self.cells.len().min(LINEAR)).map(|i| vec![i]).collect();
        self.equations(&columns, add);
    }

    /// Equations between variables and products, of those that matter most.
    fn quadratic(&self, written: &BTreeSet<Cell>, add: &mut impl FnMut(Predicate)) {
        let mut chosen: Vec<usize> = (0..self.cells.len()).collect();
        chosen.sort_by_key(|i| !written.contains(&self.cells[*i]));
        chosen.truncate(QUADRATIC);
        let mut columns: Vec<Vec<usize>> = chosen.iter().map(|i| vec![*i]).collect();
        for (n, &i) in chosen.iter().enumerate() {
            columns.extend(chosen[n..].iter().map(|&j| vec![i, j]));
        }
        self.equations(&columns, add);
    }

    fn equations(&self, columns: &[Vec<usize>], add: &mut impl FnMut(Predicate)) {
        let width = columns.len() + 1;
        let small = |r: &&Vec<i128>| r.iter().all(|v| v.abs() < 1 << 20);
        let rows: Vec<Vec<i128>> = self
            .rows
            .iter()
            .filter(small)
            .map(|row| {
                let product = |c: &Vec<usize>| c.iter().map(|i| row[*i]).product::<i128>();
                std::iter::once(1).chain(columns.iter().map(product)).collect()
            })
            .collect();
        if rows.len() < 4 {
            return;
        }
        for factors in equations(&rows, width) {
            let terms: Vec<(i128, Vec<Cell>)> = factors[1..]
                .iter()
                .zip(columns)
                .filter(|(f, _)| **f != 0)
                .map(|(f, c)| (*f, c.iter().map(|i| self.cells[*i]).collect()))
                .collect();
            if !terms.is_empty() {
                add(Predicate::Zero(Sum { terms, constant: factors[0] }));
            }
        }
    }

    /// `a + c <= b`, also but for one value of `a` or a bound of `b`.
    fn pairs(&self, written: &BTreeSet<Cell>, effort: Effort, add: &mut impl FnMut(Predicate)) {
        for i in 0..self.cells.len() {
            for j in 0..self.cells.len() {
                let matters = written.contains(&self.cells[i]) || written.contains(&self.cells[j]);
                let plain = effort == Effort::Little && (self.is_constant(i) || self.is_constant(j));
                if i == j || !matters || plain {
                    continue;
                }
                let (a, b) = (self.cells[i], self.cells[j]);
                let Some(gap) = self.rows.iter().map(|r| r[j] - r[i]).min() else { continue };
                if gap >= 0 {
                    for c in BTreeSet::from([gap, 0, gap.min(1)]) {
                        add(Predicate::NotPositive(Sum::difference(a, b, c)));
                    }
                    continue;
                }
                if gap >= -4 && effort > Effort::Little {
                    add(Predicate::NotPositive(Sum::difference(a, b, gap)));
                }
                let violating: BTreeSet<i128> = self.rows.iter().filter(|r| r[i] > r[j]).map(|r| r[i]).collect();
                if violating.len() == 1 && self.rows.len() > 4 {
                    let c = *violating.first().expect("there is one");
                    let below = Predicate::NotPositive(Sum::difference(a, b, 0));
                    add(Predicate::Or(vec![below, Predicate::equal(a, c)]));
                }
            }
        }
    }

    /// Differences and sums of two variables, bounded by constants of the program.
    fn octagons(&self, constants: &BTreeSet<i128>, written: &BTreeSet<Cell>, add: &mut impl FnMut(Predicate)) {
        let moving: Vec<usize> = (0..self.cells.len()).filter(|i| !self.is_constant(*i)).take(OCTAGONS).collect();
        for &i in &moving {
            for &j in moving.iter().filter(|j| **j != i) {
                let (a, b) = (self.cells[i], self.cells[j]);
                if !written.contains(&a) && !written.contains(&b) {
                    continue;
                }
                let Some(most) = self.rows.iter().map(|r| r[i] - r[j]).max() else { continue };
                for bound in constants.range(most..).take(2) {
                    add(Predicate::NotPositive(Sum::difference(a, b, -bound)));
                }
                let sums = || self.rows.iter().map(|r| r[i] + r[j]);
                let (Some(least), Some(most)) = (sums().min(), sums().max()) else { continue };
                if i < j {
                    let sum = |sign: i128, constant| Sum { terms: vec![(sign, vec![a]), (sign, vec![b])], constant };
                    constants.range(most..).take(1).for_each(|c| add(Predicate::NotPositive(sum(1, -c))));
                    constants.range(..=least).rev().take(1).for_each(|c| add(Predicate::NotPositive(sum(-1, *c))));
                }
            }
        }
    }

    /// What bounds two variables together, with factors: the sides of what was observed of them.
    fn slopes(&self, written: &BTreeSet<Cell>, add: &mut impl FnMut(Predicate)) {
        let moving: Vec<usize> = (0..self.cells.len()).filter(|i| !self.is_constant(*i)).take(OCTAGONS).collect();
        for (n, &i) in moving.iter().enumerate() {
            for &j in &moving[n + 1..] {
                let (x, y) = (self.cells[i], self.cells[j]);
                if !written.contains(&x) && !written.contains(&y) {
                    continue;
                }
                let points: Vec<(i128, i128)> = self.rows.iter().map(|r| (r[i], r[j])).collect();
                for e in edges(&points) {
                    let terms = vec![(e.a, vec![x]), (e.b, vec![y])];
                    add(Predicate::NotPositive(Sum { terms, constant: -e.c }));
                }
            }
        }
    }

    /// `a + b <= c` with a third variable, or sums and differences bounded by constants.
    fn triples(&self, written: &BTreeSet<Cell>, add: &mut impl FnMut(Predicate)) {
        let n = self.cells.len().min(8);
        for i in 0..n {
            for j in i + 1..n {
                for k in (0..n).filter(|k| *k != i && *k != j && !self.is_constant(*k)) {
                    let matters = [i, j].iter().filter(|x| written.contains(&self.cells[**x])).count() > 0;
                    if !matters {
                        continue;
                    }
                    let sum = |sign: i128| Sum {
                        terms: vec![
                            (sign, vec![self.cells[i]]),
                            (sign, vec![self.cells[j]]),
                            (-sign, vec![self.cells[k]]),
                        ],
                        constant: 0,
                    };
                    if self.rows.iter().all(|r| r[i] + r[j] <= r[k]) {
                        add(Predicate::NotPositive(sum(1)));
                    }
                    if self.rows.iter().all(|r| r[i] + r[j] >= r[k]) {
                        add(Predicate::NotPositive(sum(-1)));
                    }
                }
            }
        }
    }

    /// What holds while a variable with few values has one of them.
    fn by_flag(&self, constants: &BTreeSet<i128>, add: &mut impl FnMut(Predicate)) {
        for i in 0..self.cells.len() {
            let values: BTreeSet<i128> = self.column(i).collect();
            if values.len() < 2 || values.len() > 3 || self.rows.len() < 6 {
                continue;
            }
            for value in values {
                let rows: Vec<Vec<i128>> = self.rows.iter().filter(|r| r[i] == value).cloned().collect();
                let part = Rows { cells: self.cells.clone(), rows };
                let (below, above) = (value - 1, value + 1);
                let mut add_here = |p: Predicate| {
                    let cell = self.cells[i];
                    add(Predicate::Or(vec![Predicate::at_most(cell, below), Predicate::at_least(cell, above), p]));
                };
                part.linear(&mut add_here);
                for j in (0..self.cells.len()).filter(|j| *j != i) {
                    let (min, max) = (part.column(j).min(), part.column(j).max());
                    let (Some(min), Some(max)) = (min, max) else { continue };
                    if self.column(j).any(|v| v < min) && constants.contains(&min) {
                        add_here(Predicate::at_least(self.cells[j], min));
                    }
                    if self.column(j).any(|v| v > max) && constants.contains(&max) {
                        add_here(Predicate::at_most(self.cells[j], max));
                    }
                }
            }
        }
    }
}
