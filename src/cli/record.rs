//! `cellog record`: a build as a compilation database.

use super::args::RecordArgs;
use super::exit::ExitStatus;
use super::output::tell;
use crate::pipeline::Error;
use crate::pipeline::sources::record::database::write;
use crate::pipeline::sources::record::wrappers::Wrappers;

/// Runs `record`.
pub fn record(args: &RecordArgs) -> Result<ExitStatus, Error> {
    if !cfg!(unix) {
        return Err(Error::Usage("builds can be recorded on Unix alone".to_owned()));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let wrappers = Wrappers::new(&path, std::env::var("CC").ok().as_deref())?;
    let status = wrappers.run(&args.command, &path)?;
    let written = write(&wrappers.calls(), &args.output, args.append)?;
    if !status.success() {
        tell(&format!("cellog: {} ended with {status}", args.command.join(" ")));
    }
    let output = args.output.display();
    if written.now == 0 {
        return Err(Error::Usage(format!(
            "no compiler was called by its name, so {output} is not written\n\
             \x20 help: a build that is up to date compiles nothing: clean it first (make clean)\n\
             \x20 help: CMake calls compilers by their paths, and writes the file itself: -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"
        )));
    }
    let folder = match args.output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.display().to_string(),
        _ => ".".to_owned(),
    };
    let (files, links) = (written.files, written.links);
    tell(&format!(
        "cellog: {output} has {files} files, {links} programs and libraries; next: cellog check -p {folder}"
    ));
    Ok(if status.success() { ExitStatus::Clean } else { ExitStatus::Usage })
}
