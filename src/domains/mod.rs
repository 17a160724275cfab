//! The `domains` room.
