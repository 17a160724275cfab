//! Weak definitions (GNU C): one counts only where no other unit has a definition that is not weak.

use super::context::Lowerer;
use super::function::{declarator_name, defined_name};
use super::scope::Symbol;
use crate::base::Span;
use crate::frontend::parse::ParsedUnit;
use crate::ir::{Expr, ExprKind, FuncId, TypeId, VarId};
use lang_c::ast::{self, ExternalDeclaration};
use lang_c::span::Node;
use rustc_hash::FxHashSet;

/// The names of external linkage that units define and do not call weak.
pub(super) fn strong_names(units: &[ParsedUnit]) -> FxHashSet<String> {
    let mut strong = FxHashSet::default();
    for unit in units {
        let weak = weak_names(unit);
        strong.extend(definitions(unit).filter(|name| !weak.contains(*name)).map(str::to_owned));
    }
    strong
}

/// The names that some declaration calls weak and that no unit defines: nothing may be there.
pub(super) fn absent_names(units: &[ParsedUnit]) -> FxHashSet<String> {
    let defined: FxHashSet<&str> = units.iter().flat_map(definitions).collect();
    let weak = units.iter().flat_map(weak_names);
    weak.filter(|name| !defined.contains(name)).map(str::to_owned).collect()
}

/// The names that some declaration of the unit calls weak.
pub(super) fn weak_names(unit: &ParsedUnit) -> FxHashSet<&str> {
    let mut weak = FxHashSet::default();
    for declaration in &unit.declarations {
        match &declaration.node.node {
            ExternalDeclaration::Declaration(d) => {
                let all = specifiers_say_weak(&d.node.specifiers);
                let said = d.node.declarators.iter().map(|d| &d.node.declarator.node);
                let said = said.filter(|d| all || is_weak(&d.extensions));
                weak.extend(said.filter_map(declarator_name));
            }
            ExternalDeclaration::FunctionDefinition(f) => {
                let declarator = &f.node.declarator.node;
                if specifiers_say_weak(&f.node.specifiers) || is_weak(&declarator.extensions) {
                    weak.extend(declarator_name(declarator));
                }
            }
            ExternalDeclaration::StaticAssert(_) => {}
        }
    }
    weak
}

impl Lowerer<'_> {
    /// The address that a weak name without a definition stands for: NULL, or of code or an object elsewhere.
    pub(super) fn perhaps_absent(&mut self, name: &str, pointer: TypeId, span: Span) -> Expr {
        self.unknown_content(&format!("&{name}"), pointer, span)
    }

    /// The variable that the file declares under this name.
    pub(crate) fn variable_of_file(&self, name: &str) -> Option<VarId> {
        self.scopes.of_file(name)
    }

    pub(super) fn function_address(&mut self, f: FuncId) -> Expr {
        let ty = self.type_of_function(f);
        Expr { kind: ExprKind::FuncAddr(f), ty: self.program.types.pointer(ty) }
    }

    /// The function that a call names, absent or not: it is called where it is there.
    pub(super) fn called_by_name(&mut self, callee: &Node<ast::Expression>) -> Option<Expr> {
        let ast::Expression::Identifier(i) = &callee.node else { return None };
        let Some(Symbol::Function(f)) = self.scopes.lookup(&i.node.name) else { return None };
        Some(self.function_address(f))
    }
}

/// The functions and objects of external linkage that the unit defines.
pub(super) fn definitions(unit: &ParsedUnit) -> impl Iterator<Item = &str> {
    unit.declarations.iter().flat_map(|declaration| match &declaration.node.node {
        ExternalDeclaration::FunctionDefinition(f) => defined_name(&f.node).into_iter().collect(),
        ExternalDeclaration::Declaration(d) => objects(&d.node),
        ExternalDeclaration::StaticAssert(_) => Vec::new(),
    })
}

fn objects(d: &ast::Declaration) -> Vec<&str> {
    use ast::StorageClassSpecifier::{Extern, Static, Typedef};
    let storage = |wanted: &[ast::StorageClassSpecifier]| {
        d.specifiers
            .iter()
            .any(|s| matches!(&s.node, ast::DeclarationSpecifier::StorageClass(c) if wanted.contains(&c.node)))
    };
    if storage(&[Static, Typedef]) {
        return Vec::new();
    }
    let is_extern = storage(&[Extern]);
    let is_function = |d: &ast::Declarator| {
        let function = |d: &Node<ast::DerivedDeclarator>| {
            matches!(d.node, ast::DerivedDeclarator::Function(_) | ast::DerivedDeclarator::KRFunction(_))
        };
        d.derived.iter().any(function)
    };
    let defines = |d: &&Node<ast::InitDeclarator>| {
        d.node.initializer.is_some() || !is_extern && !is_function(&d.node.declarator.node)
    };
    d.declarators.iter().filter(defines).filter_map(|d| declarator_name(&d.node.declarator.node)).collect()
}

fn specifiers_say_weak(specifiers: &[Node<ast::DeclarationSpecifier>]) -> bool {
    specifiers.iter().any(|s| matches!(&s.node, ast::DeclarationSpecifier::Extension(es) if is_weak(es)))
}

fn is_weak(extensions: &[Node<ast::Extension>]) -> bool {
    extensions
        .iter()
        .any(|e| matches!(&e.node, ast::Extension::Attribute(a) if a.name.node.trim_matches('_') == "weak"))
}
