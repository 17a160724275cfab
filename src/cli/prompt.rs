//! `cellog query` without a query: questions one after the other. Rules are remembered, what has been derived is kept.

use super::args::{AnswerFormat, BaseArgs, ExplainFormat, QueryArgs};
use super::exit::tell_error;
use super::explain::draw;
use super::lines::Lines;
use super::mistakes::compose_rules;
use super::output::write_report;
use super::question::{asked, limits, load_base};
use super::show::{Shown, show};
use crate::datalog::language::error::closest;
use crate::datalog::users::{Composed, Source, SourceKind};
use crate::pipeline::Error;
use crate::pipeline::rules::ask::{Answer, Asker, Extra};
use crate::pipeline::rules::facts::Wanted;
use crate::pipeline::rules::relation_files::{RelationFile, read_relations};
use crate::pipeline::rules::source::{query_source, read_rules};
use crate::pipeline::rules::stage::needs;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

/// What `.help` says.
const HELP: &str = "\
calls(f, g), function_name(g, \"free\")   a query: the body of a rule
leaf(f) :- calls(_, f), !calls(f, _).    a rule: answered, and remembered for what follows
.relations [PART]      the relations whose name contains PART
.schema NAME           a relation's columns and what it says
.explain QUERY         why the first tuple of the query holds
.save FILE             the last answer as CSV, or as JSON if the file is called so
.format table|csv|json how answers are shown
.limit N               rows of a table; 0 shows all
.forget                forgets the rules that were typed
.help  .quit
";
const COMMANDS: [&str; 9] =
    [".relations", ".schema", ".explain", ".save", ".format", ".limit", ".forget", ".help", ".quit"];

/// A conversation.
pub struct Prompt {
    files: Vec<String>,
    base: BaseArgs,
    sources: Vec<Source>,
    relations: Vec<RelationFile>,
    /// Rules that were typed.
    typed: String,
    asker: Option<Asker>,
    /// What they have of engines.
    has: Wanted,
    last: Option<Answer>,
    shown: Shown,
}

/// Answers lines until there are no more.
pub fn prompt(files: &[String], args: &QueryArgs) -> Result<(), Error> {
    let relations = read_relations(&args.base.relations)?;
    let mut sources = read_rules(&args.base.rules)?;
    let declared: Vec<Source> = relations.iter().filter_map(|file| file.declaration(&sources)).collect();
    sources.extend(declared);
    let composed = compose_rules(&sources)?;
    let mut prompt = Prompt {
        files: files.to_vec(),
        base: args.base.clone(),
        sources,
        relations,
        typed: String::new(),
        asker: None,
        has: Wanted::default(),
        last: None,
        shown: Shown { format: args.format, limit: args.limit },
    };
    prompt.facts(&composed, Wanted::default())?;
    let mut lines = Lines::new(words(&composed))?;
    while let Some(line) = lines.next_line()? {
        let line = line.trim();
        if line == ".quit" || line == ".exit" {
            break;
        }
        match prompt.answer(line) {
            Ok(text) => write_report(&text, None)?,
            Err(error) => tell_error(&error, ""),
        }
    }
    Ok(())
}

/// What can be completed: commands, relations, their columns.
fn words(composed: &Composed) -> Vec<String> {
    let relations = composed.ast.relations.iter();
    let columns = relations.clone().flat_map(|r| r.columns.iter().map(|c| c.name.text.clone()));
    let names = relations.map(|r| format!("{}(", r.name.text));
    let mut words: Vec<String> = COMMANDS.iter().map(|c| (*c).to_owned()).chain(names).chain(columns).collect();
    words.sort();
    words.dedup();
    words
}

impl Prompt {
    /// Makes sure that there are facts, and those of engines that are wanted.
    fn facts(&mut self, composed: &Composed, wanted: Wanted) -> Result<&mut Asker, Error> {
        if self.asker.is_none() || !self.has.covers(wanted) {
            let wanted = wanted.and(self.has);
            let facts = Arc::new(load_base(&self.files, &self.base, wanted)?);
            let mut extra = Extra::new();
            for file in &self.relations {
                extra.insert(file.name.clone(), file.rows(composed, &facts.symbols)?);
            }
            self.asker = Some(Asker::new(facts, extra));
            self.has = wanted;
        }
        Ok(self.asker.as_mut().expect("just made"))
    }

    fn answer(&mut self, line: &str) -> Result<String, Error> {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match command {
            "" => Ok(String::new()),
            ".help" => Ok(HELP.to_owned()),
            ".relations" => self.relations(rest),
            ".schema" => self.schema(rest),
            ".explain" => self.explain(rest),
            ".save" => self.save(rest),
            ".forget" => {
                self.typed.clear();
                Ok(String::new())
            }
            ".format" => {
                let formats =
                    [("table", AnswerFormat::Table), ("csv", AnswerFormat::Csv), ("json", AnswerFormat::Json)];
                let found = formats.iter().find(|(name, _)| *name == rest);
                self.shown.format = found.ok_or_else(|| Error::Usage("a format is table, csv or json".to_owned()))?.1;
                Ok(String::new())
            }
            ".limit" => {
                self.shown.limit = rest.parse().map_err(|_| Error::Usage("a number is needed".to_owned()))?;
                Ok(String::new())
            }
            _ if command.starts_with('.') => {
                let near = closest(command, COMMANDS.iter().copied())
                    .map_or(String::new(), |n| format!("; did you mean `{n}`?"));
                Err(Error::Usage(format!("no command `{command}`{near}; .help lists them")))
            }
            _ => self.query(line),
        }
    }

    /// The given and typed rules, with a query perhaps.
    fn compose(&self, query: Option<&str>) -> Result<Composed, Error> {
        let mut sources = self.sources.clone();
        if !self.typed.is_empty() {
            sources.push(Source { name: "<typed>".to_owned(), text: self.typed.clone(), kind: SourceKind::Query });
        }
        sources.extend(query.map(query_source));
        compose_rules(&sources)
    }

    fn query(&mut self, text: &str) -> Result<String, Error> {
        let composed = self.compose(Some(text))?;
        let (asker, asked, limits) = self.ready(&composed)?;
        let answer = asker.answer(&composed, &asked, &limits)?;
        let facts = Arc::clone(&asker.facts);
        if text.contains(":-") {
            let stop = if text.ends_with('.') { "" } else { "." };
            let _ = writeln!(self.typed, "{text}{stop}");
        }
        let shown = show(&answer, &facts, &self.shown);
        self.last = Some(answer);
        Ok(shown)
    }

    /// Facts that will do for what a query asks, and its limits.
    fn ready(&mut self, composed: &Composed) -> Result<(&mut Asker, String, crate::datalog::Limits), Error> {
        let asked = asked(composed)?;
        let wanted = Wanted::by(needs(&composed.program, &asked).iter().map(String::as_str));
        let limits = limits(&self.base, self.base.derivations);
        Ok((self.facts(composed, wanted)?, asked, limits))
    }

    fn explain(&mut self, text: &str) -> Result<String, Error> {
        let composed = self.compose(Some(text))?;
        let (asker, asked, limits) = self.ready(&composed)?;
        let (derivation, _) = asker.explain(&composed, &asked, 0, &limits)?;
        Ok(draw(&derivation, &composed, asker, ExplainFormat::Text))
    }

    fn relations(&self, part: &str) -> Result<String, Error> {
        let composed = self.compose(None)?;
        let mut lines: Vec<String> =
            composed.ast.relations.iter().filter(|r| r.name.text.contains(part)).map(signature).collect();
        lines.sort();
        Ok(lines.into_iter().map(|line| line + "\n").collect())
    }

    fn schema(&self, name: &str) -> Result<String, Error> {
        let composed = self.compose(None)?;
        let found = composed.ast.relations.iter().find(|r| r.name.text == name);
        let Some(relation) = found else {
            let near = closest(name, composed.ast.relations.iter().map(|r| r.name.text.as_str()));
            let hint = near.map_or(String::new(), |n| format!("; did you mean `{n}`?"));
            return Err(Error::Usage(format!("no relation `{name}`{hint}")));
        };
        let mut text = signature(relation) + "\n";
        relation.doc.lines().for_each(|line| {
            let _ = writeln!(text, "  {}", line.trim());
        });
        for column in &relation.columns {
            let declared = composed.ast.types.iter().find(|t| t.name.text == column.type_name.text);
            if let Some(doc) = declared.and_then(|t| t.doc.lines().next()) {
                let _ = writeln!(text, "  {}: {}", column.type_name.text, doc.trim());
            }
        }
        Ok(text)
    }

    fn save(&self, file: &str) -> Result<String, Error> {
        let (Some(answer), Some(asker)) = (&self.last, &self.asker) else {
            return Err(Error::Usage("there is no answer yet".to_owned()));
        };
        if file.is_empty() {
            return Err(Error::Usage("a file is needed".to_owned()));
        }
        let format = if file.ends_with(".json") { AnswerFormat::Json } else { AnswerFormat::Csv };
        write_report(&show(answer, &asker.facts, &Shown { format, limit: 0 }), Some(Path::new(file)))?;
        Ok(String::new())
    }
}

fn signature(relation: &crate::datalog::language::ast::RelationDecl) -> String {
    let columns = relation.columns.iter().map(|c| format!("{}: {}", c.name.text, c.type_name.text));
    format!("{}({})", relation.name.text, columns.collect::<Vec<_>>().join(", "))
}
