//! What can be done about a finding.

use super::diagnostics::Data;
use super::text::position;
use crate::pipeline::fix::{Edit, Fix};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, Diagnostic, Position, Range, TextEdit,
    WorkspaceEdit,
};
use std::collections::HashMap;

/// The command that gives an editor the precondition of a finding.
pub const COPY_PRECONDITION: &str = "cellog.copyPrecondition";

/// The actions for the findings that the editor asks about; `line` gives a line of the file, `fix` a fix of the text as the editor has it.
pub fn actions(
    params: &CodeActionParams,
    line: impl Fn(u32) -> Option<String>,
    fix: impl Fn(&str) -> Option<Fix>,
) -> Vec<CodeActionOrCommand> {
    let mut all = Vec::new();
    for diagnostic in &params.context.diagnostics {
        let data = diagnostic.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
        let Some(data) = data else { continue };
        all.extend(data.precondition.clone().map(|text| copy(text, diagnostic)));
        if let Some(text) = line(diagnostic.range.start.line) {
            all.push(allow(params, diagnostic, &data, &text));
        }
        all.extend(fix(&data.id).map(|fix| mend(params, diagnostic, &fix)));
    }
    all
}

fn copy(precondition: String, diagnostic: &Diagnostic) -> CodeActionOrCommand {
    let title = "Copy the precondition".to_owned();
    CodeActionOrCommand::CodeAction(CodeAction {
        command: Some(Command::new(title.clone(), COPY_PRECONDITION.to_owned(), Some(vec![precondition.into()]))),
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        ..CodeAction::default()
    })
}

/// A comment at the end of the line, which asks for its reason.
fn allow(params: &CodeActionParams, diagnostic: &Diagnostic, data: &Data, line: &str) -> CodeActionOrCommand {
    let end = Position::new(diagnostic.range.start.line, line.encode_utf16().count() as u32);
    let new_text = format!(" // cellog: allow({}) TODO: say why", data.check);
    let edit = TextEdit { range: Range::new(end, end), new_text };
    edit_of(params, diagnostic, format!("Allow {} here", data.check), vec![edit])
}

/// An edit that a second check has shown to mend the finding.
fn mend(params: &CodeActionParams, diagnostic: &Diagnostic, fix: &Fix) -> CodeActionOrCommand {
    let edit = |edit: &Edit| {
        let place = |at| position(&fix.text, at);
        TextEdit { range: Range::new(place(edit.at), place(edit.at + edit.removed)), new_text: edit.text.clone() }
    };
    edit_of(params, diagnostic, format!("Apply a fix that {}", fix.title), fix.edits.iter().map(edit).collect())
}

/// An action that edits the file that the editor asks about.
fn edit_of(
    params: &CodeActionParams,
    diagnostic: &Diagnostic,
    title: String,
    edits: Vec<TextEdit>,
) -> CodeActionOrCommand {
    // The protocol's own type.
    #[allow(clippy::mutable_key_type)]
    let changes = HashMap::from([(params.text_document.uri.clone(), edits)]);
    CodeActionOrCommand::CodeAction(CodeAction {
        title,
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(WorkspaceEdit::new(changes)),
        ..CodeAction::default()
    })
}
