//! Equations that all rows of a table of numbers satisfy: the null space of the table.
//!
//! Exact arithmetic with fractions; a table whose numbers grow too long on the way has no equations.

use crate::domains::congruence::gcd;

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Fraction {
    over: i128,
    under: i128,
}

const ZERO: Fraction = Fraction { over: 0, under: 1 };

impl Fraction {
    fn new(over: i128, under: i128) -> Option<Fraction> {
        let g = gcd(over, under).max(1);
        let sign = if under < 0 { -1 } else { 1 };
        Some(Fraction { over: sign * (over / g), under: (under / g).checked_abs()? })
    }
    fn times(self, other: Fraction) -> Option<Fraction> {
        Fraction::new(self.over.checked_mul(other.over)?, self.under.checked_mul(other.under)?)
    }
    fn minus(self, other: Fraction) -> Option<Fraction> {
        let (a, b) = (self.over.checked_mul(other.under)?, other.over.checked_mul(self.under)?);
        Fraction::new(a.checked_sub(b)?, self.under.checked_mul(other.under)?)
    }
    fn inverse(self) -> Option<Fraction> {
        Fraction::new(self.under, self.over)
    }
}

/// Factors larger than this say nothing that a person would.
const LARGEST: i128 = 1 << 20;

/// Vectors of integer factors such that in every row the factors' sum of products is 0; a basis of all of them, as far
/// as the factors are small.
pub fn equations(rows: &[Vec<i128>], columns: usize) -> Vec<Vec<i128>> {
    match reduce(rows, columns) {
        Some(reduced) => null_space(&reduced, columns),
        None => Vec::new(),
    }
}

/// Rows in reduced echelon form, each with its leading column.
fn reduce(rows: &[Vec<i128>], columns: usize) -> Option<Vec<(usize, Vec<Fraction>)>> {
    let mut reduced: Vec<(usize, Vec<Fraction>)> = Vec::new();
    for row in rows {
        let mut row: Vec<Fraction> = row.iter().map(|&n| Fraction { over: n, under: 1 }).collect();
        for (lead, other) in &reduced {
            subtract(&mut row, other, *lead)?;
        }
        let Some(lead) = row.iter().position(|f| *f != ZERO) else { continue };
        let scale = row[lead].inverse()?;
        for f in &mut row {
            *f = f.times(scale)?;
        }
        for (_, other) in &mut reduced {
            subtract(other, &row, lead)?;
        }
        reduced.push((lead, row));
        if reduced.len() == columns {
            break;
        }
    }
    Some(reduced)
}

/// `row - row[lead] * other`, where `other[lead]` is 1.
fn subtract(row: &mut [Fraction], other: &[Fraction], lead: usize) -> Option<()> {
    let factor = row[lead];
    if factor != ZERO {
        for (f, o) in row.iter_mut().zip(other) {
            *f = f.minus(factor.times(*o)?)?;
        }
    }
    Some(())
}

fn null_space(reduced: &[(usize, Vec<Fraction>)], columns: usize) -> Vec<Vec<i128>> {
    let leads: Vec<usize> = reduced.iter().map(|(lead, _)| *lead).collect();
    let free = (0..columns).filter(|c| !leads.contains(c));
    let vector = |column: usize| -> Option<Vec<i128>> {
        let mut common: i128 = 1;
        for (_, row) in reduced {
            let under = row[column].under;
            common = common.checked_mul(under / gcd(common, under))?;
        }
        let mut factors = vec![0; columns];
        factors[column] = common;
        for (lead, row) in reduced {
            factors[*lead] = -(row[column].over.checked_mul(common / row[column].under)?);
        }
        factors.iter().all(|f| f.abs() <= LARGEST).then_some(factors)
    };
    free.filter_map(vector).collect()
}

#[cfg(test)]
mod tests {
    use super::equations;

    #[test]
    fn the_sum_of_the_first_numbers_is_found() {
        // 1, n, s, n * n with s = n (n + 1) / 2.
        let rows: Vec<Vec<i128>> = (0..8).map(|n| vec![1, n, n * (n + 1) / 2, n * n]).collect();
        assert_eq!(equations(&rows, 4), [vec![0, 1, -2, 1]]);
    }

    #[test]
    fn unrelated_columns_have_no_equation() {
        let rows = vec![vec![1, 0, 0], vec![1, 1, 0], vec![1, 0, 1], vec![1, 5, 9]];
        assert_eq!(equations(&rows, 3), Vec::<Vec<i128>>::new());
    }
}
