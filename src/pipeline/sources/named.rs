//! The program that is meant, as its user names it.

use crate::frontend::preprocess::EditedText;
use crate::ir::DataModel;
use std::path::PathBuf;

/// Which files are the program, and what of C is up to whoever compiles it.
#[derive(Clone, Debug)]
pub struct Sources {
    /// C files, or files of units that `cellog facts --format unit` and `cellog link` wrote; none with a build folder.
    pub files: Vec<String>,
    /// Folder with a `compile_commands.json`, which names the files and their flags.
    pub build_dir: Option<PathBuf>,
    /// The program or library of the build folder whose units are meant, where it makes several.
    pub target: Option<String>,
    pub model: DataModel,
    /// Whether what nothing has written holds inputs, so that reading it is no error.
    pub unwritten_inputs: bool,
    /// Whether requests for memory succeed; None: as whoever asks has it.
    pub allocation_succeeds: Option<bool>,
    /// Whether `<<` of signed values shifts the bits whatever they are.
    pub left_shifts_defined: bool,
    /// Files of facts that say what functions do whose text the program does not have.
    pub contracts: Vec<PathBuf>,
    /// Flags for the C preprocessor.
    pub flags: Vec<String>,
    /// Texts of files that count instead of those on the disk.
    pub edited: Vec<EditedText>,
}

impl Sources {
    /// These C files for the data model of most machines; C's own rules hold.
    pub fn of_files(files: Vec<String>) -> Sources {
        Sources {
            files,
            build_dir: None,
            target: None,
            model: DataModel::Lp64,
            unwritten_inputs: false,
            allocation_succeeds: None,
            left_shifts_defined: false,
            contracts: Vec::new(),
            flags: Vec::new(),
            edited: Vec::new(),
        }
    }
}

/// A data model's name on the command line and in reports.
pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    }
}
