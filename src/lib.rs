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
pub mod oracle;
pub mod sim;
pub mod wire;
pub mod workload;
pub mod world;

pub use narrowphase::Hits;
pub use world::{Config, SnakeId, World};
