//! The thread that analyses while another talks to the editor.
//!
//! What is opened or saved is analysed as `check` does it. While somebody types, the text is looked at as soon as the editor rests a
//! little: first quickly (what the compiler and the parser say, and proofs), then thoroughly, until the next edit comes.

use super::diagnostics::{all_diagnostics, mistakes};
use super::hover::Targets;
use super::options::Options;
use super::study::{Depth, Project, Study};
use super::text::uri_of;
use lsp_server::{Message, Notification};
use lsp_types::notification::{PublishDiagnostics, ShowMessage};
use lsp_types::{Diagnostic, MessageType, PublishDiagnosticsParams, ShowMessageParams};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How long the editor must rest before an edited text is looked at.
const REST: Duration = Duration::from_millis(150);

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
    /// It was edited, and has not been looked at since.
    is_fresh: bool,
    /// Its user is typing, and wants no messages.
    is_edited: bool,
}

impl Worker {
    /// A worker that is not at work yet.
    pub fn new(args: Options, shared: Arc<Shared>, editor: Editor) -> Worker {
        Worker { args, shared, editor }
    }

    /// Works until nobody sends jobs any more.
    pub fn work(&self, jobs: &Receiver<Job>) {
        // By project, the files that have diagnostics, which go when there is nothing to say any more.
        let mut told: HashMap<Project, BTreeSet<PathBuf>> = HashMap::new();
        let mut tasks: Vec<Task> = Vec::new();
        loop {
            if !self.take(jobs, &mut tasks) {
                return;
            }
            let Some(task) = tasks.first_mut() else { continue };
            let depth = if std::mem::take(&mut task.is_fresh) { Depth::Quick } else { Depth::Full };
            let before = told.remove(&task.project).unwrap_or_default();
            let (files, is_done) = self.analyse(task, depth, before);
            told.insert(task.project.clone(), files);
            if is_done && depth == Depth::Full {
                tasks.remove(0);
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
            tasks.insert(0, Task { project, is_fresh: is_edited, is_edited });
        }
        true
    }

    /// Analyses a project and tells its diagnostics: the files that have some now, and whether it came to an end before the next
    /// job.
    fn analyse(&self, task: &Task, depth: Depth, before: BTreeSet<PathBuf>) -> (BTreeSet<PathBuf>, bool) {
        let project = &task.project;
        let texts: Vec<(PathBuf, Arc<str>)> = self
            .shared
            .texts
            .lock()
            .expect("no holder panics")
            .iter()
            .map(|(p, t)| (p.clone(), Arc::clone(t)))
            .collect();
        let shared = Arc::clone(&self.shared);
        let is_interrupted = Arc::new(move || depth == Depth::Full && shared.waiting.load(Ordering::SeqCst) > 0);
        let studied = Study::of(project, &self.args, &texts, depth, Arc::clone(&is_interrupted) as _);
        if is_interrupted() {
            return (before, false);
        }
        let mut all: BTreeMap<PathBuf, Vec<Diagnostic>> = match studied {
            Ok(study) => {
                let mut studies = self.shared.studies.lock().expect("no holder panics");
                let earlier = studies.get(project).map(|known| Arc::clone(&known.study));
                let study = Arc::new(study.after(earlier.as_deref().filter(|_| depth == Depth::Quick)));
                let known = Known { study: Arc::clone(&study), targets: Arc::default() };
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
                    return (before, true);
                }
                said
            }
        };
        let now: BTreeSet<PathBuf> = all.keys().cloned().collect();
        for gone in before.into_iter().filter(|path| !now.contains(path)) {
            all.insert(gone, Vec::new());
        }
        if let Project::File(path) = &project {
            // That a file is clean is news too.
            all.entry(path.clone()).or_default();
        }
        for (path, diagnostics) in all {
            let Some(uri) = uri_of(&path) else { continue };
            send::<PublishDiagnostics>(&self.editor, PublishDiagnosticsParams { uri, diagnostics, version: None });
        }
        (now, true)
    }
}
