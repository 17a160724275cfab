//! How library functions pass on what depends on inputs.

use super::expression::plain_number;
use super::shadow::Shadow;
use super::trail::Trail;
use crate::concrete::{Machine, Pointer, Spot};
use crate::ir::{BinaryOp, Expr, LibFn, Type};

impl Trail<'_> {
    /// How the result depends on inputs. Memory is that after the call, but for what the interpreter writes.
    pub fn library<'p>(&mut self, machine: &mut Machine<'p>, function: LibFn, args: &'p [Expr]) -> Option<Shadow> {
        match function {
            LibFn::MemCopy => {
                self.copy_memory(machine, args);
                None
            }
            LibFn::MemSet | LibFn::WMemSet => {
                let unit = if function == LibFn::MemSet { 1 } else { 4 };
                self.fix_all(machine, args);
                if let (Some((slot, at)), Some(n)) = (self.target_at(machine, args, 0), number(machine, args, 2)) {
                    let end = at.saturating_add(n.saturating_mul(unit));
                    self.shadows.clear(self.terms, machine.object_id(slot), at, end);
                }
                None
            }
            LibFn::LeaveOpen | LibFn::Unsettle => {
                if let (Some((slot, at)), Some(n)) = (self.target_at(machine, args, 0), number(machine, args, 1)) {
                    self.shadows.clear(self.terms, machine.object_id(slot), at, at.saturating_add(n));
                }
                None
            }
            LibFn::StrLen(size) | LibFn::StrNLen(size) => {
                self.fix_all(machine, args);
                let max = if matches!(function, LibFn::StrNLen(_)) { number(machine, args, 1)? } else { u64::MAX };
                let (slot, at) = self.target_at(machine, args, 0)?;
                self.text(machine, slot, at, size, max);
                None
            }
            // Output has no consequences in the program.
            LibFn::Print(_) | LibFn::PutString(_) | LibFn::PutChar => None,
            LibFn::FormatWrite(_) | LibFn::Sort => {
                self.fix_all(machine, args);
                self.fix_reads(machine, args);
                // What is written is that of the run; where it ends is not computed here, so the whole rest is fixed.
                if let Some((slot, at)) = self.target_at(machine, args, 0) {
                    let object = machine.object_id(slot);
                    self.fix_bytes(Spot::Memory { object, at }, u64::MAX - at);
                    self.shadows.clear(self.terms, object, at, u64::MAX);
                }
                None
            }
            LibFn::Abs => self.absolute(machine, args),
            _ => self.depends_on_all(machine, args),
        }
    }

    fn fix_all<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr]) {
        for arg in args {
            let shadow = self.expr(machine, arg);
            self.fix_any(shadow);
        }
    }

    fn target_at<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr], i: usize) -> Option<(u32, u64)> {
        self.target_of(machine, args.get(i)?)
    }

    /// Everything that an argument points to is fixed.
    fn fix_reads<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr]) {
        for shadow in self.read(machine, args) {
            self.fix(&shadow);
        }
    }

    /// What arguments point to, from there to the object's end.
    fn read<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr]) -> Vec<Shadow> {
        let mut all = Vec::new();
        for arg in args {
            if !matches!(machine.program().types.get(arg.ty), Type::Pointer(_)) {
                continue;
            }
            let Some(value) = machine.peek(arg) else { continue };
            if let Pointer::Object { slot, offset, .. } = machine.pointer(value) {
                let object = machine.object_id(slot);
                let at = u64::try_from(offset).unwrap_or(0);
                all.extend(self.shadows.overlapping(object, at, u64::MAX).into_iter().map(|(_, c)| c.shadow));
                if let Some(size) = self.shadows.sizes.get(&object) {
                    all.push(Shadow::Int(*size));
                }
            }
        }
        all
    }

    /// The result depends on the arguments and on all that they point to.
    fn depends_on_all<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr]) -> Option<Shadow> {
        let mut shadows: Vec<Shadow> = args.iter().filter_map(|a| self.expr(machine, a)).collect();
        // Which object is read does not depend on inputs; where it is read does.
        shadows.extend(self.read(machine, args));
        let shadow = Shadow::opaque(shadows.iter());
        self.unless_fixed(shadow)
    }

    fn copy_memory<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr]) {
        self.fix_all(machine, args);
        let Some(length) = number(machine, args, 2).filter(|n| *n > 0) else { return };
        let (to, from) = (self.target_at(machine, args, 0), self.target_at(machine, args, 1));
        let (Some((to, to_at)), Some((from, from_at))) = (to, from) else { return };
        let source = machine.object_id(from);
        let cells = self.shadows.copy(self.terms, source, from_at, from_at.saturating_add(length));
        let dest = machine.object_id(to);
        self.shadows.clear(self.terms, dest, to_at, to_at.saturating_add(length));
        for (start, cell) in cells {
            self.shadows.insert(dest, start - from_at + to_at, cell);
        }
    }

    fn absolute<'p>(&mut self, machine: &mut Machine<'p>, args: &'p [Expr]) -> Option<Shadow> {
        let arg = args.first()?;
        match self.expr(machine, arg)? {
            Shadow::Int(t) => {
                self.decide_against(BinaryOp::Ge, t, 0);
                if self.terms.value(t) >= 0 {
                    return Some(Shadow::Int(t));
                }
                let ty = self.terms.ty(t);
                let zero = self.terms.constant(0, ty);
                Some(Shadow::Int(self.terms.binary(BinaryOp::Sub, zero, t)))
            }
            other => Some(other),
        }
    }
}

/// The number that an argument is in the run.
fn number<'p>(machine: &mut Machine<'p>, args: &'p [Expr], i: usize) -> Option<u64> {
    let n = machine.peek(args.get(i)?).and_then(plain_number)?;
    Some(u64::try_from(n).unwrap_or(u64::MAX))
}
