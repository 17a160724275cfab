//! `cellog measure contain`: the states of a program's run against the invariants of the forward analysis.

use super::args::InputArgs;
use super::exit::ExitStatus;
use super::loaded::load_quietly;
use super::output::tell;
use crate::concrete::Limits;
use crate::engines::forward::{Calls, compare, compare_calls, compare_functions};
use crate::engines::inside::hold_relations;
use crate::memory::Memory;
use crate::pipeline::Error;
use crate::pipeline::sources::entry::find_entry;

/// Statements of a run. Limits of memory and inputs keep a measurement from taking the machine.
const STATEMENTS: u64 = 2_000_000;

/// Runs `main` so many times beside its analyses, the whole one, those of joined calls and that of functions one by one; tells what lies outside, and
/// how much was compared.
pub fn contain(input: &InputArgs, runs: u64) -> Result<ExitStatus, Error> {
    let loaded = load_quietly(&input.sources())?;
    let entry = find_entry(&loaded.program, "main")?;
    let limits = Limits { statements: STATEMENTS, trace: 0, ..Limits::default() };
    let whole = compare(&loaded.program, entry, runs, &limits);
    let alone = compare_functions(&loaded.program, entry, runs, &limits);
    let calls = [Calls::Joined, Calls::Apart, Calls::Shared]
        .map(|calls| compare_calls(&loaded.program, entry, calls, runs, &limits));
    let parts = [&whole, &alone].into_iter().chain(&calls);
    let problems: Vec<&String> = parts.clone().flat_map(|part| &part.problems).collect();
    problems.iter().for_each(|p| tell(p));
    let memory = Memory::of(&loaded.program);
    let inside = hold_relations(&loaded.program, &memory, entry, runs, &limits);
    inside.outside.iter().for_each(|what| tell(&format!("outside of the relations: {what}")));
    let held: Vec<String> = inside.held.iter().map(|(question, n)| format!("{n} {question}")).collect();
    tell(&format!("relations: {}; {} outside", held.join(", "), inside.outside.len()));
    let (states, outcome) = (parts.map(|part| part.states).sum::<u64>(), &whole.outcomes[0]);
    tell(&format!("{states} states compared, {} problems; {outcome:?}", problems.len()));
    Ok(if problems.is_empty() && inside.outside.is_empty() { ExitStatus::Clean } else { ExitStatus::Definite })
}
