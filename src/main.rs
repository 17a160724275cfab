//! The `cellog` binary: everything is in the library's `cli`.
fn main() {
    cellog::cli::run()
}
