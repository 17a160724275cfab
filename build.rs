//! Build steps: obtain and link libcvc5, compile the schema and the rules.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
