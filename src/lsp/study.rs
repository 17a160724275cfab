//! The project that a file belongs to, and what an analysis found of it.

use super::options::Options;
use crate::ir::DataModel;
use crate::pipeline::cache::Cache;
use crate::pipeline::parallel::cores;
use crate::pipeline::results::Results;
use crate::pipeline::rules::checks::parse_checks;
use crate::pipeline::sources::Loaded;
use crate::pipeline::sources::entry::ALL;
use crate::pipeline::sources::named::model_name;
use crate::pipeline::standing::config::{Config, FILE};
use crate::pipeline::{Error, Listener, Preset, Report, Request, Sources};
use crate::verdict::{Analysis, Location};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The entry, unless the configuration has another.
const MAIN: &str = "main";
/// Folders, seen from that of the project, that builds leave their commands in.
const BUILD_FOLDERS: [&str; 3] = [".", "build", "builddir"];

/// What is analysed together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Project {
    /// All units of a folder with a `compile_commands.json`.
    Folder(PathBuf),
    /// A file by itself.
    File(PathBuf),
}

impl Project {
    /// The project of `file`: that of the options, of a folder around it, or the file by itself.
    pub fn of(file: &Path, options: &Options) -> Project {
        let is_build = |folder: &PathBuf| folder.join("compile_commands.json").is_file();
        let around = || file.ancestors().skip(1).flat_map(|f| BUILD_FOLDERS.map(|b| f.join(b))).find(is_build);
        match options.build_dir.clone().or_else(around) {
            Some(folder) => Project::Folder(folder),
            None => Project::File(file.to_owned()),
        }
    }
}

/// What an analysis found.
#[derive(Debug)]
pub struct Study {
    pub loaded: Arc<Loaded>,
    pub results: Results,
    pub analysis: Analysis,
}

impl Study {
    /// Analyses the project with the options that the configuration sets.
    pub fn of(project: &Project, options: &Options) -> Result<Study, Error> {
        let config = Config::load()?;
        let ask = || request(project, options, &config);
        match Study::with(ask()?) {
            // A library has no `main`.
            Err(Error::Usage(_)) if config.entry.as_deref().is_none_or(|entry| entry == MAIN) => {
                Study::with(Request { entry: ALL.to_owned(), ..ask()? })
            }
            study => study,
        }
    }

    fn with(request: Request) -> Result<Study, Error> {
        let Report { analysis, results, .. } = request.check(Arc::new(Log))?;
        let loaded = results.loaded.clone().ok_or_else(|| Error::Internal("a report without a program".to_owned()))?;
        Ok(Study { loaded, results, analysis })
    }

    /// The file that a place names.
    pub fn path_of(&self, location: &Location) -> Option<PathBuf> {
        let name = Path::new(&location.file);
        let folders = self.loaded.folders.iter().map(|folder| folder.join(name));
        let here = std::env::current_dir().ok().map(|folder| folder.join(name));
        let found = here.into_iter().chain(folders).find(|path| path.is_file())?;
        // `.` and `..` must not make two names of one file.
        std::fs::canonicalize(found).ok()
    }
}

/// The editor's log, which is standard error.
struct Log;

impl Listener for Log {
    fn tell(&self, text: &str) {
        // Nothing is to be done when that fails.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }
}

/// A check of `project`, as the configuration has it.
fn request(project: &Project, options: &Options, config: &Config) -> Result<Request, Error> {
    let wrong = |what: String| Error::Usage(format!("{FILE}: {what}"));
    let (build_dir, files) = match project {
        Project::Folder(folder) => (Some(folder.clone()), Vec::new()),
        Project::File(file) => (None, vec![file.to_string_lossy().into_owned()]),
    };
    let model = match &config.arch {
        Some(name) => {
            let known = [DataModel::Lp64, DataModel::Ilp32].into_iter().find(|model| model_name(*model) == name);
            known.ok_or_else(|| wrong(format!("no data model `{name}`")))?
        }
        None => DataModel::Lp64,
    };
    let sources = Sources {
        build_dir,
        target: config.target.clone(),
        model,
        contracts: config.contracts.clone(),
        flags: config.flags.clone(),
        ..Sources::of_files(files)
    };
    let preset = config.profile.as_deref().map(str::parse::<Preset>).transpose().map_err(wrong)?;
    let mut profile = preset.unwrap_or_default().profile();
    profile.run.time = options.time_limit;
    profile.run.memory = config.memory_limit.or(profile.run.memory);
    Ok(Request {
        entry: config.entry.clone().unwrap_or_else(|| MAIN.to_owned()),
        checks: parse_checks(config.checks.as_deref().unwrap_or("default")).map_err(wrong)?,
        values: true,
        cache: Cache::in_folder(config.cache.clone()),
        jobs: config.jobs.unwrap_or_else(cores).max(1),
        seed: config.seed.unwrap_or(0),
        config: config.clone(),
        ..Request::new(sources, profile)
    })
}
