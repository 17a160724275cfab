//! Runs the host's C preprocessor on the units that the user names.
//!
//! Only flags that can change the preprocessed text are passed on (see `compile_flags`); macros are added that keep the C library's
//! headers from replacing functions by macros or by inline bodies, so that calls are seen under their own names.

mod system;

use super::compile_flags::{Dropped, preprocessor_flags};
use crate::base::{Diagnostic, Span};
use crate::ir::DataModel;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use system::system_folders;

/// How every unit is preprocessed.
#[derive(Clone, Debug)]
pub struct PreprocessOptions {
    pub model: DataModel,
    /// Flags for all units (after `--` on the command line), behind the unit's own.
    pub flags: Vec<String>,
    /// The compiler; `$CC`, else `cc`, when None. Words are split as by a shell (`ccache gcc`).
    pub compiler: Option<String>,
    /// Per unit.
    pub time_limit: Duration,
    /// Bytes of preprocessed text per unit; below 4 GiB.
    pub size_limit: usize,
    /// Texts of units that count instead of what lies on the disk.
    pub edited: Vec<EditedText>,
}

/// The text of a file that is not the one on the disk: an editor's, or one with a change that is tried. It counts where the file is a unit,
/// not where a unit includes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditedText {
    /// The file's one name, absolute and without links.
    pub path: PathBuf,
    pub text: Arc<str>,
}

impl PreprocessOptions {
    /// The host's compiler, one minute, 256 MiB.
    pub fn new(model: DataModel) -> Self {
        PreprocessOptions {
            model,
            flags: Vec::new(),
            compiler: None,
            time_limit: Duration::from_secs(60),
            size_limit: 256 << 20,
            edited: Vec::new(),
        }
    }
}

impl PreprocessOptions {
    /// The text that counts instead of the unit's file.
    fn edited_text(&self, unit: &UnitSource) -> Option<&str> {
        let path = (!self.edited.is_empty()).then(|| unit.path().canonicalize().ok()).flatten()?;
        self.edited.iter().find(|edited| edited.path == path).map(|edited| &*edited.text)
    }
}

/// A unit to preprocess.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitSource {
    /// As the user, or the compilation database, names it.
    pub file: String,
    /// Where the preprocessor runs; the current directory when None.
    pub directory: Option<PathBuf>,
    /// Compiler flags of this unit alone.
    pub flags: Vec<String>,
}

impl UnitSource {
    /// A file named on the command line.
    pub fn new(file: impl Into<String>) -> Self {
        UnitSource { file: file.into(), directory: None, flags: Vec::new() }
    }
    pub fn path(&self) -> PathBuf {
        self.directory.as_deref().map_or_else(|| PathBuf::from(&self.file), |d| d.join(&self.file))
    }
}

/// A unit after preprocessing, line markers kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreprocessedUnit {
    /// As in [`UnitSource::file`].
    pub file: String,
    pub text: Vec<u8>,
    /// About flags that were not passed on, and what the preprocessor warned of.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a unit has no preprocessed text.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessError {
    #[error("{file}: no such file")]
    Missing { file: String },
    #[error("{file}: this is a directory")]
    Directory { file: String },
    #[error("{file}: cannot be read: {cause}")]
    Unreadable { file: String, cause: std::io::Error },
    #[error("{file}: the file is empty")]
    Empty { file: String },
    #[error("{file}: this is no C source but binary data")]
    Binary { file: String },
    #[error("{file}: cannot run the preprocessor `{compiler}`: {cause}")]
    NoCompiler { file: String, compiler: String, cause: std::io::Error },
    #[error("{file}: the preprocessor failed:\n{message}")]
    Failed { file: String, message: String },
    #[error("{file}: the preprocessor took more than {} s", limit.as_secs())]
    Timeout { file: String, limit: Duration },
    #[error("{file}: more than {limit} bytes after preprocessing")]
    TooLarge { file: String, limit: usize },
}

impl PreprocessError {
    /// What the user can do about it.
    pub fn advice(&self) -> Option<String> {
        let advice = match self {
            PreprocessError::Missing { .. } => "check the path; relative paths start at the current folder",
            PreprocessError::Directory { .. } => {
                "name C files, or a folder that holds compile_commands.json with `-p FOLDER`"
            }
            PreprocessError::Unreadable { .. } => "check the file's permissions",
            PreprocessError::Empty { .. } | PreprocessError::TooLarge { .. } => return None,
            PreprocessError::Binary { .. } => "name the .c file, not what was compiled from it",
            PreprocessError::NoCompiler { .. } => "install a C compiler, or name one in the environment variable CC",
            PreprocessError::Failed { message, .. } if message.contains("No such file or directory") => {
                "give the folders of headers after `--`, as in `-- -Iinclude`, or use `-p` with compile_commands.json"
            }
            PreprocessError::Failed { .. } => "give the flags that the program is compiled with after `--`",
            PreprocessError::Timeout { .. } => "preprocess the file by hand (`cc -E`) and name the .i file",
        };
        Some(advice.to_owned())
    }
}

/// Macros for every unit; see the module's head.
const MACROS: &[&str] = &[
    "-O0",
    "-U_FORTIFY_SOURCE",
    "-D_FORTIFY_SOURCE=0",
    "-D__NO_CTYPE",
    "-D__NO_STRING_INLINES",
    "-D__NO_MATH_INLINES",
    "-D__NO_INLINE__",
];

/// The text of `unit` after preprocessing; `.i` files are read as they are.
pub fn preprocess(unit: &UnitSource, options: &PreprocessOptions) -> Result<PreprocessedUnit, PreprocessError> {
    let file = unit.file.clone();
    let edited = options.edited_text(unit);
    let source = match edited {
        Some(text) => text.as_bytes().to_vec(),
        None => read_source(unit, options)?,
    };
    if unit.file.ends_with(".i") {
        return Ok(PreprocessedUnit { file, text: source, diagnostics: Vec::new() });
    }
    let (flags, dropped) = preprocessor_flags(unit.flags.iter().chain(&options.flags));
    let mut diagnostics: Vec<Diagnostic> = dropped.iter().map(|d| flag_warning(&file, d)).collect();
    let failed = |r: &Result<Vec<u8>, PreprocessError>| matches!(r, Err(PreprocessError::Failed { .. }));
    let machine = match options.model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let mut result = run(unit, options, &flags, &[machine.to_owned()]);
    if options.model == DataModel::Ilp32 && failed(&result) {
        // The host's own headers, read for 32 bits, do as well as 32-bit ones that are not installed.
        if let Some(foreign) = ForeignHeaders::of(options) {
            result = run(unit, options, &flags, &foreign.flags()).map(|text| foreign.unnamed(&text)).or(result);
        }
    }
    if failed(&result) {
        // Compilers of other machines do not know the flag.
        let plain = run(unit, options, &flags, &[]);
        if plain.is_ok() && options.model == DataModel::Ilp32 {
            let message = format!("{file}: preprocessed for the host's own data model, as the compiler refuses -m32");
            let help = "install the 32-bit headers (libc6-dev-i386 on Debian)";
            diagnostics.push(Diagnostic::warning(Span::NONE, message).with_help(help));
        }
        result = plain.or(result);
    }
    let text = result?;
    Ok(PreprocessedUnit { file, text, diagnostics })
}

/// The folders that make a 64-bit GNU system's headers usable for 32 bits: those of the host's architecture, and one
/// with the list of missing functions that only 32-bit development packages bring.
struct ForeignHeaders {
    architecture: String,
    stubs: tempfile::TempDir,
}

impl ForeignHeaders {
    /// None when the compiler does not tell, or no folder can be made.
    fn of(options: &PreprocessOptions) -> Option<Self> {
        let words = compiler_words(options.compiler.as_ref());
        let told =
            Command::new(&words[0]).args(&words[1..]).arg("-print-multiarch").stdin(Stdio::null()).output().ok()?;
        let architecture = format!("/usr/include/{}", String::from_utf8(told.stdout).ok()?.trim());
        let stubs = tempfile::tempdir().ok()?;
        std::fs::create_dir(stubs.path().join("gnu")).ok()?;
        std::fs::write(stubs.path().join("gnu/stubs-32.h"), "").ok()?;
        Some(ForeignHeaders { architecture, stubs })
    }
    fn flags(&self) -> Vec<String> {
        let stubs = self.stubs.path().display().to_string();
        ["-m32", "-idirafter", &self.architecture, "-idirafter", &stubs].map(str::to_owned).to_vec()
    }

    /// `text` without the name of the folder that was made for this run: the same input gives the same text.
    fn unnamed(&self, text: &[u8]) -> Vec<u8> {
        let folder = self.stubs.path().as_os_str().as_encoded_bytes();
        let mut rest = text;
        let mut unnamed = Vec::with_capacity(text.len());
        while let Some(at) = rest.windows(folder.len()).position(|part| part == folder) {
            unnamed.extend_from_slice(&rest[..at]);
            rest = &rest[at + folder.len()..];
        }
        unnamed.extend_from_slice(rest);
        unnamed
    }
}

/// The flags that a unit is to be compiled with: what its meaning depends on, of its own and of those for all units.
pub fn unit_flags(unit: &UnitSource, flags: &[String]) -> Vec<String> {
    let machine = flags.iter().filter(|f| *f == "-m32").cloned();
    // With it several files may define a variable.
    let common = unit.flags.iter().chain(flags).filter(|f| *f == "-fcommon").cloned();
    preprocessor_flags(unit.flags.iter().chain(flags)).0.into_iter().chain(machine).chain(common).collect()
}

/// The compiler's command, at least one word: the one given, else `$CC`, else `cc`.
pub fn compiler_words(named: Option<&String>) -> Vec<String> {
    let named = named.cloned().or_else(|| std::env::var("CC").ok()).filter(|c| !c.trim().is_empty());
    let compiler = named.unwrap_or_else(|| "cc".into());
    shlex::split(&compiler).filter(|w| !w.is_empty()).unwrap_or_else(|| vec![compiler])
}

fn flag_warning(file: &str, dropped: &Dropped) -> Diagnostic {
    Diagnostic::warning(Span::NONE, format!("{file}: flag `{}` is ignored: {}", dropped.flag, dropped.effect))
}

/// The source's bytes, when they can be C.
fn read_source(unit: &UnitSource, options: &PreprocessOptions) -> Result<Vec<u8>, PreprocessError> {
    let file = || unit.file.clone();
    let path = unit.path();
    let unreadable = |cause: std::io::Error| match cause.kind() {
        ErrorKind::NotFound => PreprocessError::Missing { file: file() },
        _ => PreprocessError::Unreadable { file: file(), cause },
    };
    let metadata = std::fs::metadata(&path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(PreprocessError::Directory { file: file() });
    }
    if metadata.len() > options.size_limit as u64 {
        return Err(PreprocessError::TooLarge { file: file(), limit: options.size_limit });
    }
    let bytes = std::fs::read(&path).map_err(unreadable)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(PreprocessError::Empty { file: file() });
    }
    if bytes.contains(&0) {
        return Err(PreprocessError::Binary { file: file() });
    }
    Ok(bytes)
}

/// What the preprocessor prints.
fn run(
    unit: &UnitSource,
    options: &PreprocessOptions,
    flags: &[String],
    machine: &[String],
) -> Result<Vec<u8>, PreprocessError> {
    let file = || unit.file.clone();
    let words = compiler_words(options.compiler.as_ref());
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]).arg("-E").args(flags).args(MACROS).args(machine);
    // A name with a dash in front would be taken for a flag.
    let dash = if unit.file.starts_with('-') { "./" } else { "" };
    let edited = options.edited_text(unit);
    command.args(["-x", "c"]);
    match (edited, unit.path().parent()) {
        // Headers beside the file are found as if it were read from there.
        (Some(_), Some(folder)) => command.arg("-iquote").arg(absolute(folder)).arg("-"),
        _ => command.arg(format!("{dash}{}", unit.file)),
    };
    if let Some(directory) = &unit.directory {
        command.current_dir(directory);
    }
    // `__DATE__` and `__TIME__` are not those of now, so that the same source gives the same text.
    if std::env::var_os("SOURCE_DATE_EPOCH").is_none() {
        command.env("SOURCE_DATE_EPOCH", "0");
    }
    command.env("LC_ALL", "C").stdout(Stdio::piped()).stderr(Stdio::piped());
    command.stdin(if edited.is_some() { Stdio::piped() } else { Stdio::null() });
    let no_compiler = |cause| PreprocessError::NoCompiler { file: file(), compiler: words.join(" "), cause };
    let mut child = command.spawn().map_err(no_compiler)?;
    let limit = options.size_limit;
    let text = child.stdout.take().expect("stdout is piped");
    let messages = child.stderr.take().expect("stderr is piped");
    let input = child.stdin.take().zip(edited);
    let (text, messages, status) = std::thread::scope(|scope| {
        if let Some((mut input, edited)) = input {
            // The marker gives the text its name. A compiler that stops reading says why.
            let text = format!("# 1 \"{}\"\n{edited}", unit.file);
            scope.spawn(move || input.write_all(text.as_bytes()));
        }
        let text = scope.spawn(move || read_up_to(text, limit));
        let messages = scope.spawn(move || read_up_to(messages, 1 << 20));
        let status = wait(&mut child, options.time_limit);
        let joined = "reading a pipe does not panic";
        (text.join().expect(joined), messages.join().expect(joined), status)
    });
    if text.len() > limit {
        return Err(PreprocessError::TooLarge { file: file(), limit });
    }
    let Some(success) = status else {
        return Err(PreprocessError::Timeout { file: file(), limit: options.time_limit });
    };
    if !success {
        let message = String::from_utf8_lossy(&messages).trim_end().to_owned();
        return Err(PreprocessError::Failed { file: file(), message });
    }
    Ok(text)
}

/// A folder's name that holds from any other folder.
fn absolute(folder: &Path) -> PathBuf {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}

/// At most `limit + 1` bytes; then the pipe is closed, which stops the writer.
fn read_up_to(pipe: impl Read, limit: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A broken pipe ends the text; the exit status tells.
    let _ = pipe.take(limit as u64 + 1).read_to_end(&mut bytes);
    bytes
}

/// Whether the child succeeded; None when it was ended for its time.
fn wait(child: &mut Child, limit: Duration) -> Option<bool> {
    let end = Instant::now() + limit;
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status.success()),
            Ok(None) if Instant::now() < end => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(20));
            }
            Ok(None) => {
                // Failing to end what has just ended is no error.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            Err(_) => return Some(false),
        }
    }
}

/// Preprocesses the units with up to `jobs` at once; results in the units' order.
pub fn preprocess_units(
    units: &[UnitSource],
    options: &PreprocessOptions,
    jobs: usize,
) -> Vec<Result<PreprocessedUnit, PreprocessError>> {
    super::parallel::map(units, jobs, |unit| preprocess(unit, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(dir: &Path, name: &str, text: &[u8]) -> UnitSource {
        let path = dir.join(name);
        std::fs::write(&path, text).expect("the folder is writable");
        UnitSource::new(path.to_str().expect("the path is text"))
    }

    fn error(name: &str, text: &[u8]) -> PreprocessError {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let unit = write(dir.path(), name, text);
        preprocess(&unit, &PreprocessOptions::new(DataModel::Lp64)).expect_err("the unit is broken")
    }

    #[test]
    fn macros_and_markers_come_out() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let mut unit = write(dir.path(), "a.c", b"int x = N;\n");
        unit.flags = vec!["-DN=42".into(), "-c".into(), "-o".into(), "a.o".into()];
        let result = preprocess(&unit, &PreprocessOptions::new(DataModel::Lp64)).expect("the unit is fine");
        let text = String::from_utf8(result.text).expect("the text is ASCII");
        assert!(text.contains("int x = 42;"), "{text}");
        assert!(text.contains(&format!("# 1 \"{}\"", unit.file)), "{text}");
        assert!(!dir.path().join("a.o").exists());
    }

    #[test]
    fn headers_are_found_from_the_entry_directory() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(dir.path().join("include")).expect("the folder is writable");
        write(dir.path(), "include/h.h", b"int from_header;\n");
        write(dir.path(), "a.c", b"#include \"h.h\"\n");
        let unit = UnitSource {
            file: "a.c".into(),
            directory: Some(dir.path().to_owned()),
            flags: vec!["-I".into(), "include".into()],
        };
        let result = preprocess(&unit, &PreprocessOptions::new(DataModel::Lp64)).expect("the unit is fine");
        assert!(String::from_utf8_lossy(&result.text).contains("int from_header;"));
    }

    #[test]
    fn headers_have_the_asked_data_model() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let unit = write(dir.path(), "a.c", b"#include <stdint.h>\n#include <stdio.h>\nint size = __SIZEOF_LONG__;\n");
        for (model, size) in [(DataModel::Lp64, "size = 8"), (DataModel::Ilp32, "size = 4")] {
            let result = preprocess(&unit, &PreprocessOptions::new(model)).expect("the headers are there");
            let again = preprocess(&unit, &PreprocessOptions::new(model)).expect("the headers are there");
            assert!(result.text == again.text, "two runs give the same text");
            let text = String::from_utf8_lossy(&result.text);
            // Where the compiler cannot do it, it is said.
            assert!(text.contains(size) || !result.diagnostics.is_empty(), "{model:?}");
            assert!(text.contains("uint64_t;"));
        }
    }

    #[test]
    fn preprocessed_files_are_taken_as_they_are() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let unit = write(dir.path(), "a.i", b"# 7 \"b.c\"\nint x;\n");
        let result = preprocess(&unit, &PreprocessOptions::new(DataModel::Lp64)).expect("the unit is fine");
        assert_eq!(result.text, b"# 7 \"b.c\"\nint x;\n");
    }

    #[test]
    fn an_edited_text_counts_instead_of_the_file() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        std::fs::create_dir(dir.path().join("sub")).expect("the folder is writable");
        write(dir.path(), "sub/near.h", b"int near;\n");
        let mut unit = write(dir.path(), "sub/a.c", b"int old;\n");
        (unit.file, unit.directory) = ("sub/a.c".to_owned(), Some(dir.path().to_owned()));
        let path = unit.path().canonicalize().expect("it is there");
        let edited = vec![EditedText { path, text: "#include \"near.h\"\nint fresh;\n".into() }];
        let options = PreprocessOptions { edited, ..PreprocessOptions::new(DataModel::Lp64) };
        let text = preprocess(&unit, &options).expect("the unit is fine").text;
        let text = String::from_utf8(text).expect("the text is ASCII");
        assert!(text.contains("int fresh;") && text.contains("int near;") && !text.contains("int old;"), "{text}");
        assert!(text.contains("# 1 \"sub/a.c\""), "{text}");
    }

    #[test]
    fn each_defect_has_its_error() {
        assert!(matches!(error("a.c", b""), PreprocessError::Empty { .. }));
        assert!(matches!(error("a.c", b" \n"), PreprocessError::Empty { .. }));
        assert!(matches!(error("a.c", b"\x7fELF\0\0"), PreprocessError::Binary { .. }));
        let missing = error("a.c", b"#include <no/such/header.h>\n");
        assert!(missing.to_string().contains("no/such/header.h"), "{missing}");
        assert!(missing.advice().expect("there is advice").contains("-Iinclude"));
        let options = PreprocessOptions::new(DataModel::Lp64);
        let none = preprocess(&UnitSource::new("no/such/file.c"), &options).expect_err("there is no file");
        assert_eq!(none.to_string(), "no/such/file.c: no such file");
        let folder = preprocess(&UnitSource::new("."), &options).expect_err("it is a folder");
        assert!(matches!(folder, PreprocessError::Directory { .. }));
    }

    #[test]
    fn limits_hold() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let unit = write(dir.path(), "a.c", b"#define A(x) x x x x x x x x\nint a = A(A(A(A(+ 1))));\n");
        let mut options = PreprocessOptions::new(DataModel::Lp64);
        options.size_limit = 4096;
        assert!(matches!(preprocess(&unit, &options), Err(PreprocessError::TooLarge { limit: 4096, .. })));
        options.compiler = Some("no-such-compiler".into());
        assert!(matches!(preprocess(&unit, &options), Err(PreprocessError::NoCompiler { .. })));
        let slow = write(dir.path(), "slow.sh", b"#!/bin/sh\nexec sleep 20\n");
        options.compiler = Some(format!("sh {}", slow.file));
        options.time_limit = Duration::from_millis(50);
        assert!(matches!(preprocess(&unit, &options), Err(PreprocessError::Timeout { .. })));
    }
}
