//! Whether a formula holds of numbers that a run shows. What the encoding computes modulo a width is computed so here.

use super::predicate::{Predicate, Sum};
use super::trace::Table;
use crate::encode::Cell;
use crate::ir::{Program, Type, VarId};

/// The values of variables at one point of a run; None where one is not known, or indeterminate.
pub type Valuation<'v> = &'v dyn Fn(VarId) -> Option<i128>;

/// Whether some row of the table refutes the formula.
pub fn refuted(program: &Program, predicate: &Predicate, table: &Table) -> bool {
    table.rows.iter().any(|row| {
        let value = |variable: VarId| row[table.variables.iter().position(|v| *v == variable)?];
        holds(program, predicate, &value) == Some(false)
    })
}

/// Whether the formula holds; None where that depends on what is not known, or on what lies in memory.
pub fn holds(program: &Program, predicate: &Predicate, value: Valuation<'_>) -> Option<bool> {
    match predicate {
        Predicate::Zero(sum) => {
            let width = widest(program, sum);
            Some(cut(total(sum, value)?, width) == 0)
        }
        Predicate::NotPositive(sum) => {
            let width = (widest(program, sum) + 8).min(128);
            Some(cut(total(sum, value)?, width) <= 0)
        }
        Predicate::Congruent { cell, modulus, remainder } => {
            let width = bits(program, *cell);
            let number = value(cell.variable)?.rem_euclid(1 << width.min(126));
            Some(number % i128::from(*modulus) == i128::from(*remainder))
        }
        Predicate::Or(parts) => {
            let known: Vec<Option<bool>> = parts.iter().map(|part| holds(program, part, value)).collect();
            if known.contains(&Some(true)) {
                return Some(true);
            }
            known.iter().all(|k| *k == Some(false)).then_some(false)
        }
        Predicate::ZeroFollows { .. } | Predicate::Within { .. } => None,
    }
}

fn total(sum: &Sum, value: Valuation<'_>) -> Option<i128> {
    let mut total = sum.constant;
    for (factor, product) in &sum.terms {
        let mut part = *factor;
        for cell in product {
            part = part.wrapping_mul(value(cell.variable)?);
        }
        total = total.wrapping_add(part);
    }
    Some(total)
}

/// The lowest bits, as a number with a sign.
fn cut(number: i128, width: u32) -> i128 {
    let above = 128 - width.clamp(1, 128);
    (number << above) >> above
}

fn widest(program: &Program, sum: &Sum) -> u32 {
    sum.cells().map(|cell| bits(program, cell)).max().unwrap_or(8)
}

fn bits(program: &Program, cell: Cell) -> u32 {
    let types = &program.types;
    match types.get(program.variables[cell.variable].ty) {
        Type::Pointer(_) => types.pointer_size() as u32 * 8,
        _ => types.as_int(program.variables[cell.variable].ty).map_or(8, |kind| types.int_bits(kind)),
    }
}
