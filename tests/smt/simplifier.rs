//! Random terms: what the simplifier makes, what the evaluator says of it, and what cvc5 says of the unsimplified term.
//!
//! The recipe of a term is interpreted three times: by the builders (which simplify), by the evaluator step by step on
//! values, and for cvc5 over variables only, so that no rule sees a constant. All must agree.

use cellog::smt::{
    Answer, Assignment, BitVec, BlastSolver, Cvc5Solver, Logic, Op, Options, Solver, Sort, Term, TermPool, Value,
};
use proptest::prelude::*;

/// One step of a recipe: an operator, and which earlier results of the fitting sort it takes.
type Step = (usize, [usize; 3], u32);

/// Leaves: a variable by number, or a constant.
#[derive(Clone, Debug)]
enum Leaf {
    Variable(usize),
    Constant(u128),
}

fn leaf() -> impl Strategy<Value = Leaf> {
    prop_oneof![
        (0..3usize).prop_map(Leaf::Variable),
        prop_oneof![Just(0), Just(1), Just(u128::MAX), Just(u128::MAX >> 1), any::<u128>(), 0..20u128]
            .prop_map(Leaf::Constant),
    ]
}

/// Bit-vector terms made so far (of the recipe's width, so that operators always fit) and formulas.
struct Made {
    vectors: Vec<Term>,
    formulas: Vec<Term>,
}

/// Follows a recipe in `pool`, `constant` making the constants.
fn follow(
    pool: &mut TermPool,
    width: u32,
    leaves: &[Leaf],
    steps: &[Step],
    constant: &mut dyn FnMut(&mut TermPool, BitVec) -> Term,
) -> Made {
    let truth = pool.variable("p", Sort::Bool);
    let mut made = Made { vectors: Vec::new(), formulas: vec![truth] };
    for leaf in leaves {
        let term = match leaf {
            Leaf::Variable(number) => pool.variable(&format!("v{number}"), Sort::BitVec(width)),
            Leaf::Constant(bits) => constant(pool, BitVec::new(width, *bits)),
        };
        made.vectors.push(term);
    }
    for &(operator, picks, parameter) in steps {
        let vector = |n: usize| made.vectors[picks[n] % made.vectors.len()];
        let formula = |n: usize| made.formulas[picks[n] % made.formulas.len()];
        let (a, b) = (vector(0), vector(1));
        let k = parameter % width;
        match operator % 33 {
            0 => made.vectors.push(pool.bv_not(a)),
            1 => made.vectors.push(pool.bv_neg(a)),
            2 => made.vectors.push(pool.bv_and(a, b)),
            3 => made.vectors.push(pool.bv_or(a, b)),
            4 => made.vectors.push(pool.bv_xor(a, b)),
            5 => made.vectors.push(pool.bv_add(a, b)),
            6 => made.vectors.push(pool.bv_sub(a, b)),
            7 => made.vectors.push(pool.bv_mul(a, b)),
            8 => made.vectors.push(pool.bv_udiv(a, b)),
            9 => made.vectors.push(pool.bv_urem(a, b)),
            10 => made.vectors.push(pool.bv_sdiv(a, b)),
            11 => made.vectors.push(pool.bv_srem(a, b)),
            12 => made.vectors.push(pool.bv_shl(a, b)),
            13 => made.vectors.push(pool.bv_lshr(a, b)),
            14 => made.vectors.push(pool.bv_ashr(a, b)),
            15 => {
                let condition = formula(2);
                made.vectors.push(pool.ite(condition, a, b));
            }
            16 | 17 => {
                // Cut to the bits above k, then extended again.
                let cut = pool.extract(width - 1, k, a);
                made.vectors.push(pool.resize(width, operator % 33 == 16, cut));
            }
            18 | 19 => {
                // The low k + 1 bits, extended again.
                let cut = pool.extract(k, 0, a);
                made.vectors.push(pool.resize(width, operator % 33 == 18, cut));
            }
            20 if width <= 64 => {
                let pair = pool.concat(a, b);
                made.vectors.push(pool.extract(k + width - 1, k, pair));
            }
            21 if width <= 64 => {
                let wide = pool.sign_extend(width, a);
                let wider = pool.zero_extend(0, wide);
                made.vectors.push(pool.extract(k + width - 1, k, wider));
            }
            22 => made.formulas.push(pool.bv_ult(a, b)),
            23 => made.formulas.push(pool.bv_ule(a, b)),
            24 => made.formulas.push(pool.bv_slt(a, b)),
            25 => made.formulas.push(pool.bv_sle(a, b)),
            26 => made.formulas.push(pool.bv_umul_overflows(a, b)),
            27 => made.formulas.push(pool.bv_smul_overflows(a, b)),
            28 => made.formulas.push(pool.eq(a, b)),
            29 => {
                let all = [formula(0), formula(1), formula(2)];
                made.formulas.push(pool.and(&all));
            }
            30 => {
                let all = [formula(0), formula(1), formula(2)];
                made.formulas.push(pool.or(&all));
            }
            31 => {
                let (condition, then, otherwise) = (formula(0), formula(1), formula(2));
                made.formulas.push(pool.ite(condition, then, otherwise));
            }
            _ => {
                let negated = formula(0);
                made.formulas.push(pool.not(negated));
            }
        }
    }
    made
}

/// The last vector and formula of a recipe over a random assignment.
fn check_recipe(logic: Logic, width: u32, leaves: &[Leaf], steps: &[Step], values: [u128; 3], truth: bool) {
    let mut pool = TermPool::new();
    let simplified = follow(&mut pool, width, leaves, steps, &mut |pool, k| pool.bv(k.width(), k.unsigned()));
    // The same recipe with a variable for every constant: what is simplified away there is nothing but structure.
    let mut constants = Vec::new();
    let opaque = follow(&mut pool, width, leaves, steps, &mut |pool, k| {
        let variable = pool.variable(&format!("k{}", constants.len()), Sort::BitVec(k.width()));
        constants.push((variable, Value::BitVec(k)));
        variable
    });
    let mut assignment: Assignment = constants.into_iter().collect();
    for (number, value) in values.into_iter().enumerate() {
        let variable = pool.variable(&format!("v{number}"), Sort::BitVec(width));
        assignment.set(variable, Value::BitVec(BitVec::new(width, value)));
    }
    let p = pool.variable("p", Sort::Bool);
    assignment.set(p, Value::Bool(truth));

    let mut solver = Cvc5Solver::new(Options { logic, ..Options::default() });
    let mut blaster = BlastSolver::new(Options { logic: Logic::QfBv, ..Options::default() });
    let last = |made: &Made| [*made.vectors.last().unwrap(), *made.formulas.last().unwrap()];
    let pairs = last(&simplified).into_iter().zip(last(&opaque));
    for (simplified, opaque) in pairs {
        let value = pool.evaluate(simplified, &assignment).unwrap();
        assert_eq!(value, pool.evaluate(opaque, &assignment).unwrap(), "simplifier against evaluator");
        for term in [simplified, opaque] {
            // Under the assignment, the term cannot differ from its value.
            let constant = pool.value(value);
            let mut query = vec![raw_not_equal(&mut pool, term, constant)];
            for variable in pool.variables(&[term]) {
                let value = pool.value(assignment.get(variable).unwrap());
                query.push(pool.eq(variable, value));
            }
            assert_eq!(solver.check_assuming(&pool, &query).unwrap(), Answer::Unsat, "cvc5 against evaluator");
            assert_eq!(blaster.check_assuming(&pool, &query).unwrap(), Answer::Unsat, "bits against evaluator");
        }
    }
}

fn raw_not_equal(pool: &mut TermPool, a: Term, b: Term) -> Term {
    let equal = pool.apply(Op::Eq, &[a, b]);
    pool.not(equal)
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec((0..33usize, prop::array::uniform3(0..64usize), 0..128u32), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn simplifier_evaluator_and_cvc5_agree(
        width in prop_oneof![Just(1u32), Just(2), Just(8), 1..=128u32, Just(128)],
        leaves in prop::collection::vec(leaf(), 2..6),
        steps in steps(12),
        values in prop::array::uniform3(prop_oneof![Just(0), Just(1), Just(u128::MAX), any::<u128>()]),
        truth in any::<bool>(),
        bits_alone in any::<bool>(),
    ) {
        check_recipe(if bits_alone { Logic::QfBv } else { Logic::All }, width, &leaves, &steps, values, truth);
    }

    /// For all values at once, on few bits: a simplified formula is equivalent to the one with opaque constants.
    #[test]
    fn simplified_terms_are_equivalent_for_all_values(
        width in 1..=4u32,
        leaves in prop::collection::vec(leaf(), 2..6),
        steps in steps(8),
    ) {
        let mut pool = TermPool::new();
        let simplified = follow(&mut pool, width, &leaves, &steps, &mut |pool, k| pool.bv(k.width(), k.unsigned()));
        let mut query = Vec::new();
        let opaque = follow(&mut pool, width, &leaves, &steps, &mut |pool, k| {
            let variable = pool.variable(&format!("k{}", query.len()), Sort::BitVec(k.width()));
            let value = pool.bv(k.width(), k.unsigned());
            query.push(pool.eq(variable, value));
            variable
        });
        let mut solver = Cvc5Solver::new(Options { logic: Logic::QfBv, ..Options::default() });
        let mut blaster = BlastSolver::new(Options { logic: Logic::QfBv, ..Options::default() });
        for (a, b) in [
            (simplified.vectors.last().unwrap(), opaque.vectors.last().unwrap()),
            (simplified.formulas.last().unwrap(), opaque.formulas.last().unwrap()),
        ] {
            let differ = pool.ne(*a, *b);
            let query: Vec<Term> = query.iter().copied().chain([differ]).collect();
            prop_assert_eq!(solver.check_assuming(&pool, &query).unwrap(), Answer::Unsat);
            prop_assert_eq!(blaster.check_assuming(&pool, &query).unwrap(), Answer::Unsat);
        }
    }

    /// Both say the same of a formula over free variables, and the bits' models are models.
    #[test]
    fn bits_and_cvc5_agree(width in 1..=9u32, leaves in prop::collection::vec(leaf(), 2..6), steps in steps(10)) {
        let mut pool = TermPool::new();
        let made = follow(&mut pool, width, &leaves, &steps, &mut |pool, k| pool.bv(k.width(), k.unsigned()));
        let mut solver = Cvc5Solver::new(Options { logic: Logic::QfBv, ..Options::default() });
        let mut blaster = BlastSolver::new(Options { logic: Logic::QfBv, ..Options::default() });
        let (vector, formula) = (*made.vectors.last().unwrap(), *made.formulas.last().unwrap());
        let Sort::BitVec(width) = pool.sort(vector) else { unreachable!("vectors are vectors") };
        for bits in [0, 1, 2, u128::MAX] {
            let constant = pool.bv(width, bits & (u128::MAX >> (128 - width)));
            let query = [pool.eq(vector, constant), formula];
            let answer = blaster.check_assuming(&pool, &query).unwrap();
            prop_assert_eq!(&answer, &solver.check_assuming(&pool, &query).unwrap());
            if answer == Answer::Sat {
                let model = blaster.model(&pool, &query).unwrap();
                for f in query {
                    prop_assert!(pool.holds(f, &model).unwrap());
                    prop_assert_eq!(blaster.value(&pool, f).unwrap(), Value::Bool(true));
                }
            } else {
                let core = blaster.unsat_core().unwrap();
                prop_assert_eq!(solver.check_assuming(&pool, &core).unwrap(), Answer::Unsat);
            }
        }
    }
}
