//! Completions for shells and the manual page, from the description of the command line itself.

use super::args::{Cli, ManualCommand};
use super::exit::ExitStatus;
use super::output::write_report;
use crate::pipeline::Error;
use clap::CommandFactory;

/// Writes them to standard output.
pub fn manual(command: &ManualCommand) -> Result<ExitStatus, Error> {
    let mut cli = Cli::command();
    let mut text = Vec::new();
    match command {
        ManualCommand::Completions { shell } => clap_complete::generate(*shell, &mut cli, "cellog", &mut text),
        ManualCommand::Page => {
            page(&cli, &mut text).map_err(|error| Error::Write { path: "the manual page".to_owned(), error })?
        }
    }
    write_report(&String::from_utf8_lossy(&text), None)?;
    Ok(ExitStatus::Clean)
}

/// One page: the tool, then each of its commands.
fn page(cli: &clap::Command, out: &mut Vec<u8>) -> std::io::Result<()> {
    clap_mangen::Man::new(cli.clone()).render(out)?;
    for command in cli.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = format!("cellog {}", command.get_name());
        let man = clap_mangen::Man::new(command.clone().display_name(&name).bin_name(&name));
        out.extend_from_slice(format!(".SH \"{}\"\n", name.to_uppercase()).as_bytes());
        man.render_synopsis_section(out)?;
        man.render_description_section(out)?;
        man.render_options_section(out)?;
        man.render_extra_section(out)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_every_command() {
        let mut text = Vec::new();
        page(&Cli::command(), &mut text).expect("memory takes it");
        let text = String::from_utf8(text).expect("it is text");
        for word in ["CELLOG CHECK", "CELLOG REPLAY", "CELLOG FACTS", "\\-\\-baseline"] {
            assert!(text.contains(word), "{word}");
        }
    }
}
