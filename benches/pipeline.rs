//! What each stage from text to verdict costs, and how that grows with the program: the front end, facts, the memory rules,
//! the engines, and whole runs of the binary.

use cellog::base::SourceMap;
use cellog::datalog::programs::memory;
use cellog::engines::forward::{Options, analyze};
use cellog::engines::portfolio::{Engine, run};
use cellog::engines::task::{Budget, Property, Task};
use cellog::facts::emit;
use cellog::frontend::lower::{ErrorLabel, LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::PreprocessedUnit;
use cellog::ir::{DataModel, Program};
use cellog::memory::Memory;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::fmt::Write;
use std::hint::black_box;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Functions of the generated programs.
const SIZES: [usize; 3] = [20, 100, 500];

/// A chain of `functions` functions with arrays, loops, records and pointers to what the caller has.
fn generated(functions: usize) -> String {
    let mut text =
        "struct pair { int sum; int *from; };\nstatic int f0(int *p, int n) { return p[n & 3]; }\n".to_owned();
    for i in 1..functions {
        let _ = writeln!(
            text,
            "static int f{i}(int *p, int n) {{
                int a[16], s = 0;
                for (int k = 0; k < 16; k++) a[k] = p[k & 3] / (k + {i});
                if (n > {i}) s = f{}(a, n - 1);
                struct pair q = {{ s, p }};
                return q.sum / 2 + *q.from;
            }}",
            i - 1
        );
    }
    let _ = writeln!(
        text,
        "int main(int argc, char **argv) {{ int b[4] = {{ 1, 2, 3, argc & 7 }}; return f{}(b, argc); }}",
        functions - 1
    );
    text
}

fn unit(text: &str) -> PreprocessedUnit {
    PreprocessedUnit { file: "a.c".into(), text: text.as_bytes().to_vec(), diagnostics: Vec::new() }
}

fn load(text: &str) -> Program {
    let mut sources = SourceMap::default();
    let parsed = parse_units(&[unit(text)], 1, &mut sources);
    let options = LowerOptions { error_label: ErrorLabel::Everywhere, ..LowerOptions::default() };
    lower(&parsed, DataModel::Lp64, sources, options)
}

fn front_end(c: &mut Criterion) {
    let mut group = c.benchmark_group("front end");
    for size in SIZES {
        let text = generated(size);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(BenchmarkId::new("parse", size), |b| {
            b.iter(|| black_box(parse_units(&[unit(&text)], 1, &mut SourceMap::default()).len()));
        });
        group.bench_function(BenchmarkId::new("parse and lower", size), |b| {
            b.iter(|| black_box(load(&text).sites.len()))
        });
    }
    group.finish();
}

fn relations(c: &mut Criterion) {
    let mut group = c.benchmark_group("relations");
    group.sample_size(20);
    for size in SIZES {
        let program = load(&generated(size));
        group.bench_function(BenchmarkId::new("facts", size), |b| {
            b.iter(|| black_box(emit(&program).facts.symbols.len()))
        });
        let facts = emit(&program).facts;
        group.bench_function(BenchmarkId::new("memory rules", size), |b| {
            b.iter(|| memory::run(&facts, &cellog::datalog::Limits::default()).expect("no limit is set"));
        });
    }
    group.finish();
}

fn forward(c: &mut Criterion) {
    let mut group = c.benchmark_group("forward");
    group.sample_size(10);
    for size in SIZES {
        let program = load(&generated(size));
        let main = program.function_named("main").expect("there is a main");
        let memory = Memory::of(&program);
        group.bench_function(BenchmarkId::new("analyze", size), |b| {
            b.iter(|| black_box(analyze(&program, &memory, main, &Options::default()).steps));
        });
    }
    group.finish();
}

/// A loop that counts to `bound`, which no run leaves with other than equal counters.
fn counting(bound: u32) -> String {
    format!(
        "void reach_error(void);
        int main(void) {{ unsigned x = 0, y = 0; while (x < {bound}) {{ x++; y++; }} if (x != y) reach_error(); return 0; }}"
    )
}

fn engines(c: &mut Criterion) {
    let mut group = c.benchmark_group("verify");
    group.sample_size(10);
    for (name, engine, bound) in [
        ("bmc", Engine::Bmc, 8),
        ("bmc", Engine::Bmc, 32),
        ("k-induction", Engine::KInduction, 1_000_000),
        ("predicate-abstraction", Engine::PredicateAbstraction, 1_000_000),
        ("impact", Engine::Impact, 1_000_000),
        ("summary", Engine::Summary, 1_000_000),
        ("auto", Engine::Auto, 1_000_000),
    ] {
        let program = load(&counting(bound));
        let entry = program.function_named("main").expect("there is a main");
        let memory = Memory::of(&program);
        let task = Task::new(&program, &memory, entry, Property::UnreachCall);
        group.bench_function(BenchmarkId::new(name, bound), |b| {
            b.iter(|| {
                let (sender, receiver) = channel();
                run(&task, engine, &Budget::of(Duration::from_secs(60)), &sender);
                drop(sender);
                black_box(receiver.iter().count())
            });
        });
    }
    group.finish();
}

fn whole_runs(c: &mut Criterion) {
    let mut group = c.benchmark_group("check");
    group.sample_size(10);
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for size in SIZES {
        let file = folder.path().join(format!("{size}.c"));
        std::fs::write(&file, generated(size)).expect("the program can be written");
        group.bench_function(BenchmarkId::new("functions", size), |b| {
            b.iter(|| {
                let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_cellog"));
                command.args(["check", "--no-cache", "--format", "json"]).arg(&file);
                command.output().expect("the binary starts").stdout.len()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, front_end, relations, forward, engines, whole_runs);
criterion_main!(benches);
