//! What statements do to values and memory: the groups `values`, `accesses`, `calls`, `allocations`, `checks`, `inputs`.
//!
//! Records and arrays are copied leaf by leaf ([`super::leaves`](mod@super::leaves)).

use super::leaves::{Leaf, carries_address, leaves};
use super::names::Names;
use super::offsets::Offset;
use super::values::{Key, ValueTable, Values};
use crate::facts::{FactStore, column, row};
use crate::ir::{
    AllocKind, Block, BlockId, CallId, Callee, Check, Expr, ExprKind, FuncId, Function, IntKind, LibFn, Place,
    PlaceBase, Program, StmtKind, Terminator, Type, VarId,
};

/// A copy of up to so many bytes is told offset by offset.
const LISTED_BYTES: i128 = 512;
/// No object has so many bytes: what copies more copies an unknown number.
const LARGEST_COPY: i128 = 1 << 40;

/// States what every statement of every function does.
pub fn emit(program: &Program, names: &Names, facts: &mut FactStore) -> ValueTable {
    let values = Values { program, names, facts, table: ValueTable::new(program) };
    let mut e = Emitter { values, function: FuncId(0), statement: None };
    e.values.number(Key::Outside);
    for (id, f) in program.functions.iter_enumerated() {
        if f.has_body() {
            e.function(id, f);
        }
    }
    e.values.table
}

/// The expressions whose values a statement gives to something else: a place, a function.
fn given_on(stmt: &StmtKind) -> Vec<&Expr> {
    match stmt {
        StmtKind::Assign { value, .. } => vec![value],
        StmtKind::Call { args, .. } | StmtKind::LibraryCall { args, .. } => args.iter().collect(),
        StmtKind::Lib { function, args, .. } => match function {
            LibFn::MemCopy | LibFn::Sort | LibFn::LeaveOpen | LibFn::Unsettle => Vec::new(),
            LibFn::MemSet | LibFn::WMemSet => args.get(1).into_iter().collect(),
            LibFn::FormatWrite(_) => args.iter().skip(2).collect(),
            _ => args.iter().collect(),
        },
        _ => Vec::new(),
    }
}

struct Emitter<'p> {
    values: Values<'p>,
    function: FuncId,
    statement: Option<column::Statement>,
}

impl Emitter<'_> {
    fn program(&self) -> &Program {
        self.values.program
    }
    fn here(&self) -> column::Statement {
        self.statement.expect("facts are stated inside a statement")
    }
    fn function_name(&self) -> column::Function {
        column::Function(self.values.names.function(self.function))
    }

    fn function(&mut self, id: FuncId, f: &Function) {
        self.function = id;
        self.statement = None;
        for (index, &p) in f.params.iter().enumerate() {
            self.parameter(index as i64, p);
        }
        for (b, block) in f.blocks.iter_enumerated() {
            self.block(b, block);
        }
    }

    /// A parameter's arrival: in the variable itself, or leaf by leaf in its memory.
    fn parameter(&mut self, index: i64, v: VarId) {
        let function = self.function_name();
        let whole = Place::var(v, self.program().variables[v].ty);
        if self.values.table.holds_value(v) {
            let value = self.values.number(Key::Variable(v));
            let row = row::ParameterValue { function, index, offset: column::Bytes(0), value };
            return self.values.facts.parameter_value.push(row);
        }
        for leaf in leaves(self.values.program, whole.ty) {
            let value = self.values.number(Key::Parameter(v, leaf.offset));
            let row = row::ParameterValue { function, index, offset: column::Bytes(leaf.offset), value };
            self.values.facts.parameter_value.push(row);
            self.store_leaf(&whole, leaf, value);
        }
    }

    fn block(&mut self, b: BlockId, block: &Block) {
        for (index, stmt) in block.stmts.iter().enumerate() {
            self.statement = Some(column::Statement(self.values.names.statement(self.function, b, index)));
            for e in stmt.kind.exprs() {
                self.reads(e);
            }
            self.stmt(&stmt.kind);
            given_on(&stmt.kind).into_iter().for_each(|e| self.moves(e));
        }
        let index = block.stmts.len();
        self.statement = Some(column::Statement(self.values.names.statement(self.function, b, index)));
        if let Some(e) = block.terminator.expr() {
            self.reads(e);
        }
        if let Terminator::Return(Some(e)) = &block.terminator {
            self.moves(e);
            let function = self.function_name();
            for (leaf, value) in self.parts(e) {
                let offset = column::Bytes(leaf.offset);
                self.values.facts.returned.push(row::Returned { function, offset, value });
            }
        }
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        for place in stmt.written_places() {
            self.write_access(place);
        }
        match stmt {
            StmtKind::Check(check) => self.check(check),
            StmtKind::Assign { place, value } => {
                for (leaf, value) in self.parts(value) {
                    self.store_leaf(place, leaf, value);
                }
            }
            StmtKind::Call { call, dest, callee, args } => self.call(*call, dest.as_ref(), callee, args),
            StmtKind::LibraryCall { name, args } => self.library_call(name, args),
            StmtKind::Lib { function, dest, args } => self.library(*function, dest.as_ref(), args),
            StmtKind::Input { input, .. } => self.input(*input),
            StmtKind::InputBytes { input, ptr, .. } => {
                self.input(*input);
                self.write_range(ptr);
            }
            StmtKind::Alloc { alloc, dest, fails, .. } => {
                fails.iter().for_each(|i| self.input(*i));
                self.allocation(*alloc, dest);
            }
            StmtKind::Realloc { alloc, dest, ptr, fails, .. } => {
                self.input(*fails);
                self.allocation(*alloc, dest);
                self.read_range(ptr);
                if let Some(pointer) = self.values.of(ptr) {
                    let allocation = column::Allocation(self.values.names.alloc(*alloc));
                    self.values.facts.reallocated.push(row::Reallocated { allocation, pointer });
                    let statement = self.here();
                    self.values.facts.frees.push(row::Frees { statement, pointer });
                }
            }
            StmtKind::Free { ptr } => {
                if let Some(pointer) = self.values.of(ptr) {
                    let statement = self.here();
                    self.values.facts.frees.push(row::Frees { statement, pointer });
                }
            }
            StmtKind::VaStart { list } => {
                self.write_range(list);
                if let Some(list) = self.values.of(list) {
                    let (statement, function) = (self.here(), self.function_name());
                    self.values.facts.va_start.push(row::VaStart { statement, function, list });
                }
            }
            StmtKind::VaArg { list, dest } => {
                self.read_range(list);
                self.write_range(list);
                if let Some(list) = self.values.of(list) {
                    let arguments = self.load_anywhere(list);
                    let argument = self.load_anywhere(arguments);
                    self.store_everywhere(dest, argument);
                }
            }
            StmtKind::VaCopy { dest, source } => {
                self.read_range(source);
                self.write_range(dest);
                if let (Some(dest), Some(source)) = (self.values.of(dest), self.values.of(source)) {
                    let value = self.load_anywhere(source);
                    let pointer = self.values.number(Key::Stepped(dest, 1));
                    self.write_value(pointer, value, true);
                }
            }
            StmtKind::ProgramArgs { input, argv, envp, .. } => {
                self.input(*input);
                for (place, name) in [(Some(argv), "argv"), (envp.as_ref(), "envp")] {
                    if let Some(place) = place {
                        let value = self.values.number(Key::Argument(name));
                        self.store_leaf(place, Leaf { offset: 0, stride: 0 }, value);
                    }
                }
            }
            StmtKind::Unsupported { dest, what } => {
                let construct = self.values.facts.symbols.intern(what);
                let (statement, function) = (self.here(), self.function_name());
                self.values.facts.unknown_statement.push(row::UnknownStatement { statement, function, construct });
                let value = self.values.number(Key::Unknown(self.function));
                if let Some(place) = dest {
                    self.store_everywhere(place, value);
                }
            }
            StmtKind::Assume { .. } | StmtKind::StorageLive(_) | StmtKind::StorageDead(_) | StmtKind::VaEnd { .. } => {}
        }
    }

    /// The values in an expression that may hold addresses: itself, or those of a record.
    fn parts(&mut self, e: &Expr) -> Vec<(Leaf, column::Value)> {
        if self.program().types.is_scalar(e.ty) {
            let value = self.values.of(e);
            return value.into_iter().map(|v| (Leaf { offset: 0, stride: 0 }, v)).collect();
        }
        let ExprKind::Load(place) = &e.kind else { return Vec::new() };
        let Some(base) = self.values.address(place) else { return Vec::new() };
        let found = leaves(self.values.program, e.ty);
        found.into_iter().map(|leaf| (leaf, self.load_leaf(base, leaf))).collect()
    }

    fn load_leaf(&mut self, base: column::Value, leaf: Leaf) -> column::Value {
        let pointer = self.values.shift(base, Offset { constant: leaf.offset, stride: leaf.stride });
        self.values.number(Key::Loaded(pointer))
    }

    fn load_anywhere(&mut self, base: column::Value) -> column::Value {
        self.load_leaf(base, Leaf { offset: 0, stride: 1 })
    }

    /// `value` goes to `place`, `leaf` further on.
    fn store_leaf(&mut self, place: &Place, leaf: Leaf, value: column::Value) {
        if let PlaceBase::Var(v) = place.base
            && self.values.table.holds_value(v)
        {
            let variable = self.values.number(Key::Variable(v));
            if let Some(statement) = self.statement {
                self.values.facts.gives_value.push(row::GivesValue { statement, target: variable, value });
            }
            return self.values.facts.copied.push(row::Copied { value: variable, source: value });
        }
        let Some(base) = self.values.address(place) else { return };
        let pointer = self.values.shift(base, Offset { constant: leaf.offset, stride: leaf.stride });
        self.write_value(pointer, value, !self.program().types.is_pointer(place.ty));
    }

    fn write_value(&mut self, pointer: column::Value, value: column::Value, as_number: bool) {
        if let Some(statement) = self.statement {
            self.values.facts.writes_value.push(row::WritesValue { statement, pointer, value });
        }
        self.values.facts.stored_through.push(row::StoredThrough { pointer, value });
        if as_number {
            self.values.facts.stored_as_number.push(row::StoredAsNumber { pointer, value });
        }
    }

    /// `value` goes wherever `place` may hold addresses.
    fn store_everywhere(&mut self, place: &Place, value: column::Value) {
        for leaf in leaves(self.values.program, place.ty) {
            self.store_leaf(place, leaf, value);
        }
    }

    fn call(&mut self, id: CallId, dest: Option<&Place>, callee: &Callee, args: &[Expr]) {
        let call = column::Call(self.values.names.call(id));
        let (function, statement) = (self.function_name(), self.here());
        self.values.facts.call.push(row::Call { call, function, statement });
        match callee {
            Callee::Direct(f) => {
                let callee = column::Function(self.values.names.function(*f));
                self.values.facts.direct_call.push(row::DirectCall { call, callee });
            }
            Callee::Indirect(target) => {
                if let Some(pointer) = self.values.of(target) {
                    self.values.facts.indirect_call.push(row::IndirectCall { call, pointer });
                }
            }
        }
        for (index, a) in args.iter().enumerate() {
            for (leaf, value) in self.parts(a) {
                let (index, offset) = (index as i64, column::Bytes(leaf.offset));
                self.values.facts.argument.push(row::Argument { call, index, offset, value });
            }
        }
        let Some(place) = dest else { return };
        for leaf in leaves(self.values.program, place.ty) {
            let value = self.values.number(Key::Result(id, leaf.offset));
            let offset = column::Bytes(leaf.offset);
            self.values.facts.result.push(row::Result { call, offset, value });
            self.store_leaf(place, leaf, value);
        }
    }

    fn library_call(&mut self, name: &str, args: &[Expr]) {
        let (statement, name) = (self.here(), self.values.facts.symbols.intern(name));
        self.values.facts.calls_library.push(row::CallsLibrary { statement, name });
        for (index, a) in args.iter().enumerate() {
            if let Some(value) = self.values.of(a) {
                let row = row::GivesLibrary { statement, index: index as i64, value };
                self.values.facts.gives_library.push(row);
            }
        }
    }

    fn library(&mut self, function: LibFn, dest: Option<&Place>, args: &[Expr]) {
        let effects = function.effects();
        for &n in effects.reads {
            if let Some(a) = args.get(n) {
                self.read_range(a);
            }
        }
        if let Some(format) = function.format_argument() {
            for a in args.iter().skip(format + 1).filter(|a| self.values.program.types.is_pointer(a.ty)) {
                self.read_range(a);
            }
        }
        let target = effects.writes.and_then(|n| args.get(n));
        if let Some(target) = target {
            self.write_range(target);
        }
        if let (LibFn::MemSet | LibFn::WMemSet, Some(value)) = (function, args.get(1))
            && value.as_int().is_none()
        {
            self.write_characters(&args[0]);
        }
        if effects.copies {
            for &n in effects.reads {
                if let (Some(target), Some(source)) = (target, args.get(n)) {
                    self.copy_bytes(target, source, args.get(2).filter(|_| function == LibFn::MemCopy));
                }
            }
        }
        if let (Some(n), Some(place)) = (effects.result_from, dest)
            && let Some(argument) = args.get(n)
            && let Some(value) = self.values.of(argument)
        {
            let value = self.values.number(Key::Stepped(value, 1));
            self.store_everywhere(place, value);
        }
    }

    /// `len` bytes, addresses too, go from `source` to `target`: offset by offset when they are few and counted, like
    /// the record that they mostly are.
    fn copy_bytes(&mut self, target: &Expr, source: &Expr, len: Option<&Expr>) {
        let (Some(to), Some(from)) = (self.values.of(target), self.values.of(source)) else { return };
        let size = self.values.program.types.pointer_size().cast_signed();
        if let Some(len) = len.and_then(Expr::as_int).filter(|n| (0..=LISTED_BYTES).contains(n)) {
            let mut offset = 0;
            while i128::from(offset + size) <= len {
                let leaf = Offset { constant: offset, stride: 0 };
                let (read, written) = (self.values.shift(from, leaf), self.values.shift(to, leaf));
                let value = self.values.number(Key::Loaded(read));
                self.write_value(written, value, true);
                offset += size;
            }
            if len % i128::from(size) == 0 {
                return;
            }
        }
        let statement = self.here();
        self.values.facts.copies_bytes.push(row::CopiesBytes { statement, target: to, source: from });
        if let Some(bytes) = len.and_then(Expr::as_int).filter(|n| (1..LARGEST_COPY).contains(n)) {
            self.values.facts.copied_bytes.push(row::CopiedBytes { statement, bytes: column::Bytes(bytes as i64) });
        }
    }

    fn allocation(&mut self, id: crate::ir::AllocId, dest: &Place) {
        let allocation = column::Allocation(self.values.names.alloc(id));
        let kind = match self.program().allocs[id].kind {
            AllocKind::Heap => "heap",
            AllocKind::Stack => "stack",
            AllocKind::Opaque => "opaque",
            AllocKind::Static => "static",
        };
        let kind = self.values.facts.symbols.intern(kind);
        let (function, statement) = (self.function_name(), self.here());
        self.values.facts.allocation.push(row::Allocation { allocation, function, statement, kind });
        let value = self.values.number(Key::Allocated(id));
        self.values.facts.allocated.push(row::Allocated { allocation, value });
        self.store_leaf(dest, Leaf { offset: 0, stride: 0 }, value);
    }

    fn input(&mut self, id: crate::ir::InputId) {
        let site = &self.values.program.inputs[id];
        let source = column::Input(self.values.names.input(self.function, id));
        let name = self.values.facts.symbols.intern(&site.name);
        let (function, statement) = (self.function_name(), self.here());
        self.values.facts.input_site.push(row::InputSite { source, name, function, statement });
    }

    /// The pointers that a check judges; [`super::checks`] states the rest.
    fn check(&mut self, check: &Check) {
        let pointers: Vec<column::Value> = match check {
            Check::Access { ptr, .. }
            | Check::Terminated { ptr, .. }
            | Check::Freeable { ptr, .. }
            | Check::Callable { ptr, .. } => self.values.of(ptr).into_iter().collect(),
            Check::SameObject { lhs, rhs, .. } => [lhs, rhs].into_iter().filter_map(|e| self.values.of(e)).collect(),
            _ => Vec::new(),
        };
        for id in check.sites() {
            let site = column::CheckSite(self.values.names.site(self.function, id));
            for &pointer in &pointers {
                self.values.facts.checked_pointer.push(row::CheckedPointer { site, pointer });
            }
        }
    }

    /// States every read of memory in `e`.
    fn reads(&mut self, e: &Expr) {
        let mut places: Vec<&Place> = Vec::new();
        e.walk(&mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                places.push(place);
            }
        });
        for place in places {
            if let Some(pointer) = self.memory(place) {
                let (statement, r#type) = (self.here(), column::Type(self.values.names.ty(place.ty)));
                self.values.facts.reads_at.push(row::ReadsAt { statement, pointer, r#type });
            }
        }
    }

    /// States that the number or record that `e` reads goes on unchanged, if it does.
    fn moves(&mut self, mut e: &Expr) {
        let types = &self.values.program.types;
        while let ExprKind::Cast(inner) = &e.kind
            && matches!(types.get(e.ty), Type::Int(_))
        {
            e = inner;
        }
        let ExprKind::Load(place) = &e.kind else { return };
        if place.bits.is_some() || !matches!(types.get(e.ty), Type::Int(_) | Type::Record(_)) {
            return;
        }
        let statement = self.here();
        if let Some(pointer) = self.memory(place) {
            self.values.facts.moves_number.push(row::MovesNumber { statement, pointer });
        } else if let PlaceBase::Var(v) = place.base {
            let variable = column::Variable(self.values.names.variable(v));
            self.values.facts.moves_variable.push(row::MovesVariable { statement, variable });
        }
    }

    fn write_access(&mut self, place: &Place) {
        if let Some(pointer) = self.memory(place) {
            let (statement, r#type) = (self.here(), column::Type(self.values.names.ty(place.ty)));
            self.values.facts.writes_at.push(row::WritesAt { statement, pointer, r#type });
        }
    }

    /// The address of `place`, unless it is a variable that no pointer reaches and nothing but its function sees.
    fn memory(&mut self, place: &Place) -> Option<column::Value> {
        if let PlaceBase::Var(v) = place.base {
            let var = &self.values.program.variables[v];
            let scalar = self.values.program.types.is_scalar(var.ty);
            if !var.is_static() && !var.address_taken && scalar && !carries_address(self.values.program, var.ty) {
                return None;
            }
        }
        self.values.address(place)
    }

    fn unknown_extent(&mut self) -> column::Type {
        column::Type(self.values.facts.symbols.intern("?"))
    }
    fn read_range(&mut self, e: &Expr) {
        if let Some(pointer) = self.values.of(e) {
            let (statement, r#type) = (self.here(), self.unknown_extent());
            self.values.facts.reads_at.push(row::ReadsAt { statement, pointer, r#type });
        }
    }
    /// Characters that may be any are written from `e` on.
    fn write_characters(&mut self, e: &Expr) {
        if let Some(pointer) = self.values.of(e) {
            let character = self.values.program.types.int(IntKind::UChar);
            let (statement, r#type) = (self.here(), column::Type(self.values.names.ty(character)));
            self.values.facts.writes_at.push(row::WritesAt { statement, pointer, r#type });
        }
    }
    fn write_range(&mut self, e: &Expr) {
        if let Some(pointer) = self.values.of(e) {
            let (statement, r#type) = (self.here(), self.unknown_extent());
            self.values.facts.writes_at.push(row::WritesAt { statement, pointer, r#type });
        }
    }
}
