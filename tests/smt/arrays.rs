//! Random arrays: simplifier, evaluator and cvc5, constant arrays among them, agree.

use cellog::smt::{
    Answer, ArrayValue, Assignment, BitVec, Cvc5Solver, Logic, Options, ScalarSort, ScalarValue, Solver, Sort, Term,
    TermPool, Unknown, Value,
};
use proptest::prelude::*;

/// Indices are few, so that they meet often and that entries can cover them all.
const INDEX: ScalarSort = ScalarSort::BitVec(2);
const ELEMENT: ScalarSort = ScalarSort::BitVec(4);

type Step = (usize, [usize; 3], u128);

struct Made {
    arrays: Vec<Term>,
    indices: Vec<Term>,
    elements: Vec<Term>,
    formulas: Vec<Term>,
}

fn follow(pool: &mut TermPool, steps: &[Step]) -> Made {
    let variables = |pool: &mut TermPool, stem: &str, sort: Sort| -> Vec<Term> {
        (0..2).map(|n| pool.variable(&format!("{stem}{n}"), sort)).collect()
    };
    let mut made = Made {
        arrays: variables(pool, "a", Sort::array(INDEX, ELEMENT)),
        indices: variables(pool, "i", INDEX.into()),
        elements: variables(pool, "e", ELEMENT.into()),
        formulas: variables(pool, "p", Sort::Bool),
    };
    for &(operator, picks, constant) in steps {
        let pick = |n: usize, of: &[Term]| of[picks[n] % of.len()];
        let (a, b) = (pick(0, &made.arrays), pick(1, &made.arrays));
        let (i, j) = (pick(1, &made.indices), pick(0, &made.indices));
        let e = pick(2, &made.elements);
        match operator {
            0..=2 => made.arrays.push(pool.store(a, i, e)),
            3..=5 => made.elements.push(pool.select(a, i)),
            6 => made.arrays.push(pool.const_array(INDEX, vector(4, constant))),
            7 => made.formulas.push(pool.eq(a, b)),
            8 => {
                let condition = pick(2, &made.formulas);
                made.arrays.push(pool.ite(condition, a, b));
            }
            9 => made.indices.push(pool.bv(2, constant)),
            10 => {
                let offset = pool.bv(2, constant);
                made.indices.push(pool.bv_add(i, offset));
            }
            11 => made.indices.push(pool.bv_add(i, j)),
            12 => made.formulas.push(pool.eq(i, j)),
            13 => made.elements.push(pool.bv(4, constant)),
            _ => {
                let other = pick(0, &made.elements);
                made.formulas.push(pool.bv_ult(e, other));
            }
        }
    }
    made
}

fn vector(width: u32, bits: u128) -> ScalarValue {
    ScalarValue::BitVec(BitVec::new(width, bits))
}

/// The array that holds these elements.
fn array(elements: &[u128; 4]) -> ArrayValue {
    let constant = ArrayValue::constant(INDEX, vector(4, elements[0]));
    (1..4).fold(constant, |array, i| array.store(vector(2, i as u128), vector(4, elements[i])))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn evaluator_and_cvc5_agree_on_arrays(
        steps in prop::collection::vec((0..15usize, prop::array::uniform3(0..64usize), any::<u128>()), 1..16),
        contents in prop::array::uniform2(prop::array::uniform4(any::<u128>())),
        scalars in prop::array::uniform2((any::<u128>(), any::<u128>(), any::<bool>())),
    ) {
        let mut pool = TermPool::new();
        let made = follow(&mut pool, &steps);
        let mut assignment = Assignment::default();
        let mut pinned = Vec::new();
        for n in 0..2 {
            assignment.set(made.arrays[n], array(&contents[n]));
            for i in 0..4 {
                let (index, element) = (pool.bv(2, i), pool.bv(4, contents[n][i as usize]));
                let read = pool.select(made.arrays[n], index);
                pinned.push(pool.eq(read, element));
            }
            let (index, element, truth) = scalars[n];
            for (variable, value) in [
                (made.indices[n], vector(2, index)),
                (made.elements[n], vector(4, element)),
                (made.formulas[n], ScalarValue::Bool(truth)),
            ] {
                assignment.set(variable, value);
                let constant = pool.value(value);
                pinned.push(pool.eq(variable, constant));
            }
        }
        // cvc5 gives up on some equalities with constant arrays.
        let undecided = |answer: &Answer| {
            let constants = steps.iter().filter(|(operator, ..)| *operator == 6).count();
            matches!(answer, Answer::Unknown(Unknown::Incomplete(_))) && constants > 0
        };
        let mut solver = Cvc5Solver::new(Options { logic: Logic::QfAbv, ..Options::default() });
        for &formula in &pinned {
            prop_assert!(pool.holds(formula, &assignment).unwrap());
            solver.assert(&pool, formula).unwrap();
        }
        let all = made.elements.iter().chain(&made.formulas).copied().collect::<Vec<_>>();
        for term in all {
            let value = pool.evaluate(term, &assignment).unwrap();
            let constant = pool.value(value.scalar().unwrap());
            let equal = pool.eq(term, constant);
            let differ = pool.not(equal);
            let refuted = solver.check_assuming(&pool, &[differ]).unwrap();
            prop_assert!(refuted == Answer::Unsat || undecided(&refuted), "{refuted:?}");
            let found = solver.check_assuming(&pool, &[equal]).unwrap();
            prop_assert!(found == Answer::Sat || undecided(&found), "{found:?}");
            if found == Answer::Sat {
                prop_assert_eq!(solver.value(&pool, term).unwrap(), value);
            }
        }
        for &term in &made.arrays {
            prop_assert_eq!(solver.check(&pool).unwrap(), Answer::Sat);
            prop_assert_eq!(solver.value(&pool, term).unwrap(), pool.evaluate(term, &assignment).unwrap());
        }
        // Left free, any model must be one.
        let mut free = Cvc5Solver::new(Options { logic: Logic::QfAbv, ..Options::default() });
        let formula = *made.formulas.last().unwrap();
        for goal in [formula, pool.not(formula)] {
            match free.check_assuming(&pool, &[goal]).unwrap() {
                Answer::Sat => {
                    let model = free.model(&pool, &[goal]).unwrap();
                    prop_assert_eq!(pool.evaluate(goal, &model).unwrap(), Value::Bool(true));
                }
                Answer::Unsat => {
                    prop_assert!(!pool.holds(goal, &assignment).unwrap(), "unsat, but the assignment is a model");
                }
                unknown => prop_assert!(undecided(&unknown)),
            }
        }
    }
}
