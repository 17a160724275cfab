//! Whether a machine state of the interpreter is inside the invariant of the block that it enters.

use super::bases::Base;
use super::differences::{Cell, Term};
use super::implications::{Implication, Said};
use super::lists::Run;
use super::object::Object;
use super::paths::{Index, Node};
use super::result::ForwardResult;
use super::shape::{Kind, Shape};
use super::state::State;
use super::texts::{Holder, Origin, Pointer as Spot, Text};
use crate::concrete::{Byte, Machine, ObjectKind, Pointer, Value as Concrete};
use crate::domains::{BaseId, Multiple, Value};
use crate::ir::{BlockId, FloatKind, FuncId, IntKind, Program, Storage, TypeId, VarId};

impl ForwardResult {
    /// Looks at all variables that are visible where `machine` enters `block` of `function`. True when it compared them,
    /// false when the invariants do not cover the function; an error says what lies outside. Needs
    /// [`Options::keep_invariants`](super::Options::keep_invariants).
    pub fn contains(
        &self,
        program: &Program,
        machine: &Machine<'_>,
        function: FuncId,
        block: BlockId,
    ) -> Result<bool, String> {
        if self.incomplete.is_some() || machine.call_stack().any(|f| self.lost[f]) {
            return Ok(false);
        }
        let place = || format!("{} of {}", block, program.functions[function].name);
        let state = self.invariants.get(&function).and_then(|blocks| blocks[block].as_ref());
        let Some(state) = state else { return Err(format!("{} is unreachable", place())) };
        for (v, variable) in program.variables.iter_enumerated() {
            if !self.covers(program, function, v) || variable.storage == Storage::Literal {
                continue;
            }
            // What is set aside while the function runs is compared before and after.
            let Some(object) = state.known(&self.bases, self.bases.variable(v)) else { continue };
            if let Some(what) = self.outside(program, machine, v, object) {
                return Err(format!("{}: {}{what}", place(), variable.name));
            }
        }
        let texts = Facts { result: self, program, machine, function };
        if let Some((a, b, bound)) = state.bounds().iter().find(|fact| !texts.bound_holds(*fact)) {
            return Err(format!("{}: {a:?} - {b:?} is above {bound}", place()));
        }
        for (cell, node) in state.paths().roots() {
            if let Some(what) = texts.broken(*cell, node) {
                return Err(format!("{}: {cell:?}: {what}", place()));
            }
        }
        let variable = |cell| texts.covered(cell);
        if let Some(what) = (Run { program, machine, variable: &variable }).broken(state.lists()) {
            return Err(format!("{}: {what}", place()));
        }
        if let Some(one) = state.implications().iter().find(|one| texts.is_refuted(state, one)) {
            return Err(format!("{}: {one:?}", place()));
        }
        match state.texts().find(|fact| !texts.hold(state, *fact)) {
            Some((pointer, _, text)) => {
                Err(format!("{}: {pointer:?} does not stand inside a string: {text:?}", place()))
            }
            None => Ok(true),
        }
    }

    /// A cell of a variable that holds what the object excludes.
    fn outside(&self, program: &Program, machine: &Machine<'_>, v: VarId, object: &Object) -> Option<String> {
        const BYTES: i64 = 64;
        let variable = &program.variables[v];
        if let Some(shape) = Shape::of(&program.types, variable.ty) {
            let concrete = machine.read_variable(v, 0, variable.ty)?;
            let value = object.read(0, shape);
            let inside = self.holds(machine, &value, concrete, shape);
            return (!inside).then(|| format!(" is {concrete:?}, not {value}"));
        }
        let slot = machine.object_of(v)?.slot;
        let cells = object.cells().map(|(o, c)| (o, c.shape));
        let rest = (0..BYTES.min(variable.size as i64)).map(|o| (o, Shape::BYTE));
        for (offset, shape) in cells.chain(rest) {
            let (Some(ty), Ok(at)) = (type_of(program, shape), u64::try_from(offset)) else { continue };
            let Some(concrete) = machine.read_object(slot, at, ty) else { continue };
            let value = object.read(offset, shape);
            if !self.holds(machine, &value, concrete, shape) {
                return Some(format!("+{offset} is {concrete:?}, not {value}"));
            }
        }
        // A byte that C leaves open is every number that it may be.
        for (offset, byte) in (0..BYTES).zip(machine.bytes(slot, 0)) {
            let value = object.byte_at(offset);
            let inside = |n: u8| value.int.is_some_and(|i| i.contains(i128::from(n)));
            if matches!(byte, Byte::Open { .. }) && !byte.numbers()?.all(inside) {
                return Some(format!("+{offset} is {byte:?}, not {value}"));
            }
        }
        // Of what lives no longer there is nothing to say.
        let zeros = Some(object.zeros).filter(|_| machine.view(slot).live)?;
        if let Some(start) = zeros.text
            && !ends(machine.bytes(slot, i128::from(start)), 0, true)
        {
            return Some(format!(" has no text at {start}"));
        }
        let (lo, hi) = zeros.range()?;
        let within = usize::try_from(hi.saturating_sub(lo.max(0)).saturating_add(1)).ok()?;
        let mut bytes = machine.bytes(slot, i128::from(lo.max(0))).take(within);
        let zero = bytes.any(|b| matches!(b, Byte::Number(0) | Byte::External));
        (!zero).then(|| format!(" has no zero in [{lo}, {hi}]"))
    }

    fn holds(&self, machine: &Machine<'_>, value: &Value, concrete: Concrete, shape: Shape) -> bool {
        match concrete {
            // Indeterminate in part is indeterminate.
            Concrete::Undef => value.undefined,
            Concrete::Float(x) => {
                let (low, high) = x.around();
                value.undefined || value.float.is_some_and(|f| f.contains(low) && f.contains(high))
            }
            Concrete::Int(n, origin) => {
                let number = value.int.is_some_and(|i| i.contains(shape.int_type().wrap_number(n)));
                let piece = !origin.is_none() && !value.pointers.is_none();
                value.undefined
                    || number
                    || self.is_unknown(machine, value, concrete)
                    || self.points(machine, value, concrete, piece)
            }
        }
    }

    /// Whether it is among addresses that have no names.
    fn is_unknown(&self, machine: &Machine<'_>, value: &Value, concrete: Concrete) -> bool {
        let object =
            || matches!(machine.pointer(concrete), Pointer::Object { .. } | Pointer::Gone | Pointer::Indeterminate);
        value.pointers.is_any() && (!value.pointers.is_any_object(false) || object())
    }

    fn points(&self, machine: &Machine<'_>, value: &Value, concrete: Concrete, piece: bool) -> bool {
        let to = |wanted: &dyn Fn(Base) -> bool, offset: i128| {
            let mut targets = value.pointers.targets().iter();
            targets.any(|&(b, o)| wanted(self.bases.get(b)) && o.contains(offset))
        };
        match machine.pointer(concrete) {
            Pointer::Function(f) => value.pointers.functions().contains(&f),
            Pointer::Label(..) => value.int.is_some_and(|i| i.hi() > 0),
            Pointer::Gone => value.pointers.targets().iter().any(|t| matches!(self.bases.get(t.0), Base::Gone(_))),
            Pointer::Object { slot, offset, live } => match *machine.view(slot).kind {
                ObjectKind::Variable(v, _) => to(&|b| b == Base::Variable(v) || (!live && b == Base::Gone(v)), offset),
                ObjectKind::Allocated(site, _) => {
                    to(&|b| matches!(b, Base::Heap { alloc, .. } if alloc == site), offset)
                }
                ObjectKind::Arguments => to(&|b| matches!(b, Base::Strings(_) | Base::Text(_)), offset),
                _ => piece,
            },
            Pointer::Null | Pointer::Invalid | Pointer::Indeterminate => piece,
        }
    }
}

/// Facts beside what objects hold, against a machine state.
struct Facts<'a, 'm> {
    result: &'a ForwardResult,
    program: &'a Program,
    machine: &'a Machine<'m>,
    function: FuncId,
}

impl Facts<'_, '_> {
    /// Whether a bound holds, as far as the run shows it.
    fn bound_holds(&self, (a, b, bound): (Multiple<Term>, Multiple<Term>, i128)) -> bool {
        let number = |m: Multiple<Term>| self.number(m.term)?.checked_mul(i128::from(m.times));
        number(a).zip(number(b)).is_none_or(|(a, b)| a - b <= bound)
    }

    /// What a term is, if the run shows it.
    fn number(&self, term: Term) -> Option<i128> {
        let cell = |cell: Cell| match cell {
            Cell::Held(holder) => self.covered(holder).map(|_| Spot::held(holder)),
            Cell::Byte(base, at) => Some(Spot { origin: Origin::At(base, at), index: None }),
            _ => None,
        };
        match term {
            Term::Zero => Some(0),
            Term::Number(Cell::Held(holder)) => self.index(holder),
            Term::Number(_) => None,
            Term::Sum(a, b) => self.number(a.term())?.checked_add(self.number(b.term())?),
            Term::Room(at) => {
                let (slot, offset) = self.place(cell(at)?)?;
                Some(i128::from(self.machine.view(slot).size) - offset)
            }
            Term::Offset(at, target) => {
                let (_, offset) = self.place(cell(at)?).filter(|(slot, _)| self.is(*slot, target))?;
                Some(offset)
            }
            Term::Filled(at, target, element) => {
                let (slot, offset) = self.place(cell(at)?).filter(|(slot, _)| self.is(*slot, target))?;
                let is_set = |b: &Byte| !matches!(b, Byte::Indeterminate);
                let is_filled = |k: i64| {
                    let first = offset + i128::from(k * element.period + element.at);
                    let mut bytes = self.machine.bytes(slot, first).take(element.size as usize);
                    bytes.all(|b| is_set(&b))
                };
                let size = i64::try_from(self.machine.view(slot).size).ok()?;
                let most = size / element.period + 1;
                // All that there is: behind the object nothing is looked at.
                Some((0..most).find(|k| !is_filled(*k)).map_or(i128::from(i64::MAX), i128::from))
            }
            Term::Length(at, target) => {
                let (slot, offset) = self.place(cell(at)?).filter(|(slot, _)| self.is(*slot, target))?;
                let plain = |b: &Byte| matches!(b, Byte::Number(n) if *n != 0);
                let length = self.machine.bytes(slot, offset).take_while(plain).count() as i128;
                let end = self.machine.bytes(slot, offset + length).next();
                (end == Some(Byte::Number(0))).then_some(length)
            }
        }
    }

    /// The number in a cell.
    fn index(&self, cell: Holder) -> Option<i128> {
        let ty = type_of(self.program, cell.shape())?;
        match self.machine.read_variable(self.covered(cell)?, u64::try_from(cell.at).ok()?, ty)? {
            Concrete::Int(n, _) => Some(n),
            _ => None,
        }
    }

    /// Whether the run shows that an implication does not hold.
    fn is_refuted(&self, state: &State, one: &Implication) -> bool {
        let read = |cell: Holder| {
            let (v, at, ty) = (self.covered(cell)?, u64::try_from(cell.at).ok()?, type_of(self.program, cell.shape())?);
            self.machine.read_variable(v, at, ty)
        };
        // A number that was a pointer may be any number.
        let plain = |value: Concrete| match self.machine.pointer(value) {
            Pointer::Object { .. } | Pointer::Function(_) => {
                u64::from(one.flag.size) == self.program.types.pointer_size()
            }
            _ => matches!(value, Concrete::Int(_, origin) if origin.is_none()) && one.when.pointers.is_none(),
        };
        let Some(flag) = read(one.flag).filter(|v| plain(*v)) else { return false };
        let fails = || match &one.then {
            Said::Holds(cell, value) => {
                read(*cell).is_some_and(|held| !self.result.holds(self.machine, value, held, cell.shape()))
            }
            Said::Inside(pointer, target, text) => !self.hold(state, (*pointer, *target, *text)),
            Said::Lives(_) | Said::IsNone(_) => false,
        };
        self.result.holds(self.machine, &one.when, flag, one.flag.shape()) && fails()
    }

    /// What of the facts on the pointer in a cell does not hold, as far as the run shows it.
    fn broken(&self, cell: Holder, node: &Node) -> Option<String> {
        let v = self.covered(cell)?;
        let types = &self.program.types;
        if cell.size == 0 {
            let slot = self.machine.object_of(v)?.slot;
            return self.broken_behind(Pointer::Object { slot, offset: 0, live: true }, node);
        }
        let pointer = self.machine.read_variable(v, u64::try_from(cell.at).ok()?, types.char_ptr())?;
        self.broken_behind(self.machine.pointer(pointer), node)
    }

    fn broken_behind(&self, pointer: Pointer, node: &Node) -> Option<String> {
        let types = &self.program.types;
        let Pointer::Object { slot, offset, live } = pointer else {
            let ended = node.lives && matches!(pointer, Pointer::Gone);
            return ended.then(|| "points to what does not live".into());
        };
        if !live {
            return node.lives.then(|| "points to what does not live".into());
        }
        let size = i128::from(self.machine.view(slot).size);
        let (lo, hi) = (offset + i128::from(node.window.0), offset + i128::from(node.window.1));
        if lo < hi && (lo < 0 || hi > size) {
            return Some(format!("bytes {:?} are not of the object of {size} bytes, at {offset}", node.window));
        }
        let mut broken = None;
        node.each(&mut |at, content| {
            let index = match at.index {
                None => Some(0),
                Some(Index { cell, scale }) => self.index(cell).map(|n| n * i128::from(scale)),
            };
            let place = index.and_then(|index| u64::try_from(offset + i128::from(at.offset) + index).ok());
            let pointer = content.shape.size == types.pointer_size() as u8 && content.shape.kind == Kind::Unsigned;
            let ty = if pointer { Some(types.char_ptr()) } else { type_of(self.program, content.shape) };
            let (Some(place), Some(ty)) = (place, ty) else { return };
            let Some(concrete) = self.machine.read_object(slot, place, ty) else { return };
            if !self.result.holds(self.machine, &content.value, concrete, content.shape) {
                broken = Some(format!("+{at:?} is {concrete:?}, not {}", content.value));
            } else if let Some(below) = content.node().filter(|_| pointer) {
                let below = self.broken_behind(self.machine.pointer(concrete), below);
                broken = broken.take().or(below.map(|what| format!("+{at:?}: {what}")));
            }
        });
        broken
    }

    /// Whether a fact holds, as far as the run shows it.
    fn hold(&self, state: &State, (spot, target, text): (Spot, BaseId, Text)) -> bool {
        let bases = &self.result.bases;
        if !spot.cells().all(|c| self.covered(c).is_some()) {
            return true;
        }
        // Blocks of one place look alike in a run, whether older or newer, and whichever call made them: what is said of one of them holds.
        let site = |b: BaseId| match bases.get(b) {
            Base::Heap { alloc, .. } => Some(alloc),
            _ => None,
        };
        let alike = |b: BaseId| site(b).is_some() && site(b) == site(target);
        let mut said = vec![text];
        if let Origin::Held(cell) = spot.origin {
            let of = |b: BaseId| state.texts().find(|(p, t, _)| *p == spot && *t == b).map(|(.., text)| text);
            let Some(object) = state.known(bases, cell.base) else { return true };
            let value = object.read(cell.at, Shape { size: cell.size, kind: Kind::Unsigned });
            for &(b, _) in value.pointers.targets().iter().filter(|t| t.0 != target && alike(t.0)) {
                let Some(text) = of(b) else { return true };
                said.push(text);
            }
        }
        match self.place(spot) {
            Some((slot, offset)) if self.is(slot, target) => {
                said.iter().any(|text| ends(self.machine.bytes(slot, offset), text.ahead as usize, text.set))
            }
            _ => true,
        }
    }

    /// The variable of a cell, if the invariant speaks of it here.
    fn covered(&self, cell: Holder) -> Option<VarId> {
        let Base::Variable(v) = self.result.bases.get(cell.base) else { return None };
        self.result.covers(self.program, self.function, v).then_some(v)
    }

    /// The object and offset that a pointer leads to, if it leads to a live one.
    fn place(&self, spot: Spot) -> Option<(u32, i128)> {
        let types = &self.program.types;
        let read = |cell: Holder, ty| self.machine.read_variable(self.covered(cell)?, u64::try_from(cell.at).ok()?, ty);
        let (slot, start) = match spot.origin {
            Origin::Held(cell) => match self.machine.pointer(read(cell, types.char_ptr())?) {
                Pointer::Object { slot, offset, live: true } => (slot, offset),
                _ => return None,
            },
            Origin::At(base, offset) => {
                let Base::Variable(v) = self.result.bases.get(base) else { return None };
                (self.machine.object_of(v)?.slot, i128::from(offset))
            }
        };
        let index = match spot.index {
            None => 0,
            Some(cell) => self.index(cell)?,
        };
        Some((slot, start.checked_add(index)?))
    }

    /// Whether an object of the run is what a base stands for.
    fn is(&self, slot: u32, target: BaseId) -> bool {
        match (self.machine.view(slot).kind, self.result.bases.get(target)) {
            (ObjectKind::Variable(v, _), base) => base == Base::Variable(*v),
            (ObjectKind::Allocated(site, _), Base::Heap { alloc, .. }) => alloc == *site,
            (ObjectKind::Arguments, Base::Text(_)) => true,
            _ => false,
        }
    }
}

/// Whether a zero stands `ahead` bytes from the first on or behind that, all bytes up to it set where `set` says so. Bytes that C
/// leaves open are set, and may all be other than zero; of what other units define nothing is known.
fn ends(bytes: impl Iterator<Item = Byte>, ahead: usize, set: bool) -> bool {
    let mut zeros = bytes.enumerate().filter_map(|(i, byte)| match byte {
        Byte::Number(0) if i >= ahead => Some(true),
        Byte::External => Some(true),
        Byte::Indeterminate if set => Some(false),
        _ => None,
    });
    zeros.next().unwrap_or(false)
}

/// A type that is read with this shape.
fn type_of(program: &Program, shape: Shape) -> Option<TypeId> {
    use IntKind::*;
    let signed = shape.kind == Kind::Signed;
    let int = |s: IntKind, u: IntKind| Some(program.types.int(if signed { s } else { u }));
    match (shape.kind, shape.size) {
        (Kind::Float, 4) => Some(program.types.float(FloatKind::Float)),
        (Kind::Float, 8) => Some(program.types.float(FloatKind::Double)),
        (Kind::Float, _) => Some(program.types.float(FloatKind::LongDouble)),
        (_, 1) => int(SChar, UChar),
        (_, 2) => int(Short, UShort),
        (_, 4) => int(Int, UInt),
        (_, 8) => int(LongLong, ULongLong),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Byte, ends};

    const OPEN: Byte = Byte::Open { number: 1, known: 3 };

    #[test]
    fn strings_go_on_through_bytes_that_are_open_and_end_in_none() {
        let cases = [
            (&[OPEN, Byte::Number(0)][..], 0, true),
            (&[OPEN, OPEN], 0, false),
            (&[Byte::Number(0), OPEN], 1, false),
            (&[Byte::Indeterminate, Byte::Number(0)], 0, false),
            (&[], 0, false),
        ];
        for (bytes, ahead, inside) in cases {
            assert_eq!(ends(bytes.iter().copied(), ahead, true), inside, "{bytes:?} {ahead}");
        }
        assert!(ends([Byte::Indeterminate, Byte::Number(0)].into_iter(), 0, false));
    }

    #[test]
    fn an_open_byte_is_each_number_with_the_bits_that_are_known() {
        let numbers: Vec<u8> = OPEN.numbers().into_iter().flatten().collect();
        assert_eq!((numbers.len(), numbers[..3].to_vec()), (64, vec![1, 5, 9]));
        assert_eq!(Byte::Number(7).numbers().into_iter().flatten().collect::<Vec<_>>(), [7]);
        assert!(Byte::Indeterminate.numbers().is_none());
    }
}
