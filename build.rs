//! Build steps, each a module of its own. Contents: obtain and link libcvc5, compile the schema and the rules, embed their texts.

#[path = "build/cvc5.rs"]
mod cvc5;
#[path = "build/rule_files.rs"]
mod rule_files;
#[path = "build/rules.rs"]
mod rules;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    rules::compile();
    rule_files::embed();
    cvc5::link();
}
