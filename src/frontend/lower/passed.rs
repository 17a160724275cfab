//! Declarations that a jump passes over: into their block, behind them, so that their initializers do not run (C11 6.2.4p6).

use super::context::Lowerer;
use super::error::Lowered;
use lang_c::ast::{self, Statement};
use lang_c::span::Node;

impl Lowerer<'_> {
    /// Lowers what stands in a block.
    pub(super) fn block_items(&mut self, items: &[Node<ast::BlockItem>]) -> Lowered<()> {
        let in_switch = self.body.as_ref().is_some_and(|body| !body.switches.is_empty());
        let has_case = |item: &Node<ast::BlockItem>| statement_of(item).is_some_and(|s| enters(s, &is_case));
        let cases = if in_switch { items.iter().rposition(has_case) } else { None };
        for (i, item) in items.iter().enumerate() {
            let before = self.scopes.innermost().locals.len();
            self.block_item(item)?;
            let declared = self.scopes.innermost().locals[before..].to_vec();
            let are_passed = !declared.is_empty()
                && !self.options.unwritten_inputs
                && (cases.is_some_and(|last| i < last) || self.awaits_label(&items[i + 1..]));
            if are_passed {
                self.uninitialized.extend(declared);
            }
        }
        Ok(())
    }

    /// Whether control has come to a `goto` to a label that stands in one of these.
    fn awaits_label(&self, items: &[Node<ast::BlockItem>]) -> bool {
        let Some(body) = self.body.as_ref().filter(|body| body.awaits_labels()) else { return false };
        let is_awaited = |label: &ast::Label, _| match label {
            ast::Label::Identifier(name) => body.awaits(&name.node.name),
            _ => false,
        };
        items.iter().filter_map(statement_of).any(|s| enters(s, &is_awaited))
    }
}

fn statement_of(item: &Node<ast::BlockItem>) -> Option<&Statement> {
    match &item.node {
        ast::BlockItem::Statement(s) => Some(&s.node),
        _ => None,
    }
}

/// A `case` or `default` of a switch around the statement that is looked at.
fn is_case(label: &ast::Label, is_of_inner_switch: bool) -> bool {
    !is_of_inner_switch && !matches!(label, ast::Label::Identifier(_))
}

/// Whether a label of the statement, or of one inside it, is one that `is` wants; it is told whether a `case` would be that of a switch inside.
fn enters(s: &Statement, is: &dyn Fn(&ast::Label, bool) -> bool) -> bool {
    fn go(s: &Statement, in_switch: bool, is: &dyn Fn(&ast::Label, bool) -> bool) -> bool {
        let inside = |s: &Node<Statement>| go(&s.node, in_switch, is);
        match s {
            Statement::Labeled(l) => is(&l.node.label.node, in_switch) || inside(&l.node.statement),
            Statement::Compound(items) => items.iter().filter_map(statement_of).any(|s| go(s, in_switch, is)),
            Statement::If(i) => inside(&i.node.then_statement) || i.node.else_statement.as_deref().is_some_and(inside),
            Statement::Switch(s) => go(&s.node.statement.node, true, is),
            Statement::While(w) => inside(&w.node.statement),
            Statement::DoWhile(d) => inside(&d.node.statement),
            Statement::For(f) => inside(&f.node.statement),
            _ => false,
        }
    }
    go(s, false, is)
}
