//! A session of an editor with the language server.

use crate::run::{Folder, binary};
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SOURCE: &str = "#include <stdio.h>
static int size = 3;
int main(void) {
    int c = getchar();
    int *p = &size;
    if (c > 60 && c < 70)
        return *p / (c - 65);
    return 0;
}
";

struct Session {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    asked: i32,
    /// What the server told while answers were waited for.
    told: Vec<Notification>,
}

impl Session {
    fn begin(folder: &Folder) -> Session {
        let mut child = Command::new(binary())
            .args(["lsp", "--time-limit", "60"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut session = Session { child, input, output, asked: 0, told: Vec::new() };
        let capabilities = session.ask("initialize", json!({ "capabilities": {}, "rootUri": uri(folder, "") }));
        assert_eq!(capabilities["capabilities"]["hoverProvider"], true);
        session.tell("initialized", json!({}));
        session
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).expect("the server listens");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(Message::Notification(Notification { method: method.to_owned(), params }));
    }

    /// The editor opens a file with this text.
    fn open(&mut self, uri: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn next(&mut self) -> Message {
        Message::read(&mut self.output).expect("the server speaks the protocol").expect("the server is there")
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.send(Message::Request(Request { id: id.clone(), method: method.to_owned(), params }));
        loop {
            match self.next() {
                Message::Response(response) if response.id == id => {
                    let answer = serde_json::to_value(response).expect("a response");
                    assert!(answer.get("error").is_none(), "{method}: {answer}");
                    return answer["result"].clone();
                }
                Message::Notification(notification) => self.told.push(notification),
                other => panic!("{other:?}"),
            }
        }
    }

    /// The next diagnostics of a file.
    fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        loop {
            let notification = match self.told.is_empty() {
                false => self.told.remove(0),
                true => match self.next() {
                    Message::Notification(notification) => notification,
                    other => panic!("{other:?}"),
                },
            };
            if notification.method == "textDocument/publishDiagnostics" && notification.params["uri"] == uri {
                return notification.params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.child.wait().expect("it ends").success());
    }
}

fn uri(folder: &Folder, name: &str) -> String {
    let path = std::fs::canonicalize(folder.path(name)).expect("it is there");
    format!("file://{}", path.display())
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } })
}

#[test]
fn findings_follow_what_is_saved() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let file = uri(&folder, "a.c");
    let mut session = Session::begin(&folder);
    session.open(&file, SOURCE);
    let found = session.diagnostics(&file);
    let [error] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&error["severity"], &error["code"]), (&json!(1), &json!("div-by-zero")));
    assert_eq!(error["range"]["start"], json!({ "line": 6, "character": 15 }));
    assert_eq!(error["range"]["end"], json!({ "line": 6, "character": 28 }));
    assert!(error["message"].as_str().expect("text").contains("when getchar() at line 4 returns 65"), "{error}");
    assert!(error["relatedInformation"].as_array().expect("steps").len() > 1);

    let context = json!({ "diagnostics": [error] });
    let asked = json!({ "textDocument": { "uri": file }, "range": error["range"], "context": context });
    let actions = session.ask("textDocument/codeAction", asked);
    let titles: Vec<&Value> = actions.as_array().expect("a list").iter().map(|a| &a["title"]).collect();
    assert_eq!(titles[..2], ["Copy the precondition", "Allow div-by-zero here"]);
    let copied = session.ask("workspace/executeCommand", actions[0]["command"].clone());
    assert_eq!(copied, "getchar() at line 4 returns 65");
    let edit = &actions[1]["edit"]["changes"][&file][0];
    assert_eq!(edit["range"]["start"], json!({ "line": 6, "character": 29 }));
    assert!(edit["newText"].as_str().expect("text").contains("cellog: allow(div-by-zero)"));

    folder.write("a.c", SOURCE.replace("c < 70", "c < 65").as_bytes());
    session.tell("textDocument/didSave", json!({ "textDocument": { "uri": file } }));
    assert_eq!(session.diagnostics(&file), [] as [Value; 0]);
    session.end();
}

#[test]
fn variables_have_values_and_targets() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let file = uri(&folder, "a.c");
    let mut session = Session::begin(&folder);
    session.open(&file, SOURCE);
    session.diagnostics(&file);
    let hover = session.ask("textDocument/hover", at(&file, 6, 21));
    let text = hover["contents"]["value"].as_str().expect("text");
    assert!(text.contains("**c** in `main`") && text.contains("from 61 to 69"), "{text}");
    let hover = session.ask("textDocument/hover", at(&file, 6, 16));
    let text = hover["contents"]["value"].as_str().expect("text");
    assert!(text.contains("May point to:") && text.contains("size"), "{text}");
    assert_eq!(session.ask("textDocument/hover", at(&file, 0, 3)), Value::Null);
    session.end();
}

#[test]
fn programs_that_cannot_be_analysed_are_told_of() {
    let folder = Folder::with(&[("a.c", "int main(void { return }\n")]);
    let file = uri(&folder, "a.c");
    let mut session = Session::begin(&folder);
    session.open(&file, "");
    // The text is the editor's, which is empty.
    let Message::Notification(told) = session.next() else { panic!("no notification") };
    assert_eq!(told.method, "window/showMessage");
    assert!(told.params["message"].as_str().expect("text").contains("nothing was analysed"), "{told:?}");
    session.end();
}

/// An editor's text of version `version`.
fn edit(session: &mut Session, uri: &str, version: u32, text: &str) {
    let document = json!({ "uri": uri, "version": version });
    session.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [{ "text": text }] }));
}

#[test]
fn what_is_typed_is_checked_before_it_is_saved() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let file = uri(&folder, "a.c");
    let mut session = Session::begin(&folder);
    session.open(&file, SOURCE);
    assert_eq!(session.diagnostics(&file).len(), 1);
    // Two lines above: what is definite stays so, at its new place, already after the quick look.
    edit(&mut session, &file, 2, &format!("\n\n{SOURCE}"));
    let found = session.diagnostics(&file);
    assert_eq!(
        (found.len(), &found[0]["severity"], &found[0]["range"]["start"]["line"]),
        (1, &json!(1), &json!(8)),
        "{found:?}"
    );
    edit(&mut session, &file, 3, &SOURCE.replace("c < 70", "c < 65"));
    while !session.diagnostics(&file).is_empty() {}
    // The text is wrong, the program goes on being looked at as far as it can be read.
    edit(&mut session, &file, 4, &SOURCE.replace("static int size = 3;", "static int size = = 3;"));
    let found = loop {
        let found = session.diagnostics(&file);
        if found.iter().any(|d| d["code"] == "syntax") {
            break found;
        }
    };
    let wrong = found.iter().find(|d| d["code"] == "syntax").expect("it is there");
    assert_eq!((&wrong["severity"], &wrong["range"]["start"]["line"]), (&json!(1), &json!(1)), "{wrong}");
    edit(&mut session, &file, 5, &format!("#include \"nowhere.h\"\n{SOURCE}"));
    let found = loop {
        let found = session.diagnostics(&file);
        if found.iter().any(|d| d["message"].as_str().is_some_and(|m| m.contains("nowhere.h"))) {
            break found;
        }
    };
    assert_eq!((found.len(), &found[0]["range"]["start"]["line"]), (1, &json!(0)), "{found:?}");
    session.end();
}

#[test]
fn a_fix_is_offered_once_it_is_shown_to_mend() {
    let folder = Folder::with(&[("a.c", SOURCE)]);
    let file = uri(&folder, "a.c");
    let mut session = Session::begin(&folder);
    session.open(&file, SOURCE);
    let found = session.diagnostics(&file);
    let asked =
        json!({ "textDocument": { "uri": file }, "range": found[0]["range"], "context": { "diagnostics": found } });
    let fix = loop {
        let actions = session.ask("textDocument/codeAction", asked.clone());
        let mut all = actions.as_array().expect("a list").iter();
        match all.find(|action| action["title"].as_str().is_some_and(|title| title.starts_with("Apply a fix"))) {
            Some(action) => break action.clone(),
            None => std::thread::sleep(std::time::Duration::from_millis(20)),
        }
    };
    assert_eq!(fix["title"], "Apply a fix that leaves main where (c - 65) == 0");
    let edit = &fix["edit"]["changes"][&file][0];
    assert_eq!(edit["range"]["start"], json!({ "line": 6, "character": 8 }));
    assert!(edit["newText"].as_str().expect("text").contains("if ((c - 65) == 0)"), "{fix}");
    // It was shown for this text, and is not offered for another.
    let document = json!({ "uri": file, "version": 2 });
    let changes = json!([{ "text": format!("\n{SOURCE}") }]);
    session.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    let actions = session.ask("textDocument/codeAction", asked);
    assert_eq!(actions.as_array().map(Vec::len), Some(2), "{actions}");
    session.end();
}

#[test]
fn what_is_open_is_a_hint_for_each_reason() {
    let text = "struct s { int a; int b; };\nextern struct s *shared;\nint f(void) { return shared->a; }\n\
                int g(void) { return shared->a; }\nint h(void) { return shared->a; }\n";
    let folder = Folder::with(&[("a.c", text)]);
    let file = uri(&folder, "a.c");
    let mut session = Session::begin(&folder);
    session.open(&file, text);
    let found = session.diagnostics(&file);
    assert!(!found.is_empty() && found.iter().all(|d| d["severity"] == 4), "{found:?}");
    let codes: std::collections::BTreeSet<&str> = found.iter().filter_map(|d| d["code"].as_str()).collect();
    assert_eq!(codes.len(), found.len(), "one for each check and reason: {found:?}");
    let first = &found[0];
    assert!(first["message"].as_str().expect("text").contains("2 more places are open for the same reason"), "{first}");
    assert_eq!(first["relatedInformation"].as_array().map(Vec::len), Some(2), "{first}");
    session.end();
}
