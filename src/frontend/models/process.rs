//! The process and its surroundings: `exit`, the environment, random numbers, `errno`, opaque library objects.

use super::{LibraryCall, Model};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AllocKind, BinaryOp, CheckKind, Expr, Place, PlaceBase, StmtKind, Terminator};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// `RAND_MAX` of the GNU C library.
const RAND_MAX: i128 = 0x7fff_ffff;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "exit" | "_exit" | "_Exit" | "quick_exit" => |l, c| {
            let status = c.arg(0)?;
            l.terminate(Terminator::Exit(Some(status)), c.span)?;
            Ok(l.void())
        },
        "atexit" => |l, c| {
            let handler = c.arg(0)?;
            l.register_handler(handler, c.span)
        },
        "abort" | "trap" => |l, c| {
            l.terminate(Terminator::Exit(None), c.span)?;
            Ok(l.void())
        },
        "__assert_fail" | "__assert" | "__assert_rtn" | "__assert_perror_fail" => |l, c| {
            let cond = l.int_const(0);
            l.check_holds(CheckKind::Assertion, cond, "assert", c.span)?;
            l.terminate(Terminator::Unreachable, c.span)?;
            Ok(l.void())
        },
        // Where its header is missing, `assert` is no macro.
        "assert" => |l, c| {
            let cond = c.arg(0)?;
            let zero = l.zero_of(cond.ty);
            let cond = l.compared(BinaryOp::Ne, cond, zero);
            l.check_holds(CheckKind::Assertion, cond, &c.texts[0], c.span)?;
            Ok(l.void())
        },
        "rand" | "random" | "lrand48" | "rand_r" => |l, c| {
            let ty = c.result_or(l.int_type());
            l.input_value(&format!("{}()", c.name), ty, Some((0, RAND_MAX)), c.span)
        },
        // Below the argument (arc4random(3)).
        "arc4random_uniform" => |l, c| {
            let ty = c.result_or(l.kind_type(crate::ir::IntKind::UInt));
            let bound = l.arg_as(c, 0, ty)?;
            let result = l.variable_of(Expr::int(0, ty), c.span)?;
            let some = l.compared(BinaryOp::Gt, bound.clone(), Expr::int(1, ty));
            l.when(some, c.span, |l| {
                let last = l.folded(BinaryOp::Sub, bound, Expr::int(1, ty), ty);
                let value = l.input_between("arc4random_uniform()", ty, Some((Expr::int(0, ty), last)), c.span)?;
                l.set(&result, value, c.span)
            })?;
            Ok(Expr::load(result))
        },
        "__errno_location" | "__error" => errno,
        "fopen" | "fopen64" | "fdopen" | "freopen" | "freopen64" | "popen" | "tmpfile" | "tmpfile64" | "opendir"
        | "fdopendir" | "setmntent" => open,
        "fclose" | "pclose" | "closedir" => close,
        "setjmp" | "_setjmp" | "__sigsetjmp" | "sigsetjmp" => |l, c| {
            let (buffer, size) = (l.pinned_arg(c, 0)?, number_size(l));
            l.check_write(c, 0, buffer.clone(), size)?;
            l.set_jump(buffer, c.span)
        },
        // `setcontext` goes on here, with any memory changed.
        "getcontext" | "swapcontext" => |l, c| {
            let int = l.int_type();
            let dest = Place::var(l.temp(int, c.span)?, int);
            l.emit_unsupported("a saved context", Some(dest.clone()), c.span)?;
            Ok(Expr::load(dest))
        },
        "longjmp" | "_longjmp" | "siglongjmp" => |l, c| {
            let (buffer, size, int) = (l.pinned_arg(c, 0)?, number_size(l), l.int_type());
            let value = l.arg_as(c, 1, int)?;
            l.check_read(c, 0, buffer.clone(), size)?;
            l.long_jump(buffer, value, c.span)?;
            Ok(l.void())
        },
        "object_size" | "dynamic_object_size" => object_size,
        _ => return None,
    })
}

/// The program ends by `exit`, which another function calls.
pub(super) fn exit(l: &mut L<'_>, c: &C<'_>, status: Expr) -> Lowered<()> {
    let exit = LibraryCall { name: "exit", args: vec![status.clone()], ..c.clone() };
    l.note_call(&exit)?;
    l.terminate(Terminator::Exit(Some(status)), c.span)
}

/// The bytes of a `jmp_buf` that say where to jump.
fn number_size(l: &L<'_>) -> Expr {
    l.size_const(l.program.types.pointer_size())
}

/// What is left of the object, where the compiler finds that out; else the type's end, from above or from below
/// (GCC manual, "Object Size Checking").
fn object_size(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    const OF_MEMBER: i128 = 1;
    const LEAST: i128 = 2;
    let (size, p) = (l.size_type(), l.pinned_arg(c, 0)?);
    let Some(kind) = c.arg(1)?.as_int().filter(|kind| kind & OF_MEMBER == 0) else {
        return l.approximate_value(&format!("{}()", c.name), size, None, c.span);
    };
    let most = l.program.types.as_int(size).map_or(0, |kind| l.program.types.int_range(kind).1);
    let unknown = Expr::int(if kind & LEAST == 0 { most } else { 0 }, size);
    let value = l.lib_value(crate::ir::LibFn::ObjectSize, size, vec![p], c.span)?;
    let result = l.variable_of(value, c.span)?;
    let not_found = l.perhaps("the compiler does not know the object", c.span)?;
    l.when(not_found, c.span, |l| l.set(&result, unknown, c.span))?;
    Ok(Expr::load(result))
}

/// The address of `errno`, which any library function may have set.
fn errno(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    let place = super::kept::kept(l, "errno", int, c.span);
    let input = l.approximate_input("errno", c.span);
    let range = Some((l.int_const(0), l.int_const(133)));
    // What the program stored is there until a function has set another one.
    let changed = l.perhaps("errno has changed", c.span)?;
    l.when(changed, c.span, |l| l.emit(StmtKind::Input { input, dest: place.clone(), range }, c.span))?;
    let PlaceBase::Var(var) = place.base else { unreachable!("what the library keeps is a variable") };
    Ok(super::kept::address_of(l, var))
}

/// An opaque handle, or NULL.
fn open(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    for i in 0..c.args.len().min(2) {
        let s = l.pinned_arg(c, i)?;
        if l.program.types.pointee(s.ty) != l.program.types.pointee(l.program.types.char_ptr()) {
            continue;
        }
        if c.name.starts_with("freopen") && i == 0 {
            // NULL asks for another mode of the same file (C11 7.21.5.4p3).
            l.when_given(c, i, |l| l.check_string(c, i, s, 1, None))?;
        } else {
            l.check_string(c, i, s, 1, None)?;
        }
    }
    let ty = c.result_or(l.program.types.void_ptr());
    let size = l.program.types.pointee(ty).and_then(|t| l.program.types.size_of(t)).unwrap_or(1);
    let size = l.size_const(size.max(1));
    l.allocate(c, AllocKind::Opaque, size, false, true, ty)
}

fn close(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    l.pinned_arg(c, 0)?;
    let int = l.int_type();
    if !c.wanted {
        return Ok(l.int_const(0));
    }
    // What `wait` would tell of the other process (POSIX: `pclose`).
    let most = if c.name == "pclose" { 0xffff } else { 0 };
    l.input_value(&format!("{}()", c.name), int, Some((-1, most)), c.span)
}
