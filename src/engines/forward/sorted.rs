//! Arrays whose elements come to lie in another order.

use super::analyzer::{Analyzer, Flow};
use super::differences::Filled;
use super::extent::Target;
use super::object::Object;
use super::shape::Shape;
use crate::domains::{BaseId, Int, Value, arithmetic};
use crate::ir::Expr;

/// Bytes that are looked at element by element, at most.
const FEW: i128 = 1024;

impl Analyzer<'_, '_> {
    /// The elements of an array are put in some order. `args`: where it starts, how many they are and how many bytes each has.
    pub(super) fn sort(&mut self, flow: &mut Flow, target: &Target, args: &[Expr]) {
        let [start, count, width, ..] = args else { return };
        let view = self.view(flow);
        let [count_now, width_now] = [count, width].map(|number| view.numbers(&view.eval(number), view.address_type()));
        let width_now = width_now.as_constant().filter(|width| (1..=i64::MAX.into()).contains(width));
        let len = width_now.and_then(|width| arithmetic::mul(count_now, Int::constant(width)));
        let (filled, sorted) = match width_now.zip(len).filter(|_| !target.is_any()) {
            Some((width, len)) => (
                view.stays_filled_sorted(target, len, (start, count, width)),
                self.sorted_elements(flow, target, len, width),
            ),
            None => (Filled::none(), None),
        };
        match sorted {
            Some(sorted) => {
                sorted.into_iter().for_each(|(base, new)| flow.state.update(&self.bases, base, |o| *o = new))
            }
            None => {
                let mut all = if target.is_any() { Shape::BYTE.anything() } else { Value::bottom() };
                for object in target.targets().iter().filter_map(|(base, _)| flow.state.object(&self.bases, *base)) {
                    all = all.join(&object.any_byte());
                }
                self.spoil(flow, target, &all);
            }
        }
        flow.state.note_filled(filled);
    }

    /// The objects with each element in the place of each other one; None where bytes are not those of elements of this width.
    fn sorted_elements(&self, flow: &Flow, target: &Target, len: Int, width: i128) -> Option<Vec<(BaseId, Object)>> {
        let mut all = Vec::new();
        for &(base, offset) in target.targets() {
            let Some(old) = flow.state.object(&self.bases, base) else { continue };
            let exact = offset
                .as_constant()
                .zip(len.as_constant())
                .filter(|(at, len)| *len <= FEW && at + len <= old.size.lo());
            if let Some((at, len)) = exact.filter(|(at, _)| *at >= 0) {
                let mut new = Object::clone(old);
                new.sort_elements(at as i64, (len / width) as i64, width as i64);
                all.push((base, new));
                continue;
            }
            // Any of two neighbours: what they have in common is where elements lie.
            let each = offset.join(arithmetic::add(offset, Int::constant(width))?);
            let near = |n: i128| n.clamp(0, i64::MAX.into()) as i64;
            let within = (near(offset.lo()), near(offset.hi().saturating_add(len.hi()).min(old.size.hi())));
            let mut new = Object::clone(old);
            if !new.sort_somewhere(each, within, width as i64) {
                return None;
            }
            all.push((base, new));
        }
        Some(all)
    }
}
