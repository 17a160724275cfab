//! The stable text form of a program (`cellog facts --dump-ir`): records, variables, functions, one statement a line
//! with its source position behind `;`.
//!
//! Names carry their numbers (`x#12`, `f#3`), since C may reuse a name. A place stands for its value when read:
//! `x#12` is a whole variable, `x#12{+4: int}` four bytes into it, `*{p#7+8: int}` behind a pointer, and a bit-field adds
//! `bits 3..5`. Check lines name their sites: `check access read ... [site4 null-deref, site5 out-of-bounds]`.

use super::{
    AllocKind, Block, Callee, Check, ConstantBytes, DataModel, Expr, ExprKind, FuncId, Initializer, Linkage, Place,
    PlaceBase, Program, RecordId, SiteId, StaticValue, StmtKind, Storage, Terminator, Type, TypeId, UnaryOp, VarId,
    Variable,
};
use crate::base::Span;
use std::fmt::Write;

/// The whole program as text; the same program gives the same bytes.
pub fn print_program(program: &Program) -> String {
    let mut out = String::new();
    let model = match program.types.model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    };
    line(&mut out, format_args!("data model {model}"));
    for (id, record) in program.types.records.iter_enumerated() {
        print_record(program, id, record, &mut out);
    }
    for (id, var) in program.variables.iter_enumerated() {
        if var.is_static() {
            print_static(program, id, var, &mut out);
        }
    }
    for id in program.functions.indices() {
        out.push('\n');
        out.push_str(&print_function(program, id));
    }
    for u in &program.unsupported {
        let within = u.function.as_deref().map(|f| format!(" in {f}")).unwrap_or_default();
        line(&mut out, format_args!("unsupported {}{within} ; {}", u.construct, program.sources.describe(u.span)));
    }
    out
}

/// One function: its variables, then its blocks.
pub fn print_function(program: &Program, id: FuncId) -> String {
    let f = &program.functions[id];
    let mut out = String::new();
    let linkage = if f.linkage == Linkage::Internal { "static " } else { "" };
    let noreturn = if f.noreturn { "noreturn " } else { "" };
    let body = match (&f.failed, f.has_body()) {
        (Some(reason), _) => format!(" not lowered: {reason}"),
        (None, false) => " without a body".to_owned(),
        (None, true) => String::new(),
    };
    line(
        &mut out,
        format_args!(
            "{linkage}{noreturn}function {}: {}{body} ; {}",
            function(program, id),
            program.types.describe(f.ty),
            program.sources.describe(f.span)
        ),
    );
    for &v in f.params.iter().chain(&f.locals) {
        print_local(program, v, &mut out);
    }
    for (b, block) in f.blocks.iter_enumerated() {
        line(&mut out, format_args!("{b}:"));
        print_block(program, block, &mut out);
    }
    out
}

/// One expression.
pub fn print_expr(program: &Program, e: &Expr) -> String {
    let mut out = String::new();
    write_expr(program, e, &mut out);
    out
}

/// One place.
pub fn print_place(program: &Program, p: &Place) -> String {
    let mut out = String::new();
    write_place(program, p, &mut out);
    out
}

/// One statement, without its position.
pub fn print_stmt(program: &Program, stmt: &StmtKind) -> String {
    let mut out = String::new();
    write_stmt(program, stmt, &mut out);
    out
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string cannot fail");
    out.push('\n');
}

fn print_record(program: &Program, id: RecordId, record: &super::types::Record, out: &mut String) {
    let word = if record.is_union { "union" } else { "struct" };
    let Some(layout) = &record.layout else {
        return line(out, format_args!("{word} {} ({id}) incomplete", record.name));
    };
    line(out, format_args!("{word} {} ({id}) size {} align {}", record.name, layout.size, layout.align));
    for field in &layout.fields {
        let name = field.name.as_deref().unwrap_or("<anonymous>");
        let bits = field.bits.map(bits).unwrap_or_default();
        line(out, format_args!("    +{} {name}: {}{bits}", field.offset, program.types.describe(field.ty)));
    }
}

fn bits(b: super::BitRange) -> String {
    format!(" bits {}..{}", b.offset, u32::from(b.offset) + u32::from(b.width))
}

fn print_static(program: &Program, id: VarId, var: &Variable, out: &mut String) {
    let storage = match var.storage {
        Storage::Global(Linkage::External) => "global".to_owned(),
        Storage::Global(Linkage::Internal) => "static global".to_owned(),
        Storage::Static(f) => format!("static in {}", function(program, f)),
        _ => "literal".to_owned(),
    };
    line(out, format_args!("{storage} {}", describe_variable(program, id, var)));
    for init in &var.init {
        print_initializer(program, init, out);
    }
}

fn print_initializer(program: &Program, init: &Initializer, out: &mut String) {
    let value = match &init.value {
        StaticValue::Int(v) => v.to_string(),
        StaticValue::Float(v) => v.to_string(),
        StaticValue::AddrOf(v, offset) => address(program, *v, *offset),
        StaticValue::FuncAddr(f) => format!("&{}", function(program, *f)),
        StaticValue::Bytes(bytes) => format!("\"{}\"", bytes.escape_ascii()),
        StaticValue::LabelAddr(f, b) => format!("&&{b} of {}", function(program, *f)),
        StaticValue::Open => "open".to_owned(),
    };
    let bits = init.bits.map(bits).unwrap_or_default();
    line(out, format_args!("    +{}: {}{bits} = {value}", init.offset, program.types.describe(init.ty)));
}

fn print_local(program: &Program, id: VarId, out: &mut String) {
    let var = &program.variables[id];
    let storage = match var.storage {
        Storage::Param(_, n) => format!("param {n}"),
        Storage::Temp(_) => "temp".to_owned(),
        _ => "local".to_owned(),
    };
    line(out, format_args!("    {storage} {}", describe_variable(program, id, var)));
}

fn describe_variable(program: &Program, id: VarId, var: &Variable) -> String {
    let mut text = format!("{}: {}, {} bytes", variable(program, id), program.types.describe(var.ty), var.size);
    let words = [
        (var.is_constant(), ", const"),
        (matches!(var.constant, ConstantBytes::Parts(_)), ", const in parts"),
        (!var.defined, ", not defined"),
        (var.address_taken, ", address taken"),
    ];
    for (holds, word) in words {
        if holds {
            text.push_str(word);
        }
    }
    let _ = write!(text, " ; {}", program.sources.describe(var.span));
    text
}

fn print_block(program: &Program, block: &Block, out: &mut String) {
    let mut put = |text: String, span: Span| {
        line(out, format_args!("    {text} ; {}", program.sources.describe(span)));
    };
    for stmt in &block.stmts {
        put(print_stmt(program, &stmt.kind), stmt.span);
    }
    put(terminator(program, &block.terminator), block.span);
}

fn terminator(program: &Program, t: &Terminator) -> String {
    let e = |e: &Expr| print_expr(program, e);
    match t {
        Terminator::Goto(b) => format!("goto {b}"),
        Terminator::Branch { cond, then_to, else_to } => format!("if {} goto {then_to} else {else_to}", e(cond)),
        Terminator::Switch { value, cases, default } => {
            let mut text = format!("switch {}", e(value));
            for c in cases {
                let _ = match c.low == c.high {
                    true => write!(text, " {}: {}", c.low, c.target),
                    false => write!(text, " {}..{}: {}", c.low, c.high, c.target),
                };
            }
            text + &format!(" default: {default}")
        }
        Terminator::IndirectGoto { target, labels } => {
            let labels: Vec<String> = labels.iter().map(|l| l.to_string()).collect();
            format!("goto *{} of {}", e(target), labels.join(", "))
        }
        Terminator::Return(None) => "return".to_owned(),
        Terminator::Return(Some(v)) => format!("return {}", e(v)),
        Terminator::Exit(None) => "exit".to_owned(),
        Terminator::Exit(Some(v)) => format!("exit {}", e(v)),
        Terminator::Unreachable => "unreachable".to_owned(),
    }
}

fn variable(program: &Program, v: VarId) -> String {
    let name = program.variables.get(v).map_or("?", |var| var.name.as_str());
    format!("{name}#{}", v.0)
}

fn function(program: &Program, f: FuncId) -> String {
    let name = program.functions.get(f).map_or("?", |f| f.name.as_str());
    format!("{name}#{}", f.0)
}

fn address(program: &Program, v: VarId, offset: i64) -> String {
    match offset {
        0 => format!("&{}", variable(program, v)),
        _ => format!("(&{}{offset:+})", variable(program, v)),
    }
}

fn ty(program: &Program, t: TypeId) -> String {
    program.types.describe(t)
}

fn write_expr(program: &Program, e: &Expr, out: &mut String) {
    let _ = match &e.kind {
        ExprKind::Int(v) if program.types.is_pointer(e.ty) => write!(out, "({}){v}", ty(program, e.ty)),
        ExprKind::Int(v) => write!(out, "{v}{}", int_suffix(program, e.ty)),
        ExprKind::Float(v) => write!(out, "{v}"),
        ExprKind::AddrOf(v, offset) => write!(out, "{}", address(program, *v, *offset)),
        ExprKind::FuncAddr(f) => write!(out, "&{}", function(program, *f)),
        ExprKind::LabelAddr(b) => write!(out, "&&{b}"),
        ExprKind::Load(place) => return write_place(program, place, out),
        ExprKind::Unary(op, a) => {
            out.push_str(match op {
                UnaryOp::Neg => "-",
                UnaryOp::BitNot => "~",
            });
            return write_operand(program, a, out);
        }
        ExprKind::Binary(op, a, b) => return write_infix(program, a, op.symbol(), b, out),
        ExprKind::Cast(a) => {
            let _ = write!(out, "({})", ty(program, e.ty));
            return write_operand(program, a, out);
        }
        ExprKind::PtrAdd(a, b) => return write_infix(program, a, "+p", b, out),
        ExprKind::PtrDiff(a, b) => return write_infix(program, a, "-p", b, out),
    };
}

/// Tells constants of the rarer integer types apart.
fn int_suffix(program: &Program, t: TypeId) -> String {
    use super::IntKind::*;
    match program.types.get(t) {
        Type::Int(Int) => String::new(),
        Type::Int(UInt) => "u".to_owned(),
        Type::Int(Long) => "l".to_owned(),
        Type::Int(ULong) => "ul".to_owned(),
        Type::Int(LongLong) => "ll".to_owned(),
        Type::Int(ULongLong) => "ull".to_owned(),
        _ => format!("'{}", ty(program, t)),
    }
}

fn write_infix(program: &Program, a: &Expr, op: &str, b: &Expr, out: &mut String) {
    write_operand(program, a, out);
    let _ = write!(out, " {op} ");
    write_operand(program, b, out);
}

fn write_operand(program: &Program, e: &Expr, out: &mut String) {
    let compound = matches!(e.kind, ExprKind::Binary(..) | ExprKind::PtrAdd(..) | ExprKind::PtrDiff(..));
    if compound {
        out.push('(');
    }
    write_expr(program, e, out);
    if compound {
        out.push(')');
    }
}

fn write_place(program: &Program, p: &Place, out: &mut String) {
    match &p.base {
        PlaceBase::Var(v) => {
            out.push_str(&variable(program, *v));
            let whole =
                p.offset == 0 && p.bits.is_none() && program.variables.get(*v).is_some_and(|var| var.ty == p.ty);
            if whole {
                return;
            }
            let _ = write!(out, "{{{:+}", p.offset);
        }
        PlaceBase::Deref(e) => {
            out.push_str("*{");
            write_operand(program, e, out);
            if p.offset != 0 {
                let _ = write!(out, "{:+}", p.offset);
            }
        }
    }
    let _ = write!(out, ": {}{}}}", ty(program, p.ty), p.bits.map(bits).unwrap_or_default());
}

fn write_args(program: &Program, args: &[Expr], out: &mut String) {
    out.push('(');
    for (i, a) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_expr(program, a, out);
    }
    out.push(')');
}

fn write_dest(program: &Program, dest: Option<&Place>, out: &mut String) {
    if let Some(p) = dest {
        write_place(program, p, out);
        out.push_str(" = ");
    }
}

fn write_stmt(program: &Program, stmt: &StmtKind, out: &mut String) {
    let e = |e: &Expr| print_expr(program, e);
    let p = |p: &Place| print_place(program, p);
    write_dest(program, stmt.dest(), out);
    let _ = match stmt {
        StmtKind::Check(check) => {
            out.push_str("check ");
            return write_check(program, check, out);
        }
        StmtKind::Assign { value, .. } => return write_expr(program, value, out),
        StmtKind::Assume { cond } => write!(out, "assume {}", e(cond)),
        StmtKind::Call { call, callee, args, .. } => {
            let callee = match callee {
                Callee::Direct(f) => function(program, *f),
                Callee::Indirect(target) => format!("*({})", e(target)),
            };
            let _ = write!(out, "{call} {callee}");
            return write_args(program, args, out);
        }
        StmtKind::LibraryCall { name, args } => {
            let _ = write!(out, "library call {name}");
            return write_args(program, args, out);
        }
        StmtKind::Lib { function, args, .. } => {
            let _ = write!(out, "lib {function:?} ");
            return write_args(program, args, out);
        }
        StmtKind::Input { input, range, .. } => {
            let range = range.as_ref().map(|(low, high)| format!(" from {} to {}", e(low), e(high)));
            write!(out, "{input} {}{}", program.inputs.get(*input).map_or("?", |i| &i.name), range.unwrap_or_default())
        }
        StmtKind::InputBytes { input, ptr, len } => {
            let name = program.inputs.get(*input).map_or("?", |i| &i.name);
            write!(out, "{input} {name} to {} length {}", e(ptr), e(len))
        }
        StmtKind::Alloc { alloc, size, zeroed, fails, .. } => {
            let zeroed = if *zeroed { " zeroed" } else { "" };
            let fails = fails.map(|i| format!(" may fail {i}")).unwrap_or_default();
            write!(out, "{alloc} {} size {}{zeroed}{fails}", alloc_name(program, *alloc), e(size))
        }
        StmtKind::Realloc { alloc, ptr, size, fails, .. } => {
            let name = alloc_name(program, *alloc);
            write!(out, "{alloc} {name} of {} size {} may fail {fails}", e(ptr), e(size))
        }
        StmtKind::Free { ptr } => write!(out, "free {}", e(ptr)),
        StmtKind::StorageLive(v) => write!(out, "live {}", variable(program, *v)),
        StmtKind::StorageDead(v) => write!(out, "dead {}", variable(program, *v)),
        StmtKind::VaStart { list } => write!(out, "va_start {}", e(list)),
        StmtKind::VaArg { list, .. } => write!(out, "va_arg {}", e(list)),
        StmtKind::VaCopy { dest, source } => write!(out, "va_copy {} from {}", e(dest), e(source)),
        StmtKind::VaEnd { list } => write!(out, "va_end {}", e(list)),
        StmtKind::ProgramArgs { input, argc, argv, envp } => {
            let envp = envp.as_ref().map(|x| format!(", {}", p(x))).unwrap_or_default();
            write!(out, "{}, {}{envp} = {input} program arguments", p(argc), p(argv))
        }
        StmtKind::Unsupported { what, .. } => write!(out, "unsupported {what}"),
    };
}

fn alloc_name(program: &Program, alloc: super::AllocId) -> String {
    let Some(site) = program.allocs.get(alloc) else { return "?".to_owned() };
    let kind = match site.kind {
        AllocKind::Heap => "heap",
        AllocKind::Stack => "stack",
        AllocKind::Opaque => "opaque",
        AllocKind::Static => "static",
    };
    format!("{kind} {}", site.name)
}

fn write_check(program: &Program, check: &Check, out: &mut String) {
    let e = |e: &Expr| print_expr(program, e);
    let _ = match check {
        Check::Access { ptr, size, mode, .. } => {
            let mode = match mode {
                super::AccessMode::Read => "read",
                super::AccessMode::Write => "write",
            };
            write!(out, "access {mode} {} size {}", e(ptr), e(size))
        }
        Check::Terminated { ptr, char_size, max, .. } => {
            let max = max.as_ref().map(|m| format!(" at most {}", e(m))).unwrap_or_default();
            write!(out, "terminated {} characters of {char_size}{max}", e(ptr))
        }
        Check::Initialized { place, .. } => write!(out, "initialized {}", print_place(program, place)),
        Check::NonZero { divisor, .. } => write!(out, "nonzero {}", e(divisor)),
        Check::NoOverflow { op, lhs, rhs, ty: t, .. } => {
            let _ = write!(out, "no overflow ");
            write_infix(program, lhs, op.symbol(), rhs, out);
            write!(out, " in {}", ty(program, *t))
        }
        Check::Fits { value, to, bits, .. } => {
            let bits = bits.map(|b| format!(" of {b} bits")).unwrap_or_default();
            write!(out, "fits {} in {}{bits}", e(value), ty(program, *to))
        }
        Check::ShiftCount { count, width, .. } => write!(out, "shift count {} below {width}", e(count)),
        Check::SameObject { lhs, rhs, .. } => write!(out, "same object {}, {}", e(lhs), e(rhs)),
        Check::Freeable { ptr, .. } => write!(out, "freeable {}", e(ptr)),
        Check::Callable { ptr, .. } => write!(out, "callable {}", e(ptr)),
        Check::Holds { cond, .. } => write!(out, "holds {}", e(cond)),
    };
    let sites: Vec<String> = check.sites().map(|s| site(program, s)).collect();
    let _ = write!(out, " [{}]", sites.join(", "));
}

fn site(program: &Program, s: SiteId) -> String {
    format!("{s} {}", program.sites.get(s).map_or("?", |site| site.kind.name()))
}

#[cfg(test)]
#[path = "print_tests.rs"]
mod tests;
