//! Looking for results of earlier runs, and keeping those of this one.

use super::folder::Folder;
use super::key::Key;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::PathBuf;

/// The environment variable that names the folder; nothing is kept when it names none.
pub const VARIABLE: &str = "CELLOG_CACHE_DIR";

/// Earlier results, if there is a folder for them.
#[derive(Clone, Debug, Default)]
pub struct Cache {
    folder: Option<Folder>,
}

impl Cache {
    /// What is kept in this folder, or else in the user's own, if there is one. The default cache has nothing and keeps nothing.
    pub fn in_folder(folder: Option<PathBuf>) -> Cache {
        Cache { folder: folder.or_else(users_folder).map(Folder::new) }
    }

    /// Whether anything can be kept.
    pub fn is_there(&self) -> bool {
        self.folder.is_some()
    }

    /// What was kept under `key`.
    pub fn get<T: DeserializeOwned>(&self, key: &Key) -> Option<T> {
        let bytes = self.folder.as_ref()?.read(key)?;
        postcard::from_bytes(&bytes).ok()
    }

    /// Keeps `value` under `key`; an error says why it could not be kept.
    pub fn put<T: Serialize>(&self, key: &Key, value: &T) -> Result<(), String> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let bytes = postcard::to_stdvec(value).map_err(|error| error.to_string())?;
        folder.write(key, &bytes).map_err(|error| format!("{}: {error}", folder.path().display()))
    }
}

/// Where the user's programs keep what they can make again.
fn users_folder() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from);
    // Set to nothing, it says that nothing is to be kept.
    let chosen = folder(VARIABLE)
        .or_else(|| folder("XDG_CACHE_HOME").filter(|home| home.is_absolute()).map(|home| home.join("cellog")))
        .or_else(|| folder("HOME").filter(|home| home.is_absolute()).map(|home| home.join(".cache/cellog")));
    chosen.filter(|path| !path.as_os_str().is_empty())
}
