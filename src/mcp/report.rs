//! The report of the last check, in few words for an agent.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A report of `check --format json`: what of it is told. The schema describes the whole.
#[derive(Clone, Debug, Deserialize)]
pub struct Report {
    pub partial: Option<String>,
    pub summary: BTreeMap<String, usize>,
    pub places: BTreeMap<String, usize>,
    pub findings: Vec<Value>,
    pub unsupported: Vec<Value>,
}

/// Which findings are listed.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Choice {
    /// `definite`, `possible`, ... ; without one, definite ones and then open ones by rank.
    pub verdict: Option<String>,
    pub check: Option<String>,
    pub file: Option<String>,
    #[serde(default)]
    pub offset: usize,
    pub limit: Option<usize>,
}

/// Findings listed unless more are asked for, and at most.
const LISTED: usize = 10;
const MOST_LISTED: usize = 50;

fn word<'v>(finding: &'v Value, field: &str) -> &'v str {
    finding[field].as_str().unwrap_or_default()
}

impl Report {
    /// The counts, and the findings that are chosen, a line each.
    pub fn summary(&self, choice: &Choice) -> String {
        let count = |counts: &BTreeMap<String, usize>, verdict: &str| counts.get(verdict).copied().unwrap_or(0);
        let mut out = String::new();
        for verdict in ["definite", "possible", "unknown", "unreachable", "safe"] {
            let (findings, places) = (count(&self.summary, verdict), count(&self.places, verdict));
            let _ = writeln!(out, "{verdict}: {findings} at {places} places");
        }
        if let Some(why) = &self.partial {
            let _ = writeln!(out, "partial: {why}");
        }
        if !self.unsupported.is_empty() {
            let names: Vec<&str> = self.unsupported.iter().take(LISTED).map(|gap| word(gap, "what")).collect();
            let _ =
                writeln!(out, "not analysed, or of unknown effect: {} ({})", self.unsupported.len(), names.join(", "));
        }
        let chosen = self.chosen(choice);
        let (offset, limit) = (choice.offset.min(chosen.len()), choice.limit.unwrap_or(LISTED).min(MOST_LISTED));
        let shown: Vec<&&Value> = chosen.iter().skip(offset).take(limit).collect();
        let _ = writeln!(
            out,
            "\nfindings {} to {} of {}:",
            offset + usize::from(!shown.is_empty()),
            offset + shown.len(),
            chosen.len()
        );
        for finding in &shown {
            let because = ["open_because", "because", "reason"]
                .map(|field| word(finding, field))
                .into_iter()
                .find(|w| !w.is_empty());
            let because = because
                .filter(|_| word(finding, "verdict") != "definite")
                .map(|w| format!(" -- {w}"))
                .unwrap_or_default();
            let _ = writeln!(
                out,
                "{} {}[{}] {}:{} in {}: {}{because}",
                word(finding, "id"),
                word(finding, "verdict"),
                word(finding, "check"),
                word(finding, "file"),
                finding["line"],
                word(finding, "function"),
                word(finding, "message"),
            );
        }
        let next = offset + shown.len();
        if next < chosen.len() {
            let _ = writeln!(out, "(`offset`: {next} lists the next)");
        }
        out
    }

    fn chosen(&self, choice: &Choice) -> Vec<&Value> {
        let fits = |wanted: &Option<String>, is: &str| wanted.as_ref().is_none_or(|wanted| wanted == is);
        let is_open = |finding: &Value| matches!(word(finding, "verdict"), "definite" | "possible" | "unknown");
        let wanted = |finding: &&Value| {
            let verdict = match &choice.verdict {
                Some(verdict) => word(finding, "verdict") == verdict,
                None => is_open(finding) && finding.get("suppressed").is_none(),
            };
            verdict && fits(&choice.check, word(finding, "check")) && fits(&choice.file, word(finding, "file"))
        };
        let mut chosen: Vec<&Value> = self.findings.iter().filter(wanted).collect();
        chosen.sort_by_key(|f| (word(f, "verdict") != "definite", f["rank"].as_i64().unwrap_or(i64::MAX)));
        chosen
    }

    /// The finding whose id starts with `id`.
    pub fn finding(&self, id: &str) -> Result<&Value, String> {
        let mut fitting = self.findings.iter().filter(|finding| !id.is_empty() && word(finding, "id").starts_with(id));
        match (fitting.next(), fitting.next()) {
            (Some(one), None) => Ok(one),
            (Some(_), Some(_)) => Err(format!("`{id}` is the start of several ids")),
            (None, _) => Err(format!("no finding `{id}` in the last check")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn report() -> Report {
        let finding = |id: &str, verdict: &str, rank: i64| {
            json!({ "id": id, "verdict": verdict, "check": "shift", "file": "a.c", "line": 3, "function": "f",
                    "message": "shift count out of range: x << n", "rank": rank, "open_because": "`n` may be large" })
        };
        let counts = json!({ "definite": 1, "possible": 2, "unknown": 0, "unreachable": 0, "safe": 1 });
        let findings = [
            finding("aa", "possible", 7),
            finding("ab", "safe", 0),
            finding("ac", "definite", 0),
            finding("b", "possible", 2),
        ];
        let value =
            json!({ "partial": null, "summary": counts, "places": counts, "findings": findings, "unsupported": [] });
        serde_json::from_value(value).expect("a report")
    }

    #[test]
    fn what_is_definite_comes_first_and_what_is_open_by_rank() {
        let choice = Choice { limit: Some(2), ..Choice::default() };
        let text = report().summary(&choice);
        let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("findings")).collect();
        assert_eq!(lines[0], "findings 1 to 2 of 3:");
        assert_eq!(lines[1], "ac definite[shift] a.c:3 in f: shift count out of range: x << n");
        assert_eq!(lines[2], "b possible[shift] a.c:3 in f: shift count out of range: x << n -- `n` may be large");
        assert_eq!(lines[3], "(`offset`: 2 lists the next)");
        let safe = Choice { verdict: Some("safe".into()), ..Choice::default() };
        assert!(report().summary(&safe).contains("findings 1 to 1 of 1:\nab safe"));
    }

    #[test]
    fn findings_are_found_by_the_start_of_their_ids() {
        let report = report();
        assert_eq!(report.finding("b").map(|f| f["rank"].clone()), Ok(json!(2)));
        assert!(report.finding("a").is_err_and(|why| why.contains("several")));
        assert!(report.finding("c").is_err() && report.finding("").is_err());
    }
}
