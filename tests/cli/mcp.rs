//! A session of an agent with the server of the Model Context Protocol.

use crate::run::{Folder, binary};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SOURCE: &str = "#include <stdio.h>\nstatic int half(int x) {\n    return 100 / x;\n}\nint main(void) {\n    int c = getchar();\n    if (c < 60)\n        return 1;\n    return half(c - 65);\n}\n";

struct Agent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: u32,
}

impl Agent {
    fn begin(folder: &Folder) -> Agent {
        let mut child = Command::new(binary())
            .arg("mcp")
            .current_dir(folder.path(""))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut agent = Agent { child, input, output, asked: 0 };
        let client = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let server = agent.ask("initialize", client);
        assert_eq!(
            (&server["protocolVersion"], &server["serverInfo"]["name"]),
            (&json!("2025-06-18"), &json!("cellog"))
        );
        agent.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        agent
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input, "{message}").expect("the server listens");
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.asked, "method": method, "params": params }));
        let mut line = String::new();
        self.output.read_line(&mut line).expect("the server answers");
        let answer: Value = serde_json::from_str(&line).expect("an answer is JSON in a line");
        assert_eq!((&answer["id"], answer.get("error")), (&json!(self.asked), None), "{answer}");
        answer["result"].clone()
    }

    /// The text of a tool's answer, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let result = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        (text, result["isError"].as_bool().expect("a truth value"))
    }

    /// The same of an answer that is none of an error.
    fn answer(&mut self, tool: &str, arguments: Value) -> String {
        let (text, is_error) = self.call(tool, arguments);
        assert!(!is_error, "{tool}: {text}");
        text
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().expect("it ends").success());
    }
}

#[test]
fn an_agent_finds_explains_replays_and_mends_an_error() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let mut agent = Agent::begin(&folder);
    let tools = agent.ask("tools/list", json!({}));
    let names: Vec<&str> =
        tools["tools"].as_array().expect("a list").iter().filter_map(|t| t["name"].as_str()).collect();
    assert_eq!(names, ["check", "finding", "explain", "query", "replay", "fix"]);

    let text = agent.answer("check", json!({ "files": ["a.c"] }));
    assert!(text.starts_with("definite: 1 at 1 places\npossible: 0 at 0 places\n"), "{text}");
    let line = text.lines().find(|line| line.contains("definite[div-by-zero] a.c:3 in half")).expect("the finding");
    let id = line.split(' ').next().expect("an id").to_owned();

    let finding: Value = serde_json::from_str(&agent.answer("finding", json!({ "id": &id[..8] }))).expect("JSON");
    assert_eq!((&finding["id"], &finding["replayed"]), (&json!(id), &json!(true)));
    assert_eq!(finding["precondition"][0]["low"], 65, "{finding}");
    let text = agent.answer("explain", json!({ "id": id }));
    assert!(text.contains("division by zero") && text.contains("a.c:3"), "{text}");
    let text = agent.answer("replay", json!({ "id": id }));
    assert!(text.contains("confirmed"), "{text}");
    let text = agent.answer("fix", json!({ "id": id }));
    assert!(text.contains("+    if (x == 0)") && text.contains("no other verdict is worse"), "{text}");
    let text = agent.answer("query", json!({ "query": "calls(\"main\", f)" }));
    assert!(text.contains("half"), "{text}");
    // No file has changed.
    assert_eq!(std::fs::read_to_string(folder.path("a.c")).expect("it is there"), SOURCE);
    agent.end();
}

#[test]
fn mistakes_are_answers_that_say_what_to_do() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let mut agent = Agent::begin(&folder);
    for (tool, arguments, wanted) in [
        ("finding", json!({ "id": "ab" }), "name the program: `files`, or `build_dir`"),
        ("check", json!({ "files": ["b.c"] }), "b.c: no such file"),
        ("check", json!({ "files": "a.c" }), "the arguments do not fit"),
        ("finding", json!({ "files": ["a.c"], "id": "zz" }), "no finding `zz`"),
        ("query", json!({ "query": "nothing(x)" }), "unknown relation `nothing`"),
        ("explain", json!({}), "`id` or `query` is needed"),
    ] {
        let (text, is_error) = agent.call(tool, arguments);
        assert!(is_error && text.contains(wanted), "{tool}: {text}");
    }
    agent.end();
}

#[test]
fn the_schema_of_relations_is_a_resource() {
    let folder = Folder::with(&[]);
    let mut agent = Agent::begin(&folder);
    let list = agent.ask("resources/list", json!({}));
    let page = agent.ask("resources/read", json!({ "uri": list["resources"][0]["uri"] }));
    let text = page["contents"][0]["text"].as_str().expect("a text");
    for relation in ["* `calls(", "* `points_to(", "* `verdict("] {
        assert!(text.contains(relation), "{relation}");
    }
    agent.end();
}
