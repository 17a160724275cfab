//! What can be done about a finding.

use super::diagnostics::Data;
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, Diagnostic, Position, Range, TextEdit,
    WorkspaceEdit,
};
use std::collections::HashMap;

/// The command that gives an editor the precondition of a finding.
pub const COPY_PRECONDITION: &str = "cellog.copyPrecondition";

/// The actions for the findings that the editor asks about; `line` gives a line of the file.
pub fn actions(params: &CodeActionParams, line: impl Fn(u32) -> Option<String>) -> Vec<CodeActionOrCommand> {
    let mut all = Vec::new();
    for diagnostic in &params.context.diagnostics {
        let data = diagnostic.data.clone().and_then(|data| serde_json::from_value::<Data>(data).ok());
        let Some(data) = data else { continue };
        all.extend(data.precondition.clone().map(|text| copy(text, diagnostic)));
        if let Some(text) = line(diagnostic.range.start.line) {
            all.push(allow(params, diagnostic, &data, &text));
        }
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
    // The protocol's own type.
    #[allow(clippy::mutable_key_type)]
    let changes = HashMap::from([(params.text_document.uri.clone(), vec![edit])]);
    CodeActionOrCommand::CodeAction(CodeAction {
        title: format!("Allow {} here", data.check),
        kind: Some(CodeActionKind::QUICKFIX),
        diagnostics: Some(vec![diagnostic.clone()]),
        edit: Some(WorkspaceEdit::new(changes)),
        ..CodeAction::default()
    })
}
