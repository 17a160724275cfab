//! Access paths of expressions: what is learnt of a pointer when an access through it went well, of memory behind it when it was
//! written or tested, and what follows for later accesses.

use super::analyzer::{Analyzer, Flow};
use super::bases::Base;
use super::differences::{Cell, Term};
use super::evaluate::View;
use super::extent::{Extent, Extents};
use super::paths::{At, Content, Index, Node, Path, Range, STEPS, Spot, Write};
use super::refine::{Refiner, copies_of};
use super::shape::{Kind, Shape, reinterpret};
use super::texts::Holder;
use crate::domains::{Int, Pointers, Value, arithmetic};
use crate::ir::{Expr, ExprKind, Place, PlaceBase};
use crate::memory;

/// A pointer expression as an access path.
pub struct Along<'e> {
    pub path: Path,
    /// How many bytes the expression is above the pointer at the end of the path.
    pub by: Int,
    /// The same where it is a number that is known, or is known from an index on.
    to: Option<At>,
    /// The pointers on the way, as expressions: one for the root and one for each step.
    pointers: Vec<&'e Expr>,
    /// The place of the root; None: it is an array.
    root: Option<&'e Place>,
}

impl Along<'_> {
    /// The memory that a place of `size` bytes is, `offset` bytes behind the pointer; None where it cannot be counted.
    fn spot(&self, offset: i64, size: i64) -> Option<Spot> {
        let range = match self.to {
            Some(At { index, offset: from }) => {
                let lo = from.checked_add(offset)?;
                Range { index, lo, hi: lo.checked_add(size)? }
            }
            None => {
                let (lo, hi) = (self.by.lo().checked_add(offset.into())?, self.by.hi().checked_add(offset.into())?);
                Range { index: None, lo: i64::try_from(lo).ok()?, hi: i64::try_from(hi).ok()?.checked_add(size)? }
            }
        };
        Some(Spot { path: self.path.clone(), range })
    }
}

impl View<'_> {
    /// The shape of a pointer.
    fn word(&self) -> Shape {
        Shape { size: self.program.types.pointer_size() as u8, kind: Kind::Unsigned }
    }

    /// The access path of a pointer.
    pub fn along<'e>(&self, e: &'e Expr) -> Option<Along<'e>> {
        let pointer = |e: &Expr| self.program.types.is_pointer(e.ty);
        match &e.kind {
            ExprKind::Load(place) if pointer(e) => {
                let (by, to) = (Int::constant(0), Some(At { index: None, offset: 0 }));
                if let Some(root) = self.holder(place) {
                    let path = Path { root, steps: Vec::new() };
                    return Some(Along { path, by, to, pointers: vec![e], root: Some(place) });
                }
                let (mut along, spot) = self.spot(place)?;
                let at = self.only(&spot, self.word())?;
                if along.path.steps.len() >= STEPS {
                    return None;
                }
                along.path.steps.push((at, self.word().size));
                along.pointers.push(e);
                Some(Along { by, to, ..along })
            }
            ExprKind::AddrOf(v, offset) => {
                let root = Holder { base: self.bases.variable(*v), at: 0, size: 0, signed: false };
                let (path, by) = (Path { root, steps: Vec::new() }, Int::constant((*offset).into()));
                Some(Along { path, by, to: Some(At { index: None, offset: *offset }), pointers: vec![e], root: None })
            }
            ExprKind::Cast(a) if pointer(a) && pointer(e) => self.along(a),
            ExprKind::PtrAdd(p, n) => {
                let along = self.along(p)?;
                let more = self.numbers(&self.eval(n), self.offset_type());
                let to = along.to.and_then(|to| self.further(to, n, more));
                Some(Along { by: arithmetic::add(along.by, more)?, to, ..along })
            }
            _ => None,
        }
    }

    /// Where `n` bytes behind `to` are.
    fn further(&self, to: At, n: &Expr, bytes: Int) -> Option<At> {
        if let Some(by) = bytes.as_constant().and_then(|by| i64::try_from(by).ok()) {
            return Some(At { offset: to.offset.checked_add(by)?, ..to });
        }
        let linear = self.linear(n).filter(|_| to.index.is_none())?;
        let Term::Number(Cell::Held(cell)) = linear.of.term else { return None };
        let is_alone = matches!(self.bases.get(cell.base), Base::Variable(_)) && !self.bases.is_reachable(cell.base);
        let offset = to.offset.checked_add(i64::try_from(linear.plus).ok()?)?;
        is_alone.then_some(At { index: Some(Index { cell, scale: linear.of.times }), offset })
    }

    /// The memory that a place behind a pointer is, if that has an access path.
    pub fn spot<'e>(&self, place: &'e Place) -> Option<(Along<'e>, Spot)> {
        let PlaceBase::Deref(pointer) = &place.base else { return None };
        let size = self.program.types.size_of(place.ty)?;
        let along = self.along(pointer)?;
        let spot = along.spot(place.offset, i64::try_from(size).ok()?)?;
        Some((along, spot))
    }

    /// Where memory of this shape starts, if it does so at one offset only.
    fn only(&self, spot: &Spot, shape: Shape) -> Option<At> {
        let Range { index, lo, hi } = spot.range;
        (hi.checked_sub(lo)? == shape.len()).then_some(At { index, offset: lo })
    }

    /// What is known of a pointer by its access path.
    pub fn node(&self, e: &Expr) -> Option<Node> {
        if self.state.paths().is_none() {
            return None;
        }
        let along = self.along(e)?;
        self.state.paths().get(&along.path)?.moved(along.by, along.to)
    }

    /// What is known of the content of a place behind a pointer beside what the objects say that the pointer leads to.
    pub fn content(&self, place: &Place, shape: Shape) -> Option<Value> {
        if self.state.paths().is_none() || place.bits.is_some() {
            return None;
        }
        let (along, spot) = self.spot(place)?;
        let at = self.only(&spot, shape)?;
        let content = self.state.paths().content(&along.path, at, shape.size)?;
        Some(reinterpret(&content.value, content.shape, shape))
    }
}

impl Refiner<'_> {
    /// An access of `size` bytes at least through `ptr` went well.
    pub fn learn_access(&mut self, ptr: &Expr, size: Int) {
        let Some(along) = self.view().along(ptr) else { return };
        let Some(first) = along.root else { return };
        let ends = (along.by.hi(), along.by.lo().saturating_add(size.lo()));
        let window = match (i64::try_from(ends.0), i64::try_from(ends.1)) {
            (Ok(lo), Ok(hi)) if size.lo() > 0 => (lo, hi),
            _ => (0, 0),
        };
        let word = self.view().word();
        let extents = self.extents.along(&along);
        for copy in copies_of(self.copies, first) {
            let Some(root) = self.view().holder(copy) else { continue };
            let path = Path { root, ..along.path.clone() };
            self.state.paths_mut().change(&path, &extents, word, |node| {
                node.lives = true;
                node.extend(window);
            });
        }
    }

    /// Only executions in which the place behind a pointer has a value in `to`.
    pub fn restrict_content(&mut self, place: &Place, to: &Value) -> bool {
        let Some(shape) = Shape::of_place(&self.program.types, place) else { return true };
        let view = self.view();
        let Some((along, spot)) = view.spot(place) else { return true };
        let Some(at) = view.only(&spot, shape) else { return true };
        let old = view.load(place);
        let new = old.meet(to);
        if new.is_bottom() {
            return false;
        }
        if new != old {
            let (word, new) = (view.word(), self.bases.unnamed(&new));
            let node = self.state.paths().content(&along.path, at, shape.size).and_then(|c| c.node().cloned());
            let extents = self.extents.along(&along);
            self.state.paths_mut().set(&along.path, &extents, word, at, Content::new(shape, new, node));
        }
        true
    }
}

impl Extents<'_> {
    /// Where the pointers lead that a path goes along.
    fn along(&self, along: &Along<'_>) -> Vec<Extent> {
        let of = |e: &&Expr| match e.kind {
            ExprKind::AddrOf(v, _) => Extent::of([memory::Base::Variable(v)]),
            _ => self.of(e),
        };
        along.pointers.iter().map(of).collect()
    }
}

impl Analyzer<'_, '_> {
    /// What is known of a pointer that was evaluated before it was written to a place at `address`, which may lie behind it.
    pub(super) fn after_write(&self, node: Node, place: &Place, address: &Pointers) -> Node {
        let target = self.target_at(place, address.clone());
        let named = |of: &Extent| {
            let mut targets = address.targets().iter();
            targets.any(|t| self.bases.is_reachable(t.0) && of.has(&self.bases, t.0))
        };
        let hits = |of: &Extent| address.is_any() && of.meets(&target.extent) || named(of);
        node.after(&Write { hits: &hits, sets: false })
    }

    /// Notes what a place behind a pointer holds that has just been written, as far as the way there still is what it was.
    pub(super) fn note_content(
        &self,
        flow: &mut Flow,
        place: &Place,
        written: (Along<'_>, Spot),
        content: (Value, Option<Node>),
    ) {
        let (along, spot) = written;
        let Some(shape) = Shape::of_place(&self.program.types, place).filter(|_| place.bits.is_none()) else { return };
        let view = self.view(flow);
        let Some(at) = view.only(&spot, shape) else { return };
        let (word, root) = (view.word(), along.path.root);
        let path = &along.path;
        let stays = match path.steps.split_last() {
            // An array stays where it is.
            None => root.size == 0 || !self.bases.is_reachable(root.base) || flow.state.paths().get(path).is_some(),
            Some((&(at, size), before)) => {
                let before = Path { root, steps: before.to_vec() };
                flow.state.paths().content(&before, at, size).is_some_and(|c| c.node().is_some())
            }
        };
        if stays {
            let extents = self.extents.along(&along);
            let content = Content::new(shape, self.bases.unnamed(&content.0), content.1);
            flow.state.paths_mut().set(path, &extents, word, at, content);
        }
    }
}
