//! What a unit has for other units, and what it wants of them: enough to say which units make a program.

use super::function::{declarator_name, defined_name};
use super::weak::definitions;
use crate::frontend::parse::{ParsedUnit, with_deep_stack};
use lang_c::ast::{self, ExternalDeclaration};
use lang_c::span::Span;
use lang_c::visit::{self, Visit};
use std::collections::BTreeSet;

/// The names of external linkage that a unit has to do with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitNames {
    /// What it defines.
    pub defines: BTreeSet<String>,
    /// What its functions and initializers name and it does not define itself: more than it needs where a variable of a block
    /// has the name of something elsewhere.
    pub wants: BTreeSet<String>,
}

/// What `unit` defines and wants. Of a declaration that could not be parsed, only what it defines is known.
pub fn unit_names(unit: &ParsedUnit) -> UnitNames {
    let mut defines: BTreeSet<String> = definitions(unit).map(str::to_owned).collect();
    let lost = unit.left_out.iter().filter(|lost| lost.is_definition);
    defines.extend(lost.flat_map(|lost| lost.names.iter().cloned()));
    let mut named = Named::default();
    // Trees may be deep.
    with_deep_stack(|| {
        unit.declarations.iter().for_each(|d| named.visit_external_declaration(&d.node.node, &d.node.span))
    });
    let Named { mut wants, own } = named;
    wants.retain(|name| !defines.contains(name) && !own.contains(name));
    UnitNames { defines, wants }
}

/// Which of the `names` the units declare without a definition, and use.
pub(super) fn used_of_library(units: &[ParsedUnit], names: &[&'static str]) -> BTreeSet<&'static str> {
    let declared = |unit: &ParsedUnit| {
        unit.declarations.iter().any(|d| match &d.node.node {
            ExternalDeclaration::Declaration(d) => d.node.declarators.iter().any(|d| {
                let declared = declarator_name(&d.node.declarator.node);
                declared.is_some_and(|declared| names.contains(&declared))
            }),
            _ => false,
        })
    };
    let mut used = BTreeSet::new();
    for unit in units.iter().filter(|unit| declared(unit)) {
        let wants = unit_names(unit).wants;
        used.extend(names.iter().filter(|name| wants.contains(**name)));
    }
    used
}

/// The names that expressions use, and those of the unit's own functions.
#[derive(Default)]
struct Named {
    wants: BTreeSet<String>,
    own: BTreeSet<String>,
}

impl<'ast> Visit<'ast> for Named {
    fn visit_external_declaration(&mut self, declaration: &'ast ExternalDeclaration, span: &'ast Span) {
        if let ExternalDeclaration::FunctionDefinition(f) = declaration
            && defined_name(&f.node).is_none()
        {
            self.own.extend(declarator_name(&f.node.declarator.node).map(str::to_owned));
        }
        visit::visit_external_declaration(self, declaration, span);
    }

    fn visit_expression(&mut self, expression: &'ast ast::Expression, span: &'ast Span) {
        if let ast::Expression::Identifier(name) = expression {
            self.wants.insert(name.node.name.clone());
        }
        visit::visit_expression(self, expression, span);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::SourceMap;
    use crate::frontend::parse::parse_units;
    use crate::frontend::preprocess::PreprocessedUnit;

    fn names(text: &str) -> (Vec<String>, Vec<String>) {
        let unit = PreprocessedUnit { file: "a.c".into(), text: text.into(), diagnostics: Vec::new() };
        let parsed = parse_units(&[unit], 1, &mut SourceMap::default());
        let UnitNames { defines, wants } = unit_names(&parsed[0]);
        (defines.into_iter().collect(), wants.into_iter().collect())
    }

    #[test]
    fn definitions_are_told_from_declarations_and_uses() {
        let text = "int f(int); extern int e; static int s; int g = 3; struct t { int member; } *q;\n\
                    static int own(void) { return s; }\n\
                    int h(struct t *p) { return f(e) + p->member + own() + g; }\n";
        let (defines, wants) = names(text);
        assert_eq!(defines, ["g", "h", "q"]);
        assert!(wants.contains(&"f".to_owned()) && wants.contains(&"e".to_owned()), "{wants:?}");
        assert!(!wants.iter().any(|name| name == "member" || name == "own" || name == "g"), "{wants:?}");
    }

    #[test]
    fn tables_of_functions_want_them_and_prototypes_want_nothing() {
        let (_, wants) = names("int one(void); int two(void); int (*table[])(void) = { one };\n");
        assert_eq!(wants, ["one"]);
    }
}
