//! Every executor against the naive evaluation, tuple for tuple, on random small fact sets.
mod ascent;

use cellog::datalog::explain::{Derivation, explain};
use cellog::datalog::results::ProgramInfo;
use cellog::datalog::value::{Facts, Value, ValueInput};
use cellog::datalog::{
    Executor, Limits, RunError, Session, check_source, evaluate, language::lower::lower, naive, programs, source,
};
use cellog::facts::{BaseType, Cell, FactStore, Sym, catalog};
use cellog::pipeline::parallel::{cores, map_parallel};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// Programs over `e/2`, `f/3` (symbol, symbol, number) and `u/2` (unsigned). Each exercises what its name says.
const PROGRAMS: [(&str, &str); 14] = [
    (
        "transitive closure",
        ".decl r(a: symbol, b: symbol)
        r(a, b) :- e(a, b).
        r(a, c) :- r(a, b), r(b, c).",
    ),
    (
        "closure as subset edges",
        "
        //@ store: set
        .decl r(a: symbol, b: symbol)
        r(a, b) :- e(a, b).
        r(a, c) :- e(a, b), r(b, c).",
    ),
    (
        "andersen",
        "
        //@ store: set
        .decl points_to(p: symbol, o: symbol)
        //@ store: set
        .decl copy(d: symbol, s: symbol)
        points_to(p, o) :- f(p, o, 0).
        copy(d, s) :- f(d, s, 1).
        copy(d, o) :- f(d, p, 2), points_to(p, o).
        copy(o, s) :- f(p, s, 3), points_to(p, o).
        points_to(d, x) :- copy(d, s), points_to(s, x).",
    ),
    (
        "andersen over fields",
        "
        .type Cell = [base: symbol, offset: number]
        //@ store: set
        .decl points_to(p: Cell, o: Cell)
        //@ store: set
        .decl loaded(p: Cell, o: Cell)
        points_to([p, 0], [o, 0]) :- f(p, o, 0).
        points_to([d, 0], x) :- f(d, s, 1), points_to([s, 0], x).
        points_to([d, 0], [b, o + 1]) :- f(d, s, -1), points_to([s, 0], [b, o]), o < 2.
        loaded(p, x) :- points_to(p, c), points_to(c, x).
        points_to([d, 0], x) :- f(d, p, 2), loaded([p, 0], x).
        points_to(c, x) :- f(p, s, 3), points_to([p, 0], c), points_to([s, 0], x).",
    ),
    (
        "images of sets: one, several and no element for each, by relations that grow and by others",
        "
        .type Cell = [base: symbol, offset: number]
        //@ store: set
        .decl at(p: symbol, c: Cell)
        .decl next(a: symbol, b: symbol)
        at(p, [o, 0]) :- f(p, o, 0).
        at(d, [b, n]) :- f(d, s, k), k > 0, at(s, [b, o]), n = (o + k) % 5, !e(b, b).
        at(d, [c, o]) :- e(d, s), at(s, [b, o]), e(b, c).
        at(d, [c, k]) :- f(d, s, k), at(s, [b, _]), next(b, c).
        at(d, [s, k]) :- f(d, s, k), at(s, [_, k]).
        next(a, b) :- at(a, [b, _]), e(b, _).",
    ),
    (
        "sets filtered and joined",
        "
        //@ store: set
        .decl r(a: symbol, b: symbol)
        .decl both(a: symbol, b: symbol)
        r(a, b) :- e(a, b).
        r(a, c) :- r(a, b), e(b, c), a != c.
        r(a, b) :- both(b, a), !e(a, a).
        both(a, b) :- r(a, x), r(b, x), f(x, _, _).
        both(a, a) :- r(a, a).",
    ),
    (
        "sets of all keys, repeated variables, wildcards",
        "
        //@ store: set
        .decl r(a: symbol, b: symbol)
        //@ store: set
        .decl s(k: symbol, a: symbol, b: symbol)
        .decl n(a: symbol)
        r(a, b) :- e(a, b).
        s(\"all\", \"r\", x) :- r(_, x).
        s(a, a, x) :- r(a, x), r(a, a).
        r(a, x) :- s(_, a, x).
        r(a, x) :- e(a, _), s(a, _, x).
        n(a) :- r(a, _), !s(a, a, _), !r(a, a).",
    ),
    (
        "keys through equalities",
        "
        //@ store: set
        .decl r(a: number, b: symbol)
        r(n, b) :- f(_, b, n).
        r(n, x) :- f(_, _, k), m = k + 1, n = m * 2 % 5, r(m, x).
        r(m, x) :- r(k, x), m = (k + 3) band 3.",
    ),
    (
        "negation in strata",
        "
        .decl r(a: symbol, b: symbol)
        .decl only(a: symbol)
        .decl none(x: symbol)
        r(a, b) :- e(a, b), !e(b, a).
        r(a, c) :- r(a, b), e(b, c).
        only(a) :- e(a, _), !r(a, _), !f(a, a, _).
        none(x) :- e(x, _), !only(x).",
    ),
    (
        "aggregates",
        "
        .decl degree(a: symbol, n: number)
        .decl total(n: number) .decl least(a: symbol, n: number) .decl mixed(a: symbol, n: number) .decl us(n: unsigned)
        degree(a, n) :- e(a, _), n = count : { e(a, _) }.
        total(n) :- n = sum k : { f(_, _, k) }.
        least(a, n) :- f(a, _, _), n = min k * 2 : { f(a, b, k), e(b, _) }.
        mixed(a, n) :- degree(a, m), n = m + max k : { f(_, _, k), k < 3 } - count : { f(a, b, k), degree(b, k) }.
        us(n) :- n = sum b : { u(a, b), a != b }.",
    ),
    (
        "arithmetic",
        "
        .decl r(a: number, b: number, c: number, d: number)
        .decl v(a: unsigned, b: unsigned)
        r(a / b, a % b, a - b * 3, -a) :- f(_, _, a), f(_, _, b).
        r(a bshl b, a bshr b, a bor b, bnot a bxor b) :- f(_, _, a), f(_, _, b).
        r(min(a, b), max(a, 2), a + 9223372036854775807, a) :- f(_, _, a), f(_, _, b), a <= b, a > -2.
        v(a - b, a / b) :- u(a, b).
        v(b bshl a, b bshr 1) :- u(a, b), a >= b.",
    ),
    (
        "strings",
        "
        .decl r(a: symbol, b: number)
        .decl t(a: symbol)
        r(cat(a, \"-\", b), strlen(b)) :- e(a, b).
        r(substr(a, 1, n), n) :- f(a, _, n).
        r(to_string(n), m) :- f(_, _, n), m = to_number(cat(to_string(n), \"1\")).
        t(a) :- e(a, b), contains(b, cat(a, b)), !match(\"b.*\", a).
        t(a) :- e(a, _), ord(a) = ord(a), to_number(a) = 1.",
    ),
    (
        "records",
        "
        .type P = [a: symbol, n: number]
        .type Q = [p: P, q: P]
        .decl r(p: P) .decl s(q: Q) .decl t(a: symbol, n: number)
        r([a, n]) :- f(a, _, n).
        s([x, y]) :- r(x), r(y), x = [a, n], y = [a, m], n < m.
        t(a, m) :- s([[a, _], [_, m]]).
        t(a, n) :- r(p), [a, n] = p, !r([a, n + 1]).",
    ),
    (
        "several heads, facts, no columns",
        "
        .decl a(x: symbol) .decl b(x: symbol) .decl yes() .decl no()
        a(\"k\"). b(\"k\"). 
        a(x), b(y) :- e(x, y).
        yes() :- a(x), b(x).
        no() :- !yes().",
    ),
];

const INPUTS: &str = ".decl e(a: symbol, b: symbol) 
    .decl f(a: symbol, b: symbol, n: number) 
    .decl u(a: unsigned, b: unsigned)
    .input e, f, u\n";

fn name() -> impl Strategy<Value = Value> {
    prop_oneof!["a", "b", "bb", "c", "1", "k"].prop_map(Value::Symbol)
}

fn facts() -> impl Strategy<Value = Facts> {
    let number = prop_oneof![6 => -1..5i64, 1 => Just(i64::MAX), 1 => Just(i64::MIN)].prop_map(Value::Number);
    let unsigned = || prop_oneof![0..4i64, Just(i64::from(u32::MAX))].prop_map(Value::Number);
    let e = proptest::collection::btree_set((name(), name()).prop_map(|(a, b)| vec![a, b]), 0..10);
    let f = proptest::collection::btree_set((name(), name(), number).prop_map(|(a, b, n)| vec![a, b, n]), 0..12);
    let u = proptest::collection::btree_set((unsigned(), unsigned()).prop_map(|(a, b)| vec![a, b]), 0..6);
    (e, f, u).prop_map(|(e, f, u)| Facts::from([("e".into(), e), ("f".into(), f), ("u".into(), u)]))
}

fn agree(name: &str, text: &str, facts: &Facts) -> Result<(), TestCaseError> {
    let text = format!("{INPUTS}{}", text.replace(") .decl", ")\n.decl"));
    let (program, diagnostics) = check_source(name, &text, &mut |_: &str| Err("no includes".to_owned()));
    let shown: Vec<String> = diagnostics.iter().map(|d| format!("{}: {d}", program.texts.place(d.span()))).collect();
    prop_assert!(shown.is_empty(), "{name}: {shown:?}");
    let expected = naive::evaluate(&program, facts);
    let core = lower(&program);
    let database = evaluate(&core, &ValueInput::new(&core, facts), &Limits::default()).unwrap();
    for (relation, tuples) in expected {
        let found: BTreeSet<Vec<Value>> = database.relation(&relation).unwrap().values();
        prop_assert_eq!(&found, &tuples, "{}: {}", name, relation);
        prop_assert_eq!(database.relation(&relation).unwrap().count(), tuples.len());
    }
    Ok(())
}

/// Tuples of a relation that are explained.
const EXPLAINED: usize = 5;

/// The derivations of tuples of `text`'s relations, with their heights held against the premises'.
fn derivations(name: &str, text: &str, facts: &Facts, with_history: bool) -> Result<Vec<Derivation>, TestCaseError> {
    let text = format!("{INPUTS}{}", text.replace(") .decl", ")\n.decl"));
    let (program, _) = check_source(name, &text, &mut |_: &str| Err("no includes".to_owned()));
    // Sessions own their input.
    let (core, facts): (&'static _, &'static _) =
        (Box::leak(Box::new(lower(&program))), Box::leak(Box::new(facts.clone())));
    let session = Session::new(Box::new(ValueInput::new(core, facts)), BTreeSet::new(), 0);
    let mut session = if with_history { session.with_history() } else { session };
    let mut derivations = Vec::new();
    for root in (0..core.relations.len()).filter(|at| !core.relations[*at].input) {
        session.run(core, &[root], &Limits::default()).unwrap();
        let count = session.database().unwrap().relation(&core.relations[root].name).unwrap().count();
        for which in 0..count.min(EXPLAINED) {
            let (derivation, _) = explain(&mut session, core, root, which, &Limits::default()).unwrap();
            for step in &derivation.steps {
                let premises = step.premises.iter().map(|at| derivation.steps[*at].height);
                let expected = step.rule.map_or(0, |_| 1 + premises.max().unwrap_or(0));
                prop_assert_eq!(step.height, expected, "{}: {} {:?}", name, step.relation, step.tuple);
            }
            derivations.push(derivation);
        }
    }
    Ok(derivations)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_tuple_is_explained_with_history_too(facts in facts()) {
        for (name, text) in PROGRAMS {
            let (lowest, some) = (derivations(name, text, &facts, false)?, derivations(name, text, &facts, true)?);
            prop_assert_eq!(lowest.len(), some.len());
            for (lowest, some) in lowest.iter().zip(&some) {
                prop_assert!(lowest.minimal && lowest.steps[0].height <= some.steps[0].height);
                prop_assert_eq!(&lowest.steps[0].tuple, &some.steps[0].tuple);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_evaluator_agrees_with_the_naive_evaluation(facts in facts()) {
        for (name, text) in PROGRAMS {
            agree(name, text, &facts)?;
        }
    }

    #[test]
    fn storage_changes_no_result(facts in facts()) {
        for (name, text) in PROGRAMS {
            agree(name, &text.replace("//@ store: set", ""), &facts)?;
        }
    }
}

/// A few random rows for every relation of the schema: for each, the choices of its columns' values.
fn store(choices: &[Vec<[u8; 8]>]) -> FactStore {
    let mut store = FactStore::default();
    for (relation, rows) in catalog().iter().zip(choices) {
        for row in rows {
            let cell = |(at, column): (usize, &cellog::facts::ColumnInfo)| {
                let choice = row[at % row.len()];
                match column.base {
                    BaseType::Symbol => {
                        let text = format!("{}{}", column.type_name.to_lowercase(), choice % 2);
                        Cell::Symbol(store.symbols.intern(&text))
                    }
                    BaseType::Number => Cell::Number(i64::from(choice % 5)),
                    BaseType::Unsigned | BaseType::Record => Cell::Unsigned(u32::from(choice % 3)),
                }
            };
            let cells: Vec<Cell> = relation.columns.iter().enumerate().map(cell).collect();
            assert!(store.push(relation.name, &cells));
        }
    }
    store
}

fn values(store: &FactStore) -> Facts {
    let mut facts = Facts::new();
    for relation in catalog() {
        let tuples = facts.entry(relation.name.to_owned()).or_default();
        store.for_each(relation.name, &mut |cells| {
            let value = |cell: &Cell| match *cell {
                Cell::Symbol(Sym(symbol)) => Value::Symbol(store.symbols.resolve(Sym(symbol)).to_string()),
                Cell::Number(value) => Value::Number(value),
                Cell::Unsigned(value) | Cell::Record(value) => Value::Number(value.into()),
            };
            tuples.insert(cells.iter().map(value).collect());
        });
    }
    facts
}

/// So many tuples the naive evaluation can take, and so many it may hold against bodies.
const FEW: usize = 250;
const LOOKED_AT: u64 = 1_000_000;
/// So often rule bodies may be satisfied.
const DERIVED: u64 = 1_000_000;
/// Fact sets of a program that it is asked for.
const ENOUGH: usize = 4;

/// Whether the naive evaluation of a built-in program has its tuples on these facts, false where it is not asked: `before` others were held
/// against it, or it takes too long. The executors agree in any case.
fn agrees(info: &ProgramInfo, store: &FactStore, before: usize) -> bool {
    let limits = Limits { derivations: Some(DERIVED), ..Limits::default() };
    let run = |executor| programs::database(info.path, executor, store, &limits).unwrap();
    let database = match run(Executor::Propagation) {
        // What stands in no relation of a program as these rows do may be counted up without end.
        Err(RunError::Derivations { .. }) => return false,
        database => database.unwrap(),
    };
    let text = source::built_in(info.path).unwrap();
    let (program, _) = check_source(info.path, &text, &mut source::built_in);
    let names: Vec<&str> = program.relations.iter().map(|relation| relation.name.text.as_str()).collect();
    match run(Executor::Ascent) {
        Err(RunError::NotCompiled) => {
            assert_ne!(info.executor, Executor::Ascent, "{} is not compiled", info.path)
        }
        other => {
            let other = other.unwrap();
            for name in &names {
                let (found, expected) = (other.relation(name).unwrap(), database.relation(name).unwrap());
                assert_eq!(found.values(), expected.values(), "{} on ascent: {name}", info.path);
            }
        }
    }
    let derived: usize = names.iter().map(|name| database.relation(name).unwrap().count()).sum();
    if derived > FEW || before >= ENOUGH {
        return false;
    }
    let Some(expected) = naive::evaluate_within(&program, &values(store), LOOKED_AT) else { return false };
    for (name, tuples) in &expected {
        let found = database.relation(name).unwrap().values();
        assert_eq!(&found, tuples, "{}: {name}", info.path);
    }
    true
}

#[test]
fn built_in_programs_agree_with_their_naive_evaluation() {
    let mut random = 0x9E37_79B9_7F4A_7C15u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let stores: Vec<FactStore> = (0..30)
        .map(|round| {
            // Every relation has up to two rows in some rounds, and in others one relation in six has one.
            let mut choices = Vec::new();
            for _ in catalog() {
                let rows = if round % 2 == 0 { next() % 3 } else { u64::from(next() % 6 == 0) };
                choices.push((0..rows).map(|_| next().to_le_bytes()).collect());
            }
            store(&choices)
        })
        .collect();
    let compared: BTreeMap<&str, usize> = map_parallel(programs::PROGRAMS, cores(), |info| {
        let times = stores.iter().fold(0, |before, store| before + usize::from(agrees(info, store, before)));
        (info.path, times)
    })
    .into_iter()
    .collect();
    eprintln!("fact sets compared: {compared:?}");
    assert!(compared.values().sum::<usize>() >= 8, "too few of the fact sets are small enough: {compared:?}");
}
