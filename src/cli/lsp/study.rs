//! The project that a file belongs to, and what an analysis found of it.

use crate::cli::args::{CheckArgs, Cli, Command, LspArgs};
use crate::cli::check::{Results, analyse, analysis};
use crate::cli::checks::parse_checks;
use crate::cli::config::Config;
use crate::cli::entry::ALL;
use crate::cli::exit::CliError;
use crate::cli::input::Loaded;
use crate::cli::plan::Plan;
use crate::cli::progress::Progress;
use crate::cli::settle::settle;
use crate::report::Excerpts;
use crate::verdict::{Analysis, Location};
use clap::{CommandFactory, FromArgMatches};
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
    pub fn of(file: &Path, args: &LspArgs) -> Project {
        let is_build = |folder: &PathBuf| folder.join("compile_commands.json").is_file();
        let around = || file.ancestors().skip(1).flat_map(|f| BUILD_FOLDERS.map(|b| f.join(b))).find(is_build);
        match args.build_dir.clone().or_else(around) {
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
    pub fn of(project: &Project, args: &LspArgs) -> Result<Study, CliError> {
        let config = Config::load()?;
        let mut args = options(project, args, &config)?;
        match Study::with(&args, &config) {
            // A library has no `main`.
            Err(CliError::Usage(_)) if args.entry == MAIN => {
                ALL.clone_into(&mut args.entry);
                Study::with(&args, &config)
            }
            study => study,
        }
    }

    fn with(args: &CheckArgs, config: &Config) -> Result<Study, CliError> {
        let checks = parse_checks(&args.checks).map_err(CliError::Usage)?;
        let plan = Plan::new(&args.input, &args.limits, &args.cache, &args.entry, &checks, true);
        let (mut results, ended) = analyse(plan, &args.limits, &Progress::new(true), None);
        if let Some(error) = results.failed.take() {
            return Err(error);
        }
        let (Some(loaded), Some(start)) = (results.loaded.clone(), &results.start) else {
            return Err(CliError::Nothing(ended.why().unwrap_or_default()));
        };
        let mut analysis = analysis(args, &checks, &loaded, start, &results, &ended);
        settle(&mut analysis, config, None, &mut Excerpts::new(loaded.folders.clone()));
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

/// The options of a check of `project`.
fn options(project: &Project, args: &LspArgs, config: &Config) -> Result<CheckArgs, CliError> {
    let limit = args.time_limit.to_string();
    let mut words: Vec<String> = ["cellog", "check", "--time-limit", limit.as_str()].map(str::to_owned).to_vec();
    let (option, path) = match project {
        Project::Folder(folder) => (Some("-p"), folder),
        Project::File(file) => (None, file),
    };
    words.extend(option.map(str::to_owned));
    words.push(path.to_string_lossy().into_owned());
    let matches = config.defaults(Cli::command()).try_get_matches_from(words);
    match matches.and_then(|m| Cli::from_arg_matches(&m)).map(|cli| cli.command) {
        Ok(Command::Check(args)) => Ok(args),
        Ok(_) => Err(CliError::Internal("`check` is another command".to_owned())),
        Err(error) => Err(CliError::Usage(error.to_string())),
    }
}
