//! The tools: what each takes, and what it answers.

use super::command::{page_of, run};
use super::program::{ProgramArgs, properties};
use super::report::{Choice, Report};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::OnceLock;

/// Tuples of an answer unless more are asked for.
const TUPLES: usize = 50;

/// What a client is told of the tools.
pub fn tools() -> &'static [Value] {
    static TOOLS: OnceLock<Vec<Value>> = OnceLock::new();
    TOOLS.get_or_init(list)
}

fn list() -> Vec<Value> {
    let id = json!({ "type": "string", "description": "The finding's id, or enough of its start" });
    let page = json!({ "type": "integer", "minimum": 1, "description": "Page of a long answer" });
    let count = json!({ "type": "integer", "minimum": 0 });
    let listing = [
        ("verdict", json!({ "enum": ["definite", "possible", "unknown", "unreachable", "safe"] })),
        ("check", json!({ "type": "string", "description": "Findings of this check alone" })),
        ("file", json!({ "type": "string", "description": "Findings in this file alone" })),
        ("offset", count.clone()),
        ("limit", count),
        ("diff", json!({ "type": "string", "description": "Only what a change since this revision of git touches" })),
    ];
    let of_finding = [("id", id.clone()), ("page", page.clone())];
    let tool = |name: &str, says: &str, own: &[(&str, Value)], needed: &[&str], reads: bool| {
        let mut schema = properties();
        let object = schema.as_object_mut().expect("properties are an object");
        object.extend(own.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        json!({
            "name": name,
            "description": says,
            "inputSchema": { "type": "object", "properties": schema, "required": needed, "additionalProperties": false },
            "annotations": { "readOnlyHint": reads, "openWorldHint": false },
        })
    };
    vec![
        tool(
            "check",
            "Judges every place that can go wrong in a C program: counts, definite findings, and what to look at first of what is open. \
             Call it again with the same program and an `offset`, `verdict`, `check` or `file` for more of the list. The other tools speak \
             of the program that was checked last, unless they name one.",
            &listing,
            &[],
            true,
        ),
        tool(
            "finding",
            "All that is known of a finding of the last check: precondition, trace, evidence.",
            &of_finding,
            &["id"],
            true,
        ),
        tool(
            "explain",
            "Why a finding has its verdict, or why a tuple of a relation holds: rules down to source lines.",
            &[
                ("id", id),
                ("query", json!({ "type": "string", "description": "Instead of an id: calls(\"main\", f)" })),
                ("page", page.clone()),
            ],
            &[],
            true,
        ),
        tool(
            "query",
            "Asks a question to the program as relations (the resource cellog://relations lists them): a body such as \
             `calls(f, g), recursive_function(g)`, or whole rules.",
            &[
                ("query", json!({ "type": "string" })),
                ("limit", json!({ "type": "integer", "minimum": 1 })),
                ("page", page.clone()),
            ],
            &["query"],
            true,
        ),
        tool(
            "replay",
            "Builds and runs a definite finding under the compiler's sanitizers: confirmed, not visible to sanitizers, or not reproduced.",
            &of_finding,
            &["id"],
            false,
        ),
        tool(
            "fix",
            "An edit that mends a definite finding, as a difference; offered only when a second check shows that it does. Changes no file.",
            &of_finding,
            &["id"],
            true,
        ),
    ]
}

/// What an agent has asked for so far.
#[derive(Default)]
pub struct Session {
    program: ProgramArgs,
    checked: Option<(Vec<String>, Report)>,
}

/// The arguments of tools besides the program.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Own {
    id: Option<String>,
    query: Option<String>,
    page: Option<usize>,
    limit: Option<usize>,
    diff: Option<String>,
}

impl Session {
    /// The answer of a tool; an error in words that the agent can act on.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let arguments = if arguments.is_null() { json!({}) } else { arguments.clone() };
        let wrong = |error: serde_json::Error| format!("the arguments do not fit: {error}");
        let own: Own = serde_json::from_value(arguments.clone()).map_err(wrong)?;
        let named: ProgramArgs = serde_json::from_value(arguments.clone()).map_err(wrong)?;
        if !named.is_empty() {
            self.program = named;
        } else if self.program.is_empty() {
            return Err("name the program: `files`, or `build_dir`".to_owned());
        }
        let id = || own.id.clone().ok_or_else(|| "`id` is needed".to_owned());
        let page = own.page.unwrap_or(1);
        let text = match tool {
            "check" => {
                let choice: Choice = serde_json::from_value(arguments).map_err(wrong)?;
                return Ok(page_of(&self.check(own.diff, true)?.summary(&choice), page));
            }
            "finding" => {
                let report = self.check(None, false)?;
                serde_json::to_string_pretty(report.finding(&id()?)?).map_err(wrong)?
            }
            "explain" => {
                let what = own.id.clone().or(own.query.clone()).ok_or("`id` or `query` is needed")?;
                self.command("explain", vec![what], false)?
            }
            "query" => {
                let query = own.query.clone().ok_or("`query` is needed")?;
                let limit = own.limit.unwrap_or(TUPLES).to_string();
                let Session { program, .. } = self;
                // The question stands behind the files.
                let words = [
                    vec!["query".to_owned(), "--limit".to_owned(), limit],
                    program.words(false),
                    vec![query],
                    program.last_words(),
                ];
                run(&words.concat())?.text()?
            }
            "replay" => self.command("replay", vec![id()?], true)?,
            "fix" => self.command("fix", vec![id()?, "--diff".to_owned()], true)?,
            _ => return Err(format!("no tool `{tool}`")),
        };
        Ok(page_of(&text, page))
    }

    /// What a command says of the program.
    fn command(&self, name: &str, own: Vec<String>, checks: bool) -> Result<String, String> {
        let words = [vec![name.to_owned()], own, self.program.words(checks), self.program.last_words()].concat();
        run(&words)?.text()
    }

    /// The report on the program; the last one will do unless it is to be `fresh`.
    fn check(&mut self, diff: Option<String>, fresh: bool) -> Result<&Report, String> {
        let own = ["check", "--format", "json"].map(str::to_owned).to_vec();
        let diff = diff.map(|revision| vec!["--diff".to_owned(), revision]).unwrap_or_default();
        let words = [own, diff, self.program.words(true), self.program.last_words()].concat();
        let known = self.checked.take().filter(|(asked, _)| !fresh && *asked == words);
        let report = match known {
            Some((_, report)) => report,
            None => {
                let ended = run(&words)?;
                serde_json::from_str(&ended.out).map_err(|_| ended.err)?
            }
        };
        Ok(&self.checked.insert((words, report)).1)
    }
}
