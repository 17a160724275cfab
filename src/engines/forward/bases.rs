//! Bases: what stands for objects, and what each holds before anything is written to it.
//!
//! A heap block is one of two bases per allocation site and call site: the one allocated last (`recent`), or all older
//! ones together. See: Balakrishnan, Reps, "Recency-Abstraction for Heap-Allocated Storage".

use super::differences::{Compared, Spelled, index_variables};
use super::marks::Marks;
use super::object::{Life, Object};
use super::reads::Reads;
use super::shape::{Kind, Shape, insert_bits};
use super::stops::Stops;
use crate::base::Idx;
use crate::domains::{BaseId, Float, Int, Pointers, Value};
use crate::ir::{
    AllocId, CallId, ConstantBytes, FuncId, Initializer, Linkage, Program, StaticValue, StmtKind, Storage, VarId,
    Variable,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// What a base stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Base {
    /// A variable; a local's is that of the running activation.
    Variable(VarId),
    /// A variable whose lifetime has ended.
    Gone(VarId),
    /// Blocks of an allocation site, reached through the innermost call; `recent`: the last one alone.
    Heap { alloc: AllocId, call: Option<CallId>, recent: bool },
    /// The array of argument (0) or environment (1) strings.
    Strings(u8),
    /// All the strings of that array.
    Text(u8),
    /// What a function returns, on the way to its caller.
    Result,
    /// Where the call of the activation at this depth puts its result.
    Destination(u32),
}

/// All bases of an analysis. Those of variables come first, by their numbers.
#[derive(Debug)]
pub struct Bases {
    variables: usize,
    all: Vec<Base>,
    ids: FxHashMap<Base, BaseId>,
    /// What variables hold that no state mentions.
    initial: Vec<Arc<Object>>,
    gone: Arc<Object>,
    /// Variables that pointers can reach.
    reachable: Vec<bool>,
    /// The functions that variables are of.
    owners: Vec<Option<FuncId>>,
    /// Variables that hold their initializers for ever.
    constant: Vec<bool>,
    /// What of variables only their initializers may write.
    read_only: Vec<ConstantBytes>,
    /// Temporaries that say which element is written.
    indices: FxHashSet<VarId>,
    spelled: Spelled,
    partly_constant: bool,
    constant_targets: FxHashMap<BaseId, Vec<BaseId>>,
    statics: Vec<BaseId>,
    blocks: FxHashMap<AllocId, Vec<BaseId>>,
    /// Whether numbers that are read may be the bytes of an address.
    pub returns_addresses: bool,
    /// Whose contents were asked for, where that is counted.
    pub reads: Reads,
    /// Numbers that the program compares with each other, as far as it was analysed.
    pub compared: Compared,
    /// Where widening stops in each object, as far as the program was analysed.
    pub stops: Stops,
    /// Numbers that the program asks for in its variables.
    pub marks: Marks,
}

impl Bases {
    /// The bases of the variables of `program`.
    pub fn new(program: &Program) -> Bases {
        let n = program.variables.len();
        let scoped: FxHashSet<VarId> = program
            .functions
            .iter()
            .flat_map(|f| f.blocks.iter().flat_map(|b| &b.stmts))
            .filter_map(|s| match s.kind {
                StmtKind::StorageLive(v) => Some(v),
                _ => None,
            })
            .collect();
        let initial =
            program.variables.indices().map(|v| Arc::new(initial_object(program, v, scoped.contains(&v)))).collect();
        let all: Vec<Base> = program
            .variables
            .indices()
            .map(Base::Variable)
            .chain(program.variables.indices().map(Base::Gone))
            .collect();
        let mut gone = Object::new(Int::range(0, i128::from(u64::MAX)), Shape::BYTE.anything());
        gone.life = Life::DEAD;
        let reachable = reachable_variables(program);
        let constant: Vec<bool> = program.variables.iter().map(is_constant).collect();
        let statics = || program.variables.iter_enumerated().filter(|(_, x)| x.is_static());
        let constant_targets = statics()
            .filter(|(_, x)| is_constant(x))
            .map(|(v, x)| (BaseId(v.0), initial_targets(x)))
            .filter(|(_, targets)| !targets.is_empty())
            .collect();
        let statics = statics().filter(|(_, x)| !is_constant(x)).map(|(v, _)| BaseId(v.0)).collect();
        Bases {
            variables: n,
            reads: Reads::default(),
            compared: Compared::default(),
            stops: Stops::default(),
            marks: Marks::new(program),
            all,
            ids: FxHashMap::default(),
            initial,
            gone: Arc::new(gone),
            reachable,
            owners: program.variables.iter().map(Variable::owner).collect(),
            constant,
            read_only: program.variables.iter().map(|v| v.constant.clone()).collect(),
            indices: index_variables(program),
            spelled: Spelled::new(program),
            partly_constant: program.variables.iter().any(|v| matches!(v.constant, ConstantBytes::Parts(_))),
            constant_targets,
            statics,
            blocks: FxHashMap::default(),
            returns_addresses: false,
        }
    }
    /// The base of a variable.
    pub fn variable(&self, v: VarId) -> BaseId {
        BaseId(v.0)
    }
    /// The base of a variable whose lifetime has ended.
    pub fn gone(&self, v: VarId) -> BaseId {
        BaseId::new(self.variables + v.index())
    }
    /// The id of any base.
    pub fn id(&mut self, base: Base) -> BaseId {
        match base {
            Base::Variable(v) => self.variable(v),
            Base::Gone(v) => self.gone(v),
            _ => *self.ids.entry(base).or_insert_with(|| {
                self.all.push(base);
                self.reads.grow();
                let id = BaseId::new(self.all.len() - 1);
                if let Base::Heap { alloc, .. } = base {
                    self.blocks.entry(alloc).or_default().push(id);
                }
                id
            }),
        }
    }
    /// Counts from now on whose contents are asked for.
    pub fn count_reads(&mut self) {
        self.reads = Reads::new(self.all.len());
    }
    /// The id of a base, if the analysis has met it.
    pub fn find(&self, base: Base) -> Option<BaseId> {
        self.ids.get(&base).copied()
    }
    /// Whether it may stand for several objects at a time; not so what is no base of memory.
    pub fn is_summary_base(&self, id: BaseId) -> bool {
        id.index() < self.all.len() && self.is_summary(id)
    }
    /// What a static variable holds in a cell when the program starts.
    pub fn initial_value(&self, program: &Program, id: BaseId, cell: (u64, u64, bool)) -> Option<Value> {
        let (offset, bytes, signed) = cell;
        let kind = if signed { Kind::Signed } else { Kind::Unsigned };
        let Base::Variable(v) = *self.all.get(id.index())? else { return None };
        let inside = program.variables[v].is_static() && offset + bytes <= program.variables[v].size;
        let shape = Shape { size: u8::try_from(bytes).ok()?, kind };
        inside.then(|| self.initial[v.index()].read(offset as i64, shape))
    }
    /// All ids in use, with what they stand for.
    pub fn iter(&self) -> impl Iterator<Item = (BaseId, Base)> {
        self.all.iter().enumerate().map(|(i, &b)| (BaseId::new(i), b))
    }
    /// What `id` stands for.
    pub fn get(&self, id: BaseId) -> Base {
        self.all[id.index()]
    }
    /// Whether it stands for several objects at a time.
    pub fn is_summary(&self, id: BaseId) -> bool {
        match self.get(id) {
            Base::Variable(_) | Base::Result | Base::Destination(_) => false,
            Base::Heap { recent, .. } => !recent,
            // The environment changes by other ways than by this array.
            Base::Strings(i) => i > 0,
            Base::Gone(_) | Base::Text(_) => true,
        }
    }
    /// What it holds at first; None for blocks, which then do not exist.
    pub fn initial(&self, id: BaseId) -> Option<&Arc<Object>> {
        match self.get(id) {
            Base::Variable(v) => Some(&self.initial[v.index()]),
            Base::Gone(_) => Some(&self.gone),
            _ => None,
        }
    }
    /// What it holds when a state does not say: constants, which nothing changes.
    pub fn implicit(&self, id: BaseId) -> Option<&Arc<Object>> {
        match self.get(id) {
            Base::Variable(v) if !self.constant[v.index()] => None,
            _ => self.initial(id),
        }
    }
    /// What pointers in a constant's initializer point to.
    pub fn targets_of_constant(&self, id: BaseId) -> &[BaseId] {
        self.constant_targets.get(&id).map_or(&[], |targets| targets)
    }
    /// Whether a pointer that comes from anywhere can point to it: not to constants, nor to variables whose address
    /// nobody takes.
    pub fn is_reachable(&self, id: BaseId) -> bool {
        match self.get(id) {
            Base::Variable(v) => self.reachable[v.index()],
            Base::Gone(_) | Base::Result | Base::Destination(_) => false,
            _ => true,
        }
    }
    /// The function that a variable is of, unless it is static.
    pub fn owner(&self, id: BaseId) -> Option<FuncId> {
        match self.get(id) {
            Base::Variable(v) => self.owners[v.index()],
            _ => None,
        }
    }
    /// Static variables that are no constants, sorted: what a program starts with.
    pub fn statics(&self) -> &[BaseId] {
        &self.statics
    }
    /// The blocks of an allocation site that there have been so far.
    pub fn blocks_of(&self, alloc: AllocId) -> &[BaseId] {
        self.blocks.get(&alloc).map_or(&[], |blocks| blocks)
    }
    /// Whether it is a temporary that says which element is written.
    pub fn is_index(&self, v: VarId) -> bool {
        self.indices.contains(&v)
    }
    /// What arguments of library functions are made of.
    pub fn spelled(&self) -> &Spelled {
        &self.spelled
    }
    /// Whether it is a block.
    pub fn is_block(&self, id: BaseId) -> bool {
        matches!(self.all.get(id.index()), Some(Base::Heap { .. }))
    }
    /// Whether it is the last block of an allocation alone.
    pub fn is_last_block(&self, id: BaseId) -> bool {
        matches!(self.all.get(id.index()), Some(Base::Heap { recent: true, .. }))
    }
    /// Whether it is one of [`Bases::statics`].
    pub fn is_static(&self, id: BaseId) -> bool {
        self.statics.binary_search(&id).is_ok()
    }
    /// Whether of some object a part only may be written.
    pub fn has_partly_constant(&self) -> bool {
        self.partly_constant
    }
    /// What of it only its initializer may write.
    pub fn read_only(&self, id: BaseId) -> &ConstantBytes {
        match self.get(id) {
            Base::Variable(v) => &self.read_only[v.index()],
            _ => &ConstantBytes::None,
        }
    }
    /// The value with unknown addresses in the place of those that it names.
    pub fn unnamed(&self, value: &Value) -> Value {
        let writable = |base| matches!(self.read_only(base), ConstantBytes::None);
        Value { pointers: value.pointers.unnamed(writable), ..value.clone() }
    }
    /// Whether it holds its initializer for ever: what is read-only and lives as long as the program.
    pub fn is_constant(&self, id: BaseId) -> bool {
        matches!(self.get(id), Base::Variable(v) if self.constant[v.index()])
    }
    /// In C terms, for messages.
    pub fn describe(&self, program: &Program, id: BaseId) -> String {
        match self.get(id) {
            Base::Variable(v) => match program.variables[v].storage {
                crate::ir::Storage::Literal => "a string literal".into(),
                _ => program.variables[v].name.clone(),
            },
            Base::Gone(v) => format!("{} after its lifetime", program.variables[v].name),
            Base::Heap { alloc, .. } => {
                let site = &program.allocs[alloc];
                format!("the block of {} at line {}", site.name, site.span.line)
            }
            Base::Strings(0) => "argv".into(),
            Base::Strings(_) => "envp".into(),
            Base::Text(0) => "a program argument".into(),
            Base::Text(_) => "an environment string".into(),
            Base::Result | Base::Destination(_) => "a result".into(),
        }
    }
}

/// Which variables a pointer from anywhere may reach. What an unsupported construct refers to is not seen: any static
/// variable, and any variable of the function that it stands in.
fn reachable_variables(program: &Program) -> Vec<bool> {
    let unsupported: FxHashSet<usize> = program
        .functions
        .iter_enumerated()
        .filter(|(_, f)| {
            let mut stmts = f.blocks.iter().flat_map(|b| &b.stmts);
            f.failed.is_some() || stmts.any(|s| matches!(s.kind, StmtKind::Unsupported { .. }))
        })
        .map(|(f, _)| f.index())
        .collect();
    let reached = |v: &Variable| {
        let seen = v.address_taken || v.storage == Storage::Global(Linkage::External);
        let temp = matches!(v.storage, Storage::Temp(_));
        let unseen = match v.owner() {
            Some(f) => unsupported.contains(&f.index()) && !temp,
            None => !unsupported.is_empty(),
        };
        !is_constant(v) && (seen || unseen)
    };
    program.variables.iter().map(reached).collect()
}

/// Whether a variable holds its initializer for ever.
fn is_constant(v: &Variable) -> bool {
    v.is_static() && v.is_constant()
}

/// The variables whose addresses a variable's initializer holds.
fn initial_targets(v: &Variable) -> Vec<BaseId> {
    let target = |i: &Initializer| match i.value {
        StaticValue::AddrOf(v, _) => Some(BaseId(v.0)),
        _ => None,
    };
    v.init.iter().filter_map(target).collect()
}

/// A variable before anything is written to it: static ones hold their initializers, others nothing determinate.
fn initial_object(program: &Program, id: VarId, scoped: bool) -> Object {
    let v = &program.variables[id];
    let size = Int::constant(i128::from(v.size));
    if !v.is_static() {
        let mut object = Object::new(size, Value::indeterminate());
        if scoped {
            object.life = Life::DEAD;
        }
        return object;
    }
    if !v.defined {
        let size = Int::range(i128::from(v.size), i128::from(i64::MAX));
        return Object::new(size, Shape::BYTE.anything());
    }
    let mut object = Object::new(size, Value::constant(0));
    for init in &v.init {
        initialize(program, &mut object, init);
    }
    object
}

fn initialize(program: &Program, object: &mut Object, init: &Initializer) {
    let at = init.offset as i64;
    let value = match &init.value {
        StaticValue::Open => {
            let len = program.types.size_of(init.ty).unwrap_or(0) as i64;
            return object.set_range(at, at + len, &Shape::BYTE.anything());
        }
        StaticValue::Bytes(bytes) => {
            for (i, &b) in bytes.iter().enumerate().filter(|(_, b)| **b != 0) {
                object.write(at + i as i64, Shape::BYTE, Value::constant(i128::from(b)));
            }
            return;
        }
        StaticValue::Int(v) => Value::constant(*v),
        StaticValue::Float(f) => Value::float(Float::of(*f)),
        StaticValue::AddrOf(v, offset) => {
            Value::pointers(Pointers::to(BaseId(v.0), Int::constant(i128::from(*offset))))
        }
        StaticValue::FuncAddr(f) => Value::pointers(Pointers::function(*f)),
        StaticValue::LabelAddr(..) => label_address(program),
    };
    let Some(shape) = Shape::of(&program.types, init.ty) else {
        return object.spoil(&Shape::BYTE.anything());
    };
    let shape = match init.bits {
        Some(bits) => Shape { size: bits.unit_bytes(shape.size.into()) as u8, ..shape },
        None => shape,
    };
    let value = match init.bits {
        Some(bits) => insert_bits(&object.read(at, shape), shape, bits, &value),
        None => Value { int: value.int.map(|i| shape.int_type().wrap(i)), ..value },
    };
    object.write(at, shape, value);
}

/// A number that is not 0: labels are no objects.
pub fn label_address(program: &Program) -> Value {
    let bits = program.types.pointer_size() * 8;
    Value::int(Int::range(1, (1i128 << bits) - 1))
}
