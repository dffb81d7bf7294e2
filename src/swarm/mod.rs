//! Many clients on one thread: a load generator that takes every message apart.
//!
//! ```text
//!   timers -> Client::act:   connect, JOIN, steer, misbehave          one poll, one thread,
//!   poll   -> Client::wake:  Link (socket) -> Referee (mirror) -> Tally, Ages     no clock but this one's
//! ```
//!
//! Each client is a WebSocket of its own with a player behind it, or somebody who means harm ([`Mode`]). What
//! the server sends is decoded with the server's own codec and followed by a strict mirror: a snapshot that does
//! not fit the ones before it, or that shows what the client may not see, is counted as a fault, and a run with
//! faults fails.
//!
//! A load generator measures itself as soon as its CPU is full. The report says how much of its core it used
//! and how long it had to wait for it: believe an age only if both are small.

mod age;
mod client;
mod crowd;
mod link;
mod pilot;
mod plan;
mod referee;
mod tally;
#[cfg(test)]
mod tests;

pub use age::Ages;
pub use crowd::{Crowd, Pulse};
pub use pilot::Pilot;
pub use plan::{Mode, Plan, Target, TargetError};
pub use referee::{Fault, Heard, Referee};
pub use tally::Tally;
