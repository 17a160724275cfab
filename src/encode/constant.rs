//! Writes to what only an initializer may write, when it is a part of an object.

use super::encoder::Encoder;
use crate::ir::{ConstantBytes, ConstantParts};
use crate::smt::Term;

impl Encoder<'_, '_> {
    /// When `size` bytes that lie inside an object, from `offset` on, have no constant one among them.
    pub(super) fn spares_constants(&mut self, constant: &ConstantBytes, offset: Term, size: Term) -> Term {
        match constant {
            ConstantBytes::None => self.pool.bool(true),
            ConstantBytes::All => self.pool.bool(false),
            ConstantBytes::Parts(parts) => {
                let met = self.meets_parts(parts, offset, size);
                self.pool.not(met)
            }
        }
    }

    /// As [`ConstantParts::touched`], for terms.
    fn meets_parts(&mut self, parts: &ConstantParts, offset: Term, size: Term) -> Term {
        let number = |s: &mut Self, n: u64| s.address(i128::from(n));
        let start = match parts.period {
            Some(period) => {
                let period = number(self, period);
                self.pool.bv_urem(offset, period)
            }
            None => offset,
        };
        let size = self.pool.resize(self.pointer_bits(), false, size);
        let end = self.pool.bv_add(start, size);
        let mut met = Vec::new();
        for range in &parts.ranges {
            let (from, to) = (number(self, range.start), number(self, range.end));
            let (not_behind, here) = (self.pool.bv_ult(start, to), self.pool.bv_ult(from, end));
            let again = match parts.period {
                Some(period) => {
                    let next = number(self, range.start + period);
                    self.pool.bv_ult(next, end)
                }
                None => self.pool.bool(false),
            };
            met.push(self.pool.ite(not_behind, here, again));
        }
        self.pool.or(&met)
    }
}
