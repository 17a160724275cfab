//! The order in which a rule's literals are worked off: atoms as written (or one of them first), everything else
//! as soon as its variables are bound.
use super::core::*;

/// What a column is compared with or bound to at its turn.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    Any,
    /// First meets the variable.
    Bind(VariableId),
    /// Must be equal to a value known before the atom is looked at.
    Equal(Expression),
    /// Must be equal to a variable bound by an earlier column of the same atom.
    Same(VariableId),
}

/// One step of a rule.
#[derive(Clone, Debug)]
pub enum Step {
    /// `literal` is the position in [`Rule::body`].
    Match {
        literal: usize,
        relation: RelationId,
        slots: Vec<Slot>,
    },
    Absent {
        relation: RelationId,
        slots: Vec<Slot>,
    },
    Bind {
        variable: VariableId,
        value: Expression,
    },
    Compare {
        op: Comparison,
        left: Expression,
        right: Expression,
        kind: Kind,
    },
    Test {
        test: TextTest,
        negated: bool,
        part: Expression,
        whole: Expression,
    },
    Open {
        variable: VariableId,
        record: usize,
        slots: Vec<Slot>,
    },
    Aggregate {
        variable: VariableId,
        bound: bool,
        kind: AggregateKind,
        relation: RelationId,
        slots: Vec<Slot>,
        column: Option<usize>,
    },
}

impl Step {
    /// The relation that it looks into.
    pub fn relation(&self) -> Option<RelationId> {
        match self {
            Step::Match { relation, .. } | Step::Absent { relation, .. } | Step::Aggregate { relation, .. } => {
                Some(*relation)
            }
            Step::Bind { .. } | Step::Compare { .. } | Step::Test { .. } | Step::Open { .. } => None,
        }
    }

    /// The variables whose values it uses, and those it gives values.
    pub fn variables(&self) -> (Vec<VariableId>, Vec<VariableId>) {
        let (mut uses, mut binds) = (Vec::new(), Vec::new());
        let mut slots = |slots: &[Slot]| {
            for slot in slots {
                match slot {
                    Slot::Any | Slot::Same(_) => {}
                    Slot::Bind(variable) => binds.push(*variable),
                    Slot::Equal(value) => value.variables(&mut |variable| uses.push(variable)),
                }
            }
        };
        match self {
            Step::Match { slots: all, .. } | Step::Absent { slots: all, .. } => slots(all),
            Step::Bind { variable, value } => {
                binds.push(*variable);
                value.variables(&mut |variable| uses.push(variable));
            }
            Step::Compare { left, right, .. } | Step::Test { part: left, whole: right, .. } => {
                left.variables(&mut |variable| uses.push(variable));
                right.variables(&mut |variable| uses.push(variable));
            }
            Step::Open { variable, slots: all, .. } => {
                slots(all);
                uses.push(*variable);
            }
            Step::Aggregate { variable, bound, slots: all, .. } => {
                slots(all);
                if *bound { uses.push(*variable) } else { binds.push(*variable) }
            }
        }
        (uses, binds)
    }
}

/// Orders the body of `rule`, the atom at position `first` before all others if given; `skip` is left out.
/// With `greedy`, the atom with the most bound columns comes next instead of the one written next.
pub fn schedule(rule: &Rule, first: Option<usize>, skip: Option<usize>, greedy: bool) -> Vec<Step> {
    let mut schedule = Schedule { bound: vec![false; rule.variables.len()], steps: Vec::new() };
    let mut waiting: Vec<usize> = (0..rule.body.len()).filter(|at| Some(*at) != skip).collect();
    if let Some(at) = first {
        waiting.retain(|other| *other != at);
        schedule.take(at, &rule.body[at]);
    }
    loop {
        while let Some(position) = waiting.iter().position(|at| schedule.is_ready(&rule.body[*at])) {
            let at = waiting.remove(position);
            schedule.take(at, &rule.body[at]);
        }
        let atoms = waiting.iter().enumerate().filter(|(_, at)| matches!(rule.body[**at], Literal::Match { .. }));
        let next = if greedy {
            // Among equals, the one written first.
            atoms.max_by_key(|(position, at)| (schedule.known_columns(&rule.body[**at]), std::cmp::Reverse(*position)))
        } else {
            atoms.min_by_key(|(position, _)| *position)
        };
        let Some(position) = next.map(|(position, _)| position) else { break };
        let at = waiting.remove(position);
        schedule.take(at, &rule.body[at]);
    }
    assert!(waiting.is_empty(), "checked rules bind every variable");
    schedule.steps
}

struct Schedule {
    bound: Vec<bool>,
    steps: Vec<Step>,
}

impl Schedule {
    fn knows(&self, expression: &Expression) -> bool {
        let mut all = true;
        expression.variables(&mut |variable| all &= self.bound[variable]);
        all
    }

    fn knows_pattern(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Any => true,
            Pattern::Variable(variable) => self.bound[*variable],
            Pattern::Value(value) => self.knows(value),
        }
    }

    /// The number of columns an atom has values for.
    fn known_columns(&self, literal: &Literal) -> usize {
        let Literal::Match { arguments, .. } = literal else { return 0 };
        arguments.iter().filter(|argument| **argument != Pattern::Any && self.knows_pattern(argument)).count()
    }

    fn is_ready(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Match { .. } => false,
            Literal::Absent { arguments, .. } | Literal::Aggregate { arguments, .. } => {
                arguments.iter().all(|argument| self.knows_pattern(argument))
            }
            Literal::Compare { op, left, right, .. } => {
                let unbound = |side: &Expression| matches!(side, Expression::Variable(v) if !self.bound[*v]);
                match (self.knows(left), self.knows(right)) {
                    (true, true) => true,
                    (true, false) => *op == Comparison::Equal && unbound(right),
                    (false, true) => *op == Comparison::Equal && unbound(left),
                    (false, false) => false,
                }
            }
            Literal::Test { part, whole, .. } => self.knows(part) && self.knows(whole),
            Literal::Record { variable, fields, .. } => {
                let buildable = fields.iter().all(|field| *field != Pattern::Any && self.knows_pattern(field));
                buildable || self.bound[*variable]
            }
        }
    }

    fn slot(&self, pattern: &Pattern, new: &mut Vec<VariableId>) -> Slot {
        match pattern {
            Pattern::Any => Slot::Any,
            Pattern::Variable(variable) if self.bound[*variable] => Slot::Equal(Expression::Variable(*variable)),
            Pattern::Variable(variable) if new.contains(variable) => Slot::Same(*variable),
            Pattern::Variable(variable) => {
                new.push(*variable);
                Slot::Bind(*variable)
            }
            Pattern::Value(value) => Slot::Equal(value.clone()),
        }
    }

    fn slots(&mut self, patterns: &[Pattern]) -> Vec<Slot> {
        let mut new = Vec::new();
        let slots = patterns.iter().map(|pattern| self.slot(pattern, &mut new)).collect();
        new.into_iter().for_each(|variable| self.bound[variable] = true);
        slots
    }

    fn bind(&mut self, variable: VariableId, value: Expression) {
        self.bound[variable] = true;
        self.steps.push(Step::Bind { variable, value });
    }

    fn take(&mut self, at: usize, literal: &Literal) {
        match literal {
            Literal::Match { relation, arguments } => {
                let slots = self.slots(arguments);
                self.steps.push(Step::Match { literal: at, relation: *relation, slots });
            }
            Literal::Absent { relation, arguments } => {
                let slots = self.slots(arguments);
                self.steps.push(Step::Absent { relation: *relation, slots });
            }
            Literal::Compare { op, left, right, kind } => match (left, right) {
                (Expression::Variable(variable), value) if !self.bound[*variable] => {
                    self.bind(*variable, value.clone())
                }
                (value, Expression::Variable(variable)) if !self.bound[*variable] => {
                    self.bind(*variable, value.clone())
                }
                _ => {
                    let (left, right) = (left.clone(), right.clone());
                    self.steps.push(Step::Compare { op: *op, left, right, kind: *kind });
                }
            },
            Literal::Test { test, negated, part, whole } => {
                let (part, whole) = (part.clone(), whole.clone());
                self.steps.push(Step::Test { test: *test, negated: *negated, part, whole });
            }
            Literal::Record { variable, record, fields } if !self.bound[*variable] => {
                let fields = fields
                    .iter()
                    .map(|field| match field {
                        Pattern::Variable(variable) => Expression::Variable(*variable),
                        Pattern::Value(value) => value.clone(),
                        Pattern::Any => unreachable!("a record with an open field is not built"),
                    })
                    .collect();
                self.bind(*variable, Expression::Record { record: *record, fields });
            }
            Literal::Record { variable, record, fields } => {
                let slots = self.slots(fields);
                self.steps.push(Step::Open { variable: *variable, record: *record, slots });
            }
            Literal::Aggregate { variable, kind, relation, arguments, column } => {
                let slots = self.slots(arguments);
                let bound = std::mem::replace(&mut self.bound[*variable], true);
                let (kind, relation, column) = (*kind, *relation, *column);
                self.steps.push(Step::Aggregate { variable: *variable, bound, kind, relation, slots, column });
            }
        }
    }
}
