//! `getopt` and `getopt_long`: their model is C text, which is lowered as one more unit of the program ([`TEXTS`](super::TEXTS)).

use super::LibraryCall;
use super::dispatch::Model;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::Expr;

/// The model of a function of that name.
pub(super) fn model(name: &str) -> Option<Model> {
    match name {
        "getopt" | "getopt_long" | "getopt_long_only" => Some(getopt),
        _ => None,
    }
}

fn getopt(l: &mut Lowerer<'_>, call: &LibraryCall<'_>) -> Lowered<Expr> {
    let function = l.declared_function(call.name, call.span);
    if matches!(call.args.get(2), Some(options) if options.ty == l.program.types.char_ptr()) {
        let options = l.pinned_arg(call, 2)?;
        l.check_string(call, 2, options, 1, None)?;
    }
    l.call_function(function, call.args.clone(), call.span)
}
