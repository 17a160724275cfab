//! Conversions from text, `ctype.h` and the compiler's bit operations.

use super::{LibraryCall, Model};
use crate::frontend::lower::{LowerError, Lowered, Lowerer};
use crate::ir::{BinaryOp, Check, CheckKind, Expr, ExprKind, FloatKind, IntKind, LibFn, Place, StmtKind};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    text(name).or_else(|| character(name)).or_else(|| integer(name))
}

fn text(name: &str) -> Option<Model> {
    Some(match name {
        "atoi" => |l, c| parse(l, c, IntKind::Int),
        "atol" => |l, c| parse(l, c, IntKind::Long),
        "atoll" => |l, c| parse(l, c, IntKind::LongLong),
        "atof" => |l, c| {
            let s = checked_text(l, c)?;
            let ty = l.program.types.float(FloatKind::Double);
            l.lib_value(LibFn::StrToFloat, ty, vec![s], c.span)
        },
        "strtol" => |l, c| scan_int(l, c, IntKind::Long),
        "strtoul" => |l, c| scan_int(l, c, IntKind::ULong),
        "strtoll" | "strtoq" | "strtoimax" => |l, c| scan_int(l, c, IntKind::LongLong),
        "strtoull" | "strtouq" | "strtoumax" => |l, c| scan_int(l, c, IntKind::ULongLong),
        "strtod" => |l, c| scan_float(l, c, FloatKind::Double),
        "strtof" => |l, c| scan_float(l, c, FloatKind::Float),
        "strtold" => |l, c| scan_float(l, c, FloatKind::LongDouble),
        _ => return None,
    })
}

fn checked_text(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let s = l.pinned_arg(c, 0)?;
    l.check_string(c, 0, s.clone(), 1, None)?;
    Ok(s)
}

fn parse(l: &mut L<'_>, c: &C<'_>, kind: IntKind) -> Lowered<Expr> {
    let s = checked_text(l, c)?;
    let ty = l.kind_type(kind);
    l.lib_value(LibFn::Atoi, ty, vec![s], c.span)
}

fn scan_int(l: &mut L<'_>, c: &C<'_>, kind: IntKind) -> Lowered<Expr> {
    let s = checked_text(l, c)?;
    let int = l.int_type();
    let base = l.arg_as(c, 2, int)?;
    let ty = l.kind_type(kind);
    let value = l.lib_value(LibFn::StrToInt, ty, vec![s.clone(), base.clone()], c.span)?;
    store_end(l, c, LibFn::StrToIntEnd, vec![s, base])?;
    Ok(value)
}

fn scan_float(l: &mut L<'_>, c: &C<'_>, kind: FloatKind) -> Lowered<Expr> {
    let s = checked_text(l, c)?;
    let ty = l.program.types.float(kind);
    let value = l.lib_value(LibFn::StrToFloat, ty, vec![s.clone()], c.span)?;
    store_end(l, c, LibFn::StrToFloatEnd, vec![s])?;
    Ok(value)
}

/// `*end = ...` unless `end` is NULL.
fn store_end(l: &mut L<'_>, c: &C<'_>, function: LibFn, args: Vec<Expr>) -> Lowered<()> {
    let end = l.pinned_arg(c, 1)?;
    let given = l.is_not_null(&end);
    if given.as_int() == Some(0) {
        return Ok(());
    }
    l.when(given, c.span, |l| {
        let size = l.size_const(l.program.types.pointer_size());
        l.check_write(c, 1, end.clone(), size)?;
        let ty = l.program.types.char_ptr();
        let value = l.lib_value(function, ty, args, c.span)?;
        l.store_through(end, value, c.span)
    })
}

fn character(name: &str) -> Option<Model> {
    macro_rules! of_char {
        ($function:expr) => {
            |l, c| {
                let int = l.int_type();
                let value = l.arg_as(c, 0, int)?;
                check_in_table(l, c, &value)?;
                l.lib_value($function, int, vec![value], c.span)
            }
        };
    }
    Some(match name {
        "isascii" | "toascii" => |l, c| {
            const LAST: i32 = 127;
            let int = l.int_type();
            let value = l.arg_as(c, 0, int)?;
            let low = l.folded(BinaryOp::And, value.clone(), l.int_const(LAST), int);
            Ok(if c.name == "toascii" { low } else { l.compared(BinaryOp::Eq, low, value) })
        },
        "isalpha" | "iswalpha" => of_char!(LibFn::IsAlpha),
        "isdigit" | "iswdigit" => of_char!(LibFn::IsDigit),
        "isalnum" | "iswalnum" => of_char!(LibFn::IsAlnum),
        "isspace" | "iswspace" => of_char!(LibFn::IsSpace),
        "isupper" | "iswupper" => of_char!(LibFn::IsUpper),
        "islower" | "iswlower" => of_char!(LibFn::IsLower),
        "ispunct" | "iswpunct" => of_char!(LibFn::IsPunct),
        "isprint" | "iswprint" => of_char!(LibFn::IsPrint),
        "isgraph" | "iswgraph" => of_char!(LibFn::IsGraph),
        "iscntrl" | "iswcntrl" => of_char!(LibFn::IsCntrl),
        "isxdigit" | "iswxdigit" => of_char!(LibFn::IsXDigit),
        "isblank" | "iswblank" => of_char!(LibFn::IsBlank),
        "toupper" | "towupper" => of_char!(LibFn::ToUpper),
        "tolower" | "towlower" => of_char!(LibFn::ToLower),
        _ => return None,
    })
}

/// `isalpha` and its kin look their argument up in a table, which has the characters as `unsigned char`, and in the GNU library
/// as `signed char`, too (C11 7.4p1: others have no result). `toupper` and functions of wide characters ask first.
fn check_in_table(l: &mut L<'_>, c: &C<'_>, value: &Expr) -> Lowered<()> {
    const TABLE: (i128, i128) = (-128, 255);
    if !c.name.starts_with("is") || c.name.starts_with("isw") {
        return Ok(());
    }
    let narrow = match &c.arg(0)?.kind {
        ExprKind::Cast(inner) => l.program.types.as_int(inner.ty),
        _ => None,
    };
    let known = |(low, high): (i128, i128)| TABLE.0 <= low && high <= TABLE.1;
    if narrow.is_some_and(|kind| known(l.program.types.int_range(kind))) {
        return Ok(());
    }
    for (op, bound) in [(BinaryOp::Ge, TABLE.0), (BinaryOp::Le, TABLE.1)] {
        let inside = l.compared(op, value.clone(), Expr::int(bound, value.ty));
        l.check_holds(CheckKind::OutOfBounds, inside, &c.subject(0), c.span)?;
    }
    Ok(())
}

fn integer(name: &str) -> Option<Model> {
    use IntKind::*;
    Some(match name {
        "abs" => |l, c| absolute(l, c, Int),
        "labs" => |l, c| absolute(l, c, Long),
        "llabs" | "imaxabs" => |l, c| absolute(l, c, LongLong),
        "div" => |l, c| quotient(l, c, Int),
        "ldiv" => |l, c| quotient(l, c, Long),
        "lldiv" | "imaxdiv" => |l, c| quotient(l, c, LongLong),
        "popcount" => |l, c| bits(l, c, LibFn::PopCount, UInt),
        "popcountl" => |l, c| bits(l, c, LibFn::PopCount, ULong),
        "popcountll" => |l, c| bits(l, c, LibFn::PopCount, ULongLong),
        "clz" => |l, c| bits(l, c, LibFn::Clz, UInt),
        "clzl" => |l, c| bits(l, c, LibFn::Clz, ULong),
        "clzll" => |l, c| bits(l, c, LibFn::Clz, ULongLong),
        "ctz" => |l, c| bits(l, c, LibFn::Ctz, UInt),
        "ctzl" => |l, c| bits(l, c, LibFn::Ctz, ULong),
        "ctzll" => |l, c| bits(l, c, LibFn::Ctz, ULongLong),
        "ffs" => |l, c| bits(l, c, LibFn::Ffs, UInt),
        "ffsl" => |l, c| bits(l, c, LibFn::Ffs, ULong),
        "ffsll" => |l, c| bits(l, c, LibFn::Ffs, ULongLong),
        "parity" => |l, c| bits(l, c, LibFn::Parity, UInt),
        "parityl" => |l, c| bits(l, c, LibFn::Parity, ULong),
        "parityll" => |l, c| bits(l, c, LibFn::Parity, ULongLong),
        "bswap16" | "htons" | "ntohs" => |l, c| swap(l, c, UShort),
        "bswap32" | "htonl" | "ntohl" => |l, c| swap(l, c, UInt),
        "bswap64" => |l, c| swap(l, c, ULongLong),
        "add_overflow" => |l, c| checked(l, c, 0),
        "sadd_overflow" => |l, c| checked_as(l, c, 0, Int),
        "saddl_overflow" => |l, c| checked_as(l, c, 0, Long),
        "saddll_overflow" => |l, c| checked_as(l, c, 0, LongLong),
        "uadd_overflow" => |l, c| checked_as(l, c, 0, UInt),
        "uaddl_overflow" => |l, c| checked_as(l, c, 0, ULong),
        "uaddll_overflow" => |l, c| checked_as(l, c, 0, ULongLong),
        "sub_overflow" => |l, c| checked(l, c, 1),
        "ssub_overflow" => |l, c| checked_as(l, c, 1, Int),
        "ssubl_overflow" => |l, c| checked_as(l, c, 1, Long),
        "ssubll_overflow" => |l, c| checked_as(l, c, 1, LongLong),
        "usub_overflow" => |l, c| checked_as(l, c, 1, UInt),
        "usubl_overflow" => |l, c| checked_as(l, c, 1, ULong),
        "usubll_overflow" => |l, c| checked_as(l, c, 1, ULongLong),
        "mul_overflow" => |l, c| checked(l, c, 2),
        "smul_overflow" => |l, c| checked_as(l, c, 2, Int),
        "smull_overflow" => |l, c| checked_as(l, c, 2, Long),
        "smulll_overflow" => |l, c| checked_as(l, c, 2, LongLong),
        "umul_overflow" => |l, c| checked_as(l, c, 2, UInt),
        "umull_overflow" => |l, c| checked_as(l, c, 2, ULong),
        "umulll_overflow" => |l, c| checked_as(l, c, 2, ULongLong),
        "add_overflow_p" => |l, c| checked_only(l, c, 0),
        "sub_overflow_p" => |l, c| checked_only(l, c, 1),
        "mul_overflow_p" => |l, c| checked_only(l, c, 2),
        _ => return None,
    })
}

fn absolute(l: &mut L<'_>, c: &C<'_>, kind: IntKind) -> Lowered<Expr> {
    let ty = l.kind_type(kind);
    let x = l.arg_as(c, 0, ty)?;
    let site = l.site(CheckKind::LibraryDomain, c.subject(0), c.span);
    // Only the least value has no absolute value, and `x / -1` leaves the type for it alone.
    let check = Check::NoOverflow { site, op: BinaryOp::Div, lhs: x.clone(), rhs: Expr::int(-1, ty), ty };
    l.emit(StmtKind::Check(Box::new(check)), c.span)?;
    l.lib_value(LibFn::Abs, ty, vec![x], c.span)
}

/// Quotient and remainder, computed as by the operators and with their checks (C11 7.22.6.2).
fn quotient(l: &mut L<'_>, c: &C<'_>, kind: IntKind) -> Lowered<Expr> {
    let ty = l.kind_type(kind);
    let (a, b) = (l.arg_as(c, 0, ty)?, l.arg_as(c, 1, ty)?);
    let record = c.result_or(ty);
    let result = Place::var(l.temp(record, c.span)?, record);
    let members = ["quot", "rem"].map(|name| {
        let layout = l.program.types.layout(record)?;
        layout.fields.iter().find(|f| f.name.as_deref() == Some(name) && f.ty == ty).map(|f| f.offset as i64)
    });
    let [Some(quot), Some(rem)] = members else {
        // Some other function of that name.
        l.emit_unsupported(c.name, Some(result.clone()), c.span)?;
        return Ok(Expr::load(result));
    };
    let text = format!("{}({})", c.name, c.texts.join(", "));
    let quotient = l.arithmetic(BinaryOp::Div, a.clone(), b.clone(), &text, c.span)?;
    l.set(&Place { offset: quot, ty, ..result.clone() }, quotient, c.span)?;
    // The checks of the division are those of the remainder.
    let remainder = l.folded(BinaryOp::Rem, a, b, ty);
    l.set(&Place { offset: rem, ty, ..result.clone() }, remainder, c.span)?;
    Ok(Expr::load(result))
}

fn bits(l: &mut L<'_>, c: &C<'_>, function: LibFn, kind: IntKind) -> Lowered<Expr> {
    let ty = l.kind_type(kind);
    let x = l.arg_as(c, 0, ty)?;
    let int = l.int_type();
    l.lib_value(function, int, vec![x], c.span)
}

fn swap(l: &mut L<'_>, c: &C<'_>, kind: IntKind) -> Lowered<Expr> {
    let ty = l.kind_type(kind);
    let x = l.arg_as(c, 0, ty)?;
    l.lib_value(LibFn::ByteSwap, ty, vec![x], c.span)
}

/// `__builtin_OP_overflow(a, b, &result)`, which takes numbers of any type as they are.
fn checked(l: &mut L<'_>, c: &C<'_>, op: i32) -> Lowered<Expr> {
    let (a, b) = (l.pinned_arg(c, 0)?, l.pinned_arg(c, 1)?);
    checked_operands(l, c, op, a, b)
}

/// `__builtin_uOP_overflow(a, b, &result)` and its kin, which have a prototype.
fn checked_as(l: &mut L<'_>, c: &C<'_>, op: i32, kind: IntKind) -> Lowered<Expr> {
    let ty = l.kind_type(kind);
    let (a, b) = (l.arg_as(c, 0, ty)?, l.arg_as(c, 1, ty)?);
    checked_operands(l, c, op, a, b)
}

fn checked_operands(l: &mut L<'_>, c: &C<'_>, op: i32, a: Expr, b: Expr) -> Lowered<Expr> {
    let (int, out) = (l.int_type(), l.pinned_arg(c, 2)?);
    let ty = l.program.types.pointee(out.ty).filter(|t| l.program.types.as_int(*t).is_some()).unwrap_or(int);
    let size = l.size_const(l.program.types.size_of(ty).unwrap_or(4));
    l.check_write(c, 2, out.clone(), size)?;
    let op = l.int_const(op);
    let value = l.lib_value(LibFn::OverflowResult, ty, vec![op.clone(), a.clone(), b.clone()], c.span)?;
    let flag = l.lib_value(LibFn::OverflowFlag, int, vec![op, a, b, Expr::int(0, ty)], c.span)?;
    l.store_through(out, value, c.span)?;
    Ok(flag.cast(l.kind_type(IntKind::Bool)))
}

/// `__builtin_OP_overflow_p(a, b, sample)`: whether the result fits in the type of the sample, or in the bits that it has.
fn checked_only(l: &mut L<'_>, c: &C<'_>, op: i32) -> Lowered<Expr> {
    let (a, b, sample) = (c.arg(0)?, c.arg(1)?, c.arg(2)?);
    if matches!(&sample.kind, ExprKind::Load(place) if place.bits.is_some()) {
        return LowerError::unsupported(c.span, format!("{} of a bit-field", c.name));
    }
    let (int, op) = (l.int_type(), l.int_const(op));
    let flag = l.lib_value(LibFn::OverflowFlag, int, vec![op, a, b, sample], c.span)?;
    Ok(flag.cast(l.kind_type(IntKind::Bool)))
}
