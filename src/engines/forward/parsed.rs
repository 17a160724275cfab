//! The numbers that texts of digits give: their length bounds them, and their first characters may leave out that they are negative.

use super::analyzer::{Analyzer, Flow};
use super::derived::inside;
use super::library::STRING;
use super::object::Object;
use crate::domains::{Int, IntType, Value};
use crate::ir::{IntKind, LibFn};

impl Analyzer<'_, '_> {
    /// What `function`, one of `atoi`'s and `strtol`'s kin, gives of type `result` (C11 7.22.1.2 and 7.22.1.4).
    pub(super) fn number_in_text(&self, flow: &Flow, function: LibFn, result: IntType, values: &[Value]) -> Int {
        let Some(text) = values.first() else { return result.top() };
        let base = match function {
            LibFn::Atoi => 10,
            // A prefix may say that the digits are octal or hexadecimal ones.
            _ => match values.get(1).and_then(Value::as_constant) {
                Some(0) => 16,
                Some(base) if (2..=36).contains(&base) => base,
                _ => 36,
            },
        };
        let negative = self.may_be_negative(flow, text);
        if negative && !result.signed {
            return result.top();
        }
        let digits = self.string_length(flow, text, 1, true).hi();
        let greatest = |digits: i128| {
            let count = u32::try_from(digits).ok()?;
            base.checked_pow(count).map(|all| all - 1)
        };
        // `atoi` is `(int)strtol`; what `strtol` cannot give is the next that it can.
        let wide = match function {
            LibFn::Atoi => {
                let long = IntType::of(&self.program.types, IntKind::Long);
                IntType { bits: long.bits.max(result.bits), ..long }
            }
            _ => result,
        }
        .bounds();
        let hi = greatest(digits).map_or(wide.hi, |most| most.min(wide.hi));
        let lo = match negative {
            true => greatest((digits - 1).max(0)).map_or(wide.lo, |most| (-most).max(wide.lo)),
            false => 0,
        };
        result.wrap(Int::range(lo, hi))
    }

    /// Whether a `-` may stand in `text` behind nothing but blanks.
    fn may_be_negative(&self, flow: &Flow, text: &Value) -> bool {
        let known = text.int.is_none() && !text.undefined && !text.pointers.is_any() && !text.pointers.is_none();
        !known
            || text.pointers.targets().iter().any(|(base, offset)| {
                let start = offset.as_constant().and_then(|at| i64::try_from(at).ok()).filter(|at| *at >= 0);
                start.zip(flow.state.object(&self.bases, *base)).is_none_or(|(at, object)| minus_may_come(object, at))
            })
    }
}

fn minus_may_come(object: &Object, start: i64) -> bool {
    let blanks = LibFn::IsSpace.class().unwrap_or_default();
    for (_, c) in object.characters(start, 1, STRING) {
        let Some(number) = c.int.filter(|_| !c.undefined && c.pointers.is_none()) else { return true };
        if number.contains(i128::from(b'-')) {
            return true;
        }
        if inside(blanks, number).is_none() {
            return false;
        }
    }
    true
}
