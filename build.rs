//! Build steps, each a module of its own. Contents: obtain and link libcvc5.

#[path = "build/cvc5.rs"]
mod cvc5;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    cvc5::link();
}
