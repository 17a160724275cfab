//! Answers for people and programs: an aligned table with places and values in C terms, or the bare tuples as CSV or JSON.

use super::args::AnswerFormat;
use crate::datalog::Value;
use crate::datalog::users::ColumnType;
use crate::facts::{FactStore, Places, ValueText};
use crate::pipeline::rules::ask::Answer;
use std::fmt::Write;

/// Cells of a table are cut to so many characters.
const WIDEST: usize = 80;

/// How an answer is shown.
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    pub format: AnswerFormat,
    /// Rows of a table; 0 for all.
    pub limit: usize,
}

/// The answer as text.
pub fn show(answer: &Answer, facts: &FactStore, shown: &Shown) -> String {
    match shown.format {
        AnswerFormat::Table => table(answer, &Terms::new(answer, facts), shown.limit),
        AnswerFormat::Csv => csv_text(answer),
        AnswerFormat::Json => json(answer, &Terms::new(answer, facts)),
    }
}

/// What names and numbers stand for, as far as the answer needs it.
pub struct Terms<'a> {
    facts: &'a FactStore,
    places: Option<Places>,
    values: Option<ValueText>,
}

/// Types of columns whose things have places.
const PLACED: [&str; 8] = ["Statement", "CheckSite", "Call", "Allocation", "Input", "Function", "Variable", "Block"];

impl<'a> Terms<'a> {
    fn new(answer: &Answer, facts: &'a FactStore) -> Terms<'a> {
        let has = |names: &[&str]| answer.columns.iter().any(|c| names.iter().any(|name| c.is(name)));
        let places = has(&PLACED).then(|| Places::of(facts));
        let values = has(&["Value"]).then(|| ValueText::of(facts));
        Terms { facts, places, values }
    }

    /// Everything can be told.
    pub fn all(facts: &'a FactStore) -> Terms<'a> {
        Terms { facts, places: Some(Places::of(facts)), values: Some(ValueText::of(facts)) }
    }

    /// `file:line` of what the value names.
    pub fn place(&self, column: &ColumnType, value: &Value) -> Option<String> {
        let (Value::Symbol(text), Some(places)) = (value, &self.places) else { return None };
        let name = self.facts.symbols.find(text)?;
        let place = column.types.iter().find_map(|t| places.of_type(t, name))?;
        (place.line > 0).then(|| format!("{}:{}", self.facts.symbols.resolve(place.file), place.line))
    }

    /// The value in C terms.
    pub fn spell(&self, column: &ColumnType, value: &Value) -> String {
        match value {
            Value::Number(n) if column.is("Value") => {
                let text = self.values.as_ref().zip(u32::try_from(*n).ok()).and_then(|(values, n)| values.spell(n));
                text.unwrap_or_else(|| n.to_string())
            }
            Value::Record(fields) if column.is("Location") => location(fields).unwrap_or_else(|| value.to_string()),
            _ => value.to_string(),
        }
    }

    /// The value in C terms, with its place.
    pub fn tell(&self, column: &ColumnType, value: &Value) -> String {
        let text = self.spell(column, value);
        match self.place(column, value) {
            Some(place) => format!("{text} ({place})"),
            None => text,
        }
    }
}

/// `base`, `base+8`, `base+4+8k` (every eighth byte from 4 on), `base+8..24` (one of these 16 bytes), `base+?` (anywhere).
pub fn location(fields: &[Value]) -> Option<String> {
    let [Value::Symbol(base), Value::Number(offset), Value::Number(stride)] = fields else { return None };
    Some(match (*offset, *stride) {
        (0, 0) => base.clone(),
        (_, 1) => format!("{base}+?"),
        (offset, range) if range < 0 => format!("{base}+{offset}..{}", offset.saturating_sub(range)),
        (offset, 0) => format!("{base}+{offset}"),
        (0, stride) => format!("{base}+{stride}k"),
        (offset, stride) => format!("{base}+{offset}+{stride}k"),
    })
}

fn table(answer: &Answer, terms: &Terms<'_>, limit: usize) -> String {
    if answer.columns.is_empty() {
        return if answer.rows.is_empty() { "no\n".to_owned() } else { "yes\n".to_owned() };
    }
    let shown = if limit == 0 { answer.rows.len() } else { limit.min(answer.rows.len()) };
    let mut lines: Vec<Vec<String>> = vec![answer.columns.iter().map(|c| c.name.clone()).collect()];
    for row in &answer.rows[..shown] {
        lines.push(answer.columns.iter().zip(row).map(|(column, value)| cut(&terms.tell(column, value))).collect());
    }
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..answer.columns.len()).map(width).collect();
    let numeric = |at: usize| answer.columns[at].is("number") && !answer.rows.is_empty();
    let mut out = String::new();
    for (number, line) in lines.iter().enumerate() {
        let cells = line.iter().zip(&widths).enumerate().map(|(at, (cell, width))| {
            let width = *width;
            if numeric(at) { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        let _ = writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
        if number == 0 {
            let _ = writeln!(out, "{}", widths.iter().map(|w| "-".repeat(*w)).collect::<Vec<_>>().join("  "));
        }
    }
    let rows = if answer.rows.len() == 1 { "row" } else { "rows" };
    let _ = match answer.rows.len() - shown {
        0 => writeln!(out, "{shown} {rows}"),
        more => writeln!(out, "{} rows, {more} of them not shown; --limit 0 shows all", answer.rows.len()),
    };
    out
}

/// On one line, and not too long.
fn cut(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().count() <= WIDEST {
        return text;
    }
    text.chars().take(WIDEST - 3).chain("...".chars()).collect()
}

fn csv_text(answer: &Answer) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // A relation without columns has no lines but that of its names.
    let _ = writer.write_record(answer.columns.iter().map(|c| &c.name));
    for row in &answer.rows {
        let _ = writer.write_record(row.iter().map(Value::to_string));
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}

/// `{"columns":[{"name","type"}],"rows":[[...]],"places":[[...]],"count":n}`, a row a line. Values keep their numbers; `places`
/// has for every row what stands where, or null, and is left out when nothing has a place.
fn json(answer: &Answer, terms: &Terms<'_>) -> String {
    use serde_json::{Value as Json, json};
    fn plain(value: &Value) -> Json {
        match value {
            Value::Number(n) => Json::from(*n),
            Value::Symbol(text) => Json::from(text.as_str()),
            Value::Record(fields) => Json::from(fields.iter().map(plain).collect::<Vec<_>>()),
        }
    }
    let lines =
        |rows: Vec<String>| if rows.is_empty() { "[]".to_owned() } else { format!("[\n{}\n]", rows.join(",\n")) };
    let columns: Vec<Json> = answer.columns.iter().map(|c| json!({"name": c.name, "type": c.types.first()})).collect();
    let rows = answer.rows.iter().map(|row| Json::from(row.iter().map(plain).collect::<Vec<_>>()).to_string());
    let mut out = format!("{{\"columns\":{},\n\"rows\":{}", Json::from(columns), lines(rows.collect()));
    if answer.columns.iter().any(|c| PLACED.iter().any(|name| c.is(name))) {
        let places = answer.rows.iter().map(|row| {
            let cells = answer.columns.iter().zip(row).map(|(column, value)| terms.place(column, value));
            Json::from(cells.map(Json::from).collect::<Vec<_>>()).to_string()
        });
        let _ = write!(out, ",\n\"places\":{}", lines(places.collect()));
    }
    if answer.columns.iter().any(|c| c.is("Value")) {
        let texts = answer.rows.iter().map(|row| {
            let cells = answer.columns.iter().zip(row).map(|(c, v)| c.is("Value").then(|| terms.spell(c, v)));
            Json::from(cells.map(Json::from).collect::<Vec<_>>()).to_string()
        });
        let _ = write!(out, ",\n\"values\":{}", lines(texts.collect()));
    }
    let _ = writeln!(out, ",\n\"count\":{}}}", answer.rows.len());
    out
}
