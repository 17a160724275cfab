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
        CheckKind::ShiftOverflow => "left shift of a negative value, or out of its signed type",
        CheckKind::VlaBound => "array length not above 0",
        CheckKind::IndexBound => "index outside its array",
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

/// What the error is and why it matters, as a sentence or two.
pub fn explanation(check: CheckKind) -> &'static str {
    match check {
        CheckKind::DivByZero => {
            "The right operand of `/` or `%` is zero; C leaves the behaviour undefined (C11 6.5.5p5)."
        }
        CheckKind::SignedOverflow => {
            "A signed operation has a result that its type cannot represent; C leaves the behaviour undefined (C11 6.5p5)."
        }
        CheckKind::UnsignedOverflow => {
            "An unsigned operation has a result that its type cannot represent; C reduces it modulo 2^N (C11 6.2.5p9), \
             which is often not what was meant."
        }
        CheckKind::Conversion => {
            "An implicit conversion changes the value because the target type cannot represent it (C11 6.3.1.3)."
        }
        CheckKind::FloatConversion => {
            "The integral part of a floating-point value does not fit the integer type it is converted to; C leaves the \
             behaviour undefined (C11 6.3.1.4)."
        }
        CheckKind::Shift => {
            "The right operand of a shift is negative or not less than the width of the left one; C leaves the behaviour \
             undefined (C11 6.5.7p3)."
        }
        CheckKind::ShiftOverflow => {
            "The left operand of `<<` is negative, or bits are shifted into or past the sign; C leaves the behaviour undefined \
             (C11 6.5.7p4)."
        }
        CheckKind::VlaBound => {
            "The length of a variable-length array is 0 or negative; C leaves the behaviour undefined (C11 6.7.6.2p5)."
        }
        CheckKind::IndexBound => {
            "An index into an array inside a record or another array is not one of the array's elements; C leaves the behaviour \
             undefined (C11 6.5.6p8), also where what lies there belongs to the same object."
        }
        CheckKind::NullDeref => {
            "Memory is accessed, or a function called, through a null pointer or through one that points nowhere \
             (C11 6.5.3.2p4)."
        }
        CheckKind::OutOfBounds => {
            "An access leaves the object that its pointer belongs to; C leaves the behaviour undefined (C11 6.5.6p8)."
        }
        CheckKind::UseAfterFree => {
            "An object is accessed after its lifetime has ended: freed memory, or a variable whose block was left \
             (C11 6.2.4p2)."
        }
        CheckKind::DoubleFree => "A block is freed that has been freed before (C11 7.22.3.3p2).",
        CheckKind::InvalidFree => {
            "`free` or `realloc` gets a pointer that no allocation function returned (C11 7.22.3.3p2)."
        }
        CheckKind::UninitRead => "A value is used that was never set; it is indeterminate (C11 6.7.9p10, 6.3.2.1p2).",
        CheckKind::LibraryDomain => {
            "A library function gets an argument for which it has no result, such as `abs(INT_MIN)` (C11 7.1.4p1)."
        }
        CheckKind::PointerDiff => "Two pointers are subtracted that do not point into the same object (C11 6.5.6p9).",
        CheckKind::PointerCompare => "Two pointers are ordered that do not point into the same object (C11 6.5.8p5).",
        CheckKind::Assertion => "The condition of an `assert` is false.",
        CheckKind::UnreachCall => {
            "Control reaches a place that must not be reached: `reach_error`, `__VERIFIER_error` or a label `ERROR`."
        }
    }
}

/// What can be done about it.
pub fn advice(check: CheckKind) -> &'static str {
    match check {
        CheckKind::DivByZero => "Test the divisor before dividing.",
        CheckKind::SignedOverflow => "Test the operands against the type's limits first, or compute in a wider type.",
        CheckKind::UnsignedOverflow => "Test the operands against the type's limits first.",
        CheckKind::Conversion | CheckKind::FloatConversion => "Test the value against the target type's limits first.",
        CheckKind::Shift => "Test the count against the width first.",
        CheckKind::ShiftOverflow => "Shift an unsigned value: convert the left operand first.",
        CheckKind::VlaBound => "Test the length before the declaration.",
        CheckKind::IndexBound => "Test the index against the array's length.",
        CheckKind::NullDeref => "Test the pointer, or the result of the function that gave it.",
        CheckKind::OutOfBounds => "Test the index or the length against the object's size.",
        CheckKind::UseAfterFree => "Keep no pointer to what is freed or left; set it to NULL.",
        CheckKind::DoubleFree => "Free in one place, and set the pointer to NULL afterwards.",
        CheckKind::InvalidFree => "Free the pointer that the allocation function returned, and only such pointers.",
        CheckKind::UninitRead => "Set the variable on every path that leads to its use.",
        CheckKind::LibraryDomain => "Test the argument before the call.",
        CheckKind::PointerDiff | CheckKind::PointerCompare => "Compare offsets into the objects instead.",
        CheckKind::Assertion => "Correct the condition, or what should have made it true.",
        CheckKind::UnreachCall => "Follow the trace to the branch that should not have been taken.",
    }
}
