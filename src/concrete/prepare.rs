//! What is computed once per program so that runs are quick: representations, frame layouts, the initial memory.

use super::code::{self, Quick};
use super::memory::{Memory, Shortage};
use super::object::{Fill, ObjectKind};
use super::piece::Piece;
use super::scalar::{Class, Scalar};
use super::scan::Part;
use super::value::{Origin, Value};
use crate::base::Idx;
use crate::ir::contracts::blocks::TakesOut;
use crate::ir::padding::{Gap, padding};
use crate::ir::{
    Callee, Check, Expr, ExprKind, FuncId, Initializer, Place, PlaceBase, Program, Real, StaticValue, Stmt, StmtKind,
    Terminator, Type, TypeId, VarId, Variable,
};
use rustc_hash::FxHashMap;

/// Expressions nested deeper are not evaluated: evaluation recurses.
const DEEPEST: usize = 400;

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A scalar that nothing points into: register of its frame.
    Register(u32),
    /// Object of its frame.
    Frame(u32),
    /// A slot of memory.
    Static(u32),
}

/// What a call of a function sets up.
#[derive(Clone, Debug, Default)]
pub struct FrameLayout {
    /// Number of registers.
    pub registers: usize,
    /// Variables with an object, by their number in the frame.
    pub objects: Vec<VarId>,
    /// Why its body cannot be run.
    pub unfit: Option<String>,
}

/// A program made ready for runs.
pub struct Prepared<'p> {
    pub program: &'p Program,
    scalars: Vec<Scalar>,
    sizes: Vec<u64>,
    paddings: Vec<Vec<Gap>>,
    homes: Vec<Home>,
    pub(super) frames: Vec<FrameLayout>,
    pub(super) initial: Memory,
    pub(super) function_slots: Vec<u32>,
    /// What the library functions take out of the program that it calls.
    pub(super) takes_out: FxHashMap<&'p str, TakesOut>,
    /// Blocks of the functions before each, and of all in the end.
    first_blocks: Vec<usize>,
    /// Blocks, by their numbers among all, to which control goes from a block that does not stand before: each loop has one.
    pub(super) heads: Vec<bool>,
    pub(super) pointer: Scalar,
    /// Code of each block's statements and of its end, by the block's number among all.
    pub(super) quick: Vec<Box<[Quick]>>,
    /// What each input says of a stream.
    pub(super) pieces: Vec<Option<Piece>>,
    /// Which inputs tell how much of what was handed over was written.
    pub(super) written: Vec<bool>,
    /// What each input says of a text that is scanned.
    pub(super) scans: Vec<Option<Part>>,
    /// What `stdin` points to.
    pub(super) input_slot: Option<u32>,
}

impl<'p> Prepared<'p> {
    /// Tables and initial memory of `program`.
    pub fn new(program: &'p Program) -> Prepared<'p> {
        let types = &program.types;
        let mut in_memory = vec![false; program.variables.len()];
        let mut frames = Vec::with_capacity(program.functions.len());
        for function in program.functions.iter() {
            let mut scan = Scan { program, in_memory: &mut in_memory, deepest: 0 };
            for block in function.blocks.iter() {
                block.stmts.iter().for_each(|s| scan.stmt(s));
                scan.terminator(&block.terminator);
            }
            let unfit =
                (scan.deepest > DEEPEST).then(|| format!("an expression in {} is nested too deeply", function.name));
            frames.push(FrameLayout { unfit, ..FrameLayout::default() });
        }
        let mut prepared = Prepared {
            program,
            scalars: types.iter().map(|(t, _)| Scalar::of(types, t)).collect(),
            sizes: types.iter().map(|(t, _)| types.size_of(t).unwrap_or(0)).collect(),
            paddings: types
                .iter()
                .map(|(t, ty)| if matches!(ty, Type::Record(_)) { padding(types, t) } else { Vec::new() })
                .collect(),
            homes: Vec::with_capacity(program.variables.len()),
            frames,
            initial: Memory::new(types.model),
            function_slots: Vec::new(),
            takes_out: taken_out(program),
            first_blocks: first_blocks(program),
            heads: heads(program),
            pointer: Scalar::of(types, types.void_ptr()),
            quick: Vec::new(),
            pieces: super::streams::pieces(program),
            written: program.inputs.iter().map(|i| matches!(&*i.name, "write()" | "send()" | "fwrite()")).collect(),
            scans: super::scan::parts(program),
            input_slot: None,
        };
        prepared.place_variables(&in_memory);
        prepared.quick = program
            .functions
            .iter_enumerated()
            .flat_map(|(function, body)| {
                let is_unfit = prepared.frames[function.index()].unfit.is_some();
                let prepared = &prepared;
                body.blocks
                    .iter()
                    .map(move |block| if is_unfit { Box::default() } else { code::of_block(prepared, block) })
            })
            .collect();
        prepared.initialize().expect("a program's static objects fit the address space, or their contents are skipped");
        prepared.initial.share();
        prepared
    }

    /// The representation of a type.
    #[inline]
    pub fn scalar(&self, ty: TypeId) -> Scalar {
        self.scalars[ty.index()]
    }
    /// Bytes of a type; 0 when incomplete.
    #[inline]
    pub fn size(&self, ty: TypeId) -> u64 {
        self.sizes[ty.index()]
    }
    /// The padding of a record type.
    pub fn padding(&self, ty: TypeId) -> &[Gap] {
        &self.paddings[ty.index()]
    }
    /// The number of a function's first block among those of all functions.
    #[inline]
    pub(super) fn first_block(&self, function: FuncId) -> usize {
        self.first_blocks[function.index()]
    }
    /// How many blocks all functions have.
    pub fn blocks(&self) -> usize {
        self.first_blocks.last().copied().unwrap_or(0)
    }
    /// Where a variable lives.
    #[inline]
    pub fn home(&self, var: VarId) -> Home {
        self.homes[var.index()]
    }

    fn place_variables(&mut self, in_memory: &[bool]) {
        for (var, v) in self.program.variables.iter_enumerated() {
            let home = match v.owner() {
                Some(owner) => {
                    let frame = &mut self.frames[owner.index()];
                    if in_memory[var.index()] || self.scalars[v.ty.index()].class == Class::NotScalar {
                        frame.objects.push(var);
                        Home::Frame(frame.objects.len() as u32 - 1)
                    } else {
                        frame.registers += 1;
                        Home::Register(frame.registers as u32 - 1)
                    }
                }
                None => {
                    let fill = if v.defined { Fill::Zero } else { Fill::External };
                    let slot = self
                        .initial
                        .create(ObjectKind::Variable(var, 0), v.size, fill, false)
                        .expect("no limit is set yet");
                    self.initial.objects[slot as usize].constant = v.constant.clone();
                    Home::Static(slot)
                }
            };
            self.homes.push(home);
        }
        for (function, f) in self.program.functions.iter_enumerated() {
            let size = 1 + f.blocks.len() as u64;
            let slot = self
                .initial
                .create(ObjectKind::Function(function), size, Fill::Indeterminate, false)
                .expect("no limit is set yet");
            self.function_slots.push(slot);
        }
    }

    fn initialize(&mut self) -> Result<(), Shortage> {
        for (var, v) in self.program.variables.iter_enumerated() {
            let Home::Static(slot) = self.homes[var.index()] else { continue };
            if is_environment_pointer(v) && self.scalars[v.ty.index()].class == Class::Pointer {
                let target = self.initial.create(ObjectKind::Environment, 4096, Fill::External, false)?;
                let pointer = self.initial.pointer(target, 0)?;
                self.store_static(slot, 0, self.pointer, pointer);
            }
            if v.name == "stdin"
                && let [Initializer { value: StaticValue::AddrOf(stream, 0), .. }] = v.init[..]
                && let Home::Static(stream) = self.homes[stream.index()]
            {
                self.input_slot = Some(stream);
            }
            for init in &v.init {
                self.apply(slot, v, init)?;
            }
        }
        Ok(())
    }

    fn apply(&mut self, slot: u32, variable: &Variable, init: &Initializer) -> Result<(), Shortage> {
        let scalar = self.scalars[init.ty.index()];
        let value = match &init.value {
            StaticValue::Int(v) => Value::int(*v),
            StaticValue::Float(v) => Value::Float(*v),
            StaticValue::AddrOf(target, offset) => {
                let Home::Static(target) = self.homes[target.index()] else { return Ok(()) };
                self.initial.pointer(target, i128::from(*offset))?
            }
            StaticValue::FuncAddr(f) => self.initial.pointer(self.function_slots[f.index()], 0)?,
            StaticValue::LabelAddr(f, b) => {
                self.initial.pointer(self.function_slots[f.index()], 1 + b.index() as i128)?
            }
            StaticValue::Open => {
                let room = variable.size.saturating_sub(init.offset).min(self.sizes[init.ty.index()]) as usize;
                self.initial.objects[slot as usize].store_open(init.offset as usize, room);
                return Ok(());
            }
            StaticValue::Bytes(bytes) => {
                let room = variable.size.saturating_sub(init.offset).min(bytes.len() as u64) as usize;
                self.initial.objects[slot as usize].store_bytes(init.offset as usize, &bytes[..room]);
                return Ok(());
            }
        };
        if let (Some(bits), Value::Int(v, _)) = (init.bits, value) {
            self.initial.objects[slot as usize].store_bits(init.offset as usize, bits, Some(v as u128));
        } else if scalar.class != Class::NotScalar && init.offset + u64::from(scalar.size) <= variable.size {
            self.store_static(slot, init.offset as usize, scalar, value);
        }
        Ok(())
    }

    fn store_static(&mut self, slot: u32, at: usize, scalar: Scalar, value: Value) {
        let object = &mut self.initial.objects[slot as usize];
        match (value, scalar.float()) {
            (Value::Int(v, origin), None) => object.store(at, scalar.stored(), scalar.wrap(v) as u128, origin),
            (Value::Int(v, _), Some(k)) => {
                object.store(at, scalar.stored(), Real::of_int(k, v, false).bits(), Origin::NONE);
            }
            (Value::Float(v), Some(k)) => {
                object.store(at, scalar.stored(), v.to_kind(k).bits(), Origin::NONE);
                object.store_open(at + scalar.stored(), usize::from(scalar.size) - scalar.stored());
            }
            (Value::Float(v), None) => {
                object.store(at, scalar.stored(), v.to_int().unwrap_or(0) as u128, Origin::NONE);
            }
            (Value::Undef, _) => {}
        }
    }
}

/// What each library function takes out of the program that it calls, where it is one that does.
fn taken_out(program: &Program) -> FxHashMap<&str, TakesOut> {
    let blocks = program.functions.iter().flat_map(|function| function.blocks.iter());
    let called = blocks.flat_map(|block| &block.stmts).filter_map(|stmt| match &stmt.kind {
        StmtKind::LibraryCall { name, .. } => Some(&**name),
        _ => None,
    });
    called.filter_map(|name| Some((name, program.contracts.takes_out(name)?))).collect()
}

/// How many blocks stand before each function's first one, and how many there are.
fn first_blocks(program: &Program) -> Vec<usize> {
    let mut before = vec![0];
    for function in program.functions.iter() {
        before.push(before[before.len() - 1] + function.blocks.len());
    }
    before
}

fn heads(program: &Program) -> Vec<bool> {
    let mut heads = Vec::new();
    for function in program.functions.iter() {
        let first = heads.len();
        heads.resize(first + function.blocks.len(), false);
        for (from, block) in function.blocks.iter_enumerated() {
            for to in block.terminator.successors().into_iter().filter(|to| *to <= from) {
                heads[first + to.index()] = true;
            }
        }
    }
    heads
}

/// The variable of the C library that points to the environment when a program starts.
fn is_environment_pointer(variable: &Variable) -> bool {
    !variable.defined && matches!(variable.name.as_str(), "environ" | "__environ")
}

/// Walks a function: which variables need an object, how deep expressions are. Keeps its own stack.
struct Scan<'a> {
    program: &'a Program,
    in_memory: &'a mut [bool],
    deepest: usize,
}

impl Scan<'_> {
    fn place(&mut self, place: &Place) {
        let mut work = Vec::new();
        self.enter_place(place, 1, &mut work);
        self.drain(work);
    }
    fn expr(&mut self, expr: &Expr) {
        self.drain(vec![(expr, 1)]);
    }
    fn enter_place<'e>(&mut self, place: &'e Place, depth: usize, work: &mut Vec<(&'e Expr, usize)>) {
        match &place.base {
            PlaceBase::Var(v) => {
                let plain = place.offset == 0 && place.bits.is_none() && place.ty == self.program.variables[*v].ty;
                self.in_memory[v.index()] |= !plain;
            }
            PlaceBase::Deref(p) => work.push((p, depth)),
        }
    }
    fn drain(&mut self, mut work: Vec<(&Expr, usize)>) {
        while let Some((expr, depth)) = work.pop() {
            self.deepest = self.deepest.max(depth);
            match &expr.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) | ExprKind::LabelAddr(_) => {}
                ExprKind::AddrOf(v, _) => self.in_memory[v.index()] = true,
                ExprKind::Load(place) => self.enter_place(place, depth + 1, &mut work),
                ExprKind::Unary(_, e) | ExprKind::Cast(e) => work.push((e, depth + 1)),
                ExprKind::Binary(_, a, b) | ExprKind::PtrAdd(a, b) | ExprKind::PtrDiff(a, b) => {
                    work.push((a, depth + 1));
                    work.push((b, depth + 1));
                }
            }
        }
    }
    fn stmt(&mut self, stmt: &Stmt) {
        if let Some(dest) = stmt.kind.dest() {
            self.place(dest);
        }
        match &stmt.kind {
            StmtKind::Check(check) => self.check(check),
            StmtKind::Assign { value, .. } => self.expr(value),
            StmtKind::Assume { cond } => self.expr(cond),
            StmtKind::Call { callee, args, .. } => {
                if let Callee::Indirect(e) = callee {
                    self.expr(e);
                }
                args.iter().for_each(|a| self.expr(a));
            }
            StmtKind::Lib { args, .. } => args.iter().for_each(|a| self.expr(a)),
            StmtKind::Input { range, .. } => {
                if let Some((low, high)) = range {
                    self.expr(low);
                    self.expr(high);
                }
            }
            StmtKind::InputBytes { ptr, len, .. } => {
                self.expr(ptr);
                self.expr(len);
            }
            StmtKind::Alloc { size, .. } => self.expr(size),
            StmtKind::Realloc { ptr, size, .. } => {
                self.expr(ptr);
                self.expr(size);
            }
            StmtKind::Free { ptr } => self.expr(ptr),
            StmtKind::LibraryCall { .. }
            | StmtKind::StorageLive(_)
            | StmtKind::StorageDead(_)
            | StmtKind::Unsupported { .. } => {}
            StmtKind::VaStart { list } | StmtKind::VaArg { list, .. } | StmtKind::VaEnd { list } => self.expr(list),
            StmtKind::VaCopy { dest, source } => {
                self.expr(dest);
                self.expr(source);
            }
            StmtKind::ProgramArgs { argc, argv, envp, .. } => {
                self.place(argc);
                self.place(argv);
                if let Some(envp) = envp {
                    self.place(envp);
                }
            }
        }
    }
    fn check(&mut self, check: &Check) {
        match check {
            Check::Access { ptr, size, .. } => {
                self.expr(ptr);
                self.expr(size);
            }
            Check::Terminated { ptr, max, .. } => {
                self.expr(ptr);
                if let Some(max) = max {
                    self.expr(max);
                }
            }
            Check::Initialized { place, .. } => self.place(place),
            Check::NonZero { divisor: e, .. }
            | Check::Fits { value: e, .. }
            | Check::ShiftCount { count: e, .. }
            | Check::Freeable { ptr: e, .. }
            | Check::Callable { ptr: e, .. }
            | Check::Holds { cond: e, .. } => self.expr(e),
            Check::NoOverflow { lhs, rhs, .. } | Check::SameObject { lhs, rhs, .. } => {
                self.expr(lhs);
                self.expr(rhs);
            }
        }
    }
    fn terminator(&mut self, terminator: &Terminator) {
        match terminator {
            Terminator::Branch { cond: e, .. }
            | Terminator::Switch { value: e, .. }
            | Terminator::IndirectGoto { target: e, .. }
            | Terminator::Return(Some(e))
            | Terminator::Exit(Some(e)) => self.expr(e),
            _ => {}
        }
    }
}

/// The slot of a function's object.
impl Prepared<'_> {
    pub(super) fn function_slot(&self, function: FuncId) -> u32 {
        self.function_slots[function.index()]
    }
}
