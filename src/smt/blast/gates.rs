//! Gates over literals: constants are folded, equal gates are one, and each is defined by clauses when it is made.

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts};
use rustc_hash::FxHashMap;

/// A circuit, and the SAT solver that knows its clauses.
pub(super) struct Gates<C: Callbacks> {
    pub sat: Solver<C>,
    truth: Lit,
    junctions: FxHashMap<Vec<Lit>, Lit>,
    differences: FxHashMap<(Lit, Lit), Lit>,
    choices: FxHashMap<(Lit, Lit, Lit), Lit>,
    majorities: FxHashMap<(Lit, Lit, Lit), Lit>,
    clause: Vec<Lit>,
}

impl<C: Callbacks> Gates<C> {
    /// A circuit without gates.
    pub fn new(options: SolverOpts, callbacks: C) -> Self {
        let mut sat = Solver::new(options, callbacks);
        let truth = Lit::new(sat.new_var_default(), true);
        sat.add_clause_reuse(&mut vec![truth]);
        Gates {
            sat,
            truth,
            junctions: FxHashMap::default(),
            differences: FxHashMap::default(),
            choices: FxHashMap::default(),
            majorities: FxHashMap::default(),
            clause: Vec::new(),
        }
    }

    /// A literal that nothing is known of.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.sat.new_var_default(), true)
    }

    /// The literal of a constant.
    pub fn constant(&self, value: bool) -> Lit {
        if value { self.truth } else { !self.truth }
    }

    /// The value of a constant literal.
    pub fn as_constant(&self, literal: Lit) -> Option<bool> {
        (literal.var() == self.truth.var()).then(|| literal == self.truth)
    }

    /// Demands that one of the literals holds.
    pub fn clause(&mut self, literals: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(literals);
        self.sat.add_clause_reuse(&mut self.clause);
    }

    /// Whether all hold.
    pub fn and(&mut self, literals: &[Lit]) -> Lit {
        let mut all: Vec<Lit> = literals.iter().copied().filter(|l| *l != self.truth).collect();
        all.sort_unstable();
        all.dedup();
        // A literal and its negation are neighbours.
        if all.contains(&!self.truth) || all.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !self.truth;
        }
        match all[..] {
            [] => return self.truth,
            [one] => return one,
            _ => {}
        }
        if let Some(known) = self.junctions.get(&all) {
            return *known;
        }
        let out = self.fresh();
        for literal in &all {
            self.clause(&[!out, *literal]);
        }
        let mut back: Vec<Lit> = all.iter().map(|l| !*l).collect();
        back.push(out);
        self.clause(&back);
        self.junctions.insert(all, out);
        out
    }

    /// Whether one holds.
    pub fn or(&mut self, literals: &[Lit]) -> Lit {
        let negated: Vec<Lit> = literals.iter().map(|l| !*l).collect();
        !self.and(&negated)
    }

    /// Whether exactly one of two holds.
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(value) = self.as_constant(a) {
            return if value { !b } else { b };
        }
        if let Some(value) = self.as_constant(b) {
            return if value { !a } else { a };
        }
        // Negations move to the gate's output.
        let (x, y) = (Lit::new(a.var(), true), Lit::new(b.var(), true));
        let flipped = (a != x) != (b != y);
        if x == y {
            return self.constant(flipped);
        }
        let key = if x < y { (x, y) } else { (y, x) };
        let out = match self.differences.get(&key) {
            Some(known) => *known,
            None => {
                let out = self.fresh();
                for clause in [[!x, !y, !out], [x, y, !out], [x, !y, out], [!x, y, out]] {
                    self.clause(&clause);
                }
                self.differences.insert(key, out);
                out
            }
        };
        if flipped { !out } else { out }
    }

    /// Whether both or none hold.
    pub fn equal(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    /// `then` where the condition holds, `otherwise` elsewhere.
    pub fn choose(&mut self, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
        if let Some(value) = self.as_constant(condition) {
            return if value { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if then == !otherwise {
            return self.equal(condition, then);
        }
        if let Some(value) = self.as_constant(then) {
            return if value { self.or(&[condition, otherwise]) } else { self.and(&[!condition, otherwise]) };
        }
        if let Some(value) = self.as_constant(otherwise) {
            return if value { self.or(&[!condition, then]) } else { self.and(&[condition, then]) };
        }
        let positive = Lit::new(condition.var(), true);
        let (then, otherwise) = if condition == positive { (then, otherwise) } else { (otherwise, then) };
        let key = (positive, then, otherwise);
        if let Some(known) = self.choices.get(&key) {
            return *known;
        }
        let out = self.fresh();
        self.clause(&[!positive, !then, out]);
        self.clause(&[!positive, then, !out]);
        self.clause(&[positive, !otherwise, out]);
        self.clause(&[positive, otherwise, !out]);
        // Implied, but they let more be seen at once.
        self.clause(&[!then, !otherwise, out]);
        self.clause(&[then, otherwise, !out]);
        self.choices.insert(key, out);
        out
    }

    /// Whether two of three hold.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
            if let Some(value) = self.as_constant(x) {
                return if value { self.or(&[y, z]) } else { self.and(&[y, z]) };
            }
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
        }
        let mut key = [a, b, c];
        key.sort_unstable();
        let key = (key[0], key[1], key[2]);
        if let Some(known) = self.majorities.get(&key) {
            return *known;
        }
        let out = self.fresh();
        for (x, y) in [(a, b), (b, c), (a, c)] {
            self.clause(&[!x, !y, out]);
            self.clause(&[x, y, !out]);
        }
        self.majorities.insert(key, out);
        out
    }
}
