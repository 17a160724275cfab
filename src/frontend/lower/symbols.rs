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
use crate::ir::{
    Callee, Expr, ExprKind, FuncId, Linkage, Place, PlaceBase, Program, StaticValue, StmtKind, Storage, VarId,
};
use lang_c::ast;
use rustc_hash::FxHashMap;

/// How a declaration names what it declares for the linker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkName {
    /// Another name of what the file declares by this one; `attribute((alias(..)))`.
    Alias(String),
    /// Another name of what may be defined elsewhere; `attribute((weakref(..)))`.
    Reference(String),
    /// The linker's own name of what is declared; `__asm__("..")`.
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

    /// The other name.
    fn target(&self) -> Option<&str> {
        match self {
            LinkName::Alias(name) | LinkName::Reference(name) | LinkName::Label(name) => Some(name),
            LinkName::Chosen => None,
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
    /// The file that declares it has ended.
    settled: bool,
    span: Span,
}

/// What stands for what.
#[derive(Debug, Default)]
struct Joined {
    objects: FxHashMap<VarId, VarId>,
    functions: FxHashMap<FuncId, FuncId>,
}

impl Joined {
    fn object(&self, v: VarId) -> VarId {
        self.objects.get(&v).map_or(v, |stays| self.object(*stays))
    }

    fn function(&self, f: FuncId) -> FuncId {
        self.functions.get(&f).map_or(f, |stays| self.function(*stays))
    }

    /// Writes the names that stay everywhere.
    fn rename(&self, program: &mut Program) {
        if self.objects.is_empty() && self.functions.is_empty() {
            return;
        }
        let mut rename = |part: Part<'_>| match part {
            Part::Place(Place { base: PlaceBase::Var(v), .. }) => *v = self.object(*v),
            Part::Expr(Expr { kind: ExprKind::AddrOf(v, _), .. }) => *v = self.object(*v),
            Part::Expr(Expr { kind: ExprKind::FuncAddr(f), .. }) => *f = self.function(*f),
            _ => {}
        };
        for block in program.functions.iter_mut().flat_map(|f| f.blocks.iter_mut()) {
            visit::parts_mut(block, &mut rename);
            for stmt in &mut block.stmts {
                if let StmtKind::Call { callee: Callee::Direct(f), .. } = &mut stmt.kind {
                    *f = self.function(*f);
                }
            }
        }
        for initializer in program.variables.iter_mut().flat_map(|v| &mut v.init) {
            match &mut initializer.value {
                StaticValue::AddrOf(v, _) => *v = self.object(*v),
                StaticValue::FuncAddr(f) => *f = self.function(*f),
                _ => {}
            }
        }
    }
}

impl Lowerer<'_> {
    /// Keeps the linker's name of a function or object that the file declares as `name`.
    pub(super) fn note_link_name(&mut self, name: &str, what: External, link: Option<LinkName>, span: Span) {
        match link {
            Some(LinkName::Label(label)) if label == name => {}
            Some(link) => {
                self.around.renamed.push(Renamed { what, name: link, target: None, settled: false, span });
            }
            None => {}
        }
    }

    /// Ends a file: its own names come before those of other files. Where no declaration has the name of a label, the first that has
    /// the label stands for it.
    pub(super) fn settle_link_names(&mut self) {
        let mut renamed = std::mem::take(&mut self.around.renamed);
        let mut labels: FxHashMap<String, External> = FxHashMap::default();
        for one in renamed.iter_mut().filter(|one| !one.settled) {
            one.settled = true;
            let Some(name) = one.name.target() else { continue };
            one.target = match self.scopes.lookup(name) {
                Some(Symbol::Variable(v)) => Some(External::Variable(v)),
                Some(Symbol::Function(f)) => Some(External::Function(f)),
                _ if matches!(one.name, LinkName::Label(_)) => match labels.get(name) {
                    Some(first) => Some(*first),
                    None => {
                        labels.insert(name.to_owned(), one.what);
                        None
                    }
                },
                _ => None,
            };
        }
        self.around.renamed = renamed;
    }

    /// Makes one of what has two names; to be called when all files are lowered.
    pub(super) fn join_names(&mut self) -> Lowered<()> {
        let mut joined = Joined::default();
        let mut labels: FxHashMap<String, External> = FxHashMap::default();
        for Renamed { what, name, target, span, .. } in std::mem::take(&mut self.around.renamed) {
            let is_label = matches!(name, LinkName::Label(_));
            let target = target.or_else(|| match &name {
                LinkName::Alias(name) | LinkName::Reference(name) => self.external(name),
                LinkName::Label(name) if self.is_external(what) => {
                    let first = || *labels.entry(name.clone()).or_insert(what);
                    Some(self.external(name).unwrap_or_else(first))
                }
                LinkName::Label(_) | LinkName::Chosen => None,
            });
            match (what, target) {
                (External::Variable(v), Some(External::Variable(target))) => {
                    self.join_objects(&mut joined, (v, target), is_label, span);
                }
                (External::Function(f), Some(External::Function(target))) => {
                    self.join_functions(&mut joined, (f, target), &name)?;
                }
                (External::Function(f), None) if name == LinkName::Chosen => self.leave_unknown(f, "indirect function"),
                (External::Function(f), _) if matches!(name, LinkName::Alias(_)) => {
                    self.leave_unknown(f, "alias of what is not known");
                }
                (External::Variable(v), _) if !is_label => {
                    self.forget_object(v);
                    self.note_unsupported("another name of what is not known", span);
                }
                _ => {}
            }
        }
        joined.rename(&mut self.program);
        Ok(())
    }

    /// Whether other files reach it.
    fn is_external(&self, what: External) -> bool {
        match what {
            External::Variable(v) => self.program.variables[v].storage == Storage::Global(Linkage::External),
            External::Function(f) => self.program.functions[f].linkage == Linkage::External,
        }
    }

    fn leave_unknown(&mut self, f: FuncId, reason: &str) {
        let function = &mut self.program.functions[f];
        if !function.has_body() {
            function.failed.get_or_insert_with(|| reason.to_owned());
            let span = function.span;
            self.note_unsupported(reason, span);
        }
    }

    /// Puts the one that is defined in the place of the other; an alias has no place of its own.
    fn join_objects(&mut self, joined: &mut Joined, (a, b): (VarId, VarId), is_label: bool, span: Span) {
        let (a, b) = (joined.object(a), joined.object(b));
        if a == b {
            return;
        }
        let variables = &mut self.program.variables;
        let (gone, stays) = match (variables[a].defined, variables[b].defined) {
            (true, true) if is_label => return self.note_unsupported("one name of two objects", span),
            (true, false) if is_label => (b, a),
            _ => (a, b),
        };
        variables[stays].address_taken |= variables[gone].address_taken;
        if variables[gone].storage == Storage::Global(Linkage::External) {
            // Other files reach it by that name.
            variables[stays].storage = Storage::Global(Linkage::External);
        }
        joined.objects.insert(gone, stays);
    }

    /// Lets the one without a body call the other, and makes one address of both where their types are one.
    fn join_functions(&mut self, joined: &mut Joined, (f, target): (FuncId, FuncId), name: &LinkName) -> Lowered<()> {
        let (f, target) = (joined.function(f), joined.function(target));
        if f == target {
            return Ok(());
        }
        let is_label = matches!(name, LinkName::Label(_));
        let has_body = |f: FuncId| self.program.functions[f].has_body();
        let (gone, stays) = match (has_body(f), has_body(target)) {
            (false, true) => (f, target),
            // A strong definition elsewhere has replaced the alias; what has a label is the other's definition.
            (true, false) if is_label => (target, f),
            (false, false) if matches!(name, LinkName::Reference(_)) => (f, target),
            (false, false) if is_label => {
                let library =
                    |name: &str| crate::frontend::models::is_modelled(name) || self.users_contract(name).is_some();
                let (own, other) = (&self.program.functions[f].name, &self.program.functions[target].name);
                if library(other) && !library(own) && addressed_functions(&mut self.program).contains(&f) {
                    self.leave_unknown(f, "another name of a library function");
                }
                return Ok(());
            }
            (false, false) => {
                self.leave_unknown(f, "alias of a function without a body");
                return Ok(());
            }
            _ => return Ok(()),
        };
        if self.program.functions[stays].has_body() {
            // Executions may begin in it, and those whose types differ are no one function.
            self.give_calling_body(gone, stays)?;
        }
        if self.program.functions[gone].ty == self.program.functions[stays].ty {
            joined.functions.insert(gone, stays);
        }
        Ok(())
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
