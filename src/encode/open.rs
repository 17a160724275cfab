//! One function by itself: the states that it may be called in, calls that are not followed, pointers to who knows where.
//!
//! Executions that err are not judged here: every check that ends an execution is taken to pass.

use super::automaton::{ContextId, ROOT};
use super::calls::{is_called, keeps_initial_value};
use super::encoder::Encoder;
use super::place::Target;
use super::state::State;
use crate::ir::{CallId, Check, CheckKind, Expr, FuncId, Place, VarId};
use crate::smt::Term;

impl Encoder<'_, '_> {
    /// Whether the function stands by itself.
    pub(super) fn is_open(&self) -> bool {
        self.automaton.is_open
    }

    /// Whether the static variable holds its initial value when execution starts.
    pub(super) fn starts_initialized(&self, v: VarId) -> bool {
        if !self.is_open() {
            return true;
        }
        let (memory, function) = (self.automaton.memory, self.automaton.contexts[ROOT].function);
        !is_called(self.program, memory, function) || keeps_initial_value(self.program, memory, v)
    }

    /// Any state in which a run of the function may be, anywhere in it.
    pub fn anywhere(&mut self) -> State {
        let mut state = self.initial();
        let function = self.automaton.contexts[ROOT].function;
        let locals = &self.program.functions[function].locals;
        let unsettled = |v: &VarId| !self.program.variables[*v].is_static();
        let own: Vec<VarId> = locals.iter().copied().filter(unsettled).collect();
        for v in own {
            self.any_variable(&mut state, v);
        }
        // What the function itself may have written by now.
        if self.is_open() {
            self.forget_written(&mut state, &self.automaton.memory.written_by(function));
        }
        state
    }

    /// The parameters of a function by itself hold anything.
    pub(super) fn any_parameters(&mut self, state: &mut State) {
        let function = self.automaton.contexts[ROOT].function;
        for param in &self.program.functions[function].params {
            self.any_variable(state, *param);
        }
    }

    fn any_variable(&mut self, state: &mut State, v: VarId) {
        match self.shape(self.program.variables[v].ty) {
            Some(shape) if !self.is_object(v) => {
                let value = self.anything(&self.program.variables[v].name, shape);
                let cell = self.cell(ROOT, v);
                state.set_scalar(cell, value);
            }
            _ => drop(self.home(state, ROOT, v)),
        }
    }

    /// Goes on only where the check passes.
    pub(super) fn take_to_pass(&mut self, state: &mut State, context: ContextId, check: &Check) {
        let ends = |kind: CheckKind| {
            let is_asked = self.kinds.contains(&kind) && !kind.continues();
            is_asked || kind.is_fatal() || matches!(kind, CheckKind::PointerCompare | CheckKind::PointerDiff)
        };
        if !check.sites().any(|site| ends(self.program.sites[site].kind)) {
            return;
        }
        if let Some(fails) = self.failure(state, context, check) {
            let passes = self.pool.not(fails);
            self.assume(state, passes);
        }
    }

    /// An access through a pointer to no object that is known passes where it lies within an object of some size.
    pub(super) fn lies_somewhere(&mut self, offset: Term, size: Term) -> Term {
        let width = self.pointer_bits();
        let size = self.pool.resize(width, false, size);
        let most = self.pool.bv(width, (1u128 << (width - 1)) - 1);
        let fits = self.pool.bv_ule(size, most);
        let last = self.pool.bv_sub(most, size);
        let below = self.pool.bv_ule(offset, last);
        self.pool.and(&[fits, below])
    }

    /// A call that stands for its effects.
    pub(super) fn skip_call(
        &mut self,
        state: &mut State,
        context: ContextId,
        call: CallId,
        callee: Option<FuncId>,
        args: &[Expr],
        dest: Option<&Place>,
    ) {
        let root = self.automaton.contexts[ROOT].function;
        if !self.is_open() {
            return self.give_up(state, "a call that is not followed");
        }
        if callee == Some(root) {
            self.descend(state, context, args);
        } else if callee.is_none() && self.is_taken(root) {
            self.descend(state, context, &[]);
        }
        self.forget_written(state, &self.automaton.memory.written_by_call(call));
        self.store_anything(state, context, dest);
    }

    /// A call of what is not known.
    pub(super) fn call_outside(&mut self, state: &mut State, context: ContextId, call: CallId, dest: Option<&Place>) {
        let root = self.automaton.contexts[ROOT].function;
        if self.is_open() && self.is_taken(root) {
            self.descend(state, context, &[]);
        }
        self.forget_written(state, &self.automaton.memory.written_by_call(call));
        self.store_anything(state, context, dest);
    }

    fn is_taken(&self, function: FuncId) -> bool {
        self.automaton.memory.taken().binary_search(&function).is_ok()
    }

    /// Notes the state in which the function begins again; parameters without arguments seem to stay, so that nothing falls.
    fn descend(&mut self, state: &mut State, context: ContextId, args: &[Expr]) {
        let function = self.automaton.contexts[ROOT].function;
        let mut again = state.clone();
        for (param, arg) in self.program.functions[function].params.iter().zip(args) {
            let shape = self.shape(self.program.variables[*param].ty);
            let Some(shape) = shape.filter(|_| !self.is_object(*param)) else { continue };
            let value = match self.shape(arg.ty) {
                Some(from) if from == shape => self.eval(state, context, arg),
                _ => self.anything("argument", shape),
            };
            let cell = self.cell(ROOT, *param);
            again.set_scalar(cell, value);
        }
        again.path = state.path.clone();
        self.descents.push(again);
    }

    /// The place gets any value.
    pub(super) fn store_anything(&mut self, state: &mut State, context: ContextId, dest: Option<&Place>) {
        let Some(dest) = dest else { return };
        match self.shape(dest.ty) {
            Some(shape) => {
                let anything = self.anything("result", shape);
                self.store(state, context, dest, anything);
            }
            None => {
                if let Target::Memory { base, .. } = self.resolve(state, context, dest) {
                    self.spoil(state, base);
                }
            }
        }
    }

    /// After a write through a pointer that may be to objects that are not known: these may be any whose address is taken.
    pub(super) fn forget_others(&mut self, state: &mut State, others: &[Term]) {
        if self.is_open() && !others.is_empty() {
            self.forget_escaped(state);
        }
    }
}
