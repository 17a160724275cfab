//! Parsed units, one after the other, into one linked program.

use super::context::{LowerOptions, Lowerer};
use super::error::Lowered;
use super::function::{defined_name, note_addresses};
use super::hooks::AroundMain;
use super::link::{Externals, complete_objects};
use super::scope::Scopes;
use super::unify::unify_records;
use super::withdraw::withdraw_malformed;
use crate::base::{Diagnostic, SourceMap};
use crate::frontend::parse::{ParsedDeclaration, ParsedUnit};
use crate::ir::{DataModel, Program, TypeTable};
use lang_c::ast::ExternalDeclaration;
use rustc_hash::{FxHashMap, FxHashSet};

/// Lowers and links `units`. What cannot be lowered is in the program's diagnostics, its functions' `failed` and its
/// `unsupported` table.
pub fn lower(units: &[ParsedUnit], model: DataModel, sources: SourceMap, options: LowerOptions) -> Program {
    let mut defined = FxHashSet::default();
    for unit in units {
        for d in &unit.declarations {
            if let ExternalDeclaration::FunctionDefinition(f) = &d.node.node {
                defined.extend(defined_name(&f.node).map(str::to_owned));
            }
        }
    }
    let mut program = Program::new(TypeTable::new(model), sources);
    let mut externals = Externals::default();
    let mut literals = FxHashMap::default();
    let mut around = AroundMain::default();
    let mut anonymous = 0;
    for (number, unit) in units.iter().enumerate() {
        program.diagnostics.extend(unit.diagnostics.iter().cloned());
        let mut lowerer = Lowerer {
            program,
            options,
            externals,
            defined: std::mem::take(&mut defined),
            unit,
            declaration: None,
            scopes: Scopes::default(),
            body: None,
            enclosing: None,
            uninitialized: FxHashSet::default(),
            vla_sizes: FxHashMap::default(),
            literals,
            around,
            anonymous,
            discarding: 0,
        };
        lowerer.lower_unit();
        if number + 1 == units.len() {
            if let Err(error) = lowerer.weave_hooks() {
                lowerer.body = None;
                lowerer.note_unsupported("functions around main", error.span());
            }
            lowerer.make_library_bodies();
        }
        (program, externals, literals, around, anonymous) =
            (lowerer.program, lowerer.externals, lowerer.literals, lowerer.around, lowerer.anonymous);
        defined = lowerer.defined;
    }
    complete_objects(&mut program);
    if units.len() > 1 {
        unify_records(&mut program);
    }
    note_addresses(&mut program);
    withdraw_malformed(&mut program);
    program
}

impl<'a> Lowerer<'a> {
    fn lower_unit(&mut self) {
        self.scopes.enter();
        let unit: &'a ParsedUnit = self.unit;
        for declaration in &unit.declarations {
            self.declaration = Some(declaration);
            if let Err(error) = self.external_declaration(declaration) {
                self.body = None;
                self.enclosing = None;
                self.scopes.stack.truncate(1);
                if let super::LowerError::Unsupported { construct, span } = &error {
                    self.note_unsupported(construct, *span);
                }
                self.program.diagnostics.push(
                    Diagnostic::warning(error.span(), format!("declaration skipped: {error}"))
                        .with_help("what uses it is not analysed"),
                );
            }
        }
        self.declaration = None;
        self.scopes.leave();
    }

    fn external_declaration(&mut self, d: &ParsedDeclaration) -> Lowered<()> {
        match &d.node.node {
            ExternalDeclaration::Declaration(decl) => self.file_declaration(decl),
            ExternalDeclaration::StaticAssert(a) => {
                self.static_assert(a);
                Ok(())
            }
            ExternalDeclaration::FunctionDefinition(f) => self.function_definition(f, d.failed_body.as_deref()),
        }
    }
}
