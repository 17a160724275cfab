//! The command line.
/// Runs the command line and returns the exit status.
pub fn run() -> std::process::ExitCode {
    std::process::ExitCode::from(2)
}
