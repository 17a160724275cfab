//! Lifetimes: blocks that are made and freed, variables whose block is entered, the arguments of the program.
//!
//! See: Milanese, Miné, "Under-approximating Memory Abstractions", Sect. 3 (recency). A block that could not be made is not
//! there in the state behind the test of its pointer.

use super::analyzer::{Analyzer, Flow};
use super::bases::Base;
use super::differences::Cell;
use super::object::{Life, Object};
use super::shape::{Kind, Shape};
use super::state::State;
use super::targets::renamed;
use super::zeros::Zeros;
use crate::domains::{BaseId, Int, Pointers, Value};
use crate::ir::{AllocId, Expr, Place, Storage, VarId};
use std::sync::Arc;

impl Analyzer<'_, '_> {
    /// A new block at a site: the block that was the last one so far becomes one of the older ones. Returns the new one.
    #[expect(clippy::too_many_arguments, reason = "an allocation is described by this much")]
    pub(super) fn allocate(
        &mut self,
        flow: &mut Flow,
        alloc: AllocId,
        dest: &Place,
        address: Pointers,
        size: Int,
        object: Object,
        may_fail: bool,
    ) -> BaseId {
        let call = self.current().call.filter(|_| self.tells_callers_apart(alloc));
        let recent = self.base(Base::Heap { alloc, call, recent: true });
        let older = self.base(Base::Heap { alloc, call, recent: false });
        let to = move |b: BaseId| (b == recent).then_some(older);
        let mut object = object;
        let mut address = address;
        if let Some(last) = flow.state.object(&self.bases, recent).cloned() {
            let joined = match flow.state.object(&self.bases, older) {
                Some(all) => all.join(&last),
                None => Object::clone(&last),
            };
            let lists = flow.state.lists_aged(&self.bases, recent, older);
            flow.state.set(older, Arc::new(joined));
            flow.state.forget(recent);
            flow.state.rename(&State::default(), &to);
            *flow.state.lists_mut() = lists;
            address = renamed(&address, &to);
            object.map_values(|v| v.pointers = renamed(&v.pointers, &to));
        }
        // No block has more bytes than `PTRDIFF_MAX`.
        let largest = self.view(flow).offset_type().bounds().hi;
        object.size = object.size.clamp(0, largest).unwrap_or(object.size);
        flow.state.set(recent, Arc::new(object));
        let fails = may_fail || size.hi() > largest;
        let value = Value {
            int: fails.then(|| Int::constant(0)),
            pointers: Pointers::to(recent, Int::constant(0)),
            ..Value::bottom()
        };
        self.store_at(flow, dest, &address, value);
        let temporary = |v| matches!(self.program.variables[v].storage, Storage::Temp(_));
        flow.allocated = dest.as_var().is_some_and(temporary).then(|| (dest.clone(), recent));
        recent
    }

    /// Where the last allocation is seen to have failed there is no block.
    pub(super) fn drop_failed_allocation(&self, flow: &mut Flow) {
        let Some((place, block)) = &flow.allocated else { return };
        if self.view(flow).load(place).as_constant() == Some(0) {
            flow.state.forget(*block);
        }
    }

    /// A block in the place of another, whose bytes it holds as far as there is room. Returns it.
    pub(super) fn reallocate(
        &mut self,
        flow: &mut Flow,
        alloc: AllocId,
        dest: &Place,
        ptr: &Expr,
        size: &Expr,
    ) -> BaseId {
        let view = self.view(flow);
        let address = view.address(dest);
        let old = view.eval(ptr);
        let size = view.numbers(&view.eval(size), view.address_type());
        let blank = Object::new(size, Value::indeterminate());
        let mut content: Option<Object> = old.int.map(|_| blank.clone());
        if old.pointers.is_any() || old.undefined {
            content = Some(Object::new(size, Value { undefined: true, ..Shape::BYTE.anything() }));
        }
        for &(base, _) in old.pointers.targets() {
            let Some(source) = flow.state.object(&self.bases, base) else { continue };
            let copied = source.size.as_constant().zip(size.as_constant()).map(|(a, b)| a.min(b));
            let new = match copied {
                Some(n) if n < 4096 => {
                    let mut new = blank.clone();
                    if n > 0 {
                        new.copy_range(0, source, 0, n as i64);
                    }
                    new
                }
                _ => {
                    let mut kept = Object::clone(source);
                    (kept.size, kept.life, kept.zeros) = (size, Life::LIVE, Zeros::default());
                    kept.join(&blank)
                }
            };
            content = Some(content.map_or(new.clone(), |all| all.join(&new)));
        }
        let content = content.unwrap_or(blank);
        let may_fail = !std::mem::take(&mut flow.resizes);
        let largest = self.view(flow).offset_type().bounds().hi;
        let size = if may_fail { size } else { size.clamp(0, largest).unwrap_or(size) };
        self.free(flow, ptr, &old, may_fail);
        self.allocate(flow, alloc, dest, address, size, content, may_fail)
    }

    /// Ends the lifetime of the blocks that `pointer`, whose values are `value`, points to. `maybe`: or not.
    pub(super) fn free(&mut self, flow: &mut Flow, pointer: &Expr, value: &Value, maybe: bool) {
        if value.pointers.is_any() {
            flow.state.may_free(&self.bases, self.extent(pointer));
        }
        let alone = value.pointers.targets().len() == 1 && value.int.is_none() && !value.pointers.is_any();
        let lists = self.view(flow).lists_without(pointer, value, &flow.copies);
        for &(base, _) in value.pointers.targets() {
            if !matches!(self.bases.get(base), Base::Heap { .. }) {
                continue;
            }
            let strong = alone && !maybe && !self.bases.is_summary(base);
            flow.state.end(
                &self.bases,
                base,
                |life| {
                    if strong { Life::DEAD } else { Life { may_be_dead: true, ..life } }
                },
            );
        }
        if let Some(lists) = lists {
            *flow.state.lists_mut() = lists;
        }
    }

    /// A new lifetime: pointers from one that has ended do not point to the variable any more. One that has not ended
    /// goes on: control jumped back within the block (C11 6.2.4p6).
    pub(super) fn storage_live(&mut self, flow: &mut Flow, v: VarId) {
        let (base, gone) = (self.bases.variable(v), self.bases.gone(v));
        let life = flow.state.object(&self.bases, base).map_or(Life::DEAD, |o| o.life);
        if self.bases.is_reachable(base) && flow.state.mentions(base) && life.may_be_dead {
            if life.may_live {
                flow.state.spread(base, gone);
            } else {
                flow.state.rename(&State::default(), &|b| (b == base).then_some(gone));
            }
        }
        let size = Int::constant(i128::from(self.program.variables[v].size));
        if self.bases.is_reachable(base) {
            // Where it goes on, it holds nothing any more.
            flow.state.end(&self.bases, base, |life| life);
        }
        flow.state.set(base, Arc::new(Object::new(size, Value::indeterminate())));
    }

    /// The arguments of `main`: as many strings as `argc` says, and NULL. Where the program itself enters `main`, they may be any.
    pub(super) fn program_arguments(&mut self, flow: &mut Flow, argc: &Place, argv: &Place, envp: Option<&Place>) {
        let main = self.current().function;
        if self.stack.len() > 1 || self.memory.is_recursive(main) || self.memory.taken().contains(&main) {
            [Some(argc), Some(argv), envp].into_iter().flatten().for_each(|place| self.store_unknown(flow, place));
            return;
        }
        let most = self.view(flow).int_type(argc.ty).map_or(i128::from(i32::MAX), |t| t.bounds().hi);
        self.store(flow, argc, Value::int(Int::range(0, most)));
        for (i, place) in [Some(argv), envp].into_iter().enumerate() {
            let Some(place) = place else { continue };
            let (strings, text) = (self.base(Base::Strings(i as u8)), self.base(Base::Text(i as u8)));
            let width = self.program.types.pointer_size();
            let far = i128::from(i64::MAX);
            let mut string = Object::new(Int::range(1, far), Value::int(Int::range(0, 255)));
            string.zeros = Zeros::LAST;
            flow.state.set(text, Arc::new(string));
            let element = Value {
                int: Some(Int::constant(0)),
                pointers: Pointers::to(text, Int::constant(0)),
                ..Value::bottom()
            };
            let shape = Shape { size: width as u8, kind: Kind::Unsigned };
            let mut array = Object::of_elements(Int::range(i128::from(width), far), shape, element);
            if i == 0 {
                array.zeros = Zeros::LIST;
            }
            flow.state.set(strings, Arc::new(array));
            let count = Some(argc).filter(|_| i == 0).and_then(|argc| self.view(flow).elements_terms(argc, width));
            flow.state.note_copied(Cell::New, count.as_slice());
            let address = self.view(flow).address(place);
            let cell = self.view(flow).holder_at(place, &address);
            self.store_at(flow, place, &address, Value::pointers(Pointers::to(strings, Int::constant(0))));
            flow.state.settle(Cell::New, cell);
        }
    }
}
