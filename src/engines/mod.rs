//! The `engines` room.
