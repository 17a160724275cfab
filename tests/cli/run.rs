//! Runs the binary in a folder of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a run of the binary ended.
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
    pub time: Duration,
}

/// The binary under test: the one that was built with the tests, or another one that `CELLOG_BINARY` names, which an optimized build may have made.
pub fn binary() -> PathBuf {
    std::env::var_os("CELLOG_BINARY").map_or_else(|| env!("CARGO_BIN_EXE_cellog").into(), PathBuf::from)
}

/// A temporary folder with source files.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with these files.
    pub fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder(tempfile::tempdir().expect("a temporary folder"));
        for (name, text) in files {
            folder.write(name, text.as_bytes());
        }
        folder
    }
    /// Adds a file.
    pub fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.path(name), bytes).expect("the folder is writable");
    }
    /// The path of a file in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    /// Runs the binary there.
    pub fn run(&self, args: &[&str]) -> Ended {
        self.run_in("", args)
    }
    /// Runs the binary in a folder of it.
    pub fn run_in(&self, folder: &str, args: &[&str]) -> Ended {
        let start = Instant::now();
        let output = Command::new(binary())
            .args(args)
            .current_dir(self.path(folder))
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
        Ended {
            status: output.status.code().expect("the binary ends by itself"),
            out: text(output.stdout),
            err: text(output.stderr),
            time: start.elapsed(),
        }
    }
}
