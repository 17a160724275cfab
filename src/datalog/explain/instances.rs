//! Rules turned round. For every relation there is one of goals, which holds tuples to be explained, and for every rule one
//! of its instances: all its variables, where the head is a goal and the body holds.
use crate::datalog::language::core::*;
use std::collections::BTreeMap;

/// The program of rules turned round, which begins with the program itself.
pub struct Turned {
    pub program: Program,
    /// By relation of the program that has rules: that of its goals.
    pub goals: BTreeMap<RelationId, RelationId>,
    /// By rule of the program: the relation of its instances, a column a variable, then the columns of the goal; None for
    /// rules that nobody asks for.
    pub instances: Vec<Option<RelationId>>,
    /// The rules with all columns of their positive atoms named, to read instances by.
    pub rules: Vec<Rule>,
}

/// Turns the rules for the relations that `wanted` (by relation) says are wanted. `size` tells how many tuples a
/// relation has.
pub fn turn(program: &Program, wanted: &[bool], size: &dyn Fn(RelationId) -> usize) -> Turned {
    let mut turned = Turned {
        program: program.clone(),
        goals: BTreeMap::new(),
        instances: vec![None; program.rules.len()],
        rules: Vec::new(),
    };
    for (at, rule) in program.rules.iter().enumerate() {
        turned.rules.push(named(rule, program));
        if wanted[rule.head] {
            turned.rule(at, size);
        }
    }
    turned
}

/// The rule with a variable for every `_` of its positive atoms.
fn named(rule: &Rule, program: &Program) -> Rule {
    let mut rule = rule.clone();
    let Rule { body, variables, .. } = &mut rule;
    for literal in body {
        if let Literal::Match { relation, arguments } = literal {
            for (argument, kind) in arguments.iter_mut().zip(&program.relations[*relation].kinds) {
                if *argument == Pattern::Any {
                    variables.push(Variable { name: format!("any_{}", variables.len()), kind: *kind });
                    *argument = Pattern::Variable(variables.len() - 1);
                }
            }
        }
    }
    rule
}

impl Turned {
    fn relation(&mut self, name: String, kinds: Vec<Kind>) -> RelationId {
        self.program.relations.push(Relation { name, kinds, storage: Storage::Rows, input: false, output: false });
        self.program.strata.push(vec![self.program.relations.len() - 1]);
        self.program.relations.len() - 1
    }

    fn rule(&mut self, at: usize, size: &dyn Fn(RelationId) -> usize) {
        let mut rule = self.rules[at].clone();
        let head = rule.head;
        let kinds = self.program.relations[head].kinds.clone();
        let goal = match self.goals.get(&head) {
            Some(goal) => *goal,
            None => {
                // No written name has a blank in it.
                let goal = self.relation(format!("goal {head}"), kinds.clone());
                self.goals.insert(head, goal);
                goal
            }
        };
        // The goal's columns are variables of their own, so that instances tell which goal they derive.
        let columns = self.rules[at].variables.len();
        let mut opened = Vec::new();
        let mut asked = Vec::new();
        for (argument, kind) in rule.arguments.clone().iter().zip(&kinds) {
            rule.variables.push(Variable { name: format!("goal_{}", rule.variables.len()), kind: *kind });
            asked.push(rule.variables.len() - 1);
            let variable = rule.variables.len() - 1;
            equate(variable, argument, &self.program.records, &mut rule.variables, &mut opened);
        }
        let arguments = asked.iter().map(|variable| Pattern::Variable(*variable)).collect();
        let mut body = vec![Literal::Match { relation: goal, arguments }];
        body.append(&mut opened);
        body.append(&mut rule.body);
        rule.body = ordered(body, rule.variables.len(), size);
        let told: Vec<VariableId> = (0..columns).chain(asked).collect();
        let kinds = told.iter().map(|variable| rule.variables[*variable].kind).collect();
        rule.arguments = told.into_iter().map(Expression::Variable).collect();
        rule.head = self.relation(format!("instances {at}"), kinds);
        self.instances[at] = Some(rule.head);
        self.program.rules.push(rule);
    }
}

/// What a head's argument asks of the goal's column `variable`: records are opened, results compared.
fn equate(
    variable: VariableId,
    argument: &Expression,
    records: &[Record],
    variables: &mut Vec<Variable>,
    opened: &mut Vec<Literal>,
) {
    let kind = variables[variable].kind;
    let Expression::Record { record, fields } = argument else {
        let left = Expression::Variable(variable);
        return opened.push(Literal::Compare { op: Comparison::Equal, left, right: argument.clone(), kind });
    };
    let (mut patterns, mut computed) = (Vec::new(), Vec::new());
    for (field, kind) in fields.iter().zip(&records[*record].fields) {
        patterns.push(match field {
            Expression::Variable(variable) => Pattern::Variable(*variable),
            Expression::Number(..) | Expression::Symbol(_) => Pattern::Value(field.clone()),
            Expression::Apply { .. } | Expression::Record { .. } => {
                variables.push(Variable { name: format!("goal_{}", variables.len()), kind: *kind });
                computed.push((variables.len() - 1, field));
                Pattern::Variable(variables.len() - 1)
            }
        });
    }
    opened.push(Literal::Record { variable, record: *record, fields: patterns });
    computed.into_iter().for_each(|(variable, field)| equate(variable, field, records, variables, opened));
}

/// The body with its positive atoms in an order that looks at few tuples: each next one has many columns known, and few
/// tuples. The goal stays first.
fn ordered(body: Vec<Literal>, variables: usize, size: &dyn Fn(RelationId) -> usize) -> Vec<Literal> {
    let mut bound = vec![false; variables];
    let (mut atoms, others): (Vec<Literal>, Vec<Literal>) =
        body.into_iter().partition(|literal| matches!(literal, Literal::Match { .. }));
    let mut done = vec![atoms.remove(0)];
    loop {
        done.last().expect("the goal at least").bind(&mut bound);
        let mut before = Vec::new();
        while before != bound {
            before.clone_from(&bound);
            others.iter().for_each(|literal| literal.bind(&mut bound));
        }
        let cost = |literal: &Literal| {
            let Literal::Match { relation, arguments } = literal else { return usize::MAX };
            let known = arguments.iter().filter(|argument| is_known(argument, &bound)).count();
            let shift = if known == arguments.len() { 60 } else { known * 8 };
            size(*relation) >> shift.min(60)
        };
        let Some(next) = (0..atoms.len()).min_by_key(|at| cost(&atoms[*at])) else { break };
        done.push(atoms.remove(next));
    }
    done.extend(others);
    done
}

fn is_known(pattern: &Pattern, bound: &[bool]) -> bool {
    let mut all = *pattern != Pattern::Any;
    pattern.variables(&mut |variable| all &= bound[variable]);
    all
}
