//! Declarations in blocks and at file scope (C11 6.7, 6.9).

use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::fold;
use super::hooks::Cleanup;
use super::init::Flattened;
use super::link::{External, Object};
use super::scope::Symbol;
use super::types::{Declared, Qualified, Specifiers};
use crate::base::Span;
use crate::ir::{
    AccessMode, AllocKind, ConstantBytes, Expr, ExprKind, Linkage, Place, StmtKind, Storage, Type, TypeId, VarId,
    Variable,
};
use lang_c::ast;
use lang_c::span::Node;

impl Lowerer<'_> {
    /// A declaration at file scope.
    pub(super) fn file_declaration(&mut self, d: &Node<ast::Declaration>) -> Lowered<()> {
        let span = self.span(d.span);
        let specifiers = self.declaration_specifiers(&d.node.specifiers, span)?;
        for declarator in &d.node.declarators {
            self.file_declarator(&specifiers, declarator)?;
        }
        Ok(())
    }

    fn file_declarator(&mut self, specifiers: &Specifiers, d: &Node<ast::InitDeclarator>) -> Lowered<()> {
        let span = self.span(d.node.declarator.span);
        let declared = self.declarator(specifiers.base, &d.node.declarator)?;
        let Some(name) = declared.name.clone() else {
            return LowerError::invalid(span, "a declaration without a name");
        };
        let storage = specifiers.storage.as_ref();
        if matches!(storage, Some(ast::StorageClassSpecifier::Typedef)) {
            let align = declared.attributes.align.max(specifiers.align).or(declared.align);
            self.scopes.declare(&name, Symbol::Typedef(Qualified { align, ..declared.qualified() }));
            return Ok(());
        }
        let linkage = if matches!(storage, Some(ast::StorageClassSpecifier::Static)) {
            Linkage::Internal
        } else {
            Linkage::External
        };
        if let Type::Function(_) = self.program.types.get(declared.ty) {
            let f = self.declare_function(&name, declared.ty, linkage, span);
            self.function_spellings.insert(f, declared.spelling);
            let attributes = declared.attributes;
            self.program.functions[f].noreturn |= specifiers.noreturn || attributes.noreturn;
            self.note_hooks(f, specifiers.hooks.or(attributes.hooks));
            let link = attributes.link_name.or_else(|| specifiers.link_name.clone());
            self.note_link_name(&name, External::Function(f), link, span);
            return Ok(());
        }
        let is_extern = matches!(storage, Some(ast::StorageClassSpecifier::Extern));
        let overridden = linkage == Linkage::External && self.overridden.contains(&name);
        let defines = !overridden && (!is_extern || d.node.initializer.is_some());
        let constant = self.constant_bytes(declared.qualified(), span)?;
        let object = Object { name: &name, ty: declared.ty, constant, linkage, defines };
        if self.is_model && linkage == Linkage::External && self.name_defined(&name) {
            return Ok(());
        }
        // The name is in scope in its own initializer.
        let var = self.declare_object(object, span);
        self.note_name(var, specifiers, &declared);
        let link = declared.attributes.link_name.or_else(|| specifiers.link_name.clone());
        self.note_link_name(&name, External::Variable(var), link, span);
        match &d.node.initializer {
            // An earlier declaration may have given the array its length.
            Some(initializer) if !overridden && self.may_initialize(var, span) => {
                self.initialize_static(var, self.type_of_variable(var), initializer)
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Keeps what a declaration says of a variable beyond its type.
    fn note_name(&mut self, var: VarId, specifiers: &Specifiers, declared: &Declared) {
        self.spellings.insert(var, declared.spelling);
        let align = specifiers.align.max(declared.attributes.align);
        let align = align.max(declared.align.or_else(|| align.map(|_| self.program.types.align_of(declared.ty))));
        if let Some(align) = align {
            self.alignments.insert(var, align);
        }
    }

    /// What is constant of an object of the type.
    pub(super) fn constant_bytes(&self, of: Qualified, span: Span) -> Lowered<ConstantBytes> {
        if of.is_const {
            return Ok(ConstantBytes::All);
        }
        let bytes = self.program.types.constant_bytes(of.ty);
        bytes.or_else(|_| LowerError::unsupported(span, "an object with very many constant members"))
    }

    /// Gives the object its initial content; one whose initializer cannot be understood holds nobody knows what.
    fn initialize_static(&mut self, var: VarId, ty: TypeId, init: &Node<ast::Initializer>) -> Lowered<()> {
        let result = self.set_static(var, ty, init);
        if result.is_err() {
            let v = &mut self.program.variables[var];
            v.defined = false;
            v.init.clear();
        }
        result
    }

    fn set_static(&mut self, var: VarId, ty: TypeId, init: &Node<ast::Initializer>) -> Lowered<()> {
        let (ty, content, extent) = self.without_body(|s| {
            let Flattened { parts, length } = s.flatten(ty, init)?;
            let ty = s.completed(ty, length);
            // The type counts in the initializer too: `sizeof` of an array that it completes.
            s.set_object_type(var, ty);
            let content = s.static_content(parts)?;
            let types = &s.program.types;
            // Only a flexible array member reaches beyond the type.
            let whole = content.iter().filter(|i| i.bits.is_none());
            let extent = whole.map(|i| i.offset + types.size_of(i.ty).unwrap_or(0)).max().unwrap_or(0);
            Ok((ty, content, extent))
        })?;
        let size = self.program.types.size_of(ty).unwrap_or(0).max(extent);
        self.set_object_type(var, ty);
        let v = &mut self.program.variables[var];
        v.size = size;
        v.defined = true;
        v.init = content;
        Ok(())
    }

    /// A declaration in a block.
    pub(super) fn block_declaration(&mut self, d: &Node<ast::Declaration>) -> Lowered<()> {
        let span = self.span(d.span);
        if d.node.declarators.is_empty()
            && let [specifier] = &d.node.specifiers[..]
            && let ast::DeclarationSpecifier::TypeSpecifier(ty) = &specifier.node
            && let ast::TypeSpecifier::Struct(record) = &ty.node
        {
            self.declare_tag(record);
        }
        let specifiers = self.declaration_specifiers(&d.node.specifiers, span)?;
        for declarator in &d.node.declarators {
            let is_static = matches!(specifiers.storage, Some(ast::StorageClassSpecifier::Static));
            match specifiers.storage {
                Some(ast::StorageClassSpecifier::Typedef | ast::StorageClassSpecifier::Extern) => {
                    self.file_declarator(&specifiers, declarator)?;
                }
                _ => self.local_declarator(&specifiers, declarator, is_static)?,
            }
        }
        Ok(())
    }

    fn local_declarator(
        &mut self,
        specifiers: &Specifiers,
        d: &Node<ast::InitDeclarator>,
        is_static: bool,
    ) -> Lowered<()> {
        let span = self.span(d.node.declarator.span);
        let declared = self.declarator(specifiers.base, &d.node.declarator)?;
        let Some(name) = declared.name.clone() else {
            return LowerError::invalid(span, "a declaration without a name");
        };
        match *self.program.types.get(declared.ty) {
            Type::Function(_) => {
                let f = self.declare_function(&name, declared.ty, Linkage::External, span);
                self.function_spellings.insert(f, declared.spelling);
                let link = declared.attributes.link_name.or_else(|| specifiers.link_name.clone());
                self.note_link_name(&name, External::Function(f), link, span);
                return Ok(());
            }
            Type::Vla(elem, _) => return self.declare_vla(&name, declared.ty, elem, span),
            _ => {}
        }
        let cleanup = specifiers.hooks.or(declared.attributes.hooks).cleanup;
        let constant = self.constant_bytes(declared.qualified(), span)?;
        if is_static {
            self.declare_static_local(name.clone(), declared.ty, constant, d, span)?;
        } else {
            self.declare_automatic(name.clone(), declared.ty, constant, d, span)?;
        }
        let link = declared.attributes.link_name.clone().or_else(|| specifiers.link_name.clone());
        if let Some(Symbol::Variable(v)) = self.scopes.lookup(&name) {
            self.note_name(v, specifiers, &declared);
            if is_static {
                self.note_link_name(&name, External::Variable(v), link, span);
                return Ok(());
            }
        }
        if let (Some(function), Some(Symbol::Variable(variable))) = (cleanup, self.scopes.lookup(&name)) {
            self.scopes.innermost().cleanups.push(Cleanup { variable, function });
        }
        Ok(())
    }

    fn declare_static_local(
        &mut self,
        name: String,
        ty: TypeId,
        constant: ConstantBytes,
        d: &Node<ast::InitDeclarator>,
        span: Span,
    ) -> Lowered<()> {
        let function = self.function();
        let size = self.program.types.size_of(ty).unwrap_or(0);
        let var = self.program.variables.push(Variable {
            name: name.clone(),
            ty,
            storage: Storage::Static(function),
            span,
            size,
            constant,
            defined: true,
            system: false,
            init: Vec::new(),
            address_taken: false,
        });
        self.scopes.declare(&name, Symbol::Variable(var));
        match &d.node.initializer {
            Some(init) => self.initialize_static(var, ty, init),
            None => self.size_of(ty, span).map(|_| ()),
        }
    }

    fn declare_automatic(
        &mut self,
        name: String,
        ty: TypeId,
        constant: ConstantBytes,
        d: &Node<ast::InitDeclarator>,
        span: Span,
    ) -> Lowered<()> {
        let braced = matches!(d.node.initializer.as_ref().map(|i| &i.node), Some(ast::Initializer::List(_)));
        let incomplete = self.program.types.size_of(ty).is_none();
        // The type of `T a[] = {...}` comes from the initializer, which may name `a` only in `sizeof`.
        let early = match &d.node.initializer {
            Some(init) if incomplete => Some(self.flatten(ty, init)?),
            _ => None,
        };
        let ty = early.as_ref().map_or(ty, |f| self.completed(ty, f.length));
        let var = self.declare_live(name.clone(), ty, span)?;
        self.program.variables[var].constant = constant;
        match (&d.node.initializer, early) {
            (None, _) => self.leave_unwritten(name, var, ty, span),
            (Some(_), Some(f)) => self.initialize_local(var, f.parts, braced, span),
            (Some(init), None) => {
                if self.initialize_by_copy(var, ty, init)? {
                    return Ok(());
                }
                let f = self.flatten(ty, init)?;
                self.initialize_local(var, f.parts, braced, span)
            }
        }
    }

    /// `T x = *p;` with `*p` a scalar of that type copies an object through a pointer, which is no use of its value yet:
    /// the reads of `x` are judged instead. False, and nothing done, for other initializers.
    fn initialize_by_copy(&mut self, var: VarId, ty: TypeId, init: &Node<ast::Initializer>) -> Lowered<bool> {
        let ast::Initializer::Expression(e) = &init.node else { return Ok(false) };
        let ast::Expression::UnaryOperator(u) = &e.node else { return Ok(false) };
        if !matches!(u.node.operator.node, ast::UnaryOperator::Indirection) || !self.program.types.is_scalar(ty) {
            return Ok(false);
        }
        if self.program.types.size_of(ty) == Some(1) {
            // Characters read through pointers are not judged at all.
            return Ok(false);
        }
        let span = self.span(e.span);
        let source = self.lvalue(e)?;
        let value = if source.ty == ty {
            self.uninitialized.insert(var);
            Expr::load(self.checked(source.place, &source.subject, AccessMode::Read, span)?)
        } else {
            let value = self.load(source, span)?;
            let value = self.convert_assigned(value, ty, span)?;
            fold::cast(&self.program.types, value, ty)
        };
        self.emit(StmtKind::Assign { place: Place::var(var, ty), value }, span)?;
        Ok(true)
    }

    fn declare_live(&mut self, name: String, ty: TypeId, span: Span) -> Lowered<VarId> {
        let var = self.local(name.clone(), ty, Storage::Local, span)?;
        self.scopes.declare(&name, Symbol::Variable(var));
        self.scopes.innermost().locals.push(var);
        self.emit(StmtKind::StorageLive(var), span)?;
        Ok(var)
    }

    /// An automatic variable without an initializer.
    pub(super) fn declare_uninitialized(&mut self, name: String, ty: TypeId, span: Span) -> Lowered<()> {
        let var = self.declare_live(name.clone(), ty, span)?;
        self.leave_unwritten(name, var, ty, span)
    }

    /// Nothing initializes the variable.
    fn leave_unwritten(&mut self, name: String, var: VarId, ty: TypeId, span: Span) -> Lowered<()> {
        if self.options.unwritten_inputs {
            return self.input_variable(name, var, ty, span);
        }
        self.uninitialized.insert(var);
        Ok(())
    }

    /// The variable's bytes are inputs.
    fn input_variable(&mut self, name: String, var: VarId, ty: TypeId, span: Span) -> Lowered<()> {
        let types = &self.program.types;
        let input = |l: &mut Self| l.input(format!("initial {name}"), span);
        if types.as_int(ty).is_some() || matches!(types.get(ty), Type::Float(_)) {
            let input = input(self);
            return self.emit(StmtKind::Input { input, dest: Place::var(var, ty), range: None }, span);
        }
        if types.is_scalar(ty) {
            // Numbers are no good pointers.
            self.uninitialized.insert(var);
            return Ok(());
        }
        let len = self.size_const(self.size_of(ty, span)?);
        let pointer = self.program.types.pointer(ty);
        let (input, ptr) = (input(self), Expr { kind: ExprKind::AddrOf(var, 0), ty: pointer });
        self.emit(StmtKind::InputBytes { input, ptr, len }, span)
    }

    /// `T a[n]`: memory from the stack behind a pointer.
    fn declare_vla(&mut self, name: &str, ty: TypeId, elem: TypeId, span: Span) -> Lowered<()> {
        let pointer = self.program.types.pointer(elem);
        let var = self.local(name.to_owned(), pointer, Storage::Temp, span)?;
        let size = self.size_expr(ty, span)?;
        let alloc = self.alloc_site(format!("{name}[]"), AllocKind::Stack, span);
        let dest = Place::var(var, pointer);
        self.emit(StmtKind::Alloc { alloc, dest, size, zeroed: false, fails: None }, span)?;
        self.scopes.declare(name, Symbol::Vla(var, ty));
        Ok(())
    }

    /// Static assertions are the compiler's business; one that fails is worth a word.
    pub(super) fn static_assert(&mut self, a: &Node<ast::StaticAssert>) {
        if let Ok(0) = self.constant_int(&a.node.expression) {
            let span = self.span(a.span);
            self.warn(span, "a static assertion fails under this data model");
        }
    }
}
