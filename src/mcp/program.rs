//! The program that tools speak of, as an agent names it.

use serde::Deserialize;
use serde_json::{Value, json};

/// A program, and how it is judged.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
pub struct ProgramArgs {
    /// C files or folders.
    #[serde(default)]
    pub files: Vec<String>,
    pub build_dir: Option<String>,
    pub target: Option<String>,
    pub entry: Option<String>,
    pub checks: Option<String>,
    #[serde(default)]
    pub flags: Vec<String>,
    pub time_limit: Option<f64>,
}

impl ProgramArgs {
    /// Whether it names nothing.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.build_dir.is_none()
    }

    /// The options and files of a command; `checks`: the command chooses checks.
    pub fn words(&self, checks: bool) -> Vec<String> {
        let checks = self.checks.clone().filter(|_| checks);
        let options = [
            ("-p", self.build_dir.clone()),
            ("--target", self.target.clone()),
            ("--entry", self.entry.clone()),
            ("--checks", checks),
            ("--time-limit", self.time_limit.map(|limit| limit.to_string())),
        ];
        let set = options.into_iter().filter_map(|(option, value)| Some(vec![option.to_owned(), value?]));
        set.flatten().chain(self.files.iter().cloned()).collect()
    }

    /// The preprocessor's flags, which stand last.
    pub fn last_words(&self) -> Vec<String> {
        if self.flags.is_empty() {
            Vec::new()
        } else {
            std::iter::once("--".to_owned()).chain(self.flags.iter().cloned()).collect()
        }
    }
}

/// The properties of a schema that name a program.
pub fn properties() -> Value {
    json!({
        "files": { "type": "array", "items": { "type": "string" }, "description": "C files of one program, or folders of C files" },
        "build_dir": { "type": "string", "description": "Folder with a compile_commands.json, instead of files or to choose flags for them" },
        "target": { "type": "string", "description": "One of the programs of a folder or build" },
        "entry": { "type": "string", "description": "Function that executions start from (main); `all` for a library" },
        "checks": { "type": "string", "description": "`default`, `all`, `rules` or names of checks, comma separated" },
        "flags": { "type": "array", "items": { "type": "string" }, "description": "Flags for the C preprocessor, such as -Iinclude" },
        "time_limit": { "type": "number", "exclusiveMinimum": 0, "description": "Seconds (60)" },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_become_words_of_a_command() {
        let program: ProgramArgs = serde_json::from_value(json!({
            "files": ["a.c"], "entry": "all", "checks": "leak", "flags": ["-DX"], "time_limit": 2.5
        }))
        .expect("a program");
        assert_eq!(program.words(true).join(" "), "--entry all --checks leak --time-limit 2.5 a.c");
        assert_eq!(program.words(false).join(" "), "--entry all --time-limit 2.5 a.c");
        assert_eq!(program.last_words(), ["--", "-DX"]);
        assert!(ProgramArgs::default().is_empty() && ProgramArgs::default().last_words().is_empty());
    }
}
