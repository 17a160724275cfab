//! The program that is meant, from options, and what users are told about it.

use super::args::{Allocation, Arch, InputArgs, LeftShift};
use super::output::tell;
use crate::base::{Diagnostic, Severity};
use crate::ir::DataModel;
use crate::pipeline::Error;
use crate::pipeline::sources::resolve::Resolution;
use crate::pipeline::sources::{Said, Sources, resolve};
use crate::report::{Excerpts, render_diagnostic};
use std::io::IsTerminal;

/// Diagnostics told unless all are wanted.
const MOST_TOLD: usize = 20;

impl Arch {
    /// The data model it stands for.
    pub fn model(self) -> DataModel {
        match self {
            Arch::Lp64 => DataModel::Lp64,
            Arch::Ilp32 => DataModel::Ilp32,
        }
    }
}

impl InputArgs {
    /// The program that is meant, for executions from `entry`; an error where there are several.
    pub fn program(&self, entry: &str, jobs: usize) -> Result<Sources, Error> {
        Ok(self.programs(entry, jobs, false)?.only()?.sources)
    }

    /// The programs that are meant, and their user is told how they were found unless that is to be `quiet`.
    pub fn programs(&self, entry: &str, jobs: usize, quiet: bool) -> Result<Resolution, Error> {
        told(&self.sources(), entry, jobs, quiet)
    }

    /// The files that are meant, as they are named.
    pub fn sources(&self) -> Sources {
        Sources {
            files: self.files.clone(),
            build_dir: self.build_dir.clone(),
            target: self.target.clone(),
            model: self.arch.model(),
            unwritten_inputs: self.unwritten_inputs,
            allocation_succeeds: self.allocation.map(|outcome| outcome == Allocation::Succeeds),
            left_shifts_defined: self.left_shift == LeftShift::Defined,
            contracts: self.contracts.clone(),
            flags: self.cpp_flags.clone(),
            edited: Vec::new(),
        }
    }
}

/// The programs that `sources` mean; see [`InputArgs::programs`].
pub fn told(sources: &Sources, entry: &str, jobs: usize, quiet: bool) -> Result<Resolution, Error> {
    let resolution = resolve(sources, entry, jobs)?;
    if !quiet {
        resolution.said.iter().for_each(|text| tell(&format!("cellog: {text}")));
    }
    Ok(resolution)
}

/// The diagnostics that a user must see even when much is well: errors first, each once.
pub fn loud_diagnostics(diagnostics: &[Diagnostic], all: bool) -> Vec<&Diagnostic> {
    let mut list: Vec<_> = diagnostics.iter().filter(|d| all || d.severity == Severity::Error).collect();
    list.sort_by_key(|d| d.severity);
    list.dedup();
    list
}

/// Says what the front end has to say: unread files, errors, and warnings when all are wanted.
pub fn tell_about_input(said: &Said<'_>, all: bool) {
    for (_, reason) in said.unread {
        tell(&format!("error: {reason}"));
    }
    let mut excerpts = Excerpts::new(said.folders.to_vec());
    let colour = std::io::stderr().is_terminal();
    let diagnostics = loud_diagnostics(said.diagnostics, all);
    for diagnostic in diagnostics.iter().take(if all { usize::MAX } else { MOST_TOLD }) {
        tell(&render_diagnostic(diagnostic, said.sources, &mut excerpts, colour));
    }
    if !all && diagnostics.len() > MOST_TOLD {
        tell(&format!("... and {} more", diagnostics.len() - MOST_TOLD));
    }
}
