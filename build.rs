//! Build steps, each a module of its own. Contents: obtain and link libcvc5, compile the schema and the rules.

#[path = "build/cvc5.rs"]
mod cvc5;
#[path = "build/rules.rs"]
mod rules;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    rules::compile();
    cvc5::link();
}
