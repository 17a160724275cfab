//! Builds a harness with the program under the sanitizers, runs it, and judges what is said.

use super::coverage::executions;
use super::harness::{Entry, Harness, PROGRAM_MAIN};
use super::judge::{Judgement, Replayed, invisible, place_of, reports};
use super::process::{Ended, run};
use crate::ir::CheckKind;
use crate::verdict::{Check, Finding};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A C file of the program.
#[derive(Clone, Debug)]
pub struct Unit {
    pub file: String,
    /// Where it is compiled; the current folder when None.
    pub directory: Option<PathBuf>,
    /// Its compiler flags.
    pub flags: Vec<String>,
}

/// All that a replay needs.
#[derive(Debug)]
pub struct Reproducer<'a> {
    pub finding: &'a Finding,
    pub harness: &'a Harness,
    pub entry: &'a Entry,
    pub units: &'a [Unit],
    /// The compiler's command.
    pub compiler: &'a [String],
    /// Of the program's run. One that does not end in it is tried once more with [`LONGER`] times as much.
    pub time_limit: Duration,
}

/// How long one call of the compiler may take.
const COMPILE: Duration = Duration::from_secs(120);
/// The second try of a run, on a machine that may have had much else to do.
const LONGER: u32 = 5;
/// Words of the compiler or the program that are shown.
const SHOWN_LINES: usize = 24;

/// How the sanitizers work: memory blocks of the size that was asked for, all errors told, no leaks.
const ENVIRONMENT: &[(&str, &str)] = &[
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:detect_stack_use_after_return=1:detect_invalid_pointer_pairs=2:allocator_may_return_null=1:\
         handle_abort=0:color=never:strict_string_checks=1:detect_odr_violation=0",
    ),
    ("UBSAN_OPTIONS", "print_stacktrace=1:color=never"),
    ("MSAN_OPTIONS", "color=never"),
];

/// The kind of check site that a finding is of; rules find nothing definite.
fn kind(finding: &Finding) -> Option<CheckKind> {
    match finding.check {
        Check::Site(kind) => Some(kind),
        Check::Rule(_) => None,
    }
}

/// The compiler flags for a check.
fn sanitizers(check: CheckKind) -> &'static [&'static str] {
    match check {
        CheckKind::UninitRead => &["-fsanitize=memory"],
        CheckKind::DivByZero => &["-fsanitize=address,undefined,float-divide-by-zero"],
        // Arrays at the end of records are looked at, too.
        CheckKind::IndexBound => &["-fsanitize=address,undefined", "-fsanitize=bounds-strict"],
        CheckKind::FloatConversion => &["-fsanitize=address,undefined,float-cast-overflow"],
        CheckKind::PointerDiff => &["-fsanitize=address,undefined", "-fsanitize=pointer-subtract"],
        CheckKind::PointerCompare => &["-fsanitize=address,undefined", "-fsanitize=pointer-compare"],
        CheckKind::UnsignedOverflow => &["-fsanitize=address,undefined,unsigned-integer-overflow"],
        CheckKind::Conversion => &["-fsanitize=address,undefined,implicit-conversion"],
        _ => &["-fsanitize=address,undefined"],
    }
}

/// What a sanitizer says when it ends the program.
const ENDED: &str = "==ABORTING";

/// What sanitizers are asked when the compiler does not know those of the check.
const PLAIN: &[&str] = &["-fsanitize=address,undefined"];

/// The commands that build the harness `file` with the program, one a unit and one to link, in the shell's words and with
/// the folder that each runs in. Objects go to `folder`.
struct Build {
    commands: Vec<(Vec<String>, Option<PathBuf>)>,
    program: PathBuf,
}

fn build(reproducer: &Reproducer<'_>, folder: &Path, file: &Path, flags: &[&str]) -> Build {
    let words = |list: &[&str]| list.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    let common = words(&["-g", "-O0", "-w", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE", "--coverage"]);
    let mut objects = Vec::new();
    let mut commands = Vec::new();
    let from_main = reproducer.entry.name == "main";
    // The machine that units are compiled for: what is linked with them is for the same one.
    let machine: Vec<String> = reproducer.units.first().map(|unit| machine_of(&unit.flags)).unwrap_or_default();
    let mut compile = |n: usize, file: &str, own: &[String], directory: Option<PathBuf>, harness: bool| {
        let object = folder.join(format!("{n}.o")).display().to_string();
        let mut command = reproducer.compiler.to_vec();
        command.extend(common.iter().cloned());
        command.extend(words(flags));
        command.extend(own.iter().cloned());
        if !harness {
            command.push(format!("-Dmain={PROGRAM_MAIN}"));
        }
        command.extend(words(&["-c", file, "-o", &object]));
        objects.push(object);
        commands.push((command, directory));
    };
    let includes = |file: &str| !from_main && file == reproducer.entry.file;
    let included = reproducer.units.iter().any(|unit| includes(&unit.file));
    for (n, unit) in reproducer.units.iter().enumerate() {
        if includes(&unit.file) {
            // The harness includes it; its `main` would be the program's.
            let folder = unit.directory.clone();
            let mut own = unit.flags.clone();
            own.push("-iquote.".to_owned());
            compile(n, &file.display().to_string(), &own, folder, true);
        } else {
            compile(n, &unit.file, &unit.flags, unit.directory.clone(), false);
        }
    }
    let beside = reproducer.units.len();
    if from_main {
        compile(beside, &file.display().to_string(), &machine, None, true);
    } else if let (false, Some(unit)) = (included, reproducer.units.first()) {
        // The entry is in a header: the harness includes that, and finds what it includes as a unit does.
        compile(beside, &file.display().to_string(), &unit.flags, unit.directory.clone(), true);
    }
    let program = folder.join("program");
    let mut link = reproducer.compiler.to_vec();
    link.extend(words(flags));
    link.extend(machine);
    link.push("--coverage".to_owned());
    link.extend(objects);
    // AddressSanitizer makes definitions of what `-fcommon` has linkers merge; they may take any.
    if reproducer.units.iter().any(|unit| unit.flags.iter().any(|flag| flag == "-fcommon")) {
        link.push("-Wl,--allow-multiple-definition".to_owned());
    }
    link.extend(reproducer.harness.wrapped.iter().map(|s| format!("-Wl,--wrap={s}")));
    // What no file defines is not called by the run that was found.
    link.extend(words(&[
        "-Wl,--unresolved-symbols=ignore-all",
        // Lazy binding has no form for such symbols, and the loader ends at them.
        "-Wl,-z,now",
        "-o",
        &program.display().to_string(),
        "-lm",
        "-lpthread",
    ]));
    commands.push((link, None));
    Build { commands, program }
}

/// The flags that say for which machine a unit is compiled; what is linked with it is for the same one.
pub fn machine_of(flags: &[String]) -> Vec<String> {
    flags.iter().filter(|flag| matches!(flag.as_str(), "-m32" | "-m64" | "-mx32")).cloned().collect()
}

/// Builds and runs the reproducer in `folder`, where all that it makes stays.
pub fn reproduce(reproducer: &Reproducer<'_>, folder: &Path) -> std::io::Result<Judgement> {
    let file = folder.join("harness.c");
    std::fs::write(&file, &reproducer.harness.text)?;
    let mut commands = Vec::new();
    let mut said = String::new();
    let own = kind(reproducer.finding).map_or(PLAIN, sanitizers);
    let sets: &[&[&str]] = if own == PLAIN { &[PLAIN] } else { &[own, PLAIN] };
    let mut failed = None;
    for flags in sets {
        commands.clear();
        let build = build(reproducer, folder, &file, flags);
        match compile(&build, &mut commands)? {
            None => {
                let (ended, limit) = run_program(reproducer, &build.program, folder)?;
                commands.push(shell(&[build.program.display().to_string()]));
                let replayed = judge(reproducer, &ended, limit, folder);
                return Ok(Judgement { replayed, commands, said: shortened(&ended.text) });
            }
            Some(Unbuilt { said: words, why }) => {
                said = words;
                failed = Some(Replayed::NotReproduced(why));
            }
        }
    }
    let replayed = failed.unwrap_or_else(|| Replayed::NotReproduced("nothing was built".to_owned()));
    Ok(Judgement { replayed, commands, said: shortened(&said) })
}

/// Runs the program; once more, and longer, when time was up before its error was told. With the limit of the last run.
fn run_program(reproducer: &Reproducer<'_>, program: &Path, folder: &Path) -> std::io::Result<(Ended, Duration)> {
    let words = [program.display().to_string()];
    let mut limit = reproducer.time_limit;
    let mut ended = run(&words, Some(folder), ENVIRONMENT, limit, false)?;
    let is_told = |ended: &Ended| reports(&ended.text).iter().any(|r| place_of(r, reproducer.finding).is_some());
    if ended.status.is_none() && !is_told(&ended) {
        limit = limit.saturating_mul(LONGER);
        ended = run(&words, Some(folder), ENVIRONMENT, limit, false)?;
    }
    Ok((ended, limit))
}

/// Why there is no program, and what the compiler said.
struct Unbuilt {
    said: String,
    why: String,
}

/// Runs the commands; why that failed, if it did.
fn compile(build: &Build, commands: &mut Vec<String>) -> std::io::Result<Option<Unbuilt>> {
    for (words, directory) in &build.commands {
        commands.push(shell(words));
        let ended = run(words, directory.as_deref(), &[], COMPILE, false)?;
        let why = match ended.status {
            Some(status) if status.success() => continue,
            Some(_) => "the program cannot be built with the harness".to_owned(),
            None => format!("building it was not finished in {} s", COMPILE.as_secs()),
        };
        return Ok(Some(Unbuilt { said: ended.text, why }));
    }
    Ok(None)
}

fn judge(reproducer: &Reproducer<'_>, ended: &Ended, limit: Duration, folder: &Path) -> Replayed {
    let finding = reproducer.finding;
    let reports = reports(&ended.text);
    if let Some((report, (file, line))) = reports.iter().find_map(|r| Some((r, place_of(r, finding)?))) {
        let message = report.message.split(" on ").next().unwrap_or_default();
        return Replayed::Confirmed(format!("{message} at {file}:{line}"));
    }
    let strayed = ended.text.lines().find(|l| l.contains("cellog-replay: ")).map(|l| format!("; {}", l.trim()));
    let unfed = match reproducer.harness.unfed.as_slice() {
        [] => String::new(),
        list => format!("; not fed: {}", list.join(", ")),
    };
    let remarks = format!("{}{unfed}", strayed.unwrap_or_default());
    let seconds = limit.as_secs_f64();
    if let (Some(report), None) = (reports.first().filter(|r| r.frames.is_empty()), ended.status) {
        let message = &report.message;
        return Replayed::NotReproduced(format!(
            "not finished in {seconds} s, and its place not told: {message}{remarks}"
        ));
    }
    let other = reports.first().map(|report| {
        let place = report.frames.first().map(|(_, file, line)| format!(" at {file}:{line}")).unwrap_or_default();
        format!("another error is reported: {}{place}", report.message)
    });
    let units = reproducer.units.iter().enumerate();
    let counters: Vec<_> = units.map(|(n, u)| (folder.join(format!("{n}.gcda")), u.directory.as_deref())).collect();
    // Without counters the program has not come to its end, nor has a sanitizer ended it.
    let executed = executions(&counters, &finding.location.file, finding.location.line, COMPILE);
    let unseen = kind(finding).map_or("", invisible);
    // What another error ends need not have come to this one, be the line executed or not; but this kind is never reported.
    let is_ended = ended.text.contains(ENDED) && kind(finding) != Some(CheckKind::UninitRead);
    match (executed.filter(|_| !is_ended), other, ended.status) {
        (Some(1..), None, Some(_)) => Replayed::NotVisible(unseen.to_owned()),
        (Some(1..), Some(other), Some(_)) => Replayed::NotVisible(format!("{unseen}; {other}")),
        (_, Some(other), _) => Replayed::NotReproduced(format!("{other}{remarks}")),
        (_, None, None) => Replayed::NotReproduced(format!("not finished in {seconds} s{remarks}")),
        (Some(0), None, Some(_)) => Replayed::NotReproduced(format!("the run does not come to the place{remarks}")),
        (None, None, Some(status)) => {
            Replayed::NotReproduced(format!("the program ends without a report ({status}){remarks}"))
        }
    }
}

/// Words as a shell takes them.
fn shell(words: &[String]) -> String {
    let quoted = |w: &String| match w.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,+:%@".contains(c)) {
        true => w.clone(),
        false => format!("'{}'", w.replace('\'', "'\\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty() && !l.starts_with("profiling:")).collect();
    let more = lines.len().saturating_sub(SHOWN_LINES);
    lines.truncate(SHOWN_LINES);
    let mut out = lines.join("\n");
    if more > 0 {
        out.push_str(&format!("\n... and {more} more lines"));
    }
    out
}
