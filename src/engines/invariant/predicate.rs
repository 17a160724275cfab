//! Formulas over the scalars at a loop's head, and over the strings that they point to.

use crate::encode::value::Shape;
use crate::encode::{Cell, Encoder, State, Value};
use crate::ir::{Program, Type};
use crate::smt::Term;
use std::collections::BTreeMap;

/// A formula.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Predicate {
    /// The sum is 0, modulo the width of its widest variable.
    Zero(Sum),
    /// The sum of numbers is not above 0.
    NotPositive(Sum),
    /// `cell % modulus == remainder`, of the number without its sign for unsigned, else of its bits.
    Congruent {
        cell: Cell,
        modulus: u64,
        remainder: u64,
    },
    Or(Vec<Predicate>),
    /// A zero character of so many bytes follows the pointer, moved by the index, in its object.
    ZeroFollows {
        string: Cell,
        index: Option<Cell>,
        bytes: u8,
    },
    /// The pointer, moved by the index, is into its live object or to its end.
    Within {
        string: Cell,
        index: Option<Cell>,
        bytes: u8,
    },
}

/// Products of variables with factors, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Sum {
    pub terms: Vec<(i128, Vec<Cell>)>,
    pub constant: i128,
}

impl Sum {
    /// `cell + constant`.
    pub fn of(cell: Cell, constant: i128) -> Sum {
        Sum { terms: vec![(1, vec![cell])], constant }
    }
    /// `a - b + constant`.
    pub fn difference(a: Cell, b: Cell, constant: i128) -> Sum {
        Sum { terms: vec![(1, vec![a]), (-1, vec![b])], constant }
    }
    /// `-cell + constant`.
    pub fn minus(cell: Cell, constant: i128) -> Sum {
        Sum { terms: vec![(-1, vec![cell])], constant }
    }
    /// The variables, as often as they occur.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.terms.iter().flat_map(|(_, product)| product.iter().copied())
    }
    /// Whether variables are multiplied.
    pub fn is_linear(&self) -> bool {
        self.terms.iter().all(|(_, product)| product.len() == 1)
    }
}

impl Predicate {
    /// `low <= cell`.
    pub fn at_least(cell: Cell, low: i128) -> Predicate {
        Predicate::NotPositive(Sum::minus(cell, low))
    }
    /// `cell <= high`.
    pub fn at_most(cell: Cell, high: i128) -> Predicate {
        Predicate::NotPositive(Sum::of(cell, -high))
    }
    /// `cell == value`.
    pub fn equal(cell: Cell, value: i128) -> Predicate {
        Predicate::Zero(Sum::of(cell, -value))
    }
    /// The formula over the variables that `rename` gives for its own.
    pub fn with_cells(&self, rename: &dyn Fn(Cell) -> Cell) -> Predicate {
        let sum = |sum: &Sum| {
            let product = |(factor, cells): &(i128, Vec<Cell>)| (*factor, cells.iter().map(|c| rename(*c)).collect());
            Sum { terms: sum.terms.iter().map(product).collect(), constant: sum.constant }
        };
        match self {
            Predicate::Zero(s) => Predicate::Zero(sum(s)),
            Predicate::NotPositive(s) => Predicate::NotPositive(sum(s)),
            Predicate::Congruent { cell, modulus, remainder } => {
                Predicate::Congruent { cell: rename(*cell), modulus: *modulus, remainder: *remainder }
            }
            Predicate::Or(parts) => Predicate::Or(parts.iter().map(|p| p.with_cells(rename)).collect()),
            Predicate::ZeroFollows { string, index, bytes } => {
                Predicate::ZeroFollows { string: rename(*string), index: index.map(rename), bytes: *bytes }
            }
            Predicate::Within { string, index, bytes } => {
                Predicate::Within { string: rename(*string), index: index.map(rename), bytes: *bytes }
            }
        }
    }
    /// The variables that it speaks of.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Predicate::Zero(sum) | Predicate::NotPositive(sum) => sum.cells().collect(),
            Predicate::Congruent { cell, .. } => vec![*cell],
            Predicate::Or(parts) => parts.iter().flat_map(Predicate::cells).collect(),
            Predicate::ZeroFollows { string, index, .. } | Predicate::Within { string, index, .. } => {
                [*string].into_iter().chain(*index).collect()
            }
        }
    }
    /// Whether [`Predicate::in_c`] is an expression of C: of numbers alone.
    pub fn is_expression(&self, program: &Program) -> bool {
        let of_numbers = |sum: &Sum| sum.cells().all(|cell| !is_pointer(program, cell));
        match self {
            Predicate::Zero(sum) | Predicate::NotPositive(sum) => of_numbers(sum),
            Predicate::Congruent { cell, .. } => !is_pointer(program, *cell),
            Predicate::Or(parts) => parts.iter().all(|part| part.is_expression(program)),
            Predicate::ZeroFollows { .. } | Predicate::Within { .. } => false,
        }
    }
    /// Whether variables are multiplied or divided.
    pub fn is_hard(&self) -> bool {
        match self {
            Predicate::Zero(sum) | Predicate::NotPositive(sum) => !sum.is_linear(),
            Predicate::Congruent { modulus, .. } => !modulus.is_power_of_two(),
            Predicate::Or(parts) => parts.iter().any(Predicate::is_hard),
            Predicate::ZeroFollows { .. } | Predicate::Within { .. } => false,
        }
    }

    /// The formula in a state; a scalar that has no value there may have any.
    pub fn term(&self, encoder: &mut Encoder<'_, '_>, state: &mut State) -> Term {
        match self {
            Predicate::Zero(sum) => {
                let width = sum.cells().map(|c| shape(encoder, c).width()).max().unwrap_or(8);
                let value = sum_term(encoder, state, sum, width);
                super::cases::zero(&mut encoder.pool, value)
            }
            Predicate::NotPositive(sum) => {
                if let Some(term) = plain_comparison(encoder, state, sum) {
                    return term;
                }
                let width = sum.cells().map(|c| shape(encoder, c).width()).max().unwrap_or(8);
                let width = (width + 8).min(128);
                let value = sum_term(encoder, state, sum, width);
                super::cases::not_positive(&mut encoder.pool, value)
            }
            Predicate::Congruent { cell, modulus, remainder } => {
                let width = shape(encoder, *cell).width();
                let value = cell_term(encoder, state, *cell, width);
                let modulus = encoder.pool.bv(width, u128::from(*modulus));
                let rest = encoder.pool.bv_urem(value, modulus);
                let expected = encoder.pool.bv(width, u128::from(*remainder));
                encoder.pool.eq(rest, expected)
            }
            Predicate::Or(parts) => {
                let parts: Vec<Term> = parts.iter().map(|p| p.term(encoder, state)).collect();
                encoder.pool.or(&parts)
            }
            // What cannot be said may be false, so that it is dropped where it would have to be shown.
            Predicate::ZeroFollows { string, index, bytes } => {
                let pointer = encoder.string_at(state, *string, *index, u64::from(*bytes));
                let holds = pointer.and_then(|pointer| encoder.zero_follows(state, pointer, u64::from(*bytes)));
                holds.unwrap_or_else(|| encoder.any_condition("zero follows"))
            }
            Predicate::Within { string, index, bytes } => {
                let pointer = encoder.string_at(state, *string, *index, u64::from(*bytes));
                let holds = pointer.and_then(|pointer| encoder.is_within(state, pointer));
                holds.unwrap_or_else(|| encoder.any_condition("within"))
            }
        }
    }

    /// The formula in C, or in words where C has none.
    pub fn in_c(&self, program: &Program) -> String {
        match self {
            Predicate::Zero(sum) => comparison(program, sum, "=="),
            Predicate::NotPositive(sum) => comparison(program, sum, "<="),
            Predicate::Congruent { cell, modulus, remainder } => {
                format!("{} % {modulus} == {remainder}", without_sign(program, *cell))
            }
            Predicate::Or(parts) => {
                let parts: Vec<String> = parts.iter().map(|p| format!("({})", p.in_c(program))).collect();
                parts.join(" || ")
            }
            Predicate::ZeroFollows { string, index, .. } => {
                format!("a zero follows {}", moved(program, *string, *index))
            }
            Predicate::Within { string, index, .. } => {
                format!("{} is within its object", moved(program, *string, *index))
            }
        }
    }
}

/// The variable as a number without a sign, of its own width.
fn without_sign(program: &Program, cell: Cell) -> String {
    let variable = &program.variables[cell.variable];
    let signed = program.types.as_int(variable.ty).filter(|kind| kind.signed());
    let cast = match signed.map(|kind| program.types.int_bits(kind)) {
        Some(8) => "(unsigned char)",
        Some(16) => "(unsigned short)",
        Some(32) => "(unsigned int)",
        Some(64) => "(unsigned long long)",
        _ => "",
    };
    format!("{cast}{}", variable.name)
}

fn moved(program: &Program, string: Cell, index: Option<Cell>) -> String {
    let name = |cell: Cell| &program.variables[cell.variable].name;
    match index {
        Some(index) => format!("{} + {}", name(string), name(index)),
        None => name(string).clone(),
    }
}

/// The predicates without those that their types or others of them imply, in an order of their own.
pub fn strongest(program: &Program, predicates: &[Predicate]) -> Vec<Predicate> {
    let mut bounds: BTreeMap<Vec<(i128, Vec<Cell>)>, i128> = BTreeMap::new();
    let mut kept: Vec<Predicate> = Vec::new();
    for predicate in predicates {
        match predicate {
            Predicate::NotPositive(sum) => {
                let constant = bounds.entry(sum.terms.clone()).or_insert(sum.constant);
                *constant = sum.constant.max(*constant);
            }
            other => kept.push(other.clone()),
        }
    }
    let sums = bounds.into_iter().map(|(terms, constant)| Sum { terms, constant });
    kept.extend(sums.filter(|sum| !is_of_type(program, sum)).map(Predicate::NotPositive));
    kept
}

/// Whether `sum <= 0` says no more than the type of its only variable.
fn is_of_type(program: &Program, sum: &Sum) -> bool {
    let [(factor @ (1 | -1), product)] = &sum.terms[..] else { return false };
    let [cell] = product[..] else { return false };
    let Some(kind) = program.types.as_int(program.variables[cell.variable].ty) else { return false };
    let (low, high) = program.types.int_range(kind);
    if *factor == 1 { -sum.constant >= high } else { sum.constant <= low }
}

/// Positive parts on the left, negative ones on the right.
fn comparison(program: &Program, sum: &Sum, op: &str) -> String {
    let side = |positive: bool| {
        let mut parts: Vec<String> = Vec::new();
        for (factor, product) in &sum.terms {
            if (*factor > 0) == positive {
                let names: Vec<String> = product.iter().map(|c| number(program, *c)).collect();
                let names = names.join(" * ");
                let factor = factor.unsigned_abs();
                parts.push(match (factor, &product[..]) {
                    (1, [cell]) if is_pointer(program, *cell) => names,
                    // Wider than any variable, so that the text means what was proved.
                    (1, _) => format!("(long long)({names})"),
                    _ => format!("{factor} * (long long)({names})"),
                });
            }
        }
        if sum.constant != 0 && (sum.constant > 0) == positive {
            parts.push(sum.constant.unsigned_abs().to_string());
        }
        if parts.is_empty() { "0".to_owned() } else { parts.join(" + ") }
    };
    format!("{} {op} {}", side(true), side(false))
}

/// A number by its name; of a pointer, the bytes from the start of its object.
fn number(program: &Program, cell: Cell) -> String {
    let name = &program.variables[cell.variable].name;
    if is_pointer(program, cell) { format!("offset of {name}") } else { name.clone() }
}

fn is_pointer(program: &Program, cell: Cell) -> bool {
    matches!(program.types.get(program.variables[cell.variable].ty), Type::Pointer(_))
}

fn shape(encoder: &Encoder<'_, '_>, cell: Cell) -> Shape {
    let ty = encoder.program.variables[cell.variable].ty;
    encoder.shape(ty).unwrap_or(Shape::Bool)
}

fn cell_term(encoder: &mut Encoder<'_, '_>, state: &mut State, cell: Cell, width: u32) -> Term {
    let shape = shape(encoder, cell);
    match encoder.scalar_value(state, cell, shape) {
        Value::Bits(t) => encoder.pool.resize(width, shape.signed(), t),
        Value::Pointer { offset, .. } => encoder.pool.resize(width, true, offset),
    }
}

/// `a <= b`, `a < b`, or a bound of one variable, in the width of the variables themselves: far fewer bits than a sum that
/// cannot overflow.
fn plain_comparison(encoder: &mut Encoder<'_, '_>, state: &mut State, sum: &Sum) -> Option<Term> {
    let mut sides: [Option<Cell>; 2] = [None, None];
    for (factor, product) in &sum.terms {
        let [cell] = product[..] else { return None };
        let side = match factor {
            1 => &mut sides[0],
            -1 => &mut sides[1],
            _ => return None,
        };
        if side.replace(cell).is_some() {
            return None;
        }
    }
    let shape = shape(encoder, sides[0].or(sides[1])?);
    if sides.iter().flatten().any(|c| self::shape(encoder, *c) != shape) {
        return None;
    }
    let (width, signed) = (shape.width(), shape.signed());
    let (low, high): (i128, i128) = match (width, signed) {
        (65.., _) => (0, 0),
        (_, true) => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
        (_, false) => (0, (1 << width) - 1),
    };
    let at_most = |encoder: &mut Encoder<'_, '_>, a, b| {
        if signed { encoder.pool.bv_sle(a, b) } else { encoder.pool.bv_ule(a, b) }
    };
    match sides {
        [Some(a), Some(b)] if (0..=1).contains(&sum.constant) => {
            let (a, b) = (cell_term(encoder, state, a, width), cell_term(encoder, state, b, width));
            if sum.constant == 0 {
                return Some(at_most(encoder, a, b));
            }
            let not_less = at_most(encoder, b, a);
            Some(encoder.pool.not(not_less))
        }
        [Some(_), Some(_)] | [None, None] => None,
        _ if width > 64 => None,
        [Some(a), None] => {
            let bound = -sum.constant;
            if bound < low || bound >= high {
                return Some(encoder.pool.bool(bound >= high));
            }
            let a = cell_term(encoder, state, a, width);
            let bound = encoder.pool.bv_signed(width, bound);
            Some(at_most(encoder, a, bound))
        }
        [None, Some(b)] => {
            let bound = sum.constant;
            if bound <= low || bound > high {
                return Some(encoder.pool.bool(bound <= low));
            }
            let b = cell_term(encoder, state, b, width);
            let bound = encoder.pool.bv_signed(width, bound);
            Some(at_most(encoder, bound, b))
        }
    }
}

fn sum_term(encoder: &mut Encoder<'_, '_>, state: &mut State, sum: &Sum, width: u32) -> Term {
    let mut total = encoder.pool.bv_signed(width, sum.constant);
    for (factor, product) in &sum.terms {
        let mut value: Option<Term> = None;
        for cell in product {
            let v = cell_term(encoder, state, *cell, width);
            value = Some(value.map_or(v, |so_far| encoder.pool.bv_mul(so_far, v)));
        }
        let Some(mut value) = value else { continue };
        if *factor == -1 {
            total = encoder.pool.bv_sub(total, value);
            continue;
        }
        if *factor != 1 {
            let factor = encoder.pool.bv_signed(width, *factor);
            value = encoder.pool.bv_mul(value, factor);
        }
        total = encoder.pool.bv_add(total, value);
    }
    total
}
