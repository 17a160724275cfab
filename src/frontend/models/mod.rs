//! Library functions by contract: what a call of one becomes when the program does not define it.

use crate::base::Span;
use crate::frontend::lower::{Lowered, Lowerer};
use crate::ir::{Expr, TypeId};

/// A call of a library function.
pub(crate) struct LibraryCall<'c> {
    pub name: &'c str,
    /// Converted to the declared parameters' types, or promoted.
    pub args: Vec<Expr>,
    /// C spellings of the arguments, for messages.
    pub texts: Vec<String>,
    /// The declared result type, if the function is declared.
    pub result: Option<TypeId>,
    /// Whether the result is used.
    pub wanted: bool,
    pub span: Span,
}

/// Whether [`Lowerer::lower_library_call`] knows the function.
pub(crate) fn is_modelled(_name: &str) -> bool {
    false
}

impl Lowerer<'_> {
    /// Emits the checks and effects of a library call and returns its value (of type `void` for none), or None when it has no model.
    pub(crate) fn lower_library_call(&mut self, _call: LibraryCall<'_>) -> Lowered<Option<Expr>> {
        Ok(None)
    }
}
