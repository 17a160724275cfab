//! Statements as control flow (C11 6.8).

use super::body::{JumpTarget, SwitchFrame};
use super::context::Lowerer;
use super::error::{LowerError, Lowered};
use super::scope::Symbol;
use crate::base::Span;
use crate::ir::{BlockId, Case, CheckKind, Expr, ExprKind, Place, StmtKind, Terminator, TypeId};
use lang_c::ast::{self, Expression, Statement};
use lang_c::span::Node;

impl Lowerer<'_> {
    /// Lowers a statement; one that uses unsupported constructs becomes an `Unsupported` statement.
    pub(super) fn statement(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let depth = self.scopes.stack.len();
        match self.statement_inner(s) {
            Err(LowerError::Unsupported { construct, span }) => {
                while self.scopes.stack.len() > depth {
                    self.leave_scope(span)?;
                }
                self.note_unsupported(&construct, span);
                self.emit(StmtKind::Unsupported { what: construct, dest: None }, span)
            }
            other => other,
        }
    }

    fn statement_inner(&mut self, s: &Node<Statement>) -> Lowered<()> {
        let span = self.span(s.span);
        match &s.node {
            Statement::Labeled(l) => self.labeled(&l.node, span),
            Statement::Compound(items) => {
                self.scopes.enter();
                self.block_items(items)?;
                self.leave_scope(span)
            }
            Statement::Expression(None) => Ok(()),
            Statement::Expression(Some(e)) => self.value(e, false).map(|_| ()),
            Statement::If(i) => self.if_statement(&i.node, span),
            Statement::Switch(s) => self.switch(&s.node, span),
            Statement::While(w) => self.while_loop(&w.node, span),
            Statement::DoWhile(d) => self.do_while(&d.node, span),
            Statement::For(f) => self.for_loop(&f.node, span),
            Statement::Goto(label) => {
                let chain = self.scopes.chain();
                let cleanups = self.cleanups_from(1);
                self.body(span)?.goto(&label.node.name, chain, cleanups, span);
                Ok(())
            }
            Statement::Continue => match self.body(span)?.continues.last().copied() {
                Some(target) => self.jump(target, span),
                None => LowerError::invalid(span, "`continue` outside a loop"),
            },
            Statement::Break => match self.body(span)?.breaks.last().copied() {
                Some(target) => self.jump(target, span),
                None => LowerError::invalid(span, "`break` outside a loop or switch"),
            },
            Statement::Return(e) => self.return_statement(e.as_deref(), span),
            Statement::Asm(a) => match &a.node {
                // An empty template is a barrier for the compiler alone.
                ast::AsmStatement::GnuBasic(t) if is_empty_template(&t.node) => Ok(()),
                ast::AsmStatement::GnuExtended(x) if is_empty_template(&x.template.node) && x.outputs.is_empty() => {
                    Ok(())
                }
                _ => LowerError::unsupported(span, "inline assembly"),
            },
        }
    }

    pub(super) fn block_item(&mut self, item: &Node<ast::BlockItem>) -> Lowered<()> {
        match &item.node {
            ast::BlockItem::Declaration(d) => self.block_declaration(d),
            ast::BlockItem::StaticAssert(_) => Ok(()),
            ast::BlockItem::Statement(s) => self.statement(s),
        }
    }

    /// Ends the innermost scope and the lifetimes of its variables.
    pub(super) fn leave_scope(&mut self, span: Span) -> Lowered<()> {
        self.run_cleanups(&self.cleanups_from(self.scopes.stack.len() - 1), span)?;
        let scope = self.scopes.leave();
        let body = self.body(span)?;
        for v in &scope.locals {
            body.push(StmtKind::StorageDead(*v), span);
        }
        body.scope_locals.insert(scope.id, scope.locals);
        Ok(())
    }

    /// Jumps out of the scopes that are deeper than the target's.
    fn jump(&mut self, target: JumpTarget, span: Span) -> Lowered<()> {
        self.run_cleanups(&self.cleanups_from(target.depth), span)?;
        let left: Vec<_> = self.scopes.stack[target.depth..].iter().flat_map(|s| s.locals.iter().copied()).collect();
        let body = self.body(span)?;
        for v in left {
            body.push(StmtKind::StorageDead(v), span);
        }
        body.terminate(Terminator::Goto(target.block), span);
        Ok(())
    }

    fn labeled(&mut self, l: &ast::LabeledStatement, span: Span) -> Lowered<()> {
        self.label(l, span)?;
        self.statement(&l.statement)
    }

    fn label(&mut self, l: &ast::LabeledStatement, span: Span) -> Lowered<()> {
        match &l.label.node {
            ast::Label::Identifier(i) => {
                let chain = self.scopes.chain();
                let cleanups = self.cleanups_from(1);
                self.body(span)?.place_label(&i.node.name, chain, cleanups, span)?;
                if i.node.name == "ERROR" && self.is_error_label() {
                    let cond = self.int_const(0);
                    self.check_holds(CheckKind::UnreachCall, cond, "label ERROR", span)?;
                    self.terminate(Terminator::Unreachable, span)?;
                }
            }
            ast::Label::Case(e) => {
                let value = self.constant_int(e)?;
                self.case(value, value, span)?;
            }
            ast::Label::CaseRange(r) => {
                let (low, high) = (self.constant_int(&r.node.low)?, self.constant_int(&r.node.high)?);
                self.case(low, high, span)?;
            }
            ast::Label::Default => {
                let block = self.arm(span)?;
                let frame = self.switch_frame(span)?;
                if frame.default.replace(block).is_some() {
                    return LowerError::invalid(span, "two `default` labels in one switch");
                }
            }
        }
        Ok(())
    }

    fn switch_frame(&mut self, span: Span) -> Lowered<&mut SwitchFrame> {
        match self.body(span)?.switches.last_mut() {
            Some(frame) => Ok(frame),
            None => LowerError::invalid(span, "a case label outside a switch"),
        }
    }

    /// The block of a case label, which control also falls into; notes the declarations that the jump to it passes over.
    fn arm(&mut self, span: Span) -> Lowered<BlockId> {
        let depth = self.switch_frame(span)?.depth;
        let passed: Vec<_> = self.scopes.stack[depth..].iter().flat_map(|s| s.locals.iter().copied()).collect();
        let frame = self.switch_frame(span)?;
        for v in passed {
            if !frame.bypassed.contains(&v) {
                frame.bypassed.push(v);
            }
        }
        let body = self.body(span)?;
        let block = body.new_block();
        body.fall_into(block, span);
        Ok(block)
    }

    fn case(&mut self, low: i128, high: i128, span: Span) -> Lowered<()> {
        let block = self.arm(span)?;
        let ty = self.switch_frame(span)?.ty;
        let kind = self.program.types.as_int(ty).expect("a switch's value is an integer");
        let (low, high) = (self.program.types.wrap(kind, low), self.program.types.wrap(kind, high));
        let frame = self.switch_frame(span)?;
        if frame.cases.iter().any(|c| c.low <= high && low <= c.high) {
            return LowerError::invalid(span, "two case labels with one value");
        }
        if low <= high {
            frame.cases.push(Case { low, high, target: block });
        }
        Ok(())
    }

    fn switch(&mut self, s: &ast::SwitchStatement, span: Span) -> Lowered<()> {
        let value = self.rvalue(&s.expression)?;
        let value = self.promote(value);
        if self.program.types.as_int(value.ty).is_none() {
            return LowerError::invalid(span, "a switch on what is no integer");
        }
        let depth = self.scopes.stack.len();
        let body = self.body(span)?;
        let (head, after) = (body.current(), body.new_block());
        body.terminate(Terminator::Goto(after), span);
        body.switches.push(SwitchFrame { cases: Vec::new(), default: None, ty: value.ty, depth, bypassed: Vec::new() });
        body.breaks.push(JumpTarget { block: after, depth });
        let result = self.statement(&s.statement);
        let body = self.body(span)?;
        body.breaks.pop();
        let frame = body.switches.pop().expect("pushed above");
        body.fall_into(after, span);
        for v in frame.bypassed {
            body.append_to(head, StmtKind::StorageLive(v), span);
        }
        let default = frame.default.unwrap_or(after);
        body.set_terminator(head, Terminator::Switch { value, cases: frame.cases, default }, span);
        result
    }

    fn if_statement(&mut self, i: &ast::IfStatement, span: Span) -> Lowered<()> {
        if let Some(otherwise) = &i.else_statement
            && is_assert_failure_statement(otherwise)
            && matches!(i.then_statement.node, Statement::Expression(None))
        {
            return self.assertion(&i.condition, span).map(|_| ());
        }
        let body = self.body(span)?;
        let (yes, join) = (body.new_block(), body.new_block());
        let no = if i.else_statement.is_some() { body.new_block() } else { join };
        self.branch(&i.condition, yes, no)?;
        self.body(span)?.switch_to(yes);
        self.statement(&i.then_statement)?;
        self.terminate(Terminator::Goto(join), span)?;
        if let Some(otherwise) = &i.else_statement {
            self.body(span)?.switch_to(no);
            self.statement(otherwise)?;
            self.terminate(Terminator::Goto(join), span)?;
        }
        self.body(span)?.switch_to(join);
        Ok(())
    }

    /// Lowers a loop's body with `break` and `continue` going to these blocks.
    fn loop_body(&mut self, s: &Node<Statement>, breaks: BlockId, continues: BlockId) -> Lowered<()> {
        let span = self.span(s.span);
        let depth = self.scopes.stack.len();
        let body = self.body(span)?;
        body.breaks.push(JumpTarget { block: breaks, depth });
        body.continues.push(JumpTarget { block: continues, depth });
        let result = self.statement(s);
        let body = self.body(span)?;
        body.breaks.pop();
        body.continues.pop();
        result
    }

    fn while_loop(&mut self, w: &ast::WhileStatement, span: Span) -> Lowered<()> {
        let body = self.body(span)?;
        let (head, inside, after) = (body.new_block(), body.new_block(), body.new_block());
        body.fall_into_loop(head, span);
        self.branch(&w.expression, inside, after)?;
        self.body(span)?.switch_to(inside);
        self.loop_body(&w.statement, after, head)?;
        self.terminate(Terminator::Goto(head), span)?;
        self.body(span)?.switch_to(after);
        Ok(())
    }

    fn do_while(&mut self, d: &ast::DoWhileStatement, span: Span) -> Lowered<()> {
        let body = self.body(span)?;
        let (inside, test, after) = (body.new_block(), body.new_block(), body.new_block());
        body.fall_into_loop(inside, span);
        self.loop_body(&d.statement, after, test)?;
        self.body(span)?.fall_into(test, span);
        self.branch(&d.expression, inside, after)?;
        self.body(span)?.switch_to(after);
        Ok(())
    }

    fn for_loop(&mut self, f: &ast::ForStatement, span: Span) -> Lowered<()> {
        self.scopes.enter();
        match &f.initializer.node {
            ast::ForInitializer::Empty | ast::ForInitializer::StaticAssert(_) => {}
            ast::ForInitializer::Expression(e) => match self.misread_declaration(e) {
                Some((ty, name)) => self.declare_uninitialized(name, ty, span)?,
                None => {
                    self.value(e, false)?;
                }
            },
            ast::ForInitializer::Declaration(d) => self.block_declaration(d)?,
        }
        let body = self.body(span)?;
        let (head, inside, step, after) = (body.new_block(), body.new_block(), body.new_block(), body.new_block());
        body.fall_into_loop(head, span);
        match &f.condition {
            Some(c) => self.branch(c, inside, after)?,
            None => self.terminate(Terminator::Goto(inside), span)?,
        }
        self.body(span)?.switch_to(inside);
        self.loop_body(&f.statement, after, step)?;
        self.body(span)?.fall_into(step, span);
        if let Some(e) = &f.step {
            self.value(e, false)?;
        }
        self.terminate(Terminator::Goto(head), span)?;
        self.body(span)?.switch_to(after);
        self.leave_scope(span)
    }

    /// `for (T *p; ...)` with a typedef name `T`, which the parser takes for a product.
    fn misread_declaration(&mut self, e: &Node<Expression>) -> Option<(TypeId, String)> {
        let Expression::BinaryOperator(product) = &e.node else { return None };
        let Expression::Identifier(name) = &product.node.lhs.node else { return None };
        let Some(Symbol::Typedef(base)) = self.scopes.lookup(&name.node.name) else { return None };
        if !matches!(product.node.operator.node, ast::BinaryOperator::Multiply) {
            return None;
        }
        let mut ty = self.program.types.pointer(base.ty);
        let mut rest = &*product.node.rhs;
        while let Expression::UnaryOperator(u) = &rest.node
            && matches!(u.node.operator.node, ast::UnaryOperator::Indirection)
        {
            ty = self.program.types.pointer(ty);
            rest = &u.node.operand;
        }
        match &rest.node {
            Expression::Identifier(variable) => Some((ty, variable.node.name.clone())),
            _ => None,
        }
    }

    fn return_statement(&mut self, e: Option<&Node<Expression>>, span: Span) -> Lowered<()> {
        let result = self.body(span)?.result;
        let void = self.program.types.void();
        let value = match e {
            None => None,
            Some(e) => {
                let value = self.value(e, result != void)?;
                if result == void { None } else { Some(self.convert_assigned(value, result, span)?) }
            }
        };
        let cleanups = self.cleanups_from(1);
        if cleanups.is_empty() {
            return self.terminate(Terminator::Return(value), span);
        }
        let value = value.map(|v| self.hold(v, span)).transpose()?;
        self.run_cleanups(&cleanups, span)?;
        self.terminate(Terminator::Return(value), span)
    }

    /// GNU `({ ... })`: the value of the last expression statement.
    pub(super) fn statement_expression(&mut self, s: &Node<Statement>, wanted: bool) -> Lowered<Expr> {
        let span = self.span(s.span);
        let void = Expr { kind: ExprKind::Int(0), ty: self.program.types.void() };
        let Statement::Compound(items) = &s.node else {
            self.statement(s)?;
            return Ok(void);
        };
        self.body(span)?;
        self.scopes.enter();
        let mut value = void;
        for (i, item) in items.iter().enumerate() {
            match &item.node {
                ast::BlockItem::Statement(s) if i + 1 == items.len() => value = self.last_value(s, wanted, value)?,
                _ => self.block_item(item)?,
            }
        }
        self.leave_scope(span)?;
        Ok(value)
    }

    /// Lowers the last statement of a statement expression and gives its value; `void` where it has none.
    fn last_value(&mut self, s: &Node<Statement>, wanted: bool, void: Expr) -> Lowered<Expr> {
        let span = self.span(s.span);
        match &s.node {
            Statement::Labeled(l) => {
                self.label(&l.node, span)?;
                self.last_value(&l.node.statement, wanted, void)
            }
            Statement::Expression(Some(e)) => {
                let value = self.value(e, wanted)?;
                if !wanted || value.ty == self.program.types.void() {
                    return Ok(value);
                }
                // The variables that it reads end with the scope.
                let place = Place::var(self.temp(value.ty, span)?, value.ty);
                self.emit(StmtKind::Assign { place: place.clone(), value }, span)?;
                Ok(Expr::load(place))
            }
            _ => {
                self.statement(s)?;
                Ok(void)
            }
        }
    }
}

fn is_empty_template(parts: &[String]) -> bool {
    parts.iter().all(|p| p.trim_matches(|c: char| c == '"' || c.is_whitespace()).is_empty())
}

/// `__assert_fail(...);` alone, as the C library's `assert` expands.
fn is_assert_failure_statement(s: &Node<Statement>) -> bool {
    match &s.node {
        Statement::Expression(Some(e)) => super::conditional::is_assert_failure(e),
        Statement::Compound(items) => match items.as_slice() {
            [Node { node: ast::BlockItem::Statement(s), .. }] => is_assert_failure_statement(s),
            _ => false,
        },
        _ => false,
    }
}
