//! A synthetic inclusion-based points-to workload, shaped like a large C program: modules of functions whose
//! variables copy, load and store mostly among themselves, a few structures that everything reaches, and chains
//! of parameters and results between modules.
use crate::datalog::Input;
use crate::facts::{Cell, Symbols};
use std::collections::BTreeMap;

/// Andersen's analysis over ids, the sets stored as sets.
pub const RULES: &str = "
.type Variable <: unsigned
.decl address_of(target: Variable, object: Variable)
.decl assign(target: Variable, source: Variable)
.decl load(target: Variable, pointer: Variable)
.decl store(pointer: Variable, source: Variable)
.input address_of, assign, load, store
//@ store: set
.decl points_to(pointer: Variable, object: Variable)
//@ store: set
.decl loaded(pointer: Variable, object: Variable)
//@ store: set
.decl stored(source: Variable, object: Variable)
.output points_to
points_to(v, o) :- address_of(v, o).
points_to(d, o) :- assign(d, s), points_to(s, o).
loaded(p, x) :- load(_, p), points_to(p, o), points_to(o, x).
points_to(d, x) :- load(d, p), loaded(p, x).
points_to(o, x) :- store(p, s), points_to(p, o), points_to(s, x).
";

/// Facts of the four input relations.
pub struct Workload {
    relations: BTreeMap<&'static str, Vec<[u32; 2]>>,
    symbols: Symbols,
}

/// Numbers that look random and are the same every time (xorshift).
struct Stream(u64);

impl Stream {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from((self.0 >> 32) % u64::from(bound)).unwrap_or(0)
    }
}

impl Workload {
    /// A workload with about `size` loads and stores.
    pub fn generate(size: usize) -> Workload {
        let mut random = Stream(0x9E37_79B9_7F4A_7C15);
        let size = u32::try_from(size).unwrap_or(u32::MAX);
        let modules = (size / 400).max(1);
        let per_module = 1200;
        let variables = modules * per_module;
        let heap = variables;
        let shared = 200.min(variables);
        let mut relations: BTreeMap<&'static str, Vec<[u32; 2]>> = BTreeMap::new();
        for module in 0..modules {
            let base = module * per_module;
            // Squaring prefers low numbers: a module's few busy variables.
            let local = |random: &mut Stream| {
                let pick = random.below(per_module);
                base + pick * pick / per_module
            };
            let any = |random: &mut Stream| match random.below(1000) {
                0 => random.below(shared),
                1..4 => random.below(variables),
                _ => local(random),
            };
            let mut add = |name: &'static str, a: u32, b: u32| relations.entry(name).or_default().push([a, b]);
            for at in 0..150 {
                add("address_of", local(&mut random), heap + module * 150 + at);
            }
            for _ in 0..900 {
                let target = base + random.below(per_module);
                add("assign", target, any(&mut random));
            }
            for _ in 0..250 {
                let target = base + random.below(per_module);
                add("load", target, any(&mut random));
            }
            for _ in 0..150 {
                let source = base + random.below(per_module);
                add("store", any(&mut random), source);
            }
        }
        Workload { relations, symbols: Symbols::default() }
    }

    /// The sizes of the relations.
    pub fn describe(&self) -> String {
        self.relations.iter().map(|(name, rows)| format!("{name}: {}  ", rows.len())).collect()
    }
}

impl Input for Workload {
    fn symbols(&self) -> Symbols {
        self.symbols.clone()
    }

    fn for_each(&self, relation: &str, visit: &mut dyn FnMut(&[Cell])) -> bool {
        let rows = self.relations.get(relation);
        rows.into_iter().flatten().for_each(|[a, b]| visit(&[Cell::Unsigned(*a), Cell::Unsigned(*b)]));
        rows.is_some()
    }
}
