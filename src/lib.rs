//! ringsnake: an engine for arenas of moving heads and deadly trails.

mod body;
pub mod bots;
mod broadphase;
#[cfg(feature = "server")]
pub mod cli;
pub mod clock;
pub mod geom;
#[cfg(any(test, feature = "internals"))]
pub mod internals;
pub mod lanes;
pub mod limits;
mod narrowphase;
#[cfg(feature = "server")]
pub mod net;
pub mod oracle;
#[cfg(feature = "server")]
pub mod server;
pub mod sim;
#[cfg(feature = "server")]
pub mod swarm;
#[cfg(feature = "server")]
pub mod usage;
pub mod wire;
pub mod workload;
pub mod world;

pub use narrowphase::{Hits, Tally};
pub use world::{Config, SnakeId, World};

/// The README's code is compiled and run along with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
