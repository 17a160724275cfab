//! Ctrl-C ends an analysis with what is known, marked partial, and never green.

use crate::run::{Folder, binary};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A program whose runs never end: the search goes on until its time is up.
const ENDLESS: &str = "\
#include <stdlib.h>
int main(void) {
    int n = rand();
    for (;;) n = (n + 1) % 7;
}
";

/// Whether the process has said what it does at an interrupt.
fn is_ready(process: u32) -> bool {
    const SIGINT: u64 = 1 << 1;
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|l| l.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).is_ok_and(|mask| mask & SIGINT != 0)
}

#[test]
fn an_interrupted_check_says_what_is_known() {
    let folder = Folder::with(&[("a.c", ENDLESS)]);
    let mut child = Command::new(binary())
        .args(["check", "--jobs", "1", "a.c"])
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    while !is_ready(child.id()) && child.try_wait().is_ok_and(|s| s.is_none()) {
        std::thread::sleep(Duration::from_millis(2));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("the binary ends");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    // Before there is a program, nothing was analysed.
    match output.status.code() {
        Some(130) => assert!(out.contains("partial: interrupted while "), "{out}"),
        Some(4) => assert!(err.contains("nothing was analysed: interrupted while "), "{err}"),
        other => panic!("{other:?}: {out}{err}"),
    }
}
