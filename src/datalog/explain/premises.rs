//! The rule instances that derive chosen tuples, as the evaluator finds them by the rules turned round.
use super::instances::Turned;
use crate::datalog::evaluate::value::Word;
use crate::datalog::evaluate::{Database, Session};
use crate::datalog::language::core::*;
use crate::datalog::limits::{Limits, RunError};
use rustc_hash::FxHashMap;

/// A tuple of a relation.
pub type Tuple = (RelationId, Box<[Word]>);

/// An instance of a rule that derives one of the tuples asked about.
pub struct Found {
    /// Which of them.
    pub goal: usize,
    pub rule: usize,
    pub variables: Vec<Word>,
    /// What the rule's positive atoms match, in their order.
    pub premises: Vec<Tuple>,
}

/// All instances that derive `goals`, which are different tuples of relations that have rules.
pub fn instances_of(
    turned: &Turned,
    program: &Program,
    goals: &[Tuple],
    session: &mut Session,
    limits: &Limits,
) -> Result<Vec<Found>, RunError> {
    let numbers: FxHashMap<&Tuple, usize> = goals.iter().enumerate().map(|(at, goal)| (goal, at)).collect();
    let given: Vec<(RelationId, Vec<Word>)> =
        goals.iter().map(|(relation, tuple)| (turned.goals[relation], tuple.to_vec())).collect();
    let mut heads: Vec<RelationId> = goals.iter().map(|(relation, _)| *relation).collect();
    heads.sort_unstable();
    heads.dedup();
    let rules: Vec<usize> =
        (0..program.rules.len()).filter(|rule| heads.binary_search(&program.rules[*rule].head).is_ok()).collect();
    let wanted: Vec<RelationId> = rules.iter().filter_map(|rule| turned.instances[*rule]).collect();
    let database = session.run_given(&turned.program, &wanted, &given, limits)?;
    let mut found = Vec::new();
    for rule in rules {
        let Some(relation) = turned.instances[rule] else { continue };
        let Some(view) = database.relation(&turned.program.relations[relation].name) else { continue };
        let rule_of = &turned.rules[rule];
        view.each_words(&mut |words| {
            let (variables, head) = words.split_at(rule_of.variables.len());
            let Some(goal) = numbers.get(&(rule_of.head, head.into())).copied() else { return };
            let words = Reading { database, turned: &turned.program, variables };
            let premises = rule_of.body.iter().filter_map(|literal| words.premise(literal)).collect();
            found.push(Found { goal, rule, variables: variables.to_vec(), premises });
        });
    }
    Ok(found)
}

/// A rule's literals under the values of its variables.
pub struct Reading<'a> {
    pub database: &'a Database,
    pub turned: &'a Program,
    pub variables: &'a [Word],
}

impl Reading<'_> {
    /// The tuple that a positive atom matches.
    pub fn premise(&self, literal: &Literal) -> Option<Tuple> {
        let Literal::Match { relation, arguments } = literal else { return None };
        let kinds = &self.turned.relations[*relation].kinds;
        let words = arguments.iter().zip(kinds).map(|(argument, kind)| match argument {
            Pattern::Variable(variable) => Some(self.variables[*variable]),
            Pattern::Value(value) => self.database.word_of(value, *kind),
            Pattern::Any => None,
        });
        Some((*relation, words.collect::<Option<_>>()?))
    }

    /// What a negated atom or an aggregate says.
    pub fn condition(&self, literal: &Literal, rule: &Rule) -> Option<String> {
        match literal {
            Literal::Absent { relation, arguments } => {
                let relation = &self.turned.relations[*relation];
                Some(format!("no {}({})", relation.name, self.patterns(arguments, &relation.kinds)))
            }
            Literal::Aggregate { variable, kind, .. } => {
                let value = self.database.value(self.variables[*variable], rule.variables[*variable].kind);
                Some(format!("{} = {value}", kind.symbol()))
            }
            _ => None,
        }
    }

    fn patterns(&self, patterns: &[Pattern], kinds: &[Kind]) -> String {
        let shown = patterns.iter().zip(kinds).map(|(pattern, kind)| {
            let word = match pattern {
                Pattern::Variable(variable) => Some(self.variables[*variable]),
                Pattern::Value(value) => self.database.word_of(value, *kind),
                Pattern::Any => None,
            };
            word.map_or_else(|| "_".to_owned(), |word| self.database.value(word, *kind).to_string())
        });
        shown.collect::<Vec<_>>().join(", ")
    }
}
