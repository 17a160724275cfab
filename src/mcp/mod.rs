//! The analyzer for agents, over the Model Context Protocol.
//!
//! * [`serve`](mod@serve): the conversation; a line, a message. [`tools`]: what can be asked for. [`program`]: what it is asked of.
//! * [`report`]: findings of the last check, in few words. [`command`]: the commands of the command line that do the work, and pages of
//!   what they print. [`relations`]: the schema for questions.
//!
//! The protocol is spoken by hand: three kinds of messages of JSON-RPC, each in a line. Its Rust SDK, `rmcp`, would bring an asynchronous
//! runtime for a server that does one thing at a time.
//!
//! See: "Model Context Protocol Specification", revision 2025-06-18.
pub mod command;
pub mod program;
pub mod relations;
pub mod report;
pub mod serve;
pub mod tools;

pub use serve::serve;
