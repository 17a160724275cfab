//! The conversation with an agent: requests in, answers out, a line each.

use super::relations::{URI, page};
use super::tools::{Session, tools};
use crate::pipeline::Error;
use serde_json::{Value, json};
use std::io::{BufRead, Write};

/// The revision of the protocol that is spoken, and older ones that need nothing else.
const REVISIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// Error codes of JSON-RPC.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// Answers an agent over standard input and output until it closes them.
pub fn serve() -> Result<(), Error> {
    let mut session = Session::default();
    let wrong = |error: std::io::Error| Error::Usage(format!("the agent's messages cannot be read: {error}"));
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(wrong)?;
        if line.trim().is_empty() {
            continue;
        }
        let Some(answer) = answer(&line, &mut session) else { continue };
        let mut out = std::io::stdout().lock();
        // An agent that has gone away is no error.
        if writeln!(out, "{answer}").and_then(|()| out.flush()).is_err() {
            return Ok(());
        }
    }
    Ok(())
}

/// The answer to a message; None for what wants none.
fn answer(line: &str, session: &mut Session) -> Option<Value> {
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        return Some(failure(&Value::Null, PARSE_ERROR, "no JSON"));
    };
    let id = message.get("id")?;
    let Some(method) = message.get("method").and_then(Value::as_str) else {
        // An answer to us, who ask nothing.
        let is_answer = message.get("result").is_some() || message.get("error").is_some();
        return (!is_answer).then(|| failure(id, INVALID_REQUEST, "no method"));
    };
    let params = message.get("params").cloned().unwrap_or_else(|| json!({}));
    Some(match result(method, &params, session) {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err((code, why)) => failure(id, code, &why),
    })
}

fn failure(id: &Value, code: i64, why: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": why } })
}

fn result(method: &str, params: &Value, session: &mut Session) -> Result<Value, (i64, String)> {
    match method {
        "initialize" => {
            let asked = params["protocolVersion"].as_str().unwrap_or_default();
            let revision = REVISIONS.into_iter().find(|revision| *revision == asked).unwrap_or(REVISIONS[0]);
            Ok(json!({
                "protocolVersion": revision,
                "capabilities": { "tools": {}, "resources": {} },
                "serverInfo": { "name": "cellog", "version": env!("CARGO_PKG_VERSION") },
                "instructions": "Call `check` first: it names the program that the other tools speak of. `definite` findings are \
                                 proved by a run; look at one with `finding`, run it with `replay`, mend it with `fix`.",
            }))
        }
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({ "tools": tools() })),
        "tools/call" => {
            let name = params["name"].as_str().ok_or_else(|| (INVALID_PARAMS, "no tool is named".to_owned()))?;
            let known = tools().iter().any(|tool| tool["name"] == name);
            if !known {
                return Err((INVALID_PARAMS, format!("no tool `{name}`")));
            }
            // What goes wrong with a tool is an answer that the agent can act on.
            let (text, is_error) = match session.call(name, &params["arguments"]) {
                Ok(text) => (text, false),
                Err(why) => (why, true),
            };
            Ok(json!({ "content": [{ "type": "text", "text": text }], "isError": is_error }))
        }
        "resources/list" => Ok(json!({ "resources": [{
            "uri": URI,
            "name": "relations",
            "description": "The relations that `query` and `explain` can ask for, with their columns.",
            "mimeType": "text/markdown",
        }] })),
        "resources/read" if params["uri"] == URI => {
            Ok(json!({ "contents": [{ "uri": URI, "mimeType": "text/markdown", "text": page() }] }))
        }
        "resources/read" => Err((INVALID_PARAMS, format!("no resource {}", params["uri"]))),
        "resources/templates/list" => Ok(json!({ "resourceTemplates": [] })),
        _ => Err((METHOD_NOT_FOUND, format!("no method {method}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(line: &str) -> Option<Value> {
        answer(line, &mut Session::default())
    }

    #[test]
    fn notifications_and_answers_get_no_answer() {
        assert_eq!(asked(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), None);
        assert_eq!(asked(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), None);
    }

    #[test]
    fn what_is_not_understood_is_told_with_its_code() {
        let code = |line: &str| asked(line).expect("an answer")["error"]["code"].clone();
        assert_eq!(code("{"), PARSE_ERROR);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1}"#), INVALID_REQUEST);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"sing"}"#), METHOD_NOT_FOUND);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sing"}}"#), INVALID_PARAMS);
        assert_eq!(code(r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"x"}}"#), INVALID_PARAMS);
    }

    #[test]
    fn the_revision_is_the_agents_where_it_is_known() {
        let line = |asked: &str| {
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"{asked}"}}}}"#)
        };
        let spoken = |revision: &str| asked(&line(revision)).expect("an answer")["result"]["protocolVersion"].clone();
        assert_eq!((spoken("2024-11-05"), spoken("1999-01-01")), (json!("2024-11-05"), json!("2025-06-18")));
    }
}
