//! Names for the linker: attributes and labels by which two names stand for one object or function (`alias`, `weakref`,
//! `__asm__("name")`), and functions that a resolver picks (`ifunc`).
//!
//! See: GCC manual, "Common Function Attributes", "Controlling Names Used in Assembler Code".

use super::body::Body;
use super::context::Lowerer;
use super::error::Lowered;
use super::library_body::addressed_functions;
use super::link::External;
use super::scope::Symbol;
use super::visit::{self, Part};
use crate::base::Span;
use crate::ir::{Callee, Expr, ExprKind, FuncId, Place, PlaceBase, StaticValue, Storage, VarId};
use lang_c::ast;

/// How a declaration names what it declares for the linker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkName {
    /// Another name of what the file declares by this one; `attribute((alias(..)))`.
    Alias(String),
    /// The linker's own name of what is declared; labels and `attribute((weakref(..)))`.
    Label(String),
    /// Some function that this one chooses when the program starts.
    Chosen,
}

impl LinkName {
    /// What the text in an attribute's first argument names.
    pub(super) fn text(a: &ast::Attribute) -> Option<String> {
        match &a.arguments.first()?.node {
            ast::Expression::Identifier(i) => Some(i.node.name.clone()),
            ast::Expression::StringLiteral(s) => Some(joined(&s.node)),
            _ => None,
        }
    }

    pub(super) fn of_label(label: &ast::StringLiteral) -> LinkName {
        LinkName::Label(joined(label))
    }
}

fn joined(literal: &ast::StringLiteral) -> String {
    literal.iter().map(|part| part.trim_matches('"')).collect()
}

/// An object or function with such a name; `target` once it is known.
#[derive(Debug)]
pub(super) struct Renamed {
    what: External,
    name: LinkName,
    target: Option<External>,
    span: Span,
}

impl Lowerer<'_> {
    /// Keeps the linker's name of a function or object that the file declares as `name`.
    pub(super) fn note_link_name(&mut self, name: &str, what: External, link: Option<LinkName>, span: Span) {
        match link {
            Some(LinkName::Label(label)) if label == name => {}
            Some(link) => self.around.renamed.push(Renamed { what, name: link, target: None, span }),
            None => {}
        }
    }

    /// Ends a file: its own names come before those of other files.
    pub(super) fn settle_link_names(&mut self) {
        let mut renamed = std::mem::take(&mut self.around.renamed);
        for one in renamed.iter_mut().filter(|one| one.target.is_none()) {
            let (LinkName::Alias(name) | LinkName::Label(name)) = &one.name else { continue };
            one.target = match self.scopes.lookup(name) {
                Some(Symbol::Variable(v)) => Some(External::Variable(v)),
                Some(Symbol::Function(f)) => Some(External::Function(f)),
                _ => None,
            };
        }
        self.around.renamed = renamed;
    }

    /// Makes one of what has two names; to be called when all files are lowered.
    pub(super) fn join_names(&mut self) -> Lowered<()> {
        for Renamed { what, name, target, span } in std::mem::take(&mut self.around.renamed) {
            let is_alias = matches!(name, LinkName::Alias(_));
            let target = target.or_else(|| match &name {
                LinkName::Alias(name) | LinkName::Label(name) => self.external(name),
                LinkName::Chosen => None,
            });
            match (what, target) {
                (External::Variable(v), Some(External::Variable(target))) if v != target => {
                    self.join_objects(v, target, span);
                }
                (External::Function(f), Some(External::Function(target))) if f != target => {
                    self.join_functions(f, target, is_alias)?;
                }
                (External::Function(f), None) if name == LinkName::Chosen => self.leave_unknown(f, "indirect function"),
                (External::Function(f), _) if is_alias => self.leave_unknown(f, "alias of what is not known"),
                (External::Variable(_), _) if is_alias => self.note_unsupported("alias of what is not known", span),
                _ => {}
            }
        }
        Ok(())
    }

    fn leave_unknown(&mut self, f: FuncId, reason: &str) {
        let function = &mut self.program.functions[f];
        if !function.has_body() {
            function.failed.get_or_insert_with(|| reason.to_owned());
            let span = function.span;
            self.note_unsupported(reason, span);
        }
    }

    /// Puts the one that is defined in the place of the other.
    fn join_objects(&mut self, a: VarId, b: VarId, span: Span) {
        let (gone, stays) = match (self.program.variables[a].defined, self.program.variables[b].defined) {
            (true, true) => return self.note_unsupported("one name of two objects", span),
            (true, false) => (b, a),
            (false, _) => (a, b),
        };
        self.program.variables[stays].address_taken |= self.program.variables[gone].address_taken;
        let mut rename = |part: Part<'_>| match part {
            Part::Place(Place { base: PlaceBase::Var(v), .. }) if *v == gone => *v = stays,
            Part::Expr(Expr { kind: ExprKind::AddrOf(v, _), .. }) if *v == gone => *v = stays,
            _ => {}
        };
        for function in self.program.functions.iter_mut() {
            for block in function.blocks.iter_mut() {
                visit::parts_mut(block, &mut rename);
            }
        }
        for initializer in self.program.variables.iter_mut().flat_map(|v| &mut v.init) {
            match &mut initializer.value {
                StaticValue::AddrOf(v, _) if *v == gone => *v = stays,
                _ => {}
            }
        }
    }

    /// Lets the one without a body call the other.
    fn join_functions(&mut self, f: FuncId, target: FuncId, is_alias: bool) -> Lowered<()> {
        let has_body = |f: FuncId| self.program.functions[f].has_body();
        match (has_body(f), has_body(target)) {
            (false, true) => self.give_calling_body(f, target),
            // A strong definition elsewhere has replaced the alias; what has a label is the other's definition.
            (true, false) if !is_alias => self.give_calling_body(target, f),
            (false, false) if is_alias => {
                self.leave_unknown(f, "alias of a function without a body");
                Ok(())
            }
            (false, false) => {
                let library = crate::frontend::models::is_modelled;
                let (own, other) = (&self.program.functions[f].name, &self.program.functions[target].name);
                if library(other) && !library(own) && addressed_functions(&mut self.program).contains(&f) {
                    self.leave_unknown(f, "another name of a library function");
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Gives `caller` a body that calls `target` with its own parameters.
    fn give_calling_body(&mut self, caller: FuncId, target: FuncId) -> Lowered<()> {
        let span = self.program.functions[caller].span;
        let ty = self.fn_type(self.program.functions[caller].ty).filter(|t| t.prototyped && !t.variadic);
        let Some(ty) = ty else {
            self.leave_unknown(caller, "another name of a function with any arguments");
            return Ok(());
        };
        self.body = Some(Body::new(caller, ty.result));
        let (mut params, mut args) = (Vec::new(), Vec::new());
        for (i, param) in ty.params.iter().enumerate() {
            let v = self.local(format!("argument {}", i + 1), *param, |f| Storage::Param(f, i as u32), span)?;
            params.push(v);
            args.push(Expr::load(Place::var(v, *param)));
        }
        let value = self.emit_call(Callee::Direct(target), ty.result, args, span)?;
        let result = (ty.result != self.program.types.void()).then_some(value);
        self.terminate(crate::ir::Terminator::Return(result), span)?;
        self.give_body(caller, params, span)
    }
}
