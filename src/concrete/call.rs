//! Calls: frames, arguments, results, variable arguments, the arguments of `main`.
//!
//! A `va_list` holds in its first bytes a pointer to a hidden object that stands for the arguments; the pointer's
//! offset is the next argument's number, so that copies of the list walk on their own.

use super::code::Code;
use super::input::{InputPlace, InputType, InputValue};
use super::machine::{Argument, Frame, Machine, Resolved, Step, Target};
use super::memory::Pointee;
use super::object::{Fill, Life, ObjectKind};
use super::outcome::Fuel;
use super::prepare::Home;
use super::scalar::Class;
use super::trace::Event;
use super::value::{Origin, Value};
use crate::base::Idx;
use crate::ir::{Expr, FuncId, InputId, Place, Type, TypeId, VarId, program::ENTRY};

impl<'p> Machine<'p> {
    /// Pushes a frame for `function`.
    pub(super) fn enter(
        &mut self,
        function: FuncId,
        mut arguments: Vec<Argument>,
        dest: Option<Resolved>,
        for_host: bool,
    ) -> Step<()> {
        let body = &self.program.functions[function];
        if !body.has_body() {
            if self.outside && body.failed.is_none() && !for_host {
                return self.call_outside(function, dest);
            }
            return match &body.failed {
                Some(reason) => self.undecided(format!("function '{}' could not be lowered: {reason}", body.name)),
                None => self.undecided(format!("function '{}' has no body", body.name)),
            };
        }
        let prepared = self.prepared;
        let layout = &prepared.frames[function.index()];
        if let Some(reason) = &layout.unfit {
            return self.undecided(reason.clone());
        }
        if self.frames.len() >= self.call_depth {
            return self.out_of(Fuel::CallDepth);
        }
        if arguments.len() < body.params.len() {
            return self.undecided(format!("function '{}' is called with too few arguments", body.name));
        }
        self.trace.push(self.span, Event::Call(function));
        let depth = self.frames.len() as u32 + 1;
        let (registers, locals) = (self.registers.len(), self.locals.len());
        self.registers.resize(registers + layout.registers, Value::Undef);
        for var in &layout.objects {
            let variable = &self.program.variables[*var];
            let kind = ObjectKind::Variable(*var, depth);
            let slot = self.memory.create(kind, variable.size, Fill::Indeterminate, true);
            let slot = self.granted(slot)?;
            self.memory.objects[slot as usize].constant = variable.constant.clone();
            self.locals.push(slot);
        }
        let variadic = arguments.split_off(body.params.len());
        self.frames.push(Frame {
            function,
            body,
            block: ENTRY,
            next: 0,
            registers,
            locals,
            dest,
            for_host,
            variadic,
            owned: Vec::new(),
        });
        for (param, argument) in body.params.iter().zip(arguments) {
            self.bind(*param, argument)?;
        }
        Ok(())
    }

    /// A call of a function without a body: any number that it may return, and nothing that it may change. A pointer that it returns leads nobody
    /// knows where.
    fn call_outside(&mut self, function: FuncId, dest: Option<Resolved>) -> Step<()> {
        let name = &self.program.functions[function].name;
        let returned = dest.map(|dest| (dest, self.program.types.get(dest.ty)));
        let input = match returned {
            None => None,
            Some((dest, Type::Int(kind))) => Some((dest, InputType::Int(*kind))),
            Some((dest, Type::Float(kind))) => Some((dest, InputType::Float(*kind))),
            Some(_) => return self.undecided(format!("function '{name}' has no body and returns no number")),
        };
        self.flags.outside = true;
        if let Some((dest, ty)) = input {
            let value = self.input_scalar(InputPlace::Returned(function), ty, None, None)?;
            self.store(dest, value)?;
        }
        Ok(())
    }

    /// Gives a parameter its argument.
    fn bind(&mut self, param: VarId, argument: Argument) -> Step<()> {
        let variable = &self.program.variables[param];
        let frame = self.frame();
        let target = match self.prepared.home(param) {
            Home::Register(r) => Target::Register(frame.registers + r as usize),
            Home::Frame(i) => Target::Memory { slot: self.locals[frame.locals + i as usize], at: 0 },
            Home::Static(slot) => Target::Memory { slot, at: 0 },
        };
        let place = Resolved { target, ty: variable.ty, bits: None };
        match argument {
            Argument::Scalar(value, ty) => {
                let Some(value) = self.as_type(value, ty, variable.ty) else {
                    return self.undecided(format!("an argument's type is not that of parameter '{}'", variable.name));
                };
                self.store(place, value)
            }
            Argument::Aggregate(region) => {
                if region.len() as u64 != self.prepared.size(variable.ty) || !self.is_aggregate(variable.ty) {
                    return self.undecided(format!("an argument's type is not that of parameter '{}'", variable.name));
                }
                self.store_aggregate(place, &region)
            }
        }
    }

    /// A value passed as a `from` and taken as a `to` without a conversion; None when the calling convention puts them
    /// in different places or leaves bits open.
    fn as_type(&self, value: Value, from: TypeId, to: TypeId) -> Option<Value> {
        if from == to {
            return Some(value);
        }
        let (from, to) = (self.scalar(from), self.scalar(to));
        // The callee reads the low bytes of what one register, or one word of the stack, holds.
        let narrowed = from.size > to.size && from.size <= self.prepared.pointer.size;
        if from.is_integral() && to.is_integral() && (from.size == to.size || narrowed) && to.class != Class::Bool {
            return Some(match value {
                Value::Int(_, origin) if origin.is_unspecified() => return None,
                Value::Int(v, origin) => {
                    let origin = if origin.len > to.size { Origin { len: to.size, ..origin } } else { origin };
                    Value::Int(to.wrap(v), origin)
                }
                other => other,
            });
        }
        (from.class == to.class && from.size == to.size && from.float().is_some()).then_some(value)
    }

    /// Returns from the current function.
    pub(super) fn leave(&mut self, result: Option<&'p Expr>, code: Option<&'p Code>) -> Step<()> {
        let returned = match result {
            Some(e) => Some(self.argument(e, code)?),
            None => None,
        };
        let frame = self.frames.pop().expect("a frame is active while a program runs");
        self.trace.push(self.span, Event::Return(frame.function));
        for i in frame.locals..self.locals.len() {
            self.memory.recycle(self.locals[i]);
        }
        self.locals.truncate(frame.locals);
        self.registers.truncate(frame.registers);
        if !self.spoiled.is_empty() {
            self.spoiled.retain(|register| *register < frame.registers);
        }
        for slot in frame.owned {
            self.memory.kill(slot);
        }
        if frame.for_host || self.frames.is_empty() {
            self.host_result = match returned {
                Some(Argument::Scalar(value, _)) => Some(value),
                _ => None,
            };
            return Ok(());
        }
        let Some(dest) = frame.dest else { return Ok(()) };
        match returned {
            Some(Argument::Scalar(value, ty)) => match self.as_type(value, ty, dest.ty) {
                Some(value) => self.store(dest, value),
                None => self.undecided("a result's type is not that of the called expression"),
            },
            Some(Argument::Aggregate(region)) => {
                if region.len() as u64 != self.prepared.size(dest.ty) {
                    return self.undecided("a result's type is not that of the called expression");
                }
                self.store_aggregate(dest, &region)
            }
            None if self.is_aggregate(dest.ty) => self.undecided("the result of a function that returned none"),
            None => self.store(dest, Value::Undef),
        }
    }

    // Variable arguments.

    pub(super) fn va_start(&mut self, list: &'p Expr) -> Step<()> {
        let arguments = self.frame().variadic.clone();
        let index = self.va_lists.len() as u32;
        let slot =
            self.memory.create(ObjectKind::VarArgs(index), arguments.len() as u64 + 1, Fill::Indeterminate, false);
        let slot = self.granted(slot)?;
        self.va_lists.push(arguments);
        self.frame_mut().owned.push(slot);
        let handle = self.memory.pointer(slot, 0);
        let handle = self.granted(handle)?;
        let (record, at) = self.va_record(list)?;
        let size = self.va_size();
        self.memory.objects[record as usize].fill_bytes(at, size, 0);
        self.put_handle(record, at, handle)
    }

    /// Bytes of a `va_list` record: four words on x86-64, of which two share one; a pointer on i386.
    fn va_size(&self) -> usize {
        if self.prepared.pointer.size == 8 { 24 } else { 4 }
    }

    fn va_record(&mut self, list: &'p Expr) -> Step<(u32, usize)> {
        let pointer = self.eval(list)?;
        self.writable(pointer, self.va_size() as u64)
    }

    fn put_handle(&mut self, slot: u32, at: usize, handle: Value) -> Step<()> {
        let Value::Int(address, origin) = handle else { return self.stuck("a va_list that was not started") };
        let size = usize::from(self.prepared.pointer.size);
        self.memory.objects[slot as usize].store(at, size, address as u128, origin);
        Ok(())
    }

    pub(super) fn va_arg(&mut self, list: &'p Expr, dest: &'p Place) -> Step<()> {
        let (record, at) = self.va_record(list)?;
        let dest = self.resolve_place(dest)?;
        let size = usize::from(self.prepared.pointer.size);
        let super::object::Raw::Number(bits, origin) = self.memory.object(record).load(at, size) else {
            return self.undecided("va_arg on a va_list that was not started");
        };
        let handle = Value::Int(bits as i128, origin);
        let Pointee::Object { slot, offset } = self.memory.resolve(handle) else {
            return self.undecided("va_arg on a va_list that was not started");
        };
        let object = self.memory.object(slot);
        let ObjectKind::VarArgs(index) = object.kind else {
            return self.undecided("va_arg on a va_list that was not started");
        };
        if object.life == Life::Dead {
            return self.undecided("va_arg on a va_list of a function that has returned");
        }
        let argument = usize::try_from(offset).ok().and_then(|i| self.va_lists[index as usize].get(i).cloned());
        let Some(argument) = argument else { return self.undecided("va_arg past the last argument") };
        let next = self.memory.pointer(slot, offset + 1);
        let next = self.granted(next)?;
        self.put_handle(record, at, next)?;
        match argument {
            Argument::Scalar(value, ty) => match self.as_type(value, ty, dest.ty) {
                Some(value) => self.store(dest, value),
                None => self.undecided("va_arg with another type than the argument's"),
            },
            Argument::Aggregate(region) => {
                if region.len() as u64 != self.prepared.size(dest.ty) {
                    return self.undecided("va_arg with another type than the argument's");
                }
                self.store_aggregate(dest, &region)
            }
        }
    }

    pub(super) fn va_copy(&mut self, dest: &'p Expr, source: &'p Expr) -> Step<()> {
        let size = self.va_size();
        let (from, from_at) = self.va_record(source)?;
        let region = self.memory.object(from).region(from_at, size);
        let (to, to_at) = self.va_record(dest)?;
        self.memory.objects[to as usize].store_region(to_at, &region);
        Ok(())
    }

    // The arguments of `main`.

    pub(super) fn program_arguments(
        &mut self,
        input: InputId,
        argc: &'p Place,
        argv: &'p Place,
        envp: Option<&'p Place>,
    ) -> Step<()> {
        let place = InputPlace::Site(input);
        let occurrence = self.occurrence(place);
        let arguments = self.inputs.arguments(place, occurrence);
        let count = arguments.argv.len();
        let strings = self.string_array(&arguments.argv)?;
        let environment = self.string_array(&arguments.envp)?;
        self.record(place, occurrence, InputValue::Arguments(arguments), None)?;
        let dest = self.resolve_place(argc)?;
        self.store(dest, Value::int(count as i128))?;
        let dest = self.resolve_place(argv)?;
        self.store(dest, strings)?;
        if let Some(envp) = envp {
            let dest = self.resolve_place(envp)?;
            self.store(dest, environment)?;
        }
        Ok(())
    }

    /// A pointer to a new array of pointers to new strings, with a NULL behind.
    fn string_array(&mut self, strings: &[Vec<u8>]) -> Step<Value> {
        let word = usize::from(self.prepared.pointer.size);
        let size = (strings.len() + 1) * word;
        let array = self.memory.create(ObjectKind::Arguments, size as u64, Fill::Zero, false);
        let array = self.granted(array)?;
        for (i, string) in strings.iter().enumerate() {
            let slot = self.memory.create(ObjectKind::Arguments, string.len() as u64 + 1, Fill::Zero, false);
            let slot = self.granted(slot)?;
            let reserved = self.memory.reserve(slot, string.len() + 1);
            self.granted(reserved)?;
            self.memory.objects[slot as usize].store_bytes(0, string);
            let pointer = self.memory.pointer(slot, 0);
            let Value::Int(address, origin) = self.granted(pointer)? else { continue };
            self.memory.objects[array as usize].store(i * word, word, address as u128, origin);
        }
        let pointer = self.memory.pointer(array, 0);
        self.granted(pointer)
    }

    /// Calls a function from the host and runs it to its end: the scalar it returned.
    pub(super) fn call_back<O: super::execute::Observer>(
        &mut self,
        function: FuncId,
        arguments: Vec<Argument>,
        observer: &mut O,
    ) -> Step<Option<Value>> {
        let floor = self.frames.len() + 1;
        let span = self.span;
        observer.at_call(function);
        self.enter(function, arguments, None, true)?;
        observer.enter_block(function, ENTRY, self);
        self.run_frames(floor, observer)?;
        self.span = span;
        Ok(self.host_result.take())
    }
}
