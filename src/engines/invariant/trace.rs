//! What runs show at loop heads: the values of the integer scalars there.

use super::super::search::dictionary::Dictionary;
use super::super::search::random::Random;
use crate::base::IndexVec;
use crate::concrete::{
    Arguments, InputPlace, InputSource, InputType, InputValue, Limits, Machine, Observer, Prepared, Reading,
    ScalarRequest, Value,
};
use crate::encode::Automaton;
use crate::engines::task::Budget;
use crate::ir::{BlockId, FuncId, Program, Storage, VarId};
use rustc_hash::FxHashMap;

/// Rows of values at one loop head.
#[derive(Clone, Debug, Default)]
pub struct Table {
    pub variables: Vec<VarId>,
    /// A value of each variable; None where it is indeterminate.
    pub rows: Vec<Vec<Option<i128>>>,
}

/// Tables by function and block.
pub type Tables = FxHashMap<(FuncId, BlockId), Table>;

/// Rows that one run adds at one head, from its start; later ones are thinned out.
const ROWS_A_RUN: usize = 48;
/// Rows of one head.
const ROWS: usize = 1200;
/// Variables that are looked at.
const VARIABLES: usize = 24;
/// Statements of a run.
const STATEMENTS: u64 = 60_000;

/// Runs the automaton's program on inputs of all sizes within `budget`, at most `runs` times, and looks at loop heads.
pub fn trace(automaton: &Automaton<'_>, entry: FuncId, runs: usize, budget: &Budget) -> Tables {
    let heads = automaton.heads().into_iter().map(|head| &automaton.nodes[head]);
    let heads = heads.filter(|node| node.is_block_start()).map(|node| (node.function, node.block));
    trace_at(automaton.program, heads, entry, runs, budget)
}

/// Runs the program from `entry` and looks at `places`.
pub fn trace_at(
    program: &Program,
    places: impl Iterator<Item = (FuncId, BlockId)>,
    entry: FuncId,
    runs: usize,
    budget: &Budget,
) -> Tables {
    let mut tables = Tables::default();
    for (function, block) in places {
        let variables = scalars_at(program, function);
        tables.entry((function, block)).or_insert_with(|| Table { variables, rows: Vec::new() });
    }
    let prepared = Prepared::new(program);
    let dictionary = Dictionary::of(program);
    let limits = Limits { statements: STATEMENTS, trace: 0, checks: Vec::new(), ..Limits::default() };
    for number in 0..runs {
        if budget.is_spent() {
            break;
        }
        let mut inputs = Varied::new(&dictionary, number);
        let mut watcher = Watcher { tables: &mut tables, seen: FxHashMap::default() };
        let run = prepared.run(entry, &mut inputs, &limits, &mut watcher);
        if run.inputs.is_empty() {
            break; // Every run is the same.
        }
    }
    tables
}

/// Integer variables of a function, and static ones, that no pointer reaches.
pub fn scalars_at(program: &Program, function: FuncId) -> Vec<VarId> {
    let plain = |v: &VarId| {
        let variable = &program.variables[*v];
        let is_known = variable.is_static() && variable.is_constant();
        program.types.as_int(variable.ty).is_some()
            && !variable.address_taken
            && !is_known
            && !matches!(variable.storage, Storage::Temp(_) | Storage::Literal)
    };
    let body = &program.functions[function];
    let own = body.params.iter().chain(&body.locals).copied().filter(plain);
    let globals: IndexVec<VarId, bool> = program.variables.iter().map(|v| v.is_static()).collect();
    let shared = globals.iter_enumerated().filter(|(_, s)| **s).map(|(v, _)| v).filter(plain);
    own.chain(shared).take(VARIABLES).collect()
}

struct Watcher<'t> {
    tables: &'t mut Tables,
    seen: FxHashMap<(FuncId, BlockId), usize>,
}

impl Observer for Watcher<'_> {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        let Some(table) = self.tables.get_mut(&(function, block)) else { return };
        let seen = self.seen.entry((function, block)).or_insert(0);
        *seen += 1;
        // Early rows and, more and more thinly, late ones.
        let keep = *seen <= ROWS_A_RUN || seen.is_power_of_two();
        if !keep || table.rows.len() >= ROWS {
            return;
        }
        let row = row(&table.variables, machine);
        table.rows.push(row);
    }
}

/// The values of integer variables; None where one is indeterminate.
pub fn row(variables: &[VarId], machine: &Machine<'_>) -> Vec<Option<i128>> {
    let types = &machine.program().types;
    let value = |v: &VarId| {
        let variable = &machine.program().variables[*v];
        match machine.read_variable(*v, 0, variable.ty)? {
            Value::Int(n, origin) if origin.is_none() => {
                let kind = types.as_int(variable.ty)?;
                // 128-bit numbers would not fit what is computed with them.
                (types.int_bits(kind) <= 64).then_some(n)
            }
            _ => None,
        }
    };
    variables.iter().map(value).collect()
}

/// Inputs of a run: small ones mostly, some that the program's text suggests.
pub struct Varied<'d> {
    dictionary: &'d Dictionary,
    random: Random,
    number: usize,
}

impl<'d> Varied<'d> {
    /// The inputs of the run with this number.
    pub fn new(dictionary: &'d Dictionary, number: usize) -> Self {
        Varied { dictionary, random: Random::new(number as u64), number }
    }
}

impl InputSource for Varied<'_> {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        let random = &mut self.random;
        match request.ty {
            InputType::Float(_) => InputValue::Float(random.between(-8, 8) as f64),
            InputType::Int(_) => InputValue::Int(match self.number % 5 {
                0 => random.between(0, 1 + self.number as i128 / 5),
                1 => random.between(-4, 12),
                2 => random.between(0, 30),
                3 => random.between(0, 2),
                _ => self.dictionary.number(random, request.low, request.high),
            }),
        }
    }
    fn bytes(&mut self, _: InputPlace, _: u32, len: usize, _: Option<Reading>) -> Vec<u8> {
        self.dictionary.bytes(&mut self.random, len)
    }
    fn fails(&mut self, _: InputPlace, _: u32) -> bool {
        self.random.one_in(8)
    }
    fn arguments(&mut self, _: InputPlace, _: u32) -> Arguments {
        let count = self.random.below(4);
        Arguments { argv: vec![b"a".to_vec(); 1 + count], envp: Vec::new() }
    }
}
