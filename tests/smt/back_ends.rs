//! One test for each behaviour of the suite and each back end.

use cellog::smt::{Answer, BlastSolver, Cvc5Solver, Limits, Logic, Options, Solver, Sort, TermPool, Unknown};

fn cvc5(options: Options) -> Box<dyn Solver> {
    Box::new(Cvc5Solver::new(options))
}

fn blast(options: Options) -> Box<dyn Solver> {
    Box::new(BlastSolver::new(options))
}

macro_rules! suite_over {
    ($back_end:ident: $($behaviour:ident)*) => {
        mod $back_end {
            $(#[test] fn $behaviour() { crate::suite::$behaviour(&super::$back_end); })*
        }
    };
}

suite_over! { cvc5:
    finds_a_wrapping_sum
    proves_the_overflow_predicates
    solves_products_of_the_widest_vectors
    names_the_assumptions_of_a_contradiction
    gives_empty_cores_to_contradictory_assertions
    reports_misuse
    is_not_exponential_in_disjunctions
    ends_at_the_time_limit_and_goes_on_after
    ends_when_interrupted
    gives_values_to_variables_nobody_mentioned
}

suite_over! { blast:
    finds_a_wrapping_sum
    proves_the_overflow_predicates
    solves_products_of_the_widest_vectors
    names_the_assumptions_of_a_contradiction
    gives_empty_cores_to_contradictory_assertions
    reports_misuse
    is_not_exponential_in_disjunctions
    ends_at_the_time_limit_and_goes_on_after
    ends_when_interrupted
}

/// Units are deterministic: the same query under the same limit ends the same way, however often.
#[test]
fn cvc5_ends_at_the_resource_limit() {
    let run = |resources: u64| {
        let mut pool = TermPool::new();
        let mut solver = Cvc5Solver::new(Options { logic: Logic::QfBv, ..Options::default() });
        solver.set_limits(Limits { time: None, resources: Some(resources) });
        let (x, y) = (pool.variable("x", Sort::BitVec(28)), pool.variable("y", Sort::BitVec(28)));
        let (one, bound, prime) = (pool.bv(28, 1), pool.bv(28, 1 << 13), pool.bv(28, 33_554_393));
        let product = pool.bv_mul(x, y);
        let mut formulas = vec![pool.eq(product, prime)];
        for factor in [x, y] {
            formulas.push(pool.bv_ult(one, factor));
            formulas.push(pool.bv_ult(factor, bound));
        }
        solver.check_assuming(&pool, &formulas).unwrap()
    };
    assert_eq!(run(2_000), Answer::Unknown(Unknown::Resources));
    assert_eq!(run(2_000), Answer::Unknown(Unknown::Resources));
    assert_eq!(run(100_000_000), Answer::Unsat);
}
