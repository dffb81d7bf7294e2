//! What goes over a WebSocket: the codec of `FORMAT.md`, and what one client sees of the world.
//!
//! - [`read`] and [`write`](mod@write): the notations of the format, byte by byte;
//! - [`message`]: every message of both directions, typed;
//! - [`snapshot`]: the one large message, and the writers of its sections;

pub mod message;
pub mod read;
pub mod snapshot;
pub mod write;

#[cfg(all(test, feature = "server"))]
mod vectors;

pub use message::{ToClient, ToServer};
pub use read::WireError;
pub use snapshot::Snapshot;

/// Version of the format; JOIN and WELCOME carry it.
pub const VERSION: u8 = 1;

/// Largest magnitude of a coordinate on the wire, quanta: what three bytes hold (131,071.98 u).
/// Half the lattice. A server refuses a larger arena when it starts; a writer saturates.
pub const COORD_MAX: i32 = (1 << 23) - 1;

/// Longest name in a JOIN, bytes.
pub const NAME_MAX: usize = 64;
