//! Small programs, built and run.

use super::build::build;
use super::process::Process;
use crate::engines::search::{Compiled, CompiledRun, Ended, Wanted};
use crate::frontend::preprocess::compiler_words;
use crate::verdict::replay::Unit;
use std::path::Path;
use std::time::Duration;

/// Edges that a run may take.
const EDGES: u32 = 100_000;
/// What the compiler may take.
const LIMIT: Duration = Duration::from_secs(60);

/// A program of this text, in a folder.
fn started(text: &str, folder: &Path) -> Process {
    let file = folder.join("program.c");
    std::fs::write(&file, text).expect("the folder can be written");
    let unit = Unit { file: file.display().to_string(), directory: None, flags: Vec::new() };
    let program = build(&[unit], &compiler_words(None), folder, LIMIT).expect("the program is built");
    Process::start(&program).expect("the program starts")
}

fn words(list: &[&str]) -> Vec<Vec<u8>> {
    list.iter().map(|word| word.as_bytes().to_vec()).collect()
}

/// A run with these contents of files.
fn run(process: &Process, files: &[&str]) -> CompiledRun {
    process.run(&words(&["program"]), &words(files), Wanted::News, EDGES).expect("the process answers")
}

#[test]
fn runs_say_what_is_new() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let process = started(
        "#include <stdio.h>
         int main(void) {
             int c = getchar();
             if (c == 'a') puts(\"a\");
             if (c == 'b') *(volatile int *)8 = 1;
             while (c == 'c') ;
             return 0;
         }",
        folder.path(),
    );
    let said = |content: &str| {
        let run = run(&process, &[content]);
        (run.ended, run.is_new, run.is_new_crash)
    };
    assert_eq!(said("x"), (Ended::ByItself, true, false));
    assert_eq!(said("y"), (Ended::ByItself, false, false));
    assert_eq!(said("a"), (Ended::ByItself, true, false));
    assert_eq!(said("b"), (Ended::Crashed, true, true));
    assert_eq!(said("b"), (Ended::Crashed, false, false));
    assert_eq!(said("c").0, Ended::Stopped);
    let huge = "x".repeat(1 << 23);
    assert_eq!(said(&huge), (Ended::Stopped, false, false), "there is no room for it");
    assert_eq!(said("x"), (Ended::ByItself, false, false), "it goes on");
}

#[test]
fn compared_numbers_are_told() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let process = started(
        "#include <stdio.h>
         int main(void) {
             unsigned n = 0;
             if (fread(&n, sizeof n, 1, stdin) == 1 && n == 123456789) puts(\"found\");
             switch (n) { case 70001: puts(\"a\"); break; case 80002: puts(\"b\"); break; case 90003: puts(\"c\"); }
             return 0;
         }",
        folder.path(),
    );
    let told = process
        .run(&words(&["program"]), &words(&["abcd"]), Wanted::Compared, EDGES)
        .expect("the process answers")
        .compared;
    let found = u64::from(u32::from_le_bytes(*b"abcd"));
    for wanted in [123456789, 70001, 80002, 90003] {
        assert!(told.iter().any(|(a, b)| [(found, wanted), (wanted, found)].contains(&(*a, *b))), "{wanted}: {told:?}");
    }
}

#[test]
fn files_come_in_the_order_in_which_they_are_read() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let process = started(
        "#include <stdio.h>
         #include <sys/stat.h>
         #include <stdlib.h>
         int main(int argc, char **argv) {
             struct stat status;
             if (argc != 3 || stat(argv[1], &status) || status.st_size != 3) return 1;
             FILE *second = fopen(argv[2], \"r\"), *first = fopen(argv[1], \"r\"), *out = fopen(\"out\", \"w\");
             if (!first || !second || !out || fputc('x', out) != 'x' || fclose(out)) return 1;
             if (fopen(\"third\", \"r\") || fgetc(first) != '1' || fgetc(second) != '2') return 1;
             abort();
         }",
        folder.path(),
    );
    let run = |list: &[&str]| {
        process.run(&words(list), &words(&["1st", "2"]), Wanted::News, EDGES).expect("the process answers").ended
    };
    assert_eq!(run(&["program"]), Ended::ByItself);
    assert_eq!(run(&["program", "one", "two"]), Ended::Crashed);
}

#[test]
fn a_file_that_is_opened_first_may_be_read_last() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let process = started(
        "#include <stdio.h>
         #include <stdlib.h>
         int main(int argc, char **argv) {
             FILE *last, *first;
             int n;
             if (argc != 3 || !(last = fopen(argv[1], \"r\")) || !(first = fopen(argv[2], \"r\"))) return 1;
             if (fscanf(first, \"%d\", &n) != 1 || n != 12) return 1;
             if (fseek(last, 0, SEEK_END) || ftell(last) != 6 || getchar() != EOF) return 1;
             abort();
         }",
        folder.path(),
    );
    let run = |files: &[&str]| {
        process
            .run(&words(&["program", "a", "b"]), &words(files), Wanted::News, EDGES)
            .expect("the process answers")
            .ended
    };
    assert_eq!(run(&["123456", "12"]), Ended::ByItself);
    assert_eq!(run(&["12", "123456"]), Ended::Crashed);
}

#[test]
fn runs_are_shut_in() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let kept = folder.path().join("kept");
    std::fs::write(&kept, "kept").expect("the folder can be written");
    let text = format!(
        "#include <fcntl.h>
         #include <signal.h>
         #include <stdlib.h>
         #include <sys/socket.h>
         #include <sys/syscall.h>
         #include <unistd.h>
         int main(void) {{
             const char *kept = \"{kept}\", *made = \"{kept}.made\";
             int wrong = 0;
             wrong |= syscall(SYS_openat, AT_FDCWD, made, O_WRONLY | O_CREAT, 0600) >= 0;
             wrong |= syscall(SYS_openat, AT_FDCWD, kept, O_RDONLY) >= 0;
             wrong |= fork() >= 0;
             wrong |= system(\"touch {kept}.made\") == 0;
             wrong |= socket(AF_INET, SOCK_STREAM, 0) >= 0;
             wrong |= kill(getppid(), SIGKILL) == 0;
             wrong |= unlink(kept) != 0;
             pause();
             if (wrong) abort();
             return 0;
         }}",
        kept = kept.display()
    );
    let process = started(&text, folder.path());
    assert_eq!(run(&process, &[""]).ended, Ended::ByItself);
    assert_eq!(std::fs::read_to_string(&kept).expect("it is still there"), "kept");
    assert!(!folder.path().join("kept.made").exists());
}

#[test]
fn a_program_that_cannot_be_built_says_why() {
    let folder = tempfile::tempdir().expect("there is a folder");
    let file = folder.path().join("program.c");
    std::fs::write(&file, "int main(void) { return nothing; }").expect("the folder can be written");
    let unit = Unit { file: file.display().to_string(), directory: None, flags: Vec::new() };
    let why = build(&[unit], &compiler_words(None), folder.path(), LIMIT).expect_err("it has an error");
    assert!(why.contains("nothing"), "{why}");
}
