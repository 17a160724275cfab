//! One test for each behaviour of the suite and each back end.

use std::process::Command;

use cellog::smt::{
    Answer, BlastSolver, Cvc5Solver, Dump, Limits, Logic, Options, ProcessSolver, SmtError, Solver, Sort, TermPool,
    Unknown,
};

use crate::smtlib_process;

fn cvc5(options: Options) -> Box<dyn Solver> {
    Box::new(Cvc5Solver::new(options))
}

/// For what only the options that we give libcvc5 achieve.
fn in_process(options: Options) -> Box<dyn Solver> {
    cvc5(options)
}

fn blast(options: Options) -> Box<dyn Solver> {
    Box::new(BlastSolver::new(options))
}

/// The dump's own text is tested in `dump`; here, that it changes nothing.
fn dump(options: Options) -> Box<dyn Solver> {
    Box::new(Dump::new(Cvc5Solver::new(options), options, std::io::sink()))
}

fn process(options: Options) -> Box<dyn Solver> {
    Box::new(ProcessSolver::new(smtlib_process::command(), options))
}

macro_rules! suite_over {
    ($back_end:ident: $($behaviour:ident)*) => {
        mod $back_end {
            $(#[test] fn $behaviour() { crate::suite::$behaviour(&super::$back_end); })*
        }
    };
}

macro_rules! back_ends {
    ($($back_end:ident)*) => {
        $(suite_over! { $back_end:
            finds_a_wrapping_sum
            proves_the_overflow_predicates
            solves_products_of_the_widest_vectors
            reads_over_writes_at_symbolic_indices
            reads_array_values_back
            decides_linear_integers
            keeps_division_euclidean
            converts_between_integers_and_vectors
            takes_back_what_a_level_asserted
            names_the_assumptions_of_a_contradiction
            gives_empty_cores_to_contradictory_assertions
            reports_misuse
            ends_at_the_time_limit_and_goes_on_after
            ends_when_interrupted
            keeps_to_its_logic
            gives_values_to_variables_nobody_mentioned
            counts_its_queries
        })*
    };
}

back_ends! { cvc5 dump process }

// The solver behind the process of these tests is libcvc5 as it comes, which is exponential here.
suite_over! { in_process: is_not_exponential_in_disjunctions }

// Bits alone.
suite_over! { blast:
    finds_a_wrapping_sum
    proves_the_overflow_predicates
    solves_products_of_the_widest_vectors
    takes_back_what_a_level_asserted
    names_the_assumptions_of_a_contradiction
    gives_empty_cores_to_contradictory_assertions
    reports_misuse
    is_not_exponential_in_disjunctions
    ends_at_the_time_limit_and_goes_on_after
    ends_when_interrupted
    keeps_to_its_logic
    counts_its_queries
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

/// A command that is none, and one that does not speak SMT-LIB.
#[test]
fn process_reports_solvers_that_do_not_work() {
    for program in ["no-such-solver", "true"] {
        let mut pool = TermPool::new();
        let x = pool.variable("x", Sort::Bool);
        let mut solver = ProcessSolver::new(Command::new(program), Options::default());
        solver.assert(&pool, x).unwrap();
        let error = solver.check(&pool).unwrap_err();
        assert!(matches!(error, SmtError::Io { .. } | SmtError::Backend { .. }), "{error}");
        assert!(error.to_string().contains(program), "{error}");
    }
}
