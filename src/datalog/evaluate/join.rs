//! Runs a plan: a loop per operation, each over what the operations before it have bound.
use super::functor::{self, TextTests};
use super::id_set::IdSet;
use super::plan::*;
use super::table::Tables;
use super::value::{Domain, Word};
use crate::datalog::language::core::*;
use crate::datalog::language::resolve::MOST_COLUMNS;
use crate::datalog::limits::Guard;

/// What a run may change besides registers.
pub struct Machine<'a> {
    pub tables: &'a Tables,
    pub domain: &'a mut Domain,
    pub tests: &'a mut TextTests,
    pub registers: Vec<Word>,
    /// The output tuples, one after the other.
    pub found: &'a mut Vec<Word>,
    /// The first pattern that could not be used.
    pub error: &'a mut Option<String>,
    /// Counts derivations and keeps the limits.
    pub guard: &'a mut Guard,
}

impl Machine<'_> {
    /// Runs over everything; plans with an entry are run by [`Machine::enter_row`] or [`Machine::enter_set`].
    pub fn run(&mut self, plan: &Plan) {
        self.finish(plan);
    }

    /// Runs for a new row of the entry's relation.
    pub fn enter_row(&mut self, plan: &Plan, entry: &Entry, row: &[Word]) {
        if self.accept(&entry.known, &entry.columns, row) {
            self.finish(plan);
        }
    }

    /// Runs for new elements of a key of the entry's relation.
    pub fn enter_set(&mut self, plan: &Plan, entry: &Entry, key: &[Word], new: &IdSet) {
        if self.accept(&entry.known, &entry.columns, key) {
            self.go(&plan.before, &mut |machine| machine.enter_elements(plan, entry, new));
        }
    }

    /// Runs for all new elements of a key at once: where they would stand in the output stands `group`.
    pub fn enter_group(&mut self, plan: &Plan, entry: &Entry, key: &[Word], element: VariableId, group: Word) {
        if self.accept(&entry.known, &entry.columns, key) {
            self.registers[element] = group;
            self.go(&plan.before, &mut |machine| machine.emit(&plan.output));
        }
    }

    /// Runs up to the elements of a key: finds the number of the set, the parameters of the image and the output's key.
    pub fn enter_image(&mut self, plan: &Plan, entry: &Entry, key: &[Word], image: &Image, group: Word) {
        if !self.accept(&entry.known, &entry.columns, key) {
            return;
        }
        self.go(&plan.before, &mut |machine| {
            machine.found.push(group);
            for register in &image.parameters {
                machine.found.push(machine.registers[*register]);
            }
            let start = machine.found.len() - 1 - image.parameters.len();
            for operand in &plan.output[..plan.output.len() - 2] {
                match machine.value(operand) {
                    Some(word) => machine.found.push(word),
                    None => return machine.found.truncate(start),
                }
            }
        });
    }

    fn enter_elements(&mut self, plan: &Plan, entry: &Entry, new: &IdSet) {
        match &entry.element {
            None | Some(Element::Any) => self.finish(plan),
            Some(Element::Bind(register)) => new.for_each(|id| {
                self.registers[*register] = id;
                self.finish(plan);
            }),
            Some(Element::Contains(value)) => {
                if self.value(value).is_some_and(|id| new.contains(id)) {
                    self.finish(plan);
                }
            }
        }
    }

    fn finish(&mut self, plan: &Plan) {
        self.go(&plan.operations, &mut |machine| machine.emit(&plan.output));
    }

    fn accept(&mut self, known: &[(usize, Operand)], columns: &Columns, row: &[Word]) -> bool {
        known.iter().all(|(column, value)| self.value(value) == Some(row[*column])) && self.take(columns, row)
    }

    fn take(&mut self, columns: &Columns, row: &[Word]) -> bool {
        for (column, register) in &columns.binds {
            self.registers[*register] = row[*column];
        }
        columns.same.iter().all(|(column, register)| self.registers[*register] == row[*column])
    }

    pub fn go(&mut self, operations: &[Operation], end: &mut dyn FnMut(&mut Self)) {
        let Some((operation, rest)) = operations.split_first() else {
            end(self);
            return;
        };
        match operation {
            Operation::Rows { .. } | Operation::Sets { .. } => {
                self.search(operation, &mut |machine| {
                    machine.go(rest, end);
                    machine.guard.tick()
                });
            }
            Operation::Check { search, absent } => {
                let mut found = false;
                self.search(search, &mut |_| {
                    found = true;
                    false
                });
                if found != *absent {
                    self.go(rest, end);
                }
            }
            Operation::Bind { register, value } => {
                if let Some(word) = self.value(value) {
                    self.registers[*register] = word;
                    self.go(rest, end);
                }
            }
            Operation::Compare { op, left, right, kind } => {
                if self.compare(*op, left, right, *kind) {
                    self.go(rest, end);
                }
            }
            Operation::Test { test, negated, part, whole } => {
                if self.test(*test, part, whole) == Some(!negated) {
                    self.go(rest, end);
                }
            }
            Operation::Open { register, record, known, columns } => {
                let mut words = [0; MOST_COLUMNS];
                let fields = self.domain.fields(*record, self.registers[*register]);
                let count = fields.len();
                words[..count].copy_from_slice(fields);
                if self.accept(known, columns, &words[..count]) {
                    self.go(rest, end);
                }
            }
            Operation::Aggregate { register, bound, kind, search, relation, column, result } => {
                if let Some(word) = self.aggregate(*kind, search, *relation, *column, *result) {
                    if *bound && self.registers[*register] != word {
                        return;
                    }
                    self.registers[*register] = word;
                    self.go(rest, end);
                }
            }
        }
    }

    fn emit(&mut self, output: &[Operand]) {
        self.guard.derive();
        let start = self.found.len();
        for operand in output {
            match self.value(operand) {
                Some(word) => self.found.push(word),
                None => {
                    self.found.truncate(start);
                    return;
                }
            }
        }
    }

    /// Calls `each` with every match in the registers until it says no.
    fn search(&mut self, operation: &Operation, each: &mut dyn FnMut(&mut Self) -> bool) {
        match operation {
            Operation::Rows { relation, access, columns } => {
                self.rows(*relation, access, &mut |machine, row| {
                    let tables = machine.tables;
                    let row = tables.tables[*relation].rows.row(row);
                    if machine.take(columns, row) { each(machine) } else { machine.guard.tick() }
                });
            }
            Operation::Sets { relation, access, columns, element } => {
                self.rows(*relation, access, &mut |machine, row| {
                    let tables = machine.tables;
                    if !machine.take(columns, tables.tables[*relation].rows.row(row)) {
                        return true;
                    }
                    let set = tables.set(*relation, row);
                    match element {
                        Element::Any => set.is_empty() || each(machine),
                        Element::Contains(value) => {
                            !machine.value(value).is_some_and(|id| set.contains(id)) || each(machine)
                        }
                        Element::Bind(register) => set.iter().all(|id| {
                            machine.registers[*register] = id;
                            each(machine)
                        }),
                    }
                });
            }
            _ => unreachable!("only relations are searched"),
        }
    }

    /// Calls `each` with the number of every visible row that `access` finds until it says no.
    fn rows(&mut self, relation: RelationId, access: &Access, each: &mut dyn FnMut(&mut Self, u32) -> bool) {
        let tables = self.tables;
        let table = &tables.tables[relation];
        match access {
            Access::All => {
                for row in 0..table.visible {
                    if !each(self, row as u32) {
                        return;
                    }
                }
            }
            Access::Lookup(key) => {
                if let Some(row) = self.with_key(key, |key| table.rows.find(key)).flatten()
                    && (row as usize) < table.visible
                {
                    each(self, row);
                }
            }
            Access::Index { index, key } => {
                let Some(matching) = self.with_key(key, |key| table.rows.matching(*index, key)) else { return };
                for row in matching {
                    if (row as usize) < table.visible && !each(self, row) {
                        return;
                    }
                }
            }
        }
    }

    fn with_key<R>(&mut self, key: &[Operand], use_key: impl FnOnce(&[Word]) -> R) -> Option<R> {
        let mut words = [0; MOST_COLUMNS];
        for (word, operand) in words.iter_mut().zip(key) {
            *word = self.value(operand)?;
        }
        Some(use_key(&words[..key.len()]))
    }

    pub fn value(&mut self, operand: &Operand) -> Option<Word> {
        match operand {
            Operand::Register(register) => Some(self.registers[*register]),
            Operand::Constant(word) => Some(*word),
            Operand::Computed(expression) => self.evaluate(expression),
        }
    }

    fn evaluate(&mut self, expression: &Expression) -> Option<Word> {
        match expression {
            Expression::Variable(variable) => Some(self.registers[*variable]),
            Expression::Number(value, kind) => Some(number_word(*value, *kind, self.domain)),
            Expression::Symbol(text) => Some(self.domain.symbols.intern(text).0),
            Expression::Record { record, fields } => {
                let words: Option<Vec<Word>> = fields.iter().map(|field| self.evaluate(field)).collect();
                Some(self.domain.record(*record, &words?))
            }
            Expression::Apply { functor, operands, kind } => {
                let words: Option<Vec<Word>> = operands.iter().map(|operand| self.evaluate(operand)).collect();
                apply(self.domain, *functor, &words?, *kind)
            }
        }
    }

    fn compare(&mut self, op: Comparison, left: &Operand, right: &Operand, kind: Kind) -> bool {
        let (Some(l), Some(r)) = (self.value(left), self.value(right)) else { return false };
        compare(self.domain, op, kind, l, r)
    }

    fn test(&mut self, test: TextTest, part: &Operand, whole: &Operand) -> Option<bool> {
        let (part, whole) = (self.value(part)?, self.value(whole)?);
        let part = self.domain.symbols.resolve(crate::facts::Sym(part));
        let whole = self.domain.symbols.resolve(crate::facts::Sym(whole));
        match self.tests.holds(test, &part, &whole) {
            Ok(holds) => Some(holds),
            Err(reason) => {
                self.error.get_or_insert(reason);
                None
            }
        }
    }

    /// Folds the value column over the matching rows of an aggregate's relation, which are distinct bindings.
    fn aggregate(
        &mut self,
        kind: AggregateKind,
        search: &Operation,
        relation: RelationId,
        column: Option<usize>,
        result: Kind,
    ) -> Option<Word> {
        let Operation::Rows { access, columns, .. } = search else { unreachable!("aggregates run over rows") };
        let mut count = 0;
        let mut numbers: Vec<i64> = Vec::new();
        self.rows(relation, access, &mut |machine, row| {
            let tables = machine.tables;
            let row = tables.tables[relation].rows.row(row);
            if machine.take(columns, row) {
                count += 1;
                if let Some(column) = column {
                    let word = row[column];
                    numbers.push(if result == Kind::Unsigned {
                        i64::from(word)
                    } else {
                        machine.domain.number_of(word)
                    });
                }
            }
            true
        });
        let value = functor::fold(kind, count, numbers)?;
        Some(number_word(value, result, self.domain))
    }
}

/// The result of a functor on words, if it has one; `kind` is that of its operands.
pub fn apply(domain: &mut Domain, functor: Functor, words: &[Word], kind: Kind) -> Option<Word> {
    let symbols = &domain.symbols;
    let text = |at: usize| symbols.resolve(crate::facts::Sym(words[at]));
    match functor {
        Functor::Cat => {
            let joined: String = (0..words.len()).map(|at| text(at).to_string()).collect();
            Some(symbols.intern(&joined).0)
        }
        Functor::Strlen => {
            let length = functor::strlen(&text(0));
            Some(domain.number(length))
        }
        Functor::Substr => {
            let (from, length) = (domain.number_of(words[1]), domain.number_of(words[2]));
            Some(symbols.intern(&functor::substr(&text(0), from, length)).0)
        }
        Functor::ToString => {
            let shown = match kind {
                Kind::Unsigned => words[0].to_string(),
                _ => domain.number_of(words[0]).to_string(),
            };
            Some(symbols.intern(&shown).0)
        }
        Functor::ToNumber => {
            let number = functor::to_number(&text(0))?;
            Some(domain.number(number))
        }
        Functor::Ord => Some(domain.number(i64::from(words[0]))),
        _ if kind == Kind::Unsigned => functor::on_unsigned(functor, words[0], words.get(1).copied().unwrap_or(0)),
        _ => {
            let left = domain.number_of(words[0]);
            let right = words.get(1).map_or(0, |word| domain.number_of(*word));
            let result = functor::on_numbers(functor, left, right)?;
            Some(domain.number(result))
        }
    }
}

/// Does the comparison hold between words of a kind?
pub fn compare(domain: &Domain, op: Comparison, kind: Kind, left: Word, right: Word) -> bool {
    match op {
        Comparison::Equal => left == right,
        Comparison::NotEqual => left != right,
        _ if kind == Kind::Number => op.holds(domain.number_of(left).cmp(&domain.number_of(right))),
        _ => op.holds(left.cmp(&right)),
    }
}
