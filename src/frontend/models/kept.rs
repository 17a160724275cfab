//! What the library keeps from one call to the next: objects that it hands out again, the environment, numbers that stay.
//!
//! Where a second call may answer as the first one did, both answers cannot be chosen freely: the first is an input, a later one
//! is the kept answer or, where no contract says that nothing has changed, perhaps another.

use super::dispatch::Model;
use super::{LibraryCall, record::LAST_OFFSET};
use crate::base::Span;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{
    AllocKind, BinaryOp, ConstantBytes, Expr, ExprKind, IntKind, LibFn, Linkage, Place, PlaceBase, Storage, Type,
    TypeId, VarId, Variable,
};

type L<'l> = Lowerer<'l>;
type C<'c> = LibraryCall<'c>;

pub(super) fn model(name: &str) -> Option<Model> {
    Some(match name {
        "getenv" | "secure_getenv" => getenv,
        "setenv" | "putenv" | "unsetenv" | "clearenv" => change_environment,
        "getpid" => |l, c| number(l, c, Some(""), (1, i32::MAX.into())),
        // 0 for a parent elsewhere.
        "getppid" => |l, c| number(l, c, None, (0, i32::MAX.into())),
        "getuid" | "geteuid" | "getgid" | "getegid" => |l, c| number(l, c, Some(""), (0, u32::MAX.into())),
        "sysconf" => |l, c| {
            let name = c.arg(0)?.as_int();
            let key = name.filter(|name| ALWAYS_KNOWN.contains(name)).map(|name| name.to_string());
            // `_SC_INT_MIN` and its kin are below 0.
            let least = if key.is_some() { 1 } else { i32::MIN.into() };
            number(l, c, key.as_deref(), (least, super::record::LAST_SECOND.into()))
        },
        "fpathconf" => |l, c| number(l, c, None, (-1, super::record::LAST_SECOND.into())),
        "isatty" => |l, c| {
            let key = c.arg(0)?.as_int().filter(|n| (0..=2).contains(n)).map(|n| n.to_string());
            number(l, c, key.as_deref(), (0, 1))
        },
        "getpagesize" => |l, c| number(l, c, Some(""), PAGES),
        "pthread_setspecific" => set_specific,
        "pthread_getspecific" => specific,
        "clock" => clock,
        "umask" => umask,
        _ => return None,
    })
}

/// Names of `sysconf` on Linux whose numbers every system has: `_SC_CLK_TCK`, `_SC_PAGESIZE`, and of processors and pages.
const ALWAYS_KNOWN: [i128; 6] = [2, 30, 83, 84, 85, 86];

/// Bytes of a page on the systems there are.
const PAGES: (i128, i128) = (1 << 12, 1 << 16);

/// A variable of the library's own, which starts as zero and lives as long as the program. A variable of the program
/// that has the same name is another.
pub(super) fn kept(l: &mut L<'_>, name: &str, ty: TypeId, span: Span) -> Place {
    if let Some(var) = l.kept.get(&(name.to_owned(), ty)) {
        return Place::var(*var, ty);
    }
    let var = l.program.variables.push(Variable {
        name: name.to_owned(),
        ty,
        storage: Storage::Global(Linkage::Internal),
        span,
        size: l.program.types.size_of(ty).unwrap_or(1),
        constant: ConstantBytes::None,
        defined: true,
        system: false,
        init: Vec::new(),
        address_taken: false,
    });
    l.kept.insert((name.to_owned(), ty), var);
    Place::var(var, ty)
}

/// Names of the library whose use by the program decides what models do.
pub(crate) const USES_MATTER: &[&str] =
    &["pthread_exit", "signgam", "tzname", "timezone", "daylight", "h_errno", "getdate_err"];

/// Variables of the library that a program can name and that a call of `function` may set (POSIX.1-2017, the functions' pages).
fn own_variables(function: &str) -> &'static [&'static str] {
    match function {
        "lgamma" | "lgammaf" | "lgammal" | "gamma" | "gammaf" | "gammal" => &["signgam"],
        "tzset" | "ctime" | "localtime" | "mktime" | "strftime" | "ctime_r" | "localtime_r" => {
            &["tzname", "timezone", "daylight"]
        }
        "gethostbyname" | "gethostbyaddr" => &["h_errno"],
        "getdate" => &["getdate_err"],
        _ => &[],
    }
}

/// The address of such a variable.
pub(super) fn address_of(l: &mut L<'_>, variable: VarId) -> Expr {
    let known = &mut l.program.variables[variable];
    known.address_taken = true;
    let ty = known.ty;
    Expr { kind: ExprKind::AddrOf(variable, 0), ty: l.program.types.pointer(ty) }
}

impl Lowerer<'_> {
    /// The call may have given the library's own variables another content.
    pub(super) fn set_own_variables(&mut self, c: &LibraryCall<'_>) -> Lowered<()> {
        for name in own_variables(c.name) {
            let Some(v) = self.variable_of_file(name).filter(|_| self.is_used(name)) else { continue };
            let ty = self.program.variables[v].ty;
            if self.program.variables[v].defined || self.program.types.size_of(ty).is_none() {
                continue;
            }
            let there = address_of(self, v);
            match *self.program.types.get(ty) {
                Type::Array(of, Some(n)) if of == self.program.types.char_ptr() => {
                    let size = self.program.types.size_of(of).unwrap_or(0);
                    for i in 0..n {
                        let text = self.new_text(c, AllocKind::Static, 255, false, of)?;
                        self.set(
                            &Place { offset: (i * size).cast_signed(), ..Place::deref(there.clone(), of) },
                            text,
                            c.span,
                        )?;
                    }
                }
                _ => self.fill_object(c, &there, ty, false)?,
            }
        }
        Ok(())
    }

    /// What such a variable holds of which nobody says anything.
    pub(crate) fn unknown_content(&mut self, name: &str, ty: TypeId, span: Span) -> Expr {
        let place = kept(self, name, ty, span);
        if let PlaceBase::Var(v) = place.base {
            self.program.variables[v].defined = false;
        }
        Expr::load(place)
    }
}

/// `fresh`, or what an earlier call of the `family` handed out: no contract says whether that is the same object. NULL stays NULL.
/// `again` stores what the object holds after such a call.
pub(super) fn fresh_or_same(
    l: &mut L<'_>,
    c: &C<'_>,
    family: &str,
    fresh: Expr,
    again: impl FnOnce(&mut L<'_>, Expr) -> Lowered<()>,
) -> Lowered<Expr> {
    let (ty, any) = (fresh.ty, l.program.types.void_ptr());
    let earlier = kept(l, &format!("{family}() gave"), any, c.span);
    let result = l.variable_of(fresh, c.span)?;
    let got = l.is_not_null(&Expr::load(result.clone()));
    l.when(got, c.span, |l| {
        let last = l.variable_of(Expr::load(earlier.clone()), c.span)?;
        l.set(&earlier, Expr::load(result.clone()).cast(any), c.span)?;
        let some = l.is_not_null(&Expr::load(last.clone()));
        l.when(some, c.span, |l| {
            let keeps = l.perhaps(&format!("{family}() has several objects"), c.span)?;
            l.when(keeps, c.span, |l| l.set(&earlier, Expr::load(last.clone()), c.span))?;
            let same = l.perhaps(&format!("{family}() gives an object again"), c.span)?;
            l.when(same, c.span, |l| {
                l.set(&earlier, Expr::load(last.clone()), c.span)?;
                l.set(&result, Expr::load(last).cast(ty), c.span)?;
                again(l, Expr::load(result.clone()))
            })
        })
    })?;
    Ok(Expr::load(result))
}

/// A zero-terminated text of at most `most` characters in memory that is never freed and that later calls may write anew;
/// NULL when `fails`.
pub(super) fn text(l: &mut L<'_>, c: &C<'_>, most: u64, fails: bool, ty: TypeId) -> Lowered<Expr> {
    let (size, family) = (l.size_type(), family(c.name));
    let room = kept(l, &format!("{family}() room"), size, c.span);
    let range = Some((l.size_const(0), l.size_const(most)));
    let len = l.approximate_value(&format!("{}() length", c.name), size, range, c.span)?;
    let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
    let block = l.allocate(c, AllocKind::Static, all.clone(), true, fails, ty)?;
    let got = l.is_not_null(&block);
    l.when(got, c.span, |l| {
        l.approximate_text(&format!("{}() text", c.name), block.clone(), len, c.span)?;
        // Of all that were handed out, the smallest bounds what may be written to one of them; at first there is none.
        let less = l.compared(BinaryOp::Lt, all.clone(), Expr::load(room.clone()));
        let none = l.compared(BinaryOp::Eq, Expr::load(room.clone()), l.size_const(0));
        l.when(less, c.span, |l| l.set(&room, all.clone(), c.span))?;
        l.when(none, c.span, |l| l.set(&room, all, c.span))
    })?;
    fresh_or_same(l, c, family, block, |l, same| {
        let most = l.size_op(BinaryOp::Sub, Expr::load(room), l.size_const(1));
        let range = Some((l.size_const(0), most));
        let len = l.approximate_value(&format!("{}() length", c.name), size, range, c.span)?;
        l.approximate_text(&format!("{}() text", c.name), same, len, c.span)
    })
}

/// The function whose objects a function hands out.
fn family(name: &str) -> &str {
    match name {
        "localtime" => "gmtime",
        "asctime" => "ctime",
        name => name,
    }
}

/// A pointer to an object of the library's own, filled anew by each call, or NULL where the call `fails`.
pub(super) fn object(l: &mut L<'_>, c: &C<'_>, fails: bool, free: bool) -> Lowered<Expr> {
    let ty = c.result_or(l.program.types.void_ptr());
    let pointee = l.program.types.pointee(ty).filter(|t| !matches!(l.program.types.get(*t), Type::Void));
    let size = l.size_const(pointee.and_then(|t| l.program.types.size_of(t)).unwrap_or(1));
    let fill = move |l: &mut L<'_>, block: Expr| match pointee {
        Some(pointee) => l.fill_object(c, &block, pointee, free),
        None => Ok(()),
    };
    let block = l.allocate(c, AllocKind::Static, size.clone(), true, fails, ty)?;
    let got = l.is_not_null(&block);
    l.when(got, c.span, |l| fill(l, block.clone()))?;
    // At once, so that what always holds of the fresh object also holds of the earlier one.
    fresh_or_same(l, c, family(c.name), block.clone(), |l, same| {
        l.lib_effect(LibFn::MemCopy, vec![same, block, size], c.span)
    })
}

/// A number of the process: the first call's with the same `key` is an input, later ones may say that it has changed. Without a key
/// no call tells of others.
fn number(l: &mut L<'_>, c: &C<'_>, key: Option<&str>, range: (i128, i128)) -> Lowered<Expr> {
    let ty = c.result_or(l.int_type());
    if !c.wanted {
        return Ok(l.zero_of(ty));
    }
    if l.program.types.as_int(ty).is_none() {
        return l.approximate_value(&format!("{}()", c.name), ty, None, c.span);
    }
    let range = Some(l.within(ty, range));
    let Some(key) = key else {
        return l.approximate_value(&format!("{}()", c.name), ty, range, c.span);
    };
    let (value, asked) = asked(l, c, &format!("{}({key})", c.name), ty);
    let again = l.compared(BinaryOp::Ne, Expr::load(asked.clone()), l.int_const(0));
    l.when(again, c.span, |l| {
        let changed = l.perhaps(&format!("{}() has changed", c.name), c.span)?;
        l.when(changed, c.span, |l| {
            let other = l.approximate_value(&format!("{}()", c.name), ty, range.clone(), c.span)?;
            l.set(&value, other, c.span)
        })
    })?;
    set_at_first(l, c, (&value, &asked), range)?;
    l.hold(Expr::load(value), c.span)
}

/// The kept number `name` and whether a call has asked for it.
fn asked(l: &mut L<'_>, c: &C<'_>, name: &str, ty: TypeId) -> (Place, Place) {
    let int = l.int_type();
    (kept(l, name, ty, c.span), kept(l, &format!("{name} asked"), int, c.span))
}

/// The first call that asks gets an input.
fn set_at_first(
    l: &mut L<'_>,
    c: &C<'_>,
    (value, asked): (&Place, &Place),
    range: Option<(Expr, Expr)>,
) -> Lowered<()> {
    let first = l.compared(BinaryOp::Eq, Expr::load(asked.clone()), l.int_const(0));
    l.when(first, c.span, |l| {
        let given = l.input_between(&format!("{}()", c.name), value.ty, range, c.span)?;
        l.set(value, given, c.span)?;
        let yes = l.int_const(1);
        l.set(asked, yes, c.span)
    })
}

/// The processor time used, which does not become less, or -1 (C11 7.27.2.1p3).
fn clock(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = c.result_or(l.kind_type(IntKind::Long));
    let Some(kind) = l.program.types.as_int(ty) else {
        return l.approximate_value("clock()", ty, None, c.span);
    };
    let most = l.program.types.int_range(kind).1.min(LAST_OFFSET.into());
    let used = kept(l, "clock()", ty, c.span);
    let range = Some((Expr::load(used.clone()), Expr::int(most, ty)));
    let now = l.input_between("clock()", ty, range, c.span)?;
    l.set(&used, now.clone(), c.span)?;
    let result = l.variable_of(now, c.span)?;
    let fails = l.either("clock() fails", c.span)?;
    l.when(fails, c.span, |l| l.set(&result, Expr::int(-1, ty), c.span))?;
    Ok(Expr::load(result))
}

/// The mask that was set before.
fn umask(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let ty = c.result_or(l.kind_type(IntKind::UInt));
    let mask = l.arg_as(c, 0, ty)?;
    let (value, asked) = asked(l, c, "umask()", ty);
    let range = Some(l.within(ty, (0, 0o777)));
    set_at_first(l, c, (&value, &asked), range)?;
    let before = l.hold(Expr::load(value.clone()), c.span)?;
    let mask = l.folded(BinaryOp::And, mask, Expr::int(0o777, ty), ty);
    l.set(&value, mask, c.span)?;
    Ok(before)
}

/// Whether the environment may be another than at the start.
fn environment_changed(l: &mut L<'_>, span: Span) -> Place {
    let int = l.int_type();
    kept(l, "the environment has changed", int, span)
}

fn change_environment(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let texts = if c.name == "setenv" { 2 } else { 1 };
    for i in 0..texts.min(c.args.len()) {
        l.check_text(c, i)?;
    }
    if c.name == "putenv" {
        let (text, any) = (l.pinned_arg(c, 0)?, l.program.types.void_ptr());
        let put = kept(l, "putenv()", any, c.span);
        l.set(&put, text.cast(any), c.span)?;
    }
    let (changed, yes, int) = (environment_changed(l, c.span), l.int_const(1), l.int_type());
    l.set(&changed, yes, c.span)?;
    l.input_value(&format!("{}()", c.name), int, Some((-1, 0)), c.span)
}

/// NULL, or a zero-terminated string of the environment in memory that is never freed. The same name has the same string until the
/// environment changes; names that are no literals may be any.
fn getenv(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let name = l.pinned_arg(c, 0)?;
    l.check_string(c, 0, name.clone(), 1, None)?;
    let (int, any) = (l.int_type(), l.program.types.void_ptr());
    let ty = c.result_or(l.program.types.char_ptr());
    let literal = l.literal_text(&name).map(|t| String::from_utf8_lossy(&t).into_owned());
    let key = literal.as_deref().unwrap_or("?");
    let value = kept(l, &format!("getenv({key})"), any, c.span);
    let asked = kept(l, &format!("getenv({key}) asked"), int, c.span);
    let doubt = environment_changed(l, c.span);
    let first = l.compared(BinaryOp::Eq, Expr::load(asked.clone()), l.int_const(0));
    let result = l.variable_of(Expr::load(value.clone()).cast(ty), c.span)?;
    let fresh = l.variable_of(first, c.span)?;
    // A name that is no literal may be that of any call before.
    let any_asked = kept(l, "getenv() asked", int, c.span);
    let before = if literal.is_some() { &doubt } else { &any_asked };
    let doubtful = l.compared(BinaryOp::Ne, Expr::load(before.clone()), l.int_const(0));
    l.when(doubtful, c.span, |l| {
        let other = l.perhaps("getenv() has changed", c.span)?;
        let other = other.cast(int);
        let other = l.folded(BinaryOp::Or, Expr::load(fresh.clone()), other, int);
        l.set(&fresh, other, c.span)
    })?;
    let fresh = l.compared(BinaryOp::Ne, Expr::load(fresh), l.int_const(0));
    l.when(fresh, c.span, |l| {
        let size = l.size_type();
        let len = l.input_value("getenv() length", size, Some((0, 1 << 20)), c.span)?;
        let all = l.size_op(BinaryOp::Add, len.clone(), l.size_const(1));
        let block = l.allocate(c, AllocKind::Static, all, true, true, ty)?;
        let got = l.is_not_null(&block);
        l.when(got, c.span, |l| l.input_bytes("getenv() bytes", block.clone(), len, c.span))?;
        l.set(&value, block.clone().cast(any), c.span)?;
        l.set(&result, block, c.span)
    })?;
    let yes = l.int_const(1);
    l.set(&asked, yes.clone(), c.span)?;
    l.set(&any_asked, yes.clone(), c.span)?;
    if literal.is_none() {
        // The next name may be this one, or another.
        l.set(&doubt, yes, c.span)?;
    }
    // What `putenv` was given is itself part of the environment.
    let put = kept(l, "putenv()", any, c.span);
    let some = l.is_not_null(&Expr::load(put.clone()));
    l.when(some, c.span, |l| {
        let own = l.perhaps("getenv() gives what putenv() was given", c.span)?;
        l.when(own, c.span, |l| {
            let size = l.size_type();
            let range = Some((l.size_const(0), l.size_const(1 << 20)));
            let at = l.approximate_value("getenv() place", size, range, c.span)?;
            let inside = l.advanced(Expr::load(put).cast(ty), at);
            l.set(&result, inside, c.span)
        })
    })?;
    if c.name == "secure_getenv" {
        let refused = l.perhaps("secure_getenv() refuses", c.span)?;
        l.when(refused, c.span, |l| l.set(&result, Expr::int(0, ty), c.span))?;
    }
    Ok(Expr::load(result))
}

/// `PTHREAD_KEYS_MAX` of Linux.
const KEYS: u64 = 1024;

/// What a thread keeps by the key that is the first argument, which is below [`KEYS`].
fn by_key(l: &mut L<'_>, c: &C<'_>, key: Expr) -> Lowered<Place> {
    let any = l.program.types.void_ptr();
    let table = l.program.types.array(any, Some(KEYS));
    let PlaceBase::Var(table) = kept(l, "pthread_setspecific() values", table, c.span).base else {
        unreachable!("what the library keeps is a variable")
    };
    l.program.variables[table].address_taken = true;
    let start = Expr { kind: ExprKind::AddrOf(table, 0), ty: l.program.types.pointer(any) };
    let key = l.convert(key, l.size_type(), c.span)?;
    let bytes = l.size_op(BinaryOp::Mul, key, l.size_const(l.program.types.pointer_size()));
    Ok(Place::deref(l.advanced(start, bytes), any))
}

/// Does that where the first argument can be a key.
fn where_key(l: &mut L<'_>, c: &C<'_>, then: impl FnOnce(&mut L<'_>, Place) -> Lowered<()>) -> Lowered<()> {
    let ty = l.kind_type(IntKind::UInt);
    let key = l.arg_as(c, 0, ty)?;
    let can = l.compared(BinaryOp::Lt, key.clone(), Expr::int(KEYS.into(), ty));
    l.when(can, c.span, |l| {
        let place = by_key(l, c, key)?;
        then(l, place)
    })
}

/// 0, or the number of an error.
fn set_specific(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let (value, any, int) = (l.pinned_arg(c, 1)?, l.program.types.void_ptr(), l.int_type());
    let most = i128::from(super::table::LAST_ERROR);
    let status = l.variable_of(Expr::int(most, int), c.span)?;
    where_key(l, c, |l, place| {
        let given = l.input_value("pthread_setspecific()", int, Some((0, most)), c.span)?;
        l.set(&status, given.clone(), c.span)?;
        let done = l.compared(BinaryOp::Eq, given, l.int_const(0));
        l.when(done, c.span, |l| l.set(&place, value.cast(any), c.span))
    })?;
    Ok(Expr::load(status))
}

/// What was set, or NULL: by this thread nothing, perhaps.
fn specific(l: &mut L<'_>, c: &C<'_>) -> Lowered<Expr> {
    let any = l.program.types.void_ptr();
    let result = l.variable_of(Expr::int(0, any), c.span)?;
    where_key(l, c, |l, place| {
        let own = l.perhaps("pthread_getspecific() of this thread", c.span)?;
        l.when(own, c.span, |l| l.set(&result, Expr::load(place), c.span))
    })?;
    Ok(Expr::load(result))
}
