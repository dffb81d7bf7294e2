//! Sockets and bytes: pages over HTTP, and messages over WebSockets. Knows nothing of snakes.
//!
//! Two threads share the work. The *door* is a helper thread with an asynchronous runtime: it accepts,
//! counts, serves pages and judges handshakes, all of which is slow and none of which is urgent. A socket
//! that has been upgraded leaves it for ever and joins the *front*, which belongs to the thread of the
//! game: one poll a tick, one read of each socket that has something, one send a client.
//!
//! ```text
//!   accept -> gate -> hyper -> pages
//!                       |
//!                       +-> /ws: handshake, origin -> 101 -> socket ==channel==> Front::collect -> Inbox
//!                                                                                Front::send  <- snapshot
//! ```

mod budget;
mod close;
mod config;
mod conn;
mod counters;
mod door;
mod fragments;
mod front;
mod gate;
mod handshake;
mod inbox;
mod origin;
mod slab;
mod stream;
mod upgrade;

pub use close::Why;
pub use config::NetConfig;
pub use counters::{Counters, Refusal};
pub use front::{Front, Sent};
pub use inbox::{Inbox, Incoming};
pub use origin::Origins;
pub use slab::ConnId;
