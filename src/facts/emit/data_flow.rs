//! The group `data_flow`: which variables statements read and write directly, of whatever type.

use super::names::Names;
use super::values::ValueTable;
use crate::facts::{FactStore, column, row};
use crate::ir::{
    BinaryOp, Block, BlockId, Callee, Check, Expr, ExprKind, FuncId, Place, PlaceBase, Program, StmtKind, Terminator,
    Type, VarId,
};
use std::collections::BTreeSet;

/// States what every statement does to variables.
pub fn emit(program: &Program, names: &Names, values: &ValueTable, facts: &mut FactStore) {
    let taken = program.variables.iter_enumerated().filter(|(_, v)| v.address_taken);
    let rows = taken.map(|(id, _)| row::AddressTaken { variable: column::Variable(names.variable(id)) });
    facts.address_taken.extend(rows);
    for (function, f) in program.functions.iter_enumerated() {
        for (id, block) in f.blocks.iter_enumerated() {
            let mut emitter = Emitter { program, names, values, facts, function };
            emitter.block(id, block);
        }
    }
}

struct Emitter<'a> {
    program: &'a Program,
    names: &'a Names,
    values: &'a ValueTable,
    facts: &'a mut FactStore,
    function: FuncId,
}

/// The variables that an expression reads directly.
fn read_by(e: &Expr) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    e.walk(&mut |e| {
        if let ExprKind::Load(place) = &e.kind
            && let PlaceBase::Var(v) = place.base
        {
            found.insert(v);
        }
    });
    found
}

/// The variables that a value is computed from: those that an address is computed from under which it is read apart.
fn sources_of(e: &Expr, found: &mut BTreeSet<VarId>) {
    match &e.kind {
        ExprKind::Load(place) => found.extend(place.as_var()),
        ExprKind::Unary(_, inner) | ExprKind::Cast(inner) => sources_of(inner, found),
        ExprKind::Binary(_, l, r) | ExprKind::PtrAdd(l, r) | ExprKind::PtrDiff(l, r) => {
            sources_of(l, found);
            sources_of(r, found);
        }
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::AddrOf(..)
        | ExprKind::FuncAddr(_)
        | ExprKind::LabelAddr(_) => {}
    }
}

/// The variables that offsets in an address are computed from.
fn offsets_in(e: &Expr) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    e.walk(&mut |e| {
        if let ExprKind::PtrAdd(_, offset) = &e.kind {
            found.extend(read_by(offset));
        }
    });
    found
}

/// The variable that an expression is, casts apart.
fn variable_in(e: &Expr) -> Option<VarId> {
    match &e.without_casts().kind {
        ExprKind::Load(place) if place.offset == 0 && place.bits.is_none() => place.as_var(),
        _ => None,
    }
}

impl Emitter<'_> {
    fn variable(&self, v: VarId) -> column::Variable {
        column::Variable(self.names.variable(v))
    }

    fn block(&mut self, id: BlockId, block: &Block) {
        for (index, stmt) in block.stmts.iter().enumerate() {
            let statement = column::Statement(self.names.statement(self.function, id, index));
            match &stmt.kind {
                StmtKind::LibraryCall { args, .. } => self.handed_over(statement, args),
                kind => self.uses(statement, &kind.exprs()),
            }
            self.statement(statement, &stmt.kind);
        }
        let statement = column::Statement(self.names.statement(self.function, id, block.stmts.len()));
        self.uses(statement, &block.terminator.expr().into_iter().collect::<Vec<_>>());
        self.terminator(column::Block(self.names.block(self.function, id)), &block.terminator);
    }

    fn uses(&mut self, statement: column::Statement, exprs: &[&Expr]) {
        for v in exprs.iter().flat_map(|e| read_by(e)).collect::<BTreeSet<_>>() {
            let variable = self.variable(v);
            self.facts.uses_variable.push(row::UsesVariable { statement, variable });
        }
    }

    /// What a library function gets: the variables read for its arguments, and those it may read through their addresses.
    fn handed_over(&mut self, statement: column::Statement, args: &[Expr]) {
        let mut found: BTreeSet<VarId> = args.iter().flat_map(read_by).collect();
        args.iter().for_each(|e| {
            e.walk(&mut |e| {
                if let ExprKind::AddrOf(v, _) = e.kind {
                    found.insert(v);
                }
            });
        });
        for v in found {
            let variable = self.variable(v);
            self.facts.uses_variable.push(row::UsesVariable { statement, variable });
        }
    }

    fn statement(&mut self, statement: column::Statement, stmt: &StmtKind) {
        for place in stmt.written_places() {
            self.write(statement, place, stmt);
        }
        match stmt {
            StmtKind::Assign { value, .. } if read_by(value).is_empty() && !reads_memory(value) => {
                self.facts.constant_assignment.push(row::ConstantAssignment { statement });
            }
            StmtKind::InputBytes { ptr, .. } => {
                if let Some(Some(pointer)) = self.values.lookup(self.program, ptr) {
                    self.facts.input_bytes.push(row::InputBytes { statement, pointer });
                }
            }
            StmtKind::Alloc { alloc, size, .. } | StmtKind::Realloc { alloc, size, .. } => {
                let allocation = column::Allocation(self.names.alloc(*alloc));
                for v in read_by(size) {
                    let variable = self.variable(v);
                    self.facts.size_uses.push(row::SizeUses { allocation, variable });
                }
            }
            StmtKind::Check(check) => {
                if let Check::Access { ptr, .. } = &**check {
                    for v in offsets_in(ptr) {
                        let variable = self.variable(v);
                        self.facts.offset_uses.push(row::OffsetUses { statement, variable });
                    }
                }
            }
            StmtKind::Lib { function, args, .. } => {
                let format = function.format_argument().and_then(|n| args.get(n));
                if let Some(Some(Some(pointer))) = format.map(|e| self.values.lookup(self.program, e)) {
                    self.facts.format_string.push(row::FormatString { statement, pointer });
                }
            }
            StmtKind::Call { call, dest, callee, args } => {
                let call = column::Call(self.names.call(*call));
                for (index, argument) in args.iter().enumerate() {
                    let index = index as i64;
                    for v in read_by(argument) {
                        let variable = self.variable(v);
                        self.facts.argument_uses.push(row::ArgumentUses { call, index, variable });
                    }
                    if let ExprKind::Load(place) = &argument.kind
                        && let Some(v) = place.as_var().filter(|v| self.program.variables[*v].ty == place.ty)
                    {
                        let variable = self.variable(v);
                        self.facts.passes_variable.push(row::PassesVariable { call, index, variable });
                    }
                }
                if let Some(v) = dest.as_ref().and_then(Place::as_var) {
                    let variable = self.variable(v);
                    self.facts.result_variable.push(row::ResultVariable { call, variable });
                }
                if let Callee::Indirect(target) = callee
                    && let Type::Pointer(function) = self.program.types.get(target.ty)
                {
                    let r#type = column::Type(self.names.ty(*function));
                    self.facts.called_as.push(row::CalledAs { call, r#type });
                }
            }
            _ => {}
        }
    }

    fn write(&mut self, statement: column::Statement, place: &Place, stmt: &StmtKind) {
        let Some(v) = place.as_var() else { return };
        let variable = self.variable(v);
        self.facts.writes_variable.push(row::WritesVariable { statement, variable });
        let types = &self.program.types;
        let whole = place.offset == 0 && place.bits.is_none() && types.is_scalar(self.program.variables[v].ty);
        if whole && types.size_of(place.ty) == Some(self.program.variables[v].size) {
            self.facts.sets_variable.push(row::SetsVariable { statement, variable });
        }
        match stmt {
            StmtKind::Assign { value, .. } => self.assigned(statement, variable, &[value]),
            StmtKind::Lib { args, .. } => self.assigned(statement, variable, &args.iter().collect::<Vec<_>>()),
            StmtKind::Input { .. } => {
                self.facts.input_to_variable.push(row::InputToVariable { statement, variable });
            }
            _ => {}
        }
        if let StmtKind::Assign { value, .. } = stmt
            && let Some((source, by)) = moved(value)
        {
            let source = self.variable(source);
            self.facts.adds_number.push(row::AddsNumber { statement, target: variable, source, by });
        }
    }

    fn assigned(&mut self, statement: column::Statement, target: column::Variable, values: &[&Expr]) {
        let mut sources = BTreeSet::new();
        values.iter().for_each(|e| sources_of(e, &mut sources));
        for source in sources {
            let source = self.variable(source);
            self.facts.assigned_from.push(row::AssignedFrom { statement, target, source });
        }
    }

    /// What a condition compares: variables and numbers.
    fn compared(&mut self, block: column::Block, condition: &Expr) {
        let ExprKind::Binary(op, l, r) = &condition.without_casts().kind else { return };
        if !op.is_comparison() {
            return;
        }
        if matches!(&l.without_casts().kind, ExprKind::Binary(op, ..) if op.is_comparison()) {
            return self.compared(block, l);
        }
        let relation = self.facts.symbols.intern(op.symbol());
        let bound = r.without_casts().as_int().and_then(|n| i64::try_from(n).ok());
        match (variable_in(l), variable_in(r), bound) {
            (Some(l), Some(r), _) => {
                let (left, right) = (self.variable(l), self.variable(r));
                self.facts.compares.push(row::Compares { block, left, relation, right });
            }
            (Some(l), None, Some(bound)) => {
                let variable = self.variable(l);
                self.facts.compares_number.push(row::ComparesNumber { block, variable, relation, bound });
            }
            _ => {}
        }
    }

    fn terminator(&mut self, block: column::Block, terminator: &Terminator) {
        if let Terminator::Return(Some(e)) = terminator {
            let function = column::Function(self.names.function(self.function));
            for v in read_by(e) {
                let variable = self.variable(v);
                self.facts.return_uses.push(row::ReturnUses { function, variable });
            }
        }
        if let Terminator::Branch { cond: e, .. } | Terminator::Switch { value: e, .. } = terminator {
            for v in read_by(e) {
                let variable = self.variable(v);
                self.facts.branch_uses.push(row::BranchUses { block, variable });
            }
        }
        let Terminator::Branch { cond, then_to, else_to } = terminator else { return };
        self.compared(block, cond);
        let is_zero = |e: &Expr| e.without_casts().as_int() == Some(0);
        let found = match &cond.without_casts().kind {
            ExprKind::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), l, r) => {
                let next = if *op == BinaryOp::Eq { *then_to } else { *else_to };
                let sides = [(l, r), (r, l)].into_iter().find(|(_, zero)| is_zero(zero));
                sides.and_then(|(e, _)| variable_in(e)).map(|v| (v, next))
            }
            _ => variable_in(cond).map(|v| (v, *else_to)),
        };
        if let Some((v, next)) = found.filter(|_| then_to != else_to) {
            let (next, variable) = (column::Block(self.names.block(self.function, next)), self.variable(v));
            self.facts.zero_edge.push(row::ZeroEdge { block, next, variable });
        }
    }
}

/// The variable that a value is, and the number that is added to it.
fn moved(e: &Expr) -> Option<(VarId, i64)> {
    let number = |e: &Expr| e.without_casts().as_int().and_then(|n| i64::try_from(n).ok());
    match &e.without_casts().kind {
        ExprKind::Binary(BinaryOp::Add, a, b) | ExprKind::PtrAdd(a, b) => match (variable_in(a), number(b)) {
            (Some(v), Some(n)) => Some((v, n)),
            _ => variable_in(b).zip(number(a)),
        },
        ExprKind::Binary(BinaryOp::Sub, a, b) => variable_in(a).zip(number(b)?.checked_neg()),
        _ => variable_in(e).map(|v| (v, 0)),
    }
}

/// Does the expression read anything through a pointer?
fn reads_memory(e: &Expr) -> bool {
    let mut found = false;
    e.walk(&mut |e| found |= matches!(e.kind, ExprKind::Load(_)));
    found
}
