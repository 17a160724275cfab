//! The project that a file belongs to, and what an analysis found of it.

use super::options::Options;
use crate::ir::DataModel;
use crate::pipeline::cache::Cache;
use crate::pipeline::fix::{Fix, fix_for};
use crate::pipeline::parallel::cores;
use crate::pipeline::rules::checks::parse_checks;
use crate::pipeline::sources::EditedText;
use crate::pipeline::sources::entry::{ALL, MAIN};
use crate::pipeline::sources::load::{UNIT_LIMIT, path_in};
use crate::pipeline::sources::lowering::every_check;
use crate::pipeline::sources::named::model_name;
use crate::pipeline::sources::resolve::BUILD_FOLDERS;
use crate::pipeline::sources::{Loaded, load};
use crate::pipeline::standing::config::{Config, FILE};
use crate::pipeline::{Error, Listener, Preset, Profile, Report, Request, Sources};
use crate::verdict::{Finding, Location, VerdictKind};
use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The longest that a quick look takes.
const QUICK: Duration = Duration::from_secs(2);

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

/// How thoroughly a project is studied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// What the front end says, and proofs.
    Quick,
    /// All that `check` does.
    Full,
}

/// What an analysis found.
#[derive(Debug)]
pub struct Study {
    pub loaded: Arc<Loaded>,
    pub report: Report,
}

/// Why there is no study.
#[derive(Debug)]
pub struct Failed {
    pub error: Error,
    /// The program, where it can be read as far as it goes.
    pub loaded: Option<Loaded>,
}

/// Whether somebody wants the analysis to end.
pub type Interrupted = Arc<dyn Fn() -> bool + Send + Sync>;

impl Study {
    /// Analyses the project with the options that the configuration sets. `texts`: what the editor has of open files.
    pub fn of(
        project: &Project,
        options: &Options,
        texts: &[(PathBuf, Arc<str>)],
        depth: Depth,
        interrupted: Interrupted,
    ) -> Result<Study, Box<Failed>> {
        let fail = |error, loaded| Box::new(Failed { error, loaded });
        let config = Config::load().map_err(|error| fail(error, None))?;
        let ask = || request(project, options, &config, texts, depth);
        let log = || Arc::new(Log(Arc::clone(&interrupted)));
        let request = ask().map_err(|error| fail(error, None))?;
        let sources = request.sources.clone();
        let study = match Study::with(request, log()) {
            // A library has no `main`.
            Err(Error::Usage(_)) if config.entry.as_deref().is_none_or(|entry| entry == MAIN) => {
                ask().and_then(|request| Study::with(Request { entry: ALL.to_owned(), ..request }, log()))
            }
            study => study,
        };
        study.map_err(|error| {
            let loaded = load(&sources, every_check(), 1, UNIT_LIMIT, &|_| ()).ok();
            fail(error, loaded)
        })
    }

    /// A file of the project by itself, as far as the front end goes; the other arguments are those of [`Study::of`].
    pub fn glance(
        project: &Project,
        options: &Options,
        texts: &[(PathBuf, Arc<str>)],
        file: &Path,
    ) -> Result<Loaded, Error> {
        let mut sources = request(project, options, &Config::load()?, texts, Depth::Quick)?.sources;
        sources.files = vec![file.to_string_lossy().into_owned()];
        load(&sources, every_check(), 1, UNIT_LIMIT, &|_| ())
    }

    fn with(request: Request, log: Arc<Log>) -> Result<Study, Error> {
        let report = request.check(log)?;
        let loaded = report.results.loaded.clone();
        let loaded = loaded.ok_or_else(|| Error::Internal("a report without a program".to_owned()))?;
        Ok(Study { loaded, report })
    }

    /// An edit that mends a definite finding of this study, where a second check of the project with it shows that it does.
    /// The other arguments are those of [`Study::of`].
    pub fn fix(
        &self,
        finding: &Finding,
        project: &Project,
        options: &Options,
        texts: &[(PathBuf, Arc<str>)],
        interrupted: Interrupted,
    ) -> Option<Fix> {
        let config = Config::load().ok()?;
        let mut asked = request(project, options, &config, texts, Depth::Full).ok()?;
        asked.entry.clone_from(&self.report.analysis.entry);
        let listener: Arc<dyn Listener> = Arc::new(Log(interrupted));
        fix_for(finding, &self.report, &asked, &listener).ok()?.ok()
    }

    /// The same with what an earlier and more thorough study has found definite and this one leaves open: it is the same site,
    /// in a function whose text may have changed since, and the next thorough study says whether it still errs.
    pub fn after(mut self, earlier: Option<&Study>) -> Study {
        let Some(earlier) = earlier else { return self };
        let is_definite = |f: &&Finding| f.verdict.kind() == VerdictKind::Definite;
        let known: HashMap<&str, &Finding> =
            earlier.report.analysis.findings.iter().filter(is_definite).map(|f| (f.id.as_str(), f)).collect();
        for finding in &mut self.report.analysis.findings {
            let is_open = matches!(finding.verdict.kind(), VerdictKind::Possible | VerdictKind::Unknown);
            if let Some(known) = known.get(finding.id.as_str()).filter(|_| is_open) {
                finding.verdict = known.verdict.clone();
            }
        }
        self
    }

    /// The file that a place names.
    pub fn path_of(&self, location: &Location) -> Option<PathBuf> {
        path_in(&self.loaded.folders, &location.file)
    }
}

/// The editor's log, which is standard error.
struct Log(Interrupted);

impl Listener for Log {
    fn tell(&self, text: &str) {
        // Nothing is to be done when that fails.
        let _ = writeln!(std::io::stderr().lock(), "{text}");
    }

    fn is_interrupted(&self) -> bool {
        (self.0)()
    }
}

/// A check of `project`, as the configuration has it.
fn request(
    project: &Project,
    options: &Options,
    config: &Config,
    texts: &[(PathBuf, Arc<str>)],
    depth: Depth,
) -> Result<Request, Error> {
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
    let differs = |path: &Path, text: &str| std::fs::read(path).map_or(true, |bytes| bytes != text.as_bytes());
    let edited = texts.iter().filter(|(path, text)| differs(path, text));
    let edited: Vec<EditedText> =
        edited.map(|(path, text)| EditedText { path: path.clone(), text: Arc::clone(text) }).collect();
    // What is typed and never saved is asked for once.
    let cache = if edited.is_empty() { Cache::in_folder(config.cache.clone()) } else { Cache::default() };
    let sources = Sources {
        edited,
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
    if depth == Depth::Quick {
        profile = quick(profile, options.time_limit);
    }
    profile.run.memory = config.memory_limit.or(profile.run.memory);
    Ok(Request {
        entry: config.entry.clone().unwrap_or_else(|| MAIN.to_owned()),
        checks: parse_checks(config.checks.as_deref().unwrap_or("default")).map_err(wrong)?,
        values: true,
        cache,
        jobs: config.jobs.unwrap_or_else(cores).max(1),
        seed: config.seed.unwrap_or(0),
        config: config.clone(),
        ..Request::new(sources, profile)
    })
}

/// The bounds of a quick look: no run that must be searched for, and little time.
fn quick(profile: Profile, limit: Duration) -> Profile {
    let mut quick = Profile { run: profile.run, ..Preset::Quick.profile() };
    quick.run.time = limit.min(QUICK);
    (quick.search.statements_for_goals, quick.search.questions, quick.search.questions_of_an_entry) = (0, 0, 0);
    quick.search.runs_without_news /= 10;
    quick.backwards.analysed_statements = 0;
    quick
}
