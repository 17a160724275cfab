//! Processes with an end.

use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Bytes of a process's words that are kept.
const KEPT: usize = 1 << 20;
/// How often it is asked whether a process has ended.
const TICK: Duration = Duration::from_millis(5);

/// How a process ended.
#[derive(Debug)]
pub struct Ended {
    /// None when it was stopped at the time limit.
    pub status: Option<ExitStatus>,
    /// What it wrote to standard error, or to standard output where that was asked for.
    pub text: String,
}

/// Runs `words` in `folder` with `environment` added, for at most `limit`; keeps what it writes to standard error, or to
/// standard output when `output`.
pub fn run(
    words: &[String],
    folder: Option<&Path>,
    environment: &[(&str, &str)],
    limit: Duration,
    output: bool,
) -> std::io::Result<Ended> {
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).envs(environment.iter().copied()).stdin(Stdio::null());
    let (kept, other) = (Stdio::piped(), Stdio::null());
    if output {
        command.stdout(kept).stderr(other);
    } else {
        command.stdout(other).stderr(kept);
    }
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    let mut child = command.spawn()?;
    let mut source: Box<dyn Read + Send> = match (child.stdout.take(), child.stderr.take()) {
        (Some(out), _) => Box::new(out),
        (_, Some(err)) => Box::new(err),
        _ => Box::new(std::io::empty()),
    };
    // Read to the end, so that the process never waits for its reader.
    let text = Arc::new(Mutex::new(Vec::new()));
    let (all_read, read) = channel();
    let theirs = Arc::clone(&text);
    std::thread::spawn(move || {
        let mut part = [0; 1 << 14];
        while let Ok(n @ 1..) = source.read(&mut part) {
            let mut text = theirs.lock().expect("no holder panics");
            let room = KEPT - text.len();
            text.extend_from_slice(&part[..n.min(room)]);
        }
        // Nobody may wait for it any more.
        let _ = all_read.send(());
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() >= limit {
            // It may have ended in between.
            let _ = child.kill();
            child.wait()?;
            break None;
        }
        std::thread::sleep(TICK);
    };
    // A process that it has left behind may keep the pipe open.
    let _ = read.recv_timeout(Duration::from_secs(1));
    let text = String::from_utf8_lossy(&text.lock().expect("no holder panics")).into_owned();
    Ok(Ended { status, text })
}
