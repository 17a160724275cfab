//! The `verdict` room.
