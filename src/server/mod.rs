//! The program around the engine: configuration, sessions, the loop, and the pages.
//!
//! ```text
//!   Front ==Inbox==> Game: receive -> step: inputs, bots, world.step, deaths, snapshots ==Post==> Front
//!                      ^
//!                    Clock
//! ```

mod admission;
mod args;
mod assets;
mod config;
mod desk;
mod drain;
mod feed;
mod game;
mod metrics;
mod pace;
mod post;
mod roster;
mod serve;
mod session;
mod sessions;
mod standings;
#[cfg(test)]
mod tests;

pub use args::ServeArgs;
pub use config::{FileConfig, ServerConfig};
pub use game::{Deeds, Game};
pub use post::Post;
pub use serve::serve;

use std::fmt;
use std::io;

/// Why the program ends without having done its work.
#[derive(Debug)]
pub enum Failure {
    /// What it was asked to do makes no sense; nothing was started.
    Config(String),
    /// The machine did not let it.
    System(String),
}

impl Failure {
    /// The exit status: 2 for a bad configuration, 1 for the rest.
    pub const fn status(&self) -> u8 {
        match self {
            Self::Config(_) => 2,
            Self::System(_) => 1,
        }
    }

    pub(crate) fn system(doing: impl fmt::Display, error: &io::Error) -> Self {
        Self::System(format!("{doing}: {error}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(words) | Self::System(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for Failure {}
