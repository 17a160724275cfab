//! Scripts of the dump wrapper are read by libcvc5's own parser, and get the same answers there.

use cellog::smt::{Answer, Cvc5Solver, Dump, Logic, Options, ScalarSort, ScalarValue, Solver, Sort, TermPool};

use crate::smtlib_process::answers_to;

#[test]
fn scripts_get_the_answers_that_the_solver_gave() {
    let options = Options { logic: Logic::QfAbv, seed: 7, cores: true };
    let mut pool = TermPool::new();
    let p = &mut pool;
    let mut solver = Dump::new(Cvc5Solver::new(options), options, Vec::new());
    let memory = p.variable("memory", Sort::array(ScalarSort::BitVec(32), ScalarSort::BitVec(8)));
    let (x, y) = (p.variable("main::x", Sort::BitVec(32)), p.variable("store", Sort::BitVec(32)));
    let (four, byte) = (p.bv(32, 4), p.bv(8, 0x7f));
    let next = p.bv_add(x, four);
    let written = p.store(memory, next, byte);
    let read = p.select(written, y);
    let (same, hit) = (p.eq(y, next), p.eq(read, byte));
    let miss = p.not(hit);
    let overflow = p.bv_smul_overflows(x, y);
    solver.assert(p, overflow).unwrap();
    let mut expected = Vec::new();
    solver.push().unwrap();
    solver.assert(p, miss).unwrap();
    expected.push(solver.check_assuming(p, &[same]).unwrap());
    expected.push(solver.check(p).unwrap());
    solver.pop().unwrap();
    expected.push(solver.check_assuming(p, &[hit, same]).unwrap());
    let flag = p.variable("flag", Sort::Bool);
    let not_flag = p.not(flag);
    expected.push(solver.check_assuming(p, &[flag, not_flag]).unwrap());
    assert_eq!(expected, [Answer::Unsat, Answer::Sat, Answer::Sat, Answer::Unsat]);
    let zeros = p.const_array(ScalarSort::BitVec(32), ScalarValue::zero(ScalarSort::BitVec(8)));
    let empty = p.eq(memory, zeros);
    solver.assert(p, empty).unwrap();
    expected.push(solver.check_assuming(p, &[hit]).unwrap());

    let script = String::from_utf8(solver.finish().unwrap()).unwrap();
    let words = |answer: &Answer| if *answer == Answer::Sat { "sat\n" } else { "unsat\n" };
    let expected: String = expected.iter().map(words).collect();
    assert_eq!(answers_to(&script), expected, "{script}");
    let comments: String =
        script.lines().filter_map(|l| l.strip_prefix("; ")).flat_map(|answer| [answer, "\n"]).collect();
    assert_eq!(comments, expected);
}

#[test]
fn long_sessions_give_scripts_of_linear_length() {
    let options = Options { logic: Logic::QfBv, ..Options::default() };
    let mut pool = TermPool::new();
    let mut solver = Dump::new(Cvc5Solver::new(options), options, Vec::new());
    let (x, mut state) = (pool.variable("x", Sort::BitVec(8)), pool.variable("s", Sort::BitVec(8)));
    let mut steps = 0;
    for _ in 0..400 {
        // Each step's state is made of the last one's, and each is asserted about.
        for _ in 0..5 {
            let sum = pool.bv_add(state, x);
            state = pool.bv_xor(sum, x);
            steps += 1;
        }
        let bound = pool.bv_ule(x, state);
        solver.push().unwrap();
        solver.assert(&pool, bound).unwrap();
    }
    let script = String::from_utf8(solver.finish().unwrap()).unwrap();
    assert!(script.len() < 200 * steps, "{} bytes for {steps} steps", script.len());
    assert_eq!(answers_to(&script), "");
}
