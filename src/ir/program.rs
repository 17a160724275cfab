//! A linked program: types, variables, functions, and the tables that statements refer to.

use super::{Block, BlockId, CheckKind, ConstantBytes, Contracts, Real, SiteId, TypeId, TypeTable};
use crate::base::{Diagnostic, IndexVec, SourceMap, Span};
use std::sync::Arc;

crate::new_index! {
    /// A variable: global, local, parameter, temporary or string literal.
    pub struct VarId = "v";
    /// A function, with or without a body.
    pub struct FuncId = "f";
    /// A call, direct or indirect.
    pub struct CallId = "call";
    /// A place where an input enters.
    pub struct InputId = "in";
    /// A place where memory is allocated.
    pub struct AllocId = "alloc";
}

/// Whether other units see a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Linkage {
    External,
    Internal,
}

/// What kind of object a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// File scope.
    Global(Linkage),
    /// `static` in a function.
    Static(FuncId),
    /// Automatic.
    Local(FuncId),
    /// The parameter with this number, from 0.
    Param(FuncId, u32),
    /// Made by lowering to hold a value; its address is never taken.
    Temp(FuncId),
    /// A string literal's array; must not be written.
    Literal,
}

/// A static initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum StaticValue {
    Int(i128),
    Float(Real),
    /// Address of a variable plus bytes.
    AddrOf(VarId, i64),
    FuncAddr(FuncId),
    /// Bytes of a string literal that initializes an array.
    Bytes(Vec<u8>),
    /// Address of a label of the function that holds the static variable.
    LabelAddr(FuncId, BlockId),
    /// Bytes whose values C leaves open: padding, the rest of a union.
    Open,
}

/// One scalar (or run of bytes) of a static object's initial content; all bytes not named are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Initializer {
    /// Bytes from the object's start.
    pub offset: u64,
    /// Type that the value is encoded in; for `Bytes` the array's.
    pub ty: TypeId,
    pub bits: Option<super::BitRange>,
    pub value: StaticValue,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// As in the source; temporaries are named by number.
    pub name: String,
    pub ty: TypeId,
    pub storage: Storage,
    pub span: Span,
    /// Bytes; exceeds the type's size for an initialized flexible array member.
    pub size: u64,
    /// What nothing but its initializer may write (assumption C12).
    pub constant: ConstantBytes,
    /// False for an `extern` object that no unit defines: its content is unknown (an input).
    pub defined: bool,
    /// A header of the system declares it.
    pub system: bool,
    /// Static storage only.
    pub init: Vec<Initializer>,
    /// Whether an `AddrOf` of it exists outside direct accesses, so that pointers can reach it.
    pub address_taken: bool,
}

impl Variable {
    /// Whether it lives as long as the program.
    pub fn is_static(&self) -> bool {
        matches!(self.storage, Storage::Global(_) | Storage::Static(_) | Storage::Literal)
    }
    /// Whether nothing but its initializer may write any byte of it.
    pub fn is_constant(&self) -> bool {
        self.constant.is_all()
    }
    /// The function that owns it, for locals, parameters and temporaries.
    pub fn owner(&self) -> Option<FuncId> {
        match self.storage {
            Storage::Local(f) | Storage::Param(f, _) | Storage::Temp(f) => Some(f),
            _ => None,
        }
    }
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// A function type.
    pub ty: TypeId,
    pub linkage: Linkage,
    pub span: Span,
    /// Parameters in order; empty without a body.
    pub params: Vec<VarId>,
    /// Locals and temporaries.
    pub locals: Vec<VarId>,
    /// Empty without a body.
    pub blocks: IndexVec<BlockId, Block>,
    /// Declared `_Noreturn`.
    pub noreturn: bool,
    /// Set when the body was met but could not be lowered: the reason.
    pub failed: Option<String>,
    /// No declaration names it: a call alone does.
    pub undeclared: bool,
    /// A header of the system declares it.
    pub system: bool,
    /// The body was made from a library function's contract, for calls through its address, or is C text that models it.
    pub library: bool,
}

impl Function {
    /// Whether a body was lowered.
    pub fn has_body(&self) -> bool {
        !self.blocks.is_empty()
    }
    /// Statements, with what ends each block.
    pub fn length(&self) -> usize {
        self.blocks.iter().map(|b| b.stmts.len() + 1).sum()
    }
}

/// The entry block of every function.
pub const ENTRY: BlockId = BlockId(0);

/// A check site.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckSite {
    pub kind: CheckKind,
    pub function: FuncId,
    pub span: Span,
    /// What is judged, in C terms, for messages: `a / b`, `p->next`, `strcpy: write to dst`.
    pub subject: String,
}

/// What an input site yields.
#[derive(Clone, Debug, PartialEq)]
pub struct InputSite {
    /// In C terms: `rand()`, `getchar()`, `recv(): bytes`, `malloc() fails`.
    pub name: String,
    pub function: FuncId,
    pub span: Span,
    /// Stands for a computation that no contract describes (`strftime`, `erf`): among its values are such as no
    /// execution yields, so that a run which read one proves nothing definite.
    pub approximate: bool,
    /// What its bytes cannot be.
    pub excluded: Excluded,
}

/// Bytes that an input does not have: a line has no line feed but its last character, a word no white space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Excluded {
    pub bytes: &'static [u8],
    /// One of them may be the last character.
    pub may_end: bool,
    /// The characters are wide ones: which of them come for other bytes than those of ASCII nobody says (assumption D11).
    pub wide: bool,
}

impl Excluded {
    /// Bytes of a character.
    pub fn size(self) -> usize {
        const WIDE: usize = 4;
        if self.wide { WIDE } else { 1 }
    }

    /// Puts `_` in the place of what cannot be; of a wide character only the first byte stays.
    pub fn replace(self, bytes: &mut [u8]) {
        let size = self.size();
        let last = bytes.len() / size - usize::from(self.may_end && bytes.len() >= size);
        for (i, character) in bytes.chunks_exact_mut(size).enumerate() {
            let (first, others) = character.split_at_mut(1);
            others.fill(0);
            if (self.wide && !first[0].is_ascii()) || (i < last && self.bytes.contains(&first[0])) {
                first[0] = b'_';
            }
        }
    }
}

/// A call site.
#[derive(Clone, Debug, PartialEq)]
pub struct CallSite {
    pub function: FuncId,
    pub span: Span,
}

/// How memory is obtained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AllocKind {
    /// `malloc`, `calloc`, `realloc`, `strdup`, ...: must be freed.
    Heap,
    /// `alloca` and variable-length arrays: until the function returns.
    Stack,
    /// An opaque library object (`FILE`, `DIR`, ...) that the program may not look into.
    Opaque,
    /// Static library memory (`getenv`, `localtime`, ...): never freed.
    Static,
}

/// An allocation site.
#[derive(Clone, Debug, PartialEq)]
pub struct AllocSite {
    /// The allocating function: `malloc`, `fopen`, ...
    pub name: String,
    pub kind: AllocKind,
    pub function: FuncId,
    pub span: Span,
}

/// Something the front end met and could not lower.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsupported {
    /// The construct: `computed goto`, `inline assembly`, ...
    pub construct: String,
    /// The function it stands in, if any.
    pub function: Option<String>,
    pub span: Span,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    pub types: TypeTable,
    pub sources: SourceMap,
    pub variables: IndexVec<VarId, Variable>,
    pub functions: IndexVec<FuncId, Function>,
    pub sites: IndexVec<SiteId, CheckSite>,
    pub inputs: IndexVec<InputId, InputSite>,
    pub calls: IndexVec<CallId, CallSite>,
    pub allocs: IndexVec<AllocId, AllocSite>,
    pub unsupported: Vec<Unsupported>,
    /// The program may round floating numbers otherwise than to nearest, somewhere.
    pub rounds_otherwise: bool,
    /// What functions do whose text the program does not have.
    pub contracts: Arc<Contracts>,
    /// What the front end said on the way.
    pub diagnostics: Vec<Diagnostic>,
}

impl Program {
    /// An empty program.
    pub fn new(types: TypeTable, sources: SourceMap) -> Self {
        Program {
            types,
            sources,
            variables: IndexVec::new(),
            functions: IndexVec::new(),
            sites: IndexVec::new(),
            inputs: IndexVec::new(),
            calls: IndexVec::new(),
            allocs: IndexVec::new(),
            unsupported: Vec::new(),
            rounds_otherwise: false,
            contracts: Arc::default(),
            diagnostics: Vec::new(),
        }
    }
    /// The function with a body called `name`; one of external linkage first.
    pub fn function_named(&self, name: &str) -> Option<super::FuncId> {
        let with = |l| {
            self.functions
                .iter_enumerated()
                .find(|(_, f)| f.name == name && f.has_body() && f.linkage == l)
                .map(|(i, _)| i)
        };
        with(Linkage::External).or_else(|| with(Linkage::Internal))
    }
}
