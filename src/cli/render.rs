//! The report of `check` in the form that the user asked for.

use super::args::{CheckArgs, ReportFormat};
use super::exit::ExitStatus;
use crate::report::{
    Excerpts, SarifOptions, TextOptions, render_html, render_json, render_junit, render_sarif, render_text,
};
use crate::verdict::Analysis;
use std::io::IsTerminal;

/// Terminals narrower than this get lines of this many characters.
const NARROWEST: usize = 40;

/// The whole report; `status`: how the run will end.
pub fn render(analysis: &Analysis, args: &CheckArgs, excerpts: &mut Excerpts, status: ExitStatus) -> String {
    let (verbose, quiet) = (args.verbose, args.quiet);
    match args.format {
        ReportFormat::Json => render_json(analysis),
        ReportFormat::Sarif => {
            let arguments = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
            let options = SarifOptions { verbose, quiet, arguments, exit_code: status as u8 };
            render_sarif(analysis, excerpts, &options)
        }
        ReportFormat::Junit => render_junit(analysis, verbose, quiet),
        ReportFormat::Html => render_html(analysis, excerpts, verbose),
        ReportFormat::Text => {
            let terminal = args.output.is_none() && std::io::stdout().is_terminal();
            let colour = terminal && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
            let (all, possible) = (args.all, args.possible.unwrap_or(0));
            let options = TextOptions { verbose, quiet, all, possible, colour, ..TextOptions::default() };
            let width = terminal.then(terminal_size::terminal_size).flatten().map(|(w, _)| usize::from(w.0));
            let width = width.map_or(options.width, |w| w.clamp(NARROWEST, options.width));
            render_text(analysis, excerpts, TextOptions { width, ..options })
        }
    }
}
