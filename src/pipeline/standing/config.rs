//! `cellog.toml`: defaults of options, files left out of reports, findings that are allowed.

use crate::pipeline::error::Error;
use serde::Deserialize;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The file's name, looked for in the current folder.
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
    /// The configuration of the current folder; nothing when it has none.
    pub fn load() -> Result<Config, Error> {
        match std::fs::read_to_string(Path::new(FILE)) {
            Ok(text) => Config::parse(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Config::default()),
            Err(error) => Err(Error::Usage(format!("{FILE}: cannot be read: {error}"))),
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
    fn mistakes_are_told_with_their_place() {
        let told = |text: &str| Config::parse(text).expect_err("a mistake").to_string();
        let text = told("entri = 'main'\n");
        assert!(text.starts_with("cellog.toml: ") && text.contains("entri") && text.contains("line 1"), "{text}");
        assert!(told("[[allow]]\ncheck = 'shift'\n").contains("has no reason"));
        assert!(told("[[allow]]\nreason = 'why not'\n").contains("would allow everything"));
    }
}
