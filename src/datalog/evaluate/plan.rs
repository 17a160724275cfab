//! Rules as flat lists of operations on registers, with every lookup's index chosen.
use super::table::Tables;
use super::value::{Domain, Word};
use crate::datalog::language::core::*;
use crate::datalog::language::schedule::{Slot, Step, schedule};

/// Where a value comes from.
#[derive(Clone, Debug)]
pub enum Operand {
    Register(VariableId),
    Constant(Word),
    Computed(Expression),
}

/// How rows (of a row relation, or keys of a set relation) are found.
#[derive(Clone, Debug)]
pub enum Access {
    /// All columns are known.
    Lookup(Vec<Operand>),
    /// Those of an index.
    Index {
        index: usize,
        key: Vec<Operand>,
    },
    All,
}

/// What happens to the columns of a found row.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// Column to register.
    pub binds: Vec<(usize, VariableId)>,
    /// Column that must equal a register bound by an earlier column.
    pub same: Vec<(usize, VariableId)>,
}

/// What happens to the element of a set relation.
#[derive(Clone, Debug)]
pub enum Element {
    /// The set must not be empty.
    Any,
    Bind(VariableId),
    Contains(Operand),
}

#[derive(Clone, Debug)]
pub enum Operation {
    Rows {
        relation: RelationId,
        access: Access,
        columns: Columns,
    },
    Sets {
        relation: RelationId,
        access: Access,
        columns: Columns,
        element: Element,
    },
    /// Goes on if the rest, which ends before `end`, finds nothing.
    Absent {
        search: Box<Operation>,
    },
    Bind {
        register: VariableId,
        value: Operand,
    },
    Compare {
        op: Comparison,
        left: Operand,
        right: Operand,
        kind: Kind,
    },
    Test {
        test: TextTest,
        negated: bool,
        part: Operand,
        whole: Operand,
    },
    Open {
        register: VariableId,
        record: usize,
        known: Vec<(usize, Operand)>,
        columns: Columns,
    },
    Aggregate {
        register: VariableId,
        bound: bool,
        kind: AggregateKind,
        search: Box<Operation>,
        relation: RelationId,
        column: Option<usize>,
        result: Kind,
    },
}

/// The first atom of a plan that runs over differences: how a new row or element enters the registers.
#[derive(Clone, Debug)]
pub struct Entry {
    pub relation: RelationId,
    /// Columns with a value known before: constants.
    pub known: Vec<(usize, Operand)>,
    pub columns: Columns,
    /// Of set relations: the last column; `Any` when only keys matter.
    pub element: Option<Element>,
}

/// A rule ready to run: operations, then the values that come out.
#[derive(Clone, Debug)]
pub struct Plan {
    pub entry: Option<Entry>,
    pub operations: Vec<Operation>,
    pub output: Vec<Operand>,
    pub registers: usize,
}

/// What a plan is made from.
pub struct Request<'a> {
    pub rule: &'a Rule,
    /// The literal that runs over differences.
    pub first: Option<usize>,
    /// A set literal whose element is passed on and not looked at; its key is found among `output`.
    pub passed: Option<usize>,
    pub output: Vec<Expression>,
}

/// Makes a plan and the indexes it needs.
pub fn plan(request: &Request<'_>, program: &Program, tables: &mut Tables, domain: &mut Domain) -> Plan {
    let mut planner = Planner { program, tables, domain };
    let rule = request.rule;
    let mut steps = schedule(rule, request.first, request.passed, request.first.is_some()).into_iter();
    let mut entry = None;
    if let Some(first) = request.first {
        // Constants in records may be built before the first atom.
        let mut before = Vec::new();
        for step in steps.by_ref() {
            match step {
                Step::Match { literal, relation, slots } if literal == first => {
                    entry = Some(planner.entry(relation, &slots));
                    break;
                }
                other => before.push(other),
            }
        }
        debug_assert!(before.is_empty(), "the first atom is scheduled first");
    }
    let operations = steps.map(|step| planner.operation(step, rule)).collect();
    let output = request.output.iter().map(|value| planner.operand(value)).collect();
    Plan { entry, operations, output, registers: rule.variables.len() }
}

struct Planner<'a> {
    program: &'a Program,
    tables: &'a mut Tables,
    domain: &'a mut Domain,
}

impl Planner<'_> {
    fn operand(&mut self, expression: &Expression) -> Operand {
        match expression {
            Expression::Variable(variable) => Operand::Register(*variable),
            Expression::Number(value, kind) => Operand::Constant(number_word(*value, *kind, self.domain)),
            Expression::Symbol(text) => Operand::Constant(self.domain.symbols.intern(text).0),
            Expression::Apply { .. } | Expression::Record { .. } => Operand::Computed(expression.clone()),
        }
    }

    /// Splits slots into known values and what happens to the others.
    fn split(&mut self, slots: &[Slot]) -> (Vec<(usize, Operand)>, Columns) {
        let (mut known, mut columns) = (Vec::new(), Columns::default());
        for (column, slot) in slots.iter().enumerate() {
            match slot {
                Slot::Any => {}
                Slot::Bind(variable) => columns.binds.push((column, *variable)),
                Slot::Same(variable) => columns.same.push((column, *variable)),
                Slot::Equal(value) => known.push((column, self.operand(value))),
            }
        }
        (known, columns)
    }

    fn element(&mut self, slot: &Slot) -> Element {
        match slot {
            Slot::Any => Element::Any,
            Slot::Bind(variable) => Element::Bind(*variable),
            Slot::Same(variable) => Element::Contains(Operand::Register(*variable)),
            Slot::Equal(value) => Element::Contains(self.operand(value)),
        }
    }

    fn entry(&mut self, relation: RelationId, slots: &[Slot]) -> Entry {
        let set = self.program.relations[relation].storage == Storage::Set;
        let keys = if set { &slots[..slots.len() - 1] } else { slots };
        let (known, columns) = self.split(keys);
        let element = set.then(|| self.element(&slots[slots.len() - 1]));
        Entry { relation, known, columns, element }
    }

    fn access(&mut self, relation: RelationId, slots: &[Slot]) -> (Access, Columns) {
        let (known, columns) = self.split(slots);
        let access = if known.len() == slots.len() {
            Access::Lookup(known.into_iter().map(|(_, value)| value).collect())
        } else if known.is_empty() {
            Access::All
        } else {
            let indexed: Vec<usize> = known.iter().map(|(column, _)| *column).collect();
            let index = self.tables.rows_mut(relation).ensure_index(&indexed);
            Access::Index { index, key: known.into_iter().map(|(_, value)| value).collect() }
        };
        (access, columns)
    }

    fn search(&mut self, relation: RelationId, slots: &[Slot]) -> Operation {
        if self.program.relations[relation].storage == Storage::Rows {
            let (access, columns) = self.access(relation, slots);
            return Operation::Rows { relation, access, columns };
        }
        let (last, keys) = slots.split_last().expect("a set relation has columns");
        let (access, columns) = self.access(relation, keys);
        let element = self.element(last);
        Operation::Sets { relation, access, columns, element }
    }

    fn operation(&mut self, step: Step, rule: &Rule) -> Operation {
        match step {
            Step::Match { relation, slots, .. } => self.search(relation, &slots),
            Step::Absent { relation, slots } => Operation::Absent { search: Box::new(self.search(relation, &slots)) },
            Step::Bind { variable, value } => Operation::Bind { register: variable, value: self.operand(&value) },
            Step::Compare { op, left, right, kind } => {
                Operation::Compare { op, left: self.operand(&left), right: self.operand(&right), kind }
            }
            Step::Test { test, negated, part, whole } => {
                Operation::Test { test, negated, part: self.operand(&part), whole: self.operand(&whole) }
            }
            Step::Open { variable, record, slots } => {
                let (known, columns) = self.split(&slots);
                Operation::Open { register: variable, record, known, columns }
            }
            Step::Aggregate { variable, bound, kind, relation, slots, column } => Operation::Aggregate {
                register: variable,
                bound,
                kind,
                search: Box::new(self.search(relation, &slots)),
                relation,
                column,
                result: rule.variables[variable].kind,
            },
        }
    }
}

/// The word of a numeric constant.
pub fn number_word(value: i64, kind: Kind, domain: &mut Domain) -> Word {
    match kind {
        Kind::Unsigned => value as u32,
        _ => domain.number(value),
    }
}
