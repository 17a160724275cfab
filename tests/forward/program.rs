//! C files to programs.

use cellog::base::SourceMap;
use cellog::engines::forward::Options;
use cellog::frontend::lower::{ErrorLabel, LowerOptions, lower};
use cellog::frontend::parse::parse_units;
use cellog::frontend::preprocess::{PreprocessOptions, UnitSource, preprocess_units};
use cellog::ir::{DataModel, Program};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Options that leave an analysis so much time that what is counted ends it, on however busy a machine.
pub fn untimed() -> Options<'static> {
    Options { time_limit: Duration::from_secs(3600), ..Options::default() }
}

/// The C files of a folder of `tests/c`, sorted.
pub fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c").join(folder);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut all: Vec<PathBuf> =
        entries.map(|e| e.unwrap().path()).filter(|p| p.extension() == Some("c".as_ref())).collect();
    all.sort();
    all
}

/// The linked program of these files.
pub fn load(files: &[PathBuf], flags: &[String]) -> Program {
    let units: Vec<UnitSource> = files.iter().map(|f| UnitSource::new(f.to_str().unwrap())).collect();
    let mut options = PreprocessOptions::new(DataModel::Lp64);
    options.flags = flags.to_vec();
    let texts: Vec<_> = preprocess_units(&units, &options, 1).into_iter().map(|t| t.expect("the file is C")).collect();
    let mut sources = SourceMap::default();
    let parsed = parse_units(&texts, 1, &mut sources);
    let lowering = LowerOptions { index_bounds: true, error_label: ErrorLabel::InTasks, ..LowerOptions::default() };
    lower(&parsed, DataModel::Lp64, sources, lowering)
}
