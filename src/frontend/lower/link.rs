//! Linkage: one object or function per external name over all units, file-local ones apart (C11 6.2.2, 6.9.2).

use super::context::{ErrorLabel, Lowerer};
use super::scope::Symbol;
use crate::base::{Diagnostic, IndexVec, Span};
use crate::ir::{ConstantBytes, FnType, FuncId, Function, Linkage, Program, Storage, Type, TypeId, VarId, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a name of external linkage stands for.
#[derive(Clone, Copy, Debug)]
enum External {
    Variable(VarId),
    Function(FuncId),
}

/// What a declaration says of an object with linkage.
pub(super) struct Object<'n> {
    pub name: &'n str,
    pub ty: TypeId,
    pub constant: ConstantBytes,
    pub linkage: Linkage,
    /// Not merely `extern`.
    pub defines: bool,
}

/// The external names of the program.
#[derive(Debug, Default)]
pub(super) struct Externals {
    names: FxHashMap<String, External>,
    /// Names whose declarations disagree: each is told once.
    conflicting: FxHashSet<String>,
}

impl Lowerer<'_> {
    /// Declares a function in the current scope and returns it; `linkage` as this declaration says.
    pub(super) fn declare_function(&mut self, name: &str, ty: TypeId, linkage: Linkage, span: Span) -> FuncId {
        let id = self.declare_linked(name, ty, linkage, span);
        self.program.functions[id].undeclared = false;
        self.scopes.declare(name, Symbol::Function(id));
        if !self.scopes.at_file_level() {
            // Linkage is the file's, whatever block declares it.
            self.scopes.stack[0].symbols.entry(name.to_owned()).or_insert(Symbol::Function(id));
        }
        id
    }

    fn declare_linked(&mut self, name: &str, ty: TypeId, linkage: Linkage, span: Span) -> FuncId {
        match (self.file_symbol(name), linkage) {
            (Some(Symbol::Function(f)), _) => {
                self.merge_function_type(f, ty, span);
                f
            }
            (_, Linkage::External) => match self.externals.names.get(name) {
                Some(External::Function(f)) => {
                    let f = *f;
                    self.merge_function_type(f, ty, span);
                    f
                }
                Some(External::Variable(v)) => {
                    let other = self.program.variables[*v].span;
                    self.conflict(name, span, other);
                    self.new_function(name, ty, linkage, span)
                }
                None => {
                    let f = self.new_function(name, ty, linkage, span);
                    self.externals.names.insert(name.to_owned(), External::Function(f));
                    f
                }
            },
            (_, Linkage::Internal) => self.new_function(name, ty, linkage, span),
        }
    }

    /// Declares a function that is called and that no declaration in scope names.
    pub(super) fn declare_by_call(&mut self, name: &str, ty: TypeId, span: Span) -> FuncId {
        /// What the compiler itself declares.
        const COMPILERS: [&str; 3] = ["__builtin_", "__sync_", "__atomic_"];
        let undeclared = match self.externals.names.get(name) {
            Some(External::Function(f)) => self.program.functions[*f].undeclared,
            _ => !COMPILERS.iter().any(|prefix| name.starts_with(prefix)),
        };
        let f = self.declare_function(name, ty, Linkage::External, span);
        self.program.functions[f].undeclared = undeclared;
        f
    }

    /// Whether control must not come to a label `ERROR`.
    pub(super) fn is_error_label(&self) -> bool {
        let is_verifiers = |n: &String| n.starts_with("__VERIFIER_") || n == "reach_error";
        match self.options.error_label {
            ErrorLabel::Nowhere => false,
            ErrorLabel::InTasks => self.externals.names.keys().any(is_verifiers),
            ErrorLabel::Everywhere => true,
        }
    }

    fn file_symbol(&self, name: &str) -> Option<Symbol> {
        self.scopes.stack[0].symbols.get(name).copied()
    }

    pub(super) fn new_function(&mut self, name: &str, ty: TypeId, linkage: Linkage, span: Span) -> FuncId {
        self.program.functions.push(Function {
            name: name.to_owned(),
            ty,
            linkage,
            span,
            params: Vec::new(),
            locals: Vec::new(),
            blocks: IndexVec::new(),
            noreturn: false,
            failed: None,
            undeclared: false,
            library: false,
        })
    }

    fn merge_function_type(&mut self, f: FuncId, ty: TypeId, span: Span) {
        let old = self.program.functions[f].ty;
        if old == ty {
            return;
        }
        let (Some(a), Some(b)) = (self.fn_type(old), self.fn_type(ty)) else { return };
        let same = a.result == b.result && a.params == b.params;
        if !a.prototyped && b.prototyped && !self.program.functions[f].has_body() {
            self.program.functions[f].ty = ty;
        } else if a.prototyped
            && b.prototyped
            && !same
            && self.program.types.describe(old) != self.program.types.describe(ty)
        {
            let (name, other) = (self.program.functions[f].name.clone(), self.program.functions[f].span);
            self.conflict(&name, span, other);
        }
    }

    pub(super) fn fn_type(&self, ty: TypeId) -> Option<FnType> {
        match self.program.types.get(ty) {
            Type::Function(f) => Some(f.clone()),
            _ => None,
        }
    }

    fn conflict(&mut self, name: &str, span: Span, other: Span) {
        if !self.externals.conflicting.insert(name.to_owned()) {
            return;
        }
        self.program.diagnostics.push(
            Diagnostic::warning(span, format!("conflicting declarations of `{name}`"))
                .with_note(other, "declared differently here")
                .with_help("the first declaration is used"),
        );
    }

    /// Declares the object of that name that another unit defines; whether there is one.
    pub(super) fn name_defined(&mut self, name: &str) -> bool {
        let Some(External::Variable(var)) = self.externals.names.get(name).copied() else { return false };
        let is_defined = self.program.variables[var].defined;
        if is_defined {
            self.scopes.declare(name, Symbol::Variable(var));
        }
        is_defined
    }

    /// Declares a file-scope object, or an `extern` one in a block.
    pub(super) fn declare_object(&mut self, object: Object<'_>, span: Span) -> VarId {
        let Object { name, ty, constant, linkage, defines } = object;
        let known = match (self.file_symbol(name), linkage) {
            (Some(Symbol::Variable(v)), _) => Some(v),
            (_, Linkage::External) => match self.externals.names.get(name) {
                Some(External::Variable(v)) => Some(*v),
                Some(External::Function(f)) => {
                    let other = self.program.functions[*f].span;
                    self.conflict(name, span, other);
                    None
                }
                None => None,
            },
            _ => None,
        };
        let var = known.unwrap_or_else(|| {
            let size = self.program.types.size_of(ty).unwrap_or(0);
            let v = self.program.variables.push(Variable {
                name: name.to_owned(),
                ty,
                storage: Storage::Global(linkage),
                span,
                size,
                constant: ConstantBytes::None,
                defined: false,
                init: Vec::new(),
                address_taken: false,
            });
            if linkage == Linkage::External {
                self.externals.names.entry(name.to_owned()).or_insert(External::Variable(v));
            }
            v
        });
        // What the definition says counts.
        if defines || !self.program.variables[var].defined {
            self.program.variables[var].constant = constant;
        }
        self.merge_object(var, ty, defines, span);
        self.scopes.declare(name, Symbol::Variable(var));
        self.scopes.stack[0].symbols.entry(name.to_owned()).or_insert(Symbol::Variable(var));
        var
    }

    fn merge_object(&mut self, var: VarId, ty: TypeId, defines: bool, span: Span) {
        let types = &self.program.types;
        let v = &self.program.variables[var];
        let (old_complete, new_complete) = (types.size_of(v.ty).is_some(), types.size_of(ty).is_some());
        if old_complete && new_complete && v.ty != ty && types.describe(v.ty) != types.describe(ty) {
            let (name, other) = (v.name.clone(), v.span);
            self.conflict(&name, span, other);
        }
        let size = self.program.types.size_of(ty);
        let v = &mut self.program.variables[var];
        if !old_complete && let Some(size) = size {
            v.ty = ty;
            v.size = v.size.max(size);
        }
        if defines && !v.defined {
            v.defined = true;
            v.span = span;
        }
    }
}

/// Ends linking: tentative definitions of incomplete arrays have one element; sizes of `extern` objects are settled.
pub(super) fn complete_objects(p: &mut Program) {
    for v in p.variables.iter_mut() {
        if let Type::Array(elem, None) = *p.types.get(v.ty)
            && v.defined
            && v.size == 0
        {
            v.ty = p.types.array(elem, Some(1));
        }
        if v.constant.is_none()
            && v.is_static()
            && let Ok(constant) = p.types.constant_bytes(v.ty)
        {
            // The record was not complete when the object was declared.
            v.constant = constant;
        }
        v.size = v.size.max(p.types.size_of(v.ty).unwrap_or(0));
    }
}
