//! What every solver back end must do. Every model is checked by evaluation, which no solver has a part in.

use std::time::{Duration, Instant};

use cellog::smt::{Answer, Interrupt, Limits, Logic, Options, SmtError, Solver, Sort, Term, TermPool, Unknown, Value};

type Start<'a> = &'a dyn Fn(Options) -> Box<dyn Solver>;

fn start(start: Start, logic: Logic) -> (TermPool, Box<dyn Solver>) {
    (TermPool::new(), start(Options { logic, ..Options::default() }))
}

/// Asserts `formulas`, demands a model, and checks that the model makes each of them true.
fn satisfy(pool: &TermPool, solver: &mut dyn Solver, formulas: &[Term]) {
    for &formula in formulas {
        solver.assert(pool, formula).unwrap();
    }
    assert_eq!(solver.check(pool).unwrap(), Answer::Sat);
    let model = solver.model(pool, formulas).unwrap();
    for &formula in formulas {
        assert!(pool.holds(formula, &model).unwrap(), "the model {model:?} is none");
        assert_eq!(solver.value(pool, formula).unwrap(), Value::Bool(true));
    }
}

/// Demands that `formula` holds in every model of the assertions.
fn prove(pool: &mut TermPool, solver: &mut dyn Solver, formula: Term) {
    let negated = pool.not(formula);
    assert_eq!(solver.check_assuming(pool, &[negated]).unwrap(), Answer::Unsat);
}

pub fn finds_a_wrapping_sum(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let (x, y) = (pool.variable("x", Sort::BitVec(32)), pool.variable("y", Sort::BitVec(32)));
    let zero = pool.bv(32, 0);
    let sum = pool.bv_add(x, y);
    let formulas = [pool.bv_slt(zero, x), pool.bv_slt(zero, y), pool.bv_slt(sum, zero)];
    satisfy(&pool, &mut *solver, &formulas);
    let exact = solver.value(&pool, x).unwrap().as_bits().unwrap().signed()
        + solver.value(&pool, y).unwrap().as_bits().unwrap().signed();
    assert!(exact > i128::from(i32::MAX));
}

/// Each overflow predicate says of 8-bit operands what 16-bit arithmetic says.
pub fn proves_the_overflow_predicates(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let p = &mut pool;
    let (x, y) = (p.variable("x", Sort::BitVec(8)), p.variable("y", Sort::BitVec(8)));
    let mut claims = Vec::new();
    for signed in [false, true] {
        let (wide_x, wide_y) = (p.resize(16, signed, x), p.resize(16, signed, y));
        let results = [p.bv_add(wide_x, wide_y), p.bv_sub(wide_x, wide_y), p.bv_mul(wide_x, wide_y)];
        let predicates = if signed {
            [p.bv_sadd_overflows(x, y), p.bv_ssub_overflows(x, y), p.bv_smul_overflows(x, y)]
        } else {
            [p.bv_uadd_overflows(x, y), p.bv_usub_overflows(x, y), p.bv_umul_overflows(x, y)]
        };
        for (wide, predicate) in results.into_iter().zip(predicates) {
            let cut = p.resize(8, signed, wide);
            let back = p.resize(16, signed, cut);
            let differs = p.ne(wide, back);
            claims.push(p.eq(predicate, differs));
        }
    }
    for claim in claims {
        assert!(!matches!(pool.constant(claim), Some(Value::Bool(true))), "the claim is left to the solver");
        prove(&mut pool, &mut *solver, claim);
    }
}

pub fn solves_products_of_the_widest_vectors(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let x = pool.variable("x", Sort::BitVec(128));
    let (factor, product) = (pool.bv(128, 3), pool.bv(128, 1 << 127 | 5));
    let times = pool.bv_mul(x, factor);
    let formula = pool.eq(times, product);
    satisfy(&pool, &mut *solver, &[formula]);
    let x = solver.value(&pool, x).unwrap().as_bits().unwrap();
    assert_eq!(x.unsigned().wrapping_mul(3), 1 << 127 | 5);
}

pub fn names_the_assumptions_of_a_contradiction(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let p = &mut pool;
    let (x, y) = (p.variable("x", Sort::BitVec(16)), p.variable("y", Sort::BitVec(16)));
    let (flag, ten) = (p.variable("flag", Sort::Bool), p.bv(16, 10));
    let (below, above) = (p.bv_ult(x, ten), p.bv_ult(y, x));
    let large = p.bv_ule(ten, y);
    let (not_flag, aside) = (p.not(flag), p.eq(y, ten));
    let guarded = p.implies(flag, below);
    solver.assert(&pool, guarded).unwrap();
    let assumptions = [not_flag, above, flag, large, aside];
    // Without `not_flag`, the guard, x > y and y >= 10 contradict each other; `aside` may take the place of `large`.
    assert_eq!(solver.check_assuming(&pool, &assumptions[1..]).unwrap(), Answer::Unsat);
    let core = solver.unsat_core().unwrap();
    assert!(core.contains(&above) && core.contains(&flag), "{core:?}");
    assert!(core.contains(&large) || core.contains(&aside), "{core:?}");
    assert_eq!(solver.check_assuming(&pool, &core).unwrap(), Answer::Unsat);
    // A formula and its negation.
    assert_eq!(solver.check_assuming(&pool, &[aside, not_flag, flag]).unwrap(), Answer::Unsat);
    assert_eq!(solver.unsat_core().unwrap(), [not_flag, flag]);
    assert_eq!(solver.check_assuming(&pool, &[above, flag]).unwrap(), Answer::Sat);
}

pub fn gives_empty_cores_to_contradictory_assertions(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let (a, b) = (pool.variable("a", Sort::Bool), pool.variable("b", Sort::Bool));
    let (equal, not_b) = (pool.eq(a, b), pool.not(b));
    for formula in [a, equal, not_b] {
        solver.assert(&pool, formula).unwrap();
    }
    let harmless = pool.variable("harmless", Sort::Bool);
    assert_eq!(solver.check_assuming(&pool, &[harmless]).unwrap(), Answer::Unsat);
    assert_eq!(solver.unsat_core().unwrap(), []);
    // The constant false is an assumption like any other.
    let (_, mut solver) = start(new, Logic::QfBv);
    let (yes, no) = (pool.bool(true), pool.bool(false));
    assert_eq!(solver.check_assuming(&pool, &[yes, harmless, no]).unwrap(), Answer::Unsat);
    assert_eq!(solver.unsat_core().unwrap(), [no]);
}

pub fn reports_misuse(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let x = pool.variable("x", Sort::Bool);
    assert!(matches!(solver.value(&pool, x), Err(SmtError::NoModel)));
    assert!(matches!(solver.unsat_core(), Err(SmtError::NoCore)));
    assert_eq!(solver.check_assuming(&pool, &[x]).unwrap(), Answer::Sat);
    assert!(matches!(solver.unsat_core(), Err(SmtError::NoCore)));
    assert_eq!(solver.value(&pool, x).unwrap(), Value::Bool(true));
    solver.assert(&pool, x).unwrap();
    assert!(matches!(solver.value(&pool, x), Err(SmtError::NoModel)));
    let mut other = TermPool::new();
    let y = other.variable("y", Sort::Bool);
    assert!(matches!(solver.assert(&other, y), Err(SmtError::ForeignPool)));
    assert_eq!(solver.check(&pool).unwrap(), Answer::Sat);
}

/// As joins of control flow make them: each step keeps or increments a counter. Exponential to a solver that looks at the
/// steps' combinations one by one.
pub fn is_not_exponential_in_disjunctions(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    solver.set_limits(Limits { time: Some(Duration::from_secs(60)), resources: None });
    let p = &mut pool;
    let (mut x, zero, one) = (p.variable("x0", Sort::BitVec(32)), p.bv(32, 0), p.bv(32, 1));
    let mut formulas = vec![p.eq(x, zero)];
    for step in 1..=60 {
        let next = p.variable(&format!("x{step}"), Sort::BitVec(32));
        let sum = p.bv_add(x, one);
        let (same, stepped) = (p.eq(next, x), p.eq(next, sum));
        formulas.push(p.or(&[same, stepped]));
        let bound = p.bv(32, step);
        formulas.push(p.bv_ule(next, bound));
        x = next;
    }
    let bound = formulas.pop().unwrap();
    for &formula in &formulas {
        solver.assert(&pool, formula).unwrap();
    }
    prove(&mut pool, &mut *solver, bound);
}

/// A prime number as a product of two smaller ones, which takes long to refute.
fn hard(pool: &mut TermPool) -> Vec<Term> {
    let width = 80;
    let (x, y) = (pool.variable("x", Sort::BitVec(width)), pool.variable("y", Sort::BitVec(width)));
    let (one, bound) = (pool.bv(width, 1), pool.bv(width, 1 << 36));
    let product = pool.bv_mul(x, y);
    // 2^61 - 1
    let prime = pool.bv(width, (1 << 61) - 1);
    let equal = pool.eq(product, prime);
    let mut formulas = vec![equal];
    for factor in [x, y] {
        formulas.push(pool.bv_ult(one, factor));
        formulas.push(pool.bv_ult(factor, bound));
    }
    formulas
}

pub fn ends_at_the_time_limit_and_goes_on_after(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    solver.set_limits(Limits { time: Some(Duration::from_millis(700)), resources: None });
    let easy = pool.variable("easy", Sort::Bool);
    solver.assert(&pool, easy).unwrap();
    let formulas = hard(&mut pool);
    let started = Instant::now();
    assert_eq!(solver.check_assuming(&pool, &formulas).unwrap(), Answer::Unknown(Unknown::Time));
    let spent = started.elapsed();
    assert!((Duration::from_millis(600)..Duration::from_secs(120)).contains(&spent), "{spent:?}");
    assert!(matches!(solver.value(&pool, easy), Err(SmtError::NoModel)));
    assert_eq!(solver.check(&pool).unwrap(), Answer::Sat);
    let not_easy = pool.not(easy);
    assert_eq!(solver.check_assuming(&pool, &[not_easy]).unwrap(), Answer::Unsat);
    assert_eq!(solver.unsat_core().unwrap(), [not_easy]);
}

pub fn ends_when_interrupted(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let easy = pool.variable("easy", Sort::Bool);
    let formulas = hard(&mut pool);
    let interrupt = Interrupt::default();
    solver.set_interrupt(interrupt.clone());
    let other_thread = std::thread::spawn({
        let interrupt = interrupt.clone();
        move || {
            std::thread::sleep(Duration::from_millis(300));
            interrupt.raise();
        }
    });
    assert_eq!(solver.check_assuming(&pool, &formulas).unwrap(), Answer::Unknown(Unknown::Interrupted));
    other_thread.join().unwrap();
    assert_eq!(solver.check_assuming(&pool, &[easy]).unwrap(), Answer::Unknown(Unknown::Interrupted));
    solver.set_interrupt(Interrupt::default());
    assert_eq!(solver.check_assuming(&pool, &[easy]).unwrap(), Answer::Sat);
    assert_eq!(solver.value(&pool, easy).unwrap(), Value::Bool(true));
}

pub fn gives_values_to_variables_nobody_mentioned(new: Start) {
    let (mut pool, mut solver) = start(new, Logic::QfBv);
    let x = pool.variable("x", Sort::BitVec(8));
    let unmentioned = pool.variable("unmentioned", Sort::BitVec(8));
    let seven = pool.bv(8, 7);
    let formula = pool.eq(x, seven);
    satisfy(&pool, &mut *solver, &[formula]);
    let sum = pool.bv_add(x, unmentioned);
    let values = solver.values(&pool, &[unmentioned, sum]).unwrap();
    let model = solver.model(&pool, &[sum]).unwrap();
    assert_eq!(values[1], pool.evaluate(sum, &model).unwrap());
}
