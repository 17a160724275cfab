//! Objects and places in words, for messages and tests.

use super::location::{Base, Location};
use super::points_to::PointsTo;
use crate::ir::{Program, StaticValue, Storage, VarId};

impl PointsTo {
    /// The object in C terms: `x`, `main::x`, `"text"`, `f()`, `malloc:12`, `malloc:12 from 30` (lines), `<outside>`.
    pub fn describe_base(&self, program: &Program, base: Base) -> String {
        let alloc = |a| {
            let site: &crate::ir::AllocSite = &program.allocs[a];
            format!("{}:{}", site.name, site.span.line)
        };
        match base {
            Base::Variable(v) if program.variables[v].storage == Storage::Literal => literal(program, v),
            Base::Variable(v) => self.variable_name(v),
            Base::Function(f) => format!("{}()", program.functions[f].name),
            Base::Block(a) => alloc(a),
            Base::BlockOfCall(a, c) => format!("{} from {}", alloc(a), program.calls[c].span.line),
            Base::VariadicArguments(f) => format!("{}(...)", program.functions[f].name),
            Base::Arguments => "<argv>".to_owned(),
            Base::ArgumentStrings => "<argv strings>".to_owned(),
            Base::Environment => "<envp>".to_owned(),
            Base::EnvironmentStrings => "<envp strings>".to_owned(),
            Base::Outside => "<outside>".to_owned(),
        }
    }

    /// The object, then `+8` for an offset, `+8%16` for all that differ from it by multiples of 16, `+8..24` for any of these, `+?` for
    /// anywhere.
    pub fn describe(&self, program: &Program, location: Location) -> String {
        let base = self.describe_base(program, location.base);
        match (location.offset, location.stride) {
            (0, 0) => base,
            (offset, 0) => format!("{base}{offset:+}"),
            (_, 1) => format!("{base}+?"),
            (offset, stride) if stride < 0 => format!("{base}{offset:+}..{}", offset.saturating_sub(stride)),
            (offset, stride) => format!("{base}{offset:+}%{stride}"),
        }
    }
}

fn literal(program: &Program, v: VarId) -> String {
    let text = program.variables[v].init.iter().find_map(|i| match &i.value {
        StaticValue::Bytes(b) => Some(b.strip_suffix(&[0]).unwrap_or(b).escape_ascii().to_string()),
        _ => None,
    });
    format!("\"{}\"", text.unwrap_or_default())
}
