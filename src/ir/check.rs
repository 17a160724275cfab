//! Check sites: every place that can go wrong, as a statement that stands before the operation it judges.

use super::{BinaryOp, Expr, Place, TypeId};

crate::new_index! {
    /// A check site of the program.
    pub struct SiteId = "site";
}

/// What a site judges; [`CheckKind::name`] is the spelling of `--checks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CheckKind {
    /// Divisor of `/` or `%` is 0.
    DivByZero,
    /// A signed integer operation leaves its type (also `INT_MIN / -1`).
    SignedOverflow,
    /// An unsigned integer operation wraps (not an error of C; off unless asked).
    UnsignedOverflow,
    /// An implicit integer conversion changes the value (not an error of C; off unless asked).
    Conversion,
    /// A float's integral part does not fit the integer type (C11 6.3.1.4).
    FloatConversion,
    /// A shift count is negative or not below the width.
    Shift,
    /// `<<` of a negative value, or out of what its signed type holds (C11 6.5.7p4).
    ShiftOverflow,
    /// The length of a variable-length array is not above 0.
    VlaBound,
    /// An index into an array that is part of an object is below 0, or not below the array's length (C11 6.5.6p8).
    IndexBound,
    /// The pointer is NULL, no pointer to any object, not initialized, or a write goes to a constant object.
    NullDeref,
    /// The access leaves its object.
    OutOfBounds,
    /// The object's lifetime has ended: freed heap, a returned function's or a left block's variable.
    UseAfterFree,
    /// `free` of a block that is freed already.
    DoubleFree,
    /// `free` of what `malloc` did not return: inside a block, stack, global.
    InvalidFree,
    /// A read of an indeterminate value.
    UninitRead,
    /// Subtraction of pointers to different objects.
    PointerDiff,
    /// `<`, `<=`, `>`, `>=` between pointers to different objects.
    PointerCompare,
    /// `assert(e)` with `e` zero.
    Assertion,
    /// Control reaches `reach_error`, `__VERIFIER_error` or a label `ERROR`.
    UnreachCall,
    /// An argument for which a library function has no result: `abs(INT_MIN)` (off unless asked).
    LibraryDomain,
}

impl CheckKind {
    /// All kinds, in the order of reports.
    pub const ALL: &'static [CheckKind] = &[
        CheckKind::DivByZero,
        CheckKind::SignedOverflow,
        CheckKind::UnsignedOverflow,
        CheckKind::Conversion,
        CheckKind::FloatConversion,
        CheckKind::Shift,
        CheckKind::ShiftOverflow,
        CheckKind::VlaBound,
        CheckKind::IndexBound,
        CheckKind::NullDeref,
        CheckKind::OutOfBounds,
        CheckKind::UseAfterFree,
        CheckKind::DoubleFree,
        CheckKind::InvalidFree,
        CheckKind::UninitRead,
        CheckKind::PointerDiff,
        CheckKind::PointerCompare,
        CheckKind::Assertion,
        CheckKind::UnreachCall,
        CheckKind::LibraryDomain,
    ];
    /// The name on the command line, in JSON and in relations.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::DivByZero => "div-by-zero",
            CheckKind::SignedOverflow => "signed-overflow",
            CheckKind::UnsignedOverflow => "unsigned-overflow",
            CheckKind::Conversion => "conversion",
            CheckKind::FloatConversion => "float-conversion",
            CheckKind::Shift => "shift",
            CheckKind::ShiftOverflow => "shift-overflow",
            CheckKind::VlaBound => "vla-bound",
            CheckKind::IndexBound => "index-bound",
            CheckKind::NullDeref => "null-deref",
            CheckKind::OutOfBounds => "out-of-bounds",
            CheckKind::UseAfterFree => "use-after-free",
            CheckKind::DoubleFree => "double-free",
            CheckKind::InvalidFree => "invalid-free",
            CheckKind::UninitRead => "uninit-read",
            CheckKind::PointerDiff => "pointer-diff",
            CheckKind::PointerCompare => "pointer-compare",
            CheckKind::Assertion => "assertion",
            CheckKind::UnreachCall => "unreach-call",
            CheckKind::LibraryDomain => "library-domain",
        }
    }
    /// The kind called `name`.
    pub fn from_name(name: &str) -> Option<CheckKind> {
        Self::ALL.iter().copied().find(|k| k.name() == name)
    }
    /// What `--checks default` has.
    pub fn defaults() -> impl Iterator<Item = CheckKind> {
        Self::ALL.iter().copied().filter(|kind| kind.by_default())
    }
    /// Whether `--checks default` has it.
    pub fn by_default(self) -> bool {
        !matches!(self, CheckKind::UnsignedOverflow | CheckKind::Conversion | CheckKind::LibraryDomain)
    }
    /// Whether no execution goes on after the check fails, whoever asked for it: what comes next has no meaning. After other
    /// errors the operation still yields something on every machine.
    pub fn is_fatal(self) -> bool {
        self.is_memory()
            || matches!(
                self,
                CheckKind::DivByZero | CheckKind::VlaBound | CheckKind::Assertion | CheckKind::UnreachCall
            )
    }
    /// Whether compiled programs go on after the check fails, with a result that hardly depends on the machine: an execution can be followed past it. It has
    /// erred nevertheless.
    pub fn may_be_passed(self) -> bool {
        matches!(
            self,
            CheckKind::SignedOverflow
                | CheckKind::FloatConversion
                | CheckKind::IndexBound
                | CheckKind::UninitRead
                | CheckKind::PointerDiff
                | CheckKind::PointerCompare
        )
    }
    /// Whether it is about pointers to different objects: which lies before the other is the machine's matter.
    pub fn is_by_order(self) -> bool {
        matches!(self, CheckKind::PointerDiff | CheckKind::PointerCompare)
    }
    /// Whether memory is accessed or freed.
    pub fn is_memory(self) -> bool {
        matches!(
            self,
            CheckKind::NullDeref
                | CheckKind::OutOfBounds
                | CheckKind::UseAfterFree
                | CheckKind::DoubleFree
                | CheckKind::InvalidFree
        )
    }
    /// Whether execution goes on, with a result that C or every compiler in use defines, after the check fails.
    pub fn continues(self) -> bool {
        matches!(self, CheckKind::UnsignedOverflow | CheckKind::Conversion | CheckKind::ShiftOverflow)
    }
}

/// Whether memory is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessMode {
    Read,
    Write,
}

/// A check with its operands. Sites that are `None` cannot fail by the program's text (a named array needs no NULL check).
/// Sites of one check are judged in the order null, dangling, (uninit,) bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// `size` bytes from `ptr` may be accessed. `size` is of `size_t`; an access of 0 bytes always passes.
    Access { ptr: Expr, size: Expr, mode: AccessMode, null: Option<SiteId>, dangling: Option<SiteId>, bounds: SiteId },
    /// A zero-terminated string of characters of `char_size` bytes can be read from `ptr`: every character up to and
    /// with the first zero, or the first `max` characters, lies in the object, and, where `uninit` is a site, is determinate.
    /// The characters are judged in their order.
    Terminated {
        ptr: Expr,
        char_size: u8,
        max: Option<Expr>,
        null: Option<SiteId>,
        dangling: Option<SiteId>,
        uninit: Option<SiteId>,
        bounds: SiteId,
    },
    /// The scalar at `place` has been initialized.
    Initialized { site: SiteId, place: Place },
    /// `divisor` is not 0.
    NonZero { site: SiteId, divisor: Expr },
    /// `lhs op rhs` (Add, Sub, Mul, Div, Rem; negation is `0 - x`) computed without bounds lies in the operands' integer type `ty`.
    NoOverflow { site: SiteId, op: BinaryOp, lhs: Expr, rhs: Expr, ty: TypeId },
    /// `value` lies in integer type `to`, or, with `bits`, in its bit-field of that width; floats: their integral part.
    Fits { site: SiteId, value: Expr, to: TypeId, bits: Option<u8> },
    /// `0 <= count < width`.
    ShiftCount { site: SiteId, count: Expr, width: u32 },
    /// Both pointers point to, or one past, the same object (or both are NULL).
    SameObject { site: SiteId, lhs: Expr, rhs: Expr },
    /// `ptr` is NULL or the start of a live heap block.
    Freeable { ptr: Expr, double: SiteId, invalid: SiteId },
    /// An indirect call's `ptr` is a function's address.
    Callable { ptr: Expr, null: SiteId },
    /// `cond` (an `int`) is not 0. A left shift passes where its operand is at most what the type's greatest value shifted right is.
    Holds { site: SiteId, cond: Expr },
}

impl Check {
    /// The sites that this check judges, in order.
    pub fn sites(&self) -> impl Iterator<Item = SiteId> {
        let four = match *self {
            Check::Access { null, dangling, bounds, .. } => [null, dangling, Some(bounds), None],
            Check::Terminated { null, dangling, uninit, bounds, .. } => [null, dangling, uninit, Some(bounds)],
            Check::Initialized { site, .. }
            | Check::NonZero { site, .. }
            | Check::NoOverflow { site, .. }
            | Check::Fits { site, .. }
            | Check::ShiftCount { site, .. }
            | Check::SameObject { site, .. }
            | Check::Holds { site, .. } => [Some(site), None, None, None],
            Check::Freeable { double, invalid, .. } => [Some(invalid), Some(double), None, None],
            Check::Callable { null, .. } => [Some(null), None, None, None],
        };
        four.into_iter().flatten()
    }
}
