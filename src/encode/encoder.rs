//! What one encoding carries along: the automaton, the terms, the inputs met, and what is wrong or not known.

use super::automaton::{Automaton, NodeId, ROOT, START};
use super::log::{Log, Origin, Write};
use super::state::{Cell, Object, ObjectId, State};
use super::value::{BASE_BITS, Shape, Value, fresh, number_pointer};
use crate::base::Span;
use crate::base::{Idx, IndexVec};
use crate::concrete::InputPlace;
use crate::ir::{CheckKind, FloatKind, FuncId, Program, SiteId, StaticValue, Type, TypeId, VarId};
use crate::smt::{Sort, Term, TermPool};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A check that may fail: under which condition on inputs, and where.
#[derive(Clone, Debug)]
pub struct Failure {
    pub site: SiteId,
    pub node: NodeId,
    /// Control is here and the check fails.
    pub condition: Term,
}

/// Something that is not encoded: where the condition holds, nothing is said.
#[derive(Clone, Debug)]
pub struct Gap {
    pub condition: Term,
    pub reason: String,
    /// The statement that is not encoded.
    pub at: Span,
    /// The same as a place in the automaton: what control cannot come to from there does not depend on it.
    pub place: (NodeId, usize),
}

/// What an input is in the terms.
#[derive(Clone, Debug)]
pub enum InputTerm {
    /// An integer of this signedness.
    Int(Term, bool),
    /// The bits of a float.
    Float(Term, FloatKind),
    /// The first `len` of these bytes, a number of the width of a pointer; zeros where they are not followed.
    Bytes { bytes: Vec<Term>, len: Term },
    /// Whether the allocation fails.
    Fails(Term),
    /// The arguments of `main`: their number.
    Arguments(Term),
}

/// An input that is consumed when the condition holds; in the order of consumption along every path.
#[derive(Clone, Debug)]
pub struct InputUse {
    pub place: InputPlace,
    pub condition: Term,
    pub term: InputTerm,
}

/// An encoding under way. Terms, inputs, failures and gaps only ever grow.
pub struct Encoder<'a, 'p> {
    pub automaton: &'a Automaton<'p>,
    pub program: &'p Program,
    pub pool: TermPool,
    /// Kinds whose failures are asked for; executions in which another fatal check fails are not followed.
    pub kinds: Vec<CheckKind>,
    pub failures: Vec<Failure>,
    pub gaps: Vec<Gap>,
    pub inputs: Vec<InputUse>,
    /// First reads of scalars that nothing was written to.
    pub unwritten: Vec<InputUse>,
    /// The statement that is encoded at present.
    pub(super) at: Span,
    /// The same by its node and number in the block; before the first one, that.
    pub(super) place: (NodeId, usize),
    /// What holds of fresh variables, everywhere.
    pub axioms: Vec<Term>,
    /// Where the function of an open automaton calls itself: the states in which it begins again.
    pub descents: Vec<State>,
    /// Whether blocks that are not freed at the end are asked for.
    pub ends_clean: bool,
    /// Whether blocks that may be lost are noted, for engines that look for runs that lose them.
    pub seeks_lost: bool,
    /// By block and end of the program: when the block may be lost there. Weaker than that it is.
    pub may_be_lost: Vec<Term>,
    /// Blocks that library functions may have allocated, and which did: nothing else is known of them.
    pub(super) unseen: BTreeMap<ObjectId, String>,
    /// The objects that are string literals, and which.
    pub(super) literals: BTreeMap<ObjectId, VarId>,
    /// Whether a variable is an object that pointers may reach, by variable.
    in_memory: Rc<IndexVec<VarId, bool>>,
    pub(super) next_object: u32,
}

/// Numbers of functions, as those of objects, start here.
pub(super) const FUNCTIONS: u32 = 0x8000;

impl<'a, 'p> Encoder<'a, 'p> {
    /// An encoding that has not begun.
    pub fn new(automaton: &'a Automaton<'p>, kinds: &[CheckKind]) -> Self {
        let program = automaton.program;
        let in_memory = program.variables.iter().map(|v| v.address_taken || !program.types.is_scalar(v.ty)).collect();
        let mut encoder = Encoder {
            automaton,
            program,
            pool: TermPool::new(),
            kinds: kinds.to_vec(),
            failures: Vec::new(),
            gaps: Vec::new(),
            inputs: Vec::new(),
            unwritten: Vec::new(),
            at: Span::NONE,
            place: (START, 0),
            axioms: Vec::new(),
            descents: Vec::new(),
            seeks_lost: false,
            may_be_lost: Vec::new(),
            unseen: BTreeMap::new(),
            literals: BTreeMap::new(),
            ends_clean: kinds.contains(&CheckKind::InvalidFree),
            in_memory: Rc::new(in_memory),
            next_object: 1,
        };
        encoder.reach_scalars_by_their_type();
        encoder
    }

    /// Scalars that are accessed as another type are objects too.
    fn reach_scalars_by_their_type(&mut self) {
        let program = self.program;
        let mut in_memory = (*self.in_memory).clone();
        let mut look = |place: &crate::ir::Place| {
            if let Some(v) = place.as_var() {
                let whole = place.offset == 0 && place.bits.is_none();
                let shape = |ty| Shape::of(&program.types, ty);
                in_memory[v] |= !whole || shape(place.ty) != shape(program.variables[v].ty);
            }
        };
        for block in program.functions.iter().flat_map(|f| f.blocks.iter()) {
            for stmt in &block.stmts {
                stmt.kind.written_places().into_iter().for_each(&mut look);
                if let crate::ir::StmtKind::Check(check) = &stmt.kind
                    && let crate::ir::Check::Initialized { place, .. } = &**check
                {
                    look(place);
                }
            }
            for e in block.stmts.iter().flat_map(|s| s.kind.exprs()).chain(block.terminator.expr()) {
                e.walk(&mut |e| {
                    if let crate::ir::ExprKind::Load(place) = &e.kind {
                        look(place);
                    }
                });
            }
        }
        self.in_memory = Rc::new(in_memory);
    }

    /// Whether pointers, or accesses of parts, may reach the variable.
    pub fn is_object(&self, variable: VarId) -> bool {
        self.in_memory[variable]
    }
    /// The shape of a scalar type.
    pub fn shape(&self, ty: TypeId) -> Option<Shape> {
        Shape::of(&self.program.types, ty)
    }
    /// Bits of a pointer.
    pub fn pointer_bits(&self) -> u32 {
        self.program.types.pointer_size() as u32 * 8
    }
    /// A number of the width of a pointer.
    pub fn address(&mut self, n: i128) -> Term {
        let width = self.pointer_bits();
        self.pool.bv_signed(width, n)
    }
    /// The cell of a variable in an activation.
    pub fn cell(&self, context: super::ContextId, variable: VarId) -> Cell {
        let context = if self.program.variables[variable].is_static() { ROOT } else { context };
        Cell { context, variable }
    }
    /// The condition under which control is in `state`.
    pub fn path(&mut self, state: &State) -> Term {
        self.pool.and(&state.path.conjuncts())
    }
    /// Restricts `state`.
    pub fn assume(&mut self, state: &mut State, condition: Term) {
        if self.pool.constant(condition) != Some(crate::smt::Value::Bool(true)) {
            state.path.push(condition);
        }
    }
    /// Whether control is known not to be in `state`.
    pub fn is_dead(&mut self, state: &State) -> bool {
        let path = self.path(state);
        self.is_false(path)
    }
    pub(super) fn is_false(&self, term: Term) -> bool {
        self.pool.constant(term) == Some(crate::smt::Value::Bool(false))
    }
    /// Notes that what follows under `condition` is not encoded, and goes on without it.
    pub fn gap(&mut self, state: &mut State, condition: Term, reason: impl Into<String>) {
        let path = self.path(state);
        let condition_here = self.pool.and(&[path, condition]);
        if !self.is_false(condition_here) {
            self.gaps.push(Gap { condition: condition_here, reason: reason.into(), at: self.at, place: self.place });
        }
        let rest = self.pool.not(condition);
        self.assume(state, rest);
    }
    /// Notes a gap in all of `state`.
    pub fn give_up(&mut self, state: &mut State, reason: impl Into<String>) {
        let always = self.pool.bool(true);
        self.gap(state, always, reason);
    }
    /// A value of which nothing is known.
    pub fn anything(&mut self, stem: &str, shape: Shape) -> Value {
        fresh(&mut self.pool, stem, shape)
    }
    /// A condition of which nothing is known.
    pub fn any_condition(&mut self, stem: &str) -> Term {
        self.pool.fresh_variable(stem, Sort::Bool)
    }
    /// Zero of a shape.
    pub fn zero(&mut self, shape: Shape) -> Value {
        match shape {
            Shape::Pointer { width } => number_pointer(&mut self.pool, width, 0),
            other => Value::Bits(self.pool.bv(other.width(), 0)),
        }
    }

    /// A new object and its number.
    pub(super) fn create(&mut self, state: &mut State, object: Object) -> Term {
        let id = ObjectId::new(self.next_object as usize);
        if self.next_object + 1 >= FUNCTIONS {
            self.give_up(state, "too many objects");
        } else {
            self.next_object += 1;
        }
        state.insert(id, object);
        self.pool.bv(BASE_BITS, u128::from(id.0))
    }
    /// The number of a function, as pointers to it have it.
    pub(super) fn function_base(&mut self, function: FuncId) -> Term {
        self.pool.bv(BASE_BITS, u128::from(FUNCTIONS + (function.0 & 0x7fff)))
    }

    /// The state in which the program starts: static variables hold their initial values; or any in which a function by itself may be called.
    pub fn initial(&mut self) -> State {
        let mut state = State::default();
        let statics: Vec<VarId> = {
            let all = self.program.variables.iter_enumerated();
            all.filter(|(_, v)| v.is_static()).map(|(id, _)| id).collect()
        };
        // Every object first: initializers point to them.
        for &v in &statics {
            if self.is_object(v) {
                let object = self.static_object(v);
                let base = self.create(&mut state, object);
                let literal = self.object_number(base).filter(|_| self.program.literal(v).is_some());
                self.literals.extend(literal.map(|id| (id, v)));
                Rc::make_mut(&mut state.homes).insert(Cell { context: ROOT, variable: v }, base);
            }
        }
        for &v in &statics {
            self.initialize(&mut state, v);
        }
        if self.is_open() {
            self.any_parameters(&mut state);
        }
        state
    }

    fn static_object(&mut self, v: VarId) -> Object {
        let variable = &self.program.variables[v];
        let is_known = variable.defined && self.starts_initialized(v);
        let origin = if is_known { Origin::Zero } else { Origin::anything() };
        let (least, is_open_ended) = (variable.size, !variable.defined && self.is_open_ended(variable.ty));
        let mut size = self.address(i128::from(least));
        if is_open_ended {
            let (least, most) = (size, self.address(i128::from(i64::MAX) >> (64 - self.pointer_bits())));
            size = self.pool.fresh_variable("size", Sort::BitVec(self.pointer_bits()));
            let bounds = [self.pool.bv_ule(least, size), self.pool.bv_ule(size, most)];
            self.axioms.extend(bounds);
        }
        Object {
            size,
            live: self.pool.bool(true),
            heap: false,
            owner: None,
            constant: variable.constant.clone(),
            content: Log::new(origin),
        }
    }

    /// Whether objects of the type may have more bytes than it says: it is incomplete, or ends in an array of no length.
    fn is_open_ended(&self, ty: TypeId) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Array(_, None | Some(0)) => true,
            Type::Record(_) => match types.layout(ty).and_then(|layout| layout.fields.last().map(|f| f.ty)) {
                Some(last) => self.is_open_ended(last),
                None => true,
            },
            _ => false,
        }
    }

    fn initialize(&mut self, state: &mut State, v: VarId) {
        let variable = &self.program.variables[v];
        let cell = Cell { context: ROOT, variable: v };
        if !self.is_object(v) {
            let Some(shape) = self.shape(variable.ty) else { return };
            let value = match variable.init.first() {
                _ if !variable.defined || !self.starts_initialized(v) => self.anything(&variable.name, shape),
                Some(init) => self.static_value(state, &init.value, shape),
                None => self.zero(shape),
            };
            return state.set_scalar(cell, value);
        }
        if !self.starts_initialized(v) {
            return;
        }
        for init in &variable.init {
            if let StaticValue::Bytes(bytes) = &init.value {
                for (i, byte) in bytes.iter().enumerate() {
                    let value = Value::Bits(self.pool.bv(8, u128::from(*byte)));
                    self.initial_write(state, cell, init.offset + i as u64, 1, value);
                }
                continue;
            }
            if init.value == StaticValue::Open {
                let len = self.program.types.size_of(init.ty).unwrap_or(0);
                for i in 0..len {
                    let value = self.anything("open", Shape::BYTE);
                    self.initial_write(state, cell, init.offset + i, 1, value);
                }
                continue;
            }
            let shape = self.shape(init.ty);
            match shape {
                Some(shape) if init.bits.is_none() => {
                    let value = self.static_value(state, &init.value, shape);
                    self.initial_write(state, cell, init.offset, shape.bytes(), value);
                }
                Some(shape) => {
                    // A bit-field: its unit holds anything.
                    let value = self.anything("unit", shape);
                    self.initial_write(state, cell, init.offset, shape.bytes(), value);
                }
                None => self.give_up(state, "an initializer of no scalar type"),
            }
        }
    }

    fn initial_write(&mut self, state: &mut State, cell: Cell, offset: u64, size: u64, value: Value) {
        let offset = self.address(i128::from(offset));
        if let Some(id) = state.homes.get(&cell).and_then(|t| self.object_number(*t)) {
            state.update(id, |o| o.content.push(Write { guard: None, offset, size, value }));
        }
    }

    fn static_value(&mut self, state: &State, value: &StaticValue, shape: Shape) -> Value {
        match (value, shape) {
            (StaticValue::Int(n), Shape::Pointer { width }) => number_pointer(&mut self.pool, width, *n),
            (StaticValue::Int(n), Shape::Int { .. } | Shape::Bool) => {
                Value::Bits(self.pool.bv_signed(shape.width(), *n))
            }
            (StaticValue::AddrOf(v, offset), Shape::Pointer { .. }) => {
                let home = state.homes.get(&Cell { context: ROOT, variable: *v }).copied();
                match home {
                    Some(base) => Value::Pointer { base, offset: self.address(i128::from(*offset)) },
                    None => self.anything("address", shape),
                }
            }
            (StaticValue::FuncAddr(f), Shape::Pointer { .. }) => {
                Value::Pointer { base: self.function_base(*f), offset: self.address(0) }
            }
            (StaticValue::Float(v), Shape::Float { width, .. }) => self.float_constant(*v, width),
            _ => self.anything("static", shape),
        }
    }

    /// The object that a constant number stands for.
    pub(super) fn object_number(&self, base: Term) -> Option<ObjectId> {
        match self.pool.constant(base)? {
            crate::smt::Value::BitVec(bits) => Some(ObjectId(bits.unsigned() as u32)),
            _ => None,
        }
    }
    /// Whether an integer type's value is an input of a number.
    pub(super) fn is_float(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Float(_))
    }
}
