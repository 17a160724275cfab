//! The conversation with the editor.

use super::actions::{COPY_PRECONDITION, actions};
use super::hover::hover;
use super::options::Options;
use super::study::Project;
use super::text::{path_of, word_at};
use super::worker::{Cause, Job, Shared, Worker, send};
use crate::pipeline::Error;
use crate::pipeline::fix::Fix;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Notification as _,
    ShowMessage,
};
use lsp_types::request::{CodeActionRequest, ExecuteCommand, HoverRequest, Request as _};
use lsp_types::{
    CodeActionParams, CodeActionProviderCapability, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams, Hover,
    HoverContents, HoverParams, HoverProviderCapability, InitializeParams, MarkupContent, MarkupKind, MessageType,
    ServerCapabilities, ShowMessageParams, TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Sender, channel};

/// Talks to an editor over standard input and output until it says goodbye.
pub fn serve(args: &Options) -> Result<(), Error> {
    let (connection, threads) = Connection::stdio();
    let failed =
        |error: &dyn std::fmt::Display| Error::Usage(format!("the editor's messages are not understood: {error}"));
    let capabilities = serde_json::to_value(capabilities()).map_err(|e| Error::Internal(e.to_string()))?;
    let params = connection.initialize(capabilities).map_err(|e| failed(&e))?;
    let params: InitializeParams = serde_json::from_value(params).map_err(|e| failed(&e))?;
    // Names in reports, and the configuration, are those of the folder that is open.
    if let Some(root) = root(&params) {
        let _ = std::env::set_current_dir(root);
    }
    let shared = Arc::new(Shared::default());
    let (jobs, theirs) = channel();
    let worker = Worker::new(args.clone(), Arc::clone(&shared), connection.sender.clone());
    std::thread::spawn(move || worker.work(&theirs));
    let server = Server { connection: &connection, shared, jobs, args };
    server.talk().map_err(|e| failed(&e))?;
    drop(server);
    drop(connection);
    // The analyzing thread may be at work; nobody waits for it.
    drop(threads);
    Ok(())
}

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::FULL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![COPY_PRECONDITION.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// The folder that is open in the editor.
#[allow(deprecated)] // Older editors know no other.
fn root(params: &InitializeParams) -> Option<PathBuf> {
    let first = params.workspace_folders.as_ref().and_then(|folders| folders.first()).map(|folder| &folder.uri);
    path_of(first.or(params.root_uri.as_ref())?)
}

struct Server<'c> {
    connection: &'c Connection,
    shared: Arc<Shared>,
    jobs: Sender<Job>,
    args: &'c Options,
}

type Failed = Box<dyn std::error::Error + Send + Sync>;

impl Server<'_> {
    fn talk(&self) -> Result<(), Failed> {
        for message in &self.connection.receiver {
            match message {
                Message::Request(request) => {
                    if self.connection.handle_shutdown(&request)? {
                        return Ok(());
                    }
                    let response = self.answer(request);
                    self.connection.sender.send(Message::Response(response))?;
                }
                Message::Notification(notification) => self.note(notification),
                Message::Response(_) => {}
            }
        }
        Ok(())
    }

    fn note(&self, notification: Notification) {
        let (method, params) = (notification.method.as_str(), notification.params);
        match method {
            DidOpenTextDocument::METHOD => {
                let Some(DidOpenTextDocumentParams { text_document }) = parse(params) else { return };
                self.ask(&text_document.uri, Some(text_document.text), Cause::Opened);
            }
            DidChangeTextDocument::METHOD => {
                let Some(params): Option<DidChangeTextDocumentParams> = parse(params) else { return };
                // The whole text comes with every change.
                let text = params.content_changes.into_iter().next_back().map(|change| change.text);
                self.ask(&params.text_document.uri, text, Cause::Edited);
            }
            DidSaveTextDocument::METHOD => {
                let Some(DidSaveTextDocumentParams { text_document, .. }) = parse(params) else { return };
                // What is saved is what lies on the disk.
                self.forget(&text_document.uri);
                self.ask(&text_document.uri, None, Cause::Saved);
            }
            DidCloseTextDocument::METHOD => {
                let Some(DidCloseTextDocumentParams { text_document }) = parse(params) else { return };
                self.forget(&text_document.uri);
            }
            _ => {}
        }
    }

    /// From now on the text of a file is the one on the disk.
    fn forget(&self, uri: &Uri) {
        if let Some(path) = path_of(uri).and_then(|path| std::fs::canonicalize(path).ok()) {
            self.shared.texts.lock().expect("no holder panics").remove(&path);
        }
    }

    /// Has a file analysed, with this text if the editor gives one.
    fn ask(&self, uri: &Uri, text: Option<String>, cause: Cause) {
        let Some(path) = path_of(uri) else { return };
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        if let Some(text) = text {
            self.shared.texts.lock().expect("no holder panics").insert(path.clone(), text.into());
        }
        self.shared.waiting.fetch_add(1, Ordering::SeqCst);
        // The other thread ends with this one.
        let _ = self.jobs.send(Job { path, cause });
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id;
        match request.method.as_str() {
            HoverRequest::METHOD => respond(id, request.params, |params| self.hover(&params)),
            CodeActionRequest::METHOD => respond(id, request.params, |params: CodeActionParams| {
                let path = path_of(&params.text_document.uri);
                let line = |line| path.as_ref().and_then(|path| self.line_of(path, line));
                actions(&params, line, |id| path.as_ref().and_then(|path| self.fix(path, id)))
            }),
            ExecuteCommand::METHOD => respond(id, request.params, |params| self.execute(params)),
            _ => Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("no method {}", request.method)),
        }
    }

    fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let at = &params.text_document_position_params;
        let path = std::fs::canonicalize(path_of(&at.text_document.uri)?).ok()?;
        let line = self.line_of(&path, at.position.line)?;
        let word = word_at(&line, at.position.character)?;
        let project = Project::of(&path, self.args);
        let known = self.shared.studies.lock().expect("no holder panics").get(&project).cloned()?;
        let mut targets = known.targets.lock().expect("no holder panics");
        let value = hover(&known.study, &mut targets, &path, at.position.line + 1, word)?;
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: None })
    }

    /// The text of a file, as the editor has it.
    fn text_of(&self, path: &Path) -> Option<Arc<str>> {
        let edited = self.shared.texts.lock().expect("no holder panics").get(path).cloned();
        edited.or_else(|| Some(String::from_utf8_lossy(&std::fs::read(path).ok()?).into()))
    }

    /// The line (from 0) of a file, as the editor has it.
    fn line_of(&self, path: &Path, line: u32) -> Option<String> {
        let text = self.text_of(&std::fs::canonicalize(path).ok()?)?;
        text.lines().nth(line as usize).map(str::to_owned)
    }

    /// An edit of the text of a file, as the editor has it, that mends a finding, where one is known.
    fn fix(&self, path: &Path, id: &str) -> Option<Fix> {
        let path = std::fs::canonicalize(path).ok()?;
        let project = Project::of(&path, self.args);
        let known = self.shared.studies.lock().expect("no holder panics").get(&project).cloned()?;
        let fix = known.fixes.lock().expect("no holder panics").get(id).cloned()?;
        (fix.path == path && self.text_of(&path)? == fix.text).then_some(fix)
    }

    /// The precondition, for editors that put it on their clipboard, and shown by those that do not.
    fn execute(&self, params: ExecuteCommandParams) -> Option<String> {
        let text = params.arguments.first().and_then(|a| a.as_str()).filter(|_| params.command == COPY_PRECONDITION)?;
        let message = ShowMessageParams { typ: MessageType::INFO, message: text.to_owned() };
        send::<ShowMessage>(&self.connection.sender, message);
        Some(text.to_owned())
    }
}

fn parse<T: DeserializeOwned>(value: serde_json::Value) -> Option<T> {
    serde_json::from_value(value).ok()
}

fn respond<P: DeserializeOwned, R: Serialize>(
    id: RequestId,
    params: serde_json::Value,
    answer: impl FnOnce(P) -> R,
) -> Response {
    match serde_json::from_value(params) {
        Ok(params) => Response::new_ok(id, answer(params)),
        Err(error) => Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string()),
    }
}
