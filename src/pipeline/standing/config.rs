//! `cellog.toml`: defaults of options, files left out of reports, findings that are allowed.

use crate::pipeline::error::Error;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file's name, looked for in the current folder and those around it.
pub const FILE: &str = "cellog.toml";

/// What a project has settled.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// Defaults of the options of the same names.
    pub entry: Option<String>,
    pub checks: Option<String>,
    pub arch: Option<String>,
    pub target: Option<String>,
    pub time_limit: Option<f64>,
    pub memory_limit: Option<u64>,
    pub profile: Option<String>,
    pub jobs: Option<usize>,
    pub seed: Option<u64>,
    pub baseline: Option<PathBuf>,
    pub cache: Option<PathBuf>,
    /// Files that say what functions do whose text is not there, when none are given.
    pub contracts: Vec<PathBuf>,
    /// Flags for the preprocessor when none are given.
    pub flags: Vec<String>,
    /// Patterns of files whose findings are left out of reports.
    pub exclude: Vec<String>,
    /// Findings to live with.
    pub allow: Vec<Allow>,
}

/// Findings to live with: those that everything given fits.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Allow {
    pub id: Option<String>,
    pub check: Option<String>,
    /// A pattern.
    pub file: Option<String>,
    pub function: Option<String>,
    pub reason: String,
}

impl Config {
    /// The configuration of the current folder, or of the nearest around it; nothing when there is none.
    pub fn load() -> Result<Config, Error> {
        match std::env::current_dir() {
            Ok(folder) => Config::load_from(&folder),
            Err(_) => Ok(Config::default()),
        }
    }

    /// The configuration of `folder`, or of the nearest around it, whose files are relative to it.
    fn load_from(folder: &Path) -> Result<Config, Error> {
        for (depth, folder) in folder.ancestors().enumerate() {
            match std::fs::read_to_string(folder.join(FILE)) {
                Ok(text) if depth == 0 => return Config::parse(&text),
                Ok(text) => return Ok(Config::parse(&text)?.based_on(folder)),
                Err(error) if depth > 0 || error.kind() == ErrorKind::NotFound => {}
                Err(error) => return Err(Error::Usage(format!("{FILE}: cannot be read: {error}"))),
            }
        }
        Ok(Config::default())
    }

    /// The same with its files in `folder`.
    fn based_on(self, folder: &Path) -> Config {
        Config {
            baseline: self.baseline.map(|path| folder.join(path)),
            cache: self.cache.map(|path| folder.join(path)),
            contracts: self.contracts.iter().map(|path| folder.join(path)).collect(),
            ..self
        }
    }

    /// What a file with this text settles.
    pub fn parse(text: &str) -> Result<Config, Error> {
        let config: Config = toml::from_str(text).map_err(|e| Error::Usage(format!("{FILE}: {e}")))?;
        for (i, allow) in config.allow.iter().enumerate() {
            let n = i + 1;
            if allow.reason.trim().is_empty() {
                return Err(Error::Usage(format!("{FILE}: the {n}. [[allow]] has no reason")));
            }
            if allow.id.is_none() && allow.check.is_none() && allow.file.is_none() && allow.function.is_none() {
                return Err(Error::Usage(format!(
                    "{FILE}: the {n}. [[allow]] names no id, check, file or function, so it would allow everything"
                )));
            }
        }
        Ok(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_around_counts_and_its_files_are_its_own() {
        let outer = tempfile::tempdir().expect("a temporary folder");
        let inner = outer.path().join("a/b");
        std::fs::create_dir_all(&inner).expect("folders");
        let write = |folder: &Path, text: &str| std::fs::write(folder.join(FILE), text).expect("a file");
        write(outer.path(), "entry = 'outer'\nbaseline = 'base.json'\n");
        let config = Config::load_from(&inner).expect("it is read");
        assert_eq!((config.entry.as_deref(), config.baseline), (Some("outer"), Some(outer.path().join("base.json"))));
        write(&inner, "entry = 'inner'\nbaseline = 'base.json'\n");
        let config = Config::load_from(&inner).expect("it is read");
        assert_eq!((config.entry.as_deref(), config.baseline), (Some("inner"), Some("base.json".into())));
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let told = |text: &str| Config::parse(text).expect_err("a mistake").to_string();
        let text = told("entri = 'main'\n");
        assert!(text.starts_with("cellog.toml: ") && text.contains("entri") && text.contains("line 1"), "{text}");
        assert!(told("[[allow]]\ncheck = 'shift'\n").contains("has no reason"));
        assert!(told("[[allow]]\nreason = 'why not'\n").contains("would allow everything"));
    }
}
