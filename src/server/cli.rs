//! The command line. Flags win over environment variables, and both over the configuration file.

use super::{Failure, FileConfig};
use crate::world::RuleSet;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

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
    Serve(ServeArgs),
}

/// Options of `serve`.
#[derive(Debug, Default, Args)]
pub struct ServeArgs {
    /// Listen here; port 0 takes a free one [default: 127.0.0.1:8080]
    #[arg(long, env = "RINGSNAKE_ADDR", hide_env = true, value_name = "HOST:PORT")]
    addr: Option<String>,
    /// Keep N snakes in the arena: bots make room for people [default: 50]
    #[arg(long, env = "RINGSNAKE_BOTS", hide_env = true, value_name = "N")]
    bots: Option<u32>,
    /// Play by these rules [default: survival]
    #[arg(long, env = "RINGSNAKE_RULES", hide_env = true)]
    rules: Option<Rules>,
    /// Seed of the world; a random one if not given
    #[arg(long, env = "RINGSNAKE_SEED", hide_env = true, value_name = "S")]
    seed: Option<u64>,
    /// Read a TOML file of settings, sections [server] and [world]
    #[arg(long, env = "RINGSNAKE_CONFIG", hide_env = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Serve the client from this directory, not the one built in
    #[arg(long, env = "RINGSNAKE_WEB_DIR", hide_env = true, value_name = "DIR")]
    web_dir: Option<PathBuf>,
    /// Step the world on K threads [default: 1]
    #[arg(long, env = "RINGSNAKE_THREADS", hide_env = true, value_name = "K")]
    threads: Option<u32>,
    /// What to log: error, warn, info, debug, or a filter [default: info]
    #[arg(long, env = "RINGSNAKE_LOG", hide_env = true, value_name = "FILTER")]
    log: Option<String>,
}

/// The rule sets by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rules {
    /// Length grows by itself; kills hand over length
    Survival,
    /// Length comes from food; the dead turn into food
    Pellets,
}

impl ServeArgs {
    /// The file's settings with these over them, checked.
    pub fn into_config(self) -> Result<FileConfig, Failure> {
        let mut config = match &self.config {
            Some(path) => FileConfig::read(path)?,
            None => FileConfig::default(),
        };
        self.put_over(&mut config);
        config.validate()?;
        Ok(config)
    }

    fn put_over(self, config: &mut FileConfig) {
        let (server, world) = (&mut config.server, &mut config.world);
        replace(&mut server.addr, self.addr);
        replace(&mut server.bots, self.bots);
        replace(&mut server.log, self.log);
        replace(&mut world.engine.threads, self.threads);
        replace(&mut world.rules.set, self.rules.map(RuleSet::from));
        server.seed = self.seed.or(server.seed);
        server.web_dir = self.web_dir.or(server.web_dir.take());
    }
}

fn replace<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

impl From<Rules> for RuleSet {
    fn from(rules: Rules) -> Self {
        match rules {
            Rules::Survival => Self::Survival,
            Rules::Pellets => Self::Pellets,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parsed(line: &str) -> Result<FileConfig, Failure> {
        let cli = Cli::try_parse_from(line.split(' ')).map_err(|error| Failure::Config(error.to_string()))?;
        match cli.command {
            Some(Command::Serve(args)) => args.into_config(),
            None => cli.serve.into_config(),
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
        let help = Cli::command().term_width(80).render_long_help().to_string();
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
}
