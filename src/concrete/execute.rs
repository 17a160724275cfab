//! Statements and terminators; the loop that runs them on an explicit stack of frames.

use super::code::{Code, Quick};
use super::input::{InputPlace, InputValue};
use super::machine::{Argument, Machine, Step, Target};
use super::memory::Pointee;
use super::object::{Fill, Life, ObjectKind};
use super::outcome::{ABORTED, Fuel, Outcome};
use super::trace::Event;
use super::value::Value;
use crate::base::Idx;
use crate::ir::{
    AllocId, AllocKind, BlockId, Callee, Check, Expr, ExprKind, FuncId, InputId, LibFn, Place, SiteId, Stmt, StmtKind,
    Terminator,
};

/// Watches a run.
pub trait Observer {
    /// A function is called: control enters it next, or the run ends because it cannot.
    fn at_call(&mut self, _function: FuncId) {}
    /// Control enters a block, before its first statement.
    fn enter_block(&mut self, _function: FuncId, _block: BlockId, _machine: &Machine<'_>) {}
    /// A check was judged; `failed` is the site that failed, enabled or not.
    fn at_check(&mut self, _check: &Check, _failed: Option<SiteId>, _machine: &Machine<'_>) {}
    /// A statement is about to run. The machine may be asked, which changes nothing that a run depends on.
    #[inline]
    fn before_statement<'p>(&mut self, _stmt: &'p Stmt, _machine: &mut Machine<'p>) {}
    /// A statement has run; of a call, control is now at the callee's first block.
    #[inline]
    fn after_statement<'p>(&mut self, _stmt: &'p Stmt, _machine: &mut Machine<'p>) {}
    /// Control is about to leave a block.
    #[inline]
    fn before_terminator<'p>(&mut self, _terminator: &'p Terminator, _machine: &mut Machine<'p>) {}
}

/// Watches nothing.
impl Observer for () {}

impl<'p> Machine<'p> {
    /// Runs until the frame stack is shorter than `floor` frames; the run's end comes as an error.
    pub(super) fn run_frames<O: Observer>(&mut self, floor: usize, observer: &mut O) -> Step<()> {
        while self.frames.len() >= floor {
            if self.leaps.is_some() && self.frame().next == 0 && self.prepared.heads[self.block_number()] {
                self.arrive(observer)?;
                if self.frames.len() < floor {
                    break; // The turn that was watched was the last.
                }
            }
            self.step(observer)?;
        }
        Ok(())
    }

    /// Runs one statement or terminator.
    pub(super) fn step<O: Observer>(&mut self, observer: &mut O) -> Step<()> {
        let frame = self.frame_mut();
        let body = frame.body;
        let block = &body.blocks[frame.block];
        let next = frame.next;
        frame.next += 1;
        if self.fuel == 0 {
            return self.out_of(Fuel::Statements);
        }
        self.fuel -= 1;
        let quick = &self.prepared.quick[self.block_number()][next];
        match block.stmts.get(next) {
            Some(stmt) => {
                self.span = stmt.span;
                observer.before_statement(stmt, self);
                self.execute(stmt, quick, observer)?;
                observer.after_statement(stmt, self);
            }
            None => {
                self.span = block.span;
                observer.before_terminator(&block.terminator, self);
                self.terminate(&block.terminator, quick, observer)?;
            }
        }
        Ok(())
    }

    fn execute<O: Observer>(&mut self, stmt: &'p Stmt, quick: &'p Quick, observer: &mut O) -> Step<()> {
        match &stmt.kind {
            StmtKind::Assign { place, value } => self.assign(place, value, quick),
            StmtKind::Check(check) => {
                let failure = if self.surely_holds(check, quick) { None } else { self.judge(check)? };
                observer.at_check(check, failure.flatten(), self);
                match failure {
                    Some(Some(site)) if self.goes_past(check, site) => Ok(()),
                    Some(failure) => self.settle(failure),
                    None => Ok(()),
                }
            }
            StmtKind::Assume { cond } => {
                if self.holds(cond, quick)? {
                    Ok(())
                } else {
                    Err(Box::new(Outcome::Assumption))
                }
            }
            StmtKind::Call { dest, callee, args, .. } => self.call(dest.as_ref(), callee, (args, quick), observer),
            // To name a variable is to bring it into scope, which this does not.
            StmtKind::Lib { function: LibFn::Unsettle, args, .. } if self.is_out_of_scope(&args[0]) => Ok(()),
            StmtKind::Lib { function, dest, args } => self.library(*function, dest.as_ref(), args, observer),
            StmtKind::Input { input, dest, range } => self.input(*input, dest, range.as_ref()),
            StmtKind::InputBytes { input, ptr, len } => self.input_bytes(*input, ptr, len),
            StmtKind::Alloc { alloc, dest, size, zeroed, fails } => {
                let dest = self.resolve_place(dest)?;
                let size = self.eval_length(size)?;
                let fill = if *zeroed { Fill::Zero } else { Fill::Indeterminate };
                let pointer = match self.allocate(*alloc, size, fill, *fails)? {
                    Some(slot) => {
                        let pointer = self.memory.pointer(slot, 0);
                        self.granted(pointer)?
                    }
                    None => Value::int(0),
                };
                self.store(dest, pointer)
            }
            StmtKind::Realloc { alloc, dest, ptr, size, fails } => self.reallocate(*alloc, dest, ptr, size, *fails),
            StmtKind::Free { ptr } => {
                let pointer = self.eval(ptr)?;
                self.free(pointer)
            }
            StmtKind::StorageLive(var) => {
                match self.slot_of(*var) {
                    Some(slot) if self.past.keeps => self.memory.objects[slot as usize].life = Life::Live,
                    Some(slot) => self.memory.revive(slot),
                    None => self.forget_register(*var),
                }
                Ok(())
            }
            StmtKind::StorageDead(var) => {
                match self.slot_of(*var) {
                    Some(slot) => self.memory.objects[slot as usize].life = Life::Dead,
                    None => self.forget_register(*var),
                }
                Ok(())
            }
            StmtKind::VaStart { list } => self.va_start(list),
            StmtKind::VaArg { list, dest } => self.va_arg(list, dest),
            StmtKind::VaCopy { dest, source } => self.va_copy(dest, source),
            StmtKind::LibraryCall { name, args } => {
                self.watch_library(name, args);
                self.begin_stream_call(name, args);
                Ok(())
            }
            StmtKind::VaEnd { .. } => Ok(()),
            StmtKind::ProgramArgs { input, argc, argv, envp } => {
                self.program_arguments(*input, argc, argv, envp.as_ref())
            }
            StmtKind::Unsupported { what, .. } => self.undecided(format!("not supported: {what}")),
        }
    }

    fn assign(&mut self, place: &'p Place, value: &'p Expr, quick: &'p Quick) -> Step<()> {
        let Quick::Assign(code, to) = quick else {
            let ExprKind::Load(source) = &value.kind else { return self.undecided("an aggregate that is no load") };
            let region = self.load_aggregate(source)?;
            let dest = self.resolve_place(place)?;
            return self.store_aggregate(dest, &region);
        };
        let v = self.value(value, code.as_ref())?;
        let dest = self.destination(place, to)?;
        if v == Value::Undef
            && let ExprKind::Load(source) = &value.kind
            && let Target::Memory { .. } = dest.target
            && dest.bits.is_none()
            && source.bits.is_none()
            && let Target::Memory { slot, at } = self.resolve_place(source)?.target
        {
            // Bytes that are determined stay so.
            let region = self.copy_of(slot, at, self.prepared.size(place.ty) as usize);
            return self.store_aggregate(dest, &region);
        }
        self.store(dest, v)
    }

    fn forget_register(&mut self, var: crate::ir::VarId) {
        if let super::prepare::Home::Register(r) = self.prepared.home(var)
            && !self.past.keeps
        {
            let at = self.frame().registers + r as usize;
            self.registers[at] = Value::Undef;
            self.spoiled.remove(&at);
        }
    }

    fn call<O: Observer>(
        &mut self,
        dest: Option<&'p Place>,
        callee: &'p Callee,
        (args, quick): (&'p [Expr], &'p Quick),
        observer: &mut O,
    ) -> Step<()> {
        let dest = match dest {
            Some(place) => Some(self.resolve_place(place)?),
            None => None,
        };
        let function = match callee {
            Callee::Direct(f) => *f,
            Callee::Indirect(e) => {
                let pointer = self.eval(e)?;
                match self.pointee(pointer) {
                    Pointee::Function(f, 0) => f,
                    _ => return self.stuck("a call through what is no function's address"),
                }
            }
        };
        let mut arguments = Vec::with_capacity(args.len());
        for (number, arg) in args.iter().enumerate() {
            arguments.push(self.argument(arg, quick.argument(number))?);
        }
        observer.at_call(function);
        self.enter(function, arguments, dest, false)?;
        if self.program.functions[function].has_body() {
            observer.enter_block(function, crate::ir::program::ENTRY, self);
        }
        Ok(())
    }

    /// A value on its way to a function.
    pub(super) fn argument(&mut self, arg: &'p Expr, code: Option<&'p Code>) -> Step<Argument> {
        if self.is_aggregate(arg.ty) {
            let ExprKind::Load(source) = &arg.kind else { return self.undecided("an aggregate that is no load") };
            return Ok(Argument::Aggregate(self.load_aggregate(source)?));
        }
        Ok(Argument::Scalar(self.value(arg, code)?, arg.ty))
    }

    fn input(&mut self, input: InputId, dest: &'p Place, range: Option<&'p (Expr, Expr)>) -> Step<()> {
        let range = match range {
            Some((low, high)) => Some((self.eval(low)?, self.eval(high)?)),
            None => None,
        };
        let resolved = self.resolve_place(dest)?;
        let Some(ty) = self.input_type(dest.ty) else { return self.undecided("an input that is no number") };
        let scanned = self.scanned_number(input);
        if scanned.is_none() {
            self.note_approximate(input);
        }
        let value = self.input_scalar(InputPlace::Site(input), ty, range, scanned)?;
        if let Value::Int(value, _) = value {
            self.descriptor_given(&self.program.inputs[input].name, value);
        }
        self.store(resolved, value)
    }

    fn input_bytes(&mut self, input: InputId, ptr: &'p Expr, len: &'p Expr) -> Step<()> {
        let pointer = self.eval(ptr)?;
        let len = self.eval_length(len)?;
        if len == 0 {
            return Ok(());
        }
        let scanned = self.scanned_bytes(input);
        if scanned.is_none() {
            self.note_approximate(input);
        }
        let (slot, at) = self.writable(pointer, len)?;
        let place = InputPlace::Site(input);
        let occurrence = self.occurrence(place);
        let reserved = self.memory.reserve(slot, at + len as usize);
        self.granted(reserved)?;
        if len > self.log_left {
            return self.out_of(Fuel::Inputs);
        }
        let piece = self.prepared.pieces[input.index()];
        let reading = piece.and_then(|piece| self.streams.reading(piece));
        let chosen = self.inputs.bytes(place, occurrence, len as usize, reading);
        let mut bytes = scanned.unwrap_or(chosen);
        bytes.resize(len as usize, 0);
        self.program.inputs[input].excluded.replace(&mut bytes);
        self.flags.astray |= piece.is_some_and(|piece| {
            !self.streams.gave(reading, &bytes) | !self.streams.may_follow_scan(piece, bytes.first().copied())
        });
        self.memory.objects[slot as usize].store_bytes(at, &bytes);
        self.record(place, occurrence, InputValue::Bytes(bytes), None)?;
        self.note_source(reading, self.is_scanned(input));
        Ok(())
    }

    /// Notes that the run depends on an input that stands for a computation nobody describes, if it is one.
    fn note_approximate(&mut self, input: InputId) {
        if self.program.inputs[input].approximate {
            self.flags.approximated = true;
            self.approximate.get_or_insert(input);
        }
    }

    fn may_fail(&mut self, fails: Option<InputId>) -> Step<bool> {
        let Some(input) = fails else { return Ok(false) };
        let place = InputPlace::Site(input);
        let occurrence = self.occurrence(place);
        let failed = self.inputs.fails(place, occurrence);
        if failed {
            self.note_approximate(input);
        }
        self.record(place, occurrence, InputValue::Fails(failed), None)?;
        self.flags.allocation_failed |= failed;
        Ok(failed)
    }

    /// A new block's slot; None when the allocation fails.
    fn allocate(&mut self, alloc: AllocId, size: u64, fill: Fill, fails: Option<InputId>) -> Step<Option<u32>> {
        let (largest, possible) = match self.program.types.model {
            crate::ir::DataModel::Lp64 => (i64::MAX as u64, 1u64 << 46),
            crate::ir::DataModel::Ilp32 => (i32::MAX as u64, i32::MAX as u64),
        };
        if size > largest {
            // No block is so large, and this one is taken to be there: variables never fail, nor do allocations that are said to succeed.
            return match fails {
                Some(_) => Ok(None),
                None => {
                    self.undecided(format!("{size} bytes, more than an object can have, that are taken to be there"))
                }
            };
        }
        if self.may_fail(fails)? {
            return Ok(None);
        }
        if size > possible {
            return self.undecided(format!("an allocation of {size} bytes"));
        }
        let kind = self.program.allocs[alloc].kind;
        let slot = self.memory.create(ObjectKind::Allocated(alloc, kind), size, fill, false);
        let slot = self.granted(slot)?;
        if kind == AllocKind::Opaque {
            self.streams.opened(slot);
        }
        if kind == AllocKind::Stack {
            self.frame_mut().owned.push(slot);
        }
        Ok(Some(slot))
    }

    fn reallocate(
        &mut self,
        alloc: AllocId,
        dest: &'p Place,
        ptr: &'p Expr,
        size: &'p Expr,
        fails: InputId,
    ) -> Step<()> {
        let dest = self.resolve_place(dest)?;
        let pointer = self.eval(ptr)?;
        let size = self.eval_length(size)?;
        let old = match self.pointee(pointer) {
            Pointee::Null => None,
            Pointee::Object { slot, offset: 0 }
                if self.memory.is_freeable(slot) && self.memory.object(slot).life == Life::Live =>
            {
                if size == 0 {
                    return self.undecided("realloc to size 0");
                }
                Some(slot)
            }
            _ => return self.stuck("realloc of what is no heap block"),
        };
        let Some(new) = self.allocate(alloc, size, Fill::Indeterminate, Some(fails))? else {
            return self.store(dest, Value::int(0));
        };
        if let Some(old) = old {
            let copied = size.min(self.memory.object(old).size) as usize;
            let copied = copied.min(self.memory.object(old).committed().max(self.zeroed_prefix(old)));
            let reserved = self.memory.reserve(new, copied);
            self.granted(reserved)?;
            let region = self.copy_of(old, 0, copied);
            self.memory.objects[new as usize].store_region(0, &region);
            self.memory.kill(old);
        }
        let pointer = self.memory.pointer(new, 0);
        let pointer = self.granted(pointer)?;
        self.store(dest, pointer)
    }

    /// How many bytes of an object are determined without having been written.
    fn zeroed_prefix(&self, slot: u32) -> usize {
        let object = self.memory.object(slot);
        if object.fill == Fill::Indeterminate { 0 } else { object.size as usize }
    }

    fn free(&mut self, pointer: Value) -> Step<()> {
        match self.pointee(pointer) {
            Pointee::Null => Ok(()),
            Pointee::Object { slot, offset: 0 }
                if self.memory.is_freeable(slot) && self.memory.object(slot).life == Life::Live =>
            {
                self.memory.kill(slot);
                Ok(())
            }
            _ => self.stuck("free of what is no heap block"),
        }
    }

    fn go<O: Observer>(&mut self, block: BlockId, observer: &mut O) {
        let frame = self.frame_mut();
        frame.block = block;
        frame.next = 0;
        let function = frame.function;
        observer.enter_block(function, block, self);
    }

    fn terminate<O: Observer>(&mut self, terminator: &'p Terminator, quick: &'p Quick, observer: &mut O) -> Step<()> {
        match terminator {
            Terminator::Goto(block) => self.go(*block, observer),
            Terminator::Branch { cond, then_to, else_to } => {
                let holds = self.holds(cond, quick)?;
                self.trace.push(self.span, Event::Branch(holds));
                self.go(if holds { *then_to } else { *else_to }, observer);
            }
            Terminator::Switch { value, cases, default } => {
                let value = self.eval_int(value)?;
                self.trace.push(self.span, Event::Switch(value));
                let case = cases.iter().find(|c| (c.low..=c.high).contains(&value));
                self.go(case.map_or(*default, |c| c.target), observer);
            }
            Terminator::IndirectGoto { target, labels } => {
                let target = self.eval(target)?;
                let current = self.frame().function;
                let block = match self.pointee(target) {
                    Pointee::Function(f, n) if f == current && n >= 1 => BlockId::new((n - 1) as usize),
                    _ => return self.stuck("a jump to what is no label of the function"),
                };
                if !labels.contains(&block) {
                    return self.stuck("a jump to what is no label of the function");
                }
                self.go(block, observer);
            }
            Terminator::Return(value) => return self.leave(value.as_ref(), quick.value()),
            Terminator::Exit(status) => {
                let status = match status {
                    Some(e) => self.eval_int(e)? as i32,
                    None => ABORTED,
                };
                return Err(Box::new(Outcome::Exit(status)));
            }
            Terminator::Unreachable => return self.undecided("control came to where it is said not to come"),
        }
        Ok(())
    }
}
