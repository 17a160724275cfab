//! The IR's own well-formedness: what every producer guarantees and every engine relies on.
//!
//! Checked: indices lie in their tables, types agree as `expr`, `check` and `stmt` document, places have complete
//! types, records and arrays are loaded only as whole right sides, arguments and returned values, every site, input,
//! allocation and call is used by one statement of the function its table names, variables belong to the function that
//! uses them, static initializers lie inside their object and do not overlap.
//!
//! Not checked, since erroneous C has it: that a place stays inside its variable, and that arguments agree with the
//! parameters of a function declared differently elsewhere.

use super::{
    AllocId, Block, BlockId, CallId, Callee, Check, CheckKind, Expr, ExprKind, FuncId, Function, Initializer, InputId,
    Place, PlaceBase, Program, SiteId, StaticValue, Stmt, StmtKind, Storage, Terminator, Type, TypeId, VarId, Variable,
};
use crate::base::{Idx, IndexVec, Span};
use std::fmt;

/// A broken rule of the IR: a defect of the producer, never of the user's program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The function (and block) or variable concerned.
    pub place: String,
    /// The function, where one is concerned.
    pub function: Option<FuncId>,
    /// The variable, where its own entry is concerned.
    pub variable: Option<VarId>,
    pub span: Span,
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// All violations, in the order of the program's tables; empty for a well-formed program.
pub fn validate(program: &Program) -> Vec<Violation> {
    let mut v = Validator {
        program,
        function: None,
        variable: None,
        place: String::new(),
        span: Span::NONE,
        found: Vec::new(),
        sites: IndexVec::from_elem(0, program.sites.len()),
        inputs: IndexVec::from_elem(0, program.inputs.len()),
        calls: IndexVec::from_elem(0, program.calls.len()),
        allocs: IndexVec::from_elem(0, program.allocs.len()),
    };
    for (id, var) in program.variables.iter_enumerated() {
        v.variable(id, var);
    }
    v.variable = None;
    for (id, f) in program.functions.iter_enumerated() {
        v.function_body(id, f);
    }
    v.uses();
    v.found
}

struct Validator<'p> {
    program: &'p Program,
    function: Option<FuncId>,
    variable: Option<VarId>,
    place: String,
    span: Span,
    found: Vec<Violation>,
    sites: IndexVec<SiteId, u32>,
    inputs: IndexVec<InputId, u32>,
    calls: IndexVec<CallId, u32>,
    allocs: IndexVec<AllocId, u32>,
}

/// Where a record or array value may be loaded.
#[derive(Clone, Copy, PartialEq)]
enum Root {
    Aggregate,
    Scalar,
}

impl Validator<'_> {
    fn fail(&mut self, message: impl Into<String>) {
        self.found.push(Violation {
            place: self.place.clone(),
            function: self.function,
            variable: self.variable,
            span: self.span,
            message: message.into(),
        });
    }
    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.fail(message());
        }
    }
    fn describe(&self, t: TypeId) -> String {
        self.program.types.describe(t)
    }

    fn variable(&mut self, id: VarId, var: &Variable) {
        let p = self.program;
        self.variable = Some(id);
        self.place = format!("variable {}#{}", var.name, id.0);
        self.span = var.span;
        match p.types.size_of(var.ty) {
            Some(size) if var.defined || var.owner().is_some() => {
                self.require(var.size >= size, || format!("{} bytes do not hold its type's {size}", var.size));
            }
            Some(_) => {}
            None => {
                let extern_only = !var.defined && var.owner().is_none();
                self.require(extern_only, || format!("incomplete type {}", p.types.describe(var.ty)));
            }
        }
        if matches!(p.types.get(var.ty), Type::Void | Type::Function(_)) {
            self.fail("no object has this type");
        }
        if let Some(owner) = var.owner() {
            let listed = p.functions.get(owner).map_or(0, |f| match var.storage {
                Storage::Param(_, n) => usize::from(f.params.get(n as usize) == Some(&id)),
                _ => f.locals.iter().filter(|&&l| l == id).count(),
            });
            // A function without a lowered body owns no variables that anything could reach.
            let bodiless = p.functions.get(owner).is_some_and(|f| !f.has_body());
            self.require(listed == 1 || bodiless, || format!("listed {listed} times by its function {owner}"));
            self.require(var.init.is_empty(), || "automatic variable with a static initializer".into());
        }
        self.initializers(var);
    }

    fn initializers(&mut self, var: &Variable) {
        let p = self.program;
        // Bit positions taken, to see overlaps of bit-fields too.
        let mut taken: Vec<(u64, u64)> = Vec::with_capacity(var.init.len());
        for init in &var.init {
            let Some(size) = p.types.size_of(init.ty) else {
                self.fail(format!("initializer at +{} of incomplete type", init.offset));
                continue;
            };
            let size = init.bits.map_or(size, |bits| bits.unit_bytes(size));
            let inside = init.offset.checked_add(size).is_some_and(|end| end <= var.size);
            self.require(inside, || format!("initializer at +{} of {size} bytes leaves the object", init.offset));
            self.require(self.initializer_agrees(init, size), || {
                format!("initializer at +{} does not fit type {}", init.offset, p.types.describe(init.ty))
            });
            let start = init.offset.saturating_mul(8);
            taken.push(match init.bits {
                Some(b) => (start + u64::from(b.offset), start + u64::from(b.offset) + u64::from(b.width)),
                None => (start, start.saturating_add(size.saturating_mul(8))),
            });
        }
        taken.sort_unstable();
        if taken.windows(2).any(|w| w[1].0 < w[0].1) {
            self.fail("initializers overlap");
        }
    }

    fn initializer_agrees(&self, init: &Initializer, size: u64) -> bool {
        let p = self.program;
        let address_type = |t| match p.types.get(t) {
            Type::Pointer(_) => true,
            Type::Int(k) => p.types.int_size(*k) == p.types.pointer_size(),
            _ => false,
        };
        match &init.value {
            StaticValue::Int(_) => p.types.as_int(init.ty).is_some() || p.types.is_pointer(init.ty),
            StaticValue::Float(v) => *p.types.get(init.ty) == Type::Float(v.kind()),
            StaticValue::AddrOf(v, _) => v.index() < p.variables.len() && address_type(init.ty),
            StaticValue::FuncAddr(f) => f.index() < p.functions.len() && address_type(init.ty),
            StaticValue::Bytes(b) => matches!(p.types.get(init.ty), Type::Array(..)) && b.len() as u64 <= size,
            StaticValue::Open => matches!(p.types.get(init.ty), Type::Array(..)),
            StaticValue::LabelAddr(f, b) => {
                // The labels of a function that was not lowered are gone.
                p.functions.get(*f).is_some_and(|f| !f.has_body() || b.index() < f.blocks.len())
                    && address_type(init.ty)
            }
        }
    }

    fn function_body(&mut self, id: FuncId, f: &Function) {
        let p = self.program;
        self.place = format!("function {}", f.name);
        self.span = f.span;
        self.function = Some(id);
        let Type::Function(ty) = p.types.get(f.ty) else {
            return self.fail("not of a function type");
        };
        if !f.has_body() {
            return;
        }
        if ty.prototyped {
            let agree = f.params.len() == ty.params.len()
                && f.params.iter().zip(&ty.params).all(|(v, t)| p.variables.get(*v).is_some_and(|v| v.ty == *t));
            self.require(agree, || "parameters differ from the function's type".into());
        }
        for &v in f.params.iter().chain(&f.locals) {
            let owned = p.variables.get(v).is_some_and(|v| v.owner() == Some(id));
            self.require(owned, || format!("lists {v}, which another owns"));
        }
        for (b, block) in f.blocks.iter_enumerated() {
            self.place = format!("function {}, {b}", f.name);
            for stmt in &block.stmts {
                self.span = stmt.span;
                self.stmt(stmt);
            }
            self.span = block.span;
            self.terminator(f, ty.result, block);
        }
    }

    fn terminator(&mut self, f: &Function, result: TypeId, block: &Block) {
        let p = self.program;
        for target in block.terminator.successors() {
            self.block(f, target);
        }
        match &block.terminator {
            Terminator::Branch { cond, .. } => self.expr(cond, Root::Scalar),
            Terminator::Switch { value, cases, .. } => {
                self.integer(value, "switch value");
                let mut ranges: Vec<(i128, i128)> = cases.iter().map(|c| (c.low, c.high)).collect();
                ranges.sort_unstable();
                let apart = ranges.windows(2).all(|w| w[0].1 < w[1].0) && ranges.iter().all(|r| r.0 <= r.1);
                self.require(apart, || "switch ranges overlap or are empty".into());
            }
            Terminator::IndirectGoto { target, .. } => self.pointer(target, "target of goto"),
            Terminator::Return(Some(value)) => {
                self.expr(value, Root::Aggregate);
                self.require(value.ty == result, || {
                    format!("returns {} from a function of {}", p.types.describe(value.ty), p.types.describe(result))
                });
            }
            Terminator::Exit(Some(status)) => self.integer(status, "exit status"),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Exit(None) | Terminator::Unreachable => {}
        }
    }

    fn block(&mut self, f: &Function, b: BlockId) {
        self.require(b.index() < f.blocks.len(), || format!("{b} does not exist"));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let p = self.program;
        match &stmt.kind {
            StmtKind::Check(check) => self.check(check),
            StmtKind::Assign { place, value } => {
                self.place_ok(place);
                self.expr(value, Root::Aggregate);
                self.require(place.ty == value.ty, || {
                    let (a, b) = (p.types.describe(place.ty), p.types.describe(value.ty));
                    format!("assigns {b} to a place of {a}")
                });
            }
            StmtKind::Assume { cond } => self.truth(cond),
            StmtKind::Call { call, dest, callee, args } => {
                self.use_call(*call);
                self.dest(dest.as_ref());
                match callee {
                    Callee::Direct(f) => {
                        self.require(f.index() < p.functions.len(), || format!("{f} does not exist"));
                    }
                    Callee::Indirect(target) => self.pointer(target, "callee"),
                }
                for a in args {
                    self.expr(a, Root::Aggregate);
                }
            }
            StmtKind::Lib { function, dest, args } => {
                self.dest(dest.as_ref());
                for a in args {
                    self.expr(a, Root::Scalar);
                }
                let effects = function.effects();
                for &n in effects.reads.iter().chain(&effects.writes).chain(&effects.result_from) {
                    let ok = args.get(n).is_some_and(|a| p.types.is_pointer(a.ty));
                    self.require(ok, || format!("{function:?} needs a pointer as argument {n}"));
                }
            }
            StmtKind::Input { input, dest, range } => {
                self.use_input(*input);
                self.place_ok(dest);
                let numeric = matches!(p.types.get(dest.ty), Type::Int(_) | Type::Float(_));
                self.require(numeric, || "input into something not a number".into());
                for e in range.iter().flat_map(|(low, high)| [low, high]) {
                    self.expr(e, Root::Scalar);
                    self.require(e.ty == dest.ty, || "range of an input of another type".into());
                }
            }
            StmtKind::InputBytes { input, ptr, len } => {
                self.use_input(*input);
                self.pointer(ptr, "input buffer");
                self.size(len);
            }
            StmtKind::Alloc { alloc, dest, size, fails, .. } => {
                self.use_alloc(*alloc);
                self.pointer_place(dest);
                self.size(size);
                if let Some(input) = fails {
                    self.use_input(*input);
                }
            }
            StmtKind::Realloc { alloc, dest, ptr, size, fails } => {
                self.use_alloc(*alloc);
                self.pointer_place(dest);
                self.pointer(ptr, "reallocated block");
                self.size(size);
                self.use_input(*fails);
            }
            StmtKind::Free { ptr } => self.pointer(ptr, "freed block"),
            StmtKind::LibraryCall { .. } => {}
            StmtKind::StorageLive(v) | StmtKind::StorageDead(v) => {
                let local = p.variables.get(*v).is_some_and(|x| x.owner().is_some() && x.owner() == self.function);
                self.require(local, || format!("lifetime of {v}, which is not a local here"));
            }
            StmtKind::VaStart { list } | StmtKind::VaEnd { list } => self.pointer(list, "va_list"),
            StmtKind::VaArg { list, dest } => {
                self.pointer(list, "va_list");
                self.place_ok(dest);
            }
            StmtKind::VaCopy { dest, source } => {
                self.pointer(dest, "va_list");
                self.pointer(source, "va_list");
            }
            StmtKind::ProgramArgs { input, argc, argv, envp } => {
                self.use_input(*input);
                self.place_ok(argc);
                self.require(p.types.as_int(argc.ty).is_some(), || "argc is not an integer".into());
                for place in [Some(argv), envp.as_ref()].into_iter().flatten() {
                    self.pointer_place(place);
                }
            }
            StmtKind::Unsupported { dest, .. } => self.dest(dest.as_ref()),
        }
    }

    fn check(&mut self, check: &Check) {
        let p = self.program;
        for (site, kinds) in check_kinds(check) {
            self.use_site(site, kinds);
        }
        match check {
            Check::Access { ptr, size, .. } => {
                self.pointer(ptr, "accessed address");
                self.size(size);
            }
            Check::Terminated { ptr, max, .. } => {
                self.pointer(ptr, "string");
                if let Some(max) = max {
                    self.size(max);
                }
            }
            Check::Initialized { place, .. } => {
                self.place_ok(place);
                self.require(p.types.is_scalar(place.ty), || "initialization check of an aggregate".into());
            }
            Check::NonZero { divisor, .. } => self.integer(divisor, "divisor"),
            Check::NoOverflow { lhs, rhs, ty, .. } => {
                self.integer(lhs, "operand");
                self.integer(rhs, "operand");
                self.require(lhs.ty == *ty && rhs.ty == *ty, || "overflow check of mixed types".into());
            }
            Check::Fits { value, to, .. } => {
                self.expr(value, Root::Scalar);
                self.require(p.types.as_int(*to).is_some(), || "conversion check to no integer type".into());
            }
            Check::ShiftCount { count, .. } => self.integer(count, "shift count"),
            Check::SameObject { lhs, rhs, .. } => {
                self.pointer(lhs, "operand");
                self.pointer(rhs, "operand");
            }
            Check::Freeable { ptr, .. } => self.pointer(ptr, "freed block"),
            Check::Callable { ptr, .. } => self.pointer(ptr, "callee"),
            Check::Holds { cond, .. } => self.truth(cond),
        }
    }

    fn dest(&mut self, dest: Option<&Place>) {
        if let Some(place) = dest {
            self.place_ok(place);
        }
    }
    fn pointer_place(&mut self, place: &Place) {
        self.place_ok(place);
        let ok = self.program.types.is_pointer(place.ty);
        self.require(ok, || "an address goes to a place that is no pointer".into());
    }

    fn place_ok(&mut self, place: &Place) {
        let p = self.program;
        match &place.base {
            PlaceBase::Var(v) => self.variable_use(*v),
            PlaceBase::Deref(e) => self.pointer(e, "dereferenced value"),
        }
        let complete =
            p.types.size_of(place.ty).is_some() && !matches!(p.types.get(place.ty), Type::Void | Type::Function(_));
        self.require(complete, || format!("place of type {}", p.types.describe(place.ty)));
        if let Some(bits) = place.bits {
            let unit = p.types.as_int(place.ty).map(|k| p.types.int_size(k) * 8);
            let end = u64::from(bits.offset) + u64::from(bits.width);
            self.require(unit.is_some_and(|u| end <= u) && bits.width > 0, || "bit-field leaves its unit".into());
        }
    }

    fn variable_use(&mut self, v: VarId) {
        let Some(var) = self.program.variables.get(v) else {
            return self.fail(format!("{v} does not exist"));
        };
        let ok = var.is_static() || var.owner() == self.function;
        self.require(ok, || format!("uses {}, a variable of another function", var.name));
    }

    fn expr(&mut self, e: &Expr, root: Root) {
        let p = self.program;
        match &e.kind {
            ExprKind::Int(v) => {
                let ok = match p.types.get(e.ty) {
                    Type::Int(k) => p.types.wrap(*k, *v) == *v,
                    Type::Pointer(_) => p.types.wrap_address(*v) == *v,
                    _ => false,
                };
                self.require(ok, || format!("constant {v} of type {}", p.types.describe(e.ty)));
            }
            ExprKind::Float(v) => {
                self.require(*p.types.get(e.ty) == Type::Float(v.kind()), || "floating constant of other type".into());
            }
            ExprKind::AddrOf(v, _) => {
                self.variable_use(*v);
                self.require(p.types.is_pointer(e.ty), || "address that is no pointer".into());
            }
            ExprKind::FuncAddr(f) => {
                self.require(f.index() < p.functions.len(), || format!("{f} does not exist"));
                self.require(p.types.is_pointer(e.ty), || "address that is no pointer".into());
            }
            ExprKind::LabelAddr(b) => {
                let known = self.function.is_some_and(|f| b.index() < p.functions[f].blocks.len());
                self.require(known, || format!("{b} does not exist"));
            }
            ExprKind::Load(place) => {
                self.place_ok(place);
                self.require(place.ty == e.ty, || "load of another type than its place".into());
                let ok = root == Root::Aggregate || p.types.is_scalar(e.ty);
                self.require(ok, || format!("{} loaded inside an expression", p.types.describe(e.ty)));
            }
            ExprKind::Unary(op, a) => {
                self.expr(a, Root::Scalar);
                let ok = match p.types.get(e.ty) {
                    Type::Int(_) => true,
                    Type::Float(_) => *op == super::UnaryOp::Neg,
                    _ => false,
                };
                self.require(ok && a.ty == e.ty, || format!("{op:?} of {}", p.types.describe(a.ty)));
            }
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b),
            ExprKind::Cast(a) => {
                self.expr(a, Root::Scalar);
                let ok = p.types.is_scalar(e.ty);
                self.require(ok, || format!("cast to {}", p.types.describe(e.ty)));
            }
            ExprKind::PtrAdd(a, b) => {
                self.pointer(a, "moved value");
                self.expr(b, Root::Scalar);
                self.require(b.ty == p.types.ptrdiff_type(), || "pointer moved by no ptrdiff_t".into());
                self.require(p.types.is_pointer(e.ty), || "moved pointer that is no pointer".into());
            }
            ExprKind::PtrDiff(a, b) => {
                self.pointer(a, "operand");
                self.pointer(b, "operand");
                self.require(e.ty == p.types.ptrdiff_type(), || "difference that is no ptrdiff_t".into());
            }
        }
    }

    fn binary(&mut self, e: &Expr, op: super::BinaryOp, a: &Expr, b: &Expr) {
        use super::BinaryOp::*;
        let p = self.program;
        self.expr(a, Root::Scalar);
        self.expr(b, Root::Scalar);
        let is_int = |t| p.types.as_int(t).is_some();
        let is_float = |t| matches!(p.types.get(t), Type::Float(_));
        let ok = match op {
            Shl | Shr => a.ty == e.ty && is_int(a.ty) && is_int(b.ty),
            And | Or | Xor | Rem => a.ty == e.ty && b.ty == e.ty && is_int(e.ty),
            Add | Sub | Mul | Div => a.ty == e.ty && b.ty == e.ty && (is_int(e.ty) || is_float(e.ty)),
            _ => a.ty == b.ty && p.types.is_scalar(a.ty) && e.ty == p.types.int(super::IntKind::Int),
        };
        self.require(ok, || {
            let [a, b, t] = [a.ty, b.ty, e.ty].map(|t| p.types.describe(t));
            format!("{a} {} {b} gives {t}", op.symbol())
        });
    }

    fn pointer(&mut self, e: &Expr, what: &str) {
        self.expr(e, Root::Scalar);
        let ok = self.program.types.is_pointer(e.ty);
        self.require(ok, || format!("{what} is no pointer"));
    }
    fn integer(&mut self, e: &Expr, what: &str) {
        self.expr(e, Root::Scalar);
        let ok = self.program.types.as_int(e.ty).is_some();
        self.require(ok, || format!("{what} is no integer"));
    }
    fn size(&mut self, e: &Expr) {
        self.expr(e, Root::Scalar);
        let ok = e.ty == self.program.types.size_type();
        let t = self.describe(e.ty);
        self.require(ok, || format!("size of type {t}, not size_t"));
    }
    fn truth(&mut self, e: &Expr) {
        self.expr(e, Root::Scalar);
        let ok = e.ty == self.program.types.int(super::IntKind::Int);
        self.require(ok, || "condition is no int".into());
    }

    fn use_site(&mut self, id: SiteId, kinds: &[CheckKind]) {
        let Some(site) = self.program.sites.get(id) else { return self.fail(format!("{id} does not exist")) };
        self.sites[id] += 1;
        self.require(Some(site.function) == self.function, || format!("{id} belongs to another function"));
        self.require(kinds.contains(&site.kind), || format!("{id} of kind {} in such a check", site.kind.name()));
    }
    fn use_input(&mut self, id: InputId) {
        let Some(site) = self.program.inputs.get(id) else { return self.fail(format!("{id} does not exist")) };
        self.inputs[id] += 1;
        self.require(Some(site.function) == self.function, || format!("{id} belongs to another function"));
    }
    fn use_call(&mut self, id: CallId) {
        let Some(site) = self.program.calls.get(id) else { return self.fail(format!("{id} does not exist")) };
        self.calls[id] += 1;
        self.require(Some(site.function) == self.function, || format!("{id} belongs to another function"));
    }
    fn use_alloc(&mut self, id: AllocId) {
        let Some(site) = self.program.allocs.get(id) else { return self.fail(format!("{id} does not exist")) };
        self.allocs[id] += 1;
        self.require(Some(site.function) == self.function, || format!("{id} belongs to another function"));
    }

    /// Every entry of a table is used once, unless its function has no body to use it.
    fn uses(&mut self) {
        let p = self.program;
        let mut wrong: Vec<(String, Span, FuncId, u32)> = Vec::new();
        wrong.extend(p.sites.iter_enumerated().map(|(i, s)| (i.to_string(), s.span, s.function, self.sites[i])));
        wrong.extend(p.inputs.iter_enumerated().map(|(i, s)| (i.to_string(), s.span, s.function, self.inputs[i])));
        wrong.extend(p.calls.iter_enumerated().map(|(i, s)| (i.to_string(), s.span, s.function, self.calls[i])));
        wrong.extend(p.allocs.iter_enumerated().map(|(i, s)| (i.to_string(), s.span, s.function, self.allocs[i])));
        for (what, span, function, count) in wrong {
            let body = p.functions.get(function).is_some_and(Function::has_body);
            if count > 1 || (count == 0 && body) {
                self.function = Some(function);
                self.place = p.functions.get(function).map_or_else(String::new, |f| format!("function {}", f.name));
                self.span = span;
                self.fail(format!("{what} is used {count} times"));
            }
        }
    }
}

/// The sites of a check and the kinds each may be of.
fn check_kinds(check: &Check) -> Vec<(SiteId, &'static [CheckKind])> {
    use CheckKind::*;
    match check {
        Check::Access { null, dangling, bounds, .. } => access_kinds(*null, *dangling, None, *bounds),
        Check::Terminated { null, dangling, uninit, bounds, .. } => access_kinds(*null, *dangling, *uninit, *bounds),
        Check::Initialized { site, .. } => vec![(*site, &[UninitRead])],
        Check::NonZero { site, .. } => vec![(*site, &[DivByZero])],
        Check::NoOverflow { site, .. } => {
            vec![(*site, &[SignedOverflow, UnsignedOverflow, LibraryDomain, OutOfBounds])]
        }
        Check::Fits { site, .. } => vec![(*site, &[Conversion, FloatConversion])],
        Check::ShiftCount { site, .. } => vec![(*site, &[Shift])],
        Check::SameObject { site, .. } => vec![(*site, &[PointerDiff, PointerCompare])],
        Check::Freeable { double, invalid, .. } => vec![(*invalid, &[InvalidFree]), (*double, &[DoubleFree])],
        Check::Callable { null, .. } => vec![(*null, &[NullDeref])],
        Check::Holds { site, .. } => {
            let kinds =
                &[Assertion, UnreachCall, ShiftOverflow, VlaBound, IndexBound, NullDeref, UseAfterFree, OutOfBounds];
            vec![(*site, kinds)]
        }
    }
}

fn access_kinds(
    null: Option<SiteId>,
    dangling: Option<SiteId>,
    uninit: Option<SiteId>,
    bounds: SiteId,
) -> Vec<(SiteId, &'static [CheckKind])> {
    use CheckKind::*;
    let optional: [(Option<SiteId>, &'static [CheckKind]); 3] =
        [(null, &[NullDeref]), (dangling, &[UseAfterFree]), (uninit, &[UninitRead])];
    let given = optional.into_iter().filter_map(|(site, kinds)| site.map(|s| (s, kinds)));
    given.chain([(bounds, &[OutOfBounds][..])]).collect()
}

#[cfg(test)]
#[path = "validate_tests.rs"]
mod tests;
