//! What goes over a WebSocket: the codec of `FORMAT.md`, and what one client sees of the world.
//!
//! - [`read`] and [`write`](mod@write): the notations of the format, byte by byte;
//! - [`message`]: every message of both directions, typed;
//! - [`snapshot`]: the one large message, and the writers of its sections;
//! - [`view`]: what one client holds, and the making of its next snapshot;
//! - [`mirror`]: the other end of a view, for tests and load generators.

pub mod message;
pub mod mirror;
pub mod read;
pub mod snapshot;
pub mod view;
pub mod write;

#[cfg(all(test, feature = "server"))]
mod vectors;

pub use message::{ToClient, ToServer};
pub use read::WireError;
pub use snapshot::Snapshot;

use crate::limits::{QUANTA_PER_UNIT, STEP_MAX};

/// Version of the format; JOIN and WELCOME carry it.
pub const VERSION: u8 = 2;

/// Largest magnitude of a coordinate on the wire, quanta: what three bytes hold (131,071.98 u).
/// Half the lattice; see [`ARENA_RADIUS_MAX`]. A writer saturates beyond it.
pub const COORD_MAX: i32 = (1 << 23) - 1;

/// Largest radius of an arena that is played over the wire, u: a server refuses more when it starts.
pub const ARENA_RADIUS_MAX: f64 = 130_000.0;

const _: () = assert!((ARENA_RADIUS_MAX + STEP_MAX) * (QUANTA_PER_UNIT as f64) < COORD_MAX as f64);

/// Most obstacles of an arena that is played over the wire: a server refuses more when it starts.
pub const OBSTACLES_MAX: usize = 1_024;

/// Longest name in a JOIN, bytes.
pub const NAME_MAX: usize = 64;
