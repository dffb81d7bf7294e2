//! Options of `serve`. Flags win over environment variables, and both over the configuration file.

use super::{Failure, FileConfig};
use crate::world::RuleSet;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

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
