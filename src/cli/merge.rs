//! `cellog merge`: the reports of all shards of a check as one.

use super::args::MergeArgs;
use super::exit::ExitStatus;
use super::output::write_report;
use crate::pipeline::Error;
use crate::pipeline::rules::findings::RULES;
use crate::report::merge_reports;

/// Runs `merge`.
pub fn merge(args: &MergeArgs) -> Result<ExitStatus, Error> {
    let mut reports = Vec::new();
    for path in &args.reports {
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::Usage(format!("cannot read the report {}: {error}", path.display())))?;
        reports.push((path.display().to_string(), text));
    }
    let merged = merge_reports(&reports, RULES).map_err(|error| Error::Usage(error.to_string()))?;
    write_report(&merged.text, args.output.as_deref())?;
    Ok(match (merged.is_definite, merged.is_unread) {
        (true, _) => ExitStatus::Definite,
        (false, true) => ExitStatus::Usage,
        (false, false) => ExitStatus::Clean,
    })
}
