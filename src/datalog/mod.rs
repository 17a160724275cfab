//! The `datalog` room.
