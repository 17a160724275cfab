//! The `base` room.
