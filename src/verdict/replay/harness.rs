//! The harness: one C file that feeds a precondition to a program and starts it.

use super::queues::{Argument, queues};
use super::stubs::{Stub, comment, float, integer, string, stub};
use super::unseen::unseen;
use crate::ir::entry::ROOM;
use crate::verdict::{Finding, InputBox, InputValue, Verdict};
use std::fmt::Write;

/// What a function gives back, as far as stubs can tell it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// An integer of at most 64 bits.
    Integer,
    Float,
    Double,
    /// Anything else.
    Other,
}

/// What a parameter gets of which a precondition says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    Zero,
    /// A pointer to an object of zeros.
    Object,
    /// A `FILE *`.
    Stream,
}

/// The function that executions start from.
#[derive(Clone, Debug)]
pub struct Entry {
    pub name: String,
    /// Its parameters' names, in order, and what is passed where the precondition says nothing.
    pub parameters: Vec<(String, Passing)>,
    /// The C file that defines it.
    pub file: String,
}

/// A harness.
#[derive(Debug)]
pub struct Harness {
    /// The C file; it includes the entry's file when that is not `main`.
    pub text: String,
    /// Symbols for the linker's `--wrap`.
    pub wrapped: Vec<String>,
    /// Inputs of the precondition that nothing feeds, in words.
    pub unfed: Vec<String>,
}

const RUNTIME: &str = include_str!("runtime.c");
const SCAN: &str = include_str!("scan.c");
/// Objects that the entry's parameters point to. They are no blocks of `malloc`, which may have a stub.
const GIVE: &str = "
int posix_memalign(void **, __typeof__(sizeof 0), __typeof__(sizeof 0));
static void *cellog_give(const char *bytes, unsigned long count, unsigned long size) {
    void *object = 0;
    unsigned long i;
    if (posix_memalign(&object, 16, size)) exit(2);
    for (i = 0; i < size; i++) ((char *)object)[i] = i < count ? bytes[i] : 0;
    return object;
}
";
/// What verifiers' programs call; the program's own definitions come first.
const VERIFIER: &str = "
__attribute__((weak)) void __VERIFIER_assume(int condition) {
    if (!condition) exit(0);
}
__attribute__((weak)) void reach_error(void) {
    fprintf(stderr, \"cellog-replay: the forbidden place is reached\\n\");
    abort();
}
__attribute__((weak)) void __VERIFIER_error(void) {
    reach_error();
}
";

/// The name of the program's own `main` in a build with a harness.
pub const PROGRAM_MAIN: &str = "cellog_program_main";

impl Harness {
    /// The harness for a definite finding; `result` tells what functions give back.
    pub fn new(finding: &Finding, entry: &Entry, result: &dyn Fn(&str) -> ResultType) -> Harness {
        let precondition: &[InputBox] = match &finding.verdict {
            Verdict::Definite(failure) => &failure.precondition,
            _ => &[],
        };
        let queues = queues(precondition);
        let mut unfed: Vec<String> = queues.unfed.iter().map(|i| i.clause("")).collect();
        let mut stubs: Vec<Stub> = Vec::new();
        for (function, inputs) in &queues.functions {
            match stub(function, inputs, result(function)) {
                Some(stub) => stubs.push(stub),
                // An allocation that succeeds needs no help.
                None if inputs.iter().all(|(role, _)| *role == super::queues::Role::Fails) => {}
                None => unfed.push(format!("{function}() runs as it is")),
            }
        }
        stubs.extend(unseen(&finding.subject));
        let mut text = head(finding, precondition);
        if entry.name != "main" {
            let file = string(entry.file.as_bytes());
            let _ = writeln!(text, "#define main {PROGRAM_MAIN}\n#include {file}\n#undef main\n");
        }
        text.push_str(RUNTIME);
        if stubs.iter().any(|s| s.scans) {
            text.push_str(SCAN);
        }
        let passes = |what| entry.parameters.iter().any(|(_, passing)| *passing == what);
        if stubs.iter().any(|s| s.opens) || passes(Passing::Stream) {
            text.push_str(&opening(queues.functions.contains_key("fopen")));
        }
        stubs.iter().for_each(|s| text.push_str(&s.text));
        text.push_str(VERIFIER);
        if passes(Passing::Object) {
            text.push_str(GIVE);
        }
        text.push_str(&match entry.name.as_str() {
            "main" => start_main(queues.argc, &queues.argv, &queues.envp),
            name => {
                let value = |(p, passing): &(String, Passing)| match queues.parameters.get(p.as_str()) {
                    Some(Argument::Value(value)) => constant(value),
                    Some(Argument::Object { bytes, counted }) => given(bytes, *counted),
                    None => match passing {
                        Passing::Zero => "0".to_owned(),
                        Passing::Object => given(&[], false),
                        Passing::Stream => "cellog_open()".to_owned(),
                    },
                };
                let arguments: Vec<String> = entry.parameters.iter().map(value).collect();
                format!("\nint main(void) {{\n    {name}({});\n    return 0;\n}}\n", arguments.join(", "))
            }
        });
        Harness { text, wrapped: stubs.into_iter().flat_map(|s| s.symbols).collect(), unfed }
    }
}

/// The harness's function that opens a stream. Where `fopen` has a stub, that is led around.
fn opening(has_stub: bool) -> String {
    let (declared, fopen) = match has_stub {
        true => ("void *__real_fopen(const char *, const char *);\n", "__real_fopen"),
        false => ("", "fopen"),
    };
    format!("\n{declared}static void *cellog_open(void) {{\n    return {fopen}(\"/dev/null\", \"r+\");\n}}\n")
}

/// The comment that says what the file shows.
fn head(finding: &Finding, precondition: &[InputBox]) -> String {
    let mut out = format!(
        "/* A reproducer of: {}\n * at {} in {}(), finding {}.\n",
        comment(&finding.message()),
        comment(&finding.location.to_string()),
        finding.function,
        finding.id
    );
    out.push_str(" * It errs when\n");
    if precondition.is_empty() {
        out.push_str(" *   (always)\n");
    }
    for input in precondition {
        let _ = writeln!(out, " *   {}", comment(&input.clause(&finding.location.file)));
    }
    out.push_str(" */\n");
    out
}

/// A `main` that calls the program's with these arguments.
fn start_main(argc: Option<i128>, argv: &[&[u8]], envp: &[&[u8]]) -> String {
    let program: &[&[u8]] = &[b"program"];
    let argv = if argv.is_empty() && argc.is_none() { program } else { argv };
    let mut out = format!("\nint {PROGRAM_MAIN}();\n");
    let mut list = |name: &str, strings: &[&[u8]]| {
        for (i, s) in strings.iter().enumerate() {
            let _ = writeln!(out, "static char cellog_{name}_{i}[] = {};", string(s));
        }
        let names: Vec<String> = (0..strings.len()).map(|i| format!("cellog_{name}_{i}, ")).collect();
        let _ = writeln!(out, "static char *cellog_{name}[] = {{ {}0 }};", names.concat());
    };
    list("argv", argv);
    list("envp", envp);
    let count = argc.map_or(argv.len().to_string(), |n| format!("(int){}", integer(n)));
    let _ = write!(out, "int main(void) {{\n    return {PROGRAM_MAIN}({count}, cellog_argv, cellog_envp);\n}}\n");
    out
}

/// A pointer to these bytes, with room behind them if they are not counted.
fn given(bytes: &[u8], counted: bool) -> String {
    let size = if counted { bytes.len() as u64 } else { ROOM };
    format!("cellog_give({}, {}, {size})", string(bytes), bytes.len())
}

/// A value as a constant of C.
fn constant(value: &InputValue) -> String {
    match value {
        InputValue::Int { low, .. } => integer(*low),
        InputValue::Float { low, .. } => float(*low),
        InputValue::Bytes(bytes) | InputValue::ByteRanges { low: bytes, .. } => string(bytes),
    }
}
