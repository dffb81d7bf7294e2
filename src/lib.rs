//! ringsnake: an engine for arenas of moving heads and deadly trails.

pub mod clock;
pub mod geom;
pub mod limits;
#[cfg(feature = "server")]
pub mod net;
pub mod wire;
pub mod workload;
pub mod world;

pub use world::{Config, SnakeId, World};
