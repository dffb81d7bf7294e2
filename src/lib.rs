//! ringsnake: an engine for arenas of moving heads and deadly trails.

#[cfg(feature = "server")]
pub mod cli;
pub mod clock;
pub mod geom;
pub mod limits;
pub mod oracle;
pub mod workload;
pub mod world;

pub use world::{Config, SnakeId, World};
