//! What terms and queries cost: building a DAG, starting a solver, and a hundred incremental checks.

use std::hint::black_box;

use cellog::smt::{Answer, Cvc5Solver, Logic, Options, Solver, Sort, Term, TermPool};
use criterion::{Criterion, criterion_group, criterion_main};

/// A chain of `steps` assignments as an encoder makes them: arithmetic, a guard, and a byte that is widened.
fn build(pool: &mut TermPool, steps: u32) -> Vec<Term> {
    let word = Sort::BitVec(32);
    let (mut x, limit, one) = (pool.variable("x", word), pool.variable("limit", word), pool.bv(32, 1));
    let mut bounds = Vec::new();
    for step in 0..steps {
        let input = pool.variable(&format!("input{step}"), word);
        let grown = pool.bv_add(x, one);
        let guard = pool.bv_slt(input, limit);
        x = pool.ite(guard, grown, x);
        let byte = pool.extract(7, 0, x);
        let wide = pool.zero_extend(24, byte);
        bounds.push(pool.bv_sle(wide, x));
    }
    bounds
}

fn building(c: &mut Criterion) {
    c.bench_function("smt/build 10,000 steps", |b| {
        b.iter(|| {
            let mut pool = TermPool::new();
            black_box(build(&mut pool, 10_000));
            pool.len()
        })
    });
}

fn starting(c: &mut Criterion) {
    c.bench_function("smt/start cvc5 and ask once", |b| {
        b.iter(|| {
            let mut pool = TermPool::new();
            let x = pool.variable("x", Sort::Bool);
            let mut solver = Cvc5Solver::default();
            assert_eq!(solver.check_assuming(&pool, &[x]).expect("cvc5 answers"), Answer::Sat);
        })
    });
}

/// A counter that is incremented under a bound: each step asserts more, proves that the bound is kept, and asserts that.
fn checking(c: &mut Criterion) {
    c.bench_function("smt/100 incremental checks", |b| {
        b.iter(|| {
            let mut pool = TermPool::new();
            let mut solver = Cvc5Solver::new(Options { logic: Logic::QfBv, ..Options::default() });
            let (mut x, one) = (pool.variable("x0", Sort::BitVec(32)), pool.bv(32, 1));
            let zero = pool.bv(32, 0);
            let start = pool.eq(x, zero);
            solver.assert(&pool, start).expect("cvc5 takes the assertion");
            for step in 1..=100 {
                let next = pool.variable(&format!("x{step}"), Sort::BitVec(32));
                let (sum, bound) = (pool.bv_add(x, one), pool.bv(32, step));
                let (same, stepped) = (pool.eq(next, x), pool.eq(next, sum));
                let either = pool.or(&[same, stepped]);
                solver.assert(&pool, either).expect("cvc5 takes the assertion");
                let passed = pool.bv_ult(bound, next);
                assert_eq!(solver.check_assuming(&pool, &[passed]).expect("cvc5 answers"), Answer::Unsat);
                let kept = pool.not(passed);
                solver.assert(&pool, kept).expect("cvc5 takes the assertion");
                x = next;
            }
        })
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = building, starting, checking
}
criterion_main!(benches);
