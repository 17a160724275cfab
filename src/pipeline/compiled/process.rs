//! Runs of a compiled program.

use crate::engines::search::{Compiled, CompiledRun, Ended, Wanted};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;

/// What is new, as the runtime says it.
const EDGE: u32 = 1;
const COUNT: u32 = 2;
const CRASH: u32 = 4;
const CLOSER: u32 = 8;
const SAME: u32 = 16;

/// Words, files and bytes of both that the runtime has room for.
const WORDS: usize = 64;
const FILES: usize = 16;
const ROOM: usize = 1 << 22;

/// The process that makes the runs, each in a process of its own.
pub struct Process {
    child: Mutex<Child>,
    pipes: Mutex<(ChildStdin, BufReader<ChildStdout>)>,
}

impl Process {
    /// Starts a program that [`build`](fn@super::build::build) has made.
    pub fn start(program: &Path) -> io::Result<Process> {
        let mut child =
            Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (to, from) = pipes.ok_or_else(|| io::Error::other("no pipes"))?;
        Ok(Process { child: Mutex::new(child), pipes: Mutex::new((to, BufReader::new(from))) })
    }

    fn ask(
        &self,
        words: &[Vec<u8>],
        files: &[Vec<u8>],
        (wanted, most_edges): (Wanted, u32),
    ) -> io::Result<CompiledRun> {
        let mut request: Vec<u8> = Vec::new();
        let header = [wanted as u32, most_edges, words.len() as u32, files.len() as u32];
        header.iter().for_each(|word| request.extend(word.to_ne_bytes()));
        for bytes in words.iter().chain(files) {
            request.extend((bytes.len() as u32).to_ne_bytes());
            request.extend(bytes);
        }
        let mut pipes = self.pipes.lock().expect("no holder panics");
        let (to, from) = &mut *pipes;
        to.write_all(&request)?;
        let mut word = || -> io::Result<u32> {
            let mut bytes = [0; 4];
            from.read_exact(&mut bytes)?;
            Ok(u32::from_ne_bytes(bytes))
        };
        let (ended, new, pairs) = (word()?, word()?, word()?);
        let mut number = || -> io::Result<u64> {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            Ok(u64::from_ne_bytes(bytes))
        };
        let compared = (0..pairs).map(|_| Ok((number()?, number()?))).collect::<io::Result<_>>()?;
        let ended = match ended {
            0 => Ended::ByItself,
            1 => Ended::Crashed,
            _ => Ended::Stopped,
        };
        let has = |what: u32| new & what != 0;
        Ok(CompiledRun {
            ended,
            is_new: has(EDGE | COUNT),
            is_new_crash: has(CRASH),
            is_closer: has(CLOSER),
            is_same: has(SAME),
            compared,
        })
    }
}

impl Compiled for Process {
    fn run(&self, words: &[Vec<u8>], files: &[Vec<u8>], wanted: Wanted, most_edges: u32) -> Option<CompiledRun> {
        let bytes: usize = words.iter().chain(files).map(|bytes| bytes.len() + 1).sum();
        if words.len() > WORDS || files.len() > FILES || bytes > ROOM {
            return Some(CompiledRun::default());
        }
        self.ask(words, files, (wanted, most_edges)).ok()
    }

    fn stop(&self) {
        let mut child = self.child.lock().expect("no holder panics");
        // It may have ended.
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}
