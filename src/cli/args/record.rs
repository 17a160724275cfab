//! The options of `record`.

use clap::Args;
use std::path::PathBuf;

/// Runs a build and records which files it compiles with which flags, as a compilation database.
#[derive(Debug, Args)]
#[command(after_help = "\
While the build runs, small programs with the names of the compilers stand first on its PATH (and in CC, where that is a path): each
notes how it is called and then becomes the compiler. Two files are written: compile_commands.json, which other tools read too, and
link_commands.json beside it, which says which objects make which program: `check -p . --target NAME` chooses one.
Compilers that are called by their whole paths are not seen; CMake, which does that, writes the file itself with
-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, and Meson always does.

Exit status: 0 recorded, 2 the command failed or nothing was compiled.

Examples:
  make clean; cellog record -- make -j4
  cellog record -- sh -c './configure && make'
  cellog record --append -- make tests")]
pub struct RecordArgs {
    /// The file to write
    #[arg(short, long, value_name = "FILE", default_value = "compile_commands.json")]
    pub output: PathBuf,
    /// Keep what the file has already and this build does not make anew
    #[arg(long)]
    pub append: bool,
    /// The command that builds, with its arguments
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<String>,
}
