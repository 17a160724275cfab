//! `cellog fix`: an edit that mends a definite finding.

use super::args::FixArgs;
use super::exit::ExitStatus;
use super::output::{tell, write_report};
use super::progress::Progress;
use super::replay::chosen;
use crate::pipeline::fix::{Fix, fix_for};
use crate::pipeline::rules::checks::parse_checks;
use crate::pipeline::standing::config::Config;
use crate::pipeline::write::write_file;
use crate::pipeline::{Error, Listener, Request};
use std::sync::Arc;

/// Runs `fix`.
pub fn fix(args: &FixArgs, config: &Config) -> Result<ExitStatus, Error> {
    let sources = args.input.program(&args.entry, args.limits.jobs)?;
    let asked = Request {
        entry: args.entry.clone(),
        checks: parse_checks(&args.checks).map_err(Error::Usage)?,
        values: true,
        config: config.clone(),
        ..args.limits.request(sources, args.limits.default_profile(), &args.cache)
    };
    let before = asked.with_edits(Vec::new()).check(Arc::new(Progress::new(false, false)))?;
    let finding = chosen(&before.analysis.findings, &args.id)?;
    let listener: Arc<dyn Listener> = Arc::new(Progress::new(true, false));
    let Fix { name, path, title, text, edits } = match fix_for(finding, &before, &asked, &listener)? {
        Ok(fix) => fix,
        Err(why) => {
            tell(&format!("cellog: no fix is offered for {}: {why}", finding.id));
            return Ok(ExitStatus::Definite);
        }
    };
    if args.diff {
        write_report(&edits.diff(&name, &text), None)?;
    } else {
        write_file(&path, edits.apply(&text).as_bytes())?;
    }
    tell(&format!(
        "cellog: {name}: the edit {title}; checked again with it (--engine summary), nothing errs there and no other verdict is worse"
    ));
    Ok(ExitStatus::Clean)
}
