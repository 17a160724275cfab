//! Bytes that are set, copied or spoiled, wherever pointers point.

use super::analyzer::{Analyzer, Flow};
use super::extent::Target;
use super::object::Object;
use super::paths::Node;
use super::shape::Shape;
use super::texts::Holder;
use crate::domains::{BaseId, Int, Pointers, Value, arithmetic};
use crate::ir::TypeId;
use crate::ir::padding::padding;
use std::sync::Arc;

/// The first of `len` bytes at one of `offsets` in an object, and the end of the last that lie in it.
fn range(object: &Object, offsets: Int, len: Int) -> (i64, i64) {
    let near = |n: i128| n.clamp(0, i128::from(i64::MAX)) as i64;
    (near(offsets.lo()), near(offsets.hi().saturating_add(len.hi()).min(object.size.hi())))
}

impl Analyzer<'_, '_> {
    /// Every byte that `target` points to gets any bytes of `value` too, wherever in the object.
    pub(super) fn spoil(&mut self, flow: &mut Flow, target: &Target, value: &Value) {
        if target.is_any() {
            flow.state.spoil_where(&self.bases, target.extent.clone(), value);
        }
        for &(base, _) in target.targets() {
            flow.state.update(&self.bases, base, |o| o.spoil(value));
        }
    }

    /// `len` bytes from `target` on get the byte value `value`, each for itself.
    pub(super) fn set_bytes(&mut self, flow: &mut Flow, target: &Target, len: Int, value: &Value) {
        if len.hi() <= 0 {
            return;
        }
        let filled = self.view(flow).stays_filled(target, len, !value.undefined);
        if target.is_any() {
            flow.state.spoil_where(&self.bases, target.extent.clone(), value);
        }
        let alone = target.targets().len() == 1 && !target.is_any();
        for &(base, offset) in target.targets() {
            let Some(object) = flow.state.object(&self.bases, base) else { continue };
            let Some(end) = offset.hi().checked_add(len.hi()) else { continue };
            let (lo, hi) = (offset.lo().max(0) as i64, end.min(object.size.hi()).clamp(0, i128::from(i64::MAX)) as i64);
            // What is written for sure: from the last start to the first end.
            let sure_end = offset.lo().saturating_add(len.lo().max(0)).clamp(0, i128::from(hi)) as i64;
            let sure_start = offset.hi().clamp(0, i128::from(i64::MAX)) as i64;
            let strong = alone && !self.bases.is_summary(base);
            flow.state.update(&self.bases, base, |o| {
                if strong && sure_start < sure_end {
                    if lo < sure_start {
                        o.spoil_range(lo, sure_start, value);
                    }
                    if sure_end < hi {
                        o.spoil_range(sure_end, hi, value);
                    }
                    o.set_range(sure_start, sure_end, value);
                } else if lo < hi {
                    o.spoil_range(lo, hi, value);
                }
                // The first byte is written wherever the target is.
                if strong && len.lo() > 0 && value.as_constant() == Some(0) && offset.lo() >= 0 {
                    let last = offset.hi().min(i128::from(i64::MAX)) as i64;
                    o.zeros.place(lo, last);
                }
            });
        }
        flow.state.note_filled(filled);
    }

    /// The padding of a record gets values that C leaves open.
    pub(super) fn open_padding(&mut self, flow: &mut Flow, target: &Target, ty: TypeId) {
        for gap in padding(&self.program.types, ty) {
            let (first, len) = gap.extent();
            let by = Int::constant(i128::from(first));
            let shift = |offset| arithmetic::add(offset, by).unwrap_or(Int::TOP);
            let moved = Target { pointers: target.pointers.clone().map_offsets(shift), extent: target.extent.clone() };
            self.set_bytes(flow, &moved, Int::constant(i128::from(len)), &Shape::BYTE.anything());
        }
    }

    /// Copies `len` bytes, as if through a buffer.
    pub(super) fn copy(&mut self, flow: &mut Flow, to: &Target, from: &Pointers, len: Int) {
        if len.hi() <= 0 {
            return;
        }
        let exact_len = len.as_constant().and_then(|n| i64::try_from(n).ok());
        let inside = |flow: &Flow, a: &Self, p: &Pointers| -> Vec<(BaseId, Int)> {
            let least = len.lo().clamp(0, i128::from(i64::MAX)) as i64;
            let clip = |&(b, o): &(BaseId, Int)| Some((b, flow.state.inside(&a.bases, b, o, least)?));
            p.targets().iter().filter_map(clip).collect()
        };
        let (to_targets, from_targets) = (inside(flow, self, to), inside(flow, self, from));
        let sources: Option<Vec<(Arc<Object>, i64)>> = from_targets
            .iter()
            .map(|&(b, o)| Some((flow.state.object(&self.bases, b)?.clone(), o.as_constant()? as i64)))
            .collect();
        let known = !from.is_any() && !to.is_any() && to_targets.iter().all(|t| t.1.as_constant().is_some());
        let exact = exact_len.zip(sources);
        let is_text = exact.as_ref().is_some_and(|(n, sources)| !from.is_any() && is_text(sources, *n));
        let texts = if is_text { self.texts_of(flow, to.targets()) } else { Vec::new() };
        let filled = self.view(flow).stays_filled(to, len, false);
        match exact {
            Some((n, sources)) if known => {
                self.copy_cells(flow, &to_targets, &sources, n);
                self.copy_nodes(flow, &to_targets, &from_targets, n);
            }
            exact => {
                if !self.copy_elements(flow, to, &to_targets, from, &from_targets, len) {
                    let byte = self.any_byte_of(flow, from, &from_targets, len);
                    self.set_bytes(flow, to, len, &byte);
                    if let Some((n, sources)) = exact.filter(|_| !from.is_any()) {
                        self.note_copied_zero(flow, to, &sources, n);
                    }
                }
            }
        }
        for (base, start) in texts {
            flow.state.learn(&self.bases, base, |o| o.begin_text(start));
        }
        flow.state.note_filled(filled);
    }

    /// After `len` bytes were copied: what is known of pointers among them by access paths.
    fn copy_nodes(&self, flow: &mut Flow, to: &[(BaseId, Int)], from: &[(BaseId, Int)], len: i64) {
        let (&[(target, to)], &[(source, from)]) = (to, from) else { return };
        if flow.state.paths().is_none() || self.bases.is_summary(target) {
            return;
        }
        let Some((to, from)) = to.as_constant().zip(from.as_constant()) else { return };
        let (from, by) = (from as i64, (to - from) as i64);
        let inside = |cell: &Holder| cell.size > 0 && from <= cell.at && cell.at + i64::from(cell.size) <= from + len;
        let held = flow.state.paths().held_in(source).filter(|(cell, _)| inside(cell));
        let copied: Vec<(Holder, Node)> =
            held.map(|(cell, node)| (Holder { base: target, at: cell.at + by, ..cell }, node.clone())).collect();
        copied.into_iter().for_each(|(cell, node)| flow.state.paths_mut().note(cell, node));
    }

    /// Where strings of determinate characters start in the objects.
    fn texts_of(&self, flow: &Flow, targets: &[(BaseId, Int)]) -> Vec<(BaseId, i64)> {
        let text = |&(base, _): &(BaseId, Int)| Some((base, flow.state.object(&self.bases, base)?.zeros.text?));
        targets.iter().filter_map(text).collect()
    }

    /// Copies elements of arrays to where elements lie, wherever in the arrays. False, and nothing done, where that is not known.
    fn copy_elements(
        &self,
        flow: &mut Flow,
        to: &Target,
        to_targets: &[(BaseId, Int)],
        from: &Pointers,
        from_targets: &[(BaseId, Int)],
        len: Int,
    ) -> bool {
        let any = to.is_any() || from.is_any() || to_targets.is_empty() || from_targets.is_empty();
        let objects = from_targets.iter().map(|&(b, o)| Some((flow.state.object(&self.bases, b)?.clone(), o)));
        let Some(sources) = objects.collect::<Option<Vec<_>>>().filter(|_| !any) else { return false };
        let mut changed: Vec<(BaseId, Object)> = Vec::new();
        for &(base, offset) in to_targets {
            let Some(object) = flow.state.object(&self.bases, base) else { return false };
            let mut new = Object::clone(object);
            let within = range(object, offset, len);
            if !sources.iter().all(|(source, from)| new.copy_elements(offset, within, source, *from, len)) {
                return false;
            }
            changed.push((base, new));
        }
        for (base, new) in changed {
            flow.state.update(&self.bases, base, |o| *o = new);
        }
        true
    }

    /// Copies `len` bytes of one of `sources` to one of the targets, whose offsets are known.
    fn copy_cells(&self, flow: &mut Flow, targets: &[(BaseId, Int)], sources: &[(Arc<Object>, i64)], len: i64) {
        for &(base, offset) in targets {
            let at = offset.lo() as i64;
            let strong = targets.len() == 1 && !self.bases.is_summary(base);
            flow.state.update(&self.bases, base, |o| {
                let old = o.clone();
                let mut all: Option<Object> = (!strong).then(|| old.clone());
                for (source, skip) in sources {
                    let mut new = old.clone();
                    new.copy_range(at, source, *skip, len);
                    all = Some(all.map_or(new.clone(), |all| all.join(&new)));
                }
                if let Some(all) = all {
                    *o = all;
                }
            });
        }
    }

    /// Any of `len` bytes at `targets`, those of `from` that can be accessed.
    fn any_byte_of(&self, flow: &Flow, from: &Pointers, targets: &[(BaseId, Int)], len: Int) -> Value {
        let mut byte =
            if from.is_any() { Value { undefined: true, ..Shape::BYTE.anything() } } else { Value::bottom() };
        for &(b, o) in targets {
            if let Some(object) = flow.state.object(&self.bases, b) {
                let (lo, hi) = range(object, o, len);
                byte = byte.join(&object.any_byte_in(lo, hi));
            }
        }
        if byte.is_bottom() { Shape::BYTE.anything() } else { byte }
    }

    /// After `len` bytes have been copied to `to`: where the last of them is zero in all sources, there is a zero now.
    fn note_copied_zero(&self, flow: &mut Flow, to: &Pointers, sources: &[(Arc<Object>, i64)], len: i64) {
        let &[(base, offset)] = to.targets() else { return };
        let ends = |(source, at): &(Arc<Object>, i64)| source.byte_at(at + len - 1).as_constant() == Some(0);
        let strong = !to.is_any() && !sources.is_empty() && !self.bases.is_summary(base);
        if strong && offset.hi() >= 0 && sources.iter().all(ends) {
            let most = i128::from(i64::MAX - len);
            let first = offset.lo().clamp(0, most) as i64 + len - 1;
            flow.state.learn(&self.bases, base, |o| o.zeros.place(first, i64::MAX));
        }
    }
}

/// Whether `len` bytes of each source are determinate and the last of them is zero. Where such bytes are written into a string of determinate
/// characters, one starts there afterwards: it ends in front of them, or in them.
fn is_text(sources: &[(Arc<Object>, i64)], len: i64) -> bool {
    const LONG: i64 = 4096;
    let set = |(source, at): &(Arc<Object>, i64)| {
        let mut bytes = (*at..at + len).map(|i| source.byte_at(i));
        source.byte_at(at + len - 1).as_constant() == Some(0) && bytes.all(|byte| !byte.undefined)
    };
    (1..=LONG).contains(&len) && !sources.is_empty() && sources.iter().all(set)
}
