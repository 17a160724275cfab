//! Candidates that rules derive: a candidate is a tuple, read from left to right as a formula.
//!
//! ```text
//! formula  = part ("or" part)*
//! part     = "zero-follows" pointer [index]  |  "within" pointer [index]
//!          | sum "%" number "=" number       |  sum relation sum
//! relation = "=" | "!=" | "<" | "<=" | ">" | ">="
//! sum      = ["-"] product (("+" | "-") product)*
//! product  = operand ("*" operand)*
//! operand  = number | variable
//! ```
//!
//! A number counts with its sign, so that `i "<=" n -1` reads as `i <= n - 1`. Of a pointer, a sum has the bytes from the start of its object.
//!
//! See: Kroening et al., "Loop Summarization using State and Transition Invariants", Table 1 and Sect. 6.2. We differ in that templates are
//! rules over the program's relations.

use super::guess::Candidates;
use super::holds::refuted;
use super::predicate::{Predicate, Sum};
use super::trace::Tables;
use crate::encode::automaton::ROOT;
use crate::encode::{Automaton, Cell, NodeId};
use crate::ir::{BlockId, FuncId, Program, Type, VarId};
use std::collections::BTreeMap;

/// What stands in a column of a tuple, behind the loop's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Variable(VarId),
    Number(i128),
    Word(String),
}

/// What rules guess of loops.
#[derive(Debug, Default)]
pub struct Templates {
    /// By the head's function and block; variables of activations have no context yet.
    by_head: BTreeMap<(FuncId, BlockId), Vec<Predicate>>,
}

/// Candidates of one head.
const MOST: usize = 200;
/// Factors, and their sum, that a sum of numbers has bits for.
const LARGEST_FACTOR: u128 = 100;
/// What a constant of a formula may be.
const LARGEST: u128 = 1 << 62;

impl Templates {
    /// No rules.
    pub const NONE: &'static Templates = &Templates { by_head: BTreeMap::new() };

    /// Adds what a tuple says of the loop with this head.
    ///
    /// # Errors
    /// Why it says nothing.
    pub fn add(&mut self, program: &Program, head: (FuncId, BlockId), tokens: &[Token]) -> Result<(), String> {
        let mut reader = Reader { program, function: head.0, tokens, at: 0 };
        let predicate = reader.formula()?;
        let list = self.by_head.entry(head).or_default();
        if !list.contains(&predicate) {
            if list.len() >= MOST {
                return Err(format!("there are {MOST} candidates for the loop already"));
            }
            list.push(predicate);
        }
        Ok(())
    }

    /// How many candidates there are.
    pub fn len(&self) -> usize {
        self.by_head.values().map(Vec::len).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_head.is_empty()
    }

    /// Adds the candidates to those at the heads of `automaton`'s loops, but for those that some row of `tables` refutes.
    pub fn instantiate(&self, automaton: &Automaton<'_>, tables: &Tables, candidates: &mut Candidates) {
        for head in automaton.heads() {
            let node = &automaton.nodes[head];
            let Some(guessed) = self.by_head.get(&(node.function, node.block)).filter(|_| node.is_block_start()) else {
                continue;
            };
            let table = tables.get(&(node.function, node.block));
            let list = candidates.entry(head).or_default();
            for predicate in guessed.iter().filter(|p| !table.is_some_and(|t| refuted(automaton.program, p, t))) {
                let predicate = at(automaton, head, predicate);
                if !list.contains(&predicate) {
                    list.push(predicate);
                }
            }
        }
    }
}

/// The formula over the variables of the head's activation.
fn at(automaton: &Automaton<'_>, head: NodeId, predicate: &Predicate) -> Predicate {
    let context = automaton.nodes[head].context;
    predicate.with_cells(&|cell| {
        let is_static = automaton.program.variables[cell.variable].is_static();
        Cell { context: if is_static { ROOT } else { context }, variable: cell.variable }
    })
}

/// Reads a tuple.
struct Reader<'r> {
    program: &'r Program,
    function: FuncId,
    tokens: &'r [Token],
    at: usize,
}

impl Reader<'_> {
    fn formula(&mut self) -> Result<Predicate, String> {
        let mut parts = vec![self.part()?];
        while self.word("or") {
            parts.push(self.part()?);
        }
        match self.tokens.get(self.at) {
            Some(token) => Err(format!("{} stands where the formula has ended", self.spell(token))),
            None if parts.len() == 1 => Ok(parts.remove(0)),
            None => Ok(Predicate::Or(parts)),
        }
    }

    fn part(&mut self) -> Result<Predicate, String> {
        for (kind, is_zero) in [("zero-follows", true), ("within", false)] {
            if self.word(kind) {
                return self.about_text(is_zero);
            }
        }
        let left = self.sum()?;
        if self.word("%") {
            return self.congruence(&left);
        }
        let relations = ["=", "==", "!=", "<", "<=", ">", ">="];
        let Some(relation) = relations.into_iter().find(|relation| self.word(relation)) else {
            return Err(self.missing("a relation"));
        };
        let right = self.sum()?;
        let (less, greater) = (minus(&left, &right)?, minus(&right, &left)?);
        match relation {
            "=" | "==" => self.zero(less),
            "<=" => self.not_positive(less, 0),
            "<" => self.not_positive(less, 1),
            ">=" => self.not_positive(greater, 0),
            ">" => self.not_positive(greater, 1),
            _ => Ok(Predicate::Or(vec![self.not_positive(less, 1)?, self.not_positive(greater, 1)?])),
        }
    }

    /// `pointer [index]`.
    fn about_text(&mut self, is_zero: bool) -> Result<Predicate, String> {
        let text = self.next_variable("a pointer or an array")?;
        let types = &self.program.types;
        let declared = &self.program.variables[text];
        let element = match types.get(declared.ty) {
            Type::Pointer(_) if declared.address_taken => {
                return Err(format!("the address of `{}` is taken", self.name(text)));
            }
            Type::Pointer(element) | Type::Array(element, _) => *element,
            _ => return Err(format!("`{}` is no pointer and no array", self.name(text))),
        };
        let index = match self.tokens.get(self.at) {
            Some(Token::Variable(_)) => Some(self.number_cell()?),
            _ => None,
        };
        let bytes = types.as_int(element).and(types.size_of(element)).and_then(|bytes| u8::try_from(bytes).ok());
        let string = Cell { context: ROOT, variable: text };
        match bytes {
            Some(bytes) if !is_zero => Ok(Predicate::Within { string, index, bytes }),
            Some(bytes @ (1 | 2 | 4)) => Ok(Predicate::ZeroFollows { string, index, bytes }),
            _ => Err(format!("`{}` is of no characters", self.name(text))),
        }
    }

    /// `number "=" number`, behind `%`.
    fn congruence(&mut self, left: &Sum) -> Result<Predicate, String> {
        let modulus = self.next_number()?;
        if !self.word("=") && !self.word("==") {
            return Err(self.missing("\"=\""));
        }
        let remainder = self.next_number()?;
        let ([(1, product)], 0) = (&left.terms[..], left.constant) else {
            return Err("only a variable has a remainder".to_owned());
        };
        let ([cell], true) = (&product[..], modulus > 1 && (0..modulus).contains(&remainder)) else {
            return Err("only a variable has a remainder, which is below the number that it is divided by".to_owned());
        };
        let width = self.width(*cell);
        match (u64::try_from(modulus), u64::try_from(remainder)) {
            (Ok(modulus), Ok(remainder)) if width >= 64 || modulus < 1 << width => {
                Ok(Predicate::Congruent { cell: *cell, modulus, remainder })
            }
            _ => Err("the variable has not as many values".to_owned()),
        }
    }

    fn sum(&mut self) -> Result<Sum, String> {
        let mut total = Sum::default();
        let mut sign = if self.word("-") { -1 } else { 1 };
        loop {
            let (factor, cells) = self.product()?;
            add(&mut total, sign * factor, cells)?;
            sign = match self.tokens.get(self.at) {
                Some(Token::Number(_)) => 1,
                _ if self.word("+") => 1,
                _ if self.word("-") => -1,
                _ => return Ok(total),
            };
        }
    }

    fn product(&mut self) -> Result<(i128, Vec<Cell>), String> {
        let (mut factor, mut cells) = (1i128, Vec::new());
        loop {
            match self.tokens.get(self.at) {
                Some(Token::Number(n)) => {
                    self.at += 1;
                    factor = factor.checked_mul(*n).filter(|n| n.unsigned_abs() <= LARGEST).ok_or("too large")?;
                }
                Some(Token::Variable(_)) => cells.push(self.number_cell()?),
                _ => return Err(self.missing("a variable or a number")),
            }
            if !self.word("*") {
                cells.sort();
                return Ok((factor, cells));
            }
        }
    }

    /// The next token, a scalar that no pointer reaches.
    fn number_cell(&mut self) -> Result<Cell, String> {
        let variable = self.next_variable("a variable")?;
        let (types, declared) = (&self.program.types, &self.program.variables[variable]);
        let is_number = types.as_int(declared.ty).is_some_and(|kind| types.int_bits(kind) <= 64);
        if !is_number && !matches!(types.get(declared.ty), Type::Pointer(_)) {
            return Err(format!("`{}` is no number of at most 64 bits and no pointer", self.name(variable)));
        }
        if declared.address_taken {
            return Err(format!("the address of `{}` is taken", self.name(variable)));
        }
        Ok(Cell { context: ROOT, variable })
    }

    fn next_variable(&mut self, what: &str) -> Result<VarId, String> {
        let Some(Token::Variable(variable)) = self.tokens.get(self.at) else { return Err(self.missing(what)) };
        self.at += 1;
        if self.program.variables[*variable].owner().is_some_and(|owner| owner != self.function) {
            return Err(format!("`{}` is no variable of the loop's function", self.name(*variable)));
        }
        Ok(*variable)
    }

    fn next_number(&mut self) -> Result<i128, String> {
        let Some(Token::Number(n)) = self.tokens.get(self.at) else { return Err(self.missing("a number")) };
        self.at += 1;
        Ok(*n)
    }

    /// Takes the word if it comes next.
    fn word(&mut self, wanted: &str) -> bool {
        let is_next = matches!(self.tokens.get(self.at), Some(Token::Word(word)) if word == wanted);
        self.at += usize::from(is_next);
        is_next
    }

    fn zero(&self, mut sum: Sum) -> Result<Predicate, String> {
        // `a = b` and `b = a` are one.
        if sum.terms.first().is_some_and(|(factor, _)| *factor < 0) {
            sum = minus(&Sum::default(), &sum)?;
        }
        self.checked(&sum)?;
        Ok(Predicate::Zero(sum))
    }

    /// `sum + more <= 0`.
    fn not_positive(&self, mut sum: Sum, more: i128) -> Result<Predicate, String> {
        sum.constant += more;
        if !sum.is_linear() {
            return Err("products of variables can only be equal to something".to_owned());
        }
        self.checked(&sum)?;
        Ok(Predicate::NotPositive(sum))
    }

    /// Refuses sums without variables, and those that might wrap where they are computed.
    fn checked(&self, sum: &Sum) -> Result<(), String> {
        let Some(width) = sum.terms.iter().flat_map(|(_, product)| product).map(|cell| self.width(*cell)).max() else {
            return Err("the formula has no variable".to_owned());
        };
        let factors: u128 = sum.terms.iter().map(|(factor, _)| factor.unsigned_abs()).sum();
        let is_bound = matches!(&sum.terms[..], [(1 | -1, _)]);
        if factors > LARGEST_FACTOR || (!is_bound && sum.constant.unsigned_abs() >= 1 << (width + 5)) {
            return Err("its numbers are too large for its variables".to_owned());
        }
        Ok(())
    }

    fn width(&self, cell: Cell) -> u32 {
        let types = &self.program.types;
        let ty = self.program.variables[cell.variable].ty;
        types.size_of(ty).map_or(8, |bytes| bytes as u32 * 8)
    }

    fn name(&self, variable: VarId) -> &str {
        &self.program.variables[variable].name
    }

    fn spell(&self, token: &Token) -> String {
        match token {
            Token::Variable(variable) => format!("`{}`", self.name(*variable)),
            Token::Number(n) => n.to_string(),
            Token::Word(word) => format!("{word:?}"),
        }
    }

    fn missing(&self, what: &str) -> String {
        match self.tokens.get(self.at) {
            Some(token) => format!("{} stands where {what} is needed", self.spell(token)),
            None => format!("the tuple ends where {what} is needed"),
        }
    }
}

/// Adds a product to a sum; products of the same variables are one.
fn add(sum: &mut Sum, factor: i128, cells: Vec<Cell>) -> Result<(), String> {
    let slot = if cells.is_empty() {
        &mut sum.constant
    } else {
        let at = sum.terms.iter().position(|(_, product)| *product == cells).unwrap_or_else(|| {
            sum.terms.push((0, cells));
            sum.terms.len() - 1
        });
        &mut sum.terms[at].0
    };
    *slot = slot.checked_add(factor).filter(|n| n.unsigned_abs() <= LARGEST).ok_or("too large")?;
    Ok(())
}

/// `left - right`, its products in order and none of them 0.
fn minus(left: &Sum, right: &Sum) -> Result<Sum, String> {
    let mut total = left.clone();
    for (factor, cells) in &right.terms {
        add(&mut total, -factor, cells.clone())?;
    }
    add(&mut total, -right.constant, Vec::new())?;
    total.terms.retain(|(factor, _)| *factor != 0);
    total.terms.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(total)
}

#[cfg(test)]
#[path = "template_tests.rs"]
mod tests;
