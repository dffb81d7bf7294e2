//! Which command, and what became of it.

use super::{probe, sim, swarm};
use crate::server::{self, Failure, ServeArgs};
use clap::{Parser, Subcommand};
use std::io::{BufWriter, stdin, stdout};

const AFTER_HELP: &str = "\
Each option may also be set by an environment variable: RINGSNAKE_ADDR for
--addr, and so on. Flags win over variables, variables over the file.";

/// An arena of moving heads and deadly trails, in your browser.
#[derive(Debug, Parser)]
#[command(name = "ringsnake", version, max_term_width = 80)]
#[command(args_conflicts_with_subcommands = true, after_help = AFTER_HELP)]
pub struct Cli {
    /// What to do; without it the game is served.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// How to serve, where no command is named.
    #[command(flatten)]
    pub serve: ServeArgs,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the game (what happens without a command)
    #[command(after_help = AFTER_HELP)]
    Serve(ServeArgs),
    /// Answer geometric questions: one of JSON a line in, one answer a line out
    Probe,
    /// Measure the engine alone on the canonical workload
    Sim(sim::SimArgs),
    /// Load a server with many clients, and take apart what it says to them
    Swarm(swarm::SwarmArgs),
}

/// Runs what was asked for. False when it ran and the answer is no: a question of `probe` that has no answer,
/// a tick of `sim` that the oracle does not agree with, a
/// message that `swarm` finds a fault in.
pub fn run(cli: Cli) -> Result<bool, Failure> {
    match cli.command {
        None => serve(cli.serve),
        Some(Command::Serve(args)) => serve(args),
        Some(Command::Probe) => probe::run(stdin().lock(), BufWriter::new(stdout().lock()))
            .map_err(|error| Failure::System(format!("cannot read questions or write answers: {error}"))),
        Some(Command::Sim(args)) => sim::run(&args),
        Some(Command::Swarm(args)) => swarm::run(&args),
    }
}

fn serve(args: ServeArgs) -> Result<bool, Failure> {
    server::serve(&args.into_config()?).map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::FileConfig;
    use crate::world::RuleSet;
    use clap::CommandFactory;

    fn parsed(line: &str) -> Result<FileConfig, Failure> {
        let cli = Cli::try_parse_from(line.split(' ')).map_err(|error| Failure::Config(error.to_string()))?;
        match cli.command {
            Some(Command::Serve(args)) => args.into_config(),
            None => cli.serve.into_config(),
            Some(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn serve_may_be_named_or_not() {
        let bare = parsed("ringsnake --addr 127.0.0.1:0 --bots 7 --rules pellets").unwrap();
        let named = parsed("ringsnake serve --addr 127.0.0.1:0 --bots 7 --rules pellets").unwrap();
        assert_eq!(bare, named);
        assert_eq!((bare.server.bots, bare.world.rules.set), (7, RuleSet::Pellets));
    }

    #[test]
    fn what_makes_no_sense_is_a_failure_that_names_the_field() {
        let failure = parsed("ringsnake --threads 0").unwrap_err();
        assert_eq!(failure.status(), 2);
        assert_eq!(failure.to_string(), "world.engine.threads: 0 is out of range, allowed is 1..=64");
    }

    #[test]
    fn help_fits_80_columns() {
        for command in [Cli::command()].iter().chain(Cli::command().get_subcommands()) {
            let help = command.clone().term_width(80).render_long_help().to_string();
            assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        }
    }
}
