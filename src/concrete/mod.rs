//! The `concrete` room.
