//! Functions whose contract is a line: checks of their arguments and a result that is an input.

use super::record::{LAST_OFFSET, LAST_SECOND};
use super::{LibraryCall, kept};
use crate::frontend::lower::{Lowered, Lowerer};
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
        !matches!(self, Argument::Text(_) | Argument::TextOrNull(_) | Argument::There(_))
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
    /// A value of its arithmetic type that follows from the arguments in a way that no contract describes.
    Computed,
    /// A zero-terminated string of at most so many characters in memory that is never freed, or NULL when the flag is set.
    TextBlock(u64, bool),
    /// A library object that is never freed, or NULL.
    Object,
    /// Its first argument.
    First,
}

pub(super) struct Contract {
    arguments: &'static [Argument],
    gives: Gives,
}

/// The contract of `name`.
pub(super) fn contract(name: &str) -> Option<Contract> {
    use Argument::*;
    use Gives::*;
    const STATUS: Gives = Between(-1, 0);
    const ERROR_NUMBER: Gives = Between(0, 133);
    let c = |arguments: &'static [Argument], gives| Some(Contract { arguments, gives });
    match name {
        // time.h, sys/time.h
        "gettimeofday" => c(&[Fill(0), AlterOrNull(1)], STATUS),
        "clock_gettime" => c(&[Fill(1)], STATUS),
        "difftime" => c(&[], Computed),
        "ctime" | "asctime" => c(&[There(0)], TextBlock(25, true)),
        "tzset" => c(&[], Nothing),
        // stdlib.h, unistd.h, signal.h
        "srand" | "srandom" | "srand48" => c(&[], Nothing),
        "system" => c(&[TextOrNull(0)], Between(-1, 65535)),
        "usleep" => c(&[], STATUS),
        "close" | "fsync" | "fdatasync" | "ftruncate" | "ftruncate64" | "fchmod" | "fchown" | "munmap"
        | "setpriority" | "setuid" | "setgid" | "sched_yield" => c(&[], STATUS),
        "sigemptyset" | "sigfillset" | "sigaddset" | "sigdelset" => c(&[Alter(0)], STATUS),
        "pathconf" => c(&[Text(0)], Between(-1, LAST_SECOND)),
        "malloc_usable_size" => c(&[], Computed),
        "arc4random" => c(&[], Any),
        "dlopen" => c(&[TextOrNull(0)], Object),
        "dlclose" => c(&[], STATUS),
        "add_history" => c(&[Text(0)], Nothing),
        "on_exit" => c(&[], Between(0, 1)),
        "utimensat" => c(&[Text(1)], STATUS),
        "pipe" => c(&[FillMany(0, 2)], STATUS),
        "uname" => c(&[Fill(0)], STATUS),
        "getrusage" => c(&[Fill(1)], STATUS),
        "unlink" | "rmdir" | "chdir" | "remove" => c(&[Text(0)], STATUS),
        "rename" | "link" | "symlink" => c(&[Text(0), Text(1)], STATUS),
        "chmod" | "mkdir" | "access" | "chown" | "lchown" => c(&[Text(0)], STATUS),
        "utime" | "utimes" => c(&[Text(0)], STATUS),
        "open" | "open64" | "creat" => c(&[Text(0)], Between(-1, 1 << 20)),
        "stat" | "lstat" | "stat64" | "lstat64" => c(&[Text(0), Fill(1)], STATUS),
        "fstat" | "fstat64" => c(&[Fill(1)], STATUS),
        "lseek" | "lseek64" => c(&[], Between(-1, LAST_OFFSET)),
        "dup" => c(&[], Between(-1, 1 << 20)),
        "alarm" => c(&[], Computed),
        // stdio.h
        "fflush" | "fseek" | "fseeko" | "fseeko64" => c(&[], STATUS),
        // What says that it failed is not 0 (C11 7.21.5.6p3).
        "setvbuf" => c(&[], Between(-1, 255)),
        "feof" | "ferror" | "feof_unlocked" | "ferror_unlocked" => c(&[], Between(0, 1)),
        "ftell" | "ftello" | "ftello64" => c(&[], Between(-1, LAST_OFFSET)),
        "fileno" => c(&[], Between(-1, 1 << 20)),
        "rewind" | "clearerr" | "setbuf" | "setlinebuf" | "flockfile" | "funlockfile" => c(&[], Nothing),
        // string.h, locale.h
        "strerror" | "gai_strerror" | "hstrerror" | "strsignal" => c(&[], TextBlock(63, false)),
        "setlocale" => c(&[TextOrNull(1)], TextBlock(255, true)),
        "nl_langinfo" | "dlerror" | "inet_ntoa" | "ttyname" | "getlogin" => c(&[], TextBlock(255, true)),
        // sockets
        "socket" => c(&[], Between(-1, 1 << 20)),
        "accept" => c(&[FillOrNull(1), FillOrNull(2)], Between(-1, 1 << 20)),
        "getsockname" | "getpeername" => c(&[Fill(1), Fill(2)], STATUS),
        "connect" | "bind" | "listen" | "shutdown" | "setsockopt" | "closesocket" => c(&[], STATUS),
        // pthread.h, threads of the suite
        "pthread_mutex_lock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_unlock"
        | "pthread_mutex_init"
        | "pthread_mutex_destroy"
        | "pthread_mutexattr_init"
        | "pthread_mutexattr_settype"
        | "pthread_mutexattr_destroy"
        | "pthread_cond_init"
        | "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "pthread_cond_destroy"
        | "pthread_attr_init"
        | "pthread_attr_destroy" => c(&[There(0)], ERROR_NUMBER),
        "pthread_cond_wait" => c(&[There(0), There(1)], ERROR_NUMBER),
        "pthread_detach" => c(&[], ERROR_NUMBER),
        "pthread_join" => c(&[AlterOrNull(1)], ERROR_NUMBER),
        // Compiler hints.
        "prefetch" | "__clear_cache" => c(&[], Nothing),
        "assume_aligned" => c(&[], First),
        "__sync_synchronize" | "__atomic_thread_fence" => c(&[], Nothing),
        _ => None,
    }
}

/// Lowers a call by its contract; None without one.
pub(super) fn lower(l: &mut Lowerer<'_>, call: &LibraryCall<'_>) -> Lowered<Option<Expr>> {
    let Some(contract) = contract(call.name) else { return Ok(None) };
    if contract.arguments.iter().all(|a| matches!(a, Argument::There(_))) {
        // The result stands next to the call, where rules about locks look for it.
        let result = result(l, call, contract.gives)?;
        contract.arguments.iter().try_for_each(|argument| check(l, call, *argument))?;
        return Ok(Some(result));
    }
    for argument in contract.arguments {
        check(l, call, *argument)?;
    }
    let written: Vec<Argument> = contract.arguments.iter().copied().filter(|a| a.is_written()).collect();
    if written.is_empty() {
        return result(l, call, contract.gives).map(Some);
    }
    let result = result(l, &LibraryCall { wanted: true, ..call.clone() }, contract.gives)?;
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
        Argument::Text(i) => {
            let s = l.pinned_arg(call, i)?;
            l.check_string(call, i, s, 1, None)
        }
        Argument::TextOrNull(i) => l.when_given(call, i, |l| {
            let s = l.pinned_arg(call, i)?;
            l.check_string(call, i, s, 1, None)
        }),
        Argument::There(i) => l.check_object(call, i, AccessMode::Read),
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
        Argument::Text(_) | Argument::TextOrNull(_) | Argument::There(_) => Ok(()),
        Argument::Fill(i) => l.fill_checked(call, i, true),
        Argument::FillMany(i, count) => l.fill_row(call, i, count),
        Argument::Alter(i) => l.fill_checked(call, i, false),
        Argument::FillOrNull(i) => l.when_given(call, i, |l| l.fill_checked(call, i, true)),
        Argument::AlterOrNull(i) => l.when_given(call, i, |l| l.fill_checked(call, i, false)),
    }
}

fn result(l: &mut Lowerer<'_>, call: &LibraryCall<'_>, gives: Gives) -> Lowered<Expr> {
    let ty = call.result_or(l.int_type());
    let name = format!("{}()", call.name);
    if ty == l.program.types.void() {
        return Ok(l.void());
    }
    match gives {
        Gives::Nothing => Ok(l.zero_of(ty)),
        Gives::First => call.arg(0),
        Gives::Between(..) | Gives::Any | Gives::Computed if !call.wanted => Ok(l.zero_of(ty)),
        Gives::Between(low, high) => match l.program.types.as_int(ty) {
            Some(kind) => {
                let (least, most) = l.program.types.int_range(kind);
                let range = (i128::from(low).max(least), i128::from(high).min(most));
                l.input_value(&name, ty, Some(range), call.span)
            }
            None => l.input_value(&name, ty, None, call.span),
        },
        Gives::Any => l.input_value(&name, ty, None, call.span),
        Gives::Computed => match l.program.types.get(ty) {
            Type::Int(_) | Type::Float(_) => l.approximate_value(&name, ty, None, call.span),
            _ => kept::text(l, call, 255, true, ty),
        },
        Gives::TextBlock(most, may_fail) => kept::text(l, call, most, may_fail, ty),
        Gives::Object => kept::object(l, call, true, true),
    }
}
