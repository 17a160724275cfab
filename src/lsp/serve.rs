//! The conversation with the editor.

use super::actions::{COPY_PRECONDITION, actions};
use super::diagnostics::diagnostics;
use super::hover::{Targets, hover};
use super::options::Options;
use super::study::{Project, Study};
use super::text::{path_of, uri_of, word_at};
use crate::pipeline::Error;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidOpenTextDocument, DidSaveTextDocument, Notification as _, PublishDiagnostics, ShowMessage,
};
use lsp_types::request::{CodeActionRequest, ExecuteCommand, HoverRequest, Request as _};
use lsp_types::{
    CodeActionParams, CodeActionProviderCapability, Diagnostic, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    ExecuteCommandOptions, ExecuteCommandParams, Hover, HoverContents, HoverParams, HoverProviderCapability,
    InitializeParams, MarkupContent, MarkupKind, MessageType, PublishDiagnosticsParams, ServerCapabilities,
    ShowMessageParams, TextDocumentSyncCapability, TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

/// What the analyzing thread shares with the one that answers.
#[derive(Default)]
struct Shared {
    studies: Mutex<HashMap<Project, Known>>,
}

/// The newest study of a project.
#[derive(Clone)]
struct Known {
    study: Arc<Study>,
    targets: Arc<Mutex<Targets>>,
}

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
    let (saved, jobs) = channel();
    let worker = Worker { args: args.clone(), shared: Arc::clone(&shared), editor: connection.sender.clone() };
    std::thread::spawn(move || worker.work(&jobs));
    let server = Server { connection: &connection, shared, saved, args };
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
    /// Files that were opened or saved.
    saved: Sender<PathBuf>,
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
        let uri = match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                parse(notification.params).map(|p: DidOpenTextDocumentParams| p.text_document.uri)
            }
            DidSaveTextDocument::METHOD => {
                parse(notification.params).map(|p: DidSaveTextDocumentParams| p.text_document.uri)
            }
            _ => None,
        };
        if let Some(path) = uri.as_ref().and_then(path_of) {
            // The other thread ends with this one.
            let _ = self.saved.send(path);
        }
    }

    fn answer(&self, request: Request) -> Response {
        let id = request.id;
        match request.method.as_str() {
            HoverRequest::METHOD => respond(id, request.params, |params| self.hover(&params)),
            CodeActionRequest::METHOD => respond(id, request.params, |params: CodeActionParams| {
                let path = path_of(&params.text_document.uri);
                actions(&params, |line| path.as_ref().and_then(|path| line_of(path, line)))
            }),
            ExecuteCommand::METHOD => respond(id, request.params, |params| self.execute(params)),
            _ => Response::new_err(id, ErrorCode::MethodNotFound as i32, format!("no method {}", request.method)),
        }
    }

    fn hover(&self, params: &HoverParams) -> Option<Hover> {
        let at = &params.text_document_position_params;
        let path = std::fs::canonicalize(path_of(&at.text_document.uri)?).ok()?;
        let line = line_of(&path, at.position.line)?;
        let word = word_at(&line, at.position.character)?;
        let project = Project::of(&path, self.args);
        let known = self.shared.studies.lock().expect("no holder panics").get(&project).cloned()?;
        let mut targets = known.targets.lock().expect("no holder panics");
        let value = hover(&known.study, &mut targets, &path, at.position.line + 1, word)?;
        let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
        Some(Hover { contents, range: None })
    }

    /// The precondition, for editors that put it on their clipboard, and shown by those that do not.
    fn execute(&self, params: ExecuteCommandParams) -> Option<String> {
        let text = params.arguments.first().and_then(|a| a.as_str()).filter(|_| params.command == COPY_PRECONDITION)?;
        let message = ShowMessageParams { typ: MessageType::INFO, message: text.to_owned() };
        send::<ShowMessage>(&self.connection.sender, message);
        Some(text.to_owned())
    }
}

/// The line (from 0) of a file.
fn line_of(path: &Path, line: u32) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    String::from_utf8_lossy(&bytes).lines().nth(line as usize).map(str::to_owned)
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

type Editor = crossbeam_channel::Sender<Message>;

/// Tells the editor something; nothing is to be done when it has gone.
fn send<N: lsp_types::notification::Notification>(editor: &Editor, params: N::Params) {
    let _ = editor.send(Message::Notification(Notification::new(N::METHOD.to_owned(), params)));
}

/// The thread that analyses.
struct Worker {
    args: Options,
    shared: Arc<Shared>,
    editor: Editor,
}

impl Worker {
    fn work(&self, jobs: &Receiver<PathBuf>) {
        // By project, the files that have diagnostics, which go when there is nothing to say any more.
        let mut told: HashMap<Project, BTreeSet<PathBuf>> = HashMap::new();
        while let Ok(file) = jobs.recv() {
            // What was saved meanwhile is analysed once.
            let files: BTreeSet<PathBuf> = std::iter::once(file).chain(jobs.try_iter()).collect();
            let mut projects: Vec<Project> = Vec::new();
            for file in files {
                let project = Project::of(&std::fs::canonicalize(&file).unwrap_or(file), &self.args);
                if !projects.contains(&project) {
                    projects.push(project);
                }
            }
            for project in projects {
                let before = told.remove(&project).unwrap_or_default();
                told.insert(project.clone(), self.analyse(project, before));
            }
        }
    }

    /// Analyses a project and tells its diagnostics; the files that have some now.
    fn analyse(&self, project: Project, before: BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
        let study = match Study::of(&project, &self.args) {
            Ok(study) => Arc::new(study),
            Err(error) => {
                let message = ShowMessageParams { typ: MessageType::WARNING, message: format!("cellog: {error}") };
                send::<ShowMessage>(&self.editor, message);
                return before;
            }
        };
        let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = diagnostics(&study);
        let now: BTreeSet<PathBuf> = all.keys().cloned().collect();
        for gone in before.into_iter().filter(|path| !now.contains(path)) {
            all.insert(gone, Vec::new());
        }
        if let Project::File(path) = &project {
            // That a file is clean is news too.
            all.entry(path.clone()).or_default();
        }
        let known = Known { study, targets: Arc::default() };
        self.shared.studies.lock().expect("no holder panics").insert(project, known);
        for (path, diagnostics) in all {
            let Some(uri) = uri_of(&path) else { continue };
            send::<PublishDiagnostics>(&self.editor, PublishDiagnosticsParams { uri, diagnostics, version: None });
        }
        now
    }
}
