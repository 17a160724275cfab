//! From a library function's name to its model: the families in turn, then the table.

use super::{
    LibraryCall, atomic, callback, child, clauses, clock, computed, descriptor, file, getopt, input, into, kept,
    memory, messages, multibyte, names, numbers, output, patterns, process, ready, reals, scan, signals, socket,
    strings, table, thread, token, verifier,
};
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{Expr, ExprKind, StmtKind};

/// Emits a call's checks and effects and returns its value (of type `void` for none).
pub(super) type Model = fn(&mut Lowerer<'_>, &LibraryCall<'_>) -> Lowered<Expr>;

/// Whether [`Lowerer::lower_library_call`] knows the function.
pub(crate) fn is_modelled(name: &str) -> bool {
    model(plain_name(name)).is_some() || table::is_known(plain_name(name))
}

/// The model in Rust of a function whose contract cannot say all.
pub(super) fn model(name: &str) -> Option<Model> {
    memory::model(name)
        .or_else(|| strings::model(name))
        .or_else(|| numbers::model(name))
        .or_else(|| reals::model(name))
        .or_else(|| output::model(name))
        .or_else(|| input::model(name))
        .or_else(|| socket::model(name))
        .or_else(|| scan::model(name))
        .or_else(|| process::model(name))
        .or_else(|| verifier::model(name))
        .or_else(|| token::model(name))
        .or_else(|| file::model(name))
        .or_else(|| kept::model(name))
        .or_else(|| signals::model(name))
        .or_else(|| clock::model(name))
        .or_else(|| getopt::model(name))
        .or_else(|| callback::model(name))
        .or_else(|| thread::model(name))
        .or_else(|| atomic::model(name))
        .or_else(|| child::model(name))
        .or_else(|| messages::model(name))
        .or_else(|| ready::model(name))
        .or_else(|| into::model(name))
        .or_else(|| names::model(name))
        .or_else(|| patterns::model(name))
        .or_else(|| multibyte::model(name))
        .or_else(|| computed::model(name))
}

/// What functions take whose names others may have, too: pointers (or a number for NULL) and numbers, and more where a dot stands.
const TAKEN: [(&str, &str); 19] = [
    ("err", "ip."),
    ("errc", "iip."),
    ("error", "iip."),
    ("error_at_line", "iipip."),
    ("errx", "ip."),
    ("fork", ""),
    ("glob", "pipp"),
    ("poll", "pii"),
    ("select", "ipppp"),
    ("syslog", "ip."),
    ("verr", "ip."),
    ("verrx", "ip."),
    ("vwarn", "p."),
    ("vwarnx", "p."),
    ("wait", "p"),
    ("wait3", "pip"),
    ("warn", "p."),
    ("warnc", "ip."),
    ("warnx", "p."),
];

/// Compilers' and the GNU library's spellings of library functions.
fn plain_name(name: &str) -> &str {
    match name.strip_prefix("__") {
        Some(of_floats) if of_floats.starts_with("isinf") || of_floats.starts_with("isnan") => of_floats,
        Some(of_floats) if of_floats.starts_with("finite") || of_floats.starts_with("signbit") => of_floats,
        Some(rest) => rest.strip_prefix("builtin_").unwrap_or(name),
        None => name,
    }
}

impl Lowerer<'_> {
    /// Emits the checks and effects of a library call and returns its value (of type `void` for none), or None when it has no model.
    pub(crate) fn lower_library_call(&mut self, call: LibraryCall<'_>) -> Lowered<Option<Expr>> {
        if let Some(contract) = self.users_contract(call.name) {
            return clauses::lower(self, &call, &contract).map(Some);
        }
        let name = plain_name(call.name);
        let call = LibraryCall { name, ..call };
        if !self.is_meant(&call) {
            return Ok(None);
        }
        if is_modelled(name) {
            self.note_call(&call)?;
            clauses::check_needs(self, &call)?;
        }
        let result = descriptor::lower(self, &call, |l| match model(name) {
            Some(model) => model(l, &call).map(Some),
            None => table::lower(l, &call),
        })?;
        self.set_own_variables(&call)?;
        Ok(result)
    }

    /// Whether the call can be one of the library's function: programs have functions of their own that are called `error` or `select`,
    /// of which only a declaration may be there.
    fn is_meant(&self, call: &LibraryCall<'_>) -> bool {
        let types = &self.program.types;
        let kind = |e: &Expr| if types.is_pointer(e.ty) { 'p' } else { 'i' };
        let given: String = call.args.iter().map(kind).collect();
        let fits = |wanted: &str| match wanted.strip_suffix('.') {
            Some(first) => given.starts_with(first),
            None => given.len() == wanted.len() && given.chars().zip(wanted.chars()).all(|(g, w)| g == w || w == 'p'),
        };
        match TAKEN.binary_search_by_key(&call.name, |(name, _)| name) {
            Ok(at) => fits(TAKEN[at].1),
            Err(_) => table::has_arguments(call),
        }
    }

    /// Says that the call begins here. Addresses of labels, which get other numbers later, are left out.
    pub(super) fn note_call(&mut self, call: &LibraryCall<'_>) -> Lowered<()> {
        let kept = |e: &Expr| {
            let mut label = false;
            e.walk(&mut |e| label |= matches!(e.kind, ExprKind::LabelAddr(_)));
            if label { self.zero_of(e.ty) } else { e.clone() }
        };
        let args = call.args.iter().map(kept).collect();
        self.emit(StmtKind::LibraryCall { name: call.name.to_owned(), args }, call.span)
    }
}
