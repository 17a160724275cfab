//! C types, hash-consed, with sizes and alignments per data model.
//!
//! Enumerations are lowered to their integer type and qualifiers are dropped: neither changes what an access does. That a member is `const` is kept for what
//! it says of its object.

use super::constant::TooManyParts;
use crate::base::IndexVec;
use rustc_hash::FxHashMap;
use std::ops::Range;

crate::new_index! {
    /// A type in a [`TypeTable`]; equal types have equal ids (records by identity).
    pub struct TypeId = "t";
    /// A struct or union.
    pub struct RecordId = "rec";
}

/// Sizes and alignments of the scalar types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DataModel {
    /// 64-bit long and pointers (x86-64 System V).
    Lp64,
    /// 32-bit int, long and pointers (i386 System V: 8-byte scalars aligned to 4 in records).
    Ilp32,
}

/// The integer types; plain `char` is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// Whether negative values exist.
    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }
    /// C11 6.3.1.1 conversion rank, comparable.
    pub fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            Bool => 0,
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }
    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar => UChar,
            Short => UShort,
            Int => UInt,
            Long => ULong,
            LongLong => ULongLong,
            Int128 => UInt128,
            k => k,
        }
    }
    /// The C spelling.
    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Bool => "_Bool",
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

/// The real floating types. `long double` and `_Float128` are stored in 16 bytes (12 for ilp32's `long double`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatKind {
    Float,
    Double,
    LongDouble,
    Float128,
}

/// A function's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FnType {
    pub result: TypeId,
    /// Parameter types after adjustment (arrays and functions are pointers).
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// False for `int f()`: any arguments are allowed.
    pub prototyped: bool,
}

/// A C type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    Int(IntKind),
    Float(FloatKind),
    Pointer(TypeId),
    /// Element and count; no count for incomplete arrays.
    Array(TypeId, Option<u64>),
    /// Variable-length array: element and a number that tells such types apart. No variable or place of the IR has it:
    /// the front end keeps the array behind a pointer and its size in a temporary.
    Vla(TypeId, u32),
    Record(RecordId),
    Function(FnType),
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// None for anonymous members and padding bit-fields.
    pub name: Option<String>,
    pub ty: TypeId,
    /// Byte offset; for a bit-field that of its storage unit.
    pub offset: u64,
    /// Bit-field: position within the storage unit of type `ty`, from the least significant bit.
    pub bits: Option<super::BitRange>,
    /// Declared `const`.
    pub is_const: bool,
}

/// A struct or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The tag, or a made-up name such as `<anonymous struct at f.c:3>`.
    pub name: String,
    pub is_union: bool,
    /// An expression of the program's text names a member of it.
    pub is_accessed: bool,
    /// None until the definition is met.
    pub layout: Option<Layout>,
}

/// Fields and extent of a complete record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub fields: Vec<Field>,
    /// Bytes.
    pub size: u64,
    /// Bytes.
    pub align: u64,
    /// The last member is an array without a length: objects may be larger than `size`.
    pub is_open: bool,
    /// What the members make constant ([`TypeTable::constant_members`]).
    pub constant: Result<Vec<Range<u64>>, TooManyParts>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct TypeTable {
    pub model: DataModel,
    types: IndexVec<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: IndexVec<RecordId, Record>,
}

impl TypeTable {
    /// A table that holds `void`, the scalar types and nothing else.
    pub fn new(model: DataModel) -> Self {
        let mut table =
            TypeTable { model, types: IndexVec::new(), ids: FxHashMap::default(), records: IndexVec::new() };
        for ty in FIXED {
            table.intern(ty.clone());
        }
        table
    }
    /// The id of `ty`.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }
    /// The type of an id.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }
    /// All types with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.types.iter_enumerated()
    }
    /// The integer type `kind`.
    pub fn int(&self, kind: IntKind) -> TypeId {
        self.ids[&Type::Int(kind)]
    }
    /// The floating type `kind`.
    pub fn float(&self, kind: FloatKind) -> TypeId {
        self.ids[&Type::Float(kind)]
    }
    /// `void`.
    pub fn void(&self) -> TypeId {
        self.ids[&Type::Void]
    }
    /// Pointer to `target`.
    pub fn pointer(&mut self, target: TypeId) -> TypeId {
        self.intern(Type::Pointer(target))
    }
    /// `void *`, present in every table.
    pub fn void_ptr(&self) -> TypeId {
        self.ids[&Type::Pointer(self.void())]
    }
    /// `char *`, present in every table.
    pub fn char_ptr(&self) -> TypeId {
        self.ids[&Type::Pointer(self.int(IntKind::Char))]
    }
    /// Array of `len` elements.
    pub fn array(&mut self, elem: TypeId, len: Option<u64>) -> TypeId {
        self.intern(Type::Array(elem, len))
    }
    /// `size_t`.
    pub fn size_type(&self) -> TypeId {
        self.int(match self.model {
            DataModel::Lp64 => IntKind::ULong,
            DataModel::Ilp32 => IntKind::UInt,
        })
    }
    /// `ptrdiff_t`.
    pub fn ptrdiff_type(&self) -> TypeId {
        self.int(match self.model {
            DataModel::Lp64 => IntKind::Long,
            DataModel::Ilp32 => IntKind::Int,
        })
    }
    /// `PTRDIFF_MAX`, the most bytes that an object has.
    pub fn greatest_size(&self) -> i128 {
        match self.model {
            DataModel::Lp64 => i128::from(i64::MAX),
            DataModel::Ilp32 => i128::from(i32::MAX),
        }
    }
    /// Bytes of a pointer.
    pub fn pointer_size(&self) -> u64 {
        match self.model {
            DataModel::Lp64 => 8,
            DataModel::Ilp32 => 4,
        }
    }
    /// Bytes of an integer type.
    pub fn int_size(&self, kind: IntKind) -> u64 {
        use IntKind::*;
        match kind {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => self.pointer_size(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }
    /// Bits of an integer type; `_Bool` has 1 value bit but is stored in 8.
    pub fn int_bits(&self, kind: IntKind) -> u32 {
        (self.int_size(kind) * 8) as u32
    }
    /// Bytes of a type; None when incomplete. `void` and functions have size 1 (GNU).
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        Some(match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(k) => self.int_size(*k),
            Type::Float(FloatKind::Float) => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(FloatKind::LongDouble) if self.model == DataModel::Ilp32 => 12,
            Type::Float(_) => 16,
            Type::Pointer(_) => self.pointer_size(),
            Type::Array(e, n) => self.size_of(*e)?.checked_mul((*n)?)?,
            Type::Vla(..) => return None,
            Type::Record(r) => self.records[*r].layout.as_ref()?.size,
        })
    }
    /// Alignment in bytes as a record member; 1 when incomplete.
    pub fn align_of(&self, id: TypeId) -> u64 {
        let ilp32 = self.model == DataModel::Ilp32;
        match self.get(id) {
            Type::Void | Type::Function(_) => 1,
            Type::Int(k) => match self.int_size(*k) {
                8 if ilp32 => 4,
                n => n,
            },
            Type::Float(FloatKind::Float) => 4,
            Type::Float(FloatKind::Double | FloatKind::LongDouble) if ilp32 => 4,
            Type::Float(FloatKind::Double) => 8,
            Type::Float(_) => 16,
            Type::Pointer(_) => self.pointer_size(),
            Type::Array(e, _) | Type::Vla(e, _) => self.align_of(*e),
            Type::Record(r) => self.records[*r].layout.as_ref().map_or(1, |l| l.align),
        }
    }
    /// The integer kind, if an integer type.
    pub fn as_int(&self, id: TypeId) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(k) => Some(*k),
            _ => None,
        }
    }
    /// Least and greatest value of an integer type, as mathematical integers. `unsigned __int128` is cut at `i128::MAX`.
    pub fn int_range(&self, kind: IntKind) -> (i128, i128) {
        if kind == IntKind::Bool {
            return (0, 1);
        }
        let bits = self.int_bits(kind);
        match (kind.signed(), bits) {
            (true, 128) => (i128::MIN, i128::MAX),
            (false, 128) => (0, i128::MAX),
            (true, b) => (-(1i128 << (b - 1)), (1i128 << (b - 1)) - 1),
            (false, b) => (0, (1i128 << b) - 1),
        }
    }
    /// `value` reduced modulo the type's width into its range (C11 6.3.1.3; `_Bool`: whether it is not 0).
    /// `unsigned __int128` values are kept as the `i128` of the same bits.
    pub fn wrap(&self, kind: IntKind, value: i128) -> i128 {
        if kind == IntKind::Bool {
            return i128::from(value != 0);
        }
        wrap_bits(value, self.int_bits(kind), kind.signed())
    }
    /// `value` reduced to an address.
    pub fn wrap_address(&self, value: i128) -> i128 {
        wrap_bits(value, 8 * self.pointer_size() as u32, false)
    }
    /// Integer, floating or pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Int(_) | Type::Float(_) | Type::Pointer(_))
    }
    /// Pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }
    /// What a pointer points to.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match self.get(id) {
            Type::Pointer(t) => Some(*t),
            _ => None,
        }
    }
    /// Struct or union layout, when complete.
    pub fn layout(&self, id: TypeId) -> Option<&Layout> {
        match self.get(id) {
            Type::Record(r) => self.records[*r].layout.as_ref(),
            _ => None,
        }
    }
    /// A C-like spelling for messages.
    pub fn describe(&self, id: TypeId) -> String {
        match self.get(id) {
            Type::Void => "void".into(),
            Type::Int(k) => k.name().into(),
            Type::Float(FloatKind::Float) => "float".into(),
            Type::Float(FloatKind::Double) => "double".into(),
            Type::Float(FloatKind::LongDouble) => "long double".into(),
            Type::Float(FloatKind::Float128) => "_Float128".into(),
            Type::Pointer(t) => match self.get(*t) {
                Type::Function(f) => self.describe_function(f, "(*)"),
                _ => format!("{} *", self.describe(*t)),
            },
            Type::Array(e, Some(n)) => format!("{}[{n}]", self.describe(*e)),
            Type::Array(e, None) => format!("{}[]", self.describe(*e)),
            Type::Vla(e, _) => format!("{}[*]", self.describe(*e)),
            Type::Record(r) => {
                let r = &self.records[*r];
                format!("{} {}", if r.is_union { "union" } else { "struct" }, r.name)
            }
            Type::Function(f) => self.describe_function(f, ""),
        }
    }
    fn describe_function(&self, f: &FnType, declarator: &str) -> String {
        let mut params: Vec<String> = f.params.iter().map(|p| self.describe(*p)).collect();
        if f.variadic {
            params.push("...".into());
        }
        if params.is_empty() && f.prototyped {
            params.push("void".into());
        }
        format!("{} {declarator}({})", self.describe(f.result), params.join(", "))
    }
}

/// `value` modulo `2^bits`, as a signed or unsigned number; with 128 bits the `i128` of the same bits.
pub fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    if bits == 0 {
        return 0;
    }
    let shift = 128 - bits;
    if signed { (value << shift) >> shift } else { (((value as u128) << shift) >> shift) as i128 }
}

/// Types with fixed ids, present in every table.
static FIXED: &[Type] = &[
    Type::Void,
    Type::Int(IntKind::Bool),
    Type::Int(IntKind::Char),
    Type::Int(IntKind::SChar),
    Type::Int(IntKind::UChar),
    Type::Int(IntKind::Short),
    Type::Int(IntKind::UShort),
    Type::Int(IntKind::Int),
    Type::Int(IntKind::UInt),
    Type::Int(IntKind::Long),
    Type::Int(IntKind::ULong),
    Type::Int(IntKind::LongLong),
    Type::Int(IntKind::ULongLong),
    Type::Int(IntKind::Int128),
    Type::Int(IntKind::UInt128),
    Type::Float(FloatKind::Float),
    Type::Float(FloatKind::Double),
    Type::Float(FloatKind::LongDouble),
    Type::Float(FloatKind::Float128),
    Type::Pointer(TypeId(0)),
    Type::Pointer(TypeId(2)),
];
