//! The intermediate representation: typed C as a control-flow graph with explicit conversions, check sites and inputs.
//!
//! * [`types`]: C types, records and layout per data model. [`constant`]: what of an object is `const`. [`padding`]: what of it no member has.
//! * [`place`] and [`expr`]: memory places and pure expressions.
//! * [`float`](mod@float): numbers of floating types, bit for bit.
//! * [`check`]: what can go wrong, as statements with sites.
//! * [`stmt`]: statements, blocks, terminators.
//! * [`library`]: library functions that engines know by contract. [`format`](mod@format): formats of `printf`.
//! * [`contracts`]: what functions do whose text the program does not have.
//! * [`program`]: variables, functions and the tables of a linked program.
//! * [`literal`]: string literals that may be one object.
//! * [`traces`]: functions of which it does not matter how often they are called.
//! * [`positions`]: a program apart from where its parts stand.
//! * [`part`]: some functions of a program, and what they name.
//! * [`visit`]: walks over what statements evaluate.
//! * [`cfg`](mod@cfg) and [`liveness`]: control-flow relations of a function.
//! * [`spell`]: expressions as C spells them, for messages.
//! * [`print`](mod@print): the stable text form; [`validate`](mod@validate): the IR's own well-formedness.
//!
//! Expressions have no side effects: the front end hoists calls, assignments and conditional evaluation into
//! statements and control flow. Whatever can err is judged by a [`check::Check`] statement that precedes its use, so that
//! evaluating an expression whose checks passed is total.
pub mod cfg;
pub mod check;
pub mod constant;
pub mod contracts;
pub mod entry;
pub mod expr;
pub mod float;
pub mod format;
pub mod library;
pub mod literal;
pub mod liveness;
pub mod padding;
pub mod part;
pub mod place;
pub mod positions;
pub mod print;
pub mod program;
pub mod spell;
pub mod stmt;
pub mod traces;
pub mod types;
pub mod validate;
pub mod visit;

#[cfg(test)]
pub(crate) mod sample;

pub use cfg::{Cfg, LoopId, NaturalLoop};
pub use check::{AccessMode, Check, CheckKind, SiteId};
pub use constant::{ConstantBytes, ConstantParts};
pub use contracts::Contracts;
pub use expr::{BinaryOp, Expr, ExprKind, UnaryOp};
pub use float::{Decimal, Real, Rounding};
pub use library::LibFn;
pub use liveness::Liveness;
pub use part::Part;
pub use place::{BitRange, Place, PlaceBase};
pub use print::{print_function, print_program};
pub use program::{
    AllocId, AllocKind, AllocSite, CallId, CheckSite, FuncId, Function, Initializer, InputId, InputSite, Linkage,
    Program, StaticValue, Storage, Unsupported, VarId, Variable,
};
pub use spell::{is_global, spell_expr, spell_place};
pub use stmt::{Block, BlockId, Callee, Case, Stmt, StmtKind, Terminator};
pub use types::{DataModel, FloatKind, FnType, IntKind, RecordId, Type, TypeId, TypeTable};
pub use validate::{Violation, validate};
