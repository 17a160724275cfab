//! Rules on the synthetic points-to workload: `cargo bench --bench rules`.
use cellog::{datalog, facts};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use datalog::{Limits, check_source, evaluate, language::lower::lower};

mod andersen;

fn points_to(criterion: &mut Criterion) {
    let (program, diagnostics) =
        check_source("andersen", andersen::RULES, &mut |_: &str| Err("no includes".to_owned()));
    assert!(diagnostics.is_empty());
    let program = lower(&program);
    let mut group = criterion.benchmark_group("andersen");
    group.sample_size(10);
    for size in [2_000, 20_000, 100_000] {
        let workload = andersen::Workload::generate(size);
        let tuples = evaluate(&program, &workload, &Limits::default())
            .expect("the workload has the program's inputs")
            .relation("points_to")
            .expect("the program derives it")
            .count();
        println!("{} -> {tuples} tuples", workload.describe());
        group.throughput(Throughput::Elements(tuples as u64));
        group.bench_with_input(BenchmarkId::new("propagation", size), &workload, |bencher, workload| {
            bencher.iter(|| evaluate(&program, workload, &Limits::default()).expect("no limit is set").derivations());
        });
    }
    group.finish();
}

criterion_group!(benches, points_to);
criterion_main!(benches);
