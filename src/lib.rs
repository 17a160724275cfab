//! Cellog: a declarative analyzer for C. ARCHITECTURE.md maps the rooms.
pub mod base;
pub mod cli;
pub mod concrete;
pub mod datalog;
pub mod domains;
pub mod encode;
pub mod engines;
pub mod facts;
pub mod frontend;
pub mod ir;
pub mod lsp;
pub mod mcp;
pub mod memory;
pub mod pipeline;
pub mod report;
pub mod smt;
pub mod verdict;
