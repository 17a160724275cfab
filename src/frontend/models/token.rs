//! Functions that take strings apart or make new ones: `strtok`, `strsep`, `asprintf`, `getline`, path names.

use super::LibraryCall;
use super::dispatch::Model;
use super::kept::{self, kept};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, AllocKind, BinaryOp, Expr, LibFn, Place};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "strtok" => |l, c| {
            let ty = l.program.types.char_ptr();
            let state = kept(l, "strtok() position", ty, c.span);
            tokenize(l, c, state)
        },
        "strtok_r" => |l, c| {
            let (save, ty) = (l.pinned_arg(c, 2)?, l.program.types.char_ptr());
            let size = l.size_const(l.program.types.pointer_size());
            l.check_write(c, 2, save.clone(), size)?;
            tokenize(l, c, Place::deref(save, ty))
        },
        "strsep" => strsep,
        // NULL, or where the text stopped to fit the format.
        "strptime" => |l, c| {
            let (s, format) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
            l.check_string(c, 0, s.clone(), 1, None)?;
            l.check_string(c, 1, format, 1, None)?;
            // Members that the format does not name stay as they are.
            l.check_object(c, 2, AccessMode::Write)?;
            let fills = l.perhaps("strptime() stores", c.span)?;
            l.when(fills, c.span, |l| l.fill_checked(c, 2, false))?;
            let ty = s.ty;
            let end = inside(l, c, s)?;
            let result = l.variable_of(end, c.span)?;
            let fails = l.perhaps("strptime() fails", c.span)?;
            l.when(fails, c.span, |l| l.set(&result, Expr::int(0, ty), c.span))?;
            Ok(Expr::load(result))
        },
        "strchrnul" => |l, c| {
            let s = l.pinned_arg(c, 0)?;
            l.check_string(c, 0, s.clone(), 1, None)?;
            let (int, size, ty) = (l.int_type(), l.size_type(), c.result_or(s.ty));
            let wanted = l.arg_as(c, 1, int)?;
            let found = l.lib_value(LibFn::StrChr(1), ty, vec![s.clone(), wanted], c.span)?;
            let len = l.lib_value(LibFn::StrLen(1), size, vec![s.clone()], c.span)?;
            let end = l.advanced(s, len);
            let result = l.variable_of(found.clone(), c.span)?;
            let missed = l.compared(BinaryOp::Eq, found, Expr::int(0, ty));
            l.when(missed, c.span, |l| l.set(&result, end.cast(ty), c.span))?;
            Ok(Expr::load(result))
        },
        "memmem" => memmem,
        "strcasestr" => |l, c| {
            let (s, other) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
            l.check_string(c, 0, s.clone(), 1, None)?;
            l.check_string(c, 1, other, 1, None)?;
            let ty = c.result_or(s.ty);
            let place = inside(l, c, s)?;
            or_null(l, c, place.cast(ty))
        },
        "memrchr" => |l, c| {
            let (s, n) = (l.ptr_arg(c, 0)?, l.size_arg(c, 2)?);
            l.check_read(c, 0, s.clone(), n.clone())?;
            let result = l.variable_of(Expr::int(0, s.ty), c.span)?;
            let some = l.compared(BinaryOp::Gt, n.clone(), l.size_const(0));
            l.when(some, c.span, |l| {
                let last = l.size_op(BinaryOp::Sub, n, l.size_const(1));
                let range = Some((l.size_const(0), last));
                let at = l.approximate_value("memrchr() place", l.size_type(), range, c.span)?;
                let place = l.advanced(s, at);
                let place = or_null(l, c, place)?;
                l.set(&result, place, c.span)
            })?;
            Ok(Expr::load(result))
        },
        "canonicalize_file_name" => |l, c| {
            l.check_text(c, 0)?;
            new_path(l, c)
        },
        "get_current_dir_name" => new_path,
        "tempnam" => |l, c| {
            for i in 0..2 {
                l.check_text_if_given(c, i)?;
            }
            new_path(l, c)
        },
        "dirname" => dirname,
        "basename" => |l, c| {
            let path = l.pinned_arg(c, 0)?;
            l.check_string(c, 0, path.clone(), 1, None)?;
            inside(l, c, path)
        },
        // NULL has the name of the directory.
        "__xpg_basename" => |l, c| {
            let path = l.pinned_arg(c, 0)?;
            let ty = path.ty;
            let own = kept::text(l, c, 1, false, ty)?;
            let result = l.variable_of(own, c.span)?;
            l.when_given(c, 0, |l| {
                l.check_string(c, 0, path.clone(), 1, None)?;
                let own = l.perhaps("basename() gives its own text", c.span)?;
                let inner = l.compared(BinaryOp::Eq, own, l.int_const(0));
                l.when(inner, c.span, |l| {
                    let cut = l.perhaps("basename() cuts the path", c.span)?;
                    if l.literal_text(&path).is_none_or(|text| text.ends_with(b"/")) {
                        l.when(cut, c.span, |l| {
                            let end = inside(l, c, path.clone())?;
                            l.check_write(c, 0, end.clone(), l.size_const(1))?;
                            l.terminate_text(end, 1, c.span)
                        })?;
                    }
                    let name = inside(l, c, path)?;
                    l.set(&result, name, c.span)
                })
            })?;
            Ok(Expr::load(result))
        },
        "mktemp" | "mkstemp" | "mkstemp64" | "mkdtemp" | "mkostemp" | "mkostemp64" => |l, c| template(l, c, None),
        "mkstemps" | "mkstemps64" | "mkostemps" | "mkostemps64" => |l, c| template(l, c, Some(1)),
        "realpath" => realpath,
        "getline" | "getdelim" => getline,
        "readline" => |l, c| {
            let ty = c.result_or(l.program.types.char_ptr());
            l.new_text(c, AllocKind::Heap, super::input::LARGEST_TRANSFER, true, ty)
        },
        _ => return None,
    })
}

/// The next token behind the first argument, or behind `saved` when that is NULL (C11 7.24.5.8).
fn tokenize(l: &mut L<'_>, c: &C<'_>, saved: Place) -> Lowered<Expr> {
    let (ty, size) = (l.program.types.char_ptr(), l.size_type());
    let s = l.pinned_arg(c, 0)?.cast(ty);
    let set = l.pinned_arg(c, 1)?;
    l.check_string(c, 1, set.clone(), 1, None)?;
    let at = l.variable_of(s.clone(), c.span)?;
    let again = l.compared(BinaryOp::Eq, s, Expr::int(0, ty));
    l.when(again, c.span, |l| l.set(&at, Expr::load(saved.clone()), c.span))?;
    let result = l.variable_of(Expr::int(0, ty), c.span)?;
    let some = l.is_not_null(&Expr::load(at.clone()));
    l.when(some, c.span, |l| {
        let begin = Expr::load(at.clone());
        l.check_string(c, 0, begin.clone(), 1, None)?;
        let skipped = l.lib_value(LibFn::StrSpn(1), size, vec![begin.clone(), set.clone()], c.span)?;
        let token = l.advanced(begin, skipped);
        let token = l.hold(token, c.span)?;
        let len = l.lib_value(LibFn::StrCSpn(1), size, vec![token.clone(), set], c.span)?;
        l.set(&saved, Expr::int(0, ty), c.span)?;
        let more = l.compared(BinaryOp::Ne, len.clone(), l.size_const(0));
        l.when(more, c.span, |l| {
            l.set(&result, token.clone(), c.span)?;
            let rest = l.lib_value(LibFn::StrLen(1), size, vec![token.clone()], c.span)?;
            let cut = l.compared(BinaryOp::Lt, len.clone(), rest);
            l.when(cut, c.span, |l| {
                let end = l.advanced(token, len);
                let one = l.size_const(1);
                // A string literal cannot be cut.
                l.check_write(c, 0, end.clone(), one.clone())?;
                l.terminate_text(end.clone(), 1, c.span)?;
                let next = l.advanced(end, one);
                l.set(&saved, next, c.span)
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// `strsep(&s, set)`: cuts `s` at the first character of the set and moves it behind.
fn strsep(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (ty, size) = (l.program.types.char_ptr(), l.size_type());
    let (at, set) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    let bytes = l.size_const(l.program.types.pointer_size());
    l.check_write(c, 0, at.clone(), bytes)?;
    l.check_string(c, 1, set.clone(), 1, None)?;
    let place = Place::deref(at, ty);
    let begin = l.hold(Expr::load(place.clone()), c.span)?;
    let some = l.is_not_null(&begin);
    l.when(some, c.span, |l| {
        l.check_string(c, 0, begin.clone(), 1, None)?;
        let len = l.lib_value(LibFn::StrCSpn(1), size, vec![begin.clone(), set], c.span)?;
        let rest = l.lib_value(LibFn::StrLen(1), size, vec![begin.clone()], c.span)?;
        l.set(&place, Expr::int(0, ty), c.span)?;
        let cut = l.compared(BinaryOp::Lt, len.clone(), rest);
        l.when(cut, c.span, |l| {
            let end = l.advanced(begin.clone(), len);
            let one = l.size_const(1);
            l.check_write(c, 0, end.clone(), one.clone())?;
            l.terminate_text(end.clone(), 1, c.span)?;
            let next = l.advanced(end, one);
            l.set(&place, next, c.span)
        })
    })?;
    Ok(begin)
}

/// NULL, or an address in the haystack at which the needle fits.
fn memmem(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (hay, n, needle, m) = (l.ptr_arg(c, 0)?, l.size_arg(c, 1)?, l.ptr_arg(c, 2)?, l.size_arg(c, 3)?);
    l.check_read(c, 0, hay.clone(), n.clone())?;
    l.check_read(c, 2, needle, m.clone())?;
    let (size, zero) = (l.size_type(), l.size_const(0));
    let result = l.variable_of(Expr::int(0, hay.ty), c.span)?;
    let fits = l.compared(BinaryOp::Le, m.clone(), n.clone());
    let found = l.perhaps("memmem() finds", c.span)?;
    l.when(fits, c.span, |l| {
        l.when(found, c.span, |l| {
            let last = l.size_op(BinaryOp::Sub, n, m);
            let at = l.approximate_value("memmem() place", size, Some((zero, last)), c.span)?;
            let place = l.advanced(hay, at);
            l.set(&result, place, c.span)
        })
    })?;
    Ok(Expr::load(result))
}

/// An address inside the string `s`, which was checked, the terminator's included.
fn inside(l: &mut L<'_>, c: &C<'_>, s: Expr) -> Lowered<Expr> {
    let (size, zero) = (l.size_type(), l.size_const(0));
    let len = l.lib_value(LibFn::StrLen(1), size, vec![s.clone()], c.span)?;
    let at = l.approximate_value(&format!("{}()", c.name), size, Some((zero, len)), c.span)?;
    Ok(l.advanced(s, at))
}

/// The path, cut somewhere, or a text of the library's own.
fn dirname(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let path = l.pinned_arg(c, 0)?;
    let ty = path.ty;
    let own = kept::text(l, c, 1, false, ty)?;
    let result = l.variable_of(own, c.span)?;
    l.when_given(c, 0, |l| {
        l.check_string(c, 0, path.clone(), 1, None)?;
        let cut = l.perhaps("dirname() cuts the path", c.span)?;
        l.when(cut, c.span, |l| {
            let end = inside(l, c, path.clone())?;
            l.check_write(c, 0, end.clone(), l.size_const(1))?;
            l.terminate_text(end, 1, c.span)?;
            l.set(&result, path, c.span)
        })
    })?;
    Ok(Expr::load(result))
}

/// What nobody knows, or NULL.
fn or_null(l: &mut L<'_>, c: &C<'_>, place: Expr) -> Lowered<Expr> {
    let none = Expr::int(0, place.ty);
    let result = l.variable_of(place, c.span)?;
    let misses = l.perhaps(&format!("{}() finds nothing", c.name), c.span)?;
    l.when(misses, c.span, |l| l.set(&result, none, c.span))?;
    Ok(Expr::load(result))
}

/// A new block with a path of any length, or NULL.
fn new_path(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = c.result_or(l.program.types.char_ptr());
    l.new_text(c, AllocKind::Heap, i32::MAX as u64 - 1, true, ty)
}

/// The last six characters, or those in front of as many as argument `behind` says, are replaced; a descriptor, or the template, or -1 or
/// NULL.
fn template(l: &mut L<'_>, c: &C<'_>, behind: Option<usize>) -> Lowered<Expr> {
    let s = l.pinned_arg(c, 0)?;
    l.check_string(c, 0, s.clone(), 1, None)?;
    let size = l.size_type();
    let len = l.lib_value(LibFn::StrLen(1), size, vec![s.clone()], c.span)?;
    let six = l.size_const(6);
    let last = match behind {
        None => six.clone(),
        // Below 0, or more than there are, is an error of the call.
        Some(i) => {
            let int = l.int_type();
            let behind = l.arg_as(c, i, int)?.cast(size);
            let behind = l.at_most(c, behind, i32::MAX as u64)?;
            l.size_op(BinaryOp::Add, behind, six.clone())
        }
    };
    let last = l.hold(last, c.span)?;
    let long = l.compared(BinaryOp::Ge, len.clone(), last.clone());
    l.when(long, c.span, |l| {
        let begin = l.size_op(BinaryOp::Sub, len, last);
        let tail = l.advanced(s.clone(), begin);
        l.check_write(c, 0, tail.clone(), six.clone())?;
        l.approximate_bytes(&format!("{}() name", c.name), tail, six, c.span)
    })?;
    let ty = c.result_or(s.ty);
    if l.program.types.as_int(ty).is_some() {
        return l.input_value(&format!("{}()", c.name), ty, Some((-1, 1 << 20)), c.span);
    }
    Ok(s)
}

/// NULL, or the second argument (a new block when that is NULL) with an absolute path.
fn realpath(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    /// `PATH_MAX`
    const LONGEST: u64 = 4096;
    let (path, out) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    l.check_string(c, 0, path, 1, None)?;
    let (ty, size) = (out.ty, l.size_type());
    let result = l.variable_of(Expr::int(0, ty), c.span)?;
    let some = l.either("realpath() succeeds", c.span)?;
    l.when(some, c.span, |l| {
        let given = l.is_not_null(&out);
        let own = l.compared(BinaryOp::Eq, out.clone(), Expr::int(0, ty));
        l.when(given, c.span, |l| {
            let range = Some((l.size_const(1), l.size_const(LONGEST - 1)));
            let len = l.approximate_value("realpath() length", size, range, c.span)?;
            let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
            l.check_write(c, 1, out.clone(), all)?;
            l.approximate_bytes("realpath() text", out.clone(), len.clone(), c.span)?;
            let end = l.advanced(out.clone(), len);
            l.terminate_text(end, 1, c.span)?;
            l.set(&result, out, c.span)
        })?;
        l.when(own, c.span, |l| {
            let block = l.new_text(c, AllocKind::Heap, LONGEST - 1, true, ty)?;
            l.set(&result, block, c.span)
        })
    })?;
    Ok(Expr::load(result))
}

/// Reads a line into `*line`, which is replaced by a larger block where it has no room for the line. How large that is is the
/// library's choice.
fn getline(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    const LONGEST: u64 = super::input::LARGEST_TRANSFER;
    let (line, capacity) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    let (ty, size, result_ty) = (l.program.types.char_ptr(), l.size_type(), l.program.types.ptrdiff_type());
    let word = l.size_const(l.program.types.pointer_size());
    l.check_write(c, 0, line.clone(), word.clone())?;
    l.check_write(c, 1, capacity.clone(), word)?;
    let result = l.variable_of(Expr::int(-1, result_ty), c.span)?;
    let some = l.either(&format!("{}() succeeds", c.name), c.span)?;
    let old = l.hold(Expr::load(Place::deref(line.clone(), ty)), c.span)?;
    let had = l.hold(Expr::load(Place::deref(capacity.clone(), size)), c.span)?;
    // A first block may be there even where nothing could be read.
    let fresh = l.variable_of(l.int_const(0), c.span)?;
    let none = l.compared(BinaryOp::Eq, some.clone(), l.int_const(0));
    l.when(none, c.span, |l| {
        let without = l.compared(BinaryOp::Eq, old.clone(), Expr::int(0, ty));
        l.when(without, c.span, |l| {
            let made = l.perhaps(&format!("{}() makes room", c.name), c.span)?;
            l.set(&fresh, made, c.span)
        })
    })?;
    let fresh = l.compared(BinaryOp::Ne, Expr::load(fresh), l.int_const(0));
    l.when(fresh, c.span, |l| {
        let range = Some((l.size_const(1), l.size_const(2 * LONGEST)));
        let got = l.approximate_value(&format!("{}() room", c.name), size, range, c.span)?;
        let block = l.allocate(c, AllocKind::Heap, got.clone(), false, false, ty)?;
        l.store_through(line.clone(), block, c.span)?;
        l.store_through(capacity.clone(), got, c.span)
    })?;
    l.when(some, c.span, |l| {
        let range = Some((l.size_const(1), l.size_const(LONGEST)));
        let len = l.input_between(&format!("{}() length", c.name), size, range, c.span)?;
        let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
        let at = l.variable_of(old.clone(), c.span)?;
        let given = l.is_not_null(&old);
        let room = l.compared(BinaryOp::Ge, had.clone(), all.clone());
        let stays = l.variable_of(l.int_const(0), c.span)?;
        l.when(given, c.span, |l| l.set(&stays, room, c.span))?;
        let stays = l.compared(BinaryOp::Ne, Expr::load(stays), l.int_const(0));
        let moves = l.compared(BinaryOp::Eq, stays.clone(), l.int_const(0));
        l.when(stays, c.span, |l| l.check_write(c, 0, old.clone(), all.clone()))?;
        l.when(moves, c.span, |l| {
            super::memory::release(l, c, &old)?;
            let range = Some((all.clone(), l.size_const(2 * LONGEST)));
            let got = l.approximate_value(&format!("{}() room", c.name), size, range, c.span)?;
            let block = l.allocate(c, AllocKind::Heap, got.clone(), false, false, ty)?;
            l.set(&at, block.clone(), c.span)?;
            l.store_through(line, block, c.span)?;
            l.store_through(capacity, got, c.span)
        })?;
        let at = l.hold(Expr::load(at), c.span)?;
        l.input_bytes(&format!("{}() bytes", c.name), at.clone(), len.clone(), c.span)?;
        let end = l.advanced(at.clone(), len.clone());
        l.end_text(at, end, 1, c.span)?;
        let count = l.convert_counted(len, result_ty, c.span)?;
        l.set(&result, count, c.span)
    })?;
    Ok(Expr::load(result))
}
