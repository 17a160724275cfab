//! libcvc5's own interpolation: it enumerates formulas of a grammar and checks each.
//!
//! See: H. Barbosa et al., "cvc5: A Versatile and Industrial-Strength SMT Solver", TACAS 2022, Sect. 2 (SyGuS, interpolation).

use std::collections::BTreeSet;
use std::time::Duration;

use ::cvc5::Grammar;

use super::super::error::Result;
use super::super::op::{Op, Term};
use super::super::pool::TermPool;
use super::super::sort::Sort;
use super::session::backend;
use super::translate::{Translation, kind};

/// Constants of the question that the grammar has of each width, besides 0 and 1.
const CONSTANTS: usize = 8;
/// Terms of a question; larger ones are not asked.
const TERMS: usize = 5_000;

/// What an interpolant is asked for.
#[derive(Clone, Debug)]
pub struct Interpolation<'t> {
    /// What holds.
    pub premise: &'t [Term],
    /// What must not hold with the interpolant.
    pub excluded: &'t [Term],
    /// The bit-vector variables that it may speak of, and whether they have signs.
    pub variables: &'t [(Term, bool)],
    /// How long that may take.
    pub time: Duration,
}

/// A formula over the variables that follows from the premise and contradicts what is excluded; None when none was
/// found in time. Nobody has checked it: libcvc5 answers in terms of its own.
///
/// # Errors
/// What libcvc5 reports.
pub fn interpolant(pool: &mut TermPool, asked: &Interpolation<'_>) -> Result<Option<Term>> {
    let roots: Vec<Term> = asked.premise.iter().chain(asked.excluded).copied().collect();
    let terms = pool.subterms(&roots);
    if terms.len() > TERMS || asked.variables.is_empty() {
        return Ok(None);
    }
    let mut translation = Translation::default();
    let mut solver = cvc5::Solver::new(translation.manager());
    let milliseconds = asked.time.as_millis().max(1).to_string();
    for (option, value) in [("produce-interpolants", "true"), ("tlimit-per", &milliseconds), ("quiet", "true")] {
        solver.set_option(option, value).map_err(backend)?;
    }
    // Synthesis needs quantifiers.
    solver.set_logic("ALL").map_err(backend)?;
    for &formula in asked.premise {
        let formula = translation.term(pool, formula)?;
        solver.assert_formula(formula).map_err(backend)?;
    }
    let excluded = pool.and(asked.excluded);
    let conclusion = pool.not(excluded);
    let conclusion = translation.term(pool, conclusion)?;
    let grammar = grammar(pool, &mut translation, &solver, asked, &terms)?;
    let Some(found) = solver.get_interpolant_with_grammar(conclusion, &grammar).map_err(backend)? else {
        return Ok(None);
    };
    let variables: Vec<(Term, cvc5::Term)> =
        asked.variables.iter().filter_map(|(v, _)| Some((*v, translation.known(*v)?.clone()))).collect();
    Ok(read(pool, &found, &variables))
}

/// Combinations of comparisons of sums and differences, over the variables and constants of the question.
fn grammar(
    pool: &mut TermPool,
    translation: &mut Translation,
    solver: &cvc5::Solver,
    asked: &Interpolation<'_>,
    terms: &[Term],
) -> Result<Grammar> {
    let widths: BTreeSet<u32> = asked.variables.iter().filter_map(|(v, _)| pool.sort(*v).width()).collect();
    let start = translation.symbol(Sort::Bool)?;
    let sums: Vec<(u32, cvc5::Term)> =
        widths.into_iter().map(|width| Ok((width, translation.symbol(Sort::BitVec(width))?))).collect::<Result<_>>()?;
    let symbols: Vec<cvc5::Term> = std::iter::once(&start).chain(sums.iter().map(|(_, s)| s)).cloned().collect();
    let mut grammar = solver.mk_grammar(&[], &symbols).map_err(backend)?;
    let mut formulas = vec![
        translation.make(Op::And, &[&start, &start])?,
        translation.make(Op::Or, &[&start, &start])?,
        translation.make(Op::Not, &[&start])?,
    ];
    for (width, sum) in &sums {
        formulas.push(translation.make(Op::Eq, &[sum, sum])?);
        for (signed, op) in [(true, Op::BvSle), (false, Op::BvUle)] {
            if asked.variables.iter().any(|(v, s)| *s == signed && pool.sort(*v) == Sort::BitVec(*width)) {
                formulas.push(translation.make(op, &[sum, sum])?);
            }
        }
        let mut rules = vec![translation.make(Op::BvAdd, &[sum, sum])?, translation.make(Op::BvSub, &[sum, sum])?];
        for leaf in leaves(pool, asked, terms, *width) {
            rules.push(translation.term(pool, leaf)?);
        }
        grammar.add_rules(sum.clone(), &rules).map_err(backend)?;
    }
    grammar.add_rules(start, &formulas).map_err(backend)?;
    Ok(grammar)
}

/// The variables and constants of a width.
fn leaves(pool: &mut TermPool, asked: &Interpolation<'_>, terms: &[Term], width: u32) -> BTreeSet<Term> {
    let mut leaves: BTreeSet<Term> = [0, 1].map(|n| pool.bv(width, n)).into();
    let own = |t: &&Term| pool.sort(**t) == Sort::BitVec(width);
    leaves.extend(asked.variables.iter().map(|(v, _)| v).filter(own));
    leaves.extend(terms.iter().filter(own).filter(|t| matches!(pool.op(**t), Op::BitVec(_))).take(CONSTANTS));
    leaves
}

/// What formulas are read back with.
const READ: [Op; 11] =
    [Op::And, Op::Or, Op::Not, Op::Eq, Op::BvUle, Op::BvUlt, Op::BvSle, Op::BvSlt, Op::BvNeg, Op::BvSub, Op::BvAdd];

/// A term of libcvc5 over the variables in ours; None when something else occurs in it.
fn read(pool: &mut TermPool, term: &cvc5::Term, variables: &[(Term, cvc5::Term)]) -> Option<Term> {
    if let Some((own, _)) = variables.iter().find(|(_, known)| known == term) {
        return Some(*own);
    }
    if term.is_boolean_value() {
        return Some(pool.bool(term.boolean_value().ok()?));
    }
    if term.is_bv_value() {
        let bits = u128::from_str_radix(&term.bv_value(16).ok()?, 16).ok()?;
        return Some(pool.bv(term.sort().bv_size().ok()?, bits));
    }
    let op = *READ.iter().find(|op| kind(**op) == term.kind())?;
    let mut args = Vec::new();
    for number in 0..term.num_children() {
        args.push(read(pool, &term.child(number).ok()?, variables)?);
    }
    match op {
        Op::And => Some(pool.and(&args)),
        Op::Or => Some(pool.or(&args)),
        Op::BvAdd => args.into_iter().map(Some).reduce(|a, b| pool.try_apply(op, &[a?, b?]).ok())?,
        _ => pool.try_apply(op, &args).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of two numbers that change by an input stays: the one formula over them that is short.
    #[test]
    fn a_sum_is_found_and_only_where_it_holds() {
        let mut pool = TermPool::new();
        let [x, y, step, other] = ["x", "y", "step", "other"].map(|n| pool.variable(n, Sort::BitVec(32)));
        let (ten, eleven) = (pool.bv(32, 10), pool.bv(32, 11));
        let difference = pool.bv_sub(ten, step);
        let (is_x, is_y) = (pool.eq(x, step), pool.eq(y, difference));
        for (total, expected) in [(eleven, true), (ten, false)] {
            let (is_other, is_rest) = {
                let rest = pool.bv_sub(total, other);
                (pool.eq(x, other), pool.eq(y, rest))
            };
            let asked = Interpolation {
                premise: &[is_x, is_y],
                excluded: &[is_other, is_rest],
                variables: &[(x, false), (y, false)],
                time: Duration::from_secs(if expected { 600 } else { 1 }),
            };
            let found = interpolant(&mut pool, &asked).unwrap();
            assert_eq!(found.is_some(), expected, "{found:?}");
            let Some(found) = found else { continue };
            assert!(pool.variables(&[found]).iter().all(|v| [x, y].contains(v)));
            // By cases: it holds where the sum is 10, and not where it is 11.
            for (a, b, holds) in [(3u128, 7u128, true), (10, 0, true), (4, 7, false), (11, 0, false)] {
                let (a, b) = (pool.bv(32, a), pool.bv(32, b));
                let replaced = [(x, a), (y, b)].into_iter().collect();
                let here = pool.substitute(found, &replaced).unwrap();
                assert_eq!(pool.constant(here), Some(crate::smt::Value::Bool(holds)));
            }
        }
    }
}
