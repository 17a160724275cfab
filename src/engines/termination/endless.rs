//! Runs that do not end in time, and what they show at loop heads when they were last there.

use super::super::invariant::trace::{Table, Tables, Varied, row, scalars_at};
use super::super::search::dictionary::Dictionary;
use crate::concrete::{
    Arguments, Fuel, InputPlace, InputSource, InputValue, Limits, Machine, Observer, Outcome, Prepared, Reading, Run,
    ScalarRequest,
};
use crate::encode::Automaton;
use crate::engines::task::Budget;
use crate::ir::{BlockId, FuncId};
use rustc_hash::FxHashMap;

/// Such a run.
pub struct EndlessRun {
    pub run: Run,
    /// The last rows at each head.
    pub tails: Tables,
    /// The heads it was at, most often first.
    pub heads: Vec<(FuncId, BlockId)>,
}

impl EndlessRun {
    /// Whether it was in its newest state before, at the head where it was most often. Others may just be long.
    fn repeats(&self) -> bool {
        let tail = self.heads.first().and_then(|head| self.tails.get(head));
        tail.and_then(|table| table.rows.split_last()).is_some_and(|(newest, before)| before.contains(newest))
    }
}

/// Rows kept of a head.
const ROWS: usize = 64;
/// Statements after which a run counts as not ending.
const STATEMENTS: u64 = 150_000;

/// Runs the program on inputs of all sizes within `budget`, at most `runs` times; the runs that did not end, first those
/// that repeat themselves.
pub fn endless(automaton: &Automaton<'_>, entry: FuncId, runs: usize, budget: &Budget) -> Vec<EndlessRun> {
    let program = automaton.program;
    let prepared = Prepared::new(program);
    let dictionary = Dictionary::of(program);
    let limits = Limits { statements: STATEMENTS, trace: 0, ..Limits::default() };
    let mut found = Vec::new();
    for number in 0..runs {
        if budget.is_spent() {
            break;
        }
        let mut watcher = Watcher { tables: Tables::default(), visits: FxHashMap::default() };
        for head in automaton.heads() {
            let node = &automaton.nodes[head];
            if node.is_block_start() {
                let variables = scalars_at(program, node.function);
                watcher.tables.insert((node.function, node.block), Table { variables, rows: Vec::new() });
            }
        }
        let varied = Varied::new(&dictionary, number / 2);
        let mut inputs = Steady { varied, keeps: number % 2 == 1, given: FxHashMap::default() };
        let run = prepared.run(entry, &mut inputs, &limits, &mut watcher);
        let consumed = !run.inputs.is_empty();
        if matches!(run.outcome, Outcome::OutOfFuel(Fuel::Statements)) && run.flags.is_determined() {
            let mut heads: Vec<(FuncId, BlockId)> = watcher.visits.keys().copied().collect();
            heads.sort_by_key(|head| (std::cmp::Reverse(watcher.visits[head]), *head));
            watcher.straighten();
            found.push(EndlessRun { run, tails: watcher.tables, heads });
        }
        if !consumed {
            break; // Every run is the same.
        }
    }
    found.sort_by_key(|run: &EndlessRun| !run.repeats());
    found
}

/// Gives, if it keeps to what it gave, the same number whenever a place asks.
struct Steady<'d> {
    varied: Varied<'d>,
    keeps: bool,
    given: FxHashMap<InputPlace, InputValue>,
}

impl InputSource for Steady<'_> {
    fn scalar(&mut self, request: &ScalarRequest) -> InputValue {
        let fits = |value: &InputValue| match value {
            InputValue::Int(n) => (request.low..=request.high).contains(n),
            _ => true,
        };
        if let Some(value) = self.given.get(&request.place).filter(|value| self.keeps && fits(value)) {
            return value.clone();
        }
        let value = self.varied.scalar(request);
        self.given.insert(request.place, value.clone());
        value
    }
    fn bytes(&mut self, place: InputPlace, occurrence: u32, len: usize, reading: Option<Reading>) -> Vec<u8> {
        self.varied.bytes(place, occurrence, len, reading)
    }
    fn fails(&mut self, place: InputPlace, occurrence: u32) -> bool {
        self.varied.fails(place, occurrence)
    }
    fn arguments(&mut self, place: InputPlace, occurrence: u32) -> Arguments {
        self.varied.arguments(place, occurrence)
    }
}

/// Keeps the last rows at each head, in a ring.
struct Watcher {
    tables: Tables,
    visits: FxHashMap<(FuncId, BlockId), usize>,
}

impl Watcher {
    /// The newest row of each head last.
    fn straighten(&mut self) {
        for (head, table) in &mut self.tables {
            let visits = self.visits.get(head).copied().unwrap_or(0);
            if visits > ROWS {
                table.rows.rotate_left(visits % ROWS);
            }
        }
    }
}

impl Observer for Watcher {
    fn enter_block(&mut self, function: FuncId, block: BlockId, machine: &Machine<'_>) {
        let Some(table) = self.tables.get_mut(&(function, block)) else { return };
        let visits = self.visits.entry((function, block)).or_insert(0);
        let row = row(&table.variables, machine);
        match table.rows.get_mut(*visits % ROWS) {
            Some(old) => *old = row,
            None => table.rows.push(row),
        }
        *visits += 1;
    }
}
