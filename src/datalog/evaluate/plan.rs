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
    /// Goes on if the search finds nothing, or (not `absent`) something.
    Check {
        search: Box<Operation>,
        absent: bool,
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
    /// What runs between the entry's key and its elements, once for all of them.
    pub before: Vec<Operation>,
    pub operations: Vec<Operation>,
    pub output: Vec<Operand>,
    pub registers: usize,
    /// The elements of the entry only flow into this one word of the output, so they need not be enumerated.
    pub bulk: Option<usize>,
    /// The elements of the entry only decide which elements come out, whatever the keys: once a set serves many keys.
    pub image: Option<Image>,
}

/// How a set of elements becomes another: each element by itself, given the parameters.
#[derive(Clone, Debug)]
pub struct Image {
    /// Of the evaluator's images.
    pub number: usize,
    pub registers: usize,
    /// The element that goes in.
    pub element: VariableId,
    /// Registers bound before the elements are looked at, and used to look at them.
    pub parameters: Vec<VariableId>,
    /// What is done with an element.
    pub operations: Vec<Operation>,
    /// The element that comes out.
    pub output: Operand,
    /// Nothing that is done depends on relations which still grow, so that it stays done.
    pub lasting: bool,
}

/// What a plan is made from.
pub struct Request<'a> {
    pub rule: &'a Rule,
    /// The literal that runs over differences.
    pub first: Option<usize>,
    /// A set literal whose element is passed on and not looked at; its key is found among `output`.
    pub passed: Option<usize>,
    pub output: Vec<Expression>,
    /// Whether the output is a tuple of the rule's head, and no pair of keys.
    pub inserts: bool,
    /// The relations that grow while the rule runs.
    pub growing: &'a [RelationId],
}

/// Makes a plan and the indexes it needs.
pub fn plan(request: &Request<'_>, program: &Program, tables: &mut Tables, domain: &mut Domain) -> Plan {
    let mut planner = Planner { program, tables, domain };
    let rule = request.rule;
    let mut steps = schedule(rule, request.first, request.passed, request.first.is_some());
    let mut plan = Plan {
        entry: None,
        before: Vec::new(),
        operations: Vec::new(),
        output: request.output.iter().map(|value| planner.operand(value)).collect(),
        registers: rule.variables.len(),
        bulk: None,
        image: None,
    };
    if request.first.is_some() {
        let Step::Match { relation, slots, .. } = steps.remove(0) else { unreachable!("the first atom comes first") };
        let entry = planner.entry(relation, &slots);
        if let Some(Element::Bind(element)) = &entry.element {
            let parts = Parts::of(steps, *element);
            if planner.program.relations[rule.head].storage == Storage::Set && request.inserts {
                plan.image = planner.image(request, &parts, &plan.output, *element);
            }
            if plan.image.is_some() {
                let before = parts.needed.into_iter().chain(parts.others);
                plan.before.extend(before.map(|step| planner.operation(step, rule)));
                plan.entry = Some(entry);
                return plan;
            }
            for step in parts.needed {
                plan.before.push(planner.operation(step, rule));
            }
            if let Some(Step::Match { relation, slots, .. }) = parts.others.first() {
                let search = Box::new(planner.search(*relation, slots));
                plan.before.push(Operation::Check { search, absent: false });
            }
            let places: Vec<usize> = (0..plan.output.len()).filter(|at| plan.output[*at].uses(*element)).collect();
            let alone = parts.dependent.is_empty() && parts.others.is_empty();
            plan.bulk = match places[..] {
                [at] if alone && matches!(plan.output[at], Operand::Register(_)) => Some(at),
                _ => None,
            };
            steps = parts.dependent;
            steps.extend(parts.others);
        }
        plan.entry = Some(entry);
    }
    plan.operations.extend(steps.into_iter().map(|step| planner.operation(step, rule)));
    plan
}

/// Steps by what they have to do with the elements of the entry.
struct Parts {
    /// Independent of the element, and used by what depends on it: best done before enumerating elements.
    needed: Vec<Step>,
    dependent: Vec<Step>,
    /// Independent, and used by the output alone: done last, once it is clear that they find something.
    others: Vec<Step>,
}

impl Parts {
    fn of(steps: Vec<Step>, element: VariableId) -> Parts {
        let mut tainted = vec![element];
        let (mut dependent, mut independent) = (Vec::new(), Vec::new());
        for step in steps {
            let (uses, binds) = step.variables();
            if uses.iter().any(|variable| tainted.contains(variable)) {
                tainted.extend(binds);
                dependent.push(step);
            } else {
                independent.push(step);
            }
        }
        if dependent.is_empty() {
            return Parts { needed: independent, dependent, others: Vec::new() };
        }
        let mut wanted: Vec<VariableId> = dependent.iter().flat_map(|step| step.variables().0).collect();
        let (mut needed, mut others) = (Vec::new(), Vec::new());
        for step in independent.into_iter().rev() {
            let (uses, binds) = step.variables();
            // What binds nothing is a test: the sooner the better, as far as its own variables allow.
            if binds.iter().any(|variable| wanted.contains(variable)) {
                wanted.extend(uses);
                needed.push(step);
            } else {
                others.push(step);
            }
        }
        needed.reverse();
        others.reverse();
        Parts { needed, dependent, others }
    }

    /// The element, and what is bound by looking at it.
    fn bound_by_elements(&self, element: VariableId) -> Vec<VariableId> {
        let mut own = vec![element];
        self.dependent.iter().for_each(|step| own.extend(step.variables().1));
        own
    }
}

impl Operand {
    fn variables(&self, visit: &mut dyn FnMut(VariableId)) {
        match self {
            Operand::Register(register) => visit(*register),
            Operand::Constant(_) => {}
            Operand::Computed(expression) => expression.variables(&mut |variable| visit(variable)),
        }
    }

    fn uses(&self, variable: VariableId) -> bool {
        let mut found = false;
        self.variables(&mut |other| found |= other == variable);
        found
    }
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

    /// How elements become others, if the keys of the output do not depend on them.
    fn image(
        &mut self,
        request: &Request<'_>,
        parts: &Parts,
        output: &[Operand],
        element: VariableId,
    ) -> Option<Image> {
        let own = parts.bound_by_elements(element);
        // The last word only makes tuples countable.
        let (result, keys) = output[..output.len() - 1].split_last()?;
        let depends = |operand: &Operand| own.iter().any(|variable| operand.uses(*variable));
        if parts.dependent.is_empty() || !depends(result) || keys.iter().any(depends) {
            return None;
        }
        let mut parameters: Vec<VariableId> = parts.dependent.iter().flat_map(|step| step.variables().0).collect();
        result.variables(&mut |variable| parameters.push(variable));
        parameters.retain(|variable| !own.contains(variable));
        parameters.sort_unstable();
        parameters.dedup();
        let lasting =
            !parts.dependent.iter().any(|step| step.relation().is_some_and(|at| request.growing.contains(&at)));
        let operations = parts.dependent.iter().map(|step| self.operation(step.clone(), request.rule)).collect();
        Some(Image {
            number: 0,
            registers: request.rule.variables.len(),
            element,
            parameters,
            operations,
            output: result.clone(),
            lasting,
        })
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
            Step::Absent { relation, slots } => {
                Operation::Check { search: Box::new(self.search(relation, &slots)), absent: true }
            }
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
