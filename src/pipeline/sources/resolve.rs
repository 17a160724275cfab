//! Folders, and builds of several programs, to the programs that are meant.
//!
//! Files that are named are one program, as they are. A folder stands for the C files in it: with the flags of a
//! `compile_commands.json` in or around it, else with flags that are guessed ([`super::guess`]). Several programs are told apart by
//! the links of the build, else by what their units want of each other ([`super::programs`]).

use super::entry::{ALL, MAIN};
use super::folder::{Found, find, spelled};
use super::guess::{Guess, guess};
use super::load::{UNIT_LIMIT, read_input, real, units};
use super::named::Sources;
use super::programs::{NamedUnit, Programs, programs};
use crate::base::SourceMap;
use crate::frontend::compile_commands::{all_compile_commands, linked_programs};
use crate::frontend::lower::unit_names;
use crate::frontend::parse::parse_units;
use crate::frontend::preprocess::system_folders;
use crate::pipeline::error::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the units of no program are called.
const REST: &str = "rest";
/// The file that holds flags.
const DATABASE: &str = "compile_commands.json";
/// Folders, seen from that of a project, that builds leave their commands in.
pub const BUILD_FOLDERS: [&str; 3] = [".", "build", "builddir"];
/// Names listed in one text.
const LISTED: usize = 8;

/// A program that is meant.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// What it is called where there are others.
    pub name: String,
    pub sources: Sources,
    /// Whether nothing in it is a `main`, as far as is known.
    pub is_library: bool,
}

/// The programs that are meant, and what their user should know of how they were found.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    pub programs: Vec<Chosen>,
    pub said: Vec<String>,
}

impl Resolution {
    /// The program, where it must be one.
    pub fn only(mut self) -> Result<Chosen, Error> {
        match self.programs.len() {
            1 => Ok(self.programs.remove(0)),
            several => {
                let names = listed(self.programs.iter().map(|program| program.name.as_str()));
                Err(Error::Usage(format!("these are {several} programs; choose one with --target: {names}")))
            }
        }
    }
}

/// The programs that `sources` mean for executions that start in `entry`.
///
/// # Errors
/// Nothing is there to be read, or no program is called as the user says.
pub fn resolve(sources: &Sources, entry: &str, jobs: usize) -> Result<Resolution, Error> {
    let mut resolution = Resolution::default();
    let has_folder = sources.files.iter().any(|name| Path::new(name).is_dir());
    let sources = match (&sources.build_dir, has_folder) {
        (None, false) if sources.target.is_some() => {
            let help = "`--target` chooses among the programs of a folder, or of a build folder (`-p`)";
            return Err(Error::Usage(help.to_owned()));
        }
        (None, false) => return Ok(Resolution { programs: vec![whole(sources.clone())], said: Vec::new() }),
        (Some(build), true) => entries_in(sources, build.clone())?,
        (None, true) => match database_for(&sources.files) {
            Some(build) => {
                let note = format!("flags are those of {}", spelled(&build.join(DATABASE)));
                resolution.said.push(note);
                entries_in(sources, build)?
            }
            None => without_database(sources, &mut resolution.said)?,
        },
        (Some(_), false) => sources.clone(),
    };
    if let Some(build) = sources.build_dir.clone() {
        tell_neighbours(&sources, &build, &mut resolution.said);
        let linked = linked_programs(&build).map_err(|error| Error::Usage(error.to_string()))?;
        if sources.files.is_empty() {
            let chosen = |name: String| Chosen {
                sources: Sources { target: Some(name.clone()), ..sources.clone() },
                name,
                is_library: false,
            };
            match (&sources.target, linked.len()) {
                (Some(_), 1..) => resolution.programs.push(whole(sources)),
                (None, 2..) => resolution.programs.extend(linked.into_iter().map(chosen)),
                _ => by_names(&sources, entry, jobs, has_folder, &mut resolution)?,
            }
            return Ok(resolution);
        }
    }
    by_names(&sources, entry, jobs, has_folder, &mut resolution)?;
    Ok(resolution)
}

/// All of `sources` as one program.
fn whole(sources: Sources) -> Chosen {
    Chosen { name: String::new(), sources, is_library: false }
}

/// The build folder whose database has flags for the files of these folders: theirs, or one around them, not farther than the current one.
fn database_for(folders: &[String]) -> Option<PathBuf> {
    let has = |folder: &PathBuf| folder.join(DATABASE).is_file();
    let named = folders.iter().map(Path::new).find(|path| path.is_dir())?;
    let here = real(Path::new("."));
    let around = named.ancestors().take_while(|folder| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        *folder == *named || real(folder).starts_with(&here)
    });
    let mut found = around.flat_map(|folder| BUILD_FOLDERS.map(|build| folder.join(build)));
    found.find(has).map(|folder| match spelled(&folder) {
        name if name.is_empty() => PathBuf::from("."),
        name => PathBuf::from(name.strip_suffix("/.").unwrap_or(&name)),
    })
}

/// The entries of a database for the files that are named and those in the folders that are.
fn entries_in(sources: &Sources, build: PathBuf) -> Result<Sources, Error> {
    let units = all_compile_commands(&build, None).map_err(|error| Error::Usage(error.to_string()))?;
    let known: Vec<PathBuf> = units.iter().map(|unit| real(&unit.path())).collect();
    let mut files = Vec::new();
    for name in &sources.files {
        if !Path::new(name).is_dir() {
            files.push(name.clone());
            continue;
        }
        let folder = real(Path::new(name));
        let inside: Vec<String> =
            known.iter().filter(|path| path.starts_with(&folder)).map(|p| p.display().to_string()).collect();
        if inside.is_empty() {
            return Err(Error::Usage(format!(
                "{name}: {} has no entry of a file in it",
                build.join(DATABASE).display()
            )));
        }
        // All of the database is what links tell of.
        if inside.len() == known.len() && sources.files.len() == 1 {
            return Ok(Sources { build_dir: Some(build), files: Vec::new(), ..sources.clone() });
        }
        files.extend(inside);
    }
    Ok(Sources { build_dir: Some(build), files, ..sources.clone() })
}

/// Says which of the files that are named get the flags of another.
fn tell_neighbours(sources: &Sources, build: &Path, said: &mut Vec<String>) {
    let Ok(units) = all_compile_commands(build, None) else { return };
    let known: BTreeSet<PathBuf> = units.iter().map(|unit| real(&unit.path())).collect();
    for name in sources.files.iter().filter(|name| !known.contains(&real(Path::new(name)))) {
        let of = super::load::neighbour(Path::new(name), &units).map(|unit| unit.file.clone()).unwrap_or_default();
        said.push(format!("{name}: {} has no entry of this file, its flags are those of {of}", build.display()));
    }
}

/// The C files of folders, with flags that are guessed.
fn without_database(sources: &Sources, said: &mut Vec<String>) -> Result<Sources, Error> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    let mut project = Found::default();
    for name in &sources.files {
        let path = Path::new(name);
        if !path.is_dir() {
            files.push(name.clone());
            continue;
        }
        let found = find(path);
        if found.sources.is_empty() {
            let help = "name C files, or a folder that has some";
            return Err(Error::Usage(format!("{name}: no C file in this folder or those below it\n  help: {help}")));
        }
        if found.cut {
            return Err(Error::Usage(format!(
                "{name}: this folder holds too many files; name the folders of one program"
            )));
        }
        files.extend(found.sources.iter().map(|source| spelled(source)));
        folders.push(name.as_str());
        // Headers often lie beside the folder of the sources.
        let here = real(path).starts_with(real(Path::new(".")));
        let around = if here { find(Path::new(".")) } else { found };
        project.headers.extend(around.headers.into_iter().map(|header| PathBuf::from(spelled(&header))));
        project.templates.extend(around.templates.into_iter().map(|template| PathBuf::from(spelled(&template))));
    }
    for list in [&mut project.headers, &mut project.templates] {
        list.sort();
        list.dedup();
    }
    let mut seen = BTreeSet::new();
    files.retain(|file| seen.insert(real(Path::new(file))));
    let paths: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
    let read = |path: &Path| std::fs::read(path).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let Guess { flags, unmade } = guess(&paths, &project, &system_folders(), read);
    let flags_said = if flags.is_empty() { "none".to_owned() } else { flags.join(" ") };
    said.push(format!(
        "{}: {} C files and no {DATABASE}; flags are guessed: {flags_said} (yours stand behind `--`; `cellog record -- make` \
         takes those of the build)",
        folders.join(" "),
        files.len()
    ));
    for (header, template) in unmade {
        said.push(format!("{header} is not there and would be made from {template}: configure or build the project first, or what depends on it is read without"));
    }
    let flags = flags.into_iter().chain(sources.flags.iter().cloned()).collect();
    Ok(Sources { files, flags, ..sources.clone() })
}

/// The programs among units of which nobody says what they make.
fn by_names(
    sources: &Sources,
    entry: &str,
    jobs: usize,
    from_folder: bool,
    resolution: &mut Resolution,
) -> Result<(), Error> {
    let Resolution { programs: chosen, said } = resolution;
    if !from_folder && sources.target.is_none() && !may_be_several(sources)? {
        chosen.push(whole(sources.clone()));
        return Ok(());
    }
    let plain = Sources { target: None, ..sources.clone() };
    let all = units(&plain)?;
    let mut read = read_input(&plain, jobs, UNIT_LIMIT, &|_| ())?;
    let unread: Vec<String> = std::mem::take(&mut read.unread).into_iter().map(|(file, _)| file).collect();
    let parsed = parse_units(&read.units, jobs, &mut SourceMap::default());
    let path = |file: &str| all.iter().find(|unit| unit.file == file).map_or_else(|| file.into(), |unit| unit.path());
    let named: Vec<NamedUnit> =
        parsed.iter().map(|unit| NamedUnit { path: path(&unit.file), names: unit_names(unit) }).collect();
    let root = if entry == ALL { MAIN } else { entry };
    let Programs { programs: mut found, rest, doubtful } = programs(&named, root);
    let names = |units: &[usize]| listed(units.iter().map(|unit| parsed[*unit].file.as_str()));
    let is_library = found.is_empty();
    if is_library {
        found.push((String::new(), rest));
    } else if entry == ALL && !rest.is_empty() {
        found.push((REST.to_owned(), rest));
    } else if !rest.is_empty() {
        said.push(format!("no `{root}` leads to {} (--entry all judges them too)", names(&rest)));
    }
    let mut others: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    doubtful.iter().for_each(|(name, other)| others.entry(name).or_default().push(*other));
    for (name, others) in others {
        said.push(format!("several files define `{name}`; left out: {}", names(&others)));
    }
    if let Some(target) = &sources.target {
        let known = listed(found.iter().map(|(name, _)| name.as_str()));
        found.retain(|(name, _)| name == target);
        if found.is_empty() {
            return Err(Error::Usage(format!("no program is called `{target}`; there are {known}")));
        }
    }
    let mut unread = unread.into_iter();
    for (name, members) in found {
        let files = members.iter().map(|unit| match &plain.build_dir {
            Some(_) => named[*unit].path.display().to_string(),
            None => parsed[*unit].file.clone(),
        });
        // What cannot be read is told once.
        let files = files.chain(unread.by_ref()).collect();
        chosen.push(Chosen { name, sources: Sources { files, ..plain.clone() }, is_library });
    }
    Ok(())
}

/// Whether the texts of several units look as if they defined a `main` each.
fn may_be_several(sources: &Sources) -> Result<bool, Error> {
    let has_main = |path: &Path| {
        let text = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        text.match_indices(MAIN).any(|(at, _)| text[at + MAIN.len()..].trim_start().starts_with('('))
    };
    Ok(units(sources)?.iter().filter(|unit| has_main(&unit.path())).take(2).count() == 2)
}

/// Names in one text: the first few of many.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    let names: Vec<&str> = names.collect();
    let more = names.len().saturating_sub(LISTED);
    let shown = names.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
