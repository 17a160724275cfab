//! The symbols by which facts call what the IR numbers: readable, unique, and the same for the same program.

use crate::base::{Idx, IndexVec, Span};
use crate::facts::{Sym, Symbols};
use crate::ir::{AllocId, BlockId, CallId, FuncId, InputId, Program, RecordId, SiteId, Storage, Type, TypeId, VarId};
use rustc_hash::FxHashMap;

/// The symbol of every type, function, variable, call and allocation of a program; others are spelled on demand.
#[derive(Clone, Debug)]
pub struct Names {
    symbols: Symbols,
    types: IndexVec<TypeId, Sym>,
    functions: IndexVec<FuncId, Sym>,
    variables: IndexVec<VarId, Sym>,
    calls: IndexVec<CallId, Sym>,
    allocs: IndexVec<AllocId, Sym>,
}

impl Names {
    /// The names of `program`'s things, interned in `symbols`.
    pub fn of(program: &Program, symbols: &Symbols) -> Names {
        let types = unique(program.types.iter().map(|(id, _)| program.types.describe(id)));
        let functions = unique(program.functions.iter().map(|f| f.name.clone()));
        let variables = unique(program.variables.iter_enumerated().map(|(id, v)| match v.storage {
            Storage::Literal => format!("literal#{}", id.0),
            Storage::Global(_) => v.name.clone(),
            Storage::Static(f) | Storage::Local(f) | Storage::Param(f, _) | Storage::Temp(f) => {
                let f = functions.get(f.index()).map_or("?", String::as_str);
                format!("{f}::{}", v.name)
            }
        }));
        let function = |f: FuncId| functions.get(f.index()).map_or("?", String::as_str);
        let calls = program.calls.iter_enumerated().map(|(id, c)| format!("{}:{id}", function(c.function)));
        let allocs = unique(program.allocs.iter().map(|a| format!("{}@{}", a.name, position(program, a.span))));
        let intern = |names: &[String]| names.iter().map(|n| symbols.intern(n)).collect::<Vec<Sym>>();
        Names {
            symbols: symbols.clone(),
            types: intern(&types).into_iter().collect(),
            calls: intern(&calls.collect::<Vec<_>>()).into_iter().collect(),
            functions: intern(&functions).into_iter().collect(),
            variables: intern(&variables).into_iter().collect(),
            allocs: intern(&allocs).into_iter().collect(),
        }
    }

    /// The type's spelling.
    pub fn ty(&self, t: TypeId) -> Sym {
        self.types[t]
    }
    /// The function's name.
    pub fn function(&self, f: FuncId) -> Sym {
        self.functions[f]
    }
    /// The variable's name.
    pub fn variable(&self, v: VarId) -> Sym {
        self.variables[v]
    }
    /// The call's name.
    pub fn call(&self, c: CallId) -> Sym {
        self.calls[c]
    }
    /// The allocation site's name.
    pub fn alloc(&self, a: AllocId) -> Sym {
        self.allocs[a]
    }
    /// `function:bb3`.
    pub fn block(&self, f: FuncId, b: BlockId) -> Sym {
        self.in_function(f, &b)
    }
    /// `function:bb3.0`.
    pub fn statement(&self, f: FuncId, b: BlockId, index: usize) -> Sym {
        self.in_function(f, &format_args!("{b}.{index}"))
    }
    /// `function:site3`.
    pub fn site(&self, f: FuncId, s: SiteId) -> Sym {
        self.in_function(f, &s)
    }
    /// `function:in3`.
    pub fn input(&self, f: FuncId, i: InputId) -> Sym {
        self.in_function(f, &i)
    }
    /// What stands for the type of an access of an unknown number of bytes, if there is one.
    pub fn unknown_type(&self) -> Option<Sym> {
        self.symbols.find("?")
    }
    /// The spelling of a record's type, for each record.
    pub fn records(&self, program: &Program) -> FxHashMap<RecordId, TypeId> {
        let record_type = |(id, t): (TypeId, &Type)| match t {
            Type::Record(r) => Some((*r, id)),
            _ => None,
        };
        program.types.iter().filter_map(record_type).collect()
    }
    /// A name as text.
    pub fn spelled(&self, name: Sym) -> String {
        self.symbols.resolve(name).to_string()
    }
    fn in_function(&self, f: FuncId, what: &dyn std::fmt::Display) -> Sym {
        self.symbols.intern(&format!("{}:{what}", self.symbols.resolve(self.functions[f])))
    }
}

fn position(program: &Program, span: Span) -> String {
    program.sources.describe(span)
}

/// The names, each made unlike those before it by its number behind `#`.
fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    let mut count: FxHashMap<&str, u32> = FxHashMap::default();
    for name in &names {
        *count.entry(name).or_default() += 1;
    }
    let repeated: Vec<usize> = (0..names.len()).filter(|&i| count[names[i].as_str()] > 1).collect();
    for i in repeated {
        names[i] = format!("{}#{i}", names[i]);
    }
    names
}
