//! The thread that analyses while another talks to the editor.
//!
//! What is opened or saved is analysed as `check` does it. While somebody types, the text is looked at as soon as the editor rests a
//! little: at a glance (what the compiler and the parser say of the file, and findings moved with the edit), then quickly (proofs), then
//! thoroughly, until the next edit comes. When all
//! is told, edits are looked for that mend what is definite, one finding after the other.

use super::diagnostics::{all_diagnostics, mistakes, of_input};
use super::hover::Targets;
use super::options::Options;
use super::study::{Depth, Failed, Project, Study};
use super::text::uri_of;
use super::told::Told;
use crate::pipeline::fix::Fix;
use crate::verdict::{Finding, VerdictKind};
use lsp_server::{Message, Notification};
use lsp_types::notification::{PublishDiagnostics, ShowMessage};
use lsp_types::{Diagnostic, MessageType, PublishDiagnosticsParams, ShowMessageParams};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long the editor must rest before an edited text is looked at.
const REST: Duration = Duration::from_millis(60);

/// What the analyzing thread shares with the one that answers.
#[derive(Default)]
pub struct Shared {
    /// The newest study of each project.
    pub studies: Mutex<HashMap<Project, Known>>,
    /// The texts of open files, by their one names.
    pub texts: Mutex<BTreeMap<PathBuf, Arc<str>>>,
    /// Jobs that are sent and not taken.
    pub waiting: AtomicUsize,
}

/// A study, and what is derived from it when somebody asks.
#[derive(Clone)]
pub struct Known {
    pub study: Arc<Study>,
    pub targets: Arc<Mutex<Targets>>,
    /// Edits that mend definite findings, by their ids, as far as they are known by now.
    pub fixes: Arc<Mutex<BTreeMap<String, Fix>>>,
}

/// A file to look at.
#[derive(Clone, Debug)]
pub struct Job {
    pub path: PathBuf,
    pub cause: Cause,
}

/// Why a file is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Opened,
    Edited,
    Saved,
}

/// The editor's end.
pub type Editor = crossbeam_channel::Sender<Message>;

/// Tells the editor something; nothing is to be done when it has gone.
pub fn send<N: lsp_types::notification::Notification>(editor: &Editor, params: N::Params) {
    let _ = editor.send(Message::Notification(Notification::new(N::METHOD.to_owned(), params)));
}

/// The thread that analyses.
pub struct Worker {
    args: Options,
    shared: Arc<Shared>,
    editor: Editor,
}

/// A project that is to be analysed.
struct Task {
    project: Project,
    next: Step,
    /// Its user is typing, and wants no messages.
    is_edited: bool,
}

/// What is done next about a project.
enum Step {
    /// The front end looks at this file.
    Glance(PathBuf),
    Look(Depth),
    /// Edits are looked for that mend these findings, by their ids, the last first.
    Mend(Vec<String>),
}

/// How a look at a project ended.
enum Looked {
    /// The next job came.
    Interrupted,
    /// There is no new study.
    Failed,
    Studied,
}

impl Worker {
    /// A worker that is not at work yet.
    pub fn new(args: Options, shared: Arc<Shared>, editor: Editor) -> Worker {
        Worker { args, shared, editor }
    }

    /// Works until nobody sends jobs any more.
    pub fn work(&self, jobs: &Receiver<Job>) {
        // What has been told goes when there is nothing to say any more.
        let mut told: HashMap<Project, Told> = HashMap::new();
        let mut tasks: Vec<Task> = Vec::new();
        loop {
            if !self.take(jobs, &mut tasks) {
                return;
            }
            let Some(task) = tasks.first_mut() else { continue };
            let depth = match &mut task.next {
                Step::Look(depth) => *depth,
                Step::Glance(path) => {
                    let before = told.remove(&task.project).unwrap_or_default();
                    told.insert(task.project.clone(), self.glance(&task.project, path, before));
                    task.next = Step::Look(Depth::Quick);
                    continue;
                }
                Step::Mend(left) => {
                    match left.last() {
                        Some(id) if self.mend(&task.project, id) => drop(left.pop()),
                        Some(_) => {}
                        None => drop(tasks.remove(0)),
                    }
                    continue;
                }
            };
            let before = told.remove(&task.project).unwrap_or_default();
            let (now, looked) = self.analyse(task, depth, before);
            told.insert(task.project.clone(), now);
            match (depth, looked) {
                (_, Looked::Interrupted) => {}
                (Depth::Quick, _) => task.next = Step::Look(Depth::Full),
                (Depth::Full, Looked::Failed) => drop(tasks.remove(0)),
                (Depth::Full, Looked::Studied) => task.next = Step::Mend(self.definite(&task.project)),
            }
        }
    }

    /// Takes the jobs that are there, waiting for one where there is nothing to do, and for the editor to rest while somebody types;
    /// false when no more will come.
    fn take(&self, jobs: &Receiver<Job>, tasks: &mut Vec<Task>) -> bool {
        let mut taken = Vec::new();
        if tasks.is_empty() {
            match jobs.recv() {
                Ok(job) => taken.push(job),
                Err(_) => return false,
            }
        }
        loop {
            let is_typing = taken.last().is_some_and(|job: &Job| job.cause == Cause::Edited);
            match jobs.recv_timeout(if is_typing { REST } else { Duration::ZERO }) {
                Ok(job) => taken.push(job),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
        }
        self.shared.waiting.fetch_sub(taken.len(), Ordering::SeqCst);
        for Job { path, cause } in taken {
            let project = Project::of(&path, &self.args);
            let is_edited = cause == Cause::Edited;
            tasks.retain(|task| task.project != project);
            let next = if is_edited { Step::Glance(path) } else { Step::Look(Depth::Full) };
            tasks.insert(0, Task { project, next, is_edited });
        }
        true
    }

    /// The texts of open files.
    fn texts(&self) -> Vec<(PathBuf, Arc<str>)> {
        let texts = self.shared.texts.lock().expect("no holder panics");
        texts.iter().map(|(path, text)| (path.clone(), Arc::clone(text))).collect()
    }

    /// What is known of a project.
    fn known(&self, project: &Project) -> Option<Known> {
        self.shared.studies.lock().expect("no holder panics").get(project).cloned()
    }

    /// The ids of the definite findings of a project, the last first.
    fn definite(&self, project: &Project) -> Vec<String> {
        let Some(Known { study, .. }) = self.known(project) else { return Vec::new() };
        let is_definite = |f: &&Finding| f.verdict.kind() == VerdictKind::Definite && f.standing.is_open();
        study.report.analysis.findings.iter().rev().filter(is_definite).map(|f| f.id.clone()).collect()
    }

    /// Looks for an edit that mends a finding, and keeps it for whoever asks for actions; false where the next job came first.
    fn mend(&self, project: &Project, id: &str) -> bool {
        let Some(Known { study, fixes, .. }) = self.known(project) else { return true };
        let Some(finding) = study.report.analysis.findings.iter().find(|f| f.id == id) else { return true };
        let shared = Arc::clone(&self.shared);
        let is_interrupted = Arc::new(move || shared.waiting.load(Ordering::SeqCst) > 0);
        let fix = study.fix(finding, project, &self.args, &self.texts(), Arc::clone(&is_interrupted) as _);
        if let Some(fix) = fix {
            fixes.lock().expect("no holder panics").insert(id.to_owned(), fix);
            return true;
        }
        !is_interrupted()
    }

    /// Tells what the front end says of a file, and what was told of it before, where that has moved to; the other files stay as they are.
    fn glance(&self, project: &Project, path: &Path, before: Told) -> Told {
        let texts = self.texts();
        let Some((_, text)) = texts.iter().find(|(open, _)| open == path) else { return before };
        let mut own = before.moved(path, text);
        let mut said = match Study::glance(project, &self.args, &texts, path) {
            Ok(loaded) => of_input(&loaded),
            Err(error) => mistakes(&Failed { error, loaded: None }),
        };
        own.extend(said.remove(path).unwrap_or_default());
        let mut now = before;
        now.diagnostics.insert(path.to_owned(), own.clone());
        now.texts.retain(|(other, _)| other != path);
        now.texts.push((path.to_owned(), Arc::clone(text)));
        self.publish(path, own);
        now
    }

    fn publish(&self, path: &Path, diagnostics: Vec<Diagnostic>) {
        if let Some(uri) = uri_of(path) {
            send::<PublishDiagnostics>(&self.editor, PublishDiagnosticsParams { uri, diagnostics, version: None });
        }
    }

    /// Analyses a project and tells its diagnostics: what is told now, and how the look ended.
    fn analyse(&self, task: &Task, depth: Depth, before: Told) -> (Told, Looked) {
        let project = &task.project;
        let texts = self.texts();
        let shared = Arc::clone(&self.shared);
        let is_interrupted = Arc::new(move || shared.waiting.load(Ordering::SeqCst) > 0);
        let studied = Study::of(project, &self.args, &texts, depth, Arc::clone(&is_interrupted) as _);
        if is_interrupted() {
            return (before, Looked::Interrupted);
        }
        let mut looked = Looked::Studied;
        let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = match studied {
            Ok(study) => {
                let mut studies = self.shared.studies.lock().expect("no holder panics");
                let earlier = studies.get(project).map(|known| Arc::clone(&known.study));
                let study = Arc::new(study.after(earlier.as_deref().filter(|_| depth == Depth::Quick)));
                let known = Known { study: Arc::clone(&study), targets: Arc::default(), fixes: Arc::default() };
                studies.insert(project.clone(), known);
                drop(studies);
                all_diagnostics(&study)
            }
            Err(failed) => {
                let said = mistakes(&failed);
                // Whoever types is not told that what is not finished cannot be read.
                if said.is_empty() && !task.is_edited {
                    let message = format!("cellog: {}", failed.error);
                    let message = ShowMessageParams { typ: MessageType::WARNING, message };
                    send::<ShowMessage>(&self.editor, message);
                }
                if said.is_empty() {
                    return (before, Looked::Failed);
                }
                looked = Looked::Failed;
                said
            }
        };
        let now = Told { diagnostics: all.clone(), texts };
        for gone in before.diagnostics.into_keys().filter(|path| !now.diagnostics.contains_key(path)) {
            all.insert(gone, Vec::new());
        }
        if let Project::File(path) = &project {
            // That a file is clean is news too.
            all.entry(path.clone()).or_default();
        }
        all.into_iter().for_each(|(path, diagnostics)| self.publish(&path, diagnostics));
        (now, looked)
    }
}
