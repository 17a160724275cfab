//! `qsort`: the merge sort of the GNU C library (to version 2.36), so that comparisons come in its order, see elements where
//! that sort keeps them, and equal elements stay put.
//!
//! C says neither which elements are compared, nor how often, nor where equal ones come to lie (C11 7.22.5.2): a run in which that can
//! matter is marked as approximated.

use crate::concrete::execute::Observer;
use crate::concrete::machine::{Argument, Machine, Step};
use crate::concrete::memory::Pointee;
use crate::concrete::object::Region;
use crate::concrete::value::Value;
use crate::ir::{BinaryOp, FuncId, Type, TypeId};

/// Nested sorts (a comparison that sorts) recurse in the host.
const DEEPEST: usize = 8;

/// Elements of at most so many bytes are moved while sorting; larger ones stay where they are until the end.
const LARGEST_MOVED: u64 = 32;

/// A sort under way.
struct Sorting {
    compare: FuncId,
    base: Value,
    width: u64,
    /// The type of the comparison's parameters.
    pointer: TypeId,
}

impl Machine<'_> {
    pub(super) fn sort<O: Observer>(
        &mut self,
        base: Value,
        count: u64,
        width: u64,
        compare: Value,
        observer: &mut O,
    ) -> Step<()> {
        if count < 2 || width == 0 {
            return Ok(());
        }
        let Pointee::Function(compare, 0) = self.pointee(compare) else {
            return self.stuck("a sort with what is no comparison function");
        };
        if self.frames.iter().filter(|f| f.for_host).count() >= DEEPEST {
            return self.undecided("sorts nested too deeply");
        }
        let Some(total) = count.checked_mul(width) else { return self.stuck("access outside an object") };
        self.writable(base, total)?;
        let Type::Function(ty) = self.program.types.get(self.program.functions[compare].ty) else {
            return self.undecided("a comparison function without a type");
        };
        let pointer = ty.params.first().copied().unwrap_or(self.program.types.void_ptr());
        let sorting = Sorting { compare, base, width, pointer };
        self.flags.approximated |= self.program.leaves_traces(compare);
        if width <= LARGEST_MOVED {
            return self.sort_moving(&sorting, 0, count, observer);
        }
        let order = self.sort_in_place(&sorting, 0, count, observer)?;
        let sorted: Vec<Region> =
            order.into_iter().map(|i| self.element(&sorting, i)).collect::<Step<Vec<Region>>>()?;
        for (i, element) in sorted.iter().enumerate() {
            self.put_element(&sorting, i as u64, element)?;
        }
        Ok(())
    }

    /// Sorts `count` elements from `low` on, halves first, and moves them.
    fn sort_moving<O: Observer>(&mut self, sorting: &Sorting, low: u64, count: u64, observer: &mut O) -> Step<()> {
        if count < 2 {
            return Ok(());
        }
        let half = count / 2;
        self.sort_moving(sorting, low, half, observer)?;
        self.sort_moving(sorting, low + half, count - half, observer)?;
        let (mut i, mut j) = (low, low + half);
        let mut merged = Vec::new();
        while i < low + half && j < low + count {
            let from = if self.compare_elements(sorting, i, j, observer)? <= 0 { &mut i } else { &mut j };
            let at = *from;
            *from += 1;
            merged.push(self.element(sorting, at)?);
        }
        // What is left of the right half is in place.
        while i < low + half {
            merged.push(self.element(sorting, i)?);
            i += 1;
        }
        for (at, element) in merged.iter().enumerate() {
            self.put_element(sorting, low + at as u64, element)?;
        }
        Ok(())
    }

    /// The sorted order of `count` elements from `low` on, which stay where they are.
    fn sort_in_place<O: Observer>(
        &mut self,
        sorting: &Sorting,
        low: u64,
        count: u64,
        observer: &mut O,
    ) -> Step<Vec<u64>> {
        if count < 2 {
            return Ok((low..low + count).collect());
        }
        let half = count / 2;
        let left = self.sort_in_place(sorting, low, half, observer)?;
        let right = self.sort_in_place(sorting, low + half, count - half, observer)?;
        let mut merged = Vec::with_capacity(count as usize);
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            if self.compare_elements(sorting, left[i], right[j], observer)? <= 0 {
                merged.push(left[i]);
                i += 1;
            } else {
                merged.push(right[j]);
                j += 1;
            }
        }
        merged.extend_from_slice(&left[i..]);
        merged.extend_from_slice(&right[j..]);
        Ok(merged)
    }

    fn element_pointer(&mut self, sorting: &Sorting, i: u64) -> Value {
        self.pointer_add(sorting.base, Value::int(i128::from(i) * i128::from(sorting.width)))
    }

    fn element(&mut self, sorting: &Sorting, i: u64) -> Step<Region> {
        let pointer = self.element_pointer(sorting, i);
        let (slot, at) = self.readable(pointer, sorting.width)?;
        Ok(self.copy_of(slot, at, sorting.width as usize))
    }

    fn put_element(&mut self, sorting: &Sorting, i: u64, element: &Region) -> Step<()> {
        let pointer = self.element_pointer(sorting, i);
        let (slot, at) = self.writable(pointer, sorting.width)?;
        self.memory.objects[slot as usize].store_region(at, element);
        Ok(())
    }

    fn compare_elements<O: Observer>(&mut self, sorting: &Sorting, i: u64, j: u64, observer: &mut O) -> Step<i128> {
        let arguments =
            [i, j].map(|k| Argument::Scalar(self.element_pointer(sorting, k), sorting.pointer)).into_iter().collect();
        let order = match self.call_back(sorting.compare, arguments, observer)? {
            // Of a comparison the sign alone counts.
            Some(Value::Int(v, origin)) if origin.is_unspecified() && origin.compares_alike(BinaryOp::Le, v, 0) => v,
            Some(value) => self.observe(value),
            None => return self.undecided("a comparison function that returns nothing"),
        };
        if order == 0 && self.element(sorting, i)? != self.element(sorting, j)? {
            self.flags.approximated = true;
        }
        Ok(order)
    }
}
