//! Functions of which `facts/contracts/` says all: checks of their arguments and a result that is an input.

use super::{LibraryCall, kept};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::contracts::clause::{self, Clause};
use crate::ir::{AccessMode, BinaryOp, Expr, Type};

/// What is known of an argument. Arguments not named are plain values.
#[derive(Clone, Copy)]
pub(super) enum Argument {
    /// A zero-terminated string is read.
    Text(usize),
    /// NULL or a zero-terminated string.
    TextOrNull(usize),
    /// An object of the pointee's type is there.
    There(usize),
    /// The same, unless the pointer is NULL.
    ThereOrNull(usize),
    /// As many bytes are there as the second argument says.
    Bytes(usize, usize),
    /// As many bytes as the second argument says are filled with input where the call succeeds.
    FillBytes(usize, usize),
    /// An object of the pointee's type is filled with input bytes where the call succeeds.
    Fill(usize),
    /// The same, unless the pointer is NULL.
    FillOrNull(usize),
    /// So many objects in a row are filled.
    FillMany(usize, u64),
    /// An object of the pointee's type gets a content that no contract describes.
    Alter(usize),
    /// The same, unless the pointer is NULL.
    AlterOrNull(usize),
}

impl Argument {
    /// Whether it is written when the call has succeeded.
    fn is_written(self) -> bool {
        use Argument::*;
        matches!(self, FillBytes(..) | Fill(_) | FillOrNull(_) | FillMany(..) | Alter(_) | AlterOrNull(_))
    }
}

/// What a function gives back.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    Nothing,
    /// An integer in this range.
    Between(i64, i64),
    /// Any value of its arithmetic type.
    Any,
    /// A zero-terminated string of at most so many characters in memory that is never freed, or NULL when the flag is set.
    TextBlock(u64, bool),
    /// A library object that is never freed, or NULL.
    Object,
    /// An argument of its own.
    Argument(usize),
}

pub(super) struct Contract {
    arguments: Vec<Argument>,
    gives: Gives,
    /// What it gives follows from the arguments in a way that no contract describes.
    computes: bool,
    /// Whether its result tells what later calls do, too.
    moves_position: bool,
}

/// Greatest number of an error of Linux.
pub(super) const LAST_ERROR: i64 = 133;

/// Whether a contract that is built in says all of a function.
pub(super) fn is_known(name: &str) -> bool {
    clause::built_in(name).contains(&Clause::Harmless)
}

/// Whether a call has the arguments that the function's contract names.
pub(super) fn has_arguments(call: &LibraryCall<'_>) -> bool {
    clause::built_in(call.name).iter().flat_map(|clause| clause.positions()).all(|i| i < call.args.len())
}

/// The contract of `name`, where it says all of a function.
fn contract(name: &str) -> Option<Contract> {
    let clauses = clause::built_in(name);
    if !is_known(name) {
        return None;
    }
    let (takes_null, may_fail) =
        (|argument| clauses.contains(&Clause::TakesNull { argument }), clauses.contains(&Clause::MayFail));
    let computes = clauses.contains(&Clause::Computes);
    let mut contract = Contract {
        arguments: Vec::new(),
        gives: if computes { Gives::Any } else { Gives::Nothing },
        computes,
        moves_position: clauses.contains(&Clause::MovesPosition),
    };
    for clause in clauses {
        let argument = match *clause {
            Clause::ScansText { argument } if takes_null(argument) => Argument::TextOrNull(argument),
            Clause::ScansText { argument } => Argument::Text(argument),
            Clause::ReadsObject { argument } if takes_null(argument) => Argument::ThereOrNull(argument),
            Clause::ReadsObject { argument } => Argument::There(argument),
            Clause::ReadsBuffer { argument, size } => Argument::Bytes(argument, size),
            Clause::WritesBuffer { argument, size } => Argument::FillBytes(argument, size),
            Clause::WritesObject { argument } if takes_null(argument) => Argument::FillOrNull(argument),
            Clause::WritesObject { argument } => Argument::Fill(argument),
            Clause::AltersObject { argument } if takes_null(argument) => Argument::AlterOrNull(argument),
            Clause::AltersObject { argument } => Argument::Alter(argument),
            Clause::WritesObjects { argument, amount } => Argument::FillMany(argument, amount.unsigned_abs()),
            other => {
                contract.gives = gives(other, may_fail).unwrap_or(contract.gives);
                continue;
            }
        };
        contract.arguments.push(argument);
    }
    Some(contract)
}

/// What a clause says of the result; None where it says nothing of it.
fn gives(clause: Clause, may_fail: bool) -> Option<Gives> {
    Some(match clause {
        Clause::GivesBetween { least, most } => Gives::Between(least, most),
        Clause::GivesError => Gives::Between(0, LAST_ERROR),
        Clause::GivesNumber => Gives::Any,
        Clause::GivesText { most } => Gives::TextBlock(most.unsigned_abs(), may_fail),
        Clause::GivesObject => Gives::Object,
        Clause::GivesArgument { argument } => Gives::Argument(argument),
        _ => return None,
    })
}

/// Lowers a call by its contract; None without one.
pub(super) fn lower(l: &mut Lowerer<'_>, call: &LibraryCall<'_>) -> Lowered<Option<Expr>> {
    let Some(contract) = contract(call.name) else { return Ok(None) };
    if contract.arguments.iter().all(|a| matches!(a, Argument::There(_))) {
        // The result stands next to the call, where rules about locks look for it.
        let result = result(l, call, &contract)?;
        contract.arguments.iter().try_for_each(|argument| check(l, call, *argument))?;
        return Ok(Some(result));
    }
    for argument in &contract.arguments {
        check(l, call, *argument)?;
    }
    let written: Vec<Argument> = contract.arguments.iter().copied().filter(|a| a.is_written()).collect();
    if written.is_empty() {
        return result(l, call, &contract).map(Some);
    }
    let result = result(l, &LibraryCall { wanted: true, ..call.clone() }, &contract)?;
    let result = l.hold(result, call.span)?;
    let zero = l.int_const(0);
    let succeeds = match contract.gives {
        // Error numbers are above 0, other results of failure below.
        Gives::Between(0, _) => l.compared(BinaryOp::Eq, result.clone(), zero.cast(result.ty)),
        Gives::Between(..) => l.compared(BinaryOp::Ge, result.clone(), zero.cast(result.ty)),
        _ => l.int_const(1),
    };
    l.when(succeeds, call.span, |l| written.into_iter().try_for_each(|argument| write(l, call, argument)))?;
    Ok(Some(result))
}

/// The checks of an argument, which stand before all effects of the call.
fn check(l: &mut Lowerer<'_>, call: &LibraryCall<'_>, argument: Argument) -> Lowered<()> {
    match argument {
        Argument::Text(i) => l.check_text(call, i),
        Argument::TextOrNull(i) => l.check_text_if_given(call, i),
        Argument::There(i) => l.check_object(call, i, AccessMode::Read),
        Argument::ThereOrNull(i) => l.when_given(call, i, |l| l.check_object(call, i, AccessMode::Read)),
        Argument::Bytes(i, size) => {
            let (from, size) = (l.ptr_arg(call, i)?, l.size_arg(call, size)?);
            l.check_read(call, i, from, size)
        }
        Argument::FillBytes(i, size) => {
            let (to, size) = (l.ptr_arg(call, i)?, l.size_arg(call, size)?);
            l.check_write(call, i, to, size)
        }
        Argument::Fill(i) | Argument::Alter(i) => l.check_object(call, i, AccessMode::Write),
        Argument::FillMany(i, count) => l.check_objects(call, i, count, AccessMode::Write),
        Argument::FillOrNull(i) | Argument::AlterOrNull(i) => {
            l.when_given(call, i, |l| l.check_object(call, i, AccessMode::Write))
        }
    }
}

/// What a call that succeeds writes.
fn write(l: &mut Lowerer<'_>, call: &LibraryCall<'_>, argument: Argument) -> Lowered<()> {
    match argument {
        Argument::Text(_)
        | Argument::TextOrNull(_)
        | Argument::There(_)
        | Argument::ThereOrNull(_)
        | Argument::Bytes(..) => Ok(()),
        Argument::FillBytes(i, size) => {
            let (to, size) = (l.ptr_arg(call, i)?, l.size_arg(call, size)?);
            l.input_bytes(&format!("{}() content", call.name), to, size, call.span)
        }
        Argument::Fill(i) => l.fill_checked(call, i, true),
        Argument::FillMany(i, count) => l.fill_row(call, i, count),
        Argument::Alter(i) => l.fill_checked(call, i, false),
        Argument::FillOrNull(i) => l.when_given(call, i, |l| l.fill_checked(call, i, true)),
        Argument::AlterOrNull(i) => l.when_given(call, i, |l| l.fill_checked(call, i, false)),
    }
}

fn result(l: &mut Lowerer<'_>, call: &LibraryCall<'_>, contract: &Contract) -> Lowered<Expr> {
    let ty = call.result_or(l.int_type());
    let name = format!("{}()", call.name);
    if ty == l.program.types.void() {
        return Ok(l.void());
    }
    match contract.gives {
        Gives::Nothing => Ok(l.zero_of(ty)),
        Gives::Argument(i) => {
            let argument = call.arg(i)?;
            l.convert(argument, ty, call.span)
        }
        Gives::Between(..) | Gives::Any if !call.wanted && !contract.moves_position => Ok(l.zero_of(ty)),
        Gives::Between(low, high) => {
            let range = l.program.types.as_int(ty).map(|_| l.within(ty, (low.into(), high.into())));
            l.number_of(&name, ty, range, contract.computes, call.span)
        }
        Gives::Any if contract.computes && !matches!(l.program.types.get(ty), Type::Int(_) | Type::Float(_)) => {
            kept::text(l, call, 255, true, ty)
        }
        Gives::Any => l.number_of(&name, ty, None, contract.computes, call.span),
        Gives::TextBlock(most, may_fail) => kept::text(l, call, most, may_fail, ty),
        Gives::Object => kept::object(l, call, true, !contract.computes),
    }
}
