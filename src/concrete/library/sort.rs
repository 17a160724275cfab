//! `qsort`: the merge sort of the GNU C library, so that comparisons come in its order and equal elements stay put.

use crate::concrete::execute::Observer;
use crate::concrete::machine::{Argument, Machine, Step};
use crate::concrete::memory::Pointee;
use crate::concrete::object::{Fill, ObjectKind, Region};
use crate::concrete::value::Value;
use crate::ir::{FuncId, Type};

/// Nested sorts (a comparison that sorts) recurse in the host.
const DEEPEST: usize = 8;

/// A sort under way: pairs of elements are put into these two blocks to be compared.
struct Sorting {
    compare: FuncId,
    base: Value,
    size: usize,
}

impl Machine<'_> {
    pub(super) fn sort<O: Observer>(
        &mut self,
        base: Value,
        count: u64,
        size: u64,
        compare: Value,
        observer: &mut O,
    ) -> Step<()> {
        if count < 2 || size == 0 {
            return Ok(());
        }
        let Pointee::Function(compare, 0) = self.pointee(compare) else {
            return self.stuck("a sort with what is no comparison function");
        };
        if self.frames.iter().filter(|f| f.for_host).count() >= DEEPEST {
            return self.undecided("sorts nested too deeply");
        }
        let Some(total) = count.checked_mul(size) else { return self.stuck("access outside an object") };
        let (slot, at) = self.writable(base, total)?;
        let size = size as usize;
        let elements: Vec<Region> =
            (0..count as usize).map(|i| self.memory.object(slot).region(at + i * size, size)).collect();
        // The comparison sees addresses of elements: in the array or in a buffer, as the library likes.
        let scratch = self.memory.create(ObjectKind::Arguments, 2 * size as u64, Fill::Indeterminate, false);
        let scratch = self.granted(scratch)?;
        let first = self.memory.pointer(scratch, 0);
        let sorting = Sorting { compare, base: self.granted(first)?, size };
        let order = self.merge_sort(&sorting, scratch, &elements, 0, elements.len(), observer)?;
        self.memory.kill(scratch);
        for (i, element) in order.into_iter().enumerate() {
            self.memory.objects[slot as usize].store_region(at + i * size, &elements[element]);
        }
        Ok(())
    }

    /// The numbers of the elements from `low` to `high`, sorted.
    fn merge_sort<O: Observer>(
        &mut self,
        sorting: &Sorting,
        scratch: u32,
        elements: &[Region],
        low: usize,
        high: usize,
        observer: &mut O,
    ) -> Step<Vec<usize>> {
        if high - low < 2 {
            return Ok((low..high).collect());
        }
        let middle = low + (high - low) / 2;
        let left = self.merge_sort(sorting, scratch, elements, low, middle, observer)?;
        let right = self.merge_sort(sorting, scratch, elements, middle, high, observer)?;
        let mut merged = Vec::with_capacity(high - low);
        let (mut i, mut j) = (0, 0);
        while i < left.len() && j < right.len() {
            let ordering =
                self.compare_elements(sorting, scratch, &elements[left[i]], &elements[right[j]], observer)?;
            if ordering <= 0 {
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

    fn compare_elements<O: Observer>(
        &mut self,
        sorting: &Sorting,
        scratch: u32,
        a: &Region,
        b: &Region,
        observer: &mut O,
    ) -> Step<i128> {
        let reserved = self.memory.reserve(scratch, 2 * sorting.size);
        self.granted(reserved)?;
        self.memory.objects[scratch as usize].store_region(0, a);
        self.memory.objects[scratch as usize].store_region(sorting.size, b);
        let second = self.pointer_add(sorting.base, Value::int(sorting.size as i128));
        let Type::Function(ty) = self.program.types.get(self.program.functions[sorting.compare].ty) else {
            return self.undecided("a comparison function without a type");
        };
        let pointer = ty.params.first().copied().unwrap_or(self.program.types.void_ptr());
        let arguments = vec![Argument::Scalar(sorting.base, pointer), Argument::Scalar(second, pointer)];
        match self.call_back(sorting.compare, arguments, observer)? {
            Some(value) => Ok(self.observe(value)),
            None => self.undecided("a comparison function that returns nothing"),
        }
    }
}
