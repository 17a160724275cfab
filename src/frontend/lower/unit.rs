//! Parsed units, one after the other, into one linked program.

use super::context::{LowerOptions, Lowerer};
use super::error::Lowered;
use super::function::{declarator_name, defined_name, note_addresses};
use super::hooks::AroundMain;
use super::library_body::addressed_functions;
use super::link::{Externals, Views, complete_objects};
use super::mismatch::withdraw_mismatched;
use super::needs::used_of_library;
use super::scope::{Scopes, Symbol};
use super::unify::unify_records;
use super::weak::{absent_names, strong_names, weak_names};
use super::withdraw::withdraw_malformed;
use crate::base::{Diagnostic, SourceMap, Span};
use crate::frontend::left_out::LeftOut;
use crate::frontend::models::{TEXTS, Text, USES_MATTER, open_standard_streams, settle_contracts};
use crate::frontend::parse::{ParsedDeclaration, ParsedUnit, parse_units};
use crate::frontend::preprocess::PreprocessedUnit;
use crate::ir::{DataModel, FnType, FuncId, Function, Linkage, Program, Type, TypeId, TypeTable, VarId};
use lang_c::ast::{self, ExternalDeclaration};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What the units of a program share.
struct Linking {
    program: Program,
    externals: Externals,
    defined: FxHashSet<String>,
    strong: FxHashSet<String>,
    absent: FxHashSet<String>,
    names: FxHashMap<FuncId, VarId>,
    kept: FxHashMap<(String, TypeId), VarId>,
    around: AroundMain,
    anonymous: u32,
    options: LowerOptions,
}

/// Lowers and links `units`. What cannot be lowered is in the program's diagnostics, its functions' `failed` and its
/// `unsupported` table.
pub fn lower(units: &[ParsedUnit], model: DataModel, sources: SourceMap, options: LowerOptions) -> Program {
    let mut program = Program::new(TypeTable::new(model), sources);
    program.contracts = Arc::clone(&options.contracts);
    let used = used_of_library(units, USES_MATTER);
    let mut linking = Linking {
        program,
        externals: Externals::default(),
        defined: defined_names(units),
        strong: strong_names(units),
        absent: absent_names(units),
        names: FxHashMap::default(),
        kept: FxHashMap::default(),
        around: AroundMain::new(used),
        anonymous: 0,
        options,
    };
    for unit in units {
        linking.program.diagnostics.extend(unit.diagnostics.iter().cloned());
        linking = linking.with_unit(unit, false, Lowerer::lower_unit);
    }
    let models = linking.parse_models();
    for unit in &models {
        linking = linking.lower_model(unit);
    }
    if let Some(last) = units.last() {
        linking = linking.with_unit(last, false, Lowerer::finish);
    }
    let mut program = linking.program;
    complete_objects(&mut program);
    open_standard_streams(&mut program);
    if units.len() + models.len() > 1 {
        unify_records(&mut program);
    }
    withdraw_mismatched(&mut program);
    note_addresses(&mut program);
    withdraw_malformed(&mut program);
    settle_contracts(&mut program);
    program
}

/// Whether the unit defines the `main` that a program begins with, understood or not.
pub fn defines_main(unit: &ParsedUnit) -> bool {
    let is_main = |d: &ParsedDeclaration| match &d.node.node {
        ExternalDeclaration::FunctionDefinition(f) => defined_name(&f.node) == Some("main"),
        _ => false,
    };
    let lost = |lost: &LeftOut| lost.is_definition && lost.names.iter().any(|name| name == "main");
    unit.declarations.iter().any(is_main) || unit.left_out.iter().any(lost)
}

fn defined_names(units: &[ParsedUnit]) -> FxHashSet<String> {
    let definitions = units.iter().flat_map(|unit| &unit.declarations).filter_map(|d| match &d.node.node {
        ExternalDeclaration::FunctionDefinition(f) => defined_name(&f.node),
        _ => None,
    });
    definitions.map(str::to_owned).collect()
}

impl Linking {
    fn with_unit<'a>(self, unit: &'a ParsedUnit, is_model: bool, work: impl FnOnce(&mut Lowerer<'a>)) -> Linking {
        let Linking { program, externals, defined, strong, absent, names, kept, around, anonymous, options } = self;
        let overridden =
            weak_names(unit).into_iter().filter(|name| strong.contains(*name)).map(str::to_owned).collect();
        let mut lowerer = Lowerer {
            program,
            options,
            externals,
            views: Views::default(),
            overridden,
            defined,
            absent,
            unit,
            is_model,
            declaration: None,
            scopes: Scopes::default(),
            body: None,
            enclosing: None,
            uninitialized: FxHashSet::default(),
            spellings: FxHashMap::default(),
            function_spellings: FxHashMap::default(),
            alignments: FxHashMap::default(),
            realigned: FxHashSet::default(),
            vla_sizes: FxHashMap::default(),
            names,
            kept,
            around,
            anonymous,
            in_parameters: false,
            discarding: 0,
            discarding_outside: false,
        };
        work(&mut lowerer);
        let Lowerer { program, options, externals, defined, absent, names, kept, around, anonymous, .. } = lowerer;
        Linking { program, externals, defined, strong, absent, names, kept, around, anonymous, options }
    }

    /// The C texts of the library functions that are called and that no unit defines.
    fn parse_models(&mut self) -> Vec<ParsedUnit> {
        let types = &self.program.types;
        let is_meant = |f: &Function, (name, ty): (&str, &str)| {
            let fits = types.describe(f.ty) == ty || types.describe(f.ty) == "int ()";
            f.name == name && f.linkage == Linkage::External && !f.has_body() && fits
        };
        let meant = |text: &Text| -> Vec<FuncId> {
            let functions = self.program.functions.iter_enumerated();
            let declared = functions.filter(|(_, f)| text.functions.iter().any(|named| is_meant(f, *named)));
            declared.map(|(f, _)| f).collect()
        };
        let is_undefined = |text: &&Text| text.functions.iter().all(|(name, _)| !self.defined.contains(*name));
        let open: Vec<_> = TEXTS.iter().filter(is_undefined).map(|text| (meant(text), text)).collect();
        if open.iter().all(|(functions, _)| functions.is_empty()) {
            return Vec::new();
        }
        let called = addressed_functions(&mut self.program);
        let missing = open.into_iter().filter(|(functions, _)| functions.iter().any(|f| called.contains(f)));
        let unit = |(_, text): (Vec<FuncId>, &Text)| PreprocessedUnit {
            file: text.file.to_owned(),
            text: text.text.as_bytes().to_vec(),
            diagnostics: Vec::new(),
        };
        let units: Vec<PreprocessedUnit> = missing.map(unit).collect();
        parse_units(&units, 1, &mut self.program.sources)
    }

    /// Lowers a model without what would be judged in it.
    fn lower_model(self, unit: &ParsedUnit) -> Linking {
        let sites = self.program.sites.len();
        let had_body: Vec<bool> = self.program.functions.iter().map(Function::has_body).collect();
        let mut linking = self.with_unit(unit, true, Lowerer::lower_unit);
        linking.program.sites.truncate(sites);
        for (i, function) in linking.program.functions.iter_mut().enumerate() {
            function.library |= function.has_body() && !had_body.get(i).is_some_and(|had| *had);
        }
        linking
    }
}

impl<'a> Lowerer<'a> {
    /// What is left to do when all units are lowered.
    fn finish(&mut self) {
        let joined = self.join_names();
        // `exit` that is called through a pointer runs handlers, too.
        self.make_library_bodies();
        self.weave_jumps();
        if let Err(error) = joined.and_then(|()| self.weave_hooks()) {
            self.body = None;
            self.note_unsupported("functions around main, or with several names", error.span());
        }
    }

    fn lower_unit(&mut self) {
        self.scopes.enter();
        let unit: &'a ParsedUnit = self.unit;
        let mut left_out = unit.left_out.iter().peekable();
        for (i, declaration) in unit.declarations.iter().enumerate() {
            while let Some(lost) = left_out.next_if(|lost| lost.before <= i) {
                self.leave_out(lost);
            }
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
                self.leave_out(&LeftOut {
                    before: i,
                    names: names_of(&declaration.node.node),
                    is_definition: matches!(declaration.node.node, ExternalDeclaration::FunctionDefinition(_)),
                });
            }
        }
        left_out.for_each(|lost| self.leave_out(lost));
        self.declaration = None;
        self.complete_arrays();
        self.settle_link_names();
        self.scopes.leave();
    }

    /// Makes unknown what a declaration would have declared.
    fn leave_out(&mut self, lost: &LeftOut) {
        for name in &lost.names {
            match self.scopes.lookup(name) {
                Some(Symbol::Variable(v)) => self.forget_object(v),
                Some(Symbol::Function(f)) if !self.program.functions[f].has_body() => {
                    if lost.is_definition {
                        self.program.functions[f].failed = Some("its definition was left out".into());
                    }
                }
                Some(Symbol::Function(_) | Symbol::Typedef(_) | Symbol::Constant(..)) => {}
                _ if lost.is_definition => {
                    let any =
                        FnType { result: self.int_type(), params: Vec::new(), variadic: false, prototyped: false };
                    let ty = self.program.types.intern(Type::Function(any));
                    let f = self.declare_function(name, ty, Linkage::External, Span::NONE);
                    self.program.functions[f].failed = Some("its definition was left out".into());
                    self.scopes.declare(name, Symbol::Unknown);
                }
                _ => self.scopes.declare(name, Symbol::Unknown),
            }
        }
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

/// The names that a declaration declares, but for types.
fn names_of(d: &ExternalDeclaration) -> Vec<String> {
    let name = |d: &ast::Declarator| declarator_name(d).map(str::to_owned);
    match d {
        ExternalDeclaration::Declaration(d) => {
            let is_typedef = d.node.specifiers.iter().any(|s| {
                matches!(&s.node, ast::DeclarationSpecifier::StorageClass(c)
                    if matches!(c.node, ast::StorageClassSpecifier::Typedef))
            });
            if is_typedef {
                return Vec::new();
            }
            d.node.declarators.iter().filter_map(|d| name(&d.node.declarator.node)).collect()
        }
        ExternalDeclaration::FunctionDefinition(f) => name(&f.node.declarator.node).into_iter().collect(),
        ExternalDeclaration::StaticAssert(_) => Vec::new(),
    }
}
