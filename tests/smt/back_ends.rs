//! One test for each behaviour of the suite and each back end.

use cellog::smt::{Cvc5Solver, Options, Solver};

fn cvc5(options: Options) -> Box<dyn Solver> {
    Box::new(Cvc5Solver::new(options))
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

back_ends! { cvc5 }
