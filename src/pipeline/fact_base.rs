//! The facts that questions are asked to: those of C files, with what engines find, or of a folder written earlier.

use super::clock::Ended;
use super::error::Error;
use super::listener::Listener;
use super::request::Request;
use super::rules::facts::{Wanted, add_engines, add_standing, emit_results};
use super::sources::entry::find_start;
use super::sources::folder::find;
use super::sources::load;
use super::sources::lowering::every_check;
use crate::facts::csv::INDEX;
use crate::facts::souffle::DECLARATIONS;
use crate::facts::sqlite::MAGIC;
use crate::facts::{Extent, FactStore, column, emit, read_csv, read_souffle, read_sqlite, row};
use crate::ir::CheckKind;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The facts that an earlier `cellog facts` wrote to `path`; None if it is no such folder or file.
pub fn read_facts(path: &Path) -> Result<Option<FactStore>, Error> {
    let read = if path.is_dir() && !has_sources(path) {
        read_folder(path).map(Some)
    } else if is_sqlite(path) {
        read_sqlite(path).map(Some)
    } else {
        Ok(None)
    };
    read.map_err(|error| Error::Usage(error.to_string()))
}

/// The facts of the program that is asked for, and those of engines that are `wanted`. `entry`: the function that the user has
/// named, if any.
pub fn program_facts(
    request: Request,
    entry: Option<&str>,
    wanted: Wanted,
    listener: Arc<dyn Listener>,
) -> Result<FactStore, Error> {
    if wanted.results {
        return analysed_facts(request, wanted, listener).map(|(facts, _)| facts);
    }
    let (profile, time) = (&request.profile, request.profile.run.time);
    let loaded = load(&request.sources, every_check(), request.jobs, time, &|stage| listener.stage(stage));
    listener.done();
    let loaded = loaded?;
    listener.input(&loaded.said(), false);
    let mut emitted = emit(&loaded.program);
    if let Some(entry) = entry {
        for function in find_start(&loaded.program, entry)?.functions() {
            let function = column::Function(emitted.names.function(*function));
            emitted.facts.entry_function.push(row::EntryFunction { function });
        }
    }
    if wanted.loops || wanted.verification {
        let start = find_start(&loaded.program, &request.entry)?;
        add_engines(&loaded.program, &start, wanted, (time, profile), &*listener, &mut emitted)?;
    }
    Ok(emitted.facts)
}

/// The facts of a program with what a check for everything finds, and more if it is `wanted`; and whether all of the input was
/// read.
pub fn analysed_facts(
    request: Request,
    wanted: Wanted,
    listener: Arc<dyn Listener>,
) -> Result<(FactStore, bool), Error> {
    let request = Request { checks: CheckKind::ALL.iter().copied().collect(), values: true, ..request };
    let (profile, config) = (request.profile.clone(), request.config.clone());
    let (mut results, ended) = request.analyse(Arc::clone(&listener));
    if let Some(loaded) = &results.loaded {
        listener.input(&loaded.said(), false);
    }
    if let Some(error) = results.failed.take() {
        return Err(error);
    }
    let (Some(loaded), Some(start)) = (&results.loaded, &results.start) else { return Err(ended.without_program()) };
    if let (Ended::Stopped { .. }, Some(why)) = (&ended, ended.why()) {
        listener.tell(&format!("cellog: {why}; the results are what was decided before"));
    }
    let mut emitted = emit_results(&loaded.program, start, &results);
    if wanted.standing {
        add_standing(&loaded.program, &results, &config, &loaded.folders, &mut emitted);
    }
    add_engines(&loaded.program, start, wanted, (profile.run.time, &profile), &*listener, &mut emitted)?;
    Ok((emitted.facts, loaded.unread.is_empty()))
}

/// Whether a folder is one of C files: it has some, and nothing says that it holds facts.
fn has_sources(folder: &Path) -> bool {
    let says = [INDEX, DECLARATIONS].iter().any(|name| folder.join(name).exists());
    !says && !find(folder).sources.is_empty()
}

fn is_sqlite(path: &Path) -> bool {
    let mut first = [0; MAGIC.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == *MAGIC
}

/// The facts in a folder, as whoever wrote it says.
fn read_folder(folder: &Path) -> Result<FactStore, crate::facts::FactError> {
    if folder.join(INDEX).exists() || !folder.join(DECLARATIONS).exists() {
        read_csv(folder, Extent::Whole)
    } else {
        read_souffle(folder)
    }
}
