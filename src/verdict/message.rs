//! What each kind of check says when it fails.

use crate::ir::CheckKind;

/// The error, as a noun phrase: `division by zero`.
pub fn error_phrase(check: CheckKind) -> &'static str {
    match check {
        CheckKind::DivByZero => "division by zero",
        CheckKind::SignedOverflow => "signed integer overflow",
        CheckKind::UnsignedOverflow => "unsigned integer wrap-around",
        CheckKind::Conversion => "implicit conversion changes the value",
        CheckKind::FloatConversion => "float out of the integer type's range",
        CheckKind::Shift => "shift count out of range",
        CheckKind::NullDeref => "access through a null or invalid pointer",
        CheckKind::OutOfBounds => "access out of bounds",
        CheckKind::UseAfterFree => "access to an object whose lifetime has ended",
        CheckKind::DoubleFree => "block freed twice",
        CheckKind::InvalidFree => "free of something that is no heap block",
        CheckKind::UninitRead => "read of an uninitialized value",
        CheckKind::PointerDiff => "subtraction of pointers to different objects",
        CheckKind::PointerCompare => "comparison of pointers to different objects",
        CheckKind::Assertion => "assertion fails",
        CheckKind::UnreachCall => "forbidden place is reached",
        CheckKind::LibraryDomain => "argument outside a library function's domain",
    }
}
