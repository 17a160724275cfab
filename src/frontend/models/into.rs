//! Texts that the library writes to memory of its caller, with as much room as the call says.

use super::dispatch::Model;
use super::{LibraryCall, kept};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, Place};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// Names: of a host (`HOST_NAME_MAX`), of a user, of a terminal; an error's description.
const LONGEST_HOST: u64 = 64;
const LONGEST_USER: u64 = 255;
const LONGEST_PATH: u64 = 4095;
const LONGEST_ERROR: u64 = 63;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "gethostname" | "getdomainname" => host,
        "getlogin_r" => |l, c| or_error(l, c, 0, LONGEST_USER),
        "ttyname_r" | "ptsname_r" => |l, c| or_error(l, c, 1, LONGEST_PATH),
        "pthread_getname_np" => |l, c| or_error(l, c, 1, LONGEST_USER),
        "strerror_r" => description,
        "ctime_r" | "asctime_r" => calendar,
        "ctermid" => |l, c| fixed(l, c, 9, false),
        "tmpnam" => |l, c| fixed(l, c, 20, true),
        "confstr" => |l, c| {
            let (room, size) = (l.size_arg(c, 2)?, l.size_type());
            l.when_given(c, 1, |l| l.write_text(c, 1, room, LONGEST_PATH))?;
            let range = Some((l.size_const(0), l.size_const(LONGEST_PATH + 1)));
            l.approximate_value("confstr()", size, range, c.span)
        },
        "tgetstr" => capability,
        "getpwnam_r" | "getgrnam_r" => |l, c| {
            l.check_text(c, 0)?;
            entry(l, c)
        },
        "getpwuid_r" | "getgrgid_r" => entry,
        _ => return None,
    })
}

impl Lowerer<'_> {
    /// The lesser one of a count and a number.
    pub(super) fn at_most(&mut self, c: &LibraryCall<'_>, count: Expr, most: u64) -> Lowered<Expr> {
        if let Some(n) = count.as_int() {
            return Ok(Expr::int(n.min(i128::from(most)), count.ty));
        }
        let least = self.variable_of(count.clone(), c.span)?;
        let most = Expr::int(i128::from(most), count.ty);
        let above = self.compared(BinaryOp::Gt, count, most.clone());
        self.when(above, c.span, |l| l.set(&least, most, c.span))?;
        Ok(Expr::load(least))
    }

    /// Writes a text to argument `i`, of at most `longest` characters and as much of it as there is `room` for with a zero.
    pub(super) fn write_text(&mut self, c: &LibraryCall<'_>, i: usize, room: Expr, longest: u64) -> Lowered<()> {
        let to = self.pinned_arg(c, i)?;
        let some = self.compared(BinaryOp::Gt, room.clone(), self.size_const(0));
        self.when(some, c.span, |l| {
            let most = l.size_op(BinaryOp::Sub, room, l.size_const(1));
            let most = l.at_most(c, most, longest)?;
            let (size, name) = (l.size_type(), format!("{}() length", c.name));
            let len = l.approximate_value(&name, size, Some((l.size_const(0), most)), c.span)?;
            let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
            l.check_write(c, i, to.clone(), all)?;
            l.approximate_text(&format!("{}() text", c.name), to, len, c.span)
        })
    }
}

/// 0 with the name, or -1, where the room does not do: then as much of it is there as fits, without a zero.
fn host(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (to, room, int) = (l.pinned_arg(c, 0)?, l.size_arg(c, 1)?, l.int_type());
    let result = l.variable_of(l.int_const(-1), c.span)?;
    let some = l.compared(BinaryOp::Gt, room.clone(), l.size_const(0));
    let short = l.perhaps(&format!("{}() fails", c.name), c.span)?;
    let fits = l.compared(BinaryOp::Eq, short.clone(), l.int_const(0));
    let fits = l.folded(BinaryOp::And, fits, some, int);
    l.when(short, c.span, |l| {
        let bytes = l.at_most(c, room.clone(), LONGEST_HOST)?;
        l.check_write(c, 0, to.clone(), bytes.clone())?;
        l.approximate_bytes(&format!("{}() part", c.name), to, bytes, c.span)
    })?;
    l.when(fits, c.span, |l| {
        l.write_text(c, 0, room, LONGEST_HOST)?;
        let done = l.int_const(0);
        l.set(&result, done, c.span)
    })?;
    Ok(Expr::load(result))
}

/// 0 with a text in argument `i`, or the number of an error.
fn or_error(l: &mut L<'_>, c: &C<'_>, i: usize, longest: u64) -> Lowered<Expr> {
    let (room, int) = (l.size_arg(c, i + 1)?, l.int_type());
    let most = i128::from(super::table::LAST_ERROR);
    let result = l.input_value(&format!("{}()", c.name), int, Some((0, most)), c.span)?;
    let done = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
    l.when(done, c.span, |l| l.write_text(c, i, room, longest))?;
    Ok(result)
}

/// The function of POSIX gives 0 or the number of an error. That of the GNU library gives the description, which may be elsewhere.
fn description(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (to, room) = (l.pinned_arg(c, 1)?, l.size_arg(c, 2)?);
    let ty = c.result_or(l.int_type());
    if l.program.types.as_int(ty).is_some() {
        l.write_text(c, 1, room, LONGEST_ERROR)?;
        let range = Some(l.within(ty, (0, super::table::LAST_ERROR.into())));
        return l.approximate_value("strerror_r()", ty, range, c.span);
    }
    let own = kept::text(l, c, LONGEST_ERROR, false, ty)?;
    let result = l.variable_of(own, c.span)?;
    let writes = l.perhaps("strerror_r() writes", c.span)?;
    l.when(writes, c.span, |l| {
        l.write_text(c, 1, room, LONGEST_ERROR)?;
        l.set(&result, to.cast(ty), c.span)
    })?;
    Ok(Expr::load(result))
}

/// A text of 25 characters in the second argument, which has room for 26 (POSIX `asctime`); NULL where the year is longer.
fn calendar(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    l.check_object(c, 0, AccessMode::Read)?;
    let to = l.pinned_arg(c, 1)?;
    l.check_write(c, 1, to.clone(), l.size_const(26))?;
    let (size, ty) = (l.size_type(), c.result_or(to.ty));
    let len =
        l.approximate_value(&format!("{}() length", c.name), size, Some((l.size_const(24), l.size_const(25))), c.span)?;
    l.approximate_text(&format!("{}() text", c.name), to.clone(), len, c.span)?;
    let result = l.variable_of(to.cast(ty), c.span)?;
    let fails = l.perhaps(&format!("{}() fails", c.name), c.span)?;
    l.when(fails, c.span, |l| l.set(&result, Expr::int(0, ty), c.span))?;
    Ok(Expr::load(result))
}

/// A text in the argument, which has room for so many bytes; in memory of the library's own where it is NULL.
fn fixed(l: &mut L<'_>, c: &C<'_>, room: u64, fails: bool) -> Lowered<Expr> {
    let to = l.pinned_arg(c, 0)?;
    let ty = c.result_or(to.ty);
    let own = kept::text(l, c, room - 1, false, ty)?;
    let result = l.variable_of(own, c.span)?;
    l.when_given(c, 0, |l| {
        l.check_write(c, 0, to.clone(), l.size_const(room))?;
        let range = Some((l.size_const(0), l.size_const(room - 1)));
        let len = l.approximate_value(&format!("{}() length", c.name), l.size_type(), range, c.span)?;
        l.approximate_text(&format!("{}() text", c.name), to.clone(), len, c.span)?;
        l.set(&result, to.cast(ty), c.span)
    })?;
    if fails {
        let failed = l.either(&format!("{}() fails", c.name), c.span)?;
        l.when(failed, c.span, |l| l.set(&result, Expr::int(0, ty), c.span))?;
    }
    Ok(Expr::load(result))
}

/// What a terminal is told, or NULL: a text of the library's own, or, where the second argument leads to room for it, one that is put
/// there, behind which it leads then (curs_termcap(3)).
fn capability(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (name, at, ty) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?, l.program.types.char_ptr());
    l.check_string(c, 0, name, 1, None)?;
    l.when_given(c, 1, |l| l.check_object(c, 1, AccessMode::Write))?;
    let own = kept::text(l, c, LONGEST_USER, true, ty)?;
    let result = l.variable_of(own.clone(), c.span)?;
    let there = l.is_not_null(&own);
    l.when(there, c.span, |l| {
        l.when_given(c, 1, |l| {
            let place = Place::deref(at, ty);
            let to = l.hold(Expr::load(place.clone()), c.span)?;
            let some = l.is_not_null(&to);
            l.when(some, c.span, |l| {
                let range = Some((l.size_const(0), l.size_const(LONGEST_USER)));
                let len = l.approximate_value("tgetstr() length", l.size_type(), range, c.span)?;
                let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
                l.check_write(c, 1, to.clone(), all.clone())?;
                l.approximate_text("tgetstr() text", to.clone(), len, c.span)?;
                l.set(&result, to.clone(), c.span)?;
                let next = l.advanced(to, all);
                l.set(&place, next, c.span)
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// An entry in the second argument with its texts in the buffer, and where the last argument points the entry or NULL; 0, or the number
/// of an error.
fn entry(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (to, buffer, room, out) = (l.pinned_arg(c, 1)?, l.pinned_arg(c, 2)?, l.size_arg(c, 3)?, l.pinned_arg(c, 4)?);
    l.check_object(c, 1, AccessMode::Write)?;
    l.check_object(c, 4, AccessMode::Write)?;
    let (size, int) = (l.size_type(), l.int_type());
    let name = format!("{}()", c.name);
    let used = l.approximate_value(&format!("{name} length"), size, Some((l.size_const(0), room)), c.span)?;
    l.check_write(c, 2, buffer.clone(), used.clone())?;
    l.approximate_bytes(&format!("{name} texts"), buffer.clone(), used.clone(), c.span)?;
    let most = i128::from(super::table::LAST_ERROR);
    let result = l.input_value(&name, int, Some((0, most)), c.span)?;
    l.store_through(out.clone(), Expr::int(0, to.ty), c.span)?;
    let done = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
    l.when(done, c.span, |l| {
        let found = l.either(&format!("{name} finds"), c.span)?;
        l.when(found, c.span, |l| {
            let some = l.compared(BinaryOp::Gt, used.clone(), l.size_const(0));
            l.when(some, c.span, |l| {
                l.fill_checked(c, 1, false)?;
                texts_in(l, c, &to, (buffer, used))?;
                l.store_through(out, to, c.span)
            })
        })
    })?;
    Ok(result)
}

/// The texts of the record at `to` lie in the buffer, whose last byte that is used is zero.
fn texts_in(l: &mut L<'_>, c: &C<'_>, to: &Expr, (buffer, used): (Expr, Expr)) -> Lowered<()> {
    let ty = l.program.types.char_ptr();
    let layout = l.program.types.pointee(to.ty).and_then(|t| l.program.types.layout(t));
    let fields = layout.map(|layout| layout.fields.clone()).unwrap_or_default();
    let last = l.size_op(BinaryOp::Sub, used, l.size_const(1));
    let last = l.hold(last, c.span)?;
    let end = l.advanced(buffer.clone(), last.clone());
    l.terminate_text(end, 1, c.span)?;
    for field in fields.iter().filter(|f| f.ty == ty) {
        let range = Some((l.size_const(0), last.clone()));
        let at = l.approximate_value(&format!("{}() place", c.name), l.size_type(), range, c.span)?;
        let value = l.advanced(buffer.clone().cast(ty), at);
        l.set(&Place { offset: field.offset as i64, ..Place::deref(to.clone(), ty) }, value, c.span)?;
    }
    Ok(())
}
