//! A program as an `ascent_run!` over words for every stratum, with what fills and empties it: the compiler takes far
//! longer over one function of many rules than over many of few. Variable `n` of a rule is `v<n>`.
use super::language::core::*;
use super::language::schedule::{Slot, Step, schedule};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The function `compiled` of a program's module, and the module `strata` that it calls; only with the feature `ascent-rules` unless it is
/// `always` wanted.
pub fn generate(program: &Program, always: bool) -> String {
    let condition = if always { "" } else { "    #[cfg(feature = \"ascent-rules\")]\n" };
    let mut calls = String::new();
    let mut functions = String::new();
    for (at, relations) in program.strata.iter().enumerate() {
        let rules: Vec<&Rule> = program.rules.iter().filter(|rule| relations.contains(&rule.head)).collect();
        if !rules.is_empty() {
            let _ = writeln!(calls, "        kit.complete({}, strata::stratum{at})?;", relations[0]);
            functions += &stratum(program, at, &rules);
        }
    }
    format!(
        "    /// Runs the program on `ascent`.
{condition}    pub fn compiled(facts: &dyn Input, limits: &Limits) -> Result<Database, RunError> {{
        let mut kit = super::super::compiled::Kit::new(program(), facts, limits)?;
{calls}        Ok(kit.finish())
    }}

{condition}    #[allow(clippy::all, unused_variables, unused_mut, unused_imports, reason = \"generated from rules\")]
    mod strata {{
        use super::super::super::compiled::{{Kit, collect}};
        use super::super::super::evaluate::IdSet;
        use super::super::super::language::core::*;
{functions}    }}
"
    )
}

/// The function that derives the relations of a stratum: `rules` are all that derive them.
fn stratum(program: &Program, number: usize, rules: &[&Rule]) -> String {
    let mut rows_of_sets = BTreeSet::new();
    let mut text = String::new();
    for rule in rules {
        text += &Generator { program, rule, parts: Vec::new(), fresh: 0, rows_of_sets: &mut rows_of_sets }.rule();
    }
    let derived: BTreeSet<RelationId> = rules.iter().map(|rule| rule.head).collect();
    let used: BTreeSet<RelationId> = rules
        .iter()
        .flat_map(|rule| rule.body.iter().filter_map(Literal::relation))
        .chain(derived.iter().copied())
        .collect();
    let mut out = format!(
        "
        pub fn stratum{number}(kit: &mut Kit) {{
            let done = {{
                let kit = &*kit;
                ascent::ascent_run! {{
"
    );
    for at in used {
        out += &declaration(program, at);
        if rows_of_sets.contains(&at) {
            out += &rows_of_set(program, at);
        }
    }
    out += &text;
    out += "                }\n            };\n";
    for at in derived {
        out += &taking(program, at);
    }
    out + "        }\n"
}

/// A relation with its rows so far.
fn declaration(program: &Program, at: RelationId) -> String {
    let relation = &program.relations[at];
    let arity = relation.kinds.len();
    if relation.storage == Storage::Rows {
        let words = vec!["u32"; arity.max(1)].join(", ");
        let row: Vec<String> =
            (0..arity.max(1)).map(|at| if at < arity { format!("r[{at}]") } else { "0".into() }).collect();
        format!("                    relation r{at}({words}) = kit.rows({at}, |r| ({},));\n", row.join(", "))
    } else {
        let keys = "u32, ".repeat(arity - 1);
        let row: String = (0..arity - 1).map(|at| format!("r[{at}], ")).collect();
        format!("                    lattice r{at}({keys}IdSet) = kit.sets({at}, |r, s| ({row}s));\n")
    }
}

/// The relation `rows<n>` of a set relation's rows.
fn rows_of_set(program: &Program, at: RelationId) -> String {
    let arity = program.relations[at].kinds.len();
    let words = vec!["u32"; arity].join(", ");
    let keys: Vec<String> = (0..arity - 1).map(|at| format!("k{at}")).collect();
    let keys = keys.join(", ");
    let head: String = (0..arity - 1).map(|at| format!("*k{at}, ")).collect();
    format!(
        "                    relation rows{at}({words});
                    rows{at}({head}e) <-- r{at}({keys}, s), for e in s.iter();\n"
    )
}

/// Takes a derived relation out of the finished run.
fn taking(program: &Program, at: RelationId) -> String {
    let relation = &program.relations[at];
    let arity = relation.kinds.len();
    if relation.storage == Storage::Rows {
        let row: Vec<String> = (0..arity.max(1)).map(|at| format!("r.{at}")).collect();
        format!("            kit.take_rows({at}, done.r{at}.into_iter().map(|r| [{}]));\n", row.join(", "))
    } else {
        let row: Vec<String> = (0..arity - 1).map(|at| format!("r.{at}")).collect();
        format!(
            "            kit.take_sets({at}, done.r{at}.into_iter().map(|r| ([{}], r.{})));\n",
            row.join(", "),
            arity - 1
        )
    }
}

struct Generator<'a> {
    program: &'a Program,
    rule: &'a Rule,
    parts: Vec<String>,
    fresh: usize,
    /// Set relations that are needed as rows.
    rows_of_sets: &'a mut BTreeSet<RelationId>,
}

impl Generator<'_> {
    fn rule(mut self) -> String {
        let passed = self.rule.passes_set_of(self.program);
        let mut passed_set = None;
        for step in schedule(self.rule, None, None, false) {
            let set = self.step(step, passed);
            passed_set = passed_set.or(set);
        }
        self.parts.push("if kit.go_on()".to_owned());
        let relation = &self.program.relations[self.rule.head];
        let mut arguments = Vec::new();
        for (at, argument) in self.rule.arguments.iter().enumerate() {
            let last_of_set = relation.storage == Storage::Set && at + 1 == relation.kinds.len();
            if let (true, Some(set)) = (last_of_set, &passed_set) {
                arguments.push(format!("{set}.clone()"));
                continue;
            }
            let name = self.value(argument);
            arguments.push(if last_of_set { format!("IdSet::one({name})") } else { name });
        }
        if arguments.is_empty() {
            arguments.push("0".to_owned());
        }
        format!(
            "                r{}({}) <--\n                    {};\n",
            self.rule.head,
            arguments.join(", "),
            self.parts.join(",\n                    ")
        )
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// A variable that holds the value; the rule goes on only if there is one.
    fn value(&mut self, expression: &Expression) -> String {
        if let Expression::Variable(variable) = expression {
            return format!("v{variable}");
        }
        let name = self.fresh("x");
        let value = option(expression);
        self.parts.push(format!("if let Some({name}) = {value}"));
        name
    }

    /// Does one step; the name of the set if it is the one the rule passes on.
    fn step(&mut self, step: Step, passed: Option<usize>) -> Option<String> {
        match step {
            Step::Match { literal, relation, slots } => return self.search(relation, &slots, passed == Some(literal)),
            Step::Absent { relation, slots } => {
                let set = self.program.relations[relation].storage == Storage::Set;
                let arguments = self.known(&slots);
                if set {
                    self.rows_of_sets.insert(relation);
                }
                self.parts.push(format!("!{}{relation}({arguments})", if set { "rows" } else { "r" }));
            }
            Step::Bind { variable, value } => {
                let value = option(&value);
                self.parts.push(format!("if let Some(v{variable}) = {value}"));
            }
            Step::Compare { op, left, right, kind } => {
                let (left, right) = (self.value(&left), self.value(&right));
                self.parts.push(format!("if kit.compare(Comparison::{op:?}, Kind::{kind:?}, {left}, {right})"));
            }
            Step::Test { test, negated, part, whole } => {
                let (part, whole) = (self.value(&part), self.value(&whole));
                self.parts.push(format!("if kit.test(TextTest::{test:?}, {part}, {whole}) == Some({})", !negated));
            }
            Step::Open { variable, record, slots } => {
                let fields = self.fresh("f");
                self.parts.push(format!("let {fields} = kit.fields({record}, v{variable})"));
                for (at, slot) in slots.iter().enumerate() {
                    self.column(slot, &format!("{fields}[{at}]"));
                }
            }
            Step::Aggregate { variable, bound, kind, relation, slots, column } => {
                let arguments = self.known(&slots);
                let list = self.fresh("a");
                if let Some(column) = column {
                    let value = self.fresh("b");
                    let mut arguments: Vec<String> = arguments.split(", ").map(str::to_owned).collect();
                    arguments[column] = value.clone();
                    self.parts.push(format!("agg {list} = collect({value}) in r{relation}({})", arguments.join(", ")));
                } else {
                    let count = self.fresh("n");
                    self.parts.push(format!("agg {count} = ascent::aggregators::count() in r{relation}({arguments})"));
                    self.parts.push(format!("let {list} = vec![0u32; {count}]"));
                }
                let result = self.rule.variables[variable].kind;
                let target = if bound { self.fresh("c") } else { format!("v{variable}") };
                self.parts.push(format!(
                    "if let Some({target}) = kit.fold(AggregateKind::{kind:?}, Kind::{result:?}, &{list})"
                ));
                if bound {
                    self.parts.push(format!("if {target} == v{variable}"));
                }
            }
        }
        None
    }

    /// Arguments of which each is known or anything.
    fn known(&mut self, slots: &[Slot]) -> String {
        let arguments: Vec<String> = slots
            .iter()
            .map(|slot| match slot {
                Slot::Equal(value) => self.value(value),
                Slot::Any => "_".to_owned(),
                Slot::Bind(_) | Slot::Same(_) => unreachable!("negation and aggregates bind nothing"),
            })
            .collect();
        if arguments.is_empty() { "_".to_owned() } else { arguments.join(", ") }
    }

    fn search(&mut self, relation: RelationId, slots: &[Slot], passed: bool) -> Option<String> {
        let set = self.program.relations[relation].storage == Storage::Set;
        let columns = if set { &slots[..slots.len() - 1] } else { slots };
        let mut arguments = Vec::new();
        let mut later = Vec::new();
        for slot in columns {
            match slot {
                Slot::Any => arguments.push("_".to_owned()),
                Slot::Equal(value) => arguments.push(self.value(value)),
                Slot::Bind(_) | Slot::Same(_) => {
                    let name = self.fresh("w");
                    later.push((slot.clone(), format!("*{name}")));
                    arguments.push(name);
                }
            }
        }
        if arguments.is_empty() && !set {
            arguments.push("_".to_owned());
        }
        let name = self.fresh("s");
        if set {
            arguments.push(name.clone());
        }
        self.parts.push(format!("r{relation}({})", arguments.join(", ")));
        for (slot, value) in later {
            self.column(&slot, &value);
        }
        if !set {
            return None;
        }
        if passed {
            return Some(name);
        }
        match &slots[slots.len() - 1] {
            Slot::Any => self.parts.push(format!("if !{name}.is_empty()")),
            Slot::Bind(variable) => self.parts.push(format!("for v{variable} in {name}.iter()")),
            Slot::Same(variable) => self.parts.push(format!("if {name}.contains(v{variable})")),
            Slot::Equal(value) => {
                let value = self.value(value);
                self.parts.push(format!("if {name}.contains({value})"));
            }
        }
        None
    }

    /// Binds or compares what `value` reads.
    fn column(&mut self, slot: &Slot, value: &str) {
        match slot {
            Slot::Any => {}
            Slot::Bind(variable) => self.parts.push(format!("let v{variable} = {value}")),
            Slot::Same(variable) => self.parts.push(format!("if {value} == v{variable}")),
            Slot::Equal(known) => {
                let known = self.value(known);
                self.parts.push(format!("if {value} == {known}"));
            }
        }
    }
}

/// An expression of type `Option<u32>`.
fn option(expression: &Expression) -> String {
    let all = |terms: &[Expression]| -> String { terms.iter().map(|term| format!("{}?, ", option(term))).collect() };
    match expression {
        Expression::Variable(variable) => format!("Some(v{variable})"),
        Expression::Number(value, Kind::Unsigned) => format!("Some({}u32)", *value as u32),
        Expression::Number(value, _) => format!("Some(kit.number({value}i64))"),
        Expression::Symbol(text) => format!("Some(kit.symbol({text:?}))"),
        Expression::Record { record, fields } => {
            format!("(|| -> Option<u32> {{ Some(kit.record({record}, &[{}])) }})()", all(fields))
        }
        Expression::Apply { functor, operands, kind } => {
            format!("(|| -> Option<u32> {{ kit.apply(Functor::{functor:?}, Kind::{kind:?}, &[{}]) }})()", all(operands))
        }
    }
}
