//! What taking an edge does to a state.

use super::automaton::{ContextId, Edge, EdgeKind, NodeId};
use super::encoder::Encoder;
use super::state::{Object, ObjectId, State};
use super::value::{Shape, Value};
use crate::base::Idx;
use crate::ir::{BinaryOp, Expr, ExprKind, Place};
use crate::smt::Term;

impl Encoder<'_, '_> {
    /// The states behind a node whose statements have run, with the edges taken; states that are seen to be empty are
    /// left out. A node that control does not go on from may leave gaps.
    pub fn leave_node(&mut self, state: &State, node: NodeId) -> Vec<(usize, State)> {
        let automaton = self.automaton;
        let n = &automaton.nodes[node];
        self.place = (node, n.to);
        let mut state = state.clone();
        for edge in &n.edges {
            if let EdgeKind::Branch(read, _) | EdgeKind::Case(read, ..) | EdgeKind::Default(read, _) = &edge.kind {
                self.settle(&mut state, n.context, read);
            }
        }
        let mut rest = state.clone();
        let mut next = Vec::new();
        for (i, edge) in n.edges.iter().enumerate() {
            let mut to = state.clone();
            let taken = self.take(&mut to, &mut rest, n.context, edge);
            if taken && !self.is_dead(&to) {
                next.push((i, to));
            }
        }
        if let Some(reason) = &n.cut {
            self.give_up(&mut rest, reason.clone());
        }
        if n.last {
            self.end_behind(&rest, node);
        }
        next
    }

    /// Gives scalars that nothing was written to, and that the expression reads, the value that they keep from now on: it
    /// must be the same on all edges.
    fn settle(&mut self, state: &mut State, context: ContextId, read: &Expr) {
        let mut scalars = Vec::new();
        read.walk(&mut |e| {
            if let ExprKind::Load(place) = &e.kind
                && let Some(v) = place.as_var()
                && !self.is_object(v)
            {
                scalars.push((self.cell(context, v), place.ty));
            }
        });
        for (cell, ty) in scalars {
            if let Some(shape) = self.shape(ty) {
                self.scalar_value(state, cell, shape);
            }
        }
    }

    /// Takes one edge; `rest` is what takes none of the calls through a pointer.
    fn take(&mut self, to: &mut State, rest: &mut State, context: ContextId, edge: &Edge<'_>) -> bool {
        match &edge.kind {
            EdgeKind::Goto => {}
            EdgeKind::Branch(cond, holds) => {
                let mut condition = self.truth(to, context, cond);
                if !holds {
                    condition = self.pool.not(condition);
                }
                self.assume(to, condition);
            }
            EdgeKind::Case(value, low, high) => {
                let Some(condition) = self.in_range(to, context, value, *low, *high) else {
                    self.give_up(to, "a switch on no number");
                    return false;
                };
                self.assume(to, condition);
            }
            EdgeKind::Default(value, ranges) => {
                for (low, high) in ranges {
                    let Some(inside) = self.in_range(to, context, value, *low, *high) else { return false };
                    let outside = self.pool.not(inside);
                    self.assume(to, outside);
                }
            }
            EdgeKind::Call { context: callee, args, through } => {
                if let Some(pointer) = through {
                    let Some(here) = self.calls(to, context, pointer, *callee) else { return false };
                    let elsewhere = self.pool.not(here);
                    self.assume(rest, elsewhere);
                    self.assume(to, here);
                }
                self.enter(to, context, *callee, args);
            }
            EdgeKind::Skip { call, callee, args, dest } => self.skip_call(to, context, *call, *callee, args, *dest),
            EdgeKind::Return(value, dest) => self.go_back(to, context, *value, *dest),
        }
        true
    }

    fn calls(&mut self, state: &mut State, context: ContextId, pointer: &Expr, callee: ContextId) -> Option<Term> {
        let Value::Pointer { base, .. } = self.eval(state, context, pointer) else { return None };
        let function = self.function_base(self.automaton.contexts[callee].function);
        Some(self.pool.eq(base, function))
    }

    /// `low <= value <= high`.
    fn in_range(&mut self, state: &mut State, context: ContextId, value: &Expr, low: i128, high: i128) -> Option<Term> {
        let shape = self.shape(value.ty)?;
        let Value::Bits(v) = self.eval(state, context, value) else { return None };
        let (low, high) = (self.pool.bv_signed(shape.width(), low), self.pool.bv_signed(shape.width(), high));
        if low == high {
            return Some(self.pool.eq(v, low));
        }
        let above = self.compare_bits(BinaryOp::Ge, v, low, shape.signed());
        let below = self.compare_bits(BinaryOp::Le, v, high, shape.signed());
        Some(self.pool.and(&[above, below]))
    }

    /// Binds parameters in a new activation.
    fn enter(&mut self, state: &mut State, caller: ContextId, callee: ContextId, args: &[Expr]) {
        let function = self.automaton.contexts[callee].function;
        let params = &self.program.functions[function].params;
        self.end_activation(state, callee);
        for (param, arg) in params.iter().zip(args) {
            let ty = self.program.variables[*param].ty;
            let Some(shape) = self.shape(arg.ty) else {
                self.pass_aggregate(state, caller, callee, *param, arg);
                continue;
            };
            let value = self.eval(state, caller, arg);
            let place = Place::var(*param, ty);
            let value = self.as_type(value, shape, ty);
            match value {
                Some(value) => self.store(state, callee, &place, value),
                None => self.give_up(state, "an argument's type is not that of the parameter"),
            }
        }
    }

    /// A value passed as it is and taken as a `to`; None when the calling convention leaves that open.
    fn as_type(&mut self, value: Value, from: Shape, to: crate::ir::TypeId) -> Option<Value> {
        let to = self.shape(to)?;
        if from == to || (from.width() == to.width() && matches!((from, to), (Shape::Int { .. }, Shape::Int { .. }))) {
            return Some(value);
        }
        None
    }

    fn pass_aggregate(
        &mut self,
        state: &mut State,
        caller: ContextId,
        callee: ContextId,
        param: crate::ir::VarId,
        arg: &Expr,
    ) {
        let ty = self.program.variables[param].ty;
        let crate::ir::ExprKind::Load(source) = &arg.kind else {
            return self.give_up(state, "an aggregate that is no load");
        };
        if arg.ty != ty {
            return self.give_up(state, "an argument's type is not that of the parameter");
        }
        self.copy_between(state, (caller, source), (callee, &Place::var(param, ty)));
    }

    /// Copies a record from a place of one activation to one of another.
    fn copy_between(&mut self, state: &mut State, from: (ContextId, &Place), to: (ContextId, &Place)) {
        let mut leaves = Vec::new();
        if !self.leaves(to.1.ty, 0, &mut leaves) {
            return self.give_up(state, "a record that is not copied by its fields");
        }
        for (at, shape) in leaves {
            let part = |place: &Place| Place { offset: place.offset + at as i64, ..place.clone() };
            let source = self.resolve(state, from.0, &part(from.1));
            let super::place::Target::Memory { base, offset } = source else { continue };
            let value = self.read(state, base, offset, shape);
            let dest = self.resolve(state, to.0, &part(to.1));
            self.store_at(state, dest, shape, None, value);
        }
        if let super::place::Target::Memory { base, offset } = self.resolve(state, to.0, to.1) {
            self.open_padding(state, (base, offset), to.1.ty);
        }
    }

    /// Back to the caller: the result, then the end of what belongs to the activation.
    fn go_back(&mut self, state: &mut State, context: ContextId, value: Option<&Expr>, dest: Option<&Place>) {
        let Some((caller, ..)) = self.automaton.contexts[context].caller else { return };
        if let Some(dest) = dest {
            match (value, self.shape(dest.ty)) {
                (Some(value), Some(_)) => {
                    let shape = self.shape(value.ty);
                    let result = self.eval(state, context, value);
                    match shape.and_then(|s| self.as_type(result, s, dest.ty)) {
                        Some(result) => self.store(state, caller, dest, result),
                        None => self.give_up(state, "a result's type is not that of the called expression"),
                    }
                }
                (Some(value), None) => match &value.kind {
                    crate::ir::ExprKind::Load(source) if value.ty == dest.ty => {
                        self.copy_between(state, (context, source), (caller, dest));
                    }
                    _ => self.give_up(state, "an aggregate that is no load"),
                },
                (None, Some(shape)) => {
                    let anything = self.anything("result", shape);
                    self.store(state, caller, dest, anything);
                }
                (None, None) => self.give_up(state, "the result of a function that returned none"),
            }
        }
        self.end_activation(state, context);
    }

    /// The objects of an activation's variables live no longer.
    fn end_activation(&mut self, state: &mut State, context: ContextId) {
        let homes: Vec<crate::ir::VarId> =
            state.homes.keys().filter(|c| c.context == context).map(|c| c.variable).collect();
        if context.index() != 0 {
            for v in homes {
                self.end_life(state, context, v);
            }
            let owned = |(id, o): (&ObjectId, &std::rc::Rc<Object>)| (o.owner == Some(context)).then_some(*id);
            let blocks: Vec<ObjectId> = state.objects.iter().filter_map(owned).collect();
            for id in blocks {
                let dead = self.pool.bool(false);
                state.update(id, |o| o.live = dead);
            }
            state.leave(context);
        }
    }
}
