//! The `cellog` binary: everything is in the library's `cli`.
fn main() -> std::process::ExitCode {
    cellog::cli::run()
}
