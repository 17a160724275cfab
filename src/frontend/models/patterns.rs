//! Regular expressions, and names of files by patterns.
//!
//! See: POSIX `regcomp`, `glob`, `wordexp`; regex(3), glob(3).

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{AccessMode, BinaryOp, Expr, LibFn, Place};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

/// Flags of the GNU library: matches have no places; the string begins and ends where the first place says.
const REG_NOSUB: i32 = 8;
const REG_STARTEND: i32 = 4;
/// The greatest number of an error of `regcomp`, and characters of what `regerror` says.
const LAST_ERROR: i128 = 16;
const LONGEST_MESSAGE: u64 = 63;
/// As many places are written one by one.
const MOST_PLACES: i128 = 16;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "regcomp" => compile,
        "regexec" => execute,
        "regerror" => message,
        "glob" | "glob64" => glob,
        "wordexp" => |l, c| {
            l.check_text(c, 0)?;
            l.fill_argument(c, 1, false)?;
            l.approximate_value("wordexp()", l.int_type(), Some((l.int_const(0), l.int_const(5))), c.span)
        },
        _ => return None,
    })
}

/// The bit of a compiled expression that says that matches have no places.
fn without_places(l: &L<'_>, expression: &Expr) -> Option<Place> {
    let layout = l.program.types.layout(l.program.types.pointee(expression.ty)?)?;
    let field = layout.fields.iter().find(|f| f.name.as_deref().is_some_and(|n| n.ends_with("no_sub")))?;
    Some(Place { offset: field.offset as i64, bits: field.bits, ..Place::deref(expression.clone(), field.ty) })
}

/// Whether any expression was compiled without places.
fn some_without_places(l: &mut L<'_>, c: &C<'_>) -> Place {
    let int = l.int_type();
    super::kept::kept(l, "regcomp() without places", int, c.span)
}

/// 0, or the number of an error; the expression is written either way.
fn compile(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (expression, int) = (l.pinned_arg(c, 0)?, l.int_type());
    l.check_text(c, 1)?;
    let flags = l.arg_as(c, 2, int)?;
    l.fill_argument(c, 0, false)?;
    let set = l.folded(BinaryOp::And, flags, l.int_const(REG_NOSUB), int);
    let set = l.compared(BinaryOp::Ne, set, l.int_const(0));
    if let Some(bit) = without_places(l, &expression) {
        l.set(&bit, set.clone().cast(bit.ty), c.span)?;
    }
    if set.as_int() != Some(0) {
        let some = some_without_places(l, c);
        let yes = l.int_const(1);
        l.when(set, c.span, |l| l.set(&some, yes, c.span))?;
    }
    l.approximate_value("regcomp()", int, Some((l.int_const(0), Expr::int(LAST_ERROR, int))), c.span)
}

/// Whether the string matches; then the places are written that are asked for, within the string, or -1.
fn execute(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (expression, string, count) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?, l.size_arg(c, 2)?);
    let (places, int, size) = (l.pinned_arg(c, 3)?, l.int_type(), l.size_type());
    l.check_object(c, 0, AccessMode::Read)?;
    let flags = l.arg_as(c, 4, int)?;
    let bounded = l.folded(BinaryOp::And, flags, l.int_const(REG_STARTEND), int);
    // Where the string begins and ends only the first place says: then nothing is known of it.
    let end = l.variable_of(Expr::int(i128::from(i32::MAX), size), c.span)?;
    let whole = l.compared(BinaryOp::Eq, bounded, l.int_const(0));
    if whole.as_int() != Some(0) {
        l.when(whole, c.span, |l| {
            l.check_string(c, 1, string.clone(), 1, None)?;
            let len = l.lib_value(LibFn::StrLen(1), size, vec![string], c.span)?;
            l.set(&end, len, c.span)
        })?;
    }
    let result = l.approximate_value("regexec()", int, Some((l.int_const(0), l.int_const(1))), c.span)?;
    let matches = l.compared(BinaryOp::Eq, result.clone(), l.int_const(0));
    let mut wanted = match without_places(l, &expression) {
        Some(bit) => {
            let set = Expr::load(bit);
            l.compared(BinaryOp::Eq, set.clone(), Expr::int(0, set.ty))
        }
        None => l.perhaps("regexec() writes", c.span)?,
    };
    let some = some_without_places(l, c);
    let none = l.compared(BinaryOp::Eq, Expr::load(some), l.int_const(0));
    wanted = l.folded(BinaryOp::Or, wanted, none, int);
    let width = l.program.types.pointee(places.ty).and_then(|t| l.program.types.size_of(t)).unwrap_or(8);
    let width = l.size_const(width);
    l.when(matches, c.span, |l| {
        l.when(wanted, c.span, |l| {
            let bytes = l.size_op(BinaryOp::Mul, count.clone(), width.clone());
            l.check_write(c, 3, places.clone(), bytes)?;
            if let Some(n) = count.as_int().filter(|n| *n <= MOST_PLACES) {
                return (0..n).try_for_each(|i| {
                    let at = l.size_op(BinaryOp::Mul, Expr::int(i, size), width.clone());
                    let at = l.advanced(places.clone(), at);
                    place(l, c, at, &end, i > 0)
                });
            }
            let at = l.variable_of(places.clone(), c.span)?;
            l.repeated(count, c.span, |l| {
                place(l, c, Expr::load(at.clone()), &end, true)?;
                let next = l.advanced(Expr::load(at.clone()), width);
                l.set(&at, next, c.span)
            })
        })
    })?;
    Ok(result)
}

/// A place in a string that ends at `end`: where it begins and ends, or -1 both, if there may be `none`.
fn place(l: &mut L<'_>, c: &C<'_>, at: Expr, end: &Place, none: bool) -> Lowered<()> {
    let (Some(first), Some(second)) = (l.member_at(&at, "rm_so"), l.member_at(&at, "rm_eo")) else { return Ok(()) };
    let ty = first.ty;
    let most = l.convert_counted(Expr::load(end.clone()), ty, c.span)?;
    let ends = l.approximate_value("regexec() end", ty, Some((Expr::int(0, ty), most)), c.span)?;
    let begins = l.approximate_value("regexec() begin", ty, Some((Expr::int(0, ty), ends.clone())), c.span)?;
    l.set(&first, begins, c.span)?;
    l.set(&second, ends, c.span)?;
    if !none {
        return Ok(());
    }
    let unused = l.perhaps("regexec() leaves a place", c.span)?;
    l.when(unused, c.span, |l| {
        l.set(&first, Expr::int(-1, ty), c.span)?;
        l.set(&second, Expr::int(-1, ty), c.span)
    })
}

/// The size that the whole message takes; as much of it as there is room for is written.
fn message(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (room, size) = (l.size_arg(c, 3)?, l.size_type());
    l.write_text(c, 2, room, LONGEST_MESSAGE)?;
    let range = Some((l.size_const(1), l.size_const(LONGEST_MESSAGE + 1)));
    l.approximate_value("regerror()", size, range, c.span)
}

/// Names that fit a pattern; the function that hears of errors may be called.
fn glob(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let int = l.int_type();
    l.check_text(c, 0)?;
    l.check_object(c, 3, AccessMode::Write)?;
    l.when_given(c, 2, |l| {
        let tells = l.perhaps(&format!("{}() tells of an error", c.name), c.span)?;
        l.when(tells, c.span, |l| {
            let ty = l.program.types.char_ptr();
            let path = l.new_text(c, crate::ir::AllocKind::Static, 4095, false, ty)?;
            let number = l.approximate_value(
                &format!("{}() error", c.name),
                int,
                Some((l.int_const(1), l.int_const(133))),
                c.span,
            )?;
            super::callback::call_back(l, c, 2, vec![path, number]).map(|_| ())
        })
    })?;
    l.fill_checked(c, 3, false)?;
    l.input_value(&format!("{}()", c.name), int, Some((0, 3)), c.span)
}
