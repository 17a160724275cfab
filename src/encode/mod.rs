//! The `encode` room.
