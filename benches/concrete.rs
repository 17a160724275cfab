//! What runs cost: loops over arrays and lists, calls, strings, and starting a run.

use cellog::base::SourceMap;
use cellog::concrete::{Defaults, Limits, Prepared};
use cellog::frontend::lower::{LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::{PreprocessOptions, UnitSource, preprocess_units};
use cellog::ir::{DataModel, Program};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

const LOOPS: &str = "
    static int a[1000];
    struct node { int v; struct node *next; };
    int main(void) {
        unsigned long sum = 0;
        for (int r = 0; r < 100; r++) {
            for (int i = 0; i < 1000; i++) a[i] = (i * 7919 + r) % 1000;
            for (int i = 1; i < 1000; i++) if (a[i] < a[i - 1]) sum += a[i] ^ i;
        }
        struct node n[10];
        for (int i = 0; i < 10; i++) { n[i].v = i; n[i].next = &n[(i + 3) % 10]; }
        struct node *p = n;
        for (int i = 0; i < 100000; i++) { sum += p->v; p = p->next; }
        return sum & 1;
    }";

const CALLS: &str = "
    static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
    int main(void) { return fib(20) & 1; }";

const STRINGS: &str = "
    #include <string.h>
    int main(void) {
        char to[256];
        const char *word = \"some words to be copied and measured\";
        unsigned long sum = 0;
        for (int i = 0; i < 2000; i++) { strcpy(to, word); strcat(to, word); sum += strlen(to) + (strstr(to, \"measured\") - to); }
        return sum & 1;
    }";

const NOTHING: &str = "static int table[4096]; int main(void) { return table[17]; }";

fn load(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the program can be written");
    let units = [UnitSource::new(file.to_str().expect("paths are UTF-8"))];
    let texts: Vec<_> = preprocess_units(&units, &PreprocessOptions::new(DataModel::Lp64), 1)
        .into_iter()
        .map(|text| text.expect("the program can be preprocessed"))
        .collect();
    let mut sources = SourceMap::default();
    let parsed = parse_units(&texts, 1, &mut sources);
    lower(&parsed, DataModel::Lp64, sources, LowerOptions::default())
}

fn running(c: &mut Criterion) {
    let mut group = c.benchmark_group("concrete");
    group.sample_size(20);
    for (name, text) in [("loops", LOOPS), ("calls", CALLS), ("strings", STRINGS), ("nothing", NOTHING)] {
        let program = load(text);
        let main = program.function_named("main").expect("the program has a main");
        let prepared = Prepared::new(&program);
        let limits = Limits::default();
        let statements = prepared.run(main, &mut Defaults, &limits, &mut ()).statements;
        group.throughput(Throughput::Elements(statements));
        group.bench_function(name, |b| {
            b.iter(|| black_box(prepared.run(main, &mut Defaults, &limits, &mut ()).statements));
        });
    }
    group.finish();
}

criterion_group!(benches, running);
criterion_main!(benches);
