//! Calls of functions whose contract is the user's: checks of their arguments, what they do to memory, what they give.
//!
//! A contract that says what a function does to memory says all of it: the call becomes checks, allocations and inputs. One that
//! does not leaves the call as one of a function that nothing is known of, behind the checks; so does one that does not fit the call.

use super::LibraryCall;
use super::memory::{check_freeable, product, suppose_given};
use super::table::LAST_ERROR;
use crate::base::Diagnostic;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::contracts::{Clause, clause};
use crate::ir::{
    AccessMode, AllocKind, BinaryOp, CheckKind, Expr, FnType, Function, IntKind, Place, Program, StmtKind, Terminator,
    Type, TypeId, TypeTable,
};
use std::sync::Arc;

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

impl Lowerer<'_> {
    /// What the user says of a function that no unit defines.
    pub(crate) fn users_contract(&self, name: &str) -> Option<Vec<Clause>> {
        let contract = self.options.contracts.of_user(name).filter(|_| !super::is_error_function(name));
        contract.map(<[Clause]>::to_vec)
    }

    /// Whether the user's contract describes all that calls of this type do.
    pub(crate) fn is_described(&self, contract: &[Clause], ty: &FnType) -> bool {
        let types = &self.program.types;
        is_whole(types, contract, Some(ty.result)) && misfit(types, contract, &ty.params, Some(ty.result)).is_none()
    }
}

/// Takes back contracts that do not hold for a program, whose calls are lowered, and says so: of functions that it defines, and of those
/// whose declared type they do not fit. What is harmless but gives a pointer that the contract does not describe is not harmless.
pub(crate) fn settle_contracts(program: &mut Program) {
    let mut contracts = (*program.contracts).clone();
    let mut warnings = Vec::new();
    for f in program.functions.iter() {
        let Some(contract) = program.contracts.of_user(&f.name) else { continue };
        let mut warn = |message: String| warnings.push(Diagnostic::warning(f.span, message));
        if is_defined(f) {
            warn(format!("`{}` has a contract, which is not used: the program defines the function", f.name));
            contracts.forget(&f.name, |_| true);
            continue;
        }
        let Type::Function(ty) = program.types.get(f.ty) else { continue };
        if ty.prototyped && !ty.variadic && misfit(&program.types, contract, &ty.params, Some(ty.result)).is_some() {
            contracts.forget(&f.name, |_| true);
        } else if contract.contains(&Clause::Harmless) && !is_whole(&program.types, contract, Some(ty.result)) {
            warn(format!(
                "the contract of `{}` does not say what the function gives; the call may do anything",
                f.name
            ));
            contracts.forget(&f.name, |clause| clause == Clause::Harmless);
        }
    }
    program.contracts = Arc::new(contracts);
    program.diagnostics.extend(warnings);
}

/// Whether the program has, or had, a body of its own for the function.
fn is_defined(f: &Function) -> bool {
    (f.has_body() && !f.library) || f.failed.is_some()
}

/// Lowers a call by the user's contract.
pub(super) fn lower(l: &mut L<'_>, call: &C<'_>, contract: &[Clause]) -> Lowered<Expr> {
    let types: Vec<TypeId> = call.args.iter().map(|a| a.ty).collect();
    if let Some(why) = misfit(&l.program.types, contract, &types, call.result) {
        l.warn(
            call.span,
            format!("the contract of `{}` does not fit this call: {why}; the call may do anything", call.name),
        );
        return unknown_call(l, call);
    }
    let args = call.args.iter().map(|a| hold_scalar(l, a, call)).collect::<Lowered<Vec<_>>>()?;
    let call = LibraryCall { args, ..call.clone() };
    let whole = is_whole(&l.program.types, contract, call.result);
    if whole {
        l.note_call(&call)?;
    }
    contract.iter().try_for_each(|clause| check(l, &call, contract, *clause))?;
    if !whole {
        let value = unknown_call(l, &call)?;
        return bounded(l, &call, contract, value);
    }
    // A number may say whether anything is written; what frees blocks comes last, each judged where the one before is freed.
    let number = numeric_result(l, &call, contract)?;
    write_all(l, &call, contract, number.as_ref())?;
    contract.iter().try_for_each(|clause| release(l, &call, *clause))?;
    let result = match number {
        Some(number) => number,
        None => other_result(l, &call, contract)?,
    };
    if contract.contains(&Clause::NeverReturns) {
        end(l, &call)?;
    }
    Ok(result)
}

fn hold_scalar(l: &mut L<'_>, value: &Expr, call: &C<'_>) -> Lowered<Expr> {
    if l.program.types.is_scalar(value.ty) { l.hold(value.clone(), call.span) } else { Ok(value.clone()) }
}

/// The call as one of a function that nothing is known of.
fn unknown_call(l: &mut L<'_>, call: &C<'_>) -> Lowered<Expr> {
    let function = l.declared_function(call.name, call.span);
    l.call_function(function, call.args.clone(), call.span)
}

/// Whether a contract says what the function does to memory, and what it gives where that may be an address.
fn is_whole(types: &TypeTable, contract: &[Clause], result: Option<TypeId>) -> bool {
    use Clause::*;
    let says_memory = contract.iter().any(|clause| {
        matches!(
            clause,
            NeverReturns
                | GivesBlock { .. }
                | GivesArray { .. }
                | ResizesBlock { .. }
                | LendsBlock { .. }
                | Releases { .. }
                | WritesObject { .. }
                | WritesObjects { .. }
                | AltersObject { .. }
                | WritesBuffer { .. }
                | Harmless
        )
    });
    let is_number = |ty: TypeId| matches!(types.get(ty), Type::Int(_) | Type::Float(_) | Type::Void);
    let says_result = contract.iter().any(|c| c.gives()) || contract.contains(&NeverReturns);
    says_memory && (says_result || result.is_none_or(is_number))
}

/// Why a contract cannot be that of a function that takes arguments of these types and gives a `result`; None if it can.
fn misfit(types: &TypeTable, contract: &[Clause], args: &[TypeId], result: Option<TypeId>) -> Option<String> {
    use Clause::*;
    let (pointer, number) = (|ty: TypeId| types.is_pointer(ty), |ty: TypeId| types.as_int(ty).is_some());
    // A function that is not declared gives an `int`.
    let result = result.unwrap_or(types.int(IntKind::Int));
    for clause in contract {
        if let Some(missing) = clause.positions().into_iter().find(|i| *i >= args.len()) {
            return Some(format!("`{}` names argument {missing}, counted from 0", clause.relation()));
        }
        let fits = match *clause {
            GivesBlock { size } | LendsBlock { size } => number(args[size]) && pointer(result),
            GivesArray { elements, size } => number(args[elements]) && number(args[size]) && pointer(result),
            ResizesBlock { argument, size } => pointer(args[argument]) && number(args[size]) && pointer(result),
            ReadsBuffer { argument, size } | WritesBuffer { argument, size } => {
                pointer(args[argument]) && number(args[size])
            }
            Releases { argument }
            | Needs { argument }
            | TakesNull { argument }
            | ReadsText { argument }
            | ScansText { argument }
            | ReadsObject { argument }
            | WritesObjects { argument, .. }
            | AltersObject { argument }
            | WritesObject { argument } => pointer(args[argument]),
            GivesError => number(result),
            GivesBetween { least, most } => types.as_int(result).is_some_and(|kind| {
                let (low, high) = types.int_range(kind);
                i128::from(least) <= high && i128::from(most) >= low
            }),
            GivesNumber => matches!(types.get(result), Type::Int(_) | Type::Float(_)),
            GivesText { .. } | GivesObject => pointer(result),
            GivesArgument { argument } => types.is_scalar(args[argument]) && types.is_scalar(result),
            _ => true,
        };
        if !fits {
            return Some(format!("`{}` is not of its types", clause.relation()));
        }
    }
    None
}

/// Does `then`, but not where a pointer is NULL that may be.
fn unless_null(
    l: &mut L<'_>,
    call: &C<'_>,
    contract: &[Clause],
    argument: usize,
    then: impl FnOnce(&mut L<'_>) -> Lowered<()>,
) -> Lowered<()> {
    if contract.contains(&Clause::TakesNull { argument }) { l.when_given(call, argument, then) } else { then(l) }
}

/// Checks the arguments that must not be NULL by the contract that is built in.
pub(super) fn check_needs(l: &mut L<'_>, call: &C<'_>) -> Lowered<()> {
    let needs = |clause: &&Clause| matches!(clause, Clause::Needs { argument } if *argument < call.args.len());
    let built_in = clause::built_in(call.name);
    built_in.iter().filter(needs).try_for_each(|clause| check(l, call, built_in, *clause))
}

/// The checks of arguments, which stand before all effects of the call.
fn check(l: &mut L<'_>, call: &C<'_>, contract: &[Clause], clause: Clause) -> Lowered<()> {
    use Clause::*;
    match clause {
        Needs { argument } => {
            let given = l.is_not_null(&call.arg(argument)?);
            l.check_holds(CheckKind::NullDeref, given, &call.subject(argument), call.span)
        }
        ReadsText { argument } => unless_null(l, call, contract, argument, |l| {
            let text = call.arg(argument)?;
            l.check_whole_string(call, argument, text, 1, None)
        }),
        ScansText { argument } => unless_null(l, call, contract, argument, |l| {
            let text = call.arg(argument)?;
            l.check_string(call, argument, text, 1, None)
        }),
        WritesObjects { argument, amount } => unless_null(l, call, contract, argument, |l| {
            l.check_objects(call, argument, amount.unsigned_abs(), AccessMode::Write)
        }),
        ReadsObject { argument } => {
            unless_null(l, call, contract, argument, |l| l.check_object(call, argument, AccessMode::Read))
        }
        WritesObject { argument } | AltersObject { argument } => {
            unless_null(l, call, contract, argument, |l| l.check_object(call, argument, AccessMode::Write))
        }
        ReadsBuffer { argument, size } => unless_null(l, call, contract, argument, |l| {
            let (from, size) = (l.ptr_arg(call, argument)?, l.size_arg(call, size)?);
            l.check_read(call, argument, from, size)
        }),
        WritesBuffer { argument, size } => unless_null(l, call, contract, argument, |l| {
            let (to, size) = (l.ptr_arg(call, argument)?, l.size_arg(call, size)?);
            l.check_write(call, argument, to, size)
        }),
        _ => Ok(()),
    }
}

/// Frees what the function frees, judged.
fn release(l: &mut L<'_>, call: &C<'_>, clause: Clause) -> Lowered<()> {
    let Clause::Releases { argument } = clause else { return Ok(()) };
    let ptr = l.ptr_arg(call, argument)?;
    check_freeable(l, call, argument, &ptr)?;
    l.emit(StmtKind::Free { ptr }, call.span)
}

/// The number that the call gives, evaluated; None where it gives something else.
fn numeric_result(l: &mut L<'_>, call: &C<'_>, contract: &[Clause]) -> Lowered<Option<Expr>> {
    let ty = call.result_or(l.int_type());
    let name = format!("{}()", call.name);
    let is_number = matches!(l.program.types.get(ty), Type::Int(_) | Type::Float(_));
    let value = match contract.iter().copied().find(|c| c.gives()) {
        Some(Clause::GivesBetween { least, most }) => number(l, contract, &name, ty, Some((least, most)), call)?,
        Some(Clause::GivesError) => number(l, contract, &name, ty, Some((0, LAST_ERROR)), call)?,
        Some(Clause::GivesNumber) => number(l, contract, &name, ty, None, call)?,
        // The contract does not say: no value is claimed to come.
        None if is_number => l.approximate_value(&name, ty, None, call.span)?,
        _ => return Ok(None),
    };
    l.hold(value, call.span).map(Some)
}

/// What the call gives that is not a number of its own, evaluated.
fn other_result(l: &mut L<'_>, call: &C<'_>, contract: &[Clause]) -> Lowered<Expr> {
    use Clause::*;
    let ty = call.result_or(l.int_type());
    let value = match contract.iter().copied().find(|c| c.gives()) {
        Some(GivesBlock { size }) => {
            let size = l.size_arg(call, size)?;
            block(l, call, contract, AllocKind::Heap, size)?
        }
        Some(LendsBlock { size }) => {
            let size = l.size_arg(call, size)?;
            block(l, call, contract, AllocKind::Static, size)?
        }
        Some(GivesArray { elements, size }) => {
            let (n, m) = (l.size_arg(call, elements)?, l.size_arg(call, size)?);
            let size = product(l, call, n, m)?;
            block(l, call, contract, AllocKind::Heap, size)?
        }
        Some(ResizesBlock { argument, size }) => resized(l, call, contract, argument, size)?,
        Some(GivesText { most }) => {
            let most = u64::try_from(most).unwrap_or(0);
            super::kept::text(l, call, most, contract.contains(&MayFail), ty)?
        }
        Some(GivesObject) => super::kept::object(l, call, contract.contains(&MayFail), !contract.contains(&Computes))?,
        Some(GivesArgument { argument }) => call.arg(argument)?,
        _ if ty == l.program.types.void() => return Ok(l.void()),
        // It never returns.
        _ => return Ok(if l.program.types.is_scalar(ty) { l.zero_of(ty) } else { uninitialized(l, ty, call)? }),
    };
    let value = l.convert(value, ty, call.span)?;
    l.hold(value, call.span)
}

/// A value of a type that is no scalar, which nobody comes to read.
fn uninitialized(l: &mut L<'_>, ty: TypeId, call: &C<'_>) -> Lowered<Expr> {
    Ok(Expr::load(Place::var(l.temp(ty, call.span)?, ty)))
}

/// A number within bounds, or any.
fn number(
    l: &mut L<'_>,
    contract: &[Clause],
    name: &str,
    ty: TypeId,
    bounds: Option<(i64, i64)>,
    call: &C<'_>,
) -> Lowered<Expr> {
    let range = bounds.map(|(least, most)| l.within(ty, (least.into(), most.into())));
    l.number_of(name, ty, range, contract.contains(&Clause::Computes), call.span)
}

fn block(l: &mut L<'_>, call: &C<'_>, contract: &[Clause], kind: AllocKind, size: Expr) -> Lowered<Expr> {
    let (zeroed, fails) = (contract.contains(&Clause::ZeroesBlock), contract.contains(&Clause::MayFail));
    let fails = fails && !(kind == AllocKind::Heap && l.options.allocation_succeeds);
    let ty = l.program.types.void_ptr();
    l.allocate(call, kind, size, zeroed, fails, ty)
}

fn resized(l: &mut L<'_>, call: &C<'_>, contract: &[Clause], argument: usize, size: usize) -> Lowered<Expr> {
    let (ptr, size) = (l.ptr_arg(call, argument)?, l.size_arg(call, size)?);
    check_freeable(l, call, argument, &ptr)?;
    let block = super::memory::resize(l, call, ptr, size.clone())?;
    if l.options.allocation_succeeds || !contract.contains(&Clause::MayFail) {
        suppose_given(l, call, &block, size)?;
    }
    Ok(block)
}

/// What the function writes; where its result is below 0, which says that it failed, it may have written that or not.
fn write_all(l: &mut L<'_>, call: &C<'_>, contract: &[Clause], number: Option<&Expr>) -> Lowered<()> {
    use Clause::*;
    let writes = |clause: &&Clause| {
        matches!(clause, WritesObject { .. } | WritesObjects { .. } | WritesBuffer { .. } | AltersObject { .. })
    };
    if !contract.iter().any(|clause| writes(&clause)) {
        return Ok(());
    }
    let write = |l: &mut L<'_>| contract.iter().filter(writes).try_for_each(|clause| write(l, call, contract, *clause));
    let gives_error = contract.contains(&GivesError);
    let may_fail = gives_error || contract.iter().any(|clause| matches!(clause, GivesBetween { least: ..0, .. }));
    let signed = |n: &&Expr| l.program.types.as_int(n.ty).is_some_and(|kind| kind.signed() || gives_error);
    let Some(result) = number.filter(|n| may_fail && signed(n)) else { return write(l) };
    let done = l.variable_of(l.int_const(1), call.span)?;
    let fails = if gives_error { BinaryOp::Ne } else { BinaryOp::Lt };
    let failed = l.compared(fails, result.clone(), Expr::int(0, result.ty));
    l.when(failed, call.span, |l| {
        if contract.contains(&FailsCleanly) {
            return l.set(&done, l.int_const(0), call.span);
        }
        let wrote = l.perhaps(&format!("{}() writes before it fails", call.name), call.span)?;
        l.set(&done, wrote, call.span)
    })?;
    let done = l.compared(BinaryOp::Ne, Expr::load(done), l.int_const(0));
    l.when(done, call.span, write)
}

fn write(l: &mut L<'_>, call: &C<'_>, contract: &[Clause], clause: Clause) -> Lowered<()> {
    let free = !contract.contains(&Clause::Computes);
    match clause {
        Clause::WritesObject { argument } => {
            unless_null(l, call, contract, argument, |l| l.fill_checked(call, argument, free))
        }
        Clause::WritesObjects { argument, amount } => {
            unless_null(l, call, contract, argument, |l| l.fill_row(call, argument, amount.unsigned_abs()))
        }
        Clause::AltersObject { argument } => {
            unless_null(l, call, contract, argument, |l| l.fill_checked(call, argument, false))
        }
        Clause::WritesBuffer { argument, size } => unless_null(l, call, contract, argument, |l| {
            let (to, size) = (l.ptr_arg(call, argument)?, l.size_arg(call, size)?);
            let name = format!("{}() content", call.name);
            if free {
                l.input_bytes(&name, to, size, call.span)
            } else {
                l.approximate_bytes(&name, to, size, call.span)
            }
        }),
        _ => Ok(()),
    }
}

/// The result of a function that may do anything, as far as its contract bounds it. Nothing is claimed to come.
fn bounded(l: &mut L<'_>, call: &C<'_>, contract: &[Clause], value: Expr) -> Lowered<Expr> {
    for clause in contract {
        match *clause {
            Clause::GivesBetween { least, most } if l.program.types.as_int(value.ty).is_some() => {
                let range = Some(l.within(value.ty, (least.into(), most.into())));
                return l.approximate_value(&format!("{}()", call.name), value.ty, range, call.span);
            }
            Clause::GivesArgument { argument } => return l.convert(call.arg(argument)?, value.ty, call.span),
            _ => {}
        }
    }
    Ok(value)
}

/// The program ends here: by `exit`, which runs the handlers of `atexit`, or without them.
fn end(l: &mut L<'_>, call: &C<'_>) -> Lowered<()> {
    let exits = l.perhaps(&format!("{}() calls exit()", call.name), call.span)?;
    l.when(exits, call.span, |l| {
        let status = l.int_const(1);
        super::process::exit(l, call, status)
    })?;
    l.terminate(Terminator::Exit(None), call.span)
}
