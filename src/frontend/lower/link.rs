//! Linkage: one object or function per external name over all units, file-local ones apart (C11 6.2.2, 6.9.2).
//!
//! Tags, and with them the types of objects, are each unit's own (6.2.1): a unit's code uses the type that its declarations
//! give together ([`Views`]), and an object has the size that its definition gives it.

use super::composite::{Records, composite};
use super::context::{ErrorLabel, Lowerer};
use super::scope::Symbol;
use crate::base::{Diagnostic, IndexVec, Span};
use crate::ir::{ConstantBytes, FnType, FuncId, Function, Linkage, Program, Storage, Type, TypeId, VarId, Variable};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a name of external linkage stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum External {
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
    /// Objects that some unit has given their content.
    initialized: FxHashSet<VarId>,
}

/// What one unit says of the objects and functions with linkage that it declares.
#[derive(Debug, Default)]
pub(super) struct Views {
    objects: FxHashMap<VarId, TypeId>,
    functions: FxHashMap<FuncId, TypeId>,
    /// The objects that the unit defines.
    defined: FxHashSet<VarId>,
}

impl Lowerer<'_> {
    /// The type that a variable has in this unit.
    pub(super) fn type_of_variable(&self, v: VarId) -> TypeId {
        self.views.objects.get(&v).copied().unwrap_or(self.program.variables[v].ty)
    }

    /// The type that a function has in this unit.
    pub(super) fn type_of_function(&self, f: FuncId) -> TypeId {
        self.views.functions.get(&f).copied().unwrap_or(self.program.functions[f].ty)
    }

    /// Declares a function in the current scope and returns it; `linkage` as this declaration says.
    pub(super) fn declare_function(&mut self, name: &str, ty: TypeId, linkage: Linkage, span: Span) -> FuncId {
        let id = self.declare_linked(name, ty, linkage, span);
        self.program.functions[id].undeclared = false;
        self.program.functions[id].system |= self.program.sources.in_system(span);
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

    /// What the external name stands for.
    pub(super) fn external(&self, name: &str) -> Option<External> {
        self.externals.names.get(name).copied()
    }

    fn file_symbol(&self, name: &str) -> Option<Symbol> {
        self.scopes.stack[0].symbols.get(name).copied()
    }

    pub(super) fn new_function(&mut self, name: &str, ty: TypeId, linkage: Linkage, span: Span) -> FuncId {
        let f = self.program.functions.push(Function {
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
            system: false,
            library: false,
        });
        self.views.functions.insert(f, ty);
        f
    }

    /// Adds a declaration to what is known of a function.
    fn merge_function_type(&mut self, f: FuncId, ty: TypeId, span: Span) {
        let types = &mut self.program.types;
        let (view, agree) = match self.views.functions.get(&f) {
            Some(earlier) => match composite(types, *earlier, ty, Records::OfOneUnit) {
                Some(both) => (both, true),
                None => (*earlier, false),
            },
            None => (ty, true),
        };
        self.views.functions.insert(f, view);
        let function = &self.program.functions[f];
        let whole = composite(&mut self.program.types, function.ty, view, Records::OfTwoUnits);
        if !agree || whole.is_none() {
            let (name, other) = (function.name.clone(), function.span);
            self.conflict(&name, span, other);
        }
        if let Some(whole) = whole.filter(|_| !self.program.functions[f].has_body()) {
            self.program.functions[f].ty = whole;
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
                .with_help("within a file the first declaration is used; each file uses its own"),
        );
    }

    /// Tells of an object that two files take to be different things, which nobody else does (C11 6.2.7p2).
    fn mislinked(&mut self, var: VarId, span: Span) {
        let Variable { name, span: other, .. } = &self.program.variables[var];
        if self.externals.conflicting.insert(name.clone()) {
            self.program.diagnostics.push(
                Diagnostic::error(span, format!("`{name}` is of another type than in another file"))
                    .with_note(*other, "declared differently here")
                    .with_help(
                        "each file is analysed with its own declaration, the object has the size of its definition",
                    ),
            );
        }
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
        let was_lost = self.file_symbol(name) == Some(Symbol::Unknown);
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
                system: false,
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
        self.program.variables[var].system |= self.program.sources.in_system(span);
        self.merge_object(var, ty, defines, span);
        if was_lost {
            self.forget_object(var);
        }
        self.scopes.declare(name, Symbol::Variable(var));
        self.scopes.stack[0].symbols.entry(name.to_owned()).or_insert(Symbol::Variable(var));
        var
    }

    /// Adds a declaration to what is known of an object.
    fn merge_object(&mut self, var: VarId, ty: TypeId, defines: bool, span: Span) {
        let types = &mut self.program.types;
        let (view, agree) = match self.views.objects.get(&var) {
            Some(earlier) => match composite(types, *earlier, ty, Records::OfOneUnit) {
                Some(both) => (both, true),
                None => (*earlier, false),
            },
            None => (ty, true),
        };
        self.views.objects.insert(var, view);
        let v = &self.program.variables[var];
        if !agree {
            let (name, other) = (v.name.clone(), v.span);
            self.conflict(&name, span, other);
        } else if composite(types, v.ty, view, Records::OfTwoUnits).is_none() {
            self.mislinked(var, span);
        }
        let types = &self.program.types;
        let size = types.size_of(view);
        let v = &mut self.program.variables[var];
        if defines && !v.defined {
            v.defined = true;
            v.span = span;
            // What other units believe of its size does not count any more.
            v.size = 0;
            self.views.defined.insert(var);
        }
        if self.views.defined.contains(&var) || (!v.defined && types.size_of(v.ty).is_none()) {
            v.ty = view;
            v.size = v.size.max(size.unwrap_or(0));
        }
    }

    /// Makes an object's content unknown: a declaration of it was not understood.
    pub(super) fn forget_object(&mut self, var: VarId) {
        self.views.defined.remove(&var);
        let v = &mut self.program.variables[var];
        v.defined = false;
        v.init.clear();
    }

    /// Whether an initializer of the object counts: that of another unit came first otherwise, which no linker allows.
    pub(super) fn may_initialize(&mut self, var: VarId, span: Span) -> bool {
        if self.externals.initialized.insert(var) {
            return true;
        }
        let v = &self.program.variables[var];
        self.program.diagnostics.push(
            Diagnostic::error(span, format!("`{}` is defined twice", v.name))
                .with_note(v.span, "first defined here")
                .with_help("the first definition is used"),
        );
        false
    }

    /// The type that an object's initializer has given it.
    pub(super) fn set_object_type(&mut self, var: VarId, ty: TypeId) {
        self.program.variables[var].ty = ty;
        if let Some(view) = self.views.objects.get_mut(&var) {
            *view = ty;
        }
    }

    /// Ends a unit: an array that it defines without a length has one element (6.9.2p5).
    pub(super) fn complete_arrays(&mut self) {
        for &var in &self.views.defined {
            let v = &mut self.program.variables[var];
            if let Type::Array(elem, None) = *self.program.types.get(v.ty) {
                v.ty = self.program.types.array(elem, Some(1));
                v.size = v.size.max(self.program.types.size_of(v.ty).unwrap_or(0));
            }
        }
    }
}

/// Ends linking: sizes of `extern` objects are settled.
pub(super) fn complete_objects(p: &mut Program) {
    for v in p.variables.iter_mut() {
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
